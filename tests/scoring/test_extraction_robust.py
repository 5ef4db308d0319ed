"""No answer from nothing, no crash, and time that grows with the length alone."""

from __future__ import annotations

import unicodedata
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gfactor.scoring.extraction import extract
from gfactor.scoring.extraction.cases import plain, read_cases

OPTIONS = {"A": "the red kite", "B": "the blue drum", "C": "the green bell", "D": "the yellow leaf"}
HUGE = 10_000_000
LONG = 2_000_000
"""A quadratic expression takes hours for either."""

FRAGMENTS = (
    "The picture shows several shapes in a row",
    "I think about the rule first",
    "A row has three tiles",
    "A careful look is needed",
    "Point B lies on line CD",
    "Which option is it",
    "It is not B",
    "B is wrong",
    "Vitamin C is healthy",
    "If the answer is A, the row repeats",
    "The answer might be C",
    "Is it D?",
    "Please choose A, B, C or D",
    "A and C look alike",
    "the answer is",
    "Let me check each option",
    "C'est une suite de figures",
    "D'abord, on regarde la rangée",
    "A priori rien ne change",
    "Ce n'est pas A",
    "A simple vista no se nota",
    "No es B",
    "A figura mostra um quadro",
    "E a linha gira",
    "Não é C",
    "如图，点A在直线BC上",
    "不是B",
    "B错误",
    "答案可能是C",
    "正确答案是",
    "점 A는 직선 위에 있다",
    "B가 아닙니다",
    "정답은",
    "A) ... B) ... C) ... D) ...",
    "Ich weiß es nicht",
    "1, 2, 3",
    "\\boxed{}",
    "<answer></answer>",
    "{}",
    "Everything in row two suggests a rotation",
    "Only B was considered",
    "B remains unclear",
    "This rules out option B",
    "B has five sides",
    "A and C are next to each other",
    "It could be B or D",
    "Rien n'indique que ce soit B",
    "C'est A ou c'est B",
    "Seules B et C restent possibles ou non",
    "Nada indica que sea B",
    "O es A o es B",
    "La opción B se puede descartar",
    "Nada indica que seja B",
    "Ou é A ou é B",
    "没有迹象表明是B",
    "不是A就是B",
    "可以排除B",
    "A 아니면 B입니다",
    "B라는 증거가 없습니다",
)


def holds_a_label(text: str) -> bool:
    folded = unicodedata.normalize("NFKD", text).upper()
    enclosed = any(0x1F100 <= ord(c) <= 0x1F1FF or 0x2460 <= ord(c) <= 0x2793 for c in text)
    return enclosed or any(label in folded for label in OPTIONS)


@settings(deadline=None)
@given(st.text().filter(lambda text: not holds_a_label(text)))
def test_a_text_without_a_label_or_an_option_never_yields_an_answer(text: str) -> None:
    for kind in ("choice", "choices"):
        assert not extract(text, kind, OPTIONS).has_answer


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.sampled_from(FRAGMENTS), max_size=6),
    st.sampled_from([". ", "\n", "\n\n", "。", " ... "]),
    st.sampled_from(["", ".", "\n"]),
)
def test_sentences_that_hold_no_answer_never_yield_one(
    parts: list[str], joint: str, end: str
) -> None:
    for kind in ("choice", "choices"):
        assert not extract(joint.join(parts) + end, kind, OPTIONS).has_answer


@pytest.mark.parametrize(
    ("begun", "whole"),
    [
        ("| Option | Fits? |\n|---|---|\n| A | No |\n| B |", " No |\n| C | Yes |\n\n| C |"),
        ("A. too small\nB", ". too large\nC. fits\n\nC"),
    ],
)
def test_the_label_at_which_a_list_breaks_off_is_no_answer(begun: str, whole: str) -> None:
    assert not extract(begun, "choice", OPTIONS).has_answer
    assert extract(begun + whole, "choice", OPTIONS).answer == whole.strip(" |")[-1]


@pytest.mark.slow
def test_a_reply_that_breaks_off_rarely_yields_another_answer() -> None:
    """Cut anywhere, a reply yields its own answer or none; what is left may look complete."""
    kinds = {"SA": "choice", "MA": "choices"}
    counts: Counter[str] = Counter()
    for path in sorted((Path(__file__).parent / "replies").glob("*.jsonl")):
        for case in read_cases(path):
            if case.kind in kinds and case.expected and len(case.response) >= 60:
                for share in (0.3, 0.6, 0.9):
                    begun = case.response[: int(share * len(case.response))]
                    found = extract(begun, kinds[case.kind], case.options)
                    counts["other"] += found.has_answer and plain(found.answer) != case.expected
                    counts["all"] += 1
    assert counts["all"] > 800
    assert counts["other"] <= 0.025 * counts["all"], counts


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.one_of(
            st.text(max_size=8),
            st.sampled_from(FRAGMENTS),
            st.sampled_from(list("ABCD.,:()[]{}\\\x1b\n")),
        )
    ).map("".join)
)
def test_any_text_is_read_without_a_crash_and_within_the_options(text: str) -> None:
    one = extract(text, "choice", OPTIONS)
    assert one.answer is None or one.answer in OPTIONS
    several = extract(text, "choices", OPTIONS)
    assert several.answer is None or set(several.answer) <= set(OPTIONS)  # pyright: ignore[reportArgumentType]
    blanks = extract(text, "blanks", blanks=2)
    assert blanks.answer is None or len(blanks.answer) == 2  # pyright: ignore[reportArgumentType]
    for found in (one, several, blanks):
        if found.span is not None:
            assert 0 <= found.span[0] <= found.span[1] <= len(text)


@given(st.text())
def test_reading_is_pure(text: str) -> None:
    assert extract(text, "choice", OPTIONS) == extract(text, "choice", OPTIONS)


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit",
    [
        "A ",
        "A, ",
        "A\n",
        "(",
        " ",
        "\n",
        "the answer is ",
        "正确答案是",
        "选",
        "<think>",
        "<answer>",
        "\\boxed{",
        "{",
        '{"answer": "',
        "\x1b[",
        "*",
        "final correct best ",
        "B is not correct. ",
        "e\u0301",
        "①",
        "Ａ、",
    ],
    ids=repr,
)
def test_two_megabytes_of_anything_are_read_to_their_end(unit: str) -> None:
    """A second; reading that grew with the square of the length would take hours."""
    reply = unit * (LONG // len(unit))
    for kind in ("choice", "choices", "blanks"):
        extract(reply, kind, OPTIONS, blanks=2)


@pytest.mark.slow
def test_an_answer_behind_ten_megabytes_is_found_where_it_stands() -> None:
    reply = "The rows turn to the left, one by one. " * (HUGE // 39) + "\n\nThe answer is C."
    found = extract(reply, "choice", OPTIONS)
    assert found.answer == "C"
    assert found.span is not None
    assert reply[slice(*found.span)] == "C"
