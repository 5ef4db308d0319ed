"""Information about ability in the answers alone (without the prior), and what more could add.

Answers to one testlet with information J of ability + effect have information 1 / (v + 1 / J) about
ability alone, with v the variance of effects: however many answers there are, their information
stays below 1 / v.

References
----------
Warm, T. A. (1989). Weighted likelihood estimation of ability in item response theory. Psychometrika
    54, 427-450.
Firth, D. (1993). Bias reduction of maximum likelihood estimates. Biometrika 80, 27-38.
Heinze, G., Schemper, M. (2002). A solution to the problem of separation in logistic regression.
    Statistics in Medicine 21, 2409-2419. Intervals from the weighted likelihood.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from gfactor.errors import ParameterError
from gfactor.psychometrics.irt.adaptive.posterior import AbilityPosterior, integrated
from gfactor.psychometrics.irt.likelihood.curves import Floats

SOON = 10
"""Number of further answers to which `StopRule.least_fall` refers."""
_SURE = 0.9
"""Probability of the interval of abilities for which a forecast is made."""


class Weighted(NamedTuple):
    """Warm's estimate with its interval, which does not use the population's distribution."""

    theta: float
    low: float
    high: float


def curve_information(p: Floats, nodes: Floats) -> Floats:
    """Return Fisher information of answers with these curves.

    Parameters
    ----------
    p : array (C, Q)
        Chance of a right answer at the nodes.
    nodes : array (Q,)
        Ascending.

    Returns
    -------
    array (C, Q)
        Information of each candidate at each node.

    Examples
    --------
    >>> import numpy as np
    >>> nodes = np.linspace(-6, 6, 121)
    >>> round(float(curve_information(1 / (1 + np.exp(-nodes[None])), nodes)[0, 60]), 3)
    0.25
    """
    slope = np.gradient(p, nodes, axis=1, edge_order=2)
    return slope**2 / np.maximum(p * (1 - p), 1e-300)


def ability_information(by_testlet: Floats, variance: float) -> Floats:
    """Return information of ability alone, from that of ability + effect by testlet.

    Parameters
    ----------
    by_testlet : array (T, Q)
    variance : float
        Variance of the effects.

    Returns
    -------
    array (Q,)
        Information at each node.
    """
    return (by_testlet / (1 + variance * by_testlet)).sum(axis=0)


def weighted_likelihood(
    posterior: AbilityPosterior, information: Mapping[str, Floats], level: float = 0.95
) -> Weighted:
    """Return the ability at which likelihood times the root of information is largest, with its
    interval.

    The population's distribution is not used, so that extreme abilities are not shrunk towards the
    mean; the standard error is larger. Effects on testlets are integrated out.

    Parameters
    ----------
    posterior : AbilityPosterior
        Posterior whose likelihood and testlets are used; its prior is left out.
    information : mapping of testlet to array (Q,)
        Sum of the Fisher information (`curve_information`) of the answered questions of each
        testlet. The names do not matter without testlet variance.
    level : float
        Confidence level of the interval.

    Returns
    -------
    Weighted
        `theta`, `low`, `high`; NaN without answers. An end is infinite if no ability on the
        posterior's nodes is unlikely enough.

    Raises
    ------
    ParameterError
        For a level outside (0, 1).

    Examples
    --------
    >>> import numpy as np
    >>> nodes = np.linspace(-8, 8, 321)
    >>> p = 1 / (1 + np.exp(-nodes))
    >>> after = AbilityPosterior(nodes).updated(3 * np.log(p) + np.log(1 - p))
    >>> known = weighted_likelihood(after, {"": 4 * curve_information(p[None], nodes)[0]})
    >>> [round(value, 2) for value in known]
    [0.85, -0.96, 3.18]
    """
    if not 0 < level < 1:
        raise ParameterError(f"a level must lie between 0 and 1, not {level}")
    if not information:
        return Weighted(math.nan, math.nan, math.nan)
    nodes = posterior.nodes
    height = np.zeros(len(nodes)) if posterior.log_likelihood is None else posterior.log_likelihood
    for given in posterior.testlets.values():
        height = height + integrated(given, posterior.effects)
    total = ability_information(np.array(list(information.values())), posterior.testlet_variance)
    height = height + 0.5 * np.log(np.maximum(total, 1e-300))
    top = int(np.argmax(height))
    theta, best = _vertex(nodes, height, top)
    floor = best - float(special.gammaincinv(0.5, level))
    below = np.flatnonzero(height[: top + 1] < floor)
    above = top + np.flatnonzero(height[top:] < floor)
    low = _crossing(nodes, height, int(below[-1]), floor) if len(below) else -math.inf
    high = _crossing(nodes, height, int(above[0]) - 1, floor) if len(above) else math.inf
    return Weighted(theta, low, high)


def _vertex(nodes: Floats, height: Floats, top: int) -> tuple[float, float]:
    """The largest value of a curve, by a parabola through the three nodes around it."""
    if top in (0, len(nodes) - 1):
        return float(nodes[top]), float(height[top])
    curve = np.polyfit(nodes[top - 1 : top + 2] - nodes[top], height[top - 1 : top + 2], 2)
    away = -curve[1] / (2 * curve[0]) if curve[0] < 0 else 0.0
    return float(nodes[top] + away), float(np.polyval(curve, away))


def _crossing(nodes: Floats, height: Floats, left: int, level: float) -> float:
    """Return the point at which the line between a node and the next one has a height."""
    rise = height[left + 1] - height[left]
    return float(nodes[left] + (level - height[left]) / rise * (nodes[left + 1] - nodes[left]))


@dataclass(frozen=True, eq=False)
class PrecisionForecast:
    """Forecast of the smallest standard error of an ability that more answers can reach.

    It is an optimistic bound: all remaining answers go in equal shares to the best cells of the
    ability's families, and among the abilities that are still likely (90 %) the one with the most
    information is assumed.

    Parameters
    ----------
    information : array (C, Q)
        Information of one answer to each cell (`curve_information`).
    testlets : sequence of str
        Testlets of the cells.
    open_cells : array (C,) of bool
        Cells that can still be asked.

    Examples
    --------
    >>> import numpy as np
    >>> from gfactor.psychometrics.irt.adaptive import AbilityPosterior
    >>> nodes = np.linspace(-8, 8, 161)
    >>> p = 1 / (1 + np.exp(-(nodes - np.array([[-1.0], [1.0]]))))
    >>> information = curve_information(p, nodes)
    >>> ahead = PrecisionForecast(information, ["maze", "fold"], np.array([True, True]))
    >>> before = AbilityPosterior(nodes, testlet_variance=2.0)
    >>> [round(ahead.error(before, [0, 0], more), 2) for more in (0, 10, 1000)]
    [1.0, 0.78, 0.71]
    """

    information: Floats
    testlets: Sequence[str]
    open_cells: NDArray[np.bool_]

    def error(self, posterior: AbilityPosterior, numbers: Sequence[int], more: float) -> float:
        """Return the smallest standard error after more answers.

        Parameters
        ----------
        posterior : AbilityPosterior
            Posterior after the answers so far.
        numbers : sequence of int
            Number of answers so far, by cell.
        more : float
            Number of answers that are left; may be infinite.

        Returns
        -------
        float
            Smallest standard error that can be reached.
        """
        names = list(dict.fromkeys(self.testlets))
        rows = [np.flatnonzero(np.asarray(self.testlets) == name) for name in names]
        weights = np.asarray(numbers, float)
        so_far = np.array([weights[row] @ self.information[row] for row in rows])
        usable = np.where(np.asarray(self.open_cells)[:, None], self.information, 0.0)
        best = np.array([usable[row].max(axis=0) for row in rows])
        shares = max(1, int((best.max(axis=1) > 0).sum()))
        # This number gives the error of infinitely many answers to within a thousandth of it.
        then = so_far + min(more, 1e6) / shares * best
        at = _likely(posterior)
        now, later = (self._error(posterior, one)[at] for one in (so_far, then))
        return float(posterior.se * (later / now).min())

    def _error(self, posterior: AbilityPosterior, by_testlet: Floats) -> Floats:
        total = ability_information(by_testlet, posterior.testlet_variance)
        return (1 / posterior.variance + total) ** -0.5


def _likely(posterior: AbilityPosterior) -> NDArray[np.bool_]:
    half = float(special.ndtri(0.5 + _SURE / 2)) * posterior.se
    away = np.abs(posterior.nodes - posterior.theta)
    return away <= max(half, float(away.min()))
