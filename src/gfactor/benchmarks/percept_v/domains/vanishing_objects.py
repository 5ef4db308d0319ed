"""Vanishing objects: how many shapes of the first picture are missing in the second?

Size n (both editions): 2n shapes in the first picture, of which n are missing in the second in the
published data. The paper's text speaks of circles only; its code and prompt have circles, triangles
and squares, and the code is followed.
Paper edition: 1500 x 1000 px, black shapes of half-size 15..30.
Audited: the number of missing shapes is dealt from 0..n (it equaled n, half of all shapes and the
number left, so that either picture alone gave it away).
"""

from __future__ import annotations

from dataclasses import dataclass

from gfactor.benchmarks.percept_v.domain import Domain, Edition, Legibility, Prompt, register
from gfactor.benchmarks.percept_v.layouts_shapes import scatter, scatter_as_published
from gfactor.benchmarks.percept_v.parts import Shape, draw_shapes, shapes_legibility
from gfactor.imaging import BLACK, WHITE, Canvas, Frame, Pixels
from gfactor.items import ItemRandom, OutputFormat

KINDS = ("circle", "triangle", "square")


@dataclass(frozen=True)
class Scene:
    frame: Frame
    before: tuple[Shape, ...]
    after: tuple[Shape, ...]


def make(rng: ItemRandom, size: int, edition: Edition) -> Scene:
    paper = edition == "paper"
    missing = size if paper else rng.deal(range(size + 1))
    kinds = [rng.choice(KINDS) for _ in range(2 * size)]
    if paper:
        frame = Frame(1500, 1000)
        before = scatter_as_published(rng, kinds, frame, (15, 30))
    else:
        frame = Frame(640, 480)
        before = scatter(rng, kinds, frame, (11, 19))
    gone = set(rng.sample(range(len(before)), missing))
    return Scene(frame, before, tuple(s for i, s in enumerate(before) if i not in gone))


def draw(scene: Scene) -> tuple[Pixels, ...]:
    pictures = []
    for shapes in (scene.before, scene.after):
        canvas = Canvas(scene.frame)
        draw_shapes(canvas, shapes, "css")
        pictures.append(canvas.pixels)
    return tuple(pictures)


def answer(scene: Scene) -> int:
    return len(scene.before) - len(scene.after)


def legibility(scene: Scene) -> Legibility:
    return shapes_legibility(scene.frame, scene.before, [BLACK, WHITE])


register(
    Domain(
        name="vanishing_objects",
        skills=("Visual Discrimination",),
        images=2,
        prompt=Prompt(
            input=("You see two pictures of black circles, triangles and squares.",),
            rules=(
                "The second picture is the first one, except that some shapes may be missing.",
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
    )
)
