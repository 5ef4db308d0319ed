"""Populations of items: their mean and spread are those of a normal model, integrated densely."""

from __future__ import annotations

from types import SimpleNamespace as Made
from typing import Any

import numpy as np
import pandas as pd
import pytest

from gfactor.errors import ParameterError
from gfactor.psychometrics.irt.checks.predictive import (
    FAR,
    WHOLE,
    PredictiveCheck,
    _result,
    _statistics,
    _with_rest,
)
from gfactor.psychometrics.irt.models.clonevariance import CLONE_SD, _within, clone_spreads
from gfactor.psychometrics.irt.models.hierarchical import (
    _INTERCEPTS,
    _diagnostic,
    _population,
    _Prior,
    _stated,
)
from gfactor.psychometrics.irt.models.itemfamilies import _about, _between, _check, fit_families


def precise(count: int, seed: int = 1) -> np.ndarray:
    """A precision matrix of difficulties."""
    root = np.random.default_rng(seed).normal(size=(count, count))
    return root @ root.T + 3 * np.eye(count)


def restricted(y: np.ndarray, v: np.ndarray, x: np.ndarray) -> float:
    """The restricted log-likelihood of y with mean x eta and covariance v, but for constants."""
    inverse = np.linalg.inv(v)
    inner = x.T @ inverse @ x
    eta = np.linalg.solve(inner, x.T @ inverse @ y)
    away = y - x @ eta
    return float(
        -0.5 * (np.linalg.slogdet(v)[1] + np.linalg.slogdet(inner)[1] + away @ inverse @ away)
    )


def test_the_likelihood_of_clones_spread_is_the_restricted_one() -> None:
    a, y = precise(5), np.array([0.4, -0.7, 1.1, 0.2, -0.1])
    found = _within(a, a @ y, y, np.arange(5))
    dense = np.array(
        [restricted(y, np.linalg.inv(a) + sd**2 * np.eye(5), np.ones((5, 1))) for sd in CLONE_SD]
    )
    assert found - found[0] == pytest.approx(dense - dense[0], abs=1e-8)
    assert _within(a, a @ y, y, np.array([2])).tolist() == [0.0] * len(CLONE_SD)


def test_items_of_other_cells_are_held_where_they_are() -> None:
    a, y = precise(5), np.array([0.4, -0.7, 1.1, 0.2, -0.1])
    mine, other = np.arange(3), np.arange(3, 5)
    found = _within(a, a @ y, y, mine)
    own = a[:3, :3]
    # Given the others at y, the likelihood of the own ones is normal about their own y.
    shifted = np.linalg.solve(own, (a @ y)[mine] - a[np.ix_(mine, other)] @ y[other])
    dense = np.array([
        restricted(shifted, np.linalg.inv(own) + sd**2 * np.eye(3), np.ones((3, 1)))
        for sd in CLONE_SD
    ])  # fmt: skip
    assert found - found[0] == pytest.approx(dense - dense[0], abs=1e-8)


def test_spreads_follow_the_data_and_borrow_from_each_other() -> None:
    rng = np.random.default_rng(4)
    z = np.repeat(np.eye(3), 8, axis=0)
    b = np.concatenate([rng.normal(0, s, 8) for s in (0.15, 0.6, 1.5)])
    a = 40 * np.eye(24)
    sd, quantiles, log_se = clone_spreads(a, a @ b, b, z)
    own = np.array([b[k * 8 : k * 8 + 8].std(ddof=1) for k in range(3)])
    assert (np.argsort(sd) == np.argsort(own)).all()
    assert sd[0] < sd[1] < sd[2]
    assert (quantiles[0] < sd).all()
    assert (sd < quantiles[1]).all()
    assert sd[2] == pytest.approx(own[2], rel=0.4)
    # The middle half of a normal log spans what its standard deviation says.
    assert log_se == pytest.approx(np.log(quantiles[1] / quantiles[0]) / 3.92, rel=0.3)
    weak = clone_spreads(a / 100, a @ b / 100, b, z)
    assert (weak[2] > log_se).all()
    assert np.ptp(np.log(weak[0])) < np.ptp(np.log(sd))
    alone = clone_spreads(a[:9, :9], a[:9, :9] @ b[:9], b[:9], z[:9])[2]
    assert alone[1] > alone[0]


