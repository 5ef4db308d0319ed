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
from gfactor.psychometrics.sem.results.standardized import Kind, standardized_values

Array = NDArray[np.float64]

_RELATIONS = {"==", "<", ">"}


def with_implied(table: ParameterTable, point: Point) -> ParameterTable:
    """The table with what the parameterization implies in place of what it fixes: residual
    variances under delta, scaling factors under theta."""
    return ParameterTable(
        tuple(_implied(row, _group(point, row)) if row.group else row for row in table.rows),
        table.groups,
    )


def _group(point: Point, row: Parameter) -> OrdinalGroupPoint:
    group = point.groups[row.group - 1]
    assert isinstance(group, OrdinalGroupPoint)
    return group


def _implied(row: Parameter, group: OrdinalGroupPoint) -> Parameter:
    names = group.structure.observed
    if row.lhs != row.rhs or row.lhs not in names or row.free:
        return row
    k = names.index(row.lhs)
    if not group.ordinal.ordered[k]:
        return row
    if row.op == "~*~":
        return replace(row, value=float(group.scale[k]))
    if row.op == "~~" and group.by_scale:
        if row.lhs not in group.structure.latent:
            return replace(row, value=float(group.theta[k, k]))
        eta = group.structure.latent.index(row.lhs)
        return replace(row, value=float(group.psi[eta, eta]))
    return row


def over_covariates(squares: OrdinalLeastSquares, point: Point) -> Point:
    """The point with the variance that given covariates bring; their covariances have divisor
    n - 1, as in lavaan."""
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


def ordinal_standardized(
    table: ParameterTable,
    squares: OrdinalLeastSquares,
    theta: Array,
    kind: Kind,
    untouched: tuple[str, ...] = (),
) -> Array:
    """One standardized value per row, NaN for constraints; thresholds in units of the response's
    standard deviation. `untouched`: covariates, which "std.nox" leaves as they are."""
    point = squares.at(theta)
    full = with_implied(table, point)
    point = over_covariates(squares, point)
    values = standardized_values(full, squares.structure, point, kind, untouched)
    for number, row in enumerate(full.rows):
        if row.op not in {"|", "~*~"}:
            continue
        value = theta[row.free - 1] if row.free else float(row.value or 0.0)
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
    """Columns as those of `Fit.estimates`."""
    full = with_implied(table, squares.at(theta))
    values, errors = values_and_errors(full, theta, vcov)
    columns: dict[str, object] = _names(full)
    columns |= {"est": values, **tests_and_intervals(values, errors, level)}
    columns["std.lv"] = ordinal_standardized(table, squares, theta, "std.lv")
    columns["std.all"] = ordinal_standardized(table, squares, theta, "std.all")
    columns["std.nox"] = columns["std.all"]
    if untouched:
        columns["std.nox"] = ordinal_standardized(table, squares, theta, "std.nox", untouched)
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
    """Columns as those of `Fit.standardized`; standard errors by the delta method."""
    values = ordinal_standardized(table, squares, theta, kind, untouched)
    slope = np.zeros((len(values), len(theta)))
    for k in range(len(theta)):
        move = np.zeros(len(theta))
        move[k] = 1e-5 * max(1.0, abs(theta[k]))
        up = ordinal_standardized(table, squares, theta + move, kind, untouched)
        down = ordinal_standardized(table, squares, theta - move, kind, untouched)
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
