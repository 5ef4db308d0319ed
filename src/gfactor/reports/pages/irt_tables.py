"""Tables of the page of an item response model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError
from gfactor.frames import pick
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.irt.checks.brokenitems import BrokenItems
from gfactor.psychometrics.irt.checks.differential import DIF
from gfactor.psychometrics.irt.checks.itemfit import item_fit, person_fit, q3, s_x2_note
from gfactor.psychometrics.irt.checks.overallfit import OverallFit, overall_fit, remedy_without_m2
from gfactor.psychometrics.irt.item_tables import without_bare_asymptotes
from gfactor.psychometrics.irt.likelihood.curves import log_probabilities
from gfactor.psychometrics.irt.models.explanatory import DesignFit
from gfactor.psychometrics.irt.result import IRTFit
from gfactor.psychometrics.irt.scores.abilities import test_information as information_at
from gfactor.reports.table_registry import Table
from gfactor.results import Result

MOST_PAIRS = 1_000
"""Items up to whose number residual correlations of pairs are computed for the page."""
_PAIRS = 20


def with_interval(frame: pd.DataFrame, name: str, se: str) -> pd.DataFrame:
    """Return the frame with 95 % intervals beside a column."""
    value, error = frame[name].astype(float), frame[se].astype(float)
    at = list(frame.columns).index(name) + 1
    matches = frame.copy()
    matches.insert(at, f"{name}_low", value - 1.96 * error)
    matches.insert(at + 1, f"{name}_high", value + 1.96 * error)
    return matches


def item_table(fit: IRTFit) -> Table:
    """Return discrimination, difficulty and asymptotes with 95 % intervals."""
    frame = without_bare_asymptotes(fit.items)
    for name in ("a", "b", "c", "d"):
        if name in frame:
            frame = with_interval(frame, name, f"se_{name}").drop(columns=f"se_{name}")
    several = fit.likelihood.model.factors > 1
    return Table(
        "Items", frame.reset_index(drop=True),
        headings={
            "a": "discrimination", "b": "difficulty", "c": "lower asymptote",
            "d": "upper asymptote", "n": "responses",
        },
        notes=(
            "95 % intervals; none if a parameter is fixed. Difficulty: the ability at which the "
            "curve is halfway between its asymptotes; with more than two categories, the mean of "
            "the thresholds."
            + (" Discrimination: the length of the vector of slopes." * several),
        ),
        decimals=3,
    )  # fmt: skip


def threshold_table(fit: IRTFit) -> Table:
    """Return thresholds of items with more than two categories, with 95 % intervals."""
    return Table(
        "Thresholds", with_interval(fit.thresholds, "b", "se"),
        headings={"k": "category", "b": "threshold"}, decimals=3, folded=True,
    )  # fmt: skip


def broken_table(broken: BrokenItems) -> Table:
    """Return items with a flaw, by name."""
    return Table(
        "Items with something wrong",
        broken.table.assign(reason=broken.table["reason"].str.replace("_", " ")),
        headings={"with_item": "with", "p_adjusted": "adjusted p"},
        notes=(
            "Freed slope: the slope that the item would have if it alone were free, as a multiple "
            "of the model's; share: the expected share of the score; correlation: of choosing the "
            "option with ability. p holds for all items (or pairs) together.",
        ),
        decimals=3,
        p_values=("p_adjusted",),
    )


def dif_table(dif: DIF) -> Table:
    """Return tests and effect sizes of every item between two groups."""
    frame = dif.table.reset_index()
    for name in [one for one in ("signed", "delta") if one in frame]:
        frame = with_interval(frame, name, f"{name}_se").drop(columns=f"{name}_se")
    if np.isnan(frame["delta"].to_numpy(float)).all():
        frame = frame.drop(columns=["delta", "delta_low", "delta_high", "ets_class"])
    return Table(
        f"Differential item functioning: {dif.groups[0]} (reference), {dif.groups[1]} (focal)",
        frame,
        headings={"p_adjusted": "adjusted p", "signed": "signed effect",
                  "unsigned": "unsigned effect", "ets_class": "ETS class", "delta": "delta"},
        notes=(
            f"{dif.method[0].upper()}{dif.method[1:]} tests, p adjusted by Benjamini and Hochberg. "
            + ("Delta: 2.35 times the difference of log odds at equal sum scores."
               if "signed" not in frame else
               "Effects: mean difference of expected scores (focal less reference) over the focal "
               "group's abilities, and its absolute value; delta: 2.35 times that of log odds."),
        ),
        decimals=3,
        p_values=("p", "p_adjusted"),
    )  # fmt: skip


def design_table(explained: DesignFit) -> Table:
    """Return effects of the design, with and without error."""
    return Table(
        "Effects of the design on difficulty",
        with_interval(explained.effects, "estimate", "se"),
        headings={"lltm": "without error", "lltm_se": "its SE", "se": "SE"},
        notes=(
            f"With error (items scatter around the design by tau = {explained.tau:.2f} logits); "
            "beside it the linear logistic test model, without.",
        ),
        decimals=3,
    )


def predicted_table(explained: DesignFit) -> Table:
    """Return every difficulty with its prediction by the design."""
    items = explained.rasch.items
    design: Any = explained.lltm.request.design
    frame = with_interval(pick(items, ["item", "b", "se_b"]), "b", "se_b").drop(columns="se_b")
    frame["predicted"] = design @ explained.effects["estimate"].to_numpy(float)
    return Table("Difficulties and what the design predicts", frame, decimals=3, folded=True)


def fit_tables(
    fit: IRTFit, tables: dict[str, Table], diagnostics: list[Diagnostic]
) -> OverallFit | None:
    """Return the tables of fit that exist: of items, of the whole test and of pairs."""
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
        diagnostics.append(Diagnostic(
            "no_m2", "note", f"M2 was not computed: {why}.",
            remedy_without_m2(fit),
        ))  # fmt: skip
    try:
        matches = item_fit(fit).reset_index()
    except ParameterError as error:
        diagnostics.append(Diagnostic(
            "no_item_fit", "note", f"Item fit was not computed: {error}.",
            "Fit one factor to one group for it.",
        ))  # fmt: skip
        return overall
    if np.isnan(matches["s_x2"].to_numpy(float)).all():
        matches = pick(matches, ["item", "infit", "outfit"])
    tables["item_fit"] = Table(
        "Fit of items", matches,
        headings={"s_x2": "S-X2", "s_x2_df": "df", "s_x2_p": "p", "s_x2_n": "persons"},
        notes=(
            "Infit and outfit: mean squares over the posterior of ability (Adams and Wu 2007), "
            "1 on average if the model holds; p is not adjusted.", *(s_x2_note(fit) or ())[1:],
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


def person_table(fit: IRTFit) -> Table:
    """Tabulate abilities with 95 % intervals and person fit, the highest ability first."""
    eap = fit.scores("eap")
    groups = fit.likelihood.model.groups
    frame = pd.DataFrame({"examinee": [str(name) for name in eap.index]})
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
            matches = person_fit(fit)
            frame["zh"], frame["outfit"] = matches["zh"].to_numpy(), matches["outfit"].to_numpy()
        frame = frame.sort_values("theta", ascending=False, kind="stable")
    return Table(
        "Examinees",
        frame.reset_index(drop=True),
        headings={"theta": "ability (EAP)", "se": "SE", "wle": "WLE", "wle_se": "SE of WLE",
                  "zh": "Zh"},
        notes=(
            "EAP: mean of the posterior, shrunk to the population; WLE: Warm's weighted "
            "likelihood. Zh far below 0: answers that the model does not expect. Outfit: at the "
            "EAP ability, below 1 on average if the model holds.",
        ),
        decimals=3,
    )  # fmt: skip


def reach_of(persons: pd.DataFrame) -> tuple[float, float]:
    """Return abilities over which curves are drawn, a range that covers the examinees and their
    intervals."""
    ends = persons[["theta_low", "theta_high"]].to_numpy(float)
    ends = ends[np.isfinite(ends)]
    low, high = (float(ends.min()), float(ends.max())) if len(ends) else (-3.0, 3.0)
    return min(low, -2.0), max(high, 2.0)


def information_table(fit: IRTFit, reach: tuple[float, float]) -> Table:
    """Tabulate information and standard error by ability, per group if groups differ."""
    values = fit.optimum.at.values
    low, high = reach
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


def curve_frame(fit: IRTFit, items: Sequence[str], theta: Any) -> pd.DataFrame:
    """Return probabilities of all categories but the lowest, for each group that differs."""
    parts, first = [], {}
    values = fit.optimum.at.values
    for item in items:
        at = fit.table.items.index(item)
        for group in fit.likelihood.model.groups:
            block = next(b for b in group.blocks if at in b.columns)
            inner = values[block.index[list(block.columns).index(at)]]
            if item in first and np.array_equal(first[item], inner):
                continue
            first.setdefault(item, inner)
            p = np.exp(log_probabilities(block.kind, inner[None], theta[:, None], block.categories))
            parts += [
                pd.DataFrame({
                    "group": group.name, "item": item, "category": fit.table.scores[at][k],
                    "theta": theta, "probability": p[0, k],
                }) for k in range(1, block.categories)
            ]  # fmt: skip
    return pd.concat(parts, ignore_index=True)


def other_tables(results: Mapping[str, Result]) -> dict[str, Table]:
    """Return the tables of other results, named NAME_TABLE."""
    return {
        f"{name}_{part}": Table(
            f"{name.replace('_', ' ').capitalize()}: {part.replace('_', ' ')}",
            frame.reset_index() if any(frame.index.names) else frame.reset_index(drop=True),
            notes=(f"{result.title}.",), decimals=3, folded=True,
        )
        for name, result in results.items() for part, frame in result.tables.items()
    }  # fmt: skip
