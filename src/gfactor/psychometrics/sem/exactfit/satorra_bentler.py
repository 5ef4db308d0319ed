"""Statistics whose mean, or mean and variance, are corrected for the data's distribution.

Satorra and Bentler (1994); mean and variance adjusted by Asparouhov and Muthen's scaling and shift
(2010) or by adjusted degrees of freedom.
"""

from __future__ import annotations

import math

import numpy as np

from gfactor.psychometrics.sem.exactfit.result import (
    ExactFit,
    corrected,
    plain,
    registered,
    tail,
)
from gfactor.psychometrics.sem.inference.estimated import Estimated


def traces(estimated: Estimated) -> tuple[float, float]:
    """tr(U Gamma) and tr(U Gamma U Gamma), U the residual weight matrix of all groups."""
    problem = estimated.problem
    inverse = estimated.restricted_inverse(estimated.moment_information(1))
    shares = problem.sample.shares
    weights = [estimated.weight(g, 1) for g in range(len(shares))]
    pulled = [w @ d for w, d in zip(weights, estimated.deltas(), strict=True)]
    gammas = [estimated.test_gamma(g) for g in range(len(shares))]
    first = second = 0.0
    crossed: dict[tuple[int, int], np.ndarray] = {}
    for g, share in enumerate(shares):
        for h, other in enumerate(shares):
            block = -math.sqrt(share * other) * (pulled[g] @ inverse @ pulled[h].T)
            if g == h:
                block = block + weights[g]
            crossed[g, h] = block @ gammas[h]
        first += float(np.trace(crossed[g, g]))
    for g in range(len(shares)):
        for h in range(len(shares)):
            second += float((crossed[g, h] * crossed[h, g].T).sum())
    return first, second


@registered("satorra.bentler")
def satorra_bentler(estimated: Estimated) -> ExactFit:
    """The statistic divided so that its mean is the degrees of freedom."""
    uncorrected = chisq, df, _ = plain(estimated)
    factor = traces(estimated)[0] / df if df else math.nan
    return corrected("satorra.bentler", uncorrected, factor, chisq / factor if df else 0.0)


def _saturated(name: str, chisq: float) -> ExactFit:
    """A model without degrees of freedom has nothing to correct."""
    return ExactFit(name, chisq, 0, math.nan, chisq, 0, math.nan, mean_factor=1.0)


@registered("mean.var.adjusted")
def mean_var_adjusted(estimated: Estimated) -> ExactFit:
    """Mean and variance right through degrees of freedom that are not whole."""
    chisq, df, pvalue = plain(estimated)
    if df == 0:
        return _saturated("mean.var.adjusted", chisq)
    first, second = traces(estimated)
    df_scaled = first**2 / second
    if estimated.problem.options.mimic == "Mplus":
        df_scaled = math.floor(df_scaled + 0.5)
    factor = first / df_scaled
    scaled = chisq / factor
    return ExactFit(
        "mean.var.adjusted",
        chisq,
        df,
        pvalue,
        scaled,
        df_scaled,
        tail(scaled, df_scaled),
        factor,
        mean_factor=first / df,
    )


@registered("scaled.shifted")
def scaled_shifted(estimated: Estimated) -> ExactFit:
    """Mean and variance right through a factor and a shift, at the model's degrees of freedom."""
    chisq, df, pvalue = plain(estimated)
    if df == 0:
        return _saturated("scaled.shifted", chisq)
    first, second = traces(estimated)
    stretch = math.sqrt(df / second)
    shift = df - stretch * first
    scaled = chisq * stretch + shift
    return ExactFit(
        "scaled.shifted",
        chisq,
        df,
        pvalue,
        scaled,
        df,
        tail(scaled, df),
        1 / stretch,
        shift,
        mean_factor=first / df,
    )
