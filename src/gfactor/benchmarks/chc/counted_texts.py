"""Sentences of counted figures in six languages, and figures in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from gfactor.benchmarks.chc.counted_figures import Figure
from gfactor.benchmarks.chc.strokes import TEMPLATES, strokes_read, strokes_said
from gfactor.benchmarks.texts import LANGUAGES, Say, Texts, say
from gfactor.imaging.lattices import Point2


def figure_in_words(figure: Figure, number: int = 0) -> Say:
    """Return a figure in words: its points, its lines or its corners, after its number if any."""
    line, numbers = ("_line", {"number": number}) if number else ("", {})
    if figure.lines:
        return say(f"across{line}", lines=strokes_said(figure.lines), **numbers)
    if figure.corners:
        return say(f"polygon{line}", corners=_in_words(figure.corners), **numbers)
    black, white = _in_words(figure.black), _in_words(figure.white)
    return say(f"dots{line}", black=black, white=white, **numbers)


def figure_of_words(words: Say) -> Figure:
    """Return the figure that words describe; the inverse of `figure_in_words`."""
    values: dict[str, Any] = dict(words.fields)
    if "lines" in values:
        return Figure(lines=strokes_read(values["lines"]))
    if "corners" in values:
        return Figure(corners=_points(values["corners"]))
    return Figure(_points(values["black"]), _points(values["white"]))


def _in_words(points: Iterable[Point2]) -> tuple[Say, ...]:
    return tuple(say("point", x=x, y=y) for x, y in points)


def _points(words: Iterable[Say]) -> tuple[Point2, ...]:
    return tuple((int(one["x"]), int(one["y"])) for one in words)  # pyright: ignore


def _word(en: str, zh: str, fr: str, es: str, pt: str, ko: str) -> dict[str, tuple[str, ...]]:
    return {"en": (en,), "zh": (zh,), "fr": (fr,), "es": (es,), "pt": (pt,), "ko": (ko,)}


_FIGURES = {
    "dots": {
        "en": "black points {black}, white points {white}",
        "zh": "黑点 {black}，白点 {white}",
        "fr": "points noirs {black}, points blancs {white}",
        "es": "puntos negros {black}, puntos blancos {white}",
        "pt": "pontos pretos {black}, pontos brancos {white}",
        "ko": "검은 점 {black}, 흰 점 {white}",
    },
    "across": {
        "en": "lines across the square {lines}",
        "zh": "穿过正方形的线段 {lines}",
        "fr": "droites à travers le carré {lines}",
        "es": "líneas a través del cuadrado {lines}",
        "pt": "linhas através do quadrado {lines}",
        "ko": "정사각형을 가로지르는 선 {lines}",
    },
    "polygon": {
        "en": "gray polygon with the corners {corners}",
        "zh": "灰色多边形，顶点为 {corners}",
        "fr": "polygone gris de sommets {corners}",
        "es": "polígono gris de vértices {corners}",
        "pt": "polígono cinza de vértices {corners}",
        "ko": "회색 다각형, 꼭짓점 {corners}",
    },
}
_NUMBERED = {
    "en": "Figure {number}: ",
    "zh": "图形{number}：",
    "fr": "Figure {number} : ",
    "es": "Figura {number}: ",
    "pt": "Figura {number}: ",
    "ko": "그림 {number}: ",
}


def _numbered(texts: Mapping[str, str]) -> dict[str, str]:
    return {language: _NUMBERED[language] + text for language, text in texts.items()}


TEXTS = Texts(
    {
        "line": TEMPLATES["line"],
        "point": dict.fromkeys(LANGUAGES, "({x}, {y})"),
        "ask_row": {
            "en": "In a row of figures something is counted, and the counts follow a rule. Which "
            "option takes the place of the question mark?",
            "zh": "在一行图形中对某种东西计数，所得的数遵循一个规律。哪个选项应放在问号处？",
            "fr": "Dans une rangée de figures, on compte quelque chose, et les nombres obtenus "
            "suivent une règle. Quelle option prend la place du point d'interrogation ?",
            "es": "En una fila de figuras se cuenta algo, y los números obtenidos siguen una "
            "regla. ¿Qué opción ocupa el lugar del signo de interrogación?",
            "pt": "Em uma fileira de figuras conta-se algo, e os números obtidos seguem uma "
            "regra. Que opção ocupa o lugar do ponto de interrogação?",
            "ko": "한 줄로 놓인 그림마다 무엇인가를 세며, 센 수들은 하나의 규칙을 따릅니다. "
            "물음표 자리에 들어갈 보기는 무엇입니까?",
        },
        "ask_rows": {
            "en": "In three rows of figures something is counted. In each row the third count "
            "results from the first two, always in the same way. Which option takes the place of "
            "the question mark?",
            "zh": "在三行图形中对某种东西计数。每一行的第三个数都由前两个数得出，方法始终相同。"
            "哪个选项应放在问号处？",
            "fr": "Dans trois rangées de figures, on compte quelque chose. Dans chaque rangée, le "
            "troisième nombre résulte des deux premiers, toujours de la même façon. Quelle option "
            "prend la place du point d'interrogation ?",
            "es": "En tres filas de figuras se cuenta algo. En cada fila, el tercer número "
            "resulta de los dos primeros, siempre de la misma manera. ¿Qué opción ocupa el lugar "
            "del signo de interrogación?",
            "pt": "Em três fileiras de figuras conta-se algo. Em cada fileira, o terceiro número "
            "resulta dos dois primeiros, sempre da mesma maneira. Que opção ocupa o lugar do "
            "ponto de interrogação?",
            "ko": "세 줄로 놓인 그림마다 무엇인가를 셉니다. 각 줄의 세 번째 수는 앞의 두 수에서 "
            "나오며, 그 방법은 항상 같습니다. 물음표 자리에 들어갈 보기는 무엇입니까?",
        },
        "count_named": {
            "en": "What is counted: {counted}.",
            "zh": "所数的是：{counted}。",
            "fr": "Ce que l'on compte : {counted}.",
            "es": "Lo que se cuenta: {counted}.",
            "pt": "O que se conta: {counted}.",
            "ko": "세는 것: {counted}.",
        },
        "count_points": {
            "en": "What is counted must be found out: the black points, the white points, or all "
            "points.",
            "zh": "所数的是什么需要自己找出：黑点、白点或所有的点。",
            "fr": "Il faut trouver ce que l'on compte : les points noirs, les points blancs ou "
            "tous les points.",
            "es": "Hay que averiguar qué se cuenta: los puntos negros, los puntos blancos o todos "
            "los puntos.",
            "pt": "É preciso descobrir o que se conta: os pontos pretos, os pontos brancos ou "
            "todos os pontos.",
            "ko": "무엇을 세는지는 찾아내야 합니다: 검은 점, 흰 점, 또는 모든 점.",
        },
        "count_lines": {
            "en": "What is counted must be found out: the lines across the square, the points in "
            "which they cross, or the regions into which they divide the square.",
            "zh": "所数的是什么需要自己找出：穿过正方形的线段、它们的交点，或它们把正方形分成的"
            "区域。",
            "fr": "Il faut trouver ce que l'on compte : les droites qui traversent le carré, les "
            "points où elles se croisent ou les régions en lesquelles elles divisent le carré.",
            "es": "Hay que averiguar qué se cuenta: las líneas que atraviesan el cuadrado, los "
            "puntos en que se cruzan o las regiones en que dividen el cuadrado.",
            "pt": "É preciso descobrir o que se conta: as linhas que atravessam o quadrado, os "
            "pontos em que se cruzam ou as regiões em que dividem o quadrado.",
            "ko": "무엇을 세는지는 찾아내야 합니다: 정사각형을 가로지르는 선, 선들이 만나는 점, "
            "또는 선들이 정사각형을 나누는 영역.",
        },
        "count_area": {
            "en": "What is counted must be found out: the area of the gray figure in squares of "
            "the grid, or its corners.",
            "zh": "所数的是什么需要自己找出：灰色图形的面积（以方格为单位），或它的角。",
            "fr": "Il faut trouver ce que l'on compte : l'aire de la figure grise en carreaux du "
            "quadrillage ou ses sommets.",
            "es": "Hay que averiguar qué se cuenta: el área de la figura gris en cuadros de la "
            "cuadrícula o sus vértices.",
            "pt": "É preciso descobrir o que se conta: a área da figura cinza em quadrados da "
            "malha ou os seus vértices.",
            "ko": "무엇을 세는지는 찾아내야 합니다: 회색 도형의 넓이(모눈 칸 수) 또는 그 "
            "꼭짓점.",
        },
        "grid_line": {
            "en": "Points are (x, y) on a square grid from (0, 0) to (8, 8), x to the right and y "
            "downwards.",
            "zh": "点用方格坐标 (x, y) 表示，从 (0, 0) 到 (8, 8)，x 向右，y 向下。",
            "fr": "Les points sont notés (x, y) sur un quadrillage carré de (0, 0) à (8, 8), x "
            "vers la droite et y vers le bas.",
            "es": "Los puntos se indican como (x, y) en una cuadrícula cuadrada de (0, 0) a "
            "(8, 8), x hacia la derecha e y hacia abajo.",
            "pt": "Os pontos são indicados como (x, y) em uma malha quadrada de (0, 0) a (8, 8), x "
            "para a direita e y para baixo.",
            "ko": "점은 (0, 0)에서 (8, 8)까지의 정사각형 모눈에서 (x, y)로 나타내며, x는 오른쪽, "
            "y는 아래쪽입니다.",
        },
        "counted_line": {
            "en": "Counted: {counted}",
            "zh": "计数：{counted}",
            "fr": "Compté : {counted}",
            "es": "Contado: {counted}",
            "pt": "Contado: {counted}",
            "ko": "셈: {counted}",
        },
        **_FIGURES,
        **{f"{name}_line": _numbered(texts) for name, texts in _FIGURES.items()},
    },
    {
        "counted": {
            "black": _word(
                "the black points", "黑点", "les points noirs", "los puntos negros",
                "os pontos pretos", "검은 점",
            ),
            "white": _word(
                "the white points", "白点", "les points blancs", "los puntos blancos",
                "os pontos brancos", "흰 점",
            ),
            "all": _word(
                "all points, black and white", "所有的点，包括黑点和白点",
                "tous les points, noirs et blancs", "todos los puntos, negros y blancos",
                "todos os pontos, pretos e brancos", "검은 점과 흰 점을 합한 모든 점",
            ),
            "crossings": _word(
                "the points in which two lines cross inside the square", "正方形内两条线段的交点",
                "les points où deux droites se croisent à l'intérieur du carré",
                "los puntos en que dos líneas se cruzan dentro del cuadrado",
                "os pontos em que duas linhas se cruzam dentro do quadrado",
                "정사각형 안에서 두 선이 만나는 점",
            ),
            "regions": _word(
                "the regions into which the lines divide the square", "线段把正方形分成的区域",
                "les régions en lesquelles les droites divisent le carré",
                "las regiones en que las líneas dividen el cuadrado",
                "as regiões em que as linhas dividem o quadrado",
                "선들이 정사각형을 나누는 영역",
            ),
            "area": _word(
                "the area of the gray figure, in squares of the grid",
                "灰色图形的面积（以方格为单位）",
                "l'aire de la figure grise, en carreaux du quadrillage",
                "el área de la figura gris, en cuadros de la cuadrícula",
                "a área da figura cinza, em quadrados da malha",
                "회색 도형의 넓이(모눈 칸 수)",
            ),
        },
    },
)  # fmt: skip
