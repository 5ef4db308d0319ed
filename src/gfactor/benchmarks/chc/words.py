"""Words of figures in six languages: nouns with number and gender, adjectives that agree."""

from __future__ import annotations

from gfactor.benchmarks.texts import Words

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
    "definite": {
        "circle": {
            "en": ("the circle",), "zh": ("圆形",), "fr": ("le cercle", "les cercles", "m"),
            "es": ("el círculo", "los círculos", "m"), "pt": ("o círculo", "os círculos", "m"),
            "ko": ("원",),
        },
        "triangle": {
            "en": ("the triangle",), "zh": ("三角形",), "fr": ("le triangle", "les triangles", "m"),
            "es": ("el triángulo", "los triángulos", "m"),
            "pt": ("o triângulo", "os triângulos", "m"), "ko": ("삼각형",),
        },
        "square": {
            "en": ("the square",), "zh": ("正方形",), "fr": ("le carré", "les carrés", "m"),
            "es": ("el cuadrado", "los cuadrados", "m"),
            "pt": ("o quadrado", "os quadrados", "m"), "ko": ("정사각형",),
        },
        "pentagon": {
            "en": ("the pentagon",), "zh": ("五边形",),
            "fr": ("le pentagone", "les pentagones", "m"),
            "es": ("el pentágono", "los pentágonos", "m"),
            "pt": ("o pentágono", "os pentágonos", "m"), "ko": ("오각형",),
        },
        "star": {
            "en": ("the star",), "zh": ("星形",), "fr": ("l'étoile", "les étoiles", "f"),
            "es": ("la estrella", "las estrellas", "f"),
            "pt": ("a estrela", "as estrelas", "f"), "ko": ("별",),
        },
        "cross": {
            "en": ("the cross",), "zh": ("十字形",), "fr": ("la croix", "les croix", "f"),
            "es": ("la cruz", "las cruces", "f"), "pt": ("a cruz", "as cruzes", "f"),
            "ko": ("십자가",),
        },
        "heart": {
            "en": ("the heart",), "zh": ("心形",), "fr": ("le cœur", "les cœurs", "m"),
            "es": ("el corazón", "los corazones", "m"),
            "pt": ("o coração", "os corações", "m"), "ko": ("하트",),
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
"""Words of figures; `definite` are forms with their article."""
