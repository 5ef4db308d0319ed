"""Populations from which samples are drawn: a fitted model, a table of values, or a model text with
values.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gfactor.errors import ParameterError
from gfactor.psychometrics.float_arrays import eigvalsh
from gfactor.psychometrics.sem.fitted import Fit
from gfactor.psychometrics.sem.model import GroupPoint, Structure, compile_table
from gfactor.psychometrics.sem.model.derivative_index import COVARIANCE, RESIDUAL
from gfactor.psychometrics.sem.parameters import REGRESSIONS, Parameter, ParameterTable
from gfactor.psychometrics.sem.syntax import build_table, table_options


@dataclass(frozen=True)
class Population:
    """Moments of one or more groups.

    Parameters
    ----------
    variables: names of the variables.
    labels: labels of the groups ("" for a single one).
    means: mean vector of each group, shape (p,).
    covs: covariance matrix of each group, shape (p, p).
    table: the model, with the value of every free parameter.
    """

    variables: tuple[str, ...]
    labels: tuple[str, ...]
    means: tuple[np.ndarray, ...]
    covs: tuple[np.ndarray, ...]
    table: ParameterTable


def population(source: Fit | ParameterTable | str, groups: tuple[str, ...] = ()) -> Population:
    """Return the population given by a fit's estimates, or by the values of a table or text.

    In a text every loading, regression and covariance needs its value ("f =~ 0.7*x1 + 0.8*x2");
    variances that are not given are chosen so that all variables, latent and observed, have
    variance one and loadings are standardized; covariances that are not given are zero.

    Raises
    ------
    ParameterError: a parameter without a value; a variance that would have to be negative.
    """
    if isinstance(source, Fit):
        source.table.refuse_levels("simulations")
        means = source.problem.use_mean
        return Population(
            source.sample.variables,
            source.sample.labels,
            tuple(
                here.mu if means else group.mean
                for here, group in zip(source.point.groups, source.sample.groups, strict=True)
            ),
            tuple(here.sigma for here in source.point.groups),
            _with_values(source.table, source.theta),
        )
    table = _completed(source, groups) if isinstance(source, str) else source
    table.refuse_levels("simulations")
    if any(row.op == "|" for row in table):
        raise ParameterError(
            "give a population of continuous variables, and thresholds as `ordinal`."
        )
    structure = compile_table(table)
    points = [GroupPoint(group, _theta(table)) for group in structure.groups]
    for point in points:
        least = eigvalsh(point.sigma)[0]
        if not least > 0:
            raise ParameterError(
                "the population's covariance matrix is not positive definite (smallest eigenvalue "
                f"{least:.2g}); make loadings or covariances smaller."
            )
    labels = table.groups or ("",)
    return Population(
        table.observed,
        labels,
        tuple(point.mu for point in points),
        tuple(point.sigma for point in points),
        table,
    )


def _with_values(table: ParameterTable, theta: np.ndarray) -> ParameterTable:
    rows = [
        row.changed(value=float(theta[row.free - 1])) if row.free else row for row in table.rows
    ]
    return ParameterTable(tuple(rows), table.groups)


def _theta(table: ParameterTable) -> np.ndarray:
    out = np.zeros(table.n_free)
    for row in table.rows:
        if row.free:
            if row.value is None:
                raise ParameterError(
                    f"the population's parameter {row.lhs} {row.op} {row.rhs} has no value; write "
                    f"it in front of the variable, as in {row.lhs} {row.op} 0.7*{row.rhs}."
                )
            out[row.free - 1] = row.value
    return out


def _is_variance(row: Parameter) -> bool:
    return row.op == "~~" and row.lhs == row.rhs


def _completed(text: str, groups: tuple[str, ...]) -> ParameterTable:
    """Take the numbers of the text as values of free parameters, and complete the other values."""
    options = table_options("sem", std_lv=True, fixed_x=False)
    table = build_table(text, options=options, groups=groups)
    table.refuse_levels("simulations")
    products = [row.rhs for row in table if row.op == "~" and ":" in row.rhs]
    if products:
        raise ParameterError(
            f"the product {products[0]!r} is not normal, so the text does not define a population; "
            "simulate its variables, and compute the product as a column."
        )
    latent = set(table.latent)
    rows: list[Parameter] = []
    count = 0
    for row in table.rows:
        if not row.group:
            rows.append(row)
            continue
        given = row.user == 1 and row.value is not None
        scaled = _is_variance(row) and row.lhs not in table.composites
        fill = row.value if given else (1.0 if scaled else 0.0)
        if not given and row.op in {"=~", *REGRESSIONS}:
            fill = None
        # A model fitted to samples estimates what the text gives; scales and zeros stay fixed.
        scale = _is_variance(row) and row.lhs in latent
        estimated = row.free or (given and not scale and row.value != 0)
        count += bool(estimated)
        rows.append(row.changed(value=fill, free=count if estimated else 0))
    table = ParameterTable(tuple(rows), table.groups)
    _theta(table)
    structure = compile_table(table)
    for number, group in enumerate(structure.groups):
        point = GroupPoint(group, _theta(table))
        rows = _unit_variances(rows, structure, number + 1, point)
    return ParameterTable(tuple(rows), table.groups)


def _unit_variances(
    rows: list[Parameter], structure: Structure, number: int, point: GroupPoint
) -> list[Parameter]:
    """Variances of one group that the text leaves out, so that all variables have variance one."""
    sums = ParameterTable(tuple(rows)).composites
    left_out = [
        (k, cell)
        for k, (row, cell) in enumerate(zip(rows, structure.cells, strict=True))
        if row.group == number and cell is not None and _is_variance(row) and row.user == 0
        if row.lhs not in sums
    ]
    etas = [(k, cell.row) for k, cell in left_out if cell.matrix == COVARIANCE]
    psi = point.psi.copy()
    free = [eta for _, eta in etas]
    psi[free, free] = 0.0
    rest = np.diag(point.total @ psi @ point.total.T)
    squares = point.total**2
    sizes = np.linalg.lstsq(squares[np.ix_(free, free)], 1 - rest[free], rcond=None)[0]
    psi[free, free] = sizes
    sigma = point.reduced @ psi @ point.reduced.T
    out = list(rows)
    values = dict(zip((k for k, _ in etas), sizes, strict=True))
    values |= {k: 1 - sigma[cell.row, cell.row] for k, cell in left_out if cell.matrix == RESIDUAL}
    for k, value in values.items():
        if not value > 0:
            raise ParameterError(
                f"the variance of {rows[k].lhs} would have to be {value:.3g} for it to have "
                f"variance one; make what explains it smaller, or give {rows[k].lhs} ~~ "
                f"value*{rows[k].lhs}."
            )
        out[k] = rows[k].changed(value=float(value))
    return out
