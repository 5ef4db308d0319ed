"""A table of items of two benchmarks is two measurements, unless somebody asks for one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.banks import make_items
from support.cli import Ran, run_cli
from support.corridors.answering import filled
from support.exam import question

import gfactor as gf
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.items import ItemBank, write_bank

MODELS, ITEMS = 40, 4
MMMU = [f"mmmu_dev_val:{k}" for k in range(ITEMS)]
MMT = [f"mmt:{k}" for k in range(ITEMS)]


@pytest.fixture(scope="module")
def answers() -> pd.DataFrame:
    """Right and wrong answers to items of two public benchmarks, named as `gf.place` names them."""
    rng = np.random.default_rng(1)
    ability = rng.normal(size=(MODELS, 1))
    right = ability + rng.normal(size=(MODELS, 2 * ITEMS)) > 0
    names = [f"m{k}" for k in range(MODELS)]
    return pd.DataFrame(right.astype(float), index=names, columns=[*MMMU, *MMT])


ANALYSES: dict[str, Callable[..., Any]] = {
    "reliability": gf.reliability,
    "consistency": gf.consistency,
    "efa": lambda data, **how: gf.efa(data, 1, **how),
    "adequacy": gf.adequacy,
    "irt": lambda data, **how: gf.irt("rasch", data, **how),
}


def columns_of(result: Any) -> list[str]:
    """The items behind a result, whatever it calls them."""
    for read in (
        lambda r: r.indicators.get("indicator", r.indicators.index),
        lambda r: r.loadings.index, lambda r: r.table.items,
    ):  # fmt: skip
        try:
            return [str(name) for name in read(result)]
        except AttributeError:
            continue
    raise AssertionError(type(result))


@pytest.mark.parametrize("name", ANALYSES)
def test_items_of_two_benchmarks_are_no_scale_without_a_word(
    name: str, answers: pd.DataFrame
) -> None:
    analyze = ANALYSES[name]
    with pytest.raises(ParameterError, match=r'mmmu_dev_val, mmt, which .*--benchmark .*"all"'):
        analyze(answers)
    assert columns_of(analyze(answers, benchmark="mmt")) == MMT
    assert columns_of(analyze(answers, benchmark="all")) == [*MMMU, *MMT]
    with pytest.raises(UnknownNameError, match="mmbench"):
        analyze(answers, benchmark="mmbench")


def test_factors_that_name_their_items_say_what_belongs_together(answers: pd.DataFrame) -> None:
    by_name = {"a": MMMU, "b": MMT}
    fit = gf.irt("2pl", answers, factors=by_name, force=True, tolerance=1e-2)
    assert list(fit.table.items) == [*MMMU, *MMT]


@pytest.mark.thorough
def test_names_of_other_columns_are_not_taken_for_items(answers: pd.DataFrame) -> None:
    means = answers * 0.5 + 0.1
    assert gf.reliability(means).k == 2 * ITEMS
    plain = answers.rename(columns={"mmt:0": "extra"})
    assert gf.reliability(plain).k == 2 * ITEMS
    with pytest.raises(ParameterError, match="do not show which benchmark"):
        gf.reliability(plain, benchmark="mmt")


def test_a_comparison_of_such_a_table_compares_each_benchmark(answers: pd.DataFrame) -> None:
    few = answers.iloc[:3]
    compared = gf.compare(few)
    assert list(compared.wholes) == ["mmmu_dev_val", "mmt"]
    table = gf.score(few).table.set_index(["benchmark", "examinee"])
    assert table.loc[("mmt", "m0"), "accuracy"] == few.loc["m0", MMT].mean()


def test_ranks_are_of_one_benchmark(answers: pd.DataFrame) -> None:
    few = answers.iloc[:3].T
    with pytest.raises(ParameterError, match="mmmu_dev_val, mmt"):
        gf.rank_sets(few)
    means = gf.rank_sets(few, benchmark="mmt").table["mean"]
    assert means["m1"] == few.loc[MMT, "m1"].mean()
    assert set(gf.rank_sets(few, benchmark="all").table["n"]) == {2 * ITEMS}


@pytest.mark.thorough
def test_the_matrix_of_a_journal_says_which_benchmark_its_items_are_of(tmp_path: Path) -> None:
    questions = [question(f"q{k}", target="ABCD"[k % 4]) for k in range(6)]
    banks = [
        ItemBank.open(write_bank(items, tmp_path / f"{k}.parquet"))
        for k, items in enumerate((make_items("ab", sizes=1, instances=3), questions))
    ]
    who = {f"openai:m{k}": 0.3 + 0.1 * k for k in range(6)}
    journal = filled(tmp_path / "c.db", *((bank, who, {}) for bank in banks))
    matrix = gf.matrix(journal, by="item")
    with pytest.raises(ParameterError, match="benchmarks exam, toy"):
        gf.reliability(matrix)
    with pytest.raises(ParameterError, match="benchmarks exam, toy"):
        gf.irt("rasch", matrix)
    ranks = gf.rank_sets(matrix, benchmark="exam").table
    assert set(ranks["n"]) == {6}
    exam = [name for name in matrix.scores if name in {f"q{k}" for k in range(6)}]
    assert ranks["mean"].to_dict() == pytest.approx(matrix.scores[exam].mean(axis=1).to_dict())


@pytest.mark.thorough
def test_commands_take_a_benchmark_of_the_columns(
    answers: pd.DataFrame,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def call(*words: object) -> Ran:
        return run_cli(monkeypatch, capsys, *map(str, words))

    path = tmp_path / "answers.csv"
    answers.to_csv(path)
    for command in (
        ("efa", "--factors", 1), ("adequacy",), ("reliability",),
        ("irt", "--model", "rasch", "--simulations", 0),
    ):  # fmt: skip
        refused = call("analyze", command[0], path, *command[1:])
        assert refused.code == 2, command
        assert "--benchmark" in refused.err, command
        for name in ("mmt", "all"):
            ran = call("analyze", command[0], path, *command[1:], "--benchmark", name, "--json")
            assert ran.code == 0, (command, ran.err)
            text = json.dumps(json.loads(ran.out))
            assert "mmt:1" in text, command
            assert ("mmmu_dev_val:1" in text) == (name == "all"), command
