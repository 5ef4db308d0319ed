"""Variables of a mixed table, one by one: thresholds of the ordinal, moments of the others.

The first step of Muthen's (1984) estimator: every variable alone, with casewise scores. Given
covariates are taken out first: by probit regression of an ordinal variable, by linear regression of
a continuous one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from gfactor.errors import ParameterError
from gfactor.psychometrics.float_arrays import solve
from gfactor.psychometrics.item_columns import MISSING_CODES
from gfactor.psychometrics.sem.ordinal.bivariate import FAR

Array = NDArray[np.float64]

_SEPARATED = 10.0
"""Probit slope per standard deviation of a covariate that means a perfect prediction."""

LEAST = float(np.finfo(float).eps)
"""Lower limit of the probabilities of single cases, as in lavaan."""


def _density(z: Array) -> Array:
    return np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)


def probability(lower: Array, upper: Array) -> Array:
    """Return a standard normal probability between limits, computed in the tail that avoids
    cancellation."""
    right = lower > 0
    return ndtr(np.where(right, -lower, upper)) - ndtr(np.where(right, -upper, lower))


def average(values: Array, weights: Array | None) -> Array:
    """Return means over cases (the first axis), weighted if there are weights."""
    return values.mean(axis=0) if weights is None else weights @ values / weights.sum()


@dataclass(frozen=True)
class OrdinalColumn:
    """An ordered categorical variable: a standard normal response cut at thresholds.

    Parameters
    ----------
    name: name of the variable. codes: category of every case, from 0; -1 if missing.
    thresholds: increasing.
    slopes, design: effects of given covariates, shape (q,), and these covariates, shape (n, q); the
        response of a case is then normal about `design @ slopes`.
    weights: sampling weights of the cases, shape (n,), or None.
    """

    name: str
    codes: NDArray[np.intp]
    thresholds: Array
    slopes: Array | None = None
    design: Array | None = None
    weights: Array | None = None

    @property
    def categories(self) -> int:
        return len(self.thresholds) + 1

    @cached_property
    def edges(self) -> Array:
        """Thresholds between minus and plus (nearly) infinity."""
        return np.concatenate([[-FAR], self.thresholds, [FAR]])

    @cached_property
    def known(self) -> NDArray[np.bool_]:
        """Return True for cases that have a value."""
        return self.codes >= 0

    def among(self, cases: NDArray[np.bool_]) -> OrdinalColumn:
        """Return the variable for some of the cases."""
        design = None if self.design is None else self.design[cases]
        weights = None if self.weights is None else self.weights[cases]
        return replace(self, codes=self.codes[cases], design=design, weights=weights)

    @cached_property
    def limits(self) -> tuple[Array, Array]:
        """Return the limits of every case's standard normal residual: lower, upper, shape (n,)."""
        lower, upper = self.edges[np.maximum(self.codes, 0)], self.edges[self.codes + 1]
        upper = np.where(self.known, upper, FAR)
        lower = np.where(self.known, lower, -FAR)
        if self.design is None or self.slopes is None:
            return lower, upper
        shift = self.design @ self.slopes
        return lower - shift, upper - shift

    def spread(self, by_lower: Array, by_upper: Array) -> Array:
        """Return derivatives with respect to thresholds (then slopes) from those with respect to
        limits; zero if missing."""
        rows = np.arange(len(self.codes))
        out = np.zeros((len(rows), self.categories + 1))
        out[rows, self.codes + 1] = by_upper
        out[rows, self.codes] = by_lower
        out = out[:, 1:-1]
        if self.design is None:
            return out
        return np.hstack([out, -(by_lower + by_upper)[:, None] * self.design])

    @cached_property
    def scores(self) -> Array:
        """Derivatives of each case's log likelihood by thresholds, slopes: (n, thresholds + q)."""
        if self.design is not None:
            lower, upper = self.limits
            inside = np.maximum(probability(lower, upper), LEAST)
            return self.spread(-_density(lower) / inside, _density(upper) / inside)
        codes = self.codes[self.known]
        each = None if self.weights is None else self.weights[self.known]
        share = np.bincount(codes, each, self.categories) / (
            len(codes) if each is None else each.sum()
        )
        density = _density(self.thresholds)
        table = np.zeros((self.categories, len(density)))
        k = np.arange(len(density))
        table[k, k] = density / share[:-1]
        table[k + 1, k] = -density / share[1:]
        return np.where(self.known[:, None], table[self.codes], 0.0)


