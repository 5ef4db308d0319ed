"""From a rendered item to the bytes of a request, in the dialect that a server turns out to speak.

Image bytes are sent as they are in the bank, base64-encoded and otherwise unchanged.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pybase64

from gfactor.examinees.base import RenderedItem
from gfactor.items import Image, Segment

_REASONING_MODEL = re.compile(r"(?:^|/)(?:o\d|gpt-5)", re.IGNORECASE)

_MIME = {b"\x89PN": b"image/png", b"\xff\xd8\xff": b"image/jpeg", b"GIF": b"image/gif",
         b"RIF": b"image/webp"}  # fmt: skip

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True)
class Dialect:
    """What a server accepts, beyond what all of them do.

    `length_field` is `max_tokens` (every server but OpenAI's reasoning models) or
    `max_completion_tokens` (`tried` counts the changes); `dropped` are decoding parameters that the
    model refuses.
    """

    length_field: str = "max_tokens"
    dropped: frozenset[str] = frozenset()
    tried: int = 0

    @classmethod
    def guess(cls, model: str) -> Dialect:
        """What the model's name suggests; `learn` mends a wrong guess."""
        if _REASONING_MODEL.search(model):
            return cls("max_completion_tokens", frozenset({"temperature", "top_p"}))
        return cls()

    def learn(self, complaint: str) -> Dialect | None:
        """A dialect that avoids what a 400 complains about, or None if nothing is left to try."""
        text = complaint.lower()
        # The name that a server suggests stands in its complaint beside the one it refuses.
        for field in ("max_completion_tokens", "max_tokens"):
            refused = re.search(rf"(?<!\w){self.length_field}(?!\w)", text)
            if field != self.length_field and refused and self.tried < 1:
                return replace(self, length_field=field, tried=1)
        for name in ("temperature", "top_p", "seed", "reasoning_effort"):
            if name in text and name not in self.dropped:
                return replace(self, dropped=self.dropped | {name})
        return None


def request_body(model: str, item: RenderedItem, dialect: Dialect, detail: str = "") -> bytes:
    """The JSON of a chat completion request: one user message per turn of the item.

    Put together from pieces, so that an image's bytes are encoded once and copied once: escaping
    them with the rest would take longer than all other work on a request.
    """
    pieces = [b'{"model":', _json(model), b',"messages":[']
    for number, turn in enumerate((*item.earlier, item.content)):
        pieces.append(b',{"role":"user","content":' if number else b'{"role":"user","content":')
        pieces.extend(_content(turn, detail))
        pieces.append(b"}")
    pieces.append(b"]")
    for name, value in _decoding(item.decoding, dialect).items():
        pieces += [b",", _json(name), b":", _json(value)]
    pieces.append(b"}")
    return b"".join(pieces)


def _decoding(parameters: Mapping[str, Any], dialect: Dialect) -> dict[str, Any]:
    return {
        dialect.length_field if name == "max_tokens" else name: value
        for name, value in parameters.items()
        if name not in dialect.dropped
    }


def _content(turn: tuple[Segment, ...], detail: str) -> list[bytes]:
    # Plain text stays a plain string: some servers know no other form for text-only messages.
    if all(isinstance(s, str) for s in turn):
        return [_json("\n".join(str(s) for s in turn))]
    pieces = [b"["]
    for segment in turn:
        if len(pieces) > 1:
            pieces.append(b",")
        if isinstance(segment, str):
            pieces += [b'{"type":"text","text":', _json(segment), b"}"]
        else:
            pieces += [b'{"type":"image_url","image_url":{"url":"', *_data_url(segment), b'"']
            pieces.append(b',"detail":' + _json(detail) + b"}}" if detail else b"}}")
    pieces.append(b"]")
    return pieces


def data_url(image: Image) -> str:
    """The image's own bytes as a data URL, with the type that its first bytes tell."""
    return b"".join(_data_url(image)).decode()


def _data_url(image: Image) -> tuple[bytes, bytes]:
    kind = _MIME.get(image.data[:3], b"image/png")
    return b"data:" + kind + b";base64,", pybase64.b64encode(image.data)


def _json(value: object) -> bytes:
    return _ENCODER.encode(value).encode()
