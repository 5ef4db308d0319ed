"""Linking the scales of two calibrations by their common items.

A linking gives `slope` A and `intercept` B with theta_old = A theta_new + B, so that a_old is
a_new / A and b_old is A b_new + B.

References
----------
Kolen, M. J., Brennan, R. L. (2014). Test Equating, Scaling, and Linking (3rd ed.), chapter 6.
Haebara, T. (1980). Equating logistic ability scales by a weighted least squares method. Japanese
    Psychological Research 22, 144-149.
Stocking, M. L., Lord, F. M. (1983). Developing a common metric in item response theory. Applied
    Psychological Measurement 7, 201-210.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd
from scipy import optimize, special

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.irt.likelihood.curves import Floats

LinkingMethod = Literal["mean-mean", "mean-sigma", "mean-geometric", "haebara", "stocking-lord"]
METHODS: tuple[LinkingMethod, ...] = (
    "mean-mean", "mean-sigma", "mean-geometric", "haebara", "stocking-lord",
)  # fmt: skip


class Linking(NamedTuple):
    """The line of a link: theta on the old scale = slope * theta on the new one + intercept.
    Standard errors are NaN if unknown."""

    slope: float
    intercept: float
    slope_se: float
    intercept_se: float
    items: int


def link(
    old: pd.DataFrame, new: pd.DataFrame, method: LinkingMethod = "stocking-lord", *,
    old_vcov: Floats | None = None, new_vcov: Floats | None = None,
) -> Linking:  # fmt: skip
    """Estimate the line that transforms a new calibration to the old scale.

    Parameters
    ----------
    old, new : DataFrame
        Common items in the index; columns `a`, `b`, and `c` where guessing is possible.
    method : str
        One of `METHODS`. The two last compare curves at theta = -4, -3.9, ..., 4, weighted by the
        normal density of the old scale.
    old_vcov, new_vcov : array (2 J, 2 J) or None
        Covariance matrices of (a_1 .. a_J, b_1 .. b_J) in the order of the common items; standard
        errors follow by the delta method.

    Returns
    -------
    Linking
        The line between the scales, with standard errors.

    Raises
    ------
    ParameterError, UnknownNameError
        If fewer than two items are common, or the method is unknown.

    Examples
    --------
    >>> old = pd.DataFrame({"a": [1.0, 1.5], "b": [0.0, 1.0]}, index=["x", "y"])
    >>> new = pd.DataFrame({"a": [2.0, 3.0], "b": [-0.5, 0.0]}, index=["x", "y"])
    >>> linking = link(old, new, "mean-mean")
    >>> (round(linking.slope, 6), round(linking.intercept, 6))
    (2.0, 1.0)
    """
    if method not in METHODS:
        raise UnknownNameError("linking method", method, METHODS)
    common = [item for item in old.index if item in new.index]
    if len(common) < 2:
        raise ParameterError(f"linking needs at least two common items, got {len(common)}")
    first = _parameters(old.loc[common])
    second = _parameters(new.loc[common])
    constants = _constants(first, second, method)
    errors = (np.nan, np.nan)
    if old_vcov is not None and new_vcov is not None:
        errors = _errors(first, second, method, old_vcov, new_vcov)
    return Linking(*constants, *errors, len(common))


def _parameters(frame: pd.DataFrame) -> Floats:
    """(3, J): a, b, c."""
    c = frame["c"].to_numpy(float) if "c" in frame else np.zeros(len(frame))
    parameters = np.stack([frame["a"].to_numpy(float), frame["b"].to_numpy(float), c])
    if not np.all(np.isfinite(parameters)):
        raise ParameterError("linking needs a and b of every common item")
    return parameters


def _constants(old: Floats, new: Floats, method: str) -> tuple[float, float]:
    a_old, b_old, a_new, b_new = old[0], old[1], new[0], new[1]
    if method == "mean-sigma":
        slope = float(b_old.std() / b_new.std())
    elif method == "mean-geometric":
        slope = float(np.exp(np.mean(np.log(a_new / a_old))))
    else:
        slope = float(a_new.mean() / a_old.mean())
    start = np.array([slope, float(b_old.mean() - slope * b_new.mean())])
    if method.startswith("mean"):
        return float(start[0]), float(start[1])
    line = np.linspace(-4, 4, 81)
    weights = np.exp(-0.5 * line**2)
    weights = np.sqrt(weights / weights.sum())
    target = _curves(old[0], old[1], old[2], line)

    def gaps(x: Floats) -> Floats:
        away = (target - _curves(new[0] / x[0], x[0] * new[1] + x[1], new[2], line)) * weights
        return away.ravel() if method == "haebara" else away.sum(axis=0)

    def slopes(x: Floats) -> Floats:
        rate, difficulty = new[0] / x[0], x[0] * new[1] + x[1]
        p = special.expit(rate[:, None] * (line - difficulty[:, None]))
        bend = (1 - new[2][:, None]) * p * (1 - p) * weights
        by_slope = -(rate / x[0])[:, None] * (line - difficulty[:, None]) - (rate * new[1])[:, None]
        both = [-bend * by_slope, bend * rate[:, None]]
        return np.stack([m.ravel() if method == "haebara" else m.sum(axis=0) for m in both], -1)

    jacobian: Any = slopes  # scipy's types allow only a name here
    x = optimize.least_squares(gaps, start, jacobian, xtol=1e-15, ftol=1e-15, gtol=1e-15).x
    # At its minimum a sum of squares is flat to half of the digits. Gauss-Newton steps continue to
    # the point at which its slope is zero, so that standard errors, which differentiate there, keep
    # theirs.
    slope = np.abs(slopes(x).T @ gaps(x)).max()
    for _ in range(20):
        nearer = x - np.linalg.lstsq(slopes(x), gaps(x), rcond=None)[0]
        left = np.abs(slopes(nearer).T @ gaps(nearer)).max()
        if not left < slope:
            break
        x, slope = nearer, left
    return float(x[0]), float(x[1])


def _curves(a: Floats, b: Floats, c: Floats, line: Floats) -> Floats:
    return c[:, None] + (1 - c[:, None]) * special.expit(a[:, None] * (line - b[:, None]))


def line_and_slopes(
    old: pd.DataFrame, new: pd.DataFrame, method: LinkingMethod
) -> tuple[Linking, Floats]:
    """Return the line of common items (the rows of both tables), and its derivatives.

    Returns
    -------
    Linking
        Line without standard errors.
    array (2, 4 J)
        Derivatives of slope and intercept in a and b of the old items, then of the new ones.
    """
    first, second = _parameters(old), _parameters(new)
    line = Linking(*_constants(first, second, method), np.nan, np.nan, len(old))
    return line, _jacobian(first, second, method)


def _errors(
    old: Floats, new: Floats, method: str, old_vcov: Floats, new_vcov: Floats
) -> tuple[float, float]:
    count = old.shape[1]
    jacobian = _jacobian(old, new, method)
    whole = np.zeros((4 * count, 4 * count))
    whole[: 2 * count, : 2 * count] = old_vcov
    whole[2 * count :, 2 * count :] = new_vcov
    slope, intercept = np.sqrt((jacobian @ whole @ jacobian.T).diagonal())
    return float(slope), float(intercept)


def _jacobian(old: Floats, new: Floats, method: str) -> Floats:
    count = old.shape[1]
    jacobian = np.zeros((2, 4 * count))
    for side, given in enumerate((old, new)):
        for row in range(2):
            for j in range(count):
                step = 1e-5 * max(1.0, abs(given[row, j]))
                ends = []
                for sign in (1, -1):
                    moved = given.copy()
                    moved[row, j] += sign * step
                    ends.append(_constants(*((moved, new) if side == 0 else (old, moved)), method))
                column = side * 2 * count + row * count + j
                jacobian[:, column] = (np.array(ends[0]) - np.array(ends[1])) / (2 * step)
    return jacobian
