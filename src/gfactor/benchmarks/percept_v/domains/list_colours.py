"""List colours: which colors do the shapes on a textured background have?

Size n (both editions): n shapes.
Paper edition: n shapes of n different CSS colors without outlines, radius 150 px of a photograph
(see `layouts_textured` for what stands in for it), triangles and pentagons pointing down because
the code turns the vertical axis round, legend strip below. The ten backgrounds come up once per
size. The published prompt demands no format; a set cannot be scored without one, so the label of
the audited edition is used.
Audited: the number of different colors is balanced over n/2 (rounded up) to n, so that at size 20
the answer is no longer always all twenty; further shapes repeat a color. Twenty colors made to be
distinguished, each inside a black ring and a white halo, so that none is camouflaged. No legend
strip: it would show every color.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from gfactor.benchmarks.percept_v.domain import Domain, Edition, Legibility, Prompt, register
from gfactor.benchmarks.percept_v.layouts_legend import with_legend
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
from gfactor.imaging import CSS, TWENTY, Frame, Pixels
from gfactor.items import ItemRandom, OutputFormat

KINDS = ("circle", "triangle", "square", "pentagon")
PAPER_KINDS = ("circle", "triangle_down", "square", "pentagon_down")


@dataclass(frozen=True)
class Scene:
    frame: Frame
    palette: str
    texture: int
    outlined: bool
    legend: bool
    shapes: tuple[Shape, ...]


def make(rng: ItemRandom, size: int, edition: Edition) -> Scene:
    if edition == "paper":
        texture = rng.balanced(range(PHOTOGRAPHS))
        names = rng.sample(tuple(CSS), size)
        positions = scatter_as_published(rng, size, 150)
        shapes = [
            Shape(rng.choice(PAPER_KINDS), *p, n) for p, n in zip(positions, names, strict=True)
        ]
        return Scene(PHOTOGRAPH, "css", texture, False, True, tuple(shapes))
    names = _names(rng, size)
    shapes = [
        Shape(rng.choice(KINDS), *p, n) for p, n in zip(scatter(rng, size), names, strict=True)
    ]
    return Scene(FRAME, "twenty", rng.integer(0, 999_999), True, False, tuple(shapes))


def _names(rng: ItemRandom, size: int) -> list[str]:
    first = rng.balanced(tuple(TWENTY))
    distinct = rng.balanced(range((size + 1) // 2, size + 1))
    others = rng.sample([name for name in TWENTY if name != first], distinct - 1)
    names = [first, *others]
    return rng.shuffled([*names, *(rng.choice(names) for _ in range(size - distinct))])


def _guess(size: int) -> float:
    numbers = range((size + 1) // 2, size + 1)
    return sum(1 / math.comb(len(TWENTY), k) for k in numbers) / len(numbers) ** 2


def draw(scene: Scene) -> tuple[Pixels, ...]:
    s = scene
    picture = draw_on_texture(s.frame, s.texture, s.shapes, s.palette, s.outlined)
    return (with_legend(picture) if s.legend else picture,)


def answer(scene: Scene) -> frozenset[str]:
    return frozenset(s.color for s in scene.shapes)


def legibility(scene: Scene) -> Legibility:
    return legibility_on_texture(scene.frame, scene.shapes, scene.palette)


def _prompt(names: str, repeats: str) -> Prompt:
    return Prompt(
        input=("You see a picture of one or more colored shapes on a patterned background.",),
        rules=(
            f"These are the possible colors: {names}.",
            repeats,
            "Find out which colors the shapes have; outlines and background do not count.",
        ),
        output=(
            "Answer in one line of the form COLOURS: a, b, ... with the names of these colors "
            "in any order, each once, separated by commas.",
        ),
    )


register(
    Domain(
        name="list_colours",
        skills=("Visual Memory", "Visual Figure Ground"),
        prompt=_prompt(", ".join(TWENTY), "Several shapes may have the same color."),
        paper_prompt=_prompt(", ".join(CSS), "No two shapes have the same color."),
        output_format=OutputFormat("set", ("COLOURS",), "word", tuple(TWENTY), separator=","),
        paper_format=OutputFormat("set", ("COLOURS",), "word", tuple(CSS), separator=","),
        scene_type=Scene,
        make=make,
        draw=draw,
        answer=answer,
        legibility=legibility,
        forced_cue="The question is which colors are in the picture: their ink is the answer.",
        guess=_guess,
        twin=Twin((Objects("shapes", "shape"),)),
    )
)
