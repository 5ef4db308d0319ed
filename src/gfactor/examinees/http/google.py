"""Google's generateContent: requests, candidates, blocked prompts, errors.

Documentation: ai.google.dev, api/generate-content, gemini-api/docs/thinking,
gemini-api/docs/caching and gemini-api/docs/troubleshooting; `google.rpc.RetryInfo` and
`google.rpc.QuotaFailure` in errors' details.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote

from gfactor.errors import ParameterError
from gfactor.examinees.base import Outcome, RenderedItem, Reply
from gfactor.examinees.http.answer import (
    AttemptVerdict,
    counts_in,
    failed,
    json_of,
    named,
    protocol_error,
    text_of,
    unread,
    unreadable,
    without_answer,
)
from gfactor.examinees.http.endings import ending_of
from gfactor.examinees.http.failures import failure_of
from gfactor.examinees.http.payload import Dialect, Pieces, json_bytes, media_type
from gfactor.examinees.http.wire import limit_of
from gfactor.items import Segment

LEVELS = ("minimal", "low", "medium", "high")
"""Levels of thinking for models from Gemini 3 on (`thinkingLevel`); earlier ones have a budget."""

_NAMES = {
    "frequency_penalty": "frequencyPenalty", "max_tokens": "maxOutputTokens",
    "presence_penalty": "presencePenalty", "seed": "seed", "temperature": "temperature",
    "top_k": "topK", "top_p": "topP",
}  # fmt: skip

_NOT_TAKEN = frozenset({"min_p", "repetition_penalty"})

_NO_REPLY = frozenset(
    {
        "", "finish_reason_unspecified", "other", "malformed_response", "malformed_function_call",
        "unexpected_tool_call", "too_many_tool_calls", "missing_thought_signature",
    }
)  # fmt: skip
"""Ends of generation that are no evidence about the answer if there is no text: the model called a
tool that was not offered, or the API broke off."""

_SECONDS = re.compile(r"\d+(\.\d+)?s")


@dataclass(frozen=True)
class Google:
    """The Gemini API.

    Parameters
    ----------
    thinking: a budget in tokens ("1024", "0" for none), "dynamic" to leave it to the model, one of
    `LEVELS`, or "" for no setting.
    """

    thinking: str = ""

    scheme = "google"
    base_url = "https://generativelanguage.googleapis.com/v1beta"
    key_names = ("GEMINI_API_KEY", "GOOGLE_API_KEY")

    def __post_init__(self) -> None:
        text = self.thinking
        if not (text in ("", "dynamic", *LEVELS) or (text.isascii() and text.isdigit())):
            raise ParameterError(
                f"Google's models do not take thinking={text}; write a number of tokens, dynamic, "
                f"or one of {', '.join(LEVELS)}"
            )

    @property
    def named(self) -> Mapping[str, str]:
        """Return the setting of thinking, which is part of the examinee's name."""
        return {"thinking": self.thinking}

    def url(self, base_url: str, model: str) -> str:
        """Return the address that requests are sent to."""
        return f"{base_url}/models/{quote(model)}:generateContent"

    def headers(self, key: str) -> dict[str, str]:
        """Return the header with the key, which proxies could read in an address."""
        return {"x-goog-api-key": key} if key else {}

    def dialect(self, model: str) -> Dialect:
        """Return the dialect without parameters that no model accepts."""
        return Dialect(dropped=_NOT_TAKEN, tried=1)

    def body(
        self, model: str, item: RenderedItem, dialect: Dialect, detail: str, encode: Pieces
    ) -> bytes:
        """Return the JSON of a request."""
        pieces = [b'{"contents":[']
        for number, turn in enumerate((*item.earlier, item.content)):
            pieces.append(b',{"role":"user","parts":[' if number else b'{"role":"user","parts":[')
            _add_parts(pieces, turn, encode)
            pieces.append(b"]}")
            if number < len(item.replies) and item.replies[number].strip():
                reply = json_bytes(item.replies[number])
                pieces += [b',{"role":"model","parts":[{"text":', reply, b"}]}"]
        config = self._config(item.decoding, dialect)
        pieces.append(b"]")
        if config:
            pieces += [b',"generationConfig":', json_bytes(config)]
        pieces.append(b"}")
        return b"".join(pieces)

    def _config(self, decoding: Mapping[str, Any], dialect: Dialect) -> dict[str, Any]:
        parameters = {k: v for k, v in decoding.items() if k not in dialect.dropped}
        config = {_NAMES[name]: value for name, value in parameters.items() if name in _NAMES}
        thinking: dict[str, Any] = {}
        if self.thinking in LEVELS:
            thinking = {"thinkingLevel": self.thinking}
        elif self.thinking:
            budget = -1 if self.thinking == "dynamic" else int(self.thinking)
            thinking = {"thinkingBudget": budget}
        if "reasoning_effort" in parameters:
            if thinking:
                raise ParameterError(
                    f"reasoning_effort={parameters['reasoning_effort']} and "
                    f"thinking={self.thinking} say the same to Google; give one"
                )
            thinking = {"thinkingLevel": parameters["reasoning_effort"]}
        if thinking and thinking.get("thinkingBudget") != 0:
            thinking["includeThoughts"] = True
        return {**config, "thinkingConfig": thinking} if thinking else config

    def longest(self, decoding: Mapping[str, Any]) -> int | None:
        """Return the condition's limit."""
        return limit_of(decoding)

    def judge(
        self, status: int, headers: Mapping[str, str], raw: bytes, now: float
    ) -> AttemptVerdict:
        """Read a response, or an error that was returned instead."""
        body = json_of(raw)
        failure = failure_of(body)
        if status == 200 and failure:
            status = failure.status or 502
        if status != 200:
            verdict = failed(status, headers, failure or unread(status, headers, raw), now)
            return _advised(verdict, body)
        if not isinstance(body, dict):
            return protocol_error(unreadable(raw, headers, "response of generateContent"))
        candidates = body.get("candidates")
        usage = usage_of(body.get("usageMetadata"))
        if isinstance(candidates, list) and candidates and isinstance(candidates[0], dict):
            return named(_read(candidates[0], usage), body, "modelVersion")
        feedback = body.get("promptFeedback")
        blocked = feedback.get("blockReason") if isinstance(feedback, dict) else None
        if not blocked:
            return without_answer("a response without candidates", usage)
        why = f"the question was blocked: {blocked}"[:100]
        return AttemptVerdict(
            Reply("", "content_filter", str(blocked)[:100], usage=usage, detail=why)
        )


