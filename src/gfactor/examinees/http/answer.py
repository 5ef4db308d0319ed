"""Conversion of a response's bytes to a reply with one outcome; no response raises an error."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from functools import lru_cache
from typing import Any, AnyStr
from urllib.parse import quote

from gfactor.examinees.base import Outcome, Reply
from gfactor.examinees.http.endings import ending_of
from gfactor.examinees.http.failures import EXCERPT, Failure, failure_of
from gfactor.examinees.http.streams import completion_of, is_stream
from gfactor.frozen import quickly_made

RETRIED = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529})
"""Statuses after which another attempt may succeed: the request may be right and the server
busy."""

OVERLOADED = frozenset({429, 503, 529})
"""Statuses that ask for fewer requests at once."""

_GATEWAY_TIMEOUTS = frozenset({504, 524})
"""Statuses of a gateway that gave up waiting: the model behind it may have answered."""

_THINKING = re.compile(r"\A\s*<think(?:ing)?>(.*?)</think(?:ing)?>\s*", re.DOTALL)
_ELSEWHERE = re.compile(r"\bonly\b.*\bv1/responses\b")
"""Pattern of messages that a model answers only in the Responses API."""

_LONGEST_REASON = 100
_LONGEST_NAME = 200

_SHORTEST_SECRET = 8
"""Smallest length of a secret key; a shorter one ("none", "EMPTY") may occur in an answer."""

_COMPRESSED = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}
"""First bytes of compressed bodies."""

_NAMES = ("model", "system_fingerprint")
"""Fields of a chat completion that name the model and its version."""

_DECODER = json.JSONDecoder()

_MOST_TOKENS = 10**12
"""Largest number that is accepted as a count."""


@quickly_made
@dataclass(frozen=True)
class AttemptVerdict:
    """Result of one attempt: the reply, and whether asking again may help.

    `after_s` is the wait in seconds that the server's Retry-After asks for, None without it.
    `complaint` is the server's message about the form of the request. `hopeless` is True if every
    other request would fail as well. `doubtful` is True if the server may have charged for an
    answer that did not arrive complete.
    """

    reply: Reply
    retry: bool = False
    after_s: float | None = None
    overloaded: bool = False
    complaint: str = ""
    hopeless: bool = False
    doubtful: bool = False

    def without(self, key: str) -> AttemptVerdict:
        """Return the verdict with the API key removed from its texts, because servers repeat the
        key in messages or in the address of a redirection."""
        detail = self.reply.detail
        if not detail:
            return self
        for form in {key, quote(key), quote(key, safe="")}:
            detail = without_key(detail, form)
        if detail == self.reply.detail:
            return self
        return self.with_reply(replace(self.reply, detail=detail))

    def with_reply(self, reply: Reply) -> AttemptVerdict:
        """Return the verdict with another reply; the same object if the reply is the same."""
        return self if reply is self.reply else replace(self, reply=reply)


@dataclass
class UnansweredRequests:
    """Requests of one question that were sent and never answered, and may have been charged."""

    unanswered: int = 0


def judge(status: int, headers: Mapping[str, str], raw: bytes, now: float) -> AttemptVerdict:
    """Read a complete response; `now` is the wall clock (epoch seconds) for dates in headers."""
    streamed = status == 200 and is_stream(raw)
    body = completion_of(raw) if streamed else json_of(raw)
    failure = failure_of(body)
    if status == 200 and failure:
        # Gateways report an upstream's failure inside a 200.
        status = failure.status or 502
    if status != 200:
        return failed(status, headers, failure or unread(status, headers, raw), now)
    if streamed and body is None:
        return protocol_error("a stream that broke off")
    if not isinstance(body, dict) or not isinstance(body.get("choices"), list):
        return protocol_error(unreadable(raw, headers, "chat completion"))
    if not body["choices"] or not isinstance(body["choices"][0], dict):
        return without_answer("a chat completion without choices", _usage(body.get("usage")))
    return _read(body["choices"][0], body)


def named(
    verdict: AttemptVerdict, body: Mapping[str, Any], model: str, version: str = ""
) -> AttemptVerdict:
    """Return the verdict with the name of the model that answered, if a response has it.

    Parameters
    ----------
    model, version: the fields of the response that name the model and its version.
    """
    who, which = _name(text_of(body, model)), _name(text_of(body, version))
    if not who and not which:
        return verdict
    return verdict.with_reply(replace(verdict.reply, answered_by=who, fingerprint=which))


def _name(text: str) -> str:
    """Return the beginning of a name, on one line."""
    return _name_in(text[:EXCERPT]) if text else ""


@lru_cache(maxsize=256)
def _name_in(excerpt: str) -> str:
    """Return the same for an excerpt; cached, because nearly all responses of a run have the same
    names."""
    return one_line(excerpt)[:_LONGEST_NAME]


def failed(status: int, headers: Mapping[str, str], failure: Failure, now: float) -> AttemptVerdict:
    """Return the verdict on a response with a status other than 200."""
    detail = f"HTTP {status}: {one_line(failure.message)}"
    if _ELSEWHERE.search(failure.message):
        detail = f"{detail.rstrip('. ')}; ask it as openai:MODEL?api=responses"
    return AttemptVerdict(
        Reply("", failure.outcome(status), "", detail=detail),
        retry=(status in RETRIED or status >= 500) and not failure.out_of_money(status),
        after_s=retry_after(headers, now),
        overloaded=status in OVERLOADED,
        complaint=failure.message if status in (400, 422) else "",
        hopeless=failure.hopeless(status),
        doubtful=status in _GATEWAY_TIMEOUTS,
    )


def unread(status: int, headers: Mapping[str, str], raw: bytes) -> Failure:
    """Describe a failure without a known form: a redirection, a page, a text."""
    if 300 <= status < 400:
        where = headers.get("Location", "nowhere").removesuffix("/chat/completions")
        return Failure(f"the server sends requests on to {where}; give that as --base-url")
    text = raw[:EXCERPT].decode("utf-8", "replace")
    if not text.strip():
        text = "no words; check that the base URL is that of the API, and the server's log"
    return Failure(text, text)


def unreadable(raw: bytes, headers: Mapping[str, str], expected: str) -> str:
    """Describe the content of a response 200 that is not an answer.

    Parameters
    ----------
    raw: its body.
    headers: its headers.
    expected: expected kind of body, as "chat completion".

    Examples
    --------
    >>> unreadable(b"", {}, "chat completion")
    'an empty 200; check that the base URL is that of the API'
    """
    if not raw.strip():
        return "an empty 200; check that the base URL is that of the API"
    packed = next((name for head, name in _COMPRESSED.items() if raw.startswith(head)), None)
    if packed:
        return f"a 200 compressed by {packed}, which its headers do not say; check a proxy between"
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        return f"a 200 that is not text in UTF-8 (byte {error.start:,}); see the server's log"
    if text.lstrip()[:1] == "<":
        return "a 200 that is a web page; check that the base URL is that of the API"
    kind = headers.get("Content-Type", "no content type")
    return f"a 200 that is no {expected} ({kind})"


def _read(choice: dict[str, Any], body: Mapping[str, Any]) -> AttemptVerdict:
    message = choice.get("message")
    message = message if isinstance(message, dict) else {}
    content, thinking, refusal = message.get("content"), "", ""
    if not isinstance(content, str):
        parts = _parts(content)
        content, thinking, refusal = parts["text"], parts["thinking"], parts["refusal"]
    text, inner = split_thinking(content)
    separate = _text_in(message.get("reasoning_content") or message.get("reasoning"))
    finish = str(choice.get("finish_reason") or "")[:_LONGEST_REASON]
    refusal = _text_in(message.get("refusal")) or refusal
    ending = ending_of(finish)
    outcome: Outcome = "ok"
    if ending == "broken":
        broken = protocol_error(f"a reply that the server broke off ({one_line(finish)})")
        return named(broken, body, *_NAMES)
    if refusal or ending == "refusal":
        outcome, text = "refusal", text or refusal
    elif ending is not None:
        outcome = ending
    elif not text.strip():
        outcome = "empty"
    # Made in one step, names included, because copies of a reply would take as long as reading it.
    return AttemptVerdict(
        Reply(
            text,
            outcome,
            finish,
            usage=_usage(body.get("usage")),
            reasoning=separate or thinking or inner,
            answered_by=_name(text_of(body, _NAMES[0])),
            fingerprint=_name(text_of(body, _NAMES[1])),
        )
    )


def split_thinking(text: str) -> tuple[str, str]:
    """Return the answer and the thoughts before it in <think> tags (from servers without a
    parser)."""
    match = _THINKING.match(text)
    return (text[match.end() :], match.group(1).strip()) if match else (text, "")


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Return seconds that Retry-After (a number or a date) or retry-after-ms asks to wait."""
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


