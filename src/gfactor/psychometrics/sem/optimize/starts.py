"""Start values: from the blocks of correlations, in the spirit of lavaan's "simple"."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from gfactor.psychometrics.sem.model.derivative_index import (
    COVARIANCE,
    INTERCEPT,
    LOADING,
    MEAN,
    REGRESSION,
    RESIDUAL,
)
from gfactor.psychometrics.sem.model.structure import GroupStructure, Structure
from gfactor.psychometrics.sem.parameters import ParameterTable
from gfactor.psychometrics.sem.sample import Sample

NESTED = 0.5
"""Share of a latent variable's variance that its own predictors take at the start."""


@dataclass(frozen=True)
class StartPlan:
    """Positions and fixed numbers for start values.

    Parameters
    ----------
    member: variables that load on each true latent variable, shape (p, true latents).
    shared: number of latent variables on which each variable loads, at least one, shape (p, 1).
    variance: variance of each eta if the model fixes it, else one, shape (q,).
    marked, marker, weight: latent variables with a fixed loading, the variable with their largest,
        and that loading.
    above: (latent variable, one it predicts with a fixed slope, the slope), whose free variance
        follows from the other's.
    slopes: free slopes that lead from a latent variable without indicators.
    predicted: etas that such a variable predicts, shape (q,).
    scaled: etas with a fixed loading, the first such variable, that loading.
    """

    member: np.ndarray
    shared: np.ndarray
    variance: np.ndarray
    marked: np.ndarray
    marker: np.ndarray
    weight: np.ndarray
    above: tuple[tuple[int, int, float], ...]
    slopes: np.ndarray
    predicted: np.ndarray
    scaled: tuple[np.ndarray, np.ndarray, np.ndarray]


@lru_cache(maxsize=64)
def plan_of(s: GroupStructure) -> StartPlan:
    """Return the plan of a group; structures are compared by identity."""
    loading, regression = s.base[LOADING], s.base[REGRESSION]
    true = s.n_true_latent
    marks = s.fixed_loadings
    lam, beta = s.of_kind[LOADING], s.of_kind[REGRESSION]
    member = loading != 0
    member[s.row[lam], s.column[lam]] = True
    led = regression != 0
    led[s.row[beta], s.column[beta]] = True
    higher = ~member.any(axis=0) & (np.arange(s.q) < true)
    joined = member[:, :true] | (marks != 0)
    for eta, k in enumerate(s.acting, start=true):
        if k >= 0:
            joined[k] |= led[eta, :true]
    higher[:true] &= ~joined.any(axis=0)
    fixed = s.base[COVARIANCE].diagonal()
    free = np.zeros(s.q, dtype=bool)
    psi = s.of_kind[COVARIANCE]
    free[s.row[psi][s.row[psi] == s.column[psi]]] = True
    marked = np.flatnonzero(marks.any(axis=0))
    fixed_variance = ~free & (fixed > 0) & (np.arange(s.q) < true)
    fixed_variance[marked] = False
    share = np.where(led.any(axis=1), 1 - NESTED, 1.0)
    marker = np.abs(marks[:, marked]).argmax(axis=0) if s.p else marked
    scaled = np.concatenate([marked, true + np.flatnonzero(s.acting >= 0)])
    first = np.concatenate([(marks[:, marked] != 0).argmax(axis=0), s.acting[s.acting >= 0]])
    weight = np.concatenate(
        [np.abs(marks[first[: len(marked)], marked]), np.ones(len(scaled) - len(marked))]
    )
    led_by = regression[:true].any(axis=0)
    leading = np.array(
        [k for k in np.flatnonzero(led_by & free) if k < true and k not in marked], dtype=int
    )
    below = (regression[:true, leading] != 0).argmax(axis=0) if len(leading) else leading
    above = tuple(
        (int(k), int(j), float(regression[j, k])) for k, j in zip(leading, below, strict=True)
    )
    return StartPlan(
        member=joined.astype(float),
        shared=np.maximum(joined.sum(axis=1), 1)[:, None],
        variance=np.where(fixed_variance, fixed / share, 1.0),
        marked=marked,
        marker=marker,
        weight=marks[marker, marked],
        above=above,
        slopes=higher[s.column[beta]],
        predicted=led[:, higher].any(axis=1),
        scaled=(scaled, first, weight),
    )


