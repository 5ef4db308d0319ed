"""Delayed recognition: which of these figures was among those shown before?

Figures of strokes that nobody has seen before are shown in one picture. Turns of delay follow, with
empty lattices or with figures that need not be learned. Each of the last turns shows numbered
figures, one of which was among those learned; the others are unlike it, or come from it by every
combination of some changes: strokes in another place, left and right exchanged.

Shepard, R. N. (1967) studied recognition memory for pictures after a delay; recognition against
distractors is a marker of visual memory in Carroll (1993). The figures are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gfactor.benchmarks.chc.common import COMMON
from gfactor.benchmarks.chc.conversations import (
    STROKE_TEXTS,
    conversation,
    crossed_figures,
    different_figures,
    random_figure,
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
from gfactor.imaging.figures import INK, Sheet
from gfactor.imaging.measures.delayed_recognition import ACROSS, TESTS
from gfactor.imaging.strokes import Strokes, draw_strokes
from gfactor.items import ItemRandom

SIDE = 110
STROKES_EACH = 6

CHANGES = {3: 2, 7: 3}
"""Foils, and the changes whose combinations they are."""


@dataclass(frozen=True)
class Scene:
    """The figures learned, those of each turn of delay, and the figures of each test."""

    learned: tuple[Strokes, ...]
    between: tuple[tuple[Strokes, ...], ...]
    tests: tuple[tuple[Strokes, ...], ...]


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    count, delay, foils = int(levels["learned"]), int(levels["delay"]), int(levels["foils"])
    similarity, filled = str(levels["foil"]), levels["interference"] == "figures"
    figures = different_figures(rng, count, STROKES_EACH)
    seen = set(figures)
    between = []
    for _ in range(delay):
        others = [random_figure(rng, STROKES_EACH) for _ in range(2)] if filled else []
        seen.update(others)
        between.append(tuple(others))
    tests = []
    for figure in rng.sample(figures, TESTS):
        if similarity == "far":
            alternatives = different_figures(rng, foils + 1, STROKES_EACH, [figure])
        else:
            alternatives = crossed_figures(rng, figure, CHANGES[foils], similarity == "mirror")
        if seen & set(alternatives[1:]):
            raise MisdrawnError
        seen.update(alternatives)
        tests.append(tuple(rng.shuffled(alternatives)))
    scene = Scene(tuple(figures), tuple(between), tuple(tests))
    return Draft(scene, _keys(scene), design=(similarity,) * foils)


def _keys(scene: Scene) -> tuple[int, ...]:
    learned = set(scene.learned)
    return tuple(next(k for k, f in enumerate(t, 1) if f in learned) for t in scene.tests)


def solve(scene: Scene, options: Sequence[Any]) -> Proof:
    """Compare every figure of a test, stroke by stroke, with every figure learned."""
    result: list[int] = []
    tried = 0
    for test in scene.tests:
        fitting = []
        for number, figure in enumerate(test, 1):
            tried += len(scene.learned)
            if any(not set(figure) ^ set(learned) for learned in scene.learned):
                fitting.append(number)
        if len(fitting) != 1:
            return Proof((), tried)
        result += fitting
    return Proof((tuple(result),), tried)


def _picture(figures: Sequence[Strokes], numbered: bool = False) -> Pixels:
    count = max(1, len(figures))
    sheet = Sheet(-(-count // ACROSS), min(count, ACROSS), side=SIDE)
    canvas = sheet.canvas(count)
    boxes = [box for row in sheet.boxes for box in row]
    for number, (figure, box) in enumerate(zip(figures, boxes, strict=False), 1):
        draw_strokes(canvas, figure, box)
        if numbered:
            canvas.text(box.x + 7, box.y + 9, str(number), 9, INK, 1)
    return canvas.pixels


def turns(scene: Scene) -> tuple[Turn, ...]:
    def lines(figures: Sequence[Strokes]) -> tuple[Say, ...]:
        return tuple(
            say("figure", place=k, cells=(strokes_line(f),)) for k, f in enumerate(figures, 1)
        )

    words = (say("points"), say("learned"), *lines(scene.learned))
    out = [Turn((_picture(scene.learned),), (say("begin"), say("reply_ok")), words)]
    for figures in scene.between:
        says = (say("between" if figures else "pause"), say("reply_ok"))
        words = (say("others"), *lines(figures)) if figures else (say("empty"),)
        out.append(Turn((_picture(figures),), says, words))
    for figures, key in zip(scene.tests, _keys(scene), strict=True):
        words = (say("test"), *lines(figures))
        out.append(Turn((_picture(figures, True),), (say("ask"),), words, key))
    return tuple(out)


def from_twin(says: Sequence[Say]) -> Scene:
    parts: dict[str, list[list[Strokes]]] = {"learned": [], "others": [], "test": []}
    part: list[Strokes] = []
    for one in says:
        if one.template == "figure":
            cells: Any = one["cells"]
            part.append(strokes_of(cells[0]))
        elif one.template != "points":
            part = []
            parts["others" if one.template == "empty" else one.template].append(part)
    whole = {name: tuple(map(tuple, result)) for name, result in parts.items()}
    return Scene(whole["learned"][0], whole["others"], whole["test"])


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
