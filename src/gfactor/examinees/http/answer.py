"""From the bytes of a response to a reply with one outcome; nothing a server sends raises."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

from gfactor.examinees.base import Outcome, Reply

RETRIED = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529})
"""Statuses worth another attempt: the request may be right and the moment wrong."""

OVERLOADED = frozenset({429, 503, 529})
"""Statuses that ask for fewer requests at once."""

_THINKING = re.compile(r"\A\s*<think(?:ing)?>(.*?)</think(?:ing)?>\s*", re.DOTALL)
_SHOWN = 300


@dataclass(frozen=True)
class Verdict:
    """What one attempt came to: the reply, and whether asking again may help.

    `after_s` is what the server's Retry-After asks for, None where it says nothing; `complaint` is
    what a server says about the form of the request.
    """

    reply: Reply
    retry: bool = False
    after_s: float | None = None
    overloaded: bool = False
    complaint: str = ""


def judge(status: int, headers: Mapping[str, str], raw: bytes, now: float) -> Verdict:
    """Read a complete response; `now` is the wall clock (epoch seconds) for dates in headers."""
    body = _json(raw)
    error = body.get("error") if isinstance(body, dict) else None
    if status == 200 and error:
        # Gateways report an upstream's failure inside a 200.
        code = error.get("code") if isinstance(error, dict) else None
        status = code if isinstance(code, int) and 400 <= code < 600 else 502
    if status != 200:
        text = _message(error) or raw[:_SHOWN].decode("utf-8", "replace")
        detail = f"HTTP {status}: {_one_line(text)}"
        return Verdict(
            Reply("", _outcome_of_error(status, text), "", detail=detail),
            retry=status in RETRIED or status >= 500,
            after_s=retry_after(headers, now),
            overloaded=status in OVERLOADED,
            complaint=text if status in (400, 422) else "",
        )
    if not isinstance(body, dict) or not isinstance(body.get("choices"), list):
        kind = headers.get("Content-Type", "no content type")
        return _protocol(f"a 200 that is no chat completion ({kind})")
    if not body["choices"] or not isinstance(body["choices"][0], dict):
        return _protocol("a chat completion without choices")
    return Verdict(_read(body["choices"][0], body.get("usage")))


def _read(choice: dict[str, Any], usage: Any) -> Reply:
    message = choice.get("message")
    message = message if isinstance(message, dict) else {}
    text, inner = split_thinking(_text(message.get("content")))
    reasoning = _text(message.get("reasoning_content") or message.get("reasoning")) or inner
    finish = str(choice.get("finish_reason") or "")
    refusal = _text(message.get("refusal"))
    outcome: Outcome = "ok"
    if refusal or finish == "refusal":
        outcome, text = "refusal", text or refusal
    elif finish == "content_filter":
        outcome = "content_filter"
    elif finish in ("length", "max_tokens"):
        outcome = "truncated"
    elif not text.strip():
        outcome = "empty"
    return Reply(text, outcome, finish, usage=_usage(usage), reasoning=reasoning)


def split_thinking(text: str) -> tuple[str, str]:
    """The answer and what stood before it between <think> tags (servers without a parser)."""
    found = _THINKING.match(text)
    return (text[found.end() :], found.group(1).strip()) if found else (text, "")


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds that Retry-After (a number or a date) or retry-after-ms asks to wait."""
    milliseconds = headers.get("retry-after-ms")
    value = headers.get("Retry-After") or headers.get("retry-after")
    try:
        if milliseconds:
            return max(0.0, float(milliseconds) / 1000)
        if not value:
            return None
        if re.fullmatch(r"\s*\d+(\.\d+)?\s*", value):
            return float(value)
        return max(0.0, parsedate_to_datetime(value).timestamp() - now)
    except (ValueError, TypeError, OverflowError):
        return None


def _protocol(detail: str) -> Verdict:
    return Verdict(Reply("", "protocol_error", "", detail=detail), retry=True)


def _outcome_of_error(status: int, text: str) -> Outcome:
    if status == 400 and re.search(r"content.?(filter|policy|management)", text, re.IGNORECASE):
        return "content_filter"
    return "timeout" if status in (408, 504, 524) else "transport_error"


def _json(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        return None


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = (p.get("text") for p in content if isinstance(p, dict))
        return "".join(p for p in parts if isinstance(p, str))
    return ""


def _usage(usage: Any) -> dict[str, int]:
    if not isinstance(usage, dict):
        return {}
    flat = {k: v for k, v in usage.items() if type(v) is int}
    details = usage.get("completion_tokens_details")
    if isinstance(details, dict) and type(details.get("reasoning_tokens")) is int:
        flat["reasoning_tokens"] = details["reasoning_tokens"]
    return flat


def _message(error: Any) -> str:
    if isinstance(error, dict):
        return str(error.get("message") or error.get("type") or "")
    return error if isinstance(error, str) else ""


def _one_line(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text[:_SHOWN]).split())
