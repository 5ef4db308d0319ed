"""The table of estimates, under lavaan's column names."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
import pandas as pd
from scipy.special import ndtr, ndtri

from gfactor.psychometrics.float_arrays import einsum
from gfactor.psychometrics.sem.constraints import Quantities
from gfactor.psychometrics.sem.model import Point, Structure
from gfactor.psychometrics.sem.parameters import ParameterTable
from gfactor.psychometrics.sem.results.standardized import Kind, Standardization

_RELATIONS = {"==", "<", ">"}
_TEXT = pd.Series([], dtype="str").dtype
"""The data type of texts in pandas: its own, or objects before pandas 3."""


def framed(table: ParameterTable, columns: dict[str, np.ndarray]) -> pd.DataFrame:
    """Return columns, one value per row of a table, beside the rows' names, without constraints.

    To save time, rows are left out before the table is made, all texts are converted at once, the
    columns are copied here, and their names become an index once for all tables: pandas would need
    more time for these steps than the search takes.
    """
    rows = [row for row in table.rows if row.op not in _RELATIONS]
    texts = [[getattr(row, name) for row in rows] for name in ("lhs", "op", "rhs", "label")]
    together = pd.array([text for column in texts for text in column], dtype=_TEXT)
    lhs, op, rhs, label = (together[len(rows) * k : len(rows) * (k + 1)] for k in range(4))
    copies = np.array(list(columns.values()))
    if len(rows) < len(table.rows):
        copies = copies[:, [row.op not in _RELATIONS for row in table.rows]]
    every = (lhs, op, rhs, np.array([row.group for row in rows]), label, *copies)
    index = pd.RangeIndex(len(rows))
    frame = pd.DataFrame(dict(enumerate(every)), index=index, copy=False)
    # A view, so that naming the index of one table does not name that of others.
    frame.columns = _column_index(tuple(columns)).view()
    return frame


@lru_cache(maxsize=64)
def _column_index(columns: tuple[str, ...]) -> pd.Index:
    return pd.Index(["lhs", "op", "rhs", "group", "label", *columns])


def values_and_errors(
    table: ParameterTable, theta: np.ndarray, vcov: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the estimate and standard error of each row: 0 for fixed rows, by the delta method for
    definitions."""
    values, errors = table.row_values(theta), np.zeros(len(table.rows))
    positions, parameters = table.free_rows
    errors[positions] = np.sqrt(np.maximum(vcov.diagonal(), 0.0))[parameters]
    if any(row.op == ":=" for row in table.rows):
        quantities = Quantities(table)
        for k, row in enumerate(table.rows):
            if row.op == ":=":
                expression = quantities.defined[row.lhs]
                slope = quantities.gradient(expression, theta)
                values[k] = quantities.value(expression, theta)
                errors[k] = np.sqrt(max(float(slope @ vcov @ slope), 0.0))
    return values, errors


def tests_and_intervals(
    values: np.ndarray, errors: np.ndarray, level: float
) -> dict[str, np.ndarray]:
    """Return z, two-sided p and Wald interval; z and p are NaN if the standard error is zero."""
    moving = errors > 0
    z = np.divide(values, errors, out=np.full(len(values), np.nan), where=moving)
    reach = ndtri((1 + level) / 2) * errors
    return {
        "se": errors,
        "z": z,
        "pvalue": 2 * ndtr(-np.abs(z)),
        "ci.lower": values - reach,
        "ci.upper": values + reach,
    }


def estimates_frame(
    table: ParameterTable,
    structure: Structure,
    point: Point,
    vcov: np.ndarray,
    *,
    level: float,
    untouched: tuple[str, ...],
) -> pd.DataFrame:
    """Return one line per parameter and definition: lhs, op, rhs, group, label, est, se, z, pvalue,
    ci.lower, ci.upper, std.lv, std.all, std.nox."""
    values, errors = values_and_errors(table, point.theta, vcov)
    columns: dict[str, np.ndarray] = {
        "est": values,
        **tests_and_intervals(values, errors, level),
    }
    standardization = Standardization(table, structure, untouched)
    kinds: tuple[Kind, ...] = ("std.lv", "std.all", "std.nox")
    for kind in kinds:
        if kind == "std.nox" and not untouched:
            columns[kind] = columns["std.all"]
        else:
            columns[kind] = standardization.values(point, kind)
    return framed(table, columns)


def standardized_frame(
    table: ParameterTable,
    structure: Structure,
    at: Callable[[np.ndarray], Point],
    theta: np.ndarray,
    vcov: np.ndarray,
    *,
    kind: Kind,
    level: float,
    untouched: tuple[str, ...] = (),
) -> pd.DataFrame:
    """Return the standardized solution with delta-method standard errors (derivatives by
    differences)."""
    standardization = Standardization(table, structure, untouched)
    values = standardization.values(at(theta), kind)
    slope = np.zeros((len(values), len(theta)))
    for k in range(len(theta)):
        step = 1e-5 * max(1.0, abs(theta[k]))
        move = np.zeros(len(theta))
        move[k] = step
        up = standardization.values(at(theta + move), kind)
        down = standardization.values(at(theta - move), kind)
        slope[:, k] = (up - down) / (2 * step)
    variances = einsum("ij,jk,ik->i", slope, vcov, slope)
    # Values that standardization fixes have no error except rounding.
    errors = np.sqrt(np.where(variances > 1e-16, variances, 0.0))
    return framed(table, {"est.std": values, **tests_and_intervals(values, errors, level)})
