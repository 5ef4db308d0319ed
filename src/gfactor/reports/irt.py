"""The page of an item response model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from gfactor.items import ItemBank
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.irt.brokenitems import BrokenItems
from gfactor.psychometrics.irt.differential import DIF
from gfactor.psychometrics.irt.explanatory import DesignFit
from gfactor.psychometrics.irt.itemfit import observed_points
from gfactor.psychometrics.irt.overallfit import OverallFit
from gfactor.psychometrics.irt.request import MODELS
from gfactor.psychometrics.irt.result import IRTFit
from gfactor.psychometrics.rounding import magnitude
from gfactor.reports.analysis import AnalysisReport
from gfactor.reports.drawing import drawing_style
from gfactor.reports.figure_registry import Figure
from gfactor.reports.irt_figures import (
    curve_items,
    dif_effects,
    difficulty_by_design,
    information_figure,
    item_curves,
)
from gfactor.reports.irt_tables import (
    broken_table,
    curve_frame,
    design_table,
    dif_table,
    fit_tables,
    information_table,
    item_table,
    other_tables,
    person_table,
    predicted_table,
    reach_of,
    threshold_table,
    with_interval,
)
from gfactor.reports.samples import Sample, ShownReply, shown_parts
from gfactor.reports.table_registry import Table
from gfactor.reports.wright_drawing import wright_map
from gfactor.results import Result

REFERENCES = (
    "Bock, R. D., Aitkin, M. (1981). Marginal maximum likelihood estimation of item parameters. "
    "Psychometrika 46, 443-459.",
    "Wright, B. D., Stone, M. H. (1979). Best test design. MESA Press. (the map)",
    "Orlando, M., Thissen, D. (2000). Likelihood-based item-fit indices for dichotomous item "
    "response theory models. Applied Psychological Measurement 24, 50-64.",
    "Maydeu-Olivares, A., Joe, H. (2006). Limited information goodness-of-fit testing in "
    "multidimensional contingency tables. Psychometrika 71, 713-732.",
    "Warm, T. A. (1989). Weighted likelihood estimation of ability in item response theory. "
    "Psychometrika 54, 427-450.",
    "Zwick, R. (2012). A review of ETS differential item functioning assessment procedures. "
    "ETS RR-12-08.",
)
_POINTS = 10
SAMPLES = 24
"""Broken items that are shown with their pictures and replies."""
_MARKS = {True: "right", False: "wrong"}
"""Marks of scores, 1 and 0 being equal to these keys."""
_MOST_LABELS = 60
_GRAVITY = {"error": 0, "warning": 1, "note": 2}


def irt_report(
    fit: IRTFit,
    broken: BrokenItems | None = None,
    more: Mapping[str, Result] | None = None,
    *,
    data: str = "",
    bank: ItemBank | None = None,
) -> AnalysisReport:
    """Tables, figures and sentences of a fitted item response model.

    Parameters
    ----------
    fit : IRTFit
        The model.
    broken : BrokenItems or None
        Its broken items; where they have `replies`, these are shown item by item.
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
    tables, overall = _tables(fit, broken, dif, explained, diagnostics)
    tables |= other_tables({n: r for n, r in more.items() if r not in (dif, explained)})
    with drawing_style():
        figures = _figures(fit, broken, dif, explained, tables)
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
        ("Log-likelihood", f"{fit.loglik:.3f} (AIC {fit.aic:.1f}, BIC {fit.bic:.1f})"),
        ("Search", f"largest gradient below {magnitude(fit.optimum.gradient, 1e-6):.0e}"
                   + ("" if fit.converged else ", not converged")),
        ("Standard errors", fit.errors),
        ("Reliability", reliability),
        ("Fit", "" if overall is None else
         f"{overall.statistic} {overall.m2:.1f}, df {overall.df}, p {overall.p:.3f}; RMSEA2 "
         f"{overall.rmsea2:.3f} [{overall.rmsea2_lower:.3f}, {overall.rmsea2_upper:.3f}], SRMSR "
         f"{overall.srmsr:.3f}, CFI {overall.cfi:.3f}, TLI {overall.tli:.3f}"),
    ]  # fmt: skip


def _tables(
    fit: IRTFit, broken: BrokenItems | None, dif: DIF | None, explained: DesignFit | None,
    diagnostics: list[Diagnostic],
) -> tuple[dict[str, Table], OverallFit | None]:  # fmt: skip
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
    tables["persons"] = person_table(fit)
    if one:
        reach = reach_of(tables["persons"].frame)
        tables["information"] = information_table(fit, reach)
        order, theta = _drawn_items(fit, broken)[0], np.linspace(*reach, 81)
        points = _POINTS if fit.table.categories.max() == 2 else _POINTS // 2
        tables["observed_points"] = Table(
            "Observed shares and what the model expects", observed_points(fit, order, points),
            percent=("share", "expected"), folded=True,
        )  # fmt: skip
        tables["item_curves"] = Table(
            "Fitted curves", curve_frame(fit, order, theta), decimals=3, folded=True
        )
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


def _gravity(broken: BrokenItems | None) -> dict[str, int]:
    """Items with something wrong, by severity."""
    matches: dict[str, int] = {}
    for diagnostic in broken.diagnostics if broken else ():
        for item in diagnostic.where:
            matches[item] = min(matches.get(item, 9), _GRAVITY[diagnostic.severity])
    return matches


