"""Positions of thresholds and scaling factors, which ordinal variables add to a table."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.psychometrics.sem.model import GroupStructure, MatrixCell, Structure, compile_table
from gfactor.psychometrics.sem.model.derivative_index import INTERCEPT, LOADING, RESIDUAL
from gfactor.psychometrics.sem.ordinal.moments import OrdinalMoments
from gfactor.psychometrics.sem.parameters import REGRESSIONS, Parameter, ParameterTable

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Values:
    """A vector with fixed values, and the positions and numbers (from 0) of its free elements."""

    base: Array
    position: NDArray[np.intp]
    index: NDArray[np.intp]

    def at(self, theta: Array) -> Array:
        if not len(self.position):
            return self.base
        values = self.base.copy()
        values[self.position] = theta[self.index]
        return values

    def derivative(self, n_free: int) -> Array:
        out = np.zeros((len(self.base), n_free))
        out[self.position, self.index] = 1.0
        return out


@dataclass(frozen=True)
class OrdinalGroup:
    """The structure of one group.

    Parameters
    ----------
    ordered: True for ordinal variables, in the order of the structure.
    owner: variable of each threshold (or mean), in the order of the sample's statistics.
    thresholds: same order; zeros at continuous variables.
    scales: one scaling factor per variable ("delta"); ones under "theta".
    given: positions of given covariates among the structure's latent variables. predicted: ordinal
    variables that regressions predict: positions among the observed and among the latent variables.
    """

    ordered: NDArray[np.bool_]
    owner: NDArray[np.intp]
    thresholds: Values
    scales: Values
    given: NDArray[np.intp]
    predicted: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class OrdinalStructure:
    """A model of means and covariances of latent responses, with the thresholds and scaling factors
    that turn them into statistics.

    `delta`: True if residual variances of ordinal variables follow from the scaling factors
    (delta parameterization), or the scaling factors from the variances (theta).
    """

    latent: Structure
    groups: tuple[OrdinalGroup, ...]
    delta: bool


def compile_ordinal(
    table: ParameterTable, moments: tuple[OrdinalMoments, ...], parameterization: str = "delta"
) -> OrdinalStructure:
    """Return the matrices of a table with thresholds; `moments` are over `table.observed` without
    given covariates, in order.

    Given covariates stay latent variables with mean and variance zero: the implied means and
    covariances are then those given x = 0, and the paths from them to the others are the slopes.

    Raises ParameterError if a threshold is missing in the table or not in the data.
    """
    structure = _without(compile_table(_at_zero(table)), moments[0].covariates)
    delta = parameterization == "delta"
    groups = tuple(
        replace(
            _group([row for row in table.rows if row.group == number], statistics, delta),
            given=np.array([s.latent.index(name) for name in statistics.covariates], dtype=np.intp),
            predicted=_predicted(table, statistics, s) if delta else (),
        )
        for number, (statistics, s) in enumerate(zip(moments, structure.groups, strict=True), 1)
    )
    return OrdinalStructure(structure, groups, parameterization == "delta")


def widened(
    ordinal: OrdinalStructure, table: ParameterTable, covariates: tuple[str, ...]
) -> OrdinalStructure:
    """Return the structure of a table that frees more parameters of means, paths and covariances;
    thresholds, scaling factors and the set of predicted variables stay unchanged."""
    latent = _without(compile_table(_at_zero(table)), covariates)
    groups = tuple(
        replace(
            group,
            given=np.array([new.latent.index(name) for name in covariates], dtype=np.intp),
            predicted=tuple((k, new.latent.index(old.latent[eta])) for k, eta in group.predicted),
        )
        for group, old, new in zip(
            ordinal.groups, ordinal.latent.groups, latent.groups, strict=True
        )
    )
    return replace(ordinal, latent=latent, groups=groups)


def _predicted(
    table: ParameterTable, moments: OrdinalMoments, structure: GroupStructure
) -> tuple[tuple[int, int], ...]:
    """Ordinal variables among the etas; ParameterError if one predicts others and has a residual
    variance that only theta parameterization can express."""
    predicted = []
    causes = {row.rhs for row in table.rows if row.op in REGRESSIONS}
    effects = {row.lhs for row in table.rows if row.op in REGRESSIONS}
    effects |= {row.rhs for row in table.rows if row.op == "=~"}
    effects |= {row.lhs for row in table.rows if row.op == "~*~" and row.free}
    for k, name in enumerate(structure.observed):
        if not moments.ordered[k] or name not in structure.latent:
            continue
        if name in causes and name in effects:
            raise ParameterError(
                f"the ordinal variable {name!r} is predicted and predicts others, which delta "
                "parameterization cannot express; set parameterization = 'theta'."
            )
        if name not in causes:
            predicted.append((k, structure.latent.index(name)))
    return tuple(predicted)


def _at_zero(table: ParameterTable) -> ParameterTable:
    """The table with variances and means of given covariates fixed at zero."""
    if not any(row.exo for row in table.rows):
        return table
    return ParameterTable(
        tuple(
            row.changed(value=0.0) if row.exo and row.op in {"~~", "~1"} else row
            for row in table.rows
        ),
        table.groups,
    )


def _without(structure: Structure, covariates: tuple[str, ...]) -> Structure:
    """The structure with the covariates among the latent variables only."""
    if not covariates:
        return structure
    groups = []
    remaining = np.array([name not in covariates for name in structure.groups[0].observed])
    new_index = np.cumsum(remaining) - 1
    for group in structure.groups:
        loading, regression, psi, theta, nu, alpha = group.base
        base = (
            loading[remaining],
            regression,
            psi,
            theta[np.ix_(remaining, remaining)],
            nu[remaining],
            alpha,
        )
        for matrix in base:
            matrix.setflags(write=False)
        # Rows of these matrices are observed variables; covariates have no free element there.
        seen = np.isin(group.kind, (LOADING, RESIDUAL, INTERCEPT))
        both = group.kind == RESIDUAL
        groups.append(
            replace(
                group,
                observed=tuple(np.array(group.observed, dtype=object)[remaining]),
                base=base,
                row=np.where(seen, new_index[np.where(seen, group.row, 0)], group.row),
                column=np.where(both, new_index[np.where(both, group.column, 0)], group.column),
            )
        )
    cells = tuple(None if cell is None else _moved(cell, new_index) for cell in structure.cells)
    return replace(structure, groups=tuple(groups), cells=cells)


def _moved(cell: MatrixCell, new_index: NDArray[np.intp]) -> MatrixCell:
    if cell.matrix not in (LOADING, RESIDUAL, INTERCEPT):
        return cell
    column = int(new_index[cell.column]) if cell.matrix == RESIDUAL else cell.column
    return cell._replace(row=int(new_index[cell.row]), column=column)


def _group(rows: list[Parameter], moments: OrdinalMoments, delta: bool) -> OrdinalGroup:
    numbers: dict[tuple[str, str], int] = {}
    step = 0
    for k, owner in enumerate(moments.owner):
        step = step + 1 if k and owner == moments.owner[k - 1] else 1
        if moments.ordered[owner]:
            numbers[moments.names[owner], f"t{step}"] = k
    thresholds = [row for row in rows if row.op == "|"]
    given = {(row.lhs, row.rhs) for row in thresholds}
    for name, step_name in [*given - numbers.keys(), *numbers.keys() - given]:
        count = sum(one == name for one, _ in numbers)
        raise ParameterError(
            f"the threshold {name} | {step_name} is not both in the model and in the data, where "
            f"{name!r} has {count} thresholds; correct the model"
        )
    scales = [row for row in rows if row.op == "~*~"] if delta else []
    by_name = {name: k for k, name in enumerate(moments.names)}
    return OrdinalGroup(
        moments.ordered,
        moments.owner,
        _values(thresholds, [numbers[row.lhs, row.rhs] for row in thresholds], moments, 0.0),
        _values(scales, [by_name[row.lhs] for row in scales], moments, 1.0),
        np.empty(0, dtype=np.intp),
    )


def _values(
    rows: list[Parameter], positions: list[int], moments: OrdinalMoments, default: float
) -> Values:
    size = len(moments.owner) if default == 0.0 else len(moments.names)
    base = np.full(size, default)
    free: list[tuple[int, int]] = []
    for row, position in zip(rows, positions, strict=True):
        if row.free:
            free.append((position, row.free - 1))
        elif row.value is not None:
            base[position] = row.value
    numbers = np.array(free, dtype=np.intp).reshape(-1, 2)
    return Values(base, numbers[:, 0], numbers[:, 1])
