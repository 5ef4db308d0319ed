"""Power of an adaptive test to show misfit: a claim of fit needs a test with power.

A calibration says how much examinees differ in one family beyond their ability. An examinee whose
families differ more is not explained by one ability. With few answers no test can detect that.

References
----------
Glas, C. A. W., Meijer, R. R. (2003). A Bayesian approach to person fit analysis in item response
    theory models. Applied Psychological Measurement 27, 217-233.
Hoenig, J. M., Heisey, D. M. (2001). The abuse of power: the pervasive fallacy of power calculations
    for data analysis. The American Statistician 55, 19-24. The power here is that for a difference
    named beforehand, not for the one that was observed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from gfactor.psychometrics.irt.adaptive import AbilityPosterior
from gfactor.psychometrics.irt.adaptive.posterior import (
    effect_weights,
    integrated,
    trapezoid_weights,
)
from gfactor.psychometrics.irt.likelihood.curves import Floats
from gfactor.psychometrics.irt.scores.abilities import right_probabilities

REPLICATES = 399
"""Simulated examinees that agree with the calibration, and as many that contradict it."""
EXCLUDED = 0.05
"""Fit is claimed if answers that fit this well are rarer than this when the families lie apart."""
TOGETHER = 0.6
"""Distance of the families of a kind that differ together, as a share of that of single
families."""


class FamilyDifferences(NamedTuple):
    """A test of whether families differ more than in the calibration, with its power."""

    p: float
    """Probability of differences at least this large if the calibration holds; NaN for fewer than
    two families."""
    power: float
    """Chance of a p-value below the level where half of the families lie `difference` above the
    ability and half below."""
    p_apart: float
    """Probability of differences at most this large if the families lie that far apart; 1 for fewer
    than two families. Below 0.05 the answers exclude such misfit."""


def family_differences(
    p: Mapping[str, Floats], scores: Mapping[str, ArrayLike], prior: AbilityPosterior,
    *, difference: float, kinds: Mapping[str, str] | None = None, level: float = 0.05,
    replicates: int = REPLICATES, seed: int = 0,
) -> FamilyDifferences:  # fmt: skip
    """Test whether the families of an ability differ more than in the calibration.

    The statistic is the likelihood ratio of effects on families whose variance is larger by
    `difference` squared. Its distribution is simulated for the questions that were asked: ability
    is drawn from its posterior, effects of families from their calibrated distribution, then
    answers. `p` is the larger of the p-values under the population's prior and under a flat one,
    because an examinee who is abler than the population is no misfit.

    A second test is about effects that the families of a kind share, `TOGETHER` times as large. `p`
    is twice the smaller p-value of both, `power` the smaller power, and `p_apart` the larger
    p-value.

    Parameters
    ----------
    p : mapping of family to array (N, Q)
        Chance of a right answer to every question at the prior's nodes, as values of ability +
        effect.
    scores : mapping of family to array (N,)
        1 and 0.
    prior : AbilityPosterior
        Prior before all answers, with the variance of effects on families as `testlet_variance`.
    difference : float
        Distance of the families from the ability, in logits, that the test is to detect.
    kinds : mapping of family to str, or None
        The kind of each family, such as its narrow ability. Without two kinds, one of them of two
        families, there is no second test.
    level : float
        Chance of a false alarm.
    replicates : int
        Number of simulated examinees, with and without the difference.
    seed : int
        Seed of the random number generator.

    Returns
    -------
    FamilyDifferences
        P-values of the tests, with their power.

    Examples
    --------
    >>> nodes = np.linspace(-8, 8, 81)
    >>> curves = dict.fromkeys("abcd", np.tile(special.expit(nodes), (20, 1)))
    >>> apart = {name: np.arange(20) < (19 if name in "ab" else 2) for name in "abcd"}
    >>> alike = {name: np.arange(20) < 11 for name in "abcd"}
    >>> before = AbilityPosterior(nodes, testlet_variance=0.1)
    >>> found = family_differences(curves, apart, before, difference=2.0)
    >>> fitting = family_differences(curves, alike, before, difference=2.0)
    >>> (found.p < 0.01, found.power > 0.9, fitting.p > 0.5)
    (True, True, True)
    """
    names = [name for name in p if len(p[name])]
    if len(names) < 2:
        return FamilyDifferences(np.nan, 0.0, 1.0)
    curves = [np.clip(p[name], 1e-12, 1 - 1e-12) for name in names]
    answers = [np.asarray(scores[name], float)[None] for name in names]
    tests = [
        _differences(curves, answers, prior, of, far, level, replicates, seed)
        for of, far in groupings(names, difference, kinds)
    ]
    return FamilyDifferences(
        min(1.0, len(tests) * min(one.p for one in tests)),
        min(one.power for one in tests), max(one.p_apart for one in tests),
    )  # fmt: skip


def groupings(
    names: list[str], difference: float, kinds: Mapping[str, str] | None
) -> list[tuple[NDArray[np.intp], float]]:
    """Return the tests of families: for each, the number of the group of every family, and how far
    the groups lie from the ability."""
    groups: list[tuple[NDArray[np.intp], float]] = [(np.arange(len(names)), difference)]
    kind = np.unique([(kinds or {}).get(name, name) for name in names], return_inverse=True)[1]
    if 1 < len(set(kind.tolist())) < len(names):
        groups.append((kind, TOGETHER * difference))
    return groups


def half_apart(
    rng: np.random.Generator, groups: NDArray[np.intp], replicates: int
) -> NDArray[np.intp]:
    """Return 1 or -1 by family for simulated examinees (R, F): half of the groups lie above the
    ability, and half below."""
    by_group = rng.random((replicates, int(groups.max()) + 1))
    return (np.argsort(by_group, axis=1) % 2 * 2 - 1)[:, groups]


def _differences(
    curves: list[Floats], answers: list[Floats], prior: AbilityPosterior,
    groups: NDArray[np.intp], difference: float, level: float, replicates: int, seed: int,
) -> FamilyDifferences:  # fmt: skip
    """The test of effects that families with the same number of `groups` share."""
    posterior, p_values, differ = prior, [], (0.0, 1.0)
    for number, (curve, (right,)) in enumerate(zip(curves, answers, strict=True)):
        log = right @ np.log(curve) + (1 - right) @ np.log1p(-curve)
        posterior = posterior.updated(log, str(number))
    for before, after in ((prior, posterior), (prior.flat, posterior.flat)):
        ratio = DifferenceRatio(curves, before, groups, difference)
        observed = ratio.of(answers)[0]
        rng = np.random.default_rng(seed)
        theta = rng.choice(prior.nodes, size=replicates, p=after.density)
        effects = rng.normal(0, np.sqrt(prior.testlet_variance), (replicates, len(curves)))
        signs = half_apart(rng, groups, replicates)
        fits = ratio.of(drawn_answers(rng, curves, prior.nodes, theta[:, None] + effects))
        p_values.append((1 + np.sum(fits >= observed - 1e-9)) / (replicates + 1))
        if before is prior:
            shifted = theta[:, None] + effects + difference * signs
            contradicts = ratio.of(drawn_answers(rng, curves, prior.nodes, shifted))
            differ = (
                float(np.mean(contradicts > np.quantile(fits, 1 - level))),
                float((1 + np.sum(contradicts <= observed + 1e-9)) / (replicates + 1)),
            )
    return FamilyDifferences(float(max(p_values)), *differ)


def detectable_shift(
    p: Floats, posterior: AbilityPosterior, *, unit: float, level: float = 0.05, power: float = 0.8,
    flat: bool = False,
) -> float:  # fmt: skip
    """Return the smallest shift of a family that its test would have detected.

    Parameters
    ----------
    p : array (N, Q)
        Chance of a right answer to every question of the family at the posterior's nodes.
    posterior : AbilityPosterior
        Posterior after the answers to the other families, with the variance of effects on families.
    unit : float
        Logits in one unit of the result.
    level : float
        Chance of a false alarm.
    power : float
        Probability of detecting the shift.
    flat : bool
        Count a shift as detected only if a flat prior shows it too, as `family_fit` does.

    Returns
    -------
    float
        Smallest shift in units: the larger of those up and down. NaN if no shift of up to four
        units would have been detected: the family was then not tested.

    Examples
    --------
    >>> nodes = np.linspace(-8, 8, 161)
    >>> curve = special.expit(nodes)
    >>> sure = AbilityPosterior(nodes, 0.0, 0.04)
    >>> detectable_shift(np.tile(curve, (40, 1)), sure, unit=1.0)
    1.25
    >>> bool(np.isnan(detectable_shift(np.tile(curve, (3, 1)), sure, unit=1.0)))
    True
    """
    counts = right_probabilities(p)
    nodes = posterior.nodes

    def predicted(shift: float) -> Floats:
        moved = np.array([np.interp(nodes + shift, nodes, row) for row in counts])
        return predicted_counts(moved, posterior)

    seen = np.ones(len(counts), bool)
    for given in (posterior, posterior.flat) if flat else (posterior,):
        seen &= two_sided(predicted_counts(counts, given)) < level
    for shift in np.arange(0.25, 4.01, 0.25):
        if min(predicted(sign * shift * unit)[seen].sum() for sign in (-1, 1)) >= power:
            return float(shift)
    return float("nan")


def predicted_counts(counts: Floats, posterior: AbilityPosterior) -> Floats:
    """Return the predicted distribution of the number of right answers in a family.

    Parameters
    ----------
    counts : array (N + 1, Q)
        Probability of each number of right answers, at the nodes of the posterior.
    posterior : AbilityPosterior
        Posterior after the answers to the other families. The person's effect in this family is
        drawn with its testlet variance, so that such an effect does not count as misfit.

    Returns
    -------
    array (N + 1,)
        Probability of each number of right answers.

    Examples
    --------
    >>> even = np.full((2, 3), 0.5)
    >>> predicted_counts(even, AbilityPosterior(np.array([-1.0, 0.0, 1.0]))).round(6).tolist()
    [0.5, 0.5]
    """
    moved = counts @ posterior.effects.T if posterior.testlet_variance else counts
    return moved @ posterior.density


def two_sided(chances: Floats) -> Floats:
    """Return the two-sided p-value of every number right: twice the smaller tail, half of the
    number itself in each.

    Parameters
    ----------
    chances : array (N + 1,)
        Chance of every number right, see `predicted_counts`.

    Returns
    -------
    array (N + 1,)
        P-value of each number of right answers.

    Examples
    --------
    >>> two_sided(np.array([0.25, 0.5, 0.25])).tolist()
    [0.25, 1.0, 0.25]
    """
    below, above = (np.cumsum(one) - 0.5 * one for one in (chances, chances[::-1]))
    return np.minimum(1.0, 2 * np.minimum(below, above[::-1]))


class DifferenceRatio:
    """The log likelihood ratio of effects that the families of a group share, besides their own."""

    def __init__(
        self, curves: list[Floats], prior: AbilityPosterior, groups: NDArray[np.intp], far: float
    ) -> None:  # fmt: skip
        self._right = [np.log(curve) for curve in curves]
        self._wrong = [np.log1p(-curve) for curve in curves]
        nodes, variance = prior.nodes, prior.testlet_variance
        self._alone, self._both, self._shared = (
            effect_weights(nodes, one) for one in (variance, variance + far**2, far**2)
        )
        self._groups = [np.flatnonzero(groups == k) for k in range(int(groups.max()) + 1)]
        weights = trapezoid_weights(nodes)
        self._prior = np.log(weights) - 0.5 * (nodes - prior.mean) ** 2 / prior.variance

    def of(self, scores: list[Floats]) -> Floats:
        """Return the ratios of examinees from their scores (R, N) by family."""
        less, more = (np.tile(self._prior, (len(scores[0]), 1)) for _ in range(2))
        for families in self._groups:
            given = [
                scores[k] @ self._right[k] + (1 - scores[k]) @ self._wrong[k] for k in families
            ]
            alone = [integrated(one, self._alone) for one in given]
            together = np.sum(alone, axis=0)
            less += together
            more += (
                integrated(given[0], self._both) if len(given) == 1
                else integrated(together, self._shared)
            )  # fmt: skip
        with_difference, without = (np.asarray(special.logsumexp(x, axis=1)) for x in (more, less))
        return with_difference - without


def drawn_answers(
    rng: np.random.Generator, curves: list[Floats], nodes: Floats, at: Floats
) -> list[Floats]:
    """Answers of examinees whose ability + effect by family is `at` (R, F)."""
    answers = []
    for k, curve in enumerate(curves):
        chances = np.array([np.interp(at[:, k], nodes, row) for row in curve]).T
        answers.append((rng.random(chances.shape) < chances).astype(float))
    return answers
