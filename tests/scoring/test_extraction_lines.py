"""Answers on lines of their own: two that differ are a list or a contradiction, never the last."""

from __future__ import annotations

import pytest

from gfactor.scoring.extraction import extract
from gfactor.scoring.extraction.candidates import ReadingTask
from gfactor.scoring.extraction.labels import Grammar
from gfactor.scoring.extraction.lines import find_lines
from gfactor.scoring.extraction.options import OptionTexts

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


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("Options:\nA) the red kite\nB) the blue drum", None),
        ("Options:\nC) the green bell", "C"),
        ("Let us see:\nA", None),
        ("Let us see:\nB", "B"),
        ("The answer:\nA", "A"),
        ("First B.\nThen A.", None),
        ("A: no\nB: yes\n\nB", "B"),
        ("B. It flies.\nA. It does not.", None),
        ("(B) It flies.", "B"),
        ("A\nB\nC", None),
    ],
)
def test_a_list_of_the_options_is_no_answer_and_one_line_is(reply: str, answer: str | None) -> None:
    assert extract(reply, "choice", OPTIONS).answer == answer


@pytest.mark.parametrize(
    ("reply", "labels"),
    [
        ("The correct options are:\nA. the red kite\nC. the green bell", "AC"),
        ("My choice is:\n(A) the red kite\n(C) the green bell\n\nThanks.", "AC"),
        ("The answers are\nA) the red kite\nC) the green bell\n\nB is wrong", "AC"),
        ("I would select\nA: the red kite\nD: the yellow leaf", "AD"),
    ],
)
def test_options_on_the_lines_below_an_announcement_are_one_answer(reply: str, labels: str) -> None:
    found = extract(reply, "choices", OPTIONS)
    assert (found.answer, found.rule) == (frozenset(labels), "announcement")
    assert extract(reply, "choice", OPTIONS).answer != frozenset(labels)


@pytest.mark.parametrize("prose", [30, 57, 120])
def test_a_list_at_the_end_of_many_lines_is_a_list_and_its_last_line_the_answer(prose: int) -> None:
    """Of a long reply the first and the last 60 lines are looked at, none of them twice."""
    task = ReadingTask(Grammar(tuple(OPTIONS)), OptionTexts(OPTIONS), many=False)
    listed = ["A) the red kite", "B) the blue drum", "C) the green bell"]
    text = "\n".join([f"We look at part {k} of it here" for k in range(prose)] + listed)
    (claim,) = find_lines(f"{text}\nB) the blue drum", task)
    assert (claim.value.labels, claim.rule) == (frozenset("B"), "last line")
    assert find_lines(text, task) == []
