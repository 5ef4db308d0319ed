"""Protection against forged posts: a token bound to the session, in every form and request."""

from __future__ import annotations

import hmac
from functools import lru_cache
from typing import Any

from gfactor.studies.web.address import address_of
from gfactor.studies.web.headers import header
from gfactor.studies.web.secrets import Secrets

CSRF_FIELD = "form_token"
CSRF_HEADER = b"x-form-token"


@lru_cache(maxsize=20_000)
def csrf_token(secrets: Secrets, session: str) -> str:
    """What a form of this session carries."""
    return secrets.sign("form", session)


def check_csrf(secrets: Secrets, request: Any, session: str, given: str) -> bool:
    """Whether a post comes from a page of ours, shown in the same session.

    The browser's own word on the origin must not contradict it, and the token must be the one
    of the session.
    """
    origin = header(request, b"origin")
    host = header(request, b"host")
    if origin not in ("", "null") and not address_of(request).comes_from_here(origin, host):
        return False
    if header(request, b"sec-fetch-site") == "cross-site":
        return False
    expected = csrf_token(secrets, session).encode()
    return bool(session) and hmac.compare_digest(expected, given.encode("utf-8", "replace"))
