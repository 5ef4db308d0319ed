"""Pictures of rows: one thing (or pair of things) a row, horizontal lines between the rows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from gfactor.benchmarks.percept_v.domain import Legibility
from gfactor.benchmarks.percept_v.parts import MIN_OBJECT_PX, Shape, shapes_legibility
from gfactor.imaging import BLACK, RGB, Canvas, Frame
from gfactor.items import ItemRandom

WIDTH = 500
MIN_HEIGHT = 280
ROW_HEIGHT = 48
"""Height of a row: twenty rows and their margins are at most twice as high as wide, so that the
aspect ratio never exceeds 2:1."""

CIRCLE_RADII = (MIN_OBJECT_PX // 2, 19)
"""Smallest and largest radius of a circle: the largest keeps 4 px clear of the lines."""

SHAPE_RADII = (15, 19)
"""The same for shapes of any kind: squares and triangles, too, are at least 20 px high and wide."""

_MARGIN = 8
_LINE_WIDTH = 2
_UNIT, _PAD = 1000, 126
"""A plot's unit and the width of its padding, in the thousandths used by published strips."""


@dataclass(frozen=True)
class RowSheet:
    """A picture of rows: the middle of each row and the lines, as y coordinates, top down."""

    frame: Frame
    rows: tuple[int, ...]
    lines: tuple[int, ...]

    def canvas(self) -> Canvas:
        """Return a white canvas with the lines on it."""
        canvas = Canvas(self.frame)
        across = self.frame.width / self.frame.per_unit
        for y in self.lines:
            canvas.line(0, y, across, y, BLACK, _LINE_WIDTH)
        return canvas

    def legibility(self, shapes: Sequence[Shape], colors: Sequence[RGB]) -> Legibility:
        """Return the legibility of shapes in the rows; lines must be distinguished from shapes,
        too."""
        base = shapes_legibility(self.frame, shapes, colors)
        clear = min(
            (abs(s.y - y) - s.r for s in shapes for y in self.lines if abs(s.y - y) <= 2 * s.r),
            default=math.inf,
        )
        to_line = clear * self.frame.per_unit - _LINE_WIDTH / 2
        return replace(base, gap_px=min(base.gap_px, to_line))


def ruled(rng: ItemRandom, count: int) -> RowSheet:
    """Return a sheet of `count` rows in pixels, with lines above, between and below the rows.

    A picture has a minimum height; a few rows lie at a random position between top and bottom.
    """
    rows = count * ROW_HEIGHT
    height = max(MIN_HEIGHT, rows + 2 * _MARGIN)
    top = rng.integer(_MARGIN, height - _MARGIN - rows)
    return RowSheet(
        Frame(WIDTH, height),
        tuple(top + ROW_HEIGHT * k + ROW_HEIGHT // 2 for k in range(count)),
        tuple(top + ROW_HEIGHT * k for k in range(count + 1)),
    )


def ruled_as_published(count: int, *, closed: bool) -> RowSheet:
    """Return a strip as published, 97 px wide, with rows of one plot unit (77.5 px); coordinates
    are in thousandths of this unit.

    Lines run between the rows and, if `closed`, below the last one (which about 8 px follow).
    """
    width = _UNIT + 2 * _PAD
    height = _UNIT * count + (_UNIT // 10 if closed else 0) + 2 * _PAD
    return RowSheet(
        Frame(97, round(97 * height / width), width),
        tuple(_PAD + _UNIT * k + _UNIT // 2 for k in range(count)),
        tuple(_PAD + _UNIT * k for k in range(1, count + (1 if closed else 0))),
    )


def across(rng: ItemRandom, radius: int, left: int = 0, right: int = WIDTH) -> int:
    """Return a random x for a shape of `radius` that keeps clear of `left` and `right`."""
    return rng.integer(left + _MARGIN + radius, right - _MARGIN - radius)
