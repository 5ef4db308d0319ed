"""Start values: from the blocks of correlations, in the spirit of lavaan's "simple"."""

from __future__ import annotations

import numpy as np

from gfactor.psychometrics.sem.model.structure import (
    COVARIANCE,
    INTERCEPT,
    LOADING,
    MEAN,
    REGRESSION,
    RESIDUAL,
    GroupStructure,
    Structure,
)
from gfactor.psychometrics.sem.parameters import ParameterTable
from gfactor.psychometrics.sem.sample import Sample

_NESTED = 0.5
"""Share of a latent variable's variance that its own predictors take at the start."""


def _one_factor(correlation: np.ndarray, signs: np.ndarray) -> np.ndarray:
    """Loadings of one factor by Thurstone's centroid method, for variables turned by `signs`."""
    k = len(correlation)
    if k == 1:
        return np.array([0.9])
    sums = signs * (correlation @ signs) - 1.0
    total = sums.sum()
    if total <= 0:
        return np.full(k, 0.4)
    communality = np.minimum(np.maximum(sums**2 / total, 0.05), 0.9)
    loadings = (sums + communality) / np.sqrt(total + communality.sum())
    return np.minimum(np.maximum(loadings, 0.1), 0.95)


def _keyed(correlation: np.ndarray) -> np.ndarray:
    """+1 and -1 so that the variables agree with the first one."""
    if (correlation > 0).all():
        return np.ones(len(correlation))
    _, vectors = np.linalg.eigh(correlation)
    first = vectors[:, -1]
    strong = first[0] if abs(first[0]) > 0.1 else first.sum()
    return np.where(first * (1 if strong >= 0 else -1) >= 0, 1.0, -1.0)


def _group_start(s: GroupStructure, mean: np.ndarray, cov: np.ndarray, out: np.ndarray) -> None:
    loading, regression = s.base[LOADING], s.base[REGRESSION]
    sd = np.sqrt(cov.diagonal())
    correlation = cov / np.outer(sd, sd)
    q = s.q
    free = {kind: s.kind == kind for kind in range(6)}
    loads = [set(np.flatnonzero(loading[:, k])) for k in range(q)]
    for row, column in zip(s.row[free[LOADING]], s.column[free[LOADING]], strict=True):
        loads[column].add(row)
    shared = np.zeros(s.p)
    for k in range(s.n_true_latent):
        shared[list(loads[k])] += 1
    # What each latent variable's loadings should be, times its standard deviation.
    target = np.zeros((s.p, q))
    for k in range(s.n_true_latent):
        mine = sorted(loads[k])
        if mine:
            block = correlation[np.ix_(mine, mine)]
            signs = _keyed(block)
            target[mine, k] = _one_factor(block, signs) * signs * sd[mine] / np.sqrt(shared[mine])
    explained = (target**2).sum(axis=1)
    variance = _latent_variances(s, loading, target)
    place = s.index[free[LOADING]]
    row, column = s.row[free[LOADING]], s.column[free[LOADING]]
    out[place] = target[row, column] / np.sqrt(variance[column])
    predicted = np.zeros(q, dtype=bool)
    beta_row, beta_column = s.row[free[REGRESSION]], s.column[free[REGRESSION]]
    fixed_row, fixed_column = np.nonzero(regression)
    nested = {(r, c) for r, c in zip(beta_row, beta_column, strict=True)}
    nested |= {(r, c) for r, c in zip(fixed_row, fixed_column, strict=True)}
    higher = [c for c in range(s.n_true_latent) if not loads[c]]
    for r, c in nested:
        predicted[r] |= c in higher
    slopes = np.zeros(len(beta_row))
    for k, (r, c) in enumerate(zip(beta_row, beta_column, strict=True)):
        if c in higher:
            slopes[k] = np.sqrt(_NESTED * variance[r] / variance[c])
    out[s.index[free[REGRESSION]]] = slopes
    values = out[s.index[free[COVARIANCE]]]
    for k, (r, c) in enumerate(
        zip(s.row[free[COVARIANCE]], s.column[free[COVARIANCE]], strict=True)
    ):
        if r >= s.n_true_latent and c >= s.n_true_latent:
            first, second = (int(np.flatnonzero(s.base[LOADING][:, e])[0]) for e in (r, c))
            values[k] = cov[first, second] if r != c else cov[first, first] * 0.8
        else:
            values[k] = variance[r] * (1 - _NESTED * predicted[r]) if r == c else 0.0
    out[s.index[free[COVARIANCE]]] = values
    row, column = s.row[free[RESIDUAL]], s.column[free[RESIDUAL]]
    alone = np.clip(cov.diagonal() - explained, 0.1 * cov.diagonal(), None)
    out[s.index[free[RESIDUAL]]] = np.where(row == column, alone[row], 0.0)
    out[s.index[free[INTERCEPT]]] = mean[s.row[free[INTERCEPT]]]
    out[s.index[free[MEAN]]] = 0.0
    for place, row in zip(s.index[s.of_kind[MEAN]], s.row[s.of_kind[MEAN]], strict=True):
        if row >= s.n_true_latent:
            out[place] = mean[int(np.flatnonzero(s.base[LOADING][:, row])[0])]


