"""Exam questions with choices and blanks, in several languages, with pictures in any place."""

from __future__ import annotations

from typing import Any

from gfactor.examinees import RenderedItem
from gfactor.imaging import encode_png
from gfactor.items import Choice, Image, Item, Provenance, text_hash
from support.banks import picture


def image(shade: int, width: int = 8, height: int = 6) -> Image:
    """A picture, another for every shade."""
    return Image(encode_png(picture(shade, width, height)), f"p{shade}.png")


def words(item: RenderedItem) -> str:
    """All texts of all turns, with a sign for every image."""
    turns = (*item.earlier, item.content)
    return "\n--\n".join(
        "\n".join(s if isinstance(s, str) else f"<{s.path}>" for s in turn) for turn in turns
    )


def question(item_id: str = "q1", **changed: Any) -> Item:
    """A question with four text choices of which B is right; `changed` replaces its fields."""
    fields: dict[str, Any] = {
        "id": item_id,
        "benchmark": "exam",
        "content": ("Look:", image(1), "Which animal is it?"),
        "answer_type": "choice",
        "target": "B",
        "choices": tuple(
            Choice(*pair) for pair in zip("ABCD", ("cat", "dog", "cow", "hen"), strict=True)
        ),
        "labels": {"domain": "animals", "subject": "biology", "knowledge": ("k1", "k2")},
        "language": "en",
        "provenance": Provenance("tests", "1", text_hash(f"exam {item_id}")),
    }
    return Item(**{**fields, **changed})


BLANKS: dict[str, Any] = {
    "answer_type": "blanks",
    "choices": (),
    "target": ("north", "south"),
    "content": ("A needle points [MASK] and [MASK].",),
}
"""What makes a question one with two blanks."""
