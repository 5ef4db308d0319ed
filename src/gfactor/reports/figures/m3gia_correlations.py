"""M3GIA's figure 4, left: the correlation matrix, beside that of the published models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from gfactor.reports.drawing.canvas import blank
from gfactor.reports.figure_registry import Figure, figure
from gfactor.reports.table_registry import Table


@figure("m3gia_correlations", section="paper", order=4, needs=("m3gia_correlations",),
        benchmarks=("m3gia",))  # fmt: skip
def correlations(tables: Mapping[str, Table]) -> Figure | None:
    """Draw two matrices of colors with their coefficients."""
    rows = tables["m3gia_correlations"].frame
    most: Any = rows.groupby("condition")["n"].max()
    setting = str(most.sort_values(ascending=False, kind="stable").index[0])
    rows = rows.loc[(rows["condition"] == setting).to_numpy(bool)]
    names = list(dict.fromkeys([*rows["factor"], *rows["other"]]))
    size = 0.9 + 0.42 * len(names)
    drawing = blank(2 * size + 0.6, size)
    panels = drawing.subplots(1, 2)
    counts = (rows["n"].max(), rows["published_n"].max())
    titles = (f"here, {counts[0]} models", f"published, {counts[1]} models")
    for axes, value, title in zip(panels, ("r", "published_r"), titles, strict=True):
        cells = _square(rows, value, names)
        axes.imshow(cells, vmin=-1, vmax=1, cmap="PuOr")
        axes.set_xticks(range(len(names)), names)
        axes.set_yticks(range(len(names)), names)
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        axes.set_title(title, fontsize=8)
        for y, x in np.argwhere(np.isfinite(cells)):
            ink = "white" if abs(cells[y, x]) > 0.5 else "#1f252b"
            axes.text(x, y, f"{cells[y, x]:.2f}", ha="center", va="center", color=ink, fontsize=7)
    finite = rows["r"].to_numpy(float)
    finite = finite[np.isfinite(finite)]
    range_text = (
        f"from {finite.min():.2f} to {finite.max():.2f}" if len(finite) else "are not defined"
    )
    return Figure(
        "Correlations of the models' accuracies on the CHC factors",
        f"Two matrices of {len(names)} factors. "
        f"Correlations over {counts[0]} models here {range_text}.",
        ("m3gia_correlations",),
        drawing,
        ("Left: as figure 4, left, of the paper"
         + (f", under the condition {setting}" if len(most) > 1 else "")
         + "; right: the same from its table 1. Intervals are in the table.",),
    )  # fmt: skip


def _square(rows: pd.DataFrame, value: str, names: list[str]) -> np.ndarray:
    cells = np.eye(len(names))
    for a, b, r in zip(rows["factor"], rows["other"], rows[value].astype(float), strict=True):
        i, j = names.index(a), names.index(b)
        cells[i, j] = cells[j, i] = r
    return cells
