"""OpenAI's Responses API: requests, responses, streams, errors.

Some models answer only there (`api` in families.toml). Documentation: platform.openai.com,
api-reference/responses and api-reference/responses-streaming.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gfactor.examinees.base import Outcome, RenderedItem, Reply
from gfactor.examinees.http.answer import (
    AttemptVerdict,
    counts_in,
    failed,
    json_of,
    named,
    one_line,
    protocol_error,
    text_of,
    unread,
    unreadable,
)
from gfactor.examinees.http.endings import ending_of
from gfactor.examinees.http.failures import Failure, failure_of
from gfactor.examinees.http.payload import (
    Dialect,
    PartKinds,
    Pieces,
    add_content,
    add_fields,
    add_turns,
    json_bytes,
)
from gfactor.examinees.http.streams import events_of, is_stream
from gfactor.examinees.http.wire import OPENAI, OPENAI_URL, limit_of

_NOT_TAKEN = frozenset(
    {"frequency_penalty", "min_p", "presence_penalty", "repetition_penalty", "seed", "top_k"}
)
"""Parameters of conditions that the API does not have."""

_STATUSES = {
    "server_error": 500, "rate_limit_exceeded": 429, "vector_store_timeout": 504,
    "invalid_prompt": 400, "invalid_image": 400, "image_content_policy_violation": 400,
}  # fmt: skip
"""Status that corresponds to the code of an error in a response of status 200."""

_ENDS = ("response.completed", "response.incomplete", "response.failed")
"""Events of a stream that hold the whole response."""


@dataclass(frozen=True)
class ResponsesWire:
    """The Responses API.

    Parameters
    ----------
    chosen: True if the user chose it for a model that also has another API; it is then part of the
    examinee's name.
    """

    chosen: bool = False

    scheme = "openai"
    base_url = OPENAI_URL
    key_names = ("OPENAI_API_KEY",)

    @property
    def named(self) -> Mapping[str, str]:
        """Return the API as part of the examinee's name, if it was chosen."""
        return {"api": "responses" if self.chosen else ""}

    def url(self, base_url: str, model: str) -> str:
        """Return the address that requests are sent to."""
        return f"{base_url}/responses"

    def headers(self, key: str) -> dict[str, str]:
        """Return the key as a bearer token."""
        return OPENAI.headers(key)

    def dialect(self, model: str) -> Dialect:
        """Return the dialect without parameters that the API lacks."""
        return Dialect("max_output_tokens", dropped=_NOT_TAKEN, tried=1)

    def body(
        self, model: str, item: RenderedItem, dialect: Dialect, detail: str, encode: Pieces
    ) -> bytes:
        """Return the JSON of a request, which asks the vendor to store nothing."""
        pieces = [b'{"model":', json_bytes(model), b',"store":false,"input":[']
        kinds = PartKinds(
            b"input_text",
            b'input_image","image_url":"',
            b'","detail":' + json_bytes(detail or "auto") + b"}",
        )
        add_turns(pieces, item, lambda number, turn: add_content(pieces, turn, kinds, encode))
        pieces.append(b"]")
        fields: dict[str, Any] = {}
        for name, value in item.decoding.items():
            if name in dialect.dropped:
                continue
            if name == "reasoning_effort":
                fields["reasoning"] = {"effort": value}
            else:
                fields[dialect.length_field if name == "max_tokens" else name] = value
        if dialect.stream:
            fields["stream"] = True
        add_fields(pieces, fields)
        pieces.append(b"}")
        return b"".join(pieces)

    def longest(self, decoding: Mapping[str, Any]) -> int | None:
        """Return the condition's limit."""
        return limit_of(decoding)

    def judge(
        self, status: int, headers: Mapping[str, str], raw: bytes, now: float
    ) -> AttemptVerdict:
        """Read a response, or an error that was returned instead."""
        streamed = status == 200 and is_stream(raw)
        body = _whole(raw) if streamed else json_of(raw)
        failure = failure_of(body)
        if status == 200 and failure:
            error = body.get("error") if isinstance(body, dict) else None
            code = error.get("code") if isinstance(error, dict) else None
            status = failure.status or _STATUSES.get(str(code), 502)
        if status != 200:
            return failed(status, headers, failure or unread(status, headers, raw), now)
        if streamed and body is None:
            return protocol_error("a stream that broke off")
        if not isinstance(body, dict) or not isinstance(body.get("output"), list):
            return protocol_error(unreadable(raw, headers, "response"))
        return named(_read(body, headers, now), body, "model")


def _read(body: Mapping[str, Any], headers: Mapping[str, str], now: float) -> AttemptVerdict:
    """Read a response that holds no error."""
    output = [part for part in body["output"] if isinstance(part, dict)]
    parts = [
        part
        for message in output
        if message.get("type") == "message"
        for part in _list(message.get("content"))
    ]
    text = "".join(text_of(part, "text") for part in parts if part.get("type") == "output_text")
    refusal = "".join(text_of(part, "refusal") for part in parts if part.get("type") == "refusal")
    thought = "\n".join(
        text_of(part, "text")
        for one in output
        if one.get("type") == "reasoning"
        for part in (*_list(one.get("summary")), *_list(one.get("content")))
    )
    details = body.get("incomplete_details")
    reason = text_of(details, "reason") if isinstance(details, dict) else ""
    status = text_of(body, "status")
    finish = one_line(reason or status)[:100]
    ending = ending_of(reason)
    usage = usage_of(body.get("usage"))
    if status == "failed":
        # The response has no error, which would have been read before.
        return failed(502, headers, Failure("the response failed, without a reason"), now)
    if ending == "broken" or (status not in ("completed", "") and ending is None):
        return protocol_error(f"a response that is no whole one ({finish or 'no status'})")
    outcome: Outcome = "ok" if text.strip() else "empty"
    if refusal or ending == "refusal":
        outcome, text = "refusal", text or refusal
    elif ending is not None:
        outcome = ending
    return AttemptVerdict(Reply(text, outcome, finish, usage=usage, reasoning=thought))


def _list(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def usage_of(usage: Any) -> dict[str, int]:
    """Return token counts under the names of chat completions; reasoning counts as output.

    Examples
    --------
    >>> usage_of({"input_tokens": 9, "output_tokens": 7,
    ...           "output_tokens_details": {"reasoning_tokens": 5}})
    {'prompt_tokens': 9, 'completion_tokens': 7, 'reasoning_tokens': 5}
    """
    if not isinstance(usage, dict):
        return {}
    in_their_names = counts_in(usage)
    if "input_tokens" not in in_their_names or "output_tokens" not in in_their_names:
        return {}
    counts = {
        "prompt_tokens": in_their_names["input_tokens"],
        "completion_tokens": in_their_names["output_tokens"],
    }  # fmt: skip
    for where, theirs, ours in (
        ("output_tokens_details", "reasoning_tokens", "reasoning_tokens"),
        ("input_tokens_details", "cached_tokens", "cache_read_tokens"),
    ):
        details = usage.get(where)
        count = counts_in(details).get(theirs, 0) if isinstance(details, dict) else 0
        if count:
            counts[ours] = count
    return counts


def _whole(raw: bytes) -> dict[str, Any] | None:
    """Return the response at the end of a stream; None if the stream ended before it."""
    for event in events_of(raw):
        if event.get("type") == "error":
            error = event.get("error")
            return {"error": error if isinstance(error, dict) else event}
        response = event.get("response")
        if event.get("type") in _ENDS and isinstance(response, dict):
            return response
    return None
