"""Input of the measures of fit: what an estimator has to provide."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal, NamedTuple

from gfactor.psychometrics.sem.exactfit import ExactFit
from gfactor.psychometrics.sem.inference.estimated import Estimated
from gfactor.psychometrics.sem.problem import Problem

Measures = dict[str, float | None]

Kind = Literal["continuous", "ordinal", "two-level"]
"""Kind of a model, which decides from which moments a measure is computed."""


class Explained(NamedTuple):
    """One group's part of GFI: e'Ve and s'Vs, for its sample moments s and their residuals e."""

    share: float
    left: float
    whole: float


@dataclass(frozen=True)
class Context:
    """A fitted model, the independence model, and their tests of exact fit.

    Properties that depend on the kind of model are empty here; measures read them without knowing
    the kind.

    Parameters
    ----------
    estimated, baseline: the model and the independence model at their estimates.
    exact, baseline_exact: their tests.
    drawn_p: gives the p-value of Bollen and Stine's bootstrap, if the options ask for it.
    """

    estimated: Estimated
    exact: ExactFit
    baseline: Estimated
    baseline_exact: ExactFit
    drawn_p: Callable[[], float | None] | None = None

    kind: ClassVar[Kind]

    @property
    def problem(self) -> Problem:
        return self.estimated.problem

    @property
    def scaled(self) -> bool:
        """Return True if the test comes with a correction."""
        return self.exact.scaled is not None

    @property
    def n(self) -> float:
        return self.problem.fit_n

    @property
    def n_groups(self) -> int:
        return self.problem.n_groups

    @cached_property
    def robust(self) -> Context | None:
        """Return the context of robust variants; None if there is none."""
        return self

    @property
    def log_likelihoods(self) -> tuple[float, float] | None:
        """Return log-likelihoods of the model and of the unrestricted one, if one was maximized."""
        return None

    @property
    def residuals(self) -> Measures:
        """Return root mean square residuals, averaged over groups by their sizes."""
        return {}

    @cached_property
    def explained(self) -> Sequence[Explained] | None:
        """Return every group's part of GFI; None if the moments have no weight matrix."""
        return None

    @property
    def n_moments(self) -> float:
        """Return the number of sample moments that GFI explains."""
        return float(self.problem.n_moments)
