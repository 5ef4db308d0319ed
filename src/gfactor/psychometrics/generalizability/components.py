"""Variance components of complete designs, by mean squares."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.psychometrics.float_arrays import inv
from gfactor.psychometrics.generalizability.designs import (
    Codes,
    Effect,
    FacetDesign,
    conditions,
    joint_levels,
)

Floats = NDArray[np.float64]

DRAWS = 4000
"""Number of draws of mean squares; they give the ends of intervals to within 2 % of their width."""
_CANCELED = 1e-12
"""Share of the total sum of squares below which a part of it is rounding."""


@dataclass(frozen=True)
class EstimatedComponents:
    """Variance components, with random draws that represent their uncertainty.

    Parameters
    ----------
    components : DataFrame
        `variance`, `df`, `ms` and `se` of each effect.
    samples : DataFrame
        Draws of the components; if estimated from mean squares, they may be negative.
    mean : float
        Grand mean.
    criterion : float
        Minimum of the criterion; NaN if components are estimated from mean squares.
    intervals : DataFrame, optional
        `ci_lower` and `ci_upper` of each effect, if they do not come from the draws.
    """

    components: pd.DataFrame
    samples: pd.DataFrame
    mean: float
    criterion: float
    intervals: pd.DataFrame | None = None


@dataclass(frozen=True)
class MeanSquares:
    """Mean squares of a complete design.

    Parameters
    ----------
    values, df : array
        By effect, its mean square and degrees of freedom.
    expected : array
        Coefficients of the variances (columns) in the expected mean squares (rows).
    """

    values: Floats
    df: Floats
    expected: Floats


def mean_squares(design: FacetDesign, codes: Codes, y: Floats) -> MeanSquares:
    """Return the mean squares of a complete design.

    Parameters
    ----------
    design : FacetDesign
        Effects of a score.
    codes : mapping of str to array
        By facet, its level at every score.
    y : array
        Scores.
    """
    sizes = {name: conditions(design, codes, name) for name in design.facets}
    sizes[design.object] = float(codes[design.object].max() + 1)
    centered = y - y.mean()

    def total(effect: Effect) -> float:
        if not effect:
            return 0.0
        of = joint_levels(codes, effect)
        sums, counts = np.bincount(of, centered), np.bincount(of)
        return float((sums**2 / counts).sum())

    totals = {effect: total(effect) for effect in design.effects} | {frozenset(): 0.0}
    squares, df = [], []
    for effect in design.effects:
        primary = design.primary(effect)
        nesting = effect - primary
        degrees = math.prod(sizes[name] - 1 for name in primary)
        df.append(degrees * math.prod(sizes[name] for name in nesting))
        squares.append(
            sum(
                (-1) ** (len(primary) - size) * totals[frozenset(chosen) | nesting]
                for size in range(len(primary) + 1)
                for chosen in combinations(sorted(primary), size)
            )
        )
    # A sum of squares that cancels to the last digits is set to 0, on every machine.
    varied = np.abs(squares) > _CANCELED * float((centered**2).sum())
    values = np.where(varied, squares, 0.0) / np.array(df)
    # Expected mean squares: every effect that contains this one, times its number of repetitions.
    k = len(design.effects)
    expected = np.zeros((k, k))
    everything = design.effects[-1]
    for i, inner in enumerate(design.effects):
        for j, outer in enumerate(design.effects):
            if inner <= outer:
                expected[i, j] = math.prod(sizes[name] for name in everything - outer)
    return MeanSquares(values, np.array(df, float), expected)


def by_mean_squares(design: FacetDesign, codes: Codes, y: Floats, seed: int) -> EstimatedComponents:
    """Return the variance components of a complete design that its mean squares imply.

    Parameters
    ----------
    design : FacetDesign
        Effects of a score.
    codes : mapping of str to array
        By facet, its level at every score.
    y : array
        Scores.
    seed : int
        Seed of the draws.
    """
    result = mean_squares(design, codes, y)
    ms, df = result.values, result.df
    solved = inv(result.expected)
    se = np.sqrt((solved**2) @ (2 * ms**2 / (df + 2)))
    rng = np.random.default_rng(seed)
    drawn = ms * df / rng.chisquare(df, (DRAWS, df.size))
    labels = pd.Index([design.label(effect) for effect in design.effects], name="effect")
    samples = pd.DataFrame(drawn @ solved.T, columns=labels)
    table = pd.DataFrame({"variance": solved @ ms, "df": df, "ms": ms, "se": se}, index=labels)
    return EstimatedComponents(table, samples, float(y.mean()), np.nan)
