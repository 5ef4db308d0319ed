"""Two benchmarks, or two conditions, of one journal are never one measurement without a word."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.banks import make_items
from support.cli import Ran, run_cli
from support.corridors.answering import filled
from support.exam import question

import gfactor as gf
from gfactor.administration import Journal
from gfactor.api.analyses.journal_scores import scores_of_journal
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.items import ItemBank, write_bank
from gfactor.reports import Results
from gfactor.reports.tables.summary import summary
from gfactor.reports.writing.about import facts

LEVELS = {f"openai:m{k}": 0.15 + 0.1 * k for k in range(8)}
COT = {"condition": "cot=on"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pooled")


@pytest.fixture(scope="module")
def toy(folder: Path) -> ItemBank:
    """18 items of three domains."""
    return ItemBank.open(write_bank(make_items("abc"), folder / "toy.parquet"))


@pytest.fixture(scope="module")
def two(folder: Path, toy: ItemBank) -> Path:
    """Two benchmarks, with two and three domains."""
    items = [
        question(f"{domain}{k}", labels={"domain": domain}, target="ABCD"[k % 4])
        for domain in ("animals", "plants")
        for k in range(6)
    ]
    exam = ItemBank.open(write_bank(items, folder / "exam.parquet"))
    return filled(folder / "two.db", (toy, LEVELS, {}), (exam, LEVELS, {}))


@pytest.fixture(scope="module")
def conditions(folder: Path, toy: ItemBank) -> Path:
    """Two examinees, each under two conditions."""
    few = {"openai:a": 0.9, "openai:b": 0.4}
    return filled(folder / "conditions.db", (toy, few, {}), (toy, few, COT))


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    def called(*words: object) -> Ran:
        return run_cli(monkeypatch, capsys, *map(str, words))

    return called


def test_generalizability_is_that_of_one_benchmark(two: Path, call: Any) -> None:
    with pytest.raises(ParameterError, match=r"the benchmarks exam, toy.*--benchmark"):
        gf.gtheory(two, facets=["item"])
    assert gf.gtheory(two, facets=["item"], benchmark="toy").sizes["item"] == 18
    with pytest.raises(UnknownNameError, match="toys"):
        gf.gtheory(two, facets=["item"], benchmark="toys")
    refused = call("analyze", "generalizability", two, "--facets", "item")
    assert "--benchmark" in refused.err
    done = call("analyze", "generalizability", two, "--facets", "item", "--benchmark", "exam",
                "--json")  # fmt: skip
    assert json.loads(done.out)["n"] == 12 * len(LEVELS)


def test_benchmarks_may_be_a_facet(two: Path) -> None:
    study = gf.gtheory(two, facets=["benchmark", "item"], nested={"item": "benchmark"})
    assert study.n == 30 * len(LEVELS)


def test_an_item_response_model_is_that_of_one_benchmark(two: Path, call: Any) -> None:
    fit = ("analyze", "irt", two, "--model", "rasch", "--simulations", 0)
    assert "the benchmarks exam, toy" in call(*fit).err
    assert 6 < json.loads(call(*fit, "--benchmark", "exam", "--json").out)["n_items"] <= 12


def test_a_calibration_is_that_of_one_benchmark(two: Path, call: Any, tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=r"the benchmarks exam, toy.*--benchmark"):
        gf.calibrate(two, force=True)
    names = [entry.name for entry in gf.calibrate(two, benchmark="exam", force=True).entries]
    assert 6 < len(names) <= 12
    assert all(name.startswith(("animals", "plants")) for name in names)
    into = tmp_path / "toy.calibration.json"
    assert "--benchmark" in call("calibrate", two, "-o", into, "--force").err
    assert call("calibrate", two, "-o", into, "--force", "--benchmark", "toy").code == 0
    assert 9 < len(json.loads(into.read_text())["entries"]) <= 18


def test_a_difference_is_explained_within_one_benchmark(two: Path, call: Any) -> None:
    sides: dict[str, Any] = {
        "first_settings": {"examinee": "openai:m1"}, "second_settings": {"examinee": "openai:m6"},
    }  # fmt: skip
    with pytest.raises(ParameterError, match=r"holds the benchmarks exam, toy.*--benchmark"):
        gf.explain_difference(two, two, **sides)
    explained = gf.explain_difference(two, two, **sides, benchmark="exam")
    scores = gf.score(two).table.set_index(["examinee", "benchmark"])["accuracy"]
    assert explained.matched == 12
    assert explained.gap == pytest.approx(scores["openai:m1", "exam"] - scores["openai:m6", "exam"])
    by_side = [
        part
        for side, who in (("--first", "openai:m1"), ("--second", "openai:m6"))
        for part in (side, f"examinee={who}", side, "benchmark=toy")
    ]
    assert "18 items match" in call("explain-difference", two, two, *by_side).out


@pytest.mark.parametrize("aim", ["alpha", "ranks"])
def test_conditions_are_not_planned_as_if_they_were_examinees(conditions: Path, aim: Any) -> None:
    with pytest.raises(ParameterError, match="holds 2 conditions"):
        gf.plan(conditions, aim=aim, target=0.1, simulations=0)


def test_a_difference_between_domains_is_planned_for_one_condition(conditions: Path) -> None:
    how: dict[str, Any] = {"aim": "difference", "target": 0.2, "simulations": 0}
    with pytest.raises(ParameterError, match="holds 2 conditions"):
        gf.plan(conditions, claim="other-domains", **how)
    assert gf.plan(conditions, claim="other-domains", condition="default", **how).chosen


def test_an_examinee_under_two_conditions_is_no_pair(folder: Path, toy: ItemBank) -> None:
    one = {"openai:a": 0.7}
    path = filled(folder / "one.db", (toy, one, {}), (toy, one, COT))
    with pytest.raises(ParameterError, match="two examinees or more, and this one has 1"):
        gf.plan(path, aim="difference", target=0.2, simulations=0)


@pytest.mark.thorough
def test_a_plan_takes_components_of_its_benchmark_alone(two: Path, toy: ItemBank,
                                                        folder: Path) -> None:  # fmt: skip
    alone = filled(folder / "toy.db", (toy, LEVELS, {}))
    how: dict[str, Any] = {"aim": "phi", "target": 0.8, "simulations": 0}
    assert gf.plan(two, benchmark="toy", **how).designs.equals(gf.plan(alone, **how).designs)


@pytest.mark.thorough
def test_examinees_are_counted_once(conditions: Path, call: Any) -> None:
    assert "2 examinees under 2 conditions" in call("compare", conditions).out
    with Journal.open(conditions) as journal:
        told = dict(facts(Results.from_journal(journal)))
    assert told["Examinees"] == "2: 2 models"


@pytest.mark.slow
def test_the_command_counts_examinees_as_its_page_does(
    conditions: Path, folder: Path, call: Any
) -> None:
    said = call("report", conditions, "-o", folder / "report").out
    assert "2 examinees under 2 conditions." in said
    page = (folder / "report" / "report.html").read_text("utf-8")
    assert "2: 2 models" in page
    assert "4: 4 models" not in page


def test_a_matrix_of_items_makes_the_claim_of_its_journal(two: Path) -> None:
    own = gf.compare(two)
    matrix = gf.matrix(two, by="item")
    of_matrix = gf.compare(matrix)
    assert of_matrix.generalizes_to == own.generalizes_to
    assert "these 3 domains" in own.generalizes_to["toy"]
    for column in ("low", "ci_lower", "ci_upper", "p_holm"):
        if column in own.differences:
            assert of_matrix.differences[column].tolist() == pytest.approx(
                own.differences[column].tolist()
            )
    for whole in of_matrix.wholes.values():
        assert not whole.chance  # Nothing but right and wrong is known of these items.


def test_benchmarks_of_a_journal_have_their_domains_as_tasks(two: Path) -> None:
    found = gf.compare_benchmarks(two, n_bootstrap=10).table
    assert dict(zip(found["benchmark"], found["tasks"], strict=True)) == {"exam": 2, "toy": 3}
    model = {"Own": "A =~ a + b\nB =~ c\nB ~ A"}
    assert list(gf.compare_benchmarks(two, models=model, n_bootstrap=10).table["benchmark"]) == [
        "Own", "exam",
    ]  # fmt: skip
    with pytest.raises(UnknownNameError, match="nothing"):
        gf.compare_benchmarks(two, benchmarks=["nothing"], n_bootstrap=10)


def test_analyses_of_tables_take_a_journal(two: Path, call: Any, tmp_path: Path) -> None:
    assert "--benchmark" in call("analyze", "reliability", two).err
    answers = tmp_path / "answers.csv"
    gf.matrix(two, by="item", where={"domain": "animals"}).to_csv(answers)
    how = ("--json",)
    of_journal = call("analyze", "reliability", two, "--benchmark", "exam", "--columns",
                      "animals*", *how)  # fmt: skip
    of_table = call("analyze", "reliability", answers, *how)
    one, other = (json.loads(ran.out) for ran in (of_journal, of_table))
    assert one.pop("data") != other.pop("data")
    assert one == other
    efa = call("analyze", "efa", two, "--benchmark", "toy", "--factors", 1)
    assert efa.code == 0, efa.err
    assert "not show which benchmark" in call("analyze", "efa", answers, "--benchmark", "toy").err


def test_bounds_are_no_members_of_a_population(toy: ItemBank, folder: Path) -> None:
    with_bounds = {**LEVELS, "observer:ideal": 1.0, "baseline:constant": 0.2}
    path = filled(folder / "bounds.db", (toy, with_bounds, {}))
    assert list(scores_of_journal(path, "domain").index) == list(LEVELS)
    only = filled(folder / "only.db", (toy, {"observer:ideal": 1.0}, {}))
    with pytest.raises(ParameterError, match="do not belong to a population"):
        scores_of_journal(only, "domain")


def test_a_report_makes_the_claim_that_is_asked_for(two: Path, folder: Path, call: Any) -> None:
    with Journal.open(two) as journal:
        results = Results.from_journal(journal)
    same, other = (
        summary(replace(results, claim=claim)) for claim in ("same-domains", "other-domains")
    )
    assert same is not None
    assert other is not None
    assert same.frame["accuracy"].equals(other.frame["accuracy"])
    for end in ("low", "high"):
        assert same.frame[f"accuracy_{end}"].equals(other.frame[f"same_domains_{end}"])
        assert same.frame[f"over_domains_{end}"].equals(other.frame[f"accuracy_{end}"])
    assert np.any(same.frame["accuracy_low"] > same.frame["over_domains_low"])
    assert any("generalizes to other domains of this kind" in note for note in other.notes)
    refused = call("report", two, "-o", folder / "no", "--claim", "these-items")
    assert "several occasions" in refused.err
