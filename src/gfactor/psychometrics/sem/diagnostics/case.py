"""Input of the checks of a fit, and the list of all checks."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.float_arrays import cholesky
from gfactor.psychometrics.sem.inference.estimated import Estimated
from gfactor.psychometrics.sem.model import GroupPoint
from gfactor.psychometrics.sem.optimize import eta_sizes, parameter_scales, step_sizes
from gfactor.psychometrics.sem.parameters import ParameterTable


@dataclass(frozen=True)
class FitCase:
    """A fit with the quantities that its checks use.

    Parameters
    ----------
    estimated: the model where the search ended.
    table: its rows, with bounds.
    status: status of the search ("converged", "runaway", "stuck", "limit", "undefined").
    iterations: steps taken.
    proven: True if a minimum was proven, so that the gradient is known to be zero.
    limits: lower and upper bounds of the free parameters; None if the rows of the table have
        them.
    """

    estimated: Estimated
    table: ParameterTable
    status: str = "converged"
    iterations: int = 0
    proven: bool = False
    limits: tuple[np.ndarray, np.ndarray] | None = None

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Free parameters by name; with the group if there are several."""
        several = self.table.n_groups > 1
        names = [""] * self.table.n_free
        for row in self.table.rows:
            if row.free:
                names[row.free - 1] = row.name + (f" ({self.group(row.group)})" if several else "")
        return tuple(names)

    def group(self, number: int) -> str:
        """Return the name of group `number` (from 1)."""
        return self.table.groups[number - 1] if self.table.groups else f"group {number}"

    def where(self, number: int) -> str:
        """Return " in group X", or " within clusters", for a group's position (from 0); "" for a
        single sample."""
        if self.table.two_level:
            return f" {self.table.level_in_words(number + 1)}"
        return f" in group {self.group(number + 1)!r}" if self.table.n_groups > 1 else ""

    @property
    def groups(self) -> tuple[GroupPoint, ...]:
        return self.estimated.point.groups

    @cached_property
    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Lower and upper bounds of the free parameters."""
        if self.limits is not None:
            return self.limits
        low = np.full(self.table.n_free, -np.inf)
        high = np.full(self.table.n_free, np.inf)
        for row in self.table.rows:
            if row.free:
                low[row.free - 1], high[row.free - 1] = row.lower, row.upper
        return low, high

    @cached_property
    def held(self) -> np.ndarray:
        """Return True for free parameters on a bound."""
        low, high = self.bounds
        theta = self.estimated.theta
        return (theta <= low + _ON_BOUND * self.size) | (theta >= high - _ON_BOUND * self.size)

    @cached_property
    def size(self) -> np.ndarray:
        """A typical size of every parameter."""
        problem = self.estimated.problem
        return parameter_scales(problem.structure, problem.sample)

    def latent_sizes(self, number: int) -> np.ndarray:
        """Return a typical standard deviation of every eta of a group."""
        group, sample = self.groups[number], self.estimated.problem.sample.groups[number]
        return eta_sizes(group.structure, sample.cov)

    @cached_property
    def evaluable(self) -> bool:
        """Return True if the discrepancy is defined at this point: every Sigma is positive
        definite."""
        for group in self.groups:
            try:
                cholesky(group.sigma)
            except np.linalg.LinAlgError:
                return False
        return True

    @cached_property
    def slope(self) -> np.ndarray:
        """Derivatives of the discrepancy along the directions that constraints and bounds leave
        free."""
        gradient = self.estimated.problem.discrepancy.gradient(self.estimated.point)
        low = self.bounds[0]
        below = self.estimated.theta <= low + _ON_BOUND * self.size
        outward = np.where(below, gradient > 0, gradient < 0)
        gradient = np.where(self.held & outward, 0.0, gradient)
        return self.estimated.directions.T @ gradient

    @cached_property
    def step(self) -> np.ndarray:
        """A typical size of a step along each of these directions, which makes slopes
        comparable."""
        return step_sizes(self.estimated.directions, self.size)


_ON_BOUND = 1e-9
Check = Callable[[FitCase], Iterable[Diagnostic]]

_CHECKS: dict[str, Check] = {}


def check(name: str) -> Callable[[Check], Check]:
    """Register a check; it runs on every fit."""

    def register(function: Check) -> Check:
        if name in _CHECKS:
            raise ValueError(f"the check {name!r} is registered twice")
        _CHECKS[name] = function
        return function

    return register


def checks() -> dict[str, Check]:
    """Return all checks by name, in the order of their names."""
    package = importlib.import_module("gfactor.psychometrics.sem.diagnostics")
    for module in sorted(m.name for m in pkgutil.iter_modules(package.__path__)):
        importlib.import_module(f"{package.__name__}.{module}")
    return dict(sorted(_CHECKS.items()))


def diagnose(case: FitCase) -> tuple[Diagnostic, ...]:
    """Return the findings of all checks of a fit, errors first."""
    return by_severity(d for function in checks().values() for d in function(case))
