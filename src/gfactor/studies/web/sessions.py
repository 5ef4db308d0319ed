"""Sessions: a random token in a cookie that scripts cannot read; the server keeps only its hash."""

from __future__ import annotations

import hashlib
import secrets
from typing import Any

_LENGTH = 32
_DAYS = 30


def new_session() -> str:
    """A token that nobody can guess."""
    return secrets.token_urlsafe(_LENGTH)


def hashed(token: str) -> str:
    """What is stored of a token: with the hash alone nobody can take over a session."""
    return hashlib.sha256(token.encode()).hexdigest()


def session_of(request: Any, name: str) -> str:
    """The token of a request's cookie, "" where there is none."""
    token = request.cookies.get(name, "")
    return token if len(token) < 200 else ""


def with_session(response: Any, name: str, token: str, *, secure: bool) -> Any:
    """The response with the cookie set; `secure` where the server is reached over HTTPS.

    SameSite is Lax: people come to a study by a link from elsewhere.
    """
    response.set_cookie(
        name,
        token,
        max_age=_DAYS * 86_400,
        httponly=True,
        samesite="lax",
        secure=secure,
        path="/",
    )
    return response
