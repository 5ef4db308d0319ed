"""What start values of one group's model depend on besides the sample: worked out once a model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from gfactor.psychometrics.sem.model.structure import (
    COVARIANCE,
    LOADING,
    REGRESSION,
    GroupStructure,
)

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
    lam, beta = s.of_kind[LOADING], s.of_kind[REGRESSION]
    member = loading != 0
    member[s.row[lam], s.column[lam]] = True
    led = regression != 0
    led[s.row[beta], s.column[beta]] = True
    higher = ~member.any(axis=0) & (np.arange(s.q) < true)
    fixed = s.base[COVARIANCE].diagonal()
    free = np.zeros(s.q, dtype=bool)
    psi = s.of_kind[COVARIANCE]
    free[s.row[psi][s.row[psi] == s.column[psi]]] = True
    known = ~free & (fixed > 0) & ~loading.any(axis=0) & (np.arange(s.q) < true)
    share = np.where(led.any(axis=1), 1 - NESTED, 1.0)
    marked = np.flatnonzero(loading[:, :true].any(axis=0))
    marker = np.abs(loading[:, marked]).argmax(axis=0) if s.p else marked
    leading = np.flatnonzero(regression.any(axis=0) & ~loading.any(axis=0) & free)
    below = (regression[:, leading] != 0).argmax(axis=0) if s.q else leading
    above = tuple(
        (int(k), int(j), float(regression[j, k]))
        for k, j in zip(leading, below, strict=True)
        if k < true
    )
    scaled = np.flatnonzero(loading.any(axis=0))
    first = (loading[:, scaled] != 0).argmax(axis=0) if s.p else scaled
    return Plan(
        member=member[:, :true].astype(float),
        shared=np.maximum(member[:, :true].sum(axis=1), 1)[:, None],
        variance=np.where(known, fixed / share, 1.0),
        marked=marked,
        marker=marker,
        weight=loading[marker, marked],
        above=above,
        slopes=higher[s.column[beta]],
        predicted=led[:, higher].any(axis=1),
        scaled=(scaled, first, np.abs(loading[first, scaled])),
    )


def acting(s: GroupStructure, eta: int) -> int:
    """The observed variable that an eta stands for."""
    return int(np.flatnonzero(s.base[LOADING][:, eta])[0])
