"""Standard errors of rotated loadings: against the engine of models, and against simulation."""

from __future__ import annotations

import itertools
from types import SimpleNamespace as Made
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.factor_samples import three_correlated_factors
from support.sem_samples import SAMPLES

from gfactor.psychometrics import sem
from gfactor.psychometrics.factor.exploratory import bootstrap_efa, efa, extract, rotate
from gfactor.psychometrics.factor.exploratory.errors import EfaErrors
from gfactor.psychometrics.factor.exploratory.extraction import METHODS

DATA = SAMPLES["three_factors"]().drop(columns="school")
FOUR = pd.DataFrame(DATA, columns=["x1", "x2", "x3", "x4"])


def test_one_factor_has_the_errors_of_the_model_with_one_factor() -> None:
    found = efa(FOUR, 1)
    fit = sem.fit("f =~ x1 + x2 + x3 + x4", DATA, std_lv=True)
    rows = fit.standardized().to_dict("records")
    theirs = [row["se"] for row in rows if row["op"] == "=~"]
    unique = [row["se"] for row in rows if row["op"] == "~~" and row["lhs"] != "f"]
    assert found.errors is not None
    np.testing.assert_allclose(found.errors.loadings["F1"], theirs, rtol=1e-6)
    np.testing.assert_allclose(found.errors.uniqueness, unique, rtol=1e-6)


@pytest.mark.thorough
def test_uniquenesses_have_the_errors_of_lavaan_whatever_the_rotation() -> None:
    """lavaan 0.6-14 on R 4.2.2, standardizedSolution(efa(scale(data), nfactors = 3)), 2026-11-21;
    its search stops at three digits of these errors."""
    theirs = [0.05666, 0.0612, 0.05323, 0.0617, 0.06031, 0.05451, 0.06484, 0.06999, 0.05026]
    for rotation in ("none", "varimax", "quartimax", "oblimin", "geomin"):
        own = efa(DATA, 3, rotation=rotation).errors
        assert own is not None
        np.testing.assert_allclose(own.uniqueness, theirs, rtol=2e-3)


@pytest.mark.slow
@pytest.mark.parametrize("rotation", ["oblimin", "varimax"])
def test_errors_are_the_spread_over_samples(rotation: str) -> None:
    whole = efa(DATA, 3, rotation=rotation)
    assert whole.errors is not None
    pattern, phi = whole.loadings.to_numpy(), whole.phi.to_numpy()
    population = pattern @ phi @ pattern.T
    np.fill_diagonal(population, 1.0)
    root = np.linalg.cholesky(population)
    rng = np.random.default_rng(1)
    orders = [list(order) for order in itertools.permutations(range(3))]
    draws: list[np.ndarray] = []
    for _ in range(120):
        r = np.asarray(np.corrcoef(root @ rng.normal(size=(9, 1000))))
        turned = rotate(extract(r, 3, "ml").loadings, rotation, starts=1).loadings
        match = [np.abs((turned[:, order] * pattern).sum(axis=0)).sum() for order in orders]
        turned = turned[:, orders[int(np.argmax(match))]]
        draws.append(turned * np.sign((turned * pattern).sum(axis=0)))
    spread = np.std(draws, axis=0)
    ratio = whole.errors.loadings.to_numpy() * np.sqrt(whole.n / 1000) / spread
    assert ratio.mean() == pytest.approx(1, abs=0.06)
    assert 0.75 < ratio.min() < ratio.max() < 1.3


@pytest.mark.thorough
def test_units_do_not_matter_and_intervals_cover_the_estimate() -> None:
    own, other = efa(DATA, 3), efa(DATA * np.arange(1, 10), 3)
    assert own.errors is not None
    assert other.errors is not None
    np.testing.assert_allclose(other.errors.loadings, own.errors.loadings, rtol=1e-5)
    table = own.errors.intervals(own.loadings)
    assert len(table) == 27
    assert (np.array(table["low"]) < np.array(table["est"])).all()
    assert own.errors.phi.loc["F1", "F2"] > 0
    assert own.to_dict()["errors"]["loadings"]["x1"]["F1"] > 0


@pytest.mark.thorough
def test_other_methods_and_heywood_cases_have_none() -> None:
    assert efa(DATA, 2, method="minres").errors is None
    assert efa(DATA, 2, rotation="promax").errors is None
    rng = np.random.default_rng(1)
    few = pd.DataFrame(rng.normal(size=(20, 6)))
    found = efa(few.add_prefix("i"), 2)
    assert (found.errors is None) == any(one.code == "heywood_case" for one in found.diagnostics)