@dataclass(frozen=True)
class NumericColumn:
    """A continuous variable, NaN if missing. It has mean and variance with divisor n or, with
    covariates, the intercept and the residual variance; the rest is as in `OrdinalColumn`."""

    name: str
    values: Array
    mean: float
    variance: float
    slopes: Array | None = None
    design: Array | None = None
    weights: Array | None = None

    @cached_property
    def known(self) -> NDArray[np.bool_]:
        """Return True for cases that have a value."""
        return ~np.isnan(self.values)

    def among(self, cases: NDArray[np.bool_]) -> NumericColumn:
        """Return the variable for some of the cases."""
        design = None if self.design is None else self.design[cases]
        weights = None if self.weights is None else self.weights[cases]
        return replace(self, values=self.values[cases], design=design, weights=weights)

    @cached_property
    def z(self) -> Array:
        """Standardized (residual) values; NaN if missing."""
        away = self.values - self.mean
        if self.design is not None and self.slopes is not None:
            away = away - self.design @ self.slopes
        return away / np.sqrt(self.variance)

    def spread(self, by_mean: Array, by_variance: Array) -> Array:
        """Return derivatives by mean, slopes and variance from those by each case's expectation."""
        if self.design is None:
            return np.column_stack([by_mean, by_variance])
        return np.column_stack([by_mean, by_mean[:, None] * self.design, by_variance])

    @cached_property
    def scores(self) -> Array:
        """Derivatives by mean, slopes and variance, shape (n, 2 + q)."""
        sd = np.sqrt(self.variance)
        scores = self.spread(self.z / sd, (self.z**2 - 1) / (2 * self.variance))
        return np.where(self.known[:, None], scores, 0.0)


Column = OrdinalColumn | NumericColumn


def ordinal_column(
    name: str,
    values: Array,
    levels: NDArray[np.float64],
    where: str = "",
    design: Array | None = None,
    weights: Array | None = None,
) -> OrdinalColumn:
    """Return an ordinal variable with thresholds at the normal quantiles of the cumulated shares,
    or from a probit regression.

    Parameters
    ----------
    levels: categories in order, over all groups; `where` names the group for messages.
    design: covariates, shape (n, q). weights: sampling weights, shape (n,).

    Raises ParameterError if a category is empty in this group.
    """
    observed = ~np.isnan(values)
    codes = np.where(observed, np.searchsorted(levels, values), -1)
    counts = np.bincount(codes[observed], minlength=len(levels))
    if len(levels) < 2:
        raise ParameterError(f"ordinal variable {name!r} has one category only; leave it out")
    if (counts == 0).any():
        empty = ", ".join(f"{level:g}" for level in levels[counts == 0])
        coded = [level for level in levels[counts == 0] if level in MISSING_CODES]
        raise ParameterError(
            f"ordinal variable {name!r} has no case in category {empty}{where}; "
            + (f"empty its cells if {coded[0]:g} stands for a missing answer, or " if coded else "")
            + "join it with a neighbor in all groups"
        )
    if weights is not None:
        counts = np.bincount(codes[observed], weights[observed], len(levels))
    thresholds = ndtri(counts.cumsum()[:-1] / counts.sum())
    if design is None:
        return OrdinalColumn(name, codes, thresholds, weights=weights)
    column = OrdinalColumn(name, codes, thresholds, np.zeros(design.shape[1]), design, weights)
    fitted = _probit(column.among(observed), where)
    return replace(column, thresholds=fitted.thresholds, slopes=fitted.slopes)


