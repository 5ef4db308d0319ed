"""Proportions as colors: rows by columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd

from gfactor.reports.drawing import blank, legible

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

_LETTER = 0.055
"""Inches that a letter of a label takes, at most."""


def heat(
    rows: pd.DataFrame, down: str, across: str, value: str, order: Sequence[str] = ()
) -> Drawing:
    """A heat map with the hardest row on top; columns in the order given, or that of the rows.

    The drawing grows with its labels, so that long names leave room for the colors.
    """
    cells = rows.pivot(index=down, columns=across, values=value)
    names = [name for name in order or dict.fromkeys(rows[across]) if name in cells.columns]
    cells = cells.loc[cells.mean(axis=1).sort_values(kind="stable").index, names]
    left, below = legible(map(str, cells.index)), legible(map(str, cells.columns))
    slanted = 0.75 * _LETTER * max(map(len, below))
    drawing = blank(
        max(1.6 + _LETTER * max(map(len, left)), 1.2 + slanted) + 0.34 * len(below),
        0.8 + slanted + 0.2 * len(left),
    )
    axes = drawing.subplots()
    image = axes.imshow(cells.to_numpy(float), vmin=0, vmax=1, cmap="cividis", aspect="auto")
    axes.set_xticks(range(len(below)), below, rotation=45, ha="right")
    axes.set_yticks(range(len(left)), left)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    bar = drawing.colorbar(image, ax=axes, fraction=0.03, pad=0.02, ticks=[0, 0.5, 1])
    bar.ax.set_yticklabels(["0 %", "50 %", "100 %"])
    bar.outline.set_visible(False)  # pyright: ignore[reportCallIssue]
    return drawing
