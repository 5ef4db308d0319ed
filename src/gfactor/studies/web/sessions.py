"""Sessions: a random token in a cookie that scripts cannot read; the server keeps only its hash."""

from __future__ import annotations

import hashlib
import secrets
from typing import Any

from gfactor.studies.web.address import Address
from gfactor.studies.web.headers import header
from gfactor.studies.web.secrets import Secrets

_LENGTH = 32
_DAYS = 30
_SESSIONS = "gfactor.sessions"


def new_session() -> str:
    """A token that nobody can guess."""
    return secrets.token_urlsafe(_LENGTH)


def visitor_token(secrets: Secrets) -> str:
    """A token for somebody who is nobody yet: its only use is to bind a form to a browser.

    It is signed, so that a token that somebody chose is never taken for one of ours; whoever logs
    in or consents gets a new one.
    """
    return secrets.dated("visitor", new_session())


def is_visitor(secrets: Secrets, token: str) -> bool:
    """Return True if `visitor_token` made the token."""
    return bool(token) and secrets.is_dated("visitor", token, _DAYS)


def hashed(token: str) -> str:
    """Return the stored hash of a token: with the hash alone nobody can take over a session."""
    return hashlib.sha256(token.encode()).hexdigest()


def session_of(request: Any, name: str) -> str:
    """The token of a request's cookie, "" if there is none."""
    sessions = request.scope.get(_SESSIONS)
    if sessions is None:
        sessions = request.scope[_SESSIONS] = {}
    token = sessions.get(name)
    if token is None:
        token = ""
        for part in header(request, b"cookie").split(";"):
            key, _, value = part.partition("=")
            if key.strip() == name:
                token = value.strip()
        token = sessions[name] = token if len(token) < 200 else ""
    return token


def with_session(response: Any, name: str, token: str, address: Address) -> Any:
    """The response with the cookie set, for the address at which browsers reach the server.

    SameSite is Lax: people come to a study by a link from elsewhere.
    """
    secure = "; Secure" if address.secure else ""
    cookie = (
        f"{name}={token}; HttpOnly; Max-Age={_DAYS * 86_400}; Path={address.prefix}/; SameSite=lax"
        f"{secure}"
    )
    response.raw_headers.append((b"set-cookie", cookie.encode("latin-1")))
    return response