def _probit(column: OrdinalColumn, where: str) -> OrdinalColumn:
    """Fit a probit regression by Newton's method; its likelihood is concave."""
    assert column.design is not None
    center, unit = column.design.mean(axis=0), column.design.std(axis=0)
    here = replace(column, design=(column.design - center) / unit)

    def loss(at: OrdinalColumn) -> float:
        return -float(average(np.log(np.maximum(probability(*at.limits), LEAST)), at.weights))

    value = loss(here)
    for _ in range(60):
        moved, tried, step = here, value, _newton_step(here)
        for _ in range(30):
            moved = _moved(here, step)
            tried = loss(moved) if (np.diff(moved.thresholds) > 0).all() else np.inf
            if tried <= value + 1e-15 * abs(value):
                break
            step = step / 2
        here, value = moved, tried
        if np.abs(step).max() < 1e-13:
            break
    assert here.slopes is not None
    if np.abs(here.slopes).max() > _SEPARATED:
        raise ParameterError(
            f"the covariates predict the categories of {column.name!r} without error{where}; "
            "leave the variable or the covariate out"
        )
    slopes = here.slopes / unit
    return replace(column, thresholds=here.thresholds + center @ slopes, slopes=slopes)


def _newton_step(column: OrdinalColumn) -> Array:
    lower, upper = column.limits
    inside = np.maximum(probability(lower, upper), LEAST)
    below, above = _density(lower) / inside, _density(upper) / inside
    ends = np.zeros((2, *column.scores.shape))
    one, none = np.ones(len(below)), np.zeros(len(below))
    ends[0], ends[1] = column.spread(one, none), column.spread(none, one)
    slope = column.scores
    each = np.ones(len(slope)) if column.weights is None else column.weights
    curve = (ends[1] * (each * upper * above)[:, None]).T @ ends[1]
    curve -= (ends[0] * (each * lower * below)[:, None]).T @ ends[0]
    hessian = ((slope * each[:, None]).T @ slope + curve) / each.sum()
    return np.asarray(solve(hessian, average(slope, column.weights)), float)


def _moved(column: OrdinalColumn, step: Array) -> OrdinalColumn:
    assert column.slopes is not None
    count = len(column.thresholds)
    return replace(
        column, thresholds=column.thresholds + step[:count], slopes=column.slopes + step[count:]
    )


_TWO = 2


def numeric_column(
    name: str, values: Array, design: Array | None = None, weights: Array | None = None
) -> NumericColumn:
    """Return a continuous variable; raise ParameterError if it is constant or determined by
    covariates."""
    observed = ~np.isnan(values)
    observed_values = values[observed]
    each = None if weights is None else weights[observed]
    if design is not None:
        full = np.column_stack([np.ones(len(observed_values)), design[observed]])
        root = np.ones(len(full)) if each is None else np.sqrt(each)
        coefficients = np.linalg.lstsq(full * root[:, None], observed_values * root, rcond=None)[0]
        variance = float(average((observed_values - full @ coefficients) ** 2, each))
        if not variance > 1e-12 * float(observed_values.var()):
            raise ParameterError(f"covariates determine the variable {name!r}; leave it out")
        slopes = np.asarray(coefficients[1:], float)
        center = float(coefficients[0])
        return NumericColumn(name, values, center, variance, slopes, design, weights)
    mean = float(average(observed_values, each))
    variance = float(average((observed_values - mean) ** 2, each))
    if variance <= 0:
        raise ParameterError(f"variable {name!r} does not vary; leave it out")
    if len(np.unique(observed_values[:1000])) <= _TWO >= len(np.unique(observed_values)):
        # Mean and variance then are one number, and have no covariance matrix.
        raise ParameterError(
            f"the variable {name!r} has two values, which beside ordinal variables cannot count as "
            "continuous; name it among the ordered ones, too, or let it only predict (fixed_x)."
        )
    return NumericColumn(name, values, mean, variance, weights=weights)
