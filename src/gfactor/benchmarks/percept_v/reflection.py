"""Objects of which some are reflected in a line through the middle of the second picture.

Common to mirror_image (a vertical line) and water_image (a horizontal one).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

from gfactor.benchmarks.percept_v.domain import Legibility
from gfactor.benchmarks.percept_v.parts import (
    MIN_GAP_PX,
    Shape,
    draw_shapes,
    place,
    shapes_legibility,
)
from gfactor.benchmarks.percept_v.twins import Facts, Objects, Twin, across_line
from gfactor.imaging import BLACK, FOUR, PALETTES, WHITE, Canvas, Frame, Pixels
from gfactor.items import ItemRandom

Axis = Literal["vertical", "horizontal"]

KINDS: Mapping[Axis, tuple[str, ...]] = MappingProxyType(
    {
        "vertical": (
            "circle", "square", "triangle_left", "triangle_right", "pentagon_left",
            "pentagon_right",
        ),
        "horizontal": (
            "circle", "square", "triangle", "triangle_down", "pentagon", "pentagon_down",
        ),
    }
)  # fmt: skip
"""Kinds of objects of the audited edition; most do not look the same when reflected."""

PAPER_KINDS = ("circle", "triangle", "square", "pentagon")
PAPER_COLORS = ("red", "green", "blue", "yellow", "orange", "black")

_FLIPPED: Mapping[str, str] = MappingProxyType(
    {
        a: b
        for pair in (
            ("triangle_left", "triangle_right"),
            ("pentagon_left", "pentagon_right"),
            ("triangle", "triangle_down"),
            ("pentagon", "pentagon_down"),
        )
        for a, b in (pair, pair[::-1])
    }
)

_ACROSS, _ALONG = 640, 480
"""Pixels of the audited pictures across and along the line."""

_RADII = (12, 17)
_OFF_LINE_PX = 10
_LINE_PX = 3


@dataclass(frozen=True)
class Scene:
    """`before` and `after` hold the same objects in the same order."""

    frame: Frame
    palette: str
    axis: Axis
    outlined: bool
    middle: int
    before: tuple[Shape, ...]
    after: tuple[Shape, ...]


def make_published(rng: ItemRandom, size: int, axis: Axis) -> Scene:
    """2n tiny objects in one half, of which the first n change sides; kinds keep pointing up.

    Coordinates are in halves of the plot's unit (radius 3.5, 0.908 px per unit).
    """
    middle, limit, r = 428, 407, 7
    half = (middle - limit, middle - limit, middle, middle + limit)
    centers = place(rng, [r] * (2 * size), half, gap=1)
    before = [
        Shape(rng.choice(PAPER_KINDS), *_turned(*center, axis), r, rng.choice(PAPER_COLORS))
        for center in centers
    ]
    moved = [_moved(s, axis, middle) for s in before[:size]]
    frame = Frame(389, 389, 2 * middle)
    return Scene(frame, "css", axis, False, middle, tuple(before), (*moved, *before[size:]))


def make_audited(rng: ItemRandom, size: int, axis: Axis) -> Scene:
    """2n objects in both halves, of which a number balanced over 0 to n is reflected.

    Every object's place and its mirror place are clear of all others', so that nothing overlaps
    whichever objects are reflected, and each reflected object is flipped.
    """
    count = rng.balanced(range(size + 1))
    middle = _ACROSS // 2
    radii = [rng.integer(*_RADII) for _ in range(2 * size)]
    half = (6, 6, middle - _OFF_LINE_PX, _ALONG - 6)
    before = []
    for center, r in zip(place(rng, radii, half, MIN_GAP_PX + 2), radii, strict=True):
        kind, color = rng.choice(KINDS[axis]), rng.choice(tuple(FOUR))
        near_side = Shape(kind, *_turned(*center, axis), r, color)
        before.append(near_side if rng.chance(1, 2) else reflected(near_side, axis, middle))
    chosen = set(rng.sample(range(2 * size), count))
    after = [reflected(s, axis, middle) if i in chosen else s for i, s in enumerate(before)]
    frame = Frame(*_turned(_ACROSS, _ALONG, axis))
    return Scene(frame, "four", axis, True, middle, tuple(before), tuple(after))


def _turned(across: int, along: int, axis: Axis) -> tuple[int, int]:
    """(x, y) of what lies `across` the line and `along` it."""
    return (across, along) if axis == "vertical" else (along, across)


def _moved(shape: Shape, axis: Axis, middle: int) -> Shape:
    """Return the shape moved to its mirror position, not itself mirrored."""
    if axis == "vertical":
        return replace(shape, x=2 * middle - shape.x)
    return replace(shape, y=2 * middle - shape.y)


def reflected(shape: Shape, axis: Axis, middle: int) -> Shape:
    """The shape reflected in the line at `middle`."""
    return replace(_moved(shape, axis, middle), kind=_FLIPPED.get(shape.kind, shape.kind))


def draw(scene: Scene) -> tuple[Pixels, ...]:
    """Both pictures, each with the line."""
    return _picture(scene, scene.before), _picture(scene, scene.after)


def _picture(scene: Scene, shapes: Sequence[Shape]) -> Pixels:
    canvas = Canvas(scene.frame)
    scale = scene.frame.per_unit
    end = max(scene.frame.width, scene.frame.height) / scale
    start_x, start_y = _turned(scene.middle, 0, scene.axis)
    end_x, end_y = _turned(scene.middle, round(end), scene.axis)
    blue = PALETTES[scene.palette]["blue"]
    canvas.line(start_x, start_y, end_x, end_y, blue, _LINE_PX)
    draw_shapes(canvas, shapes, scene.palette, BLACK if scene.outlined else None)
    return canvas.pixels


def answer(scene: Scene) -> int:
    """Return the number of objects that are elsewhere in the second picture."""
    pairs = zip(scene.before, scene.after, strict=True)
    return sum((a.x, a.y) != (b.x, b.y) for a, b in pairs)


def legibility(scene: Scene) -> Legibility:
    """Return the legibility of both pictures; colors lie on white and need not be distinguished."""
    names = sorted({s.color for s in scene.before})
    colors = [*(PALETTES[scene.palette][name] for name in names), WHITE]
    return min(
        (shapes_legibility(scene.frame, shapes, colors) for shapes in (scene.before, scene.after)),
        key=lambda seen: seen.gap_px,
    )


TWIN = Twin(
    (Facts("mirror", {"axis": "axis", "at": "middle"}),),
    tuple((Objects(key, "shape", restored=across_line),) for key in ("before", "after")),
)
"""Objects are restored in an order that is the same before and after."""
