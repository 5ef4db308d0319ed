"""Incomplete shape: which shape does the broken outline belong to?

The paper has no domain for Visual Closure alone; this one is in the audited edition only. Closure
is tested with outlines that are to be completed since Gollin (1960, Perceptual and Motor Skills 11,
289) and in the visual closure of MVPT and TVPS. There is one shape, upright and named by a word:
nothing is counted, compared, turned or listed.
Size n: 4 + 2n sixtieths of the outline are missing, 10 to 73 percent.
Two corners at least are visible with a fifteenth of the outline on either side; pieces are as long
as in the other kinds (a circle's lie as if it had corners). No other regular shape of any size,
place and turn fits the pieces. Lengths of outlines are drawn without regard to the kind, and kinds
are balanced.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from gfactor.benchmarks.percept_v.domain import Domain, Edition, Legibility, Prompt, register
from gfactor.benchmarks.percept_v.layouts_outlines import (
    CORNERS,
    KINDS,
    STEPS,
    WORDS,
    outline,
    radius_of,
)
from gfactor.benchmarks.percept_v.parts import Ground, canvas_on, ground_color, roving_ground
from gfactor.imaging import BLACK, Frame, Pixels
from gfactor.items import ItemRandom, OutputFormat

FRAME = Frame(640, 640)
LENGTHS = (560, 840)
"""Shortest and longest outline, in pixels."""
PARTS = 60
"""Number of equal parts of an outline, each of which remains or is missing."""
ARM = 4
"""Number of remaining parts on either side of the two visible corners."""
SHORTEST_PIECE, SHORTEST_GAP, LONGEST_GAP = 3, 2, 8
MARGIN = 12
WIDTHS_PX = (4, 6)
"""Thinnest and thickest line."""

Piece = tuple[int, int]
"""First part of a piece, and its number of parts, clockwise from the first corner."""


@dataclass(frozen=True)
class Scene:
    frame: Frame
    width_px: int
    kind: str
    x: int
    y: int
    r: int
    pieces: tuple[Piece, ...]
    ground: Ground


def make(rng: ItemRandom, size: int, edition: Edition) -> Scene:
    kind = rng.balanced(KINDS)
    r = radius_of(kind, rng.integer(*LENGTHS))
    x, y = (rng.integer(MARGIN + r, side - MARGIN - r) for side in (FRAME.width, FRAME.height))
    count = CORNERS[kind] or rng.choice([n for n in CORNERS.values() if n])
    turn = 0 if CORNERS[kind] else rng.integer(0, PARTS - 1)
    there = _remaining_parts(rng, count, missing(size))
    pieces = tuple(((first + turn) % PARTS, length) for first, length in runs(there))
    return Scene(FRAME, rng.integer(*WIDTHS_PX), kind, x, y, r, pieces, roving_ground(rng))


def missing(size: int) -> int:
    """Return the number of missing parts of the outline, of `PARTS`."""
    return 4 + 2 * size


def _remaining_parts(rng: ItemRandom, corners: int, missing_parts: int) -> list[bool]:
    """Return the remaining parts: gaps are cut at random until the given number of parts is
    missing."""
    while True:
        there, left = [True] * PARTS, missing_parts
        each = PARTS // corners
        fixed = {
            (corner * each + k) % PARTS
            for corner in rng.sample(range(corners), 2)
            for k in range(-ARM, ARM)
        }
        while left:
            lengths = rng.shuffled(range(1, min(left, LONGEST_GAP) + 1))
            cuts = next((cuts for n in lengths if (cuts := _cuts(there, fixed, n))), ())
            if not cuts:
                break
            for k in rng.choice(cuts):
                there[k] = False
            left = missing_parts - there.count(False)
        else:
            return there


def _cuts(there: Sequence[bool], fixed: set[int], length: int) -> list[list[int]]:
    """Every cut of this length that leaves neither a piece nor a gap that is too short."""
    cuts = []
    for first in range(PARTS):
        cut = [(first + k) % PARTS for k in range(length)]
        if all(there[k] and k not in fixed for k in cut):
            after = [k not in cut and is_there for k, is_there in enumerate(there)]
            gaps = runs([not is_there for is_there in after])
            if all(n >= SHORTEST_PIECE for _, n in runs(after)) and all(
                n >= SHORTEST_GAP for _, n in gaps
            ):
                cuts.append(cut)
    return cuts


def runs(values: Sequence[bool]) -> list[Piece]:
    """Return the runs of True around a circle: first position and length of each."""
    firsts = [k for k, value in enumerate(values) if value and not values[k - 1]]
    pieces = []
    for first in firsts:
        length = 1
        while values[(first + length) % len(values)]:
            length += 1
        pieces.append((first, length))
    return pieces


def draw(scene: Scene) -> tuple[Pixels, ...]:
    canvas = canvas_on(scene.frame, scene.ground)
    points, each = outline(scene.kind, scene.x, scene.y, scene.r), STEPS // PARTS
    for first, length in scene.pieces:
        steps = range(first * each, (first + length) * each + 1)
        canvas.curve([points[k % STEPS] for k in steps], BLACK, scene.width_px)
    return (canvas.pixels,)


def answer(scene: Scene) -> str:
    return scene.kind.title()


def legibility(scene: Scene) -> Legibility:
    points, each = outline(scene.kind, scene.x, scene.y, scene.r), STEPS // PARTS
    gaps = zip(scene.pieces, [*scene.pieces[1:], scene.pieces[0]], strict=True)
    widths = [
        math.dist(points[(first + length) * each % STEPS], points[after * each])
        for (first, length), (after, _) in gaps
    ]
    return Legibility(
        2 * scene.r, min(widths) - scene.width_px, (BLACK, ground_color(scene.ground))
    )


register(
    Domain(
        name="incomplete_shape",
        skills=("Visual Closure",),
        prompt=Prompt(
            input=("You see the outline of one shape, of which parts are missing.",),
            rules=(
                "The shape is a Circle, a Triangle, a Square, a Pentagon or a Hexagon; all its "
                "sides are equally long.",
                "Find out which of these it would be if its outline were complete.",
            ),
            output=("Answer in one line of the form SHAPE:x where x is the name of the shape.",),
        ),
        output_format=OutputFormat("value", ("SHAPE",), "word", WORDS),
        scene_type=Scene,
        make=make,
        draw=draw,
        answer=answer,
        legibility=legibility,
        editions=("audited",),
        guess=lambda _: 1 / len(KINDS),
    )
)
