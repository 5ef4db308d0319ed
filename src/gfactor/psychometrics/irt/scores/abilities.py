"""Abilities of persons with their standard errors, and how reliable they are.

References
----------
Bock, R. D., Mislevy, R. J. (1982). Adaptive EAP estimation of ability. Applied Psychological
    Measurement 6, 431-444.
Warm, T. A. (1989). Weighted likelihood estimation of ability in item response theory.
    Psychometrika 54, 427-450.
Lord, F. M., Wingersky, M. S. (1984). Comparison of IRT true-score and equipercentile observed-score
    "equatings". Applied Psychological Measurement 8, 453-461.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gfactor.psychometrics.irt.likelihood.curves import (
    AbilityDerivatives,
    Floats,
    ability_derivatives,
    log_probabilities,
)
from gfactor.psychometrics.irt.likelihood.specification import Block

Method = Literal["map", "ml", "wle"]

LIMIT = 20.0
"""Abilities beyond this are reported as infinite."""


class AbilityScores(NamedTuple):
    """Abilities (P,) and standard errors (P,); infinite if the likelihood has no maximum."""

    theta: Floats
    se: Floats


def per_block(
    blocks: Sequence[Block], values: Floats, theta: Floats
) -> list[tuple[Block, AbilityDerivatives]]:
    """Return derivatives in ability of every block's items."""
    return [
        (block, ability_derivatives(block.kind, values[block.index], theta, block.categories))
        for block in blocks
    ]


def point_scores(
    blocks: Sequence[Block], values: Floats, codes: NDArray[np.int16], method: Method,
    mean: Floats | float = 0.0, variance: float = 1.0,
) -> AbilityScores:  # fmt: skip
    """Return maximum a posteriori, maximum likelihood or Warm's weighted likelihood scores.

    Parameters
    ----------
    blocks : sequence of Block
        Items of one factor.
    values : array (V,)
        Their parameters.
    codes : integer array (P, J)
        Responses, -1 if missing.
    method : {"map", "ml", "wle"}
        Estimator.
    mean, variance : float or array (P,), float
        Mean and variance of ability, for "map".

    Returns
    -------
    AbilityScores
        Scores with standard errors, from the information at the estimate (for "map" with that of
        the prior). "ml" scores are infinite if all responses are in the lowest or highest category.
    """
    center = np.broadcast_to(np.asarray(mean, float), (len(codes),))
    # The score function is bracketed on a coarse line, then solved by bisection with Newton steps;
    # of several roots (3PL) the one with the larger objective is taken.
    line = np.linspace(-LIMIT, LIMIT, 161)
    on_line = _score_function(blocks, values, codes, line, method, center, variance)
    rows, left = np.nonzero((on_line[:, :-1] > 0) & (on_line[:, 1:] <= 0))
    bracketed = codes[rows], method, center[rows], variance
    root = _solve(blocks, values, *bracketed, line[left], line[left + 1])
    height = _objective(blocks, values, *bracketed, root)
    theta = np.full(len(codes), np.nan)
    # The last of a person's roots is stored: the one with the largest objective and, among equal
    # ones, with the lowest ability.
    order = np.lexsort((-root, height))[np.sort(height) > -np.inf]
    theta[rows[order]] = root[order]
    none = np.isnan(theta)
    theta[none] = np.where(on_line[none, -1] > 0, np.inf, -np.inf)
    info = _information(blocks, values, codes, np.clip(theta, -LIMIT, LIMIT))
    if method == "map":
        info = info + 1 / variance
    with np.errstate(divide="ignore"):
        se = np.where(np.isfinite(theta), 1 / np.sqrt(info), np.inf)
    answered = (codes >= 0).any(axis=1)
    if method != "map":
        theta[~answered], se[~answered] = np.nan, np.nan
    return AbilityScores(theta, se)


def _score_function(
    blocks: Sequence[Block], values: Floats, codes: NDArray[np.int16], line: Floats,
    method: Method, center: Floats, variance: float,
) -> Floats:  # fmt: skip
    """Derivative of the objective of every person at every node, (P, Q)."""
    total = np.zeros((len(codes), len(line)))
    weight = np.zeros_like(total)
    info = np.zeros_like(total)
    for block, at in per_block(blocks, values, line):
        here = codes[:, block.columns]
        marks = (here[:, :, None] == np.arange(block.categories)).reshape(len(codes), -1)
        total += marks @ at.first.reshape(-1, len(line))
        if method == "wle":
            seen = (here >= 0).astype(float)
            weight += seen @ _warm(at)
            info += seen @ at.information
    if method == "map":
        total -= (line - center[:, None]) / variance
    if method == "wle":
        with np.errstate(divide="ignore", invalid="ignore"):
            total += np.nan_to_num(weight / (2 * info))
    return total


def _warm(at: AbilityDerivatives) -> Floats:
    """sum over categories of P' P'' / P, (J, Q)."""
    return (np.exp(at.value) * at.first * (at.second + at.first**2)).sum(axis=1)


