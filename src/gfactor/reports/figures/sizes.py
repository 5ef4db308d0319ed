"""Accuracy against size over all domains."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gfactor.frames import column, distinct
from gfactor.reports.drawing.canvas import COLORS, GUIDE, MaxNLocator, blank
from gfactor.reports.figure_registry import Figure, figure
from gfactor.reports.table_registry import Table


@figure("accuracy_by_size", section="breakdowns", order=30, needs=("accuracy_by_size",))
def sizes(tables: Mapping[str, Table]) -> Figure | None:
    """Draw a line with an interval band per examinee; chance and baselines as thin lines."""
    rows = tables["accuracy_by_size"].frame
    if len(distinct(rows, "size")) < 2:
        return None
    if "benchmark" in rows:
        rows = rows.assign(label=column(rows, "label") + ", " + column(rows, "benchmark"))
    drawing = blank(6.4, 3.4)
    axes = drawing.subplots()
    for index, (label, group) in enumerate(rows.groupby("label", sort=True)):
        color = COLORS[index % len(COLORS)]
        at = group["size"].to_numpy(float)
        axes.plot(at, group["accuracy"], color=color, marker="o", markersize=2.5, label=str(label))
        axes.fill_between(
            at, group["accuracy_low"], group["accuracy_high"], color=color, alpha=0.18, linewidth=0
        )
    first = rows.drop_duplicates("size").sort_values("size")
    after = list(rows.columns).index("chance")
    styles = (":", (0, (1, 3)), "--", "-.", (0, (5, 1)))
    for index, name in enumerate(rows.columns[after:]):
        if np.isfinite(column(first, name)).any():
            axes.plot(
                first["size"], first[name], color=GUIDE, linewidth=0.9,
                linestyle=styles[index % len(styles)], label=str(name),
            )  # fmt: skip
    axes.set_ylim(-0.03, 1.03)
    axes.set_yticks([0, 0.25, 0.5, 0.75, 1], [f"{v} %" for v in (0, 25, 50, 75, 100)])
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("size")
    axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    ends = rows.groupby("label")["accuracy"].agg(["first", "last"])
    accuracies = "; ".join(
        f"{label} from {100 * a:.0f} % to {100 * b:.0f} %"
        for label, (a, b) in zip(ends.index, np.asarray(ends), strict=True)
    )
    return Figure(
        "Accuracy against size, over all domains",
        f"Accuracy from the smallest to the largest size: {accuracies}.",
        ("accuracy_by_size",),
        drawing,
        ("Bands: 95 % intervals. Gray: chance and trivial baselines.",),
    )
