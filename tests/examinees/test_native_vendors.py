"""Anthropic's and Google's own APIs: what is sent, what comes back, what it costs, what fails."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from support.asked_vendors import ENCODED, SEEN, always, ask, then
from support.banks import make_items
from support.vendor_server import (
    Answered,
    Body,
    candidate,
    message,
    mistake,
    said,
    status,
    vendor_server,
)

import gfactor as gf
from gfactor.api.inputs.reach import reach_of
from gfactor.errors import ParameterError
from gfactor.examinees import RenderedItem, check_examinee, make_examinee
from gfactor.examinees.http import Budget, Endpoint, TokenPrice, read_prices
from gfactor.examinees.http.limits import RunStoppedError
from gfactor.items import write_bank

TALK = RenderedItem(
    "c", "b", "t", ("How many?", SEEN), (("Look.",),),
    {"temperature": 0.5, "top_k": 3, "max_tokens": 50}, replies=("I look.",),
)  # fmt: skip


# Anthropic: requests


def test_anthropic_gets_a_message_in_its_own_form() -> None:
    replies, server, notes = ask("anthropic:m", always(200, message(said("COUNT:4"))), TALK)
    assert (replies[0].text, replies[0].outcome, replies[0].finish_reason) == (
        "COUNT:4", "ok", "end_turn",
    )  # fmt: skip
    assert server.bodies == [{
        "model": "m", "max_tokens": 50, "temperature": 0.5, "top_k": 3,
        "messages": [
            {"role": "user", "content": "Look."},
            {"role": "assistant", "content": "I look."},
            {"role": "user", "content": [
                {"type": "text", "text": "How many?"},
                {"type": "image", "source": {"type": "base64", "media_type": "image/png",
                                             "data": ENCODED}},
            ]},
        ],
    }]  # fmt: skip
    assert server.paths == ["/v1/messages"]
    assert server.headers[0]["x-api-key"] == "sk-secret-123"
    assert server.headers[0]["anthropic-version"] == "2023-06-01"
    assert "authorization" not in server.headers[0]
    assert notes == ()


@pytest.mark.parametrize(
    ("thinking", "sent", "most"),
    [
        ("2048", {"type": "enabled", "budget_tokens": 2048}, 4096 + 2048),
        ("adaptive", {"type": "adaptive", "display": "summarized"}, 4096 + 12_000),
        ("off", {"type": "disabled"}, 4096),
    ],
)
def test_anthropic_is_told_how_to_think(thinking: str, sent: Body, most: int) -> None:
    blocks = {"type": "thinking", "thinking": "one, two", "signature": "x"}, said("COUNT:2")
    replies, server, _ = ask(f"anthropic:m?thinking={thinking}", always(200, message(*blocks)))
    assert (server.bodies[0]["thinking"], server.bodies[0]["max_tokens"]) == (sent, most)
    assert (replies[0].text, replies[0].reasoning) == ("COUNT:2", "one, two")


def test_vendors_say_which_model_answered() -> None:
    (anthropic,), _, _ = ask("anthropic:m", always(200, {**message(said("x")), "model": "m-1"}))
    (google,), _, _ = ask("google:m", always(200, {**candidate(said("x")), "modelVersion": "m-2"}))
    assert (anthropic.answered_by, google.answered_by) == ("m-1", "m-2")


def test_anthropics_cache_is_marked_at_the_end_and_no_part_of_the_name() -> None:
    _, server, _ = ask("anthropic:m?cache=1h", always(200, message(said("x"))), TALK)
    content = server.bodies[0]["messages"][-1]["content"]
    assert [part.get("cache_control") for part in content] == [
        None, {"type": "ephemeral", "ttl": "1h"},
    ]  # fmt: skip
    assert json.dumps(server.bodies[0]).count("cache_control") == 1
    plain = RenderedItem("i", "b", "t", ("One.", " ", "Two."))
    _, server, _ = ask("anthropic:m?cache=5m", always(200, message(said("x"))), plain)
    assert server.bodies[0]["messages"][0]["content"] == [
        {"type": "text", "text": "One."},
        {"type": "text", "text": "Two.", "cache_control": {"type": "ephemeral"}},
    ]
    assert make_examinee("anthropic:m?cache=5m&thinking=2048").name == "anthropic:m?thinking=2048"


def test_anthropic_gets_effort_and_none_of_the_parameters_it_has_not() -> None:
    decoding = {"seed": 1, "presence_penalty": 1.0, "reasoning_effort": "low", "top_p": 0.9}
    item = RenderedItem("i", "b", "t", ("x",), decoding=decoding)
    replies, server, notes = ask("anthropic:m", always(200, message(said("x"))), item)
    assert server.bodies[0]["output_config"] == {"effort": "low"}
    assert set(server.bodies[0]) == {"model", "messages", "max_tokens", "top_p", "output_config"}
    assert replies[0].detail == "asked without presence_penalty, seed, which the model refuses"
    assert len(notes) == 2


def test_a_temperature_that_thinking_forbids_is_left_out_and_told() -> None:
    refused = mistake(
        "invalid_request_error", "`temperature` may only be set to 1 when thinking is enabled."
    )

    def answer(number: int, body: Body) -> Answered:
        return (400, refused) if "temperature" in body else (200, message(said("x")))

    hot = RenderedItem("i", "b", "t", ("x",), decoding={"temperature": 0})
    replies, server, _ = ask("anthropic:m?thinking=1024", answer, hot)
    assert (replies[0].outcome, len(server.bodies)) == ("ok", 2)
    assert replies[0].detail == "asked without temperature, which the model refuses"


# Anthropic: responses


@pytest.mark.parametrize(
    ("stop", "text", "outcome"),
    [
        ("end_turn", "A", "ok"),
        ("stop_sequence", "A", "ok"),
        ("max_tokens", "A", "truncated"),
        ("model_context_window_exceeded", "A", "truncated"),
        ("refusal", "", "refusal"),
        ("end_turn", " ", "empty"),
    ],
)
def test_anthropics_stop_reasons_are_outcomes(stop: str, text: str, outcome: str) -> None:
    replies, _, _ = ask("anthropic:m", always(200, message(said(text), stop=stop)))
    assert (replies[0].outcome, replies[0].finish_reason) == (outcome, stop)


def test_anthropics_tokens_are_counted_and_priced_with_its_cache() -> None:
    usage: Any = {"input_tokens": 10, "cache_read_input_tokens": 1000,
             "cache_creation_input_tokens": 200, "output_tokens": 50}  # fmt: skip
    budget = Budget(TokenPrice(3, 15, cache_read=0.3, cache_write=3.75))
    replies, _, _ = ask("anthropic:m?cache=5m", always(200, message(said("x"), **usage)),
                        budget=budget)  # fmt: skip
    assert replies[0].usage == {"prompt_tokens": 1210, "completion_tokens": 50,
                                "cache_read_tokens": 1000, "cache_write_tokens": 200}  # fmt: skip
    expected = (10 * 3 + 1000 * 0.3 + 200 * 3.75 + 50 * 15) / 1e6
    assert replies[0].cost == pytest.approx(expected)
    assert budget.spent == pytest.approx(expected)


EVENTS: list[Body] = [
    {"type": "message_start", "message": {**message(), "stop_reason": None}},
    {"type": "content_block_start", "index": 0,
     "content_block": {"type": "thinking", "thinking": ""}},
    {"type": "content_block_delta", "index": 0,
     "delta": {"type": "thinking_delta", "thinking": "one, "}},
    {"type": "ping"},
    {"type": "content_block_delta", "index": 0,
     "delta": {"type": "thinking_delta", "thinking": "two"}},
    {"type": "content_block_delta", "index": 0,
     "delta": {"type": "signature_delta", "signature": "x"}},
    {"type": "content_block_stop", "index": 0},
    {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "COUNT"}},
    {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": ":2"}},
    {"type": "content_block_stop", "index": 1},
    {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 9}},
    {"type": "message_stop"},
]  # fmt: skip


def stream(events: list[Body]) -> str:
    return "".join(f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in events)


def test_a_model_of_anthropics_that_only_streams_is_asked_to_stream() -> None:
    refused = mistake("invalid_request_error", "Streaming is required for long requests")

    def answer(number: int, body: Body) -> Answered:
        return (200, stream(EVENTS)) if body.get("stream") else (400, refused)

    replies, _, _ = ask("anthropic:m?thinking=2048", answer)
    assert (replies[0].text, replies[0].reasoning) == ("COUNT:2", "one, two")
    assert replies[0].usage == {"prompt_tokens": 12, "completion_tokens": 9}


def test_a_stream_that_breaks_off_or_tells_an_error_is_asked_again() -> None:
    overloaded = mistake("overloaded_error", "Overloaded")
    answers = (200, stream(EVENTS[:-1])), (200, stream([*EVENTS[:5], overloaded]))
    replies, server, _ = ask("anthropic:m", then(*answers, (200, stream(EVENTS))))
    assert (replies[0].text, len(server.bodies)) == ("COUNT:2", 3)
    replies, _, _ = ask("anthropic:m", always(*answers[1]), attempts=1)
    assert (replies[0].outcome, replies[0].detail) == ("transport_error", "HTTP 529: Overloaded")


@pytest.mark.parametrize(
    ("code", "kind", "text"),
    [
        (429, "rate_limit_error", "This request would exceed your rate limit"),
        (500, "api_error", "Internal server error"),
        (504, "timeout_error", "Request timed out"),
        (529, "overloaded_error", "Overloaded"),
    ],
)
def test_anthropics_passing_errors_are_asked_again(code: int, kind: str, text: str) -> None:
    busy = code, mistake(kind, text), {"retry-after": "0"}
    replies, server, _ = ask("anthropic:m", then(busy, (200, message(said("x")))))
    assert (replies[0].outcome, len(server.bodies)) == ("ok", 2)


def test_the_wait_that_anthropic_asks_for_is_waited() -> None:
    limits = {"retry-after": "0.3", "anthropic-ratelimit-requests-remaining": "0"}
    busy = 429, mistake("rate_limit_error", "too many"), limits
    replies, _, _ = ask("anthropic:m", then(busy, (200, message(said("x")))))
    assert replies[0].latency_s >= 0.3


@pytest.mark.parametrize(
    ("code", "kind", "text"),
    [
        (401, "authentication_error", "invalid x-api-key"),
        (402, "billing_error", "add a payment method"),
        (404, "not_found_error", "model: m"),
        (400, "invalid_request_error", "Your credit balance is too low to access the API"),
    ],
)
def test_anthropics_hopeless_errors_stop_the_run_at_once(code: int, kind: str, text: str) -> None:
    with pytest.raises(RunStoppedError, match=f"anthropic:m.* takes no questions: HTTP {code}"):
        ask("anthropic:m", always(code, mistake(kind, text)))


def test_what_is_no_message_is_a_failed_attempt() -> None:
    for body in ([], {"type": "message"}, {**message(said("x")), "stop_reason": None}):
        replies, _, _ = ask("anthropic:m", always(200, body), attempts=1)
        assert replies[0].outcome == "protocol_error"


# Google: requests


def test_google_gets_contents_in_its_own_form() -> None:
    replies, server, _ = ask("google:gemini-x", always(200, candidate({"text": "COUNT:4"})), TALK)
    assert (replies[0].text, replies[0].outcome, replies[0].finish_reason) == (
        "COUNT:4", "ok", "STOP",
    )  # fmt: skip
    assert server.bodies == [{
        "contents": [
            {"role": "user", "parts": [{"text": "Look."}]},
            {"role": "model", "parts": [{"text": "I look."}]},
            {"role": "user", "parts": [
                {"text": "How many?"},
                {"inline_data": {"mime_type": "image/png", "data": ENCODED}},
            ]},
        ],
        "generationConfig": {"temperature": 0.5, "topK": 3, "maxOutputTokens": 50},
    }]  # fmt: skip
    assert server.paths == ["/v1/models/gemini-x:generateContent"]
    assert server.headers[0]["x-goog-api-key"] == "sk-secret-123"
    assert "key=" not in server.paths[0]


@pytest.mark.parametrize(
    ("thinking", "sent"),
    [
        ("1024", {"thinkingBudget": 1024, "includeThoughts": True}),
        ("0", {"thinkingBudget": 0}),
        ("dynamic", {"thinkingBudget": -1, "includeThoughts": True}),
        ("low", {"thinkingLevel": "low", "includeThoughts": True}),
    ],
)
def test_google_is_told_how_to_think(thinking: str, sent: Body) -> None:
    parts = {"text": "one, two", "thought": True}, {"text": "COUNT:"}, {"text": "2"}
    told = candidate(*parts, thoughtsTokenCount=30, totalTokenCount=48)
    replies, server, _ = ask(f"google:m?thinking={thinking}", always(200, told))
    assert server.bodies[0]["generationConfig"] == {"thinkingConfig": sent}
    assert (replies[0].text, replies[0].reasoning) == ("COUNT:2", "one, two")
    assert replies[0].usage == {"prompt_tokens": 12, "completion_tokens": 36,
                                "reasoning_tokens": 30}  # fmt: skip


# Google: responses


@pytest.mark.parametrize(
    ("finish", "outcome"),
    [
        ("STOP", "ok"),
        ("MAX_TOKENS", "truncated"),
        ("SAFETY", "content_filter"),
        ("RECITATION", "content_filter"),
        ("PROHIBITED_CONTENT", "content_filter"),
        ("SPII", "content_filter"),
        ("OTHER", "ok"),
    ],
)
def test_googles_finish_reasons_are_outcomes(finish: str, outcome: str) -> None:
    replies, _, _ = ask("google:m", always(200, candidate({"text": "A"}, finish=finish)))
    assert (replies[0].outcome, replies[0].finish_reason) == (outcome, finish)


def test_a_question_that_google_blocks_is_withheld_and_not_asked_again() -> None:
    blocked = {
        "promptFeedback": {"blockReason": "SAFETY", "safetyRatings": []},
        "usageMetadata": {"promptTokenCount": 12, "totalTokenCount": 12},
    }
    replies, server, _ = ask("google:m", always(200, blocked), count=25)
    assert {r.outcome for r in replies} == {"content_filter"}
    assert (len(server.bodies), replies[0].detail) == (25, "the question was blocked: SAFETY")


def test_an_end_without_a_word_or_a_candidate_is_a_failed_attempt() -> None:
    for body in (candidate(finish="OTHER"), candidate(finish="MALFORMED_RESPONSE"), {}, []):
        replies, _, _ = ask("google:m", always(200, body), attempts=1)
        assert replies[0].outcome == "protocol_error"
    replies, _, _ = ask("google:m", always(200, candidate(finish="MAX_TOKENS")), attempts=1)
    assert replies[0].outcome == "truncated"


def test_googles_cached_tokens_are_counted_and_priced() -> None:
    told = candidate({"text": "x"}, promptTokenCount=1000, cachedContentTokenCount=800,
                     candidatesTokenCount=10, thoughtsTokenCount=90)  # fmt: skip
    replies, _, _ = ask(
        "google:m", always(200, told), budget=Budget(TokenPrice(1, 10, cache_read=0.1))
    )
    assert replies[0].usage["cache_read_tokens"] == 800
    assert replies[0].cost == pytest.approx((200 * 1 + 800 * 0.1 + 100 * 10) / 1e6)


QUOTA = "You exceeded your current quota, please check your plan and billing details."
RETRY = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "0.3s"}


def quota(name: str) -> Body:
    return {"@type": "type.googleapis.com/google.rpc.QuotaFailure",
            "violations": [{"quotaId": name, "quotaValue": "5"}]}  # fmt: skip


def test_googles_limit_per_minute_is_waited_for_as_long_as_it_says() -> None:
    minute = quota("GenerateRequestsPerMinutePerProjectPerModel")
    busy = status(429, "RESOURCE_EXHAUSTED", QUOTA, minute, RETRY)
    replies, server, _ = ask("google:m", then((429, busy), (200, candidate({"text": "x"}))))
    assert (replies[0].outcome, len(server.bodies)) == ("ok", 2)
    assert replies[0].latency_s >= 0.3


@pytest.mark.parametrize(
    ("code", "error"),
    [
        (429, status(429, "RESOURCE_EXHAUSTED", QUOTA,
                     quota("GenerateRequestsPerDayPerProjectPerModel-FreeTier"), RETRY)),
        (400, status(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.",
                     {"@type": "type.googleapis.com/google.rpc.ErrorInfo",
                      "reason": "API_KEY_INVALID"})),
        (404, status(404, "NOT_FOUND", "models/m is not found for API version v1beta")),
    ],
)  # fmt: skip
def test_googles_hopeless_errors_stop_the_run_at_once(code: int, error: Body) -> None:
    with pytest.raises(RunStoppedError, match=f"google:m.* takes no questions: HTTP {code}"):
        ask("google:m", always(code, error))


def test_googles_overload_is_asked_again() -> None:
    busy = 503, status(503, "UNAVAILABLE", "The model is overloaded.")
    replies, server, _ = ask("google:m", then(busy, (200, candidate({"text": "x"}))))
    assert (replies[0].outcome, len(server.bodies)) == ("ok", 2)


# Both


@pytest.mark.parametrize(
    ("spec", "answer"),
    [("anthropic:m?thinking=2048", message(said("A"))), ("google:m", candidate({"text": "A"}))],
)
def test_native_examinees_keep_every_invariant(spec: str, answer: Body) -> None:
    with vendor_server(always(200, answer)) as server:
        endpoint = Endpoint("", server.url)
        examinee = make_examinee(spec, endpoint=endpoint)
        assert check_examinee(examinee, endpoint=endpoint) == []
        asyncio.run(examinee.close())


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("spec", "answer"),
    [("anthropic:m", message(said("COUNT:1"))), ("google:m", candidate({"text": "COUNT:1"}))],
)
def test_a_run_keeps_answers_tokens_and_costs(spec: str, answer: Body, tmp_path: Path) -> None:
    bank = write_bank(make_items(), tmp_path / "b.parquet")
    (tmp_path / "prices.toml").write_text('["m"]\ninput = 1\noutput = 2\n')
    with vendor_server(always(200, answer)) as server:
        how: Any = {"base_url": server.url, "prices": tmp_path / "prices.toml"}
        first = gf.run(bank, spec, journal=tmp_path / "c.db", **how)
        again = gf.run(bank, spec, journal=tmp_path / "c.db", **how)
    assert (first.results[0].asked, again.results[0].asked) == (12, 0)
    assert len(server.bodies) == 12
    kept = again.responses()
    assert set(kept["text"]) == {"COUNT:1"}
    assert set(kept["cost"]) == {(12 * 1 + 6 * 2) / 1e6}
    assert set(kept["examinee"]) == {f"{spec}?base_url={server.url}"}


@pytest.mark.parametrize(
    ("spec", "name", "url"),
    [
        ("anthropic:m", "ANTHROPIC_API_KEY", "https://api.anthropic.com/v1/messages"),
        ("google:m", "GEMINI_API_KEY",
         "https://generativelanguage.googleapis.com/v1beta/models/m:generateContent"),
        ("google:m", "GOOGLE_API_KEY",
         "https://generativelanguage.googleapis.com/v1beta/models/m:generateContent"),
        ("openai:m", "OPENAI_API_KEY", "https://api.openai.com/v1/chat/completions"),
    ],
)  # fmt: skip
def test_a_vendors_key_goes_to_that_vendor_alone(
    spec: str, name: str, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for known in ("ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(known, raising=False)
    monkeypatch.setenv(name, "sk-of-vendor")
    reach = reach_of({})
    made: Any = reach.make(spec)
    assert (made.name, made.endpoint.url, made.endpoint.key) == (spec, url, "sk-of-vendor")
    elsewhere: Any = reach.make(f"{spec}?base_url=http://localhost:1/v1")
    assert elsewhere.endpoint.key == ""
    others: Any = [reach.make(f"{s}:m") for s in ("anthropic", "google", "openai")
                   if not spec.startswith(s)]  # fmt: skip
    assert [other.endpoint.key for other in others] == ["", ""]


@pytest.mark.parametrize(
    ("spec", "said_"),
    [
        ("anthropic:m?thinking=12", r"number of tokens \(1,024 or more\), adaptive, or off"),
        ("anthropic:m?cache=2h", "cache must be 5m or 1h, not 2h"),
        (
            "anthropic:m?temperature=1",
            "has no parameter 'temperature'; it takes base_url and cache",
        ),
        ("google:m?thinking=much", "write a number of tokens, dynamic, or one of minimal, low"),
        ("google:m?cache=5m", "has no parameter 'cache'; it takes base_url and thinking"),
    ],
)
def test_a_parameter_that_is_none_is_one_sentence(spec: str, said_: str) -> None:
    with pytest.raises(ParameterError, match=said_):
        make_examinee(spec)


def test_what_cannot_be_asked_together_is_one_sentence(tmp_path: Path) -> None:
    short = RenderedItem("i", "b", "t", ("x",), decoding={"max_tokens": 1024})
    with pytest.raises(ParameterError, match="max_tokens=1024 leaves no room for an answer"):
        ask("anthropic:m?thinking=1024", always(200, message()), short)
    both = RenderedItem("i", "b", "t", ("x",), decoding={"reasoning_effort": "low"})
    with pytest.raises(ParameterError, match="reasoning_effort=low and thinking=high say the same"):
        ask("google:m?thinking=high", always(200, candidate()), both)
    with pytest.raises(ParameterError, match="only OpenAI-compatible servers take a level"):
        make_examinee("google:m", endpoint=Endpoint("", detail="high"))
    with pytest.raises(ParameterError, match="give 'm' prices cache_read and cache_write"):
        make_examinee("anthropic:m?cache=5m", budget=Budget(TokenPrice(3, 15)))
    prices = tmp_path / "prices.toml"
    prices.write_text('["m"]\ninput = 3\noutput = 15\ncache_read = 0.3\ncache_write = -1\n')
    with pytest.raises(ParameterError, match="model 'm': give input and output"):
        read_prices(prices)
    prices.write_text("# to be filled in\n")
    with pytest.raises(ParameterError, match="names no model; give each a table"):
        read_prices(prices)
    prices.write_text('["m"]\ninput = 3\noutput = 15\ncache_read = 0.3\ncache_write = 3.75\n')
    assert read_prices(prices) == {"m": TokenPrice(3.0, 15.0, 0.3, 3.75)}


@pytest.mark.parametrize(
    ("thinking", "most"), [("", 4096), ("?thinking=2048", 6144), ("?thinking=adaptive", 16_096)]
)
def test_a_cap_reserves_the_longest_answer_that_the_request_allows(
    thinking: str, most: int
) -> None:
    spec, answer, price = (
        f"anthropic:m{thinking}",
        always(200, message(said("x"))),
        TokenPrice(0, 1e6),
    )
    _, server, _ = ask(spec, answer, budget=Budget(price, most))
    assert server.bodies[0]["max_tokens"] == most
    with pytest.raises(RunStoppedError, match=f"may cost {most:.4g};".replace("+", r"\+")):
        ask(spec, answer, budget=Budget(price, most - 1))


def test_a_cap_reserves_what_a_full_cache_would_cost() -> None:
    # A question of ten tokens: 10 at the price of sending, 40 at that of the cache.
    plain, budget = RenderedItem("i", "b", "t", ("x" * 24,)), Budget(TokenPrice(1e6, 0, 0, 4e6), 39)
    with pytest.raises(RunStoppedError, match=r"the spending cap of 39 would be exceeded"):
        ask("anthropic:m?cache=5m", always(200, message(said("x"))), plain, budget=budget)


@pytest.mark.parametrize("spec", ["anthropic:m", "google:m", "openai:m"])
def test_a_key_is_masked_wherever_a_server_repeats_it(spec: str) -> None:
    key = "sk/secret+123="
    moved = 302, {}, {"Location": "http://elsewhere/?key=sk%2Fsecret%2B123%3D"}
    escaped = 401, '{"error": {"type": "x", "message": "wrong: sk\\/secret+123="}}'
    for answer in (moved, escaped, (302, {}, {"Location": f"http://elsewhere/?key={key}"})):
        with pytest.raises(RunStoppedError) as stopped:
            ask(spec, always(*answer), key=key)
        assert "[key]" in str(stopped.value)
        assert "secret" not in str(stopped.value)


@pytest.mark.parametrize(
    ("spec", "body"),
    [
        ("anthropic:m", message(said("A"), input_tokens=10**400)),
        ("google:m", candidate({"text": "A"}, thoughtsTokenCount=10**400)),
        ("openai:m", {"choices": [{"message": {"content": "A"}, "finish_reason": "stop"}],
                      "usage": {"prompt_tokens": 1, "completion_tokens": 10**400}}),
        ("openai:m", {"choices": [{"message": {"content": "A"}, "finish_reason": "stop"}],
                      "usage": {"prompt_tokens": 1, "completion_tokens": 2,
                                "prompt_tokens_details": {"cached_tokens": -10**6}}}),
    ],
)  # fmt: skip
def test_a_count_of_tokens_that_is_none_is_not_reckoned_with(spec: str, body: Body) -> None:
    budget = Budget(TokenPrice(3, 15, cache_read=0.3, cache_write=3.75))
    replies, _, _ = ask(spec, always(200, body), budget=budget)
    assert (replies[0].text, replies[0].outcome) == ("A", "ok")
    assert all(0 <= count < 10**12 for count in replies[0].usage.values())
    assert 0 < budget.spent < 1


@pytest.mark.parametrize(
    ("spec", "body"),
    [
        ("anthropic:m", message({"type": "text", "text": None}, {"type": "thinking"})),
        ("google:m", candidate({"text": None}, {"text": ["A"]})),
    ],
)
def test_a_text_that_is_none_is_no_answer(spec: str, body: Body) -> None:
    replies, _, _ = ask(spec, always(200, body))
    assert (replies[0].text, replies[0].reasoning, replies[0].outcome) == ("", "", "empty")


def test_a_candidate_without_text_and_end_is_a_failed_attempt() -> None:
    for body in ({"candidates": [{}]}, candidate(finish="FINISH_REASON_UNSPECIFIED")):
        replies, server, _ = ask("google:m", always(200, body), attempts=2)
        assert (replies[0].outcome, len(server.bodies)) == ("protocol_error", 2)


def test_details_of_googles_errors_may_be_anything() -> None:
    odd = status(429, "RESOURCE_EXHAUSTED", "Quota", {"violations": 5}, {"retryDelay": 1})
    replies, server, _ = ask("google:m", then((429, odd), (200, candidate({"text": "x"}))))
    assert (replies[0].outcome, len(server.bodies)) == ("ok", 2)


def test_a_name_with_a_space_is_an_address() -> None:
    _, server, _ = ask("google:my model/ü", always(200, candidate({"text": "x"})))
    assert server.paths == ["/v1/models/my model/ü:generateContent"]
