"""Thresholds, correlations and their asymptotic covariance: what categorical estimators fit.

Reference: Muthen, B. (1984). A general structural equation model with dichotomous, ordered
categorical, and continuous latent variable indicators. Psychometrika 49, 115-132 (case B: the
moments of responses conditional on x).

References
----------
Muthen, B. (1984). A general structural equation model with dichotomous, ordered categorical, and
    continuous latent variable indicators. Psychometrika 49, 115-132.
Muthen, B., Satorra, A. (1995). Technical aspects of Muthen's LISCOMP approach. Psychometrika 60,
    489-503 (the asymptotic covariance from casewise scores of both steps).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import ndtr

from gfactor.psychometrics.float_arrays import einsum, inv
from gfactor.psychometrics.sem.ordinal.bivariate import (
    FAR,
    bivariate_normal_cdf,
    bivariate_normal_pdf,
)
from gfactor.psychometrics.sem.ordinal.columns import (
    LEAST,
    Column,
    NumericColumn,
    OrdinalColumn,
    average,
    numeric_column,
    ordinal_column,
)
from gfactor.psychometrics.sem.ordinal.latent_correlations import LARGEST, polychoric
from gfactor.psychometrics.sem.ordinal.mixed_correlations import (
    PairCorrelation,
    pearson,
    polyserial,
)

_SIGNS = ((1, 1, 1.0), (0, 1, -1.0), (1, 0, -1.0), (0, 0, 1.0))
"""Corners of a case's rectangle: upper or lower limit of both, and the corner's sign."""

Array = NDArray[np.float64]


def conditional_polychoric(a: OrdinalColumn, b: OrdinalColumn) -> PairCorrelation:
    """Return the correlation of two ordinal variables' residual responses by maximum likelihood,
    with casewise scores by it and by both variables' thresholds and slopes."""
    first = tuple(np.clip(x, -FAR, FAR) for x in a.limits)
    second = tuple(np.clip(x, -FAR, FAR) for x in b.limits)

    def cells(rho: float) -> Array:
        total = sum(
            sign * bivariate_normal_cdf(first[i], second[j], np.array(rho)) for i, j, sign in _SIGNS
        )
        return np.maximum(total, LEAST)

    rho, inside = 0.0, cells(0.0)
    weights = a.weights
    value = -float(average(np.log(inside), weights))
    for _ in range(60):
        tried, new = inside, value
        density, bend = _slopes(first, second, rho)
        scores = density / inside
        gradient, fisher = (float(average(one, weights)) for one in (-scores, scores**2))
        curve = float(average(scores**2 - bend / inside, weights))
        step = -gradient / (curve if curve > 0.1 * fisher else fisher + 1e-12)
        room = LARGEST - rho if step > 0 else rho + LARGEST
        step = float(np.sign(step)) * min(abs(step), 0.7 * room if room > 1e-4 else room)
        for _ in range(20):
            tried = cells(rho + step)
            new = -float(average(np.log(tried), weights))
            if new <= value + 1e-15 * abs(value):
                break
            step /= 2
        rho, inside, value = rho + step, tried, new
        if abs(step) < 1e-13:
            break
    rho = float(np.clip(rho, -LARGEST, LARGEST))
    scores = _slopes(first, second, rho)[0] / inside
    return PairCorrelation(
        rho,
        scores,
        a.spread(*_by_limits(first, second, rho, inside)),
        b.spread(*_by_limits(second, first, rho, inside)),
    )


Limits = tuple[Array, ...]


def _slopes(first: Limits, second: Limits, rho: float) -> tuple[Array, Array]:
    """Derivatives of every case's probability by rho: first and second."""
    density, bend = np.zeros(len(first[0])), np.zeros(len(first[0]))
    rest = 1 - rho**2
    for i, j, sign in _SIGNS:
        h, k = first[i], second[j]
        change = sign * bivariate_normal_pdf(h, k, np.array(rho))
        density += change
        bend += change * (rho / rest + (h * k * (1 + rho**2) - rho * (h**2 + k**2)) / rest**2)
    return density, bend