def _at_own(
    blocks: Sequence[Block], values: Floats, codes: NDArray[np.int16], theta: Floats
) -> tuple[Floats, Floats, Floats, Floats]:
    """Log-likelihood, its slope, Warm's numerator and information at every person's own ability."""
    sums = np.zeros((4, len(codes)))
    persons = np.arange(len(codes))
    for block, at in per_block(blocks, values, theta):
        here = codes[:, block.columns]
        seen = here >= 0
        j = np.arange(len(block.columns))
        at_code = (j[None, :], np.maximum(here, 0), persons[:, None])
        sums[0] += np.where(seen, at.value[at_code], 0).sum(axis=1)
        sums[1] += np.where(seen, at.first[at_code], 0).sum(axis=1)
        sums[2] += np.where(seen.T, _warm(at), 0).sum(axis=0)
        sums[3] += np.where(seen.T, at.information, 0).sum(axis=0)
    return sums[0], sums[1], sums[2], sums[3]


def _slope(
    blocks: Sequence[Block], values: Floats, codes: NDArray[np.int16], method: Method,
    center: Floats, variance: float, theta: Floats,
) -> Floats:  # fmt: skip
    _, slope, warm, info = _at_own(blocks, values, codes, theta)
    if method == "map":
        return slope - (theta - center) / variance
    if method == "wle":
        return slope + warm / (2 * info)
    return slope


def _solve(
    blocks: Sequence[Block], values: Floats, codes: NDArray[np.int16], method: Method,
    center: Floats, variance: float, low: Floats, high: Floats,
) -> Floats:  # fmt: skip
    left, right = low.copy(), high.copy()
    below = _slope(blocks, values, codes, method, center, variance, left)
    above = _slope(blocks, values, codes, method, center, variance, right)
    root = 0.5 * (left + right)
    todo = np.arange(len(codes))
    for step in range(60):
        # Illinois' false position, with a bisection every third step.
        with np.errstate(divide="ignore", invalid="ignore"):
            middle = (left * above - right * below) / (above - below)
        half = 0.5 * (left + right)
        middle = np.where(np.isfinite(middle) & (step % 3 != 2), middle, half)
        value = _slope(blocks, values, codes[todo], method, center[todo], variance, middle)
        up = value > 0
        above[:] = np.where(up, above * 0.5, value)
        below[:] = np.where(up, value, below * 0.5)
        left[up], right[~up] = middle[up], middle[~up]
        root[todo] = middle
        more = (np.abs(value) >= 1e-12) & (right - left >= 1e-12)
        if not more.any():
            break
        todo, left, right = todo[more], left[more], right[more]
        below, above = below[more], above[more]
    return root


def _objective(
    blocks: Sequence[Block], values: Floats, codes: NDArray[np.int16], method: Method,
    center: Floats, variance: float, theta: Floats,
) -> Floats:  # fmt: skip
    loglik, _, _, info = _at_own(blocks, values, codes, theta)
    if method == "map":
        return loglik - 0.5 * (theta - center) ** 2 / variance
    # Warm's weight is the root of the information for two categories; for more it is close enough
    # to choose by.
    return loglik + 0.5 * np.log(np.maximum(info, 1e-300)) if method == "wle" else loglik


def _information(
    blocks: Sequence[Block], values: Floats, codes: NDArray[np.int16], theta: Floats
) -> Floats:
    return _at_own(blocks, values, codes, theta)[3]


def test_information(blocks: Sequence[Block], values: Floats, theta: Floats) -> Floats:
    """Return Fisher information of the whole test, (Q,), for items of one factor."""
    return np.sum(
        [at.information.sum(axis=0) for _, at in per_block(blocks, values, theta)], axis=0
    )


def sum_score_distribution(blocks: Sequence[Block], values: Floats, nodes: Floats) -> Floats:
    """Return probability of every sum of categories at every node, (Q, S)."""
    items: list[Floats] = []
    for block in blocks:
        items += [*np.exp(
            log_probabilities(block.kind, values[block.index], nodes[:, None], block.categories)
        )]  # fmt: skip
    return np.ascontiguousarray(sum_probabilities(items, len(nodes)).T)


def sum_probabilities(items: Iterable[Floats], nodes: int, others: Floats | None = None) -> Floats:
    """Return probability of every sum of categories at every node (Lord and Wingersky 1984), (S,
    Q).

    `items` are the probabilities of each item's categories, (K, Q), and `others` those of the sums
    of further items.
    """
    probabilities = np.ones((1, nodes)) if others is None else others
    for p in items:
        wide = np.zeros((len(probabilities) + len(p) - 1, nodes))
        for k, chance in enumerate(p):
            wide[k : k + len(probabilities)] += probabilities * chance
        probabilities = wide
    return probabilities


def sums_without_each(items: Sequence[Floats], others: Floats) -> Iterator[Floats]:
    """Yield the probabilities of the sums of all items but one, (S, Q), for each item in turn.

    The items are divided recursively into halves, so that N items need N log N steps and not N
    squared.
    """
    if len(items) < 2:
        yield from [others] * len(items)
        return
    half, nodes = len(items) // 2, others.shape[1]
    yield from sums_without_each(items[:half], sum_probabilities(items[half:], nodes, others))
    yield from sums_without_each(items[half:], sum_probabilities(items[:half], nodes, others))


def right_probabilities(curves: Floats) -> Floats:
    """Return the probability of every number of right answers at every node, (N + 1, Q), from
    curves (N, Q)."""
    return sum_probabilities((np.stack([1 - p, p]) for p in curves), curves.shape[1])
