"""Confidence sequences and e-processes are confseq's and the closed forms', to nine digits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.design_oracles import data, recorded
from support.tiers import few

from gfactor.errors import ParameterError
from gfactor.psychometrics.inference.peeking import false_alarm
from gfactor.psychometrics.inference.sequential import (
    anytime_p,
    betting_log_capital,
    compare_sequentially,
    confidence_sequence,
    mcnemar_log_e,
)

STREAMS = ["cs_stream_50", "cs_stream_70", "cs_stream_95", "cs_stream_all_right", "cs_stream_beta"]
BINARY = STREAMS[:-1]


@pytest.mark.thorough
@pytest.mark.parametrize("name", few(STREAMS, 2))
def test_the_betting_sequence_is_bounded_where_the_capital_reaches_its_threshold(name: str) -> None:
    theirs, x = recorded(name)["result"], data(name)["x"].to_numpy()
    at = np.array(theirs["t"]) - 1
    ours = confidence_sequence(x, running_intersection=False)
    free = theirs["betting_cs_grid_free_own"]
    assert ours["ci_lower"].to_numpy()[at] == pytest.approx(free["lower"], abs=1e-9)
    assert ours["ci_upper"].to_numpy()[at] == pytest.approx(free["upper"], abs=1e-9)
    for mean, capital in theirs["log_capital_at_m"].items():
        assert betting_log_capital(x, [float(mean)])[at, 0] == pytest.approx(capital, abs=1e-9)


@pytest.mark.thorough
@pytest.mark.parametrize("name", few(STREAMS, 2))
def test_a_running_intersection_stays_within_a_grid_cell_of_confseq(name: str) -> None:
    theirs, x = recorded(name)["result"], data(name)["x"].to_numpy()
    at, grid = np.array(theirs["t"]) - 1, theirs["betting_cs_grid1000_running_intersection"]
    ours = confidence_sequence(x)
    assert ours["ci_lower"].to_numpy()[at] == pytest.approx(grid["lower"], abs=0.0011)
    assert ours["ci_upper"].to_numpy()[at] == pytest.approx(grid["upper"], abs=0.0011)
    assert ours["ci_lower"].is_monotonic_increasing
    assert ours["ci_upper"].is_monotonic_decreasing


@pytest.mark.parametrize(("key", "q"), [("beta_1_1", 1.0), ("beta_half_half", 0.5)])
@pytest.mark.parametrize("name", BINARY)
def test_the_mixture_sequence_is_the_closed_form(name: str, key: str, q: float) -> None:
    theirs, x = recorded(name)["result"], data(name)["x"].to_numpy()
    ours = confidence_sequence(x, method="mixture", prior=(q, q), running_intersection=False)
    at = np.array(theirs["t"]) - 1
    for end, column in (("lower", "ci_lower"), ("upper", "ci_upper")):
        expected = theirs[f"mixture_cs_{key}"][end]
        assert ours[column].to_numpy()[at] == pytest.approx(expected, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["eprocess_mcnemar_effect", "eprocess_mcnemar_null"])
def test_the_e_process_of_mcnemar_and_its_stopping_item(name: str) -> None:
    theirs, table = recorded(name)["result"], data(name)
    a, b = table["model_a"].to_numpy(), table["model_b"].to_numpy()
    first, second = np.cumsum(a > b), np.cumsum(b > a)
    at = np.array(theirs["t"]) - 1
    for key, q in (("beta_1_1", 1.0), ("beta_half_half", 0.5)):
        log_e = mcnemar_log_e(first, second, prior=q)
        assert log_e[at] == pytest.approx(theirs[key]["log_e"], abs=1e-9)
        assert anytime_p(log_e)[at] == pytest.approx(theirs[key]["anytime_p"], rel=1e-8)
        reached = np.flatnonzero(log_e >= np.log(20))
        assert (int(reached[0]) + 1 if reached.size else None) == (
            theirs[key]["first_item_with_e_ge_20"]
        )
    one_sided = theirs["one_sided_a_better_uniform_on_half_1"]
    log_e = mcnemar_log_e(first, second, alternative="greater")
    assert log_e[at] == pytest.approx(one_sided["log_e"], abs=1e-9)
    decided = compare_sequentially(a, b).decided_at
    assert decided == theirs["beta_1_1"]["first_item_with_e_ge_20"]


def test_false_alarms_of_peeking_are_exact() -> None:
    for row in recorded("false_alarm_table")["result"]["bernoulli"]:
        if row["N"] <= 100:
            rule = row["rule"].removesuffix("_beta_1_1")
            found = false_alarm(row["p"], row["N"], first_look=row["first_look"], rule=rule)
            assert found == pytest.approx(row["exact_false_alarm"], abs=1e-12), row


@pytest.mark.thorough
def test_the_mean_of_differences_is_covered_on_its_own_scale() -> None:
    scores = confidence_sequence([1, 0, -1, 1] * 30, bounds=(-1, 1))
    inner = confidence_sequence([1.0, 0.5, 0.0, 1.0] * 30)
    assert scores["ci_lower"].to_numpy() == pytest.approx(2 * inner["ci_lower"].to_numpy() - 1)
    assert scores["estimate"].iloc[-1] == pytest.approx(0.25)


@pytest.mark.thorough
def test_equal_examinees_stay_undecided_and_swapped_ones_swap_the_decision() -> None:
    x, y = np.tile([1, 0, 1, 0], 50), np.tile([0, 1, 1, 0], 50)
    assert compare_sequentially(x, y).decision == "undecided"
    better = compare_sequentially(np.ones(40), np.zeros(40))
    worse = compare_sequentially(np.zeros(40), np.ones(40))
    assert (better.decision, worse.decision) == ("first", "second")
    assert better.estimate == -worse.estimate == 1.0
    assert better.decided_at == worse.decided_at


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: confidence_sequence([0.2, 1.2]), "outside the bounds"),
        (lambda: confidence_sequence([]), "one value or more"),
        (lambda: confidence_sequence([0.5], method="mixture"), "scores of 0 and 1"),
        (lambda: confidence_sequence([1], level=1), "between 0 and 1"),
        (lambda: compare_sequentially([1, 0], [1]), "same items"),
        (lambda: false_alarm(1.0, 10), "p in \\(0, 1\\)"),
    ],
)
def test_mistakes_are_named(call, words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        call()


def test_graded_scores_are_compared_by_bets_against_no_difference() -> None:
    rng = np.random.default_rng(2)
    x, y = rng.uniform(0.4, 1, 80), rng.uniform(0, 0.7, 80)
    found: Any = compare_sequentially(x, y, graded=True, level=0.9)
    bets = betting_log_capital((x - y + 1) / 2, [0.5], alpha=1 - 0.9)[:, 0]
    assert found.path["log_e"].to_numpy() == pytest.approx(bets)
    assert found.decision == "first"
    assert found.path["p"].iloc[found.decided_at - 1] <= 0.1 + 1e-12
    assert found.path["p"].iloc[found.decided_at - 2] > 0.1
    assert compare_sequentially(y, x, graded=True, level=0.9).decision == "second"
    for bad in (np.full(3, 1.2), np.full(3, -0.1)):
        with pytest.raises(ParameterError):
            compare_sequentially(bad, np.zeros(3), graded=True)
        with pytest.raises(ParameterError):
            compare_sequentially(np.zeros(3), bad, graded=True)
    with pytest.raises(ParameterError, match="needs scores of 0 and 1; set graded"):
        compare_sequentially([0.5], [1])
    with pytest.raises(ParameterError, match="scores of the same items, got 1 and 2"):
        compare_sequentially([1], [1, 0])