def _by_limits(limits: Limits, other: Limits, rho: float, inside: Array) -> tuple[Array, Array]:
    """Derivatives of every case's log-probability by its lower and its upper limit."""
    root = np.sqrt(1 - rho**2)
    slopes: list[Array] = []
    for sign, edge in zip((-1.0, 1.0), limits, strict=True):
        high, low = ((limit - rho * edge) / root for limit in (other[1], other[0]))
        density = np.exp(-(edge**2) / 2) / np.sqrt(2 * np.pi)
        slopes.append(sign * density * (ndtr(high) - ndtr(low)) / inside)
    return slopes[0], slopes[1]


@dataclass(frozen=True)
class OrdinalMoments:
    """The sample statistics of one group of a table with ordinal variables.

    The vector `statistics` holds, as in lavaan: for every variable in order its thresholds or, for
    a continuous one, minus its mean; then every variable's slopes on given covariates; then the
    variances of the continuous ones; then the covariances below the diagonal, column by column
    (correlations if both are ordinal). Given covariates, all but the slopes are those of residuals.

    Parameters
    ----------
    names: variables in order. ordered: which are ordinal.
    categories: number of categories, 0 for continuous variables.
    thresholds: thresholds and minus means, as in `statistics`; `owner` has the variable of each.
    cov: the covariances, ones on the diagonal of ordinal variables.
    gamma: asymptotic covariance of `statistics` times n (the sum of weights, if there are any).
    n: cases.
    empty: pairs of ordinal variables whose table has an empty cell.
    perfect: pairs of dichotomies with two empty cells, whose correlation is set to 0.999.
    covariates: names of those given, and their values `design`, shape (n, q).
    weights: sampling weights of the cases, shape (n,), or None.
    slopes: effects of these covariates, shape (p, q).
    """

    names: tuple[str, ...]
    ordered: NDArray[np.bool_]
    categories: tuple[int, ...]
    thresholds: Array
    owner: NDArray[np.intp]
    cov: Array
    gamma: Array
    n: int
    empty: tuple[tuple[str, str], ...]
    perfect: tuple[tuple[str, str], ...]
    slopes: Array
    covariates: tuple[str, ...] = ()
    design: Array | None = None
    weights: Array | None = None

    @property
    def size(self) -> float:
        """The number of cases, or the sum of their weights."""
        return self.n if self.weights is None else float(self.weights.sum())

    @property
    def statistics(self) -> Array:
        row, column = below(len(self.names))
        variances = self.cov.diagonal()[~self.ordered]
        return np.concatenate(
            [self.thresholds, self.slopes.ravel(), variances, self.cov[row, column]]
        )

    @property
    def covariances(self) -> Array:
        """Return the covariances of given covariates, divisor n - 1 (of weighted cases the sum of
        weights) as in lavaan; shape (q, q)."""
        if self.design is None:
            return np.zeros((0, 0))
        if self.weights is not None:
            inner = np.cov(self.design.T, aweights=self.weights, ddof=0)
            return inner.reshape(2 * self.design.shape[1:])
        away = self.design - self.design.mean(axis=0)
        return away.T @ away / (self.n - 1)


