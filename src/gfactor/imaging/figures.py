"""A grammar of figures: forms with attributes, laid out in cells, and sheets that cells stand on.

Shared by those who draw and those who look: a family of generated items draws `CellFigures`s on a
`Sheet`, and an observer that knows the sheet's plan (what a person sees at a glance) compares what
stands in a box with what the grammar can draw.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from gfactor.imaging.canvas import RGB, Canvas, Frame, Pixels

INK: RGB = (0, 0, 0)
PAPER: RGB = (255, 255, 255)

FORMS: tuple[str, ...] = (
    "circle", "triangle", "square", "pentagon", "star", "cross", "heart", "arrow",
)  # fmt: skip
"""Every form. The arrow is the one that is turned: it looks different in each direction."""

WAYS: tuple[str, ...] = (
    "up", "up_right", "right", "down_right", "down", "down_left", "left", "up_left",
)  # fmt: skip
"""Directions of a form's top, by eighths of a full turn clockwise."""

SIZES: tuple[str, ...] = ("small", "medium", "large")
_REACH = {"small": 60, "medium": 80, "large": 100}
"""Radius of a form by size, in percent of the radius that its place allows."""

SHADES: tuple[str, ...] = ("white", "light", "dark", "black")
_FILL: dict[str, RGB] = {
    "white": (255, 255, 255), "light": (196, 196, 196), "dark": (110, 110, 110), "black": (0, 0, 0),
}  # fmt: skip

MOST = 9
"""Greatest number of figures in a cell."""

SPOTS: tuple[str, ...] = ("top", "right", "bottom", "left", "top_left", "bottom_right")
"""Positions of strokes at the rim of a cell."""


@dataclass(frozen=True)
class CellFigures:
    """Equal figures in a cell: their number, form, size, shade and rotation.

    Parameters
    ----------
    form: one of `FORMS`.
    size: one of `SIZES`.
    shade: one of `SHADES`.
    count: 1 to `MOST`.
    turn: turn in eighths of a full turn, clockwise from upright, 0 to 7.
    marks: strokes at the cell's rim, of `SPOTS`, in their order.
    """

    form: str
    size: str = "large"
    shade: str = "white"
    count: int = 1
    turn: int = 0
    marks: tuple[str, ...] = ()


CURVED: tuple[str, ...] = ("circle", "heart")
"""Forms with a curved outline; the others are bounded by straight lines."""


def properties(cell: CellFigures) -> frozenset[str]:
    """Return the properties of a single cell: its values, and the properties that follow from them.

    Values are written "shade black", "count 3". Further properties are "even" or "odd" (number of
    figures), "curved" or "straight" (outline of the figures), and "as many strokes" (as figures)
    or "not as many strokes".
    """
    result = {f"{name} {getattr(cell, name)}" for name in ("form", "size", "shade", "count")}
    if cell.form == "arrow":
        result.add(f"turn {cell.turn}")
    result.add("even" if cell.count % 2 == 0 else "odd")
    result.add("curved" if cell.form in CURVED else "straight")
    result.add("as many strokes" if len(cell.marks) == cell.count else "not as many strokes")
    result.update(f"stroke {spot}" for spot in cell.marks)
    return frozenset(result)


def outline(form: str, x: float, y: float, r: float, turn: int = 0) -> list[tuple[float, float]]:
    """Return the corners of a form in a circle of radius `r` around (x, y), turned clockwise by
    eighths."""
    angle = math.radians(45 * turn)
    cos, sin = math.cos(angle), math.sin(angle)
    return [
        (x + r * (px * cos - py * sin), y + r * (px * sin + py * cos)) for px, py in _unit(form)
    ]


@lru_cache(maxsize=32)
def _unit(form: str) -> tuple[tuple[float, float], ...]:
    """Return the corners of an upright form in the unit circle (y points down)."""

    def ring(count: int, first: float, radius: float = 1.0) -> list[tuple[float, float]]:
        turns = [math.radians(first + 360 * k / count) for k in range(count)]
        return [(radius * math.cos(t), radius * math.sin(t)) for t in turns]

    if form == "circle":
        return tuple(ring(72, 0, 0.92))
    if form == "square":
        return tuple(ring(4, 45))
    if form in ("triangle", "pentagon", "hexagon"):
        count = {"triangle": 3, "pentagon": 5, "hexagon": 6}[form]
        return tuple(ring(count, -90))
    if form == "star":
        pairs = zip(ring(5, -90), ring(5, -54, 0.42), strict=True)
        return tuple(point for pair in pairs for point in pair)
    if form == "cross":
        a, b = 0.4, 0.95
        quarter = [(a, -b), (a, -a), (b, -a)]
        return tuple(_quarters(quarter))
    if form == "heart":
        return tuple(_heart())
    if form == "arrow":
        return (
            (0, -1), (0.82, -0.15), (0.36, -0.15), (0.36, 0.95),
            (-0.36, 0.95), (-0.36, -0.15), (-0.82, -0.15),
        )  # fmt: skip
    raise ValueError(f"no form {form!r}")


