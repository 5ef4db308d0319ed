"""The posterior of one ability on a fixed grid, with or without testlets.

Answers to one testlet (a family of generated items) share an effect of the person beside the
ability, u ~ N(0, v): the Rasch testlet model (Wang and Wilson 2005), the Bayesian one of Bradlow,
Wainer and Wang (1999). The likelihood of a testlet's answers depends on ability + u alone, so that
integrating u out is a convolution of it with a normal density, done here by a matrix product.

References
----------
Bradlow, E. T., Wainer, H., Wang, X. (1999). A Bayesian random effects model for testlets.
    Psychometrika 64, 153-168.
Wang, W.-C., Wilson, M. (2005). The Rasch testlet model. Applied Psychological Measurement 29,
    126-149.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

import numpy as np

from gfactor.errors import ParameterError
from gfactor.psychometrics.irt.likelihood.curves import Floats

_FLAT = 1e6
"""Variance of a flat prior, in squared widths of the nodes."""


@dataclass(frozen=True, eq=False)
class AbilityPosterior:
    """Posterior of one ability: a normal prior and the likelihood of the answers so far.

    Parameters
    ----------
    nodes : array (Q,)
        Abilities, ascending; wide and close enough for the posteriors that are expected (six
        standard deviations of the prior to each side, steps no longer than the smallest error).
    mean, variance : float
        Mean and variance of the prior.
    log_likelihood : array (Q,) or None
        Log-likelihood of the answers so far at the nodes, without those to testlets; None before
        the first answer.
    testlet_variance : float
        Variance of the effects that answers to one testlet share; 0 if answers are independent
        given ability.
    testlets : mapping of str to array (Q,)
        Log-likelihood of each testlet's answers at the nodes, as values of ability + effect.

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
    testlet_variance: float = 0.0
    testlets: Mapping[str, Floats] = field(default_factory=dict)

    def __post_init__(self) -> None:
        nodes = np.asarray(self.nodes, float)
        if nodes.ndim != 1 or len(nodes) < 3 or not (np.diff(nodes) > 0).all():
            raise ParameterError("nodes must be three or more abilities in ascending order")
        if not (np.isfinite(self.mean) and np.isfinite(self.variance) and self.variance > 0):
            raise ParameterError(
                f"a prior needs a finite mean and a positive variance, got {self.mean} and "
                f"{self.variance}"
            )
        if not (np.isfinite(self.testlet_variance) and self.testlet_variance >= 0):
            raise ParameterError(
                f"a testlet variance is 0 or positive, got {self.testlet_variance}"
            )
        object.__setattr__(self, "nodes", nodes)

    def updated(self, log_likelihood: Floats, testlet: str | None = None) -> AbilityPosterior:
        """Return the posterior after one more answer.

        Parameters
        ----------
        log_likelihood : array (Q,)
            Log probability of the answer at every node.
        testlet : str or None
            The testlet of its item; answers without one are independent given ability.

        Returns
        -------
        AbilityPosterior
            The new posterior.
        """
        more = np.asarray(log_likelihood, float)
        if more.shape != self.nodes.shape:
            raise ParameterError(
                f"a log-likelihood needs one value per node ({len(self.nodes)}), got {more.shape}"
            )
        if np.isnan(more).any() or not np.isfinite(more).any():
            raise ParameterError("a log-likelihood must be finite for at least one node")
        if self.testlet_variance and testlet is not None:
            sums = {**self.testlets, testlet: self.testlets.get(testlet, 0.0) + more}
            return replace(self, testlets=sums)
        before = 0.0 if self.log_likelihood is None else self.log_likelihood
        return replace(self, log_likelihood=before + more)

    @cached_property
    def density(self) -> Floats:
        """Probability of every node, (Q,); they sum to 1."""
        spacing = trapezoid_weights(self.nodes)
        log = -0.5 * (self.nodes - self.mean) ** 2 / self.variance + np.log(spacing)
        if self.log_likelihood is not None:
            log = log + self.log_likelihood
        for given in self.testlets.values():
            log = log + integrated(given, self.effects)
        weights = np.exp(log - log.max())
        return weights / weights.sum()

    @property
    def flat(self) -> AbilityPosterior:
        """The posterior of the same answers under a prior that is flat over the nodes, which shows
        the answers alone.

        Tests of fit use it when they would otherwise test the population's prior instead of the
        examinee: if all answers are right and the items no longer distinguish able examinees, any
        high ability fits.
        """
        return replace(self, variance=_FLAT * float(np.ptp(self.nodes)) ** 2)

    @cached_property
    def theta(self) -> float:
        """The posterior mean (EAP)."""
        return float(self.density @ self.nodes)

    @cached_property
    def se(self) -> float:
        """The posterior standard deviation."""
        return float(np.sqrt(self.density @ (self.nodes - self.theta) ** 2))

    @cached_property
    def effects(self) -> Floats:
        """Probability that ability + effect is at node e if ability is at node q, shape (Q, Q)."""
        return effect_weights(self.nodes, self.testlet_variance)

    def chances(self, p: Floats, testlets: Sequence[str] | None) -> Floats:
        """Return the probability of a right answer given ability and the earlier answers to the
        testlet.

        Parameters
        ----------
        p : array (C, Q)
            Chance of a right answer at the nodes, as values of ability + effect.
        testlets : sequence of str or None
            The testlet of every row; needed if there is a testlet variance.

        Returns
        -------
        array (C, Q)
            `p` itself where the testlet variance is 0.

        Examples
        --------
        >>> import numpy as np
        >>> from gfactor.psychometrics.irt.adaptive import AbilityPosterior
        >>> nodes = np.linspace(-6, 6, 121)
        >>> p = 1 / (1 + np.exp(-nodes))
        >>> known = AbilityPosterior(nodes, testlet_variance=1.0).updated(np.log(p), "maze")
        >>> maze, fold = known.chances(np.stack([p, p]), ["maze", "fold"])
        >>> (round(float(maze[60]), 2), round(float(fold[60]), 2))
        (0.59, 0.5)
        """
        if not self.testlet_variance:
            return p
        if testlets is None:
            raise ParameterError("a posterior with testlets needs the testlet of every candidate")
        predicted = np.empty_like(p)
        groups = np.asarray(testlets, str)
        for name in dict.fromkeys(groups.tolist()):
            weights = self.effects_after(name)
            rows = groups == name
            predicted[rows] = p[rows] @ weights.T
        return np.clip(predicted, 0.0, 1.0)

    def effects_after(self, testlet: str) -> Floats:
        """Return `effects` given the answers to a testlet, (Q, Q)."""
        given = self.testlets.get(testlet)
        if given is None:
            return self.effects
        weights = self.effects * np.exp(given - given.max())
        total = weights.sum(axis=1, keepdims=True)
        # Where the answers to a testlet have no likelihood, they say nothing about its effect.
        return np.where(total > _TINY, weights / np.maximum(total, _TINY), self.effects)

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the interval that leaves equal probabilities below and above.

        Parameters
        ----------
        level : float
            Probability of the interval.

        Returns
        -------
        tuple of float
            Lower and upper limit.
        """
        if not 0 < level < 1:
            raise ParameterError(f"a level must lie between 0 and 1, not {level}")
        height = self.density / trapezoid_weights(self.nodes)
        area = 0.5 * (height[1:] + height[:-1]) * np.diff(self.nodes)
        below = np.concatenate([[0.0], np.cumsum(area)])
        tail = 0.5 * (1 - level)
        low, high = np.interp([tail, 1 - tail], below / below[-1], self.nodes)
        return float(low), float(high)


def integrated(log_likelihood: Floats, effects: Floats) -> Floats:
    """Return log-likelihood of a testlet's answers given ability alone, its effect integrated out.

    Parameters
    ----------
    log_likelihood : array (..., Q)
        Log-likelihood at the nodes, as values of ability + effect.
    effects : array (Q, Q)
        `AbilityPosterior.effects`.

    Returns
    -------
    array (..., Q)
        Log-likelihood at each node of ability.

    Examples
    --------
    >>> import numpy as np
    >>> nodes = np.linspace(-8, 8, 161)
    >>> flat = integrated(-0.5 * nodes**2, effect_weights(nodes, 3.0))
    >>> [round(float(v), 2) for v in (flat - flat[80])[[80, 100]]]
    [0.0, -0.5]
    """
    top = log_likelihood.max(axis=-1, keepdims=True)
    return np.log(np.maximum(np.exp(log_likelihood - top) @ effects.T, _TINY)) + top


def effect_weights(nodes: Floats, variance: float) -> Floats:
    """Return normal weights of every node around every node, rows summing to 1, (Q, Q).

    Parameters
    ----------
    nodes : array (Q,)
        Abilities, ascending.
    variance : float
        Variance of the effects; 0 gives the identity.

    Returns
    -------
    array (Q, Q)
        Weights of the nodes (columns) around each node (rows).

    Examples
    --------
    >>> import numpy as np
    >>> weights = effect_weights(np.linspace(-8, 8, 161), 1.5)
    >>> round(float(weights[80] @ np.linspace(-8, 8, 161) ** 2), 6)
    1.5
    """
    return _effect_weights(np.ascontiguousarray(nodes, float).tobytes(), float(variance))


@lru_cache(maxsize=32)
def _effect_weights(nodes: bytes, variance: float) -> Floats:
    at = np.frombuffer(nodes)
    if not variance:
        return np.eye(len(at))
    log = -0.5 * (at[None] - at[:, None]) ** 2 / variance + np.log(trapezoid_weights(at))
    weights = np.exp(log - log.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    weights.setflags(write=False)
    return weights


_TINY = 1e-300
"""Smallest likelihood, relative to the largest."""


def trapezoid_weights(nodes: Floats) -> Floats:
    """Return weights of the trapezoidal rule on a grid, (Q,)."""
    gaps = np.diff(nodes)
    return 0.5 * (np.append(gaps, 0.0) + np.append(0.0, gaps))
