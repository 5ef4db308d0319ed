"""Stops and commas that end no text: leading decimal points, abbreviations, other words for it."""

from __future__ import annotations

import pytest

from gfactor.scoring.extraction import extract


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        (".5", ".5"), (".75.", ".75"), (r"\boxed{.5}", ".5"), ("-.5", "-.5"), ("$.25$", ".25"),
        ("Answer: .75", ".75"), ("The answer is .5", ".5"), ("The answer is .5.", ".5"),
        ("**.5**", ".5"), ("#### .5", ".5"), ("1. .5", ".5"), ('{"answer": ".5"}', ".5"),
        ("答案是.5", ".5"), ("Die Antwort ist ,5.", ",5"), (",5", ",5"),
        ("答案是，5", "5"), ("The answer is.5", "5"), ("The answer is...5", "5"), ("5.", "5"),
        (". 5", "5"),
    ],
)  # fmt: skip
def test_a_decimal_point_before_the_first_digit_is_part_of_the_number(
    reply: str, text: str
) -> None:
    assert extract(reply, "blanks").answer == (text,)


def test_each_of_two_blanks_keeps_its_decimal_point() -> None:
    for reply in (".5\n.75", "1. .5\n2. .75", ".5, .75", ".5; .75"):
        assert extract(reply, "blanks", blanks=2).answer == (".5", ".75")


@pytest.mark.parametrize("lead", ["", "Answer: ", "The answer is "])
def test_options_that_differ_by_a_decimal_point_or_a_sign_are_told_apart(lead: str) -> None:
    options = {"A": "5", "B": ".5", "C": "-.5", "D": "-5"}
    for label, text in options.items():
        assert extract(lead + text, "choice", options).answer == label
        assert extract(rf"\boxed{{{text}}}", "choice", options).answer == label


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ("The capital is St. Louis.", "St. Louis"),
        ("The capital is St. Louis. It lies on a river.", "St. Louis"),
        ("The answer is Dr. Watson.", "Dr. Watson"),
        ("The answer is U.S. dollars", "U.S. dollars"),
        ("The answer is cats vs. dogs.", "cats vs. dogs"),
        ("The answer is Symphony No. 9.", "Symphony No. 9"),
        ("The answer is no. 9 is too many.", "no"),
        ("The answer is piano. 9 others exist.", "piano"),
        ("The answer is 3.14 cm, e.g. when rounded.", "3.14 cm"),
        ("The speed is 37 m/s, i.e. about 133 km/h.", "37 m/s"),
        ("The answer is 5 (approx. 5.02).", "5"),
        ("Die Antwort ist 12 cm, d. h. rund ein Fuß.", "12 cm"),
        ("Die Antwort ist Metall, z. B. Eisen.", "Metall"),
        ("La réponse est un métal, p. ex. le fer.", "un métal"),
        ("The answer is 37 m/s, which is about 133 km/h.", "37 m/s"),
        ("The answer is 37 m/s (133.2 km/h).", "37 m/s"),
        ("37 m/s (≈ 133 km/h)", "37 m/s"),
        ("Answer: Paris, which is the capital of France", "Paris"),
        ("f (2 m)", "f (2 m)"),
        ("3 (mod 7)", "3 (mod 7)"),
    ],
)
def test_an_abbreviation_ends_no_text_and_other_words_for_it_are_no_part(
    reply: str, text: str
) -> None:
    assert extract(reply, "blanks").answer == (text,)


@pytest.mark.parametrize(
    "reply", ["所以速度是37 m/s。", "答：速度为37 m/s", "答案：速度等于37 m/s。"]
)
def test_the_chinese_subject_of_a_number_is_no_part_of_it(reply: str) -> None:
    assert extract(reply, "blanks").answer == ("37 m/s",)


def test_a_denied_number_is_not_read_for_the_text() -> None:
    assert extract("速度不是37 m/s。", "blanks").answer != ("37 m/s",)


def test_numbers_in_brackets_are_one_text_where_one_is_asked_for() -> None:
    assert extract("[0,1]", "blanks").answer == ("[0, 1]",)
    assert extract('{"answer": [0.5, 1]}', "blanks").answer == ("[0.5, 1]",)
    assert extract("[0,1]", "blanks", blanks=2).answer == ("0", "1")
    assert not extract('["salt", "iron"]', "blanks").has_answer
