"""Posts: the fields of those that are genuine, and the answer that a reload does not repeat."""

from __future__ import annotations

from typing import Any

from gfactor.studies.web.address import address_of
from gfactor.studies.web.csrf import CSRF_FIELD, CSRF_HEADER, check_csrf
from gfactor.studies.web.extras import need
from gfactor.studies.web.forms import Fields, fields_of
from gfactor.studies.web.headers import header
from gfactor.studies.web.secrets import Secrets


async def genuine_fields(request: Any, secrets: Secrets, session: str) -> Fields | None:
    """The fields of a post from a page of ours in the same session; None for a forged one.

    The token is the form's own, or the one that a script of ours sends as a header.
    """
    fields = await fields_of(request)
    token = header(request, CSRF_HEADER) or fields.get(CSRF_FIELD)
    return fields if check_csrf(secrets, request, session, token) else None


def redirect(request: Any, path: str) -> Any:
    """See other: the answer to a post, so that a reload posts nothing again.

    `path` is that of a page; the prefix below which the server's pages lie is added.
    """
    prefix = address_of(request).prefix
    return need("starlette.responses").RedirectResponse(prefix + path, status_code=303)
