"""The accuracy-against-size curve of every domain, as small multiples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from gfactor.frames import column, distinct, pick
from gfactor.psychometrics import accuracy_at
from gfactor.reports.answers.results import POOLED
from gfactor.reports.drawing.canvas import COLORS, GUIDE, Line2D, LineCollection, blank, grid_of
from gfactor.reports.figure_registry import Figure, figure
from gfactor.reports.table_registry import Table
from gfactor.reports.tables.curves import guess_at

COLUMNS = 6
"""Panels in a row."""
_GUESSING = "guess rate"
"""Name of the dotted line in the legend."""
IDEAL = "ideal observer"


@figure(
    "accuracy_against_size", section="curves", order=20,
    needs=("accuracy_by_domain_and_size", "psychometric_functions"),
)  # fmt: skip
def curves(tables: Mapping[str, Table]) -> Figure | None:
    """Draw a panel per domain: points with intervals, fitted function, ideal, models, guessing."""
    points = tables["accuracy_by_domain_and_size"].frame
    fits = tables["psychometric_functions"].frame
    domains = distinct(points, "domain")
    across = min(COLUMNS, len(domains))
    down = -(-len(domains) // across)
    drawing = blank(2.1 * across + 0.4, 1.55 * down + 0.8, arranged=False)
    grid = grid_of(drawing, len(domains), across, sharex=True, sharey=True)
    labels = distinct(points, "label")
    colors = _colors(labels)
    guides: dict[str, Any] = {}
    if any(str(label).startswith(IDEAL) for label in labels):
        guides[IDEAL] = "--"
    if np.isfinite(column(points, "chance")).any():
        guides[_GUESSING] = ":"
    for axes, domain in zip(grid.flat, domains, strict=False):
        _panel(
            axes, str(domain), pick(points, points["domain"] == domain),
            pick(fits, fits["domain"] == domain), colors,
        )  # fmt: skip
    # Panels share their limits; each setting of one panel's is passed on to all others.
    grid.flat[0].set_ylim(-0.04, 1.04)
    grid.flat[0].autoscale_view(scaley=False)
    for axes in grid.flat[len(domains) :]:
        axes.set_visible(False)
    for axes in grid[:, 0]:
        axes.set_yticks([0, 0.5, 1], ["0 %", "50 %", "100 %"])
    height = drawing.get_size_inches()[1]
    drawing.subplots_adjust(
        left=0.06, right=0.99, bottom=0.45 / height, top=1 - 0.6 / height, hspace=0.38, wspace=0.08
    )
    drawing.supxlabel("size", y=0.08 / height, fontsize=9)
    _legend(drawing, colors, guides)
    return Figure(
        "Accuracy against size in every domain",
        _alt(fits, len(domains)),
        ("accuracy_by_domain_and_size", "psychometric_functions"),
        drawing,
        (
            "Points: accuracy with its 95 % interval. Lines: fitted psychometric functions; the "
            "bar on a line is the threshold with its 95 % interval, where it lies within "
            "the sizes given."
            + " Dotted: guess rate of the fits." * (_GUESSING in guides)
            + " Dashed: ideal observer." * (IDEAL in guides),
        ),
    )


def _colors(labels: Sequence[str]) -> dict[str, str]:
    """Assign colors, pooled populations first; the ideal observer is a line without a color."""
    names = sorted(labels, key=lambda name: (not name.startswith(POOLED), name))
    colored = [name for name in names if not name.startswith(IDEAL)]
    return {name: COLORS[index % len(COLORS)] for index, name in enumerate(colored)}


def _panel(
    axes: Any, domain: str, points: pd.DataFrame, fits: pd.DataFrame, colors: Mapping[str, str]
) -> None:
    """Draw a domain; the caller, who has all of them, settles how far sizes reach."""
    sizes = np.linspace(points["size"].min(), points["size"].max(), 77)
    chance: Any = points["chance"].mean()
    if np.isfinite(chance):
        level = guess_at(domain, sizes, float(chance))
        axes.plot(sizes, level, color=GUIDE, linewidth=0.8, linestyle=":")
    values = points[["size", "accuracy", "accuracy_low", "accuracy_high"]].to_numpy(float)
    artists, bars, bar_colors = [], [], []
    for label, rows in sorted(points.groupby("label").indices.items()):
        at, accuracy, low, high = values[rows].T
        if str(label).startswith(IDEAL):
            artists.append(Line2D(at, accuracy, color=GUIDE, linewidth=0.8, linestyle="--"))
        else:
            at = at + _shift(str(label), colors)
            color = colors[str(label)]
            artists.append(_points(at, accuracy, color))
            bars.append(_bars(at, accuracy, low, high))
            bar_colors += [color] * len(at)
    for fit in fits.to_dict("records"):
        color = colors.get(str(fit["label"]))
        if color is not None and np.isfinite(fit["lapse"]):
            artists += _line(fit, sizes, color)
    if bars:
        # One artist for all bars of a panel: each costs a hundred times what a bar does.
        ends = np.concatenate(bars)
        axes.add_artist(LineCollection(list(ends), colors=bar_colors, linewidths=0.5, alpha=0.75))
        axes.update_datalim(ends[:, 0])
    for artist in artists:
        axes.add_artist(artist)
        axes.update_datalim(artist.get_xydata())
    # Its height is given, or else every drawing measures all ticks to set it.
    axes.set_title(domain.replace("_", " "), fontsize=8, pad=3, y=1)
    axes.tick_params(length=2, pad=2, labelsize=7)


def _shift(label: str, colors: Mapping[str, str]) -> float:
    """Return the distance of an examinee's points from their size, so that all are seen."""
    step = min(0.15, 0.6 / len(colors))
    return step * (list(colors).index(label) - (len(colors) - 1) / 2)


