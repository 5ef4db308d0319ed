"""Limits of a G-study: scores that do not support its model, components at the boundary."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.generalizability.designs import Codes, FacetDesign

Floats = NDArray[np.float64]

_SCORES_PER_PARAMETER = 10
"""Number of scores of the rarer value that a logistic model needs per parameter (Peduzzi et al.
1996)."""

_LARGEST_SD = 10.0
"""Largest standard deviation and mean in logits; beyond, effects separate the scores."""


def carried(
    estimator: str, components: pd.DataFrame, samples: pd.DataFrame, y: Floats, mean: float
) -> list[Diagnostic]:
    """Return diagnostics of scores that are not sufficient for the model.

    A logistic model needs both kinds of scores: about ten of the rarer one per parameter (Peduzzi
    et al. 1996). With fewer, or if effects separate the scores, the likelihood has no maximum, or
    nearly none: it increases as the variances grow (Albert and Anderson 1984).
    """
    if np.ptp(y) == 0:
        sentence = f"All {y.size:,} scores are {y[0]:g}: there are no coefficients."
        return [
            Diagnostic("constant_scores", "error", sentence, "Add harder or easier conditions.")
        ]
    if estimator != "logistic":
        if len(samples):
            return []
        sentence = "The likelihood has no curvature at the estimates: there are no intervals."
        return [
            Diagnostic(
                "no_intervals", "warning", sentence, "Add objects and conditions that differ."
            )
        ]
    rarer = int(min(y.sum(), y.size - y.sum()))
    effects = components.iloc[:-1]
    largest = float(effects["variance"].max())
    values = {"rarer_scores": rarer, "parameters": len(components), "largest_variance": largest}
    needed = _SCORES_PER_PARAMETER * len(components)
    more = f"Collect {needed} or more of the rarer score, or use" if rarer < needed else "Use"
    remedy = f"{more} estimator='reml' and read its components as those of shares right."
    ends = "" if len(samples) else " and its likelihood has no maximum with a curvature"
    if ends or rarer < len(components) or largest > _LARGEST_SD**2 or abs(mean) > _LARGEST_SD:
        sentence = (
            f"The data cannot carry a logistic model: {rarer:,} of {y.size:,} scores are "
            f"{int(y.mean() < 0.5)}, the largest variance is {largest:.3g} with the mean at "
            f"{mean:.3g} logits{ends}."
        )
        return [Diagnostic("not_carried", "error", sentence, remedy, (), values)]
    if rarer < needed:
        sentence = (
            f"{rarer:,} of {y.size:,} scores are {int(y.mean() < 0.5)}, for {len(components)} "
            "parameters: variances are poorly determined and tend to be too large."
        )
        return [Diagnostic("few_of_one_score", "warning", sentence, remedy, (), values)]
    return []


def at_boundary(estimator: str, components: pd.DataFrame) -> list[Diagnostic]:
    """Return a note on every component that is estimated as 0, the boundary of its values."""
    if estimator != "reml":
        return []
    notes = []
    columns = (components[name].tolist() for name in ("variance", "ci_upper"))
    for effect, variance, upper in zip(components.index.tolist(), *columns, strict=True):
        if variance != 0:
            continue
        notes.append(
            Diagnostic(
                "boundary_variance",
                "note",
                f"The variance of {effect} is estimated at 0, the least that it can be"
                f"{_interval_to(upper)}.",
                "Read the upper end: the data do not rule out a variance up to there.",
                (effect,),
                {"ci_upper": upper},
            )
        )
    return notes


def diagnosed(
    design: FacetDesign, components: pd.DataFrame, codes: Codes
) -> tuple[Diagnostic, ...]:
    """Return warnings of variances below 0, and notes on facets with few conditions."""
    diagnostics = []
    columns = (components[name].tolist() for name in ("variance", "ci_upper"))
    for effect, variance, upper in zip(components.index.tolist(), *columns, strict=True):
        if variance < 0:
            diagnostics.append(
                Diagnostic(
                    "negative_variance",
                    "warning",
                    f"The variance of {effect} is estimated at {variance:.3g}, below what a "
                    f"variance can be{_interval_to(upper)}.",
                    "Read it as 0, or use estimator='reml'; its effect is small or the design few.",
                    (effect,),
                    {"variance": variance, "ci_upper": upper},
                )
            )
    for name in design.facets:
        count = int(codes[name].max()) + 1
        if count < 5:
            diagnostics.append(
                Diagnostic(
                    "few_conditions",
                    "note",
                    f"{name} has {count} conditions: its variance is poorly determined.",
                    "Read the interval; more conditions narrow it more than more scores do.",
                )
            )
    return tuple(diagnostics)


def refuse_repeated(table: pd.DataFrame, names: Sequence[str]) -> None:
    """Raise ParameterError, naming the cell, if few cells hold several scores and most hold one; if
    most hold several, these are replications."""
    counts = table.groupby(list(names), sort=False, observed=True).size()
    repeated = counts[counts > 1]
    if not len(repeated) or 2 * len(repeated) > len(counts):
        return
    cell: Any = repeated.index[0]
    where = ", ".join(f"{name} {level}" for name, level in zip(names, cell, strict=True))
    more = f", and so {len(repeated) - 1:,} more cells" if len(repeated) > 1 else ""
    raise ParameterError(
        f"the cell of {where} holds {int(repeated.iloc[0])} scores{more}, while the other cells "
        "hold one; keep one score of it, or name the facet that tells them apart"
    )


def replicated(table: pd.DataFrame, names: Sequence[str]) -> list[Diagnostic]:
    """Return a note if cells hold several scores, which count as replications."""
    counts = table.groupby(list(names), sort=False, observed=True).size()
    low, high = int(counts.min()), int(counts.max())
    if high < 2:
        return []
    each = f"{low}" if low == high else f"{low} to {high}"
    return [
        Diagnostic(
            "replicated_cells",
            "note",
            f"The cells of {' x '.join(names)} hold {each} scores each; they count as "
            "replications, whose variance is in the residual.",
            "If a facet tells them apart, name it.",
            values={"fewest": low, "most": high},
        )
    ]


def _interval_to(upper: float) -> str:
    """Return a phrase with the interval of a component at the boundary; "" if there is none."""
    return "" if math.isnan(upper) else f"; the interval runs from 0 to {upper:.3g}"
