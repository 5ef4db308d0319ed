"""Blanks: a sentence that does nothing but name its text, and one that names none."""

from __future__ import annotations

import pytest

from gfactor.scoring.extraction import clean, extract, read_blanks
from gfactor.scoring.extraction.cases import format_from


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ("The city is Paris.", "Paris"),
        ("The domain is (0,1].", "(0,1]"),
        ("The domain is [0, 1).", "[0, 1)"),
        ("The abbreviation is i.e.", "i.e"),
        ("The metal is copper.", "copper"),
        ("So the coordinates of point P are (3, -2).", "(3, -2)"),
        ("The vertex of the parabola is at (3, -2).", "(3, -2)"),
        ("The concentration comes out as 1.5E-3.", "1.5E-3"),
        ("Converting the mass to kilograms gives 0.002 kg.", "0.002 kg"),
        ("The clock shows 12:45.", "12:45"),
        ("The arch stands on a river. The city is St. Louis.", "St. Louis"),
        ("Equation of the line: y = 2x + 1", "y = 2x + 1"),
        ("The angles add up to 180.\n\nx = 60", "x = 60"),
        ("The capital of South Korea is 서울 (Seoul).", "서울"),
        ("Die Stadt ist Berlin.", "Berlin"),
        ("La ville est Lyon.", "Lyon"),
        ("La ciudad es Lima.", "Lima"),
        ("A cidade é Recife.", "Recife"),
        ("图中标出的城市是北京。", "北京"),
        ("点 P 的坐标为 (3, -2)。", "(3, -2)"),
        ("속력은 37 m/s입니다.", "37 m/s"),
        ("الدولة هي مصر.", "مصر"),
    ],
)
def test_a_sentence_that_names_a_text_gives_it(reply: str, text: str) -> None:
    assert extract(reply, "blanks").answer == (text,)


@pytest.mark.parametrize(
    "reply",
    [
        "The label is not visible.",
        "The answer is not visible.",
        "The capital is not shown on the map.",
        "The street name is unclear.",
        "The temperature is too blurry to read.",
        "The handwriting is illegible.",
        "The image is Guernica.",
        "The process is called",
        "The third bar is tall.",
        "The other city is Paris.",
        "The line slopes down. The bar is tall.",
        "The city could be Paris.",
        "The city is not Paris.",
        "The city is hidden by a label.",
        "La ville est floue.",
        "图片是模糊的。",
        "Die Stadt ist unbekannt.",
    ],
)
def test_a_sentence_that_describes_or_denies_names_no_text(reply: str) -> None:
    assert not extract(reply, "blanks").has_answer


def test_an_abbreviation_behind_a_copula_is_no_announcement_that_breaks_off() -> None:
    options = {"A": "e.g.", "B": "cf."}
    assert extract("The abbreviation is i.e.", "choice", options).rule == "nothing"
    assert extract("This is one of them, i.e.", "choice", options).rule == "truncated"


def test_a_verdict_behind_the_text_of_an_option_may_have_its_reason() -> None:
    options = {"A": "It floats", "B": "It rusts"}
    reply = "- A. It floats - correct: it is light.\n- B. It rusts - incorrect: it is wood."
    assert extract(reply, "choices", options).answer == {"A"}


def test_a_chain_of_falling_numbers_is_a_list() -> None:
    order = format_from("ORDER: x, x, x, x", "list")
    for reply in ("From tallest to shortest: 4 > 3 > 2 > 1", "从长到短依次为：4, 3, 2, 1"):
        assert extract(reply, "list", output_format=order).answer == (4, 3, 2, 1)


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ("Die Kurve ist violett.", "violett"),
        ("Die Linien sind hellblau.", "hellblau"),
        ("Die Kurve hat die Farbe Violett.", "Violett"),
        ("La couleur de la courbe est violet.", "violet"),
        ("La courbe de marée est de couleur violette.", "violette"),
        ("Las curvas son azules.", "azules"),
        ("La curva es de color violeta.", "violeta"),
        ("A cor da curva é roxo.", "roxo"),
        ("A linha é azul-escura.", "azul-escura"),
        ("Die Kurve ist nicht violett.", None),
        ("Die Kurve ist violett und steigt.", None),
        ("Die Kurve ist steil.", None),
        ("La curva no es roja.", None),
        ("A curva não é azul.", None),
    ],
)
def test_a_sentence_names_a_color_in_a_language_without_capitals(
    reply: str, text: str | None
) -> None:
    assert read_blanks(clean(reply), 1).answer == (text and (text,))
