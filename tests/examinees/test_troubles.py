"""What goes wrong on the way to a server is told in plain words, with address and remedy."""

from __future__ import annotations

import asyncio
import gzip
import socket
import sys
from types import ModuleType
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from support.chat_server import chat_server, completion
from support.vendor_server import candidate, said, vendor_server

import gfactor as gf
from gfactor.api.inputs.reach import reach_of
from gfactor.errors import ParameterError
from gfactor.examinees import RenderedItem, Reply, make_examinee
from gfactor.examinees.http import Endpoint, HttpExaminee
from gfactor.examinees.http.limits import RunStoppedError
from gfactor.examinees.http.troubles import words_of

ITEM = RenderedItem("i", "b", "t", ("How many dots?",))


def ask(url: str, **how: Any) -> Reply:
    async def asked() -> Reply:
        examinee = HttpExaminee(Endpoint("m", base_url=url, attempts=1, **how))
        try:
            return await examinee(ITEM)
        finally:
            await examinee.close()

    return asyncio.run(asked())


def answer_of(response: web.StreamResponse | None) -> Reply:
    """The reply that a server's response, or its cutting the connection, leads to."""

    async def fault(number: int, request: web.Request) -> web.StreamResponse | None:
        if response is None:
            assert request.transport is not None
            request.transport.abort()
            return web.Response()
        return response

    with chat_server(fault=fault) as server:
        return ask(server.url)


def test_a_server_that_does_not_run_is_named_with_what_to_check() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        with pytest.raises(RunStoppedError) as stopped:
            ask(f"http://127.0.0.1:{port}/v1")
    assert str(stopped.value).endswith(
        f"takes no questions: nothing answers at http://127.0.0.1:{port} (connection refused); "
        "check the base URL and whether the server runs, and run the same command again"
    )


def test_a_missing_v1_is_what_to_check_where_an_address_has_no_path() -> None:
    with chat_server() as server:
        root = server.url.removesuffix("/v1")
        with pytest.raises(RunStoppedError) as stopped:
            ask(root)
        assert (
            f"HTTP 404: 404: Not Found; check the base URL: most servers want /v1 at its end, "
            f"{server.url}, and run"
        ) in str(stopped.value)
        with pytest.raises(RunStoppedError) as elsewhere:
            ask(f"{root}/elsewhere")
    assert "most servers want" not in str(elsewhere.value)


