"""Change colour: how many circles differ in color between two pictures?

Size n (both editions): 2n circles, of which n differ in the published data; the paper calls the
number of differences the size.
Paper edition: 1500 x 1000 px, radii 10..30, red, blue and CSS green, n circles take the next color
of the fixed cycle red -> blue -> green. Paper and code agree.
Audited: 2n + 1 circles; the number of differences is balanced over 1..n + 1 (it equaled n, half of
all circles). The total area of the changed circles is drawn without regard to their number, they
lie in a window whose size goes with that area, among the others, and change from one color, drawn
for the picture, to another one. Each picture has its ground of random shade and specks: neither ink
by color, nor the difference of the pictures, nor complexity gives the number away. Version 1 had
2n circles of like sizes on white, of which none to n changed to either other color.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gfactor.benchmarks.percept_v.domain import Domain, Edition, Legibility, Prompt, register
from gfactor.benchmarks.percept_v.layouts_circles import place_as_published
from gfactor.benchmarks.percept_v.parts import (
    MIN_GAP_PX,
    Ground,
    Shape,
    canvas_on,
    darker_ground,
    draw_shapes,
    ground_color,
    grounds_in,
    group_radii,
    place,
    place_together,
    roving_ground,
    shapes_legibility,
)
from gfactor.benchmarks.percept_v.twins import Objects, Twin
from gfactor.imaging import PALETTES, Frame, Pixels
from gfactor.items import ItemRandom, OutputFormat

COLORS = ("red", "blue", "green")
LEAST_RADIUS = 10
MARGIN = 6


@dataclass(frozen=True)
class Scene:
    frame: Frame
    palette: str
    before: tuple[Shape, ...]
    after: tuple[Shape, ...]


@dataclass(frozen=True)
class GroundedScene(Scene):
    grounds: tuple[Ground, Ground]


def make(rng: ItemRandom, size: int, edition: Edition) -> Scene:
    if edition == "paper":
        return _published(rng, size)
    frame, gap = Frame(640, 480), MIN_GAP_PX + 2
    area = (MARGIN, MARGIN, frame.width - MARGIN, frame.height - MARGIN)
    changes = rng.balanced(range(1, size + 2))
    stays = 2 * size + 1 - changes
    old, new = rng.sample(COLORS, 2)
    radii = group_radii(rng, changes, size + 1, LEAST_RADIUS)
    spots = place_together(rng, radii, area, gap)
    changed = _circles(spots, radii, [old] * changes)
    rest = group_radii(rng, stays, 2 * size, LEAST_RADIUS)
    spots = place(rng, rest, area, gap, [(c.x, c.y, c.r) for c in changed])
    same = _circles(spots, rest, [rng.choice(COLORS) for _ in rest])
    before = rng.shuffled([*changed, *same])
    after = tuple(replace(c, color=new) if c in changed else c for c in before)
    grounds = (roving_ground(rng), roving_ground(rng))
    return GroundedScene(frame, "four", tuple(before), after, grounds)


def _circles(
    spots: Sequence[tuple[int, int]], radii: Sequence[int], colors: Sequence[str]
) -> list[Shape]:
    parts = zip(spots, radii, colors, strict=True)
    return [Shape("circle", x, y, r, color) for (x, y), r, color in parts]


def _published(rng: ItemRandom, size: int) -> Scene:
    frame = Frame(1500, 1000)
    radii = [rng.integer(10, 30) for _ in range(2 * size)]
    centers = place_as_published(rng, radii, frame)
    before = _circles(centers, radii, [rng.choice(COLORS) for _ in radii])
    changed = set(rng.sample(range(len(before)), size))
    after = [
        replace(s, color=COLORS[(COLORS.index(s.color) + 1) % len(COLORS)]) if i in changed else s
        for i, s in enumerate(before)
    ]
    return Scene(frame, "css", tuple(before), tuple(after))


def draw(scene: Scene) -> tuple[Pixels, ...]:
    pictures = []
    for shapes, ground in zip((scene.before, scene.after), grounds_in(scene), strict=True):
        canvas = canvas_on(scene.frame, ground)
        draw_shapes(canvas, shapes, scene.palette)
        pictures.append(canvas.pixels)
    return tuple(pictures)


def answer(scene: Scene) -> int:
    return sum(a.color != b.color for a, b in zip(scene.before, scene.after, strict=True))


def legibility(scene: Scene) -> Legibility:
    colors = [PALETTES[scene.palette][c] for c in COLORS]
    ground = ground_color(darker_ground(scene))
    return shapes_legibility(scene.frame, scene.before, [*colors, ground])


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
                "Find out how many circles have changed their color.",
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
        twin=Twin(pictures=((Objects("before", "shape"),), (Objects("after", "shape"),))),
    )
)