def _quarters(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    out = list(points)
    for _ in range(3):
        out += [(-y, x) for x, y in out[-len(points) :]]
    return out


def _heart() -> list[tuple[float, float]]:
    turns = [2 * math.pi * k / 48 for k in range(48)]
    points = [
        (
            16 * math.sin(t) ** 3,
            -(13 * math.cos(t) - 5 * math.cos(2 * t) - 2 * math.cos(3 * t) - math.cos(4 * t)),
        )
        for t in turns
    ]
    return [(x / 17.5, (y - 2) / 17.5) for x, y in points]


def draw_form(
    canvas: Canvas, form: str, x: float, y: float, r: float, shade: str = "white", turn: int = 0,
    width: int = 2,
) -> None:  # fmt: skip
    """Draw a form, filled with a shade and outlined in black."""
    canvas.polygon(outline(form, x, y, r, turn), _FILL[shade], INK, width)


class Spacing(NamedTuple):
    """The distance between figures of a cell and from its rim.

    Parameters
    ----------
    rim: width of the rim without figures, in percent of the side of the box.
    radius: radius of the largest figure, as a share of the distance between neighbors.
    """

    rim: int
    radius: float


CLOSE = Spacing(10, 0.44)
"""The largest figures touch some of their neighbors; the rim has room for strokes."""
APART = Spacing(5, 0.37)
"""A quarter of the distance between the largest figures is blank; there is no room for strokes."""


def places(
    count: int, box: Box, most: int = MOST, radius: float = CLOSE.radius
) -> list[tuple[float, float, float]]:
    """Return the positions of `count` figures of a cell: (x, y, radius allowed), in reading order.

    `most` is the greatest number in any cell of the picture, so that figures of one size are
    equally large in every cell. `radius` is that of `Spacing`.
    """
    side = 1 if most == 1 else 2 if most <= 4 else 3
    step = box.side / (side + 0.1)
    across = count if count <= side else -(-count // 2) if count <= 2 * side else side
    rows = -(-count // across)
    out = []
    for k in range(count):
        row, column = divmod(k, across)
        here = min(across, count - row * across)
        x = box.cx + (column - (here - 1) / 2) * step
        y = box.cy + (row - (rows - 1) / 2) * step
        out.append((x, y, radius * step))
    return out


def inner(box: Box, rim: int = CLOSE.rim) -> Box:
    """Return the inner part of a box, which holds the figures; strokes are outside of it.

    `rim` is that of `Spacing`.
    """
    width = box.side * rim // 100
    return Box(box.x + width, box.y + width, box.side - 2 * width)


def stroke(spot: str, box: Box) -> tuple[float, float, float, float]:
    """Return both ends of the stroke at a spot of a box's rim."""
    rim, s = 0.06 * box.side, box.side
    near, far, low, high = rim, s - rim, 0.3 * s, 0.7 * s
    ends = {
        "top": (low, near, high, near),
        "right": (far, low, far, high),
        "bottom": (low, far, high, far),
        "left": (near, low, near, high),
        "top_left": (near, 2.6 * rim, 2.6 * rim, near),
        "bottom_right": (far, s - 2.6 * rim, s - 2.6 * rim, far),
    }[spot]
    return ends[0] + box.x, ends[1] + box.y, ends[2] + box.x, ends[3] + box.y


def draw_cell(
    canvas: Canvas, cell: CellFigures, box: Box, most: int = MOST, spacing: Spacing = CLOSE
) -> None:
    """Draw the figures and strokes of a cell in its box; `most` as in `places`."""
    for spot in cell.marks:
        canvas.line(*stroke(spot, box), INK, 4)
    for x, y, r in places(cell.count, inner(box, spacing.rim), most, spacing.radius):
        draw_form(canvas, cell.form, x, y, r * _REACH[cell.size] / 100, cell.shade, cell.turn)


@dataclass(frozen=True)
class Box:
    """A square of a sheet: its left and top edge and its side, in pixels."""

    x: int
    y: int
    side: int

    @property
    def cx(self) -> float:
        """Horizontal position of the center, in pixels from the left."""
        return self.x + self.side / 2

    @property
    def cy(self) -> float:
        """Vertical position of the center, in pixels from the top."""
        return self.y + self.side / 2

    def of(self, pixels: Pixels) -> Pixels:
        """Return the pixels in the box."""
        return pixels[self.y : self.y + self.side, self.x : self.x + self.side]


SIDE, GAP, MARGIN, LETTER = 132, 10, 16, 26
"""Side of a box, between boxes, round the sheet, and the height kept for an option's letter."""

Place = tuple[tuple[int, int], ...]
"""A place of a lattice: one cell, or the two points that a stroke joins; (row, column) from 0."""


@lru_cache(maxsize=32)
def lattice_places(element: str, size: int) -> tuple[Place, ...]:
    """Return the places of a size x size lattice in the order of their numbers.

    `cells` are numbered row by row. `strokes` connect neighboring points: first the horizontal
    ones, then the vertical ones, each row by row.
    """
    if element == "cells":
        return tuple(((r, c),) for r in range(size) for c in range(size))
    across = [((r, c), (r, c + 1)) for r in range(size) for c in range(size - 1)]
    down = [((r, c), (r + 1, c)) for r in range(size - 1) for c in range(size)]
    return (*across, *down)


def lattice_point(box: Box, size: int, point: tuple[int, int]) -> tuple[float, float]:
    """Return the position of a point of a lattice of strokes in a box: (x, y)."""
    rim = 0.16 * box.side
    step = (box.side - 2 * rim) / (size - 1)
    return box.x + rim + point[1] * step, box.y + rim + point[0] * step


def lattice_cell(box: Box, size: int, cell: tuple[int, int]) -> tuple[int, int, int, int]:
    """Return the edges of a cell of a lattice of cells: left, top, right, bottom, in pixels."""
    rim = box.side // 8
    step = (box.side - 2 * rim) // size
    left, top = box.x + rim + cell[1] * step, box.y + rim + cell[0] * step
    return left, top, left + step, top + step


def draw_lattice(canvas: Canvas, element: str, size: int, filled: Sequence[int], box: Box) -> None:
    """Draw a lattice with the places of these numbers (from 1) filled: strokes, or black cells."""
    positions = lattice_places(element, size)
    if element == "cells":
        for number, ((row, column),) in enumerate(positions, 1):
            left, top, right, bottom = lattice_cell(box, size, (row, column))
            canvas.rectangle(left, top, right + 1, bottom + 1, (150, 150, 150))
            ink = INK if number in filled else PAPER
            canvas.rectangle(left + 1, top + 1, right, bottom, ink)
        return
    for row in range(size):
        for column in range(size):
            canvas.disc(*lattice_point(box, size, (row, column)), 2.5, (150, 150, 150))
    for number in filled:
        a, b = positions[number - 1]
        canvas.line(*lattice_point(box, size, a), *lattice_point(box, size, b), INK, 4)


MISSING = "?"


@dataclass(frozen=True)
class Sheet:
    """The layout of a picture: rows of boxes that hold the question, and below them lettered
    options.

    Parameters
    ----------
    rows, columns: numbers of rows and columns of boxes that hold the question.
    options: number of lettered boxes below, 0 if there are none; up to `across` in a row.
    across: options in a row.
    side: side of a box, in pixels.
    leading: pixels between the rows of the question, beyond the usual gap.
    """

    rows: int
    columns: int
    options: int = 0
    across: int = 4
    side: int = SIDE
    leading: int = 0

    @property
    def boxes(self) -> list[list[Box]]:
        """The boxes of the question, row by row."""
        left = (self.width - self._span(self.columns)) // 2
        step = self.side + GAP
        return [
            [
                Box(left + c * step, MARGIN + r * (step + self.leading), self.side)
                for c in range(self.columns)
            ]
            for r in range(self.rows)
        ]

    @property
    def option_boxes(self) -> list[Box]:
        """The boxes of the options, A first."""
        top = MARGIN + (self._asked_height + 3 * GAP if self.rows else 0)
        step = self.side + GAP
        out = []
        for k in range(self.options):
            row, column = divmod(k, self.across)
            left = (self.width - self._span(min(self.options, self.across))) // 2
            out.append(Box(left + column * step, top + LETTER + row * (step + LETTER), self.side))
        return out

    @property
    def _asked_height(self) -> int:
        return self._span(self.rows) + max(0, self.rows - 1) * self.leading

    def _span(self, boxes: int) -> int:
        return boxes * self.side + max(0, boxes - 1) * GAP

    @property
    def width(self) -> int:
        """Width in pixels."""
        most = max(self.columns, min(self.options, self.across))
        return self._span(most) + 2 * MARGIN

    @property
    def height(self) -> int:
        """Height in pixels."""
        if not self.options:
            return self._asked_height + 2 * MARGIN
        return self.option_boxes[-1].y + self.side + MARGIN

    def canvas(self, n_boxes: int | None = None) -> Canvas:
        """Return white paper with framed boxes (the first `n_boxes`, or all) and the options'
        letters."""
        canvas = Canvas(Frame(self.width, self.height), PAPER)
        for box in [b for row in self.boxes for b in row][:n_boxes]:
            frame_box(canvas, box)
        for k, box in enumerate(self.option_boxes):
            frame_box(canvas, box)
            canvas.text(box.cx, box.y - LETTER / 2, chr(ord("A") + k), 14, INK)
        return canvas


def frame_box(canvas: Canvas, box: Box, color: RGB = (150, 150, 150)) -> None:
    """Draw the frame of a box, one pixel wide."""
    x, y, s = box.x, box.y, box.side
    canvas.rectangle(x, y, x + s, y + 1, color)
    canvas.rectangle(x, y + s - 1, x + s, y + s, color)
    canvas.rectangle(x, y, x + 1, y + s, color)
    canvas.rectangle(x + s - 1, y, x + s, y + s, color)


def draw_missing(canvas: Canvas, box: Box) -> None:
    """Draw a question mark in the box of the missing content."""
    canvas.text(box.cx, box.cy, MISSING, box.side * 0.4, INK, 3)
