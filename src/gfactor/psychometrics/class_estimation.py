"""Search for latent class models: EM from many starts, then Newton's method.

References
----------
Dempster, A. P., Laird, N. M., Rubin, D. B. (1977). Maximum likelihood from incomplete data via the
    EM algorithm. JRSS B 39, 1-38.
Boehning, D. (1992). Multinomial logistic regression algorithm. Annals of the Institute of
    Statistical Mathematics 44, 197-200.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gfactor.psychometrics.class_information import polished
from gfactor.psychometrics.class_patterns import (
    ClassSolution,
    Patterns,
    log_priors,
    mean_shares,
    posterior,
)

Array = NDArray[np.float64]

_FIRST, _LATER = 40, 3000
"""Number of EM steps of all starts, and largest number of further steps of the best ones."""

_FOLLOWED = 5
_SAME = 1e-5
"""Difference of log-likelihoods below which two starts ended in the same maximum."""


def _steps(
    patterns: Patterns, weights: Array, answers: Array, most: int
) -> tuple[Array, Array, Array]:
    """EM steps of all starts at once; the first axis is that of the starts."""
    before = np.full(len(weights), -np.inf)
    value = before
    for _ in range(most):
        given, value = posterior(patterns, weights, answers)
        if (np.abs(value - before) < 1e-11 * np.abs(value)).all():
            break
        before = value
        weights, answers = _m_step(patterns, given, weights, answers)
    return weights, answers, value


def _m_step(
    patterns: Patterns, posteriors: Array, weights: Array, answers: Array
) -> tuple[Array, Array]:
    """Weights and answers by the probabilities of the classes; the former `answers` for an empty
    class."""
    weighted = np.swapaxes(posteriors * patterns.counts[:, None], -1, -2)
    sums = weighted @ patterns.one_hot
    starts = np.cumsum((0, *patterns.sizes[:-1]))
    total = np.add.reduceat(sums, starts, axis=-1)[..., patterns.owner]
    answers = np.where(total > 0, sums / np.where(total > 0, total, 1.0), answers)
    if patterns.design.shape[1] == 1:
        shares = np.maximum(weighted.sum(axis=-1), 1e-300)
        return np.log(shares[..., 1:] / shares[..., :1])[..., None], answers
    return weights + _uphill(patterns, posteriors, weights), answers


def _uphill(patterns: Patterns, posteriors: Array, weights: Array) -> Array:
    """A step of the weights that never lowers the likelihood (Boehning 1992)."""
    design, k = patterns.design, weights.shape[-2] + 1
    away = (posteriors - np.exp(log_priors(patterns, weights)))[..., 1:]
    slope = np.swapaxes(away * patterns.counts[:, None], -1, -2) @ design
    # The bound is (I - 1 / K) / 2 among classes, whose inverse is 2 (I + 1).
    turned = 2 * (slope + slope.sum(axis=-2, keepdims=True)) if k > 1 else slope
    return turned @ patterns.inverse


def maximum(
    patterns: Patterns, n_classes: int, starts: int, rng: np.random.Generator
) -> tuple[ClassSolution, Array]:
    """Return the best solution, and the log-likelihoods at the ends of all starts that were
    continued."""
    count = 1 if n_classes == 1 else starts
    shares = rng.dirichlet(np.full(n_classes, 5.0), size=count)
    weights = np.zeros((count, n_classes - 1, patterns.design.shape[1]))
    weights[..., 0] = np.log(shares[:, 1:] / shares[:, :1])
    raw = rng.gamma(1.0, size=(count, n_classes, len(patterns.owner))) + 0.1
    first = np.cumsum((0, *patterns.sizes[:-1]))
    answers = raw / np.add.reduceat(raw, first, axis=-1)[..., patterns.owner]
    weights, answers, value = _steps(patterns, weights, answers, _FIRST)
    best = np.argsort(-value, kind="stable")[:_FOLLOWED]
    weights, answers, value = _steps(patterns, weights[best], answers[best], _LATER)
    ended = [
        polished(patterns, ClassSolution(*one)) for one in zip(weights, answers, value, strict=True)
    ]
    values = np.array([one.log_likelihood for one in ended])
    top = ended[int(np.argmax(values))]
    shares = mean_shares(patterns, top).round(9)
    order = np.lexsort((*-top.answers[:, ::-1].T.round(9), -shares))
    whole = np.vstack([np.zeros(patterns.design.shape[1]), top.weights])[order]
    return ClassSolution(whole[1:] - whole[0], top.answers[order], top.log_likelihood), values


def replicated(values: Array) -> int:
    """Return the number of continued starts that ended in the best maximum."""
    return int((values > values.max() - _SAME * max(1.0, abs(values.max()) * 1e-3)).sum())
