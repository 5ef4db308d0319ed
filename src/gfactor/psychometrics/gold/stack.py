"""GOLD's redundancy, separation and three diagnostics, for a stack of correlation matrices."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gfactor.psychometrics.gold.model import TaskPool
from gfactor.psychometrics.pls import estimate
from gfactor.psychometrics.pls.iteration import TOLERANCE
from gfactor.psychometrics.validity import block_inflation
from gfactor.psychometrics.validity.heterotrait import htmt

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

ROUGH = 1e-5
"""Tolerance for resamples; it changes a loading by less than 1e-6."""


def own_loadings(r: Floats, alive: Bools, pool: TaskPool, tolerance: float = TOLERANCE) -> Floats:
    """Return the absolute loading of every task on its own construct, stack x tasks.

    Parameters
    ----------
    r: stack x tasks x tasks, correlations.
    alive: stack x tasks, False for removed tasks, whose loading then is the correlation with a
    construct that they do not belong to.
    tolerance: limit of the change of the weights, summed; resamples need less than the data
        themselves.
    """
    columns = pool.columns
    if len(columns) > r.shape[1]:
        r, alive = r[:, columns[:, None], columns], alive[:, columns]
    estimates = estimate(
        r, pool.design, scheme=pool.scheme, active=alive, sign="none", tolerance=tolerance
    )
    return np.abs(estimates.loadings[:, : len(pool.owner)])


def own_inflation(r: Floats, alive: Bools, pool: TaskPool, among_all: bool = False) -> Floats:
    """Return VIFs of the tasks that may be removed, stack x tasks; NaN for all others.

    Predictors are the other tasks of the construct or, with `among_all`, all other tasks.
    """
    blocks = [np.flatnonzero(pool.owner == construct) for construct in pool.constructs]
    if among_all:
        blocks = [np.flatnonzero(pool.prunable)]
    return block_inflation(r, blocks, alive)


def separation(r: Floats, alive: Bools, pool: TaskPool) -> Floats:
    """Return HTMT of the constructs with two tasks or more, stack x constructs x constructs.

    It uses absolute correlations and the geometric mean of both constructs, as the authors' tool
    does; equation 1 of the paper has raw correlations over the first construct only. NaN on the
    diagonal.
    """
    member = (pool.owner[:, None] == pool.constructs).astype(float)
    return htmt(r, member, "htmt", alive)


def three(r: Floats, alive: Bools, pool: TaskPool, tolerance: float = TOLERANCE) -> Floats:
    """Return D_div, TC and D_valid of every matrix, stack x 3; equations 2, 3 and 5 of GOLD."""
    loading = own_loadings(r, alive, pool, tolerance)
    counted = alive & pool.prunable
    n = counted.sum(axis=1)
    vif = own_inflation(r, alive, pool)
    ratio = separation(r, alive, pool)
    largest = np.where(np.isnan(ratio), -np.inf, ratio).max(axis=(1, 2), initial=-np.inf)
    with np.errstate(divide="ignore", invalid="ignore"):
        div = np.where(np.isfinite(largest), np.minimum(1.0, 1 / (2 * largest)), np.nan)
        tc = np.where(counted, loading, 0.0).sum(axis=1) / n
        # An infinite VIF makes the geometric mean infinite, hence the product zero.
        valid = np.exp(-np.where(counted, np.log(vif), 0.0).sum(axis=1) / n)
    return np.column_stack([div, tc, valid])
