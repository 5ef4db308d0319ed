"""Answers as patterns, and the probabilities of latent classes given them.

References
----------
Goodman, L. A. (1974). Exploratory latent structure analysis using both identifiable and
    unidentifiable models. Biometrika 61, 215-231.
Dayton, C. M., Macready, G. B. (1988). Concomitant-variable latent-class models. Journal of the
    American Statistical Association 83, 173-178. (Classes that depend on covariates.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gfactor.psychometrics.float_arrays import log_sums

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Patterns:
    """The different rows of answers (and covariates), with their frequencies.

    Parameters
    ----------
    one_hot: patterns x (item, category), zeros at items without an answer.
    counts: number of cases per pattern.
    sizes: number of categories per item.
    design: patterns x (constant, covariates), which the classes depend on.
    """

    one_hot: Array
    counts: Array
    sizes: tuple[int, ...]
    design: Array

    @cached_property
    def owner(self) -> NDArray[np.intp]:
        """The item of every column."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    @cached_property
    def seen(self) -> Array:
        """Indicator matrix: 1 if the pattern has an answer to the column's item, else 0."""
        answered = np.add.reduceat(self.one_hot, np.cumsum((0, *self.sizes[:-1])), axis=1)
        return answered[:, self.owner]

    @cached_property
    def inverse(self) -> Array:
        """Inverse of the sums of products of the design's columns over cases."""
        products = self.design.T @ (self.design * self.counts[:, None])
        return np.asarray(np.linalg.pinv(products, hermitian=True), dtype=np.float64)


@dataclass(frozen=True)
class ClassSolution:
    """Estimates of a latent class model and their log-likelihood. `weights` are the coefficients of
    the multinomial logits of the classes against the first, shape (classes - 1, columns of the
    design). `answers` are the probabilities of the answers in the classes, shape (classes,
    columns)."""

    weights: Array
    answers: Array
    log_likelihood: float

    @property
    def n_classes(self) -> int:
        return len(self.answers)


def log_priors(patterns: Patterns, weights: Array) -> Array:
    """Return log-probabilities of the classes without the answers, (..., patterns, classes)."""
    logits = patterns.design @ np.swapaxes(weights, -1, -2)
    whole = np.concatenate([np.zeros((*logits.shape[:-1], 1)), logits], axis=-1)
    return whole - log_sums(whole)


def mean_shares(patterns: Patterns, solution: ClassSolution) -> Array:
    """Return the share of each class over all cases."""
    priors = np.exp(log_priors(patterns, solution.weights))
    return patterns.counts @ priors / patterns.counts.sum()


def posterior(patterns: Patterns, weights: Array, answers: Array) -> tuple[Array, Array]:
    """Return probabilities of the classes given each pattern, and the log-likelihood."""
    logs = np.log(np.maximum(answers, 1e-300))
    both = patterns.one_hot @ np.swapaxes(logs, -1, -2) + log_priors(patterns, weights)
    total = log_sums(both)
    return np.exp(both - total), total[..., 0] @ patterns.counts


def patterns_of(
    codes: NDArray[np.int_], sizes: Sequence[int], covariates: Array | None = None
) -> tuple[Patterns, NDArray[np.intp]]:
    """Return different rows of `codes` (-1 for no answer), and of covariates, with counts, and the
    pattern of every case."""
    given = np.zeros((len(codes), 0)) if covariates is None else covariates
    rows, member, counts = np.unique(
        np.hstack([codes, given]), axis=0, return_inverse=True, return_counts=True
    )
    columns = [
        (rows[:, [item]] == np.arange(size)).astype(float) for item, size in enumerate(sizes)
    ]
    one_hot = np.concatenate(columns, axis=1)
    design = np.hstack([np.ones((len(rows), 1)), rows[:, len(sizes) :].astype(float)])
    return Patterns(one_hot, counts.astype(float), tuple(sizes), design), member.reshape(-1)
