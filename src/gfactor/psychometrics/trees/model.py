"""Equations of processing trees as polynomials, with their derivatives."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gfactor.errors import ParameterError

Floats = NDArray[np.float64]
Equations = Mapping[str, Mapping[str, str]]
Monomials = dict[tuple[int, ...], float]

_SMALLEST = 1e-100
"""Lower limit of parameters by which derivatives divide."""


@dataclass(frozen=True)
class TreeModel:
    """Category probabilities as polynomials in the parameters.

    Parameters
    ----------
    equations : mapping of tree to mapping of category to equation
        Equations in Python's or R's notation with +, -, *, ^, ** and whole exponents.
    fixed : mapping of parameter to float
        Parameters that are known.
    """

    equations: Equations
    fixed: Mapping[str, float]

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """Free parameters in the order in which the equations name them."""
        names: dict[str, None] = {}
        for categories in self.equations.values():
            for equation in categories.values():
                nodes = [n for n in ast.walk(_parsed(equation)) if isinstance(n, ast.Name)]
                for node in sorted(nodes, key=lambda n: (n.lineno, n.col_offset)):
                    names.setdefault(node.id)
        unknown = set(self.fixed) - set(names)
        if unknown:
            raise ParameterError(
                f"fixed parameter {min(unknown)!r} is in no equation; the equations have "
                f"{', '.join(names)}"
            )
        return tuple(name for name in names if name not in self.fixed)

    @cached_property
    def categories(self) -> tuple[tuple[str, str], ...]:
        """(tree, category) of every probability, in order."""
        return tuple((tree, name) for tree, named in self.equations.items() for name in named)

    @cached_property
    def tree_of(self) -> NDArray[np.intp]:
        """Number of the tree of every category."""
        order = {tree: number for number, tree in enumerate(self.equations)}
        return np.array([order[tree] for tree, _ in self.categories])

    @cached_property
    def _terms(self) -> tuple[Floats, NDArray[np.intp], NDArray[np.intp]]:
        """Coefficient, exponents and category of every monomial."""
        position = {name: number for number, name in enumerate(self.parameters)}
        coefficients, exponents, rows = [], [], []
        for row, (tree, name) in enumerate(self.categories):
            expanded = _polynomial(_parsed(self.equations[tree][name]).body, position, self.fixed)
            for powers, coefficient in expanded.items():
                coefficients.append(coefficient)
                exponents.append(powers)
                rows.append(row)
        shape = (len(rows), len(self.parameters))
        return np.array(coefficients), np.array(exponents, int).reshape(shape), np.array(rows)

    def totals(self, counts: Floats) -> Floats:
        """Return, for every category, the number of answers to its tree."""
        return np.asarray(np.bincount(self.tree_of, counts), np.float64)[self.tree_of]

    def probabilities(self, theta: Floats) -> Floats:
        """Return the probability of every category."""
        return self._sum @ self._values(theta)

    def jacobian(self, theta: Floats) -> Floats:
        """Return derivatives of the probabilities: categories x parameters."""
        theta = np.maximum(theta, _SMALLEST)
        return self._sum @ (self._values(theta)[:, None] * self._terms[1] / theta)

    def hessians(self, theta: Floats) -> Floats:
        """Return second derivatives: categories x parameters x parameters."""
        theta = np.maximum(theta, _SMALLEST)
        k = theta.size
        relative = self._terms[1] / theta
        mixed = relative[:, :, None] * relative[:, None, :]
        mixed[:, range(k), range(k)] -= relative / theta
        mixed *= self._values(theta)[:, None, None]
        return (self._sum @ mixed.reshape(len(mixed), -1)).reshape(-1, k, k)

    def _values(self, theta: Floats) -> Floats:
        coefficients, exponents, _ = self._terms
        return coefficients * np.prod(theta**exponents, axis=1)

    @cached_property
    def _sum(self) -> Floats:
        """Categories x monomials: which monomial belongs to which category."""
        rows = self._terms[2]
        return (np.arange(len(self.categories))[:, None] == rows).astype(float)

    def check(self) -> None:
        """Raise ParameterError if a tree's probabilities do not sum to 1."""
        for share in (0.3, 0.6):
            theta = share + 0.05 * np.arange(len(self.parameters)) / max(len(self.parameters), 1)
            sums = np.bincount(self.tree_of, self.probabilities(theta))
            for tree, total in zip(self.equations, sums, strict=True):
                if abs(total - 1) > 1e-9:
                    raise ParameterError(
                        f"the equations of tree {tree!r} sum to {total:.6g}, not to 1; check them"
                    )


def _parsed(equation: str) -> ast.Expression:
    try:
        return ast.parse(equation.replace("^", "**"), mode="eval")
    except SyntaxError as error:
        raise ParameterError(f"equation {equation!r} cannot be read: {error.msg}") from None


def _polynomial(
    node: ast.expr, position: Mapping[str, int], fixed: Mapping[str, float]
) -> Monomials:
    constant = (0,) * len(position)
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return {constant: float(node.value)}
    if isinstance(node, ast.Name):
        if node.id in fixed:
            return {constant: float(fixed[node.id])}
        at = position[node.id]
        return {tuple(int(k == at) for k in range(len(position))): 1.0}
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return {p: -c for p, c in _polynomial(node.operand, position, fixed).items()}
    if isinstance(node, ast.BinOp):
        left = _polynomial(node.left, position, fixed)
        if isinstance(node.op, ast.Pow):
            if isinstance(node.right, ast.Constant) and isinstance(node.right.value, int):
                out: Monomials = {constant: 1.0}
                for _ in range(node.right.value):
                    out = _product(out, left)
                return out
        else:
            right = _polynomial(node.right, position, fixed)
            if isinstance(node.op, ast.Mult):
                return _product(left, right)
            if isinstance(node.op, ast.Add | ast.Sub):
                sign = 1.0 if isinstance(node.op, ast.Add) else -1.0
                summed = dict(left)
                for powers, coefficient in right.items():
                    summed[powers] = summed.get(powers, 0.0) + sign * coefficient
                return summed
    raise ParameterError(
        f"equation part {ast.unparse(node)!r} is not a polynomial: use numbers, parameters, +, -, "
        "* and whole exponents"
    )


def _product(left: Monomials, right: Monomials) -> Monomials:
    out: Monomials = {}
    for p, a in left.items():
        for q, b in right.items():
            powers = tuple(x + y for x, y in zip(p, q, strict=True))
            out[powers] = out.get(powers, 0.0) + a * b
    return out
