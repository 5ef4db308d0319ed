"""The page of a placement: new models on the scale of real ones, and their predicted scores."""

from __future__ import annotations

from functools import partial

import pandas as pd

from gfactor.psychometrics.irt.anchors.placement import Placement
from gfactor.reports.drawing.canvas import COLORS, GUIDE, blank, legible
from gfactor.reports.figure_registry import Drawers, Figure
from gfactor.reports.pages.analysis import AnalysisReport
from gfactor.reports.table_registry import Table
from gfactor.results import shown

_MOST_MODELS = 40
_NAMED = 6
_METHODS = (
    "Curves: the logit of a right answer is slope x ability + intercept, plus a level, plus a loss "
    "of easy items, plus effects of 20 and of 100 neighboring items. Each family of calibrated "
    "models counts by the square root of its size.",
    "Predicted score: answers as they were given, and expected answers to all other items.",
    "Interval of a predicted score: error of the abilities, answers not seen, uncertainty of the "
    "items, and how much a new family differs from its prediction, which was estimated on families "
    "left out of the calibration. A t interval on the logit scale.",
)
_REFERENCES = (
    "Bradlow, E. T., Wainer, H., Wang, X. (1999). A Bayesian random effects model for testlets. "
    "Psychometrika 64, 153-168.",
    "van der Linden, W. J. (1999). Multidimensional adaptive testing with a minimum error-variance "
    "criterion. Journal of Educational and Behavioral Statistics 24, 398-412.",
)


def placement_report(result: Placement) -> AnalysisReport:
    """Return the content of the page."""
    share = ("accuracy", "ci_lower", "ci_upper")
    tables = {
        "predictions": Table("Predicted scores on the full benchmarks", result.predictions,
                             percent=share),
        "abilities": Table("Abilities in standard deviations of the calibrated models",
                           result.abilities, decimals=2),
        "standing": Table("Standing among the calibrated models", result.standing),
    }  # fmt: skip
    if len(result.transfer):
        tables["transfer"] = Table(
            "Benchmarks of which nothing was asked", result.transfer, percent=share
        )
    tables["real_models"] = Table(
        "Scores of the calibrated models", result.real_models, percent=("accuracy",), folded=True
    )
    tables["questions"] = Table(
        "Questions, answers, and the probability of a right answer", result.questions, decimals=2,
        folded=True,
    )  # fmt: skip
    facts = tuple((name.replace("_", " "), shown(value)) for name, value in result.facts.items())
    return AnalysisReport(
        result.title, facts, result.diagnostics,
        {name: draw() for name, draw in placement_figures(result).items()}, tables, _METHODS,
        _REFERENCES, findings(result),
    )  # fmt: skip


def findings(result: Placement) -> tuple[str, ...]:
    """Return a sentence for each prediction, at most ten."""
    sentences = []
    standing = result.standing.set_index(["model", "benchmark"])
    for one in result.predictions.head(10).to_dict("records"):
        rank = standing.loc[(one["model"], one["benchmark"])]
        sentences.append(
            f"{one['model']}: {100 * one['accuracy']:.1f} % of {one['benchmark']} predicted "
            f"({100 * result.level:.0f} % interval {100 * one['ci_lower']:.1f} to "
            f"{100 * one['ci_upper']:.1f}) from {one['asked']} answers; rank {rank['best_rank']} "
            f"to {rank['worst_rank']} among {rank['of']} real models, next to {rank['nearest']}."
        )
    return tuple(sentences)


def placement_figures(result: Placement) -> Drawers:
    """Return the function that draws the scale."""
    return {"scale": partial(scale_figure, result)}


def scale_figure(result: Placement) -> Figure:
    """Draw the real models of each benchmark as dots, and the placed models with intervals."""
    names = list(result.predictions["benchmark"].unique())
    models = list(result.predictions["model"].unique())[:_MOST_MODELS]
    height = 0.5 + 0.16 * len(models)
    drawing = blank(6.6, 0.5 + len(names) * (height + 0.75))
    panels = drawing.subplots(len(names), 1, squeeze=False)[:, 0]
    for axes, name in zip(panels, names, strict=True):
        real = result.real_models.loc[result.real_models["benchmark"] == name]
        axes.scatter(100 * real["accuracy"], [0.0] * len(real), s=9, color=GUIDE, zorder=2)
        _name_some(axes, real)
        placed = result.predictions[result.predictions["benchmark"] == name].set_index("model")
        for k, model in enumerate(models):
            if model in placed.index:
                row = placed.loc[model]
                color = COLORS[k % len(COLORS)]
                ends = [100 * row["ci_lower"], 100 * row["ci_upper"]]
                axes.plot(ends, [k + 1, k + 1], color=color, linewidth=2)
                axes.plot([100 * row["accuracy"]], [k + 1], "o", color=color, markersize=4)
        axes.set_yticks(range(len(models) + 1), legible(["real models", *models]))
        axes.set_ylim(len(models) + 0.6, -1.6)
        axes.set_title(str(name), loc="left", fontsize=8)
        axes.tick_params(axis="y", length=0)
    panels[-1].set_xlabel("right answers on the full benchmark, percent")
    return Figure(
        "The scale, with the real models on it",
        f"A panel per benchmark: scores of the calibrated models as dots, and {len(models)} placed "
        "with intervals.",
        ("predictions", "real_models"),
        drawing,
        ("Gray dots: scores of the calibrated models on all items. Colored: predicted scores with "
         f"{100 * result.level:.0f} % intervals.",),
    )  # fmt: skip


def _name_some(axes: object, real: pd.DataFrame) -> None:
    """Write the names of some real models, evenly spread over the scale, above their dots."""
    ordered = real.sort_values("accuracy").reset_index(drop=True)
    low, high = ordered["accuracy"].iloc[0], ordered["accuracy"].iloc[-1]
    for k in range(_NAMED):
        target = low + (high - low) * k / (_NAMED - 1)
        row = ordered.loc[(ordered["accuracy"] - target).abs().idxmin()]
        axes.text(  # type: ignore[attr-defined]
            100 * row["accuracy"], -0.35 - 0.6 * (k % 2), legible([row["model"]])[0], fontsize=5.5,
            ha={0: "left", _NAMED - 1: "right"}.get(k, "center"),
        )  # fmt: skip