def _drawn_items(fit: IRTFit, broken: BrokenItems | None) -> tuple[list[str], str]:
    items = fit.items.drop_duplicates("item")
    return curve_items(items, _gravity(broken))


def _figures(
    fit: IRTFit, broken: BrokenItems | None, dif: DIF | None, explained: DesignFit | None,
    tables: dict[str, Table],
) -> dict[str, Figure]:  # fmt: skip
    figures: dict[str, Figure] = {}
    if fit.likelihood.model.factors == 1:
        persons = tables["persons"].frame
        if "group" not in persons:
            persons = persons.assign(group="all")
        grave = _gravity(broken)
        wrong = [name for name, position in grave.items() if position < _GRAVITY["note"]]
        figures["wright_map"] = wright_map(
            persons, _map_rows(fit, tables), wrong,
            ("persons", "thresholds" if "thresholds" in tables else "items"),
        )  # fmt: skip
        order, note = _drawn_items(fit, broken)
        figures["item_curves"] = item_curves(
            tables["item_curves"].frame, tables["observed_points"].frame, order, wrong,
            ("item_curves", "observed_points"), note,
        )  # fmt: skip
        figures["information"] = information_figure(
            tables["information"].frame, persons, ("information", "persons")
        )
    if dif is not None:
        figures["dif"] = _dif_figure(dif)
    if explained is not None:
        figures["difficulty_by_design"] = difficulty_by_design(
            tables["difficulty_by_design"].frame, ("difficulty_by_design",)
        )
    return figures


def _map_rows(fit: IRTFit, tables: dict[str, Table]) -> pd.DataFrame:
    """A row for every item, or for every threshold where they are few enough to be named."""
    items = tables["items"].frame
    label = items["item"].astype(str)
    if "group" in items:
        label = label + np.where(items["group"] == "all", "", " (" + items["group"] + ")")
    rows = items[["item", "b"]].assign(label=label)
    if "thresholds" not in tables:
        return rows
    steps = tables["thresholds"].frame
    plain = rows.loc[~rows["item"].isin(steps["item"]).to_numpy(bool)]
    if len(plain) + len(steps) > _MOST_LABELS:
        return rows
    label = steps["item"].astype(str) + " · " + steps["k"].astype(str)
    return pd.concat([plain, steps[["item", "b"]].assign(label=label)], ignore_index=True)


def _dif_figure(dif: DIF) -> Figure:
    frame = dif.table.reset_index()
    delta = bool(frame["delta"].notna().all())
    name = "delta" if delta else "signed"
    rows = with_interval(frame, name, f"{name}_se").rename(columns={
        name: "effect", f"{name}_low": "effect_low", f"{name}_high": "effect_high",
    })  # fmt: skip
    if not delta:
        rows["ets_class"] = ""
    return dif_effects(rows, dif.groups, ("dif",))


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
            f"The test measures best at {best['theta']:.1f} logits (standard error "
            f"{best['se']:.2f}); {100 * share:.0f} % of {len(persons):,} examinees lie where the "
            "standard error is above 0.5."
        )
    if broken is not None:
        sentences.append(broken.title + ".")
    for result in more.values():
        text = result.title
        if isinstance(result, DIF):
            classes = result.table["ets_class"].value_counts()
            large = ", ".join(f"{classes[c]} of class {c}" for c in ("B", "C") if c in classes)
            text += f"; {large}" * bool(large)
        sentences.append(f"{text}.")
    return tuple(sentences)


def _samples(broken: BrokenItems | None, bank: ItemBank | None) -> tuple[Sample, ...]:
    """Broken items whose replies are known, as they were shown, the most severe first."""
    if broken is None or broken.replies is None or broken.replies.empty:
        return ()
    grave = _gravity(broken)
    names = dict.fromkeys(broken.replies["item"])
    chosen = sorted(names, key=lambda name: grave.get(str(name), 9))[:SAMPLES]
    matches = []
    for name in chosen:
        rows: Any = broken.replies[broken.replies["item"] == name]
        item_id = str(rows["item_id"].iloc[0])
        content = bank.item(item_id).content if bank is not None and item_id in bank else ()
        marks = [_MARKS.get(value, "") for value in rows["correct"]]
        matches.append(Sample(
            str(name), item_id, shown_parts(content, str(name)),
            (("what is wrong", str(rows["reasons"].iloc[0]).replace("_", " ")),
             ("key", str(rows["key"].iloc[0]))),
            tuple(ShownReply(str(who), str(text), mark) for who, text, mark in zip(
                rows["examinee"], rows["reply"], marks, strict=True)),
        ))  # fmt: skip
    return tuple(matches)


def _methods(fit: IRTFit, broken: BrokenItems | None) -> tuple[str, ...]:
    grid = fit.likelihood.quadrature
    sentences = [
        f"Marginal maximum likelihood over {grid.points} nodes of ability from {-grid.limit:g} to "
        f"{grid.limit:g}; accelerated EM, then Newton steps with the observed information.",
        f"Standard errors: {fit.errors}; those of difficulties by the delta method.",
    ]
    if fit.request.priors:
        priors = "; ".join(
            f"{name} {density}({first:g}, {second:g})"
            for name, (density, first, second) in fit.request.priors.items()
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
