"""The acceleration of BCa intervals, from fits without each case."""

from __future__ import annotations

import numpy as np

from gfactor.psychometrics.sem.batches import batchable, fit_each, fit_many
from gfactor.psychometrics.sem.bootstrapping.resamples import left_out, left_out_samples
from gfactor.psychometrics.sem.fitted import Fit


def acceleration(fit: Fit) -> tuple[np.ndarray, np.ndarray]:
    """Sixth of the skewness of the cases' influence (Efron 1987), per row of the table: of the
    estimates and of the standardized solution.

    The influence of a case is what the estimate loses without it (jackknife), per group as in
    stratified sampling (Davison & Hinkley 1997, 5.3.2); NaN where leaving out a case leaves no
    finite estimate.
    """
    if batchable(fit):
        parts = [fit_many(fit, moments) for _, moments in left_out(fit)]
    else:
        numbers = range(len(fit.sample.groups))
        parts = [fit_each(fit, left_out_samples(fit, number)) for number in numbers]
    values = [part.values for part in parts]
    standard = [part.standardized for part in parts]
    return _skewness(values), _skewness(standard)


def _skewness(groups: list[np.ndarray]) -> np.ndarray:
    square = cube = np.zeros(groups[0].shape[1])
    with np.errstate(invalid="ignore", divide="ignore"):
        for values in groups:
            n = len(values)
            influence = (n - 1) * (values.mean(axis=0) - values) / n
            square = square + (influence**2).sum(axis=0)
            cube = cube + (influence**3).sum(axis=0)
        found = cube / (6 * square**1.5)
    return np.where(square > 1e-24, found, np.where(square <= 1e-24, 0.0, np.nan))
