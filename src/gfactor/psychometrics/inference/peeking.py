"""Cost of looking at a fixed interval after every item."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import special

from gfactor.errors import ParameterError
from gfactor.psychometrics.inference.intervals import checked_level

Floats = NDArray[np.float64]
Rule = Literal["wald", "wald_t", "wilson", "mixture"]


def false_alarm(
    p: float, n: int, *, first_look: int = 20, rule: Rule = "wilson", level: float = 0.95
) -> float:
    """Return the probability that an interval, computed after every item, excludes the true
    proportion at least once.

    It is exact, by dynamic programming over the number of right answers.

    Parameters
    ----------
    p : float
        True proportion.
    n : int
        Number of items asked at most.
    first_look : int
        Number of items before the first interval is computed.
    rule : {"wald", "wald_t", "wilson", "mixture"}
        The interval; "mixture" is the confidence sequence with a uniform prior.
    level : float
        Confidence level of each single interval.

    Returns
    -------
    float
        Probability from 0 to 1.

    Examples
    --------
    >>> round(false_alarm(0.7, 50), 3), round(false_alarm(0.7, 300), 3)
    (0.164, 0.33)
    """
    if not 0 < p < 1 or n < 1 or first_look < 1:
        raise ParameterError(
            f"false alarms need p in (0, 1), n and first_look of 1 or more; got {p}, {n}, "
            f"{first_look}"
        )
    covers = _coverage_rule(p, rule, checked_level(level))
    weights = np.ones(1)
    for size in range(1, n + 1):
        following = np.zeros(size + 1)
        following[:-1] += weights * (1 - p)
        following[1:] += weights * p
        if size >= first_look:
            following *= covers(size, np.arange(size + 1.0))
        weights = following
    return float(1 - weights.sum())


def _coverage_rule(
    p: float, rule: Rule, level: float
) -> Callable[[int, Floats], NDArray[np.bool_]]:
    tail = (1 - level) / 2
    z = -float(special.ndtri(tail))

    def wald(n: int, right: Floats) -> NDArray[np.bool_]:
        share = right / n
        return np.abs(share - p) <= z * np.sqrt(share * (1 - share) / n) + 1e-12

    def wald_t(n: int, right: Floats) -> NDArray[np.bool_]:
        share = right / n
        quantile = float(special.stdtrit(n - 1, 1 - tail)) if n > 1 else np.inf
        spread = np.sqrt(share * (1 - share) * n / max(n - 1, 1))
        return np.abs(share - p) <= quantile * spread / np.sqrt(n) + 1e-12

    def wilson(n: int, right: Floats) -> NDArray[np.bool_]:
        return np.abs(right / n - p) <= z * np.sqrt(p * (1 - p) / n) + 1e-12

    def mixture(n: int, right: Floats) -> NDArray[np.bool_]:
        log_e = special.betaln(1 + right, 1 + n - right)
        log_e -= special.xlogy(right, p) + special.xlogy(n - right, 1 - p)
        return log_e < np.log(1 / (1 - level))

    rules = {"wald": wald, "wald_t": wald_t, "wilson": wilson, "mixture": mixture}
    if rule not in rules:
        raise ParameterError(f"rule must be one of {', '.join(rules)}, not {rule!r}")
    return rules[rule]
