"""Numbered shapes: which numbers are on circles?

Size n (both editions): n circles among other shapes.
Paper edition: a plot of 516 x 350 px, 2n shapes of radius 75 units (25 px across) in red, blue or
CSS green, n of them circles, the others triangles, squares or pentagons, with numbers 1..2n in
white digits 8 px high. Paper and code agree.
Audited: the number of other shapes is balanced, so that circles are not always half of all; kind,
color and number are independent; kinds have equal areas, and shapes hold digits 20 px high.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from gfactor.benchmarks.percept_v.domain import Domain, Edition, Legibility, Prompt, register
from gfactor.benchmarks.percept_v.layouts_regions import PLOT, PLOT_CENTER
from gfactor.benchmarks.percept_v.layouts_shapes import circumradius
from gfactor.benchmarks.percept_v.parts import (
    MIN_GAP_PX,
    Shape,
    draw_shapes,
    place,
    shapes_legibility,
)
from gfactor.benchmarks.percept_v.twins import Objects, Plain, Twin, WrittenFields
from gfactor.benchmarks.texts import Say
from gfactor.imaging import PALETTES, WHITE, Canvas, Frame, Pixels
from gfactor.items import ItemRandom, OutputFormat

COLORS = ("red", "green", "blue")
OTHER_KINDS = ("triangle", "square", "pentagon")
FRAME = Frame(800, 600)
RADIUS = 28
"""Radius of a circle in pixels: two digits of the height below fit into a shape of any kind with
this area."""
DIGIT_HEIGHT = 20
PAPER_DIGIT_HEIGHT = 49
MOST_SHAPES = 45
"""Number of shapes that fill a third of the picture: more would leave no random places."""


@dataclass(frozen=True)
class Scene:
    frame: Frame
    palette: str
    digit_height: int
    shapes: tuple[Shape, ...]
    numbers: tuple[int, ...]


def make(rng: ItemRandom, size: int, edition: Edition) -> Scene:
    paper = edition == "paper"
    others = size if paper else rng.balanced(_numbers_of_others(size))
    kinds = ["circle"] * size + [rng.choice(OTHER_KINDS) for _ in range(others)]
    numbers = tuple(rng.shuffled(range(1, len(kinds) + 1)))
    if paper:
        frame, digits, gap, radii = PLOT, PAPER_DIGIT_HEIGHT, 1, [75] * len(kinds)
        (x, y), across, down = PLOT_CENTER, 1500, 1000
        area = (x - across, y - down, x + across, y + down)
    else:
        frame, digits, gap, margin = FRAME, DIGIT_HEIGHT, MIN_GAP_PX + 2, 6
        radii = [circumradius(kind, RADIUS) for kind in kinds]
        area = (margin, margin, frame.width - margin, frame.height - margin)
    shapes = tuple(
        Shape(kind, x, y, r, rng.choice(COLORS))
        for kind, (x, y), r in zip(kinds, place(rng, radii, area, gap), radii, strict=True)
    )
    return Scene(frame, "css" if paper else "four", digits, shapes, numbers)


def _numbers_of_others(size: int) -> range:
    return range(max(1, size // 2), min(2 * size, MOST_SHAPES - size) + 1)


def _guess(size: int) -> float:
    numbers = _numbers_of_others(size)
    return sum(1 / math.comb(size + k, size) for k in numbers) / len(numbers)


def draw(scene: Scene) -> tuple[Pixels, ...]:
    canvas = Canvas(scene.frame)
    draw_shapes(canvas, scene.shapes, scene.palette)
    width = max(1, round(scene.digit_height * scene.frame.per_unit / 8))
    for shape, number in zip(scene.shapes, scene.numbers, strict=True):
        y = text_center(shape)
        canvas.text(shape.x, y, str(number), scene.digit_height, WHITE, width)
    return (canvas.pixels,)


def text_center(shape: Shape) -> float:
    """Return the vertical position of a shape's number: lower in triangles, wider below."""
    return shape.y + shape.r / 8 if shape.kind == "triangle" else shape.y


def answer(scene: Scene) -> frozenset[int]:
    pairs = zip(scene.shapes, scene.numbers, strict=True)
    return frozenset(number for shape, number in pairs if shape.kind == "circle")


def legibility(scene: Scene) -> Legibility:
    colors = [PALETTES[scene.palette][c] for c in COLORS]
    base = shapes_legibility(scene.frame, scene.shapes, [*colors, WHITE])
    return replace(base, object_px=scene.digit_height * scene.frame.per_unit)


def _in_words(scene: Plain) -> Iterator[Say]:
    pairs = zip(scene["shapes"], scene["numbers"], strict=True)
    numbered = [{**shape, "number": number} for shape, number in pairs]
    yield from Objects("shapes", "numbered").write({"shapes": numbered})


def _from_words(says: Sequence[Say], read_facts: Plain) -> Plain:
    shapes = Objects("shapes", "numbered").read(says, read_facts)["shapes"]
    return {"numbers": [shape.pop("number") for shape in shapes], "shapes": shapes}


register(
    Domain(
        name="numbered_shapes",
        skills=("Visual Attention", "Visual Memory", "Visual Form Constancy"),
        prompt=Prompt(
            input=("You see circles, triangles, squares and pentagons with numbers on them.",),
            rules=("Find all the numbers that are written on circles.",),
            output=(
                "Answer in one line of the form CIRCLES: x, y, z with those numbers, separated by "
                "commas, in any order.",
            ),
        ),
        output_format=OutputFormat("set", labels=("CIRCLES",), separator=","),
        scene_type=Scene,
        make=make,
        draw=draw,
        answer=answer,
        legibility=legibility,
        guess=_guess,
        twin=Twin((WrittenFields(("shapes", "numbers"), ("numbered",), _in_words, _from_words),)),
    )
)
