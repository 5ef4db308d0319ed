"""Aims of a plan: an aim computes the value that a design reaches, and checks it on simulated
data."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.psychometrics.inference.power import smallest_n

Floats = NDArray[np.float64]
Counts = Mapping[str, int]
"""Number of conditions of a design, by facet: {"item": 200, "occasion": 2, "examinee": 8}."""

Sense = Literal["at most", "at least"]
"""Meaning of reaching a target."""

EXAMINEE = "examinee"


@dataclass(frozen=True)
class Simulated:
    """Performance of a design in simulated data.

    Parameters
    ----------
    interval : str
        Kind of interval that was tried.
    coverage, coverage_se : float
        Share of data sets whose interval held the truth, and its Monte Carlo standard error.
    reached, reached_se : float
        The aim itself (power, standard error, coefficient) in the simulated data.
    runs : int
        Number of data sets.

    Examples
    --------
    >>> Simulated("t", 0.95, 0.01, 0.8, 0.02, 400).runs
    400
    """

    interval: str
    coverage: float
    coverage_se: float
    reached: float
    reached_se: float
    runs: int


class Aim(ABC):
    """An aim of a study, which a design may reach.

    A subclass has the known quantities, computes the value that a design reaches, and simulates it.
    """

    name: ClassVar[str]
    measure: ClassVar[str]
    """Measure that is reached, in words: "standard error"."""
    sense: ClassVar[Sense]
    """Direction of the target: the most or the least that may be reached."""
    defaults: ClassVar[Counts] = {}
    """Counts of a plan by default."""

    @property
    def solves(self) -> str:
        """Name of the count that is solved for."""
        return "item"

    @property
    def facets(self) -> tuple[str, ...]:
        """Names of the counts that affect the aim."""
        return (self.solves,)

    @property
    def given(self) -> Counts:
        """Counts that are given by the known quantities and not varied."""
        return {}

    def asked(self, counts: Counts) -> Counts:
        """Return the counts of questions, on which the cost depends."""
        return counts

    def half_width(self, counts: Counts) -> float | None:
        """Return the expected half width of the 95 % interval; None if there is no interval."""
        return None

    @property
    def step(self) -> int:
        """Step of the counts, which must be multiples of it, because whole clusters are asked."""
        return 1

    @property
    def remarks(self) -> tuple[tuple[str, str, str], ...]:
        """Code, sentence and remedy of each limit of the plan."""
        return ()

    @property
    def of_shares(self) -> bool:
        """True if scores are shares from 0 to 1, so that no target can be 1 or more."""
        return False

    @abstractmethod
    def reached(self, counts: Counts) -> float:
        """Return the value that the design reaches; NaN if it is not defined."""

    @abstractmethod
    def simulate(self, counts: Counts, runs: int, rng: np.random.Generator) -> Simulated:
        """Try the design on `runs` simulated data sets."""

    def meets(self, reached: float, target: float) -> bool:
        """Return True if the reached value meets the target."""
        slack = 1e-12 * max(1.0, abs(target))
        if self.sense == "at most":
            return reached <= target + slack
        return reached >= target - slack

    def needed(self, counts: Counts, target: float) -> int | None:
        """Return the smallest sufficient number of the units that the aim solves for; None if no
        number is enough."""
        lowest = 2

        def enough(number: int) -> bool:
            trial = {**counts, self.solves: number * self.step}
            return self.meets(self.reached(trial), target)

        try:
            return smallest_n(enough, lowest, self.name) * self.step
        except ParameterError:
            return None


def proportion(outcomes: NDArray[np.bool_] | Floats) -> tuple[float, float]:
    """Return a share and its Monte Carlo standard error, which is computed as if one more run had
    differed and is therefore never 0."""
    n = len(outcomes)
    share = float(np.mean(outcomes))
    smoothed = (share * n + 0.5) / (n + 1)
    return share, math.sqrt(smoothed * (1 - smoothed) / n)


def checked(value: float, name: str, low: float, high: float, *, open_ends: bool = True) -> float:
    """Return the value if it lies between the ends.

    Raises ParameterError otherwise.
    """
    inside = low < value < high if open_ends else low <= value <= high
    if not inside:
        raise ParameterError(f"{name} must lie between {low:g} and {high:g}, not {value:g}")
    return float(value)
