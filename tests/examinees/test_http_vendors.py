"""What each vendor's front says in its own way, understood alike."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from aiohttp import web
from support.chat_server import Body, ChatServer, chat_server, completion

from gfactor.errors import ParameterError
from gfactor.examinees.base import RenderedItem, Reply
from gfactor.examinees.http import Endpoint, HttpExaminee
from gfactor.examinees.http.limits import RunStoppedError

Answer = Callable[[int, web.Request], Awaitable[web.StreamResponse | None]]

PLAIN = {"temperature": 0, "top_k": 5, "presence_penalty": 0.5, "seed": 1, "max_tokens": 9}


def ask(server: ChatServer, count: int = 1, **more: Any) -> tuple[list[Reply], tuple[str, ...]]:
    """The same item, as often as wanted, one after the other; the replies and the notes."""
    endpoint = Endpoint("m", server.url, **{"request_s": 5.0, "attempts": 1, **more})
    item = RenderedItem("t", "b", "t", ("x",), decoding=PLAIN)

    async def work() -> tuple[list[Reply], tuple[str, ...]]:
        examinee = HttpExaminee(endpoint)
        try:
            return [await examinee(item) for _ in range(count)], examinee.notes
        finally:
            await examinee.close()

    return asyncio.run(work())


def always(body: Any, status: int = 200, **headers: str) -> Answer:
    async def answer(number: int, request: web.Request) -> web.StreamResponse:
        return web.json_response(body, status=status, headers=headers)

    return answer


def refusing(name: str, body: Any, status: int = 400) -> Answer:
    async def answer(number: int, request: web.Request) -> web.StreamResponse | None:
        asked = await request.json()
        return web.json_response(body, status=status) if name in asked else None

    return answer


@pytest.mark.parametrize(
    ("finish", "outcome"),
    [
        ("MAX_TOKENS", "truncated"),
        ("model_length", "truncated"),
        ("SAFETY", "content_filter"),
        ("content_filter: RECITATION", "content_filter"),
        ("sensitive", "content_filter"),
        ("end_turn", "ok"),
        ("error", "protocol_error"),
        ("abort", "protocol_error"),
        ("insufficient_system_resource", "protocol_error"),
    ],
)
def test_a_finish_reason_means_the_same_whoever_says_it(finish: str, outcome: str) -> None:
    with chat_server(lambda _: completion("A", finish)) as server:
        ((reply,), _) = ask(server)
    assert reply.outcome == outcome


def test_an_error_within_a_choice_is_no_answer() -> None:
    broken = completion("COUNT:", "error")
    broken["choices"][0]["error"] = {"code": 502, "message": "Provider returned error"}
    with chat_server(lambda _: broken) as server:
        ((reply,), _) = ask(server)
    assert (reply.outcome, reply.text) == ("transport_error", "")
    assert reply.detail == "HTTP 502: Provider returned error"


@pytest.mark.parametrize(
    ("content", "text", "outcome", "reasoning"),
    [
        ([{"type": "thinking", "thinking": [{"type": "text", "text": "9?"}]},
          {"type": "text", "text": "B"}], "B", "ok", "9?"),
        ([{"type": "refusal", "refusal": "I cannot."}], "I cannot.", "refusal", ""),
        ([{"type": "image_url", "image_url": {"url": "x"}}, "B", None], "", "empty", ""),
    ],
)  # fmt: skip
def test_contents_in_parts_are_read_by_kind(
    content: Any, text: str, outcome: str, reasoning: str
) -> None:
    with chat_server(lambda _: completion(content)) as server:
        ((reply,), _) = ask(server)
    assert (reply.text, reply.outcome, reply.reasoning) == (text, outcome, reasoning)


UPSTREAM = json.dumps({"error": {"message": "Unsupported parameter: 'top_k'"}})


@pytest.mark.parametrize(
    ("name", "body", "status"),
    [
        ("top_k", {"error": {"message": "Unrecognized request argument supplied: top_k"}}, 400),
        ("presence_penalty", {"error": "grok-4 does not support parameter presencePenalty."}, 400),
        ("seed", [{"error": {"code": 400, "message": "Unknown name 'seed'"}}], 400),
        ("top_k", {"error": {"message": "Provider returned error", "code": 400,
                             "metadata": {"raw": UPSTREAM}}}, 400),
        ("top_k", {"object": "error", "message": "top_k is not supported", "code": 400}, 400),
        # pydantic repeats the request: what is refused is what stands under loc.
        ("top_k", {"detail": [{"loc": ["body", "top_k"], "msg": "Extra inputs",
                               "input": {"seed": 1, "temperature": 0}}]}, 422),
    ],
)  # fmt: skip
def test_any_parameter_that_is_refused_is_left_out_and_told(
    name: str, body: Any, status: int
) -> None:
    with chat_server(fault=refusing(name, body, status)) as server:
        ((reply,), notes) = ask(server)
    assert reply.outcome == "ok"
    assert reply.detail == f"asked without {name}, which the model refuses"
    assert len(notes) == 1
    assert notes[0].startswith(f'{name} was left out of requests: the server said "')
    assert set(PLAIN) - set(server.bodies[-1]) == {name}


def test_a_value_out_of_range_is_an_error_and_not_left_out() -> None:
    said = {"error": {"message": "temperature: range: 0..1"}}
    with chat_server(fault=refusing("temperature", said)) as server:
        ((reply,), notes) = ask(server)
    assert (reply.outcome, reply.detail) == (
        "transport_error",
        "HTTP 400: temperature: range: 0..1",
    )
    assert (notes, server.served) == ((), 1)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"error": {"message": "Input data may contain inappropriate content."}}, 400),
        ({"error": {"message": "no", "code": "data_inspection_failed"}}, 400),
        ({"error": {"message": "your prompt was flagged as violating our usage policy"}}, 400),
        ({"error": {"message": "no", "code": 403, "metadata": {"reasons": ["violence"]}}}, 403),
    ],
)
def test_what_a_vendors_filter_refuses_is_withheld_and_no_failure(body: Any, status: int) -> None:
    with chat_server(fault=always(body, status)) as server:
        (replies, _) = ask(server, 25)
    assert {reply.outcome for reply in replies} == {"content_filter"}


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        ({"error": {"message": "Incorrect API key"}}, 401, "HTTP 401: Incorrect API key"),
        ({"object": "error", "message": "No model `m`."}, 404, "HTTP 404: No model `m`;"),
        ({"error": {"message": "Insufficient credits"}}, 402, "HTTP 402: Insufficient credits"),
        ({"error": {"message": "?", "code": "insufficient_quota"}}, 429, r"HTTP 429: \?"),
        ({}, 301, "HTTP 301: the server sends requests on to https://h/v1; give that as"),
        ({"error": {"message": "No auth", "code": 401}}, 200, "HTTP 401: No auth"),
    ],
)
def test_what_fails_for_every_item_stops_the_run_at_once(body: Any, status: int, said: str) -> None:
    headers = {"Location": "https://h/v1/chat/completions"} if status == 301 else {}
    with (
        chat_server(fault=always(body, status, **headers)) as server,
        pytest.raises(RunStoppedError, match=f"takes no questions: {said}"),
    ):
        ask(server, attempts=6)
    assert server.served == 1


def test_once_something_has_worked_one_such_failure_is_a_failed_item() -> None:
    async def fault(number: int, request: web.Request) -> web.StreamResponse | None:
        return web.json_response({}, status=404) if number == 1 else None

    with chat_server(fault=fault) as server:
        (replies, _) = ask(server, 3)
    assert [reply.outcome for reply in replies] == ["ok", "transport_error", "ok"]


def test_a_key_that_a_server_repeats_is_masked() -> None:
    async def fault(number: int, request: web.Request) -> web.StreamResponse:
        said = f"bad key {request.headers['Authorization']}"
        return web.json_response({"error": {"message": said}}, status=403)

    with chat_server(fault=fault) as server:
        ((reply,), _) = ask(server, key="sk-12345678")
    assert reply.detail == "HTTP 403: bad key Bearer [key]"


@pytest.mark.thorough
def test_a_server_that_takes_two_at_once_answers_everybody_in_the_end() -> None:
    asked = [RenderedItem(f"t{k}", "b", "t", ("x",)) for k in range(40)]
    busy = [0]

    async def fault(number: int, request: web.Request) -> web.StreamResponse | None:
        if busy[0] >= 2:
            return web.json_response({"error": {"message": "too many"}}, status=429)
        busy[0] += 1
        try:
            await asyncio.sleep(0.02)
        finally:
            busy[0] -= 1
        return None

    async def work(url: str) -> list[Reply]:
        examinee = HttpExaminee(Endpoint("m", url, attempts=6, first_wait_s=0.05))
        try:
            return await asyncio.gather(*map(examinee, asked))
        finally:
            await examinee.close()

    with chat_server(fault=fault) as server:
        replies = asyncio.run(work(server.url))
    assert {reply.outcome for reply in replies} == {"ok"}
    assert server.served < 12 * len(asked)


def test_a_wait_of_hours_is_a_failure_and_not_waited_for() -> None:
    answer = always({"error": {"message": "daily limit"}}, 429, **{"Retry-After": "86400"})
    with chat_server(fault=answer) as server:
        ((reply,), _) = ask(server, attempts=6)
    assert reply.detail == "HTTP 429: daily limit (the server asks to wait 86,400 s)"
    assert server.served == 1


def stream(*events: Any, done: bool = True) -> str:
    lines = [f"data: {json.dumps(event)}\n\n" for event in events]
    return ": keep-alive\n\n" + "".join(lines) + ("data: [DONE]\n\n" if done else "")


def piece(finish: str | None = None, **delta: Any) -> Body:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


def streaming(text: str) -> Answer:
    async def answer(number: int, request: web.Request) -> web.StreamResponse:
        if not (await request.json()).get("stream"):
            said = "This model only support stream mode, please enable the stream parameter."
            return web.json_response({"error": {"message": said}}, status=400)
        return web.Response(text=text, content_type="text/event-stream")

    return answer


USAGE = {"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 2}}


@pytest.mark.parametrize(
    ("text", "outcome", "said"),
    [
        (stream(piece(reasoning_content="hm"), piece(content="CO"), piece("stop", content="UNT:1"),
                USAGE), "ok", "COUNT:1"),
        (stream(piece(content="CO"), piece("length")), "truncated", "CO"),
        (stream(piece(content="CO"), done=False), "protocol_error", ""),
        (stream(piece(content="CO"), {"error": {"message": "boom"}}), "transport_error", ""),
        ("data: {\n\n", "protocol_error", ""),
        ("data: [DONE]\n\n", "empty", ""),
        # An event in several lines (and other line ends), and events with no empty line between.
        (stream(piece(reasoning_content="hm", content="CO"), piece("stop", content="UNT:1"), USAGE)
         .replace('"choices": ', '"choices":\ndata: ').replace("\n", "\r\n"), "ok", "COUNT:1"),
        (stream(piece(reasoning_content="hm", content="CO"), piece("stop", content="UNT:1"), USAGE)
         .replace("\n\n", "\n"), "ok", "COUNT:1"),
        # A byte order mark, a time to wait before one connects again, and lines without content.
        (("\ufeffretry: 300\n\ndata:\n\n"
          + stream(piece(reasoning_content="hm", content="COUNT:1"), piece("stop"), USAGE)
         ).replace("}]}\n\n", "}]}\ndata: \n\n"), "ok", "COUNT:1"),
        (stream(piece(content="CO"), piece("stop")).replace("}]}\n\n", "}]}\ndata: {\n\n", 1),
         "protocol_error", ""),
    ],
)  # fmt: skip
def test_a_model_that_only_streams_is_asked_to_and_read(text: str, outcome: str, said: str) -> None:
    with chat_server(fault=streaming(text)) as server:
        ((reply,), _) = ask(server)
    assert (reply.outcome, reply.text) == (outcome, said)
    if outcome == "ok":
        assert (reply.reasoning, reply.usage) == ("hm", USAGE["usage"])


@pytest.mark.parametrize(
    "url", ["http://h/v1/chat/completions", "http://h/v1?api-version=2", "http://h/v1#x"]
)
def test_an_address_with_more_than_its_base_is_refused(url: str) -> None:
    with pytest.raises(ParameterError, match="write what stands before /chat/completions"):
        Endpoint("m", url)