def test_the_spread_of_cells_around_their_design_is_the_restricted_maximum() -> None:
    rng = np.random.default_rng(2)
    x = np.column_stack([np.ones(8), np.arange(8.0)])
    a = precise(8, 3) * 4
    line = x @ np.array([0.5, -0.3])
    y = line + rng.normal(0, 0.8, 8)
    grid = np.concatenate([[0.0], np.geomspace(0.01, 4, 60)])
    dense = [restricted(y, np.linalg.inv(a) + tau**2 * np.eye(8), x) for tau in grid]
    assert _between(a, a @ y, x) == grid[int(np.argmax(dense))]
    assert _between(a, a @ line, x) == 0.0


def test_the_population_of_items_is_that_of_their_likelihoods() -> None:
    alone = np.array([-1.2, -0.3, 0.1, 0.4, 1.6])
    own = np.array([9.0, 16.0, 4.0, 25.0, 8.0])
    prior = (0.3, 0.9)
    # Posteriors under the prior, from which the likelihoods must be found again.
    precision = own + 1 / prior[1] ** 2
    estimate = (own * alone + prior[0] / prior[1] ** 2) / precision
    mean, spread = _population(estimate, 1 / precision, prior, _INTERCEPTS)
    dense = [restricted(alone, np.diag(s**2 + 1 / own), np.ones((5, 1))) for s in _INTERCEPTS]
    assert spread == _INTERCEPTS[int(np.argmax(dense))]
    weight = 1 / (spread**2 + 1 / own)
    assert mean == pytest.approx(weight @ alone / weight.sum())


def test_a_slopes_prior_has_its_mode_where_its_log_has_it() -> None:
    stated = _stated(_Prior((0.5, 1.2), (0.1, 0.4)), True)
    assert stated["intercept"] == ("normal", 0.5, 1.2)
    kind, mean, sd = stated["slope"]
    assert kind == "lognormal"
    a = np.linspace(0.3, 3, 5401)
    density = -np.log(a) - 0.5 * ((np.log(a) - mean) / sd) ** 2
    assert a[int(np.argmax(density))] == pytest.approx(np.exp(0.1), abs=1e-3)
    assert set(_stated(_Prior((0.5, 1.2), (0.1, 0.4)), False)) == {"intercept"}


def test_shrinkage_is_said_with_its_numbers() -> None:
    found = _diagnostic(_Prior((0.5, 1.2), (0.1, 0.4)), True, 0.0)
    assert "intercepts to 0.50 with standard deviation 1.20, logs of slopes to 0.10 with 0.40." in (
        found.sentence
    )
    assert found.values == {
        "intercept_mean": 0.5, "intercept_sd": 1.2, "log_slope_mean": 0.1, "log_slope_sd": 0.4,
    }  # fmt: skip
    assert (
        "still moved by 0.250" in _diagnostic(_Prior((0.5, 1.2), (0.1, 0.4)), False, 0.25).sentence
    )


def test_few_clones_and_families_that_still_move_are_said() -> None:
    ten = [f"c{k % 5}" for k in range(15)]
    still = dict.fromkeys(ten, 0.0009)
    assert _about(ten, rounds=9, moved=still) == []
    assert [d.code for d in _about(ten[:14], rounds=9, moved=still)] == ["few_clones"]
    (moving,) = _about(ten, rounds=9, moved=still | {"c1": 0.25, "c3": 0.5})
    assert moving.code == "families_not_still"
    assert moving.where == ("c3", "c1")
    assert "2 of 5 cells still moved by up to 0.500 logits after 9 rounds: c3, c1." in (
        moving.sentence
    )


