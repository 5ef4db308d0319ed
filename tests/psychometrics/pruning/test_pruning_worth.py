"""Whether a pruning is stable, and what it is worth to models that did not choose it."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from support.benchmarks import simulated

from gfactor.errors import ParameterError
from gfactor.psychometrics.alignment import Criterion
from gfactor.psychometrics.gold import model_from_columns
from gfactor.psychometrics.gold.data import prepared, resampled
from gfactor.psychometrics.gold.model import pool_of
from gfactor.psychometrics.pruning import PruningRules, ablation, prune, stability, validate
from gfactor.psychometrics.pruning.resampled import _nogueira
from gfactor.psychometrics.pruning.validation import _mean_of_folds, rank_yardstick


def rated(data: Any, n: int, noise: float = 5.0) -> Criterion:
    rng = np.random.default_rng(7)
    some = data.index[:n]
    values = data.loc[some].mean(axis=1) + rng.normal(0, noise, n)
    return Criterion("arena", values, pd.Series(1.0, index=some))


@pytest.mark.thorough
def test_shares_are_those_of_prunings_of_the_resampled_tables() -> None:
    data = simulated(50, seed=3)
    model = model_from_columns(list(data))
    made = prune(model, data, PruningRules(vif=3, loading=0.8))
    found = stability(data, made, n_bootstrap=8, seed=4)
    table = prepared(data, model)
    by_hand = np.zeros(data.shape[1])
    for r in resampled(table, pool_of(model), 8, 4):
        for matrix in r:
            lower = np.linalg.cholesky(matrix + 1e-12 * np.eye(len(matrix)))
            noise = np.linalg.qr(np.random.default_rng(0).normal(size=(200, len(matrix))))[0]
            noise = np.linalg.qr(noise - noise.mean(axis=0))[0]
            scores = pd.DataFrame(noise @ lower.T, columns=list(table.columns))
            kept = prune(model, scores, made.rules).tasks_left
            by_hand += np.isin(table.columns, kept)
    assert np.allclose(found.tasks["kept"], by_hand / 8)


@pytest.mark.thorough
def test_who_waits_for_resamples_folds_and_ablations_hears_of_them() -> None:
    data = simulated(60, tasks=4, constructs=3)
    made = prune(model_from_columns(list(data)), data, PruningRules(vif=3, loading=0.8))
    told: list[int] = []
    stability(data, made, n_bootstrap=40, watch=told.append)
    assert sum(told) == 40
    assert max(told) <= 5
    folds: list[int] = []
    validate(data, made, folds=4, watch=folds.append)
    assert folds == [1] * 4
    assert len(validate(data.head(10), made, folds=2).ranks) > 0
    for few, most in ((10, 2), (14, 2), (59, 11)):
        with pytest.raises(
            ParameterError, match=f"{few} models can make 2 to {most} folds of at le"
        ):
            validate(data.head(few), made, folds=most + 1)
    with pytest.raises(ParameterError, match="of at least five models, not 1"):
        validate(data, made, folds=1)
    combinations: list[int] = []
    table = ablation(made.model, data, watch=combinations.append)
    assert combinations == [1] * len(table) == [1] * 18


@pytest.mark.thorough
def test_clear_tasks_are_always_kept_and_noise_never() -> None:
    data = simulated(150, tasks=4, spread=0.8)
    rng = np.random.default_rng(5)
    for c in (1, 2, 3):
        data[f"B.C{c}.noise"] = rng.normal(size=150)
    made = prune(model_from_columns(list(data)), data, PruningRules(vif=20))
    found = stability(data, made, n_bootstrap=100)
    kept: Any = found.tasks.set_index("task")["kept"]
    assert kept[[c for c in kept.index if c.endswith("noise")]].max() == 0
    assert kept[[c for c in kept.index if not c.endswith("noise")]].min() > 0.9
    assert found.stability > 0.9
    assert not found.diagnostics


@pytest.mark.thorough
def test_tasks_that_are_all_alike_make_an_unstable_choice_and_it_is_said() -> None:
    data = simulated(60, tasks=8, spread=2.0)
    made = prune(model_from_columns(list(data)), data, PruningRules(vif=3))
    found = stability(data, made, n_bootstrap=30)
    assert found.diagnostics[0].code == "unstable_selection"
    assert found.low <= found.stability <= found.high
    assert json.dumps(found.to_dict(), allow_nan=False)
    again = stability(data, made, n_bootstrap=30)
    assert found.to_dict() == again.to_dict()


def test_the_interval_of_stability_is_as_wide_as_stability_varies() -> None:
    """Tasks kept with shares from 5 to 95 %: 300 sets of 100 resamples each."""
    shares = np.linspace(0.05, 0.95, 15)
    rng = np.random.default_rng(0)
    found = np.array([_nogueira(rng.random((100, 15)) < shares) for _ in range(300)])
    value, low, high = found.T
    np.testing.assert_allclose(high - value, value - low)
    assert (high - value).mean() == pytest.approx(1.96 * value.std(), rel=0.12)
    truth = 1 - np.mean(shares * (1 - shares)) / (shares.mean() * (1 - shares.mean()))
    assert value.mean() == pytest.approx(truth, abs=0.005)


def test_the_interval_of_stability_is_that_of_its_influence_function() -> None:
    """Derivatives of the stability by each resample's weight, by differences."""
    rng = np.random.default_rng(3)
    kept = (rng.random((800, 9)) < np.linspace(0.6, 0.98, 9)).astype(float)
    kept[:100] = 1.0

    def stable(weights: np.ndarray) -> float:
        share = weights @ kept / weights.sum()
        whole = share.mean()
        return float(1 - 800 / 799 * (share * (1 - share)).mean() / (whole * (1 - whole)))

    value, low, high = _nogueira(kept)
    assert value == pytest.approx(stable(np.ones(800)))
    moves = 1e-6 * np.eye(800)
    influence = np.array([(stable(1 + h) - stable(1 - h)) / 2e-6 for h in moves])
    half = 1.959964 * np.sqrt((influence**2).sum())
    assert (high - value, value - low) == pytest.approx((half, half), rel=0.004)


