"""Identifying shapes: what is the shape in each row?

Size n (both editions): n rows with one shape each.
Paper edition: a strip 97 px wide, 77 px/unit, shapes of circumradius 0.3 in the middle of their
rows, lines between the rows; each kind has its own color, so that the color reveals the kind.
The published prompt does not give the names of the shapes; ours does in both editions, because a
right answer in other words would be counted wrong. Paper and code agree.
Audited: the color (one of four) is independent of the kind, sizes and positions vary, the aspect
ratio is sane, and the kinds of the first two rows are balanced.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from types import MappingProxyType

from gfactor.benchmarks.percept_v.domain import Domain, Edition, Legibility, Prompt, register
from gfactor.benchmarks.percept_v.layouts_rows import (
    SHAPE_RADII,
    RowSheet,
    across,
    ruled,
    ruled_as_published,
)
from gfactor.benchmarks.percept_v.parts import Shape
from gfactor.benchmarks.percept_v.twins import Objects, Twin
from gfactor.imaging import CSS, FOUR, RGB, WHITE, Pixels
from gfactor.items import ItemRandom, OutputFormat

PUBLISHED: Mapping[str, RGB] = MappingProxyType(
    {
        "circle": CSS["blue"],
        "triangle": CSS["red"],
        "diamond": CSS["green"],
        "pentagon": (0, 255, 255),
        "hexagon": (255, 0, 255),
    }
)
"""The color of each kind in the published pictures."""
KINDS = tuple(PUBLISHED)
BALANCED_ROWS = 2


@dataclass(frozen=True)
class Scene:
    sheet: RowSheet
    is_published: bool
    shapes: tuple[Shape, ...]


def make(rng: ItemRandom, size: int, edition: Edition) -> Scene:
    return _published(rng, size) if edition == "paper" else _audited(rng, size)


def _published(rng: ItemRandom, size: int) -> Scene:
    sheet = ruled_as_published(size, closed=False)
    kinds = [rng.choice(KINDS) for _ in range(size)]
    shapes = [Shape(k, 626, y, 300, k) for k, y in zip(kinds, sheet.rows, strict=True)]
    return Scene(sheet, True, tuple(shapes))


def _audited(rng: ItemRandom, size: int) -> Scene:
    balanced = rng.balanced(list(product(KINDS, repeat=min(size, BALANCED_ROWS))))
    kinds = [*balanced, *(rng.choice(KINDS) for _ in range(size - len(balanced)))]
    sheet = ruled(rng, size)
    shapes = []
    for kind, y in zip(kinds, sheet.rows, strict=True):
        r = rng.integer(*SHAPE_RADII)
        shapes.append(Shape(kind, across(rng, r), y, r, rng.choice(tuple(FOUR))))
    return Scene(sheet, False, tuple(shapes))


def _palette(scene: Scene) -> Mapping[str, RGB]:
    return PUBLISHED if scene.is_published else FOUR


def draw(scene: Scene) -> tuple[Pixels, ...]:
    canvas = scene.sheet.canvas()
    for s in scene.shapes:
        canvas.shape(s.kind, s.x, s.y, s.r, _palette(scene)[s.color])
    return (canvas.pixels,)


def answer(scene: Scene) -> tuple[str, ...]:
    return tuple(s.kind.title() for s in scene.shapes)


def legibility(scene: Scene) -> Legibility:
    return scene.sheet.legibility(scene.shapes, [*_palette(scene).values(), WHITE])


register(
    Domain(
        name="identifying_shapes",
        skills=("Visual Memory",),
        prompt=Prompt(
            input=(
                "You see one or more rows, separated by horizontal lines.",
                "Each row holds one colored shape.",
            ),
            rules=(
                "Every shape is a Circle, a Triangle, a Diamond (a square that stands on one of "
                "its corners), a Pentagon or a Hexagon.",
                "Find out for each row, from top to bottom, which of these its shape is.",
                "Colors and sizes do not matter.",
            ),
            output=(
                "Answer in one line of the form ANSWER: Circle Hexagon ... with one name for each "
                "row, the top row first, separated by spaces.",
                "Use only the names Circle, Triangle, Diamond, Pentagon and Hexagon.",
            ),
        ),
        output_format=OutputFormat(
            "list", ("ANSWER",), "word", ("Circle", "Triangle", "Diamond", "Pentagon", "Hexagon")
        ),
        scene_type=Scene,
        make=make,
        draw=draw,
        answer=answer,
        legibility=legibility,
        guess=lambda size: float(len(KINDS)) ** -size,
        twin=Twin((Objects("shapes", "shape"),)),
    )
)
