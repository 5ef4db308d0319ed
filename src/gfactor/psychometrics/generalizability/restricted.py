"""Variance components by restricted maximum likelihood, and intervals by profile likelihood.

Near the estimates the criterion is that of an equivalent complete design: the one whose expected
second derivatives, and slopes at the estimates, are the same. Draws of its mean squares give
generalized confidence intervals, as `by_mean_squares` does for complete data. Intervals of
coefficients come from these draws. The interval of a component is carried over to the criterion
itself: its ends are the values at which the profile, minimized over all other components, has risen
as much as that of the equivalent design rises to the ends of the generalized interval. A quantile
of chi-square in their place would be too low with few levels and too high near 0.

A component whose estimate is 0 has the interval from 0 to where the profile has risen by the
quantile of the mixture of chi-squares that holds there, or to the end above if that is farther.

References
----------
Weerahandi, S. (1993). Generalized confidence intervals. JASA 88, 899-905.
Self, S. G., Liang, K.-Y. (1987). Asymptotic properties of maximum likelihood estimators and
    likelihood ratio tests under nonstandard conditions. JASA 82, 605-610. Case 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse, special
from scipy.sparse.linalg import lsqr

from gfactor.errors import ParameterError
from gfactor.psychometrics.generalizability.components import (
    DRAWS,
    EstimatedComponents,
    mean_squares,
)
from gfactor.psychometrics.generalizability.designs import Codes, FacetDesign, joint_levels
from gfactor.psychometrics.generalizability.equations import Equations, layers_of
from gfactor.psychometrics.generalizability.likelihoods import (
    CriterionPoint,
    RestrictedLikelihood,
    Strata,
)
from gfactor.psychometrics.generalizability.profiles import (
    EquivalentDesign,
    ProfiledVariance,
    equivalent_design,
    minimized,
)

Floats = NDArray[np.float64]
Integers = NDArray[np.intp]

_NEARLY_EXACT, _EXACT = 1e-4, 1e-9
"""Shares of the unexplained rest below which it may be rounding (sum of squares), and is (its
root)."""
_ROUNDED = 1e-9
"""Share of the largest variance below which a variance is 0."""


def by_restricted_likelihood(
    design: FacetDesign, codes: Codes, y: Floats, level: float, seed: int, *, complete: bool
) -> EstimatedComponents:
    """Return variance components by restricted maximum likelihood, with profile intervals.

    Parameters
    ----------
    design : FacetDesign
        Effects of a score.
    codes : mapping of str to array
        By facet, its level at every score.
    y : array
        Scores.
    level : float
        Confidence level of the intervals.
    seed : int
        Seed of the draws.
    complete : bool
        True if every cell of the design holds one score.

    Raises
    ------
    ParameterError
        If the effects explain all scores exactly.
    """
    likelihood, sketch = _likelihood(design, codes, y, complete)
    variances, here = _best(likelihood, sketch, float(y.var()))
    labels = pd.Index([design.label(effect) for effect in design.effects], name="effect")
    table = pd.DataFrame({"variance": variances, "df": np.nan, "ms": np.nan}, index=labels)
    equivalent = equivalent_design(likelihood, variances, here)
    if equivalent is None:
        samples = pd.DataFrame(np.empty((0, labels.size)), columns=labels)
        return EstimatedComponents(table.assign(se=np.nan), samples, here.mean, here.value)
    draws = equivalent.draws(DRAWS, seed)
    ends = _intervals(likelihood, (variances, here), equivalent, draws, level)
    return EstimatedComponents(
        table.assign(se=equivalent.spread),
        pd.DataFrame(draws, columns=labels),
        here.mean,
        here.value,
        pd.DataFrame(ends, labels, ["ci_lower", "ci_upper"]),
    )


def not_ruled_out(
    upper: pd.Series, design: FacetDesign, codes: Codes, y: Floats, level: float, seed: int
) -> pd.Series:
    """Return the upper ends of intervals, each the larger of the given one and that by restricted
    likelihood.

    If an estimate is below 0, the draws from its mean squares may all lie below 0, so that the
    interval would hold no variance. The restricted likelihood gives the variances that the data do
    not rule out.

    Parameters
    ----------
    upper : Series
        Upper end of each component, from mean squares of a complete design.
    design, codes, y, level, seed
        As in `by_restricted_likelihood`.
    """
    try:
        other = by_restricted_likelihood(design, codes, y, level, seed, complete=True).intervals
    except ParameterError:
        return upper
    if other is None:
        return upper
    ends: Any = other["ci_upper"].reindex(upper.index)
    return upper.where(~(ends > upper), ends)


def _intervals(
    likelihood: RestrictedLikelihood,
    best: tuple[Floats, CriterionPoint],
    equivalent: EquivalentDesign,
    draws: Floats,
    level: float,
) -> list[tuple[float, float]]:
    """The ends of the components' intervals, from the estimates and the criterion there."""
    variances, here = best
    strata = equivalent.strata(likelihood.n)
    there = strata(variances)
    boundary = float(special.chdtri(1, 2 * (1 - level)))
    ends = []
    for k, drawn in enumerate(np.quantile(draws, [(1 - level) / 2, (1 + level) / 2], axis=0).T):
        profile = ProfiledVariance(likelihood, variances, here, equivalent, k)
        sketch = ProfiledVariance(strata, variances, there, equivalent, k)
        low, high = np.minimum(drawn[0], variances[k]), np.maximum(drawn[1], variances[k])
        lower = profile.end(sketch.rise(low), -1, low) if low > 0 else 0.0
        ends.append((lower, profile.end(max(sketch.rise(high), boundary), 1, high)))
    return ends


