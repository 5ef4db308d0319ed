"""Marked cubes in words: what the families of nets and of cubes share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gfactor.benchmarks.texts import Say, Templates, Words, say
from gfactor.imaging.boards import Panel
from gfactor.imaging.cubes import DIRECTED, SYMMETRIC, Seen
from gfactor.imaging.polycubes import FACES, Point
from gfactor.items import ItemRandom

HEADINGS: Mapping[str, tuple[str, str, str, str]] = {
    "net": ("up", "right", "down", "left"),
    "top": ("back", "right", "front", "left"),
    "front": ("up", "right", "down", "left"),
    "right": ("up", "back", "down", "front"),
}
"""Directions of the upper side of a mark after 0 to 3 clockwise quarter turns."""


def random_marks(rng: ItemRandom, count: int, directed: int) -> list[str]:
    """Return different marks in random order, so many of them with a direction."""
    chosen = [*rng.sample(DIRECTED, directed), *rng.sample(SYMMETRIC, count - directed)]
    return rng.shuffled(chosen)


def random_turn(rng: ItemRandom, mark: str) -> int:
    """Return clockwise quarter turns of a mark; 0 if turns cannot be seen."""
    return rng.integer(0, 3) if mark in DIRECTED else 0


def mark_said(mark: str, quarters: int, plane: str) -> Say:
    """Return a mark in words; `plane` is `net` or the face it is on."""
    if mark in SYMMETRIC:
        return say("plain", sign=mark)
    return say("directed", sign=mark, heading=HEADINGS[plane][quarters])


def mark_read(one: Any, plane: str) -> tuple[str, int]:
    """Return the inverse of `mark_said`."""
    turns = HEADINGS[plane].index(one["heading"]) if one.template == "directed" else 0
    return one["sign"], turns


def view_said(template: str, seen: Seen) -> Say:
    """Return a view of a cube in words."""
    marks_by_face = {
        f"on_{face}": (mark_said(*mark, face),) for face, mark in zip(FACES, seen, strict=True)
    }
    return say(template, **marks_by_face)


def view_read(one: Say) -> Seen:
    """Return the inverse of `view_said`."""
    values: Mapping[str, Any] = dict(one.fields)
    return tuple(mark_read(values[f"on_{face}"][0], face) for face in FACES)


def cube_origin(panel: Panel, unit: float) -> Point:
    """Return the corner (0, 0, 0) of a cube that stands in the middle of a panel."""
    # The middle of the cube's picture lies 0.70 edges to the right of that corner, 0.57 above it.
    return panel.middle[0] - 0.70 * unit, panel.middle[1] + 0.57 * unit


def turned_mark(seen: Seen, place: int, quarters: int) -> Seen:
    """Return a view with one mark turned clockwise."""
    mark, turns = seen[place]
    return (*seen[:place], (mark, (turns + quarters) % 4), *seen[place + 1 :])


def exchanged(seen: Seen, a: int, b: int) -> Seen:
    """Return a view with two marks exchanged."""
    out = list(seen)
    out[a], out[b] = out[b], out[a]
    return tuple(out)


def without(marks: Sequence[str], used: Sequence[str]) -> list[str]:
    """Return the marks that are not shown."""
    return [mark for mark in marks if mark not in used]


TEMPLATES: Templates = {
    "plain": dict.fromkeys(("en", "zh", "fr", "es", "pt", "ko"), "{sign}"),
    "directed": {
        "en": "{sign} with its top {heading}",
        "zh": "{sign}（上端朝{heading}）",
        "fr": "{sign} dont le haut est tourné vers {heading}",
        "es": "{sign} con la parte superior hacia {heading}",
        "pt": "{sign} com a parte de cima para {heading}",
        "ko": "{sign}(윗부분 방향: {heading})",
    },
    "view": {
        "en": "on top {on_top}, in front {on_front}, on the right {on_right}",
        "zh": "顶面：{on_top}，前面：{on_front}，右面：{on_right}",
        "fr": "dessus : {on_top}, devant : {on_front}, à droite : {on_right}",
        "es": "arriba: {on_top}, delante: {on_front}, a la derecha: {on_right}",
        "pt": "em cima: {on_top}, na frente: {on_front}, à direita: {on_right}",
        "ko": "윗면: {on_top}, 앞면: {on_front}, 오른쪽 면: {on_right}",
    },
}


def _sign(en: str, zh: str, fr: str, es: str, pt: str, ko: str) -> dict[str, tuple[str, ...]]:
    return {"en": (en,), "zh": (zh,), "fr": (fr,), "es": (es,), "pt": (pt,), "ko": (ko,)}


WORDS: Words = {
    "sign": {
        "disc": _sign("a disc", "实心圆", "un disque", "un disco", "um disco", "검은 원"),
        "ring": _sign("a ring", "圆环", "un anneau", "un anillo", "um anel", "고리"),
        "plus": _sign(
            "a plus sign", "加号", "un signe plus", "un signo más", "um sinal de mais", "더하기표"
        ),
        "cross": _sign("an X", "叉号", "un X", "una X", "um X", "엑스표"),
        "square": _sign(
            "a square outline",
            "方框",
            "un contour carré",
            "un contorno cuadrado",
            "um contorno quadrado",
            "네모 테두리",
        ),
        "diamond": _sign("a diamond", "菱形", "un losange", "un rombo", "um losango", "마름모"),
        "arrow": _sign("an arrow", "箭头", "une flèche", "una flecha", "uma seta", "화살표"),
        "triangle": _sign(
            "a triangle", "三角形", "un triangle", "un triángulo", "um triângulo", "삼각형"
        ),
        "tee": _sign("a letter T", "字母T", "une lettre T", "una letra T", "uma letra T", "글자 T"),
        "cup": _sign("a letter U", "字母U", "une lettre U", "una letra U", "uma letra U", "글자 U"),
        "ell": _sign("a letter L", "字母L", "une lettre L", "una letra L", "uma letra L", "글자 L"),
        "flag": _sign("a flag", "旗帜", "un drapeau", "una bandera", "uma bandeira", "깃발"),
        "half": _sign(
            "a bar at one edge",
            "边上的黑条",
            "une barre au bord",
            "una barra en el borde",
            "uma barra na borda",
            "가장자리 막대",
        ),
        "pin": _sign("a pin", "大头针", "une épingle", "un alfiler", "um alfinete", "핀"),
    },
    "heading": {
        "up": _sign("up", "上", "le haut", "arriba", "cima", "위"),
        "down": _sign("down", "下", "le bas", "abajo", "baixo", "아래"),
        "left": _sign("to the left", "左", "la gauche", "la izquierda", "a esquerda", "왼쪽"),
        "right": _sign("to the right", "右", "la droite", "la derecha", "a direita", "오른쪽"),
        "back": _sign("to the back", "后", "l'arrière", "atrás", "trás", "뒤쪽"),
        "front": _sign("to the front", "前", "l'avant", "delante", "a frente", "앞쪽"),
    },
}
