"""A parameter table as matrices: which free parameter stands where."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from gfactor.errors import ParameterError
from gfactor.psychometrics.sem.parameters import Parameter, ParameterTable

LOADING, REGRESSION, COVARIANCE, RESIDUAL, INTERCEPT, MEAN = range(6)
"""The matrices Lambda, Beta, Psi, Theta, nu and alpha."""


@dataclass(frozen=True)
class Cell:
    """Where one row of the table lives: the matrix and the position in it."""

    matrix: int
    row: int
    column: int


Selector = tuple[Any, Any]


def block_of(rows: np.ndarray, columns: np.ndarray) -> Selector:
    """What selects these rows and columns of a matrix: slices where they stand together, which is
    common and several times as fast."""

    def span(places: np.ndarray) -> slice | None:
        if (
            len(places)
            and places[-1] - places[0] == len(places) - 1
            and (np.diff(places) == 1).all()
        ):
            return slice(int(places[0]), int(places[-1]) + 1)
        return None

    first, second = span(rows), span(columns)
    if first is not None and second is not None:
        return first, second
    return rows[:, None], columns


@dataclass(frozen=True)
class GroupStructure:
    """The matrices of one group: fixed values, and the places of free parameters.

    The model is y = nu + Lambda eta + epsilon, eta = alpha + Beta eta + zeta, with Psi and Theta
    the covariances of zeta and epsilon (Joreskog and Sorbom's all-y form). An observed variable
    that takes part in a regression, or covaries with one that does, is an eta of its own with a
    loading of one and no residual.

    Parameters
    ----------
    observed, latent: names; the latent ones hold such observed variables after the true ones.
    base: the six matrices with fixed values in place and zeros where parameters are free.
    kind, row, column, index: one entry per free parameter of the group: the matrix, the place,
        and its number in the parameter vector, from 0.
    """

    observed: tuple[str, ...]
    latent: tuple[str, ...]
    n_true_latent: int
    base: tuple[np.ndarray, ...]
    kind: np.ndarray
    row: np.ndarray
    column: np.ndarray
    index: np.ndarray

    @property
    def p(self) -> int:
        return len(self.observed)

    @property
    def q(self) -> int:
        return len(self.latent)

    @cached_property
    def recursive(self) -> bool:
        """Whether there are regressions among the etas at all."""
        return bool(self.base[REGRESSION].any() or (self.kind == REGRESSION).any())

    @cached_property
    def depth(self) -> int | None:
        """The longest chain of regressions, or None where there is a loop (or a very long chain):
        (I - Beta)^-1 is the sum of the powers of Beta up to it."""
        led = self.base[REGRESSION] != 0
        mine = self.kind == REGRESSION
        led[self.row[mine], self.column[mine]] = True
        chain = led
        for length in range(4):
            if not chain.any():
                return length
            chain = chain @ led
        return None

    @cached_property
    def latent_means(self) -> bool:
        return bool(self.base[MEAN].any() or (self.kind == MEAN).any())

    @cached_property
    def places(self) -> tuple[tuple[np.ndarray, np.ndarray, np.ndarray], ...]:
        """Per matrix: rows, columns and parameter numbers of its free elements, mirrored."""
        found = []
        for kind in range(6):
            mine = self.kind == kind
            row, column, index = self.row[mine], self.column[mine], self.index[mine]
            if kind in (COVARIANCE, RESIDUAL):
                off = row != column
                row, column, index = (
                    np.concatenate([row, column[off]]),
                    np.concatenate([column, row[off]]),
                    np.concatenate([index, index[off]]),
                )
            found.append((row, column, index))
        return tuple(found)

    @cached_property
    def filled(self) -> tuple[tuple[int, np.ndarray, np.ndarray, np.ndarray], ...]:
        """The matrices that have free elements, with `places`."""
        return tuple((kind, *place) for kind, place in enumerate(self.places) if len(place[0]))

    @cached_property
    def identities(self) -> tuple[np.ndarray, np.ndarray]:
        """Identity matrices of p and of q rows."""
        return np.eye(self.p), np.eye(self.q)

    @cached_property
    def of_kind(self) -> tuple[np.ndarray, ...]:
        """Per matrix: which of the group's free parameters stand in it."""
        return tuple(np.flatnonzero(self.kind == kind) for kind in range(6))

    @cached_property
    def blocks(self) -> dict[tuple[int, int], Selector]:
        """Per pair of matrices: the block of the group's Hessian that belongs to them."""
        return {
            (one, other): block_of(self.of_kind[one], self.of_kind[other])
            for one in range(6)
            for other in range(6)
        }

    @cached_property
    def selectors(self) -> tuple[Selector, Selector, Selector, Selector]:
        """Of a group's Hessian: the block of what moves Sigma, of what moves mu, the mixed one; and
        where the group's Hessian stands in that of all parameters."""
        cov, mean = self.covariance_part[0], self.mean_part[0]
        whole = block_of(self.index, self.index)
        return block_of(cov, cov), block_of(mean, mean), block_of(mean, cov), whole

    @cached_property
    def covariance_part(self) -> tuple[np.ndarray, ...]:
        """Of the parameters that move Sigma: their places among the group's parameters, the rows
        of the left and right factors (see `GroupPoint.factors`) and the factor's scale."""
        chosen = np.flatnonzero(self.kind <= RESIDUAL)
        kind, row, column = self.kind[chosen], self.row[chosen], self.column[chosen]
        p, q = self.p, self.q
        left = np.where((kind == LOADING) | (kind == RESIDUAL), row, p + row)
        right = np.select(
            [kind <= REGRESSION, kind == COVARIANCE], [column, q + column], 2 * q + column
        )
        halved = (kind >= COVARIANCE) & (row == column)
        return chosen, left, right, np.where(halved, 0.5, 1.0)[:, None]

    @cached_property
    def mean_part(self) -> tuple[np.ndarray, ...]:
        """Of the parameters that move mu: their places, the rows of the left factor, the eta
        whose mean scales them (-1: none)."""
        moves = self.kind >= INTERCEPT
        if self.latent_means:
            moves |= self.kind <= REGRESSION
        chosen = np.flatnonzero(moves)
        kind, row, column = self.kind[chosen], self.row[chosen], self.column[chosen]
        left = np.where((kind == LOADING) | (kind == INTERCEPT), row, self.p + row)
        return chosen, left, np.where(kind <= REGRESSION, column, -1)


@dataclass(frozen=True)
class Structure:
    """All groups of a model."""

    groups: tuple[GroupStructure, ...]
    n_free: int
    cells: tuple[Cell | None, ...]
    """One per row of the table: None for constraints, definitions and thresholds."""
    meanstructure: bool


def _etas(rows: list[Parameter], latent: tuple[str, ...]) -> tuple[str, ...]:
    """The latent variables, then the observed ones that must act as such."""
    etas = dict.fromkeys(latent)
    for row in rows:
        if row.op == "~":
            etas.update({row.lhs: None, row.rhs: None})
    grown = True
    while grown:
        before = len(etas)
        for row in rows:
            if row.op == "~~" and row.lhs != row.rhs and (row.lhs in etas) != (row.rhs in etas):
                etas.update({row.lhs: None, row.rhs: None})
        grown = len(etas) > before
    return tuple(etas)


def _cell(row: Parameter, eta: dict[str, int], seen: dict[str, int]) -> Cell | None:
    lhs, rhs = row.lhs, row.rhs
    if row.op == "=~":
        if rhs in eta:
            return Cell(REGRESSION, eta[rhs], eta[lhs])
        return Cell(LOADING, seen[rhs], eta[lhs])
    if row.op == "~":
        return Cell(REGRESSION, eta[lhs], eta[rhs])
    if row.op == "~~":
        if lhs in eta:
            return Cell(COVARIANCE, eta[lhs], eta[rhs])
        return Cell(RESIDUAL, seen[lhs], seen[rhs])
    if row.op == "~1":
        if lhs in eta:
            return Cell(MEAN, eta[lhs], 0)
        return Cell(INTERCEPT, seen[lhs], 0)
    return None


def _group(
    rows: list[Parameter], table: ParameterTable, observed: tuple[str, ...]
) -> tuple[GroupStructure, list[Cell | None]]:
    latent = _etas(rows, table.latent)
    eta = {name: place for place, name in enumerate(latent)}
    seen = {name: place for place, name in enumerate(observed)}
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
    cells: list[Cell | None] = []
    free: list[tuple[int, int, int, int]] = []
    taken: dict[Cell, Parameter] = {}
    for row in rows:
        try:
            cell = _cell(row, eta, seen)
        except KeyError as missing:
            raise ParameterError(
                f"the model's row {row.lhs} {row.op} {row.rhs} names {missing}, which is neither "
                "an observed variable nor a latent one; define it with =~ or correct the name."
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
    """The matrices of every group of a table.

    Raises ParameterError where a row names a variable that does not exist or a parameter stands
    twice. Thresholds and scaling factors (operators "|" and "~*~") are left to who reads them.
    """
    observed = table.observed
    cells: dict[int, Cell | None] = {}
    groups = []
    for number in range(1, table.n_groups + 1):
        places = [k for k, row in enumerate(table.rows) if row.group == number]
        structure, mine = _group([table.rows[k] for k in places], table, observed)
        groups.append(structure)
        cells.update(zip(places, mine, strict=True))
    meanstructure = any(row.op == "~1" for row in table.rows)
    every = tuple(cells.get(k) for k in range(len(table.rows)))
    return Structure(tuple(groups), table.n_free, every, meanstructure)
