"""What is made of replies without an answer: the benchmark's policy, reported and switched off."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from support.answers import Attempt, answered
from support.cli import run_cli
from support.exam import BLANKS, question

from gfactor.errors import UnknownNameError
from gfactor.examinees import Reply
from gfactor.items import Item, answer_from_json
from gfactor.scoring import POLICY_OF, matrix, scored, summary
from gfactor.scoring.policies import drawn, policy_for
from gfactor.scoring.questions import PutItem, question_about
from gfactor.scoring.summaries import readers, shares

NOTHING = "No idea."


def items(benchmark: str, count: int = 40) -> list[Item]:
    return [question(f"q{k:02d}", benchmark=benchmark) for k in range(count)]


def silent(asked: list[Item], who: str = "t:a", occasions: int = 1) -> list[Attempt]:
    return [(who, item.id, k, NOTHING) for item in asked for k in range(occasions)]


def test_the_published_policies_are_data() -> None:
    assert POLICY_OF == {
        "m3gia": "random", "mm-iq": "incorrect", "multi": "error", "percept-v": "error",
    }  # fmt: skip
    assert policy_for("unheard-of") == "error"
    assert policy_for("m3gia", "none") == "none"
    with pytest.raises(UnknownNameError, match="unknown policy 'randm'; did you mean 'random'"):
        policy_for("m3gia", "randm")


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("benchmark", "errors"), [("mm-iq", 0), ("multi", 3), ("percept-v", 3), ("toy", 3)]
)
def test_no_answer_is_wrong_and_an_error_where_the_benchmark_says_so(
    tmp_path: Path, benchmark: str, errors: int
) -> None:
    asked = items(benchmark, 4)
    said = [*silent(asked[:3]), ("t:a", "q03", 0, "Answer: B")]
    with answered(tmp_path, asked, said) as journal:
        (result,) = summary(scored(journal))
    assert (result["n"], result["accuracy"], result["errors"]) == (4, 0.25, errors)
    assert result["policies"] == {policy_for(benchmark): 3}


@pytest.mark.thorough
def test_the_random_policy_draws_an_option_and_says_so(tmp_path: Path) -> None:
    asked = items("m3gia")
    with answered(tmp_path, asked, silent(asked)) as journal:
        table, again = scored(journal), scored(journal)
    assert table["answer"].tolist() == again["answer"].tolist()
    assert set(table["stage"]) == {"policy"}
    assert set(table["rule"]) == set(table["policy"]) == {"random"}
    assert set(table["status"]) == {"no_answer"}
    assert set(table["answer"]) == {'"A"', '"B"', '"C"', '"D"'}
    assert set(table["format_error"]) == {False}
    assert summary(table)[0]["policies"] == {"random": len(asked)}


def test_draws_are_even_and_differ_between_items_examinees_and_occasions() -> None:
    asked = [question_about(question(f"q{k}"), "default") for k in range(400)]
    counts = Counter(drawn(one, "t:a", "default", 0) for one in asked)
    # Each of 400 draws is one of 4: 100 expected, standard deviation 8.7; false alarm below 1e-5.
    assert all(60 <= counts[label] <= 140 for label in "ABCD")
    base = [drawn(one, "t:a", "default", 0) for one in asked]
    for who, condition, occasion in (("t:b", "default", 0), ("t:a", "cot=on", 0),
                                     ("t:a", "default", 1)):  # fmt: skip
        other = [drawn(one, who, condition, occasion) for one in asked]
        same = sum(a == b for a, b in zip(base, other, strict=True))
        assert 60 <= same <= 140


def test_several_options_are_drawn_one_by_one_and_texts_never(tmp_path: Path) -> None:
    many = [
        question(f"m{k}", benchmark="m3gia", answer_type="choices", target=("A",))
        for k in range(40)
    ]
    blank = question("f", benchmark="m3gia", **BLANKS)
    with answered(tmp_path, [*many, blank], silent([*many, blank])) as journal:
        table = scored(journal).set_index("item_id")
    sizes = [len(json.loads(str(table.loc[item.id, "answer"]))) for item in many]
    assert 1.4 <= sum(sizes) / len(sizes) <= 2.6
    assert (table.loc["f", "answer"], table.loc["f", "correct"]) == (None, 0)
    assert table.loc["f", "status"] == "no_answer"


@pytest.mark.thorough
def test_without_a_policy_replies_without_an_answer_are_left_out(tmp_path: Path) -> None:
    asked = items("m3gia", 3)
    said = [*silent(asked[:2]), ("t:a", "q02", 0, "Answer: B")]
    with answered(tmp_path, asked, said) as journal:
        table = scored(journal, policy="none")
    (result,) = summary(table)
    assert (result["n"], result["accuracy"], result["missing"]) == (1, 1.0, 2)
    assert result["policies"] == {"none": 2}
    assert matrix(table, "item").scores.columns.tolist() == ["q02"]


@pytest.mark.thorough
def test_refusals_truncated_and_withheld_replies_are_counted_apart(tmp_path: Path) -> None:
    asked = items("mm-iq", 8)
    replies: list[str | Reply] = [
        "Answer: B",
        "I'm sorry, but I can't assist with that request.",
        Reply("I will not say.", "refusal"),
        Reply("Let me look at each option. A shows", "truncated"),
        "<think>First, the triangle",
        Reply("", "content_filter"),
        Reply("", "timeout", detail="slow"),
        NOTHING,
    ]
    said: list[Attempt] = [("t:a", f"q{k:02d}", 0, reply) for k, reply in enumerate(replies)]
    with answered(tmp_path, asked, said) as journal:
        (result,) = summary(scored(journal))
    assert result["statuses"] == {
        "refused": 2, "truncated": 2, "answered": 1, "filtered": 1, "failed": 1, "no_answer": 1,
    }  # fmt: skip
    assert (result["n"], result["missing"], result["accuracy"]) == (6, 2, 1 / 6)


@pytest.mark.thorough
def test_five_occasions_average_draws_and_answers(tmp_path: Path) -> None:
    asked = items("m3gia", 10)
    with answered(tmp_path, asked, silent(asked, occasions=5)) as journal:
        table = scored(journal)
    (result,) = summary(table)
    assert (result["n"], result["answers"]) == (10, 50)
    assert len({tuple(own["answer"]) for _, own in table.groupby("item_id")}) > 5


@pytest.mark.thorough
def test_the_command_reports_and_switches_off_policies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = items("m3gia", 3)
    with answered(tmp_path, asked, [*silent(asked[:2]), ("t:a", "q02", 0, "B")]) as journal:
        name = journal.name
    shown = run_cli(monkeypatch, capsys, "score", name).out
    assert "policy:random" in shown
    assert "no_answer" in shown
    off = run_cli(monkeypatch, capsys, "score", name, "--policy", "none", "--json").out
    (off,) = json.loads(off)["results"]
    assert (off["n"], off["missing"]) == (1, 2)
    matrix = run_cli(monkeypatch, capsys, "matrix", name, "--policy", "none", "--json")
    assert json.loads(matrix.out)["n"] == [[1]]


def test_every_response_has_one_reader() -> None:
    """Who found the answer: the rules, a judge, a draw, nobody, or nothing came."""
    rows = [
        ("strict", "format", False, "A", "rule"), ("lenient", "label", False, "A", "rule"),
        ("rules", "whole", False, "A", "rule"), ("judge", "judge", False, "A", "judge"),
        ("none", "nothing", False, None, "none"), ("strict", "", True, None, "missing"),
        ("policy", "random", False, "A", "draw"), ("policy", "drawn at random", False, "B", "draw"),
        ("policy", "judge", False, "A", "judge"), ("policy", "random", True, "A", "missing"),
        ("policy", "letter", False, "A", "rule"), ("policy", "letter", False, None, "none"),
    ]  # fmt: skip
    names = ["stage", "rule", "missing", "answer", "reader"]
    table = pd.DataFrame(rows, columns=names, dtype=object)
    assert readers(table) == list(table["reader"])
    parts = {"rule": 4, "judge": 2, "draw": 2, "none": 2, "missing": 2}
    assert shares(table) == {name: count / 12 for name, count in parts.items()}
    assert shares(table.iloc[:0]) == {}


def asked(kind: Any, target: str, labels: str = "ABC") -> PutItem:
    choices = tuple((label, f"text {label}") for label in labels)
    return PutItem("q", "h", "b", kind, answer_from_json(target, kind), choices=choices)


def test_the_random_policy_draws_options_with_even_odds() -> None:
    sets: Any = [drawn(asked("choices", '["A"]'), f"m{k}", "c", 0) for k in range(200)]
    for label in "ABC":
        assert 70 < sum(label in d for d in sets if d is not None) < 130
    one: Any = [drawn(asked("choice", '"A"'), "m", "c", k) for k in range(90)]
    assert {one.count(label) > 15 for label in "ABC"} == {True}
    assert drawn(asked("blanks", '["x"]'), "m", "c", 0) is None
