"""Points, judges and policies in gfactor score, compare and matrix, as a user calls them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from support.chat_server import Body, chat_server
from support.cli import Ran, run_cli
from support.exam import question

from gfactor.items import write_bank

Run = Callable[..., Ran]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Call `gfactor WORDS` in a folder with a bank of items that are worth 1, 2 and 3 points."""
    monkeypatch.chdir(tmp_path)
    worth = [1.0, 2.0, 3.0, 1.0, 2.0, 3.0]
    items = [
        question(f"q{k}", content=(f"Which, {k}?",), points=points,
                 answer_type="choices", target=frozenset("AC"))
        for k, points in enumerate(worth)
    ]  # fmt: skip
    write_bank(items, tmp_path / "b.parquet")
    return lambda *words: run_cli(monkeypatch, capsys, *words)


def half(body: Body) -> str:
    """Half of the right options, on all items but those worth 3 points."""
    number = int(body["messages"][-1]["content"].split("Which, ")[1][0])
    return "Answer: B" if number % 3 == 2 else "Answer: A"


def asked(run: Run, *models: tuple[str, Callable[[Body], str]]) -> None:
    for name, answer in models:
        with chat_server(answer) as server:
            spec = f"openai:{name}?base_url={server.url}"
            assert run("run", "b.parquet", "--examinee", spec, "--journal", "c.db").code == 0


def test_points_are_compared_as_score_counts_them(run: Run) -> None:
    asked(run, ("half", half), ("whole", lambda _: "Answer: A, C"))
    by_name = {
        own["examinee"].split("?")[0]: own["ratio"]
        for own in json.loads(run("score", "c.db", "--json").out)["results"]
    }
    assert by_name == {"openai:half": 0.25, "openai:whole": 1.0}
    found = json.loads(run("compare", "c.db", "--ratio", "--cluster", "none", "--json").out)
    (pair,) = found["differences"]
    assert found["ratio"] is True
    assert [pair["mean_first"], pair["mean_second"], pair["estimate"]] == [1.0, 0.25, 0.75]
    assert pair["method"] == "t"
    plain = json.loads(run("compare", "c.db", "--cluster", "none", "--json").out)
    assert plain["differences"][0]["mean_second"] == 0.0


def test_points_have_one_reading(run: Run) -> None:
    asked(run, ("half", half), ("whole", lambda _: "Answer: A, C"))
    ran = run("compare", "c.db", "--ratio", "--lenient")
    assert (ran.code, ran.out) == (2, "")
    assert "leave out --lenient" in ran.err


def test_a_judge_and_a_policy_count_in_a_comparison_too(run: Run) -> None:
    asked(run, ("vague", lambda _: "It is what it is."), ("whole", lambda _: "Answer: A, C"))
    alone = json.loads(run("compare", "c.db", "--json").out)
    assert alone["differences"][0]["mean_second"] == 0.0
    with chat_server(lambda _: '{"answer": ["A", "C"]}') as server:
        judge = ("--judge", f"openai:judge?base_url={server.url}")
        judged = json.loads(run("compare", "c.db", *judge, "--json").out)
    assert judged["differences"][0]["estimate"] == 0.0
    assert [row["mean"] for row in judged["ranks"]] == [1.0, 1.0]
    without = json.loads(run("compare", "c.db", "--policy", "none", "--json").out)
    assert without["differences"][0]["n"] == 0


@pytest.mark.thorough
def test_what_a_judge_costs_and_does_not_take_is_told(run: Run, tmp_path: Path) -> None:
    asked(run, ("vague", lambda _: "It is what it is."))
    (tmp_path / "prices.toml").write_text('["judge"]\ninput = 10.0\noutput = 30.0\n')
    with chat_server(lambda _: '{"answer": null}') as server:
        judge = ("--judge", f"openai:judge?base_url={server.url}", "--prices", "prices.toml")
        told = run("score", "c.db", *judge)
        again = json.loads(run("score", "c.db", *judge, "--json").out)
    assert "6 asked; spent 0.0019" in told.out
    assert (again["judge"]["asked"], again["spent"]) == (0, 0.0)


@pytest.mark.thorough
def test_an_unknown_label_is_answered_by_labels_that_a_user_knows(run: Run) -> None:
    asked(run, ("half", half))
    told = run("matrix", "c.db", "--by", "nothere")
    assert told.code == 2
    assert "'nothere'" in told.err
    assert " _" not in told.err


def test_a_journal_without_answers_makes_no_matrix(run: Run) -> None:
    def broken(_: Body) -> dict[str, str]:
        return {"error": "down"}

    with chat_server(broken) as server:
        spec = f"openai:m?base_url={server.url}"
        who = ("--examinee", spec, "--journal", "c.db", "--attempts", "1")
        assert run("run", "b.parquet", *who).code == 1
    ran = run("matrix", "c.db")
    assert (ran.code, ran.out) == (2, "")
    assert "holds no answer that counts (6 are missing)" in ran.err