def too_long(verdict: AttemptVerdict) -> AttemptVerdict:
    """Mark a failure whose server asks for a wait that is too long for a retry in this run."""
    detail = f"{verdict.reply.detail} (the server asks to wait {verdict.after_s:,.0f} s)"
    return replace(verdict, reply=replace(verdict.reply, detail=detail), retry=False)


def protocol_error(detail: str) -> AttemptVerdict:
    """Return the verdict on a response that is not an answer; another attempt may bring one."""
    return AttemptVerdict(Reply("", "protocol_error", "", detail=detail), retry=True, doubtful=True)


def without_answer(detail: str, usage: dict[str, int]) -> AttemptVerdict:
    """Return the verdict on a response without an answer. If the response has a usage, it was
    charged, and the question is not asked again at once."""
    verdict = protocol_error(detail)
    if not usage:
        return verdict
    reply = replace(verdict.reply, usage=usage, detail=f"{detail}, which was paid for")
    return replace(verdict, reply=reply, retry=False, doubtful=False)


def without_key(text: AnyStr, key: str) -> AnyStr:
    """Return a text or a body with the API key replaced by "[key]"."""
    if len(key) < _SHORTEST_SECRET:
        return text
    if isinstance(text, bytes):
        return text.replace(key.encode(), b"[key]")
    return text.replace(key, "[key]")


