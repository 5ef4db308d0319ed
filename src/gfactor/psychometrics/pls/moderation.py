"""Interactions in a unit that can be read: per standard deviation of both constructs.

The score of a product is standardized like every other, so its path depends on the spread of the
product. Divided by that spread it says by how much the slope of one construct changes when the
other rises by one standard deviation (Henseler and Fassott 2010; seminr reports it so).
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from gfactor.psychometrics.pls.solution import Solution


def moderation_table(solution: Solution) -> pd.DataFrame:
    """One row per interaction and target.

    `path` of the standardized product; `unit`, its spread (mean of the items' standard deviations,
    weighted by absolute loading); `per_unit` = path / unit; `slope_low`, `slope_mean`,
    `slope_high`: effect of the first construct at -1, 0 and +1 standard deviations of the second.
    """
    rows, design, found = [], solution.design, solution.found
    for j, name in enumerate(solution.constructs):
        if ":" not in name:
            continue
        first, second = name.split(":")
        block = design.blocks[j]
        spread = np.array([solution.units[solution.items[i]][0] for i in block])
        loading = np.abs(found.loadings[0, block])
        unit = float((spread * loading).sum() / loading.sum())
        for target in np.flatnonzero(design.arrows[j]):
            path = float(found.paths[0, j, target])
            own = float(found.paths[0, solution.constructs.index(first), target])
            change = path / unit
            slopes = (own - change, own, own + change)
            rows.append((first, second, solution.constructs[target], path, unit, change, *slopes))
    columns = ["construct", "moderator", "target", "path", "unit", "per_unit"]
    return pd.DataFrame(rows, columns=[*columns, "slope_low", "slope_mean", "slope_high"])
