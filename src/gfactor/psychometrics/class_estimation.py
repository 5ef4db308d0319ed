"""Estimation of latent class models: EM from many starts, Newton's method, observed information.

References
----------
Goodman, L. A. (1974). Exploratory latent structure analysis using both identifiable and
    unidentifiable models. Biometrika 61, 215-231.
Dempster, A. P., Laird, N. M., Rubin, D. B. (1977). Maximum likelihood from incomplete data via the
    EM algorithm. JRSS B 39, 1-38.
Louis, T. A. (1982). Finding the observed information matrix when using the EM algorithm. JRSS B 44,
    226-233.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

Array = NDArray[np.float64]

EDGE = 1e-5
"""Probability below which an estimate lies at the border: its logit runs away."""

_FIRST, _LATER = 40, 3000
"""EM steps of all starts, and most steps of those that are the best after them."""

_FOLLOWED = 5
_SAME = 1e-5
"""Difference of log-likelihoods below which two starts ended in the same maximum."""


@dataclass(frozen=True)
class Patterns:
    """The different rows of answers, with their frequencies.

    Parameters
    ----------
    one_hot: patterns x (item, category), zeros at items without an answer.
    counts: number of cases per pattern.
    sizes: number of categories per item.
    """

    one_hot: Array
    counts: Array
    sizes: tuple[int, ...]

    @cached_property
    def owner(self) -> NDArray[np.intp]:
        """The item of every column."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    @cached_property
    def seen(self) -> Array:
        """Indicator matrix: 1 if the pattern has an answer to the column's item, else 0."""
        answered = np.add.reduceat(self.one_hot, np.cumsum((0, *self.sizes[:-1])), axis=1)
        return answered[:, self.owner]


@dataclass(frozen=True)
class Solution:
    """Shares of the classes, shape (classes,), and probabilities of the answers in them, shape
    (classes, columns), with their log-likelihood."""

    shares: Array
    answers: Array
    log_likelihood: float


def joint(patterns: Patterns, shares: Array, answers: Array) -> Array:
    """Return log-probability of class and pattern, shape (..., patterns, classes)."""
    logs = np.log(np.maximum(answers, 1e-300))
    inner = patterns.one_hot @ np.swapaxes(logs, -1, -2)
    return inner + np.log(np.maximum(shares, 1e-300))[..., None, :]


def posterior(patterns: Patterns, shares: Array, answers: Array) -> tuple[Array, Array]:
    """Return probabilities of the classes given each pattern, and the log-likelihood."""
    both = joint(patterns, shares, answers)
    total = np.asarray(logsumexp(both, axis=-1))
    return np.exp(both - total[..., None]), total @ patterns.counts


def _steps(
    patterns: Patterns, shares: Array, answers: Array, most: int
) -> tuple[Array, Array, Array]:
    """EM steps of all starts at once; the first axis is that of the starts."""
    before = np.full(len(shares), -np.inf)
    value = before
    for _ in range(most):
        given, value = posterior(patterns, shares, answers)
        if (np.abs(value - before) < 1e-11 * np.abs(value)).all():
            break
        before = value
        shares, answers = _m_step(patterns, given, answers)
    return shares, answers, value


def _m_step(patterns: Patterns, posteriors: Array, answers: Array) -> tuple[Array, Array]:
    """Shares and answers by the probabilities of the classes; `answers` where a class is empty."""
    weighted = np.swapaxes(posteriors * patterns.counts[:, None], -1, -2)
    sums = weighted @ patterns.one_hot
    starts = np.cumsum((0, *patterns.sizes[:-1]))
    total = np.add.reduceat(sums, starts, axis=-1)[..., patterns.owner]
    answers = np.where(total > 0, sums / np.where(total > 0, total, 1.0), answers)
    return weighted.sum(axis=-1) / patterns.counts.sum(), answers


def maximum(
    patterns: Patterns, n_classes: int, starts: int, rng: np.random.Generator
) -> tuple[Solution, Array]:
    """Return the best solution, and the log-likelihoods at which the followed starts ended."""
    count = 1 if n_classes == 1 else starts
    shares = rng.dirichlet(np.full(n_classes, 5.0), size=count)
    raw = rng.gamma(1.0, size=(count, n_classes, len(patterns.owner))) + 0.1
    first = np.cumsum((0, *patterns.sizes[:-1]))
    answers = raw / np.add.reduceat(raw, first, axis=-1)[..., patterns.owner]
    shares, answers, value = _steps(patterns, shares, answers, _FIRST)
    best = np.argsort(-value, kind="stable")[:_FOLLOWED]
    shares, answers, value = _steps(patterns, shares[best], answers[best], _LATER)
    ended = [polished(patterns, Solution(*one)) for one in zip(shares, answers, value, strict=True)]
    values = np.array([one.log_likelihood for one in ended])
    top = ended[int(np.argmax(values))]
    order = np.lexsort((*-top.answers[:, ::-1].T.round(9), -top.shares.round(9)))
    return Solution(top.shares[order], top.answers[order], top.log_likelihood), values


def replicated(values: Array) -> int:
    """Number of followed starts that ended in the best maximum."""
    return int((values > values.max() - _SAME * max(1.0, abs(values.max()) * 1e-3)).sum())


@dataclass(frozen=True)
class Logits:
    """Free logits of a solution: those of classes but the first, and per class and item those of
    categories but the most frequent one; probabilities at the border are left as they are.

    Parameters
    ----------
    classes: whose share a logit moves, -1 for logits of answers.
    of_class, column: class and column that a logit of answers moves, -1 for those of shares.
    """

    of_class: NDArray[np.intp]
    column: NDArray[np.intp]
    n_shares: int


