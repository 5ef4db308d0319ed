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


OPTIONS = {"A": "the red kite", "B": "the blue drum", "C": "the green bell", "D": "the yellow leaf"}

LARGE_NUMBERS = {"A": "12000", "B": "1500", "C": "123456", "D": "7"}

TWENTY = "ABCDEFGHIJKLMNOPQRST"


@pytest.mark.thorough
@pytest.mark.parametrize("place", range(20))
def test_a_circled_number_is_the_option_in_that_place(place: int) -> None:
    reply = f"The answer is {chr(ord('①') + place)}."
    assert extract(reply, "choice", TWENTY).answer == TWENTY[place]
    assert extract(reply, "choice", TWENTY[:place] or "A").answer == ("A" if not place else None)
    if place < 10:
        filled = f"The answer is {chr(ord('❶') + place)}."
        assert extract(filled, "choice", TWENTY).answer == TWENTY[place]


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("第一个选项", "A"),
        ("第二个选项正确。", "B"),
        ("我选第三个选项。", "C"),
        ("第四个", "D"),
        ("选第3个选项", "C"),
        ("第五个选项", None),
        ("The third option.", "C"),
        ("I choose the second option.", "B"),
    ],
)
def test_an_ordinal_number_is_the_option_in_that_place(reply: str, answer: str | None) -> None:
    assert extract(reply, "choice", OPTIONS).answer == answer


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("It must be 12,000.", "A"),
        ("I count 1,500 here.", "B"),
        ("It is 123,456 in all, I count.", "C"),
        ("We see 12000 of them.", "A"),
        ("There are 7 of them.", "D"),
        ("There are 120,00 of them.", None),
        ("There are 17 of them.", None),
    ],
)
def test_thousands_may_be_grouped_in_threes(reply: str, answer: str | None) -> None:
    assert extract(reply, "choice", LARGE_NUMBERS).answer == answer
