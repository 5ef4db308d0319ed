"""A server beyond a proxy is reached through it; this machine's own servers never are."""

from __future__ import annotations

import asyncio

import pytest
from aiohttp import web

from gfactor.errors import ParameterError
from gfactor.examinees import RenderedItem
from gfactor.examinees.http import Endpoint, HttpExaminee
from gfactor.examinees.http.proxies import proxy_of

NAMES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*NAMES, *map(str.upper, NAMES)):
        monkeypatch.delenv(name, raising=False)


def test_without_a_proxy_in_the_environment_there_is_none() -> None:
    assert proxy_of("https://api.example.org/v1") is None


def test_the_proxy_is_that_of_the_scheme(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", "http://proxy.example.org:3128")
    assert proxy_of("https://api.example.org/v1") == "http://proxy.example.org:3128"
    assert proxy_of("http://api.example.org/v1") is None


def test_a_proxy_for_everything_serves_where_no_other_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("all_proxy", "proxy.example.org:3128")
    assert proxy_of("http://api.example.org/v1") == "http://proxy.example.org:3128"


def test_excepted_hosts_go_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", "http://proxy.example.org:3128")
    monkeypatch.setenv("no_proxy", "inside.example.org")
    assert proxy_of("https://inside.example.org/v1") is None
    assert proxy_of("https://outside.example.org/v1") is not None


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1:8000", "[::1]:8000"])
def test_a_server_on_this_machine_goes_without(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://proxy.example.org:3128")
    assert proxy_of(f"http://{host}/v1") is None


def test_a_proxy_that_cannot_be_used_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", "socks5://proxy.example.org:1080")
    with pytest.raises(ParameterError, match=r"a socks5 proxy .*; set HTTPS_PROXY to an http://"):
        proxy_of("https://api.example.org/v1")


def test_requests_go_through_the_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    async def relay(request: web.Request) -> web.Response:
        # A request to a proxy names the whole address of the server behind it.
        asked.append(str(request.url))
        message = {"role": "assistant", "content": "COUNT:1"}
        return web.json_response({"choices": [{"message": message, "finish_reason": "stop"}]})

    async def ask() -> str:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", relay)
        runner = web.AppRunner(app)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{runner.addresses[0][1]}")
        examinee = HttpExaminee(Endpoint("m", "http://model.invalid/v1"))
        try:
            return (await examinee(RenderedItem("i", "b", "t", ("How many?",)))).text
        finally:
            await examinee.close()
            await runner.cleanup()

    assert asyncio.run(ask()) == "COUNT:1"
    assert asked == [f"http://model.invalid/v1/{path}" for path in ("models", "chat/completions")]
