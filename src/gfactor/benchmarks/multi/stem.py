"""The content of a question: text with pictures in their places, and its options."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gfactor.benchmarks.loading import lettered_options, listed, pictured, unlisted
from gfactor.items import Choice, Image, Segment

_TOKEN = re.compile(r"\[IMAGE_(\d+)\]|<img_(\d+)>")

MASK = "[MASK]"
"""Sign for a blank, and for the answer of a choice."""


@dataclass(frozen=True)
class Stem:
    """A question as it is shown.

    Parameters
    ----------
    content: texts and pictures in reading order.
    choices: empty for questions without options; labels alone where the options are in the content.
    pictured_options: True if a picture stands among the options.
    """

    content: tuple[Segment, ...]
    choices: tuple[Choice, ...] = ()
    pictured_options: bool = False

    @property
    def images(self) -> tuple[Image, ...]:
        """The pictures of the content and then of the choices."""
        segments = (*self.content, *(choice.content for choice in self.choices))
        return tuple(s for s in segments if isinstance(s, Image))


def read_stem(text: str, key: Sequence[str], picture: Callable[[int], Image]) -> Stem:
    """Return the content and options of a question.

    Parameters
    ----------
    text: the problem's text and the question's own, with [IMAGE_n] for pictures.
    key: labels of the right options; empty for questions that have none.
    picture: number in the text, from 1 -> picture; raises ValueError if there is none.

    Raises ValueError for a key that is not among the options.
    """
    if not key:
        return Stem(_segments(text, picture))
    lettered = lettered_options(text)
    if lettered is None:
        return Stem(_segments(text, picture), pictured(key))
    labels = [label for label, _ in lettered.options]
    strangers = [label for label in key if label not in labels]
    if strangers:
        raise ValueError(f"its key {''.join(key)!r} is not among its options ({', '.join(labels)})")
    options = [(label, _segments(option, picture)) for label, option in lettered.options]
    among = any(isinstance(s, Image) for _, segments in options for s in segments)
    choices = listed(options)
    if choices is None:
        # If an option mixes text and picture, everything stays in place, in reading order.
        return Stem(_segments(text, picture), unlisted(labels), among)
    return Stem(_segments(lettered.stem, picture), choices, among)


def _segments(text: str, picture: Callable[[int], Image]) -> tuple[Segment, ...]:
    """Texts and pictures in their order; texts without the line breaks around pictures."""
    segments: list[Segment] = []
    start = 0
    for token in _TOKEN.finditer(text):
        segments += _worded(text[start : token.start()])
        segments.append(picture(int(token[1] or token[2])))
        start = token.end()
    return tuple(segments + _worded(text[start:]))


def _worded(text: str) -> list[Segment]:
    trimmed = text.strip()
    return [trimmed] if trimmed else []


def without_tokens(text: str) -> str:
    """Return a text without the signs for its pictures."""
    return _TOKEN.sub("", text).strip()


def images_named(text: str) -> int:
    """Return the number of pictures that a text names."""
    return len(_TOKEN.findall(text))