@lru_cache(maxsize=64)
def below(p: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return rows and columns of the elements below the diagonal, column by column."""
    column, row = np.triu_indices(p, 1)
    for indices in (row, column):
        indices.setflags(write=False)
    return row, column


def ordinal_moments(
    data: pd.DataFrame,
    ordered: Sequence[str],
    levels: dict[str, NDArray[np.float64]] | None = None,
    where: str = "",
    given: pd.DataFrame | None = None,
    weights: Array | None = None,
) -> OrdinalMoments:
    """Return Muthen's two-step statistics.

    Parameters
    ----------
    data: cases x variables. Missing cells (NaN) are left out of each variable and each pair of
    variables.
    ordered: names of the ordinal ones.
    given: covariates of the same cases, whose effects are taken out first.
    levels: categories of each ordinal variable, over all groups; by default those that occur here.
    where: names the group in messages (", group 'a'").
    weights: sampling weights of the cases, shape (n,).

    Raises ParameterError for a category without cases or a variable without variance.
    """
    columns: list[Column] = []
    design = None if given is None or not given.shape[1] else given.to_numpy(float)
    for name, x in zip(data.columns, data.to_numpy(float).T, strict=True):
        if name in ordered:
            categories = np.unique(x[~np.isnan(x)]) if levels is None else levels[str(name)]
            columns.append(ordinal_column(str(name), x, categories, where, design, weights))
        else:
            columns.append(numeric_column(str(name), x, design, weights))
    moments = _joined(columns, len(data))
    if given is None or design is None:
        return moments
    return replace(moments, covariates=tuple(map(str, given.columns)), design=design)


def _joined(columns: list[Column], n: int) -> OrdinalMoments:
    p = len(columns)
    ordered = np.array([isinstance(column, OrdinalColumn) for column in columns])
    layout = _Layout(columns)
    row, column = below(p)
    rho = np.empty(len(row))
    scores = np.empty((n, len(row)))
    a21 = np.zeros((len(row), layout.size))
    flags = np.zeros((2, len(row)), bool)
    in_table = ordered[row] & ordered[column] & (columns[0].design is None)
    tables = np.flatnonzero(in_table)
    if len(tables):
        position = np.cumsum(ordered) - 1
        of_tables = polychoric(
            [one for one in columns if isinstance(one, OrdinalColumn)],
            position[row[tables]],
            position[column[tables]],
        )
        rho[tables], scores[:, tables] = of_tables.rho, of_tables.scores
        flags[0, tables], flags[1, tables] = of_tables.empty, of_tables.perfect
        for k, first, second in zip(tables, of_tables.first, of_tables.second, strict=True):
            for columns_of, cross in (
                (layout.columns[row[k]], first),
                (layout.columns[column[k]], second),
            ):
                a21[k, columns_of] = cross[: len(columns_of)]
    for k in np.flatnonzero(~in_table):
        both = columns[row[k]].known & columns[column[k]].known
        pair, (first, second) = _mixed(columns[row[k]].among(both), columns[column[k]].among(both))
        rho[k], scores[both, k], scores[~both, k] = pair.rho, pair.scores, 0.0
        weighted = pair.scores if layout.weights is None else pair.scores * layout.weights[both]
        a21[k, layout.columns[row[k]]] = weighted @ first
        a21[k, layout.columns[column[k]]] = weighted @ second
    cov = np.eye(p)
    sd = np.array([1.0 if isinstance(c, OrdinalColumn) else np.sqrt(c.variance) for c in columns])
    cov[row, column] = cov[column, row] = rho
    return OrdinalMoments(
        names=tuple(c.name for c in columns),
        ordered=ordered,
        categories=tuple(c.categories if isinstance(c, OrdinalColumn) else 0 for c in columns),
        thresholds=layout.first_moments,
        owner=layout.owner,
        cov=cov * np.outer(sd, sd),
        gamma=_gamma(layout, scores, a21, rho, sd, (row, column)) * layout.cases,
        n=n,
        empty=tuple((columns[j].name, columns[i].name) for i, j in _at(flags[0], row, column)),
        perfect=tuple((columns[j].name, columns[i].name) for i, j in _at(flags[1], row, column)),
        slopes=np.array([c.slopes for c in columns]).reshape(p, -1)
        if layout.slopes
        else np.zeros((p, 0)),
        weights=layout.weights,
    )


def _at(
    flag: NDArray[np.bool_], row: NDArray[np.intp], column: NDArray[np.intp]
) -> list[tuple[int, int]]:
    return [(int(row[k]), int(column[k])) for k in np.flatnonzero(flag)]


def _mixed(a: Column, b: Column) -> tuple[PairCorrelation, tuple[Array, Array]]:
    """A correlation with a continuous variable, or given covariates, and the scores by a's and b's
    own statistics."""
    if isinstance(a, NumericColumn) and isinstance(b, NumericColumn):
        pair = pearson(a, b)
        return pair, (pair.first, pair.second)
    if isinstance(a, NumericColumn) and isinstance(b, OrdinalColumn):
        pair = polyserial(a, b)
        return pair, (pair.first, pair.second)
    if isinstance(b, NumericColumn) and isinstance(a, OrdinalColumn):
        pair = polyserial(b, a)
        return pair, (pair.second, pair.first)
    assert isinstance(a, OrdinalColumn)
    assert isinstance(b, OrdinalColumn)
    pair = conditional_polychoric(a, b)
    return pair, (pair.first, pair.second)


class _Layout:
    """Positions of the statistics of single variables: thresholds and means, then slopes, then
    variances.
    """

    def __init__(self, columns: list[Column]) -> None:
        lengths = [len(c.thresholds) if isinstance(c, OrdinalColumn) else 1 for c in columns]
        starts = [0, *np.cumsum(lengths)]
        numeric = [k for k, c in enumerate(columns) if isinstance(c, NumericColumn)]
        self.means = [starts[k] for k in numeric]
        design, self.weights = columns[0].design, columns[0].weights
        self.slopes = 0 if design is None else design.shape[1]
        after = starts[-1] + self.slopes * len(columns)
        self.variances = {k: after + number for number, k in enumerate(numeric)}
        self.size = after + len(numeric)
        self.cases = len(columns[0].scores) if self.weights is None else self.weights.sum()
        self.owner = np.repeat(np.arange(len(columns)), lengths)
        self.columns = [
            [
                *range(a, b),
                *range(starts[-1] + k * self.slopes, starts[-1] + (k + 1) * self.slopes),
                *([self.variances[k]] if k in self.variances else []),
            ]
            for k, (a, b) in enumerate(pairwise(starts))
        ]
        self.first_moments = np.concatenate(
            [c.thresholds if isinstance(c, OrdinalColumn) else [-c.mean] for c in columns]
        )
        self.scores = np.zeros((len(columns[0].scores), self.size))
        for at, column in zip(self.columns, columns, strict=True):
            self.scores[:, at] = column.scores


def _gamma(
    layout: _Layout,
    scores: Array,
    a21: Array,
    rho: Array,
    sd: Array,
    pairs: tuple[NDArray[np.intp], NDArray[np.intp]],
) -> Array:
    """Asymptotic covariance of the statistics (not yet times n). With sampling weights it is the
    sandwich of weighted scores: their derivatives are weighted once, their covariance twice."""
    all_scores = np.hstack([layout.scores, scores])
    weighted = all_scores if layout.weights is None else all_scores * layout.weights[:, None]
    inner = weighted.T @ weighted
    m = layout.size
    a11 = np.zeros((m, m))
    products = inner if layout.weights is None else weighted.T @ all_scores
    for block in layout.columns:
        a11[np.ix_(block, block)] = products[np.ix_(block, block)]
    inverse = inv(a11)
    size = einsum("ij,ij->j", scores, scores) if products is inner else products.diagonal()[m:]
    a22 = np.where(size > 0, 1 / np.where(size > 0, size, 1.0), 0.0)

    def solved(right: Array) -> Array:
        """The inverse of [[a11, 0], [a21, 1 / a22]] times a matrix."""
        first = inverse @ right[:m]
        return np.vstack([first, a22[:, None] * (right[m:] - a21 @ first)])

    gamma = solved(solved(inner).T)
    if not layout.variances:
        return gamma
    # From correlations to covariances; means enter with the minus sign of thresholds.
    row, column = pairs
    change = np.eye(len(inner))
    change[m:, m:] = np.diag(sd[row] * sd[column])
    for k, at in layout.variances.items():
        for other in (row == k, column == k):
            correlations = np.flatnonzero(other)
            partner = np.where(row[correlations] == k, column[correlations], row[correlations])
            change[m + correlations, at] = rho[correlations] * sd[partner] / (2 * sd[k])
    change[layout.means, layout.means] = -1.0
    return change @ gamma @ change.T