def _centroid(correlation: np.ndarray, signs: np.ndarray) -> np.ndarray:
    """Loadings of one factor per column of `signs` by Thurstone's centroid method: from the
    variables whose sign is not zero, multiplied by it; shape (p, factors)."""
    member = np.abs(signs)
    count = member.sum(axis=0)
    sums = signs * (correlation @ signs) - member
    total = sums.sum(axis=0)
    usable = total > 0
    safe = np.where(usable, total, 1.0)
    communality = np.minimum(np.maximum(sums**2 / safe, 0.05), 0.9) * member
    loadings = (sums + communality) / np.sqrt(safe + communality.sum(axis=0))
    loadings = np.minimum(np.maximum(loadings, 0.1), 0.95)
    return np.where(count == 1, 0.9, np.where(usable, loadings, 0.4)) * signs


def _keyed(correlation: np.ndarray) -> np.ndarray:
    """+1 and -1 so that the variables agree with the first one."""
    _, vectors = np.linalg.eigh(correlation)
    first = vectors[:, -1]
    strong = first[0] if abs(first[0]) > 0.1 else first.sum()
    return np.where(first * (1 if strong >= 0 else -1) >= 0, 1.0, -1.0)


def _signs(correlation: np.ndarray, member: np.ndarray) -> np.ndarray:
    """Signs of the members of each latent variable: negative if they correlate negatively with the
    others."""
    against = correlation <= 0
    if not against.any():
        return member
    signs = member.copy()
    for k in np.flatnonzero(((against @ member) * member).any(axis=0)):
        members = np.flatnonzero(member[:, k])
        signs[members, k] = _keyed(correlation[np.ix_(members, members)])
    return signs


def _variances(plan: StartPlan, target: np.ndarray) -> np.ndarray:
    """Total variances of the etas: from a fixed loading if there is one, else from Psi fixed,
    else one. `target`: loadings times their latent standard deviations."""
    variance = plan.variance.copy()
    size = target[plan.marker, plan.marked] / plan.weight
    variance[plan.marked] = size**2
    for k, below, gradient in plan.above:
        variance[k] = NESTED * variance[below] / gradient**2
    return variance


def _group_start(s: GroupStructure, mean: np.ndarray, cov: np.ndarray, out: np.ndarray) -> None:
    plan = plan_of(s)
    variances = cov.diagonal()
    sd = np.sqrt(variances)
    correlation = cov / (sd[:, None] * sd)
    target = np.zeros((s.p, s.q))
    loadings = _centroid(correlation, _signs(correlation, plan.member))
    target[:, : s.n_true_latent] = loadings * (sd[:, None] / np.sqrt(plan.shared))
    # A negative marker reverses its latent variable.
    against = target[plan.marker, plan.marked] * plan.weight < 0
    target[:, plan.marked[against]] *= -1
    variance = _variances(plan, target)
    index, row, column = s.index, s.row, s.column
    elements = s.of_kind[LOADING]
    out[index[elements]] = target[row[elements], column[elements]] / np.sqrt(
        variance[column[elements]]
    )
    elements = s.of_kind[REGRESSION]
    slopes = np.sqrt(NESTED * variance[row[elements]] / variance[column[elements]])
    out[index[elements]] = np.where(plan.slopes, slopes, 0.0)
    # Loadings of indicators that another variable predicts as well.
    true = s.n_true_latent
    direct = elements[(row[elements] >= true) & (column[elements] < true)]
    direct = direct[s.acting[row[direct] - true] >= 0]
    out[index[direct]] = target[s.acting[row[direct] - true], column[direct]] / np.sqrt(
        variance[column[direct]]
    )
    elements = s.of_kind[COVARIANCE]
    alone = variance[row[elements]] * (1 - NESTED * plan.predicted[row[elements]])
    out[index[elements]] = np.where(row[elements] == column[elements], alone, 0.0)
    elements = s.of_kind[RESIDUAL]
    left = np.maximum(variances - (target**2).sum(axis=1), 0.1 * variances)
    out[index[elements]] = np.where(row[elements] == column[elements], left[row[elements]], 0.0)
    elements = s.of_kind[INTERCEPT]
    out[index[elements]] = mean[row[elements]]
    if s.q > s.n_true_latent:
        _observed_etas(s, mean, cov, out)


