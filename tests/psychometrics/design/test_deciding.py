"""What is decided while asking goes on is wrong in at most 5 % of runs, however often one looks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from gfactor.errors import ParameterError
from gfactor.psychometrics.inference.deciding import rank_sequentially
from gfactor.psychometrics.inference.peeking import false_alarm
from gfactor.psychometrics.inference.sequential import (
    anytime_p,
    compare_sequentially,
    confidence_sequence,
    interval_so_far,
    mcnemar_log_e,
)

ALPHA = 0.05


def answers(p: list[float], n: int, seed: int) -> pd.DataFrame:
    right = np.random.default_rng(seed).random((n, len(p))) < p
    return pd.DataFrame(right.astype(float), columns=list("abcdefg")[: len(p)])


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("values", "bounds"),
    [
        (np.random.default_rng(1).random(150) < 0.7, (0.0, 1.0)),
        (np.random.default_rng(2).choice([-1, 0, 1], 200, p=[0.1, 0.6, 0.3]), (-1.0, 1.0)),
        (np.random.default_rng(3).beta(4, 2, 120), (0.0, 1.0)),
        (np.ones(60), (0.0, 1.0)),
        (np.zeros(40), (0.0, 1.0)),
    ],
)
def test_the_interval_so_far_is_the_last_of_the_confidence_sequence(
    values: np.ndarray, bounds: tuple[float, float]
) -> None:
    whole = confidence_sequence(np.asarray(values, float), bounds=bounds).iloc[-1]
    ends = interval_so_far(np.asarray(values, float), bounds=bounds)
    assert ends == pytest.approx((whole["ci_lower"], whole["ci_upper"]), abs=1e-9)


@pytest.mark.thorough
def test_a_pair_is_what_the_comparison_of_two_examinees_says() -> None:
    table = answers([0.8, 0.6], 200, seed=4)
    row = rank_sequentially(table).pairs.iloc[0]
    alone = compare_sequentially(table["a"], table["b"])
    assert (row["decision"], row["decided_at"]) == (alone.decision, alone.decided_at)
    assert row["p"] == pytest.approx(alone.p, rel=1e-9)
    assert row["p_holm"] == row["p"]
    assert row["ci_lower"] == pytest.approx(alone.ci_lower, abs=1e-9)


def test_items_count_up_to_the_first_that_one_of_the_two_has_still_to_answer() -> None:
    """Answers that take long may be wrong ones: items must not count in the order of answers."""
    table = answers([0.9, 0.5], 100, seed=5)
    settled = pd.DataFrame(True, index=table.index, columns=table.columns)
    settled.loc[30, "b"] = False
    found = rank_sequentially(table, settled=settled)
    row = found.pairs.iloc[0]
    assert (row["n"], row["waiting"]) == (30, 1)
    assert row["p"] == rank_sequentially(table.iloc[:30]).pairs["p"].iloc[0]
    assert found.diagnostics[0].code == "unsettled_items"
    assert found.ranks.loc[["a", "b"], "n"].tolist() == [100, 30]


def test_a_failed_attempt_is_left_out_and_not_waited_for() -> None:
    table = answers([0.9, 0.5], 50, seed=6)
    table.loc[7, "a"] = np.nan
    row = rank_sequentially(table).pairs.iloc[0]
    assert (row["n"], row["waiting"]) == (49, 0)


def test_rank_sets_follow_from_the_decided_pairs() -> None:
    found = rank_sequentially(answers([0.6, 0.95, 0.6], 400, seed=7))
    assert found.ranks.index[0] == "b"
    assert found.ranks.loc["b", ["best", "worst"]].tolist() == [1, 1]
    assert found.ranks.loc["a", ["best", "worst"]].tolist() == [2, 3]
    assert (found.between("b", "a"), found.between("a", "b")) == ("better", "worse")
    assert found.between("a", "c") == "undecided"
    assert not found.decided
    with pytest.raises(ParameterError, match="'a' and 'x' were not compared"):
        found.between("a", "x")


def test_graded_scores_are_decided_by_bets() -> None:
    rng = np.random.default_rng(8)
    table = pd.DataFrame({"a": rng.beta(6, 2, 300), "b": rng.beta(4, 4, 300)})
    row = rank_sequentially(table).pairs.iloc[0]
    assert row["decision"] == "first"
    assert np.isnan(row["b"])
    assert row["ci_lower"] > 0
    mirrored = rank_sequentially(pd.DataFrame({"a": table["b"], "b": table["a"]}))
    assert mirrored.pairs["decision"].iloc[0] == "second"


@pytest.mark.thorough
def test_equal_examinees_are_called_different_in_at_most_5_percent_of_runs() -> None:
    """4,000 runs of 400 items, looked at after each; McNemar's own test errs in a third of them."""
    rng = np.random.default_rng(9)
    d = rng.choice([-1, 0, 1], size=(4000, 400), p=[0.2, 0.6, 0.2])
    b, c = np.cumsum(d > 0, axis=1), np.cumsum(d < 0, axis=1)
    ever = (mcnemar_log_e(b, c).max(axis=1) >= np.log(1 / ALPHA)).mean()
    assert 0.005 < ever <= ALPHA
    pairs = np.maximum(b + c, 1)
    naive = (((b - c) ** 2 / pairs > 3.8415) & (b + c >= 20)).any(axis=1).mean()
    assert naive > 0.25
    assert naive == pytest.approx(false_alarm(0.5, 160, first_look=20), abs=0.03)


