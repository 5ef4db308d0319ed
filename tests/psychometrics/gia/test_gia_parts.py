"""Random weights, rankings, resampled items and sizes behave as they must."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from gfactor.errors import ParameterError
from gfactor.replications.m3gia import (
    INDICATORS,
    POINTS,
    TYPES,
    binomial_draws,
    broad_accuracies,
    item_draws,
    read_counts,
    size_ablation,
    size_trend,
    total_correlation,
    winners,
)
from gfactor.replications.m3gia.route_published import score_table


def models(n: int, spread: float, seed: int) -> pd.DataFrame:
    """Counts of models that differ in one overall level."""
    rng = np.random.default_rng(seed)
    level = rng.normal(0, spread, (n, 1))
    share = 1 / (1 + np.exp(-level - rng.normal(0, 0.3, (n, 18))))
    frame = pd.DataFrame(rng.binomial(POINTS.astype(int), share), columns=list(INDICATORS))
    return frame.astype(float).set_axis([f"m{i}" for i in range(n)], axis=0)


def test_equal_weights_follow_the_total_exactly_and_lie_above_all_random_ones() -> None:
    x = models(12, 1.0, 1).to_numpy()
    found = total_correlation(x, np.ones(18), draws=2000)
    assert found.r == pytest.approx(1)
    assert found.percentile == 100


def test_the_interval_of_the_correlation_with_the_total_is_fishers() -> None:
    x = models(12, 1.0, 1).to_numpy()
    found = total_correlation(x, np.arange(1.0, 19.0), draws=200)
    assert found.r == pytest.approx(np.corrcoef(x @ np.arange(1, 19), x.sum(axis=1))[0, 1])
    ends = np.tanh(np.arctanh(found.r) + np.array([-1, 1]) * 1.959964 / np.sqrt(12 - 3))
    assert [found.low, found.high] == pytest.approx(ends, abs=1e-6)


def test_a_score_is_weights_times_counts_less_the_offset_and_100_for_people() -> None:
    counts = read_counts(models(5, 1.0, 3))
    weights = np.arange(18.0) / 10
    drawn = binomial_draws(counts.table, seed=1)
    table = score_table(counts, weights, 7.0, 40.0, drawn)
    expected = counts.values @ weights - 7.0
    np.testing.assert_allclose(table["gia"], expected)
    np.testing.assert_allclose(table["normalized"], 100 * expected / 40.0)
    assert np.all(table["gia_low"].to_numpy() < expected)
    assert np.all(table["gia_high"].to_numpy() > expected)
    for end in ("low", "high"):
        np.testing.assert_allclose(table[f"normalized_{end}"], 100 * table[f"gia_{end}"] / 40.0)
    np.testing.assert_allclose(table["total"], counts.values.sum(axis=1) / POINTS.sum())


@pytest.mark.thorough
def test_a_random_weight_vector_has_a_uniform_percentile() -> None:
    """200 vectors: the mean percentile has a standard error of 2, the limits are 4 of them."""
    x = models(12, 1.0, 2).to_numpy()
    rng = np.random.default_rng(3)
    found = [
        total_correlation(x, rng.dirichlet(np.ones(18)), draws=1000, seed=s).percentile
        for s in range(200)
    ]
    assert 42 < np.mean(found) < 58


@pytest.mark.thorough
def test_rankings_of_models_that_differ_agree_and_chance_is_calibrated() -> None:
    assert winners(models(12, 1.5, 4)).p < 0.01
    rng = np.random.default_rng(5)
    p = []
    for seed in range(40):
        x = models(12, 1.0, seed).to_numpy()
        mixed = np.take_along_axis(x, rng.random(x.shape).argsort(axis=0), axis=0)
        frame = pd.DataFrame(mixed, columns=list(INDICATORS))
        p.append(winners(frame, permutations=100, seed=seed).p)
    # 40 tests at 10 %: more than 10 has a chance of 0.1 %.
    assert sum(value <= 0.1 for value in p) <= 10


def test_a_question_counts_for_every_factor_that_the_paper_ticks() -> None:
    x = pd.DataFrame([np.zeros(18)], columns=list(INDICATORS))
    x["Geom"] = 10.0
    found = broad_accuracies(x).iloc[0]
    totals = {f: sum(t.per_language for t in TYPES.values() if f in t.factors) for f in found.index}
    assert found["Gq"] == pytest.approx(10 / totals["Gq"])
    assert found["Gv"] == pytest.approx(10 / totals["Gv"])
    assert found["Gc"] == 0
    assert sum(t.per_language for t in TYPES.values()) == 300


def responses(occasions: int = 1, seed: int = 6) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    rows = []
    for code, t in TYPES.items():
        ease = rng.normal(0, 3, t.per_language)
        for model, level in (("a", 0.8), ("b", 0.2)):
            for item in range(t.per_language):
                p = 1 / (1 + np.exp(-level - ease[item]))
                rows += [
                    (model, t.name, f"{code}-{item}", o, float(rng.random() < p))
                    for o in range(occasions)
                ]
    columns = ["model", "question_type", "item", "occasion", "correct"]
    return pd.DataFrame(rows, columns=columns)


@pytest.mark.parametrize("occasions", [1, 3])
def test_item_draws_center_on_the_counts_and_pair_the_models(occasions: int) -> None:
    found = item_draws(responses(occasions), n_bootstrap=200, seed=1)
    answers = responses(occasions)
    for place, t in enumerate(TYPES.values()):
        assert found.counts[0, place] == pytest.approx(
            t.per_language
            * np.mean(answers.query("model == 'a' and question_type == @t.name")["correct"])
        )
    total = found.draws.sum(axis=2)
    # 200 draws of a total with SD of about 8: the mean is known to 0.6.
    assert np.abs(total.mean(axis=0) - found.counts.sum(axis=1)).max() < 2
    # The same items for both models: their totals move together.
    assert np.corrcoef(total.T)[0, 1] > 0.15
    assert ("occasions" in found.source) == (occasions > 1)


def test_binomial_draws_cover_the_true_score() -> None:
    """200 models of known shares: the 95 % interval of the total covers 95 % (SE 1.5 %)."""
    rng = np.random.default_rng(7)
    share = rng.uniform(0.2, 0.9, (200, 18))
    counts = pd.DataFrame(rng.binomial(POINTS.astype(int), share), columns=list(INDICATORS))
    total = binomial_draws(counts.astype(float), 500, 1).draws.sum(axis=2)
    low, high = np.quantile(total, [0.025, 0.975], axis=0)
    truth = (share * POINTS).sum(axis=1)
    assert 0.89 < ((low < truth) & (truth < high)).mean() <= 1


def test_a_missing_item_is_named() -> None:
    full = responses()
    pairs = zip(full["model"], full["item"], strict=True)
    partial = full.loc[[pair != ("b", "Raven-3") for pair in pairs]]
    with pytest.raises(ParameterError, match="'b' has no answer to item 'Raven-3'"):
        item_draws(partial)


def test_sizes_are_ordered_and_models_without_one_are_left_out() -> None:
    sizes = pd.Series([70.0, np.nan, 7.0, 13.0], index=["l", "other", "s", "m"])
    draws = np.random.default_rng(8).normal([3, 9, 1, 2], 0.1, (500, 4))
    found = size_ablation(sizes, np.array([3.0, 9, 1, 2]), draws)
    assert found["model"].tolist() == ["s", "m", "l"]
    assert found["step"].iloc[1:].tolist() == [1.0, 1.0]
    assert (found["step_low"].iloc[1:] > 0).all()
    assert size_trend(found)[0] == 1


def test_counts_remember_a_wrong_total() -> None:
    x = models(4, 1.0, 9)
    x["total_acc"] = x.sum(axis=1)
    x.loc["m2", "total_acc"] += 2
    (found,) = read_counts(x).diagnostics
    assert found.where == ("m2",)