def _observed_etas(s: GroupStructure, mean: np.ndarray, cov: np.ndarray, out: np.ndarray) -> None:
    """Covariances and means of observed variables that act as etas: the sample's."""
    for k in s.of_kind[COVARIANCE]:
        row, column = int(s.row[k]), int(s.column[k])
        if row >= s.n_true_latent and column >= s.n_true_latent:
            first, second = s.acting[[row - s.n_true_latent, column - s.n_true_latent]]
            share = 0.8 if row == column else 1.0
            out[s.index[k]] = share * cov[first, second]
    for k in s.of_kind[MEAN]:
        if s.row[k] >= s.n_true_latent:
            out[s.index[k]] = mean[s.acting[s.row[k] - s.n_true_latent]]


def start_values(table: ParameterTable, structure: Structure, sample: Sample) -> np.ndarray:
    """Return one start value per free parameter; values in the model text take precedence.

    Loadings come from the centroid solution of each latent variable's own block, so that the
    first implied covariance matrix is already near the sample's; covariances begin at zero.
    """
    out = np.zeros(structure.n_free)
    for group, moments in zip(structure.groups, sample.groups, strict=True):
        _group_start(group, moments.mean, moments.cov, out)
    parameters, values = table.starts
    out[parameters] = values
    return out


def parameter_scales(structure: Structure, sample: Sample) -> np.ndarray:
    """Return a typical size of every parameter: its size for standardized variables, times their
    standard deviations. Latent variables have the variance that the model fixes, or one."""
    out = np.ones(structure.n_free)
    for group, moments in zip(structure.groups, sample.groups, strict=True):
        out[group.index] = _group_scales(group, moments.mean, moments.cov)
    return out


def eta_sizes(s: GroupStructure, cov: np.ndarray) -> np.ndarray:
    """Return a typical standard deviation of every eta of a group: that of its marker, or one."""
    size = np.ones(s.q)
    scaled, first, weight = plan_of(s).scaled
    size[scaled] = np.sqrt(cov.diagonal())[first] / weight
    # A factor of factors has the unit of the first factor that it predicts with a fixed slope.
    for k, below, gradient in plan_of(s).above:
        size[k] = size[below] / abs(gradient)
    return size


def _group_scales(s: GroupStructure, mean: np.ndarray, cov: np.ndarray) -> np.ndarray:
    sd = np.sqrt(cov.diagonal())
    size = eta_sizes(s, cov)
    out = np.empty(len(s.index))
    row, column = s.row, s.column
    elements = s.of_kind[LOADING]
    out[elements] = sd[row[elements]] / size[column[elements]]
    elements = s.of_kind[REGRESSION]
    out[elements] = size[row[elements]] / size[column[elements]]
    elements = s.of_kind[COVARIANCE]
    out[elements] = size[row[elements]] * size[column[elements]]
    elements = s.of_kind[RESIDUAL]
    out[elements] = sd[row[elements]] * sd[column[elements]]
    elements = s.of_kind[INTERCEPT]
    out[elements] = np.abs(mean[row[elements]]) + sd[row[elements]]
    elements = s.of_kind[MEAN]
    out[elements] = size[row[elements]] * 10 + np.abs(mean).max(initial=0.0)
    return out