def _add_parts(pieces: list[bytes], turn: tuple[Segment, ...], encode: Pieces) -> None:
    for number, segment in enumerate(turn):
        pieces.append(b"," if number else b"")
        if isinstance(segment, str):
            pieces += [b'{"text":', json_bytes(segment), b"}"]
        else:
            head, data = encode(segment)
            pieces += [b'{"inline_data":{"mime_type":"', media_type(head), b'","data":"', data,
                       b'"}}']  # fmt: skip


def _read(candidate: dict[str, Any], usage: dict[str, int]) -> AttemptVerdict:
    content = candidate.get("content")
    parts = content.get("parts") if isinstance(content, dict) else None
    mappings = [p for p in parts if isinstance(p, dict)] if isinstance(parts, list) else []
    texts = [(bool(p.get("thought")), text_of(p, "text")) for p in mappings]
    text = "".join(text_of_part for thought, text_of_part in texts if not thought)
    reasoning = "".join(text_of_part for thought, text_of_part in texts if thought)
    finish = str(candidate.get("finishReason") or "")[:100]
    ending = ending_of(finish)
    if ending == "broken" or (not text.strip() and finish.lower() in _NO_REPLY):
        return protocol_error(f"a reply that the server broke off ({finish or 'no finishReason'})")
    outcome: Outcome = "ok" if text.strip() else "empty"
    return AttemptVerdict(Reply(text, ending or outcome, finish, usage=usage, reasoning=reasoning))


def usage_of(usage: Any) -> dict[str, int]:
    """Return token counts under OpenAI's names; reasoning counts as output.

    Examples
    --------
    >>> usage_of({"promptTokenCount": 9, "candidatesTokenCount": 2, "thoughtsTokenCount": 5})
    {'prompt_tokens': 9, 'completion_tokens': 7, 'reasoning_tokens': 5}
    """
    if not isinstance(usage, dict):
        return {}
    in_their_names = counts_in(usage)
    if "promptTokenCount" not in in_their_names:
        return {}
    thought = in_their_names.get("thoughtsTokenCount", 0)
    counts = {
        "prompt_tokens": in_their_names["promptTokenCount"],
        "completion_tokens": in_their_names.get("candidatesTokenCount", 0) + thought,
        "reasoning_tokens": thought,
        "cache_read_tokens": in_their_names.get("cachedContentTokenCount", 0),
    }
    return {k: v for k, v in counts.items() if v or k in ("prompt_tokens", "completion_tokens")}


def _advised(verdict: AttemptVerdict, body: Any) -> AttemptVerdict:
    """Complete a failure by its details: when to ask again, and whether the key is wrong."""
    text = verdict.reply.detail
    details = list(_details(body))
    if any(d.get("reason") == "API_KEY_INVALID" for d in details) or "API key not valid" in text:
        return replace(verdict, hopeless=True, complaint="")
    if not verdict.overloaded:
        return verdict
    violation_lists = [d["violations"] for d in details if isinstance(d.get("violations"), list)]
    quotas = [v for violations in violation_lists for v in violations if isinstance(v, dict)]
    if any("PerDay" in str(v.get("quotaId")) for v in quotas):
        return replace(verdict, retry=False)
    delays = [str(d.get("retryDelay")) for d in details if "retryDelay" in d]
    delay = next((float(d[:-1]) for d in delays if _SECONDS.fullmatch(d)), None)
    # Google writes "exceeded your current quota" for a limit per minute, too.
    return replace(verdict, retry=True, hopeless=False, after_s=verdict.after_s or delay)


def _details(body: Any) -> Iterator[dict[str, Any]]:
    first = body[0] if isinstance(body, list) and body else body
    error = first.get("error") if isinstance(first, dict) else None
    details = error.get("details") if isinstance(error, dict) else None
    yield from (d for d in (details if isinstance(details, list) else ()) if isinstance(d, dict))
