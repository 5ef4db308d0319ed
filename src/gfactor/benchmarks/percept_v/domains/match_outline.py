"""Match outline: in how many rows does the second picture outline the first one's shape?

Size n (both editions): n rows in each of the two pictures.
Paper edition: strips 97 px wide, 77.5 px/unit, shapes of radius 0.1 (16 px across), blue, in the
middle of their rows, the kinds of both pictures drawn independently. The paper speaks of a list of
matches; the code's question, followed here, is their number.
Audited: the number of matching rows is balanced over 0..n (it was binomial, one row in four),
shapes are at least 30 px across and vary in color and size; an outline is of the same size as its
shape but has a place of its own, so that only the form decides.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

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
from gfactor.imaging import PALETTES, WHITE, Pixels
from gfactor.items import ItemRandom, OutputFormat

RADII = (SHAPE_RADII[0], SHAPE_RADII[1] - 2)
"""An outline reaches beyond the radius by half its width."""
OUTLINE_PX, PAPER_OUTLINE_PX = 3, 1


@dataclass(frozen=True)
class Scene:
    sheet: RowSheet
    palette: str
    outline_px: int
    shapes: tuple[Shape, ...]
    outlines: tuple[Shape, ...]


def make(rng: ItemRandom, size: int, edition: Edition) -> Scene:
    if edition == "paper":
        sheet = ruled_as_published(size, closed=True)
        shapes, outlines = shapes_as_published(rng, sheet), shapes_as_published(rng, sheet)
        return Scene(sheet, "css", PAPER_OUTLINE_PX, shapes, outlines)
    sheet = ruled(rng, size)
    shapes = shapes_in_rows(rng, sheet, RADII)
    outlines = tuple(
        Shape(kind, across(rng, s.r), s.y, s.r, "blue")
        for kind, s in zip(partner_kinds(rng, shapes), shapes, strict=True)
    )
    return Scene(sheet, "four", OUTLINE_PX, shapes, outlines)


def draw(scene: Scene) -> tuple[Pixels, ...]:
    filled, outlined = scene.sheet.canvas(), scene.sheet.canvas()
    draw_shapes(filled, scene.shapes, scene.palette)
    for s in scene.outlines:
        ink = PALETTES[scene.palette][s.color]
        outlined.shape(s.kind, s.x, s.y, s.r, None, ink, scene.outline_px)
    return filled.pixels, outlined.pixels


def answer(scene: Scene) -> int:
    return matching_rows(scene.shapes, scene.outlines)


def legibility(scene: Scene) -> Legibility:
    # Colors need not be distinguished from each other, only the palest from the white paper.
    colors = [max((PALETTES[scene.palette][s.color] for s in scene.shapes), key=sum), WHITE]
    base = scene.sheet.legibility(scene.outlines, colors)
    return replace(base, gap_px=base.gap_px - scene.outline_px / 2)


register(
    Domain(
        name="match_outline",
        skills=("Visual Discrimination", "Visual Sequential Memory", "Visual Closure"),
        images=2,
        prompt=Prompt(
            input=(
                "You see two pictures with the same number of rows (one or more), separated by "
                "horizontal lines.",
                "Each row of the first picture holds a filled shape, each row of the second an "
                "outline: of a circle, a triangle, a square or a pentagon.",
            ),
            rules=(
                "Compare the first row of the first picture with the first row of the second, and "
                "so on.",
                "A row matches if the outline has the form of the filled shape; colors and places "
                "in the row do not matter.",
                "Find out how many rows match; it may be none.",
            ),
            output=("Answer in one line of the form ANSWER:x where x is that number.",),
        ),
        output_format=OutputFormat("value", labels=("ANSWER",)),
        scene_type=Scene,
        make=make,
        draw=draw,
        answer=answer,
        legibility=legibility,
        guess=lambda size: 1 / (size + 1),
        twin=Twin(pictures=((Objects("shapes", "shape"),), (Objects("outlines", "shape"),))),
    )
)
