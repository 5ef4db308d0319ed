"""Paired associates: new figures with numbers, learned, and recalled turns later.

Figures of strokes that nobody has seen before are shown with two-digit numbers, one pair or two in
a turn. Then come turns of delay: with empty lattices, or with other pairs that need not be learned
(interference). In the last turns the figures are shown alone, in another order, and their numbers
are asked for.

Calkins, M. W. (1894) introduced the paradigm; interference by lists that are learned between
follows Müller and Pilzecker (1900). The figures and pairs are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gfactor.benchmarks.chc.common import COMMON
from gfactor.benchmarks.chc.conversations import (
    STROKE_TEXTS,
    conversation,
    different_figures,
    near_figure,
    strokes_line,
    strokes_of,
)
from gfactor.benchmarks.chc.family import (
    Draft,
    Family,
    Levels,
    MisdrawnError,
    Proof,
    Turn,
    register,
)
from gfactor.benchmarks.chc.family_files import declared
from gfactor.benchmarks.texts import Say, say
from gfactor.imaging import Pixels
from gfactor.imaging.figures import INK, Sheet, draw_missing
from gfactor.imaging.measures.paired_associates import SIDE
from gfactor.imaging.strokes import Strokes, draw_strokes
from gfactor.items import ItemRandom


@dataclass(frozen=True)
class NumberedFigure:
    """A figure and its number."""

    figure: Strokes
    number: int


@dataclass(frozen=True)
class Scene:
    """The pairs of each learning turn, those of each turn of delay, the figures asked for."""

    learned: tuple[tuple[NumberedFigure, ...], ...]
    between: tuple[tuple[NumberedFigure, ...], ...]
    asked: tuple[Strokes, ...]


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    pairs, delay, together = int(levels["pairs"]), int(levels["delay"]), int(levels["together"])
    strokes, interference = int(levels["strokes"]), levels["interference"]
    figures = different_figures(rng, pairs, strokes)
    numbers = rng.sample(range(10, 100), pairs + delay)
    learned = [NumberedFigure(f, n) for f, n in zip(figures, numbers, strict=False)]
    others: list[tuple[NumberedFigure, ...]] = [()] * delay
    if interference == "pairs":
        near = [near_figure(rng, rng.choice(figures)) for _ in range(delay)]
        if len({*near, *figures}) < pairs + delay:
            raise MisdrawnError
        others = [(NumberedFigure(f, n),) for f, n in zip(near, numbers[pairs:], strict=True)]
    turns = tuple(tuple(learned[k : k + together]) for k in range(0, pairs, together))
    scene = Scene(turns, tuple(others), tuple(rng.sample(figures, 3)))
    return Draft(scene, _keys(scene))


def _keys(scene: Scene) -> tuple[int, ...]:
    number = {pair.figure: pair.number for turn in scene.learned for pair in turn}
    return tuple(number[figure] for figure in scene.asked)


def solve(scene: Scene, options: Sequence[Any]) -> Proof:
    """Compare each figure asked for, as a set of strokes, with every figure that was shown."""
    result: list[int] = []
    tried = 0
    pairs = [pair for turn in (*scene.learned, *scene.between) for pair in turn]
    for probe in scene.asked:
        fitting = [pair.number for pair in pairs if not set(pair.figure) ^ set(probe)]
        tried += len(pairs)
        if len(fitting) != 1:
            return Proof((), tried)
        result += fitting
    return Proof((tuple(result),), tried)


def _pairs(pairs: Sequence[NumberedFigure]) -> Pixels:
    """A row of a figure and a number for each pair; an empty row if there are none."""
    sheet = Sheet(max(1, len(pairs)), 2, side=SIDE)
    canvas = sheet.canvas()
    for pair, (left, right) in zip(pairs, sheet.boxes, strict=False):
        draw_strokes(canvas, pair.figure, left)
        canvas.text(right.cx, right.cy, str(pair.number), 30, INK, 3)
    return canvas.pixels


def _asking(figure: Strokes) -> Pixels:
    sheet = Sheet(1, 2, side=SIDE)
    canvas = sheet.canvas()
    draw_strokes(canvas, figure, sheet.boxes[0][0])
    draw_missing(canvas, sheet.boxes[0][1])
    return canvas.pixels


def _words(pairs: Sequence[NumberedFigure], template: str) -> tuple[Say, ...]:
    return tuple(say(template, cells=(strokes_line(pair.figure),), n=pair.number) for pair in pairs)


def turns(scene: Scene) -> tuple[Turn, ...]:
    out = []
    for k, pairs in enumerate(scene.learned):
        says = (say("begin"), say("reply_ok")) if k == 0 else (say("more"), say("reply_ok"))
        words = (say("points"),) if k == 0 else ()
        words += (say("turn", place=k + 1), *_words(pairs, "pair"))
        out.append(Turn((_pairs(pairs),), says, words))
    for pairs in scene.between:
        words = _words(pairs, "other") or (say("empty"),)
        says = (say("between" if pairs else "pause"), say("reply_ok"))
        out.append(Turn((_pairs(pairs),), says, words))
    for figure, key in zip(scene.asked, _keys(scene), strict=True):
        words = (say("asked", cells=(strokes_line(figure),)),)
        out.append(Turn((_asking(figure),), (say("ask"),), words, key))
    return tuple(out)


def from_twin(says: Sequence[Say]) -> Scene:
    learned: list[list[NumberedFigure]] = []
    between: list[tuple[NumberedFigure, ...]] = []
    probes: list[Strokes] = []
    for one in says:
        cells: Any = one.values.get("cells", ())
        if one.template == "turn":
            learned.append([])
        elif one.template == "empty":
            between.append(())
        elif one.template == "asked":
            probes.append(strokes_of(cells[0]))
        elif cells:
            pair = NumberedFigure(strokes_of(cells[0]), int(str(one["n"])))
            if one.template == "pair":
                learned[-1].append(pair)
            else:
                between.append((pair,))
    return Scene(tuple(map(tuple, learned)), tuple(between), tuple(probes))


register(
    Family(
        draw=draw,
        solve=solve,
        from_twin=from_twin,
        scene_type=Scene,
        answer_types=("turns",),
        version="2",  # as the version before, with plainer English
        **conversation(turns),
        **declared(__file__, COMMON, STROKE_TEXTS),
    )
)
