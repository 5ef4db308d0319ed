"""Numbers and words in blanks: what is another spelling of the key, and what is another answer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gfactor.scoring import credit
from gfactor.scoring.quantities import same_answer
from gfactor.scoring.questions import PutItem
from gfactor.scoring.text_rules import number, relaxed_accuracy

SAME = [
    ("37 m/s", "37.0 m/s", "37 meters per second", "37m/s", "37米每秒", "37 米/秒", "37 m·s⁻¹"),
    ("1000", "1,000", "1000.0", "10^3", "1e3", "10³"),
    ("0.5", ".5", "1/2", "0,5", ",5", "0.50", "½", "2/4"),
    ("5", "5.0", "+5", "about 5", "≈ 5", "approx. 5", "约5", "etwa 5", "x = 5.0"),
    ("1.5", "1 1/2", "3/2", "1,5"),
    ("5 cm", "5 centimeters", "5.0 centimetres", "5 厘米", "5 Zentimeter"),
    ("9.8 m/s^2", "9.80 m/s²", "9.8 meters per second squared"),
    ("50%", "50.0 %", "50 percent", "50 Prozent"),
    ("-1", "−1.0"),
    ("3 m²", "3.0 square meters", "3 平方米"),
    ("1234567", "1,234,567"),
    ("300000000", "3×10⁸", r"3 \times 10^{8}"),
    (
        "2.5e4",
        "25000",
        "2.5E4",
        "2.5E+4",
        "2.5×10^4",
        "2.5 x 10^4",
        r"$2.5 \times 10^{4}$",
        "2.5·10⁴",
    ),
    ("1.5e-3 m", "1.5E-3 m", "0.0015 m", "1.5×10⁻³ m", "1.5 X 10^-3 meters"),
    ("Paris", "paris", "PARIS"),
    ("El Salvador", "el salvador"),
    ("St. Louis", "st. louis", "St Louis"),
    ("U.S.A.", "u.s.a.", "USA", "usa", "U.S.A"),
    ("Washington, D.C.", "washington, d.c.", "Washington, DC"),
]
DIFFERENT = [
    ("37", "37 m/s"), ("37 km/h", "37 m/s"), ("1000 m", "1 km"), ("50%", "0.5"), ("1.000", "1000"),
    ("3, 5", "3.5"), ("1,234", "1.234"), ("at least 5", "5"), ("0.333", "1/3"), ("3.14", "3.1416"),
    ("CO", "Co"), ("c", "C"), ("H2O", "h2o"), ("NaCl", "nacl"), ("vitamin C", "vitamin c"),
    ("mPa", "MPa"), ("5 mPa", "5 MPa"), ("x = 2", "y = 2"), ("12 1", "121"), ("1:2", "0.5"),
    ("5/0", "5"), ("2^3", "8"), ("(0,1)", "[0,1]"), ("No", "NO"), ("pepper", "paper"),
    ("i.e.", "I.E."), ("U.S.", "u.s."), ("St. Louis", "St. Lucia"), ("2.5E4", "2.5E5"),
    ("2.5 x 10", "25"), ("3x^2", "300"), ("a.b", "A.b"), ("2E4", "2E"),
]  # fmt: skip


@pytest.mark.parametrize("spellings", SAME, ids=lambda spellings: spellings[0])
def test_a_number_or_word_in_another_spelling_is_right(spellings: tuple[str, ...]) -> None:
    for text in spellings:
        assert same_answer(text, spellings[0]), text
        assert credit((text,), (spellings[0],), (), "blanks") == 1


@pytest.mark.parametrize(("reply", "key"), DIFFERENT)
def test_another_number_unit_or_formula_is_wrong(reply: str, key: str) -> None:
    assert not same_answer(reply, key)
    assert not same_answer(key, reply)


@pytest.mark.parametrize("text", ["9" * 5000, "1e999", "10^999", "1/" * 3000, "1," * 3000 + "1"])
def test_a_number_of_any_length_is_compared(text: str) -> None:
    assert not same_answer(text, "1")
    assert same_answer(text, text)


@pytest.mark.parametrize("benchmark", ["multi", "mathvista_mini", "mathverse", "mathverse_mini"])
def test_benchmarks_that_compare_texts_do_not_compare_numbers(benchmark: str) -> None:
    own = PutItem("q", "h", "own", "blanks", ("0.5",), text="How much?")
    published = replace(own, benchmark=benchmark)
    assert own.points((".5",)).full
    assert not published.points((".5",)).full
    assert published.points(("0.5",)).full
    assert replace(own, benchmark="multimodal").points((".5",)).full


def test_a_leading_point_belongs_to_the_number_of_the_rules_for_texts() -> None:
    assert (number(".5", ["0.5"]), number(".5", ["5"]), number("It is .5", ["0.5"])) == (1, 0, 1)
    assert number("v1.5", ["5"]) == 0
    assert (relaxed_accuracy(".75", ["0.75"]), relaxed_accuracy(".75", ["75"])) == (1, 0)
