"""List shapes: which kinds of shapes lie on a textured background?

Size n (both editions): n shapes, of one to four kinds.
Paper edition: radius 75 px of a photograph (see `layouts_textured` for what stands in for it), kind
and color (red, CSS green, blue) independent and uniform, no outlines, triangles and pentagons
pointing down because the code turns the vertical axis round. The ten backgrounds come up once per
size. At high sizes the answer is nearly always all four kinds. The published prompt demands no
format; a set cannot be scored without one, so the label of the audited edition is used.
Audited: the set of kinds is balanced over all sets that n shapes can show, then filled up with
shapes of these kinds, so that all fifteen sets are equally likely from size 4 on. Each shape has a
black ring inside a white halo.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations

from gfactor.benchmarks.percept_v.domain import Domain, Edition, Legibility, Prompt, register
from gfactor.benchmarks.percept_v.layouts_textured import (
    FRAME,
    PHOTOGRAPH,
    PHOTOGRAPHS,
    draw_on_texture,
    legibility_on_texture,
    scatter,
    scatter_as_published,
)
from gfactor.benchmarks.percept_v.parts import Shape
from gfactor.benchmarks.percept_v.twins import Objects, Twin
from gfactor.imaging import FOUR, Frame, Pixels
from gfactor.items import ItemRandom, OutputFormat

KINDS = ("circle", "triangle", "square", "pentagon")
PAPER_KINDS = ("circle", "triangle_down", "square", "pentagon_down")
PAPER_COLORS = ("red", "green", "blue")


@dataclass(frozen=True)
class Scene:
    frame: Frame
    palette: str
    texture: int
    outlined: bool
    shapes: tuple[Shape, ...]


def make(rng: ItemRandom, size: int, edition: Edition) -> Scene:
    if edition == "paper":
        texture = rng.balanced(range(PHOTOGRAPHS))
        positions = scatter_as_published(rng, size, 75)
        shapes = [Shape(rng.choice(PAPER_KINDS), *p, rng.choice(PAPER_COLORS)) for p in positions]
        return Scene(PHOTOGRAPH, "css", texture, False, tuple(shapes))
    kinds = _kinds(rng, size)
    shapes = [
        Shape(kind, *p, rng.choice(tuple(FOUR)))
        for p, kind in zip(scatter(rng, size), kinds, strict=True)
    ]
    return Scene(FRAME, "four", rng.integer(0, 999_999), True, tuple(shapes))


def _kinds(rng: ItemRandom, size: int) -> list[str]:
    most = min(size, len(KINDS))
    chosen = rng.balanced([c for k in range(1, most + 1) for c in combinations(KINDS, k)])
    return rng.shuffled([*chosen, *(rng.choice(chosen) for _ in range(size - len(chosen)))])


def draw(scene: Scene) -> tuple[Pixels, ...]:
    s = scene
    return (draw_on_texture(s.frame, s.texture, s.shapes, s.palette, s.outlined),)


def answer(scene: Scene) -> frozenset[str]:
    return frozenset(s.kind.removesuffix("_down") for s in scene.shapes)


def legibility(scene: Scene) -> Legibility:
    return legibility_on_texture(scene.frame, scene.shapes, scene.palette)


register(
    Domain(
        name="list_shapes",
        skills=("Visual Memory", "Visual Figure Ground"),
        prompt=Prompt(
            input=("You see a picture of one or more colored shapes on a patterned background.",),
            rules=(
                f"These are the possible kinds of shapes: {', '.join(KINDS)}.",
                "Several shapes may be of the same kind.",
                "Find out which kinds of shapes there are; their colors and sizes do not matter.",
            ),
            output=(
                "Answer in one line of the form SHAPES: a, b, ... with the names of these kinds "
                "in any order, each once, separated by commas.",
            ),
        ),
        output_format=OutputFormat("set", ("SHAPES",), "word", KINDS, separator=","),
        scene_type=Scene,
        make=make,
        draw=draw,
        answer=answer,
        legibility=legibility,
        guess=lambda size: 1 / sum(math.comb(len(KINDS), k) for k in range(1, min(size, 4) + 1)),
        twin=Twin((Objects("shapes", "shape"),)),
    )
)
