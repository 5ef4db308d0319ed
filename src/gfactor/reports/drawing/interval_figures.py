"""Figures of estimates with intervals: variance components, ranks, item analysis, classes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.psychometrics.class_results import LatentClasses
from gfactor.psychometrics.generalizability.study import Generalizability
from gfactor.psychometrics.inference.differences import Differences, from_the_higher
from gfactor.psychometrics.inference.ranks import RankSets
from gfactor.psychometrics.sem.measurement_invariance.result import Invariance
from gfactor.reports.drawing.canvas import COLORS, GUIDE, MaxNLocator, blank, legible, shortened
from gfactor.reports.figure_registry import Drawers, Figure

Floats = NDArray[np.float64]

_BY_CLASS = 0.24
"""Distance of the classes' points at an item."""


def component_figures(result: Generalizability) -> Drawers:
    """Return the function that draws the variance components."""
    return {"components": partial(components, result)}


def components(result: Generalizability) -> Figure:
    """Draw variance components with their intervals and shares."""
    table = result.components
    shares = table["share"].tolist()
    names = [f"{name} ({share:.0%})" for name, share in zip(result.sources, shares, strict=True)]
    ends = table[["ci_lower", "ci_upper"]].to_numpy(float)
    values = table["variance"].to_numpy(float)
    drawing = blank(5.6, 0.9 + 0.3 * len(names))
    axes = drawing.subplots()
    axes.axvline(0, color=GUIDE, linewidth=0.6)
    _points(axes, np.arange(len(names)), values, ends, COLORS[0])
    _rows(axes, names)
    axes.set_xlabel(f"variance component, {100 * result.level:g} % interval")
    largest = table["share"].idxmax()
    return Figure(
        "Variance components",
        f"Dot plot of {len(names)} components; the largest share has {largest} "
        f"({table['share'].max():.0%}).",
        ("components",),
        drawing,
        ("In brackets: the share of the variance of one score; negative estimates count as 0.",),
    )


def rank_figures(*sets: RankSets, names: Sequence[str] = ("",)) -> Drawers:
    """Return the functions that draw rank sets, each with a name if there are several."""
    return {
        f"ranks_{name}" if len(sets) > 1 else "ranks": partial(
            rank_intervals, one.table, one.level, f", {name}" if len(sets) > 1 else ""
        )
        for name, one in zip(names, sets, strict=True)
    }


def rank_intervals(ranks: pd.DataFrame, level: float, where: str) -> Figure:
    """Draw the possible ranks of each examinee, the best mean first.

    Parameters
    ----------
    ranks: row per run, with `rank`, `best` and `worst`.
    level: confidence level of all sets together.
    where: end of the title.
    """
    names = [shortened(name, 40) for name in ranks.index]
    drawing = blank(5.6, 0.9 + 0.24 * len(names))
    axes = drawing.subplots()
    ends = ranks[["best", "worst"]].to_numpy(float)
    _points(axes, np.arange(len(names)), ranks["rank"].to_numpy(float), ends, COLORS[0])
    _rows(axes, names)
    axes.set_xlim(0.5, len(names) + 0.5)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel(f"rank, and the ranks left possible ({100 * level:g} %, all together)")
    sure = int((ends[:, 0] == ends[:, 1]).sum())
    return Figure(
        f"Rank sets{where}",
        f"Dot plot of {len(names)} ranks; {sure} are certain.",
        ("ranks",),
        drawing,
    )


_MOST_PAIRS = 40
"""Pairs that a figure can show; of more, those of neighbors in rank."""


def difference_figures(
    *pairs: Differences, orders: Sequence[Sequence[str]] = (), names: Sequence[str] = ("",)
) -> Drawers:
    """Return the functions that draw differences, each with a name if there are several.

    Parameters
    ----------
    *pairs: paired differences of all runs.
    orders: runs from the best for each of these; by default as they stand in the scores.
    names: name of each.
    """
    orders = orders or [list(map(str, one.runs.scores.columns)) for one in pairs]
    return {
        f"differences_{name}" if len(pairs) > 1 else "differences": partial(
            difference_intervals, one.table, order, one.settings.level,
            f", {name}" if len(pairs) > 1 else "",
        )
        for one, order, name in zip(pairs, orders, names, strict=True)
    }  # fmt: skip


