"""Numbers and places: other spellings of an option's number, and options named by their place."""

from __future__ import annotations

import pytest

from gfactor.scoring.extraction import extract

NUMBERS = {"A": "0.5", "B": "1000", "C": "1/2", "D": "10²"}
WORDS = {"A": "the kite", "B": "the drum", "C": "the bell", "D": "the horn"}


@pytest.mark.parametrize(
    ("reply", "label"),
    [
        ("x = .5", "A"),
        ("0,50", "A"),
        ("1,000", "B"),
        ("1000.0", "B"),
        (r"\(\frac{1}{2}\)", "C"),
        ("½", "C"),
        ("10^2", "D"),
        ("10²", "D"),
    ],
)
def test_a_number_is_known_in_its_other_spellings(reply: str, label: str) -> None:
    assert extract(reply, "choice", NUMBERS).answer == label


@pytest.mark.parametrize("reply", ["5", "100", "102", "10", "2½", "-0.5", "1/20", "50%"])
def test_a_number_that_is_another_is_not_taken_for_it(reply: str) -> None:
    assert not extract(reply, "choice", NUMBERS).has_answer


@pytest.mark.parametrize(
    ("reply", "label"),
    [("Option 3", "C"), ("정답은 2번입니다.", "B"), ("选第四个选项。", "D"), ("③", "C")],
)
def test_an_option_may_be_named_by_its_place(reply: str, label: str) -> None:
    assert extract(reply, "choice", WORDS).answer == label


@pytest.mark.parametrize("reply", ["3", "The answer is 3.", "Option 7", "There are 3 and 2."])
def test_a_bare_number_names_no_place(reply: str) -> None:
    assert extract(reply, "choice", WORDS).answer is None


def test_places_mean_nothing_where_options_hold_the_number() -> None:
    assert extract("Option 2", "choice", {"A": "2 cats", "B": "3 cats"}).answer is None


@pytest.mark.parametrize(
    ("reply", "label"),
    [("不对", "B"), ("Not true: they differ.", "B"), ("√", "A"), ("Faux.", "B"), ("맞습니다", "A")],
)
def test_true_and_false_have_other_words(reply: str, label: str) -> None:
    assert extract(reply, "choice", {"A": "True", "B": "False"}).answer == label
