"""Accuracy of the population's members against what limits them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gfactor.frames import column, distinct
from gfactor.reports.drawing.canvas import COLORS, blank
from gfactor.reports.figure_registry import Figure, figure
from gfactor.reports.table_registry import Table
from gfactor.reports.tables.persons import PARAMETERS


@figure("population", section="reliability", order=50, needs=("population",))
def persons(tables: Mapping[str, Table]) -> Figure | None:
    """Draw a panel for every parameter in which the observers differ."""
    rows = tables["population"].frame
    varied = [name for name in PARAMETERS if name in rows and len(distinct(rows, name)) > 1]
    if not varied:
        return None
    drawing = blank(2.5 * len(varied) + 0.6, 2.6)
    panels = drawing.subplots(1, len(varied), sharey=True, squeeze=False)[0]
    ends = [rows["accuracy"] - rows["accuracy_low"], rows["accuracy_high"] - rows["accuracy"]]
    for axes, name, color in zip(panels, varied, COLORS, strict=False):
        axes.errorbar(
            rows[name], rows["accuracy"], yerr=np.maximum(ends, 0), fmt="o", markersize=3.5,
            color=color, elinewidth=0.7,
        )  # fmt: skip
        axes.set_xlabel(name)
    ticks = panels[0].get_yticks()
    ticks = ticks[(ticks >= 0) & (ticks <= 1)]
    panels[0].set_yticks(ticks, [f"{100 * tick:.0f} %" for tick in ticks])
    accuracy = column(rows, "accuracy")
    text = f"All {len(rows)} observers are equally accurate: there is no correlation with accuracy."
    if accuracy.nunique() > 1:
        related = ", ".join(
            f"{name} {column(rows, name).corr(accuracy, method='spearman'):.2f}" for name in varied
        )
        text = f"Spearman correlations with accuracy over {len(rows)} observers: {related}."
    return Figure(
        "The population: accuracy against what limits it",
        f"Scatter plots of accuracy against {', '.join(varied)}. {text}",
        ("population",),
        drawing,
        ("Bars: 95 % Wilson intervals.", text),
    )
