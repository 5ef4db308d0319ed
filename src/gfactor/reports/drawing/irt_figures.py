"""Figures of item response models beside the Wright map: curves, information, DIF, design."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, cast

import numpy as np
import pandas as pd

from gfactor.frames import distinct
from gfactor.listing import first_few
from gfactor.reports.drawing.canvas import (
    BROKEN,
    COLORS,
    GUIDE,
    INK,
    Line2D,
    blank,
    grid_of,
    shortened,
)
from gfactor.reports.figure_registry import Figure

PANELS = 40
"""Items whose curves are drawn at the most."""
ACROSS = 4
"""Panels in a row."""
EFFECTS = 60
"""Items in the DIF plot at the most."""
_CLASSES = {"A": GUIDE, "B": COLORS[1], "C": BROKEN, "": COLORS[0]}


def item_curves(
    curves: pd.DataFrame, points: pd.DataFrame, items: Sequence[str], broken: Collection[str],
    tables: tuple[str, ...], note: str, across: int = ACROSS, unit: str = "logits",
) -> Figure:  # fmt: skip
    """Draw a panel for each item: its curve (or those of its categories) and the observed answers.

    Parameters
    ----------
    curves: `group`, `item`, `category`, `theta`, `probability`.
    points: points, from `observed_points`.
    items: names of the items to draw, in order.
    broken: items that a diagnostic names.
    tables: names of the tables that hold the numbers.
    note: sentence about the choice of items.
    across, unit: panels in a row; unit of ability.
    """
    down = -(-len(items) // across)
    drawing = blank(1.85 * across + 0.3, 1.45 * down + 0.75, arranged=False)
    grid = grid_of(drawing, len(items), across, sharex=True, sharey=True)
    groups = distinct(points, "group")
    for axes, item in zip(grid.flat, items, strict=False):
        here = points.loc[(points["item"] == item).to_numpy(bool)]
        _curve_panel(
            axes, curves.loc[(curves["item"] == item).to_numpy(bool)], here, groups,
            2 if here["category"].nunique() < 2 else 3,
        )  # fmt: skip
        wrong = item in broken
        axes.set_title(
            shortened(item, 28), fontsize=6.5, pad=2, color=BROKEN if wrong else INK,
            weight="bold" if wrong else "normal",
        )  # fmt: skip
    for axes in grid.flat[len(items) :]:
        axes.set_visible(False)
    for axes in grid.flat[max(0, len(items) - across) : len(items)]:
        axes.tick_params(labelbottom=True)
    for axes in grid[:, 0]:
        axes.set_yticks([0, 0.5, 1], ["0 %", "50 %", "100 %"])
    width, height = drawing.get_size_inches()
    drawing.subplots_adjust(
        left=0.539 / width, right=0.99, bottom=0.45 / height, top=1 - 0.45 / height, hspace=0.34,
        wspace=0.08,
    )  # fmt: skip
    drawing.supxlabel(f"ability, {unit}", y=0.07 / height, fontsize=8)
    if len(groups) > 1:
        handles = [Line2D([], [], color=COLORS[g % len(COLORS)], marker="o", markersize=3,
                        label=str(name)) for g, name in enumerate(groups)]  # fmt: skip
        drawing.legend(handles=handles, loc="upper left", ncols=6, frameon=False, fontsize=7)
    return Figure(
        "Item curves with what was observed",
        f"{len(items)} panels, one per item: probability of an answer against ability, with the "
        "observed shares of classes of examinees; the numbers are in the tables.",
        tables,
        drawing,
        (
            f"{note} Lines: fitted probabilities (of a right answer; with more categories, of "
            "each but the lowest). Points: observed shares in classes of examinees whose other "
            "answers show a similar ability, with 95 % intervals; dashes: shares that the model "
            "expects in the class. "
            + "Black lines: the curve that groups share. " * (len(groups) > 1)
            + "Red titles: items with something wrong." * bool(broken),
        ),
    )


def _curve_panel(
    axes: Any, curves: pd.DataFrame, points: pd.DataFrame, groups: Sequence[Any], kinds: int
) -> None:
    """One color per category if there are several, else per group; a curve that groups share is
    black."""
    categories = distinct(points, "category")
    is_shared = kinds <= 2 and len(groups) > 1 and len(distinct(curves, "group")) == 1
    for key, line in curves.groupby(["group", "category"], sort=False):
        group, category = cast("tuple[Any, Any]", key)
        position = categories.index(category) if category in categories else 0
        color = COLORS[(position if kinds > 2 else list(groups).index(group)) % len(COLORS)]
        color = INK if is_shared else color
        axes.plot(line["theta"], line["probability"], color=color, linewidth=1.0)
    for key, inner in points.groupby(["group", "category"], sort=False):
        group, category = cast("tuple[Any, Any]", key)
        color = COLORS[
            (categories.index(category) if kinds > 2 else list(groups).index(group)) % len(COLORS)
        ]
        x = inner["theta"].to_numpy(float)
        axes.vlines(
            x, inner["share_low"], inner["share_high"], color=color, linewidth=0.6, alpha=0.7
        )
        axes.plot(x, inner["expected"], "_", color=INK, markersize=4, markeredgewidth=0.7)
        axes.plot(x, inner["share"], "o", color=color, markersize=2.4)
    axes.set_ylim(-0.04, 1.04)
    axes.tick_params(length=2, pad=2, labelsize=6)


def information_figure(
    curve: pd.DataFrame, persons: pd.DataFrame, tables: tuple[str, ...], unit: str = "logits"
) -> Figure:
    """Draw test information and conditional standard error against ability, with the distribution
    of the examinees.

    Parameters
    ----------
    curve: `group`, `theta`, `information`, `se`.
    persons: `group`, `theta`.
    tables, unit: names of the tables that hold the numbers; unit of ability.
    """
    groups = distinct(persons, "group")
    lines = list(dict.fromkeys(curve["group"]))
    drawing = blank(6.2, 5.2)
    top, middle, below = drawing.subplots(
        3, 1, sharex=True, gridspec_kw={"height_ratios": [2, 2, 1.1]}
    )
    for position, name in enumerate(lines):
        inner = curve.loc[(curve["group"] == name).to_numpy(bool)]
        color = COLORS[position % len(COLORS)]
        label = str(name) if len(lines) > 1 else None
        top.plot(inner["theta"], inner["information"], color=color, label=label)
        # An error beyond one population's spread says nothing more.
        middle.plot(inner["theta"], np.minimum(inner["se"].to_numpy(float), 3), color=color)
    for axes in (top, middle):
        axes.set_ylim(0)
    middle.set_ylim(0, min(3.0, 1.08 * float(curve["se"].to_numpy(float).max())))
    theta = persons["theta"].to_numpy(float)
    values = [theta[(persons["group"] == g).to_numpy(bool)] for g in groups]
    line = curve["theta"].to_numpy(float)
    ends = float(line.min()), float(line.max())
    below.hist(
        [v[np.isfinite(v)] for v in values], bins=np.linspace(*ends, 41), stacked=True,
        color=[COLORS[g % len(COLORS)] for g in range(len(groups))], alpha=0.75,
        label=[str(g) for g in groups],
    )  # fmt: skip
    top.set_ylabel("test information")
    middle.set_ylabel(f"standard error, {unit}")
    below.set_ylabel("examinees")
    below.set_xlabel(f"ability, {unit}")
    if len(groups) > 1:
        below.legend(frameon=False, fontsize=7)
    if len(lines) > 1:
        top.legend(frameon=False, fontsize=7)
    best: Any = curve.iloc[int(curve["information"].to_numpy(float).argmax())]
    return Figure(
        "Where the test measures, and where the examinees are",
        f"Test information against ability, highest ({best['information']:.1f}) at "
        f"{best['theta']:.1f} {unit}, where the standard error is {best['se']:.2f}; half of the "
        f"examinees lie between {np.nanquantile(theta, 0.25):.1f} and "
        f"{np.nanquantile(theta, 0.75):.1f}.",
        tables,
        drawing,
        ("Standard error: one divided by the root of the information (without prior).",),
    )


def test_curve(curve: pd.DataFrame, tables: tuple[str, ...], unit: str) -> Figure:
    """Draw the expected score on the whole test against ability.

    Parameters
    ----------
    curve: `group`, `theta`, `expected`; further groups where their items differ.
    tables, unit: names of the tables that hold the numbers; unit of ability.
    """
    drawing = blank(5.2, 3.4)
    axes = drawing.subplots()
    lines = curve.groupby("group", sort=False)
    for color, (name, inner) in zip(COLORS, lines, strict=False):
        axes.plot(inner["theta"], inner["expected"], color=color, label=str(name))
    axes.set_xlabel(f"ability, {unit}")
    axes.set_ylabel("expected score, points")
    if len(lines) > 1:
        axes.legend(frameon=False, fontsize=7)
    middle = float(np.interp(0, curve["theta"], curve["expected"])) if len(lines) == 1 else np.nan
    return Figure(
        "Test curve: expected score against ability",
        f"Expected score from {curve['expected'].min():.1f} to {curve['expected'].max():.1f} points"
        + (f"; {middle:.1f} at an ability of 0." if len(lines) == 1 else "."),
        tables,
        drawing,
        ("Sum of the expected scores of all items of the model.",),
    )


def dif_effects(table: pd.DataFrame, groups: tuple[str, str], tables: tuple[str, ...]) -> Figure:
    """Draw sizes of DIF with 95 % intervals, colored by ETS class, the largest on top.

    Parameters
    ----------
    table: `item`, `effect`, `effect_low`, `effect_high`, `ets_class`, `p_adjusted`; on the delta
        scale if `ets_class` is not empty, else differences of expected scores.
    groups: reference and focal group.
    tables: names of the tables that hold the numbers.
    """
    size = np.abs(table["effect"].to_numpy(float))
    chosen = table.iloc[np.argsort(-np.nan_to_num(size), kind="stable")[:EFFECTS]]
    chosen = chosen.sort_values("effect", kind="stable")
    delta = bool((table["ets_class"] != "").all())
    drawing = blank(6.2, 1.2 + 0.16 * len(chosen))
    axes = drawing.subplots()
    axes.axvline(0, color=INK, linewidth=0.6)
    if delta:
        for limit in (-1.5, -1, 1, 1.5):
            axes.axvline(limit, color=GUIDE, linewidth=0.6, linestyle="--")
    for position, row in enumerate(chosen.to_dict("records")):
        color = _CLASSES[str(row["ets_class"])]
        axes.hlines(position, row["effect_low"], row["effect_high"], color=color, linewidth=1.0)
        sure = row["p_adjusted"] < 0.05
        axes.plot(row["effect"], position, "o", markersize=3.6, color=color,
                  markerfacecolor=color if sure else "#fdfdfc")  # fmt: skip
    axes.set_yticks(range(len(chosen)), [shortened(name, 34) for name in chosen["item"]])
    axes.tick_params(axis="y", labelsize=6, length=0)
    axes.set_ylim(-0.8, len(chosen) - 0.2)
    axes.set_xlabel(
        f"harder for {groups[1]}  ←  {'delta' if delta else 'difference of expected scores'}"
        f"  →  easier for {groups[1]}"
    )
    if delta:
        names = {"A": "A, small or not significant", "B": "B, moderate", "C": "C, large"}
        handles = [
            Line2D([], [], color=_CLASSES[c], marker="o", markersize=3.6, label=name)
            for c, name in names.items()
        ]
        drawing.legend(handles=handles, loc="outside upper left", ncols=3, frameon=False)
    sure = table.loc[table["p_adjusted"].to_numpy(float) < 0.05]
    cut = f" The {EFFECTS} largest of {len(table)}." * (len(table) > EFFECTS)
    return Figure(
        f"Differential item functioning, {groups[0]} against {groups[1]}",
        f"Effects of {len(chosen)} items with intervals; {len(sure)} of {len(table)} differ at "
        "adjusted p < .05" + (": " + first_few(sure["item"]) if len(sure) else "")
        + ".",
        tables,
        drawing,
        (
            ("Delta: 2.35 times the mean difference of the log odds over the abilities of "
             f"{groups[1]}; dashed: 1 and 1.5, the limits of ETS classes B and C. " if delta else
             f"Mean difference of expected scores over the abilities of {groups[1]}. ")
            + f"Filled: adjusted p < .05. Lines: 95 % intervals.{cut}",
        ),
    )  # fmt: skip


def difficulty_by_design(rows: pd.DataFrame, tables: tuple[str, ...]) -> Figure:
    """Draw difficulties against what a design predicts.

    Parameters
    ----------
    rows: `item`, `b`, `b_low`, `b_high`, `predicted`.
    tables: names of the tables that hold the numbers.
    """
    drawing = blank(4.6, 4.4)
    axes = drawing.subplots()
    x, y = rows["predicted"].to_numpy(float), rows["b"].to_numpy(float)
    ends = min(x.min(), y.min()), max(x.max(), y.max())
    axes.plot(ends, ends, color=GUIDE, linewidth=0.8, linestyle="--")
    axes.vlines(x, rows["b_low"], rows["b_high"], color=COLORS[0], linewidth=0.6, alpha=0.5)
    axes.plot(x, y, "o", markersize=3, color=COLORS[0])
    axes.set_xlabel("difficulty predicted by the design, logits")
    axes.set_ylabel("difficulty, logits")
    furthest = rows.iloc[int(np.abs(y - x).argmax())]
    return Figure(
        "Difficulty against what the design predicts",
        f"Scatter of {len(rows)} items; the furthest from the prediction is {furthest['item']}.",
        tables,
        drawing,
        ("Dashed: equality. Lines: 95 % intervals.",),
    )


def curve_items(items: pd.DataFrame, broken: Mapping[str, int]) -> tuple[list[str], str]:
    """Return the items whose curves are drawn, easiest first, and a sentence about the choice.

    Parameters
    ----------
    items: `item`, `b`.
    broken: items with something wrong, by severity (0 the most severe).
    """
    order = items.sort_values("b", kind="stable")["item"].tolist()
    if len(order) <= PANELS:
        return order, f"All {len(order)} items, the easiest first."
    grave = sorted((name for name in broken if name in set(order)), key=lambda n: broken[n])
    severest = grave[: PANELS // 2]
    rest = [name for name in order if name not in set(severest)]
    positions = np.linspace(0, len(rest) - 1, PANELS - len(severest)).round().astype(int)
    chosen = {*severest, *(rest[k] for k in positions)}
    return [name for name in order if name in chosen], (
        f"{len(chosen)} of {len(order):,} items, the easiest first: {len(severest)} with something "
        "wrong, the others evenly spread over difficulty."
    )
