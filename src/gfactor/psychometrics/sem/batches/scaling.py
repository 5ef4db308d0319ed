"""Preparation of a batch: disturbances that are fixed at one are free in the search; a first step.

With `std.lv`, a latent variable that others predict has its disturbance fixed, and its scale is in
its loadings. If the data are fitted best by a disturbance of zero or less (in every second small
sample of a second-order model), the slope that predicts the variable grows without limit, and a
search does not end. The same model with the strongest loading held and the disturbance free has its
minimum at a finite place. The search uses this model, and its end is transformed back; a
disturbance that comes out negative is held at zero, which is the limit that the model as written
can approach but not reach: loadings of zero, slopes of infinity, and a standardized solution and a
chi-square that exist.

At one point the expected Hessian is the same for all, and the gradient is linear in the moments: a
scoring step of a thousand replicates is one product of matrices.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gfactor.psychometrics.float_arrays import inv, solve
from gfactor.psychometrics.sem.batches.moments import Moments
from gfactor.psychometrics.sem.constraints import Reduction
from gfactor.psychometrics.sem.discrepancy.normal import information_at
from gfactor.psychometrics.sem.model import Point, Structure, compile_table
from gfactor.psychometrics.sem.model.derivative_index import COVARIANCE, LOADING, MEAN, REGRESSION
from gfactor.psychometrics.sem.model.structure import GroupStructure
from gfactor.psychometrics.sem.parameters import ParameterTable


@dataclass(frozen=True)
class Freed:
    """A fixed disturbance that is free during the search.

    Parameters
    ----------
    name: name of the latent variable. group: number of its group, from 0.
    parameter: number of the parameter that is the disturbance in the search and the marker in the
    model. marker, fixed: value of the marker in the search, and of the disturbance in the model.
    up, down: positions of parameters that grow, and shrink, with the root of the disturbance.
    """

    name: str
    group: int
    parameter: int
    marker: float
    fixed: float
    up: np.ndarray
    down: np.ndarray


@dataclass(frozen=True)
class Scaling:
    """The model in the parameterization of the search.

    Parameters
    ----------
    table, structure: table and structure with freed disturbances. freed: these disturbances.
    """

    table: ParameterTable
    structure: Structure
    freed: tuple[Freed, ...]

    def inner(self, theta: np.ndarray) -> np.ndarray:
        """Transform the model's parameters, shape (R, n_free), to those of the search."""
        out = theta.copy()
        for one in self.freed:
            size = theta[:, one.parameter] / one.marker
            size = np.where(np.abs(size) > 0.05, size, 0.05)[:, None]
            out[:, one.up] = theta[:, one.up] / size
            out[:, one.down] = theta[:, one.down] * size
            out[:, one.parameter] = size[:, 0] ** 2 * one.fixed
        return out

    def outer(self, theta: np.ndarray) -> np.ndarray:
        """Transform parameters of the search to those of the model; slopes are infinite at a
        disturbance of 0."""
        out = theta.copy()
        for one in self.freed:
            size = np.sqrt(np.maximum(theta[:, one.parameter], 0.0) / one.fixed)[:, None]
            out[:, one.up] = theta[:, one.up] * size
            with np.errstate(divide="ignore", invalid="ignore"):
                out[:, one.down] = theta[:, one.down] / size
            out[:, one.parameter] = one.marker * size[:, 0]
        return out


def scaling_of(
    table: ParameterTable, structure: Structure, reduction: Reduction, theta: np.ndarray
) -> Scaling:
    """Return the model with those fixed disturbances freed that no equality, bound or covariance
    ties to a scale, so that nothing else changes. `theta` is a solution, which shows the
    markers."""
    alone = (reduction.basis != 0).sum(axis=1) == 1
    alone &= (reduction.basis != 0)[:, (reduction.basis != 0).sum(axis=0) == 1].any(axis=1)
    for row in table.rows:
        if row.free and (np.isfinite(row.lower) or np.isfinite(row.upper)):
            alone[row.free - 1] = False
    freed = []
    for number, s in enumerate(structure.groups):
        for k in range(s.n_true_latent):
            one = _freed(s, number, k, theta, alone)
            if one is not None:
                freed.append(one)
    if not freed:
        return Scaling(table, structure, ())
    rows = list(table.rows)
    for one in freed:
        for at, row in enumerate(rows):
            if row.free == one.parameter + 1:
                rows[at] = row.changed(free=0, value=one.marker)
            elif (row.lhs, row.op, row.rhs, row.group) == (one.name, "~~", one.name, one.group + 1):
                rows[at] = row.changed(free=one.parameter + 1, value=None)
    changed = ParameterTable(tuple(rows), table.groups)
    return Scaling(changed, compile_table(changed), tuple(freed))


def _freed(
    s: GroupStructure, number: int, k: int, theta: np.ndarray, alone: np.ndarray
) -> Freed | None:
    psi = s.base[COVARIANCE]
    others = np.arange(s.q) != k
    free_psi = (s.kind == COVARIANCE) & ((s.row == k) | (s.column == k))
    into = (s.kind == REGRESSION) & (s.row == k)
    out_of = (s.kind == REGRESSION) & (s.column == k)
    loads = (s.kind == LOADING) & (s.column == k)
    fixed = [s.base[LOADING][:, k], s.base[REGRESSION][k], s.base[REGRESSION][:, k]]
    if (
        psi[k, k] <= 0
        or psi[k, others].any()
        or free_psi.any()
        or not into.any()
        or not loads.any()
        or any(one.any() for one in fixed)
        or s.base[MEAN][k, 0]
        or ((s.kind == MEAN) & (s.row == k)).any()
        or not alone[s.index[into | out_of | loads]].all()
    ):
        return None
    indices = s.index[loads]
    marker = int(indices[np.argmax(np.abs(theta[indices]))])
    if not abs(theta[marker]) > 0:
        return None
    up = np.concatenate([indices[indices != marker], s.index[out_of]])
    return Freed(
        s.latent[k], number, marker, float(theta[marker]), float(psi[k, k]), up, s.index[into]
    )


def first_steps(
    structure: Structure, reduction: Reduction, moments: Moments, theta: np.ndarray
) -> np.ndarray:
    """Return the result of a full scoring step from theta, (R, n_free).

    Parameters
    ----------
    moments: moments of regular samples. theta: shape (n_free,).

    If no such step can be made, theta itself is returned.
    """
    point = Point(structure, theta)
    n = structure.n_free
    gradient = np.zeros((len(moments), n))
    matrix = np.zeros((n, n))
    try:
        for group, sample, share in zip(point.groups, moments.groups, moments.shares, strict=True):
            s = group.structure
            inverse = inv(group.sigma)
            a, b = group.factors
            aw, bw = a @ inverse, b @ inverse
            total = sample.cov
            means = structure.meanstructure
            if means:
                away = sample.mean - group.mu
                total = total + away[:, :, None] * away[:, None, :]
                gradient[:, s.index[s.mean_part[0]]] -= share * (
                    away @ (group.mean_factor @ inverse).T
                )
            products = (aw[:, :, None] * bw[:, None, :]).reshape(len(a), -1)
            slopes = (aw * b).sum(axis=1) - total.reshape(len(total), -1) @ products.T
            gradient[:, s.index[s.covariance_part[0]]] += share * slopes
            matrix += share * information_at(group, inverse, n, means=means)
        step = -solve(reduction.matrix(matrix), (gradient @ reduction.basis).T).T
    except np.linalg.LinAlgError:
        return np.tile(theta, (len(moments), 1))
    x = reduction.x(theta) + step
    return x if reduction.trivial else reduction.offset + x @ reduction.basis.T
