"""Counting circles: how many circles are there?

Size n: in the paper edition n circles; in the audited edition n is the middle of a window from
which the number of circles is balanced. Here the question is the load itself, so with exactly n
circles the size alone would answer it; within three circles of n the load stays the published one.
Paper edition: 500 x 300 px, black circles, radii 10..30. Paper and code agree.
Audited: the number of circles is balanced over max(1, n - 3)..n + 3 (it equaled n). Their total
    area
is drawn without regard to the number, and they lie on a ground of random shade and specks: neither
ink nor complexity gives the number away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gfactor.benchmarks.percept_v.domain import Domain, Edition, Legibility, Prompt, register
from gfactor.benchmarks.percept_v.layouts_circles import place_as_published
from gfactor.benchmarks.percept_v.parts import (
    MIN_GAP_PX,
    Ground,
    Shape,
    area_for,
    canvas_on,
    draw_shapes,
    ground_color,
    ground_in,
    place,
    radii_of_area,
    roving_ground,
    shapes_legibility,
)
from gfactor.benchmarks.percept_v.twins import Objects, Twin
from gfactor.imaging import BLACK, Frame, Pixels
from gfactor.items import ItemRandom, OutputFormat

REACH = 3
"""Circles more or fewer than the size: from size 4 on seven counts, each at most twice in ten."""
LEAST_RADIUS = 12
MARGIN = 6


@dataclass(frozen=True)
class Scene:
    frame: Frame
    circles: tuple[Shape, ...]


@dataclass(frozen=True)
class GroundedScene(Scene):
    ground: Ground


def make(rng: ItemRandom, size: int, edition: Edition) -> Scene:
    if edition == "paper":
        frame = Frame(500, 300)
        radii = [rng.integer(10, 30) for _ in range(size)]
        return Scene(frame, _circles(place_as_published(rng, radii, frame), radii))
    frame = Frame(640, 480)
    most = size + REACH
    count = rng.balanced(range(max(1, size - REACH), most + 1))
    radii = radii_of_area(rng, count, LEAST_RADIUS, area_for(rng, most, LEAST_RADIUS))
    area = (MARGIN, MARGIN, frame.width - MARGIN, frame.height - MARGIN)
    spots = place(rng, radii, area, MIN_GAP_PX + 2)
    return GroundedScene(frame, _circles(spots, radii), roving_ground(rng))


def _circles(spots: Sequence[tuple[int, int]], radii: Sequence[int]) -> tuple[Shape, ...]:
    pairs = zip(spots, radii, strict=True)
    return tuple(Shape("circle", x, y, r, "black") for (x, y), r in pairs)


def draw(scene: Scene) -> tuple[Pixels, ...]:
    canvas = canvas_on(scene.frame, ground_in(scene))
    draw_shapes(canvas, scene.circles, "css")
    return (canvas.pixels,)


def answer(scene: Scene) -> int:
    return len(scene.circles)


def legibility(scene: Scene) -> Legibility:
    return shapes_legibility(scene.frame, scene.circles, [BLACK, ground_color(ground_in(scene))])


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
        guess=lambda size: 1 / (size + REACH + 1 - max(1, size - REACH)),
        version="2",
        twin=Twin((Objects("circles", "shape"),)),
    )
)
