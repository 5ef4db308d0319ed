"""Bars with intervals, group by group: the drawing that several figures share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from gfactor.reports.drawing import COLORS, blank

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing


def bars(
    rows: pd.DataFrame,
    group: str,
    within: str,
    value: str,
    label: str,
    order: Sequence[str] = (),
) -> Drawing:
    """Horizontal bars: one block per value of `group`, one bar per value of `within` (in `order`,
    or as they come), with the ends `value`_low and `value`_high where they are known."""
    groups = list(dict.fromkeys(rows[group]))
    kinds = list(order or dict.fromkeys(rows[within]))
    ends = rows[[value, f"{value}_high"]].to_numpy(float)
    most = min(1.0, max(0.25, 0.05 * np.ceil(20 * np.nanmax(ends) + 0.5)))
    step = 0.8 / len(kinds)
    drawing = blank(6.4, 0.9 + len(groups) * max(0.34, 0.15 * len(kinds)))
    axes = drawing.subplots()
    for index, kind in enumerate(kinds):
        of_kind = rows.loc[(rows[within] == kind).to_numpy(bool)]
        at = np.array([groups.index(name) for name in of_kind[group]]) - 0.4 + step * (index + 0.5)
        x = of_kind[value].to_numpy(float)
        low, high = (of_kind[f"{value}_{end}"].to_numpy(float) for end in ("low", "high"))
        color = COLORS[index % len(COLORS)]
        axes.barh(at, x, height=0.86 * step, color=color, alpha=0.85, label=str(kind))
        known = np.isfinite(low) & np.isfinite(high)
        axes.hlines(at[known], low[known], high[known], color="#1f252b", linewidth=0.9)
    axes.set_yticks(range(len(groups)), [str(name) for name in groups])
    axes.invert_yaxis()
    axes.tick_params(axis="y", length=0)
    axes.set_xlim(0, most)
    ticks = [v for v in (0, 10, 25, 50, 75, 100) if v <= 100 * most and (v != 10 or most < 0.5)]
    axes.set_xticks([v / 100 for v in ticks], [f"{v} %" for v in ticks])
    axes.set_xlabel(label)
    if len(kinds) > 1:
        axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    return drawing


def told(rows: pd.DataFrame, names: Sequence[str], value: str) -> str:
    """The bars in words: "A, B 12 %; ..."."""
    return "; ".join(
        f"{', '.join(str(row[name]) for name in names)} {100 * row[value]:.0f} %"
        for row in rows.to_dict("records")
    )
