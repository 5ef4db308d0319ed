"""Layered colours: which colors do concentric discs have, from the inside out?

Size n (both editions): n discs of n different colors.
Paper edition: radii evenly spaced from 0.9 (outermost) to 0.05 of the plot's unit (184.8 px), a
single disc of 0.9 at n = 1, black outlines, CSS colors, legend strip below. The authors' code was
meant to shuffle the colors, but it shuffles a temporary copy, so that the hash seed of the process
determines the order. Such an order cannot be reproduced: here every picture has the colors in the
order of the prompt, from the inside out.
Audited: the colors are shuffled (the innermost is balanced), so that the ten pictures of
size 20 differ; twenty colors made to be distinguishable; every ring is at least 13 px wide. No
legend strip.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

from gfactor.benchmarks.percept_v.domain import Domain, Edition, Legibility, Prompt, register
from gfactor.benchmarks.percept_v.layouts_legend import with_legend
from gfactor.benchmarks.percept_v.twins import Facts, Objects, Twin, by_name, by_radius
from gfactor.imaging import BLACK, CSS, PALETTES, TWENTY, WHITE, Canvas, Frame, Pixels
from gfactor.items import ItemRandom, OutputFormat


@dataclass(frozen=True)
class Disc:
    """A disc of radius `r` around the scene's center, behind all smaller ones."""

    r: int
    color: str


@dataclass(frozen=True)
class Scene:
    """`discs` from the innermost to the outermost."""

    frame: Frame
    palette: str
    legend: bool
    outline: int
    x: int
    y: int
    discs: tuple[Disc, ...]


def make(rng: ItemRandom, size: int, edition: Edition) -> Scene:
    return _published(rng, size) if edition == "paper" else _audited(rng, size)


def _published(rng: ItemRandom, size: int) -> Scene:
    # Thousandths of the plot's unit.
    frame = Frame(389, 389, 2105)
    chosen = set(rng.sample(tuple(CSS), size))
    names = [name for name in CSS if name in chosen]
    radii = [900 - 850 * k // max(1, size - 1) for k in reversed(range(size))]
    return Scene(frame, "css", True, 1, 1052, 1052, _discs(radii, names))


def _audited(rng: ItemRandom, size: int) -> Scene:
    frame = Frame(600, 600)
    outermost = rng.integer(272, 288)
    radii = [outermost * k // size for k in range(1, size + 1)]
    first = rng.balanced(tuple(TWENTY))
    others = rng.sample([name for name in TWENTY if name != first], size - 1)
    x, y = (rng.integer(outermost + 4, 596 - outermost) for _ in range(2))
    return Scene(frame, "twenty", False, 2, x, y, _discs(radii, [first, *others]))


def _discs(radii: list[int], names: list[str]) -> tuple[Disc, ...]:
    return tuple(Disc(r, name) for r, name in zip(radii, names, strict=True))


def draw(scene: Scene) -> tuple[Pixels, ...]:
    canvas = Canvas(scene.frame)
    colors = PALETTES[scene.palette]
    for disc in reversed(scene.discs):
        canvas.disc(scene.x, scene.y, disc.r, colors[disc.color], BLACK, scene.outline)
    return (with_legend(canvas.pixels) if scene.legend else canvas.pixels,)


def answer(scene: Scene) -> tuple[str, ...]:
    return tuple(disc.color for disc in scene.discs)


def legibility(scene: Scene) -> Legibility:
    # The innermost disc and the rings' visible widths must be resolved; blended edges make an
    # outline a pixel wider.
    radii = [disc.r for disc in scene.discs]
    scale = scene.frame.per_unit
    ring = min((b - a for a, b in pairwise(radii)), default=radii[0])
    colors = [PALETTES[scene.palette][disc.color] for disc in scene.discs]
    return Legibility(2 * radii[0] * scale, ring * scale - scene.outline - 1, (*colors, WHITE))


def _prompt(names: str) -> Prompt:
    return Prompt(
        input=("You see a picture of one or more discs with a common center, one on the other.",),
        rules=(
            f"These are the possible colors: {names}.",
            "No two discs have the same color; the thin black outlines do not count.",
            "Find out the colors of the discs from the inside to the outside.",
        ),
        output=(
            "Answer in one line of the form COLOURS: a, b, ... with the names of the colors, "
            "the innermost first, separated by commas.",
        ),
    )


register(
    Domain(
        name="layered_colours",
        skills=("Visual Sequential Memory", "Visual Figure Ground", "Visual Closure"),
        prompt=_prompt(", ".join(TWENTY)),
        paper_prompt=_prompt(", ".join(CSS)),
        output_format=OutputFormat("list", ("COLOURS",), "word", tuple(TWENTY), separator=","),
        paper_format=OutputFormat("list", ("COLOURS",), "word", tuple(CSS), separator=","),
        scene_type=Scene,
        make=make,
        draw=draw,
        answer=answer,
        legibility=legibility,
        guess=lambda size: 1 / math.perm(len(TWENTY), size),
        twin=Twin(
            (
                Facts("center", {"x": "x", "y": "y"}),
                Objects("discs", "disc", order=by_name, restored=by_radius),
            )
        ),
    )
)