def difference_intervals(
    table: pd.DataFrame, order: Sequence[str], level: float, where: str
) -> Figure:
    """Draw the difference of every pair with its interval, the higher one of a pair first.

    Parameters
    ----------
    table: row per pair, with `first`, `second`, `estimate`, `low`, `high` and `p_holm`.
    order: runs from the best.
    level: confidence level of the intervals.
    where: end of the title.
    """
    position = {run: at for at, run in enumerate(order)}
    rows = [from_the_higher(row, position) for row in table.to_dict("records")]
    rows.sort(key=lambda row: (position[row["first"]], position[row["second"]]))
    if len(rows) > _MOST_PAIRS:
        rows = [row for row in rows if position[row["second"]] == position[row["first"]] + 1]
    left_out = len(table) - len(rows)
    names = [f"{shortened(row['first'], 24)} - {shortened(row['second'], 24)}" for row in rows]
    drawing = blank(6.4, 0.9 + 0.24 * len(names))
    axes = drawing.subplots()
    axes.axvline(0, color=GUIDE, linewidth=0.6)
    ends = 100 * np.array([[row["low"], row["high"]] for row in rows], float)
    values = 100 * np.array([row["estimate"] for row in rows], float)
    _points(axes, np.arange(len(names)), values, ends, COLORS[0])
    _rows(axes, names)
    axes.set_xlabel(f"difference in points of 100, {100 * level:g} % interval of each")
    sure = sum(row["p_holm"] < 1 - level for row in rows)
    neighbors = f" The {left_out} other pairs are in the table." * (left_out > 0)
    return Figure(
        f"Differences{where}",
        f"Dot plot of {len(names)} differences; {sure} are certain after Holm's adjustment.",
        ("differences",),
        drawing,
        (f"Each difference is that of the first less the second.{neighbors}",),
    )


def item_analysis(table: pd.DataFrame, alpha: float, level: float) -> Figure:
    """Draw item-rest correlations, and alpha without each item, with intervals.

    Parameters
    ----------
    table: per item `rest_correlation` and `alpha_without`, with their intervals.
    alpha: alpha of all items.
    level: confidence level of the intervals.
    """
    names = [shortened(name, 34) for name in table.index]
    drawing = blank(7.2, 0.9 + 0.22 * len(names))
    left, right = drawing.subplots(1, 2, sharey=True)
    at = np.arange(len(names))
    for axes, value, low, high, label in (
        (left, "rest_correlation", "rest_lower", "rest_upper", "item-rest correlation"),
        (
            right, "alpha_without", "alpha_without_lower", "alpha_without_upper",
            "alpha without the item",
        ),
    ):  # fmt: skip
        ends = table[[low, high]].to_numpy(float)
        _points(axes, at, table[value].to_numpy(float), ends, COLORS[0])
        axes.set_xlabel(f"{label}, {100 * level:g} % interval")
    left.axvline(0, color=GUIDE, linewidth=0.6)
    right.axvline(alpha, color=GUIDE, linewidth=0.8, linestyle="--")
    _rows(left, names)
    worst = table["rest_correlation"].idxmin()
    return Figure(
        "What each item adds",
        f"Dot plot of {len(names)} items. The lowest item-rest correlation is "
        f"{table['rest_correlation'].min():.2f} ({worst}); alpha of all is {alpha:.2f}.",
        ("indicators",),
        drawing,
        ("Dashed: alpha of all items. Without an item right of it the sum would be more "
         "consistent.",),
    )  # fmt: skip


def class_figures(result: LatentClasses) -> Drawers:
    """Return the function that draws the classes' answers."""
    return {"profiles": partial(class_profiles, result)}


