"""Figures of a pruning: the trace of removals, tasks kept, ranks from one score to another."""

from __future__ import annotations

import pandas as pd

from gfactor.frames import column, pick
from gfactor.reports.drawing.canvas import COLORS, GUIDE, blank
from gfactor.reports.figure_registry import Figure

_REASONS = {"vif": ("redundant", "VIF"), "loading": ("weak", "loading")}


def removal_trace(trace: pd.DataFrame, tables: tuple[str, ...]) -> Figure:
    """Draw the value that decided each removal, in order; a panel for VIFs, one for loadings.

    Parameters
    ----------
    trace: `step`, `task`, `construct`, `reason`, `value`, `limit`, one row per removal.
    tables: names of the tables that hold the numbers.
    """
    every = trace.to_dict("records")
    by_reason = {r: [row for row in every if row["reason"] == r] for r in _REASONS}
    reasons = [r for r in _REASONS if by_reason[r]]
    constructs = list(dict.fromkeys(trace["construct"]))
    color = {c: COLORS[i % len(COLORS)] for i, c in enumerate(constructs)}
    heights = [0.19 * len(by_reason[r]) + 0.5 for r in reasons]
    drawing = blank(6.4, 1.0 + sum(heights))
    panels = drawing.subplots(
        len(reasons), 1, squeeze=False, gridspec_kw={"height_ratios": heights}
    )[:, 0]
    for axes, reason in zip(panels, reasons, strict=True):
        rows = by_reason[reason]
        positions = range(len(rows))
        axes.axvline(float(rows[0]["limit"]), color=GUIDE, linewidth=0.8, linestyle="--")
        for position, row in zip(positions, rows, strict=True):
            value = float(row["value"])
            drawn = value if value < 1e6 else float(rows[0]["limit"])
            axes.plot([drawn], [position], "o", markersize=4, color=color[row["construct"]])
        axes.set_yticks(positions, [f"{r['step']}. {r['task']}" for r in rows])
        axes.tick_params(axis="y", labelsize=6, length=0)
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.set_xlabel(f"{_REASONS[reason][1]} at removal ({_REASONS[reason][0]} tasks)")
    handles = [
        panels[0].plot([], [], "o", markersize=4, color=color[c], label=c)[0] for c in constructs
    ]
    drawing.legend(handles=handles, loc="outside upper left", ncols=4, frameon=False)
    reason_counts = " and ".join(f"{len(by_reason[r])} {_REASONS[r][0]}" for r in reasons)
    return Figure(
        "Tasks in the order of their removal",
        f"Dots for {len(trace)} removed tasks ({reason_counts}); the first is "
        f"{trace['task'].iloc[0]}, the last {trace['task'].iloc[-1]}.",
        tables,
        drawing,
        ("Dashed: the limit. After every removal the model is estimated anew.",),
    )


def kept_shares(tasks: pd.DataFrame, tables: tuple[str, ...]) -> Figure:
    """Draw how often each task is kept in resamples of the models, by construct.

    `tasks` has `construct`, `task`, `retained`, `kept`, `kept_low`, `kept_high`.
    """
    ordered = tasks.sort_values(["construct", "kept"], ascending=[True, False], kind="stable")
    drawing = blank(6.0, 0.8 + 0.17 * len(ordered))
    axes = drawing.subplots()
    for position, row in enumerate(ordered.to_dict("records")):
        color = COLORS[0] if row["retained"] else COLORS[1]
        ends = [100 * row["kept_low"], 100 * row["kept_high"]]
        axes.plot(ends, [position, position], color=color, linewidth=1)
        axes.plot([100 * row["kept"]], [position], "o", markersize=3, color=color)
    names = [f"{r['construct']}: {r['task']}" for r in ordered.to_dict("records")]
    axes.set_yticks(range(len(ordered)), names)
    axes.tick_params(axis="y", labelsize=6, length=0)
    axes.set_ylim(len(ordered) - 0.4, -0.6)
    axes.set_xlim(-2, 102)
    axes.set_xlabel("kept in resamples of the models (%)")
    for label, color in (("retained", COLORS[0]), ("removed", COLORS[1])):
        axes.plot([], [], "o", markersize=3, color=color, label=label)
    axes.legend(frameon=False, loc="lower right")
    unsure = int(ordered["kept"].between(0.2, 0.8).sum())
    return Figure(
        "How often each task is kept",
        f"Dot plot of {len(ordered)} tasks; {unsure} are kept in 20 to 80 % of resamples.",
        tables,
        drawing,
        ("Lines: 95 % Wilson intervals over resamples.",),
    )


def rank_shift(scores: pd.DataFrame, tables: tuple[str, ...]) -> Figure:
    """Draw ranks by the first column against ranks by the second, 1 the best; ties share a rank.

    Parameters
    ----------
    scores: models x scores; the first two columns are compared.
    tables: names of the tables that hold the numbers.
    """
    first, second = (str(c) for c in scores.columns[:2])
    complete = scores.dropna(subset=[first, second])
    ranks = pick(complete, [first, second]).rank(ascending=False)
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
