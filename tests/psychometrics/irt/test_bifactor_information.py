"""The observed information of a bifactor model is the negative derivative of its gradient."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy import special

from gfactor.psychometrics.irt import Quadrature, fit_irt


def test_items_of_no_specific_factor_missing_responses_and_categories_are_in_it() -> None:
    rng = np.random.default_rng(0)
    slopes = np.zeros((9, 3))
    slopes[:, 0], slopes[:3, 1], slopes[3:6, 2] = 1.2, 0.9, 1.0
    p = special.expit(rng.normal(size=(150, 3)) @ slopes.T)
    data = pd.DataFrame((rng.uniform(size=p.shape) < p).astype(float)).add_prefix("i")
    data["i8"] += data["i0"]
    data.iloc[:20, 1] = np.nan
    fit: Any = fit_irt(
        "2pl", data, bifactor={"A": ["i0", "i1", "i2", "i8"], "B": ["i3", "i4", "i5"]},
        quadrature=Quadrature(11, 5.0),
    )  # fmt: skip
    likelihood, x = fit.likelihood, fit.optimum.x + 0.05
    observed = likelihood.observed(likelihood.evaluate(x))
    step = 1e-5 * np.eye(len(x))
    numeric = [
        (likelihood.evaluate(x - e).gradient - likelihood.evaluate(x + e).gradient) / 2e-5
        for e in step
    ]
    assert np.abs(observed - np.array(numeric)).max() < 1e-6
