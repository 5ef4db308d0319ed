"""Figures of measurement: HTMT as a heat map, loadings against VIF."""

from __future__ import annotations

import numpy as np
import pandas as pd

from gfactor.reports.drawing.canvas import COLORS, GUIDE, blank, legible
from gfactor.reports.figure_registry import Figure

HTMT_LIMIT = 0.90
VIF_LIMIT = 5.0
LOADING_LIMIT = 0.708
"""A squared loading of one half (Hair et al. 2022)."""
FEW_NAMES = 40


def htmt_heat_map(ratios: pd.DataFrame, tables: tuple[str, ...]) -> Figure:
    """Draw HTMT of every pair of constructs, with the values in the cells.

    Parameters
    ----------
    ratios: constructs x constructs, NaN on the diagonal.
    tables: names of the tables that hold the numbers.
    """
    names = [str(name) for name in ratios.index]
    values = ratios.to_numpy(float)
    size = 1.6 + 0.55 * len(names)
    longer = max(0.0, 0.06 * max(map(len, legible(names))) - 0.9)
    drawing = blank(size + 1.0 + longer, size + longer)
    axes = drawing.subplots()
    top = max(1.0, float(np.nanmax(values))) if np.isfinite(values).any() else 1.0
    image = axes.imshow(values, vmin=0, vmax=top, cmap="cividis", aspect="auto")
    for i, k in np.argwhere(np.isfinite(values)):
        light = values[i, k] > 0.6 * top
        axes.text(
            k, i, f"{values[i, k]:.2f}", ha="center", va="center", fontsize=7,
            color="#1f252b" if light else "#fdfdfc",
            weight="bold" if values[i, k] >= HTMT_LIMIT else "normal",
        )  # fmt: skip
    axes.set_xticks(range(len(names)), names, rotation=45, ha="right")
    axes.set_yticks(range(len(names)), names)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    bar = drawing.colorbar(image, ax=axes, fraction=0.04, pad=0.03, label="HTMT")
    bar.outline.set_visible(False)
    if np.isfinite(values).any():
        i, k = np.unravel_index(np.nanargmax(values), values.shape)
        worst = f"The highest is {values[i, k]:.2f} ({names[i]} and {names[k]})."
    else:
        worst = "No pair has a ratio."
    return Figure(
        "Heterotrait-monotrait ratios",
        f"Heat map of the HTMT of {len(names)} constructs. {worst}",
        tables,
        drawing,
        (f"Bold: {HTMT_LIMIT:.2f} or more, where indicators do not tell two constructs apart.",),
    )


def loadings_against_vif(measurement: pd.DataFrame, tables: tuple[str, ...]) -> Figure:
    """Draw every indicator's loading and VIF, with the usual limits.

    Parameters
    ----------
    measurement: `construct`, `indicator`, `loading`, `vif`.
    tables: names of the tables that hold the numbers.
    """
    finite = measurement.loc[np.isfinite(measurement["vif"].to_numpy(float))]
    drawing = blank(6.2, 4.2)
    axes = drawing.subplots()
    axes.axvline(VIF_LIMIT, color=GUIDE, linewidth=0.8, linestyle="--")
    axes.axhline(LOADING_LIMIT, color=GUIDE, linewidth=0.8, linestyle="--")
    for number, (name, rows) in enumerate(finite.groupby("construct", sort=False)):
        axes.plot(
            rows["vif"], rows["loading"], "o", label=str(name), markersize=4,
            color=COLORS[number % len(COLORS)], alpha=0.85, markeredgewidth=0,
        )  # fmt: skip
    if len(finite) <= FEW_NAMES:
        for name, x, y in zip(finite["indicator"], finite["vif"], finite["loading"], strict=True):
            axes.annotate(str(name), (x, y), xytext=(3, 3), textcoords="offset points", fontsize=6)
    axes.set_xscale("log")
    highest = max([10.0, *(1.3 * finite["vif"].to_numpy(float))])
    axes.set_xlim(0.95, highest)
    ticks = [tick for tick in (1, 2, 5, 10, 20, 50, 100, 1000) if tick < highest]
    axes.set_xticks(ticks, [str(tick) for tick in ticks])
    axes.minorticks_off()
    axes.set_xlabel("VIF in the construct (log scale)")
    axes.set_ylabel("loading")
    axes.legend(frameon=False, fontsize=7, loc="best")
    keep = finite[(finite["vif"] <= VIF_LIMIT) & (finite["loading"] >= LOADING_LIMIT)]
    infinite = len(measurement) - len(finite)
    notes = (f"{infinite} indicators without a finite VIF are not shown.",) if infinite else ()
    return Figure(
        "Loadings against VIF",
        f"Scatter of {len(finite)} indicators; {len(keep)} have a loading of at least "
        f"{LOADING_LIMIT:.3f} and a VIF of at most {VIF_LIMIT:g}.",
        tables,
        drawing,
        ("Dashed: VIF 5, and loading 0.708 (half of the variance shared).", *notes),
    )
