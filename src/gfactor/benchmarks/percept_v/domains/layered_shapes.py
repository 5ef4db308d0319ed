"""Layered shapes: which shapes lie on one another, from the inside out?

Size n (both editions): n nested shapes.
Paper edition: 1800 x 1800 px, outermost circumradius 800, each next circumradius the inradius of
the shape around it (so that the innermost nearly vanish), diamond, hexagon and octagon independent
and uniform, fills of channels 50..205 at least 22.4 apart in RGB, outlines of 1 px. The published
prompt asks for the order from inside to outside and, in its last line, from top to bottom, which is
the same stack; it offers a circle that is never drawn; both are fixed here.
Audited: each shape is only as much smaller as the one around it demands, with a ring that is
visible everywhere, and the innermost keeps a diameter of 28 px: stacks that would need more room
are drawn anew (one in ten fits at size 20, where 23 % of the shapes are diamonds). A circle stays
out, since at that size it is an octagon. Neighbors differ clearly in color (palette `four`), and
the innermost kind is balanced.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from gfactor.benchmarks.percept_v.domain import Domain, Edition, Legibility, Prompt, register
from gfactor.benchmarks.percept_v.twins import Facts, Objects, Twin, by_name, by_radius
from gfactor.imaging import BLACK, FOUR, RGB, WHITE, Canvas, Frame, Pixels, corners
from gfactor.items import ItemRandom, OutputFormat


@lru_cache(maxsize=16)
def inset(kind: str) -> float:
    """Return the inradius of a polygon of `kind`, divided by its circumradius."""
    return math.cos(math.pi / len(corners(kind, 0, 0, 1)))


@lru_cache(maxsize=64)
def reach(outer: str, inner: str) -> float:
    """Return the extent of an inner polygon of circumradius 1 along the normals of the outer
    polygon."""
    points = corners(outer, 0, 0, 1)
    middles = [
        ((x1 + x2) / 2, (y1 + y2) / 2)
        for (x1, y1), (x2, y2) in zip(points, points[1:] + points[:1], strict=True)
    ]
    depth = inset(outer)
    return max((x * a + y * b) / depth for a, b in middles for x, y in corners(inner, 0, 0, 1))


def ring_width(outer: str, outer_r: float, inner: str, inner_r: float) -> float:
    """Return the smallest distance between the outlines of two nested polygons, in the unit of the
    radii."""
    return outer_r * inset(outer) - inner_r * reach(outer, inner)


def nested(kinds: Sequence[str], outermost: int, gap: int) -> list[int]:
    """Return circumradii of nested polygons, from the innermost to the outermost.

    Every outline is at least `gap` from the next; radii of 0 or less mean that there is no room.
    """
    radii = [outermost]
    for inner, outer in zip(kinds[-2::-1], kinds[:0:-1], strict=True):
        room = radii[-1] * inset(outer) - gap
        radii.append(math.floor(room / reach(outer, inner)))
    return radii[::-1]


KINDS = ("diamond", "hexagon", "octagon")

_INNERMOST = 14
_GAPS = (36, 30, 24, 18, 15, 12, 10, 8)
"""Candidates for the least distance between neighboring edges, in pixels: the first that fits is
taken."""

_OUTLINE_PX = 2


@dataclass(frozen=True)
class Layer:
    """A shape of `kind` and circumradius `r` around the scene's center."""

    kind: str
    r: int
    color: RGB


@dataclass(frozen=True)
class Scene:
    """`layers` from the innermost to the outermost."""

    frame: Frame
    outline: int
    x: int
    y: int
    layers: tuple[Layer, ...]


def make(rng: ItemRandom, size: int, edition: Edition) -> Scene:
    return _published(rng, size) if edition == "paper" else _audited(rng, size)


def _published(rng: ItemRandom, size: int) -> Scene:
    kinds = [rng.choice(KINDS) for _ in range(size)]
    # Hundredths of a pixel: twenty rounded inradii would drift.
    radii = [80_000]
    for outer in kinds[:0:-1]:
        radii.append(round(radii[-1] * inset(outer)))
    layers = _layers(kinds, radii[::-1], _random_colors(rng, size))
    return Scene(Frame(1800, 1800, 180_000), 1, 90_000, 90_000, layers)


