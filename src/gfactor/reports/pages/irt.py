"""The page of an item response model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gfactor.items import ItemBank
from gfactor.numbers_in_text import p_value
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.irt.checks.brokenitems import BrokenItems
from gfactor.psychometrics.irt.checks.differential import DIF
from gfactor.psychometrics.irt.checks.overallfit import OverallFit
from gfactor.psychometrics.irt.estimation.sampled_search import SampledOptimum
from gfactor.psychometrics.irt.item_tables import ability_unit
from gfactor.psychometrics.irt.models.explanatory import DesignFit
from gfactor.psychometrics.irt.request import MODELS
from gfactor.psychometrics.irt.result import IRTFit
from gfactor.psychometrics.rounding import magnitude
from gfactor.reports.answers.samples import SampledItem, ShownReply, shown_parts
from gfactor.reports.drawing.canvas import drawing_style
from gfactor.reports.pages.analysis import AnalysisReport
from gfactor.reports.pages.irt_plots import (
    Drawn,
    design_figures,
    dif_figures,
    figures_of_model,
    gravity,
)
from gfactor.reports.pages.irt_tables import (
    broken_table,
    design_table,
    dif_table,
    fit_tables,
    item_table,
    other_tables,
    predicted_table,
    threshold_table,
    with_interval,
)
from gfactor.reports.table_registry import Table
from gfactor.results import Result

REFERENCES = (
    "Bock, R. D., Aitkin, M. (1981). Marginal maximum likelihood estimation of item parameters. "
    "Psychometrika 46, 443-459.",
    "Wright, B. D., Stone, M. H. (1979). Best test design. MESA Press. (the map)",
    "Orlando, M., Thissen, D. (2000). Likelihood-based item-fit indices for dichotomous item "
    "response theory models. Applied Psychological Measurement 24, 50-64.",
    "Adams, R. J., Wu, M. L. (2007). The mixed-coefficients multinomial logit model. In von "
    "Davier, M., Carstensen, C. H. (eds.), Multivariate and Mixture Distribution Rasch Models, "
    "57-75. Springer. (infit, outfit)",
    "Maydeu-Olivares, A., Joe, H. (2006). Limited information goodness-of-fit testing in "
    "multidimensional contingency tables. Psychometrika 71, 713-732.",
    "Warm, T. A. (1989). Weighted likelihood estimation of ability in item response theory. "
    "Psychometrika 54, 427-450.",
    "Zwick, R. (2012). A review of ETS differential item functioning assessment procedures. "
    "ETS RR-12-08.",
)
SAMPLES = 24
"""Broken items that are shown with their pictures and replies."""
_MARKS = {True: "right", False: "wrong"}
"""Marks of scores, 1 and 0 being equal to these keys."""


def irt_report(
    fit: IRTFit,
    broken: BrokenItems | None = None,
    more: Mapping[str, Result] | None = None,
    *,
    data: str = "",
    bank: ItemBank | None = None,
) -> AnalysisReport:
    """Return tables, figures and sentences of a fitted item response model.

    Parameters
    ----------
    fit : IRTFit
        The model.
    broken : BrokenItems or None
        Its broken items; if they have `replies`, these are shown item by item.
    more : mapping of name to Result, or None
        Further results of the same responses: a `DIF` and a `DesignFit` get a figure of their own,
        of others the tables are shown.
    data : str
        Name of the responses, for the head of the page.
    bank : ItemBank or None
        Bank with the pictures and texts of broken items.

    Returns
    -------
    AnalysisReport
        For `gfactor.reports.write_analysis`. Models of several abilities have tables only.
    """
    more = more or {}
    dif = next((one for one in more.values() if isinstance(one, DIF)), None)
    explained = next((one for one in more.values() if isinstance(one, DesignFit)), None)
    diagnostics = list(fit.diagnostics)
    for part in (broken, *more.values()):
        present = {(one.code, one.sentence) for one in diagnostics}
        diagnostics += [
            d for d in (part.diagnostics if part else ()) if (d.code, d.sentence) not in present
        ]
    tables, overall = _tables(drawn := Drawn(fit, broken), dif, explained, diagnostics)
    tables |= other_tables({n: r for n, r in more.items() if r not in (dif, explained)})
    drawers = figures_of_model(drawn)
    drawers |= {} if dif is None else dif_figures(dif)
    drawers |= {} if explained is None else design_figures(explained)
    with drawing_style():
        figures = {name: draw() for name, draw in drawers.items()}
    return AnalysisReport(
        "Item response model",
        tuple(fact for fact in _facts(fit, overall, data) if fact[1]),
        tuple(diagnostics),
        figures,
        tables,
        _methods(fit, broken),
        REFERENCES,
        _findings(fit, broken, more, tables),
        _samples(broken, bank),
    )


def _facts(fit: IRTFit, overall: OverallFit | None, data: str) -> list[tuple[str, str]]:
    model = fit.request.model
    reliability = ", ".join(
        f"{name} {value:.2f}" for name, value in fit.reliability.items() if np.isfinite(value)
    )
    groups = fit.likelihood.model.groups
    return [
        ("Data", data),
        ("Model", f"{model}: {MODELS[model]}" if isinstance(model, str) else "mixed by item"),
        ("Examinees", f"{fit.n_persons:,}" + f" in {len(groups)} groups" * (len(groups) > 1)),
        ("Items", f"{len(fit.table.items):,}"),
        ("Parameters", f"{fit.n_free:,}"),
        ("Log-likelihood", f"{fit.loglik:.3f} (AIC {fit.aic:.1f}, BIC {fit.bic:.1f})"
         + ("" if fit.loglik_error is None else f", Monte Carlo error {fit.loglik_error:.2f}")),
        ("Search", _search(fit) + ("" if fit.converged else ", not converged")),
        ("Standard errors", fit.errors),
        ("Reliability", reliability),
        ("Fit", "" if overall is None else
         f"{overall.statistic} {overall.m2:.1f}, df {overall.df}, p "
         f"{p_value(overall.p, '= ')}; RMSEA2 "
         f"{overall.rmsea2:.3f} [{overall.rmsea2_lower:z.3f}, {overall.rmsea2_upper:z.3f}], SRMSR "
         f"{overall.srmsr:.3f}, CFI {overall.cfi:.3f}, TLI {overall.tli:.3f}; "
         f"from the {overall.n:,} who answered every item"),
    ]  # fmt: skip


def _search(fit: IRTFit) -> str:
    if isinstance(fit.optimum, SampledOptimum):
        return f"one more step would raise the log-likelihood by {fit.optimum.gain:.2g}"
    return f"largest gradient below {magnitude(fit.optimum.gradient, 1e-6):.0e}"


def _integration(fit: IRTFit) -> str:
    optimum, grid = fit.optimum, fit.likelihood.quadrature
    if isinstance(optimum, SampledOptimum):
        return (
            "Marginal maximum likelihood by Metropolis-Hastings Robbins-Monro ("
            f"{optimum.iterations} cycles; {100 * optimum.acceptance:.0f} % of proposals "
            "accepted), then "
            f"{optimum.newton_steps} Newton steps with the observed information by importance "
            "sampling, which also gives the log-likelihood."
        )
    return (
        f"Marginal maximum likelihood over {grid.points} nodes of ability from {-grid.limit:g} to "
        f"{grid.limit:g}; accelerated EM, then Newton steps with the observed information."
    )


def _tables(
    drawn: Drawn, dif: DIF | None, explained: DesignFit | None, diagnostics: list[Diagnostic]
) -> tuple[dict[str, Table], OverallFit | None]:
    fit, broken = drawn.fit, drawn.broken
    one = fit.likelihood.model.factors == 1
    tables: dict[str, Table] = {}
    if broken is not None and len(broken.table):
        tables["broken_items"] = broken_table(broken)
    tables["items"] = item_table(fit)
    if len(fit.thresholds):
        tables["thresholds"] = threshold_table(fit)
    if dif is not None:
        tables["dif"] = dif_table(dif)
    if explained is not None:
        tables["design"] = design_table(explained)
        tables["difficulty_by_design"] = predicted_table(explained)
    overall = fit_tables(fit, tables, diagnostics)
    tables["persons"] = drawn.persons
    if one:
        tables["information"] = drawn.information
        tables["test_curve"] = drawn.test_curve
        tables["observed_points"] = drawn.observed_points
        tables["item_curves"] = drawn.item_curves
    else:
        tables["parameters"] = Table(
            "Parameters, slope-intercept form", with_interval(fit.parameters, "estimate", "se"),
            decimals=3, folded=True,
        )  # fmt: skip
    tables["latent"] = Table(
        "Distribution of ability", with_interval(fit.latent, "estimate", "se"),
        notes=("No standard error: fixed.",), decimals=3, folded=True,
    )  # fmt: skip
    return tables, overall


def _findings(
    fit: IRTFit, broken: BrokenItems | None, more: Mapping[str, Result], tables: dict[str, Table]
) -> tuple[str, ...]:
    sentences = []
    if "information" in tables:
        curve, persons = tables["information"].frame, tables["persons"].frame
        curve = curve.loc[(curve["group"] == curve["group"].iloc[0]).to_numpy(bool)]
        best = curve.iloc[int(curve["information"].to_numpy().argmax())]
        error = np.interp(persons["theta"], curve["theta"], curve["se"])
        share = float(np.mean(error > 0.5))
        sentences.append(
            f"The test measures best at {best['theta']:.1f} "
            f"{ability_unit(fit.likelihood.model)} (standard error {best['se']:.2f}); "
            f"{100 * share:.0f} % of {len(persons):,} examinees lie where the standard error is "
            "above 0.5."
        )
    if broken is not None:
        sentences.append(broken.title + ".")
    for result in more.values():
        text = result.title
        if isinstance(result, DIF):
            classes = result.table["ets_class"].value_counts()
            large = ", ".join(f"{classes[c]} of class {c}" for c in ("B", "C") if c in classes)
            text += f"; by size and tests that are not adjusted, {large}" * bool(large)
        sentences.append(f"{text}.")
    return tuple(sentences)


def _samples(broken: BrokenItems | None, bank: ItemBank | None) -> tuple[SampledItem, ...]:
    """Broken items whose replies are known, as they were shown, the most severe first."""
    if broken is None or broken.replies is None or broken.replies.empty:
        return ()
    grave = gravity(broken)
    names = dict.fromkeys(broken.replies["item"])
    chosen = sorted(names, key=lambda name: grave.get(str(name), 9))[:SAMPLES]
    matches = []
    for name in chosen:
        rows: Any = broken.replies[broken.replies["item"] == name]
        item_id = str(rows["item_id"].iloc[0])
        content = bank.item(item_id).content if bank is not None and item_id in bank else ()
        marks = [_MARKS.get(value, "") for value in rows["correct"]]
        matches.append(SampledItem(
            str(name), item_id, shown_parts(content, str(name)),
            (("what is wrong", str(rows["reasons"].iloc[0]).replace("_", " ")),
             ("key", str(rows["key"].iloc[0]))),
            tuple(ShownReply(str(who), str(text), mark) for who, text, mark in zip(
                rows["examinee"], rows["reply"], marks, strict=True)),
        ))  # fmt: skip
    return tuple(matches)


def _methods(fit: IRTFit, broken: BrokenItems | None) -> tuple[str, ...]:
    sentences = [
        _integration(fit),
        f"Standard errors: {fit.errors}; those of difficulties by the delta method.",
    ]
    if fit.request.priors:
        stated = fit.request.priors_in_words()
        priors = "; ".join(
            f"{name} {stated[name]}" if name in stated else f"none for {name}"
            for name in fit.request.priors
        )
        sentences.append(f"Priors: {priors}.")
    if fit.table.left_out:
        count = len(fit.table.left_out)
        sentences.append(
            "1 item does not vary and is not in the model." if count == 1
            else f"{count:,} items do not vary and are not in the model."
        )  # fmt: skip
    if broken is not None:
        sentences.append(
            f"Dependence of pairs and outfit are compared with {broken.simulations} tables "
            "simulated from the model." if broken.simulations else
            "Dependence of pairs and outfit were not tested: no tables were simulated."
        )  # fmt: skip
    if fit.likelihood.model.factors > 1:
        sentences.append("The Wright map and item curves are drawn for models of one ability.")
    return tuple(sentences)
