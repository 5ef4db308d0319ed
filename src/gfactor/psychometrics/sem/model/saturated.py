"""The unrestricted model: every mean and covariance is a parameter."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from gfactor.psychometrics.sem.model.gathers import INTERCEPT, RESIDUAL
from gfactor.psychometrics.sem.model.point import vech_places
from gfactor.psychometrics.sem.model.structure import GroupStructure, Structure


def saturated_structure(observed: Sequence[str], *, means: bool, n_groups: int = 1) -> Structure:
    """A structure whose parameters are the moments themselves: the means (if wanted), then the
    lower triangle of the covariance matrix column by column, group after group."""
    return _saturated(tuple(observed), means, n_groups)


@lru_cache(maxsize=64)
def _saturated(observed: tuple[str, ...], means: bool, n_groups: int) -> Structure:
    p = len(observed)
    row, column = vech_places(p)
    if means:
        row, column = np.append(np.arange(p), row), np.append(np.zeros(p, dtype=int), column)
    kind = np.full(len(row), RESIDUAL)
    kind[: p if means else 0] = INTERCEPT
    base = (
        np.zeros((p, 0)),
        np.zeros((0, 0)),
        np.zeros((0, 0)),
        np.zeros((p, p)),
        np.zeros((p, 1)),
        np.zeros((0, 1)),
    )
    groups = tuple(
        GroupStructure(observed, (), 0, base, kind, row, column, np.arange(len(row)) + g * len(row))
        for g in range(n_groups)
    )
    return Structure(groups, n_groups * len(row), (), means)
