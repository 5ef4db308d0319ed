"""What families share: the words of figures, sentences every item may need, crossed options."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from gfactor.benchmarks.chc.family import Distractor
from gfactor.benchmarks.chc.texts import Say, Texts, Words, say
from gfactor.imaging.figures import SPOTS, WAYS, Cell

WORDS: Words = {
    "form": {
        "circle": {
            "en": ("circle", "circles", "n"), "zh": ("圆形",), "fr": ("cercle", "cercles", "m"),
            "es": ("círculo", "círculos", "m"), "pt": ("círculo", "círculos", "m"), "ko": ("원",),
        },
        "triangle": {
            "en": ("triangle", "triangles", "n"), "zh": ("三角形",),
            "fr": ("triangle", "triangles", "m"), "es": ("triángulo", "triángulos", "m"),
            "pt": ("triângulo", "triângulos", "m"), "ko": ("삼각형",),
        },
        "square": {
            "en": ("square", "squares", "n"), "zh": ("正方形",), "fr": ("carré", "carrés", "m"),
            "es": ("cuadrado", "cuadrados", "m"), "pt": ("quadrado", "quadrados", "m"),
            "ko": ("정사각형",),
        },
        "pentagon": {
            "en": ("pentagon", "pentagons", "n"), "zh": ("五边形",),
            "fr": ("pentagone", "pentagones", "m"), "es": ("pentágono", "pentágonos", "m"),
            "pt": ("pentágono", "pentágonos", "m"), "ko": ("오각형",),
        },
        "star": {
            "en": ("star", "stars", "n"), "zh": ("星形",), "fr": ("étoile", "étoiles", "f"),
            "es": ("estrella", "estrellas", "f"), "pt": ("estrela", "estrelas", "f"),
            "ko": ("별",),
        },
        "cross": {
            "en": ("cross", "crosses", "n"), "zh": ("十字形",), "fr": ("croix", "croix", "f"),
            "es": ("cruz", "cruces", "f"), "pt": ("cruz", "cruzes", "f"), "ko": ("십자가",),
        },
        "heart": {
            "en": ("heart", "hearts", "n"), "zh": ("心形",), "fr": ("cœur", "cœurs", "m"),
            "es": ("corazón", "corazones", "m"), "pt": ("coração", "corações", "m"),
            "ko": ("하트",),
        },
        "arrow": {
            "en": ("arrow", "arrows", "n"), "zh": ("箭头",), "fr": ("flèche", "flèches", "f"),
            "es": ("flecha", "flechas", "f"), "pt": ("seta", "setas", "f"), "ko": ("화살표",),
        },
    },
    "size": {
        "small": {
            "en": ("small",), "zh": ("小号",), "fr": ("de petite taille",),
            "es": ("de tamaño pequeño",), "pt": ("de tamanho pequeno",), "ko": ("작은",),
        },
        "medium": {
            "en": ("medium-sized",), "zh": ("中号",), "fr": ("de taille moyenne",),
            "es": ("de tamaño mediano",), "pt": ("de tamanho médio",), "ko": ("중간 크기의",),
        },
        "large": {
            "en": ("large",), "zh": ("大号",), "fr": ("de grande taille",),
            "es": ("de tamaño grande",), "pt": ("de tamanho grande",), "ko": ("큰",),
        },
    },
    "shade": {
        "white": {
            "en": ("white",), "zh": ("白色",), "fr": ("blanc", "blanche", "blancs", "blanches"),
            "es": ("blanco", "blanca", "blancos", "blancas"),
            "pt": ("branco", "branca", "brancos", "brancas"), "ko": ("흰색",),
        },
        "light": {
            "en": ("light gray",), "zh": ("浅灰色",), "fr": ("gris clair",), "es": ("gris claro",),
            "pt": ("cinza-claro",), "ko": ("밝은 회색",),
        },
        "dark": {
            "en": ("dark gray",), "zh": ("深灰色",), "fr": ("gris foncé",),
            "es": ("gris oscuro",), "pt": ("cinza-escuro",), "ko": ("어두운 회색",),
        },
        "black": {
            "en": ("black",), "zh": ("黑色",), "fr": ("noir", "noire", "noirs", "noires"),
            "es": ("negro", "negra", "negros", "negras"),
            "pt": ("preto", "preta", "pretos", "pretas"), "ko": ("검은색",),
        },
    },
    "way": {
        "up": {
            "en": ("up",), "zh": ("上",), "fr": ("le haut",), "es": ("arriba",),
            "pt": ("cima",), "ko": ("위쪽",),
        },
        "up_right": {
            "en": ("to the upper right",), "zh": ("右上",), "fr": ("le haut à droite",),
            "es": ("arriba a la derecha",), "pt": ("cima e para a direita",),
            "ko": ("오른쪽 위쪽",),
        },
        "right": {
            "en": ("to the right",), "zh": ("右",), "fr": ("la droite",), "es": ("la derecha",),
            "pt": ("a direita",), "ko": ("오른쪽",),
        },
        "down_right": {
            "en": ("to the lower right",), "zh": ("右下",), "fr": ("le bas à droite",),
            "es": ("abajo a la derecha",), "pt": ("baixo e para a direita",),
            "ko": ("오른쪽 아래쪽",),
        },
        "down": {
            "en": ("down",), "zh": ("下",), "fr": ("le bas",), "es": ("abajo",),
            "pt": ("baixo",), "ko": ("아래쪽",),
        },
        "down_left": {
            "en": ("to the lower left",), "zh": ("左下",), "fr": ("le bas à gauche",),
            "es": ("abajo a la izquierda",), "pt": ("baixo e para a esquerda",),
            "ko": ("왼쪽 아래쪽",),
        },
        "left": {
            "en": ("to the left",), "zh": ("左",), "fr": ("la gauche",), "es": ("la izquierda",),
            "pt": ("a esquerda",), "ko": ("왼쪽",),
        },
        "up_left": {
            "en": ("to the upper left",), "zh": ("左上",), "fr": ("le haut à gauche",),
            "es": ("arriba a la izquierda",), "pt": ("cima e para a esquerda",),
            "ko": ("왼쪽 위쪽",),
        },
    },
    "spot": {
        "top": {
            "en": ("top",), "zh": ("上边",), "fr": ("en haut",), "es": ("arriba",),
            "pt": ("em cima",), "ko": ("위",),
        },
        "right": {
            "en": ("right",), "zh": ("右边",), "fr": ("à droite",), "es": ("a la derecha",),
            "pt": ("à direita",), "ko": ("오른쪽",),
        },
        "bottom": {
            "en": ("bottom",), "zh": ("下边",), "fr": ("en bas",), "es": ("abajo",),
            "pt": ("em baixo",), "ko": ("아래",),
        },
        "left": {
            "en": ("left",), "zh": ("左边",), "fr": ("à gauche",), "es": ("a la izquierda",),
            "pt": ("à esquerda",), "ko": ("왼쪽",),
        },
        "top_left": {
            "en": ("top left corner",), "zh": ("左上角",), "fr": ("dans le coin supérieur gauche",),
            "es": ("en la esquina superior izquierda",), "pt": ("no canto superior esquerdo",),
            "ko": ("왼쪽 위 모서리",),
        },
        "bottom_right": {
            "en": ("bottom right corner",), "zh": ("右下角",),
            "fr": ("dans le coin inférieur droit",), "es": ("en la esquina inferior derecha",),
            "pt": ("no canto inferior direito",), "ko": ("오른쪽 아래 모서리",),
        },
    },
}  # fmt: skip
"""Words of figures."""

COMMON = Texts(
    {
        "answer_line": {
            "en": "Answer in one line of the form ANSWER:x, where x is what you found.",
            "zh": "请用一行回答，格式为 ANSWER:x，其中 x 是你找到的答案。",
            "fr": "Répondez sur une seule ligne de la forme ANSWER:x, où x est ce que vous avez "
            "trouvé.",
            "es": "Responda en una sola línea con la forma ANSWER:x, donde x es lo que ha "
            "encontrado.",
            "pt": "Responda em uma única linha na forma ANSWER:x, em que x é o que você encontrou.",
            "ko": "ANSWER:x 형식으로 한 줄로 답하십시오. x는 찾은 답입니다.",
        },
        "in_words": {
            "en": "The same in words:",
            "zh": "用文字描述如下：",
            "fr": "La même chose en mots :",
            "es": "Lo mismo en palabras:",
            "pt": "O mesmo em palavras:",
            "ko": "같은 내용을 글로 쓰면 다음과 같습니다:",
        },
        "cell": {
            "en": "{count} {size} {shade} {form:n=count}",
            "zh": "{count}个{size}{shade}{form}",
            "fr": "{count} {form:n=count} {shade:of=form,n=count} {size}",
            "es": "{count} {form:n=count} {shade:of=form,n=count} {size}",
            "pt": "{count} {form:n=count} {shade:of=form,n=count} {size}",
            "ko": "{size} {shade} {form} {count}개",
        },
        "cell_turned": {
            "en": "{count} {size} {shade} {form:n=count} pointing {way}",
            "zh": "{count}个指向{way}的{size}{shade}{form}",
            "fr": "{count} {form:n=count} {shade:of=form,n=count} {size}, la pointe vers {way}",
            "es": "{count} {form:n=count} {shade:of=form,n=count} {size}, con la punta hacia {way}",
            "pt": "{count} {form:n=count} {shade:of=form,n=count} {size}, com a ponta para {way}",
            "ko": "{way}을 가리키는 {size} {shade} {form} {count}개",
        },
        "mark": {
            "en": "a stroke at the rim: {spot}",
            "zh": "边缘一条短线：{spot}",
            "fr": "un trait au bord : {spot}",
            "es": "un trazo en el borde: {spot}",
            "pt": "um traço na borda: {spot}",
            "ko": "가장자리에 선: {spot}",
        },
        "panel": dict.fromkeys(("en", "zh", "fr", "es", "pt", "ko"), "{cells}"),
        "number": dict.fromkeys(("en", "zh", "fr", "es", "pt", "ko"), "{number}"),
    },
    WORDS,
)
"""Sentences and words that every family may use."""


def cell_says(cell: Cell) -> tuple[Say, ...]:
    """A cell in words: its figures, then its strokes."""
    words = {"count": cell.count, "size": cell.size, "shade": cell.shade, "form": cell.form}
    if cell.form == "arrow":
        figures = say("cell_turned", **words, way=WAYS[cell.turn])
    else:
        figures = say("cell", **words)
    return (figures, *(say("mark", spot=spot) for spot in cell.marks))


def cell_of(says: Sequence[Say]) -> Cell:
    """The cell that words describe; the inverse of `cell_says`."""
    values: dict[str, Any] = says[0].values
    turn = WAYS.index(values.pop("way")) if "way" in values else 0
    marks = tuple(str(one["spot"]) for one in says[1:])
    return Cell(**values, turn=turn, marks=marks)


def cell_line(cell: Cell) -> Say:
    """An option that is a cell, in words."""
    return say("panel", cells=cell_says(cell))


def with_value(cell: Cell, attribute: str, value: Any) -> Cell:
    """The cell with another value of an attribute; strokes in their order."""
    if attribute == "marks":
        value = tuple(spot for spot in SPOTS if spot in value)
    return replace(cell, **{attribute: value})


def crossed(
    answer: Any,
    other: Mapping[str, Any],
    put: Callable[[Any, str, Any], Any],
    error: Callable[[Any, tuple[str, ...]], str],
) -> tuple[Distractor, ...]:
    """Every combination of right and wrong values but the right one: 2^k - 1 distractors.

    Each value of an attribute then stands in half of the options, so that the options by
    themselves tell nothing about the right one (as in the bisection trees of Hu, S., Ma, Y., Liu,
    X., Wei, Y., & Bai, S. (2021). Stratified rule-aware network for abstract visual reasoning.
    AAAI-21, 1567-1574).

    Parameters
    ----------
    other: attribute -> a wrong value of it.
    put: (content, attribute, value) -> the content with that value.
    error: (content, attributes that are wrong) -> the error that leads to it.
    """
    found = []
    for count in range(1, len(other) + 1):
        for wrong in itertools.combinations(other, count):
            content = answer
            for attribute in wrong:
                content = put(content, attribute, other[attribute])
            found.append(Distractor(content, error(content, wrong)))
    return tuple(found)
