"""Sessions: a random token in a cookie that scripts cannot read; the server keeps only its hash."""

from __future__ import annotations

import hashlib
import secrets
from functools import lru_cache
from typing import Any

from gfactor.studies.web.address import Address
from gfactor.studies.web.headers import header
from gfactor.studies.web.secrets import Secrets

_LENGTH = 32
_DAYS = 30
_LONGEST_KEPT = 500
"""Length from which on the cookies of a browser are parsed for each request, without caching."""


def new_session() -> str:
    """Return a token that nobody can guess."""
    return secrets.token_urlsafe(_LENGTH)


def visitor_token(secrets: Secrets) -> str:
    """Return a token for a visitor without a session, which only binds a form to the browser.

    It is signed, so that a token that a visitor made up is not accepted. People who log in or
    consent get a new one.
    """
    return secrets.dated("visitor", new_session())


def is_visitor(secrets: Secrets, token: str) -> bool:
    """Return True if `visitor_token` made the token."""
    return bool(token) and secrets.is_dated("visitor", token, _DAYS)


@lru_cache(maxsize=20_000)
def hashed(token: str) -> str:
    """Return the hash of a token, which is stored instead because a session cannot be taken over
    with it."""
    return hashlib.sha256(token.encode()).hexdigest()


def session_of(request: Any, name: str) -> str:
    """Return the token of a request's cookie, "" if there is none."""
    cookies = header(request, b"cookie")
    read = _cookies if len(cookies) < _LONGEST_KEPT else _cookies.__wrapped__
    return read(cookies).get(name, "")


@lru_cache(maxsize=20_000)
def _cookies(text: str) -> dict[str, str]:
    """Return the cookies of a header by their names, without those that are too long for ours."""
    cookies = {}
    for part in text.split(";"):
        name, _, value = part.partition("=")
        cookies[name.strip()] = value.strip()
    return {name: value for name, value in cookies.items() if len(value) < 200}


def with_session(response: Any, name: str, token: str, address: Address) -> Any:
    """Return the response with the cookie set, for the address at which browsers reach the server.

    SameSite is Lax, because people come to a study by a link from another site.
    """
    secure = "; Secure" if address.secure else ""
    cookie = (
        f"{name}={token}; HttpOnly; Max-Age={_DAYS * 86_400}; Path={address.prefix}/; SameSite=lax"
        f"{secure}"
    )
    response.raw_headers.append((b"set-cookie", cookie.encode("latin-1")))
    return response