@pytest.mark.parametrize(
    ("data", "cells", "words"),
    [
        ([[0, 1], [1, 1]], ["a"], "1 entries for 2 items"),
        ([[0, 2], [1, 1]], ["a", "a"], "scores 0 and 1, not 2"),
        ([[0, 1], [1, np.nan]], ["a", "b"], "no cell has two items"),
    ],
)
def test_what_is_no_family_is_refused(data: Any, cells: list[str], words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        _check(pd.DataFrame(data), cells)
    _check(pd.DataFrame([[0, 1], [1, np.nan]]), ["a", "a"])
    with pytest.raises(ParameterError, match="cell 'b' has no row"):
        fit_families(pd.DataFrame(np.eye(3)), ["a", "a", "b"], design=pd.DataFrame(
            {"one": [1.0]}, index=["a"]))  # fmt: skip


CODES = np.array([[1, 0, 2], [0, 0, 1], [1, 1, 2], [1, -1, 0], [-1, -1, -1]], np.int16)


def test_statistics_of_a_table_are_those_of_its_shares() -> None:
    found = _statistics(CODES, np.array([1, 1, 2]))
    shares = np.array([2 / 3, 0.5 / 3, 1.0, 0.5])
    assert found[0] == pytest.approx(shares.mean())
    assert found[1] == pytest.approx(shares.std())
    away = shares - shares.mean()
    assert found[2] == pytest.approx((away**3).mean() / shares.std() ** 3)
    first = np.corrcoef([1, 0, 1, 1], [0.5, 0.25, 1.0, 0.0])[0, 1]
    second = np.corrcoef([0, 0, 1], [1.0, 0.25, 1.0])[0, 1]
    third = np.corrcoef([1, 0.5, 1, 0], [0.5, 0.0, 1.0, 1.0])[0, 1]
    assert found[4:] == pytest.approx([first, second, third])
    assert found[3] == pytest.approx(np.std([first, second, third]))


def test_correlations_with_the_rest_need_three_examinees_and_spread() -> None:
    asked = np.array([2, 2, 2, 1])
    total = np.array([1.0, 0.0, 2.0, 1.0])
    assert np.isfinite(_with_rest(np.array([1.0, 0.0, 1.0, 1.0]), total, asked))
    assert np.isnan(_with_rest(np.array([1.0, np.nan, 1.0, 0.0]), total, asked))
    assert np.isnan(_with_rest(np.ones(4), total, asked))
    assert np.isnan(_with_rest(np.array([1.0, 0.0, 1.0, 1.0]), total * 0 + [1, 0, 1, 1], asked))


def test_predictive_p_counts_ties_half_and_far_ones_are_said() -> None:
    items = Made(table=Made(items=("i0",)))
    drawn = np.zeros((40, 5))
    drawn[:, 0] = np.arange(40)
    drawn[20:, 1] = 1.0
    drawn[:, 4] = np.nan
    observed = np.array([39.5, 0.0, 0.0, 5.0, np.nan])
    found = _result(items, observed, drawn)  # type: ignore[arg-type]
    assert found.table["check"].tolist() == [*WHOLE, "item-rest correlation"]
    assert found.table["item"].tolist() == ["", "", "", "", "i0"]
    assert found.table["p"].tolist()[:4] == [0.0, 0.75, 0.5, 0.0]
    assert np.isnan(found.table["p"].iloc[4])
    assert found.table.loc[0, ["low", "high"]].tolist() == pytest.approx([0.975, 38.025])
    assert [d.where for d in found.diagnostics] == [(WHOLE[0],), (WHOLE[3],)]
    assert found.title == "2 of 5 predictive checks are far out, 40 draws"


def test_predictive_checks_are_far_out_beyond_the_limits_not_at_them() -> None:
    table = pd.DataFrame({"p": [FAR, 1 - FAR, FAR / 2, 1 - FAR / 2, 0.5, 0.0]})
    assert PredictiveCheck(table, 100).title == "3 of 6 predictive checks are far out, 100 draws"
