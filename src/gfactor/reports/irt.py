"""The page of an item response model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.irt.brokenitems import BrokenItems
from gfactor.psychometrics.irt.curves import log_probabilities
from gfactor.psychometrics.irt.dif import DIF
from gfactor.psychometrics.irt.explanatory import DesignFit
from gfactor.psychometrics.irt.itemfit import item_fit, observed_points, person_fit, q3
from gfactor.psychometrics.irt.overallfit import OverallFit, overall_fit
from gfactor.psychometrics.irt.request import MODELS
from gfactor.psychometrics.irt.result import IRTFit
from gfactor.psychometrics.irt.scores import test_information as information_at
from gfactor.reports.analysis import AnalysisReport
from gfactor.reports.figure import Figure, drawing_style
from gfactor.reports.gallery import Sample
from gfactor.reports.irt_figures import (
    curve_items,
    dif_effects,
    difficulty_by_design,
    information_figure,
    item_curves,
    wright_map,
)
from gfactor.reports.table import Table

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
MOST_PAIRS = 1_000
"""Items up to whose number residual correlations of pairs are computed for the page."""
_PAIRS = 20
_MOST_LABELS = 60
_GRAVITY = {"error": 0, "warning": 1, "note": 2}


def irt_report(
    fit: IRTFit,
    broken: BrokenItems | None = None,
    dif: DIF | None = None,
    explained: DesignFit | None = None,
    *,
    data: str = "",
    samples: Sequence[Sample] = (),
) -> AnalysisReport:
    """Tables, figures and sentences of a fitted item response model.

    Parameters
    ----------
    fit : IRTFit
        The model.
    broken, dif, explained : BrokenItems, DIF, DesignFit or None
        Shown where given.
    data : str
        What the responses are called, for the head of the page.
    samples : sequence of Sample
        Items as they were shown, with replies (`gfactor.reports.gallery.item_sample`), for instance
        those that are broken.

    Returns
    -------
    AnalysisReport
        For `gfactor.reports.write_analysis`. Models of several abilities have tables only.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    """
    said = list(fit.diagnostics)
    for part in (broken, dif, explained):
        known = {(one.code, one.sentence) for one in said}
        said += [d for d in (part.diagnostics if part else ()) if (d.code, d.sentence) not in known]
    tables, overall = _tables(fit, broken, dif, explained, said)
    with drawing_style():
        figures = _figures(fit, broken, dif, explained, tables)
    return AnalysisReport(
        "Item response model",
        tuple(fact for fact in _facts(fit, overall, data) if fact[1]),
        tuple(said),
        figures,
        tables,
        _methods(fit, broken),
        REFERENCES,
        _findings(fit, broken, dif, explained, tables),
        tuple(samples),
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
        ("Search", f"largest gradient {fit.optimum.gradient:.0e}"
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
    said: list[Diagnostic],
) -> tuple[dict[str, Table], OverallFit | None]:  # fmt: skip
    one = fit.likelihood.model.factors == 1
    tables: dict[str, Table] = {}
    if broken is not None and len(broken.table):
        tables["broken_items"] = _broken_table(broken)
    tables["items"] = _item_table(fit)
    if len(fit.thresholds):
        tables["thresholds"] = Table(
            "Thresholds", _interval(_once(fit, fit.thresholds), "b", "se"),
            headings={"k": "category", "b": "threshold"}, decimals=3, folded=True,
        )  # fmt: skip
    if dif is not None:
        tables["dif"] = _dif_table(dif)
    if explained is not None:
        tables["design"] = _design_table(explained)
        tables["difficulty_by_design"] = _predicted_table(explained)
    overall = _fit_tables(fit, tables, said)
    tables["persons"] = _person_table(fit)
    if one:
        tables["information"] = _information_table(fit)
        order = _drawn_items(fit, broken)[0]
        theta = np.linspace(*_reach(tables["persons"].frame), 81)
        tables["observed_points"] = Table(
            "Observed shares and what the model expects", observed_points(fit, order),
            percent=("share", "expected"), folded=True,
        )  # fmt: skip
        tables["item_curves"] = Table(
            "Fitted curves", _curves(fit, order, theta), decimals=3, folded=True
        )
    else:
        tables["parameters"] = Table(
            "Parameters, slope-intercept form", _interval(fit.parameters, "estimate", "se"),
            decimals=3, folded=True,
        )  # fmt: skip
    tables["latent"] = Table(
        "Distribution of ability", _interval(fit.latent, "estimate", "se"),
        notes=("No standard error: fixed.",), decimals=3, folded=True,
    )  # fmt: skip
    return tables, overall


def _interval(frame: pd.DataFrame, name: str, se: str) -> pd.DataFrame:
    """The frame with 95 % intervals beside a column."""
    value, error = frame[name].astype(float), frame[se].astype(float)
    at = list(frame.columns).index(name) + 1
    found = frame.copy()
    found.insert(at, f"{name}_low", value - 1.96 * error)
    found.insert(at + 1, f"{name}_high", value + 1.96 * error)
    return found


def _once(fit: IRTFit, frame: pd.DataFrame) -> pd.DataFrame:
    """Rows of several groups, each once where all groups share the parameters."""
    if "group" not in frame:
        return frame
    rest = [name for name in frame.columns if name not in ("group", "n")]
    found = frame.loc[~frame.round(12).duplicated(rest).to_numpy(bool)]
    alike = found.groupby("item", sort=False)["group"].transform("nunique") == 1
    several = len(fit.likelihood.model.groups) > 1
    found = found.assign(group=found["group"].where(~alike, "all" if several else ""))
    return found.drop(columns="group") if bool(alike.all()) else found


def _item_table(fit: IRTFit) -> Table:
    frame = _once(fit, fit.items)
    for name in ("a", "b", "c", "d"):
        frame = _interval(frame, name, f"se_{name}").drop(columns=f"se_{name}")
    for name, bare in (("c", 0.0), ("d", 1.0)):
        if np.all(np.nan_to_num(frame[name].to_numpy(float), nan=bare) == bare):
            frame = frame.drop(columns=[name, f"{name}_low", f"{name}_high"])
    several = fit.likelihood.model.factors > 1
    return Table(
        "Items",
        frame.reset_index(drop=True),
        headings={
            "a": "discrimination", "b": "difficulty", "c": "lower asymptote",
            "d": "upper asymptote", "n": "responses",
        },
        notes=(
            "95 % intervals; none where a parameter is fixed. Difficulty: the ability at which the "
            "curve is halfway between its asymptotes; with more than two categories, the mean of "
            "the thresholds."
            + (" Discrimination: the length of the vector of slopes." * several),
        ),
        decimals=3,
    )  # fmt: skip


def _broken_table(broken: BrokenItems) -> Table:
    return Table(
        "Items with something wrong",
        broken.table.assign(reason=broken.table["reason"].str.replace("_", " ")),
        headings={"with_item": "with", "p_adjusted": "adjusted p"},
        notes=(
            "Statistic: slope (Rasch models: correlation with the rest of the test), expected "
            "share of the score, Q3, S-X2, outfit, or difference of abilities. p holds for all "
            "items (or pairs) together.",
        ),
        decimals=3,
        p_values=("p_adjusted",),
    )


def _dif_table(dif: DIF) -> Table:
    frame = dif.table.reset_index()
    for name in ("signed", "delta"):
        frame = _interval(frame, name, f"{name}_se").drop(columns=f"{name}_se")
    if frame["delta"].isna().all():
        frame = frame.drop(columns=["delta", "delta_low", "delta_high", "ets_class"])
    return Table(
        f"Differential item functioning: {dif.groups[0]} (reference), {dif.groups[1]} (focal)",
        frame,
        headings={
            "p_adjusted": "adjusted p", "signed": "signed effect", "unsigned": "unsigned effect",
            "ets_class": "ETS class", "delta": "delta",
        },
        notes=(
            f"{dif.method.capitalize()} tests, p adjusted by Benjamini and Hochberg. Effects: mean "
            "difference of expected scores (focal less reference) over the focal group's "
            "abilities, and its absolute value; delta: 2.35 times that of the log odds.",
        ),
        decimals=3,
        p_values=("p", "p_adjusted"),
    )  # fmt: skip


def _design_table(explained: DesignFit) -> Table:
    return Table(
        "Effects of the design on difficulty",
        _interval(explained.effects, "estimate", "se"),
        headings={"lltm": "without error", "lltm_se": "its SE", "se": "SE"},
        notes=(
            f"With error (items scatter around the design by tau = {explained.tau:.2f} logits); "
            "beside it the linear logistic test model, without.",
        ),
        decimals=3,
    )


def _predicted_table(explained: DesignFit) -> Table:
    items = explained.rasch.items
    design: Any = explained.lltm.request.design
    frame = _interval(items[["item", "b", "se_b"]], "b", "se_b").drop(columns="se_b")
    frame["predicted"] = design @ explained.effects["estimate"].to_numpy(float)
    return Table("Difficulties and what the design predicts", frame, decimals=3, folded=True)


def _fit_tables(
    fit: IRTFit, tables: dict[str, Table], said: list[Diagnostic]
) -> OverallFit | None:
    """Fit of items, of the whole and of pairs, as far as they exist."""
    overall = None
    try:
        overall = overall_fit(fit)
        rows = [(name, value) for name, value in asdict(overall).items() if name != "statistic"]
        rows[0] = (overall.statistic, overall.m2)
        tables["fit"] = Table(
            "Fit of the model", pd.DataFrame(rows, columns=["measure", "value"]).astype(
                {"value": float}), decimals=4, folded=True,
        )  # fmt: skip
    except (ParameterError, np.linalg.LinAlgError) as error:
        why = str(error) if isinstance(error, ParameterError) else "its matrix is singular"
        said.append(Diagnostic(
            "no_m2", "note", f"M2 was not computed: {why}.",
            "Read the fit of items and pairs.",
        ))  # fmt: skip
    try:
        found = item_fit(fit).reset_index()
    except ParameterError as error:
        said.append(Diagnostic(
            "no_item_fit", "note", f"Item fit was not computed: {error}.",
            "Fit one factor to one group for it.",
        ))  # fmt: skip
        return overall
    if found["s_x2"].isna().all():
        found = found[["item", "infit", "outfit"]]
    tables["item_fit"] = Table(
        "Fit of items", found,
        headings={"s_x2": "S-X2", "s_x2_df": "df", "s_x2_p": "p"},
        notes=(
            "Infit and outfit are mean squares at EAP abilities, 1 where the model holds; S-X2 "
            "needs complete responses to items with two categories; p is not adjusted.",
        ),
        decimals=3, p_values=("s_x2_p",), folded=True,
    )  # fmt: skip
    if len(fit.table.items) <= MOST_PAIRS and fit.n_persons >= 10:
        tables["residual_correlations"] = _pair_table(fit)
    return overall


def _pair_table(fit: IRTFit) -> Table:
    matrix = q3(fit).to_numpy()
    i, j = np.triu_indices(len(matrix), 1)
    values = matrix[i, j]
    mean = float(np.nanmean(values)) if np.isfinite(values).any() else 0.0
    order = np.argsort(-np.nan_to_num(np.abs(values - mean)), kind="stable")[:_PAIRS]
    names = fit.table.items
    return Table(
        "Pairs of items with the largest residual correlations (Q3)",
        pd.DataFrame({
            "item": [names[k] for k in i[order]], "with": [names[k] for k in j[order]],
            "q3": values[order],
        }),
        headings={"q3": "Q3"},
        notes=(f"The {_PAIRS} furthest from the mean of all pairs, {mean:.3f}.",),
        decimals=3, folded=True,
    )  # fmt: skip


def _person_table(fit: IRTFit) -> Table:
    eap = fit.scores("eap")
    groups = fit.likelihood.model.groups
    frame = pd.DataFrame({"examinee": list(eap.index)})
    if len(groups) > 1:
        frame["group"] = [groups[g].name for g in fit.likelihood.data.group]
    names = ["theta"] if fit.likelihood.model.factors == 1 else [
        name for name in eap.columns if not str(name).endswith("_se")
    ]  # fmt: skip
    for name in names:
        se = eap["se" if name == "theta" else f"{name}_se"].to_numpy(float)
        value = eap[name].to_numpy(float)
        frame[name], frame[f"{name}_low"], frame[f"{name}_high"] = (
            value, value - 1.96 * se, value + 1.96 * se,
        )  # fmt: skip
        frame["se" if name == "theta" else f"{name}_se"] = se
    if names == ["theta"]:
        wle = fit.scores("wle")
        frame["wle"], frame["wle_se"] = wle["theta"].to_numpy(), wle["se"].to_numpy()
        if len(groups) == 1:
            found = person_fit(fit)
            frame["zh"], frame["outfit"] = found["zh"].to_numpy(), found["outfit"].to_numpy()
        frame = frame.sort_values("theta", ascending=False, kind="stable")
    return Table(
        "Examinees",
        frame.reset_index(drop=True),
        headings={"theta": "ability (EAP)", "se": "SE", "wle": "WLE", "wle_se": "SE of WLE",
                  "zh": "Zh"},
        notes=(
            "EAP: mean of the posterior, shrunk to the population; WLE: Warm's weighted likelihood. "
            "Zh far below 0: answers that the model does not expect.",
        ),
        decimals=3,
    )  # fmt: skip


def _reach(persons: pd.DataFrame) -> tuple[float, float]:
    """Abilities that curves are drawn over: the examinees' and their intervals."""
    ends = persons[["theta_low", "theta_high"]].to_numpy(float)
    ends = ends[np.isfinite(ends)]
    low, high = (float(ends.min()), float(ends.max())) if len(ends) else (-3.0, 3.0)
    return min(low, -2.0), max(high, 2.0)


