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
from gfactor.benchmarks.texts import Say, Texts, joined, say
from gfactor.imaging import Pixels
from gfactor.imaging.figures import INK, Sheet, draw_missing
from gfactor.imaging.strokes import Strokes, draw_strokes
from gfactor.items import ItemRandom

SIDE = 110


@dataclass(frozen=True)
class Pair:
    """A figure and its number."""

    figure: Strokes
    number: int


@dataclass(frozen=True)
class Scene:
    """The pairs of each learning turn, those of each turn of delay, the figures asked for."""

    learned: tuple[tuple[Pair, ...], ...]
    between: tuple[tuple[Pair, ...], ...]
    asked: tuple[Strokes, ...]


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    pairs, delay, together = int(levels["pairs"]), int(levels["delay"]), int(levels["together"])
    strokes, interference = int(levels["strokes"]), levels["interference"]
    figures = different_figures(rng, pairs, strokes)
    numbers = rng.sample(range(10, 100), pairs + delay)
    learned = [Pair(f, n) for f, n in zip(figures, numbers, strict=False)]
    others: list[tuple[Pair, ...]] = [()] * delay
    if interference == "pairs":
        near = [near_figure(rng, rng.choice(figures)) for _ in range(delay)]
        if len({*near, *figures}) < pairs + delay:
            raise MisdrawnError
        others = [(Pair(f, n),) for f, n in zip(near, numbers[pairs:], strict=True)]
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


def _pairs(pairs: Sequence[Pair]) -> Pixels:
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


def _words(pairs: Sequence[Pair], template: str) -> tuple[Say, ...]:
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
    learned: list[list[Pair]] = []
    between: list[tuple[Pair, ...]] = []
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
            pair = Pair(strokes_of(cells[0]), int(str(one["n"])))
            if one.template == "pair":
                learned[-1].append(pair)
            else:
                between.append((pair,))
    return Scene(tuple(map(tuple, learned)), tuple(between), tuple(probes))


TEXTS = Texts(
    {
        "begin": {
            "en": "Learn which number belongs to which figure. Later you will see a figure and "
            "be asked for its number.",
            "zh": "请记住每个图形对应的数。之后你会看到图形，并被问到它对应的数。",
            "fr": "Apprenez quel nombre va avec quelle figure. Plus tard, vous verrez une figure "
            "et on vous demandera son nombre.",
            "es": "Aprenda qué número corresponde a cada figura. Más tarde verá una figura y se "
            "le preguntará su número.",
            "pt": "Aprenda qual número corresponde a cada figura. Mais tarde você verá uma figura "
            "e será perguntado o número dela.",
            "ko": "어떤 수가 어떤 도형에 해당하는지 외우십시오. 나중에 도형을 보여 주고 그 수를 "
            "묻게 됩니다.",
        },
        "more": {
            "en": "Learn this too.",
            "zh": "请继续记住。",
            "fr": "Apprenez ceci aussi.",
            "es": "Aprenda también esto.",
            "pt": "Aprenda também isto.",
            "ko": "이것도 외우십시오.",
        },
        "between": {
            "en": "Look at this pair. You will not be asked for it.",
            "zh": "请看这一对。之后不会问到它。",
            "fr": "Regardez cette paire. On ne vous la demandera pas.",
            "es": "Mire este par. No se le preguntará por él.",
            "pt": "Olhe este par. Ele não será perguntado.",
            "ko": "이 쌍을 보십시오. 이것은 묻지 않습니다.",
        },
        "pause": {
            "en": "This is a pause: the boxes are empty.",
            "zh": "现在暂停：方框是空的。",
            "fr": "C'est une pause : les cases sont vides.",
            "es": "Esto es una pausa: las casillas están vacías.",
            "pt": "Esta é uma pausa: as casas estão vazias.",
            "ko": "쉬는 차례입니다. 칸이 비어 있습니다.",
        },
        "ask": {
            "en": "Which number belongs to this figure?",
            "zh": "这个图形对应的数是什么？",
            "fr": "Quel nombre va avec cette figure ?",
            "es": "¿Qué número corresponde a esta figura?",
            "pt": "Qual número corresponde a esta figura?",
            "ko": "이 도형에 해당하는 수는 무엇입니까?",
        },
        "turn": {
            "en": "Picture {place}:",
            "zh": "第{place}张图：",
            "fr": "Image {place} :",
            "es": "Imagen {place}:",
            "pt": "Imagem {place}:",
            "ko": "그림 {place}:",
        },
        "pair": {
            "en": "Figure with {cells}; its number is {n}.",
            "zh": "图形（{cells}）对应的数是{n}。",
            "fr": "Figure aux {cells} ; son nombre est {n}.",
            "es": "Figura con {cells}; su número es {n}.",
            "pt": "Figura com {cells}; seu número é {n}.",
            "ko": "도형({cells})의 수: {n}",
        },
        "other": {
            "en": "Another figure with {cells}; its number is {n}.",
            "zh": "另一个图形（{cells}）对应的数是{n}。",
            "fr": "Autre figure aux {cells} ; son nombre est {n}.",
            "es": "Otra figura con {cells}; su número es {n}.",
            "pt": "Outra figura com {cells}; seu número é {n}.",
            "ko": "다른 도형({cells})의 수: {n}",
        },
        "empty": {
            "en": "Two empty boxes.",
            "zh": "两个空的方框。",
            "fr": "Deux cases vides.",
            "es": "Dos casillas vacías.",
            "pt": "Duas casas vazias.",
            "ko": "빈칸 두 개",
        },
        "asked": {
            "en": "Figure with {cells}; its number is left out.",
            "zh": "图形（{cells}），未给出对应的数。",
            "fr": "Figure aux {cells} ; son nombre n'est pas donné.",
            "es": "Figura con {cells}; no se da su número.",
            "pt": "Figura com {cells}; o número não é dado.",
            "ko": "도형({cells}), 수는 주어지지 않음",
        },
    },
    {},
)


register(
    Family(
        name="paired_associates",
        ability="Gl",
        radicals={
            "pairs": (3, 4, 6, 8),
            "delay": (1, 3, 5),
            "interference": ("none", "pairs"),
            "together": (1, 2),
            "strokes": (4, 6),
        },
        presets={
            "easy": {"pairs": (3, 4), "delay": (1, 3), "interference": ("none",)},
            "medium": {"pairs": (4, 6), "delay": (3,)},
            "hard": {"pairs": (8,), "delay": (5,), "interference": ("pairs",)},
        },
        extreme={"pairs": (10, 12), "delay": (8,), "interference": ("pairs",)},
        draw=draw,
        solve=solve,
        from_twin=from_twin,
        texts=joined(COMMON, STROKE_TEXTS, TEXTS),
        scene_type=Scene,
        answer_types=("turns",),
        origin="Calkins (1894), paired associates",
        literature=(
            "Calkins, M. W. (1894). Association. Psychological Review, 1(5), 476-483.",
            "Müller, G. E., & Pilzecker, A. (1900). Experimentelle Beiträge zur Lehre vom "
            "Gedächtnis. Barth.",
        ),
        **conversation(turns),
    )
)
