"""Many tests at once: p-values adjusted for their number. Choice of the method: `holm` bounds the
chance of even one false alarm, however the tests depend on each other: for a conclusion from all
tests together, such as an order of examinees (`holm_directional`). `benjamini_hochberg` bounds the
expected share of false alarms among the differences found: for a long table that is searched for
differences worth a closer look. Its proof needs independent or positively dependent tests;
`benjamini_yekutieli` needs no assumption but has less power.

An adjusted p-value is compared with the level like an unadjusted one. NaN stays NaN and does not
count among the tests.

References
----------
Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of
    Statistics 6, 65-70.
Benjamini, Y., Hochberg, Y. (1995). Controlling the false discovery rate. Journal of the Royal
    Statistical Society B 57, 289-300.
Benjamini, Y., Yekutieli, D. (2001). The control of the false discovery rate in multiple testing
    under dependency. Annals of Statistics 29, 1165-1188.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gfactor.errors import ParameterError

Floats = NDArray[np.float64]


def holm(p: ArrayLike) -> Floats:
    """Return p-values adjusted by Holm's step-down method: the k-th smallest of m is multiplied by
    m - k + 1, and the results are made monotone.

    The list may have any length.

    Parameters
    ----------
    p : ArrayLike
        P-values; NaN stays NaN.

    Returns
    -------
    array of float
        Adjusted p-values, in the same order.

    Raises
    ------
    ParameterError
        For a p outside 0..1.

    References
    ----------
    Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian
    Journal of Statistics 6, 65-70.

    Examples
    --------
    >>> from gfactor.psychometrics import holm
    >>> holm([0.01, 0.04, 0.5]).round(3).tolist()
    [0.03, 0.08, 0.5]
    """
    return _adjusted(p, lambda s: np.maximum.accumulate(s * np.arange(s.size, 0, -1)))


def benjamini_hochberg(p: ArrayLike) -> Floats:
    """Return p-values adjusted by Benjamini and Hochberg's method: the k-th smallest of m is
    multiplied by m / k, and the results are made monotone.

    Parameters and errors are those of `holm`.

    Parameters
    ----------
    p : ArrayLike
        P-values; NaN stays NaN.

    Returns
    -------
    array of float
        Adjusted p-values, in the same order.

    Raises
    ------
    ParameterError
        For a p outside 0..1.

    References
    ----------
    Benjamini, Y., Hochberg, Y. (1995). Controlling the false discovery rate. Journal of the
    Royal Statistical Society B 57, 289-300.

    Examples
    --------
    >>> from gfactor.psychometrics import benjamini_hochberg
    >>> benjamini_hochberg([0.01, 0.04, 0.5]).round(3).tolist()
    [0.03, 0.06, 0.5]
    """
    return _adjusted(p, lambda s: _step_up(s, 1.0))


def benjamini_yekutieli(p: ArrayLike) -> Floats:
    """Return `benjamini_hochberg` times 1 + 1/2 + ... + 1/m, valid under any dependence.

    Parameters
    ----------
    p : ArrayLike
        P-values; NaN stays NaN.

    Returns
    -------
    array of float
        Adjusted p-values, in the same order.

    Raises
    ------
    ParameterError
        For a p outside 0..1.

    References
    ----------
    Benjamini, Y., Yekutieli, D. (2001). The control of the false discovery rate in multiple
    testing under dependency. Annals of Statistics 29, 1165-1188.

    Examples
    --------
    >>> from gfactor.psychometrics import benjamini_yekutieli
    >>> benjamini_yekutieli([0.01, 0.04]).round(3).tolist()
    [0.03, 0.06]
    """
    return _adjusted(p, lambda s: _step_up(s, float(np.sum(1 / np.arange(1, s.size + 1)))))


def holm_directional(p: ArrayLike) -> Floats:
    """Return Holm's adjustment of two-sided tests whose conclusion is "the first is better" (or
    worse).

    A two-sided test that rejects shows only that there is a difference. Concluding its direction
    adds a possible error that Holm's proof for two-sided tests does not cover. Here the family
    consists of both one-sided hypotheses of every test, so that the probability of any wrong
    direction, or of a direction if there is no difference, is bounded under any dependence. The
    smallest p is adjusted as by `holm`, the others by up to twice as much: of m tests, the k-th
    smallest p is multiplied by m - (k - 1)/2, not by m - k + 1.

    `p` must be twice the smaller tail of each test. Raises like `holm`.

    Parameters
    ----------
    p : ArrayLike
        Two-sided p-values, each twice the smaller tail.

    Returns
    -------
    array of float
        Adjusted p-values, in the same order.

    Raises
    ------
    ParameterError
        For a p outside 0..1.

    References
    ----------
    Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian
    Journal of Statistics 6, 65-70.

    Examples
    --------
    >>> from gfactor.psychometrics import holm_directional
    >>> holm_directional([0.01, 0.04]).round(3).tolist()
    [0.02, 0.06]
    """
    two_sided = np.asarray(p, float)
    observed, opposite = two_sided / 2, 1 - two_sided / 2
    return holm(np.concatenate([observed, opposite]))[: two_sided.size]


def _step_up(ascending: Floats, penalty: float) -> Floats:
    m = ascending.size
    scaled = ascending * penalty * m / np.arange(1, m + 1)
    return np.minimum.accumulate(scaled[::-1])[::-1]


def _adjusted(p: ArrayLike, rule: Callable[[Floats], Floats]) -> Floats:
    """Apply `rule`, which takes ascending p-values, to the p-values that are not NaN."""
    values = np.asarray(p, float)
    if values.ndim != 1:
        raise ParameterError(f"p-values must be a plain list, got an array of shape {values.shape}")
    defined = ~np.isnan(values)
    if np.any((values[defined] < 0) | (values[defined] > 1)):
        raise ParameterError(
            "p-values must lie between 0 and 1; give probabilities, not statistics"
        )
    order = np.argsort(values[defined], kind="stable")
    adjusted = np.empty(order.size)
    adjusted[order] = np.minimum(1.0, rule(values[defined][order]))
    out = np.full(values.size, np.nan)
    out[defined] = adjusted
    return out
