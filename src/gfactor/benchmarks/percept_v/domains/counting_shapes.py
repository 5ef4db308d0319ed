"""Counting shapes: how many circles, how many triangles, how many squares?

Size n (both editions): n shapes.
Paper edition: 500 x 300 px, black shapes of half-size 10..20, each kind equally likely. Paper and
code agree.
Audited: the three numbers are balanced over all the ways to split n, so that no split is frequent,
and the kinds have equal areas, so that none stands out by its size; they lie on a ground of random
shade and specks, so that complexity does not tell the kinds.
"""

from __future__ import annotations

from dataclasses import dataclass

from gfactor.benchmarks.percept_v.domain import Domain, Edition, Legibility, Prompt, register
from gfactor.benchmarks.percept_v.layouts_shapes import scatter, scatter_as_published
from gfactor.benchmarks.percept_v.parts import (
    Ground,
    Shape,
    canvas_on,
    draw_shapes,
    ground_color,
    ground_in,
    roving_ground,
    shapes_legibility,
)
from gfactor.benchmarks.percept_v.twins import Objects, Twin
from gfactor.imaging import BLACK, Frame, Pixels
from gfactor.items import ItemRandom, OutputFormat

COUNTED = ("circle", "triangle", "square")


@dataclass(frozen=True)
class Scene:
    frame: Frame
    shapes: tuple[Shape, ...]


@dataclass(frozen=True)
class GroundedScene(Scene):
    ground: Ground


def make(rng: ItemRandom, size: int, edition: Edition) -> Scene:
    if edition == "paper":
        kinds = [rng.choice(COUNTED) for _ in range(size)]
        frame = Frame(500, 300)
        return Scene(frame, scatter_as_published(rng, kinds, frame, (10, 20)))
    numbers = rng.balanced(_splits(size))
    kinds = [kind for kind, k in zip(COUNTED, numbers, strict=True) for _ in range(k)]
    frame = Frame(640, 480)
    return GroundedScene(frame, scatter(rng, kinds, frame, (12, 22)), roving_ground(rng))


def _splits(total: int) -> list[tuple[int, int, int]]:
    return [
        (first, second, total - first - second)
        for first in range(total + 1)
        for second in range(total - first + 1)
    ]


def draw(scene: Scene) -> tuple[Pixels, ...]:
    canvas = canvas_on(scene.frame, ground_in(scene))
    draw_shapes(canvas, scene.shapes, "css")
    return (canvas.pixels,)


def answer(scene: Scene) -> tuple[int, ...]:
    return tuple(sum(s.kind == kind for s in scene.shapes) for kind in COUNTED)


def legibility(scene: Scene) -> Legibility:
    return shapes_legibility(scene.frame, scene.shapes, [BLACK, ground_color(ground_in(scene))])


register(
    Domain(
        name="counting_shapes",
        skills=(
            "Visual Attention",
            "Visual Discrimination",
            "Visual Memory",
            "Visual Form Constancy",
        ),
        prompt=Prompt(
            input=("You see black circles, triangles and squares.",),
            rules=("Find out how many there are of each kind; there may be none of a kind.",),
            output=(
                "Answer in one line of the form CIRCLES:x TRIANGLES:y SQUARES:z where x, y and z "
                "are the numbers of circles, triangles and squares.",
            ),
        ),
        output_format=OutputFormat("tuple", labels=("CIRCLES", "TRIANGLES", "SQUARES")),
        scene_type=Scene,
        make=make,
        draw=draw,
        answer=answer,
        legibility=legibility,
        guess=lambda size: 1 / len(_splits(size)),
        version="2",
        twin=Twin((Objects("shapes", "shape"),)),
    )
)
