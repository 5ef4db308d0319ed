"""Accuracy of few examinees by domain, as points with intervals."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gfactor.frames import column, distinct
from gfactor.reports.drawing.canvas import COLORS, blank, legible, shortened
from gfactor.reports.figure_registry import Figure, figure
from gfactor.reports.table_registry import Table

MOST = 4
"""Largest number of examinees whose intervals can be distinguished in a row."""


@figure(
    "accuracy_by_domain",
    section="domains",
    order=9,
    needs=("accuracy_of_each_by_domain", "summary"),
)
def domain_intervals(tables: Mapping[str, Table]) -> Figure | None:
    """Draw the accuracy of a few examinees by domain, with intervals."""
    rows = tables["accuracy_of_each_by_domain"].frame
    labels = [str(name) for name in dict.fromkeys(tables["summary"].frame["label"])]
    labels = [name for name in labels if name in set(distinct(rows, "label"))]
    if not 0 < len(labels) <= MOST:
        return None
    cells = rows.pivot(index="domain", columns="label", values="accuracy")
    means = cells.mean(axis=1).sort_values(kind="stable")
    heights = {name: at for at, name in enumerate(means.index)}
    drawing = blank(6.4, 0.9 + max(0.2, 0.1 * len(labels)) * len(heights))
    axes = drawing.subplots()
    for number, label in enumerate(labels):
        here = rows.loc[(column(rows, "label") == label).to_numpy(bool)]
        apart = 0.7 * ((number + 0.5) / len(labels) - 0.5)
        at = np.array([heights[name] for name in here["domain"]]) + apart
        color = COLORS[number]
        axes.hlines(at, here["accuracy_low"], here["accuracy_high"], color=color, linewidth=1)
        axes.plot(here["accuracy"], at, "o", color=color, markersize=3.5, label=label)
    axes.set_yticks(range(len(heights)), legible(shortened(name, 34) for name in heights))
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(heights) - 0.5, -0.5)
    axes.set_xlim(-0.02, 1.02)
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1], [f"{v} %" for v in (0, 25, 50, 75, 100)])
    axes.set_xlabel("accuracy, 95 % interval")
    if len(labels) > 1:
        axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    return Figure(
        "Accuracy by domain",
        f"Dot plot of {len(heights)} domains. The hardest domain is {means.index[0]} "
        f"({100 * means.iloc[0]:.0f} %), the easiest {means.index[-1]} "
        f"({100 * means.iloc[-1]:.0f} %).",
        ("accuracy_of_each_by_domain",),
        drawing,
        ("Domains from hard (top) to easy. Lines: 95 % intervals.",),
    )
