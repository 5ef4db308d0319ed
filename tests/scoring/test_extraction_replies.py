"""How often the rules read replies rightly: 47 files of our own and the development set.

Our files were written before the rules were tried on them; what the first try gave is in
docs/evidence/extraction-evidence.md. They now guard against steps backwards. Fifteen are
five sets in three classes: everyday, awkward and nasty replies. Nothing was changed for what the
fifth set showed: its counts say how replies are read that the rules were not changed for.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from types import SimpleNamespace as Made
from typing import Any

import pytest
from support.tiers import few

from gfactor.scoring.extraction.cases import ReplyCase, read_cases

OURS = Path(__file__).parent / "replies"
GIVEN = Path(__file__).parents[2].parent / "shared" / "data" / "extraction_cases.jsonl"


CLASSES = {
    "everyday-1": 110, "awkward-1": 115, "nasty-1": 117,
    "everyday-2": 116, "awkward-2": 119, "nasty-2": 114,
    "everyday-3": 115, "awkward-3": 115, "nasty-3": 123,
    "everyday-4": 60, "awkward-4": 60, "nasty-4": 58,
    "everyday-5": 60, "awkward-5": 57, "nasty-5": 56,
}  # fmt: skip
"""Replies of each set and class that are read rightly."""

WRONG = {"awkward-5": 2, "nasty-5": 1}
"""Replies that are read wrongly, where there are any."""


def verdicts(cases: list[ReplyCase]) -> Counter[str]:
    return Counter(case.verdict(case.read()) for case in cases)


def check(counts: Counter[str], share: float = 0.97) -> None:
    assert counts["right"] >= share * counts.total(), counts
    assert counts["wrong"] <= 1, counts
    assert counts["invented"] == 0, counts


@pytest.mark.thorough
@pytest.mark.parametrize(("stem", "right"), few(CLASSES.items(), 6))
def test_of_each_class_as_many_are_read_as_before_and_no_more_wrongly(
    stem: str, right: int
) -> None:
    counts = verdicts(list(read_cases(OURS / f"{stem}.jsonl")))
    assert counts["right"] >= right, counts
    assert counts["wrong"] <= WRONG.get(stem, 0), counts
    assert counts["invented"] == 0, counts


@pytest.mark.parametrize(
    "path",
    few([p for p in sorted(OURS.glob("*.jsonl")) if p.stem not in CLASSES], 10),
    ids=lambda path: path.stem,
)
def test_nearly_all_of_our_replies_are_read_and_no_answer_is_invented(path: Path) -> None:
    check(verdicts(list(read_cases(path))), share=0.96)


@pytest.mark.slow
def test_of_all_our_replies_together_at_most_one_in_a_hundred_is_not_read() -> None:
    counts = verdicts([case for path in sorted(OURS.glob("*.jsonl")) for case in read_cases(path)])
    assert counts["right"] >= 0.99 * counts.total(), counts
    assert counts["wrong"] <= 1 + sum(WRONG.values()), counts
    assert counts["invented"] == 0, counts


def test_the_development_set_is_read_as_it_must_be() -> None:
    if not GIVEN.exists():
        pytest.skip("the development set ../shared/data/extraction_cases.jsonl is not here")
    check(verdicts(list(read_cases(GIVEN))))


@pytest.mark.thorough
def test_our_replies_cover_every_language_and_the_four_kinds() -> None:
    cases = [c for path in OURS.glob("*.jsonl") for c in read_cases(path)]
    assert len(cases) >= 4150
    languages = {path.stem for path in (OURS.parent / "phrasings").iterdir()}
    assert {c.language for c in cases} == languages
    assert {c.kind for c in cases} == {"SA", "MA", "FB", "PV"}
    assert sum(c.expected is None for c in cases) >= 690


def case(expected: Any, kind: str) -> ReplyCase:
    fields = {name: None for name in ReplyCase.__dataclass_fields__}
    return ReplyCase(**{**fields, "expected": expected, "kind": kind, "output_format": None})


@pytest.mark.parametrize(
    ("kind", "expected", "answer", "verdict"),
    [
        ("SA", "A", "A", "right"), ("SA", "A", "B", "wrong"), ("SA", None, "B", "invented"),
        ("SA", "A", None, "missed"), ("SA", None, None, "right"),
        ("MA", ["B", "A"], frozenset("AB"), "right"), ("MA", ["A"], frozenset("AB"), "wrong"),
        ("FB", "x", ("x",), "right"), ("FB", ["x", None], ("x", None), "right"),
        ("FB", ["x"], ("x", "y"), "wrong"), ("FB", ["x", "y"], ("x", None), "wrong"),
        ("FB", ["x", "y"], ("x",), "wrong"), ("PV", "Yes", "YES", "right"),
        ("PV", ["a", "B"], ("A", "b"), "right"), ("PV", "no", "YES", "wrong"),
    ],
)  # fmt: skip
def test_a_recorded_reading_is_right_wrong_missed_or_invented(
    kind: str, expected: Any, answer: Any, verdict: str
) -> None:
    read: Any = Made(has_answer=answer is not None, answer=answer)
    assert case(expected, kind).verdict(read) == verdict
