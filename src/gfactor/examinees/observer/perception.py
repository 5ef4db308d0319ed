"""Perception of an observer: eyes that may blur and a memory that may lose.

Solvers are written once, for a perfect perception; a limited perception degrades what they see
(`see`) and what they hold (`hold`), so that its errors come from the pixels and grow with the load.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

from gfactor.imaging import Pixels

T = TypeVar("T")


class Perception(Protocol):
    """Eyes and memory. A new perception is made for every item."""

    def see(self, pixels: Pixels) -> Pixels:
        """Return the picture as this perception's eyes deliver it (same shape)."""
        ...

    def hold(
        self,
        things: Sequence[T],
        guesses: Sequence[T] | None = None,
        turns: int | Sequence[int] = 0,
    ) -> list[T]:
        """Return the `things` that remain in memory if all are held at once.

        Without `guesses` a lost thing is missing (a miscounted object); with `guesses` it is
        replaced by one of them (a step of a sequence that was forgotten and is guessed).
        A solver passes through `hold` once, with the things whose number the task's load is:
        the objects that are counted, the rows that are compared, the steps that are listed.
        `turns` says how many turns of a conversation ago they were shown (each of them, or all).
        """
        ...

    def consider(self, hypotheses: Iterable[T]) -> Iterator[T]:
        """Return the hypotheses that this perception gets to, in the order given: the simplest
        first.

        Rules that are tried, paths that are followed, assignments that are checked. A solver asks
        for them one at a time; a limited perception stops early.
        """
        ...

    def search(self, spots: Sequence[T]) -> Sequence[T]:
        """Return the spots in the order in which this perception looks at them.

        For what has no simplest first: where in a pattern, which option. People who search a
        display look at one thing after the other until they have it (Treisman and Gelade 1980,
        Cognitive Psychology 12, 97), each along paths of their own (Noton and Stark 1971, Vision
        Research 11, 929).
        """
        ...

    def guess(self, answers: Sequence[T]) -> T:
        """Draw a random answer, for an item that no considered hypothesis fits.

        Raises ValueError for a perception that never guesses.
        """
        ...


class IdealPerception:
    """Sees every pixel as it is and forgets nothing."""

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
