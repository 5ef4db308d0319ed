"""From a rendered item to the bytes of a request, in the dialect that the server accepts.

Image bytes are sent as they are in the bank, base64-encoded and otherwise unchanged.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass, replace
from typing import Any

from gfactor.examinees.base import FAILED, RenderedItem, Reply
from gfactor.examinees.http.encoding import url_pieces
from gfactor.examinees.left_out import left_out_note
from gfactor.items import Image, Segment

_REASONING_MODEL = re.compile(r"(?:^|/)(?:o\d|gpt-5)", re.IGNORECASE)

_EXCERPT = 200
"""Number of characters quoted from a refusal."""

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


_OUT_OF_RANGE = re.compile(
    r"\b(range|between|non-?negative|too (large|big|high|long|small|low)|at (most|least)"
    r"|(less|greater|larger|smaller|more) than|exceeds?)\b"
)
"""Pattern of messages that refuse a value and not the parameter."""

_STREAM = re.compile(
    r"\bstream(ing)?\b.*\b(only|required?|must|enable)|\b(only|must|requires?|enable).*\bstream"
)


@dataclass(frozen=True)
class Dialect:
    """Parameters that a server accepts in addition to those that all servers accept.

    `length_field` is `max_tokens` (every server but OpenAI's reasoning models),
    `max_completion_tokens` or, in the Responses API, `max_output_tokens` (`tried` counts the
    changes); `dropped` are parameters that the model
    refuses; `stream` is for models that only answer as a stream.
    """

    length_field: str = "max_tokens"
    dropped: frozenset[str] = frozenset()
    tried: int = 0
    stream: bool = False

    @classmethod
    def guess(cls, model: str) -> Dialect:
        """Return the dialect that the model's name suggests; `learn` corrects a wrong guess."""
        return cls("max_completion_tokens" if _REASONING_MODEL.search(model) else "max_tokens")

    def learn(self, complaint: str, sent: Iterable[str]) -> Dialect | None:
        """Return a dialect without the flaw that a response 400 names, or None if nothing is left
        to try.

        Parameters
        ----------
        complaint: the server's words.
        sent: the parameters of generation that the condition has, by OpenAI's names.
        """
        text = complaint.lower()
        if _STREAM.search(text) and not self.stream:
            return replace(self, stream=True)
        if _OUT_OF_RANGE.search(text):
            return None
        # A server's message contains the name that it suggests and the one that it refuses.
        for field in ("max_completion_tokens", "max_tokens"):
            if field != self.length_field and _names(text, self.length_field) and self.tried < 1:
                return replace(self, length_field=field, tried=1)
        extra = {"stream_options"} if self.stream else set()
        for name in sorted({*sent, *extra} - self.dropped - {"max_tokens"}):
            if _names(text, name):
                return replace(self, dropped=self.dropped | {name})
        return None


class LearnedDialect:
    """The dialect that a model accepts, as learned from direct and batched requests.

    Parameters
    ----------
    dialect: dialect that the model's name suggests.
    """

    def __init__(self, dialect: Dialect) -> None:
        self.current = dialect
        self.left_out: set[str] = set()
        """Parameters of conditions that requests lacked."""
        self._refusals: dict[str, str] = {}

    def improve(self, used: Dialect, complaint: str, sent: Iterable[str]) -> Dialect | None:
        """Learn from the refusal of a request; return None if nothing is left to try.

        Parameters
        ----------
        used: the dialect of the request, which may be older than the current one.
        complaint: the server's words.
        sent: the parameters of generation that the condition has, by OpenAI's names.
        """
        better = used.learn(complaint, sent)
        if better is None:
            return None
        for name in better.dropped - used.dropped:
            self._refusals.setdefault(name, " ".join(complaint.split())[:_EXCERPT])
        now = self.current
        self.current = replace(
            better, dropped=better.dropped | now.dropped, stream=better.stream or now.stream,
            length_field=better.length_field if better.tried else now.length_field,
            tried=max(better.tried, now.tried),
        )  # fmt: skip
        return self.current

    def why(self, name: str) -> str:
        """Return the reason why a parameter is left out: the server's message, or that the API
        lacks it."""
        refusal = self._refusals.get(name)
        return f'the server said "{refusal}"' if refusal else "the API has no such parameter"

    def note(self, dialect: Dialect, sent: Iterable[str]) -> None:
        """Record the parameters of the condition that a request in this dialect lacks."""
        self.left_out |= dialect.dropped & set(sent)


def with_note(reply: Reply, left_out: Set[str]) -> Reply:
    """Return the reply, with a note if it is an answer to a request that lacked parameters."""
    if not left_out or reply.outcome in FAILED:
        return reply
    return replace(reply, detail="; ".join(filter(None, [reply.detail, left_out_note(left_out)])))


def _names(text: str, parameter: str) -> bool:
    """Return True if a complaint names a parameter, also in other spellings (presencePenalty,
    reasoning.effort)."""
    words = {parameter, parameter.replace("_", ""), parameter.replace("_", r"\.")}
    return any(re.search(rf"(?<![a-z0-9_]){word}(?![a-z0-9_])", text) for word in words)


Pieces = Callable[[Image], tuple[bytes, bytes]]


def request_body(
    model: str, item: RenderedItem, dialect: Dialect, detail: str = "", encode: Pieces = url_pieces
) -> bytes:
    """Return the JSON of a chat completion request: one user message per turn of the item.

    The examinee's own replies come between the turns, except empty ones, which some servers refuse.
    The body is joined from pieces, so that an image's bytes are encoded and copied only once:
    escaping them with the rest would take longer than all other work on a request.
    """
    pieces = [b'{"model":', json_bytes(model), b',"messages":[']
    rest = b'","detail":' + json_bytes(detail) + b"}}" if detail else b'"}}'
    kinds = PartKinds(b"text", b'image_url","image_url":{"url":"', rest)
    add_turns(pieces, item, lambda number, turn: add_content(pieces, turn, kinds, encode))
    pieces.append(b"]")
    add_fields(pieces, _decoding(item.decoding, dialect))
    if dialect.stream:
        pieces.append(b',"stream":true')
        if "stream_options" not in dialect.dropped:
            pieces.append(b',"stream_options":{"include_usage":true}')
    pieces.append(b"}")
    return b"".join(pieces)


def _decoding(parameters: Mapping[str, Any], dialect: Dialect) -> dict[str, Any]:
    return {
        dialect.length_field if name == "max_tokens" else name: value
        for name, value in parameters.items()
        if name not in dialect.dropped
    }


def add_turns(
    pieces: list[bytes], item: RenderedItem, add: Callable[[int, tuple[Segment, ...]], None]
) -> None:
    """Append a message of the user for each turn of the item, and between them the examinee's own
    replies; `add` appends the content of a turn."""
    for number, turn in enumerate((*item.earlier, item.content)):
        pieces.append(b',{"role":"user","content":' if number else b'{"role":"user","content":')
        add(number, turn)
        pieces.append(b"}")
        if number < len(item.replies) and item.replies[number].strip():
            pieces += [b',{"role":"assistant","content":', json_bytes(item.replies[number]), b"}"]


def add_fields(pieces: list[bytes], fields: Mapping[str, Any]) -> None:
    """Append further fields to an object that has one already."""
    for name, value in fields.items():
        pieces += [b",", json_bytes(name), b":", json_bytes(value)]


@dataclass(frozen=True)
class PartKinds:
    """Spelling of the parts of a message in an API of OpenAI: the type of a text, and the JSON
    around the address of an image, from its type on."""

    text: bytes
    image: bytes
    behind: bytes


def add_content(
    pieces: list[bytes], turn: tuple[Segment, ...], kinds: PartKinds, encode: Pieces
) -> None:
    """Append the content of a turn: a string, or a list of parts if it has images."""
    # Plain text stays a plain string, because some servers accept no other form of text-only
    # messages.
    if all(isinstance(s, str) for s in turn):
        pieces.append(json_bytes("\n".join(str(s) for s in turn)))
        return
    opened = b"["
    for segment in turn:
        pieces.append(opened)
        opened = b","
        if isinstance(segment, str):
            pieces += [b'{"type":"', kinds.text, b'","text":', json_bytes(segment), b"}"]
        else:
            pieces += [b'{"type":"', kinds.image, *encode(segment), kinds.behind]
    pieces.append(b"]")


def media_type(head: bytes) -> bytes:
    """Return the type of an image, of the first of its `url_pieces`."""
    return head.removeprefix(b"data:").removesuffix(b";base64,")


def json_bytes(value: object) -> bytes:
    """Return a value as JSON, without spaces and without escapes of non-ASCII letters."""
    return _ENCODER.encode(value).encode()