def class_profiles(result: LatentClasses) -> Figure:
    """Draw the probability of each item's highest answer in each class, with intervals."""
    table = result.probabilities
    items = list(dict.fromkeys(table["item"]))
    highest = table.loc[table["category"] == table.groupby("item")["category"].transform("max")]
    several = bool((table.groupby("item")["category"].nunique().to_numpy() > 2).any())
    drawing = blank(max(4.6, 1.6 + 0.42 * len(items)), 3.4)
    axes = drawing.subplots()
    shares = dict(zip(result.shares["class"], result.shares["share"], strict=True))
    for number, (name, rows) in enumerate(highest.groupby("class", sort=False)):
        shift = _BY_CLASS * (number - (len(shares) - 1) / 2) / max(1, len(shares) - 1)
        at = np.array([items.index(item) for item in rows["item"]]) + shift
        color = COLORS[number % len(COLORS)]
        axes.vlines(at, rows["ci_lower"], rows["ci_upper"], color=color, linewidth=1)
        axes.plot(
            at, rows["probability"], "o-", color=color, markersize=4, linewidth=0.8,
            label=f"{name} ({shares[name]:.0%})",
        )  # fmt: skip
    axes.set_xticks(range(len(items)), legible(shortened(i, 26) for i in items), rotation=45,
                    ha="right")  # fmt: skip
    axes.set_ylim(-0.02, 1.02)
    answer = "the highest category" if several else "the higher answer"
    axes.set_ylabel(f"probability of {answer}")
    drawing.legend(loc="outside upper center", ncols=min(4, len(shares)), frameon=False, fontsize=8)
    return Figure(
        "Answers of the classes",
        f"A line per class over {len(items)} items; the numbers are in the table of probabilities.",
        ("probabilities",),
        drawing,
        (f"Intervals: {100 * result.level:g} %. In brackets: the share of the class.",),
    )


def invariance_figures(result: Invariance) -> Drawers:
    """Return the functions that draw fit by level, and latent means."""
    drawers: Drawers = {"fit": partial(fit_by_level, result)}
    if len(result.latent_means):
        drawers["latent_means"] = partial(latent_means, result.latent_means)
    return drawers


def fit_by_level(result: Invariance) -> Figure:
    """Draw CFI and RMSEA, with its interval, at each level."""
    table = result.table
    names = [f"{level}{'' if holds else ' (fails)'}" for level, holds in
             zip(table["level"], table["holds"], strict=True)]  # fmt: skip
    drawing = blank(6.4, 0.9 + 0.34 * len(names))
    left, right = drawing.subplots(1, 2, sharey=True)
    at = np.arange(len(names))
    left.plot(table["cfi"], at, "o", color=COLORS[0], markersize=4)
    left.set_xlabel("CFI")
    ends = table[["rmsea_low", "rmsea_high"]].to_numpy(float)
    _points(right, at, table["rmsea"].to_numpy(float), ends, COLORS[0])
    right.set_xlabel("RMSEA, 90 % interval")
    _rows(left, names)
    return Figure(
        "Fit at each level",
        f"Dot plot of {len(names)} levels of invariance; the last that holds is {result.level}.",
        ("steps",),
        drawing,
    )


def latent_means(table: pd.DataFrame) -> Figure:
    """Draw the latent means of the groups, with intervals, against the first group's 0."""
    names = [f"{factor}, {group}" for factor, group in
             zip(table["factor"], table["group"], strict=True)]  # fmt: skip
    drawing = blank(5.6, 0.9 + 0.26 * len(names))
    axes = drawing.subplots()
    axes.axvline(0, color=GUIDE, linewidth=0.6)
    ends = table[["ci_lower", "ci_upper"]].to_numpy(float)
    _points(axes, np.arange(len(names)), table["mean"].to_numpy(float), ends, COLORS[0])
    _rows(axes, names)
    axes.set_xlabel("latent mean against the first group's, with interval")
    return Figure(
        "Latent means", f"Dot plot of {len(names)} latent means.", ("latent_means",), drawing
    )


def _points(axes: Any, at: NDArray[Any], values: Floats, ends: Floats, color: str) -> None:
    axes.hlines(at, ends[:, 0], ends[:, 1], color=color, linewidth=1)
    axes.plot(values, at, "o", color=color, markersize=4)


def _rows(axes: Any, names: Sequence[str]) -> None:
    """Write names beside rows, the first at the top."""
    axes.set_yticks(range(len(names)), legible(names))
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(names) - 0.5, -0.5)