def logits_of(patterns: Patterns, solution: Solution) -> Logits:
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
        np.array(of_class, dtype=int), np.array(columns, dtype=int), len(solution.shares) - 1
    )


def score_and_information(
    patterns: Patterns, solution: Solution, logits: Logits
) -> tuple[Array, Array]:
    """Return gradient and observed information (Louis 1982) by the free logits."""
    given, _ = posterior(patterns, solution.shares, solution.answers)
    m, count = given.shape
    size = logits.n_shares + len(logits.column)
    alpha = np.arange(logits.n_shares)
    beta = logits.n_shares + np.arange(len(logits.column))
    # Complete-data scores of a pattern if it is in class c, shape (classes, patterns, logits).
    slopes = np.zeros((count, m, size))
    for k in range(count):
        slopes[k][:, alpha] = (np.arange(1, count) == k) - solution.shares[1:]
        of_this = logits.of_class == k
        at = logits.column[of_this]
        away = patterns.one_hot[:, at] - patterns.seen[:, at] * solution.answers[k, at]
        slopes[k][:, beta[of_this]] = away
    each = np.einsum("mk,kmp->mp", given, slopes)
    gradient = patterns.counts @ each
    inner = np.zeros((size, size))
    for k in range(count):
        weighted = slopes[k] * (given[:, k] * patterns.counts)[:, None]
        inner += weighted.T @ slopes[k]
    inner -= (each * patterns.counts[:, None]).T @ each
    curve = np.zeros((size, size))
    shares = solution.shares[1:]
    curve[np.ix_(alpha, alpha)] = patterns.counts.sum() * (
        np.diag(shares) - np.outer(shares, shares)
    )
    cases = (given * patterns.counts[:, None]).T @ patterns.seen
    owner = patterns.owner[logits.column]
    p = solution.answers[logits.of_class, logits.column]
    together = (logits.of_class[:, None] == logits.of_class) & (owner[:, None] == owner)
    block = np.where(together, np.diag(p) - np.outer(p, p), 0.0)
    curve[np.ix_(beta, beta)] = block * cases[logits.of_class, logits.column][:, None]
    return gradient, curve - inner


def moved(patterns: Patterns, solution: Solution, logits: Logits, step: Array) -> Solution:
    """Return the solution after a step of its logits."""
    shares = solution.shares * np.exp(np.append(0.0, step[: logits.n_shares]))
    answers = solution.answers.copy()
    answers[logits.of_class, logits.column] *= np.exp(step[logits.n_shares :])
    first = np.cumsum((0, *patterns.sizes[:-1]))
    answers = answers / np.add.reduceat(answers, first, axis=-1)[..., patterns.owner]
    shares = shares / shares.sum()
    return Solution(shares, answers, float(posterior(patterns, shares, answers)[1]))


def polished(patterns: Patterns, solution: Solution) -> Solution:
    """Continue from the end of EM by Newton steps, as long as the likelihood increases."""
    here = solution
    for _ in range(25):
        logits = logits_of(patterns, here)
        gradient, information = score_and_information(patterns, here, logits)
        if not len(gradient) or np.abs(gradient).max() < 1e-9 * patterns.counts.sum():
            break
        try:
            step = np.asarray(np.linalg.solve(information, gradient), dtype=np.float64)
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


def probability_errors(
    patterns: Patterns, solution: Solution, logits: Logits
) -> tuple[Array, Array, bool]:
    """Return standard errors of shares and of answers (NaN at the border), and whether the answers
    determine all parameters."""
    _, information = score_and_information(patterns, solution, logits)
    shares, answers = np.full(len(solution.shares), np.nan), np.full(solution.answers.shape, np.nan)
    unit = np.sqrt(np.maximum(np.diag(information), 1e-300))
    values = np.linalg.eigvalsh(information / np.outer(unit, unit)) if len(unit) else np.ones(1)
    if values[0] < 1e-8:
        return shares, answers, False
    covariance = np.linalg.inv(information) if len(unit) else np.zeros((0, 0))
    n = logits.n_shares
    p = solution.shares
    slope = np.diag(p)[:, 1:] - np.outer(p, p[1:])
    shares = np.sqrt(np.einsum("ij,jk,ik->i", slope, covariance[:n, :n], slope))
    for k in range(len(p)):
        for item in range(len(patterns.sizes)):
            free = np.flatnonzero((logits.of_class == k) & (patterns.owner[logits.column] == item))
            at = logits.column[free]
            block = np.flatnonzero(patterns.owner == item)
            r = solution.answers[k]
            slope = (block[:, None] == at) * r[at] - np.outer(r[block], r[at])
            part = covariance[np.ix_(n + free, n + free)]
            errors = np.sqrt(np.einsum("ij,jk,ik->i", slope, part, slope))
            inside = (r[block] > EDGE) & (r[block] < 1 - EDGE)
            answers[k, block] = np.where(inside, errors, np.nan)
    return shares, answers, True


def patterns_of(codes: NDArray[np.int_], sizes: Sequence[int]) -> tuple[Patterns, NDArray[np.intp]]:
    """Return different rows of `codes` (-1 for no answer) with counts, and the pattern of every
    case."""
    rows, member, counts = np.unique(codes, axis=0, return_inverse=True, return_counts=True)
    columns = [
        (rows[:, [item]] == np.arange(size)).astype(float) for item, size in enumerate(sizes)
    ]
    one_hot = np.concatenate(columns, axis=1)
    return Patterns(one_hot, counts.astype(float), tuple(sizes)), member.reshape(-1)
