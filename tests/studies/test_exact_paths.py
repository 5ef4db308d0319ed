"""Requests for paths without parameters: found at once, answered as by Starlette's routes."""

from __future__ import annotations

from typing import Any

import pytest

from gfactor.studies.web import Address, route
from gfactor.studies.web.exact import ExactPaths
from gfactor.studies.web.extras import need
from gfactor.studies.web.headers import HEADERS
from gfactor.studies.web.operations import guarded


def text(content: str) -> Any:
    return need("starlette.responses").PlainTextResponse(content)


async def page(request: Any) -> Any:
    return text(f"page {request.url.path}")


async def sent(request: Any) -> Any:
    return text(f"sent {(await request.body()).decode()}")


async def named(request: Any) -> Any:
    return text(f"named {request.path_params['name']}")


async def broken(_: Any) -> Any:
    raise KeyError("a mistake of ours")


ROUTES = [
    route("/first/{name:str}", named), route("/task", sent, methods=["POST"]), route("/task", page),
    route("/first/hidden", page), route("/broken", broken),
]  # fmt: skip


def client_of(app: Any) -> Any:
    """A client that reads the reply to a failure of the server."""
    client = need("starlette.testclient").TestClient
    return client(app, base_url="http://study.test", raise_server_exceptions=False)


def replies(prefix: str) -> dict[str, tuple[int, str, str]]:
    asked = [
        ("GET", "/task"), ("POST", "/task"), ("HEAD", "/task"), ("PUT", "/task"), ("GET", "/task/"),
        ("GET", "/first/hidden"), ("GET", "/nowhere"), ("POST", "/broken"), ("GET", "/broken"),
    ]  # fmt: skip
    found, client = {}, client_of(guarded(ROUTES, Address(prefix=prefix), 100))
    for method, path in asked:
        body = {"content": b"an answer"} if method == "POST" else {}
        reply = client.request(method, prefix + path, **body)
        assert HEADERS.items() <= dict(reply.headers).items()
        found[f"{method} {path}"] = reply.status_code, reply.text, reply.headers.get("allow", "")
    return found


@pytest.mark.thorough
@pytest.mark.parametrize("prefix", ["", "/lab/study"])
def test_a_path_is_answered_as_by_the_routes_one_after_the_other(
    prefix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where a route with parameters comes first, and where a handler fails."""
    at_once = replies(prefix)
    monkeypatch.setattr(ExactPaths, "__call__", lambda self, *given: self._app(*given))
    assert at_once == replies(prefix)
    assert at_once["GET /task"][:2] == (200, f"page {prefix}/task")
    assert at_once["POST /task"][:2] == (200, "sent an answer")
    assert at_once["GET /first/hidden"][:2] == (200, "named hidden")
    statuses = [at_once[name][0] for name in ("PUT /task", "GET /nowhere", "GET /broken")]
    assert statuses == [405, 404, 500]


def test_a_request_for_a_known_path_passes_by_the_routes(monkeypatch: pytest.MonkeyPatch) -> None:
    client = client_of(guarded(ROUTES, Address(), 100))
    monkeypatch.setattr(need("starlette.routing").Router, "__call__", None)
    assert client.get("/task").text == "page /task"
    assert client.post("/task", content=b"x").text == "sent x"


def test_the_failure_of_a_handler_reaches_the_log_of_the_server() -> None:
    """The reply is sent, and the exception goes on to the server, which logs it."""
    client = need("starlette.testclient").TestClient(guarded(ROUTES, Address(), 100))
    with pytest.raises(KeyError, match="a mistake of ours"):
        client.get("/broken")


def test_a_guard_of_all_requests_stands_before_known_paths() -> None:
    """Such as the one that refuses requests for another host."""
    layer = need("starlette.middleware").Middleware(
        need("starlette.middleware.trustedhost").TrustedHostMiddleware, allowed_hosts=["other.test"]
    )
    client = client_of(guarded(ROUTES, Address(), 100, middleware=[layer]))
    assert client.get("/task").status_code == 400
