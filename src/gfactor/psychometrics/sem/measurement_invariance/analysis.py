"""Measurement invariance over groups, level by level, with a search for what breaks it.

References
----------
Cheung, G. W., Rensvold, R. B. (2002). Evaluating goodness-of-fit indexes for testing measurement
    invariance. Structural Equation Modeling 9, 233-255.
Chen, F. F. (2007). Sensitivity of goodness of fit indexes to lack of measurement invariance.
    Structural Equation Modeling 14, 464-504.
Byrne, B. M., Shavelson, R. J., Muthen, B. (1989). Testing for the equivalence of factor covariance
    and mean structures: the issue of partial measurement invariance. Psychological Bulletin 105.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from typing import Literal

import pandas as pd
from scipy.special import chdtrc

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.diagnostic import by_severity
from gfactor.psychometrics.rounding import first_largest
from gfactor.psychometrics.sem.comparison import ChiSquareDifference, compare_fits
from gfactor.psychometrics.sem.fitted import Fit
from gfactor.psychometrics.sem.measurement_invariance.findings import (
    against_data,
    against_fits,
    variants_apart,
)
from gfactor.psychometrics.sem.measurement_invariance.result import (
    Invariance,
    InvarianceStep,
    ReleasedEquality,
    measures_of,
)
from gfactor.psychometrics.sem.measurement_invariance.steps import (
    Level,
    Setting,
    fit_level,
    levels_of,
)
from gfactor.psychometrics.sem.modification import indices_of, releases_of
from gfactor.psychometrics.sem.options import Options
from gfactor.psychometrics.sem.parameters import Parameter
from gfactor.psychometrics.sem.syntax import build_table

FEWEST = 2
"""Smallest number of indicators of a factor that must stay equal for a common scale (Byrne,
Shavelson and Muthen 1989)."""


def release(
    fit: Fit, level: Level, released: tuple[str, ...]
) -> tuple[str, float, int, float] | None:
    """Return the equality of this level with the largest score test, as name, score, df and p; None
    if no equality may be released."""
    by_label = {row.plabel: row for row in fit.table.rows if row.plabel}
    tests: list[tuple[float, str, int, float]] = []
    for lhs, _, rhs, chisq, df, pvalue in releases_of(fit.estimated, fit.table).itertuples(
        index=False
    ):
        row, other = by_label.get(str(lhs)), by_label.get(str(rhs))
        if row is None or other is None or row.group == other.group or not df > 0:
            continue
        if _kind(row, fit) in level.new and _may_go(row, fit, level, released):
            tests.append((float(chisq), name_of(row), int(df), float(pvalue)))
    if not tests and "intercepts" in level.new:
        return _fixed_intercept(fit, level, released)
    if not tests:
        return None
    tests.sort(key=lambda one: one[1], reverse=True)
    score, name, df, pvalue = tests[first_largest([one[0] for one in tests])]
    return name, score, df, pvalue


def name_of(row: Parameter) -> str:
    """Return the name of a parameter in the notation of `group_partial`."""
    return f"{row.lhs}{row.op}{row.rhs}"


def _kind(row: Parameter, fit: Fit) -> str:
    latent = set(fit.table.latent)
    if row.op == "=~":
        return "loadings"
    if row.op == "|":
        return "thresholds"
    if row.op == "~1":
        return "means" if row.lhs in latent else "intercepts"
    if row.op == "~~" and row.lhs == row.rhs and row.lhs not in latent:
        return "residuals"
    return ""


def _indicator(row: Parameter) -> str:
    return row.rhs if row.op == "=~" else row.lhs


def _may_go(row: Parameter, fit: Fit, level: Level, released: tuple[str, ...]) -> bool:
    """Return True if every factor of the indicator keeps enough equal loadings and intercepts;
    residuals may all differ.
    """
    if level.new == ("residuals",):
        return True
    gone = {name.replace("=~", " ").replace("|", " ").replace("~", " ") for name in released}
    free = {part for name in gone for part in name.split()} | {_indicator(row)}
    loads = [one for one in fit.table.rows if one.op == "=~" and one.group == 1]
    for factor in {one.lhs for one in loads if one.rhs == _indicator(row)}:
        indicators = {one.rhs for one in loads if one.lhs == factor}
        if len(indicators - free) < FEWEST:
            return False
    return True


def _fixed_intercept(
    fit: Fit, level: Level, released: tuple[str, ...]
) -> tuple[str, float, int, float] | None:
    """Return the fixed intercept of an ordinal variable to release. Such intercepts have no
    equality to test, so modification indices are summed over the groups."""
    frame = indices_of(fit.estimated, fit.table, at_bound=fit.convergence.at_bound)
    latent = set(fit.table.latent)
    sums: dict[str, tuple[float, int]] = {}
    for row in frame.to_dict("records"):
        name = str(row["lhs"])
        if row["op"] == "~1" and name not in latent and row["group"] > 1:
            score, df = sums.get(name, (0.0, 0))
            sums[name] = score + float(row["mi"]), df + 1
    allowed = {
        name: value
        for name, value in sums.items()
        if f"{name}~1" not in released and _may_go(Parameter(name, "~1", ""), fit, level, released)
    }
    if not allowed:
        return None
    names = sorted(allowed, reverse=True)
    name = names[first_largest([allowed[one][0] for one in names])]
    score, df = allowed[name]
    return f"{name}~1", score, df, float(chdtrc(df, score))


def still_equal(fit: Fit, released: tuple[str, ...], level: Level) -> tuple[str, ...]:
    """Return the parameters that a level must leave free because of earlier releases: the released
    ones, and the intercepts (then residuals) of indicators whose loadings, thresholds or intercepts
    differ, because such indicators have no common scale.
    """
    carried = list(released)
    indicators = [
        name.split("=~")[1] if "=~" in name else name.split("|")[0].split("~")[0]
        for name in released
    ]
    for indicator in dict.fromkeys(indicators):
        for kind in level.new:
            if kind == "intercepts":
                carried.append(f"{indicator}~1")
            elif kind == "residuals":
                carried.append(f"{indicator}~~{indicator}")
            elif kind == "loadings":
                carried += [
                    f"{row.lhs}=~{indicator}"
                    for row in fit.table.rows
                    if row.op == "=~" and row.rhs == indicator and row.group == 1
                ]
    return tuple(dict.fromkeys(carried))


CRITERIA = ("p", "fit")

LARGE = 300
"""From this n on Chen's (2007) cutoffs are those for large samples."""

