"""Two pictures, with some objects of the first reflected in the middle line of the second. Shared
by mirror_image (a vertical line) and water_image (a horizontal one).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

from gfactor.benchmarks.percept_v.domain import Legibility
from gfactor.benchmarks.percept_v.parts import (
    MIN_GAP_PX,
    Ground,
    Shape,
    canvas_on,
    darker_ground,
    draw_shapes,
    ground_color,
    grounds_in,
    group_radii,
    place,
    place_together,
    roving_ground,
    shapes_legibility,
)
from gfactor.benchmarks.percept_v.twins import Facts, Objects, Twin, across_line
from gfactor.imaging import BLACK, FOUR, PALETTES, Frame, Pixels
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

_LEAST_RADIUS = 11
_OFF_LINE_PX = 10
_LINE_PX = 3


@dataclass(frozen=True)
class Scene:
    """A scene of two pictures; `before` and `after` hold the same objects in the same order."""

    frame: Frame
    palette: str
    axis: Axis
    outlined: bool
    middle: int
    before: tuple[Shape, ...]
    after: tuple[Shape, ...]


@dataclass(frozen=True)
class GroundedScene(Scene):
    """A scene with a ground for each picture."""

    grounds: tuple[Ground, Ground]


def make_published(rng: ItemRandom, size: int, axis: Axis) -> Scene:
    """Return 2n tiny objects in one half, of which the first n are reflected; triangles keep
    pointing up.

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
    """Return 2n + 1 objects in both halves, of which a number balanced over 1 to n + 1 is
    reflected.

    Every object's position and mirror position are clear of those of all others, so that nothing
    overlaps whichever objects are reflected; each reflected object is flipped. The total area of
    the reflected objects is drawn independently of their number. All have one color and lie in a
    window of one half, whose size depends on the total area. Extent and color of the part that
    crosses the line therefore do not reveal the number. No object has an outline, because the
    outlines of more objects with the same total area are longer.
    """
    count = rng.balanced(range(1, size + 2))
    middle, gap = _ACROSS // 2, MIN_GAP_PX + 2
    half = (6, 6, middle - _OFF_LINE_PX, _ALONG - 6)
    radii = group_radii(rng, count, size + 1, _LEAST_RADIUS)
    spots = place_together(rng, radii, half, gap)
    color, far = rng.choice(tuple(FOUR)), rng.chance(1, 2)
    moving = _objects(rng, axis, spots, radii, [color] * count, [far] * count)
    rest = group_radii(rng, 2 * size + 1 - count, 2 * size, _LEAST_RADIUS)
    taken = [(x, y, r) for (x, y), r in zip(spots, radii, strict=True)]
    spots = place(rng, rest, half, gap, taken)
    colors, sides = zip(*((rng.choice(tuple(FOUR)), rng.chance(1, 2)) for _ in rest), strict=True)
    before = rng.shuffled([*moving, *_objects(rng, axis, spots, rest, colors, sides)])
    after = tuple(reflected(s, axis, middle) if s in moving else s for s in before)
    frame = Frame(*_turned(_ACROSS, _ALONG, axis))
    grounds = (roving_ground(rng), roving_ground(rng))
    return GroundedScene(frame, "four", axis, False, middle, tuple(before), after, grounds)


def _objects(
    rng: ItemRandom,
    axis: Axis,
    spots: Sequence[tuple[int, int]],
    radii: Sequence[int],
    colors: Sequence[str],
    far: Sequence[bool],
) -> list[Shape]:
    """Objects of any kind in the near half, or reflected into the far one."""
    objects = []
    for spot, r, color, is_far in zip(spots, radii, colors, far, strict=True):
        near_side = Shape(rng.choice(KINDS[axis]), *_turned(*spot, axis), r, color)
        objects.append(reflected(near_side, axis, _ACROSS // 2) if is_far else near_side)
    return objects


def _turned(across: int, along: int, axis: Axis) -> tuple[int, int]:
    """Return (x, y) of the position that is `across` from the line and `along` it."""
    return (across, along) if axis == "vertical" else (along, across)


def _moved(shape: Shape, axis: Axis, middle: int) -> Shape:
    """Return the shape moved to its mirror position, without mirroring the shape."""
    if axis == "vertical":
        return replace(shape, x=2 * middle - shape.x)
    return replace(shape, y=2 * middle - shape.y)


def reflected(shape: Shape, axis: Axis, middle: int) -> Shape:
    """Return the shape reflected in the line at `middle`."""
    return replace(_moved(shape, axis, middle), kind=_FLIPPED.get(shape.kind, shape.kind))


def draw(scene: Scene) -> tuple[Pixels, ...]:
    """Return both pictures, each with the line."""
    first, second = grounds_in(scene)
    return _picture(scene, scene.before, first), _picture(scene, scene.after, second)


def _picture(scene: Scene, shapes: Sequence[Shape], ground: Ground | None) -> Pixels:
    canvas = canvas_on(scene.frame, ground)
    scale = scene.frame.per_unit
    end = max(scene.frame.width, scene.frame.height) / scale
    start_x, start_y = _turned(scene.middle, 0, scene.axis)
    end_x, end_y = _turned(scene.middle, round(end), scene.axis)
    blue = PALETTES[scene.palette]["blue"]
    canvas.line(start_x, start_y, end_x, end_y, blue, _LINE_PX)
    draw_shapes(canvas, shapes, scene.palette, BLACK if scene.outlined else None)
    return canvas.pixels


def answer(scene: Scene) -> int:
    """Return the number of objects at another position in the second picture."""
    pairs = zip(scene.before, scene.after, strict=True)
    return sum((a.x, a.y) != (b.x, b.y) for a, b in pairs)


def legibility(scene: Scene) -> Legibility:
    """Return the legibility of both pictures; colors only have to differ from the ground."""
    names = sorted({s.color for s in scene.before})
    colors = [*(PALETTES[scene.palette][name] for name in names)]
    colors.append(ground_color(darker_ground(scene)))
    return min(
        (shapes_legibility(scene.frame, shapes, colors) for shapes in (scene.before, scene.after)),
        key=lambda seen: seen.gap_px,
    )


TWIN = Twin(
    (Facts("mirror", {"axis": "axis", "at": "middle"}),),
    tuple((Objects(key, "shape", restored=across_line),) for key in ("before", "after")),
)
"""Objects are restored in an order that is the same before and after."""
