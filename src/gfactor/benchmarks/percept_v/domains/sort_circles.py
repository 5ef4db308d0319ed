"""Sort circles: the labels of the circles, from the smallest circle to the largest.

Size n (both editions): n labeled circles.
Paper edition: one row of black circles, 78 px/unit (published: 65 to 82), radii U(0.3, 2) at least
0.05 apart, gaps of 0.5, labeled 1..n from left to right in digits 22 px high: a picture of up to
4670 x 347 px. Paper and code agree.
Audited: the circles are scattered over a picture of 800 x 640 px, labels are shuffled and 20 px
high, radii differ by at least 3 px. The labels of the two smallest circles are balanced. With a
single circle the only answer is 1 in both editions, whatever the picture.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations

from gfactor.benchmarks.percept_v.domain import Domain, Edition, Legibility, Prompt, register
from gfactor.benchmarks.percept_v.layouts_order import balanced_order, spread
from gfactor.benchmarks.percept_v.parts import MIN_GAP_PX, place
from gfactor.benchmarks.percept_v.twins import Objects, Twin
from gfactor.imaging import BLACK, WHITE, Canvas, Frame, Pixels
from gfactor.items import ItemRandom, OutputFormat

FRAME = Frame(800, 640)
RADII = (23, 83)
"""In pixels: two digits fit into the smallest, and twenty circles of radii 3 px apart into the
picture."""
APART = 3
LABEL_HEIGHT = 20

_PER_UNIT = 78
_PAPER_LABEL_HEIGHT = 280


@dataclass(frozen=True)
class LabeledCircle:
    x: int
    y: int
    r: int
    label: int


@dataclass(frozen=True)
class Scene:
    frame: Frame
    label_height: int
    circles: tuple[LabeledCircle, ...]


def make(rng: ItemRandom, size: int, edition: Edition) -> Scene:
    return _published(rng, size) if edition == "paper" else _audited(rng, size)


def _published(rng: ItemRandom, size: int) -> Scene:
    radii = rng.shuffled(spread(rng, size, 300, 2000, 50))
    circles, x, y = [], 500, 2125
    for label, r in enumerate(radii, start=1):
        circles.append(LabeledCircle(x + r, y, r, label))
        x += 2 * r + 500
    frame = Frame(round(x * _PER_UNIT / 1000), round(2 * y * _PER_UNIT / 1000), x)
    return Scene(frame, _PAPER_LABEL_HEIGHT, tuple(circles))


def _audited(rng: ItemRandom, size: int) -> Scene:
    labels = balanced_order(rng, size)
    radii = spread(rng, size, *RADII, APART)
    margin = 6
    area = (margin, margin, FRAME.width - margin, FRAME.height - margin)
    spots = place(rng, radii, area, MIN_GAP_PX + 2)
    circles = [
        LabeledCircle(x, y, r, label) for (x, y), r, label in zip(spots, radii, labels, strict=True)
    ]
    return Scene(FRAME, LABEL_HEIGHT, tuple(rng.shuffled(circles)))


def draw(scene: Scene) -> tuple[Pixels, ...]:
    canvas = Canvas(scene.frame)
    for c in scene.circles:
        canvas.disc(c.x, c.y, c.r, BLACK)
        canvas.text(c.x, c.y, str(c.label), scene.label_height, WHITE)
    return (canvas.pixels,)


def answer(scene: Scene) -> tuple[int, ...]:
    return tuple(c.label for c in sorted(scene.circles, key=lambda c: c.r))


def legibility(scene: Scene) -> Legibility:
    scale = scene.frame.per_unit
    gap = min(
        (math.dist((a.x, a.y), (b.x, b.y)) - a.r - b.r for a, b in combinations(scene.circles, 2)),
        default=math.inf,
    )
    smallest = min(scene.label_height, 2 * min(c.r for c in scene.circles))
    return Legibility(smallest * scale, gap * scale, (BLACK, WHITE))


register(
    Domain(
        name="sort_circles",
        skills=("Visual Discrimination", "Visual Memory"),
        prompt=Prompt(
            input=(
                "You see one or more black circles of different sizes, each with a number in it.",
            ),
            rules=("Sort the circles by size, from the smallest to the largest.",),
            output=(
                "Answer in one line with nothing but the numbers of the circles in that order, "
                "separated by spaces, for example: 3 1 2",
            ),
        ),
        output_format=OutputFormat("list"),
        scene_type=Scene,
        make=make,
        draw=draw,
        answer=answer,
        legibility=legibility,
        guess=lambda size: 1 / math.factorial(size),
        twin=Twin((Objects("circles", "labeled"),)),
    )
)
