"""Estimates of ordinal models as tables: implied residual variances and scales, standardized."""

from __future__ import annotations

import copy
from typing import cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.psychometrics.float_arrays import einsum
from gfactor.psychometrics.sem.model import Point
from gfactor.psychometrics.sem.ordinal.least_squares import OrdinalLeastSquares
from gfactor.psychometrics.sem.ordinal.point import OrdinalGroupPoint
from gfactor.psychometrics.sem.parameters import ParameterTable
from gfactor.psychometrics.sem.results.estimates import (
    framed,
    tests_and_intervals,
    values_and_errors,
)
from gfactor.psychometrics.sem.results.standardized import Kind, Standardization

Array = NDArray[np.float64]


def with_implied(table: ParameterTable, point: Point) -> ParameterTable:
    """Return the table with implied values instead of fixed ones: residual variances under the
    delta parameterization, scaling factors under theta."""
    implied = _implied(table, point)
    return table.with_rows(
        row.changed(value=implied[k]) if k in implied else row for k, row in enumerate(table.rows)
    )


def _implied(table: ParameterTable, point: Point) -> dict[int, float]:
    """Values of the rows that the parameterization implies, by number."""
    groups = [cast(OrdinalGroupPoint, group) for group in point.groups]
    positions = [
        {name: k for k, name in enumerate(group.structure.observed) if group.ordinal.ordered[k]}
        for group in groups
    ]
    implied: dict[int, float] = {}
    for number, row in enumerate(table.rows):
        if row.free or not row.group or row.lhs != row.rhs or row.op not in {"~*~", "~~"}:
            continue
        group, position = groups[row.group - 1], positions[row.group - 1].get(row.lhs)
        if position is None:
            continue
        if row.op == "~*~":
            implied[number] = float(group.scale[position])
        elif group.by_scale and row.lhs in group.structure.latent:
            eta = group.structure.latent.index(row.lhs)
            implied[number] = float(group.psi[eta, eta])
        elif group.by_scale:
            implied[number] = float(group.theta[position, position])
    return implied


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

    def values(self, point: Point, kind: Kind) -> Array:
        theta = point.theta
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
    point: Point,
    vcov: Array,
    level: float,
    untouched: tuple[str, ...] = (),
) -> pd.DataFrame:
    """Return a table with the columns of `Fit.estimates`."""
    values, errors = values_and_errors(with_implied(table, point), point.theta, vcov)
    columns = {"est": values, **tests_and_intervals(values, errors, level)}
    standardization = OrdinalStandardization(table, squares, untouched)
    columns["std.lv"] = standardization.values(point, "std.lv")
    columns["std.all"] = standardization.values(point, "std.all")
    columns["std.nox"] = columns["std.all"]
    if untouched:
        columns["std.nox"] = standardization.values(point, "std.nox")
    return framed(table, columns)


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
    values = standardization.values(squares.at(theta), kind)
    slope = np.zeros((len(values), len(theta)))
    for k in range(len(theta)):
        move = np.zeros(len(theta))
        move[k] = 1e-5 * max(1.0, abs(theta[k]))
        up = standardization.values(squares.at(theta + move), kind)
        down = standardization.values(squares.at(theta - move), kind)
        slope[:, k] = (up - down) / (2 * move[k])
    variances = einsum("ij,jk,ik->i", slope, vcov, slope)
    errors = np.sqrt(np.where(variances > 1e-16, variances, 0.0))
    tests = tests_and_intervals(values, errors, level)
    return framed(table, {"est.std": values, **tests})
