"""Inside circles: is the red dot inside any of the circles?

Size n (both editions): n circle outlines.
Paper edition: plot limits -0.7..1.4 at 176 px/unit, centers U(0.1, 0.9), radii U(0.1, 0.5), a dot
of radius 0.05 under the circles, centered U(0.1, 0.9). The paper asks how many circles hold the
dot; the code's question, followed here in both editions, is whether any does. The published answer
is yes in 88 % of the items, and in nearly all with many circles.
Audited: yes and no are balanced at every size. The dot's place and the radii are drawn alike for
both answers, before any circle is placed, so that neither tells the answer. As many circles are
close to the dot if none holds it as hold it otherwise, so that ink near the dot tells little (in
version 1 circles were anywhere then); no circumference comes nearer than 6 px to the dot, no two
circles touch or nearly coincide, and all circles lie wholly in the picture.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from gfactor.benchmarks.percept_v.domain import Domain, Edition, Legibility, Prompt, register
from gfactor.benchmarks.percept_v.parts import CrowdedError
from gfactor.benchmarks.percept_v.twins import Facts, Objects, Twin, as_drawn
from gfactor.imaging import BLACK, PALETTES, WHITE, Canvas, Frame, Pixels
from gfactor.items import ItemRandom, OutputFormat

SIDE = 600
MARGIN = 6
RADII = (40, 110)
DOT_RADII = (10, 14)
DOT_AREA = (60, SIDE - 60)
"""Range of a dot's position, in both directions: at each of these positions, a circle of any radius
can hold it and another one can avoid it.
"""
CLEAR = 8
"""Smallest distance of the dot's edge from the middle of an outline: 7 px of white."""
MOST_HOLDING = 3
NEAR = 24
"""Pixels by which a close circle may exceed its least distance from the dot."""
TOUCHING = 6
"""Two circles are not drawn if they are nearer than this to touching, in pixels."""
CROSSING = 12
"""Smallest excess of the distance of two crossing circles' centers over the difference of their
radii: with less, the outlines run side by side for long."""

Circle = tuple[int, int, int]
"""Center (x, y) and radius."""


@dataclass(frozen=True)
class Scene:
    frame: Frame
    palette: str
    line_width: int
    dot: Circle
    circles: tuple[Circle, ...]


def make(rng: ItemRandom, size: int, edition: Edition) -> Scene:
    return _published(rng, size) if edition == "paper" else _audited(rng, size)


def _published(rng: ItemRandom, size: int) -> Scene:
    # Thousandths of the plot's unit. The picture's padding adds 55 to the limits; y points down.
    def center() -> tuple[int, int]:
        return 755 + rng.integer(100, 900), 1455 - rng.integer(100, 900)

    dot = (*center(), 50)
    circles = tuple((*center(), rng.integer(100, 500)) for _ in range(size))
    return Scene(Frame(389, 389, 2210), "css", 1, dot, circles)


def _audited(rng: ItemRandom, size: int) -> Scene:
    is_inside = rng.balanced((True, False))
    dot = (rng.integer(*DOT_AREA), rng.integer(*DOT_AREA), rng.integer(*DOT_RADII))
    radii = [rng.integer(*RADII) for _ in range(size)]
    close = rng.integer(1, min(size, MOST_HOLDING))
    for _ in range(200):
        circles: list[Circle] = []
        for k, r in enumerate(radii):
            reach = (r + dot[2] + CLEAR, r + dot[2] + CLEAR + (NEAR if k < close else SIDE))
            if is_inside and k < close:
                reach = (0, r - dot[2] - CLEAR)
            circle = _circle(rng, r, dot, reach, circles)
            if circle is None:
                break
            circles.append(circle)
        else:
            return Scene(Frame(SIDE, SIDE), "four", 2, dot, tuple(rng.shuffled(circles)))
    raise CrowdedError(f"{size} circles find no place round the dot {dot}")


def _circle(
    rng: ItemRandom, r: int, dot: Circle, reach: tuple[int, int], others: Sequence[Circle]
) -> Circle | None:
    """A circle with its center at the given distance from the dot's, or None after 200 draws."""
    least, most = reach
    for _ in range(200):
        x = rng.integer(MARGIN + r, SIDE - MARGIN - r)
        y = rng.integer(MARGIN + r, SIDE - MARGIN - r)
        away = math.hypot(x - dot[0], y - dot[1])
        if least <= away <= most and all(_are_distinct((x, y, r), other) for other in others):
            return x, y, r
    return None


def _are_distinct(a: Circle, b: Circle) -> bool:
    away = math.hypot(a[0] - b[0], a[1] - b[1])
    inner, outer = abs(a[2] - b[2]), a[2] + b[2]
    crosses = inner + CROSSING <= away <= outer - TOUCHING
    return crosses or away >= outer + TOUCHING or away <= inner - TOUCHING


def draw(scene: Scene) -> tuple[Pixels, ...]:
    canvas = Canvas(scene.frame)
    canvas.disc(*scene.dot, PALETTES[scene.palette]["red"])
    for circle in scene.circles:
        canvas.disc(*circle, None, BLACK, scene.line_width)
    return (canvas.pixels,)


def answer(scene: Scene) -> str:
    dot_x, dot_y, _ = scene.dot
    inside = any((x - dot_x) ** 2 + (y - dot_y) ** 2 < r * r for x, y, r in scene.circles)
    return "Yes" if inside else "No"


def legibility(scene: Scene) -> Legibility:
    dot_x, dot_y, dot_r = scene.dot
    scale = scene.frame.per_unit
    clear = min(abs(math.hypot(x - dot_x, y - dot_y) - r) - dot_r for x, y, r in scene.circles)
    smallest = min(dot_r, *(r for _, _, r in scene.circles))
    colors = (PALETTES[scene.palette]["red"], BLACK, WHITE)
    return Legibility(2 * smallest * scale, clear * scale - scene.line_width / 2, colors)


register(
    Domain(
        name="inside_circles",
        skills=("Visual Spatial Relationships",),
        prompt=Prompt(
            input=("You see one or more black circles, which may cross, and one red dot.",),
            rules=(
                "Find out whether the dot is inside at least one of the circles.",
                "It is inside a circle if the center of the dot is.",
            ),
            output=("Answer in one line of the form ANSWER:x where x is Yes or No.",),
        ),
        output_format=OutputFormat("value", ("ANSWER",), "word", ("Yes", "No")),
        scene_type=Scene,
        make=make,
        draw=draw,
        answer=answer,
        legibility=legibility,
        version="2",
        twin=Twin(
            (
                Facts("dot", lists={"dot": ("x", "y", "r")}),
                Objects("circles", "circle", ("x", "y", "r"), order=as_drawn),
            )
        ),
    )
)
