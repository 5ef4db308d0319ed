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
from gfactor.benchmarks.texts import Say, Texts, joined, say
from gfactor.imaging import Pixels
from gfactor.imaging.figures import INK, Sheet
from gfactor.imaging.strokes import Strokes, draw_strokes
from gfactor.items import ItemRandom

SIDE = 110
ACROSS = 4
STROKES_EACH = 6
TESTS = 2
"""Figures asked for."""

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


TEXTS = Texts(
    {
        "begin": {
            "en": "Look at these figures and remember them. Later you will be asked which figures "
            "were among them.",
            "zh": "请看这些图形并记住它们。之后会问你哪些图形在其中出现过。",
            "fr": "Regardez ces figures et retenez-les. Plus tard, on vous demandera quelles "
            "figures en faisaient partie.",
            "es": "Mire estas figuras y recuérdelas. Más tarde se le preguntará qué figuras "
            "estaban entre ellas.",
            "pt": "Olhe estas figuras e memorize-as. Mais tarde será perguntado quais figuras "
            "estavam entre elas.",
            "ko": "이 도형들을 보고 기억하십시오. 나중에 어떤 도형이 그중에 있었는지 묻게 됩니다.",
        },
        "between": {
            "en": "Look at these figures. You will not be asked about them.",
            "zh": "请看这些图形。之后不会问到它们。",
            "fr": "Regardez ces figures. On ne vous interrogera pas sur elles.",
            "es": "Mire estas figuras. No se le preguntará por ellas.",
            "pt": "Olhe estas figuras. Você não será perguntado sobre elas.",
            "ko": "이 도형들을 보십시오. 이것들은 묻지 않습니다.",
        },
        "pause": {
            "en": "This is a pause: the box is empty.",
            "zh": "现在暂停：方框是空的。",
            "fr": "C'est une pause : la case est vide.",
            "es": "Esto es una pausa: la casilla está vacía.",
            "pt": "Esta é uma pausa: a casa está vazia.",
            "ko": "쉬는 차례입니다. 칸이 비어 있습니다.",
        },
        "ask": {
            "en": "Which of these figures was among those that you were to remember? Give its "
            "number.",
            "zh": "这些图形中，哪一个是要你记住的图形之一？请写出它的编号。",
            "fr": "Laquelle de ces figures faisait partie de celles à retenir ? Donnez son numéro.",
            "es": "¿Cuál de estas figuras estaba entre las que debía recordar? Indique su número.",
            "pt": "Qual destas figuras estava entre as que você devia memorizar? Informe o número "
            "dela.",
            "ko": "이 도형들 가운데 기억해야 했던 도형은 어느 것입니까? 그 번호를 쓰십시오.",
        },
        "learned": {
            "en": "Figures to remember:",
            "zh": "要记住的图形：",
            "fr": "Figures à retenir :",
            "es": "Figuras que recordar:",
            "pt": "Figuras a memorizar:",
            "ko": "기억할 도형:",
        },
        "others": {
            "en": "Other figures:",
            "zh": "其他图形：",
            "fr": "Autres figures :",
            "es": "Otras figuras:",
            "pt": "Outras figuras:",
            "ko": "다른 도형:",
        },
        "test": {
            "en": "Figures to choose from:",
            "zh": "供选择的图形：",
            "fr": "Figures parmi lesquelles choisir :",
            "es": "Figuras entre las que elegir:",
            "pt": "Figuras entre as quais escolher:",
            "ko": "고를 도형:",
        },
        "empty": {
            "en": "An empty box.",
            "zh": "一个空的方框。",
            "fr": "Une case vide.",
            "es": "Una casilla vacía.",
            "pt": "Uma casa vazia.",
            "ko": "빈칸 하나",
        },
        "figure": {
            "en": "Figure {place}: {cells}",
            "zh": "图形{place}：{cells}",
            "fr": "Figure {place} : {cells}",
            "es": "Figura {place}: {cells}",
            "pt": "Figura {place}: {cells}",
            "ko": "도형 {place}: {cells}",
        },
    },
    {},
)


register(
    Family(
        name="delayed_recognition",
        ability="Gl",
        radicals={
            "learned": (2, 3, 4, 6),
            "delay": (1, 3, 5),
            "foils": (3, 7),
            "foil": ("far", "mirror", "near"),
            "interference": ("none", "figures"),
        },
        presets={
            "easy": {"learned": (2, 3), "delay": (1,), "foils": (3,), "foil": ("far",)},
            "medium": {"learned": (4,), "delay": (3,)},
            "hard": {"learned": (6,), "delay": (5,), "foil": ("mirror", "near"),
                     "interference": ("figures",)},
        },
        draw=draw,
        solve=solve,
        from_twin=from_twin,
        texts=joined(COMMON, STROKE_TEXTS, TEXTS),
        scene_type=Scene,
        answer_types=("turns",),
        m3gia=("picture recognition",),
        origin="Shepard (1967), delayed recognition of pictures",
        literature=(
            "Shepard, R. N. (1967). Recognition memory for words, sentences, and pictures. Journal "
            "of Verbal Learning and Verbal Behavior, 6(1), 156-163.",
            "Carroll, J. B. (1993). Human cognitive abilities. Cambridge University Press.",
        ),
        **conversation(turns),
    )
)  # fmt: skip
