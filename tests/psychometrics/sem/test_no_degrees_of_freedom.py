"""Models without degrees of freedom, or with fewer, have no test of fit, and say so."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

from gfactor.psychometrics import sem


@pytest.mark.parametrize("test", ["scaled.shifted", "mean.var.adjusted", "satorra.bentler"])
def test_a_factor_of_two_ordered_indicators_has_no_test_of_fit(test: str) -> None:
    scores = np.array([[0, 0], [0, 1], [1, 1], [1, 1], [0, 0], [1, 0], [0, 0], [1, 1]], float)
    data = pd.DataFrame(scores, columns=["a", "b"])
    fit = sem.fit("g =~ a + b", data, ordered=["a", "b"], estimator="WLSMV", test=test)
    assert fit.exact.df == -1
    assert fit.exact.pvalue is not None
    assert math.isnan(fit.exact.pvalue)
    assert "g" in fit.summary()


def _indicators(count: int) -> pd.DataFrame:
    random = np.random.default_rng(1)
    ability = random.normal(size=200)
    return pd.DataFrame({f"v{k}": ability + random.normal(size=200) for k in range(count)})


@pytest.mark.parametrize("estimator", ["ML", "MLR"])
def test_a_saturated_model_is_not_called_perfect(estimator: str) -> None:
    fit = sem.fit("g =~ v0 + v1 + v2", _indicators(3), estimator=estimator)
    assert [one.code for one in fit.diagnostics] == ["saturated"]
    for text in (fit.summary(), fit.apa()):
        assert "df = 0: fit cannot be tested" in text
        assert "lavaan prints CFI 1.000" in text
        assert "chi-square(0)" not in text
        assert "TLI" not in text


def test_more_parameters_than_moments_have_no_fit_indices() -> None:
    fit = sem.fit("g =~ v0 + v1", _indicators(2))
    assert "more_parameters_than_moments" in {one.code for one in fit.diagnostics}
    assert "df = -1: more free parameters than moments" in fit.apa()
    assert "CFI" not in fit.apa()
    assert "a minimum, which other estimates share" in fit.apa()
    measures: Any = fit.fit_measures
    assert measures[["cfi", "tli", "rmsea", "rmsea.ci.upper", "nfi", "gfi", "mfi"]].isna().all()
    assert measures["df"] == -1
    assert measures["npar"] == 4
