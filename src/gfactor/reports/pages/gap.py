"""The page of a perception gap: what pictures lose in seeing and in reasoning, family by family."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pandas as pd

from gfactor.psychometrics.trees import GapAnalysis
from gfactor.reports.drawing.canvas import COLORS, GUIDE, blank, drawing_style, legible
from gfactor.reports.figure_registry import Drawers, Figure
from gfactor.reports.pages.analysis import AnalysisReport, write_analysis
from gfactor.reports.table_registry import Table
from gfactor.reports.writing.report_folder import Written, put
from gfactor.results import shown

_SOLVED = "#d5dade"
_MOST_ROWS = 45
_HEADINGS = {
    "ci": "95 % interval",
    "g": "guess",
    "seeing": "lost in seeing",
    "reasoning": "lost in reasoning",
}
_METHODS = (
    "Difference: image - text of scenes that were answered as both; Newcombe's interval (with "
    "correction for continuity) and Tango's; where scenes have several answers, a t interval "
    "over scenes.",
    "Loss in seeing: accuracy of text twins less that of pictures. Loss in reasoning: what text "
    "twins lack to 1. Guesses are right answers in both.",
    "Processing tree: a twin is solved with probability r + (1 - r) g, a picture with "
    "s r + (1 - s r) g, a blind item with g; standard errors allow for dependence between the "
    "three answers to a scene.",
)
_REFERENCES = (
    "Riefer, D. M., Batchelder, W. H. (1988). Multinomial modeling and the measurement of "
    "cognitive processes. Psychological Review 95, 318-339.",
    "Newcombe, R. G. (1998). Improved confidence intervals for the difference between binomial "
    "proportions based on paired data. Statistics in Medicine 17, 2635-2650.",
    "Tango, T. (1998). Equivalence test and confidence interval for the difference in proportions "
    "for the paired-sample design. Statistics in Medicine 17, 891-908.",
)


def write_gap(result: GapAnalysis, folder: Path | str) -> Written:
    """Write the page, its tables, its figure and `gap.json`."""
    with drawing_style():
        report = gap_report(result)
    written = write_analysis(report, folder)
    document = json.dumps(result.to_dict(), indent=2, ensure_ascii=False) + "\n"
    put(Path(folder) / "gap.json", document.encode())
    return written


def gap_report(result: GapAnalysis) -> AnalysisReport:
    """Return the content of the page."""
    tables = {
        "losses": Table(
            "Losses of pictures over all scenes",
            _ends(result.whole.losses.reset_index()),
            percent=("estimate", "share"),
        ),
        "versions": Table(
            "Accuracy of each version",
            _ends(result.whole.accuracy.reset_index()),
            percent=("estimate",),
        ),
        "difference": Table(
            "Difference, image - text",
            _ends(result.whole.gap.reset_index()),
            percent=("estimate",),
        ),
        "tree": Table("Processing tree", _ends(result.tree.reset_index()), decimals=3),
    }
    if len(result.by):
        percent = ("image", "text", "gap", "seeing", "reasoning", "newcombe", "tango")
        wide = result.by.drop(
            columns=[f"{m}_{end}" for m in ("newcombe", "tango") for end in ("lower", "upper")]
        ).rename(columns={"ci_lower": "gap_low", "ci_upper": "gap_high"})
        tables["groups"] = Table(
            "Difference and losses by group",
            _ends(wide.assign(level=[str(level) for level in wide["level"]])),
            percent=tuple(name for name in percent if name in wide),
            headings=_HEADINGS,
            folded=len(wide) > _MOST_ROWS,
        )
    if len(result.thresholds):
        tables["thresholds"] = Table(
            "Thresholds of size, with pictures and with text twins",
            _ends(result.thresholds),
            decimals=1,
        )
    if len(result.triplets):
        tables["triplets"] = Table(
            "Genuine accuracy of triplets",
            _ends(result.triplets),
            percent=("genuine", "independent", "excess"),
        )
    return AnalysisReport(
        result.title,
        tuple((name.replace("_", " "), shown(value)) for name, value in result.facts.items()),
        result.diagnostics,
        figures={name: draw() for name, draw in gap_figures(result).items()},
        tables=tables,
        methods=_METHODS,
        references=_REFERENCES,
    )


def gap_figures(result: GapAnalysis) -> Drawers:
    """Return the function that draws the losses on pictures."""
    return {"losses": partial(loss_shares, result)}


def loss_shares(result: GapAnalysis) -> Figure:
    """Draw accuracy on pictures and the losses in seeing and in reasoning, by family, with all
    scenes last."""
    rows = _rows(result)
    drawing = blank(6.6, 0.9 + 0.42 * len(rows))
    axes = drawing.subplots()
    for k, row in enumerate(rows.to_dict("records")):
        left = row["text"] - row["seeing"]
        axes.barh(k, left, color=_SOLVED, height=0.62)
        axes.barh(k, row["seeing"], left=left, color=COLORS[0], height=0.62)
        axes.barh(k, row["reasoning"], left=row["text"], color=COLORS[1], height=0.62)
        axes.text(1.02, k, _words(row), va="center", fontsize=7)
    axes.axhline(len(rows) - 1.5, color=GUIDE, linewidth=0.6)
    axes.set_yticks(range(len(rows)), legible(rows["level"].astype(str)))
    axes.set_xlim(0, 1.0)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "25", "50", "75", "100 %"])
    axes.set_xlabel("of all scenes")
    axes.tick_params(axis="y", length=0)
    handles = [
        axes.barh([0], [0], color=color, label=label)
        for color, label in (
            (_SOLVED, "right on pictures"),
            (COLORS[0], "lost in seeing"),
            (COLORS[1], "lost in reasoning"),
        )
    ]
    drawing.legend(handles=handles, loc="outside upper center", ncols=3, frameon=False, fontsize=8)
    whole = rows.iloc[-1].to_dict()
    most = rows.iloc[:-1] if len(rows) > 1 else rows
    worst = most.loc[most["seeing"].idxmax()].to_dict()
    return Figure(
        "What pictures lose in seeing and in reasoning",
        f"A bar per family. Over all scenes pictures lose {whole['seeing']:.0%} in seeing and "
        f"{whole['reasoning']:.0%} in reasoning; most in seeing in {worst['level']} "
        f"({worst['seeing']:.0%}).",
        ("groups", "losses") if len(result.by) else ("losses",),
        drawing,
        (
            "Gray: scenes solved as pictures. Blue: solved as text twins, which tell the same "
            "scene in words, but not as pictures: lost in seeing. Brown: not solved as text twins "
            "either: lost in reasoning. Numbers: both losses in percent of all scenes, with "
            f"{result.whole.level:.0%} intervals.",
        ),
    )


def _rows(result: GapAnalysis) -> pd.DataFrame:
    """Families (or the first grouping there is), then all scenes."""
    by = result.by
    rows = by.loc[(by["by"] == by["by"].iloc[0]).to_numpy()] if len(by) else by
    whole: dict[str, object] = {
        "level": "all scenes",
        "text": result.whole.accuracy.loc["text", "estimate"],
    }
    for name, row in result.whole.losses.iterrows():
        whole[str(name)] = row["estimate"]
        whole |= {f"{name}_{end}": row[f"ci_{end}"] for end in ("lower", "upper")}
    return pd.concat([rows, pd.DataFrame([whole])], ignore_index=True)


def _words(row: dict[str, float]) -> str:
    parts = [
        f"{word} {100 * row[loss]:.0f} [{100 * row[f'{loss}_lower']:z.0f}, "
        f"{100 * row[f'{loss}_upper']:z.0f}]"
        for word, loss in (("see", "seeing"), ("reason", "reasoning"))
    ]
    return "   ".join(parts)


def _ends(frame: pd.DataFrame) -> pd.DataFrame:
    """Intervals under the names by which tables know them."""
    names = {}
    for column in frame.columns:
        if column in ("ci_lower", "ci_upper"):
            names[column] = "estimate_low" if column == "ci_lower" else "estimate_high"
        elif column.endswith("_lower"):
            names[column] = column.removesuffix("_lower") + "_low"
        elif column.endswith("_upper"):
            names[column] = column.removesuffix("_upper") + "_high"
    return frame.rename(columns=names)
