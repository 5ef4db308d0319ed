"""From the rows of a parameter table to matrices."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from gfactor.errors import ParameterError
from gfactor.psychometrics.sem.model.derivative_index import (
    COVARIANCE,
    INTERCEPT,
    LOADING,
    MEAN,
    REGRESSION,
    RESIDUAL,
)
from gfactor.psychometrics.sem.model.point import vech_places
from gfactor.psychometrics.sem.model.structure import GroupStructure, MatrixCell, Structure
from gfactor.psychometrics.sem.parameters import REGRESSIONS, Parameter, ParameterTable


def _etas(rows: list[Parameter], latent: tuple[str, ...]) -> tuple[str, ...]:
    """The latent variables, then the observed ones that must act as such."""
    etas = dict.fromkeys(latent)
    for row in rows:
        if row.op in REGRESSIONS:
            etas.update({row.lhs: None, row.rhs: None})
    grown = True
    while grown:
        before = len(etas)
        for row in rows:
            if row.op == "~~" and row.lhs != row.rhs and (row.lhs in etas) != (row.rhs in etas):
                etas.update({row.lhs: None, row.rhs: None})
        grown = len(etas) > before
    return tuple(etas)


def _cell(row: Parameter, eta: dict[str, int], seen: dict[str, int]) -> MatrixCell | None:
    lhs, rhs = row.lhs, row.rhs
    if row.op == "=~":
        if rhs in eta:
            return MatrixCell(REGRESSION, eta[rhs], eta[lhs])
        return MatrixCell(LOADING, seen[rhs], eta[lhs])
    if row.op in REGRESSIONS:
        return MatrixCell(REGRESSION, eta[lhs], eta[rhs])
    if row.op == "~~":
        if lhs in eta:
            return MatrixCell(COVARIANCE, eta[lhs], eta[rhs])
        return MatrixCell(RESIDUAL, seen[lhs], seen[rhs])
    if row.op == "~1":
        if lhs in eta:
            return MatrixCell(MEAN, eta[lhs], 0)
        return MatrixCell(INTERCEPT, seen[lhs], 0)
    return None


def _group(
    rows: list[Parameter], table: ParameterTable, observed: tuple[str, ...]
) -> tuple[GroupStructure, list[MatrixCell | None]]:
    latent = _etas(rows, table.latent)
    eta = {name: number for number, name in enumerate(latent)}
    seen = {name: number for number, name in enumerate(observed)}
    p, q = len(observed), len(latent)
    base = (
        np.zeros((p, q)),
        np.zeros((q, q)),
        np.zeros((q, q)),
        np.zeros((p, p)),
        np.zeros((p, 1)),
        np.zeros((q, 1)),
    )
    for name in latent[len(table.latent) :]:
        base[LOADING][seen[name], eta[name]] = 1.0
    cells: list[MatrixCell | None] = []
    free: list[tuple[int, int, int, int]] = []
    taken: dict[MatrixCell, Parameter] = {}
    for row in rows:
        try:
            cell = _cell(row, eta, seen)
        except KeyError as missing:
            raise ParameterError(
                f"the model's row {row.lhs} {row.op} {row.rhs} names {missing}, which is neither "
                "an observed variable nor a latent one; define it with =~ or <~, or correct the "
                "name."
            ) from None
        cells.append(cell)
        if cell is None:
            continue
        if cell in taken:
            raise ParameterError(
                f"the model has the parameter {row.lhs} {row.op} {row.rhs} twice; remove one."
            )
        taken[cell] = row
        if row.free:
            free.append((cell.matrix, cell.row, cell.column, row.free - 1))
        elif row.value is not None:
            matrix = base[cell.matrix]
            matrix[cell.row, cell.column] = row.value
            if cell.matrix in (COVARIANCE, RESIDUAL):
                matrix[cell.column, cell.row] = row.value
    for matrix in base:
        matrix.setflags(write=False)
    numbers = np.array(free, dtype=int).reshape(-1, 4)
    structure = GroupStructure(
        observed, latent, len(table.latent), base, *(numbers[:, k].copy() for k in range(4))
    )
    return structure, cells


def compile_table(table: ParameterTable) -> Structure:
    """Return the matrices of every group of a table.

    Raises ParameterError if a row names a variable that does not exist or a parameter stands
    twice. Thresholds and scaling factors (operators "|" and "~*~") are left to the ordinal
    estimators.
    """
    cells: dict[int, MatrixCell | None] = {}
    groups = []
    for number in range(1, table.n_groups + 1):
        numbers = [k for k, row in enumerate(table.rows) if row.group == number]
        names = table.of_group(number)
        rows = [table.rows[k] for k in numbers]
        structure, of_group = _group(rows, names, names.observed)
        groups.append(structure)
        cells.update(zip(numbers, of_group, strict=True))
    meanstructure = any(row.op == "~1" for row in table.rows)
    every = tuple(cells.get(k) for k in range(len(table.rows)))
    return Structure(tuple(groups), table.n_free, every, meanstructure)


def saturated_structure(observed: Sequence[str], *, means: bool, n_groups: int = 1) -> Structure:
    """Return a structure whose parameters are the moments themselves: the means (if wanted), then
    the lower triangle of the covariance matrix column by column, group after group."""
    return _saturated(tuple(observed), means, n_groups)


@lru_cache(maxsize=64)
def _saturated(observed: tuple[str, ...], means: bool, n_groups: int) -> Structure:
    p = len(observed)
    row, column = vech_places(p)
    if means:
        row, column = np.append(np.arange(p), row), np.append(np.zeros(p, dtype=int), column)
    kind = np.full(len(row), RESIDUAL)
    kind[: p if means else 0] = INTERCEPT
    base = (
        np.zeros((p, 0)),
        np.zeros((0, 0)),
        np.zeros((0, 0)),
        np.zeros((p, p)),
        np.zeros((p, 1)),
        np.zeros((0, 1)),
    )
    groups = tuple(
        GroupStructure(observed, (), 0, base, kind, row, column, np.arange(len(row)) + g * len(row))
        for g in range(n_groups)
    )
    return Structure(groups, n_groups * len(row), (), means)
