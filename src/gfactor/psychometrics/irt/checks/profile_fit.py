"""Single answers of an adaptive test: where accuracy falls, and which answers do not fit.

The calibration predicts every answer from the ability; a family is compared with what the other
families of its ability predict, so that it cannot confirm itself.

References
----------
Drasgow, F., Levine, M. V., Williams, E. A. (1985). Appropriateness measurement with polychotomous
    item response models and standardized indices. British Journal of Mathematical and Statistical
    Psychology 38, 67-86. (Zh)
Meng, X.-L. (1994). Posterior predictive p-values. Annals of Statistics 22, 1142-1160.
Wichmann, F. A., Hill, N. J. (2001). The psychometric function: I. Fitting, sampling, and goodness
    of fit. Perception & Psychophysics 63, 1293-1313.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import special

from gfactor.psychometrics.inference.multiplicity import holm
from gfactor.psychometrics.irt.adaptive import AbilityPosterior
from gfactor.psychometrics.irt.checks.misfit_power import predicted_counts, two_sided
from gfactor.psychometrics.irt.likelihood.curves import Floats
from gfactor.psychometrics.irt.scores.abilities import right_probabilities
from gfactor.psychometrics.psychophysics.curves import SLOPE_PRIOR, accuracy_at

FEW = 6
"""With fewer answers, no threshold is estimated and no family is tested."""
DRIFT = 0.05
"""A family whose adjusted p-value is below this is not explained by the calibration."""
GUESSED = 0.05
"""Answers are no better than guesses if guesses give such answers at least this often."""

_LAPSES = (0.0, 0.01, 0.03, 0.1)
_LAPSE_WEIGHTS = (0.4, 0.3, 0.2, 0.1)
_POINTS = 181
_SLOPES = 15


class Located(NamedTuple):
    """A threshold: posterior median and interval; NaN beyond the administered levels."""

    threshold: float
    low: float
    high: float
    fitted: Floats
    """Posterior mean of accuracy at the sizes."""


def locate(
    sizes: ArrayLike, right: ArrayLike, answered: ArrayLike, guess: float, level: float = 0.95
) -> Located:
    """Estimate the size at which accuracy has fallen halfway to chance, from few answers.

    It uses the posterior of the logistic function of `gfactor.psychometrics.fit_curves` on a grid,
    with a uniform threshold up to half the span beyond the sizes, a normal log slope with that
    function's prior, and four lapse rates. With few answers the interval covers all sizes.

    Parameters
    ----------
    sizes : array (S,)
        Sizes from easy to hard, ascending or descending.
    right, answered : array (S,)
        Right answers and answers at each.
    guess : float
        Chance.
    level : float
        Confidence level of the interval.

    Returns
    -------
    Located
        The threshold of size with its interval.

    Examples
    --------
    >>> threshold = locate([3, 4, 5, 6, 7], [8, 8, 7, 1, 0], [8, 8, 8, 8, 8], 0.0)
    >>> bool(5 < threshold.threshold < 6 and threshold.low > 4 and threshold.high < 7)
    True
    """
    at, hits, n = (np.asarray(v, float) for v in (sizes, right, answered))
    sign = 1.0 if at[-1] >= at[0] else -1.0
    x = sign * at
    span = x[-1] - x[0]
    thresholds = np.linspace(x[0] - 0.5 * span, x[-1] + 0.5 * span, _POINTS)
    z = np.linspace(-2.5, 2.5, _SLOPES)
    slopes = SLOPE_PRIOR[0] / span * np.exp(SLOPE_PRIOR[1] * z)
    t, s, lapse = np.meshgrid(thresholds, slopes, np.array(_LAPSES), indexing="ij")
    prior = -0.5 * (z**2)[None, :, None] + np.log(_LAPSE_WEIGHTS)[None, None, :]
    p = accuracy_at(x, t[..., None], s[..., None], lapse[..., None], guess)
    p = np.clip(p, 1e-12, 1 - 1e-12)
    log = prior + (special.xlogy(hits, p) + special.xlogy(n - hits, 1 - p)).sum(axis=-1)
    weight = np.exp(log - log.max())
    weight /= weight.sum()
    below = np.cumsum(weight.sum(axis=(1, 2)))
    tail = 0.5 * (1 - level)
    ends = np.interp([tail, 0.5, 1 - tail], below, thresholds)
    # A threshold beyond the sizes is only known to lie beyond them.
    inside = [sign * v if x[0] <= v <= x[-1] else np.nan for v in ends]
    fitted = np.array([(weight * accuracy_at(v, t, s, lapse, guess)).sum() for v in x])
    low, middle, high = inside if sign > 0 else inside[::-1]
    return Located(float(middle), float(low), float(high), fitted)


def falling_p(right: ArrayLike, answered: ArrayLike) -> float:
    """Return the one-sided p-value of accuracy that falls from easy to hard levels.

    The test is the exact Cochran-Armitage test with the ranks of the levels as scores: given the
    total number of right answers, these are distributed at random over the questions if accuracy
    does not fall.

    Parameters
    ----------
    right, answered : array (S,)
        Right answers and answers at each level, from easy to hard.

    Returns
    -------
    float
        1 if fewer than two levels were asked, or all answers are equal.

    References
    ----------
    Armitage, P. (1955). Tests for linear trends in proportions and frequencies. Biometrics 11,
        375-386.

    Examples
    --------
    >>> round(falling_p([5, 4, 1], [5, 5, 5]), 3)
    0.017
    >>> falling_p([0, 20, 0], [0, 38, 0]), round(falling_p([1, 4, 5], [5, 5, 5]), 2)
    (1.0, 1.0)
    """
    hits, n = (np.round(np.asarray(v, float)).astype(int) for v in (right, answered))
    hits, n = hits[n > 0], n[n > 0]
    total = int(hits.sum())
    if len(n) < 2 or total in (0, int(n.sum())):
        return 1.0
    # Number of ways to get r right answers whose ranks sum to s, as (r, s).
    ways = np.zeros((total + 1, total * (len(n) - 1) + 1))
    ways[0, 0] = 1.0
    for rank, questions in enumerate(n.tolist()):
        more = np.zeros_like(ways)
        for k in range(min(questions, total) + 1):
            shift = rank * k
            if shift < ways.shape[1]:
                more[k:, shift:] += (
                    special.comb(questions, k) * ways[: total + 1 - k, : ways.shape[1] - shift]
                )
        ways = more / more.max()
    sums = ways[total]
    observed = int(hits @ np.arange(len(n)))
    return float(min(1.0, sums[: observed + 1].sum() / sums.sum()))


def guessing_p(guess: ArrayLike, right: ArrayLike) -> float:
    """Return the probability that guesses alone give answers that are as good or better.

    A right answer counts the more, the less likely a guess is right: by the negative logarithm of
    that probability, in tenths. The distribution of the sum is computed exactly.

    Parameters
    ----------
    guess : array (items,)
        Probability of a right guess of each item, from 0 to 1.
    right : array (items,)
        1 or True for a right answer.

    Returns
    -------
    float
        1 if no answer is right.

    Examples
    --------
    >>> guessing_p([0.25, 0.25], [True, False]), guessing_p([0.0, 0.25], [1, 0])
    (0.4375, 0.0)
    """
    probabilities, hits = np.asarray(guess, float), np.asarray(right, float) == 1
    weights = np.round(-10 * np.log(np.clip(probabilities, 1e-9, 1.0))).astype(int)
    distribution = np.ones(1)
    for chance, weight in zip(probabilities, weights, strict=True):
        longer = np.zeros(len(distribution) + weight)
        longer[: len(distribution)] += (1 - chance) * distribution
        longer[weight:] += chance * distribution
        distribution = longer
    return float(min(1.0, distribution[int(weights[hits].sum()) :].sum()))


def person_fit(
    p: Floats, scores: ArrayLike, posterior: AbilityPosterior,
    testlets: Sequence[str] | None = None,
) -> dict[str, float]:  # fmt: skip
    """Return measures of person fit: how well one ability explains the answers.

    Parameters
    ----------
    p : array (N, Q)
        Chance of a right answer to every question at the posterior's nodes.
    scores : array (N,)
        1 and 0.
    posterior : AbilityPosterior
        Posterior after these answers.
    testlets : sequence of str (N,) or None
        Testlet of every question; needed if the posterior has a testlet variance. The person's
        effects are then averaged over, like the ability, so that being better in one testlet than
        in another is no misfit.

    Returns
    -------
    mapping
        `zh`, the standardized log-likelihood averaged over the posterior (low: answers that fit
        badly), `p`, its posterior predictive probability, and `outfit` at the posterior mean.

    Examples
    --------
    >>> nodes = np.linspace(-6, 6, 121)
    >>> p = special.expit(nodes - np.linspace(-2, 2, 10)[:, None])
    >>> fits, odd = np.arange(10) < 5, np.arange(10) >= 5
    >>> person_fit(p, fits, AbilityPosterior(nodes))["p"] > 0.5
    True
    >>> person_fit(p, odd, AbilityPosterior(nodes))["p"] < 0.01
    True
    """
    u, p = np.asarray(scores, float)[:, None], np.clip(p, 1e-9, 1 - 1e-9)
    logit = np.log(p / (1 - p))
    away, spread = (u - p) * logit, p * (1 - p) * logit**2
    doubt = np.zeros(p.shape[1])
    groups = np.asarray(testlets or ["" for _ in p], str)
    if posterior.testlet_variance:
        sums = [(groups == name, posterior.effects_after(name)) for name in sorted(set(groups))]
        parts = [(away[rows].sum(axis=0), spread[rows].sum(axis=0), w) for rows, w in sums]
        away = np.array([w @ a for a, _, w in parts])
        doubt = np.sum([w @ a**2 - (w @ a) ** 2 for a, _, w in parts], axis=0)
        spread = np.array([w @ s for _, s, w in parts])
    scale = np.maximum(spread.sum(axis=0), 1e-18)
    z = away.sum(axis=0) / np.sqrt(scale)
    predicted = posterior.chances(p, groups.tolist())
    at = np.array([np.interp(posterior.theta, posterior.nodes, row) for row in predicted])
    outfit = float(np.mean((u[:, 0] - at) ** 2 / (at * (1 - at))))
    return {
        "zh": float(posterior.density @ z),
        "p": float(posterior.density @ special.ndtr(z / np.sqrt(1 + doubt / scale))),
        "outfit": outfit,
    }


def family_fit(
    p: Mapping[str, Floats], scores: Mapping[str, ArrayLike], prior: AbilityPosterior
) -> pd.DataFrame:
    """Test whether the answers to each family of an ability agree with the prediction from its
    other families.

    The prediction uses the population's prior and a flat one, and the larger p-value counts, so
    that an examinee beyond the population, whom the other families cannot locate, is not a misfit
    of a family.

    Parameters
    ----------
    p : mapping of family to array (N, Q)
        Chance of a right answer to every question at the prior's nodes.
    scores : mapping of family to array (N,)
        1 and 0.
    prior : AbilityPosterior
        Prior before all answers; if it has a testlet variance, families are the testlets.

    Returns
    -------
    DataFrame
        Per family `n`, `right`, `expected` (right answers, under the population's prior), and `p`:
        twice the smaller tail of the predicted number right, half of the number itself in each; NaN
        if it has fewer than `FEW` answers or there is no other family.

    Examples
    --------
    >>> nodes = np.linspace(-6, 6, 121)
    >>> curve = np.tile(special.expit(nodes), (10, 1))
    >>> answers = {"a": np.ones(10), "b": np.zeros(10)}
    >>> misfit = family_fit({"a": curve, "b": curve}, answers, AbilityPosterior(nodes))
    >>> bool((misfit["p"] < 0.01).all())
    True
    """
    logs = {name: _log_likelihood(p[name], scores[name]) for name in p}
    rows = []
    for name, curve in p.items():
        right, n = float(np.sum(np.asarray(scores[name], float))), len(curve)
        row = {"family": name, "n": n, "right": right, "expected": np.nan, "p": np.nan}
        others = {other: log for other, log in logs.items() if other != name and len(p[other])}
        if n and others:
            posterior = _updated(prior, others)
            counts = right_probabilities(curve)
            expected = predicted_counts(counts, posterior)
            row["expected"] = float(expected @ np.arange(n + 1))
            if n >= FEW:
                both = (expected, predicted_counts(counts, posterior.flat))
                row["p"] = max(float(two_sided(chances)[round(right)]) for chances in both)
        rows.append(row)
    return pd.DataFrame(rows, columns=["family", "n", "right", "expected", "p"])


def after_others(
    p: Mapping[str, Floats], scores: Mapping[str, ArrayLike], prior: AbilityPosterior, family: str
) -> AbilityPosterior:
    """Return the posterior of an ability, given the answers to all families but one.

    Parameters
    ----------
    p, scores, prior
        Chances, scores and prior, as in `family_fit`.
    family : str
        The family whose answers are left out.

    Returns
    -------
    AbilityPosterior
        The posterior without the answers to that family.

    Examples
    --------
    >>> nodes = np.linspace(-6, 6, 121)
    >>> curves = dict.fromkeys("ab", special.expit(nodes)[None])
    >>> after_others(curves, {"a": [1], "b": [0]}, AbilityPosterior(nodes), "b").theta > 0
    True
    """
    others = {name: _log_likelihood(p[name], scores[name])
              for name in p if name != family and len(p[name])}  # fmt: skip
    return _updated(prior, others)


def _updated(prior: AbilityPosterior, logs: Mapping[str, Floats]) -> AbilityPosterior:
    posterior = prior
    for name, log in logs.items():
        posterior = posterior.updated(log, name)
    return posterior


def adjusted(p: Sequence[float]) -> Floats:
    """Adjust p-values by Holm's method; NaN are left out and stay NaN.

    Examples
    --------
    >>> adjusted([0.01, float("nan"), 0.04]).tolist()
    [0.02, nan, 0.04]
    """
    given = np.asarray(p, float)
    values = np.full(len(given), np.nan)
    finite = np.isfinite(given)
    if finite.any():
        values[finite] = holm(given[finite])
    return values


def _log_likelihood(p: Floats, scores: ArrayLike) -> Floats:
    u, p = np.asarray(scores, float)[:, None], np.clip(p, 1e-12, 1 - 1e-12)
    return (u * np.log(p) + (1 - u) * np.log1p(-p)).sum(axis=0)
