"""Match shadow: in how many rows does the second picture show the shadow of the first one's shape?

Size n (both editions): n rows in each of the two pictures.
Paper edition: as in match_outline, but the second picture shows filled blue shapes upside down,
which the prompt calls shadows without saying that they are turned. The paper speaks of a list of
matches; the code's question, followed here, is their number.
Audited: shadows are shadows: dark gray, upright, of another size and place than their shapes and
leaning over, all of a picture to the same side, as the prompt says. The number of matching rows is
balanced over 0..n (it was binomial, one row in four), and shapes are at least 30 px across.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from gfactor.benchmarks.percept_v.domain import Domain, Edition, Legibility, Prompt, register
from gfactor.benchmarks.percept_v.layouts_matching import (
    matching_rows,
    partner_kinds,
    shapes_as_published,
    shapes_in_rows,
)
from gfactor.benchmarks.percept_v.layouts_rows import (
    SHAPE_RADII,
    RowSheet,
    across,
    ruled,
    ruled_as_published,
)
from gfactor.benchmarks.percept_v.parts import Shape, draw_shapes
from gfactor.benchmarks.percept_v.twins import Objects, Twin
from gfactor.imaging import PALETTES, WHITE, Canvas, Pixels, corners
from gfactor.items import ItemRandom, OutputFormat

OTHER_SIZE = 2
"""Smallest difference of the radii of a shape and its shadow, in pixels."""
SLANTS = (20, 40)
"""Least and greatest slant of shadows, in percent: they lean over, but no two kinds of shape
become alike."""
GRAY = (64, 64, 64)

_TURNED: Mapping[str, str] = MappingProxyType(
    {"triangle": "triangle_down", "pentagon": "pentagon_down"}
)
_ROUND = 72


@dataclass(frozen=True)
class Scene:
    sheet: RowSheet
    palette: str
    slant: int
    shapes: tuple[Shape, ...]
    shadows: tuple[Shape, ...]


def make(rng: ItemRandom, size: int, edition: Edition) -> Scene:
    if edition == "paper":
        sheet = ruled_as_published(size, closed=True)
        shapes, shadows = shapes_as_published(rng, sheet), shapes_as_published(rng, sheet)
        return Scene(sheet, "css", 0, shapes, shadows)
    sheet = ruled(rng, size)
    slant = rng.choice((-1, 1)) * rng.integer(*SLANTS)
    shapes = shapes_in_rows(rng, sheet, SHAPE_RADII)
    shadows = tuple(
        _shadow(rng, kind, s) for kind, s in zip(partner_kinds(rng, shapes), shapes, strict=True)
    )
    return Scene(sheet, "four", slant, shapes, shadows)


def _shadow(rng: ItemRandom, kind: str, shape: Shape) -> Shape:
    low, high = SHAPE_RADII
    r = rng.choice([r for r in range(low, high + 1) if abs(r - shape.r) >= OTHER_SIZE])
    # Leaning over makes a shadow wider by less than half.
    return Shape(kind, across(rng, r + r // 2), shape.y, r, "gray")


def draw(scene: Scene) -> tuple[Pixels, ...]:
    lit, dark = scene.sheet.canvas(), scene.sheet.canvas()
    draw_shapes(lit, scene.shapes, scene.palette)
    for s in scene.shadows:
        if s.color == "gray":
            _draw_leaning(dark, s, scene.slant)
        else:
            kind = _TURNED.get(s.kind, s.kind)
            dark.shape(kind, s.x, s.y, s.r, PALETTES[scene.palette][s.color])
    return lit.pixels, dark.pixels


def _draw_leaning(canvas: Canvas, s: Shape, slant: int) -> None:
    if s.kind == "circle":
        turns = (2 * math.pi * k / _ROUND for k in range(_ROUND))
        points = [(s.x + s.r * math.cos(t), s.y + s.r * math.sin(t)) for t in turns]
    else:
        points = corners(s.kind, s.x, s.y, s.r)
    canvas.polygon([(x + (s.y - y) * slant / 100, y) for x, y in points], GRAY)


def answer(scene: Scene) -> int:
    return matching_rows(scene.shapes, scene.shadows)


def legibility(scene: Scene) -> Legibility:
    # Colors need not be distinguished from each other, only the palest from the white paper.
    colors = [max((PALETTES[scene.palette][s.color] for s in scene.shapes), key=sum), WHITE]
    first, second = (
        scene.sheet.legibility(shapes, colors) for shapes in (scene.shapes, scene.shadows)
    )
    return Legibility(
        min(first.object_px, second.object_px), min(first.gap_px, second.gap_px), first.colors
    )


_INPUT = (
    "You see two pictures with the same number of rows (one or more), separated by horizontal "
    "lines.",
    "Each row of the first picture holds a shape, each row of the second a shadow: of a circle, a "
    "triangle, a square or a pentagon.",
)
_COMPARE = "Compare the first row of the first picture with the first row of the second, and so on."
_OUTPUT = ("Answer in one line of the form ANSWER:x where x is that number.",)

register(
    Domain(
        name="match_shadow",
        skills=("Visual Discrimination", "Visual Sequential Memory", "Visual Closure"),
        images=2,
        prompt=Prompt(
            input=_INPUT,
            rules=(
                _COMPARE,
                "A shadow is dark gray, may be larger or smaller than what throws it, may lie "
                "further left or right, and leans over to one side, so that the shadow of a "
                "circle is oval and that of a square has slanting sides; it is never upside down.",
                "A row matches if a shape of the kind in the first picture can throw the shadow "
                "in the second.",
                "Find out how many rows match; it may be none.",
            ),
            output=_OUTPUT,
        ),
        paper_prompt=Prompt(
            input=_INPUT,
            rules=(
                _COMPARE,
                "A row matches if the shadow is that of the shape.",
                "Find out how many rows match; it may be none.",
            ),
            output=_OUTPUT,
        ),
        output_format=OutputFormat("value", labels=("ANSWER",)),
        scene_type=Scene,
        make=make,
        draw=draw,
        answer=answer,
        legibility=legibility,
        guess=lambda size: 1 / (size + 1),
        twin=Twin(pictures=((Objects("shapes", "shape"),), (Objects("shadows", "shape"),))),
    )
)
