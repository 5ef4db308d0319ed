"""Which type of question calls for which factor, and how many items that makes (table 3)."""

from __future__ import annotations

import pandas as pd

from gfactor.benchmarks.m3gia.factors import FACTORS, TYPES


def q_matrix() -> pd.DataFrame:
    """Types (18, by name) x factors (`FACTORS`, Gf wherever one of I, RG, RQ is): 0 or 1."""
    rows = {name: [int(f in t.factors) for f in FACTORS] for name, t in TYPES.items()}
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=list(FACTORS))
    return frame.rename_axis(index="type", columns="factor")


def items_per_factor() -> dict[str, int]:
    """Items of one language that call for each factor: table 3's counts summed over its marks."""
    return {f: sum(t.per_language for t in TYPES.values() if f in t.factors) for f in FACTORS}


def items_per_cluster() -> dict[str, int]:
    """Items of one language in each cluster."""
    counts: dict[str, int] = {}
    for kind in TYPES.values():
        counts[kind.cluster] = counts.get(kind.cluster, 0) + kind.per_language
    return counts
