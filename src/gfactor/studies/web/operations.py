"""Operation of a server: a check that it works, and a log that names nobody."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import IO, Any

from gfactor.errors import ParameterError
from gfactor.studies.web.address import Address, Prefixed
from gfactor.studies.web.exact import ExactPaths
from gfactor.studies.web.extras import need
from gfactor.studies.web.headers import SecureHeaders
from gfactor.studies.web.limits import SmallPosts
from gfactor.studies.web.retrying import route


@dataclass(frozen=True)
class Log:
    """Log of requests; with `addresses` it includes the clients' addresses."""

    stream: IO[str]
    addresses: bool = False


@contextmanager
def request_log(file: str | None, *, addresses: bool = False) -> Iterator[Log | None]:
    """Yield the log of a server, whose lines are added to `file`, or written to standard error if
    it is "-"; None if there is no file.

    Raises ParameterError if the file cannot be written.
    """
    if file is None or file == "-":
        yield None if file is None else Log(sys.stderr, addresses)
        return
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    except OSError as error:
        raise ParameterError(f"cannot write the log {file!r}: {error.strerror}") from error
    with os.fdopen(handle, "a", encoding="utf-8") as opened:
        yield Log(opened, addresses)


def health_route(works: Callable[[], object]) -> Any:
    """Return the route /health: 200 if `works` reads the database, else 503; no data in either."""

    async def health(_: Any) -> Any:
        try:
            works()
        except ParameterError:
            return need("starlette.responses").JSONResponse({"status": "failing"}, 503)
        return need("starlette.responses").JSONResponse({"status": "ok"})

    return route("/health", health)


def guarded(
    routes: Sequence[Any],
    address: Address,
    largest_post: int,
    log: Log | None = None,
    shared: Mapping[str, Any] | None = None,
    **settings: Any,
) -> Any:
    """Make an application of these routes, with secure headers, prefix, size limit and log.

    `shared` is put into the scope of every request; `settings` are passed to Starlette.
    """
    layers = settings.pop("middleware", ())
    app = need("starlette.applications").Starlette(routes=list(routes), **settings)
    app.router.redirect_slashes = False
    inner: Any = ExactPaths(app, routes, address.prefix)
    for layer in reversed(layers):
        inner = layer.cls(inner, *layer.args, **layer.kwargs)
    inner = SmallPosts(inner, largest_post)
    if log is not None:
        inner = RequestLog(inner, log, routes)
    return SecureHeaders(Prefixed(inner, address, shared or {}), secure=address.secure)


class RequestLog:
    """ASGI middleware: a line of JSON for each request.

    `time` (UTC), `method`, `page` (the route with the names of its parameters, never their values),
    `status`, `ms` (of the server), `bytes` (of the reply). Paths, parameters, cookies and bodies
    are not logged, because they contain ids, links and answers. `address` is logged only on
    request.
    """

    def __init__(self, app: Any, log: Log, routes: Sequence[Any]) -> None:
        self._app, self._log = app, log
        self._pages = {route.endpoint: route.path for route in routes}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun, status, size = time.perf_counter(), 500, 0

        async def counted(message: Any) -> None:
            nonlocal status, size
            if message["type"] == "http.response.start":
                status = message["status"]
            size += len(message.get("body", b""))
            await send(message)

        try:
            await self._app(scope, receive, counted)
        finally:
            line = {
                "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
                "method": scope["method"],
                "page": self._pages.get(scope.get("endpoint"), ""),
                "status": status,
                "ms": round(1000 * (time.perf_counter() - begun), 1),
                "bytes": size,
            }
            if self._log.addresses:
                line["address"] = scope["client"][0] if scope.get("client") else ""
            self._log.stream.write(f"{json.dumps(line)}\n")
            self._log.stream.flush()
