"""M2 is taken over single items and pairs, and needs a degree of freedom."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import special

from gfactor.errors import ParameterError
from gfactor.psychometrics.irt import fit_irt
from gfactor.psychometrics.irt.checks import overallfit
from gfactor.psychometrics.irt.checks.overallfit import overall_fit


def test_one_degree_of_freedom_is_enough_for_a_test_of_overall_fit() -> None:
    rng = np.random.default_rng(5)
    z = rng.normal(size=(200, 1)) - [-0.5, 0.2, 0.6]
    data = pd.DataFrame((rng.random(z.shape) < 1 / (1 + np.exp(-z))) * 1.0).add_prefix("i")
    fit = fit_irt("2pl", data, fixed={"i0.a1": 1.0}, force=True)
    assert overall_fit(fit).df == 1
    with pytest.raises(ParameterError, match="M2 has 0 degrees of freedom"):
        overall_fit(fit_irt("2pl", data, force=True))


def answers(persons: int = 200, items: int = 6, seed: int = 4) -> Any:
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(persons, 1)) - np.linspace(-1, 1, items)
    return pd.DataFrame((rng.random(z.shape) < special.expit(z)).astype(float)).add_prefix("i")


@pytest.fixture(scope="module")
def fit() -> Any:
    return fit_irt("rasch", answers())


def test_moments_of_the_overall_fit_are_those_of_items_and_their_pairs(
    fit: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = len(fit.table.items)
    moments = count * (count - 1) // 2 + count
    monkeypatch.setattr(overallfit, "MAX_MOMENTS", moments)
    assert overallfit.overall_fit(fit).df == moments - fit.n_free
    monkeypatch.setattr(overallfit, "MAX_MOMENTS", moments - 1)
    with pytest.raises(ParameterError, match=f"needs {moments} moments; {moments - 1} are the mo"):
        overallfit.overall_fit(fit)