def json_of(raw: bytes) -> Any:
    """Parse a body as JSON; return None if it is not JSON."""
    try:
        if raw.startswith(b'{"') and raw.endswith(b"}"):
            # Nearly every body is one object in UTF-8: `loads` would look for other encodings.
            text = raw.decode("utf-8", "surrogatepass")
            value, end = _DECODER.raw_decode(text)
            if end == len(text):
                return value
        return json.loads(raw)
    except (ValueError, RecursionError):
        return None


def _parts(content: Any) -> dict[str, str]:
    """Return the texts of a content by kind: answer, visible reasoning (Mistral), refusal."""
    if isinstance(content, str):
        return {"text": content, "thinking": "", "refusal": ""}
    parts: dict[str, list[str]] = {"text": [], "thinking": [], "refusal": []}
    for part in content if isinstance(content, list) else ():
        for name, texts in parts.items():
            value = part.get(name) if isinstance(part, dict) else None
            if isinstance(value, list):
                value = _parts(value)["text"]
            if isinstance(value, str):
                texts.append(value)
    return {name: "".join(texts) for name, texts in parts.items()}


def _text_in(content: Any) -> str:
    """The text of a content."""
    return _parts(content)["text"] if content else ""


def _usage(usage: Any) -> dict[str, int]:
    """Token counts by OpenAI's names; other names of the same counts are translated."""
    if not isinstance(usage, dict):
        return {}
    flat = counts_in(usage)
    for theirs, ours in (("input_tokens", "prompt_tokens"), ("output_tokens", "completion_tokens")):
        if theirs in flat:
            flat.setdefault(ours, flat[theirs])
    for where, theirs, ours in (
        ("completion_tokens_details", "reasoning_tokens", "reasoning_tokens"),
        ("prompt_tokens_details", "cached_tokens", "cache_read_tokens"),
    ):
        details = usage.get(where)
        counts = counts_in(details) if isinstance(details, dict) else {}
        if theirs in counts:
            flat[ours] = counts[theirs]
    return flat


def counts_in(usage: Mapping[str, Any]) -> dict[str, int]:
    """Return the entries of a usage that are counts of tokens; other entries are not used for
    costs."""
    return {k: v for k, v in usage.items() if type(v) is int and 0 <= v <= _MOST_TOKENS}


def text_of(part: Mapping[str, Any], name: str) -> str:
    """Return a text within a part of a reply; "" if the part holds no text."""
    text = part.get(name)
    return text if isinstance(text, str) else ""


def one_line(text: str) -> str:
    """Return the beginning of a text of unknown origin, on one line and without control
    characters."""
    excerpt = text[:EXCERPT]
    if not excerpt.isprintable():
        excerpt = "".join(c if c.isprintable() else " " for c in excerpt)
    return " ".join(excerpt.split())
