"""Order of candidates by their gain, alike on every machine."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gfactor.psychometrics.irt.likelihood.curves import Floats

_ROUNDING = 1e-9
"""Gains that differ by less than this share of the largest one differ through rounding alone."""


def best_first(gain: Floats) -> NDArray[np.intp]:
    """Return the candidates from the largest gain to the smallest.

    Items of equal difficulty have equal gains, which rounding may make different in the last bit.
    Gains that differ by no more than rounding count as equal, and equal ones keep the given order.

    Parameters
    ----------
    gain : array (C,)
        Gain of every candidate; those that are not finite cannot be chosen.

    Returns
    -------
    array of int
        Positions of the candidates that can be chosen.

    Examples
    --------
    >>> best_first(np.array([0.2, 0.3, 0.3 + 1e-16, -np.inf])).tolist()
    [1, 2, 0]
    """
    order = np.argsort(-gain, kind="stable")
    order = order[np.isfinite(gain[order])]
    if len(order) < 2:
        return order
    ranked = gain[order]
    falls = ranked[:-1] - ranked[1:] > _ROUNDING * np.abs(ranked).max()
    return order[np.lexsort((order, np.r_[0, np.cumsum(falls)]))]
