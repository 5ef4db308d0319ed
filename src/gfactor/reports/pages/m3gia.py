"""The page of `gf.gia`: which conclusions survive, then the numbers behind them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pandas as pd

from gfactor.replications.m3gia import LANGUAGES, Gia, RouteComparison, published_table2
from gfactor.reports.drawing.canvas import COLORS, GUIDE, blank, drawing_style
from gfactor.reports.figure_registry import Drawers, Figure
from gfactor.reports.pages.analysis import AnalysisReport
from gfactor.reports.table_registry import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_METHODS = (
    "Published route: regression scores of the general factor from the published parameters, "
    "weights times raw counts, as the authors' scripts do; divided by the human figure of Table 2.",
    "Repaired route: models of gfactor's own of the same 18 indicators in the human data, with "
    "variances bounded at zero; scores in human standard deviations, the human mean at 0.",
    "Random weights: 20,000 draws, uniform on the simplex, applied to the same counts.",
    "Kendall's W of the rankings on five broad factors, with question types permuted over models "
    "for its distribution by chance.",
)

_EXTRAPOLATED = (
    "Extrapolated: a count lies more than 4 human standard deviations from the human mean, where "
    "nobody is; the linear score says nothing that the human data support there.",
)

_REFERENCES = (
    "Song, W., Li, Y., Xu, J., et al. (2024). M3GIA: A cognition inspired multilingual and "
    "multimodal general intelligence ability benchmark.",
    "Thurstone, L. L. (1935). The vectors of mind. University of Chicago Press.",
    "Kendall, M. G., Babington Smith, B. (1939). The problem of m rankings. Annals of Mathematical "
    "Statistics 10, 275-287.",
)


def gia_report(result: RouteComparison) -> AnalysisReport:
    """Return the page with its tables and figures."""
    tables: dict[str, Table] = {"conclusions": _conclusions(result)}
    figures: dict[str, Figure] = {}
    diagnostics = list(result.diagnostics)
    for one in result.languages:
        for gia in (one.published, one.repaired):
            if gia is None:
                continue
            diagnostics += gia.diagnostics
            tables |= _tables(gia)
            with drawing_style():
                figures |= {name: draw() for name, draw in gia_figures(gia).items()}
    if result.persons is not None and len(result.persons.overlaps):
        tables["human_overlaps"] = Table(
            "Persons shared by human samples", result.persons.overlaps, folded=True
        )
    return AnalysisReport(
        "M3GIA's general intelligence ability",
        _facts(result),
        tuple(diagnostics),
        figures,
        tables,
        _METHODS,
        _REFERENCES,
        _findings(result),
    )


def _facts(result: RouteComparison) -> tuple[tuple[str, str], ...]:
    models = max(len(one.published.scores) for one in result.languages)
    humans = result.persons
    return (
        ("Languages", ", ".join(LANGUAGES[one.language] for one in result.languages)),
        ("Models", str(models)),
        (
            "Human data",
            f"{humans.total} rows, {humans.distinct} distinct persons" if humans else "none",
        ),
    )


def _findings(result: RouteComparison) -> tuple[str, ...]:
    count = {v: sum(c.verdict == v for c in result.claims) for v in (
        "survives", "does not survive", "undecided", "not tested")}  # fmt: skip
    counts_text = ", ".join(f"{number} {verdict}" for verdict, number in count.items() if number)
    return (f"Of {len(result.claims)} statements of the paper, by language: {counts_text}.",)


def _conclusions(result: RouteComparison) -> Table:
    frame = pd.DataFrame([vars(claim) for claim in result.claims])
    return Table("Which conclusions survive", frame)


def _tables(gia: Gia) -> dict[str, Table]:
    name, code = LANGUAGES[gia.language], gia.language.lower()
    route = gia.route
    notes = (f"95 % intervals: {gia.interval}.",)
    tables = {
        f"{code}_{route}_scores": Table(
            f"{name}, {route}: scores of the models", gia.scores, ("total", "below_humans"),
            headings={"farthest": "farthest count, human SD", "farthest_on": "on"},
            notes=(*notes, *_EXTRAPOLATED[: "extrapolated" in gia.scores]),
        ),
        f"{code}_{route}_weights": Table(
            f"{name}, {route}: weight of one right answer", gia.weights, folded=True, decimals=4
        ),
    }  # fmt: skip
    if gia.winners is not None and route == "published":
        ranks = gia.winners.ranks.reset_index(names="model")
        together = gia.winners.correlations.reset_index(names="factor")
        tables[f"{code}_ranks"] = Table(f"{name}: ranks on the broad factors", ranks, folded=True)
        tables[f"{code}_correlations"] = Table(
            f"{name}: correlations of the broad factors over models", together, folded=True
        )
    if len(gia.sizes):
        tables[f"{code}_{route}_sizes"] = Table(f"{name}, {route}: scores by size", gia.sizes)
    if len(gia.table2):
        tables[f"{code}_table2"] = Table(f"{name}: Table 2 and recomputed", gia.table2, folded=True)
    if gia.further_facts:
        numbers = pd.DataFrame(
            [(key.replace("_", " "), str(value) if isinstance(value, str) else f"{value:.4g}")
             for key, value in gia.further_facts.items()],
            columns=["quantity", "value"],
        )  # fmt: skip
        tables[f"{code}_{route}_numbers"] = Table(
            f"{name}, {route}: further numbers", numbers, folded=True
        )
    for key, frame in gia.further_tables.items():
        tables[f"{code}_{route}_{key}"] = Table(
            f"{name}, {route}: {key.replace('_', ' ')}", frame, folded=True, decimals=3
        )
    return tables


def study_figures(result: RouteComparison) -> Drawers:
    """Return functions that draw the figures of all languages and routes by name."""
    routes = [gia for one in result.languages for gia in (one.published, one.repaired) if gia]
    return {name: draw for gia in routes for name, draw in gia_figures(gia).items()}


def gia_figures(gia: Gia) -> Drawers:
    """Return the function that draws the scores of models in one language by one route."""
    return {f"{gia.language.lower()}_{gia.route}": partial(_scores, gia)}


def _scores(gia: Gia) -> Figure:
    code, name = gia.language.lower(), LANGUAGES[gia.language]
    rows = gia.scores.sort_values("gia").to_dict("records")
    drawing = blank(5.2, 0.9 + 0.22 * len(rows))
    axes: Axes = drawing.subplots()
    for number, row in enumerate(rows):
        axes.plot([row["normalized_low"], row["normalized_high"]], [number, number],
                  color=COLORS[0], linewidth=1.2)  # fmt: skip
        axes.plot(row["normalized"], number, "o", color=COLORS[0], markersize=4)
        printed = published_table2().get(str(row["model"]))
        if printed and gia.route == "published":
            axes.plot(100 * printed[gia.language] / gia.human, number, "x", color=COLORS[1],
                      markersize=5)  # fmt: skip
    axes.axvline(100, color=GUIDE, linewidth=0.8)
    axes.set_yticks(range(len(rows)), [str(row["model"]) for row in rows])
    axes.set_xlabel("human = 100")
    marks = " Crosses are the figures printed in Table 2." if len(gia.table2) else ""
    return Figure(
        f"{name}, {gia.route} route: GIA with 95 % intervals, human mean at 100.{marks}",
        f"Points with intervals for {len(rows)} models against a line at 100.",
        (f"{code}_{gia.route}_scores",),
        drawing,
    )
