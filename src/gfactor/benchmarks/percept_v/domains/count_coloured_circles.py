"""Count coloured circles: how many of the circles are red?

Size n (both editions): 2n circles, of which n are red in the published data. The paper says that
every color is counted and that n circles are drawn; its code and prompt ask for red only among
2n, and the code is followed.
Paper edition: 500 x 300 px, radii 10..20, n red circles, the others blue, CSS green or yellow.
Audited: the number of red circles is balanced over 0..2n (it equaled n, half of all circles). The
ground has a random shade and specks, so that mean luminance does not tell how many are red.
"""

from __future__ import annotations

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
    place,
    roving_ground,
    shapes_legibility,
)
from gfactor.benchmarks.percept_v.twins import Objects, Twin
from gfactor.imaging import PALETTES, Frame, Pixels
from gfactor.items import ItemRandom, OutputFormat

COUNTED = "red"
OTHERS = ("blue", "green", "yellow")
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
    paper = edition == "paper"
    frame = Frame(500, 300) if paper else Frame(640, 480)
    low, high = (10, 20) if paper else (12, 26)
    counted = size if paper else rng.balanced(range(2 * size + 1))
    colors = [COUNTED] * counted + [rng.choice(OTHERS) for _ in range(2 * size - counted)]
    radii = [rng.integer(low, high) for _ in colors]
    area = (MARGIN, MARGIN, frame.width - MARGIN, frame.height - MARGIN)
    gap = MIN_GAP_PX + 2
    spots = place_as_published(rng, radii, frame) if paper else place(rng, radii, area, gap)
    circles = tuple(
        Shape("circle", x, y, r, color)
        for (x, y), r, color in zip(spots, radii, colors, strict=True)
    )
    if paper:
        return Scene(frame, "css", circles)
    return GroundedScene(frame, "four", circles, roving_ground(rng))


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
                "Find out how many circles are red; it may be none.",
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
        guess=lambda size: 1 / (2 * size + 1),
        version="2",
        twin=Twin((Objects("circles", "shape"),)),
    )
)
