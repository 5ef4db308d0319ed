"""Rules of matrices that are never drawn, and that no wrong option may follow.

A count can be the distance of two others by chance, or a value can repeat on the diagonals. An
examinee who sees such a rule would choose an option that the drawn rules exclude, so items with
such an option are drawn again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from gfactor.benchmarks.chc.common import ATTRIBUTES, ORDERED
from gfactor.imaging.figures import SPOTS, CellFigures

Line = tuple[Any, ...]

COUNTS: Mapping[str, Callable[[int, int], int]] = {
    "sum": lambda a, b: a + b,
    "difference": lambda a, b: a - b,
    "difference backwards": lambda a, b: b - a,
    "distance": lambda a, b: abs(a - b),
    "product": lambda a, b: a * b,
    "more": max,
    "fewer": min,
    "sum and one": lambda a, b: a + b + 1,
    "sum less one": lambda a, b: a + b - 1,
}
"""A third count by a rule about the first two."""

STROKES: Mapping[str, Callable[[bool, bool], bool]] = {
    "and": lambda a, b: a and b,
    "or": lambda a, b: a or b,
    "xor": lambda a, b: a != b,
    "first without second": lambda a, b: a and not b,
    "second without first": lambda a, b: b and not a,
}
"""A stroke at a place of the third rim by a rule about the first two."""


def follows_rival(side: int, cells: Sequence[CellFigures], option: CellFigures) -> bool:
    """Return True if each attribute of the option follows from some rule along rows, columns or
    diagonals.

    Parameters
    ----------
    side : int
        Number of cells along a side of the grid, 2 or 3.
    cells : sequence of CellFigures
        The cells of the grid, row by row, without the last one.
    option : CellFigures
        The figure that would stand in the last place.
    """
    return all(
        any(getattr(option, attribute) == end for end in rival_ends(side, cells, attribute))
        for attribute in (*ATTRIBUTES, "marks")
    )


def rival_ends(side: int, cells: Sequence[CellFigures], attribute: str) -> Iterator[Any]:
    """Yield the last value of an attribute by each rule."""
    values = [getattr(cell, attribute) for cell in cells]
    for whole, last in _ways(side, values):
        if all(len(set(line)) == 1 for line in (*whole, last)):
            yield last[0]
        if attribute in ORDERED:
            yield from _steps(attribute, whole, last)
        if side == 3:
            yield from _shared(whole, last)
            yield from _computed(attribute, whole, last)


def _ways(side: int, values: Sequence[Any]) -> Iterator[tuple[list[Line], Line]]:
    """Yield the whole lines of each direction and the start of the last line."""
    grid = [list(values[r * side : (r + 1) * side]) for r in range(side)]
    grid[-1].append(None)
    ways = [grid, [list(column) for column in zip(*grid, strict=True)]]
    if side == 3:
        ways += [
            [[grid[r][(k + sign * r) % 3] for r in range(3)] for k in range(3)] for sign in (1, -1)
        ]
    for lines in ways:
        number = next(k for k, line in enumerate(lines) if line[-1] is None)
        whole = [tuple(line) for k, line in enumerate(lines) if k != number]
        yield whole, tuple(lines[number][:-1])


def _steps(attribute: str, whole: Sequence[Line], last: Line) -> Iterator[Any]:
    """The same step everywhere, with or without wrapping around the scale, or the same two steps in
    every line."""
    scale = ATTRIBUTES[attribute]
    size = len(scale)
    steps = [tuple(scale.index(b) - scale.index(a) for a, b in pairwise(line)) for line in whole]
    begun = tuple(scale.index(b) - scale.index(a) for a, b in pairwise(last))
    here = scale.index(last[-1])
    for around in (False, True) if attribute != "turn" else (True,):
        lines = [tuple(s % size for s in line) for line in steps] if around else steps
        start = tuple(s % size for s in begun) if around else begun
        if len(set(lines)) == 1 and lines[0][:-1] == start:
            even = len(set(lines[0])) == 1
            ends = here + lines[0][-1]
            if (even or (len(whole) == 2 and not around)) and (around or 0 <= ends < size):
                yield scale[ends % size]


def _shared(whole: Sequence[Line], last: Line) -> Iterator[Any]:
    """The same values in every line, some of which may be alike."""
    bags = {tuple(sorted(map(repr, line))) for line in whole}
    left = list(whole[0])
    if len(bags) > 1 or len(set(left)) == 1:
        return
    for value in last:
        if value not in left:
            return
        left.remove(value)
    yield left[0]


def _computed(attribute: str, whole: Sequence[Line], last: Line) -> Iterator[Any]:
    if attribute == "count":
        for put in COUNTS.values():
            if all(put(a, b) == c for a, b, c in whole):
                yield put(*last)
    if attribute == "marks":
        for keep in STROKES.values():
            ends = [
                tuple(spot for spot in SPOTS if keep(spot in line[0], spot in line[1]))
                for line in (*whole, last)
            ]
            if all(end == line[2] for end, line in zip(ends, whole, strict=False)):
                yield ends[-1]