def _points(at: np.ndarray, accuracy: np.ndarray, color: str) -> Line2D:
    """The accuracy at every size."""
    return Line2D(
        at, accuracy, linestyle="none", marker="o", markersize=2.2, color=color, alpha=0.75,
        zorder=2.1,
    )  # fmt: skip


def _bars(at: np.ndarray, accuracy: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """The ends of every point's interval, which is never on one side of it alone."""
    below, above = np.maximum(accuracy - low, 0), np.maximum(high - accuracy, 0)
    return np.array([[at, accuracy - below], [at, accuracy + above]]).transpose(2, 0, 1)


def _line(fit: Mapping[Any, Any], sizes: np.ndarray, color: str) -> list[Line2D]:
    """The fitted function; nothing if its slope is unknown (flat, or threshold outside)."""
    if not np.isfinite(fit["slope"]):
        return []
    parameters = fit["threshold"], fit["slope"], fit["lapse"]
    guess = guess_at(str(fit["domain"]), sizes, fit["guess"])
    there = guess_at(str(fit["domain"]), np.array([fit["threshold"]]), fit["guess"])[0]
    middle = float(accuracy_at(fit["threshold"], *parameters, there))
    return [
        Line2D(sizes, accuracy_at(sizes, *parameters, guess), color=color, linewidth=1.1),
        Line2D(
            [fit["threshold_low"], fit["threshold_high"]], [middle] * 2, color=color,
            linewidth=2.2, alpha=0.45, solid_capstyle="butt",
        ),
    ]  # fmt: skip


def _legend(drawing: Any, colors: Mapping[str, str], guides: Mapping[str, Any]) -> None:
    handles = [
        Line2D([], [], color=color, marker="o", markersize=2.2, label=label)
        for label, color in colors.items()
    ]
    handles += [
        Line2D([], [], color=GUIDE, linestyle=style, label=name) for name, style in guides.items()
    ]
    drawing.legend(handles=handles, loc="upper left", ncols=6, frameon=False, fontsize=8)


def _alt(fits: pd.DataFrame, domains: int) -> str:
    text = f"{domains} panels, one per domain, of accuracy falling with size."
    pooled = pick(fits, _is_pooled(fits) & (column(fits, "censored") == ""))
    if len(pooled):
        ranked = pooled.sort_values("threshold", kind="stable")
        low, high = ranked.iloc[0], ranked.iloc[-1]
        text += (
            f" The pooled population's thresholds run from size {low['threshold']:.1f} "
            f"({low['domain']}) to {high['threshold']:.1f} ({high['domain']})."
        )
    return text


def _is_pooled(fits: pd.DataFrame) -> pd.Series:
    return column(fits, "label").astype(str).str.startswith(POOLED)
