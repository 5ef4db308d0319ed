"""A first step for all replicates from one point.

At one point the expected Hessian is the same for all, and the slope is linear in the moments: a
scoring step of a thousand replicates is one product of matrices.
"""

from __future__ import annotations

import numpy as np

from gfactor.psychometrics.sem.batches.moments import Moments
from gfactor.psychometrics.sem.constraints import Reduction
from gfactor.psychometrics.sem.discrepancy.normal import information_at
from gfactor.psychometrics.sem.model import Point, Structure


def first_steps(
    structure: Structure, reduction: Reduction, moments: Moments, theta: np.ndarray
) -> np.ndarray:
    """Where a full scoring step from theta leads each replicate, shape (R, n_free).

    Parameters
    ----------
    moments: of regular samples. theta: shape (n_free,).

    Where no such step can be made, theta itself.
    """
    point = Point(structure, theta)
    n = structure.n_free
    slope = np.zeros((len(moments), n))
    matrix = np.zeros((n, n))
    try:
        for group, sample, share in zip(point.groups, moments.groups, moments.shares, strict=True):
            s = group.structure
            inverse = np.linalg.inv(group.sigma)
            a, b = group.factors
            aw, bw = a @ inverse, b @ inverse
            total = sample.cov
            means = structure.meanstructure
            if means:
                away = sample.mean - group.mu
                total = total + away[:, :, None] * away[:, None, :]
                slope[:, s.index[s.mean_part[0]]] -= share * (
                    away @ (group.mean_factor @ inverse).T
                )
            products = (aw[:, :, None] * bw[:, None, :]).reshape(len(a), -1)
            own = (aw * b).sum(axis=1) - total.reshape(len(total), -1) @ products.T
            slope[:, s.index[s.covariance_part[0]]] += share * own
            matrix += share * information_at(group, inverse, n, means=means)
        step = -np.linalg.solve(reduction.matrix(matrix), (slope @ reduction.basis).T).T
    except np.linalg.LinAlgError:
        return np.tile(theta, (len(moments), 1))
    x = reduction.x(theta) + step
    return x if reduction.trivial else reduction.offset + x @ reduction.basis.T
