"""Fewer items of a benchmark keep accuracies, and the loss is that of models not seen before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import gfactor as gf
from gfactor.api.analyses.item_pruning import _without_copies
from gfactor.cli.verbs.prune import command
from gfactor.errors import GfactorError
from gfactor.frames import pick
from gfactor.psychometrics import reliability
from gfactor.psychometrics.pruning import prune_items
from gfactor.psychometrics.pruning.items import _not_better_than_random, choose_items

GROUPS = ["map"] * 30 + ["chart"] * 60
COUNTS = {"map": 10, "chart": 20}


def _answers(models: int = 30, seed: int = 3) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    ability = random.normal(0.5, 1, size=(models, 1))
    chance = 1 / (1 + np.exp(np.tile(np.linspace(-2, 2, 30), 3) - ability))
    right = random.uniform(size=chance.shape) < chance
    return pd.DataFrame(
        right.astype(float), [f"m{k}" for k in range(models)], [f"i{k}" for k in range(90)]
    )


@pytest.mark.thorough
def test_every_group_keeps_its_items_and_accuracies_are_those_of_all_items() -> None:
    scores = _answers()
    pruned = prune_items(scores, GROUPS, COUNTS, n_bootstrap=50)
    assert pruned.coverage.to_dict("list") == {
        "group": ["map", "chart"], "items": [30, 60], "retained": [10, 20],
    }  # fmt: skip
    kept = scores[list(pruned.retained)].mean(axis=1)
    away = np.abs(kept - scores.mean(axis=1))
    at_random = scores.sample(n=30, axis=1, random_state=1).mean(axis=1) - scores.mean(axis=1)
    assert away.mean() < 0.5 * np.abs(at_random).mean()
    np.testing.assert_allclose(pruned.models["retained"], kept)


def test_the_loss_is_of_items_that_the_model_had_no_part_in_choosing() -> None:
    scores = _answers(8)
    pruned: Any = prune_items(scores, GROUPS, COUNTS, n_bootstrap=50)
    others = choose_items(scores.drop(index="m3").to_numpy(), GROUPS, COUNTS)
    assert pruned.models["unseen"][3] == scores.loc["m3"][others].mean()
    error = pruned.models["unseen"] - pruned.models["accuracy"]
    np.testing.assert_allclose(pruned.loss.loc["error_of_accuracy", "estimate"],
                               np.sqrt((error**2).mean()))  # fmt: skip
    np.testing.assert_allclose(
        pruned.loss.loc["rank_correlation", "estimate"],
        pruned.models["unseen"].corr(pruned.models["accuracy"], "spearman"),
    )
    assert "few_models" in {entry.code for entry in pruned.diagnostics}


@pytest.mark.thorough
def test_reliability_before_and_after_is_alpha() -> None:
    scores = _answers()
    pruned = prune_items(scores, GROUPS, COUNTS, n_bootstrap=0)
    before, after = pruned.loss["estimate"][["alpha_before", "alpha_after"]]
    assert before == pytest.approx(reliability(scores).alpha)
    assert after == pytest.approx(reliability(pick(scores, list(pruned.retained))).alpha)
    assert after < before
    assert pruned.loss["ci_lower"]["alpha_after"] < after < pruned.loss["ci_upper"]["alpha_after"]


@pytest.mark.thorough
def test_an_interval_of_the_order_holds_that_of_new_models() -> None:
    everybody = _answers(400)
    seen, new = everybody.iloc[:40], everybody.iloc[40:]
    pruned = prune_items(seen, GROUPS, COUNTS, n_bootstrap=400)
    kept = new[list(pruned.retained)].mean(axis=1)
    row = pruned.loss.loc["rank_correlation"]
    assert row["ci_lower"] < kept.corr(new.mean(axis=1), "spearman") < row["ci_upper"]


def test_a_group_without_items_is_a_warning() -> None:
    pruned = prune_items(_answers(), GROUPS, {"map": 0, "chart": 9}, n_bootstrap=10)
    (lost,) = [entry for entry in pruned.diagnostics if entry.code == "groups_lost"]
    assert lost.where == ("map",)
    assert "in 1 of 2 groups" in pruned.title


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("board")
    bank = gf.build(
        "percept-v", domains=["counting_circles", "sort_lines"], sizes=[2, 4, 6], instances=2,
        path=folder / "b.parquet",
    )  # fmt: skip
    who = [f"observer:limited?acuity=0.3&capacity={k}&seed={k}" for k in (2, 3, 4, 5)]
    gf.run(bank, [*who, "baseline:random"], journal=folder / "c.db")
    return folder / "c.db", folder / "b.parquet"


def test_the_command_says_what_is_lost_and_writes_the_bank(
    board: tuple[Path, Path], tmp_path: Path
) -> None:
    words: list[Any] = [str(board[0]), "--items", "6", "--bank", str(board[1]), "-o",
                        str(tmp_path / "few")]  # fmt: skip
    done = CliRunner().invoke(command, words)
    assert done.exit_code == 0, done.output
    assert "6 of 12 items retained, in 2 of 2 groups (domain); 4 examinees" in done.output
    assert "rank_correlation" in done.output
    few = gf.open_bank(tmp_path / "few" / "pruned.parquet")
    table = pd.read_csv(tmp_path / "few" / "tables" / "items.csv")
    assert list(few.ids) == [name for name in gf.open_bank(board[1]).ids
                             if name in set(table["item"][table["retained"]])]  # fmt: skip
    assert few.metadata["derived"][-1]["what"] == "6 of 12 items, pruned"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--items", "12"], "from 2 to 11"),
        (["--items", "6", "--vif", "3"], "--vif does not go with --items"),
        (["--bank", "b.parquet"], "--bank goes with --items"),
        (["--by", "size"], "--by goes with --items"),
        (["--items", "6", "--bank", "b.parquet"], "-o FOLDER"),
    ],
)
def test_what_does_not_go_together_is_refused(
    board: tuple[Path, Path], words: list[str], sentence: str
) -> None:
    with pytest.raises(GfactorError, match=sentence):
        CliRunner().invoke(command, [str(board[0]), *words], catch_exceptions=False)


def test_models_and_items_that_do_not_count_are_named(board: tuple[Path, Path]) -> None:
    left = gf.prune_items(board[0], 6, without=["*capacity=5*"])
    assert len(left.models) == 3
    with pytest.raises(GfactorError, match="three examinees or more"):
        gf.prune_items(board[0], 6, without=["*capacity=5*", "*capacity=4*"])
    table = gf.matrix(board[0], by="item").scores.drop(index="baseline:random?seed=0")
    table.iloc[0, 0] = np.nan
    pruned = gf.prune_items(table, 6, by="benchmark")
    assert "1 of 12 items were not answered by everybody" in pruned.summary()


def _persons(blanks: float) -> pd.DataFrame:
    """Answers of 200 persons to 20 items, one with a wrong key, with some answers missing."""
    table = _answers(200).iloc[:, :20].assign(wrong=lambda t: 1 - t["i15"])
    gaps = np.random.default_rng(1).uniform(size=table.shape) < blanks
    return table.mask(gaps).rename(index=lambda name: f"P{name}")


def test_a_table_of_persons_needs_no_labels_and_may_have_gaps(tmp_path: Path) -> None:
    _persons(0.02).to_csv(tmp_path / "p.csv", index_label="Nr")
    words = [str(tmp_path / "p.csv"), "--items", "8"]
    done = CliRunner().invoke(command, words)
    assert done.exit_code == 0, done.output
    complete = int(_persons(0.02).notna().all(axis=1).sum())
    assert f"{200 - complete} of 200 examinees did not answer every item" in done.output
    assert f"8 of 21 items retained, in 1 of 1 group (benchmark); {complete} ex" in done.output
    assert "1 item correlated below 0 with the sum of the others: wrong." in done.output
    again = CliRunner().invoke(command, [*words, "--drop", "wrong"])
    assert "8 of 20 items retained" in again.output
    assert "correlated below 0" not in again.output


def test_gaps_that_leave_nothing_to_choose_from_are_counted() -> None:
    with pytest.raises(GfactorError, match=r"8 items cannot be chosen: [0-2] of 200 examinees"):
        gf.prune_items(_persons(0.3), 8)


def test_items_that_are_no_better_than_random_ones_are_said_to_be_so_first() -> None:
    """Alpha, of the models that chose, does not count."""
    loss = pd.DataFrame(
        {"estimate": [0.8, 0.77, 0.90, 0.08, 0.2], "random": [np.nan, 0.72, 0.94, 0.06, 0.1]},
        ["alpha_before", "alpha_after", "rank_correlation", "error_of_accuracy", "largest_error"],
    )
    (warning,) = _not_better_than_random(loss)
    assert "rank_correlation 0.900, 0.940 with random ones; error_of_accuracy 0.080" in str(warning)
    loss.loc["rank_correlation", "estimate"] = 0.95
    assert _not_better_than_random(loss), "one of three"
    loss.loc["largest_error", "estimate"] = 0.09
    assert not _not_better_than_random(loss)
    random = np.random.default_rng(0)
    noise = pd.DataFrame(random.integers(0, 2, (4, 60)).astype(float))
    pruned = prune_items(noise, ["a"] * 60, {"a": 12}, n_bootstrap=0)
    first = pruned.diagnostics[0].code == "not_better_than_random"
    assert first == bool(_not_better_than_random(pruned.loss))


def test_no_model_gains_by_the_share_of_easy_items() -> None:
    """50 of 70 items make 20 parts of two items and 30 of one, for easy and hard items alike. With
    the pairs among the hard items, accuracies would be too high by 0.07."""
    scores = np.triu(np.ones((70, 70)))[::5]
    chosen = choose_items(scores, ["a"] * 70, {"a": 50})
    away = scores[:, chosen].mean(axis=1) - scores.mean(axis=1)
    assert np.abs(away).max() < 0.015
    assert abs(away.mean()) < 0.005


def test_of_items_that_ask_the_same_one_can_be_retained() -> None:
    table = pd.DataFrame(np.eye(4), columns=["q0", "q1", "q2", "q3"])
    facts = pd.DataFrame({"_item": table.columns, "item_hash": ["x", "y", "x", "z"]})
    left, (note,) = _without_copies(table, facts)
    assert list(left) == ["q0", "q1", "q3"]
    assert note.sentence == "1 of 4 items ask the same as an earlier one and are left out: q2."
    assert _without_copies(left, facts)[1] == []
