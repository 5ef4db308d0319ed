"""Requests for paths without parameters, the most frequent ones, matched by one look-up."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from gfactor.studies.web.extras import need

Handler = Callable[[Any], Awaitable[Any]]


class ExactPaths:
    """ASGI middleware that passes a GET or POST of a path without parameters directly to its
    handler.

    Starlette tries its routes one after the other, and wraps each request three times for handling
    exceptions. Other requests (parameters, other methods, unknown paths) go to the routes of the
    application. An exception of a handler has the same effect in both cases: the same reply, and an
    entry in the server's log.

    Parameters
    ----------
    app: application that answers the other requests.
    routes: Starlette's routes, with handlers that are coroutines.
    prefix: path below which all pages lie.
    """

    def __init__(self, app: Any, routes: Sequence[Any], prefix: str) -> None:
        self._app, self._request = app, need("starlette.requests").Request
        text = need("starlette.responses").PlainTextResponse
        self._failure = text("Internal Server Error", status_code=500)
        self._handlers: dict[tuple[str, str], Handler] = {}
        for k, route in enumerate(routes):
            if not route.param_convertors and not _is_hidden(route.path, routes[:k]):
                for method in route.methods & {"GET", "POST"}:
                    self._handlers.setdefault((method, prefix + route.path), route.endpoint)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            handler = self._handlers.get((scope["method"], scope["path"]))
            if handler is not None:
                scope["endpoint"], scope["path_params"] = handler, {}
                try:
                    response = await handler(self._request(scope, receive, send))
                except Exception:
                    await self._failure(scope, receive, send)
                    raise
                await response(scope, receive, send)
                return
        await self._app(scope, receive, send)


def _is_hidden(path: str, before: Sequence[Any]) -> bool:
    """Return True if a route with parameters, which comes before, has the path as well."""
    return any(route.param_convertors and route.path_regex.match(path) for route in before)
