"""What start values of one group's model depend on besides the sample: worked out once a model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from gfactor.psychometrics.sem.model.gathers import COVARIANCE, LOADING, REGRESSION
from gfactor.psychometrics.sem.model.structure import GroupStructure

NESTED = 0.5
"""Share of a latent variable's variance that its own predictors take at the start."""


@dataclass(frozen=True)
class Plan:
    """Places and fixed numbers for `starts`.

    Parameters
    ----------
    member: which variables load on each true latent variable, shape (p, true latents).
    shared: on how many each variable loads, at least one, shape (p, 1).
    variance: of each eta where the model fixes it, else one, shape (q,).
    marked, marker, weight: latent variables with a fixed loading, the variable with their largest,
        and that loading.
    above: (latent variable, one it predicts with a fixed slope, the slope), whose free variance
        follows from the other's.
    slopes: which free slopes lead from a latent variable without indicators.
    predicted: which etas such a one predicts, shape (q,).
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
def plan_of(s: GroupStructure) -> Plan:
    """The plan of a group; structures are told apart by identity."""
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
    known = ~free & (fixed > 0) & (np.arange(s.q) < true)
    known[marked] = False
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
    return Plan(
        member=joined.astype(float),
        shared=np.maximum(joined.sum(axis=1), 1)[:, None],
        variance=np.where(known, fixed / share, 1.0),
        marked=marked,
        marker=marker,
        weight=marks[marker, marked],
        above=above,
        slopes=higher[s.column[beta]],
        predicted=led[:, higher].any(axis=1),
        scaled=(scaled, first, weight),
    )