@pytest.mark.parametrize("method", ["ml", "minres"])
def test_slopes_and_curvatures_of_the_search_are_those_of_the_discrepancy(method: str) -> None:
    """By differences, at a point that is no optimum; so the search takes few steps."""
    r = three_correlated_factors().corr().to_numpy()
    search = METHODS[method]
    x = search.there(np.linspace(0.35, 0.7, 9))
    _, gradient, hessian, _ = search.discrepancy(x, r, 2)
    steps = 1e-5 * np.eye(9)
    ends = [[search.discrepancy(x + sign * h, r, 2) for sign in (1, -1)] for h in steps]
    slopes = np.array([(up[0] - down[0]) / 2e-5 for up, down in ends])
    bends = np.array([(up[1] - down[1]) / 2e-5 for up, down in ends])
    np.testing.assert_allclose(gradient, slopes, rtol=1e-5, atol=1e-8)
    np.testing.assert_allclose(hessian, bends, rtol=1e-5, atol=1e-7)


def test_wald_intervals_of_loadings() -> None:
    at: Any = {"index": ["x", "y"], "columns": ["F1", "F2"]}
    loadings = pd.DataFrame([[0.5, -0.2], [0.1, 0.8]], **at)
    errors = EfaErrors(pd.DataFrame([[0.1, 0.0], [0.2, 0.05]], **at), loadings, pd.Series([0, 0]))
    found = errors.intervals(loadings, 0.9)
    assert found["indicator"].tolist() == ["x", "x", "y", "y"]
    assert found["factor"].tolist() == ["F1", "F2"] * 2
    assert found["z"].tolist() == pytest.approx([5, np.nan, 0.5, 16], nan_ok=True)
    reach = 1.6448536269514722 * found["se"]
    assert found["low"].tolist() == pytest.approx((found["est"] - reach).tolist())
    assert found["high"].tolist() == pytest.approx((found["est"] + reach).tolist())


@pytest.mark.thorough
def test_factors_of_resamples_are_put_in_the_order_and_sign_of_the_solution() -> None:
    rng = np.random.default_rng(3)
    f = rng.normal(size=(150, 2)) @ np.array([[1, 0.4], [0, 0.9]])
    pattern = np.array([[0.9, 0], [0.8, 0], [0.85, 0], [0, 0.9], [0, 0.8], [0, 0.85]])
    data = pd.DataFrame(f @ pattern.T + 0.4 * rng.normal(size=(150, 6)), columns=list("abcdef"))
    found = efa(data, 2, rotation="oblimin")
    boot = bootstrap_efa(found, data, n_bootstrap=12, seed=1, starts=3)
    table: Any = boot.intervals.set_index("statistic")
    assert list(table.index) == [
        *(f"{x} on {f}" for f in ("F1", "F2") for x in "abcdef"), "F1 with F2",
    ]  # fmt: skip
    # Were a factor taken for another one, or turned around, the intervals would cross 0.
    for name, row in table.iterrows():
        x, _, factor = str(name).partition(" on ")
        if factor and abs(found.loadings.loc[x, factor]) > 0.5:
            assert row["low"] * row["high"] > 0.3
            assert row["low"] <= found.loadings.loc[x, factor] + 0.15
    phi = table.loc["F1 with F2"]
    assert phi["low"] < found.phi.iloc[1, 0] < phi["high"]
    assert phi["low"] * phi["high"] > 0
    # With the signs of a solution turned, those of its resamples are.
    turned = bootstrap_efa(
        Made(**{**{n: getattr(found, n)
                   for n in ("factors", "method", "rotation", "settings", "seed")},
                "loadings": found.loadings * [-1, 1], "phi": found.phi}),  # type: ignore[arg-type]
        data, n_bootstrap=12, seed=1, starts=3,
    ).intervals.set_index("statistic")  # fmt: skip
    assert turned.loc["a on F1", "high"] == pytest.approx(-table.loc["a on F1", "low"])
    assert turned.loc["F1 with F2", "high"] == pytest.approx(-phi["low"])
    assert turned.loc["e on F2", "high"] == pytest.approx(table.loc["e on F2", "high"])
