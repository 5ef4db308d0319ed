"""Count coloured circles: how many of the circles are red?

Size n (both editions): 2n circles, of which n are red in the published data. The paper says that
every color is counted and that n circles are drawn; its code and prompt ask for red only among
2n, and the code is followed.
Paper edition: 500 x 300 px, radii 10..20, n red circles, the others blue, CSS green or yellow.
Audited: the number of red circles is balanced over 1..2n (it equaled n, half of all circles), and
the number of the others drawn from n/2 to n, without regard to it. So is the total area of either;
the red ones lie in a window whose size goes with their area, among the others, and the ground has a
random shade and specks: neither ink by color, nor luminance, nor complexity tells how many are red.
Version 2 had 2n circles of like sizes, and colors told by their ink.
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
    canvas_on,
    draw_shapes,
    ground_color,
    ground_in,
    group_radii,
    place,
    place_together,
    roving_ground,
    shapes_legibility,
)
from gfactor.benchmarks.percept_v.twins import Objects, Twin
from gfactor.imaging import PALETTES, Frame, Pixels
from gfactor.items import ItemRandom, OutputFormat

COUNTED = "red"
OTHERS = ("blue", "green", "yellow")
LEAST_RADIUS = 10
MARGIN = 6


@dataclass(frozen=True)
class Scene:
    frame: Frame
    palette: str
    circles: tuple[Shape, ...]


@dataclass(frozen=True)
class GroundedScene(Scene):
    ground: Ground


def make(rng: ItemRandom, size: int, edition: Edition) -> Scene:
    if edition == "paper":
        frame = Frame(500, 300)
        colors = [COUNTED] * size + [rng.choice(OTHERS) for _ in range(size)]
        radii = [rng.integer(10, 20) for _ in colors]
        return Scene(frame, "css", _circles(place_as_published(rng, radii, frame), radii, colors))
    frame, gap = Frame(640, 480), MIN_GAP_PX + 2
    area = (MARGIN, MARGIN, frame.width - MARGIN, frame.height - MARGIN)
    counted = rng.balanced(range(1, 2 * size + 1))
    others = rng.integer((size + 1) // 2, size)
    red = group_radii(rng, counted, 2 * size, LEAST_RADIUS)
    rest = group_radii(rng, others, size, LEAST_RADIUS)
    spots = place_together(rng, red, area, gap)
    taken = [(x, y, r) for (x, y), r in zip(spots, red, strict=True)]
    spots += place(rng, rest, area, gap, taken)
    colors = [COUNTED] * counted + [rng.choice(OTHERS) for _ in rest]
    circles = _circles(spots, [*red, *rest], colors)
    return GroundedScene(frame, "four", circles, roving_ground(rng))


def _circles(
    spots: Sequence[tuple[int, int]], radii: Sequence[int], colors: Sequence[str]
) -> tuple[Shape, ...]:
    parts = zip(spots, radii, colors, strict=True)
    return tuple(Shape("circle", x, y, r, color) for (x, y), r, color in parts)


def draw(scene: Scene) -> tuple[Pixels, ...]:
    canvas = canvas_on(scene.frame, ground_in(scene))
    draw_shapes(canvas, scene.circles, scene.palette)
    return (canvas.pixels,)


def answer(scene: Scene) -> int:
    return sum(c.color == COUNTED for c in scene.circles)


def legibility(scene: Scene) -> Legibility:
    colors = [PALETTES[scene.palette][c] for c in (COUNTED, *OTHERS)]
    return shapes_legibility(scene.frame, scene.circles, [*colors, ground_color(ground_in(scene))])


register(
    Domain(
        name="count_coloured_circles",
        skills=("Visual Attention", "Visual Memory"),
        prompt=Prompt(
            input=("You see circles that are red, blue, green or yellow.",),
            rules=(
                "Circles of other colors than red do not count.",
                "Find out how many circles are red.",
            ),
            output=(
                "Answer in one line of the form COUNT:x where x is the number of red circles.",
            ),
        ),
        output_format=OutputFormat("value", labels=("COUNT",)),
        scene_type=Scene,
        make=make,
        draw=draw,
        answer=answer,
        legibility=legibility,
        guess=lambda size: 1 / (2 * size),
        version="3",
        twin=Twin((Objects("circles", "shape"),)),
    )
)
