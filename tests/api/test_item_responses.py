"""A journal read as respondents by items: what a cell is, who is a respondent, who broke what."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.cli import Ran, run_cli
from support.irt_journals import administer, choice_bank, models
from support.paper_runs import answer, paper_bank, right, wrong

from gfactor.administration import Journal
from gfactor.api.inputs.scoring import scoring_of
from gfactor.api.scales.irt_data import ItemResponses, family_of, item_responses
from gfactor.scoring.policies import BENCHMARKS_POLICY

CELLS = {("a", 1): -1.0, ("a", 2): 0.0, ("b", 1): 0.0, ("b", 2): 1.0}


def read(path: Path, *, examinees: tuple[str, ...] = (), **options: Any) -> ItemResponses:
    with Journal.open(path, create=False) as journal:
        scoring = scoring_of(examinees, None, None, BENCHMARKS_POLICY, {})
        return item_responses(journal, scoring, **options)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bank of 12 items, the key of one wrong, answered by 40 models of 8 families and 60 people;
    the first model was not asked two items."""
    path = tmp_path_factory.mktemp("irt")
    bank, b = choice_bank(path / "bank.parquet", CELLS, 3, keys={"a-01-1": "C"})
    abilities = models(8, 5)
    rng = np.random.default_rng(9)
    people = {f"person:{k:02d}": theta for k, theta in enumerate(rng.normal(0, 1.5, 60))}
    administer(path / "c.db", bank, b, {**abilities, **people}, skipped=["b-02-0", "b-02-1"])
    answer(path / "c.db", bank, "baseline:constant", lambda item: "B")
    return path


@pytest.mark.slow
def test_what_was_not_asked_is_missing_and_bounds_are_left_out(folder: Path) -> None:
    found = read(folder / "c.db")
    assert found.scores.shape == (100, 12)
    empty = found.scores.isna()
    assert list(empty.columns[empty.loc["vllm:lab/aaa-0b"]]) == ["b-02-0", "b-02-1"]
    assert int(empty.to_numpy().sum()) == 2
    assert [entry.code for entry in found.diagnostics] == ["bounds_left_out"]
    assert "baseline:constant" in read(folder / "c.db", bounds=True).scores.index
    one = read(folder / "c.db", examinees=("baseline:constant", "person:01"))
    assert list(one.scores.index) == ["baseline:constant", "person:01"]


@pytest.mark.slow
def test_respondents_have_kind_and_family_and_items_their_labels_and_chance(folder: Path) -> None:
    found = read(folder / "c.db")
    assert found.respondents["kind"].value_counts().to_dict() == {"model": 40, "person": 60}
    assert len(set(found.respondents["family"])) == 8 + 60
    assert family_of("openai:gpt-4o-mini") == "gpt"
    assert set(found.items["options"]) == {4}
    assert set(found.items["chance"]) == {0.25}
    assert found.guessing()[0]["a-01-0"] == 0.25
    assert found.items.loc["b-02-1", ["domain", "size"]].to_list() == ["b", 2]


@pytest.mark.thorough
def test_partial_credit_is_points_and_whole_is_not(tmp_path: Path) -> None:
    bank = paper_bank("multi", tmp_path)
    chosen: Any = [item for item in bank if item.answer_type == "choices"]
    several = next(item for item in chosen if len(item.target) > 1)
    for name, reply in (("vllm:a", right), ("vllm:b", lambda item: str(item.target[0])),
                        ("vllm:c", wrong)):  # fmt: skip
        answer(tmp_path / "m.db", bank.select([several.id]), name, reply)
    points: Any = read(tmp_path / "m.db").scores.iloc[:, 0]
    assert points["vllm:a"] > points["vllm:b"] > points["vllm:c"] == 0
    whole: Any = read(tmp_path / "m.db", counting="whole").scores.iloc[:, 0]
    assert whole.to_list() == [1, 0, 0]


@pytest.mark.thorough
def test_two_conditions_are_two_respondents_where_they_are_compared(tmp_path: Path) -> None:
    bank, b = choice_bank(tmp_path / "b.parquet", CELLS, 2)
    for condition in ("default", "cot=on"):
        administer(tmp_path / "c.db", bank, b, models(3, 2), condition=condition)
    found = read(tmp_path / "c.db", groups="condition")
    assert found.scores.shape == (12, 8)
    assert len(set(found.respondents["examinee"])) == 6
    assert sorted(set(found.respondents["condition"])) == ["cot=on", "default"]
    with pytest.raises(Exception, match="2 conditions"):
        read(tmp_path / "c.db")


def test_an_item_asked_twice_counts_once_and_that_is_said(tmp_path: Path) -> None:
    bank, _ = choice_bank(tmp_path / "b.parquet", CELLS, 1)
    answer(tmp_path / "c.db", bank, "vllm:a", lambda item: "A", occasions=3)
    found = read(tmp_path / "c.db")
    assert found.scores.shape == (1, 4)
    assert found.diagnostics[0].values == {"n": 8}


