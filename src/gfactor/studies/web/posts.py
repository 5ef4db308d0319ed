"""Posts: the fields of genuine ones, and redirects, so that a reload does not repeat a post.

A token bound to the session, in every form and request, protects against forged posts (CSRF).
"""

from __future__ import annotations

import hmac
from functools import lru_cache
from typing import Any

from gfactor.studies.web.address import address_of
from gfactor.studies.web.extras import need
from gfactor.studies.web.forms import Fields, fields_of
from gfactor.studies.web.headers import header
from gfactor.studies.web.secrets import Secrets

CSRF_FIELD = "form_token"
CSRF_HEADER = b"x-form-token"


@lru_cache(maxsize=20_000)
def csrf_token(secrets: Secrets, session: str) -> str:
    """Return the token that a form of this session carries."""
    return secrets.sign("form", session)


def check_csrf(secrets: Secrets, request: Any, session: str, given: str) -> bool:
    """Return True if a post comes from a page of this server, shown in the same session.

    The origin that the browser reports must not contradict it, and the token must be that of the
    session.
    """
    origin = header(request, b"origin")
    if origin not in ("", "null"):
        host = header(request, b"host")
        if not address_of(request).comes_from_here(origin, host):
            return False
    if header(request, b"sec-fetch-site") == "cross-site":
        return False
    expected = csrf_token(secrets, session).encode()
    return bool(session) and hmac.compare_digest(expected, given.encode("utf-8", "replace"))


async def genuine_fields(request: Any, secrets: Secrets, session: str) -> Fields | None:
    """Return the fields of a post from a page of this server in the same session; None for a forged
    one.

    The token is in the form, or in a header that the page's script sends.
    """
    fields = await fields_of(request)
    token = header(request, CSRF_HEADER) or fields.get(CSRF_FIELD)
    return fields if check_csrf(secrets, request, session, token) else None


def redirect(request: Any, path: str) -> Any:
    """Redirect after a post with status 303 (See Other), so that a reload does not repeat the post.

    `path` is the path of a page, to which the server's prefix is added.
    """
    prefix = address_of(request).prefix
    return need("starlette.responses").RedirectResponse(prefix + path, status_code=303)