def test_one_resample_is_refused() -> None:
    data = simulated(60)
    with pytest.raises(ParameterError, match="at least 2"):
        stability(data, prune(model_from_columns(list(data)), data), n_bootstrap=1)


def test_looser_thresholds_keep_more() -> None:
    data = simulated(100, tasks=8)
    table: Any = ablation(model_from_columns(list(data)), data, orders=("one",))
    assert len(table) == 9
    for _, own in table.groupby("loading"):
        assert own.sort_values("vif")["tasks"].is_monotonic_increasing
    assert table["shared"].max() == 1.0


@pytest.mark.thorough
def test_held_out_models_judge_a_set_that_they_did_not_choose() -> None:
    data = simulated(90, tasks=6)
    made = prune(model_from_columns(list(data)), data, PruningRules(vif=3, loading=0.8))
    found = validate(data, made, folds=3, size=30)
    assert set(found.ranks["range"]) == {"all", "top", "bottom"}
    assert found.ranks["n"].tolist() == [90, 90, 30, 30, 30, 30]
    assert found.scores.notna().all(axis=None)
    judged = found.three.set_index("diagnostic")
    assert judged["folds"].tolist() == [3, 3, 3]
    assert all(0 < value <= 1 for value in judged["held_out"])
    assert 0 <= found.same <= 1
    assert found.ranks["random"].between(0, 1).all()
    assert json.dumps(found.to_dict(), allow_nan=False)
    assert validate(data, made, folds=3, size=30).to_dict() == found.to_dict()


@pytest.mark.thorough
def test_selection_on_the_same_models_flatters() -> None:
    # Tasks of pure noise: the loadings of those that were chosen fall in other models.
    rng = np.random.default_rng(0)
    columns = [f"B.C{c}.t{t}" for c in (1, 2) for t in range(12)]
    data: Any = pd.DataFrame(rng.normal(size=(60, 24)), columns=columns)
    made = prune(model_from_columns(columns), data, PruningRules(vif=2, loading=0.6, floor=3))
    found = validate(data, made, folds=2).three.set_index("diagnostic")
    assert found.loc["D_div", "held_out"] != found.loc["D_div", "chosen"]
    assert "selected_on_the_same_data" in {d.code for d in made.diagnostics}


def test_ranks_are_compared_with_random_sets_of_the_same_size() -> None:
    data = simulated(90, tasks=6, spread=3.0)
    found = validate(data, prune(model_from_columns(list(data)), data), folds=3)
    whole = found.ranks.iloc[0]
    assert whole["estimate"] > 0.9  # And so it is for any set:
    assert whole["random"] > 0.9


def test_alignment_is_judged_on_held_out_models_with_an_interval() -> None:
    data = simulated(90, tasks=6)
    made = prune(model_from_columns(list(data)), data)
    found = validate(data, made, criterion=rated(data, 40), folds=3)
    assert found.alignment is not None
    assert found.alignment.n == 40
    assert found.alignment.low < found.alignment.estimate < found.alignment.high
    assert "no_gain_in_alignment" in {d.code for d in found.diagnostics}


def test_a_criterion_that_shares_three_models_gets_a_sentence() -> None:
    data = simulated(90, tasks=6)
    made = prune(model_from_columns(list(data)), data)
    found = validate(data, made, criterion=rated(data, 3), folds=3)
    assert found.alignment is None
    said = next(d for d in found.diagnostics if d.code == "few_shared_models")
    assert "shares 3 of 90 models (m000, m001, m002)" in said.sentence


def test_more_folds_than_models_allow_are_refused() -> None:
    data = simulated(20)
    made = prune(model_from_columns(list(data)), data)
    with pytest.raises(ParameterError, match="2 to 4 folds"):
        validate(data, made, folds=5)


def test_folds_without_a_value_do_not_count_in_their_mean() -> None:
    held = [np.array([1.0, np.nan, np.nan]), None, np.array([2.0, 4.0, np.inf])]
    found = _mean_of_folds(held)
    assert found[:2] == [1.5, 4.0]
    assert math.isnan(found[2])
    assert [math.isnan(x) for x in _mean_of_folds([None])] == [True] * 3


def test_rank_correlations_of_random_scores_are_spearmans_and_kendalls() -> None:
    rng = np.random.default_rng(7)
    whole = pd.Series(rng.normal(size=12), index=[f"m{k}" for k in range(12)])
    random = rng.normal(size=(12, 4)).round(1)
    found = rank_yardstick(whole, random, None)
    for k in range(4):
        assert found[0, k] == pytest.approx(stats.spearmanr(whole, random[:, k])[0])
        assert found[1, k] == pytest.approx(stats.kendalltau(whole, random[:, k])[0])
