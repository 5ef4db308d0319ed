"""Perception of an observer: vision that may blur and a memory that may lose elements.

Solvers are written once, for a perfect perception; a limited perception degrades the picture
(`see`) and the memory (`hold`), so that its errors come from the pixels and grow with the load.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

from gfactor.imaging import Pixels

T = TypeVar("T")


class Perception(Protocol):
    """Vision and memory of an observer. A new perception is made for every item."""

    def see(self, pixels: Pixels) -> Pixels:
        """Return the picture as this perception sees it (same shape)."""
        ...

    def hold(
        self,
        things: Sequence[T],
        guesses: Sequence[T] | None = None,
        turns: int | Sequence[int] = 0,
    ) -> list[T]:
        """Return the `things` that remain in memory if all are held at once.

        Without `guesses` a lost element is missing (a miscounted object). With `guesses` it is
        replaced by one of them (a forgotten step of a sequence that is guessed). A solver calls
        `hold` once, with the elements whose number is the memory load of the task: counted objects,
        compared rows, listed steps. `turns` is the number of turns of a conversation since they
        were shown (of each, or of all).
        """
        ...

    def consider(self, hypotheses: Iterable[T]) -> Iterator[T]:
        """Return the hypotheses that this perception considers, in the given order, the simplest
        first.

        Hypotheses are rules to try, paths to follow or assignments to check. A solver asks for them
        one at a time; a limited perception stops early.
        """
        ...

    def search(self, spots: Sequence[T]) -> Sequence[T]:
        """Return the spots in the order in which this perception looks at them.

        It is used for spots without a simplest one: positions in a pattern, options. People search
        a display one element after the other until they find the target (Treisman and Gelade 1980,
        Cognitive Psychology 12, 97), each in an individual order (Noton and Stark 1971, Vision
        Research 11, 929).
        """
        ...

    def guess(self, answers: Sequence[T]) -> T:
        """Draw a random answer, for an item that no considered hypothesis fits.

        Raises ValueError for a perception that never guesses.
        """
        ...


class IdealPerception:
    """A perception that sees every pixel exactly and forgets nothing."""

    def see(self, pixels: Pixels) -> Pixels:
        return pixels

    def hold(
        self,
        things: Sequence[T],
        guesses: Sequence[T] | None = None,
        turns: int | Sequence[int] = 0,
    ) -> list[T]:
        return list(things)

    def consider(self, hypotheses: Iterable[T]) -> Iterator[T]:
        return iter(hypotheses)

    def search(self, spots: Sequence[T]) -> Sequence[T]:
        return spots

    def guess(self, answers: Sequence[T]) -> T:
        raise ValueError("an ideal perception found no answer")
