"""Requests that wait for the database without blocking other requests."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import cache, wraps
from typing import Any

from gfactor.studies.web.database import DatabaseBusyError
from gfactor.studies.web.extras import need

MOST_DIGITS = 18

PAUSE_S, LONGEST_WAIT_S = 0.05, 30.0
"""Seconds between two tries, and the longest time of all tries of a request."""


def route(path: str, handler: Callable[[Any], Awaitable[Any]], **settings: Any) -> Any:
    """Return a route whose handler is repeated while another program writes to the database.

    Between two attempts the event loop serves other requests. A handler can be repeated safely: it
    stores in one transaction, or storing twice changes nothing. After `LONGEST_WAIT_S` the request
    gets status 503, and the page's script sends it again later.

    `{name:number}` in a path is a number of at most `MOST_DIGITS` digits; others match no route.
    """
    need("starlette.convertors").register_url_convertor("number", _number())

    @wraps(handler)
    async def retried(request: Any) -> Any:
        for _ in range(round(LONGEST_WAIT_S / PAUSE_S)):
            try:
                return await handler(request)
            except DatabaseBusyError:
                await asyncio.sleep(PAUSE_S)
        return need("starlette.responses").PlainTextResponse(
            "The database is busy. Please try again in a moment.",
            status_code=503,
            headers={"retry-after": "5"},
        )

    return need("starlette.routing").Route(path, retried, **settings)


@cache
def _number() -> Any:
    """Return Starlette's converter "int" with a limit: its own fails at thousands of digits."""

    class LimitedNumber(need("starlette.convertors").IntegerConvertor):
        regex = f"[0-9]{{1,{MOST_DIGITS}}}"

    return LimitedNumber()
