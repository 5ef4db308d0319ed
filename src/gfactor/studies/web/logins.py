"""Logins: sessions in memory, a limit on guesses of passwords, an end after a day."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any

from gfactor.studies.web.address import address_of
from gfactor.studies.web.limits import RateLimit, client_of
from gfactor.studies.web.posts import redirect
from gfactor.studies.web.secrets import Secrets
from gfactor.studies.web.sessions import (
    hashed,
    is_visitor,
    new_session,
    session_of,
    visitor_token,
    with_session,
)

HOURS = 12
LOGINS = "gfactor.logins"
GUESSES_PER_SECOND, GUESSES = 0.1, 8

Handler = Callable[..., Awaitable[Any]]


class Logins:
    """Sessions of people who are logged in; they end with the server, or after twelve hours.

    Parameters
    ----------
    cookie: name of the cookie that holds a session's token.
    page: path of the page where one logs in.
    secrets: secrets of the server, which sign the cookies of those who are not logged in yet.
    """

    def __init__(
        self,
        cookie: str,
        page: str,
        secrets: Secrets,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.cookie, self.page, self._secrets = cookie, page, secrets
        self._clock = clock
        self._sessions: dict[str, tuple[str, float]] = {}
        self._guesses = RateLimit(GUESSES_PER_SECOND, GUESSES, clock=clock)

    def token(self, request: Any) -> str:
        """Return the token of a request's session, "" if there is none."""
        return session_of(request, self.cookie)

    def with_token(self, request: Any, make: Callable[[str], Any]) -> Any:
        """Return a page for a session's token, to which its forms are bound; the token is new if
        the request has no valid one."""
        token = self.token(request)
        if not self.who(request) and not is_visitor(self._secrets, token):
            token = visitor_token(self._secrets)
        return with_session(make(token), self.cookie, token, address_of(request))

    def may_guess(self, request: Any) -> bool:
        """Return True if this client may try a password now."""
        return self._guesses.allows_request(request, client_of(request))

    def log_in(self, request: Any, response: Any, name: str) -> Any:
        """Return the response with a new session of somebody."""
        self.log_out(request)
        token = new_session()
        self._sessions[hashed(token)] = name, self._clock() + HOURS * 3600
        return with_session(response, self.cookie, token, address_of(request))

    def log_out(self, request: Any) -> None:
        self._sessions.pop(hashed(self.token(request)), None)

    def who(self, request: Any) -> str:
        """Return the name of the person who makes a request; "" without a valid login."""
        name, until = self._sessions.get(hashed(self.token(request)), ("", 0.0))
        return name if self._clock() < until else ""


def logged_in(handler: Handler) -> Handler:
    """Return a handler that sends those who are not logged in to the login page.

    The application puts its `Logins` into the scope of every request, as `LOGINS`.
    """

    @wraps(handler)
    async def guarded(request: Any) -> Any:
        logins = request.scope[LOGINS]
        if not logins.who(request):
            return redirect(request, logins.page)
        return await handler(request)

    return guarded
