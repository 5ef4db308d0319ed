"""Colours present: which of twenty colors does the picture show?

Size n (both editions): n shapes of n different colors.
Paper edition: plot limits -0.1..1.1 at 308 px/unit, shapes of half-size 0.05 with black outlines,
centers in 0.1..0.9 more than 0.1 apart, CSS colors, legend strip below (never mentioned in the
prompt). The published answers before 2026-09-11 did not follow the order of the prompt; here they
do, as in the authors' corrected code.
Audited: twenty colors made to be distinguishable, larger shapes that never touch, no legend strip:
the everyday names need none, and a strip shows every color that the question asks for. Below size
20 every set of n colors can occur; the color that is there first (n <= 10) or the one that is
missing (n > 10) is balanced. At size 20 all are there and the answer is twenty times yes in both
editions: the question itself forces it, which gives constant guessing 5 % over the sizes and not
    more.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from gfactor.benchmarks.percept_v.domain import Domain, Edition, Legibility, Prompt, register
from gfactor.benchmarks.percept_v.layouts_legend import with_legend
from gfactor.benchmarks.percept_v.parts import (
    MIN_GAP_PX,
    Shape,
    draw_shapes,
    place,
    shapes_legibility,
)
from gfactor.benchmarks.percept_v.twins import Objects, Twin, as_drawn
from gfactor.imaging import BLACK, CSS, PALETTES, TWENTY, WHITE, Canvas, Frame, Pixels
from gfactor.items import ItemRandom, OutputFormat

KINDS = ("circle", "triangle", "square", "pentagon")


@dataclass(frozen=True)
class Scene:
    frame: Frame
    palette: str
    legend: bool
    shapes: tuple[Shape, ...]


def make(rng: ItemRandom, size: int, edition: Edition) -> Scene:
    return _published(rng, size) if edition == "paper" else _audited(rng, size)


def _published(rng: ItemRandom, size: int) -> Scene:
    # Thousandths of the plot's unit; (0.5, 0.5) is the middle of the picture.
    frame = Frame(389, 389, 1263)
    centers = place(rng, [50] * size, (181, 181, 1081, 1081), gap=1)
    names = rng.sample(tuple(CSS), size)
    shapes = []
    for (x, y), name in zip(centers, names, strict=True):
        kind = rng.choice(KINDS)
        # The square's half side, not its circumradius, is 0.05.
        shapes.append(Shape(kind, x, y, 71 if kind == "square" else 50, name))
    return Scene(frame, "css", True, tuple(shapes))


def _audited(rng: ItemRandom, size: int) -> Scene:
    frame = Frame(640, 480)
    radii = [rng.integer(22, 36) for _ in range(size)]
    centers = place(rng, radii, (6, 6, 634, 474), MIN_GAP_PX + 4)
    shapes = [
        Shape(rng.choice(KINDS), x, y, r, name)
        for (x, y), r, name in zip(centers, radii, _names(rng, size), strict=True)
    ]
    return Scene(frame, "twenty", False, tuple(shapes))


def _names(rng: ItemRandom, size: int) -> list[str]:
    balanced = rng.balanced(tuple(TWENTY))
    others = rng.shuffled([name for name in TWENTY if name != balanced])
    if size == len(TWENTY) or 2 * size <= len(TWENTY):
        return rng.shuffled([balanced, *others[: size - 1]])
    return others[:size]


def draw(scene: Scene) -> tuple[Pixels, ...]:
    canvas = Canvas(scene.frame)
    draw_shapes(canvas, scene.shapes, scene.palette, BLACK)
    return (with_legend(canvas.pixels) if scene.legend else canvas.pixels,)


def answer(scene: Scene) -> tuple[str, ...]:
    present = {s.color for s in scene.shapes}
    return tuple("yes" if name in present else "no" for name in PALETTES[scene.palette])


def legibility(scene: Scene) -> Legibility:
    # Every color is asked for, so each must be distinguishable from all others.
    colors = [*PALETTES[scene.palette].values(), WHITE]
    return shapes_legibility(scene.frame, scene.shapes, colors)


_ORDER = (
    "The words follow the order of the colors above: yes where a shape has the color, "
    "no if none has."
)


def _prompt(names: str) -> Prompt:
    return Prompt(
        input=("You see a picture of one or more shapes, each filled with one color.",),
        rules=(
            f"These are the possible colors, in order: {names}.",
            "No two shapes have the same color.",
            "Find out for each of the twenty colors whether a shape has it; the black outlines "
            "do not count.",
        ),
        output=(
            "Answer in one line of the form ANSWER: yes, no, ... with twenty words, "
            "separated by commas.",
            _ORDER,
        ),
        people=(_ORDER,),
    )


register(
    Domain(
        name="colours_present",
        skills=("Visual Form Constancy",),
        prompt=_prompt(", ".join(TWENTY)),
        paper_prompt=_prompt(", ".join(CSS)),
        output_format=OutputFormat(
            "list", ("ANSWER",), "word", ("yes", "no"), separator=",", length=len(TWENTY)
        ),
        scene_type=Scene,
        make=make,
        draw=draw,
        answer=answer,
        legibility=legibility,
        forced_cue="The question is which colors are in the picture: their ink is the answer.",
        guess=lambda size: 1 / math.comb(20, size),
        twin=Twin((Objects("shapes", "shape", order=as_drawn),)),
    )
)
