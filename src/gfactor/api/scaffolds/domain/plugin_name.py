"""plugin_name: how many squares lie among circles?

Size n: n + 9 objects in all. The number of squares is balanced over 0 to n + 9, so that the size
does not tell the answer.
"""

from __future__ import annotations

from dataclasses import dataclass

from gfactor.benchmarks.percept_v import Domain, Edition, Legibility, Prompt, register
from gfactor.benchmarks.percept_v.parts import Shape, draw_shapes, place, shapes_legibility
from gfactor.imaging import BLACK, WHITE, Canvas, Frame, Pixels
from gfactor.items import ItemRandom, OutputFormat

FRAME = Frame(640, 480)
RADIUS = 16
MARGIN = 6
MORE = 9
"""Objects beyond the size: even at size 1 there are eleven possible answers."""


@dataclass(frozen=True)
class Scene:
    """Everything that is drawn, as integers and words; its JSON is the item's identity."""

    frame: Frame
    objects: tuple[Shape, ...]


def make(rng: ItemRandom, size: int, edition: Edition) -> Scene:
    """Make a scene; all randomness comes from `rng`. Both editions are alike here."""
    total = size + MORE
    squares = rng.balanced(range(total + 1))
    area = (MARGIN, MARGIN, FRAME.width - MARGIN, FRAME.height - MARGIN)
    spots = place(rng, [RADIUS] * total, area, gap=6)
    kinds = ["square"] * squares + ["circle"] * (total - squares)
    return Scene(
        FRAME,
        tuple(Shape(k, x, y, RADIUS, "black") for k, (x, y) in zip(kinds, spots, strict=True)),
    )


def draw(scene: Scene) -> tuple[Pixels, ...]:
    """Draw the pictures of a scene: one."""
    canvas = Canvas(scene.frame)
    draw_shapes(canvas, scene.objects, "css")
    return (canvas.pixels,)


def answer(scene: Scene) -> int:
    """Return the right answer, a function of the scene alone."""
    return sum(one.kind == "square" for one in scene.objects)


def legibility(scene: Scene) -> Legibility:
    """Return the details that an eye must resolve: smallest object, smallest gap, colors."""
    return shapes_legibility(scene.frame, scene.objects, (BLACK, WHITE))


DOMAIN = register(
    Domain(
        name="plugin_name",
        skills=("Visual Attention", "Visual Discrimination"),
        prompt=Prompt(
            input=("You see black squares and black circles.",),
            rules=("Find out how many squares there are.",),
            output=("Answer in one line of the form COUNT:x where x is that number.",),
        ),
        output_format=OutputFormat("value", labels=("COUNT",)),
        scene_type=Scene,
        make=make,
        draw=draw,
        answer=answer,
        legibility=legibility,
        guess=lambda size: 1 / (size + MORE + 1),
    )
)