def _random_colors(rng: ItemRandom, count: int) -> list[RGB]:
    chosen: list[RGB] = []
    while len(chosen) < count:
        color = (rng.integer(50, 205), rng.integer(50, 205), rng.integer(50, 205))
        if all(sum((a - b) ** 2 for a, b in zip(color, c, strict=True)) > 500 for c in chosen):
            chosen.append(color)
    return chosen


def _audited(rng: ItemRandom, size: int) -> Scene:
    outermost = 160 + 14 * size - rng.integer(0, 12)
    first = rng.balanced(KINDS)
    kinds, radii = [first], [0]
    while radii[0] < _INNERMOST:
        kinds = [first, *(rng.choice(KINDS) for _ in range(size - 1))]
        radii = nested(kinds, outermost, _GAPS[-1])
    stacks = [nested(kinds, outermost, gap) for gap in _GAPS]
    radii = next(radii for radii in stacks if radii[0] >= _INNERMOST)
    side = 2 * (outermost + 16)
    x, y = (side // 2 + rng.integer(-8, 8) for _ in range(2))
    layers = _layers(kinds, radii, _colors_of_neighbors(rng, size))
    return Scene(Frame(side, side), _OUTLINE_PX, x, y, layers)


def _colors_of_neighbors(rng: ItemRandom, count: int) -> list[RGB]:
    names = [rng.choice(tuple(FOUR))]
    while len(names) < count:
        names.append(rng.choice([name for name in FOUR if name != names[-1]]))
    return [FOUR[name] for name in names]


def _layers(kinds: Sequence[str], radii: Sequence[int], colors: Sequence[RGB]) -> tuple[Layer, ...]:
    return tuple(Layer(*layer) for layer in zip(kinds, radii, colors, strict=True))


def draw(scene: Scene) -> tuple[Pixels, ...]:
    canvas = Canvas(scene.frame)
    for s in reversed(scene.layers):
        canvas.shape(s.kind, scene.x, scene.y, s.r, s.color, BLACK, scene.outline)
    return (canvas.pixels,)


def answer(scene: Scene) -> tuple[str, ...]:
    return tuple(layer.kind for layer in scene.layers)


def legibility(scene: Scene) -> Legibility:
    scale = scene.frame.per_unit
    widths = [ring_width(b.kind, b.r, a.kind, a.r) * scale for a, b in pairwise(scene.layers)]
    # The visible part of the narrowest ring; blended edges make an outline a pixel wider.
    ring = min(widths, default=math.inf) - scene.outline - 1
    colors = sorted({layer.color for layer in scene.layers})
    smallest = 2 * scene.layers[0].r * scale
    return Legibility(smallest, ring, (*colors, WHITE))


register(
    Domain(
        name="layered_shapes",
        skills=("Visual Sequential Memory", "Visual Figure Ground", "Visual Closure"),
        prompt=Prompt(
            input=("You see a picture of one or more shapes with a common center, stacked.",),
            rules=(
                f"These are the possible shapes: {', '.join(KINDS)}.",
                "A diamond is a square that stands on a corner.",
                "The same shape may occur several times; colors do not matter.",
                "Find out the shapes from the inside to the outside.",
            ),
            output=(
                "Answer in one line of the form SHAPES: a, b, ... with the names of the shapes, "
                "the innermost first, separated by commas.",
            ),
        ),
        output_format=OutputFormat("list", ("SHAPES",), "word", KINDS, separator=","),
        scene_type=Scene,
        make=make,
        draw=draw,
        answer=answer,
        legibility=legibility,
        guess=lambda size: float(len(KINDS)) ** -size,
        twin=Twin(
            (
                Facts("center", {"x": "x", "y": "y"}),
                Objects("layers", "layer", (), {"color": "rgb"}, by_name, by_radius),
            )
        ),
    )
)
