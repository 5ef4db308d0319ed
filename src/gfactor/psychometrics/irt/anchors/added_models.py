"""Effects of added models, and the drift of items that their answers show."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.psychometrics.float_arrays import einsum
from gfactor.psychometrics.inference.multiplicity import benjamini_hochberg
from gfactor.psychometrics.irt.anchors.anchor_set import AnchorBenchmark, Anchors
from gfactor.psychometrics.irt.anchors.calibrating import FEWEST_RIGHT
from gfactor.psychometrics.irt.anchors.drift import AddedEffects, ItemDrift, item_drift
from gfactor.psychometrics.irt.anchors.placing import posterior
from gfactor.psychometrics.irt.anchors.pool import dense_loadings
from gfactor.psychometrics.irt.likelihood.curves import Floats

_ENOUGH = 50
"""Number of answers needed to judge whether a model's replies could be read."""


def family_shares(families: Sequence[str]) -> Floats:
    """Return one over the square root of the size of each model's family."""
    sizes = pd.Series(list(families)).value_counts()
    return np.array([1 / np.sqrt(sizes[family]) for family in families])


def readable(
    base: Anchors, answers: pd.DataFrame
) -> tuple[list[list[Floats]], list[tuple[str, str]]]:
    """Return the answers by benchmark, without those of models whose replies could not be read."""
    rows, unread = base.rows(answers), []
    for who, row in zip(answers.index, rows, strict=True):
        for b, x in enumerate(row):
            given = x[np.isfinite(x)]
            if len(given) >= _ENOUGH and given.mean() < FEWEST_RIGHT:
                unread.append((str(who), base.names[b]))
                row[b] = np.full(len(x), np.nan)
    return rows, unread


def placed_effects(
    base: Anchors, rows: Sequence[Sequence[Floats]], drifted: Sequence[NDArray[np.bool_]]
) -> tuple[Floats, Floats]:
    """Return effects of whole benchmarks (N, D) and their covariances, without the items that
    drifted."""
    count = len(base.mean)
    stable = [
        [np.where(moved, np.nan, x) for x, moved in zip(row, drifted, strict=True)] for row in rows
    ]
    beliefs = [posterior(base.pool, row) for row in stable]
    return (
        np.array([belief.mean[:count] for belief in beliefs]),
        np.array([belief.covariance[:count, :count] for belief in beliefs]),
    )


def effects_on(
    benchmark: AnchorBenchmark, rows: Sequence[Sequence[Floats]], b: int, effects: Floats,
    spreads: Floats,
) -> AddedEffects:  # fmt: skip
    loadings = dense_loadings(benchmark.curves)
    width = loadings.shape[1]
    block = slice(b * width, b * width + width)
    here = effects[:, block]
    logits = here @ loadings.T + benchmark.curves.intercepts
    variances = einsum("jk,nkl,jl->nj", loadings, spreads[:, block, block], loadings, optimize=True)
    dimensions = benchmark.curves.slopes.shape[1]
    points = np.column_stack([here[:, :dimensions], np.ones(len(here))])
    return AddedEffects(np.array([row[b] for row in rows]), logits, variances, points)


def adjusted_drift(
    base: Anchors, rows: Sequence[Sequence[Floats]], families: Sequence[str],
    drifted: Sequence[NDArray[np.bool_]], effects: Floats, spreads: Floats, tested: bool,
) -> tuple[list[ItemDrift], list[Floats]]:  # fmt: skip
    """Return drift by benchmark, and p-values adjusted over all items of all benchmarks."""
    drifts = []
    for b, benchmark in enumerate(base.benchmarks):
        seen = effects_on(benchmark, rows, b, effects, spreads)
        drifts.append(item_drift(benchmark.curves, seen, families, benchmark.usable & ~drifted[b]))
    p = [
        np.where(benchmark.usable & tested, one.p, np.nan)
        for benchmark, one in zip(base.benchmarks, drifts, strict=True)
    ]
    adjusted = benjamini_hochberg(np.concatenate(p))
    return drifts, np.split(adjusted, np.cumsum([len(part) for part in p])[:-1])
