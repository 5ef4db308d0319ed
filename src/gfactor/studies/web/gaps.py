"""Texts that are rendered once, with gaps for what differs each time that they are sent."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from operator import itemgetter
from secrets import token_hex

Pieces = tuple[list[str], Callable[[Sequence[str]], Sequence[str]]]
"""Texts with gaps between them (an empty text stands in each gap), and a function that picks what
fills the gaps, in their order, from the values."""


class Gaps:
    """Random marks in a text for values that are filled in later; no author of the text can know
    them."""

    def __init__(self) -> None:
        self._secret = token_hex(16)
        self._split = re.compile(f"{self._secret}([0-9]+)x")

    def mark(self, number: int) -> str:
        """Return the mark for the value with this number (from 0)."""
        return f"{self._secret}{number}x"

    def pieces(self, text: str) -> Pieces:
        """Split a text at its marks."""
        pieces = self._split.split(text)
        numbers = [int(number) for number in pieces[1::2]]
        if len(numbers) < 2:
            return pieces, lambda values: [values[number] for number in numbers]
        return pieces, itemgetter(*numbers)


def filled(pieces: Pieces, values: Sequence[str]) -> str:
    """Return the text with these values in its gaps."""
    texts, pick = pieces
    texts = texts.copy()
    texts[1::2] = pick(values)
    return "".join(texts)
