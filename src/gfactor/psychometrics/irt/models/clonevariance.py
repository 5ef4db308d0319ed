"""Spread of the difficulties of a cell's clones, cell by cell, pooled over cells."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from gfactor.psychometrics.float_arrays import einsum
from gfactor.psychometrics.irt.likelihood.curves import Floats

CLONE_SD = np.geomspace(0.02, 4.0, 54)
"""Grid of standard deviations of clones, in logits."""
_CENTERS = np.log(np.geomspace(0.05, 2.0, 25))
_SPREADS = np.array([0.1, 0.2, 0.35, 0.5, 0.7, 1.0])
_CENTER_PRIOR = (np.log(0.4), 1.0)
_SPREAD_PRIOR = 0.5
"""Priors: of the mean of log sigma over cells (normal), of its standard deviation (half normal)."""

_NOTHING = 1e-10
"""A cell whose mean has no more information than this is left out."""


def clone_spreads(a: Floats, h: Floats, b: Floats, z: Floats) -> tuple[Floats, Floats, Floats]:
    """Return posterior of every cell's sigma, the standard deviation of the difficulty of its
    clones.

    Parameters
    ----------
    a, h : array (J, J), (J,)
        The log-likelihood of difficulties b is h'b - b'a b / 2.
    b : array (J,)
        Estimates of the difficulties.
    z : array (J, C)
        One where an item is of a cell.

    Returns
    -------
    array (C,), (2, C), (C,)
        Root mean square of sigma, its 95 % interval, and the standard deviation of its log.
    """
    logs = np.log(CLONE_SD)
    likelihood = np.stack([_within(a, h, b, np.flatnonzero(column)) for column in z.T])
    center, spread = np.meshgrid(_CENTERS, _SPREADS, indexing="ij")
    center, spread = center.ravel(), spread.ravel()
    prior = np.exp(-0.5 * ((logs[None] - center[:, None]) / spread[:, None]) ** 2)
    prior /= prior.sum(axis=1, keepdims=True)
    given = np.exp(likelihood - likelihood.max(axis=1, keepdims=True))
    with np.errstate(divide="ignore"):
        evidence = np.log(given @ prior.T).sum(axis=0)
    evidence -= 0.5 * ((center - _CENTER_PRIOR[0]) / _CENTER_PRIOR[1]) ** 2
    evidence -= 0.5 * (spread / _SPREAD_PRIOR) ** 2
    weights = np.exp(evidence - evidence.max())
    # A cell's posterior given each hyperparameter, weighted by the posterior of the hyperparameter.
    each = given[:, None, :] * prior[None]
    each /= each.sum(axis=2, keepdims=True)
    posterior = einsum("h,chs->cs", weights / weights.sum(), each)
    below = np.cumsum(posterior, axis=1)
    quantiles = np.stack([
        CLONE_SD[np.minimum((below < level).sum(axis=1), len(CLONE_SD) - 1)]
        for level in (0.025, 0.975)
    ])  # fmt: skip
    log_mean = posterior @ logs
    log_se = np.sqrt(np.maximum(posterior @ logs**2 - log_mean**2, 0))
    return np.sqrt(posterior @ CLONE_SD**2), quantiles, log_se


def _within(every: Floats, heights: Floats, b: Floats, items: NDArray[np.intp]) -> Floats:
    """Restricted log-likelihood of a cell's sigma on the grid, other items at their estimates."""
    if len(items) < 2:
        return np.zeros(len(CLONE_SD))
    others = np.setdiff1d(np.arange(len(heights)), items)
    a = every[np.ix_(items, items)]
    h = heights[items] - every[np.ix_(items, others)] @ b[others]
    values, vectors = linalg.eigh(a)
    values = np.maximum(values, 0)
    h, one = vectors.T @ h, vectors.T @ np.ones(len(items))
    if float(one**2 @ values) <= _NOTHING:
        return np.zeros(len(CLONE_SD))
    grown = 1 + values * CLONE_SD[:, None] ** 2
    inner = (values / grown) @ one**2
    right = (h / grown) @ one
    return (
        0.5 * CLONE_SD**2 * ((1 / grown) @ h**2) + 0.5 * right**2 / inner
        - 0.5 * np.log(grown).sum(axis=1) - 0.5 * np.log(inner)
    )  # fmt: skip
