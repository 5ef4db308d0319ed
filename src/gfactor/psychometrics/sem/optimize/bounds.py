"""Bounds that keep variances positive, and on request everything inside what the data allow."""

from __future__ import annotations

import numpy as np

from gfactor.psychometrics.sem.model.structure import (
    COVARIANCE,
    LOADING,
    RESIDUAL,
    GroupStructure,
    Structure,
)
from gfactor.psychometrics.sem.parameters import ParameterTable
from gfactor.psychometrics.sem.sample import Sample

_MARKER_RELIABILITY = 0.1
"""The least share of a marker's variance that its latent variable explains (lavaan's choice)."""


def _latent_limits(s: GroupStructure, variance: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Smallest and largest variance of each eta: from its marker, or as the model fixes it."""
    low, high = np.full(s.q, 0.0), np.full(s.q, np.inf)
    fixed = s.base[COVARIANCE].diagonal()
    free = np.zeros(s.q, dtype=bool)
    free[s.row[(s.kind == COVARIANCE) & (s.row == s.column)]] = True
    for k in range(s.q):
        marker = np.flatnonzero(s.base[LOADING][:, k])
        if not free[k] and fixed[k] > 0:
            low[k] = high[k] = fixed[k]
        elif len(marker):
            size = variance[marker[0]] / s.base[LOADING][marker[0], k] ** 2
            low[k], high[k] = _MARKER_RELIABILITY * size, size
    return low, high


def _standard(
    s: GroupStructure, variance: np.ndarray, lower: np.ndarray, upper: np.ndarray, wide: float
) -> None:
    """lavaan's "standard" bounds of one group, stretched by `wide`."""
    low, high = _latent_limits(s, variance)
    for place, kind, row, column in zip(s.index, s.kind, s.row, s.column, strict=True):
        if kind == RESIDUAL and row == column:
            upper[place] = min(upper[place], wide * variance[row])
            lower[place] = max(lower[place], (1 - wide) * variance[row])
        elif kind == RESIDUAL:
            limit = wide * np.sqrt(variance[row] * variance[column])
            lower[place], upper[place] = max(lower[place], -limit), min(upper[place], limit)
        elif kind == LOADING and low[column] > 0:
            limit = wide * np.sqrt(variance[row] / low[column])
            lower[place], upper[place] = max(lower[place], -limit), min(upper[place], limit)
        elif kind == COVARIANCE and row == column:
            upper[place] = min(upper[place], wide * high[row])
            lower[place] = max(lower[place], 0.0)
        elif kind == COVARIANCE:
            limit = wide * np.sqrt(high[row] * high[column])
            lower[place], upper[place] = max(lower[place], -limit), min(upper[place], limit)


def bounds_of(
    table: ParameterTable, structure: Structure, sample: Sample, kind: str
) -> tuple[np.ndarray, np.ndarray] | None:
    """Lower and upper bounds of the free parameters, or None where there are none at all.

    Bounds in the model text always hold; `kind` adds those of the option `bounds`.
    """
    if kind == "none":
        return table.limits
    n = structure.n_free
    lower, upper = np.full(n, -np.inf), np.full(n, np.inf)
    if table.limits is not None:
        lower, upper = (side.copy() for side in table.limits)
    for s, group in zip(structure.groups, sample.groups, strict=True):
        variances = s.row == s.column
        if kind in {"pos.var", "pos.ov.var"}:
            mine = s.index[(s.kind == RESIDUAL) & variances]
            lower[mine] = np.maximum(lower[mine], 0.0)
        if kind in {"pos.var", "pos.lv.var"}:
            mine = s.index[(s.kind == COVARIANCE) & variances]
            lower[mine] = np.maximum(lower[mine], 0.0)
        if kind in {"standard", "wide"}:
            stretch = 1.0 if kind == "standard" else 1.1
            _standard(s, group.cov.diagonal(), lower, upper, stretch)
    if np.isinf(lower).all() and np.isinf(upper).all():
        return None
    return lower, upper