def analyze(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str
) -> Ran:
    return run_cli(monkeypatch, capsys, "analyze", "irt", *words, "--simulations", "0")


def test_a_wrong_key_is_named_from_the_journal_with_picture_and_replies(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = analyze(
        monkeypatch, capsys, str(folder / "c.db"), "--model", "rasch",
        "--bank", str(folder / "bank.parquet"), "--json",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    found = json.loads(ran.out)
    suspected = [r for r in found["broken_items"] if r["reason"] == "wrong_key"]
    assert [(r["item"], r["with_item"]) for r in suspected] == [("a-01-1", "A")]
    of_item = {r["option"]: r for r in found["options"] if r["item"] == "a-01-1"}
    assert of_item["C"]["key"]
    assert not of_item["A"]["key"]
    assert of_item["A"]["r_low"] > 0 > of_item["C"]["r"]
    assert of_item["A"]["ability_low"] < of_item["A"]["ability"] < of_item["A"]["ability_high"]
    assert sum(row["n"] for row in of_item.values()) == 100
    rows = [r for r in found["replies"] if r["item"] == "a-01-1"]
    assert len(rows) == 100
    assert rows[0]["picture"] == "p1.png"
    assert rows[0]["ability"] >= rows[-1]["ability"]
    assert {row["reply"] for row in rows} == set("ABCD")
    assert "wrong_key" in rows[0]["reasons"]


@pytest.mark.slow
def test_groups_guess_and_design_come_from_the_journal(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = analyze(
        monkeypatch, capsys, str(folder / "c.db"), "--model", "rasch", "--guess", "format",
        "--groups", "kind", "--cluster", "family", "--json",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    found = json.loads(ran.out)
    assert [g["group"] for g in found["latent"]["groups"]] == ["person", "model"]
    assert {row["c"] for row in found["items"]} == {0.25}
    assert found["standard_errors"] == "cluster"
    ran = analyze(
        monkeypatch, capsys, str(folder / "c.db"), "--model", "rasch",
        "--design", "~ size + C(domain)", "--json",
    )  # fmt: skip
    effects = {row["effect"]: row["estimate"] for row in json.loads(ran.out)["design"]["effects"]}
    assert effects["size"] > 0.3


@pytest.mark.slow
def test_few_examinees_are_shrunk_and_slopes_with_a_prior_are_checked(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(folder / "c.db")
    ran = analyze(monkeypatch, capsys, path, "--model", "rasch", "--shrink", "--json")
    shrunk = json.loads(ran.out)
    assert "shrunk_to_items" in {entry["code"] for entry in shrunk["diagnostics"]}
    assert "predictive" not in shrunk
    ran = analyze(
        monkeypatch, capsys, path, "--model", "2pl", "--slope-design", "~ C(domain)", "--json"
    )
    free = json.loads(ran.out)
    assert free["predictive"]["draws"] == 100
    effects = [row["effect"] for row in free["slope_design"]["slope_effects"]]
    assert effects == ["Intercept", "C(domain)[T.b]"]


@pytest.mark.slow
def test_a_table_of_examinees_gives_groups(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    names: Any = read(folder / "c.db").scores.index
    lines = [f"{name},{'ab'[k % 2]}" for k, name in enumerate(names)]
    table = tmp_path / "who.csv"
    table.write_text("\n".join(["examinee,site", *lines]))
    words = (str(folder / "c.db"), "--model", "rasch", "--groups", "site")
    ran = analyze(monkeypatch, capsys, *words, "--examinee-table", str(table), "--json")
    assert [g["group"] for g in json.loads(ran.out)["latent"]["groups"]] == ["a", "b"]
    table.write_text("\n".join(["examinee,site", *lines[1:]]))
    ran = analyze(monkeypatch, capsys, *words, "--examinee-table", str(table))
    assert ran.code == 2
    assert "has no row of examinee" in ran.err
    assert "1 lacking" in ran.err


def test_what_a_table_lacks_is_said_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(1)
    lines = [",".join(map(str, row)) for row in rng.integers(0, 2, (40, 4))]
    (tmp_path / "d.csv").write_text("\n".join(["x1,x2,x3,x4", *lines]))
    for words, said in (
        (("--guess", "format"), "give --item-table with the column 'options'"),
        (("--condition", "default"), "--condition is for a journal"),
        (("--counting", "whole"), "--counting is for a journal"),
    ):
        ran = analyze(monkeypatch, capsys, str(tmp_path / "d.csv"), "--model", "rasch", *words)
        assert ran.code == 2
        assert said in ran.err
        assert len(ran.err.splitlines()) == 1
