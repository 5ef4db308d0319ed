"""Symbol search: in how many rows does one of the targets come up again?

Each row has one or two target figures on the left and a string of figures on the right. Figures
consist of strokes on a lattice. The other figures differ clearly from the targets, or some of them
differ from a target in a single stroke.

Symbol search is due to the visual search of Neisser (1964); as a test of processing speed it is in
the Wechsler scales since 1991. The figures and rows are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gfactor.benchmarks.chc.common import COMMON
from gfactor.benchmarks.chc.conversations import (
    NUMBER,
    STROKE_TEXTS,
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
    register,
)
from gfactor.benchmarks.texts import Say, Texts, joined, say
from gfactor.imaging import Canvas, Frame, Pixels
from gfactor.imaging.figures import Sheet, frame_box
from gfactor.imaging.strokes import Strokes, draw_strokes
from gfactor.items import ItemRandom

SIDE = 56
SHIFT = 5 / 16
"""From column to column figures are shifted by this part of a pixel."""


@dataclass(frozen=True)
class Row:
    """The targets and the figures among which they are looked for."""

    targets: tuple[Strokes, ...]
    figures: tuple[Strokes, ...]


@dataclass(frozen=True)
class Scene:
    """The rows, from top to bottom."""

    rows: tuple[Row, ...]


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    count, strokes = int(levels["rows"]), int(levels["strokes"])
    having = rng.integer(0, count)
    present = rng.shuffled([True] * having + [False] * (count - having))
    rows = tuple(_row(rng, levels, strokes, here) for here in present)
    return Draft(Scene(rows), having, design=tuple(map(int, present)))


def _row(rng: ItemRandom, levels: Levels, strokes: int, present: bool) -> Row:
    length, targets = int(levels["length"]), int(levels["targets"])
    wanted = different_figures(rng, targets, strokes)
    others = different_figures(rng, targets + length, strokes, wanted)[targets:]
    if levels["foil"] == "near":
        near = [near_figure(rng, rng.choice(wanted)) for _ in range(length // 2)]
        if set(near) & set(wanted) or len(set(near)) < len(near):
            raise MisdrawnError
        others[: len(near)] = near
    if present:
        # The target takes the place of a far figure: near ones are as many in either kind of row.
        others[-1] = rng.choice(wanted)
    return Row(tuple(wanted), tuple(rng.shuffled(others)))


def solve(scene: Scene, options: Sequence[Any]) -> Proof:
    """Compare every figure with every target of its row, stroke by stroke."""
    result = tried = 0
    for row in scene.rows:
        tried += len(row.targets) * len(row.figures)
        result += any(not set(t) ^ set(f) for t in row.targets for f in row.figures)
    return Proof((result,), tried)


def sheet_for(rows: int, targets: int, length: int) -> Sheet:
    """Return the boxes of a picture: targets, an empty column, figures."""
    return Sheet(rows, targets + 1 + length, side=SIDE)


def picture(scene: Scene, options: Sequence[Any]) -> tuple[Pixels, ...]:
    first = scene.rows[0]
    sheet = sheet_for(len(scene.rows), len(first.targets), len(first.figures))
    canvas = Canvas(Frame(sheet.width, sheet.height))
    for row, boxes in zip(scene.rows, sheet.boxes, strict=True):
        figures = (*row.targets, None, *row.figures)
        for column, (figure, box) in enumerate(zip(figures, boxes, strict=True)):
            if figure is not None:
                frame_box(canvas, box)
                draw_strokes(canvas, figure, box, SHIFT * column % 1)
    return (canvas.pixels,)


def twin(scene: Scene) -> tuple[Say, ...]:
    rows = (
        say(
            "row",
            place=k,
            cells=tuple(map(strokes_line, row.targets)),
            cells2=tuple(map(strokes_line, row.figures)),
        )
        for k, row in enumerate(scene.rows, 1)
    )
    return (say("points"), *rows)


def from_twin(says: Sequence[Say]) -> Scene:
    rows = []
    for one in says[1:]:
        targets: Any = one["cells"]
        figures: Any = one["cells2"]
        rows.append(Row(tuple(map(strokes_of, targets)), tuple(map(strokes_of, figures))))
    return Scene(tuple(rows))


TEXTS = Texts(
    {
        "ask": {
            "en": "In each row, the figures on the left are to be looked for among the figures on "
            "the right. In how many rows does at least one of them come up again?",
            "zh": "每一行中，请在右边的图形里寻找左边的图形。有多少行中至少有一个左边的图形在右边"
            "再次出现？",
            "fr": "Dans chaque ligne, il faut chercher les figures de gauche parmi les figures de "
            "droite. Dans combien de lignes au moins une d'elles réapparaît-elle ?",
            "es": "En cada fila hay que buscar las figuras de la izquierda entre las figuras de la "
            "derecha. ¿En cuántas filas vuelve a aparecer al menos una de ellas?",
            "pt": "Em cada linha, as figuras da esquerda devem ser procuradas entre as figuras da "
            "direita. Em quantas linhas pelo menos uma delas aparece de novo?",
            "ko": "줄마다 왼쪽의 도형을 오른쪽의 도형들 가운데에서 찾으십시오. 왼쪽 도형 중 하나 "
            "이상이 오른쪽에 다시 나오는 줄은 몇 개입니까?",
        },
        "row": {
            "en": "Row {place}. On the left: {cells}. On the right: {cells2}.",
            "zh": "第{place}行。左边：{cells}。右边：{cells2}。",
            "fr": "Ligne {place}. À gauche : {cells}. À droite : {cells2}.",
            "es": "Fila {place}. A la izquierda: {cells}. A la derecha: {cells2}.",
            "pt": "Linha {place}. À esquerda: {cells}. À direita: {cells2}.",
            "ko": "{place}번째 줄. 왼쪽: {cells}. 오른쪽: {cells2}.",
        },
    },
    {},
)


register(
    Family(
        name="symbol_search",
        ability="Gs",
        radicals={
            "rows": (4, 6, 8),
            "length": (4, 6, 8),
            "targets": (1, 2),
            "foil": ("far", "near"),
            "strokes": (4, 6),
        },
        presets={
            "easy": {"rows": (4,), "length": (4,), "foil": ("far",)},
            "medium": {"rows": (6,), "length": (6,), "targets": (2,)},
            "hard": {"rows": (8,), "length": (8,), "targets": (2,), "foil": ("near",)},
        },
        draw=draw,
        solve=solve,
        picture=picture,
        twin=twin,
        from_twin=from_twin,
        texts=joined(COMMON, STROKE_TEXTS, TEXTS),
        scene_type=Scene,
        answer_types=("open",),
        output_format=NUMBER,
        origin="Neisser (1964), visual search; Wechsler (1991), symbol search",
        literature=(
            "Neisser, U. (1964). Visual search. Scientific American, 210(6), 94-103.",
            "Wechsler, D. (1991). Wechsler Intelligence Scale for Children (3rd ed.). "
            "Psychological Corporation.",
        ),
    )
)
