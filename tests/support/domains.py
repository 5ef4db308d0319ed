"""A domain of the tests' own, as a plug-in would bring it: count the dots."""

from __future__ import annotations

from dataclasses import dataclass

from gfactor.benchmarks.percept_v.domain import Domain, Edition, Legibility, Prompt
from gfactor.benchmarks.percept_v.parts import Shape, draw_shapes, place, shapes_legibility
from gfactor.imaging import BLACK, WHITE, Canvas, Frame, Pixels
from gfactor.items import ItemRandom, OutputFormat


@dataclass(frozen=True)
class Scene:
    frame: Frame
    dots: tuple[Shape, ...]


def make(rng: ItemRandom, size: int, edition: Edition) -> Scene:
    count = rng.balanced(range(size, size + 10))
    places = place(rng, [12] * count, (10, 10, 390, 290), 6)
    return Scene(Frame(400, 300), tuple(Shape("circle", x, y, 12, "black") for x, y in places))


def draw(scene: Scene) -> tuple[Pixels, ...]:
    canvas = Canvas(scene.frame)
    draw_shapes(canvas, scene.dots, "twenty")
    return (canvas.pixels,)


def answer(scene: Scene) -> int:
    return len(scene.dots)


def legibility(scene: Scene) -> Legibility:
    return shapes_legibility(scene.frame, scene.dots, (BLACK, WHITE))


DOTS = Domain(
    name="dots",
    skills=("Visual Memory",),
    prompt=Prompt(
        input=("You see black dots.",),
        rules=("Count them.",),
        output=("Answer in one line of the form COUNT:x where x is their number.",),
    ),
    output_format=OutputFormat("value", labels=("COUNT",)),
    scene_type=Scene,
    make=make,
    draw=draw,
    answer=answer,
    legibility=legibility,
)
