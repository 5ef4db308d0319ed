"""Constraints and defined quantities of a model as functions of its free parameters."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from gfactor.errors import ParameterError
from gfactor.psychometrics.sem.parameters import Parameter, ParameterTable
from gfactor.psychometrics.sem.syntax.arithmetic import parse_expression
from gfactor.psychometrics.sem.syntax.expressions import Binary, Expression


class Quantities:
    """Every name that a constraint may use, as a function of the free parameters.

    Names are labels, internal labels (.p3.) and defined quantities, which may use each other.
    """

    def __init__(self, table: ParameterTable) -> None:
        self.n_free = table.n_free
        self._rows = [row for row in table.rows if row.group and row.op != ":="]
        self.defined: dict[str, Expression] = {
            row.lhs: parse_expression(row.rhs) for row in table.rows if row.op == ":="
        }
        for row in table.rows:
            if row.op in {":=", "==", "<", ">"}:
                self._check(row)

    @cached_property
    def _index(self) -> dict[str, int]:
        """Positions of free parameters by label and internal label."""
        index: dict[str, int] = {}
        for row in self._rows:
            if row.free:
                for name in filter(None, (row.label, row.plabel)):
                    index.setdefault(name, row.free - 1)
        return index

    @cached_property
    def _fixed(self) -> dict[str, float]:
        """Values of fixed parameters by label and internal label."""
        fixed: dict[str, float] = {}
        for row in self._rows:
            if not row.free:
                for name in filter(None, (row.label, row.plabel)):
                    fixed.setdefault(name, row.value or 0.0)
        return fixed

    @property
    def names(self) -> set[str]:
        """Return every name that a constraint may use."""
        return {*self._index, *self._fixed, *self.defined}

    def _check(self, row: Parameter) -> None:
        texts = (row.rhs,) if row.op == ":=" else (row.lhs, row.rhs)
        for text in texts:
            for name in parse_expression(text).names:
                if name not in self.names:
                    raise ParameterError(
                        f"{row.lhs} {row.op} {row.rhs} (line {row.line}) uses {name!r}, which is "
                        "neither a label of a parameter nor a defined quantity."
                    )

    def values(self, theta: np.ndarray, names: tuple[str, ...]) -> dict[str, float]:
        """Return the values of the names at theta."""
        values: dict[str, float] = {}
        for name in names:
            if name in self._index:
                values[name] = float(theta[self._index[name]])
            elif name in self._fixed:
                values[name] = self._fixed[name]
            else:
                values[name] = self.value(self.defined[name], theta)
        return values

    def value(self, expression: Expression, theta: np.ndarray) -> float:
        return float(expression.value(self.values(theta, expression.names)))

    def gradient(self, expression: Expression, theta: np.ndarray) -> np.ndarray:
        """Return the gradient with respect to the free parameters, shape (n_free,)."""
        out = np.zeros(self.n_free)
        slopes = expression.gradient(self.values(theta, expression.names))
        for name, slope in slopes.items():
            if name in self._index:
                out[self._index[name]] += slope
            elif name in self.defined:
                out += slope * self.gradient(self.defined[name], theta)
        return out

    def linear(self, expression: Expression) -> tuple[np.ndarray, float] | None:
        """Return coefficients and constant if the expression is linear in the parameters."""
        given = expression.linear()
        if given is None:
            return None
        row, constant = np.zeros(self.n_free), given[1]
        for name, coefficient in given[0].items():
            if name in self._index:
                row[self._index[name]] += coefficient
            elif name in self._fixed:
                constant += coefficient * self._fixed[name]
            else:
                inner = self.linear(self.defined[name])
                if inner is None:
                    return None
                row += coefficient * inner[0]
                constant += coefficient * inner[1]
        return row, constant


@dataclass(frozen=True)
class Reduction:
    """The parameterization theta = offset + basis @ x of the solutions of linear equalities.

    `kept` are the positions of x in theta, so that x is itself a part of theta.
    """

    offset: np.ndarray
    basis: np.ndarray
    kept: np.ndarray

    @cached_property
    def trivial(self) -> bool:
        return len(self.kept) == len(self.offset)

    def theta(self, x: np.ndarray) -> np.ndarray:
        return x if self.trivial else self.offset + self.basis @ x

    def x(self, theta: np.ndarray) -> np.ndarray:
        return theta[self.kept]

    def vector(self, gradient: np.ndarray) -> np.ndarray:
        return gradient if self.trivial else self.basis.T @ gradient

    def matrix(self, hessian: np.ndarray) -> np.ndarray:
        return hessian if self.trivial else self.basis.T @ hessian @ self.basis


def reduction(rows: np.ndarray, values: np.ndarray, n_free: int) -> Reduction:
    """Return the solutions of rows @ theta = values; later parameters depend on earlier ones.

    Raises ParameterError if the equalities contradict each other.
    """
    work = np.column_stack([rows, values]) if len(rows) else np.zeros((0, n_free + 1))
    dependent: list[int] = []
    done = 0
    for row in range(len(work)):
        live = work[row]
        size = np.abs(live[:-1])
        if size.max(initial=0.0) < 1e-12:
            if abs(live[-1]) > 1e-10:
                raise ParameterError("the model's equality constraints contradict each other.")
            continue
        pivot = int(np.flatnonzero(size > 0.999 * size.max())[-1])
        work[row] = live / live[pivot]
        for other in range(len(work)):
            if other != row:
                work[other] -= work[other, pivot] * work[row]
        work[[done, row]] = work[[row, done]]
        dependent.append(pivot)
        done += 1
    remaining = np.setdiff1d(np.arange(n_free), dependent)
    basis = np.zeros((n_free, len(remaining)))
    basis[remaining, np.arange(len(remaining))] = 1.0
    offset = np.zeros(n_free)
    for row, pivot in enumerate(dependent):
        basis[pivot] = -work[row, remaining]
        offset[pivot] = work[row, -1]
    return Reduction(offset, basis, remaining)


class Rotating(Protocol):
    """Definition of the rotation of an exploratory block: functions of the parameters that are zero
    (`rotation.RotatedBlock`).
    """

    @property
    def size(self) -> int: ...

    @property
    def unrotated_zeros(self) -> list[int]: ...

    def residuals(self, theta: np.ndarray) -> np.ndarray: ...

    def jacobian(self, theta: np.ndarray) -> np.ndarray: ...


@dataclass(frozen=True)
class Constraints:
    """All restrictions of a model.

    Parameters
    ----------
    quantities: names and what they stand for.
    linear: part that the linear equalities leave free.
    equalities: nonlinear expressions that are zero.
    inequalities: expressions that are not negative.
    lines: the rows of the inequalities, for messages.
    rotations: exploratory blocks, whose rotation makes equalities, too.
    """

    quantities: Quantities
    linear: Reduction
    equalities: tuple[Expression, ...] = ()
    inequalities: tuple[Expression, ...] = ()
    lines: tuple[Parameter, ...] = ()
    rotations: tuple[Rotating, ...] = ()

    @property
    def only_linear(self) -> bool:
        return not self.equalities and not self.inequalities and not self.rotations

    @property
    def n_equalities(self) -> int:
        """Return the number of nonlinear equalities."""
        return len(self.equalities) + sum(one.size for one in self.rotations)

    def residuals(self, theta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return values of the nonlinear equalities and of the inequalities."""
        q = self.quantities
        equal = np.array([q.value(one, theta) for one in self.equalities])
        return (
            np.concatenate([equal, *(one.residuals(theta) for one in self.rotations)]),
            np.array([q.value(one, theta) for one in self.inequalities]),
        )

    def jacobians(self, theta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return their gradients, one row each."""
        q = self.quantities
        equal, unequal = (
            np.array([q.gradient(one, theta) for one in every]).reshape(len(every), q.n_free)
            for every in (self.equalities, self.inequalities)
        )
        return np.vstack([equal, *(one.jacobian(theta) for one in self.rotations)]), unequal

    def directions(self, theta: np.ndarray, active: float = 1e-8) -> np.ndarray:
        """Return a basis of the directions that the constraints leave free at theta. Constraints
        are linear and nonlinear equalities, and inequalities that are active (within the tolerance
        `active`)."""
        if self.only_linear:
            return self.linear.basis
        equal, unequal = self.jacobians(theta)
        tight = np.abs(self.residuals(theta)[1]) < active
        rows = np.vstack([equal, unequal[tight]]) @ self.linear.basis
        if not len(rows):
            return self.linear.basis
        _, size, right = np.linalg.svd(rows)
        rank = int((size > 1e-10 * size[0]).sum())
        return self.linear.basis @ right[rank:].T


def read_constraints(table: ParameterTable) -> Constraints:
    """Return the constraints of a table's "==", "<" and ">" rows and of shared labels."""
    n = table.n_free
    if not any(row.label or row.op in {"==", "<", ">", ":="} for row in table.rows):
        identity = Reduction(np.zeros(n), np.eye(n), np.arange(n))
        return Constraints(Quantities(table), identity)
    quantities = Quantities(table)
    rows: list[np.ndarray] = []
    values: list[float] = []
    first: dict[str, int] = {}
    for row in table.rows:
        if row.free and row.label:
            first_of = first.setdefault(row.label, row.free - 1)
            if first_of != row.free - 1:
                tie = np.zeros(n)
                tie[first_of], tie[row.free - 1] = 1.0, -1.0
                rows.append(tie)
                values.append(0.0)
    equalities: list[Expression] = []
    inequalities: list[Expression] = []
    lines: list[Parameter] = []
    for row in table.rows:
        if row.op not in {"==", "<", ">"}:
            continue
        left, right = parse_expression(row.lhs), parse_expression(row.rhs)
        if row.op == "<":
            left, right = right, left
        difference = Binary("-", left, right)
        straight = quantities.linear(difference) if row.op == "==" else None
        if straight is not None:
            rows.append(straight[0])
            values.append(-straight[1])
        elif row.op == "==":
            equalities.append(difference)
        else:
            inequalities.append(difference)
            lines.append(row)
    linear = reduction(np.array(rows).reshape(-1, n), np.array(values), n)
    return Constraints(quantities, linear, tuple(equalities), tuple(inequalities), tuple(lines))
