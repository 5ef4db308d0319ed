"""OpenAI's Responses API: what is sent, what comes back, what fails, and which models need it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.asked_vendors import ENCODED, SEEN, always, ask, then
from support.banks import make_item
from support.vendor_server import Body

import gfactor as gf
from gfactor.errors import ParameterError
from gfactor.examinees import RenderedItem, make_examinee
from gfactor.examinees.http import Endpoint, ResponsesWire
from gfactor.examinees.http.families import VARIABLE
from gfactor.items import write_bank

TALK = RenderedItem(
    "c", "b", "t", ("How many?", SEEN), (("Look.",),),
    {"temperature": 0.5, "max_tokens": 50, "seed": 3, "reasoning_effort": "low"},
    replies=("I look.",),
)  # fmt: skip


def response(*output: Body, **more: Any) -> Body:
    """A response, from the fields that OpenAI documents."""
    usage = {
        "input_tokens": 12, "input_tokens_details": {"cached_tokens": 4},
        "output_tokens": 9, "output_tokens_details": {"reasoning_tokens": 5}, "total_tokens": 21,
    }  # fmt: skip
    return {
        "id": "resp_1", "object": "response", "status": "completed", "error": None,
        "incomplete_details": None, "model": "m-2026-08-06", "output": list(output),
        "usage": usage, **more,
    }  # fmt: skip


def message(*content: Body) -> Body:
    return {"type": "message", "role": "assistant", "status": "completed", "content": list(content)}


def text(said: str) -> Body:
    return {"type": "output_text", "text": said, "annotations": []}


ANSWER = response(message(text("COUNT:"), text("3")))


def test_a_conversation_with_a_picture_is_sent_in_the_apis_own_form() -> None:
    _, server, notes = ask("openai:m?api=responses&detail=low", always(200, ANSWER), TALK)
    assert server.paths == ["/v1/responses"]
    assert server.headers[0]["authorization"] == "Bearer sk-secret-123"
    assert server.bodies == [{
        "model": "m", "store": False, "temperature": 0.5, "max_output_tokens": 50,
        "reasoning": {"effort": "low"},
        "input": [
            {"role": "user", "content": "Look."},
            {"role": "assistant", "content": "I look."},
            {"role": "user", "content": [
                {"type": "input_text", "text": "How many?"},
                {"type": "input_image", "image_url": f"data:image/png;base64,{ENCODED}",
                 "detail": "low"},
            ]},
        ],
    }]  # fmt: skip
    assert notes == ("seed was left out of requests: the API has no such parameter",)


def test_text_thoughts_tokens_and_the_model_are_read() -> None:
    thought = {"type": "reasoning", "summary": [{"type": "summary_text", "text": "One, two."}]}
    (reply,), _, _ = ask("openai:m?api=responses", always(200, {**ANSWER, "output": [
        thought, *ANSWER["output"]]}))  # fmt: skip
    assert (reply.text, reply.outcome, reply.finish_reason) == ("COUNT:3", "ok", "completed")
    assert (reply.reasoning, reply.answered_by) == ("One, two.", "m-2026-08-06")
    assert reply.usage == {"prompt_tokens": 12, "completion_tokens": 9, "reasoning_tokens": 5,
                           "cache_read_tokens": 4}  # fmt: skip


def incomplete(reason: str, *output: Body) -> Body:
    return response(*output, status="incomplete", incomplete_details={"reason": reason})


@pytest.mark.parametrize(
    ("body", "outcome", "said", "detail"),
    [
        (incomplete("max_output_tokens", message(text("One, t"))), "truncated", "One, t", ""),
        (incomplete("max_output_tokens"), "truncated", "", ""),
        (incomplete("content_filter"), "content_filter", "", ""),
        (response(message({"type": "refusal", "refusal": "No."})), "refusal", "No.", ""),
        (response(), "empty", "", ""),
        (response(status="in_progress"), "protocol_error", "", "no whole one (in_progress)"),
        (response(status="cancelled"), "protocol_error", "", "no whole one (cancelled)"),
        (response(status="failed"), "transport_error", "", "failed, without a reason"),
        (response(status="failed", error={"code": "server_error", "message": "we broke"}),
         "transport_error", "", "HTTP 500: we broke"),
        ({"choices": []}, "protocol_error", "", "a 200 that is no response (application/json"),
    ],
)  # fmt: skip
def test_every_ending_has_its_outcome(body: Body, outcome: str, said: str, detail: str) -> None:
    (reply,), _, _ = ask("openai:m?api=responses", always(200, body))
    assert (reply.outcome, reply.text) == (outcome, said)
    assert detail in reply.detail


def test_a_failure_of_the_server_is_tried_again_and_a_refused_parameter_left_out() -> None:
    broken = response(status="failed", error={"code": "server_error", "message": "we broke"})
    refused = {"error": {"message": "Unsupported parameter: 'reasoning.effort' is not supported "
                                    "with this model.", "param": "reasoning.effort"}}  # fmt: skip
    (reply,), server, notes = ask(
        "openai:m?api=responses", then((400, refused), (200, broken), (200, ANSWER)), TALK
    )
    assert reply.text == "COUNT:3"
    assert ["reasoning" in body for body in server.bodies] == [True, False, False]
    assert any(note.startswith("reasoning_effort was left out of requests") for note in notes)


def test_a_stream_is_read_to_its_last_event() -> None:
    events = [{"type": "response.created", "response": response(status="in_progress")},
              {"type": "response.output_text.delta", "delta": "COUNT:3"},
              {"type": "response.completed", "response": ANSWER}]  # fmt: skip
    stream = "".join(f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in events)
    cut = "".join(f"data: {json.dumps(e)}\n\n" for e in events[:2])
    error = 'data: {"type": "error", "code": "rate_limit_exceeded", "message": "slow down"}\n\n'
    answers = then((200, cut), (200, error), (200, stream))
    (reply,), server, _ = ask("openai:m?api=responses", answers)
    assert (reply.text, len(server.bodies)) == ("COUNT:3", 3)


OPENAI_URL = "https://api.openai.com/v1"


@pytest.mark.parametrize(
    ("who", "url", "responses", "name"),
    [
        ("openai:o3-pro", OPENAI_URL, True, "openai:o3-pro"),
        ("openai:o3-pro?api=responses", OPENAI_URL, True, "openai:o3-pro"),
        ("openai:gpt-5-codex", OPENAI_URL, True, "openai:gpt-5-codex"),
        ("openai:gpt-5.1-codex-mini", OPENAI_URL, True, "openai:gpt-5.1-codex-mini"),
        ("openai:gpt-5-pro-2025-10-06", OPENAI_URL, True, "openai:gpt-5-pro-2025-10-06"),
        ("openai:gpt-5", OPENAI_URL, False, "openai:gpt-5"),
        ("openai:gpt-5?api=chat", OPENAI_URL, False, "openai:gpt-5"),
        ("openai:gpt-5?api=responses", OPENAI_URL, True, "openai:gpt-5?api=responses"),
        ("openai:o3-pro?api=chat", OPENAI_URL, False, "openai:o3-pro"),
        ("openai:o3-pro", "http://h/v1", False, "openai:o3-pro?base_url=http://h/v1"),
    ],
)
def test_the_api_is_chosen_or_known_from_the_family(
    who: str, url: str, responses: bool, name: str
) -> None:
    examinee: Any = make_examinee(who, endpoint=Endpoint("", url))
    assert isinstance(examinee.endpoint.wire, ResponsesWire) == responses
    assert examinee.name == name


def test_a_users_family_says_which_api_a_model_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "m.toml").write_text(
        '[[family]]\nvendor = "openai"\nmodels = "ours"\nsource = "us"\ndate = "2026-11"\n'
        'api = "responses"\n'
    )
    monkeypatch.setenv(VARIABLE, str(tmp_path / "m.toml"))
    examinee: Any = make_examinee("openai:ours", endpoint=Endpoint("", "http://h/v1"))
    assert examinee.endpoint.url == "http://h/v1/responses"


def test_another_api_is_refused_and_a_whole_address_too() -> None:
    with pytest.raises(ParameterError, match="api must be chat or responses"):
        make_examinee("openai:m?api=batch")
    with pytest.raises(ParameterError, match="is more than an address"):
        Endpoint("m", "http://h/v1/responses")


def test_a_model_that_refuses_chat_completions_says_what_to_write() -> None:
    words = "This model is only supported in v1/responses and not in v1/chat/completions."
    (reply,), server, _ = ask("openai:m", always(400, {"error": {"message": words}}))
    assert reply.detail.endswith("not in v1/chat/completions; ask it as openai:MODEL?api=responses")
    assert len(server.bodies) == 1


def test_a_known_parameter_of_such_a_model_is_never_sent(tmp_path: Path) -> None:
    bank = write_bank([make_item("i", content=("Say 1.",))], tmp_path / "b.parquet")
    with pytest.raises(ParameterError, match="o3-pro takes no temperature"):
        gf.run(gf.open_bank(bank), ["openai:o3-pro"], journal=tmp_path / "c.db",
               condition="temperature=0")  # fmt: skip
