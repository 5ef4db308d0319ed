"""Vanishing objects: how many shapes of the first picture are missing in the second?

Size n (both editions): 2n shapes in the first picture, of which n are missing in the second in the
published data. The paper's text speaks of circles only; its code and prompt have circles, triangles
and squares, and the code is followed.
Paper edition: 1500 x 1000 px, black shapes of half-size 15..30.
Audited: the number of missing shapes is balanced over 0..n (it equaled n, half of all shapes and
the number left, so that either picture alone gave it away). Every shape has another size in the
second picture, and the total area of each picture is drawn without regard to the number, as are
shade and specks of its ground: neither ink nor complexity of the two pictures tells the number. The
shapes lie in a window whose size goes with their area; in version 2 they lay anywhere, and
quadrants that lost all their ink told of missing shapes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from gfactor.benchmarks.percept_v.domain import Domain, Edition, Legibility, Prompt, register
from gfactor.benchmarks.percept_v.layouts_shapes import circumradius, scatter_as_published
from gfactor.benchmarks.percept_v.parts import (
    MIN_GAP_PX,
    Ground,
    Shape,
    area_for,
    canvas_on,
    darker_ground,
    draw_shapes,
    ground_color,
    grounds_in,
    place_together,
    radii_of_area,
    roving_ground,
    shapes_legibility,
)
from gfactor.benchmarks.percept_v.twins import Objects, Twin
from gfactor.imaging import BLACK, Frame, Pixels
from gfactor.items import ItemRandom, OutputFormat

KINDS = ("circle", "triangle", "square")
LEAST_RADIUS = 11
MARGIN = 6


@dataclass(frozen=True)
class Scene:
    frame: Frame
    before: tuple[Shape, ...]
    after: tuple[Shape, ...]


@dataclass(frozen=True)
class GroundedScene(Scene):
    grounds: tuple[Ground, Ground]


def make(rng: ItemRandom, size: int, edition: Edition) -> Scene:
    paper = edition == "paper"
    missing = size if paper else rng.balanced(range(size + 1))
    kinds = [rng.choice(KINDS) for _ in range(2 * size)]
    if not paper:
        return _grounded(rng, kinds, missing)
    frame = Frame(1500, 1000)
    before = scatter_as_published(rng, kinds, frame, (15, 30))
    gone = set(rng.sample(range(len(before)), missing))
    return Scene(frame, before, tuple(s for i, s in enumerate(before) if i not in gone))


def _grounded(rng: ItemRandom, kinds: list[str], missing: int) -> GroundedScene:
    """Shapes with their own radii in either picture, each with room for the larger one."""
    frame, total = Frame(640, 480), len(kinds)
    gone = set(rng.sample(range(total), missing))
    left = [i for i in range(total) if i not in gone]
    first = radii_of_area(rng, total, LEAST_RADIUS, area_for(rng, total, LEAST_RADIUS))
    second = radii_of_area(rng, len(left), LEAST_RADIUS, area_for(rng, total, LEAST_RADIUS))
    before = [circumradius(kind, r) for kind, r in zip(kinds, first, strict=True)]
    after = {i: circumradius(kinds[i], r) for i, r in zip(left, second, strict=True)}
    room = [max(r, after.get(i, 0)) for i, r in enumerate(before)]
    area = (MARGIN, MARGIN, frame.width - MARGIN, frame.height - MARGIN)
    spots = place_together(rng, room, area, MIN_GAP_PX + 2)
    shapes = tuple(
        Shape(kind, x, y, r, "black") for kind, (x, y), r in zip(kinds, spots, before, strict=True)
    )
    remaining = tuple(replace(shapes[i], r=after[i]) for i in left)
    return GroundedScene(frame, shapes, remaining, (roving_ground(rng), roving_ground(rng)))


def draw(scene: Scene) -> tuple[Pixels, ...]:
    pictures = []
    for shapes, ground in zip((scene.before, scene.after), grounds_in(scene), strict=True):
        canvas = canvas_on(scene.frame, ground)
        draw_shapes(canvas, shapes, "css")
        pictures.append(canvas.pixels)
    return tuple(pictures)


def answer(scene: Scene) -> int:
    return len(scene.before) - len(scene.after)


def legibility(scene: Scene) -> Legibility:
    seen = [
        shapes_legibility(scene.frame, shapes, [BLACK, ground_color(darker_ground(scene))])
        for shapes in (scene.before, scene.after)
    ]
    return replace(
        seen[0], object_px=min(s.object_px for s in seen), gap_px=min(s.gap_px for s in seen)
    )


register(
    Domain(
        name="vanishing_objects",
        skills=("Visual Discrimination",),
        images=2,
        prompt=Prompt(
            input=("You see two pictures of black circles, triangles and squares.",),
            rules=(
                "The second picture shows the shapes of the first one in the same places, except "
                "that some may be missing and that shapes may be larger or smaller.",
                "Find out how many shapes are missing in the second picture; it may be none.",
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
        version="3",
        twin=Twin(pictures=((Objects("before", "shape"),), (Objects("after", "shape"),))),
    )
)
