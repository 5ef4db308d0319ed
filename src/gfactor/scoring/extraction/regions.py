"""Parts of a cleaned reply that should hold only the answer, and what is read in them."""

from __future__ import annotations

from dataclasses import dataclass

from gfactor.items import Answer

Span = tuple[int, int]


class NotOneAnswerError(Exception):
    """The part of the reply that should hold the answer does not hold exactly one."""


@dataclass(frozen=True)
class Region:
    """A part of the cleaned reply that should hold only the answer."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Reading:
    """Answer that a rule read, and its span in the reply."""

    answer: Answer | None
    span: Span


def line_end(text: str, start: int) -> int:
    """Return the end of the line in which a position lies."""
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def last_line(text: str, before: int) -> Region:
    """Return the last line above a position that is not empty."""
    end = len(text[:before].rstrip())
    return Region(text, text.rfind("\n", 0, end) + 1, end)
