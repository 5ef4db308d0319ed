"""Sort lines: the labels of the lines, from the shortest line to the longest.

Size n (both editions): n labeled lines.
Paper edition: 1000 x 1000 px, vertical lines 3 px wide on a common base, evenly spaced, lengths
250..960 px at least 20 px apart, labeled 1..n from left to right above their ends in digits 22 px
high, in random colors of middling brightness. Paper and code agree.
Audited: 840 x 640 px, so that no resizing is needed; lines are 6 px wide, unevenly spaced and of
dark colors, lengths differ by at least 12 px, labels are shuffled and 20 px high. The labels of
the two shortest lines are balanced. With a single line the only answer is 1 in both editions,
whatever the picture.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

from gfactor.benchmarks.percept_v.domain import Domain, Edition, Legibility, Prompt, register
from gfactor.benchmarks.percept_v.layouts_order import balanced_order, spread
from gfactor.benchmarks.percept_v.twins import Objects, Twin, left_to_right
from gfactor.imaging import BLACK, RGB, TWENTY, WHITE, Canvas, Frame, Pixels, text_width
from gfactor.items import ItemRandom, OutputFormat

DARK = ("black", "brown", "maroon", "red", "green", "teal", "blue", "navy", "purple")
"""Colors of `twenty` that stand out from white paper; they do not depend on the length."""
LENGTHS = (100, 570)
APART = 12
SPACING = 40
"""Smallest distance of two lines, in pixels: two labels of two digits fit side by side."""


@dataclass(frozen=True)
class LabeledLine:
    x: int
    length: int
    label: int
    color: RGB


@dataclass(frozen=True)
class Scene:
    frame: Frame
    base: int
    line_width: int
    label_height: int
    lines: tuple[LabeledLine, ...]


def make(rng: ItemRandom, size: int, edition: Edition) -> Scene:
    return _published(rng, size) if edition == "paper" else _audited(rng, size)


def _published(rng: ItemRandom, size: int) -> Scene:
    lengths = rng.shuffled(spread(rng, size, 250, 960, 20))
    spacing = 1000 // (size + 1)
    lines = [
        LabeledLine(spacing * k, length, k, _middling(rng)) for k, length in enumerate(lengths, 1)
    ]
    return Scene(Frame(1000, 1000), 990, 3, 22, tuple(lines))


def _middling(rng: ItemRandom) -> RGB:
    return rng.integer(50, 205), rng.integer(50, 205), rng.integer(50, 205)


def _audited(rng: ItemRandom, size: int) -> Scene:
    labels = balanced_order(rng, size)
    lengths = spread(rng, size, *LENGTHS, APART)
    ranked = rng.shuffled(list(zip(lengths, labels, strict=True)))
    lines = [
        LabeledLine(x, length, label, TWENTY[rng.choice(DARK)])
        for x, (length, label) in zip(spread(rng, size, 24, 816, SPACING), ranked, strict=True)
    ]
    return Scene(Frame(840, 640), 620, 6, 20, tuple(lines))


def draw(scene: Scene) -> tuple[Pixels, ...]:
    canvas = Canvas(scene.frame)
    for line in scene.lines:
        left, top = line.x - scene.line_width // 2, scene.base - line.length
        canvas.rectangle(left, top, left + scene.line_width, scene.base, line.color)
        middle = top - scene.label_height * 5 // 6
        canvas.text(line.x, middle, str(line.label), scene.label_height, BLACK)
    return (canvas.pixels,)


def answer(scene: Scene) -> tuple[int, ...]:
    return tuple(line.label for line in sorted(scene.lines, key=lambda line: line.length))


def legibility(scene: Scene) -> Legibility:
    across = sorted(scene.lines, key=lambda line: line.x)
    gap = min(
        (
            b.x - a.x - (_reach(scene, a.label) + _reach(scene, b.label))
            for a, b in pairwise(across)
        ),
        default=math.inf,
    )
    palest = max((line.color for line in scene.lines), key=sum)
    return Legibility(scene.label_height, gap, (palest, WHITE))


def _reach(scene: Scene, label: int) -> float:
    return (text_width(str(label), scene.label_height) + 2) / 2


register(
    Domain(
        name="sort_lines",
        skills=("Visual Discrimination", "Visual Memory"),
        prompt=Prompt(
            input=(
                "You see one or more upright lines that stand on the same level.",
                "Above the upper end of each line is its number.",
            ),
            rules=(
                "Sort the lines by length, from the shortest to the longest.",
                "Colors do not matter.",
            ),
            output=(
                "Answer in one line with nothing but the numbers of the lines in that order, "
                "separated by spaces, for example: 3 1 2",
            ),
        ),
        output_format=OutputFormat("list"),
        scene_type=Scene,
        make=make,
        draw=draw,
        answer=answer,
        legibility=legibility,
        guess=lambda size: 1 / math.factorial(size),
        twin=Twin((Objects("lines", "upright", (), {"color": "rgb"}, left_to_right),)),
    )
)