def _information_table(fit: IRTFit) -> Table:
    values = fit.optimum.at.values
    low, high = _reach(_person_table(fit).frame)
    theta = np.arange(np.floor(low * 10) / 10, high + 0.1, 0.1).round(1)
    groups = fit.likelihood.model.groups
    parts = []
    for group in groups:
        at = information_at(group.blocks, values, theta)
        same = parts and np.allclose(at, parts[0]["information"])
        if not same:
            with np.errstate(divide="ignore"):
                parts.append(pd.DataFrame({
                    "group": group.name, "theta": theta, "information": at, "se": 1 / np.sqrt(at),
                }))  # fmt: skip
    frame = pd.concat(parts, ignore_index=True)
    if len(parts) == 1 and len(groups) > 1:
        frame["group"] = "all"
    return Table(
        "Test information and conditional standard error", frame, decimals=3, folded=True,
        headings={"se": "SE"},
    )  # fmt: skip


def _curves(fit: IRTFit, items: Sequence[str], theta: Any) -> pd.DataFrame:
    """Probabilities of every category but the lowest; of further groups where they differ."""
    parts, first = [], {}
    values = fit.optimum.at.values
    for item in items:
        at = fit.table.items.index(item)
        for group in fit.likelihood.model.groups:
            block = next(b for b in group.blocks if at in b.columns)
            own = values[block.index[list(block.columns).index(at)]]
            if item in first and np.array_equal(first[item], own):
                continue
            first.setdefault(item, own)
            p = np.exp(log_probabilities(block.kind, own[None], theta[:, None], block.categories))
            parts += [
                pd.DataFrame({
                    "group": group.name, "item": item, "category": fit.table.scores[at][k],
                    "theta": theta, "probability": p[0, k],
                }) for k in range(1, block.categories)
            ]  # fmt: skip
    return pd.concat(parts, ignore_index=True)


