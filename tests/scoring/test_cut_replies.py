"""Replies that break off count if the answer was complete; replies that are the key are right."""

from __future__ import annotations

import pytest

from gfactor.items import Answer
from gfactor.scoring.questions import PutItem
from gfactor.scoring.replies import read_reply

OPTIONS = (("A", "one"), ("B", "two"), ("C", "three"))
ONE = PutItem("q", "h", "own", "choice", "B", text="How many?", choices=OPTIONS)
SEVERAL = PutItem("q", "h", "own", "choices", ("A", "C"), text="Which?", choices=OPTIONS)
BLANK = PutItem("q", "h", "own", "blanks", ("37",), text="How fast?")
TWO = PutItem("q", "h", "own", "blanks", ("iron", "copper"), text="Which?")


@pytest.mark.parametrize(
    ("reply", "question", "answer"),
    [
        ("B", ONE, "B"), ("(B)", ONE, "B"), ("**B**", ONE, "B"), ("B.", ONE, "B"),
        ("The answer is B. To explain why, first", ONE, "B"),
        ("B. The picture shows three dots since", ONE, "B"),
        ("Three dots.\nThe answer is B. To explain", ONE, "B"),
        ("答案是B。因为图中", ONE, "B"), (r"\boxed{B} since the", ONE, "B"),
        ("<answer>B</answer> as", ONE, "B"),
        ("The answers are A and C. So", SEVERAL, frozenset({"A", "C"})),
        ("The answer is 37. To explain", BLANK, ("37",)), (r"\boxed{37} as", BLANK, ("37",)),
        (r"\boxed{iron} and \boxed{copper} since", TWO, ("iron", "copper")),
    ],
)  # fmt: skip
def test_an_answer_that_was_complete_before_the_cut_counts(
    reply: str, question: PutItem, answer: Answer
) -> None:
    read = read_reply(reply, "truncated", question)
    assert read.strict.answer == read.lenient.answer == answer


@pytest.mark.parametrize(
    ("reply", "question"),
    [
        ("The answer is B", ONE), ("The correct option is B because the", ONE),
        ("I choose B. But wait, actually", ONE), ("The answer is B. However, the", ONE),
        ('{"answer": "B. two", "why": "it', ONE), ("A is right. B is wro", ONE),
        ("A. No, B. Yes, C", ONE), ("Let me look at each option. A shows", ONE), ("Bec", ONE),
        ("A", SEVERAL), ("A, C", SEVERAL), ("A is right. B is wrong. C", SEVERAL),
        ("37", BLANK), ("The answer is 3", BLANK), ("The answer is 3.", BLANK), ("iro", BLANK),
        ("The answer is 37.5", BLANK), ("[37", BLANK),
        ("iron, cop", TWO), ("1. iron\n2. cop", TWO), (r"\boxed{iron} and \boxed{cop", TWO),
    ],
)  # fmt: skip
def test_half_a_word_number_list_or_object_and_a_correction_leave_nothing(
    reply: str, question: PutItem
) -> None:
    assert not read_reply(reply, "truncated", question).lenient.has_answer


@pytest.mark.parametrize(
    "key", ["[0,1]", "Unknown", "Cannot be determined", "?", "I don't know", "x < 3 or x > 5"]
)
def test_a_reply_that_is_the_key_is_right_whatever_it_looks_like(key: str) -> None:
    question = PutItem("q", "h", "own", "blanks", (key,), text="What is it?")
    for reply in (key, f" {key}. ".replace("?.", "?")):
        read = read_reply(reply, "ok", question).strict
        assert read.has_answer, reply
        assert question.points(read.answer).full, reply


def test_a_reply_that_repeats_the_question_is_not_the_key() -> None:
    question = PutItem("q", "h", "own", "blanks", ("Unknown",), text="Unknown")
    assert not read_reply("Unknown", "ok", question).strict.has_answer


def test_an_accepted_answer_is_a_key_too_and_another_text_is_none() -> None:
    question = PutItem("q", "h", "own", "blanks", ("open",), (("Unknown",),), text="Is it?")
    assert read_reply("Unknown", "ok", question).strict.rule == "key"
    assert not question.points(read_reply("Unclear", "ok", question).strict.answer).full
