"""Verdicts beside labels, on statements and by elimination name the option that is right."""

from __future__ import annotations

import pytest

from gfactor.scoring.extraction import extract
from gfactor.scoring.extraction.candidates import ReadingTask
from gfactor.scoring.extraction.labels import Grammar
from gfactor.scoring.extraction.options import OptionTexts
from gfactor.scoring.extraction.verdicts import find_verdicts

OPTIONS = {"A": "the red kite", "B": "the blue drum", "C": "the green bell", "D": "the yellow leaf"}


def test_marks_in_the_place_of_options_are_read_where_there_is_one_for_each() -> None:
    for reply, answer in (
        ("×√××", "B"), ("✗ ✓ ✗ ✗", "B"), ("×√×", None), ("×√×××", None), ("×√×?", None),
        ("√×××√", None), ("wrong", None),
    ):  # fmt: skip
        assert extract(reply, "choice", OPTIONS).answer == answer
    assert extract("√√××", "choices", OPTIONS).answer == frozenset("AB")


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("A ✗ B ✓", "B"),
        ("A✓ B✗ C✗", "A"),
        ("(A)✗ (B)✓", "B"),
        ("A: O, B: X, C: X", "A"),
        ("A (correct), B (incorrect)", "A"),
        ("A) no\nB) no\nC) yes", "C"),
        ("A ✓, B ✓, C ✗", None),
        ("A ✗, B ✗", None),
    ],
)
def test_labels_with_a_verdict_each_name_the_one_that_is_right(
    reply: str, answer: str | None
) -> None:
    assert extract(reply, "choice", OPTIONS).answer == answer


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("Only B is left.", "B"),
        ("Only B remains possible.", "B"),
        ("Only B is left, and that is wrong.", None),
        ("Only A and C are left.", None),
        ("Only E is left.", None),
        ("Is only B left?", None),
    ],
)
def test_the_only_option_left_is_the_answer(reply: str, answer: str | None) -> None:
    assert extract(reply, "choice", OPTIONS).answer == answer


@pytest.mark.parametrize("reply", ["Not B.", "Rule out B. It is C.", "It is not B."])
def test_a_word_that_rejects_may_begin_the_reply(reply: str) -> None:
    task = ReadingTask(Grammar(tuple(OPTIONS)), OptionTexts(OPTIONS), many=False)
    assert find_verdicts(reply, task).wrong == {"B": reply.index("B")}


TRUTH = {"A": "True", "B": "False"}


@pytest.mark.parametrize(
    ("reply", "label"),
    [
        ("The statement is true.", "A"),
        ("The statement is not true.", "B"),
        ("L'affirmation est fausse.", "B"),
        ("L'affirmation n'est pas exacte.", "B"),
        ("La afirmación es falsa porque el Sol es una estrella.", "B"),
        ("A afirmativa está certa.", "A"),
        ("该说法是错误的。", "B"),
        ("이 설명은 옳습니다.", "A"),
    ],
)
def test_a_sentence_that_judges_the_statement_is_an_answer(reply: str, label: str) -> None:
    assert extract(reply, "choice", TRUTH).answer == label


@pytest.mark.parametrize(
    "reply",
    [
        "The statement may be true.",
        "The statement is true or false.",
        "The first statement is true and the second is false.",
        "The statement is false only in winter.",
        "L'affirmation est vraie si x > 0.",
        "该说法可能正确。",
    ],
)
def test_a_judgement_in_doubt_is_none(reply: str) -> None:
    assert not extract(reply, "choice", TRUTH).has_answer
