"""gfactor extract, as it is typed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.cli import Ran, run_cli

Run = Callable[..., Ran]
OPTIONS = {"A": "one", "B": "two", "C": "three"}
CASES: list[dict[str, Any]] = [
    {
        "id": "sa",
        "language": "en",
        "kind": "SA",
        "options": OPTIONS,
        "response": "B.",
        "expected": "B",
    },
    {
        "id": "ma",
        "language": "zh",
        "kind": "MA",
        "options": OPTIONS,
        "response": "故选AC",
        "expected": ["C", "A"],
    },
    {
        "id": "no",
        "language": "en",
        "kind": "SA",
        "options": OPTIONS,
        "response": "",
        "expected": None,
    },
    {
        "id": "fb",
        "language": "en",
        "kind": "FB",
        "blanks": 2,
        "response": "1. x\n2. y",
        "expected": ["x", "z"],
    },
    {
        "id": "pv",
        "language": "en",
        "kind": "PV",
        "format": "COUNT:x",
        "answer_type": "value",
        "response": "COUNT:7",
        "expected": 7,
    },
]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return lambda *words: run_cli(monkeypatch, capsys, *map(str, words))


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def write(*cases: Any) -> Path:
        path = tmp_path / "cases.jsonl"
        lines = (c if isinstance(c, str) else json.dumps(c) for c in cases)
        path.write_text("\n".join(lines), encoding="utf-8")
        return path

    return write


def test_json_has_one_object_per_reply_with_four_keys(run: Run, write: Callable[..., Path]) -> None:
    ran = run("extract", write(*CASES), "--json")
    rows = json.loads(ran.out)
    assert ran.code == 0
    assert [list(row) for row in rows] == [["id", "answer", "stage", "rule"]] * len(CASES)
    assert [row["answer"] for row in rows] == ["B", ["A", "C"], None, ["x", "y"], 7]
    assert rows[2]["rule"] == "empty"
    assert [row["stage"] for row in rows] == ["rules", "rules", "none", "rules", "strict"]


def test_the_table_says_how_often_the_rules_are_right(run: Run, write: Callable[..., Path]) -> None:
    lines = run("extract", write(*CASES)).out.splitlines()
    assert lines[1].split() == ["sa", "B", "rules", "whole"]
    total = next(line for line in lines if line.startswith("all"))
    assert total.split() == ["all", "5", "80.0%", "20.0%", "0.0%", "0.0%"]


def test_without_expected_answers_nothing_is_judged(run: Run, write: Callable[..., Path]) -> None:
    unjudged = {k: v for k, v in CASES[0].items() if k != "expected"}
    assert "right" not in run("extract", write(unjudged)).out


def test_hostile_text_never_reaches_the_terminal(run: Run, write: Callable[..., Path]) -> None:
    case = {
        "id": "x\x1b[31m",
        "kind": "FB",
        "blanks": 1,
        "response": "\x1b]0;t\x07\u202egone",
    }
    out = run("extract", write(case)).out
    assert "\x1b" not in out
    assert "\u202e" not in out


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{", "not JSON"),
        ("[1]", "not a JSON object"),
        ({"kind": "XX", "response": "B"}, "must be one of SA, MA, FB, PV"),
        ({"kind": "SA", "options": OPTIONS}, "`response` is missing"),
        ({"kind": "SA", "response": "B"}, "`options`"),
        ({"kind": "FB", "response": "B", "blanks": 0}, "`blanks` is 0"),
        ({"kind": "PV", "response": "B", "format": "COUNT:x"}, "`answer_type`"),
        ({"kind": "PV", "response": "B", "format": '{"labels":', "answer_type": "value"}, "format"),
    ],
)
def test_a_bad_line_is_one_sentence_with_its_number(
    run: Run, write: Callable[..., Path], line: Any, says: str
) -> None:
    ran = run("extract", write(CASES[0], line))
    assert ran.code == 2
    assert "line 2" in ran.err
    assert says in ran.err
    assert ran.err.count("\n") == 1


def test_a_file_that_is_not_there_is_one_sentence(run: Run, tmp_path: Path) -> None:
    ran = run("extract", tmp_path / "none.jsonl")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
