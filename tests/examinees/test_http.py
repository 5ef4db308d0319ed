"""The HTTP examinee against a real server on the loopback interface, well and badly behaved."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from aiohttp import web
from support.chat_server import Body, ChatServer, Fault, chat_server, completion, pictures, texts

from gfactor.errors import ParameterError
from gfactor.examinees.base import RenderedItem, Reply
from gfactor.examinees.http import Endpoint, HttpExaminee, read_key
from gfactor.examinees.http.limits import RunStoppedError
from gfactor.imaging import encode_png
from gfactor.items import Image

PIXELS = np.random.default_rng(3).integers(0, 256, (32, 48, 3), dtype=np.uint8)
ITEM = RenderedItem(
    "a-1", "percept-v", "counting_circles", ("How many?", Image(encode_png(PIXELS), "a.png"))
)


def ask(server: ChatServer, items: list[RenderedItem], **more: Any) -> list[Reply]:
    """All items at once, in one event loop."""
    budget, deadline = more.pop("budget", None), more.pop("deadline_s", None)
    endpoint = Endpoint("m", base_url=server.url, **{"request_s": 5.0, **more})

    async def work() -> list[Reply]:
        examinee = HttpExaminee(endpoint, budget, deadline)
        try:
            return await asyncio.gather(*(examinee(item) for item in items))
        finally:
            await examinee.close()

    return asyncio.run(work())


def failing(times: int, answer: Callable[[], Awaitable[web.StreamResponse]]) -> Fault:
    """The first `times` requests get `answer`."""

    async def fault(number: int, request: web.Request) -> web.StreamResponse | None:
        return await answer() if number < times else None

    return fault


def status(code: int, text: str = "busy", **headers: str) -> Fault:
    async def answer() -> web.StreamResponse:
        body = {"error": {"message": text}}
        return web.json_response(body, status=code, headers=headers)

    return failing(1, answer)


def test_the_picture_arrives_with_its_pixels_unchanged_and_in_reading_order() -> None:
    with chat_server(lambda body: "COUNT:4") as server:
        (reply,) = ask(server, [ITEM])
    assert (reply.text, reply.outcome, reply.finish_reason) == ("COUNT:4", "ok", "stop")
    assert reply.usage["prompt_tokens"] == 11
    assert np.array_equal(pictures(server.bodies[0])[0], PIXELS)
    assert texts(server.bodies[0]) == ["How many?"]
    kinds = [part["type"] for part in server.bodies[0]["messages"][0]["content"]]
    assert kinds == ["text", "image_url"]


def test_an_item_without_images_is_sent_as_plain_text() -> None:
    with chat_server() as server:
        ask(server, [RenderedItem("t", "b", "t", ("One.", "Two."))])
    assert server.bodies[0]["messages"][0]["content"] == "One.\nTwo."


def test_earlier_turns_and_decoding_parameters_are_sent() -> None:
    item = RenderedItem("t", "b", "t", ("Now answer.",), (("First.",),), {"temperature": 0})
    with chat_server() as server:
        ask(server, [item])
    assert [m["content"] for m in server.bodies[0]["messages"]] == ["First.", "Now answer."]
    assert server.bodies[0]["temperature"] == 0


@pytest.mark.parametrize("code", [408, 409, 425, 429, 500, 503, 529])
def test_a_passing_fault_is_asked_again(code: int) -> None:
    headers = {"Retry-After": "0"}
    with chat_server(fault=status(code, **headers)) as server:
        (reply,) = ask(server, [ITEM])
    assert reply.outcome == "ok"
    assert server.served == 2


@pytest.mark.parametrize("code", [400, 403, 413, 422])
def test_a_lasting_fault_is_not_asked_again(code: int) -> None:
    with chat_server(fault=status(code, "no such thing")) as server:
        (reply,) = ask(server, [ITEM])
    assert reply.outcome == "transport_error"
    assert reply.detail == f"HTTP {code}: no such thing"
    assert server.served == 1


def test_retry_after_is_honored() -> None:
    with chat_server(fault=status(429, **{"Retry-After": "1"})) as server:
        (reply,) = ask(server, [ITEM])
    assert reply.outcome == "ok"
    assert reply.latency_s >= 1


async def _reset() -> web.StreamResponse:
    raise ConnectionResetError


async def _hang() -> web.StreamResponse:
    await asyncio.sleep(3)
    return web.json_response(completion("late"))


async def _half() -> web.StreamResponse:
    return web.Response(body=b'{"choices": [{"mess', content_type="application/json")


async def _page() -> web.StreamResponse:
    return web.Response(text="<html>maintenance</html>", content_type="text/html")


async def _error_in_200() -> web.StreamResponse:
    return web.json_response({"error": {"message": "upstream", "code": 502}})


async def _no_choices() -> web.StreamResponse:
    return web.json_response({"choices": []})


@pytest.mark.parametrize(
    "answer", [_reset, _hang, _half, _page, _error_in_200, _no_choices], ids=lambda f: f.__name__
)
def test_a_broken_answer_is_asked_again(answer: Callable[[], Any]) -> None:
    with chat_server(fault=failing(1, answer)) as server:
        (reply,) = ask(server, [ITEM], request_s=0.5)
    assert (reply.text, reply.outcome) == ("COUNT:1", "ok")
    assert server.served == 2


@pytest.mark.parametrize(
    ("said", "outcome", "text"),
    [
        (completion("COUN", "length"), "truncated", "COUN"),
        (completion(""), "empty", ""),
        (completion(None), "empty", ""),
        (completion(None, refusal="I cannot."), "refusal", "I cannot."),
        (completion(None, "content_filter"), "content_filter", ""),
        (completion([{"type": "text", "text": "COUNT:2"}]), "ok", "COUNT:2"),  # pyright: ignore
    ],
)
def test_every_ending_has_its_own_outcome(said: Body, outcome: str, text: str) -> None:
    with chat_server(lambda body: said) as server:
        (reply,) = ask(server, [ITEM])
    assert (reply.outcome, reply.text) == (outcome, text)
    assert server.served == 1


@pytest.mark.parametrize(
    "said",
    [
        completion("COUNT:2", reasoning_content="two dots"),
        completion("COUNT:2", reasoning="two dots"),
        completion("<think>two dots</think>\nCOUNT:2"),
    ],
)
def test_reasoning_is_kept_apart_from_the_answer(said: Body) -> None:
    with chat_server(lambda body: said) as server:
        (reply,) = ask(server, [ITEM])
    assert (reply.text, reply.reasoning) == ("COUNT:2", "two dots")


@pytest.mark.parametrize("streamed", [False, True])
def test_the_model_that_answered_is_kept_with_its_fingerprint(streamed: bool) -> None:
    names = {"model": "m-2026-08-06", "system_fingerprint": "fp_1"}
    whole = {**completion("COUNT:2"), **names}
    piece = {"choices": [{"delta": {"content": "COUNT:2"}, "finish_reason": "stop"}], **names}

    async def events(number: int, request: web.Request) -> web.StreamResponse:
        return web.Response(text=f"data: {json.dumps(piece)}\n\n", content_type="text/event-stream")

    with chat_server(lambda body: whole, events if streamed else None) as server:
        (reply,) = ask(server, [ITEM])
    assert (reply.text, reply.answered_by, reply.fingerprint) == (
        "COUNT:2", "m-2026-08-06", "fp_1",
    )  # fmt: skip


def complaining(parameter: str, advice: str, code: int = 400) -> Fault:
    async def fault(number: int, request: web.Request) -> web.StreamResponse | None:
        if parameter in await request.json():
            return web.json_response({"error": {"message": advice}}, status=code)
        return None

    return fault


def test_a_server_that_wants_max_completion_tokens_gets_them() -> None:
    item = RenderedItem("t", "b", "t", ("x",), decoding={"max_tokens": 50})
    advice = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
    with chat_server(fault=complaining("max_tokens", advice)) as server:
        replies = ask(server, [item])
    assert replies[0].outcome == "ok"
    assert server.bodies[-1]["max_completion_tokens"] == 50


def test_a_model_without_temperature_is_asked_without() -> None:
    item = RenderedItem("t", "b", "t", ("x",), decoding={"temperature": 0})
    with chat_server(fault=complaining("temperature", "temperature is not supported")) as server:
        replies = ask(server, [item])
    assert replies[0].outcome == "ok"
    assert "temperature" not in server.bodies[-1]
    assert replies[0].detail == "asked without temperature, which the model refuses"


def test_a_parameter_that_was_not_asked_for_is_not_missed() -> None:
    with chat_server(fault=complaining("temperature", "temperature is not supported")) as server:
        with_it = RenderedItem("t", "b", "t", ("x",), decoding={"temperature": 0})
        replies = ask(server, [with_it, ITEM])
    assert [reply.detail for reply in replies][1] == ""


@pytest.mark.parametrize("code", [400, 422])
def test_a_complaint_is_understood_whatever_the_server_calls_it(code: int) -> None:
    item = RenderedItem("t", "b", "t", ("x",), decoding={"seed": 3})
    with chat_server(fault=complaining("seed", "extra_forbidden: seed", code)) as server:
        (reply,) = ask(server, [item])
    assert reply.outcome == "ok"
    assert "seed" not in server.bodies[-1]


def test_a_parameter_that_only_the_error_names_is_left_out() -> None:
    async def unnamed(_: int, request: web.Request) -> web.Response | None:
        if "temperature" not in await request.json():
            return None
        error = {"message": "Unsupported value.", "param": "temperature",
                 "code": "unsupported_parameter"}  # fmt: skip
        return web.json_response({"error": error}, status=400)

    item = RenderedItem("t", "b", "t", ("x",), decoding={"temperature": 0})
    with chat_server(fault=unnamed) as server:
        (reply,) = ask(server, [item])
    assert reply.detail == "asked without temperature, which the model refuses"
    assert "temperature" not in server.bodies[-1]


def test_the_key_is_sent_and_shown_nowhere() -> None:
    with chat_server() as server:
        endpoint = Endpoint("m", server.url, key="secret-1")
        ask(server, [ITEM], key="secret-1")
    assert server.headers[0]["Authorization"] == "Bearer secret-1"
    assert "secret-1" not in repr(endpoint)
    assert "secret-1" not in endpoint.name


def test_a_key_comes_from_a_variable_or_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_KEY", "k1")
    monkeypatch.setenv("TWO_KEYS", "k1\nk2")
    (tmp_path / "key").write_text("k2\n")
    assert read_key("SOME_KEY") == "k1"
    assert read_key(file=tmp_path / "key") == "k2"
    with pytest.raises(ParameterError, match="NO_KEY"):
        read_key("NO_KEY")
    with pytest.raises(ParameterError, match="TWO_KEYS holds more than a key"):
        read_key("TWO_KEYS")
    with pytest.raises(ParameterError, match="cannot be read"):
        read_key(file=tmp_path / "none")


def test_a_server_that_is_down_stops_the_run_with_one_sentence() -> None:
    words = (
        r"takes no questions: nothing answers at http://127.0.0.1:9 \(connection refused\); check "
        "the base URL and whether the server runs, and run the same command again$"
    )
    with pytest.raises(RunStoppedError, match=words):
        ask(ChatServer(url="http://127.0.0.1:9/v1"), [ITEM] * 2)


def test_a_server_that_goes_down_after_it_has_answered_fails_its_item_alone() -> None:
    async def work(url: str, stop: Callable[[], object]) -> Reply:
        examinee = HttpExaminee(Endpoint("m", base_url=url, attempts=2, first_wait_s=0.001))
        try:
            assert (await examinee(ITEM)).outcome == "ok"
            await asyncio.to_thread(stop)
            return await examinee(replace(ITEM, item_id="a-2"))
        finally:
            await examinee.close()

    context = chat_server()
    server = context.__enter__()
    reply = asyncio.run(work(server.url, lambda: context.__exit__(None, None, None)))
    assert (reply.outcome, "nothing answers" in reply.detail) == ("transport_error", True)


def test_the_deadline_stops_the_run() -> None:
    async def slow() -> web.StreamResponse:
        return web.json_response({"error": "wait"}, status=503, headers={"Retry-After": "9"})

    with (
        chat_server(fault=failing(99, slow)) as server,
        pytest.raises(RunStoppedError, match="deadline of 2 s"),
    ):
        ask(server, [ITEM], deadline_s=2)


@pytest.mark.parametrize(
    "url",
    ["localhost:8000", "http://[::1/v1", "http://h:99999/v1", "http://a b/v1", "http://a..b/v1",
     "http:///v1", "http://h/v1\n"],
)  # fmt: skip
def test_a_bad_address_is_refused_before_the_run(url: str) -> None:
    with pytest.raises(ParameterError, match="not an address"):
        Endpoint("m", base_url=url)


def test_a_password_in_an_address_is_refused() -> None:
    with pytest.raises(ParameterError, match="password"):
        Endpoint("m", base_url="http://me:pw@localhost/v1")


@pytest.mark.thorough
def test_no_more_requests_than_the_limit_are_in_flight() -> None:
    with chat_server(latency_s=0.02) as server:
        ask(server, [ITEM] * 60, max_in_flight=5)
    assert server.busiest <= 5
    assert server.served == 60
