"""Estimates of ordinal models as tables: implied residual variances and scales, standardized."""

from __future__ import annotations

import copy
from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.psychometrics.sem.model import Point
from gfactor.psychometrics.sem.ordinal.least_squares import OrdinalLeastSquares
from gfactor.psychometrics.sem.ordinal.point import OrdinalGroupPoint
from gfactor.psychometrics.sem.parameters import Parameter, ParameterTable
from gfactor.psychometrics.sem.results.estimates import tests_and_intervals, values_and_errors
from gfactor.psychometrics.sem.results.standardized import Kind, Standardization

Array = NDArray[np.float64]

_RELATIONS = {"==", "<", ">"}


def with_implied(table: ParameterTable, point: Point) -> ParameterTable:
    """Return the table with implied values instead of fixed ones: residual variances under the
    delta parameterization, scaling factors under theta."""
    implied = _implied(table, point)
    return table.with_rows(
        replace(row, value=implied[k]) if k in implied else row for k, row in enumerate(table.rows)
    )


def _group(point: Point, row: Parameter) -> OrdinalGroupPoint:
    group = point.groups[row.group - 1]
    assert isinstance(group, OrdinalGroupPoint)
    return group


def _implied(table: ParameterTable, point: Point) -> dict[int, float]:
    """Values of the rows that the parameterization implies, by number."""
    values = {
        number: _value(row, _group(point, row))
        for number, row in enumerate(table.rows)
        if row.group and not row.free and row.lhs == row.rhs and row.op in {"~*~", "~~"}
    }
    return {number: value for number, value in values.items() if value is not None}


def _value(row: Parameter, group: OrdinalGroupPoint) -> float | None:
    names = group.structure.observed
    if row.lhs not in names or not group.ordinal.ordered[names.index(row.lhs)]:
        return None
    k = names.index(row.lhs)
    if row.op == "~*~":
        return float(group.scale[k])
    if not group.by_scale:
        return None
    if row.lhs not in group.structure.latent:
        return float(group.theta[k, k])
    eta = group.structure.latent.index(row.lhs)
    return float(group.psi[eta, eta])


def over_covariates(squares: OrdinalLeastSquares, point: Point) -> Point:
    """Return the point including the variance that given covariates explain; their covariances have
    divisor n - 1, as in lavaan."""
    if squares.moments[0].design is None:
        return point
    marginal = copy.copy(point)
    groups: list[OrdinalGroupPoint] = []
    for group, moments in zip(point.groups, squares.moments, strict=True):
        assert isinstance(group, OrdinalGroupPoint)
        assert moments.design is not None
        groups.append(group.marginal(moments.covariances, moments.design.mean(axis=0)))
    marginal.groups = tuple(groups)
    return marginal


class OrdinalStandardization:
    """The standardized values of an ordinal model's rows at any parameters, NaN for constraints;
    thresholds in units of the response's standard deviation. `untouched` are the covariates, which
    "std.nox" does not standardize."""

    def __init__(
        self, table: ParameterTable, squares: OrdinalLeastSquares, untouched: tuple[str, ...] = ()
    ) -> None:
        self.table, self.squares = table, squares
        self.others = Standardization(table, squares.structure, untouched)
        self.thresholds_and_scales = [
            (n, row) for n, row in enumerate(table.rows) if row.op in {"|", "~*~"}
        ]

    def values(self, theta: Array, kind: Kind) -> Array:
        point = self.squares.at(theta)
        implied = _implied(self.table, point)
        point = over_covariates(self.squares, point)
        values = self.others.values(point, kind, implied)
        for number, row in self.thresholds_and_scales:
            fixed = implied.get(number, row.value) or 0.0
            value = theta[row.free - 1] if row.free else float(fixed)
            group = point.groups[row.group - 1]
            k = group.structure.observed.index(row.lhs)
            if kind == "std.lv":
                values[number] = value
            elif row.op == "~*~":
                values[number] = 1.0
            else:
                values[number] = value / np.sqrt(max(group.sigma[k, k], 1e-300))
        return values


def ordinal_estimates(
    table: ParameterTable,
    squares: OrdinalLeastSquares,
    theta: Array,
    vcov: Array,
    level: float,
    untouched: tuple[str, ...] = (),
) -> pd.DataFrame:
    """Return a table with the columns of `Fit.estimates`."""
    full = with_implied(table, squares.at(theta))
    values, errors = values_and_errors(full, theta, vcov)
    columns: dict[str, object] = _names(full)
    columns |= {"est": values, **tests_and_intervals(values, errors, level)}
    standardization = OrdinalStandardization(table, squares, untouched)
    columns["std.lv"] = standardization.values(theta, "std.lv")
    columns["std.all"] = standardization.values(theta, "std.all")
    columns["std.nox"] = columns["std.all"]
    if untouched:
        columns["std.nox"] = standardization.values(theta, "std.nox")
    return _displayed(pd.DataFrame(columns))


def ordinal_standardized_frame(
    table: ParameterTable,
    squares: OrdinalLeastSquares,
    theta: Array,
    vcov: Array,
    kind: Kind,
    level: float,
    untouched: tuple[str, ...] = (),
) -> pd.DataFrame:
    """Return a table with the columns of `Fit.standardized`; standard errors are by the delta
    method."""
    standardization = OrdinalStandardization(table, squares, untouched)
    values = standardization.values(theta, kind)
    slope = np.zeros((len(values), len(theta)))
    for k in range(len(theta)):
        move = np.zeros(len(theta))
        move[k] = 1e-5 * max(1.0, abs(theta[k]))
        up = standardization.values(theta + move, kind)
        down = standardization.values(theta - move, kind)
        slope[:, k] = (up - down) / (2 * move[k])
    variances = np.einsum("ij,jk,ik->i", slope, vcov, slope)
    errors = np.sqrt(np.where(variances > 1e-16, variances, 0.0))
    tests = tests_and_intervals(values, errors, level)
    return _displayed(pd.DataFrame({**_names(table), "est.std": values, **tests}))


def _names(table: ParameterTable) -> dict[str, object]:
    rows = table.rows
    return {
        name: [getattr(r, name) for r in rows] for name in ("lhs", "op", "rhs", "group", "label")
    }


def _displayed(frame: pd.DataFrame) -> pd.DataFrame:
    keep = [op not in _RELATIONS for op in frame["op"]]
    return frame.loc[keep].reset_index(drop=True)
