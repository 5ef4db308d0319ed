"""Change colour: how many circles differ in color between two pictures?

Size n (both editions): 2n circles, of which n differ in the published data; the paper calls the
number of differences the size.
Paper edition: 1500 x 1000 px, radii 10..30, red, blue and CSS green, n circles take the next color
of the fixed cycle red -> blue -> green. Paper and code agree.
Audited: the number of differences is balanced over 0..n (it equaled n, half of all circles) and a
changed circle takes either of the two other colors.
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
from gfactor.benchmarks.percept_v.twins import Objects, Twin
from gfactor.imaging import PALETTES, WHITE, Canvas, Frame, Pixels
from gfactor.items import ItemRandom, OutputFormat

COLORS = ("red", "blue", "green")
MARGIN = 6


@dataclass(frozen=True)
class Scene:
    frame: Frame
    palette: str
    before: tuple[Shape, ...]
    after: tuple[Shape, ...]


def make(rng: ItemRandom, size: int, edition: Edition) -> Scene:
    paper = edition == "paper"
    frame = Frame(1500, 1000) if paper else Frame(640, 480)
    low, high = (10, 30) if paper else (12, 26)
    changes = size if paper else rng.balanced(range(size + 1))
    radii = [rng.integer(low, high) for _ in range(2 * size)]
    if paper:
        centers = place_as_published(rng, radii, frame)
    else:
        inside = (MARGIN, MARGIN, frame.width - MARGIN, frame.height - MARGIN)
        centers = place(rng, radii, inside, MIN_GAP_PX + 2)
    before = [
        Shape("circle", x, y, r, rng.choice(COLORS))
        for (x, y), r in zip(centers, radii, strict=True)
    ]
    changed = set(rng.sample(range(len(before)), changes))
    after = [
        Shape(s.kind, s.x, s.y, s.r, _other(rng, s.color, paper)) if i in changed else s
        for i, s in enumerate(before)
    ]
    return Scene(frame, "css" if paper else "four", tuple(before), tuple(after))


def _other(rng: ItemRandom, color: str, paper: bool) -> str:
    if paper:
        return COLORS[(COLORS.index(color) + 1) % len(COLORS)]
    return rng.choice([c for c in COLORS if c != color])


def draw(scene: Scene) -> tuple[Pixels, ...]:
    pictures = []
    for shapes in (scene.before, scene.after):
        canvas = Canvas(scene.frame)
        draw_shapes(canvas, shapes, scene.palette)
        pictures.append(canvas.pixels)
    return tuple(pictures)


def answer(scene: Scene) -> int:
    return sum(a.color != b.color for a, b in zip(scene.before, scene.after, strict=True))


def legibility(scene: Scene) -> Legibility:
    colors = [PALETTES[scene.palette][c] for c in COLORS]
    return shapes_legibility(scene.frame, scene.before, [*colors, WHITE])


register(
    Domain(
        name="change_colour",
        skills=("Visual Discrimination",),
        images=2,
        prompt=Prompt(
            input=("You see two pictures of colored circles.",),
            rules=(
                "Every circle is in the same place and of the same size in both pictures.",
                "A circle may have one color in the first picture and another in the second.",
                "Find out how many circles have changed their color; it may be none.",
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
        twin=Twin(pictures=((Objects("before", "shape"),), (Objects("after", "shape"),))),
    )
)