CUTOFFS = {True: (0.010, 0.015, 0.030, 0.010), False: (0.005, 0.010, 0.025, 0.005)}
"""Chen's (2007) changes: of CFI (fall), RMSEA (rise), SRMR (rise) for loadings, and SRMR for
intercepts and residuals; for n > 300 in groups of equal size, and for smaller or unequal ones."""


def invariance(
    model: str,
    data: pd.DataFrame,
    group: str,
    *,
    estimator: str | None = None,
    ordered: Sequence[str] | bool = (),
    missing: str = "default",
    method: str | None = None,
    criterion: Literal["p", "fit"] = "p",
    alpha: float = 0.05,
    partial: bool = False,
    most_releases: int | None = None,
    std_lv: bool = True,
    options: Options | None = None,
    progress: Callable[[str], None] | None = None,
) -> Invariance:
    """Return configural, metric, scalar and strict invariance of a model over the values of a
    column.

    Parameters
    ----------
    model : str
        Lavaan syntax, without groups.
    data : DataFrame
        Table with a row per case and a column per variable; it also holds the column `group`.
    group : str
        Column that names the group of each case.
    estimator : str, optional
        Estimator; by default MLR, or WLSMV with `ordered` variables.
    ordered : list of str, or True
        Ordinal variables; their levels are configural, thresholds, metric, scalar, strict
        (Wu and Estabrook 2016), without thresholds and metric if one of them is binary, without
        thresholds if all have three categories.
    missing : str
        "listwise", "ml" or "pairwise"; by default that of the estimator.
    method : str, optional
        Method of the difference tests, see `comparison.METHODS`; by default the one that goes with
        the estimator.
    criterion : {'p', 'fit'}
        Criterion by which a level holds: "p" (the difference test is not significant at `alpha`) or
        "fit" (CFI, RMSEA and SRMR change by less than Chen's 2007 cutoffs). The test has a known
        error rate, but in large samples it rejects trivial differences; both are always reported.
    alpha : float
        Significance level of the chi-square difference tests (default 0.05).
    partial : bool
        True to release equalities, if a level does not hold, until it does: each time the one with
        the largest score test. The search stops if fewer than two indicators of a factor would stay
        equal, or after `most_releases`.
    most_releases : int, optional
        Largest number of released equalities; None for no limit.
    std_lv : bool
        Latent variables are scaled by their variance in the first group, so that every
        loading is tested; with False the first loading is taken as invariant.
    options : Options, optional
        Other options of the fits.
    progress : callable, optional
        Called with the name of each level before it is fitted.

    Returns
    -------
    Invariance
        Highest level that holds, each level with its fit, and the freed constraints.

    Raises
    ------
    ParameterError
        If the column has fewer than two groups, or for what `fit` raises.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from gfactor.psychometrics import sem
    >>> random = np.random.default_rng(1)
    >>> g = random.normal(size=300)
    >>> data = pd.DataFrame({f"x{k}": g + random.normal(size=300) for k in range(1, 5)})
    >>> data["lab"] = ["a", "b"] * 150
    >>> from gfactor.psychometrics.sem.measurement_invariance import invariance
    >>> invariance("g =~ x1 + x2 + x3 + x4", data, "lab").table["level"].tolist()
    ['configural', 'metric', 'scalar', 'strict']
    """
    if criterion not in CRITERIA:
        raise UnknownNameError("criterion of invariance", criterion, CRITERIA)
    if not 0 < alpha < 1:
        raise ParameterError(f"alpha must lie between 0 and 1, not {alpha:g}.")
    base = (options or Options()).replaced(
        estimator=estimator or ("WLSMV" if ordered else "MLR"),
        ordered=build_table(model).not_predictors if ordered in (True, "*") else ordered,
        std_lv=std_lv,
        **({"missing": missing} if missing != "default" else {}),
    )
    setting = Setting(model, data, group, base)
    levels = levels_of(setting)
    steps: list[InvarianceStep] = []
    trace: list[ReleasedEquality] = []
    for level in levels:
        if progress is not None:
            progress(level.name)
        step, released = _step(
            setting, level, steps, method, (criterion, alpha), partial, most_releases
        )
        steps.append(step)
        trace += released
    kind = _variant([s.fit for s in steps])
    sample = steps[0].fit.sample
    return Invariance(
        tuple(steps),
        tuple((one.label, one.n) for one in sample.groups),
        tuple(trace),
        criterion,
        alpha,
        kind,
        by_severity(
            [
                *against_fits(steps),
                *against_data(setting, levels, steps),
                *variants_apart(steps, kind),
            ]
        ),
    )


