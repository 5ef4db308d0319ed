"""Wider grammar of counted figures: all that can be counted in a figure, by rules of numbers.

Crossings are counted by the sides on which ends lie, regions by the points of a fine lattice.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from support.wider_grammars import numbers

UNITS = 8


def counts(figure: Mapping[str, Any]) -> dict[str, int]:
    """Everything that can be counted in a figure, more than questions name."""
    if figure["lines"]:
        lines = [[tuple(end) for end in line] for line in figure["lines"]]
        return {"lines": len(lines), "crossings": crossings(lines), "regions": regions(lines)}
    if figure["corners"]:
        ring = [tuple(corner) for corner in figure["corners"]]
        return {"area": area(ring), "corners": len(ring)}
    black, white = len(figure["black"]), len(figure["white"])
    return {"black": black, "white": white, "all": black + white, "difference": abs(black - white)}


def side(line: Any, point: Any) -> Fraction:
    (ax, ay), (bx, by) = line
    return Fraction((bx - ax) * (point[1] - ay) - (by - ay) * (point[0] - ax))


def crossings(lines: Sequence[Any]) -> int:
    """Pairs of lines whose ends lie on both sides of each other; no three meet in a point."""
    return sum(
        side(one, other[0]) * side(one, other[1]) < 0 > side(other, one[0]) * side(other, one[1])
        for one, other in itertools.combinations(lines, 2)
    )


def regions(lines: Sequence[Any], grain: int = 24) -> int:
    """Sides of all lines on which the points of a fine lattice lie: each region has its own."""
    steps = 2 * np.arange(UNITS * grain) + 1
    x, y = np.meshgrid(steps, steps)
    sides, clear = np.zeros(x.shape, np.int64), np.ones(x.shape, bool)
    for number, line in enumerate(lines):
        (ax, ay), (bx, by) = ((2 * grain * u, 2 * grain * v) for u, v in line)
        value = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
        sides += (value > 0) << number
        clear &= value != 0
    return len(set(sides[clear].tolist()))


def area(ring: Sequence[Any]) -> int:
    """The trapezoids under the sides of a polygon."""
    sides = zip(ring, [*ring[1:], ring[0]], strict=True)
    return int(abs(sum(Fraction((bx - ax) * (ay + by), 2) for (ax, ay), (bx, by) in sides)))


def figure_counts(scene: Any, options: Sequence[Any]) -> dict[int, str]:
    """Rules of number series along the row, or rules of number grids in rows and columns."""
    rows = [counts(figure) for figure in scene["figures"]]
    offered = [counts(option) for option in options]
    found: dict[int, str] = {}
    for name in rows[0]:
        terms = [row[name] for row in rows]
        last = [option[name] for option in offered]
        if len(terms) == 4:
            regular = set(numbers.regular(terms))
            for number, option in enumerate(last):
                goes_on = regular & set(numbers.regular([*terms, option]))
                if goes_on:
                    found.setdefault(number, f"{name}: {min(goes_on)}")
        else:
            grid = {"rows": [terms[:3], terms[3:6], [*terms[6:], -1]]}
            for number, rule in numbers.number_grids(grid, last).items():
                found.setdefault(number, f"{name}: {rule}")
    return found


FITTING = {"figure_counts": figure_counts}
SEEN = {"figure_counts": lambda option: tuple(sorted(counts(option).items()))}
