"""Very many items: the same estimates and standard errors without their information matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import special

from gfactor.errors import ParameterError
from gfactor.psychometrics.irt import Quadrature, fit_irt
from gfactor.psychometrics.irt.estimation import collapse
from gfactor.psychometrics.irt.likelihood import information


def _responses(persons: int, items: int, seed: int = 1) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    theta = rng.normal(0.5, 1, (persons, 1))
    z = theta - rng.normal(size=items)
    return pd.DataFrame((rng.uniform(size=z.shape) < special.expit(z)).astype(int)).add_prefix("i")


@pytest.mark.parametrize("missing", [False, True])
def test_classes_of_equal_items_give_the_estimates_and_errors_of_all_items(
    missing: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = _responses(31, 60)
    if missing:
        frame.iloc[:10, ::3] = np.nan
    grid = Quadrature(61, 6.0)
    dense = fit_irt("rasch", frame, quadrature=grid)
    monkeypatch.setattr(collapse, "MANY_PARAMETERS", 10)
    few: Any = fit_irt("rasch", frame, quadrature=grid)
    assert few.optimum.information is None
    assert few.converged
    assert few.loglik == pytest.approx(dense.loglik, abs=1e-9)
    for table in ("items", "latent"):
        ours, theirs = getattr(few, table), getattr(dense, table)
        pd.testing.assert_frame_equal(ours, theirs, rtol=1e-7, atol=1e-8)
    assert dense.vcov is not None
    assert few.vcov is not None
    every = np.eye(few.n_free)
    assert few.vcov.between(every) == pytest.approx(dense.vcov.between(every), abs=1e-9)
    assert few.scores()["theta"].to_numpy() == pytest.approx(dense.scores()["theta"].to_numpy())


@pytest.mark.parametrize("model", ["2pl", "rasch"])
def test_information_from_polynomials_is_that_from_nodes(
    model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The expansion is complete when it has as many polynomials as nodes; it ends long before."""
    fit: Any = fit_irt(model, _responses(250, 30))
    at, likelihood = fit.optimum.at, fit.likelihood
    nodes = likelihood.observed(at)
    monkeypatch.setattr(information, "MANY_PARAMETERS", 10)
    assert likelihood.smooth
    assert len(list(likelihood.smooth_factors(at))) < 20
    assert likelihood.observed(at) == pytest.approx(nodes, abs=1e-6 * np.abs(nodes).max())


@pytest.mark.slow
def test_nodes_are_dense_enough_for_narrow_posteriors() -> None:
    """With 2,000 items an ability is known to .05, a fourth of the distance of 61 nodes."""
    frame = _responses(40, 2_000)
    found: Any = fit_irt("rasch", frame)
    assert found.likelihood.quadrature.points > 350
    finer = fit_irt("rasch", frame, quadrature=Quadrature(1201, 6.0))
    assert found.loglik == pytest.approx(finer.loglik, abs=1e-5)
    coarse = fit_irt("rasch", frame, quadrature=Quadrature(61, 6.0))
    assert abs(coarse.loglik - finer.loglik) > 0.5


def test_twelve_models_carry_difficulties_of_many_items_but_no_slopes() -> None:
    frame = _responses(12, 4_000)
    found: Any = fit_irt("rasch", frame)
    assert found.converged
    assert found.items["se_b"].notna().all()
    assert "few_respondents" in {entry.code for entry in found.diagnostics}
    with pytest.raises(ParameterError, match="12 respondents are too few"):
        fit_irt("2pl", frame)
