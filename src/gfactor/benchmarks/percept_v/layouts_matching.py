"""Two pictures of rows that are compared row by row: do the shapes of a row match?"""

from __future__ import annotations

from collections.abc import Sequence

from gfactor.benchmarks.percept_v.layouts_rows import RowSheet, across
from gfactor.benchmarks.percept_v.parts import Shape
from gfactor.imaging import FOUR
from gfactor.items import ItemRandom

KINDS = ("circle", "triangle", "square", "pentagon")


def shapes_in_rows(rng: ItemRandom, sheet: RowSheet, radii: tuple[int, int]) -> tuple[Shape, ...]:
    """Return a shape in each row, with independent kind, size, place and color (of the palette
    `four`)."""
    shapes = []
    for y in sheet.rows:
        r = rng.integer(*radii)
        shapes.append(Shape(rng.choice(KINDS), across(rng, r), y, r, rng.choice(tuple(FOUR))))
    return tuple(shapes)


def shapes_as_published(rng: ItemRandom, sheet: RowSheet) -> tuple[Shape, ...]:
    """Return a blue shape of a tenth of a plot unit in the middle of each row, of any kind."""
    x = round(sheet.frame.width / sheet.frame.per_unit / 2)
    return tuple(Shape(rng.choice(KINDS), x, y, 100, "blue") for y in sheet.rows)


def partner_kinds(rng: ItemRandom, shapes: Sequence[Shape]) -> list[str]:
    """Return a kind for each shape's partner. The number of matching rows is balanced; the matching
    rows are random."""
    rows = range(len(shapes))
    matching = set(rng.sample(rows, rng.balanced(range(len(shapes) + 1))))
    return [
        shapes[k].kind
        if k in matching
        else rng.choice([kind for kind in KINDS if kind != shapes[k].kind])
        for k in rows
    ]


def matching_rows(shapes: Sequence[Shape], partners: Sequence[Shape]) -> int:
    """Return the number of rows in which the two shapes are of one kind."""
    return sum(a.kind == b.kind for a, b in zip(shapes, partners, strict=True))
