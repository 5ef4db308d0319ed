"""The standardized solution, as lavaan's std.lv, std.all and std.nox."""

from __future__ import annotations

from typing import Literal

import numpy as np

from gfactor.psychometrics.sem.constraints import Quantities
from gfactor.psychometrics.sem.model import GroupPoint, Point, Structure
from gfactor.psychometrics.sem.model.derivative_index import (
    COVARIANCE,
    INTERCEPT,
    LOADING,
    MEAN,
    REGRESSION,
    RESIDUAL,
)
from gfactor.psychometrics.sem.parameters import ParameterTable

Kind = Literal["std.lv", "std.all", "std.nox"]


def _root(values: np.ndarray) -> np.ndarray:
    """Standard deviations; NaN for negative variances."""
    return np.sqrt(np.where(values >= 0, values, np.nan))


class _Scales:
    """Standard deviations by which one group's parameters are divided or multiplied."""

    def __init__(self, point: GroupPoint, kind: Kind, untouched: tuple[str, ...]) -> None:
        s = point.structure
        whole = kind != "std.lv"
        skip = set(untouched) if kind == "std.nox" else set()
        sd = _root(point.sigma.diagonal())
        keep = np.array([not whole or name in skip for name in s.observed])
        self.observed = np.where(keep, 1.0, sd)
        eta = _root(point.latent_cov.diagonal())
        acting = np.arange(s.q) >= s.n_true_latent
        unscaled = acting & np.array([not whole or name in skip for name in s.latent], dtype=bool)
        self.eta = np.where(unscaled, 1.0, eta)
        # Covariances of residuals become correlations of residuals; as in lavaan by absolute
        # values where a variance is negative.
        self.psi = np.where(unscaled, 1.0, np.sqrt(np.abs(point.psi.diagonal())))
        self.theta = np.where(keep, 1.0, np.sqrt(np.abs(point.theta.diagonal())))

    def factors(self, matrix: int, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        """Return the factors that standardize parameters in rows i and columns j of a matrix."""
        if matrix == LOADING:
            return self.eta[j] / self.observed[i]
        if matrix == REGRESSION:
            return self.eta[j] / self.eta[i]
        if matrix == COVARIANCE:
            return np.where(i == j, 1 / self.eta[i] ** 2, 1 / (self.psi[i] * self.psi[j]))
        if matrix == RESIDUAL:
            other = 1 / (self.theta[i] * self.theta[j])
            return np.where(i == j, 1 / self.observed[i] ** 2, other)
        if matrix == INTERCEPT:
            return 1 / self.observed[i]
        assert matrix == MEAN
        return 1 / self.eta[i]


def parameter_values(table: ParameterTable, theta: np.ndarray) -> np.ndarray:
    """One value per row of the table: estimates, fixed values, NaN for constraints."""
    return np.array(
        [
            theta[row.free - 1]
            if row.free
            else (np.nan if not row.group else (0.0 if row.value is None else row.value))
            for row in table.rows
        ]
    )


def standardized_values(
    table: ParameterTable,
    structure: Structure,
    point: Point,
    kind: Kind,
    untouched: tuple[str, ...] = (),
) -> np.ndarray:
    """One standardized value per row of the table.

    Parameters
    ----------
    kind: "std.lv" (latent variables have variance one), "std.all" (observed ones too), "std.nox"
        (all but the covariates `untouched`).

    Definitions are computed from the standardized parameters; constraints are NaN, and so is
    whatever a negative variance leaves without a scale.
    """
    values = parameter_values(table, point.theta)
    out = np.full(len(values), np.nan)
    cells: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
    for number, (row, cell) in enumerate(zip(table.rows, structure.cells, strict=True)):
        if cell is not None:
            of_matrix = cells.setdefault((row.group - 1, cell.matrix), [])
            of_matrix.append((number, cell.row, cell.column))
    scales = [_Scales(group, kind, untouched) for group in point.groups]
    # A variance of zero gives no scale: NaN.
    with np.errstate(divide="ignore", invalid="ignore"):
        for (group, matrix), of_cells in cells.items():
            numbers, i, j = np.array(of_cells).T
            factors = scales[group].factors(matrix, i, j)
            out[numbers] = values[numbers] * np.where(np.isfinite(factors), factors, np.nan)
    displayed = point.theta.copy()
    for number, row in enumerate(table.rows):
        if row.free and structure.cells[number] is not None:
            displayed[row.free - 1] = out[number]
    if any(row.op == ":=" for row in table.rows):
        quantities = Quantities(table)
        for number, row in enumerate(table.rows):
            if row.op == ":=":
                out[number] = quantities.value(quantities.defined[row.lhs], displayed)
    return out


def r_squared(point: GroupPoint) -> dict[str, float]:
    """Explained share of variance of every indicator and every predicted variable."""
    s = point.structure
    shares: dict[str, float] = {}
    loads = np.asarray(s.base[LOADING].any(axis=1))
    loads[s.row[s.kind == LOADING]] = True
    acting = set(s.latent[s.n_true_latent :])
    for k, name in enumerate(s.observed):
        if loads[k] and name not in acting:
            shares[name] = float(1 - point.theta[k, k] / point.sigma[k, k])
    led = np.asarray(s.base[REGRESSION].any(axis=1))
    led[s.row[s.kind == REGRESSION]] = True
    for k, name in enumerate(s.latent):
        if led[k]:
            shares[name] = float(1 - point.psi[k, k] / point.latent_cov[k, k])
    return shares
