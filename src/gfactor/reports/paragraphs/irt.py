"""Sentences on an item response model."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from gfactor.errors import ParameterError
from gfactor.numbers_in_text import fixed, p_value, share
from gfactor.psychometrics.irt.checks.itemfit import item_fit
from gfactor.psychometrics.irt.checks.overallfit import OverallFit, overall_fit
from gfactor.psychometrics.irt.estimation.sampled_search import SampledOptimum
from gfactor.psychometrics.irt.result import IRTFit
from gfactor.reports.paragraphs.wording import (
    MOST_LISTED,
    Z,
    between,
    gaps,
    listed,
    share_between,
    software,
    span_of,
)
from gfactor.results import number_of


def sentences_on_irt(fit: IRTFit) -> Iterable[str]:
    model, request = fit.likelihood.model, fit.request
    named = request.model if isinstance(request.model, str) else "mixed"
    factors = "" if model.factors == 1 else f" with {model.factors} factors"
    groups = {one.name: int((fit.likelihood.data.group == g).sum())
              for g, one in enumerate(model.groups)}  # fmt: skip
    where = ""
    if len(groups) > 1:
        sizes = ", ".join(f"{name}: {count}" for name, count in groups.items())
        where = f" in {len(groups)} groups ({sizes})"
    search = "quadrature"
    if isinstance(fit.optimum, SampledOptimum):
        search = "the Metropolis-Hastings Robbins-Monro algorithm"
    with_prior = [f"{name}, {density}" for name, density in request.priors_in_words().items()]
    prior = f"; priors: {'; '.join(with_prior)}" if with_prior else ""
    yield (
        f"An item response model ({named}{factors}) was fitted to the answers of {fit.n_persons} "
        f"persons{where} to {number_of(len(fit.table.items), 'item')} by marginal maximum "
        f"likelihood ({search}{prior}) with {software()}; abilities were taken as normal."
    )
    missing = int((fit.table.codes < 0).sum())
    yield gaps(missing, fit.table.codes.size, "the likelihood is that of the observed ones")
    end = "converged" if fit.converged else "did not converge"
    yield (
        f"The search for the {number_of(fit.n_free, 'free parameter')} {end} at a log-likelihood "
        f"of {fixed(fit.loglik)}; AIC = {fixed(fit.aic)}, BIC = {fixed(fit.bic)}. Standard errors "
        f"are from the {ERRORS[fit.errors]}."
    )
    yield _irt_fit(fit)
    yield from _irt_items(fit)
    yield _irt_reliability(fit)


ERRORS = {
    "observed": "observed information", "sandwich": "sandwich estimator",
    "cluster": "cluster-robust estimator", "cluster-plain": "cluster-robust estimator",
}  # fmt: skip


def _irt_fit(fit: IRTFit) -> str:
    try:
        whole: OverallFit = overall_fit(fit)
    except (ParameterError, np.linalg.LinAlgError):
        return "A test of overall fit (M2) is not available for these data."
    text = (
        f"Fit: {whole.statistic}({whole.df}) = {whole.m2:.2f}, p {p_value(whole.p, '= ')}, RMSEA2 "
        f"= {share(whole.rmsea2)}, {share_between(whole.rmsea2_lower, whole.rmsea2_upper, 0.9, 3)}"
        f", SRMSR = {share(whole.srmsr)}, CFI = {share(whole.cfi)}, TLI = {share(whole.tli)} "
        f"({whole.n} persons with all answers)."
    )
    try:
        tests = item_fit(fit)["s_x2_p"].dropna()
    except ParameterError:
        return text
    if not len(tests):
        return text
    low = tests.to_numpy(float) < 0.05 / len(tests)
    bad = [str(name) for name in tests.index[low]]
    verdict = f"misfit of {listed(bad)}" if bad else "no misfit"
    return f"{text} S-X2 showed {verdict} at .05 divided by {number_of(len(tests), 'item')}."


def _irt_items(fit: IRTFit) -> Iterable[str]:
    items = fit.items
    if len(items) > MOST_LISTED:
        estimated = [name for name in "abcd" if f"se_{name}" in items
                     and np.isfinite(items[f"se_{name}"].to_numpy(float)).any()]  # fmt: skip
        words = {"a": "discriminations", "b": "difficulties", "c": "lower asymptotes",
                 "d": "upper asymptotes"}  # fmt: skip
        parts = [
            f"{words[name]} {span_of(items[name])} (standard errors {span_of(items[f'se_{name}'])})"
            for name in estimated
        ]
        yield f"Over items, {listed(parts)}; the table of items has each."
        return
    parts = []
    for row in items.to_dict("records"):
        group = row.get("group", "all")
        numbers = [_irt_number(row, name) for name in "abcd" if _is_estimated(row, name)]
        parts.append(f"{row['item']}{'' if group == 'all' else f' ({group})'} {', '.join(numbers)}")
    yield f"Items (discrimination a, difficulty b): {'; '.join(parts)}."


def _is_estimated(row: Mapping[str, Any], name: str) -> bool:
    return math.isfinite(float(row.get(f"se_{name}", math.nan)))


def _irt_number(row: Mapping[str, Any], name: str) -> str:
    middle, se = float(row[name]), float(row[f"se_{name}"])
    return f"{name} = {fixed(middle)} {between(middle - Z * se, middle + Z * se)}"


def _irt_reliability(fit: IRTFit) -> str:
    parts = [f"{name} {share(value, 2)}" for name, value in fit.reliability.items()]
    return f"Reliability of abilities: {listed(parts)}."
