"""Figures of factor models: loadings, residual correlations, eigenvalues."""

from __future__ import annotations

import numpy as np
import pandas as pd

from gfactor.reports.drawing.canvas import (
    COLORS,
    GUIDE,
    INK,
    Drawing,
    MaxNLocator,
    blank,
    legible,
    shortened,
)
from gfactor.reports.drawing.path_drawing import apa_decimals
from gfactor.reports.figure_registry import Figure

_MOST_NUMBERS = 20
"""Columns of a heat map up to whose number the values stand in the cells."""
_LEAST_SCALE = 0.1
"""Smallest end of the scale of residuals: a good fit shall not look like a bad one."""


def residual_heat_map(residuals: pd.DataFrame, title: str, tables: tuple[str, ...]) -> Figure:
    """Draw observed less implied correlations.

    Parameters
    ----------
    residuals: variables x variables.
    title: caption.
    tables: names of the tables that hold the numbers.
    """
    values = residuals.to_numpy(float).copy()
    np.fill_diagonal(values, np.nan)
    size = np.abs(values)
    most = float(np.nanmax(size)) if np.isfinite(size).any() else 0.0
    frame = pd.DataFrame(values, residuals.index, residuals.columns)
    drawing = _heat(frame, max(_LEAST_SCALE, most), "residual correlation")
    i, k = np.unravel_index(np.nanargmax(size), size.shape) if most else (0, 0)
    names = [str(name) for name in residuals.index]
    largest = (
        f"The largest is {apa_decimals(values[i, k])} ({names[i]} and {names[k]})."
        if most else "All are zero."
    )  # fmt: skip
    return Figure(
        title,
        f"Heat map of {len(names)} variables. {largest}",
        tables,
        drawing,
        ("Observed less implied correlations: orange where two variables have less in common than "
         "the model says, purple where they have more.",),
    )  # fmt: skip


def loading_heat_map(loadings: pd.DataFrame, tables: tuple[str, ...]) -> Figure:
    """Draw the loadings of indicators on factors.

    Parameters
    ----------
    loadings: indicators x factors.
    tables: names of the tables that hold the numbers.
    """
    most = max(1.0, float(loadings.abs().to_numpy().max()))
    return Figure(
        "Loadings",
        f"Heat map of {loadings.shape[0]} indicators by {loadings.shape[1]} factors; the numbers "
        "are in the table.",
        tables,
        _heat(loadings, most, "loading"),
        ("Pattern coefficients: orange below zero, purple above.",),
    )


def loading_intervals(rows: pd.DataFrame, title: str, level: float) -> Figure:
    """Draw standardized loadings with their intervals, by latent variable.

    Parameters
    ----------
    rows: `lhs` (latent variable), `rhs` (indicator), `est`, `ci.lower`, `ci.upper`.
    title: caption.
    level: confidence level of the intervals.
    """
    names = legible(shortened(name, 34) for name in rows["rhs"])
    factors = dict(
        zip(rows["lhs"], legible(shortened(name, 34) for name in rows["lhs"]), strict=True)
    )
    # Names stand on both sides of the panel, which they must not take the room of.
    beside = 0.06 * (max(map(len, names)) + max(map(len, factors.values())))
    drawing = blank(max(5.2, 2.6 + beside), 0.9 + 0.2 * len(rows))
    axes = drawing.subplots()
    axes.axvline(0, color=GUIDE, linewidth=0.6)
    at = 0
    for number, (name, inner) in enumerate(rows.groupby("lhs", sort=False)):
        color = COLORS[number % len(COLORS)]
        heights = np.arange(at, at + len(inner))
        axes.hlines(heights, inner["ci.lower"], inner["ci.upper"], color=color, linewidth=1)
        axes.plot(inner["est"], heights, "o", color=color, markersize=4, label=factors[name])
        at += len(inner)
    axes.set_yticks(range(len(rows)), names)
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlabel(f"standardized loading, {100 * level:g} % interval")
    axes.legend(frameon=False, fontsize=7, loc="center left", bbox_to_anchor=(1, 0.5))
    values = rows["est"].to_numpy(float)
    return Figure(
        title,
        f"Dot plot of {len(rows)} standardized loadings from {apa_decimals(values.min())} to "
        f"{apa_decimals(values.max())}.",
        ("estimates",),
        drawing,
        ("Intervals by the delta method; none if a loading is fixed.",),
    )


def scree(
    eigenvalues: pd.DataFrame, factors: int, reference: str, tables: tuple[str, ...]
) -> Figure:
    """Draw eigenvalues in order, with those of uncorrelated data.

    Parameters
    ----------
    eigenvalues: `observed`, and if there is a parallel analysis `mean` and `percentile`.
    factors: number of factors that were extracted, or that the parallel analysis suggests.
    reference: name of the percentile, as "95th percentile of 500 random tables".
    tables: names of the tables that hold the numbers.
    """
    drawing = blank(5.2, 3.4)
    axes = drawing.subplots()
    at = np.arange(1, len(eigenvalues) + 1)
    observed = eigenvalues["observed"].to_numpy(float)
    axes.plot(at, observed, "o-", color=COLORS[0], markersize=4, linewidth=1, label="observed")
    if "percentile" in eigenvalues:
        axes.plot(
            at, eigenvalues["percentile"], "--", color=COLORS[1], linewidth=1, label=reference
        )
        axes.plot(at, eigenvalues["mean"], ":", color=GUIDE, linewidth=1, label="their mean")
    axes.axhline(0, color=INK, linewidth=0.4)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("number of the eigenvalue")
    axes.set_ylabel("eigenvalue")
    axes.legend(frameon=False, fontsize=7)
    first = ", ".join(f"{value:.2f}" for value in observed[:4])
    return Figure(
        "Eigenvalues" + (" beside those of random tables" if "percentile" in eigenvalues else ""),
        f"Line of {len(observed)} eigenvalues, from the first: {first}"
        + (f"; {factors} lie above the reference." if "percentile" in eigenvalues else "."),
        tables,
        drawing,
        ("Factors are kept as long as the observed eigenvalue lies above the dashed line (parallel "
         "analysis).",) if "percentile" in eigenvalues else (),
    )  # fmt: skip


def _heat(values: pd.DataFrame, limit: float, label: str) -> Drawing:
    """Draw a table as colors on both sides of zero, with numbers if there is room."""
    left = legible(shortened(name, 26) for name in values.index)
    below = legible(shortened(name, 26) for name in values.columns)
    cell = 0.36 if len(below) <= _MOST_NUMBERS else 0.14
    longest = 0.06 * max(map(len, left))
    drawing = blank(1.5 + longest + cell * len(below), 0.7 + longest + 0.6 * cell * len(left))
    axes = drawing.subplots()
    cells = values.to_numpy(float)
    image = axes.imshow(cells, vmin=-limit, vmax=limit, cmap="PuOr", aspect="auto")
    axes.set_xticks(range(len(below)), below, rotation=45, ha="right")
    axes.set_yticks(range(len(left)), left)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    if len(below) <= _MOST_NUMBERS:
        for y, x in np.argwhere(np.isfinite(cells)):
            ink = "white" if abs(cells[y, x]) > 0.6 * limit else INK
            axes.text(x, y, apa_decimals(float(cells[y, x])), ha="center", va="center", color=ink,
                      fontsize=7)  # fmt: skip
    bar = drawing.colorbar(image, ax=axes, fraction=0.05, pad=0.03, label=label)
    bar.outline.set_visible(False)
    return drawing
