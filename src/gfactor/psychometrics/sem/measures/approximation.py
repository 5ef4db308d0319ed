"""Root mean square error of approximation (Steiger 1990; Browne and Cudeck 1993).

Robust variants: Li and Bentler (2006), Brosseau-Liard, Savalei and Li (2012); with incomplete data
Zhang and Savalei (2023).
"""

from __future__ import annotations

import math

from scipy.special import chdtr, chdtri, chndtr, chndtrinc

from gfactor.psychometrics.sem.measures.context import Context, Measures
from gfactor.psychometrics.sem.measures.declared import Measure, family
from gfactor.psychometrics.sem.measures.incomplete import corrected

LEVEL = 0.90
CLOSE = 0.05
NOT_CLOSE = 0.08


_HUGE = 1e9
"""A statistic from which on the noncentral distribution is almost a point, and its series fails."""


def _cdf(x: float, df: float, nc: float) -> float:
    if x <= 0:  # a shifted statistic may be negative
        return 0.0
    return float(chndtr(x, df, nc)) if nc > 0 else float(chdtr(df, x))


def noncentrality(chisq: float, df: float, probability: float) -> float:
    """Return the noncentrality at which the probability of a statistic up to this value equals the
    given one; zero if it is lower even without noncentrality."""
    if not math.isfinite(chisq) or not df > 0:
        return math.nan
    if _cdf(chisq, df, 0.0) < probability:
        return 0.0
    if chisq > _HUGE:
        return chisq
    value = float(chndtrinc(chisq, df, probability))
    # One Newton step: the derivative by the noncentrality is half the difference to df + 2.
    slope = (_cdf(chisq, df + 2, value) - _cdf(chisq, df, value)) / 2
    return value - (_cdf(chisq, df, value) - probability) / slope if slope < 0 else value


def power_of_exact_fit(rmsea: float, df: float, n: float, groups: int, alpha: float) -> float:
    """Return the probability that the test of exact fit rejects a model whose RMSEA in the
    population is `rmsea` (MacCallum, Browne and Sugawara 1996).

    Parameters
    ----------
    n: the number of cases that fit indices use, over all groups.
    alpha: level of the test.
    """
    if not df > 0:
        return math.nan
    return 1 - _cdf(float(chdtri(df, alpha)), df, n * df * rmsea**2 / groups)


def _family(
    point: float, reference: float, df: float, n: float, groups: int, factor: float, suffix: str
) -> Measures:
    """Point estimate, interval and tests.

    `reference` is the statistic that is referred to the noncentral chi-square, `factor` the
    multiplier that brings its noncentrality to the scale of the point estimate.
    """
    if not df > 0:
        return {
            f"rmsea{suffix}": 0.0,
            f"rmsea.ci.lower{suffix}": 0.0,
            f"rmsea.ci.upper{suffix}": 0.0,
            f"rmsea.pvalue{suffix}": math.nan,
            f"rmsea.notclose.pvalue{suffix}": math.nan,
        }
    tail = (1 - LEVEL) / 2

    def bound(probability: float) -> float:
        if factor < 0:
            return math.nan
        return math.sqrt(factor * noncentrality(reference, df, probability) / (n * df)) * math.sqrt(
            groups
        )

    def below(threshold: float) -> float:
        if not math.isfinite(reference) or not factor > 0:
            return math.nan
        if reference > _HUGE:
            return 0.0
        return _cdf(reference, df, n * df * threshold**2 / groups / factor)

    return {
        f"rmsea{suffix}": point,
        f"rmsea.ci.lower{suffix}": bound(1 - tail),
        f"rmsea.ci.upper{suffix}": bound(tail),
        f"rmsea.pvalue{suffix}": 1 - below(CLOSE),
        f"rmsea.notclose.pvalue{suffix}": below(NOT_CLOSE),
    }


def _point(excess: float, df: float, n: float, groups: int) -> float:
    if not math.isfinite(excess):
        return math.nan
    return math.sqrt(max(excess, 0.0) / (n * df)) * math.sqrt(groups) if df > 0 else 0.0


_TESTED = "Browne & Cudeck (1993)"
_NOT_TESTED = "MacCallum, Browne & Sugawara (1996)"
_VARIANTS = ("scaled", "robust")


@family(
    Measure("rmsea", "sqrt(max(T - df, 0) / (n df)) sqrt(groups)",
            "Steiger (1990); groups: Steiger (1998)", _VARIANTS),
    Measure("rmsea.ci.lower", "sqrt(lambda / (n df)) sqrt(groups), P(chi-square(df, lambda) < T) "
            "= .95", _TESTED, _VARIANTS),
    Measure("rmsea.ci.upper", "the same with .05", _TESTED, _VARIANTS),
    Measure("rmsea.ci.level", f"level of the interval, {LEVEL:.2f}"),
    Measure("rmsea.pvalue", f"p of RMSEA <= {CLOSE:.2f}", _TESTED, _VARIANTS),
    Measure("rmsea.close.h0", f"{CLOSE:.2f}"),
    Measure("rmsea.notclose.pvalue", f"p of RMSEA >= {NOT_CLOSE:.2f}", _NOT_TESTED, _VARIANTS),
    Measure("rmsea.notclose.h0", f"{NOT_CLOSE:.2f}"),
    order=3,
)  # fmt: skip
def rmsea(context: Context) -> Measures:
    """Return plain, scaled and robust, with 90 % intervals and tests of close and not-close fit."""
    test, n, groups = context.exact, context.n, context.n_groups
    df = float(test.df)
    plain = _family(_point(test.chisq - df, df, n, groups), test.chisq, df, n, groups, 1.0, "")
    measures: Measures = {}
    for name, value in plain.items():
        measures[name] = value
        if name == "rmsea.ci.upper":
            measures["rmsea.ci.level"] = LEVEL
        elif name == "rmsea.pvalue":
            measures["rmsea.close.h0"] = CLOSE
        elif name == "rmsea.notclose.pvalue":
            measures["rmsea.notclose.h0"] = NOT_CLOSE
    if test.scaled is not None:
        df_scaled = float(test.df_scaled or 0)
        point = _point(test.scaled - df_scaled, df_scaled, n, groups)
        if test.name == "scaled.shifted":
            measures |= _family(point, test.scaled, df_scaled, n, groups, 1.0, ".scaled")
        else:
            stretched = df * (test.mean_factor or 0.0)
            measures |= _family(point, test.chisq, stretched, n, groups, 1.0, ".scaled")
    return measures if context.robust is None else measures | _robust(context.robust)


def _robust(context: Context) -> Measures:
    """The robust variants, if they are defined."""
    test, n, groups = context.exact, context.n, context.n_groups
    df = float(test.df)
    if context.problem.options.full_information:
        fixed = corrected(context.estimated)
        if fixed is not None:
            chisq, factor = fixed
            point = _point(chisq - factor * df, df, n, groups)
            reference = chisq / factor if factor > 0 else math.nan
            return _family(point, reference, df, n, groups, factor, ".robust")
    elif (
        test.scaled is not None
        and test.mean_factor is not None
        and (test.name != "mean.var.adjusted")
    ):
        point = _point(test.chisq - test.mean_factor * df, df, n, groups)
        return _family(point, test.scaled, df, n, groups, test.factor or 0.0, ".robust")
    return {}
