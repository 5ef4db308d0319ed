"""Counting circles: how many circles are there?

Size n: in the paper edition n circles; in the audited edition n is the middle of a window from
which the number of circles is dealt. Here the question is the load itself, so with exactly n
circles the size alone would answer it; within three circles of n the load stays the published one.
Paper edition: 500 x 300 px, black circles, radii 10..30. Paper and code agree.
Audited: the number of circles is dealt from max(1, n - 3)..n + 3 (it equaled n).
"""

from __future__ import annotations

from dataclasses import dataclass

from gfactor.benchmarks.percept_v.domain import Domain, Edition, Legibility, Prompt, register
from gfactor.benchmarks.percept_v.layouts_circles import place_as_published
from gfactor.benchmarks.percept_v.parts import (
    MIN_GAP_PX,
    Shape,
    draw_shapes,
    place,
    shapes_legibility,
)
from gfactor.imaging import BLACK, WHITE, Canvas, Frame, Pixels
from gfactor.items import ItemRandom, OutputFormat

REACH = 3
"""Circles more or fewer than the size: from size 4 on seven counts, each at most twice in ten."""
MARGIN = 6


@dataclass(frozen=True)
class Scene:
    frame: Frame
    circles: tuple[Shape, ...]


def make(rng: ItemRandom, size: int, edition: Edition) -> Scene:
    paper = edition == "paper"
    frame = Frame(500, 300) if paper else Frame(640, 480)
    low = 10 if paper else 12
    count = size if paper else rng.deal(range(max(1, size - REACH), size + REACH + 1))
    radii = [rng.integer(low, 30) for _ in range(count)]
    area = (MARGIN, MARGIN, frame.width - MARGIN, frame.height - MARGIN)
    gap = MIN_GAP_PX + 2
    spots = place_as_published(rng, radii, frame) if paper else place(rng, radii, area, gap)
    circles = [Shape("circle", x, y, r, "black") for (x, y), r in zip(spots, radii, strict=True)]
    return Scene(frame, tuple(circles))


def draw(scene: Scene) -> tuple[Pixels, ...]:
    canvas = Canvas(scene.frame)
    draw_shapes(canvas, scene.circles, "css")
    return (canvas.pixels,)


def answer(scene: Scene) -> int:
    return len(scene.circles)


def legibility(scene: Scene) -> Legibility:
    return shapes_legibility(scene.frame, scene.circles, [BLACK, WHITE])


register(
    Domain(
        name="counting_circles",
        skills=("Visual Attention", "Visual Form Constancy"),
        prompt=Prompt(
            input=("You see black circles of different sizes.",),
            rules=("Find out how many circles there are.",),
            output=("Answer in one line of the form COUNT:x where x is that number.",),
        ),
        output_format=OutputFormat("value", labels=("COUNT",)),
        scene_type=Scene,
        make=make,
        draw=draw,
        answer=answer,
        legibility=legibility,
    )
)
