"""plugin_name: the standardized mean difference of two groups of scores.

References
----------
Hedges, L. V. (1981). Distribution theory for Glass's estimator of effect size and related
    estimators. Journal of Educational Statistics 6, 107-128.
Hedges, L. V., Olkin, I. (1985). Statistical methods for meta-analysis. Academic Press.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from gfactor.errors import ParameterError
from gfactor.psychometrics import Diagnostic
from gfactor.results import Result
from numpy.typing import ArrayLike
from scipy import special

FEW = 20
"""Observations per group below which the large-sample interval is doubtful."""


@dataclass(frozen=True, repr=False)
class PluginName(Result):
    """A standardized mean difference.

    Parameters
    ----------
    estimate: Hedges' g, in pooled standard deviations; positive where the first mean is larger.
    se: its large-sample standard error.
    ci_lower, ci_upper: ends of the normal-theory interval.
    level: confidence level of the interval.
    n: observations used in each group.
    diagnostics: what must be known before the estimate is used.
    """

    estimate: float
    se: float
    ci_lower: float
    ci_upper: float
    level: float
    n: tuple[int, int]
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def title(self) -> str:
        """The result in one line."""
        return (
            f"g = {self.estimate:.3f} (se {self.se:.3f}; {self.level:.0%} interval "
            f"{self.ci_lower:.3f} to {self.ci_upper:.3f}; n = {self.n[0]} and {self.n[1]})"
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        """The numbers by name; `to_dict`, `summary` and a notebook show them."""
        names = ("estimate", "se", "ci_lower", "ci_upper", "level", "n")
        return {name: getattr(self, name) for name in names}


def plugin_name(first: ArrayLike, second: ArrayLike, *, level: float = 0.95) -> PluginName:
    """Hedges' g of two independent groups, with a large-sample interval.

    Parameters
    ----------
    first, second: scores of each group, shape (n,), in any unit; NaN is left out.
    level: confidence level, between 0 and 1.

    Returns
    -------
    PluginName
        The estimate with its standard error, interval, n and diagnostics.

    Raises
    ------
    ParameterError
        Fewer than two scores in a group, scores that do not vary, or a level outside (0, 1).

    Examples
    --------
    >>> plugin_name([1, 2, 3, 4, 5], [2, 3, 4, 5, 6]).n
    (5, 5)

    References
    ----------
    Hedges (1981) for the unbiased estimator; Hedges and Olkin (1985), chapter 5, for its variance
    in large samples.
    """
    if not 0 < level < 1:
        raise ParameterError(f"level must lie between 0 and 1, not {level}")
    x, y = _scores(first, "first"), _scores(second, "second")
    freedom = x.size + y.size - 2
    pooled = math.sqrt(((x.size - 1) * x.var(ddof=1) + (y.size - 1) * y.var(ddof=1)) / freedom)
    if pooled == 0:
        raise ParameterError("the scores do not vary within the groups; g has no unit")
    log_correction = special.gammaln(freedom / 2) - special.gammaln((freedom - 1) / 2)
    correction = math.exp(log_correction) / math.sqrt(freedom / 2)
    g = float(correction * (x.mean() - y.mean()) / pooled)
    se = math.sqrt((x.size + y.size) / (x.size * y.size) + g**2 / (2 * (x.size + y.size)))
    half = float(special.ndtri(0.5 + level / 2)) * se
    n = (int(x.size), int(y.size))
    return PluginName(g, se, g - half, g + half, level, n, _diagnostics(n))


def _scores(given: ArrayLike, name: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The scores that are there."""
    values = np.asarray(given, dtype=np.float64)
    if values.ndim != 1:
        raise ParameterError(f"{name}: scores must have one dimension, not {values.ndim}")
    values = values[~np.isnan(values)]
    if values.size < 2:
        raise ParameterError(f"{name}: {values.size} scores are too few for a variance")
    return values


def _diagnostics(n: tuple[int, int]) -> tuple[Diagnostic, ...]:
    if min(n) >= FEW:
        return ()
    return (
        Diagnostic(
            code="small_groups",
            severity="warning",
            sentence=f"The smaller group has {min(n)} scores; the interval is a large-sample one.",
            remedy=f"Collect at least {FEW} scores in each group, or bootstrap the interval.",
            values={"smallest": min(n)},
        ),
    )
