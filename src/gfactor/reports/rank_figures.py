"""A rank-rank plot: how models change places from one score to another."""

from __future__ import annotations

import pandas as pd

from gfactor.reports.drawing import COLORS, GUIDE, blank
from gfactor.reports.figure import Figure
from gfactor.reports.frames import column
from gfactor.scoring.frames import pick


def rank_shift(scores: pd.DataFrame, tables: tuple[str, ...]) -> Figure:
    """Ranks by the first column against ranks by the second, 1 the best; ties share a rank.

    Parameters
    ----------
    scores: models x scores; the first two columns are compared.
    tables: names of the tables that hold the numbers.
    """
    first, second = (str(c) for c in scores.columns[:2])
    known = scores.dropna(subset=[first, second])
    ranks = pick(known, [first, second]).rank(ascending=False)
    shift = column(ranks, first).sub(column(ranks, second)).abs()
    drawing = blank(4.6, 4.6)
    axes = drawing.subplots()
    top = len(ranks) + 1
    axes.plot([0, top], [0, top], color=GUIDE, linewidth=0.8, linestyle="--")
    axes.plot(ranks[first], ranks[second], "o", markersize=3, color=COLORS[0], alpha=0.8)
    for model in shift.sort_values(ascending=False, kind="stable").index[:3]:
        axes.annotate(
            str(model), (ranks.loc[model, first], ranks.loc[model, second]), xytext=(3, 3),
            textcoords="offset points", fontsize=6,
        )  # fmt: skip
    axes.set_xlim(0, top)
    axes.set_ylim(top, 0)
    axes.set_xlabel(f"rank by {first}")
    axes.set_ylabel(f"rank by {second}")
    axes.set_aspect("equal")
    return Figure(
        f"Ranks by {first} and by {second}",
        f"Scatter of the ranks of {len(ranks)} models; the median change is {shift.median():.0f} "
        f"places, the largest {shift.max():.0f} ({shift.idxmax()}).",
        tables,
        drawing,
        ("Dashed: the same rank. The three largest changes are named.",),
    )
