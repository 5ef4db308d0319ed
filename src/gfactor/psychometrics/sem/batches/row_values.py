"""Estimates, definitions and standardized solutions of many fits, row by row of the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gfactor.psychometrics.float_arrays import einsum, inv
from gfactor.psychometrics.sem.batches.likelihood import ReplicateLikelihood
from gfactor.psychometrics.sem.constraints import Quantities
from gfactor.psychometrics.sem.model.derivative_index import (
    COVARIANCE,
    INTERCEPT,
    LOADING,
    MEAN,
    REGRESSION,
    RESIDUAL,
)
from gfactor.psychometrics.sem.parameters import ParameterTable


def solutions(
    table: ParameterTable, likelihood: ReplicateLikelihood, theta: np.ndarray, inner: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return values and standardized values (std.all) of each row of the table, shape (R, rows)
    each.

    Parameters
    ----------
    theta: parameters of the table. inner: those of the likelihood's model, which may hold other
        parameters of the same solution fixed; standardization does not see the difference.
    """
    count = len(theta)
    values = np.full((count, len(table)), np.nan)
    for k, row in enumerate(table.rows):
        if row.free:
            values[:, k] = theta[:, row.free - 1]
        elif row.group:
            values[:, k] = row.value or 0.0
    standard = _standardized(table, likelihood, inner, values)
    unstandardized = theta.copy()
    for k, row in enumerate(table.rows):
        if row.free:
            unstandardized[:, row.free - 1] = standard[:, k]
    if any(row.op == ":=" for row in table.rows):
        for k, row in enumerate(table.rows):
            if row.op == ":=":
                values[:, k] = _Defined(table, theta).value(row.lhs)
                standard[:, k] = _Defined(table, unstandardized).value(row.lhs)
        lost = np.isnan(theta).any(axis=1)
        values[lost] = standard[lost] = np.nan
    return values, standard


class _Defined:
    """Defined quantities for every row of theta."""

    def __init__(self, table: ParameterTable, theta: np.ndarray) -> None:
        self._defined = Quantities(table).defined
        self._by_name: dict[str, Any] = {}
        for row in table.rows:
            value = theta[:, row.free - 1] if row.free else (row.value or 0.0)
            for name in (row.label, row.plabel):
                if name and row.group:
                    self._by_name.setdefault(name, value)

    def value(self, name: str) -> Any:
        """A label's or a definition's values."""
        if name not in self._by_name:
            expression = self._defined[name]
            self._by_name[name] = expression.value(
                {one: self.value(one) for one in expression.names}
            )
        return self._by_name[name]


def _root(values: np.ndarray) -> np.ndarray:
    return np.sqrt(np.where(values >= 0, values, np.nan))


def _scales(matrices: list[np.ndarray], recursive: bool) -> Mapping[str, np.ndarray]:
    """Standard deviations of observed variables, etas, disturbances and residuals."""
    lam, beta, psi, resid = matrices[:4]
    cov = psi
    if recursive:
        total = inv(np.eye(beta.shape[1]) - beta)
        cov = total @ psi @ total.mT
    sigma = einsum("rij,rjk,rik->ri", lam, cov, lam, optimize=True)

    def diagonal(stack: np.ndarray) -> np.ndarray:
        return np.diagonal(stack, axis1=1, axis2=2)

    return {
        "observed": _root(sigma + diagonal(resid)),
        "eta": _root(diagonal(cov)),
        "psi": _root(diagonal(psi)),
        "theta": _root(diagonal(resid)),
    }


def _standardized(
    table: ParameterTable, likelihood: ReplicateLikelihood, inner: np.ndarray, values: np.ndarray
) -> np.ndarray:
    """std.all, and the values of covariates taken as given, which follow each sample."""
    out = np.full_like(values, np.nan)
    fine = np.flatnonzero(~np.isnan(inner).any(axis=1))
    cells = likelihood.structure.cells
    for number, s in enumerate(likelihood.structure.groups):
        matrices = likelihood.matrices(number, inner[fine], fine)
        scale = _scales(matrices, s.recursive)
        for k, (row, cell) in enumerate(zip(table.rows, cells, strict=True)):
            if cell is None or row.group != number + 1:
                continue
            i, j = cell.row, cell.column
            value = matrices[cell.matrix][:, i, j]
            if row.exo and not row.free:
                values[fine, k] = value
            if cell.matrix == LOADING:
                factor = scale["eta"][:, j] / scale["observed"][:, i]
            elif cell.matrix == REGRESSION:
                factor = scale["eta"][:, j] / scale["eta"][:, i]
            elif cell.matrix == COVARIANCE:
                by = scale["eta"] if i == j else scale["psi"]
                factor = 1 / (by[:, i] * by[:, j])
            elif cell.matrix == RESIDUAL:
                by = scale["observed"] if i == j else scale["theta"]
                factor = 1 / (by[:, i] * by[:, j])
            elif cell.matrix == INTERCEPT:
                factor = 1 / scale["observed"][:, i]
            else:
                assert cell.matrix == MEAN
                factor = 1 / scale["eta"][:, i]
            out[fine, k] = value * factor
    values[np.isnan(inner).any(axis=1)] = np.nan
    return out
