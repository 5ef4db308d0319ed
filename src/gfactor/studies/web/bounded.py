"""Bounded cache of objects that a server has made."""

from __future__ import annotations

from typing import TypeVar

MOST_KEPT = 20_000
"""Largest number of questions, parts of their pages, marks and participants in memory."""

K = TypeVar("K")
V = TypeVar("V")


class Bounded(dict[K, V]):
    """A dictionary with at most `most` entries; one more clears it."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        super().__init__()
        self._most = most

    def __setitem__(self, key: K, value: V) -> None:
        if len(self) >= self._most:
            self.clear()
        super().__setitem__(key, value)