def _latent_variances(s: GroupStructure, loading: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Total variances: from a fixed loading where there is one, else from Psi fixed, else one."""
    variance = np.ones(s.q)
    fixed_psi = s.base[COVARIANCE].diagonal()
    free_psi = np.zeros(s.q, dtype=bool)
    mine = (s.kind == COVARIANCE) & (s.row == s.column)
    free_psi[s.row[mine]] = True
    predicted = np.zeros(s.q, dtype=bool)
    mine = s.kind == REGRESSION
    predicted[s.row[mine]] = True
    predicted |= s.base[REGRESSION].any(axis=1)
    for k in range(s.n_true_latent):
        marker = np.flatnonzero(loading[:, k])
        if len(marker):
            j = int(np.argmax(np.abs(loading[:, k])))
            variance[k] = max((target[j, k] / loading[j, k]) ** 2, 1e-8)
        elif not free_psi[k] and fixed_psi[k] > 0:
            variance[k] = fixed_psi[k] / (1 - _NESTED) if predicted[k] else fixed_psi[k]
    for k in range(s.n_true_latent):
        below = np.flatnonzero(s.base[REGRESSION][:, k])
        if len(below) and not loading[:, k].any() and free_psi[k]:
            j = int(below[0])
            variance[k] = _NESTED * variance[j] / s.base[REGRESSION][j, k] ** 2
    return variance


def start_values(table: ParameterTable, structure: Structure, sample: Sample) -> np.ndarray:
    """One start per free parameter; values given in the model text win.

    Loadings come from the centroid solution of each latent variable's own block, so that the
    first implied covariance matrix is already near the sample's; covariances begin at zero.
    """
    out = np.zeros(structure.n_free)
    for group, moments in zip(structure.groups, sample.groups, strict=True):
        _group_start(group, moments.mean, moments.cov, out)
    for row in table.rows:
        if row.free and row.value is not None:
            out[row.free - 1] = row.value
    return out


def parameter_scales(structure: Structure, sample: Sample) -> np.ndarray:
    """A usual size of every parameter: what it would be for standardized variables times their
    standard deviations; latent ones count as having the variance that the model fixes, or one."""
    out = np.ones(structure.n_free)
    for s, moments in zip(structure.groups, sample.groups, strict=True):
        sd = np.sqrt(moments.cov.diagonal())
        size = np.ones(s.q)
        for k in range(s.q):
            marker = np.flatnonzero(s.base[LOADING][:, k])
            if len(marker):
                size[k] = sd[marker[0]] / abs(s.base[LOADING][marker[0], k])
        for place, kind, row, column in zip(s.index, s.kind, s.row, s.column, strict=True):
            if kind == LOADING:
                out[place] = sd[row] / size[column]
            elif kind == REGRESSION:
                out[place] = size[row] / size[column]
            elif kind == COVARIANCE:
                out[place] = size[row] * size[column]
            elif kind == RESIDUAL:
                out[place] = sd[row] * sd[column]
            elif kind == INTERCEPT:
                out[place] = abs(moments.mean[row]) + sd[row]
            else:
                out[place] = size[row] * 10 + np.abs(moments.mean).max()
    return out
