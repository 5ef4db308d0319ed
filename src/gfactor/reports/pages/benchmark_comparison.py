"""The page of a comparison of benchmarks: GOLD's figures 8 and 9, with their warnings."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from gfactor.frames import pick
from gfactor.psychometrics.gold import BenchmarkComparison
from gfactor.reports.drawing.canvas import COLORS, blank, drawing_style
from gfactor.reports.figure_registry import Drawers, Figure
from gfactor.reports.pages.analysis import AnalysisReport
from gfactor.reports.table_registry import Table

REFERENCES = (
    "Xiong, S., Zou, T., Wang, C., Li, X. (2025). Aligning MLLM benchmark with human preferences "
    "via structural equation modeling. Equations 1 to 5, figures 8 and 9.",
    "Zou, G. Y. (2007). Toward using confidence intervals to compare correlations. Psychological "
    "Methods 12, 399-413.",
    "Bonett, D. G., Wright, T. A. (2000). Sample size requirements for estimating Pearson, Kendall "
    "and Spearman correlations. Psychometrika 65, 23-28.",
)
_AXES = ("D_div", "TC", "D_valid", "human")
_AXIS_NAMES = {"human": "criterion"}


def comparison_report(comparison: BenchmarkComparison, data: str = "") -> AnalysisReport:
    """Return tables, figures and sentences of a comparison; `data` is the name of the data on the
    page."""
    tables = {
        "benchmarks": Table(
            "Benchmarks",
            comparison.table,
            headings={"human": "r with the criterion", "human_n": "rated models"},
            notes=("95 % intervals over models.",),
            decimals=3,
        )
    }
    ranged = [part.by_range.assign(benchmark=name) for name, part in comparison.parts.items()]
    if ranged:
        whole = pd.concat(ranged, ignore_index=True)
        tables["ranges"] = Table(
            "The same over all, the best and the worst models",
            pick(
                whole, ["benchmark", "range", "diagnostic", "estimate", "low", "high", "n"]
            ).rename(columns={"low": "estimate_low", "high": "estimate_high"}),
            folded=True,
            decimals=3,
        )
    if len(comparison.differences):
        tables["differences"] = Table(
            "Differences between correlations with the criterion",
            comparison.differences.rename(columns={"low": "estimate_low", "high": "estimate_high"}),
            notes=(
                "Over the models that both benchmarks and the criterion have (Zou 2007); the "
                "intervals hold for all pairs together.",
            ),
            decimals=3,
        )
    with drawing_style():
        figures = {name: draw() for name, draw in comparison_figures(comparison).items()}
    return AnalysisReport(
        "Comparison of benchmarks",
        (("Data", data),) if data else (),
        comparison.diagnostics,
        figures,
        tables,
        (
            "D_div = 1 / (2 max HTMT), at most 1; TC the mean absolute loading (PLS, mode A); "
            "D_valid the inverse geometric mean of the VIFs within constructs.",
            "Intervals of the three: normal on the logarithm (TC: Fisher's z) with the bootstrap's "
            "standard error over models.",
        ),
        REFERENCES,
    )


def comparison_figures(comparison: BenchmarkComparison) -> Drawers:
    """Return functions that draw the figures of a comparison by name."""
    figures: Drawers = {}
    if len(comparison.parts):
        figures["radar"] = partial(radar, comparison.table, ("benchmarks",))
    if comparison.alignments:
        figures["alignment"] = partial(_alignment_bars, comparison.table, ("benchmarks",))
    return figures


def radar(table: pd.DataFrame, tables: tuple[str, ...]) -> Figure:
    """Draw the diagnostics of every benchmark on axes from 0 to 1, one line per benchmark.

    The area of a radar chart depends on the order of its axes and means nothing; values are in the
    table beside it. A negative correlation is drawn at the center.
    """
    axes_names = [a for a in _AXES if np.isfinite(table[a].to_numpy(float)).any()]
    measured = pick(table, pick(table, axes_names).notna().any(axis=1))
    angles = np.linspace(0, 2 * np.pi, len(axes_names), endpoint=False)
    drawing = blank(5.6, 4.6)
    axes: Any = drawing.add_subplot(projection="polar")
    axes.set_theta_offset(np.pi / 2)
    for number, row in enumerate(measured.to_dict("records")):
        values = np.array([float(row[a]) for a in axes_names])
        within_axes = np.clip(np.nan_to_num(values), 0, 1)
        axes.plot(
            np.append(angles, angles[0]), np.append(within_axes, within_axes[0]), linewidth=1.2,
            color=COLORS[number % len(COLORS)], label=str(row["benchmark"]),
            linestyle="-" if number < len(COLORS) else "--",
        )  # fmt: skip
    axes.set_xticks(angles, [_AXIS_NAMES.get(a, a) for a in axes_names])
    axes.set_ylim(0, 1)
    axes.set_yticks([0.25, 0.5, 0.75, 1.0], ["", "0.5", "", "1"])
    axes.spines[:].set_visible(False)
    drawing.legend(loc="outside right upper", frameon=False)
    description = "; ".join(
        f"{row['benchmark']}: "
        + ", ".join(f"{_AXIS_NAMES.get(a, a)} {_number(row[a])}" for a in axes_names)
        for row in measured.to_dict("records")
    )
    return Figure(
        "Diagnostics of benchmarks",
        f"Radar chart. {description}.",
        tables,
        drawing,
        ("The area has no meaning: it depends on the order of the axes. Read the table.",),
    )


def _alignment_bars(table: pd.DataFrame, tables: tuple[str, ...]) -> Figure:
    """Draw each benchmark's Pearson correlation with the criterion, the highest on top."""
    measured = table.dropna(subset=["human"]).sort_values("human", ascending=False, kind="stable")
    drawing = blank(5.2, 1.0 + 0.26 * len(measured))
    axes = drawing.subplots()
    for index, row in enumerate(measured.to_dict("records")):
        axes.plot(
            [row["human_low"], row["human_high"]], [index, index], color=COLORS[0], linewidth=1
        )
        axes.plot([row["human"]], [index], "o", color=COLORS[0], markersize=4)
    names = [f"{r['benchmark']} (n = {r['human_n']})" for r in measured.to_dict("records")]
    axes.set_yticks(range(len(measured)), names)
    axes.set_ylim(len(measured) - 0.5, -0.5)
    axes.axvline(0, color="#8a929b", linewidth=0.6)
    axes.set_xlim(-1, 1)
    axes.set_xlabel("Pearson's r with the criterion, 95 % interval")
    best = measured.iloc[0]
    return Figure(
        "Alignment with the criterion",
        f"Dot plot of {len(measured)} correlations; the highest is {best['benchmark']} "
        f"({best['human']:.2f}).",
        tables,
        drawing,
        ("Different benchmarks were taken by different models; see the table of differences.",),
    )


def _number(value: float) -> str:
    return "-" if np.isnan(value) else f"{value:.2f}"
