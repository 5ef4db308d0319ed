"""Three sets of 300 replies, each with its question, by authors who saw no rule of extraction.

Version 16 of the rules read the sets first; version 17 was made by the first two of them and read
the third before anything was changed for it (docs/evidence/extraction-evidence.md). The counts
below guard against steps backwards.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

from gfactor.scoring.extraction.result import Extraction
from gfactor.scoring.questions import PutItem
from gfactor.scoring.replies import read_reply
from gfactor.scoring.texts import same_text

ANSWERED = Path(__file__).parent / "answered"
RIGHT = {
    "first": {"everyday": 180, "awkward": 67, "nasty": 27},
    "second": {"everyday": 180, "awkward": 65, "nasty": 27},
    "third": {"everyday": 170, "awkward": 51, "nasty": 28},
}
"""Replies of each class that are read rightly, of 180, 80 and 40."""

WRONG = {"first": 1, "second": 1, "third": 9}
"""Replies of each set that are read wrongly, or hold no answer and are given one."""


def question_of(row: dict[str, Any]) -> PutItem:
    kind = row["kind"]
    if kind in ("choice", "choices"):
        options = tuple(row["options"].items())
        return PutItem(row["id"], "hash", "own", kind, None, text=row["question"], choices=options)
    expected = row["expected"] or "7"
    target = expected if isinstance(expected, str) else expected[0]
    facts = {"scoring_rule": "number", "language": row["language"]} if kind == "number" else {}
    return PutItem(row["id"], "hash", "own", "blanks", (target,), text=row["question"], facts=facts)


def verdict(row: dict[str, Any], question: PutItem, read: Extraction) -> str:
    """`right`, `missed`, `wrong`, or `invented` where the reply holds no answer."""
    expected, answer = row["expected"], read.answer
    if expected is None:
        return "invented" if read.has_answer else "right"
    if answer is None:
        return "missed"
    if row["kind"] == "choices":
        is_right = answer == frozenset(expected)
    elif row["kind"] == "choice":
        is_right = answer == expected
    elif row["kind"] == "number":
        is_right = question.points(answer).full
    else:
        assert isinstance(answer, tuple)
        said = str(answer[0]).casefold()
        is_right = any(same_text(said, text.casefold()) for text in expected)
    return "right" if is_right else "wrong"


@pytest.mark.parametrize("stem", RIGHT)
def test_of_each_class_as_many_answers_are_read_as_before_and_no_more_wrongly(stem: str) -> None:
    counts = defaultdict[str, Counter[str]](Counter)
    for line in (ANSWERED / f"{stem}.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        question = question_of(row)
        read = read_reply(row["reply"], "complete", question).lenient
        counts[row["class"]][verdict(row, question, read)] += 1
    assert {name: one.total() for name, one in counts.items()} == {
        "everyday": 180, "awkward": 80, "nasty": 40,
    }  # fmt: skip
    for name, right in RIGHT[stem].items():
        assert counts[name]["right"] >= right, counts
    assert sum(one["wrong"] + one["invented"] for one in counts.values()) <= WRONG[stem], counts
