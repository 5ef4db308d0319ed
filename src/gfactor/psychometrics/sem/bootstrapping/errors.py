"""Standard errors and intervals of a fit from its bootstrap: se = "bootstrap"."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError
from gfactor.psychometrics.sem.results.estimates import tests_and_intervals

if TYPE_CHECKING:
    from gfactor.psychometrics.sem.bootstrapping.result import Bootstrap


def covariance_of_draws(found: Bootstrap) -> np.ndarray:
    """Covariance of the free parameters over the resamples that ended in a minimum; divisor their
    number, as in lavaan. NaN for parameters that some resample drives to infinity.

    Raises ParameterError where fewer than two resamples have a solution.
    """
    draws = found.fits.theta[found.fits.kept]
    if len(draws) < 2:
        raise ParameterError(
            f"{found.kept} of {found.asked} resamples have a solution, and standard errors need "
            "two or more; take se = 'standard' or another model."
        )
    known = np.isfinite(draws).all(axis=0)
    away = np.where(known, draws - np.where(known, draws, 0.0).mean(axis=0), 0.0)
    out = away.T @ away / len(draws)
    out[~known], out[:, ~known] = np.nan, np.nan
    return out


def with_bootstrap(frame: pd.DataFrame, found: Bootstrap) -> pd.DataFrame:
    """A table of estimates with percentile intervals, and with definitions' standard deviations
    over the resamples (divisor one less than their number, as in lavaan)."""
    table = found.intervals
    made = frame.copy()
    error = frame["se"].to_numpy(dtype=float, copy=True)
    defined = (frame["op"] == ":=").to_numpy()
    error[defined] = table["se"].to_numpy(dtype=float)[defined]
    values = frame["est"].to_numpy(dtype=float)
    tests = tests_and_intervals(values, error, found.level)
    for name in ("se", "z", "pvalue"):
        made[name] = tests[name]
    moved = error != 0
    for name, limit in (("ci.lower", "low"), ("ci.upper", "high")):
        made[name] = np.where(moved, table[limit].to_numpy(dtype=float), values)
    return made