def _step(
    setting: Setting,
    level: Level,
    steps: Sequence[InvarianceStep],
    method: str | None,
    rule: tuple[str, float],
    partial: bool,
    most: int | None,
) -> tuple[InvarianceStep, list[ReleasedEquality]]:
    if not steps:
        first = fit_level(setting, level)
        return InvarianceStep(level, first, first, None, None, (), (), first.converged), []
    before = steps[-1]
    carried = still_equal(before.fit, before.released, level)
    full = fit_level(setting, level, carried)
    if full.problem.df == before.fit.problem.df:
        # For example equal loadings in a model that fixes them all, which no data can contradict.
        holds = before.holds and full.converged
        return InvarianceStep(level, full, full, None, None, carried, carried, holds), []
    if full.problem.df < before.fit.problem.df:
        raise ParameterError(
            f"the {level.name} level leaves more free ({full.problem.df} degrees of freedom) than "
            f"the {before.level.name} level ({before.fit.problem.df}), as the model fixes what it "
            "would hold equal; scale factors by a marker (std_lv=False, --marker)"
        )
    difference = compare_fits(full, before.fit, method=method)
    # A level that is nested in one that was rejected is rejected with it.
    holds = (
        before.holds and full.converged and _is_retained(full, before.fit, difference, level, rule)
    )
    step = InvarianceStep(level, full, full, difference, difference, carried, carried, holds)
    releases: list[ReleasedEquality] = []
    while partial and before.holds and not step.holds and (most is None or len(releases) < most):
        candidate = release(step.fit, level, step.released)
        if candidate is None:
            break
        name, score, df, pvalue = candidate
        released = (*step.released, name)
        fit = fit_level(setting, level, released)
        if fit.problem.df <= before.fit.problem.df:
            break
        now = compare_fits(fit, before.fit, method=method)
        releases.append(ReleasedEquality(level.name, name, score, df, pvalue, now))
        keeps = fit.converged and _is_retained(fit, before.fit, now, level, rule)
        step = dataclasses.replace(step, fit=fit, final=now, released=released, holds=keeps)
    return step, releases


def _is_retained(
    fit: Fit, before: Fit, difference: ChiSquareDifference, level: Level, rule: tuple[str, float]
) -> bool:
    criterion, alpha = rule
    if criterion == "p":
        return math.isfinite(difference.pvalue) and difference.pvalue >= alpha
    kind = _variant([fit, before])
    now, last = measures_of(fit, kind), measures_of(before, kind)
    sizes = [one.n for one in fit.sample.groups]
    large = fit.n > LARGE and max(sizes) <= 1.5 * min(sizes)
    cfi, rmsea, srmr_loadings, srmr = CUTOFFS[large]
    limit = srmr_loadings if level.new == ("loadings",) else srmr
    # Chen's rule: CFI, supplemented by RMSEA or SRMR.
    worse = now["rmsea"] - last["rmsea"] >= rmsea or now["srmr"] - last["srmr"] >= limit
    return not (last["cfi"] - now["cfi"] >= cfi and worse)


def _variant(fits: Sequence[Fit]) -> str:
    """The best variant of CFI and RMSEA that all fits have."""
    for kind in ("robust", "scaled"):
        names = (f"cfi.{kind}", f"rmsea.{kind}")
        if all(fit.measures.get(name) is not None for fit in fits for name in names):
            return kind
    return ""
