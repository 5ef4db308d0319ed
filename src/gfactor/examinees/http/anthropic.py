"""Anthropic's Messages API: requests, messages, streams, errors.

Documentation: platform.claude.com, api/messages, api/errors, build-with-claude/vision,
extended-thinking, adaptive-thinking, prompt-caching and streaming.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

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
)
from gfactor.examinees.http.endings import ending_of
from gfactor.examinees.http.failures import failure_of
from gfactor.examinees.http.payload import (
    Dialect,
    Pieces,
    add_fields,
    add_turns,
    json_bytes,
    media_type,
)
from gfactor.examinees.http.streams import events_of, is_stream
from gfactor.items import Segment

VERSION = "2023-06-01"

MAX_TOKENS = 4096
"""Largest number of tokens of an answer if the condition names none: the API requires a number, and
every model allows this one."""

ADAPTIVE_TOKENS = 12_000
"""Number of additional tokens if the model decides how much it thinks, because the API counts
thoughts, too."""

LEAST_THINKING = 1024
"""The smallest thinking budget that the API accepts."""

CACHES = ("5m", "1h")

_NOT_TAKEN = frozenset(
    {"frequency_penalty", "min_p", "presence_penalty", "repetition_penalty", "seed"}
)
"""Parameters of conditions that the API does not have."""

_STATUSES = {
    "invalid_request_error": 400, "authentication_error": 401, "billing_error": 402,
    "permission_error": 403, "not_found_error": 404, "request_too_large": 413,
    "rate_limit_error": 429, "api_error": 500, "timeout_error": 504, "overloaded_error": 529,
}  # fmt: skip
"""Status that corresponds to an error's type in a stream, which begins with status 200."""


@dataclass(frozen=True)
class Anthropic:
    """The Messages API.

    Parameters
    ----------
    thinking: a budget in tokens ("4096"), "adaptive", "off", or "" for no setting. cache: time for
    which the vendor stores the request ("5m", "1h"), "" for none. It changes costs, not answers.
    """

    thinking: str = ""
    cache: str = ""

    scheme = "anthropic"
    base_url = "https://api.anthropic.com/v1"
    key_names = ("ANTHROPIC_API_KEY",)

    def __post_init__(self) -> None:
        if self.thinking not in ("", "adaptive", "off") and not _at_least(
            self.thinking, LEAST_THINKING
        ):
            raise ParameterError(
                f"Anthropic's models do not take thinking={self.thinking}; write a number of "
                f"tokens ({LEAST_THINKING:,} or more), adaptive, or off"
            )
        if self.cache not in ("", *CACHES):
            raise ParameterError(f"cache must be {' or '.join(CACHES)}, not {self.cache}")

    @property
    def named(self) -> Mapping[str, str]:
        """Return the setting of thinking, which is part of the examinee's name."""
        return {"thinking": self.thinking}

    @property
    def budget(self) -> int:
        """The thinking budget in tokens, 0 if there is none."""
        return int(self.thinking) if self.thinking.isdigit() else 0

    def url(self, base_url: str, model: str) -> str:
        """Return the address that requests are sent to."""
        return f"{base_url}/messages"

    def headers(self, key: str) -> dict[str, str]:
        """Return the version of the API, and the key."""
        return {"anthropic-version": VERSION} | ({"x-api-key": key} if key else {})

    def dialect(self, model: str) -> Dialect:
        """Return the dialect without parameters that no model accepts."""
        return Dialect(dropped=_NOT_TAKEN, tried=1)

    def body(
        self, model: str, item: RenderedItem, dialect: Dialect, detail: str, encode: Pieces
    ) -> bytes:
        """Return the JSON of a request; raise ParameterError if max_tokens leaves no room for an
        answer."""
        decoding = {k: v for k, v in item.decoding.items() if k not in dialect.dropped}
        pieces = [b'{"model":', json_bytes(model), b',"messages":[']
        last = len(item.earlier)

        def add(number: int, turn: tuple[Segment, ...]) -> None:
            self._add_turn(pieces, turn, encode, cached=bool(self.cache) and number == last)

        add_turns(pieces, item, add)
        pieces.append(b"]")
        fields = {"max_tokens": self.longest(decoding), **decoding, **self._thinking()}
        effort = fields.pop("reasoning_effort", None)
        if effort is not None:
            fields["output_config"] = {"effort": effort}
        if self.budget >= int(fields["max_tokens"]):
            raise ParameterError(
                f"max_tokens={fields['max_tokens']} leaves no room for an answer beside "
                f"thinking={self.thinking}: Anthropic counts both; raise max_tokens"
            )
        if dialect.stream:
            fields["stream"] = True
        add_fields(pieces, fields)
        pieces.append(b"}")
        return b"".join(pieces)

    def longest(self, decoding: Mapping[str, Any]) -> int:
        """Return the condition's limit of tokens, or the default that is sent because the API
        requires a limit."""
        thoughts = ADAPTIVE_TOKENS if self.thinking == "adaptive" else self.budget
        return int(decoding.get("max_tokens", MAX_TOKENS + thoughts))

    def _thinking(self) -> dict[str, Any]:
        if not self.thinking:
            return {}
        if self.budget:
            return {"thinking": {"type": "enabled", "budget_tokens": self.budget}}
        if self.thinking == "adaptive":
            # Newer models return no thoughts unless a summary is requested.
            return {"thinking": {"type": "adaptive", "display": "summarized"}}
        return {"thinking": {"type": "disabled"}}

    def _add_turn(
        self, pieces: list[bytes], turn: tuple[Segment, ...], encode: Pieces, *, cached: bool
    ) -> None:
        if not cached and all(isinstance(s, str) for s in turn):
            pieces.append(json_bytes("\n".join(str(s) for s in turn)))
            return
        # The vendor's cache stores everything up to the mark, of any length.
        mark = b',"cache_control":' + json_bytes(_ttl(self.cache)) if cached else b""
        # The API refuses texts without a letter.
        segments = [s for s in turn if not isinstance(s, str) or s.strip()]
        opened = b"["
        for number, segment in enumerate(segments):
            pieces.append(opened)
            opened = b","
            if isinstance(segment, str):
                pieces += [b'{"type":"text","text":', json_bytes(segment)]
            else:
                head, data = encode(segment)
                pieces += [b'{"type":"image","source":{"type":"base64","media_type":"',
                           media_type(head), b'","data":"', data, b'"}']  # fmt: skip
            pieces += [mark if number == len(segments) - 1 else b"", b"}"]
        pieces.append(b"]" if segments else b"[]")

    def judge(
        self, status: int, headers: Mapping[str, str], raw: bytes, now: float
    ) -> AttemptVerdict:
        """Read a message, or an error that was returned instead."""
        streamed = status == 200 and is_stream(raw)
        body = message_of(raw) if streamed else json_of(raw)
        failure = failure_of(body)
        if status == 200 and failure and isinstance(body, dict):
            error = body.get("error")
            kind = error.get("type") if isinstance(error, dict) else None
            status = _STATUSES.get(str(kind), 502)
        if status != 200:
            return failed(status, headers, failure or unread(status, headers, raw), now)
        if streamed and body is None:
            return protocol_error("a stream that broke off")
        if not isinstance(body, dict) or not isinstance(body.get("content"), list):
            return protocol_error(unreadable(raw, headers, "message"))
        return named(_read(body), body, "model")


