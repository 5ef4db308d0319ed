"""Circle boxes: how many circles must cross the line until both sides hold the same number?

Size n (both editions): 2n circles, as in the paper's code; the paper calls n the number of circles.
Paper edition: a plot of 516 x 350 px, red circles of radius 30 units (10 px across), and a blue
line through the middle. The number on the left is uniform over 0..2n. No circle lies on the
invisible horizontal axis, as in the paper's code.
Audited edition: 2n + 2 circles, so that each side has some. The answer is balanced over 0..n, and
the fuller side is drawn at random. Circles are at least 20 px across and clearly apart from each
other and from the line. The total area of a side's circles is drawn independently of their number.
They lie in a window whose size depends on that area, on a ground of random shade and specks, so
that neither ink nor complexity gives the number away. Version 1 had 2n circles of similar sizes
anywhere on their side.
"""

from __future__ import annotations

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
    place_together,
    roving_ground,
    shapes_legibility,
)
from gfactor.benchmarks.percept_v.twins import Facts, Objects, Twin
from gfactor.imaging import PALETTES, Frame, Pixels
from gfactor.items import ItemRandom, OutputFormat

FRAME = Frame(640, 480)
LINE_CLEAR = 12
LINE_WIDTH = 4
LEAST_RADIUS = 10
PAPER_LINE_WIDTH = 2


@dataclass(frozen=True)
class Scene:
    frame: Frame
    palette: str
    line: int
    line_width: int
    circles: tuple[Shape, ...]


@dataclass(frozen=True)
class GroundedScene(Scene):
    ground: Ground


def make(rng: ItemRandom, size: int, edition: Edition) -> Scene:
    if edition == "paper":
        left = rng.integer(0, 2 * size)
        upper_right, upper_left, lower_left, lower_right = range(4)
        homes = [rng.choice((upper_left, lower_left)) for _ in range(left)]
        homes += [rng.choice((upper_right, lower_right)) for _ in range(2 * size - left)]
        regions = quadrants(PLOT_CENTER, 1500, 1000, clear=1)
        # A draw from a single value, because the published items consume these draws.
        radii = [rng.integer(30, 30) for _ in homes]
        centers = place_in_regions(rng, regions, homes, radii, 1)
        circles = tuple(Shape("circle", x, y, 30, "red") for x, y in centers)
        return Scene(PLOT, "css", PLOT_CENTER[0], PAPER_LINE_WIDTH, circles)
    moves = rng.balanced(range(size + 1))
    left = size + 1 + (moves if rng.chance(1, 2) else -moves)
    line, margin = FRAME.width // 2, 6
    top, bottom = margin, FRAME.height - margin
    regions = (
        (margin, top, line - LINE_CLEAR, bottom),
        (line + LINE_CLEAR, top, FRAME.width - margin, bottom),
    )
    circles = []
    for region, count in zip(regions, (left, 2 * size + 2 - left), strict=True):
        radii = group_radii(rng, count, 2 * size + 1, LEAST_RADIUS)
        spots = place_together(rng, radii, region, MIN_GAP_PX + 2)
        circles += [Shape("circle", x, y, r, "red") for (x, y), r in zip(spots, radii, strict=True)]
    ground = roving_ground(rng)
    return GroundedScene(FRAME, "four", line, LINE_WIDTH, tuple(circles), ground)


def draw(scene: Scene) -> tuple[Pixels, ...]:
    canvas = canvas_on(scene.frame, ground_in(scene))
    height = round(scene.frame.height / scene.frame.per_unit)
    blue = PALETTES[scene.palette]["blue"]
    canvas.line(scene.line, 0, scene.line, height, blue, scene.line_width)
    draw_shapes(canvas, scene.circles, scene.palette)
    return (canvas.pixels,)


def answer(scene: Scene) -> int:
    left = sum(c.x < scene.line for c in scene.circles)
    return abs(2 * left - len(scene.circles)) // 2


def legibility(scene: Scene) -> Legibility:
    palette = PALETTES[scene.palette]
    colors = [palette["red"], palette["blue"], ground_color(ground_in(scene))]
    base = shapes_legibility(scene.frame, scene.circles, colors)
    clear = min(abs(c.x - scene.line) - c.r for c in scene.circles) * scene.frame.per_unit
    return replace(base, gap_px=min(base.gap_px, clear - scene.line_width / 2))


register(
    Domain(
        name="circle_boxes",
        skills=("Visual Memory",),
        prompt=Prompt(
            input=("You see red circles and a blue line that parts the picture in two sides.",),
            rules=(
                "Circles may be moved from the side with more circles to the side with fewer.",
                "Find out how many circles must be moved until both sides hold the same number; "
                "it is 0 if they already do.",
            ),
            output=("Answer in one line of the form COUNT:x where x is that number.",),
        ),
        output_format=OutputFormat("value", labels=("COUNT",)),
        scene_type=Scene,
        make=make,
        draw=draw,
        answer=answer,
        legibility=legibility,
        guess=lambda size: 1 / (size + 1),
        version="2",
        twin=Twin((Facts("divider", {"x": "line"}), Objects("circles", "shape"))),
    )
)
