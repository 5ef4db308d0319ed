"""Pages of the owner: a password, a limit on guesses, a session that ends."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any

from gfactor.studies.web.extras import need
from gfactor.studies.web.limits import RateLimit, client_of
from gfactor.studies.web.secrets import Secrets
from gfactor.studies.web.sessions import hashed, new_session, session_of, with_session

OWNER_COOKIE = "gfactor_owner"
HOURS = 12
GUESSES_PER_SECOND, GUESSES = 0.1, 8

Handler = Callable[..., Awaitable[Any]]


class Owners:
    """Sessions of the owner, in memory: they end with the server, or after twelve hours."""

    def __init__(self, secrets: Secrets, clock: Callable[[], float] = time.monotonic) -> None:
        self.secrets = secrets
        self._clock = clock
        self._until: dict[str, float] = {}
        self._guesses = RateLimit(GUESSES_PER_SECOND, GUESSES, clock=clock)

    def may_guess(self, request: Any) -> bool:
        """Whether this client may try a password now."""
        return self._guesses.allows(client_of(request))

    def log_in(self, response: Any, *, secure: bool) -> Any:
        """The response with a new session of the owner."""
        token = new_session()
        self._until[hashed(token)] = self._clock() + HOURS * 3600
        return with_session(response, OWNER_COOKIE, token, secure=secure)

    def log_out(self, request: Any) -> None:
        self._until.pop(hashed(session_of(request, OWNER_COOKIE)), None)

    def is_owner(self, request: Any) -> bool:
        """Whether the request comes in a session of the owner that has not ended."""
        until = self._until.get(hashed(session_of(request, OWNER_COOKIE)))
        return until is not None and self._clock() < until


def owner_only(handler: Handler) -> Handler:
    """A handler that sends everybody but the owner to the login page.

    The application holds its `Owners` as `app.state.owners` and its login page at `/owner/login`.
    """

    @wraps(handler)
    async def guarded(request: Any) -> Any:
        if not request.app.state.owners.is_owner(request):
            return need("starlette.responses").RedirectResponse("/owner/login", status_code=303)
        return await handler(request)

    return guarded
