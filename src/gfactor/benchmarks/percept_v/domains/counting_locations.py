"""Counting locations: how many circles are above the plank, and how many below?

Size n (both editions): 2n circles; the paper calls n the number of circles, its code draws n above
and n below, and the code is followed.
Paper edition: 500 x 300 px, circles 30 px across in red, blue, CSS green or yellow, a brown plank
across the middle. The code keeps circles 35 px apart in x or in y; here centers are 35 px apart.
Audited: the number above is balanced over 0..2n and the rest lies below (both numbers equaled n, so
that neither the plank nor half of the circles had to be looked at). The plank is black, which
stays apart from red and green in every color vision.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from gfactor.benchmarks.percept_v.domain import Domain, Edition, Legibility, Prompt, register
from gfactor.benchmarks.percept_v.layouts_regions import Region, place_in_regions
from gfactor.benchmarks.percept_v.parts import (
    MIN_GAP_PX,
    Shape,
    draw_shapes,
    shapes_legibility,
)
from gfactor.benchmarks.percept_v.twins import Facts, Objects, Twin
from gfactor.imaging import BLACK, PALETTES, RGB, WHITE, Canvas, Frame, Pixels
from gfactor.items import ItemRandom, OutputFormat

COLORS = ("red", "blue", "green", "yellow")


@dataclass(frozen=True)
class Scene:
    frame: Frame
    palette: str
    plank: Region
    circles: tuple[Shape, ...]


def make(rng: ItemRandom, size: int, edition: Edition) -> Scene:
    paper = edition == "paper"
    above = size if paper else rng.balanced(range(2 * size + 1))
    homes = [0] * above + [1] * (2 * size - above)
    if paper:
        frame, plank, gap = Frame(500, 300), (10, 140, 490, 160), 5
        regions = ((10, 0, 500, 130), (10, 170, 500, 290))
        radii = [15] * len(homes)
    else:
        frame, plank, gap = Frame(640, 480), (16, 230, 624, 250), MIN_GAP_PX + 2
        regions = ((6, 6, 634, 220), (6, 260, 634, 474))
        radii = [rng.integer(11, 17) for _ in homes]
    centers = place_in_regions(rng, regions, homes, radii, gap)
    circles = tuple(
        Shape("circle", x, y, r, rng.choice(COLORS))
        for (x, y), r in zip(centers, radii, strict=True)
    )
    return Scene(frame, "css" if paper else "four", plank, circles)


def _plank_color(scene: Scene) -> RGB:
    return PALETTES["css"]["brown"] if scene.palette == "css" else BLACK


def draw(scene: Scene) -> tuple[Pixels, ...]:
    canvas = Canvas(scene.frame)
    canvas.rectangle(*scene.plank, _plank_color(scene))
    draw_shapes(canvas, scene.circles, scene.palette)
    return (canvas.pixels,)


def answer(scene: Scene) -> tuple[int, int]:
    above = sum(c.y < scene.plank[1] for c in scene.circles)
    return above, len(scene.circles) - above


def legibility(scene: Scene) -> Legibility:
    # Stricter than the question: circles need only be told from the plank and the paper.
    colors = [PALETTES[scene.palette][c] for c in COLORS]
    base = shapes_legibility(scene.frame, scene.circles, [*colors, _plank_color(scene), WHITE])
    _, top, _, bottom = scene.plank
    clear = min(max(top - c.y, c.y - bottom) - c.r for c in scene.circles)
    return replace(base, gap_px=min(base.gap_px, clear))


register(
    Domain(
        name="counting_locations",
        skills=("Visual Spatial Relationships",),
        prompt=Prompt(
            input=("You see colored circles above and below a long plank.",),
            rules=(
                "Find out how many circles are above the plank and how many are below it.",
                "There may be none on one side.",
            ),
            output=(
                "Answer in one line of the form ABOVE:x BELOW:y where x is the number of circles "
                "above the plank and y the number below.",
            ),
        ),
        output_format=OutputFormat("tuple", labels=("ABOVE", "BELOW")),
        scene_type=Scene,
        make=make,
        draw=draw,
        answer=answer,
        legibility=legibility,
        guess=lambda size: 1 / (2 * size + 1),
        twin=Twin(
            (Facts("plank", lists={"plank": ("x1", "y1", "x2", "y2")}), Objects("circles", "shape"))
        ),
    )
)
