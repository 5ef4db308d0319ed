"""Comparing size: look at the two circles of each row and name the color of the larger one."""

from __future__ import annotations

from collections.abc import Sequence

from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.reading import WrittenShape, shapes, twin_of
from gfactor.examinees.observer.rows import largest_in_rows
from gfactor.examinees.observer.seeing import name_color
from gfactor.examinees.observer.solvers import reader, solver
from gfactor.imaging import FOUR, Pixels

COLORS = {name.title(): FOUR[name] for name in ("blue", "green")}


@solver("comparing_size")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    (picture,) = pictures
    larger = [name_color(circle.color, COLORS) for circle in largest_in_rows(picture)]
    return f"ANSWER: {' '.join(perception.hold(larger, guesses=tuple(COLORS)))}"


@reader("comparing_size")
def read(lines: Sequence[str], perception: Perception) -> str:
    rows: dict[int, list[WrittenShape]] = {}
    for circle in shapes(twin_of(lines)):
        rows.setdefault(circle.y, []).append(circle)
    larger = [
        max(row, key=lambda circle: circle.r).color.title() for _, row in sorted(rows.items())
    ]
    return f"ANSWER: {' '.join(perception.hold(larger, guesses=tuple(COLORS)))}"
