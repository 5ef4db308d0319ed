"""The page of `gf.inflation`: the result, its tests, and the items with the largest effects."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from gfactor.numbers_in_text import p_value
from gfactor.psychometrics.inference.inflation import Inflation
from gfactor.psychometrics.inference.inflation_each import Inflations
from gfactor.reports.drawing.canvas import COLORS, GUIDE, INK, blank, legible
from gfactor.reports.figure_registry import Drawers, Figure
from gfactor.reports.pages.analysis import AnalysisReport
from gfactor.reports.table_registry import Table
from gfactor.results import shown

_NAMES = {
    "t": "t: distance from the references' line",
    "items": "items: sampling of items alone",
    "rank": "rank: place among the references",
    "twins": "twins: pairs of which lot made one public",
    "fit": "fit: right answers to items that it should miss",
    "keys": "keys: agreement with keys that are wrong",
}
_CANNOT = (
    "The tests are one-sided: they ask whether the public score is too high. None of them shows "
    "why it is: a model may have seen the items, or differ from all references in what the forms "
    "contain.",
    "Predicted score: the line along which accuracy on public items follows accuracy on fresh ones "
    "in the reference models, on the logit scale; the spread of the references around it makes the "
    "interval, and references far from it are weighted down.",
    "Power: probability that the t test at .05 finds an examinee that has learned this share of "
    "the public items which it would otherwise have missed.",
    "Listed items: public items that the examinee has right and the references miss most. They "
    "carry the difference if there is one; able models have some of them right without it.",
)
_REFERENCES = (
    "Huber, P. J. (1981). Robust Statistics. Wiley.",
    "Meijer, R. R., Sijtsma, K. (2001). Methodology review: evaluating person fit. Applied "
    "Psychological Measurement 25, 107-135.",
    "Tango, T. (1998). Equivalence test and confidence interval for the difference in proportions "
    "for the paired-sample design. Statistics in Medicine 17, 891-908.",
    "York, D., Evensen, N. M., Lopez Martinez, M., De Basabe Delgado, J. (2004). Unified equations "
    "for the slope, intercept, and standard errors of the best straight line. American Journal of "
    "Physics 72, 367-375.",
)


def inflation_report(result: Inflation) -> AnalysisReport:
    """Return the content of the page of one model."""
    figures = {name: draw() for name, draw in inflation_figures(result).items()}
    return AnalysisReport(
        result.sentence,
        (
            ("Examinee", result.examinee),
            ("Accuracy on public items", _percent(result.public)),
            ("Accuracy on fresh items", _percent(result.fresh)),
            ("Items compared", f"{result.n_public:,} public, {result.n_fresh:,} fresh"),
            ("Predicted accuracy on public items", _percent(result.predicted)),
            ("Reference models", shown(len(result.references))),
            ("Level of the interval", shown(result.level)),
        ),
        result.diagnostics,
        figures,
        _tables(result),
        _CANNOT,
        _REFERENCES,
        _findings(result),
        result.samples,
    )


def inflations_report(result: Inflations) -> AnalysisReport:
    """Return the content of the page of several models: a row each, and the items of inflated
    models."""
    p_values = tuple(str(c) for c in result.models if str(c).startswith(("p_", "adjusted_")))
    models = result.models.rename(
        columns={"ci_lower": "estimate_low", "ci_upper": "estimate_high"}
    ).reset_index()
    tables = {"models": Table(
        "Inflation in percentage points; p values as they are and adjusted", models, decimals=1,
        p_values=p_values, headings={n: n.replace("adjusted_", "adjusted p, ").replace("p_", "p, ")
                                     for n in p_values},
    )}  # fmt: skip
    samples = []
    for k, name in enumerate(result.inflated):
        one = result.results[name]
        tables[f"items_{k + 1}"] = _item_table(one)
        samples += one.samples
    return AnalysisReport(
        result.title, tuple((name.capitalize(), shown(v)) for name, v in result.facts.items()),
        result.diagnostics, tables=tables, methods=_CANNOT, references=_REFERENCES,
        samples=tuple(samples),
    )  # fmt: skip


def _tables(result: Inflation) -> dict[str, Table]:
    tests: Any = result.tests.assign(
        test=[_NAMES[name] for name in result.tests["test"]],
        offered=np.where(result.tests["offered"].to_numpy(bool), "yes", "no"),
    )
    tables = {
        "tests": Table(
            "Tests", tests[["test", "p", "offered", "size"]], decimals=3, p_values=("p",),
            headings={"size": "false alarms at .05"},
            notes=tuple(
                f"{row['test']} holds if: {row['assumption']}"
                for row in result.tests.to_dict("records")
            ),
        ),
    }  # fmt: skip
    if np.isfinite(result.power["power"].to_numpy(float)).any():
        tables["power"] = Table(
            "What could have been found", result.power, percent=("leak", "power"), decimals=1,
            headings={"leak": "learned"},
            notes=("Learned: share of the public items that the examinee would have missed.",),
        )  # fmt: skip
    if len(result.items):
        tables["items"] = _item_table(result)
    if len(result.references):
        tables["references"] = Table(
            "Reference models", result.references.reset_index(), percent=("public", "fresh"),
            headings={"difference": "difference, logits", "standardized": "in standard errors",
                      "n_public": "public answers", "n_fresh": "fresh answers"},
            folded=True,
        )  # fmt: skip
    return tables


def _item_table(result: Inflation) -> Table:
    return Table(
        f"Public items that {result.examinee} has right most unexpectedly", result.items,
        percent=("expected",), headings={"expected": "expected to be right"},
    )  # fmt: skip


def _findings(result: Inflation) -> tuple[str, ...]:
    sentences = [
        f"{_NAMES[row['test']]}: p {p_value(row['p'], '= ')}."
        for row in result.tests.to_dict("records")
        if row["offered"]
    ]
    power: Any = result.power.loc[result.power["power"] >= 0.8]
    if len(power):
        least = power.iloc[0]
        sentences.append(
            f"What could have been found: {100 * least['leak']:.0f} % learned of the public items "
            f"that it would have missed ({least['points']:.1f} points) would have been found with "
            f"probability {least['power']:.2f}; smaller shares may stay unseen."
        )
    elif np.isfinite(result.power["power"].to_numpy(float)).any():
        most = result.power.iloc[-1]
        sentences.append(
            f"What could have been found: little. Even {100 * most['leak']:.0f} % learned of the "
            f"public items that it would have missed ({most['points']:.1f} points) would have been "
            f"found with probability {most['power']:.2f} only."
        )
    return tuple(sentences)


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %" if np.isfinite(share) else "-"


def inflation_figures(result: Inflation) -> Drawers:
    """Return the function that draws both forms; none without reference models."""
    return {"forms": partial(forms_figure, result)} if len(result.references) else {}


def forms_figure(result: Inflation) -> Figure:
    """Draw accuracy on public against fresh items: the references, and the examinee."""
    drawing = blank(5.2, 4.2)
    axes = drawing.subplots()
    others: Any = 100 * result.references[["public", "fresh"]]
    axes.plot([0, 100], [0, 100], color=GUIDE, linewidth=0.7, linestyle=":")
    axes.scatter(others["fresh"], others["public"], s=14, color=GUIDE, label="reference models")
    public, fresh = 100 * result.public, 100 * result.fresh
    words = f"It has {public:.1f} % of the public and {fresh:.1f} % of the fresh items right"
    if np.isfinite(result.predicted):
        ends = [public - result.ci_upper, public - result.ci_lower]
        axes.plot([fresh, fresh], ends, color=INK, linewidth=1.4,
                  label=f"predicted, {100 * result.level:.0f} % interval")  # fmt: skip
        axes.plot([fresh], [100 * result.predicted], "_", color=INK, markersize=9)
        words += f"; {100 * result.predicted:.1f} % of the public ones are predicted"
    axes.plot([fresh], [public], "o", color=COLORS[1], label=legible([result.examinee])[0])
    low = min(others.min().min(), fresh, public) - 3
    high = max(others.max().max(), fresh, public) + 3
    axes.set_xlim(max(low, 0), min(high, 100))
    axes.set_ylim(max(low, 0), min(high, 100))
    axes.set_xlabel("right answers to fresh items, percent")
    axes.set_ylabel("right answers to public items, percent")
    drawing.legend(loc="outside upper center", ncols=3, frameon=False, fontsize=8)
    return Figure(
        f"{result.examinee} beside the reference models",
        f"A dot per model. {words}.",
        ("references",),
        drawing,
        ("The dotted line is the same accuracy on both forms; references lie off it if one form is "
         "easier.",),
    )  # fmt: skip
