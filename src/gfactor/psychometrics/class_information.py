"""Derivatives of latent class models: Newton steps, observed information and standard errors.

References
----------
Louis, T. A. (1982). Finding the observed information matrix when using the EM algorithm. JRSS B 44,
    226-233.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gfactor.psychometrics.class_patterns import ClassSolution, Patterns, log_priors, posterior
from gfactor.psychometrics.float_arrays import eigvalsh, einsum, inv, solve

Array = NDArray[np.float64]

EDGE = 1e-5
"""Probability below which an estimate is at the border, so that its logit diverges."""


@dataclass(frozen=True)
class Logits:
    """The free logits of a solution. They are the weights of all classes but the first and, for
    each class and item, the logits of all categories but the most frequent one. Probabilities of 0
    and 1 are fixed.

    Parameters
    ----------
    of_class, column: class and column of each logit of answers.
    n_weights: number of weights of the classes, which precede the logits of answers.
    """

    of_class: NDArray[np.intp]
    column: NDArray[np.intp]
    n_weights: int


def logits_of(patterns: Patterns, solution: ClassSolution) -> Logits:
    """Return the free logits at a solution."""
    of_class: list[int] = []
    columns: list[int] = []
    ends = np.cumsum(patterns.sizes)
    for k, answers in enumerate(solution.answers):
        for end, size in zip(ends, patterns.sizes, strict=True):
            block = np.arange(end - size, end)
            base = block[int(np.argmax(answers[block]))]
            free = [int(c) for c in block if c != base and answers[c] > EDGE]
            of_class += [k] * len(free)
            columns += free
    return Logits(
        np.array(of_class, dtype=int), np.array(columns, dtype=int), solution.weights.size
    )


def score_and_information(
    patterns: Patterns, solution: ClassSolution, logits: Logits
) -> tuple[Array, Array]:
    """Return the gradient and observed information (Louis 1982) with respect to the free logits."""
    given, _ = posterior(patterns, solution.weights, solution.answers)
    m, count = given.shape
    size = logits.n_weights + len(logits.column)
    alpha = np.arange(logits.n_weights)
    beta = logits.n_weights + np.arange(len(logits.column))
    shares = np.exp(log_priors(patterns, solution.weights))[:, 1:]
    design = patterns.design
    # Complete-data scores of a pattern if it is in class c, shape (classes, patterns, logits).
    slopes = np.zeros((count, m, size))
    for k in range(count):
        away = (np.arange(1, count) == k) - shares
        slopes[k][:, alpha] = (away[:, :, None] * design[:, None, :]).reshape(m, -1)
        of_this = logits.of_class == k
        at = logits.column[of_this]
        away = patterns.one_hot[:, at] - patterns.seen[:, at] * solution.answers[k, at]
        slopes[k][:, beta[of_this]] = away
    each = einsum("mk,kmp->mp", given, slopes)
    gradient = patterns.counts @ each
    inner = np.zeros((size, size))
    for k in range(count):
        weighted = slopes[k] * (given[:, k] * patterns.counts)[:, None]
        inner += weighted.T @ slopes[k]
    inner -= (each * patterns.counts[:, None]).T @ each
    curve = np.zeros((size, size))
    among = shares[:, :, None] * (np.eye(count - 1) - shares[:, None, :])
    products = design[:, :, None] * design[:, None, :] * patterns.counts[:, None, None]
    curve[np.ix_(alpha, alpha)] = einsum("mab,mij->aibj", among, products).reshape(
        len(alpha), len(alpha)
    )
    cases = (given * patterns.counts[:, None]).T @ patterns.seen
    owner = patterns.owner[logits.column]
    p = solution.answers[logits.of_class, logits.column]
    together = (logits.of_class[:, None] == logits.of_class) & (owner[:, None] == owner)
    block = np.where(together, np.diag(p) - np.outer(p, p), 0.0)
    curve[np.ix_(beta, beta)] = block * cases[logits.of_class, logits.column][:, None]
    return gradient, curve - inner


def moved(
    patterns: Patterns, solution: ClassSolution, logits: Logits, step: Array
) -> ClassSolution:
    """Return the solution after a step of its logits."""
    weights = solution.weights + step[: logits.n_weights].reshape(solution.weights.shape)
    answers = solution.answers.copy()
    answers[logits.of_class, logits.column] *= np.exp(step[logits.n_weights :])
    first = np.cumsum((0, *patterns.sizes[:-1]))
    answers = answers / np.add.reduceat(answers, first, axis=-1)[..., patterns.owner]
    return ClassSolution(weights, answers, float(posterior(patterns, weights, answers)[1]))


def polished(patterns: Patterns, solution: ClassSolution) -> ClassSolution:
    """Continue from the end of EM by Newton steps, as long as the likelihood increases."""
    here = solution
    for _ in range(25):
        logits = logits_of(patterns, here)
        gradient, information = score_and_information(patterns, here, logits)
        if not len(gradient) or np.abs(gradient).max() < 1e-9 * patterns.counts.sum():
            break
        try:
            step = np.asarray(solve(information, gradient), dtype=np.float64)
        except np.linalg.LinAlgError:
            break
        if gradient @ step <= 0 or not np.isfinite(step).all():
            break
        step *= min(1.0, 2.0 / float(np.abs(step).max()))
        new = moved(patterns, here, logits, step)
        if not new.log_likelihood >= here.log_likelihood - 1e-10 * abs(here.log_likelihood):
            break
        here = new
    return here


@dataclass(frozen=True)
class ClassErrors:
    """Standard errors of a solution (NaN for probabilities of 0 and 1); `identified` is True if the
    answers determine all parameters.

    Parameters
    ----------
    shares: of the shares of the classes. answers: of the probabilities of answers.
    weights: sampling covariances of the weights of the classes.
    """

    shares: Array
    answers: Array
    weights: Array
    identified: bool


def class_errors(patterns: Patterns, solution: ClassSolution, logits: Logits) -> ClassErrors:
    """Return the standard errors of a solution from the observed information."""
    _, information = score_and_information(patterns, solution, logits)
    n, count = logits.n_weights, solution.n_classes
    answers = np.full(solution.answers.shape, np.nan)
    unit = np.sqrt(np.maximum(np.diag(information), 1e-300))
    values = eigvalsh(information / np.outer(unit, unit)) if len(unit) else np.ones(1)
    if values[0] < 1e-8:
        return ClassErrors(np.full(count, np.nan), answers, np.full((n, n), np.nan), False)
    covariance = inv(information) if len(unit) else np.zeros((0, 0))
    priors = np.exp(log_priors(patterns, solution.weights))
    away = priors[:, :, None] * (np.eye(count)[:, 1:] - priors[:, None, 1:])
    weighted = patterns.design * patterns.counts[:, None] / patterns.counts.sum()
    slope = einsum("mkl,mj->klj", away, weighted).reshape(count, n)
    shares = np.sqrt(einsum("ij,jk,ik->i", slope, covariance[:n, :n], slope))
    for k in range(count):
        for item in range(len(patterns.sizes)):
            free = np.flatnonzero((logits.of_class == k) & (patterns.owner[logits.column] == item))
            at = logits.column[free]
            block = np.flatnonzero(patterns.owner == item)
            r = solution.answers[k]
            slope = (block[:, None] == at) * r[at] - np.outer(r[block], r[at])
            part = covariance[np.ix_(n + free, n + free)]
            errors = np.sqrt(einsum("ij,jk,ik->i", slope, part, slope))
            inside = (r[block] > EDGE) & (r[block] < 1 - EDGE)
            answers[k, block] = np.where(inside, errors, np.nan)
    return ClassErrors(shares, answers, np.asarray(covariance[:n, :n], float), True)
