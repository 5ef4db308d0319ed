"""Whether two scores rank the same models alike: all of them, the best, the worst."""

from __future__ import annotations

from typing import cast

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError
from gfactor.psychometrics.alignment.coefficients import FEWEST, Kind, coefficient

RANGES = ("all", "top", "bottom")


def ranges(scores: pd.Series, size: int | None = None) -> dict[str, pd.Index]:
    """The models of all scores, of the `size` best and of the `size` worst (half of them if None).

    GOLD takes the 50 best and the 50 worst. Raises ParameterError where that leaves fewer than
    five.
    """
    known = cast(pd.Series, scores.dropna())
    size = len(known) // 2 if size is None else min(size, len(known))
    if size < FEWEST:
        raise ParameterError(
            f"groups of {size} of {len(known)} models are too small; at least {FEWEST} are needed"
        )
    order = known.sort_values(ascending=False, kind="stable").index
    return {"all": known.index, "top": order[:size], "bottom": order[len(order) - size :]}


def rank_agreement(
    first: pd.Series, second: pd.Series, size: int | None = None, level: float = 0.95
) -> pd.DataFrame:
    """Spearman and Kendall between two scores of the same models, by range of the first.

    One row per range ("all", "top", "bottom") and coefficient: range, coefficient, estimate, low,
    high, n. Within the top and the bottom, correlations are lower because the spread is: they say
    nothing about the test unless compared with what the whole range leads to expect.
    """
    both = pd.concat([first, second], axis=1, keys=["first", "second"]).dropna()
    kinds: tuple[Kind, ...] = ("spearman", "kendall")
    rows = []
    for name, models in ranges(cast(pd.Series, both["first"]), size).items():
        part = both.loc[models]
        for kind in kinds:
            c = coefficient(part["first"], part["second"], kind, level)
            rows.append(
                {"range": name, "coefficient": kind, "estimate": c.estimate, "low": c.low,
                 "high": c.high, "n": c.n}
            )  # fmt: skip
    return pd.DataFrame(rows)


def standardized_mean(scores: pd.DataFrame, reference: pd.DataFrame | None = None) -> pd.Series:
    """The mean of a model's z-scores over tasks; NaN where it has none.

    Mean and deviation of every task come from `reference` (models x tasks), by default the scores
    themselves; tasks with missing cells are averaged over what is there.
    """
    known = scores if reference is None else reference
    spread = known.std(ddof=0).replace(0.0, np.nan)
    return cast(pd.Series, ((scores - known.mean()) / spread).mean(axis=1))