def _gravity(broken: BrokenItems | None) -> dict[str, int]:
    """Items with something wrong, by how grave it is."""
    found: dict[str, int] = {}
    for said in broken.diagnostics if broken else ():
        for item in said.where:
            found[item] = min(found.get(item, 9), _GRAVITY[said.severity])
    return found


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
        wrong = [name for name, place in grave.items() if place < _GRAVITY["note"]]
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
    rows = _interval(frame, name, f"{name}_se").rename(columns={
        name: "effect", f"{name}_low": "effect_low", f"{name}_high": "effect_high",
    })  # fmt: skip
    if not delta:
        rows["ets_class"] = ""
    return dif_effects(rows, dif.groups, ("dif",))


def _findings(
    fit: IRTFit, broken: BrokenItems | None, dif: DIF | None, explained: DesignFit | None,
    tables: dict[str, Table],
) -> tuple[str, ...]:  # fmt: skip
    said = []
    if "information" in tables:
        curve, persons = tables["information"].frame, tables["persons"].frame
        curve = curve.loc[(curve["group"] == curve["group"].iloc[0]).to_numpy(bool)]
        best = curve.iloc[int(curve["information"].to_numpy().argmax())]
        error = np.interp(persons["theta"], curve["theta"], curve["se"])
        share = float(np.mean(error > 0.5))
        said.append(
            f"The test measures best at {best['theta']:.1f} logits (standard error "
            f"{best['se']:.2f}); {100 * share:.0f} % of {len(persons):,} examinees lie where the "
            "standard error is above 0.5."
        )
    if broken is not None:
        said.append(broken.title + ".")
    if dif is not None:
        classes = dif.table["ets_class"].value_counts()
        large = ", ".join(f"{classes[c]} of class {c}" for c in ("B", "C") if c in classes)
        said.append(dif.title + (f"; {large}." if large else "."))
    if explained is not None:
        said.append(explained.title + ".")
    return tuple(said)


def _methods(fit: IRTFit, broken: BrokenItems | None) -> tuple[str, ...]:
    grid = fit.likelihood.quadrature
    said = [
        f"Marginal maximum likelihood over {grid.points} nodes of ability from {-grid.limit:g} to "
        f"{grid.limit:g}; accelerated EM, then Newton steps with the observed information.",
        f"Standard errors: {fit.errors}; those of difficulties by the delta method.",
    ]
    if fit.request.priors:
        priors = "; ".join(
            f"{name} {density}({first:g}, {second:g})"
            for name, (density, first, second) in fit.request.priors.items()
        )
        said.append(f"Priors: {priors}.")
    if fit.table.left_out:
        said.append(f"{len(fit.table.left_out):,} items do not vary and are not in the model.")
    if broken is not None:
        said.append(
            f"Dependence of pairs and outfit are compared with {broken.simulations} tables "
            "simulated from the model." if broken.simulations else
            "Dependence of pairs and outfit were not tested: no tables were simulated."
        )  # fmt: skip
    if fit.likelihood.model.factors > 1:
        said.append("The Wright map and item curves are drawn for models of one ability.")
    return tuple(said)
