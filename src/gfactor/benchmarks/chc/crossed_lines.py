"""Straight lines across a square with a given number of crossings, at different points. Everything
is computed in whole numbers, so that no crossing depends on rounding.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from gfactor.benchmarks.chc.family import MisdrawnError
from gfactor.imaging.lattices import Stroke, Strokes
from gfactor.items import ItemRandom

UNITS = 8
"""Number of steps of the grid across the square."""
CLEARANCE = 4
"""Smallest distance of a crossing, an end or a corner from every line that does not run through it:
half a step (10 pixels)."""
FLATNESS = 9
"""Smallest squared sine of the angle between two crossing lines: 1/9, which is 19 degrees."""

_TRIES, _CANDIDATES = 24, 8

Crossing = tuple[int, int, int]
"""A point (x / d, y / d)."""


def crossing(one: Stroke, other: Stroke) -> Crossing | None:
    """Return the point in which two lines cross, in lowest terms; None if they do not."""
    (ax, ay), (bx, by) = one
    (cx, cy), (dx, dy) = other
    rx, ry, sx, sy = bx - ax, by - ay, dx - cx, dy - cy
    scale = rx * sy - ry * sx
    along = (cx - ax) * sy - (cy - ay) * sx
    across = (cx - ax) * ry - (cy - ay) * rx
    if scale < 0:
        scale, along, across = -scale, -along, -across
    if not (0 < along < scale and 0 < across < scale):
        return None
    x, y = ax * scale + along * rx, ay * scale + along * ry
    shared = math.gcd(x, y, scale)
    return x // shared, y // shared, scale // shared


@lru_cache(maxsize=1)
def chords() -> Strokes:
    """Return every line between inner grid points of two sides of the square."""
    inner = range(1, UNITS)
    sides = [
        [(0, k) for k in inner],
        [(k, 0) for k in inner],
        [(k, UNITS) for k in inner],
        [(UNITS, k) for k in inner],
    ]
    pairs = combinations(sides, 2)
    return tuple((min(a, b), max(a, b)) for first, second in pairs for a in first for b in second)


def _clear(point: Crossing, line: Stroke) -> bool:
    """Return True if a point is far enough from the infinite line through a stroke."""
    (ax, ay), (bx, by) = line
    x, y, d = point
    rx, ry = bx - ax, by - ay
    off = rx * (y - ay * d) - ry * (x - ax * d)
    return CLEARANCE * off * off >= d * d * (rx * rx + ry * ry)


@lru_cache(maxsize=512)
def _beside(number: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return the chords that may be drawn together with one, and those of them that cross it.

    Two chords are too near if an end of either is close to the other, or if they cross flatly or
    close to a side of the square.
    """
    ends = np.array(chords(), np.int64)
    a, r = ends[:, 0], ends[:, 1] - ends[:, 0]
    (ax, ay), (rx, ry) = a[number], r[number]
    allowed = np.ones(len(ends), bool)
    for end in (0, 1):
        off = rx * (ends[:, end, 1] - ay) - ry * (ends[:, end, 0] - ax)
        allowed &= CLEARANCE * off**2 >= rx**2 + ry**2
        x, y = ends[number, end]
        off = r[:, 0] * (y - a[:, 1]) - r[:, 1] * (x - a[:, 0])
        allowed &= CLEARANCE * off**2 >= (r**2).sum(axis=1)
    scale = rx * r[:, 1] - ry * r[:, 0]
    along = (a[:, 0] - ax) * r[:, 1] - (a[:, 1] - ay) * r[:, 0]
    across = (a[:, 0] - ax) * ry - (a[:, 1] - ay) * rx
    sign, d = np.sign(scale), np.abs(scale)
    crosses = (sign * along > 0) & (sign * along < d) & (sign * across > 0) & (sign * across < d)
    steep = FLATNESS * scale**2 >= (rx**2 + ry**2) * (r**2).sum(axis=1)
    inside = np.ones(len(ends), bool)
    for value in (ax * d + sign * along * rx, ay * d + sign * along * ry):
        for gap in (value, UNITS * d - value):
            inside &= (gap >= 0) & (CLEARANCE * gap**2 >= d**2)
    return allowed & (~crosses | steep & inside), crosses


def random_lines(rng: ItemRandom, lines: int, crossings: int) -> Strokes:
    """Draw the given number of lines across the square with the given number of crossings, all at
    different points.

    Raises MisdrawnError if none were found.
    """
    for _ in range(_TRIES):
        chosen: list[Stroke] = []
        points: list[Crossing] = []
        pool, added = np.arange(len(chords())), np.zeros(len(chords()), np.int64)
        while len(chosen) < lines:
            totals, left = len(points) + added[pool], lines - len(chosen) - 1
            most = left * len(chosen) + left * (left + 1) // 2
            fitting = pool[(totals <= crossings) & (crossings <= totals + most)]
            number = _next_line(rng, fitting, chosen, points)
            if number is None:
                break
            new = chords()[number]
            points += [one for line in chosen if (one := crossing(line, new))]
            chosen.append(new)
            allowed, crosses = _beside(number)
            pool = pool[allowed[pool]]
            added += crosses
        else:
            return tuple(sorted(chosen))
    raise MisdrawnError


def _next_line(
    rng: ItemRandom, fitting: NDArray[np.int64], chosen: list[Stroke], points: list[Crossing]
) -> int | None:
    """Draw a random chord whose crossings are away from other lines; None if none was found."""
    for _ in range(_CANDIDATES if len(fitting) else 0):
        number = int(fitting[rng.integer(0, len(fitting) - 1)])
        new = chords()[number]
        added = [(line, one) for line in chosen if (one := crossing(line, new))]
        if _apart(chosen, points, new, added):
            return number
    return None


def _apart(
    lines: Sequence[Stroke],
    points: Sequence[Crossing],
    new: Stroke,
    added: Sequence[tuple[Stroke, Crossing]],
) -> bool:
    """Return True if crossings are far from every line that does not run through them."""
    return all(_clear(point, new) for point in points) and all(
        _clear(point, other) for line, point in added for other in lines if other != line
    )
