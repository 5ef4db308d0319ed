"""Prediction errors of families that were not calibrated, and intervals that include them.

The errors for families that were left out (`validation`) determine two numbers: the factor by which
the variance of ability is too small, and the misfit of each benchmark (a share of right answers
that cannot be predicted from a model's answers). Both are fitted by maximum likelihood under the t
distribution of the intervals, and then widened by one factor if fewer than 95 % of the intervals
contain the true score.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from gfactor.psychometrics.float_arrays import solve
from gfactor.psychometrics.irt.anchors.anchor_set import Anchors
from gfactor.psychometrics.irt.anchors.placement import (
    DEGREES,
    prediction_interval,
    with_prediction_errors,
)
from gfactor.psychometrics.irt.anchors.placing import Prediction
from gfactor.psychometrics.irt.anchors.population import family_weights
from gfactor.psychometrics.irt.anchors.validation import accuracy_table
from gfactor.psychometrics.irt.likelihood.curves import Floats

COVERED = 0.95
_FIRST_MISFIT = 0.01
_SCORING_STEPS = 200


def prediction_errors(
    trials: pd.DataFrame, families: Mapping[str, str] | pd.Series
) -> tuple[dict[str, float], float]:
    """Return the misfit variance of each benchmark, and the factor that inflates the variance of
    ability.

    Parameters
    ----------
    trials : DataFrame
        Trials, as `validate_anchors` gives them.
    families : mapping or Series
        Each family counts by the square root of its size.
    """
    names = sorted(trials["benchmark"].unique())
    code = np.array([names.index(name) for name in trials["benchmark"]])
    models, family_of = trials["model"].drop_duplicates(), dict(families)
    weight = dict(zip(models, family_weights([str(family_of[who]) for who in models]), strict=True))
    w = np.array([weight[model] for model in trials["model"]], np.float64)
    error = (trials["predicted"] - trials["true"]).to_numpy()
    rest = trials["answer_variance"].to_numpy()
    left = 1 - (trials["asked"] / trials["items"]).to_numpy()
    parts = np.column_stack([
        *(np.where(code == k, left**2, 0.0) for k in range(len(names))),
        trials["ability_variance"].to_numpy(),
    ])  # fmt: skip
    sizes = _variance_sizes(error, parts, rest, w)
    added = parts @ sizes
    reach = float(stats.t.ppf((1 + COVERED) / 2, DEGREES))

    def share_outside(factor: float) -> float:
        sd = np.sqrt(factor**2 * added + rest)
        return float(w @ (np.abs(error) > reach * sd) / w.sum()) - (1 - COVERED)

    factor = _smallest(share_outside)
    return (
        {n: float(factor * np.sqrt(v)) for n, v in zip(names, sizes[:-1], strict=True)},
        float(factor**2 * sizes[-1]),
    )


def _variance_sizes(error: Floats, parts: Floats, rest: Floats, w: Floats) -> Floats:
    """Sizes s >= 0 of the parts of a variance `parts @ s + rest`, by weighted maximum likelihood.

    Errors follow a t distribution with `DEGREES` degrees of freedom. Fisher scoring takes a fixed
    number of steps, far more than it needs.
    """
    sizes = np.r_[np.full(parts.shape[1] - 1, _FIRST_MISFIT**2), 1.0]
    for _ in range(_SCORING_STEPS):
        variance = parts @ sizes + rest
        ratio = error**2 / variance
        gradient = parts.T @ (w / (2 * variance) * ((DEGREES + 1) * ratio / (DEGREES + ratio) - 1))
        weight = w * DEGREES / (2 * (DEGREES + 3) * variance**2)
        information = (parts * weight[:, None]).T @ parts
        free = (sizes > 0) | (gradient > 0)
        step = solve(information[np.ix_(free, free)], gradient[free])
        sizes[free] = np.maximum(sizes[free] + step, 0.0)
    return sizes


def _smallest(share_outside: Callable[[float], float]) -> float:
    """The smallest factor from 1 to 3 at which enough intervals hold the truth."""
    low, high = 1.0, 3.0
    if share_outside(low) <= 0:
        return low
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (middle, high) if share_outside(middle) > 0 else (low, middle)
    return high


def validated(
    anchors: Anchors, trials: pd.DataFrame, families: Mapping[str, str] | pd.Series
) -> Anchors:
    """Return the scale with the prediction errors of its families left out.

    `validation` has the coverage of intervals whose width comes from the other folds.
    """
    misfit, inflation = prediction_errors(trials, families)
    table = accuracy_table(trials.assign(inside=cross_fitted_inside(anchors, trials, families)))
    return with_prediction_errors(
        anchors, misfit, inflation, {"validation": table.to_dict("records")}
    )


def cross_fitted_inside(
    anchors: Anchors,
    trials: pd.DataFrame,
    families: Mapping[str, str] | pd.Series,
    level: float = COVERED,
) -> list[bool]:
    """Return for each trial True if its interval contains the true score.

    Intervals are widened by the errors of the other folds.

    Parameters
    ----------
    anchors : Anchors
        The scale, for the names and sizes of its benchmarks.
    trials : DataFrame
        Trials, as `validate_anchors` gives them.
    families : mapping or Series
    level : float
        Confidence level, by default 0.95.
    """
    inside = pd.Series(False, index=trials.index)
    for fold in sorted(trials["fold"].unique()):
        here = trials["fold"] == fold
        others: Any = trials[~here]
        left_out: Any = trials[here]
        scale = with_prediction_errors(anchors, *prediction_errors(others, families), {})
        inside[here] = _inside(scale, left_out, level)
    return inside.tolist()


def _inside(anchors: Anchors, trials: pd.DataFrame, level: float) -> list[bool]:
    """Return for each trial True if its interval contains the true score."""
    result = []
    for row in trials.to_dict("records"):
        one = Prediction(
            row["predicted"], row["ability_variance"], row["answer_variance"], int(row["asked"])
        )
        low, high = prediction_interval(anchors, anchors.names.index(row["benchmark"]), one, level)
        result.append(bool(low <= row["true"] <= high))
    return result
