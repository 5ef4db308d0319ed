"""Counting locations: how many circles are above the plank, and how many below?

Size n (both editions): 2n circles; the paper calls n the number of circles, its code draws n above
and n below, and the code is followed.
Paper edition: 500 x 300 px, circles 30 px across in red, blue, CSS green or yellow, a brown plank
across the middle. The code keeps circles 35 px apart in x or in y; here centers are 35 px apart.
Audited: 2n + 1 circles, of which 1..2n, balanced, are above and the rest below (both numbers were
n, so that neither the plank nor half of the circles had to be looked at). The plank is black, which
stays apart from red and green in every color vision. The circles of each side have one color, a
total area that is drawn without regard to their number, and lie in a window whose size goes with
that area, on a ground of random shade and specks: neither ink, color nor complexity gives the
numbers away. Version 1 had 2n circles of like sizes anywhere on their side.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from gfactor.benchmarks.percept_v.domain import Domain, Edition, Legibility, Prompt, register
from gfactor.benchmarks.percept_v.layouts_regions import Region, place_in_regions
from gfactor.benchmarks.percept_v.parts import (
    MIN_GAP_PX,
    Ground,
    Shape,
    canvas_on,
    draw_shapes,
    ground_color,
    ground_in,
    group_radii,
    place_together,
    roving_ground,
    shapes_legibility,
)
from gfactor.benchmarks.percept_v.twins import Facts, Objects, Twin
from gfactor.imaging import BLACK, PALETTES, RGB, Frame, Pixels
from gfactor.items import ItemRandom, OutputFormat

COLORS = ("red", "blue", "green", "yellow")
LEAST_RADIUS = 10
PLANK: Region = (16, 230, 624, 250)
SIDES: tuple[Region, Region] = ((6, 6, 634, 220), (6, 260, 634, 474))


@dataclass(frozen=True)
class Scene:
    frame: Frame
    palette: str
    plank: Region
    circles: tuple[Shape, ...]


@dataclass(frozen=True)
class GroundedScene(Scene):
    ground: Ground


def make(rng: ItemRandom, size: int, edition: Edition) -> Scene:
    if edition == "paper":
        return _published(rng, size)
    above = rng.balanced(range(1, 2 * size + 1))
    circles = []
    for region, count in zip(SIDES, (above, 2 * size + 1 - above), strict=True):
        color = rng.choice(COLORS)
        radii = group_radii(rng, count, 2 * size, LEAST_RADIUS)
        spots = place_together(rng, radii, region, MIN_GAP_PX + 2)
        circles += [Shape("circle", x, y, r, color) for (x, y), r in zip(spots, radii, strict=True)]
    return GroundedScene(Frame(640, 480), "four", PLANK, tuple(circles), roving_ground(rng))


def _published(rng: ItemRandom, size: int) -> Scene:
    homes = [0] * size + [1] * size
    regions = ((10, 0, 500, 130), (10, 170, 500, 290))
    centers = place_in_regions(rng, regions, homes, [15] * len(homes), 5)
    circles = tuple(Shape("circle", x, y, 15, rng.choice(COLORS)) for x, y in centers)
    return Scene(Frame(500, 300), "css", (10, 140, 490, 160), circles)


def _plank_color(scene: Scene) -> RGB:
    return PALETTES["css"]["brown"] if scene.palette == "css" else BLACK


def draw(scene: Scene) -> tuple[Pixels, ...]:
    canvas = canvas_on(scene.frame, ground_in(scene))
    canvas.rectangle(*scene.plank, _plank_color(scene))
    draw_shapes(canvas, scene.circles, scene.palette)
    return (canvas.pixels,)


def answer(scene: Scene) -> tuple[int, int]:
    above = sum(c.y < scene.plank[1] for c in scene.circles)
    return above, len(scene.circles) - above


def legibility(scene: Scene) -> Legibility:
    # Stricter than the question, for which circles need only differ from the plank and the paper.
    colors = [PALETTES[scene.palette][c] for c in COLORS]
    ground = ground_color(ground_in(scene))
    base = shapes_legibility(scene.frame, scene.circles, [*colors, _plank_color(scene), ground])
    _, top, _, bottom = scene.plank
    clear = min(max(top - c.y, c.y - bottom) - c.r for c in scene.circles)
    return replace(base, gap_px=min(base.gap_px, clear))


register(
    Domain(
        name="counting_locations",
        skills=("Visual Spatial Relationships",),
        prompt=Prompt(
            input=("You see colored circles above and below a long plank.",),
            rules=("Find out how many circles are above the plank and how many are below it.",),
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
        guess=lambda size: 1 / (2 * size),
        version="2",
        twin=Twin(
            (Facts("plank", lists={"plank": ("x1", "y1", "x2", "y2")}), Objects("circles", "shape"))
        ),
    )
)
