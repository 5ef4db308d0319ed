"""Sentences on tests of fitted models against each other, and of constraints."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import pandas as pd

from gfactor.numbers_in_text import fixed, p_value, share
from gfactor.psychometrics.irt.checks.comparison import IRTComparison
from gfactor.psychometrics.sem.comparison import ChiSquareDifference
from gfactor.psychometrics.sem.vuong import NonNestedFits
from gfactor.psychometrics.sem.wald import WaldTest
from gfactor.reports.paragraphs.wording import listed, software
from gfactor.results import number_of

ALPHA = 0.05
"""P-value below which a hypothesis is called rejected."""

_CRITERIA = {"aic": "AIC", "bic": "BIC", "bic2": "sample-size adjusted BIC",
             "sabic": "sample-size adjusted BIC"}  # fmt: skip

_METHODS = {
    "standard": "the difference of their chi-squares",
    "satorra.bentler.2001": "the scaled difference of their chi-squares (Satorra and Bentler 2001)",
    "satorra.bentler.2010": "the scaled difference of their chi-squares (Satorra and Bentler 2010)",
    "satorra.2000": "the scaled and shifted difference of their chi-squares (Satorra 2000)",
}


def sentences_on_difference(test: ChiSquareDifference) -> Iterable[str]:
    if test.df == 0:
        yield (
            f"Two structural equation models, fitted with {software()}, have the same degrees of "
            "freedom and imply the same moments: they are equivalent, and no data of these "
            "variables can decide between them."
        )
        return
    yield (
        f"Two nested structural equation models were compared by {_METHODS[test.method]} with "
        f"{software()}."
    )
    unscaled = "" if test.method == "standard" else f" (unscaled {fixed(test.plain)})"
    if not math.isfinite(test.chisq):
        degrees = number_of(test.df, "degree")
        yield f"The difference has {degrees} of freedom{unscaled}, and no test."
        return
    statistic = _chi_square(test.chisq, test.df, test.pvalue)
    yield f"{statistic}{unscaled}: {_restrictions(test.pvalue)}."


def sentences_on_wald(test: WaldTest) -> Iterable[str]:
    several = len(test.constraints) > 1
    yield (
        f"{'Constraints were' if several else 'A constraint was'} tested at the estimates of a "
        f"structural equation model without {'them' if several else 'it'} (Wald) with "
        f"{software()}: {listed(test.constraints)}."
    )
    verdict = (
        f"{'together they were' if several else 'it was'} rejected at .05"
        if test.pvalue < ALPHA
        else "no deviation was found, which does not show that "
        f"{'they hold' if several else 'it holds'}"
    )
    yield f"{_chi_square(test.chisq, test.df, test.pvalue)}: {verdict}."


def sentences_on_non_nested(test: NonNestedFits) -> Iterable[str]:
    yield (
        "Two structural equation models of the same cases, of which neither is a special case of "
        f"the other, were compared with {software()}."
    )
    yield from _criteria(test.criteria)
    yield _vuong(test)


def sentences_on_irt_comparison(test: IRTComparison) -> Iterable[str]:
    models = listed([
        f"{row['model']} ({number_of(row['n_free'], 'free parameter')})"
        for row in test.criteria.to_dict("records")
    ])  # fmt: skip
    kind = "nested item response models" if test.nested else "item response models"
    yield f"Two {kind} of the same answers, {models}, were compared with {software()}."
    yield from _criteria(test.criteria)
    if test.nested and not math.isfinite(test.chisq):
        yield "Parameters have priors, so that there is no likelihood ratio test."
        return
    if test.nested:
        yield (
            f"Likelihood ratio test: {_chi_square(test.chisq, test.df, test.pvalue)}: "
            f"{_restrictions(test.pvalue)}."
        )
    else:
        yield _vuong(test)
    if any(one.code == "boundary_of_larger_model" for one in test.diagnostics):
        yield (
            "The smaller model lies at the boundary of the larger one, so that this p-value is "
            "too large."
        )


def sentences_on_fit_table(fits: pd.DataFrame) -> Iterable[str]:
    """Yield the sentences on three or more models, those with the most parameters first."""
    yield (
        f"{len(fits)} models of one sample were compared with {software()}, each with the model "
        "before it, which has more parameters."
    )
    parts = [_model(row) for row in fits.to_dict("records")]
    yield f"{'; '.join(parts)}."
    untested = [f"model {row['model']}" for row in fits.to_dict("records")[1:]
                if not math.isfinite(row["d_df"])]  # fmt: skip
    if untested:
        verbs = ("is", "has") if len(untested) == 1 else ("are", "have")
        yield (
            f"There is no test of nested models for {listed(untested)}, which {verbs[0]} not "
            f"nested, or {verbs[1]} priors."
        )
    yield (
        "Information criteria have no interval; the p-values are not adjusted for the number of "
        "models."
    )


def _model(row: dict[Any, Any]) -> str:
    name = f" ({row['name']})" if row.get("name") else ""
    count = number_of(int(row["npar"] if "npar" in row else row["n_free"]), "free parameter")
    text = f"Model {row['model']}{name} has {count}"
    if math.isfinite(row.get("chisq", math.nan)):
        text += (
            f", chi-square({row['df']}) = {fixed(row['chisq'])}, CFI = {share(row['cfi'])}, RMSEA "
            f"= {share(row['rmsea'])}, SRMR = {share(row['srmr'])}"
        )
    if "loglik" in row:
        text += f", log-likelihood {fixed(row['loglik'])}"
    text += "".join(
        f", {word} {fixed(row[name])}" for name, word in _CRITERIA.items()
        if math.isfinite(row.get(name, math.nan))
    )  # fmt: skip
    if math.isfinite(row["d_df"]):
        test = _chi_square(row["d_chisq"], int(row["d_df"]), row["d_pvalue"], "difference ")
        text += f", {test}"
    return text


def _chi_square(value: float, df: int, p: float, start: str = "") -> str:
    word = f"{start}chi-square" if start else "Chi-square"
    return f"{word}({df}) = {fixed(value)}, p {p_value(p, '= ')}"


def _restrictions(p: float) -> str:
    if p < ALPHA:
        return "the restrictions of the smaller model were rejected at .05"
    return "no misfit of the smaller model was found, which does not show its restrictions to hold"


def _criteria(criteria: pd.DataFrame) -> Iterable[str]:
    first, second = criteria.to_dict("records")
    parts = [
        f"{word} was {fixed(first[name])} of the first model and {fixed(second[name])} of the "
        "second"
        for name, word in _CRITERIA.items()
        if name in first and math.isfinite(first[name])
    ]
    if parts:
        yield f"{listed(parts)} (lower is better; they have no interval)."


def _vuong(test: NonNestedFits | IRTComparison) -> str:
    start = f"Vuong's z = {fixed(test.z)}, p {p_value(test.z_pvalue, '= ')}"
    if not math.isfinite(test.variance_pvalue):
        return f"{start}; whether the models can be distinguished at all could not be tested."
    alike = f"p {p_value(test.variance_pvalue, '= ')} of models that cannot be distinguished"
    if test.variance_pvalue >= ALPHA:
        return f"{start}, {alike}: the data do not distinguish the models, and z decides nothing."
    if test.z_pvalue >= ALPHA:
        return f"{start}, {alike}: neither model was found to be nearer to the truth."
    nearer = "first" if test.z > 0 else "second"
    return f"{start}, {alike}: the {nearer} model is nearer to the truth at .05."
