"""Numbers and tables of a fit as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from gfactor.numbers_in_text import fixed, p_value, share
from gfactor.psychometrics.factor.exploratory.named_rotations import ROTATIONS
from gfactor.psychometrics.rounding import magnitude
from gfactor.psychometrics.sem.measures.declared import declared_measures
from gfactor.psychometrics.sem.measures.selection import MeasureValues, reported
from gfactor.psychometrics.sem.sample.missing import missing_values

if TYPE_CHECKING:
    from gfactor.psychometrics.sem.fitted import Fit


_COLUMNS = ("est", "se", "z", "pvalue", "ci.lower", "ci.upper", "std.all")


def exact_fit_text(measures: MeasureValues, decimals: int = 2) -> str:
    """Return the test of exact fit as text, chi-square(df) = ..., p ...; or the reason why there is
    none."""
    untestable = untestable_text(measures)
    if untestable:
        return untestable
    m = reported(measures)
    kind = {"scaled": " (scaled)", "bootstrap": ""}.get(m.test, "")
    drawn = " (Bollen-Stine)" if m.test == "bootstrap" else ""
    return (
        f"chi-square({fixed(m.df, 0)}) = {fixed(m.chisq, decimals)}{kind}, "
        f"p {p_value(m.pvalue, '= ')}{drawn}"
    )


def untestable_text(measures: MeasureValues) -> str:
    """Return the reason why a model without degrees of freedom has no test of fit, "" for any other
    model."""
    df = measures.get("df")
    if df is None or df > 0:
        return ""
    if df < 0:
        return f"df = {df:.0f}: more free parameters than moments, so that fit cannot be tested"
    return "df = 0: fit cannot be tested (lavaan prints CFI 1.000 and RMSEA .000 for such a model)"


def indices_text(measures: MeasureValues) -> str:
    """Return CFI, TLI, RMSEA with its interval and test of close fit, SRMR and other measures
    declared with a text, with three decimals."""
    m = reported(measures)
    more = "".join(
        f", {one.text} = {share(measures[one.name])}"
        for one in declared_measures()
        if one.text and one.name in measures
    )
    close = "" if m.close_pvalue is None else f", close-fit p {p_value(m.close_pvalue, '= ')}"
    return (
        f"CFI = {share(m.cfi)}, TLI = {share(m.tli)}, RMSEA = {share(m.rmsea)}, "
        f"{m.level:.0%} CI [{share(m.rmsea_low)}, {share(m.rmsea_high)}]{close}"
        f"{f' ({m.indices})' if m.indices else ''}, SRMR = {_srmr(measures, m.srmr)}{more}"
    )


def _srmr(measures: MeasureValues, whole: float | None) -> str:
    """SRMR; for a two-level model by level."""
    if measures.get("srmr_within") is None:
        return share(whole)
    within, between = measures["srmr_within"], measures["srmr_between"]
    return f"{share(within)} within clusters, {share(between)} between"


def fit_lines(measures: MeasureValues) -> tuple[str, ...]:
    """Return exact fit and fit indices; the baseline model's test; if there is a likelihood, the
    log-likelihood and information criteria."""
    tag = ".scaled" if measures.get("baseline.chisq.scaled") is not None else ""
    indices = "" if untestable_text(measures) else f"; {indices_text(measures)}"
    lines = [exact_fit_text(measures) + indices]
    worst = measures.get("baseline.chisq" + tag)
    if worst is not None:
        lines.append(
            f"Baseline model: chi-square({fixed(measures.get('baseline.df' + tag), 0)}) = "
            f"{fixed(worst)}{' (scaled)' if tag else ''}, "
            f"p {p_value(measures.get('baseline.pvalue' + tag), '= ')}"
        )
    if measures.get("logl") is not None:
        lines.append(
            f"Log-likelihood {fixed(measures['logl'])} (unrestricted model "
            f"{fixed(measures.get('unrestricted.logl'))}), AIC {fixed(measures.get('aic'))}, "
            f"BIC {fixed(measures.get('bic'))}, sample-size adjusted BIC "
            f"{fixed(measures.get('bic2'))}"
        )
    return tuple(lines)


def rotation_lines(fit: Fit) -> list[str]:
    """Return lines about the rotation of the factors of exploratory blocks."""
    blocks: dict[str, dict[str, None]] = {}
    for row in fit.table:
        if row.efa:
            blocks.setdefault(row.efa, {})[row.lhs] = None
    options = fit.options
    rotation = ROTATIONS[options.rotation]
    kind = "oblique" if rotation.oblique else "orthogonal"
    values = {
        name: value for name, value in options.rotation_args
        if name in rotation.takes and name != "target"
    }  # fmt: skip
    weighted = dict(options.rotation_args).get("kaiser", rotation.kaiser)
    constant = ", Kaiser's weights" if weighted else ""
    if options.rotation.startswith("geomin"):
        values = {"epsilon": options.geomin_epsilon, **values}
    constant += "".join(f", {name} {value:g}" for name, value in values.items())
    loadings = "standardized" if options.rotation_std_ov else "unstandardized"
    how = f"rotated by {options.rotation} ({kind}{constant}, {loadings} loadings)"
    if not fit.convergence.converged:
        how = "not rotated, as the search did not converge"
    return [
        f"Exploratory block {name}: {', '.join(factors)}, {how}."
        for name, factors in blocks.items()
        if len(factors) > 1
    ]


def headline(fit: Fit) -> list[str]:
    """Return the head of a text: estimator, n, end of the search, and fit."""
    options = fit.options
    groups = fit.problem.n_groups
    return [
        f"Estimator {options.estimator} (standard errors {options.se}, test {options.test}), "
        f"n = {fit.sample_sizes}{' in ' + str(groups) + ' groups' if groups > 1 else ''}, "
        f"{fit.problem.n_parameters} parameters; {fit.convergence.sentence} "
        f"(largest gradient below {magnitude(fit.convergence.max_gradient):.0e}, "
        f"{fit.convergence.iterations} steps).",
        *missing_lines(fit),
        *fit.remarks,
        *fit_lines(fit.measures),
    ]


TREATMENTS = {
    "ml": "full information",
    "ml.x": "full information",
    "pairwise": "pair by pair",
    "two.stage": "in two stages",
    "robust.two.stage": "in two stages",
}
"""Treatment of incomplete cases in words, by the option `missing`; others are left out."""


def missing_text(fit: Fit) -> str:
    """Return how many values, cases and patterns are incomplete, and what became of them.

    The text is empty if incomplete cases were left out, of which a diagnostic tells, and if only
    moments were given.
    """
    treatment = TREATMENTS.get(fit.options.missing)
    # Variables between clusters have a value per cluster; the paragraph counts them.
    rows = [] if fit.table.two_level else [group.rows for group in fit.sample.groups]
    observed = [one for one in rows if one is not None]
    if treatment is None or not observed:
        return ""
    return f"{missing_values(observed).sentence()} ({treatment})"


def missing_lines(fit: Fit) -> list[str]:
    """Return the line about missing values, if incomplete cases count."""
    text = missing_text(fit)
    return [f"Missing values: {text}."] if text else []


def estimates_as_text(fit: Fit) -> pd.DataFrame:
    """Return one line per parameter, numbers as text."""
    frame = fit.estimates
    several = len(fit.sample.groups) > 1
    labelled = any(frame["label"])
    names = ["lhs", "op", "rhs", *(["group"] if several else []), *(["label"] if labelled else [])]
    columns: dict[str, list[Any]] = {name: list(frame[name]) for name in names}
    if fit.table.two_level:
        levels = dict(enumerate(fit.sample.labels, start=1))
        columns["group"] = [levels.get(number, "") for number in frame["group"]]
    for name in _COLUMNS:
        columns[name] = [p_value(v) if name == "pvalue" else fixed(v, 3) for v in frame[name]]
    return pd.DataFrame(columns)


def explained(fit: Fit) -> pd.DataFrame:
    """Return R2 of every indicator and predicted variable, a column per group."""
    several = len(fit.sample.groups) > 1
    columns = {
        f"R2 ({label})" if several else "R2": fit.r2(number)
        for number, label in enumerate(fit.sample.labels, start=1)
    }
    return pd.DataFrame(columns).map(lambda value: fixed(float(value), 3))
