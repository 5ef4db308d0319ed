"""Sentences on a latent class model."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from gfactor.numbers_in_text import fixed, p_value, share
from gfactor.psychometrics.class_effects import INTERCEPT
from gfactor.psychometrics.class_results import LatentClasses
from gfactor.reports.paragraphs.wording import (
    MOST_LISTED,
    gaps,
    limits_of,
    listed,
    range_of,
    software,
)
from gfactor.results import number_of

CASES_PER_PATTERN = 5
"""Cases per pattern of answers below which the p-value of G2 is not to be relied on."""


def sentences_on_classes(result: LatentClasses) -> Iterable[str]:
    yield (
        f"A latent class model of {number_of(result.n_classes, 'class', 'classes')} was fitted to "
        f"the answers of {number_of(result.n, 'case')} to {number_of(result.n_items, 'item')} by "
        f"maximum likelihood (EM and Newton steps) with {software()}; answers were taken as "
        "independent within classes."
    )
    if result.covariate_tests is not None:
        names = [str(name) for name in result.covariate_tests["covariate"]]
        yield (
            f"Membership in classes was regressed on {listed(names)} (multinomial logit), in one "
            "step with the classes."
        )
    yield gaps(
        result.missing, result.n * result.n_items, "the likelihood is that of the observed ones"
    )
    yield _search(result)
    yield _fit(result)
    if any(one.code == "not_identified" for one in result.diagnostics):
        yield "The data do not determine the estimates, so that none are reported."
        return
    if result.n_classes == 1:
        yield "There is one class, so that the model divides nobody and has no entropy."
    else:
        shares = [
            f"{row['class']} {share(row['share'], 2)}, {_interval(result, row)}"
            for row in result.shares.to_dict("records")
        ]
        yield (
            f"Shares of the classes: {'; '.join(shares)}. Relative entropy of the classification "
            f"was {share(result.entropy, 2)} (no interval)."
        )
    yield from _answers(result)
    yield from _effects(result)


def _effects(result: LatentClasses) -> Iterable[str]:
    if result.effects is None or result.covariate_tests is None or result.n_classes == 1:
        return
    rows = [row for row in result.effects.to_dict("records") if row["covariate"] != INTERCEPT]
    if len(rows) > MOST_LISTED:
        yield "The table of effects has each covariate's logits with intervals."
    else:
        parts = [
            f"{row['covariate']} on {row['class']} {fixed(row['estimate'])}, "
            f"{limits_of(row['ci_lower'], row['ci_upper'], result.level, fixed)}"
            for row in rows
        ]
        yield f"Effects on the logit of a class against class 1: {'; '.join(parts)}."
    tests = [
        f"{row['covariate']} chi-square({row['df']}) = {fixed(row['chisq'])}, p "
        f"{p_value(row['p'], '= ')}"
        for row in result.covariate_tests.to_dict("records")
    ]
    yield f"Wald tests over all classes: {'; '.join(tests)}."


def _search(result: LatentClasses) -> str:
    parameters = number_of(result.n_parameters, "free parameter")
    criteria = (
        f"log-likelihood {fixed(result.log_likelihood)}, AIC {fixed(result.aic)}, BIC "
        f"{fixed(result.bic)}, sample-size adjusted BIC {fixed(result.sabic)}"
    )
    if result.n_classes == 1:
        return f"The model has {parameters}: {criteria}."
    followed = min(result.starts, 5)
    return (
        f"The model has {parameters}; of {number_of(result.starts, 'random start')} the best "
        f"{followed} were followed to their end, and {result.replicated} reached the best "
        f"solution: {criteria}."
    )


def _fit(result: LatentClasses) -> str:
    if result.g2 is None or result.p is None:
        reason = "values are missing" if result.missing else "there are no degrees of freedom"
        if result.covariate_tests is not None:
            reason = "classes depend on covariates"
        return f"There is no test of fit, as {reason}."
    each = result.n / (result.df + 1 + result.n_parameters)
    text = f"Fit: G2({result.df}) = {fixed(result.g2)}, p {p_value(result.p, '= ')}"
    if each < CASES_PER_PATTERN:
        return (
            f"{text}; with {each:.2g} cases per pattern of answers its p-value is not to be "
            "relied on."
        )
    return (
        f"{text}: {'the model is rejected at .05' if result.p < 0.05 else 'no misfit was found'}."
    )


def _answers(result: LatentClasses) -> Iterable[str]:
    table = result.probabilities
    answers: dict[str, set[Any]] = {}
    for row in table.to_dict("records"):
        answers.setdefault(row["item"], set()).add(row["category"])
    # Of two answers one is enough: the other has the rest of the probability.
    rows: list[dict[Any, Any]] = [
        row for row in table.to_dict("records")
        if len(answers[row["item"]]) > 2 or row["category"] == max(answers[row["item"]])
    ]  # fmt: skip
    if len(rows) > MOST_LISTED:
        yield (
            f"Probabilities of {_which(answers)} in the classes were "
            f"{range_of(row['probability'] for row in rows)}; the table of probabilities has each "
            "with its interval."
        )
        return
    parts = [
        f"{row['item']} = {row['category']} in {row['class']} {share(row['probability'], 2)}, "
        f"{_interval(result, row)}"
        for row in rows
    ]
    yield f"Probabilities of answers: {'; '.join(parts)}."
    edge = [row for row in rows if not 0 < row["probability"] < 1]
    if edge:
        yield (
            f"At the border are {listed(sorted({str(row['item']) for row in edge}))}: their "
            "intervals are exact limits for the cases in the class."
        )


def _which(answers: Mapping[str, set[Any]]) -> str:
    """Return of which answers the probabilities are given: of two, of the higher one."""
    higher = {max(values) for values in answers.values() if len(values) == 2}
    if not higher:
        return "the answers"
    named = f"the answer {higher.pop()}" if len(higher) == 1 else "the higher of two answers"
    several = any(len(values) > 2 for values in answers.values())
    return f"{named} (of items with more answers, of each)" if several else named


def _interval(result: LatentClasses, row: dict[Any, Any]) -> str:
    return limits_of(
        row["ci_lower"], row["ci_upper"] if math.isfinite(row["se"]) else math.nan, result.level,
        lambda end: share(end, 2),
    )  # fmt: skip
