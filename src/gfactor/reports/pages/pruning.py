"""The page of a pruning: what went and why, what stays how surely, what it is worth."""

from __future__ import annotations

from functools import partial

import pandas as pd

from gfactor.psychometrics.pruning import Pruning, PruningStability, PruningValidation
from gfactor.reports.drawing.canvas import drawing_style
from gfactor.reports.drawing.pruning_figures import kept_shares, rank_shift, removal_trace
from gfactor.reports.drawing.validity_figures import htmt_heat_map, loadings_against_vif
from gfactor.reports.figure_registry import Drawers
from gfactor.reports.pages.analysis import AnalysisReport
from gfactor.reports.table_registry import Table

REFERENCES = (
    "Xiong, S., Zou, T., Wang, C., Li, X. (2025). Aligning MLLM benchmark with human preferences "
    "via structural equation modeling. Algorithm 1.",
    "Nogueira, S., Sechidis, K., Brown, G. (2018). On the stability of feature selection "
    "algorithms. Journal of Machine Learning Research 18 (174), 1-54.",
)


def pruning_report(
    pruning: Pruning,
    steady: PruningStability | None = None,
    ablation: pd.DataFrame | None = None,
    validation: PruningValidation | None = None,
    data: str = "",
) -> AnalysisReport:
    """Return tables, figures and sentences of a pruning; its stability, ablation and validation
    if given. `data` is the name of the table."""
    tables = {
        "retained": Table(
            "Tasks retained",
            pruning.tasks,
            headings={"vif": "VIF", "over_limit": "breaks a limit"},
            notes=("VIF among the retained tasks of the construct.",),
            decimals=3,
        ),
        "trace": Table(
            "Tasks removed, in order",
            pruning.trace,
            headings={"round": "refit"},
            notes=(pruning.rules.sentence(),),
            folded=len(pruning.trace) > 30,
            decimals=3,
        ),
        "diagnostics": Table("GOLD's diagnostics", pruning.three, decimals=3),
        "htmt": Table(
            "HTMT after pruning", _pairs(pruning.htmt), headings={"htmt": "HTMT"}, decimals=3
        ),
    }
    diagnostics = list(pruning.diagnostics)
    if steady is not None:
        diagnostics += steady.diagnostics
        tables["stability"] = Table(
            "How often each task is kept",
            steady.tasks,
            percent=("kept",),
            notes=(steady.summary().splitlines()[-1] + ".",),
        )
    if ablation is not None:
        tables["ablation"] = Table(
            "Other thresholds",
            ablation,
            headings={"vif": "VIF", "shared": "Jaccard with the set"},
            notes=("On the models that chose the tasks.",),
            decimals=3,
        )
    if validation is not None:
        diagnostics += validation.diagnostics
        tables["ranks"] = Table(
            "Ranks by retained and by all tasks, held-out models",
            validation.ranks,
            headings={"random": "random sets", "better_than": "beats random sets"},
            percent=("better_than",),
            decimals=3,
        )
        tables["held_out"] = Table("Diagnostics on held-out models", validation.three, decimals=3)
        if validation.alignment is not None:
            tables["alignment"] = _alignment(validation)
    with drawing_style():
        drawers = pruning_figures(pruning)
        drawers |= {} if steady is None else stability_figures(steady)
        drawers |= {} if validation is None else validation_figures(validation)
        figures = {name: draw() for name, draw in drawers.items()}
    total = len(pruning.tasks) + len(pruning.trace)
    facts = (
        ("Data", data),
        ("Models", f"{pruning.n}"),
        ("Tasks", f"{len(pruning.tasks)} of {total}"),
        ("Scheme", pruning.scheme),
    )
    return AnalysisReport(
        "Pruning of a benchmark",
        tuple(fact for fact in facts if fact[1]),
        tuple(diagnostics),
        figures,
        tables,
        (pruning.rules.sentence(), "PLS with mode A; HTMT of absolute correlations."),
        REFERENCES,
    )


def pruning_figures(pruning: Pruning) -> Drawers:
    """Return functions that draw the figures of a pruning by name."""
    figures: Drawers = {}
    if len(pruning.trace):
        figures["trace"] = partial(removal_trace, pruning.trace, ("trace",))
    measurement = pruning.tasks.rename(columns={"task": "indicator"})
    figures["loadings"] = partial(loadings_against_vif, measurement, ("retained",))
    if len(pruning.htmt) > 1:
        figures["htmt"] = partial(htmt_heat_map, pruning.htmt, ("htmt",))
    return figures


def stability_figures(steady: PruningStability) -> Drawers:
    """Return the function that draws how often each task is kept."""
    return {"stability": partial(kept_shares, steady.tasks, ("stability",))}


def validation_figures(validation: PruningValidation) -> Drawers:
    """Return the function that draws ranks by retained and by all tasks."""
    return {"ranks": partial(rank_shift, validation.scores, ("ranks",))}


def _pairs(htmt: pd.DataFrame) -> pd.DataFrame:
    names = [str(n) for n in htmt.index]
    lines = [
        {"first": a, "second": b, "htmt": float(htmt.loc[a, b])}
        for i, a in enumerate(names)
        for b in names[i + 1 :]
    ]
    return pd.DataFrame(lines, columns=["first", "second", "htmt"])


def _alignment(validation: PruningValidation) -> Table:
    a = validation.alignment
    assert a is not None
    lines = [
        {"score": name, "r": c.estimate, "r_low": c.low, "r_high": c.high, "n": c.n}
        for name, c in (("retained tasks", a.first), ("all tasks", a.second))
    ]
    lines.append(
        {"score": "difference", "r": a.estimate, "r_low": a.low, "r_high": a.high, "n": a.n}
    )
    return Table(
        "Pearson's r with the criterion, held-out models",
        pd.DataFrame(lines),
        notes=("Each model is scored by tasks that other models chose.",),
        decimals=3,
    )
