"""Bounds that keep variances positive and, on request, all parameters in the range that the data
allow.

"standard" and "wide" are lavaan's, measured on lavaan 0.6-14 (`parTable(fit)$lower`).

Reference: De Jonckere, J., Rosseel, Y. (2022). Using bounded estimation to avoid nonconvergence in
small sample structural equation modeling. Structural Equation Modeling 29, 412-427.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gfactor.psychometrics.sem.model.derivative_index import (
    COVARIANCE,
    LOADING,
    REGRESSION,
    RESIDUAL,
)
from gfactor.psychometrics.sem.model.structure import GroupStructure, Structure
from gfactor.psychometrics.sem.parameters import ParameterTable

_RELIABILITY = 0.1
"""The least share of a marker's variance that its latent variable explains."""
_DISTURBANCE = 0.005
"""The least variance of a predicted latent variable, in the unit of the data."""


@dataclass(frozen=True)
class _Stretch:
    """Shares of their ranges by which bounds are moved outward (those of covariances inward)."""

    residual_low: float = 0.0
    residual_high: float = 0.0
    latent_high: float = 0.0
    loading: float = 0.0
    covariance: float = 1.0


_STRETCHES = {
    "standard": _Stretch(covariance=0.998),
    "wide": _Stretch(0.05, 0.2, 0.3, 0.1),
}


def _marker(s: GroupStructure, eta: int) -> int | None:
    """The indicator whose loading is fixed to one, if there is exactly one such."""
    markers = np.flatnonzero(s.fixed_loadings[:, eta] == 1.0)
    return int(markers[0]) if len(markers) == 1 else None


class _Limits:
    """Largest and smallest variances of one group's variables.

    Parameters
    ----------
    s: the group's matrices. variance: variances of the observed variables, with the estimator's
    divisor.
    """

    def __init__(self, s: GroupStructure, variance: np.ndarray, stretch: _Stretch) -> None:
        low = np.zeros(s.p)
        high = variance.copy()
        self.eta_low, self.eta_high = np.zeros(s.q), np.full(s.q, float(variance.max(initial=0.0)))
        # Loadings are bounded by the least variance of the latent variable; 0 stands for no bound.
        self.least = np.zeros(s.q)
        psi = s.of_kind[COVARIANCE]
        free = np.zeros(s.q, dtype=bool)
        free[s.row[psi][s.row[psi] == s.column[psi]]] = True
        fixed = s.base[COVARIANCE].diagonal()
        led = np.asarray(s.base[REGRESSION].any(axis=1))
        led[s.row[s.of_kind[REGRESSION]]] = True
        leads = np.asarray(s.base[REGRESSION].any(axis=0) | s.base[LOADING].any(axis=0))
        for eta in range(s.q):
            marker = _marker(s, eta) if eta < s.n_true_latent else None
            if eta >= s.n_true_latent:
                k = s.acting[eta - s.n_true_latent]
                self.eta_high[eta] = high[k] if k >= 0 else np.inf
            elif marker is not None:
                self.eta_high[eta] = variance[marker]
                self.eta_low[eta] = self.least[eta] = _RELIABILITY * variance[marker]
                high[marker] = (1 - _RELIABILITY) * variance[marker]
            elif not free[eta] and fixed[eta] == 1.0:
                self.eta_low[eta] = self.eta_high[eta] = self.least[eta] = 1.0
            elif free[eta] and not leads[eta]:
                # Its unit comes from another group.
                self.eta_high[eta] = np.inf
            if led[eta] and eta < s.n_true_latent and free[eta]:
                self.eta_low[eta] = min(_DISTURBANCE, self.eta_high[eta])
        self.low = low - stretch.residual_low * high
        self.high = high + stretch.residual_high * high
        true = np.arange(s.q) < s.n_true_latent
        wide = np.where(np.isfinite(self.eta_high), self.eta_high, 0.0)
        latent = self.eta_high + stretch.latent_high * (wide - self.eta_low)
        unit_variance = ~free & (fixed == 1.0) & (self.least == 1.0)
        observed = self.eta_high + stretch.residual_high * wide
        self.eta_high = np.where(unit_variance, 1.0, np.where(true, latent, observed))
        self.eta_low = np.where(true, self.eta_low, -stretch.residual_low * wide)


def _standard(
    s: GroupStructure,
    variance: np.ndarray,
    lower: np.ndarray,
    upper: np.ndarray,
    stretch: _Stretch,
) -> None:
    """Set lavaan's bounds of one group; bounds of the model text stay."""
    limits = _Limits(s, variance, stretch)
    for k, kind, row, column in zip(s.index, s.kind, s.row, s.column, strict=True):
        if kind == RESIDUAL and row == column:
            low, high = limits.low[row], limits.high[row]
        elif kind == RESIDUAL:
            high = stretch.covariance * np.sqrt(limits.high[row] * limits.high[column])
            low = -high
        elif kind == LOADING and limits.least[column] > 0:
            high = np.sqrt(variance[row] / limits.least[column]) * (1 + 2 * stretch.loading)
            low = -high
        elif kind == COVARIANCE and row == column:
            low, high = limits.eta_low[row], limits.eta_high[row]
        elif kind == COVARIANCE:
            high = stretch.covariance * np.sqrt(limits.eta_high[row] * limits.eta_high[column])
            low = -high
        else:
            continue
        if np.isinf(lower[k]):
            lower[k] = low
        if np.isinf(upper[k]):
            upper[k] = high


def _turned(table: ParameterTable) -> list[int]:
    """Return the positions of the free loadings and covariances of exploratory factors.

    These parameters get no bounds: with bounds the fit would depend on the rotation. The bounds on
    the residual variances limit them already.
    """
    factors = {(row.lhs, row.group) for row in table.rows if row.efa}
    return [
        row.free - 1
        for row in table.rows
        if row.free
        and row.op in {"=~", "~~"}
        and factors & {(row.lhs, row.group), (row.rhs, row.group)}
    ]


def bounds_of(
    table: ParameterTable, structure: Structure, variances: Sequence[np.ndarray], kind: str
) -> tuple[np.ndarray, np.ndarray] | None:
    """Return lower and upper bounds of the free parameters, or None if there are none at all.

    Parameters
    ----------
    variances: variances of every group's observed variables, as the estimator uses them.
    kind: the option `bounds`; bounds in the model text always hold, and have priority over
        "standard" and "wide".
    """
    if kind == "none":
        return table.limits
    n = structure.n_free
    lower, upper = np.full(n, -np.inf), np.full(n, np.inf)
    if table.limits is not None:
        lower, upper = (side.copy() for side in table.limits)
    for s, variance in zip(structure.groups, variances, strict=True):
        same = s.row == s.column
        if kind in {"pos.var", "pos.ov.var"}:
            parameters = s.index[(s.kind == RESIDUAL) & same]
            lower[parameters] = np.maximum(lower[parameters], 0.0)
        if kind in {"pos.var", "pos.lv.var"}:
            parameters = s.index[(s.kind == COVARIANCE) & same]
            lower[parameters] = np.maximum(lower[parameters], 0.0)
        if kind in _STRETCHES:
            _standard(s, variance, lower, upper, _STRETCHES[kind])
    turned = _turned(table)
    lower[turned], upper[turned] = -np.inf, np.inf
    if np.isinf(lower).all() and np.isinf(upper).all():
        return None
    return lower, upper
