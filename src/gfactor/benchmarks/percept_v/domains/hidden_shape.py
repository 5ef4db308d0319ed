"""Hidden shape: which shape is hidden among the lines?

The paper has no domain for Visual Figure Ground alone; this one is in the audited edition only. A
figure among lines that cross it is the embedded figure of Gottschaldt (1926, Psychologische
Forschung 8, 261) and of the figure-ground items of MVPT and TVPS. There is one shape, upright and
named by a word: nothing is counted, compared, turned or listed, and no part of it is missing.
Size n: n + 4 wavy lines.
The lines are as wide and as black as the outline, and run from one side of the picture to the
other. They are curved all along, so that they make neither a straight side nor a circle: of any
other outline a tenth at least is not there, wherever it is put. Lengths of outlines are drawn
without regard to the kind, and kinds are balanced.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from gfactor.benchmarks.percept_v.domain import Domain, Edition, Legibility, Prompt, register
from gfactor.benchmarks.percept_v.layouts_outlines import KINDS, WORDS, outline, radius_of
from gfactor.imaging import BLACK, WHITE, Canvas, Frame, Pixels
from gfactor.items import ItemRandom, OutputFormat

FRAME = Frame(600, 600)
LENGTHS = (510, 690)
"""Shortest and longest outline, in pixels."""
LINES = 4
"""Number of lines in addition to the size."""
MARGIN = 24
WIDTH_PX = 3
STEP_PX = 6
"""Pixels from one point of a line to the next."""


@dataclass(frozen=True)
class Wave:
    """A wavy line that runs `level` or `upright` around `middle`, in pixels.

    `swing` is the amplitude, `length` the wavelength, and `phase` is in degrees.
    """

    direction: str
    middle: int
    swing: int
    length: int
    phase: int


@dataclass(frozen=True)
class Scene:
    frame: Frame
    width_px: int
    kind: str
    x: int
    y: int
    r: int
    waves: tuple[Wave, ...]


def make(rng: ItemRandom, size: int, edition: Edition) -> Scene:
    kind = rng.balanced(KINDS)
    r = radius_of(kind, rng.integer(*LENGTHS))
    x, y = (rng.integer(MARGIN + r, side - MARGIN - r) for side in (FRAME.width, FRAME.height))
    waves = (
        *_waves(rng, "level", (size + LINES) // 2),
        *_waves(rng, "upright", (size + LINES + 1) // 2),
    )
    return Scene(FRAME, WIDTH_PX, kind, x, y, r, waves)


def _waves(rng: ItemRandom, direction: str, count: int) -> list[Wave]:
    """Lines of one direction, each round its own part of the picture."""
    side = FRAME.height
    return [
        Wave(
            direction,
            middle=rng.integer(side * k // count, side * (k + 1) // count),
            swing=rng.integer(14, 40),
            length=rng.integer(110, 240),
            phase=rng.integer(0, 359),
        )
        for k in range(count)
    ]


def points_of(wave: Wave, reach: int) -> list[tuple[float, float]]:
    """Return points of a line across a picture of `reach` pixels."""
    turns = (2 * math.pi * t / wave.length + math.radians(wave.phase) for t in steps(reach))
    across = [wave.middle + wave.swing * math.sin(turn) for turn in turns]
    pairs = zip(steps(reach), across, strict=True)
    return [(t, v) if wave.direction == "level" else (v, t) for t, v in pairs]


def steps(reach: int) -> range:
    """Return the positions of a line's points."""
    return range(0, reach + STEP_PX, STEP_PX)


def draw(scene: Scene) -> tuple[Pixels, ...]:
    canvas = Canvas(scene.frame)
    for wave in scene.waves:
        reach = scene.frame.width if wave.direction == "level" else scene.frame.height
        canvas.curve(points_of(wave, reach), BLACK, scene.width_px)
    points = outline(scene.kind, scene.x, scene.y, scene.r)
    canvas.curve([*points, points[0]], BLACK, scene.width_px)
    return (canvas.pixels,)


def answer(scene: Scene) -> str:
    return scene.kind.title()


def legibility(scene: Scene) -> Legibility:
    return Legibility(2 * scene.r, math.inf, (BLACK, WHITE))


register(
    Domain(
        name="hidden_shape",
        skills=("Visual Figure Ground",),
        prompt=Prompt(
            input=("You see wavy lines, and among them the outline of one shape.",),
            rules=(
                "The shape is a Circle, a Triangle, a Square, a Pentagon or a Hexagon; all its "
                "sides are equally long, and its outline is complete.",
                "Find out which of these is hidden among the lines.",
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
