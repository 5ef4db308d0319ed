"""Correlations that path models start from: of whole, incomplete and resampled tables."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from gfactor.errors import ParameterError
from gfactor.psychometrics.pls.data import masked_correlations, table_of
from gfactor.psychometrics.pls.moments import correlation, standardized


def test_correlations_are_those_of_numpy() -> None:
    x = np.random.default_rng(6).normal(size=(12, 3)) @ np.array([[1, 2, 0], [0, 1, 1], [0, 0, 3]])
    found = correlation(x)
    assert found == pytest.approx(np.corrcoef(x.T))
    assert (found == found.T).all()
    assert (np.diag(found) == 1.0).all()
    assert standardized(x)[0].std(axis=0, ddof=1) == pytest.approx(np.ones(3))


def test_columns_that_share_no_row_have_no_correlation() -> None:
    rng = np.random.default_rng(8)
    data = pd.DataFrame(rng.normal(size=(24, 3)), columns=list("abc"))
    data.loc[:11, "b"] = np.nan
    data.loc[12:, "c"] = np.nan
    with pytest.raises(ParameterError, match="columns 'b' and 'c' share too few rows"):
        table_of(data, ["a", "b", "c"], "pairwise")


def test_pairwise_correlations_of_resamples_are_those_of_their_rows() -> None:
    """A resample in which a column does not vary has no correlation with it."""
    rng = np.random.default_rng(12)
    raw = rng.normal(size=(8, 2))
    raw[0, 0] = np.nan
    raw[2:4, 1] = 0.7
    counts = np.array([[1, 2, 1, 1, 0, 1, 1, 1], [0, 0, 4, 4, 0, 0, 0, 0]], float)
    found: Any = masked_correlations(raw, counts, pairwise=True)
    rows = np.repeat(raw, counts[0].astype(int), axis=0)
    rows = rows[~np.isnan(rows).any(axis=1)]
    assert found[0, 0, 1] == pytest.approx(np.corrcoef(rows[:, 0], rows[:, 1])[0, 1])
    assert np.isnan(found[1, 0, 1])
