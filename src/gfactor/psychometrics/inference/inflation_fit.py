"""Right answers that are unexpected by the scale, compared with those of the references.

A model that has learned items by heart has them right whatever their difficulty. `misfits` measures
how far a model's right answers are at odds with the order of difficulty; items with a known wrong
key are not answered "right" by ability. Both are compared with the references, so that neither
depends on whether a model of answers is true.

References
----------
Meijer, R. R., Sijtsma, K. (2001). Methodology review: evaluating person fit. Applied Psychological
    Measurement 25, 107-135.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import special

from gfactor.psychometrics.inference.form_completion import abilities
from gfactor.psychometrics.inference.reference_line import occasion_share

Floats = NDArray[np.float64]

HALFWAY = 10
"""Number of references at which a test gives equal weight to ranks and the normal distribution."""
MIN_FOR_RANK = 19
"""Smallest number of reference models with which a rank can have p at or below .05."""


def misfits(form: Floats) -> Floats:
    """Return a measure of person misfit of each model, from its answers and the difficulty of the
    items.

    Parameters
    ----------
    form : array (models, items)
        Answers, 0 to 1; NaN is not answered.

    Returns
    -------
    array (models,)
        Score statistic of a slope below 1 in `logit p = ability + slope * easiness`, where the
        easiness is that for the other models and the ability fits the model's own total: about
        standard normal, and large if hard items are right and easy ones wrong. NaN for a model that
        has all or nothing right.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> right = (rng.random((9, 200)) < np.linspace(0.1, 0.9, 200)) * 1.0
    >>> right[0] = right[0, ::-1]
    >>> int(misfits(right).argmax())
    0
    """
    answered = ~np.isnan(form)
    x = np.where(answered, form, 0.0)
    right, n = x.sum(axis=0) - x, answered.sum(axis=0) - answered
    easiness = np.log((right + 0.5) / (n - right + 0.5))
    total = x.sum(axis=1)
    ability = abilities(easiness, answered, total)
    p = special.expit(ability[:, None] + easiness)
    variance = np.where(answered, p * (1 - p), 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        center = (variance * easiness).sum(axis=1) / variance.sum(axis=1)
        apart = easiness - center[:, None]
        score = (np.where(answered, p - x, 0.0) * apart).sum(axis=1)
        standardized = score / np.sqrt((variance * apart**2).sum(axis=1) * occasion_share(form))
    some = (total > 0) & (total < answered.sum(axis=1))
    return np.where(some & np.isfinite(standardized), standardized, np.nan)


def beyond(value: Floats, given: Floats) -> tuple[float, float]:
    """Return the difference of the first value from its prediction by the others, and its one-sided
    p.

    Parameters
    ----------
    value, given : array (models,)
        The values to compare, and their predictors in a straight line; the examinee comes first.

    Returns
    -------
    tuple of float
        The difference over its standard error of prediction, and p; NaN with fewer than five
        references.
    """
    finite = np.isfinite(value) & np.isfinite(given)
    y, x = value[finite][1:], given[finite][1:]
    n = len(y)
    if n < 5 or not finite[0]:
        return np.nan, np.nan
    dx = x - x.mean()
    squares = float(dx @ dx)
    slope = float(dx @ y) / squares if squares > 1e-12 else 0.0
    rest = y - y.mean() - slope * dx
    leverage = 1 / n + (dx**2 / squares if squares > 1e-12 else 0.0)
    error = float(rest @ rest)
    if error <= 1e-12:
        return np.nan, np.nan
    at = float(given[0] - x.mean())
    ahead = 1 + 1 / n + (at**2 / squares if squares > 1e-12 else 0.0)
    statistic = float(value[0] - y.mean() - slope * at) / np.sqrt(error / (n - 2) * ahead)
    left_out = np.maximum(error - rest**2 / (1 - leverage), 1e-12) / (n - 3)
    others = rest / np.sqrt((1 - leverage) * left_out)
    return statistic, toward_rank(statistic, others, n - 2.0)


def toward_rank(statistic: float, others: Floats, df: float) -> float:
    """Return the p-value of the t distribution, combined with that of the rank, whose weight
    increases with the number of references.

    Only many references show the tail of the distribution of differences.
    """
    count, share = len(others), leaning(len(others))
    rank = (np.count_nonzero(others >= statistic) + 0.5) / (count + 1)
    return float((1 - share) * special.stdtr(df, -statistic) + share * rank)


def leaning(count: int) -> float:
    """Return the weight of ranks in a test with this number of references, 0 to 1."""
    return count / (count + HALFWAY) if count >= MIN_FOR_RANK else 0.0


def least_p(count: int) -> float:
    """Return the lower bound of the p-value of a test with this number of references."""
    return leaning(count) * 0.5 / (count + 1)
