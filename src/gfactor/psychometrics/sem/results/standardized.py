"""The standardized solution, as lavaan's std.lv, std.all and std.nox."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
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
    negative = values < 0
    return np.sqrt(np.where(negative, np.nan, values) if negative.any() else values)


class _Scales:
    """Standard deviations by which one group's parameters are divided or multiplied."""

    def __init__(self, point: GroupPoint, kind: Kind, untouched: tuple[str, ...]) -> None:
        s = point.structure
        true = s.n_true_latent
        self.eta = _root(point.latent_cov.diagonal())
        # Covariances of residuals become correlations of residuals; as in lavaan by absolute values
        # if a variance is negative.
        self.psi = np.sqrt(np.abs(point.psi.diagonal()))
        if kind == "std.lv":
            self.observed = self.theta = np.ones(s.p)
            self.eta[true:] = self.psi[true:] = 1.0
            return
        self.observed = _root(point.sigma.diagonal())
        self.theta = np.sqrt(np.abs(point.theta.diagonal()))
        if kind == "std.nox":
            unscaled = [k for k, name in enumerate(s.observed) if name in untouched]
            self.observed[unscaled] = self.theta[unscaled] = 1.0
            unscaled = [k for k in range(true, s.q) if s.latent[k] in untouched]
            self.eta[unscaled] = self.psi[unscaled] = 1.0

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


class Standardization:
    """The standardized values of a model's rows at any parameters.

    Parameters
    ----------
    untouched: covariates, which "std.nox" leaves as they are.
    """

    def __init__(
        self, table: ParameterTable, structure: Structure, untouched: tuple[str, ...] = ()
    ) -> None:
        self.table, self.untouched = table, untouched
        cells: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
        for number, (row, cell) in enumerate(zip(table.rows, structure.cells, strict=True)):
            if cell is not None:
                of_matrix = cells.setdefault((row.group - 1, cell.matrix), [])
                of_matrix.append((number, cell.row, cell.column))
        self.cells = {where: np.array(of_cells).T for where, of_cells in cells.items()}
        self.defined = [n for n, row in enumerate(table.rows) if row.op == ":="]
        self.structure = structure

    @cached_property
    def displayed(self) -> dict[int, int]:
        """Parameters, and the number of the row that displays each: the last that has it."""
        cells = self.structure.cells
        return {
            parameter: number
            for number, parameter in zip(
                *(positions.tolist() for positions in self.table.free_rows), strict=True
            )
            if cells[number] is not None
        }

    def values(
        self, point: Point, kind: Kind, implied: Mapping[int, float] | None = None
    ) -> np.ndarray:
        """Return one standardized value per row of the table.

        Parameters
        ----------
        kind: "std.lv" (latent variables have variance one), "std.all" (observed ones too),
            "std.nox" (all but the covariates).
        implied: values of fixed rows, by number, that replace the table's. Definitions are computed
        from the standardized parameters; constraints are NaN, and so are values whose scale would
        be the root of a negative variance.
        """
        values = self.table.row_values(point.theta)
        for number, value in (implied or {}).items():
            values[number] = value
        out = np.full(len(values), np.nan)
        scales = [_Scales(group, kind, self.untouched) for group in point.groups]
        # A variance of zero gives no scale: NaN.
        with np.errstate(divide="ignore", invalid="ignore"):
            for (group, matrix), (numbers, i, j) in self.cells.items():
                factors = scales[group].factors(matrix, i, j)
                out[numbers] = values[numbers] * np.where(np.isfinite(factors), factors, np.nan)
        if self.defined:
            displayed = point.theta.copy()
            displayed[[*self.displayed]] = out[[*self.displayed.values()]]
            rows = list(self.table.rows)
            for number, value in (implied or {}).items():
                rows[number] = replace(rows[number], value=value)
            quantities = Quantities(self.table.with_rows(rows))
            for number in self.defined:
                name = self.table.rows[number].lhs
                out[number] = quantities.value(quantities.defined[name], displayed)
        return out


def r_squared(point: GroupPoint) -> dict[str, float]:
    """Return explained share of variance of every indicator and every predicted variable."""
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