@pytest.mark.slow
@pytest.mark.parametrize("graded", [False, True])
def test_among_three_equal_examinees_any_claim_is_made_in_at_most_5_percent_of_runs(
    graded: bool,
) -> None:
    wrong = 0
    for seed in range(100):
        table = answers([0.5] * 3, 100, seed)
        if graded:
            table = (table + np.random.default_rng(seed + 1000).random(table.shape)) / 2
        wrong += bool((rank_sequentially(table).pairs["decision"] != "undecided").any())
    # Binomial(100, .05) exceeds 11 in less than 0.5 % of cases.
    assert wrong <= 11


def test_an_inferior_examinee_is_hardly_ever_called_better() -> None:
    """Holm's adjustment covers directions: 1,000 runs, P(only worse one right) = .15 against .2."""
    rng = np.random.default_rng(10)
    d = rng.choice([-1, 0, 1], size=(1000, 300), p=[0.2, 0.65, 0.15])
    b, c = np.cumsum(d > 0, axis=1), np.cumsum(d < 0, axis=1)
    log_e = mcnemar_log_e(b, c, alternative="greater")
    assert (log_e.max(axis=1) >= np.log(1 / ALPHA)).mean() < ALPHA / 2
    assert anytime_p(log_e[0])[-1] <= 1


def test_what_naive_peeking_costs_stands_beside_it() -> None:
    found = rank_sequentially(answers([0.7, 0.7], 300, seed=11))
    mean = found.ranks["mean"].mean()
    assert found.naive_false_alarm == pytest.approx(false_alarm(mean, 300, first_look=20))
    row = found.pairs.iloc[0]
    discordant = int(row["b"] + row["c"])
    assert row["naive_false_alarm"] == pytest.approx(false_alarm(0.5, discordant, first_look=20))


def test_what_cannot_be_compared_is_refused() -> None:
    with pytest.raises(ParameterError, match="two examinees"):
        rank_sequentially(answers([0.5], 10, 1))
    with pytest.raises(ParameterError, match="between 0 and 1"):
        rank_sequentially(answers([0.5, 0.5], 10, 1) * 2)
    with pytest.raises(ParameterError, match="confidence level"):
        rank_sequentially(answers([0.5, 0.5], 10, 1), level=1.0)
    nothing = rank_sequentially(answers([0.5, 0.5], 10, 1) * np.nan)
    assert nothing.diagnostics[0].code == "no_common_items"
    assert nothing.pairs["decision"].iloc[0] == "undecided"


def test_a_ranking_in_progress_says_which_pairs_are_decided() -> None:
    rng = np.random.default_rng(4)
    frame: Any = pd.DataFrame({"a": rng.random(120) < 0.95, "b": rng.random(120) < 0.1,
                          "c": rng.random(120) < 0.15}).astype(float)  # fmt: skip
    found = rank_sequentially(frame)
    assert not found.decided
    assert found.between("a", "b") == "better"
    assert found.between("b", "a") == "worse"
    assert found.between("b", "c") == "undecided"
    assert rank_sequentially(frame[["a", "b"]]).decided
