"""Sampling weights of cases whose variables are ordinal.

lavaan's digits are replayed in test_recorded_fits.py (weighted_*).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import brentq
from scipy.stats import norm
from support import lavaan_recorded as recorded

import gfactor as gf
from gfactor.errors import ParameterError
from gfactor.frames import pick
from gfactor.psychometrics import sem
from gfactor.psychometrics.sem.ordinal import ordinal_moments

DATA = recorded.sample("ordinal_weights")
SIX = [f"x{k}" for k in range(1, 7)]
TWO = "f =~ x1 + x2 + x3\ng =~ x4 + x5 + x6"
STEPS = ["x1", "x2", "x4"]


def weighted_fit(data: pd.DataFrame, **options: Any) -> Any:
    return gf.sem(TWO, data, ordered=SIX, sampling_weights="weight", **options)


@pytest.mark.thorough
@pytest.mark.parametrize("given", [None, ["age", "sex"]])
def test_a_weight_of_two_is_the_case_twice(given: list[str] | None) -> None:
    counts = 1 + np.arange(len(DATA)) % 3
    twice = DATA.loc[np.repeat(DATA.index, counts)].reset_index(drop=True)
    names = [*STEPS, "mark", *([] if given else ["age"])]
    own, written = (
        ordinal_moments(
            pick(data, names), STEPS, given=pick(data, given) if given else None, weights=each
        )
        for data, each in ((DATA, counts.astype(float)), (twice, None))
    )
    np.testing.assert_allclose(own.statistics, written.statistics, rtol=1e-8, atol=1e-10)


@pytest.mark.thorough
def test_the_covariance_of_weighted_statistics_is_that_of_the_cases_influence() -> None:
    rng = np.random.default_rng(3)
    shared, rest = rng.normal(size=(20_000, 1)), rng.normal(size=(20_000, 3))
    table = pd.DataFrame((0.8 * shared + 0.6 * rest > 0.3).astype(int), columns=list("abc"))
    weights = np.where(rng.random(20_000) < 0.5, 0.4, 1.6)
    own = ordinal_moments(table, list(table), weights=weights)
    # Cases of one cell and one weight move the statistics alike.
    alike = table.assign(weight=weights).groupby([*table, "weight"]).indices
    expected = np.zeros_like(own.gamma)
    for cases in alike.values():
        more = weights.copy()
        more[cases[0]] += 0.5
        moved = ordinal_moments(table, list(table), weights=more).statistics - own.statistics
        moved *= weights[cases[0]] / 0.5
        expected += len(cases) * np.outer(moved, moved)
    np.testing.assert_allclose(own.gamma / weights.sum(), expected, rtol=0.03, atol=2e-6)
    once = ordinal_moments(table, list(table)).gamma
    assert np.diag(own.gamma)[0] == pytest.approx(1.36 * np.diag(once)[0], rel=0.05)


def test_a_weighted_polyserial_correlation_is_where_its_likelihood_peaks() -> None:
    # lavaan 0.6-14 has the covariance -0.0088965093; the weighted score is 0 at -0.0088990645.
    weights = DATA["weight"].to_numpy()
    away = DATA["mark"] - np.average(DATA["mark"], weights=weights)
    sd = float(np.sqrt(np.average(away**2, weights=weights)))
    z, code = (away / sd).to_numpy(), DATA["x3"].to_numpy() - 1
    share = np.cumsum(np.bincount(code, weights)) / weights.sum()
    edges = np.array([-30.0, *norm.ppf(share[:-1]), 30.0])

    def slope(rho: float) -> float:
        low, high = (
            (edge - rho * z) / np.sqrt(1 - rho**2) for edge in (edges[code], edges[code + 1])
        )
        bend = [
            norm.pdf(x) * (edge * rho - z)
            for x, edge in ((high, edges[code + 1]), (low, edges[code]))
        ]
        return float(weights @ ((bend[0] - bend[1]) / (norm.cdf(high) - norm.cdf(low))))

    peak: Any = brentq(slope, -0.5, 0.5, xtol=1e-14)
    fit: Any = recorded.replay("weighted_mixed")
    moments = fit.ordinal.moments[0]
    i, j = moments.names.index("x3"), moments.names.index("mark")
    assert moments.cov[i, j] == pytest.approx(peak * sd, abs=1e-10)


def test_errors_of_groups_are_those_of_their_statistics() -> None:
    fit: Any = recorded.replay("weighted_groups")
    estimated, basis = fit.estimated, fit.estimated.directions
    sizes = DATA.groupby("school", sort=False)["weight"].sum() / DATA["weight"].mean()
    moved, inner = [], np.zeros((basis.shape[1],) * 2)
    for share, delta, moments in zip(
        sizes / len(DATA), estimated.deltas(), fit.ordinal.moments, strict=True
    ):
        weighted = share / np.diag(moments.gamma) * (delta @ basis).T
        moved.append(weighted)
        inner += weighted @ delta @ basis
    covariance = sum(
        basis
        @ np.linalg.solve(inner, one)
        @ (moments.gamma / size)
        @ np.linalg.solve(inner, one).T
        @ basis.T
        for one, moments, size in zip(moved, fit.ordinal.moments, sizes, strict=True)
    )
    n = len(DATA)
    np.testing.assert_allclose(fit.vcov_matrix, covariance * n / (n - 2), rtol=1e-6, atol=1e-12)


def test_equal_weights_of_any_size_change_nothing() -> None:
    even = weighted_fit(DATA.assign(weight=7.0))
    plain = gf.sem(TWO, DATA, ordered=SIX)
    np.testing.assert_allclose(even.theta, plain.theta, rtol=1e-9)
    np.testing.assert_allclose(even.vcov_matrix, plain.vcov_matrix, rtol=1e-7, atol=1e-12)
    assert even.measures["chisq.scaled"] == pytest.approx(plain.measures["chisq.scaled"], rel=1e-8)


def test_weights_of_ordinal_cases_are_checked_and_have_no_clusters_or_resamples() -> None:
    with pytest.raises(ParameterError, match=r"weight in row 3 .* is 0"):
        weighted_fit(DATA.assign(weight=DATA["weight"].mask(DATA.index == 2, 0.0)))
    with pytest.raises(ParameterError, match="clusters need the estimator ML or MLR"):
        weighted_fit(DATA, cluster="school")
    with pytest.raises(ParameterError, match="weights"):
        sem.bootstrap(weighted_fit(DATA), n_bootstrap=10, seed=1)
