"""The overall score of GOLD's table IX: the sum over tasks of loading x path x score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import pandas as pd

from gfactor.errors import ParameterError, UnknownNameError


def gold_weights(
    loadings: Mapping[str, float],
    constructs: Mapping[str, tuple[str, ...]],
    paths: Mapping[str, float],
) -> pd.Series:
    """The weight of every task: its loading times the path of its construct to the top.

    The paper states "weighting capability-level scores according to task contributions"; that the
    weights are loading x path follows from its table IX, which they reproduce in 19 of 20 rows.
    The sum of loading-weighted tasks counts a construct as often as it has tasks, so that five
    tasks of Reasoning weigh more than its path says.

    Raises ParameterError for a task without a loading or a construct without a path.
    """
    weights: dict[str, float] = {}
    for construct, tasks in constructs.items():
        if construct not in paths:
            raise ParameterError(f"construct {construct!r} has no path to the top; give one")
        for task in tasks:
            if task not in loadings:
                raise ParameterError(f"task {task!r} of {construct!r} has no loading; give one")
            weights[task] = loadings[task] * paths[construct]
    return pd.Series(weights, name="weight")


def gold_scores(scores: pd.DataFrame, weights: pd.Series) -> pd.Series:
    """The weighted sum of every model's scores (models x tasks), in the scores' unit.

    It is no mean: with GOLD's weights, full marks of 100 in all eleven tasks give 274. A model
    with a missing score has none (NaN). Raises UnknownNameError for a task that is no column.
    """
    for task in weights.index:
        if task not in scores.columns:
            raise UnknownNameError("column", str(task), map(str, scores.columns))
    part = cast(pd.DataFrame, scores[list(weights.index)]).astype(float)
    return cast(pd.Series, (part * weights).sum(axis=1, skipna=False)).rename("overall")
