"""Comparing size: in each row, which is larger, the blue or the green circle?

Size n (both editions): n rows with one blue and one green circle each.
Paper edition: a strip 97 px wide (up to 1577 px high), 77.5 px/unit, blue always left and green
always right, radii U(0.05, 0.2) at least 0.05 apart, a line below each row. Paper and code agree.
Audited: the sides of the two colors are random, circles are at least 20 px across and stand
anywhere in their half of a picture of sane aspect ratio, radii differ by 4 px at least. The colors
of the first four rows are balanced over all their sequences.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from gfactor.benchmarks.percept_v.domain import Domain, Edition, Legibility, Prompt, register
from gfactor.benchmarks.percept_v.layouts_rows import (
    CIRCLE_RADII,
    WIDTH,
    RowSheet,
    across,
    ruled,
    ruled_as_published,
)
from gfactor.benchmarks.percept_v.parts import Shape, draw_shapes
from gfactor.benchmarks.percept_v.twins import Objects, Plain, Twin, WrittenFields
from gfactor.benchmarks.texts import Say
from gfactor.imaging import PALETTES, WHITE, Pixels
from gfactor.items import ItemRandom, OutputFormat

COLORS = ("blue", "green")
MIN_DIFFERENCE = 4
"""Smallest difference of two radii in pixels: 8 px of diameter, a fifth of the largest."""
BALANCED_ROWS = 4


@dataclass(frozen=True)
class Scene:
    sheet: RowSheet
    palette: str
    left: tuple[Shape, ...]
    right: tuple[Shape, ...]


def make(rng: ItemRandom, size: int, edition: Edition) -> Scene:
    return _published(rng, size) if edition == "paper" else _audited(rng, size)


def _published(rng: ItemRandom, size: int) -> Scene:
    sheet = ruled_as_published(size, closed=True)
    blue, green = [], []
    for y in sheet.rows:
        radii = _radii(rng, 50, 200, 50)
        small, large = rng.shuffled(radii)
        blue.append(Shape("circle", 376, y, small, "blue"))
        green.append(Shape("circle", 876, y, large, "green"))
    return Scene(sheet, "css", tuple(blue), tuple(green))


def _audited(rng: ItemRandom, size: int) -> Scene:
    balanced = rng.balanced(list(product(COLORS, repeat=min(size, BALANCED_ROWS))))
    larger = [*balanced, *(rng.choice(COLORS) for _ in range(size - len(balanced)))]
    sheet = ruled(rng, size)
    left, right = [], []
    for y, color in zip(sheet.rows, larger, strict=True):
        small, large = _radii(rng, *CIRCLE_RADII, MIN_DIFFERENCE)
        smaller = COLORS[1 - COLORS.index(color)]
        first, second = rng.shuffled([(small, smaller), (large, color)])
        left.append(Shape("circle", across(rng, first[0], 0, WIDTH // 2), y, *first))
        right.append(Shape("circle", across(rng, second[0], WIDTH // 2, WIDTH), y, *second))
    return Scene(sheet, "four", tuple(left), tuple(right))


def _radii(rng: ItemRandom, low: int, high: int, apart: int) -> tuple[int, int]:
    while True:
        small, large = sorted((rng.integer(low, high), rng.integer(low, high)))
        if large - small >= apart:
            return small, large


def draw(scene: Scene) -> tuple[Pixels, ...]:
    canvas = scene.sheet.canvas()
    draw_shapes(canvas, (*scene.left, *scene.right), scene.palette)
    return (canvas.pixels,)


def answer(scene: Scene) -> tuple[str, ...]:
    pairs = zip(scene.left, scene.right, strict=True)
    return tuple(max(pair, key=lambda s: s.r).color.title() for pair in pairs)


def legibility(scene: Scene) -> Legibility:
    colors = [PALETTES[scene.palette][c] for c in COLORS]
    return scene.sheet.legibility((*scene.left, *scene.right), [*colors, WHITE])


def _in_words(scene: Plain) -> Iterator[Say]:
    """The circles of each row as the picture shows them, the left one first."""
    yield from Objects("circles", "shape").write({"circles": scene["left"] + scene["right"]})


def _from_words(says: Sequence[Say], read_facts: Plain) -> Plain:
    circles = Objects("circles", "shape").read(says, read_facts)["circles"]
    return {"left": circles[::2], "right": circles[1::2]}


register(
    Domain(
        name="comparing_size",
        skills=(
            "Visual Attention",
            "Visual Discrimination",
            "Visual Spatial Relationships",
            "Visual Sequential Memory",
        ),
        prompt=Prompt(
            input=(
                "You see one or more rows, separated by horizontal lines.",
                "Each row holds one blue and one green circle.",
            ),
            rules=(
                "Find out for each row, from top to bottom, which of its two circles is larger: "
                "Blue or Green.",
            ),
            output=(
                "Answer in one line of the form ANSWER: Blue Green ... with one word for each "
                "row, the top row first, separated by spaces.",
            ),
        ),
        output_format=OutputFormat("list", ("ANSWER",), "word", ("Blue", "Green")),
        scene_type=Scene,
        make=make,
        draw=draw,
        answer=answer,
        legibility=legibility,
        guess=lambda size: 2.0**-size,
        twin=Twin((WrittenFields(("left", "right"), ("shape",), _in_words, _from_words),)),
    )
)
