"""Ordinal models without degrees of freedom, or with fewer, are summarized, not divided by zero."""

from __future__ import annotations

import math

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
