"""Number of answers after which an examinee who fits can be expected to get a claim of fit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from gfactor.psychometrics.irt.adaptive import AbilityPosterior
from gfactor.psychometrics.irt.checks.misfit_power import (
    EXCLUDED,
    DifferenceRatio,
    drawn_answers,
    groupings,
    half_apart,
)
from gfactor.psychometrics.irt.likelihood.curves import Floats

TIMES = (2, 3, 4, 6)
"""Multiples of the questions that were asked, the smallest first."""
HALF = 0.5
"""Share of fitting examinees who get a claim after the number of answers that is named."""


class ClaimLength(NamedTuple):
    """Number of answers to an ability, and what it leads to.

    Parameters
    ----------
    answers : int
        Number of answers to the ability, those that were given among them.
    share : float
        Share of examinees who fit the calibration and get a claim after so many answers.
    """

    answers: int
    share: float


def claim_length(
    p: Mapping[str, Floats], scores: Mapping[str, ArrayLike], prior: AbilityPosterior,
    *, difference: float, kinds: Mapping[str, str] | None = None, replicates: int = 199,
    seed: int = 0,
) -> ClaimLength:  # fmt: skip
    """Return the number of answers after which half of those who fit exclude misfit.

    The number of questions that were asked is doubled, tripled and so on, up to six times as many
    of the same kinds. For each length, examinees are simulated whose ability is drawn from the
    posterior of the answers and whose effects on families are drawn from their calibrated
    distribution; those who exclude a difference of families, as `family_differences` tests it,
    would get a claim.

    Parameters
    ----------
    p, scores, prior, difference, kinds, seed
        As in `family_differences`; with answers to two or more families.
    replicates : int
        Number of simulated examinees, with and without the difference.

    Returns
    -------
    ClaimLength
        The smallest length that gives half of them a claim. If none does, the longest one, with a
        share below a half.

    Examples
    --------
    >>> nodes = np.linspace(-8, 8, 81)
    >>> curves = dict.fromkeys("abcd", np.tile(1 / (1 + np.exp(-nodes)), (5, 1)))
    >>> alike = {name: np.arange(5) < 3 for name in "abcd"}
    >>> before = AbilityPosterior(nodes, testlet_variance=0.1)
    >>> claim_length(curves, alike, before, difference=2.0).answers
    40
    >>> claim_length(curves, alike, before, difference=0.2).share < 0.5
    True
    """
    length = ClaimLength(0, 0.0)
    for length in claim_shares(
        p, scores, prior, difference=difference, kinds=kinds, replicates=replicates, seed=seed
    ):
        if length.share >= HALF:
            break
    return length


def claim_shares(
    p: Mapping[str, Floats], scores: Mapping[str, ArrayLike], prior: AbilityPosterior,
    *, difference: float, kinds: Mapping[str, str] | None = None, replicates: int = 199,
    seed: int = 0,
) -> Iterator[ClaimLength]:  # fmt: skip
    """Yield the share of those who fit who get a claim after each length, the shortest first.

    Parameters
    ----------
    p, scores, prior, difference, kinds, replicates, seed
        As in `claim_length`.
    """
    names = [name for name in p if len(p[name])]
    curves = [np.clip(p[name], 1e-12, 1 - 1e-12) for name in names]
    posterior = prior
    for name, curve in zip(names, curves, strict=True):
        right = np.asarray(scores[name], float)
        posterior = posterior.updated(right @ np.log(curve) + (1 - right) @ np.log1p(-curve), name)
    for times in TIMES:
        longer = [np.tile(curve, (times, 1)) for curve in curves]
        rng = np.random.default_rng(seed)
        theta = rng.choice(prior.nodes, size=replicates, p=posterior.density)
        effects = rng.normal(0, np.sqrt(prior.testlet_variance), (replicates, len(curves)))
        at = theta[:, None] + effects
        fitting = drawn_answers(rng, longer, prior.nodes, at)
        excluded = np.ones(replicates, bool)
        for groups, far in groupings(names, difference, kinds):
            ratio = DifferenceRatio(longer, prior, groups, far)
            shifted = at + far * half_apart(rng, groups, replicates)
            apart = np.sort(ratio.of(drawn_answers(rng, longer, prior.nodes, shifted)))
            as_small = np.searchsorted(apart, ratio.of(fitting) + 1e-9, side="right")
            excluded &= (1 + as_small) / (replicates + 1) < EXCLUDED
        yield ClaimLength(times * sum(map(len, curves)), float(excluded.mean()))
