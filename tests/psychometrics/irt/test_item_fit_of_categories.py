"""S-X2 of items with more than two categories: counts by enumeration, mirt's p-values, misfit."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import special, stats
from support.irt_oracles import case, data

from gfactor.psychometrics.irt import fit_irt
from gfactor.psychometrics.irt.checks.itemfit import item_fit, merged_categories
from gfactor.psychometrics.irt.checks.overallfit import category_probabilities


def _graded(persons: int, seed: int, items: int = 8) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    latent = 1.5 * rng.normal(size=(persons, 1)) + rng.logistic(size=(persons, items))
    return pd.DataFrame((latent > -1).astype(int) + (latent > 1)).add_prefix("i")


def test_the_statistic_is_that_of_all_patterns_counted_one_by_one() -> None:
    frame = _graded(400, 1, items=4)
    fit = fit_irt("grm", frame)
    nodes, curves = fit.likelihood.nodes[:, 0], category_probabilities(fit)
    group, values = fit.likelihood.model.groups[0], fit.optimum.at.values
    weights = np.exp(fit.likelihood.latent(group, values).log_weights[0])
    assert len(nodes) == len(weights)
    chances = {
        pattern: float(weights @ np.prod([curves[j][k] for j, k in enumerate(pattern)], axis=0))
        for pattern in product(range(3), repeat=4)
    }
    codes = frame.to_numpy()
    statistic, cells = 0.0, 0
    for score in range(1, 8):
        rows = codes[codes.sum(axis=1) == score]
        total = sum(p for pattern, p in chances.items() if sum(pattern) == score)
        expected, observed = [], []
        for k in range(3):
            p = sum(c for t, c in chances.items() if sum(t) == score and t[0] == k)
            if p > 0:
                expected.append(len(rows) * p / total)
                observed.append(float((rows[:, 0] == k).sum()))
        o, e = merged_categories(observed, expected, 1.0)
        statistic += ((o - e) ** 2 / e).sum() if len(e) > 1 else 0.0
        cells += len(e) - 1
    row = item_fit(fit).loc["i0"]
    assert row["s_x2"] == pytest.approx(statistic, rel=1e-9)
    # A slope and two thresholds are estimated.
    assert row["s_x2_df"] == cells - 3
    assert row["s_x2_p"] == pytest.approx(stats.chi2.sf(statistic, cells - 3))


def test_categories_are_merged_into_the_rarer_neighbor() -> None:
    o, e = merged_categories([1, 2, 3, 4], [0.4, 5, 0.5, 3], 1)
    assert (o.tolist(), e.tolist()) == ([3, 7], [5.4, 3.5])
    o, e = merged_categories([1, 2], [0.3, 0.4], 1)
    assert (o.tolist(), e.tolist()) == ([3], [pytest.approx(0.7)])


def test_p_values_are_near_mirts_which_merges_sum_scores_otherwise() -> None:
    theirs, rows = case("fitstats_grm_sim")["S_X2"], item_fit(fit_irt("grm", data("grm_sim")))
    assert np.abs(rows["s_x2"] / theirs["S_X2"] - 1).max() < 0.12
    assert np.abs(rows["s_x2_df"] - theirs["df.S_X2"]).max() <= 5
    assert np.abs(rows["s_x2_p"] - theirs["p.S_X2"]).max() < 0.15


def test_an_item_that_misfits_is_found_among_items_that_fit() -> None:
    frame = _graded(800, 2)
    rng = np.random.default_rng(3)
    ability = (frame - 1).sum(axis=1) / 8
    # The middle category is chosen by the weak and by the strong.
    odd = rng.uniform(size=800) < special.expit(6 * (ability.abs() - 0.4))
    frame["odd"] = np.where(odd, 1, 2 * (rng.uniform(size=800) < special.expit(3 * ability)))
    rows: Any = item_fit(fit_irt("grm", frame))
    assert rows.loc["odd", "s_x2_p"] < 1e-4
    assert (rows.drop(index="odd")["s_x2_p"] > 0.001).all()


def test_a_rasch_item_has_one_estimated_parameter() -> None:
    rng = np.random.default_rng(4)
    z = rng.normal(size=(500, 1)) - np.linspace(-1, 1, 6)
    frame = pd.DataFrame((rng.uniform(size=z.shape) < special.expit(z)).astype(int))
    # Sum scores 1 to 5, with one expected share each, less one difficulty.
    assert item_fit(fit_irt("rasch", frame))["s_x2_df"].tolist() == [4] * 6


@pytest.mark.slow
def test_items_that_fit_are_rejected_as_often_as_stated() -> None:
    p = np.concatenate([
        item_fit(fit_irt("grm", _graded(600, 100 + seed)))["s_x2_p"] for seed in range(60)
    ])  # fmt: skip
    # 480 tests at 5 %: 24 expected, standard error 4.8.
    assert 8 <= (p < 0.05).sum() <= 42
