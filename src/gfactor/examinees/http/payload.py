"""From a rendered item to the bytes of a request, in the dialect that a server turns out to speak.

Image bytes are sent as they are in the bank, base64-encoded and otherwise unchanged.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from gfactor.examinees.base import RenderedItem
from gfactor.items import Image, Segment

_REASONING_MODEL = re.compile(r"(?:^|/)(?:o\d|gpt-5)", re.IGNORECASE)

_MIME = {b"\x89PN": "image/png", b"\xff\xd8\xff": "image/jpeg", b"GIF": "image/gif",
         b"RIF": "image/webp"}  # fmt: skip


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
    """The JSON of a chat completion request: one user message per turn of the item."""
    messages = [
        {"role": "user", "content": _parts(turn, detail)} for turn in (*item.earlier, item.content)
    ]
    body: dict[str, Any] = {"model": model, "messages": messages}
    body.update(_decoding(item.decoding, dialect))
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()


def _decoding(parameters: Mapping[str, Any], dialect: Dialect) -> dict[str, Any]:
    return {
        dialect.length_field if name == "max_tokens" else name: value
        for name, value in parameters.items()
        if name not in dialect.dropped
    }


def _parts(turn: tuple[Segment, ...], detail: str) -> str | list[dict[str, Any]]:
    # Plain text stays a plain string: some servers know no other form for text-only messages.
    if all(isinstance(s, str) for s in turn):
        return "\n".join(str(s) for s in turn)
    return [_part(s, detail) for s in turn]


def _part(segment: Segment, detail: str) -> dict[str, Any]:
    if isinstance(segment, str):
        return {"type": "text", "text": segment}
    link: dict[str, str] = {"url": data_url(segment)}
    if detail:
        link["detail"] = detail
    return {"type": "image_url", "image_url": link}


def data_url(image: Image) -> str:
    """The image's own bytes as a data URL, with the type that its first bytes tell."""
    kind = _MIME.get(image.data[:3], "image/png")
    return f"data:{kind};base64,{base64.b64encode(image.data).decode()}"
