"""Sentences on a series of tests of measurement invariance."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from gfactor.numbers_in_text import fixed, p_value, share
from gfactor.psychometrics.sem.measurement_invariance.result import Invariance
from gfactor.psychometrics.sem.measures.selection import reported
from gfactor.reports.paragraphs.sem import ESTIMATORS, sem_gaps
from gfactor.reports.paragraphs.wording import limits_of, listed, share_between, software
from gfactor.results import number_of


def sentences_on_invariance(result: Invariance) -> Iterable[str]:
    first = result.steps[0].fit
    options, table = first.options, first.table
    sizes = ", ".join(f"{name}: {n}" for name, n in result.groups)
    scale = "their variances in the first group" if options.std_lv else "their first indicators"
    yield (
        "Measurement invariance of a model of "
        f"{number_of(len(table.observed), 'observed variable')} and "
        f"{number_of(len(table.latent), 'latent variable')} was tested over "
        f"{len(result.groups)} groups ({sizes}) by "
        f"{ESTIMATORS.get(options.estimator, options.estimator)} ({options.estimator}; test: "
        f"{result.test}) with {software()}; latent variables were scaled by {scale}."
    )
    yield sem_gaps(first)
    failed = [step.level.name for step in result.steps if not step.full.converged]
    if failed:
        yield f"The search did not converge at the level {listed(failed)}."
    yield _verdict(result)
    rows = result.table.to_dict("records")
    level = reported(first.measures).level
    kind = f" (CFI and RMSEA: {result.cfi})" if result.cfi else ""
    yield f"Fit of the levels{kind}: {'; '.join(_level(row, level) for row in rows)}."
    if result.trace:
        parts = [
            f"{one.parameter} at the {one.level} level (score {fixed(one.score)}, df {one.df})"
            for one in result.trace
        ]
        yield f"Released in a search, whose p-values are not corrected: {listed(parts)}."
    yield _means(result)


def _verdict(result: Invariance) -> str:
    method = next((s.difference.method for s in result.steps if s.difference), "standard")
    rule = (
        f"the difference test ({method}) at {result.alpha:g}"
        if result.criterion == "p"
        else "changes of CFI, RMSEA and SRMR (Chen 2007)"
    )
    names = [step.level.name for step in result.steps]
    rejected = next((k for k, step in enumerate(result.steps) if not step.holds), None)
    reached = f"the highest level that was not rejected is {result.level or 'none'}"
    released = [step.level.name for step in result.steps if step.fit is not step.full]
    if rejected is None and released:
        return (
            f"By {rule}, equality of all parameters was rejected at the level {listed(released)}; "
            f"after releases {reached}, which does not show the other parameters to be equal."
        )
    if rejected is None:
        return f"By {rule}, {reached}; that does not show the parameters to be equal."
    text = f"By {rule}, the {names[rejected]} level does not hold; {reached}."
    later = names[rejected + 1 :]
    if later:
        text += f" The higher levels ({listed(later)}) were not tested on their own merits."
    return text


def _level(row: Mapping[Any, Any], level: float) -> str:
    text = (
        f"{row['level']}, chi-square({row['df']}) = {fixed(row['chisq'])}, p "
        f"{p_value(row['pvalue'], '= ')}, CFI = {share(row['cfi'])}, RMSEA = {share(row['rmsea'])}"
    )
    if math.isfinite(row["rmsea_low"]) and math.isfinite(row["rmsea_high"]):
        text += f", {share_between(row['rmsea_low'], row['rmsea_high'], level, 3)}"
    text += f", SRMR = {share(row['srmr'])}"
    if row["d_df"]:
        text += (
            f", difference chi-square({row['d_df']}) = {fixed(row['d_chisq'])}, p "
            f"{p_value(row['d_pvalue'], '= ')}, changes of CFI {share(row['d_cfi'])}, RMSEA "
            f"{share(row['d_rmsea'])} and SRMR {share(row['d_srmr'])}"
        )
    return text


def _means(result: Invariance) -> str:
    rows = result.latent_means.to_dict("records")
    if not rows:
        return (
            "Latent means were not compared; they need equal (or partly equal) intercepts that "
            "hold."
        )
    options = result.steps[0].fit.options
    unit = "standard deviations of that group" if options.std_lv else "units of the markers"
    parts = [
        f"{row['factor']} in {row['group']} {fixed(row['mean'])}, "
        f"{limits_of(row['ci_lower'], row['ci_upper'], options.ci_level, fixed)}, p "
        f"{p_value(row['pvalue'], '= ')}"
        for row in rows
    ]
    return (
        f"Latent means at the {rows[0]['level']} level, against {result.groups[0][0]} (0) in "
        f"{unit}: {'; '.join(parts)}."
    )
