"""Circle location: which quadrant holds the most circles, and how many?

Size n (both editions): n circles.
Paper edition: a plot of 516 x 350 px with thin axes, black circles of radius 75 units (25 px
across), each in a random quadrant. Paper and code agree; in about a quarter of the pictures two
quadrants tie, and the published prompt then asks for the smaller number.
Audited: n + 4 circles, at least one in each quadrant; one quadrant always holds more circles than
any other, and the pair (quadrant, count) is balanced over all pairs that this allows. The total
area of each quadrant's circles is drawn without regard to their number, and they lie on a ground of
random shade and specks: neither ink nor complexity gives the answer away. Version 1 had n circles
of like sizes, and quadrants without any.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from gfactor.benchmarks.percept_v.domain import Domain, Edition, Legibility, Prompt, register
from gfactor.benchmarks.percept_v.layouts_regions import (
    PLOT,
    PLOT_CENTER,
    place_in_regions,
    quadrants,
)
from gfactor.benchmarks.percept_v.parts import (
    MIN_GAP_PX,
    Ground,
    Shape,
    canvas_on,
    draw_shapes,
    ground_color,
    ground_in,
    group_radii,
    roving_ground,
    shapes_legibility,
)
from gfactor.benchmarks.percept_v.twins import Facts, Objects, Twin
from gfactor.imaging import BLACK, Frame, Pixels
from gfactor.items import ItemRandom, OutputFormat

FRAME = Frame(640, 480)
AXIS_CLEAR = 12
AXIS_WIDTH = 2
LEAST_RADIUS = 11
MORE = 4
"""Circles beyond the size: one for each quadrant."""
PAPER_AXIS_WIDTH = 1
RULES = (
    "Two lines cross in the middle of the picture and part it in four quadrants.",
    "Quadrant 1 is the upper right one, 2 the upper left, 3 the lower left, 4 the lower right.",
    "Find the quadrant that holds the most circles, and how many it holds.",
)
TIE_RULE = "Where several quadrants hold that many, take the one with the smallest number."


@dataclass(frozen=True)
class Scene:
    frame: Frame
    center: tuple[int, int]
    axis_width: int
    circles: tuple[Shape, ...]


@dataclass(frozen=True)
class GroundedScene(Scene):
    ground: Ground


def make(rng: ItemRandom, size: int, edition: Edition) -> Scene:
    if edition == "paper":
        homes = [rng.integer(0, 3) for _ in range(size)]
        regions = quadrants(PLOT_CENTER, 1500, 1000, clear=1)
        radii = [75] * size
        centers = place_in_regions(rng, regions, homes, radii, 1)
        return Scene(PLOT, PLOT_CENTER, PAPER_AXIS_WIDTH, _circles(centers, radii))
    total = size + MORE
    fullest, most = rng.balanced([(q, m) for m in feasible_maxima(total) for q in range(4)])
    homes = [fullest] * most + _others(rng, fullest, most, total - most)
    center, margin = (FRAME.width // 2, FRAME.height // 2), 6
    regions = quadrants(center, center[0] - margin, center[1] - margin, AXIS_CLEAR)
    drawn = [iter(group_radii(rng, homes.count(q), size + 1, LEAST_RADIUS)) for q in range(4)]
    radii = [next(drawn[home]) for home in homes]
    centers = place_in_regions(rng, regions, homes, radii, MIN_GAP_PX + 2)
    return GroundedScene(FRAME, center, AXIS_WIDTH, _circles(centers, radii), roving_ground(rng))


def feasible_maxima(circles: int) -> list[int]:
    """Return the possible numbers of circles in the fullest quadrant if each of the others has
    fewer, but at least one."""
    return [m for m in range(1, circles - 2) if circles - m <= 3 * (m - 1)]


def _others(rng: ItemRandom, fullest: int, most: int, rest: int) -> list[int]:
    counts = {q: 1 for q in range(4) if q != fullest}
    homes = list(counts)
    for _ in range(rest - len(homes)):
        home = rng.choice([q for q in counts if counts[q] < most - 1])
        counts[home] += 1
        homes.append(home)
    return homes


def _circles(centers: list[tuple[int, int]], radii: list[int]) -> tuple[Shape, ...]:
    return tuple(
        Shape("circle", x, y, r, "black") for (x, y), r in zip(centers, radii, strict=True)
    )


def draw(scene: Scene) -> tuple[Pixels, ...]:
    canvas = canvas_on(scene.frame, ground_in(scene))
    scale = scene.frame.per_unit
    width, height = round(scene.frame.width / scale), round(scene.frame.height / scale)
    x, y = scene.center
    canvas.line(x, 0, x, height, BLACK, scene.axis_width)
    canvas.line(0, y, width, y, BLACK, scene.axis_width)
    draw_shapes(canvas, scene.circles, "css")
    return (canvas.pixels,)


def held_by(scene: Scene) -> list[int]:
    """Return the number of circles in each quadrant, from 1 to 4."""
    x, y = scene.center
    counts = Counter((c.x > x, c.y < y) for c in scene.circles)
    return [counts[side] for side in ((True, True), (False, True), (False, False), (True, False))]


def answer(scene: Scene) -> tuple[int, int]:
    counts = held_by(scene)
    return counts.index(max(counts)) + 1, max(counts)


def legibility(scene: Scene) -> Legibility:
    base = shapes_legibility(scene.frame, scene.circles, [BLACK, ground_color(ground_in(scene))])
    x, y = scene.center
    clear = min(min(abs(c.x - x), abs(c.y - y)) - c.r for c in scene.circles)
    to_axis = clear * scene.frame.per_unit - scene.axis_width / 2
    return replace(base, gap_px=min(base.gap_px, to_axis))


INPUT = ("You see black circles in four quadrants.",)
OUTPUT = (
    "Answer in one line of the form QUADRANT:x COUNT:y where x is the number of the quadrant "
    "(1, 2, 3 or 4) and y is how many circles it holds.",
)

register(
    Domain(
        name="circle_location",
        skills=("Visual Spatial Relationships",),
        prompt=Prompt(INPUT, RULES, OUTPUT),
        paper_prompt=Prompt(INPUT, (*RULES, TIE_RULE), OUTPUT),
        output_format=OutputFormat("tuple", labels=("QUADRANT", "COUNT")),
        scene_type=Scene,
        make=make,
        draw=draw,
        answer=answer,
        legibility=legibility,
        guess=lambda size: 1 / (4 * len(feasible_maxima(size + MORE))),
        version="2",
        twin=Twin((Facts("axes", lists={"center": ("x", "y")}), Objects("circles", "shape"))),
    )
)