def _likelihood(
    design: FacetDesign, codes: Codes, y: Floats, complete: bool
) -> tuple[RestrictedLikelihood, Strata]:
    """The criterion, and that of a complete design of about the same size."""
    random = design.effects[:-1]
    levels = [joint_levels(codes, effect) for effect in random]
    counts = np.array([*(int(of.max()) + 1 for of in levels), y.size], float)
    if complete:
        squares = mean_squares(design, codes, y)
        strata = Strata(squares.values, squares.df, squares.expected, y.size, float(y.mean()))
        if not squares.values[-1] > 0:
            _refuse(design, y.size)
        return strata, strata
    blocks = {name: joint_levels(codes, frozenset({name}) | design.parents(name)) for name in codes}
    equations = Equations(levels, layers_of(levels, random, blocks), y)
    if equations.share_of_rest < _NEARLY_EXACT and not _leaves_a_rest(levels, y):
        _refuse(design, y.size)
    # In a complete design every level of an effect has as many scores as every other.
    inner = np.array([[one <= other for other in design.effects] for one in design.effects])
    df = np.zeros(counts.size)
    for k in range(counts.size):
        df[k] = max(counts[k] - 1 - df[:k] @ inner[:k, k], 1.0)
    return equations, Strata(np.ones(df.size), df, inner * (y.size / counts), y.size, 0.0)


def _refuse(design: FacetDesign, n: int) -> None:
    raise ParameterError(
        f"the effects {', '.join(design.label(effect) for effect in design.effects[:-1])} explain "
        f"all {n:,} scores exactly, so that nothing is left to estimate a residual variance from; "
        f"have every {design.object} answer again (more occasions, or more items), or leave a "
        "facet out"
    )


def _leaves_a_rest(levels: Sequence[Integers], y: Floats) -> bool:
    """Return True if the effects leave a part of the scores unexplained.

    Without a residual the criterion has no minimum: it decreases as the other variances grow.
    """
    parts = [sparse.csc_matrix((np.ones(y.size), (np.arange(y.size), of))) for of in levels]
    rest = lsqr(sparse.csc_matrix(sparse.hstack(parts)), y, atol=1e-14, btol=1e-14,
                iter_lim=10_000)[3]  # fmt: skip
    return bool(rest > _EXACT * np.linalg.norm(y - y.mean()))


def _best(
    likelihood: RestrictedLikelihood, sketch: Strata, total: float
) -> tuple[Floats, CriterionPoint]:
    """The minimum from two starts: all variances equal, and variances small next to the
    residual."""
    size = sketch.df.size
    alike = np.full(size, total / size)
    little = np.append(np.full(size - 1, 0.1 * total / size), 0.9 * total)
    first, second = (
        minimized(likelihood, start, rough=sketch.expected) for start in (alike, little)
    )
    variances, here = second if second[1].value < first[1].value - 1e-6 else first
    rounded = np.where(variances > _ROUNDED * variances.max(), variances, 0.0)
    return (variances, here) if np.all(rounded == variances) else (rounded, likelihood(rounded))
