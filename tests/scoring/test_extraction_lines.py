"""Answers on lines of their own: two that differ are a list or a contradiction, never the last."""

from __future__ import annotations

import pytest

from gfactor.scoring.extraction import extract

OPTIONS = {"A": "the red kite", "B": "the blue drum", "C": "the green bell", "D": "the yellow leaf"}

TWO_LINES = [
    "I choose\nA\nC", "I choose:\nA\nC", "My answer is\nA\nC", "I choose\n- A\n- C",
    "我选\nA\nC", "Je choisis\nA\nC", "I choose\nthe red kite\nthe green bell",
]  # fmt: skip


@pytest.mark.parametrize("reply", TWO_LINES)
def test_two_lines_below_an_announcement_are_one_list(reply: str) -> None:
    one, several = extract(reply, "choice", OPTIONS), extract(reply, "choices", OPTIONS)
    assert (one.answer, one.rule) == (None, "contradiction")
    assert (several.answer, several.rule) == (frozenset("AC"), "announcement")


@pytest.mark.parametrize(
    ("reply", "rule", "several"),
    [
        ("I choose A\nC", "contradiction", None),
        ("I choose\nA\n\nC", "contradiction", None),
        ("I choose A and\nC", "ambiguous", frozenset("AC")),
        ("I choose A or\nC", "ambiguous", None),
        ("Let me think.\nA\nC", "contradiction", None),
        ("Step one.\nthe red kite\nC", "contradiction", None),
        ("I choose\nA\nB\nC", "contradiction", frozenset("ABC")),
    ],
)
def test_a_last_line_does_not_stand_alone_where_another_answer_is_right_above(
    reply: str, rule: str, several: frozenset[str] | None
) -> None:
    one = extract(reply, "choice", OPTIONS)
    assert (one.answer, one.rule) == (None, rule)
    assert extract(reply, "choices", OPTIONS).answer == several


@pytest.mark.parametrize(
    ("reply", "label"),
    [
        ("I choose\nC\nC", "C"),
        ("I choose\nA\nthe red kite", "A"),
        ("I choose\nA\nWait, no.\nC", "C"),
        ("I choose\nA\nC\nNo, just C.", "C"),
        ("Let me think.\nA\nB\nC\nD\nC", "C"),
        ("The kite is not shown.\nC", "C"),
    ],
)
def test_a_repeated_or_corrected_answer_is_the_last_line(reply: str, label: str) -> None:
    assert extract(reply, "choice", OPTIONS).answer == label


LONG = {
    "A": "the red kite", "B": "the blue paper drum of the old tower guard",
    "C": "the green bell", "D": "It depends on the sum, and on the sign",
}  # fmt: skip


@pytest.mark.parametrize(
    ("reply", "label"),
    [
        ("The blue paper drum of the old tower guard. Nobody plays it, the bell rings.", "B"),
        ("The blue paper drum of the old tower guard, because it stands at the gate.", "B"),
        ("It depends on the sum, and on the sign. So the rule has it.\nMore below.", "D"),
    ],
)
def test_a_reply_that_begins_with_a_long_option_text_has_that_answer(
    reply: str, label: str
) -> None:
    found = extract(reply, "choice", LONG)
    assert (found.answer, found.rule) == (label, "lead")
