"""The posterior of one ability on a fixed grid."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from gfactor.errors import ParameterError
from gfactor.psychometrics.irt.curves import Floats


@dataclass(frozen=True, eq=False)
class AbilityPosterior:
    """What is known of one ability: a normal prior and the likelihood of the answers so far.

    Parameters
    ----------
    nodes : array (Q,)
        Abilities, ascending; wide and close enough for the posteriors that are expected (six
        standard deviations of the prior to each side, steps no longer than the smallest error).
    mean, variance : float
        Of the prior.
    log_likelihood : array (Q,) or None
        Of the answers so far at the nodes; None before the first.

    Examples
    --------
    >>> import numpy as np
    >>> from gfactor.psychometrics.irt.adaptive import AbilityPosterior
    >>> before = AbilityPosterior(np.linspace(-6, 6, 121))
    >>> after = before.updated(np.log(1 / (1 + np.exp(-before.nodes))))
    >>> (round(before.se, 6), round(after.theta, 3), round(after.se, 3))
    (1.0, 0.413, 0.911)
    """

    nodes: Floats
    mean: float = 0.0
    variance: float = 1.0
    log_likelihood: Floats | None = None

    def __post_init__(self) -> None:
        nodes = np.asarray(self.nodes, float)
        if nodes.ndim != 1 or len(nodes) < 3 or not (np.diff(nodes) > 0).all():
            raise ParameterError("nodes must be three or more abilities in ascending order")
        if not (np.isfinite(self.mean) and np.isfinite(self.variance) and self.variance > 0):
            raise ParameterError(
                f"a prior needs a finite mean and a positive variance, got {self.mean} and "
                f"{self.variance}"
            )
        object.__setattr__(self, "nodes", nodes)

    def updated(self, log_likelihood: Floats) -> AbilityPosterior:
        """The posterior after one more answer.

        Parameters
        ----------
        log_likelihood : array (Q,)
            Log probability of the answer at every node.

        Returns
        -------
        AbilityPosterior
        """
        more = np.asarray(log_likelihood, float)
        if more.shape != self.nodes.shape:
            raise ParameterError(
                f"a log-likelihood needs one value per node ({len(self.nodes)}), got {more.shape}"
            )
        if np.isnan(more).any() or not np.isfinite(more).any():
            raise ParameterError("a log-likelihood must be finite at one node at least")
        before = 0.0 if self.log_likelihood is None else self.log_likelihood
        return replace(self, log_likelihood=before + more)

    @cached_property
    def density(self) -> Floats:
        """Probability of every node, (Q,); they sum to 1."""
        spacing = trapezoid_weights(self.nodes)
        log = -0.5 * (self.nodes - self.mean) ** 2 / self.variance + np.log(spacing)
        if self.log_likelihood is not None:
            log = log + self.log_likelihood
        weights = np.exp(log - log.max())
        return weights / weights.sum()

    @cached_property
    def theta(self) -> float:
        """The posterior mean (EAP)."""
        return float(self.density @ self.nodes)

    @cached_property
    def se(self) -> float:
        """The posterior standard deviation."""
        return float(np.sqrt(self.density @ (self.nodes - self.theta) ** 2))

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """The interval that leaves equal probabilities below and above.

        Parameters
        ----------
        level : float
            Probability of the interval.

        Returns
        -------
        tuple of float
        """
        if not 0 < level < 1:
            raise ParameterError(f"a level lies between 0 and 1, got {level}")
        height = self.density / trapezoid_weights(self.nodes)
        area = 0.5 * (height[1:] + height[:-1]) * np.diff(self.nodes)
        below = np.concatenate([[0.0], np.cumsum(area)])
        tail = 0.5 * (1 - level)
        low, high = np.interp([tail, 1 - tail], below / below[-1], self.nodes)
        return float(low), float(high)


def trapezoid_weights(nodes: Floats) -> Floats:
    """Weights of the trapezoidal rule on a grid, (Q,)."""
    gaps = np.diff(nodes)
    return 0.5 * (np.append(gaps, 0.0) + np.append(0.0, gaps))
