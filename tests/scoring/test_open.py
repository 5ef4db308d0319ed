"""Open answers: ROUGE-L over words, in Chinese too."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.answers import answered
from support.exam import question

from gfactor.errors import MissingExtraError
from gfactor.examinees import Reply
from gfactor.scoring import points, scored
from gfactor.scoring import rouge as module
from gfactor.scoring.replies import read_open
from gfactor.scoring.rouge import MOST_WORDS, rouge_l, words

ZH = "光合作用把光能转化为化学能。"


def test_chinese_is_cut_into_words() -> None:
    assert words(ZH) == ["光合作用", "把", "光能", "转化", "为", "化学能"]


def test_words_keep_accents_digits_and_other_scripts_and_lose_marks_and_case() -> None:
    assert words("L'Été, H2O & 한국어 문장!") == ["l", "été", "h2o", "한국어", "문장"]


def test_rouge_l_is_the_f_of_the_longest_common_subsequence_of_words() -> None:
    # Lin 2004, section 3.1: "police killed the gunman" and two candidates, beta = 1.
    reference = "police killed the gunman"
    assert rouge_l("police kill the gunman", reference) == pytest.approx(3 / 4)
    assert rouge_l("the gunman kill police", reference) == pytest.approx(2 / 4)
    # Five words of the answer's seven and the reference's six in common and in order.
    assert rouge_l("植物的光合作用把光能变为化学能", ZH) == pytest.approx(8 / 13)


@given(st.text("ab 光能.", max_size=30), st.text("ab 光能.", max_size=30))
def test_rouge_l_is_a_share_and_symmetric(one: str, other: str) -> None:
    score = rouge_l(one, other)
    assert 0 <= score <= 1
    assert score == pytest.approx(rouge_l(other, one))
    assert rouge_l(one, one) == (1 if words(one) else 0)


def test_an_endless_answer_costs_little_and_earns_little() -> None:
    assert len(words("word " * 10**6)) == MOST_WORDS
    assert rouge_l("gunman " * 10**6, "police killed the gunman") < 0.01


def test_the_best_reference_counts() -> None:
    assert points("a red fox", "a blue cat", ("a red fox",), "open").share == 1


def test_several_points_are_compared_line_by_line() -> None:
    found = points("a red fox\n\na dog", ("a red fox", "a blue cat"), (), "open")
    assert found.possible == 2
    assert found.earned == pytest.approx(1 + 2 * (1 / 2 * 1 / 3) / (1 / 2 + 1 / 3))


@pytest.mark.parametrize(
    ("reply", "answer", "rule"),
    [
        ("Plants do.", "Plants do.", "whole"),
        ("First I think.\nAnswer: Plants do.", "Plants do.", "heading"),
        ("<think>Animals?</think>\nPlants do.", "Plants do.", "whole"),
        ("想一想。\n答案：植物", "植物", "heading"),
    ],
)
def test_what_stands_behind_the_last_heading_is_the_answer(
    reply: str, answer: str, rule: str
) -> None:
    found = read_open(reply)
    assert (found.answer, found.stage, found.rule) == (answer, "rules", rule)


@pytest.mark.parametrize(
    ("reply", "why"),
    [("", "empty"), ("I'm sorry, but I cannot answer that.", "refusal"),
     ("<think>Animals? Or", "truncated")],
)  # fmt: skip
def test_no_answer_is_found_where_there_is_none(reply: str, why: str) -> None:
    found = read_open(reply)
    assert (found.has_answer, found.rule) == (False, why)


def test_open_answers_earn_shares_of_a_point(tmp_path: Path) -> None:
    item = question("o1", answer_type="open", target=ZH, choices=(), language="zh")
    replies = {"t:a": ZH, "t:b": "植物的光合作用把光能变为化学能", "t:c": "",
               "t:d": Reply("光合作用把光能", "truncated")}  # fmt: skip
    with answered(tmp_path, [item], [(who, "o1", 0, r) for who, r in replies.items()]) as journal:
        table = scored(journal).set_index("examinee")
    assert table["points"].to_dict() == pytest.approx(
        {"t:a": 1, "t:b": 8 / 13, "t:c": 0, "t:d": 6 / 9}
    )
    assert table["correct"].to_dict() == {"t:a": 1, "t:b": 0, "t:c": 0, "t:d": 0}
    assert table["status"].to_dict() == {
        "t:a": "answered", "t:b": "answered", "t:c": "no_answer", "t:d": "answered",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("missing", "cached"), [("rouge_score.rouge_scorer", "_scorer"), ("rjieba", "_chinese")]
)
def test_without_the_extra_it_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, missing: str, cached: str
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    getattr(module, cached).cache_clear()
    try:
        with pytest.raises(MissingExtraError, match=r"pip install 'gfactor\[open\]'"):
            rouge_l(ZH, ZH)
    finally:
        getattr(module, cached).cache_clear()
