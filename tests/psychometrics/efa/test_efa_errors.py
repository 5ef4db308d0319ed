"""Standard errors of rotated loadings: against the engine of models, and against simulation."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from support.factor_samples import three_correlated_factors
from support.sem_samples import SAMPLES

from gfactor.psychometrics import sem
from gfactor.psychometrics.factor.exploratory import efa, extract, rotate
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


def test_uniquenesses_have_the_errors_of_lavaan_whatever_the_rotation() -> None:
    """lavaan 0.6-14 on R 4.2.2, standardizedSolution(efa(scale(data), nfactors = 3)), 2026-11-21;
    its search stops at three digits of these errors."""
    theirs = [0.05666, 0.0612, 0.05323, 0.0617, 0.06031, 0.05451, 0.06484, 0.06999, 0.05026]
    for rotation in ("none", "varimax", "quartimax", "oblimin", "geomin"):
        own = efa(DATA, 3, rotation=rotation).errors
        assert own is not None
        np.testing.assert_allclose(own.uniqueness, theirs, rtol=2e-3)


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
