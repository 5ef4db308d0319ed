"""MULTI's figure 6: gain by knowledge against the context window."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gfactor.reports.answers.model_facts import WINDOW
from gfactor.reports.drawing.canvas import COLORS, GUIDE, blank
from gfactor.reports.figure_registry import Figure, figure
from gfactor.reports.table_registry import Table


@figure("multi_extend", section="conditions", order=15, needs=("multi_extend",),
        benchmarks=("multi",))  # fmt: skip
def extend(tables: Mapping[str, Table]) -> Figure | None:
    """Draw a point per examinee with its interval; nothing if no window is known."""
    rows = tables["multi_extend"].frame
    rows = rows.loc[rows[WINDOW].notna().to_numpy(bool)]
    if rows.empty:
        return None
    kinds = list(dict.fromkeys(rows["items"]))
    drawing = blank(6.4, 3.6)
    axes = drawing.subplots()
    axes.axhline(0, color=GUIDE, linewidth=0.8)
    for index, kind in enumerate(kinds):
        group = rows.loc[(rows["items"] == kind).to_numpy(bool)]
        x = group[WINDOW].to_numpy(float) * 1.06 ** (index - (len(kinds) - 1) / 2)
        y, low, high = (group[f"gain{end}"].to_numpy(float) for end in ("", "_low", "_high"))
        color = COLORS[index % len(COLORS)]
        axes.vlines(x, low, high, color=color, linewidth=1)
        axes.plot(x, y, "o", markersize=4.5, color=color, label=str(kind))
        if index == 0:
            for a, b, name in zip(x, y, group["label"], strict=True):
                axes.annotate(str(name), (a, b), (5, 4), textcoords="offset points", fontsize=7)
    axes.set_xscale("log")
    axes.set_xlabel("context window (tokens, log scale)")
    axes.set_ylabel("gain (percentage points)")
    ticks = axes.get_yticks()
    axes.set_yticks(ticks, [f"{100 * v:+z.0f}" if v else "0" for v in ticks])
    axes.margins(x=0.15)
    axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    gains = "; ".join(
        f"{r['label']} ({r['items']}) {r[WINDOW]:,} tokens, {100 * r['gain']:+z.1f} points"
        for r in rows.to_dict("records")
        if np.isfinite(r["gain"])
    )
    return Figure(
        "Gain by the knowledge of Extend against the context window",
        f"Gain in percentage points of the score by context window: {gains}.",
        ("multi_extend",),
        drawing,
        ("Lines: 95 % intervals. Points of one examinee are drawn slightly apart.",),
    )
