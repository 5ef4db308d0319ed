"""Wider grammars of pictures of strokes and cells: logical operations, closure, hidden figures."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

Point = tuple[float, float]
Places = frozenset[tuple[Point, Point]]


def logical_strokes(scene: Any, options: Sequence[Any]) -> dict[int, str]:
    """Every table of the four cases that the whole rows follow, with the third picture turned or
    mirrored in one of eight ways; cases that they do not show may be anything."""
    panels = [_lattice(panel, scene["element"], scene["size"]) for panel in scene["panels"]]
    everywhere = _lattice(range(1, _count(scene) + 1), scene["element"], scene["size"])
    *whole, last = [panels[k : k + 3] for k in range(0, len(panels), 3)]
    found = {}
    for way in range(8):
        tables = [
            (place in first, place in second, place in _moved(third, way, scene["size"]))
            for first, second, third in whole
            for place in everywhere
        ]
        table = {(a, b): c for a, b, c in tables}
        if any(table[a, b] != c for a, b, c in tables):
            continue
        cases = {place: table.get((place in last[0], place in last[1])) for place in everywhere}
        for number, option in enumerate(options):
            third = _moved(_lattice(option, scene["element"], scene["size"]), way, scene["size"])
            if all(want is None or want == (place in third) for place, want in cases.items()):
                found.setdefault(number, f"table {sorted(table.items())}, way {way}")
    return found


def _count(scene: Any) -> int:
    size = scene["size"]
    return size * size if scene["element"] == "cells" else 2 * size * (size - 1)


def _lattice(panel: Sequence[int], element: str, size: int) -> frozenset[Point]:
    """Middles of the filled cells or strokes, numbered row by row, the level strokes first."""
    middles: list[Point] = [(r, c) for r in range(size) for c in range(size)]
    if element != "cells":
        middles = [(r, c + 0.5) for r in range(size) for c in range(size - 1)]
        middles += [(r + 0.5, c) for r in range(size - 1) for c in range(size)]
    return frozenset(middles[number - 1] for number in panel)


def _moved(places: frozenset[Point], way: int, size: int) -> frozenset[Point]:
    """Places turned by so many quarters, from 4 on mirrored first."""
    last = size - 1
    moved = [(r, last - c) if way >= 4 else (r, c) for r, c in places]
    for _ in range(way % 4):
        moved = [(last - c, r) for r, c in moved]
    return frozenset(moved)


def shape(option: Sequence[Any]) -> tuple[Any, ...]:
    """The strokes of a figure wherever it stands."""
    strokes = [tuple(sorted(map(tuple, stroke))) for stroke in option]
    low = [min(point[k] for stroke in strokes for point in stroke) for k in (0, 1)]
    moved = [tuple((a - low[0], b - low[1]) for a, b in stroke) for stroke in strokes]
    return tuple(sorted(moved))


def hidden_figures(scene: Any, options: Sequence[Any]) -> dict[int, str]:
    """At any place, also between the points of the drawing, in steps of a quarter."""
    drawing = {point for stroke in scene["pattern"] for point in _points(stroke, 8)}
    found = {}
    for number, option in enumerate(options):
        figure = {point for stroke in option for point in _points(stroke, 8)}
        for dx, dy in itertools.product(range(-64, 65, 2), repeat=2):
            if all((x + dx, y + dy) in drawing for x, y in figure):
                found[number] = f"moved by {dx / 8}, {dy / 8}"
                break
    return found


def _points(stroke: Sequence[Sequence[int]], parts: int) -> Iterator[tuple[int, int]]:
    (ax, ay), (bx, by) = stroke
    for k in range(parts + 1):
        yield ax * parts + (bx - ax) * k, ay * parts + (by - ay) * k


def closure(scene: Any, options: Sequence[Any]) -> dict[int, str]:
    """All fragments lie on the figure at any place, each end of a fragment on its line."""
    pieces = {tuple(sorted(map(tuple, one))) for one in scene["fragments"]}
    found = {}
    for number, option in enumerate(options):
        inked = {
            tuple(sorted(((4 * ax + k * (bx - ax), 4 * ay + k * (by - ay)),
                          (4 * ax + (k + 1) * (bx - ax), 4 * ay + (k + 1) * (by - ay)))))
            for (ax, ay), (bx, by) in option for k in range(4)
        }  # fmt: skip
        first = min(pieces)
        for other in inked:
            dx, dy = (other[0][k] - first[0][k] for k in (0, 1))
            if all(((a + dx, b + dy), (c + dx, d + dy)) in inked for (a, b), (c, d) in pieces):
                found[number] = f"moved by {dx}, {dy}"
                break
    return found


FITTING = {
    "logical_strokes": logical_strokes,
    "hidden_figures": hidden_figures,
    "closure": closure,
}
SEEN = {
    "logical_strokes": lambda option: tuple(sorted(option)),
    "hidden_figures": shape,
    "closure": shape,
}