def _at_least(text: str, least: int) -> bool:
    return text.isascii() and text.isdigit() and int(text) >= least


def _ttl(cache: str) -> dict[str, str]:
    # Five minutes are the default, which gateways support.
    return {"type": "ephemeral"} | ({} if cache == "5m" else {"ttl": cache})


def _read(body: dict[str, Any]) -> AttemptVerdict:
    blocks = [b for b in body["content"] if isinstance(b, dict)]
    text = "".join(text_of(b, "text") for b in blocks if b.get("type") == "text")
    thought = "".join(text_of(b, "thinking") for b in blocks if b.get("type") == "thinking")
    finish = str(body.get("stop_reason") or "")[:100]
    ending = ending_of(finish)
    outcome: Outcome = "ok" if text.strip() else "empty"
    if ending == "broken" or not finish:
        return protocol_error(f"a message without an end ({finish or 'no stop_reason'})")
    usage = usage_of(body.get("usage"))
    return AttemptVerdict(Reply(text, ending or outcome, finish, usage=usage, reasoning=thought))


def usage_of(usage: Any) -> dict[str, int]:
    """Return token counts under OpenAI's names; Anthropic counts cached tokens separately.

    Examples
    --------
    >>> usage_of({"input_tokens": 3, "cache_read_input_tokens": 90, "output_tokens": 5})
    {'prompt_tokens': 93, 'completion_tokens': 5, 'cache_read_tokens': 90}
    """
    if not isinstance(usage, dict):
        return {}
    in_their_names = counts_in(usage)
    if "input_tokens" not in in_their_names or "output_tokens" not in in_their_names:
        return {}
    read = in_their_names.get("cache_read_input_tokens", 0)
    wrote = in_their_names.get("cache_creation_input_tokens", 0)
    counts = {
        "prompt_tokens": in_their_names["input_tokens"] + read + wrote,
        "completion_tokens": in_their_names["output_tokens"],
        "cache_read_tokens": read,
        "cache_write_tokens": wrote,
    }
    return {k: v for k, v in counts.items() if v or not k.startswith("cache")}


def message_of(raw: bytes) -> dict[str, Any] | None:
    """Return the message in a stream; None if the stream ended before `message_stop`.

    An error within the stream is returned instead of the message.
    """
    message: dict[str, Any] = {}
    blocks: dict[int, dict[str, Any]] = {}
    whole = False
    for event in events_of(raw):
        kind = event.get("type")
        if kind == "error":
            return event
        if kind == "message_start" and isinstance(event.get("message"), dict):
            message = event["message"]
        elif kind == "content_block_start" and isinstance(event.get("content_block"), dict):
            blocks[len(blocks)] = dict(event["content_block"])
        elif kind == "content_block_delta" and blocks:
            _add_delta(blocks[len(blocks) - 1], event.get("delta"))
        elif kind == "message_delta":
            delta, usage = event.get("delta"), event.get("usage")
            message |= delta if isinstance(delta, dict) else {}
            started = message.get("usage")
            message["usage"] = {**(started if isinstance(started, dict) else {}),
                                **(usage if isinstance(usage, dict) else {})}  # fmt: skip
        whole = whole or kind == "message_stop"
    return {**message, "content": list(blocks.values())} if whole else None


def _add_delta(block: dict[str, Any], delta: Any) -> None:
    for name in ("text", "thinking"):
        piece = delta.get(name) if isinstance(delta, dict) else None
        if isinstance(piece, str):
            block[name] = f"{block.get(name, '')}{piece}"
