"""Contribution of each case to the slope of the log-likelihood."""

from __future__ import annotations

import numpy as np

from gfactor.psychometrics.sem.discrepancy import NormalLikelihood
from gfactor.psychometrics.sem.model import Point


def casewise_scores(
    likelihood: NormalLikelihood, point: Point, number: int, rows: np.ndarray
) -> np.ndarray:
    """Return derivatives of each case's log-likelihood at a point.

    Parameters
    ----------
    number: the group. rows: its cases, shape (n, p), NaN if missing, in the order of the
        likelihood's blocks.

    Returns shape (n, n_free). Without a mean structure, means count as known (the sample's).
    """
    blocks = likelihood.blocks[number]
    group = point.groups[number]
    s = group.structure
    inverse = likelihood.terms(point, number).inverse
    member = np.zeros(len(rows), dtype=int) if blocks.member is None else blocks.member
    center = group.mu if likelihood.use_mean else blocks.mean[0]
    away = rows - center
    if blocks.complete:
        pulled = away @ inverse
    else:
        away = np.where(np.isnan(away), 0.0, away)
        pulled = (inverse[member] @ away[:, :, None])[:, :, 0]
    a, b = group.factors
    out = np.zeros((len(rows), likelihood.structure.n_free))
    level = np.atleast_2d(((a @ inverse) * b).sum(axis=-1))
    parameters = s.index[s.covariance_part[0]]
    out[:, parameters] = (pulled @ a.T) * (pulled @ b.T) - level[member]
    if likelihood.use_mean:
        out[:, s.index[s.mean_part[0]]] += pulled @ group.mean_factor.T
    return out
