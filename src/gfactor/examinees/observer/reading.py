"""Common parts of the readers of text twins: shapes and pictures in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_SHAPE = re.compile(
    r"(\w+) (\w[\w ]*?)(?: with the number (\d+))?, radius (\d+), at \((-?\d+), (-?\d+)\)"
)
_HEAD = " in words, one thing a line"
_BETWEEN = re.compile(r"[,;] ")
_ROW, _OPTION = re.compile(r"Row \d+: (.+)"), re.compile(r"[A-Z]\. (.+)")
_FIRST, _SECOND = "First picture:", "Second picture:"


@dataclass(frozen=True)
class WrittenShape:
    """A shape that a line describes; `number` is 0 if none is written on the shape."""

    color: str
    kind: str
    number: int
    r: int
    x: int
    y: int


def shapes(lines: Sequence[str]) -> list[WrittenShape]:
    """Return the shapes that lines describe, in order; other lines are ignored."""
    matches = [match for line in lines if (match := _SHAPE.fullmatch(line))]
    return [
        WrittenShape(m[1], m[2], int(m[3] or 0), int(m[4]), int(m[5]), int(m[6])) for m in matches
    ]


def twin_of(lines: Sequence[str]) -> Sequence[str]:
    """Return the lines of the twin, without those of the question; raise ValueError if there is
    none."""
    start = next((k for k, line in enumerate(lines) if _HEAD in line), None)
    if start is None:
        raise ValueError("the text describes no picture")
    return lines[start + 1 :]


def two_pictures(lines: Sequence[str]) -> tuple[list[WrittenShape], list[WrittenShape]]:
    """Return the shapes of the first and of the second picture; raise ValueError if there are not
    two."""
    lines_of_twin = list(twin_of(lines))
    first, second = lines_of_twin.index(_FIRST), lines_of_twin.index(_SECOND)
    return shapes(lines_of_twin[first:second]), shapes(lines_of_twin[second:])


def series(lines: Sequence[str]) -> list[str]:
    """Return the entries of the series that ends with a question mark; ValueError if none does."""
    for line in lines:
        *entries, last = _BETWEEN.split(line.rpartition(": ")[2])
        if entries and last == "?":
            return entries
    raise ValueError("the text contains no series")


def options(lines: Sequence[str]) -> list[str]:
    """Return the options, in the order of their letters."""
    return [match[1] for line in lines if (match := _OPTION.fullmatch(line))]


def rows(lines: Sequence[str]) -> list[list[str]]:
    """Return the entries of numbered rows; raise ValueError if there are no such rows."""
    entries = [_BETWEEN.split(match[1]) for line in lines if (match := _ROW.fullmatch(line))]
    if not entries:
        raise ValueError("the text describes no rows")
    return entries