def test_a_base_url_that_was_forgotten_is_named_where_the_vendor_cannot_be_reached(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        closed = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        monkeypatch.setattr("gfactor.examinees.http.wire.OpenAI.base_url", closed)
        with pytest.raises(RunStoppedError, match=r"asked if no --base-url is given"):
            ask(closed)


def test_several_addresses_that_refuse_are_one_reason_in_words() -> None:
    refused = "[Errno 111] Connect call failed"
    both = OSError(f"Multiple exceptions: {refused} ('::1', 80), {refused} ('127.0.0.1', 80)")
    text = words_of(aiohttp.ClientConnectorError(None, both), "http://localhost")  # pyright: ignore
    assert text.startswith("nothing answers at http://localhost (connection refused); check")


@pytest.mark.parametrize(
    ("response", "words"),
    [
        (None, "closed the connection before it had answered; see its log"),
        (web.Response(status=204), "HTTP 204: no words; check that the base URL is that of the"),
        (web.Response(body=b""), "an empty 200; check that the base URL is that of the API"),
        (web.Response(body=b'{"choices": "\xff"}'), "not text in UTF-8 (byte 13)"),
        (web.Response(body=gzip.compress(b"{}")), "a 200 compressed by gzip"),
        (web.Response(body=b"no gzip", headers={"Content-Encoding": "gzip"}),
         "cannot be decompressed; check a proxy in between"),
        (web.Response(text="<html>back soon</html>"), "a 200 that is a web page"),
        (web.json_response({"answer": 1}), "a 200 that is no chat completion (application/json"),
    ],
)  # fmt: skip
def test_a_response_that_is_no_answer_is_told_by_what_it_is(
    response: web.StreamResponse | None, words: str
) -> None:
    reply = answer_of(response)
    assert words in reply.detail
    assert reply.outcome in ("transport_error", "protocol_error")


def test_no_message_names_a_class_of_python() -> None:
    key: Any = type("Key", (), {"host": "h", "port": 443, "ssl": True, "is_ssl": True})()
    known = OSError(-2, "Name or service not known")
    errors = [
        aiohttp.ClientConnectorDNSError(key, known),
        aiohttp.ClientConnectorSSLError(key, known),
        aiohttp.ClientConnectorError(key, known),
        aiohttp.ServerDisconnectedError(),
        aiohttp.ClientPayloadError("Response payload is not completed"),
        aiohttp.ClientOSError(104, "Connection reset by peer"),
        aiohttp.ClientConnectionError(),
        aiohttp.InvalidURL("x"),
    ]
    texts = [words_of(error, "https://api.example.org/v1/chat/completions") for error in errors]
    assert all("https://api.example.org" in text for text in texts)
    assert not [text for text in texts if "Error" in text or "default" in text or "/v1" in text]
    assert texts[0].startswith("no address is known for")


@pytest.mark.parametrize(
    ("finish", "outcome"),
    [
        ("UNEXPECTED_TOOL_CALL", "protocol_error"), ("MALFORMED_FUNCTION_CALL", "protocol_error"),
        ("LANGUAGE", "content_filter"), ("IMAGE_PROHIBITED_CONTENT", "content_filter"),
        ("STOP", "empty"),
    ],
)  # fmt: skip
def test_googles_ends_without_a_text_are_told_from_empty_answers(finish: str, outcome: str) -> None:
    async def asked(url: str) -> Reply:
        examinee = make_examinee("google:m", endpoint=Endpoint("", base_url=url, attempts=1))
        try:
            return await examinee(ITEM)
        finally:
            await examinee.close()

    with vendor_server(lambda number, body: (200, candidate(finish=finish))) as server:
        assert asyncio.run(asked(server.url)).outcome == outcome
    with vendor_server(lambda number, body: (200, candidate(said("x")))) as server:
        assert asyncio.run(asked(server.url)).outcome == "ok"


def test_a_huge_reply_is_kept_up_to_its_limit_and_noted() -> None:
    with chat_server(lambda body: completion("A" * 5000, reasoning="B" * 10)) as server:
        reply = ask(server.url, max_reply=1000)
        whole = ask(server.url)
    assert (len(reply.text), reply.outcome, reply.reasoning) == (1000, "truncated", "B" * 10)
    assert reply.detail == "only the first 1,000 of 5,000 characters were kept (--max-reply)"
    assert (len(whole.text), whole.outcome, whole.detail) == (5000, "ok", "")
    assert Endpoint("m").max_reply == 1_000_000
    assert reach_of({"max_reply": 7}).endpoint.max_reply == 7


def test_a_vllm_server_is_asked_as_openai() -> None:
    with pytest.raises(ParameterError, match="a vLLM server is asked as openai:qwen"):
        reach_of({"base_url": "http://gpu:8000/v1"}).check(("vllm:qwen",))


def test_a_ray_that_cannot_start_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    class RaySystemError(Exception):
        pass

    def init(**_: object) -> None:
        raise RaySystemError("no room in /dev/shm")

    ray, util, bridge = (ModuleType(name) for name in ("ray", "ray.util", "ray.util.joblib"))
    ray.is_initialized, ray.init = lambda: False, init  # type: ignore[attr-defined]
    bridge.register_ray = lambda: None  # type: ignore[attr-defined]
    for module in (ray, util, bridge):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    with pytest.raises(ParameterError, match=r"backend ray cannot use .* no room in /dev/shm"), \
            gf.backend("ray", jobs=1):  # fmt: skip
        pass
