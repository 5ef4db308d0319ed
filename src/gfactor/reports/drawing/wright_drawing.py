"""The Wright map: examinees and items on one line."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import optimize

from gfactor.frames import distinct, pick
from gfactor.reports.drawing.canvas import BROKEN, COLORS, GUIDE, INK, blank, legible, shortened
from gfactor.reports.figure_registry import Figure

Floats = NDArray[np.float64]

NAMED = 60
"""Examinees of a group, and items, up to which every one is named."""
NAMED_BROKEN = 24
"""Items with something wrong that are named if items are too many for all names."""
GROUPS = 6
"""Groups that there is room for."""
_LINE = 0.14
"""Inches that a line of small letters takes."""
_LETTER = 0.066
"""Inches that a letter of a heading takes."""
_FURTHEST = 6.0
"""Difficulties further out than this, and than any examinee, stand at the edge with their value."""


def wright_map(
    persons: pd.DataFrame,
    items: pd.DataFrame,
    broken: Collection[str],
    tables: tuple[str, ...],
    unit: str = "logits",
) -> Figure:
    """Draw persons and items on one line: a panel for every group of examinees, then the items.

    Parameters
    ----------
    persons: `group`, `examinee`, `theta`, `theta_low`, `theta_high`.
    items: `item`, `label`, `b`; a row for every threshold where an item has several.
    broken: items with something wrong.
    tables: names of the tables that hold the numbers.
    unit: unit of ability and difficulty.
    """
    every = distinct(persons, "group")
    groups = sorted(every, key=lambda g: -int((persons["group"] == g).sum()))[:GROUPS]
    groups = [g for g in every if g in groups]
    persons_of_groups = [pick(persons, persons["group"] == group) for group in groups]
    named = [len(inner) <= NAMED for inner in persons_of_groups]
    low, high = _limits(persons_of_groups, named, items)
    lines = [len(inner) for inner, small in zip(persons_of_groups, named, strict=True) if small]
    most = max(30, *lines, len(items) if len(items) <= NAMED else NAMED_BROKEN + 2)
    widths = [2.5 if small else 1.6 for small in named] + [3.4]
    height = 1.0 + _LINE * most
    drawing = blank(0.5 + sum(widths), height)
    panels = drawing.subplots(
        1, len(widths), sharey=True, squeeze=False, gridspec_kw={"width_ratios": widths}
    )[0]
    gap = (high - low) * _LINE / (height - 0.9)
    for position, (axes, group, inner) in enumerate(
        zip(panels, groups, persons_of_groups, strict=False)
    ):
        color = COLORS[position % len(COLORS)]
        title = f"{len(inner):,} examinees"
        if len(every) > 1:
            title = _heading(title, group, widths[position])
        axes.set_title(title, fontsize=8, color=color, loc="left")
        if named[position]:
            _named_persons(axes, inner, color, gap, (low, high))
        else:
            _histogram(axes, inner["theta"].to_numpy(float), color, (low, high))
    _items(panels[-1], items, broken, gap, (low, high))
    panels[0].set_ylim(low, high)
    panels[0].set_ylabel(f"ability and difficulty, {unit}")
    for axes in panels[1:]:
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_color("#d5d9de")
    return Figure(
        "Wright map: examinees and items on one line",
        _wright_words(persons_of_groups, groups, items, unit),
        tables,
        drawing,
        (
            "An examinee at the height of an item has even odds to solve it (halfway between its "
            "asymptotes, where it has any). "
            + ("Vertical lines: 95 % intervals of abilities. " * any(named))
            + ("Red: items with something wrong. " * bool(broken))
            + (f"{len(every) - len(groups)} smaller groups are not shown." * (len(every) > GROUPS)),
        ),
    )  # fmt: skip


def _heading(title: str, group: object, width: float) -> str:
    """Return the heading of a panel so wide: in two lines where its neighbor would be covered."""
    room = int(width / _LETTER)
    (name,) = legible([shortened(group, room)])
    within = len(title) + 2 + len(name) <= room
    return f"{title}: {name}" if within else f"{title}:\n{shortened(name, room)}"


def _limits(
    persons_of_groups: Sequence[pd.DataFrame], named: Sequence[bool], items: pd.DataFrame
) -> tuple[float, float]:
    """Return the ends of a line with all examinees, drawn intervals, and all but far items."""
    b = items["b"].to_numpy(float)
    ends: list[float] = []
    for inner, small in zip(persons_of_groups, named, strict=True):
        for name in ("theta", "theta_low", "theta_high")[: 3 if small else 1]:
            ends += inner[name].tolist()
    ends = [e for e in ends if np.isfinite(e)] or [0.0]
    furthest = max(_FURTHEST, *map(abs, ends))
    ends += [value for value in b if abs(value) <= furthest]
    low, high = min(ends), max(ends)
    pad = max(0.25, 0.04 * (high - low))
    return float(low - pad), float(high + pad)


def _spread_out(at: Floats, gap: float, limits: tuple[float, float]) -> Floats:
    """Heights of labels near `at`, at least `gap` apart: the least squares of their shifts."""
    order = np.argsort(at, kind="stable")
    steps = gap * np.arange(len(at))
    level: Any = optimize.isotonic_regression(at[order] - steps)
    last = limits[1] - gap / 2 - steps[-1]
    result = np.empty(len(at))
    result[order] = np.clip(level.x, min(limits[0] + gap / 2, last), last) + steps
    return result


def _named_persons(
    axes: Any, inner: pd.DataFrame, color: str, gap: float, limits: tuple[float, float]
) -> None:
    inner = inner.sort_values("theta", kind="stable")
    theta = inner["theta"].to_numpy(float)
    # Neighbors stand beside each other, so that their intervals are not drawn over one another.
    x = 0.05 + 0.045 * (np.arange(len(inner)) % 4)
    axes.vlines(x, inner["theta_low"], inner["theta_high"], color=color, linewidth=0.7, alpha=0.45)
    axes.plot(x, theta, "o", markersize=3, color=color)
    heights = _spread_out(theta, gap, limits)
    for position, y, label, name in zip(x, theta, heights, inner["examinee"], strict=True):
        axes.plot([position, 0.26, 0.31], [y, y, label], color=GUIDE, linewidth=0.35)
        axes.text(0.325, label, shortened(name, 26), fontsize=7, va="center")
    _bare(axes)


def _histogram(axes: Any, theta: Floats, color: str, limits: tuple[float, float]) -> None:
    axes.hist(
        theta[np.isfinite(theta)], bins=np.linspace(*limits, 37), orientation="horizontal",
        color=color, alpha=0.75,
    )  # fmt: skip
    axes.spines["bottom"].set_visible(False)
    axes.set_xticks([])


def _items(
    axes: Any, items: pd.DataFrame, broken: Collection[str], gap: float,
    limits: tuple[float, float],
) -> None:  # fmt: skip
    b = items["b"].to_numpy(float)
    finite = np.isfinite(b)
    wrong = items["item"].isin(list(broken)).to_numpy(bool)
    title = f"{items['item'].nunique():,} items"
    if len(items) > NAMED:
        inside = finite & (b >= limits[0]) & (b <= limits[1])
        count, edges = np.histogram(b[inside], bins=np.linspace(*limits, 37))
        top = max(count.max(initial=1), 1)
        axes.barh(edges[:-1], 0.3 * count / top, np.diff(edges), align="edge", color="#9aa3ad")
        # Of the broken ones, those that are furthest from the middle of the test come first.
        away = np.flatnonzero(finite & wrong)
        named = away[np.argsort(-np.abs(b[away] - np.median(b[finite])), kind="stable")][
            :NAMED_BROKEN
        ]
        title += f" ({len(named)} of {wrong.sum()} with something wrong named)" * bool(wrong.any())
        start = 0.34
    else:
        named, start = np.flatnonzero(finite), 0.05
    axes.set_title(title, fontsize=8, loc="left")
    _bare(axes)
    if not len(named):
        return
    at = np.clip(b[named], limits[0] + gap / 2, limits[1] - gap / 2)
    for row, y, label in zip(named, at, _spread_out(at, gap, limits), strict=True):
        color = BROKEN if wrong[row] else INK
        name = shortened(items["label"].iloc[row], 30)
        if not limits[0] <= b[row] <= limits[1]:
            name += f" ({'↑' if b[row] > 0 else '↓'} {b[row]:.1f})"
        axes.plot(start, y, "D" if wrong[row] else "s", markersize=2.6, color=color)
        axes.plot([start + 0.03, start + 0.06, start + 0.1], [y, y, label], color=GUIDE,
                  linewidth=0.35)  # fmt: skip
        axes.text(start + 0.11, label, name, fontsize=7, va="center", color=color)


def _bare(axes: Any) -> None:
    axes.set_xlim(0, 1)
    axes.set_xticks([])
    axes.spines["bottom"].set_visible(False)


def _wright_words(
    persons_of_groups: Sequence[pd.DataFrame], groups: Sequence[Any], items: pd.DataFrame, unit: str
) -> str:
    b = items["b"].to_numpy(float)
    b = b[np.isfinite(b)]
    description = "; ".join(
        f"{len(inner)} examinees" + (f" of group {group}" if len(groups) > 1 else "")
        + f" from {inner['theta'].min():.2f} to {inner['theta'].max():.2f} {unit}"
        for group, inner in zip(groups, persons_of_groups, strict=True)
    )  # fmt: skip
    there = f" from {b.min():.2f} to {b.max():.2f}, median {np.median(b):.2f}" if len(b) else ""
    return f"{description}; difficulties of {items['item'].nunique()} items{there}."
