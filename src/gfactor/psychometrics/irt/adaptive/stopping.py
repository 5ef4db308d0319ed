"""Rules for stopping: a standard error, its change or reach, a cut, a number, money, a decided
order.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from gfactor.errors import ParameterError
from gfactor.psychometrics.inference.multiplicity import holm


@dataclass(frozen=True)
class Progress:
    """Progress of the measurement of one ability.

    Parameters
    ----------
    theta, se : float
        Estimate and standard error.
    items : int
        Answered.
    cost : float
        Spent, in the unit of `StopRule.max_cost`.
    errors : sequence of float
        Standard error after every answer, the last of which is `se`; for `StopRule.se_change`.
    reachable, soon : float or None
        The smallest standard errors that all the answers that are left, and the next ten, can lead
        to (`adaptive.precision.Forecast`); None if nobody says.
    """

    theta: float
    se: float
    items: int
    cost: float = 0.0
    errors: Sequence[float] = ()
    reachable: float | None = None
    soon: float | None = None


@dataclass(frozen=True)
class StopRule:
    """Rule that ends a test as soon as one of its conditions is met.

    Parameters
    ----------
    se : float or None
        Standard error that is enough.
    se_change : float or None
        Least fall of the standard error over the last `window` answers that is worth going on.
    max_items : int or None
        Most answers.
    max_cost : float or None
        Most money.
    cut : float or None
        Stop when the interval of ability at `level` leaves this value out.
    min_items : int
        Number of answers before which only `max_items` and `max_cost` can end the test.
    level : float
        Confidence level of the interval for `cut`.
    window : int
        Number of last answers over which `se_change` is computed.
    least_fall : float
        Least share of the standard error by which the next ten answers must be able to lower it, if
        `se` is out of reach; otherwise these answers are spared.

    Examples
    --------
    >>> from gfactor.psychometrics.irt.adaptive import Progress, StopRule
    >>> rule = StopRule(se=0.3, max_items=40)
    >>> rule.reason(Progress(theta=0.2, se=0.35, items=12)) is None
    True
    >>> rule.reason(Progress(theta=0.2, se=0.29, items=20))
    'se'
    """

    se: float | None = None
    se_change: float | None = None
    max_items: int | None = None
    max_cost: float | None = None
    cut: float | None = None
    min_items: int = 0
    level: float = 0.95
    window: int = 5
    least_fall: float = 0.02

    def __post_init__(self) -> None:
        for name in ("se", "se_change", "max_items", "max_cost"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise ParameterError(f"{name} of a stop rule must be positive, got {value}")
        if self.cut is not None and not math.isfinite(self.cut):
            raise ParameterError(f"cut of a stop rule must be a finite number, got {self.cut}")
        if not 0 < self.level < 1:
            raise ParameterError(f"a level must lie between 0 and 1, not {self.level}")
        if not 0 <= self.least_fall < 1:
            raise ParameterError(f"least_fall must be a share, 0 or more, not {self.least_fall}")
        if self.window < 1:
            raise ParameterError(f"the window of se_change is 1 or more, got {self.window}")

    def reason(self, state: Progress) -> str | None:
        """Return the condition that holds ("items", "cost", "se", "cut", "se_unreachable",
        "se_change") or None.

        Parameters
        ----------
        state : Progress

        Returns
        -------
        str or None
            The condition that holds; None if the test goes on.
        """
        if self.max_items is not None and state.items >= self.max_items:
            return "items"
        if self.max_cost is not None and state.cost >= self.max_cost:
            return "cost"
        if state.items < self.min_items:
            return None
        if self.se is not None and state.se <= self.se:
            return "se"
        if self.cut is not None:
            half = float(special.ndtri(0.5 + self.level / 2)) * state.se
            if abs(state.theta - self.cut) > half:
                return "cut"
        if self._out_of_reach(state):
            return "se_unreachable"
        if self.se_change is not None and len(state.errors) > self.window:
            before = state.errors[-1 - self.window]
            if math.isfinite(before) and before - state.errors[-1] < self.se_change:
                return "se_change"
        return None

    def _out_of_reach(self, state: Progress) -> bool:
        if self.se is None or state.reachable is None or state.soon is None:
            return False
        return state.reachable > self.se and state.soon > (1 - self.least_fall) * state.se


def ranking_decided(theta: ArrayLike, se: ArrayLike, *, level: float = 0.95) -> bool:
    """Return True if the order of several examinees is decided.

    Parameters
    ----------
    theta, se : array (P,)
        Estimates of one ability and their standard errors, independent over examinees.
    level : float
        Probability with which the whole order is right.

    Returns
    -------
    bool
        True if all pairs differ, by two-sided normal tests with Holm's adjustment for the P (P - 1)
        / 2 pairs.

    Raises
    ------
    ParameterError
        For fewer than two examinees, or errors that are not positive.

    Examples
    --------
    >>> from gfactor.psychometrics.irt.adaptive import ranking_decided
    >>> ranking_decided([0.0, 1.0, 2.0], [0.2, 0.2, 0.2])
    True
    >>> ranking_decided([0.0, 0.4, 2.0], [0.2, 0.2, 0.2])
    False
    """
    return not undecided_pairs(theta, se, level=level)


def undecided_pairs(
    theta: ArrayLike, se: ArrayLike, *, level: float = 0.95
) -> list[tuple[int, int]]:
    """Return pairs of examinees whose order is undecided, the most certain first.

    Parameters
    ----------
    theta, se : array (P,)
        Abilities and standard errors, as in `ranking_decided`.
    level : float
        Confidence level, as in `ranking_decided`.

    Returns
    -------
    list of (int, int)
        Positions of both.

    Raises
    ------
    ParameterError
        As in `ranking_decided`.

    Examples
    --------
    >>> from gfactor.psychometrics.irt.adaptive import undecided_pairs
    >>> undecided_pairs([0.0, 0.4, 2.0], [0.2, 0.2, 0.2])
    [(0, 1)]
    """
    if not 0 < level < 1:
        raise ParameterError(f"a level must lie between 0 and 1, not {level}")
    center, error = np.asarray(theta, float), np.asarray(se, float)
    if center.ndim != 1 or center.shape != error.shape or len(center) < 2:
        raise ParameterError("an order needs estimates and standard errors of two or more")
    if not ((error > 0).all() and np.isfinite(center).all()):
        raise ParameterError("an order needs finite estimates and positive standard errors")
    first, second = np.triu_indices(len(center), 1)
    z = np.abs(center[first] - center[second]) / np.hypot(error[first], error[second])
    p = holm(2 * special.ndtr(-z))
    open_ = [k for k in np.argsort(p, kind="stable") if p[k] > 1 - level]
    return [(int(first[k]), int(second[k])) for k in open_]
