"""The result of scoring models: diagnostics, scores, and what they rest on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.replications.m3gia.totals import TotalCorrelation
from gfactor.replications.m3gia.winner_takes_all import Winners
from gfactor.results import Result, aligned


@dataclass(frozen=True, repr=False)
class Gia(Result):
    """GIA scores of models in one language.

    Parameters
    ----------
    language: its code. route: "published" or "repaired".
    scores: per model `gia` (general factor score), `normalized` (human = 100), `total` (share of
        all points), each with `_low` and `_high` where it has a 95 % interval.
    human: value that 100 stands for, in the unit of `gia` before normalization.
    interval: description of the intervals, in words.
    weights: per question type `weight` (of one right answer) and `points`.
    total: correlation of GIA with the total, beside random weights; None with too few models.
    winners: the winner-takes-all matrix; None with too few models.
    sizes: the size ablation; empty if no sizes were given.
    table2: published cells beside ours; empty if no model is in Table 2.
    diagnostics: errors first.
    further_tables: tables of the repaired route, by name.
    further_facts: single numbers of the repaired route, by name.
    """

    language: str
    route: str
    scores: pd.DataFrame
    human: float
    interval: str
    weights: pd.DataFrame
    total: TotalCorrelation | None
    winners: Winners | None
    sizes: pd.DataFrame
    table2: pd.DataFrame
    diagnostics: tuple[Diagnostic, ...]
    further_tables: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    further_facts: Mapping[str, float | str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        return f"GIA in {self.language}, {self.route} route, {len(self.scores)} models"

    @property
    def facts(self) -> Mapping[str, Any]:
        single = {"human": self.human, "interval": self.interval}
        if self.total:
            single["correlation_with_total"] = self.total.r
        return {"language": self.language, "route": self.route, **single, **self.further_facts}

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        whole = {
            "scores": self.scores,
            "weights": self.weights,
            "sizes": self.sizes,
            "table2": self.table2,
        }
        return {name: table for name, table in whole.items() if len(table)} | dict(
            self.further_tables
        )

    def _document(self) -> Mapping[str, Any]:
        return {
            "language": self.language,
            "route": self.route,
            "diagnostics": self.diagnostics,
            "scores": self.scores,
            "human": self.human,
            "interval": self.interval,
            "weights": self.weights,
            "total_correlation": self.total,
            "winners": _winners(self.winners) if self.winners else None,
            "sizes": self.sizes,
            "table2": self.table2,
            "tables": self.further_tables,
            "facts": self.further_facts,
        }

    def _lines(self) -> list[str]:
        head = ["model", "GIA", "95 %", "human = 100", "95 %", "total"]
        scores = self.scores.to_dict("records")
        rows = [
            [str(r["model"]), f"{r['gia']:.2f}", f"[{r['gia_low']:z.2f}, {r['gia_high']:z.2f}]",
             f"{r['normalized']:.1f}", f"[{r['normalized_low']:z.1f}, {r['normalized_high']:z.1f}]",
             f"{r['total']:.1%}"]
            for r in scores
        ]  # fmt: skip
        if "extrapolated" in self.scores:
            head.append("beyond the persons")
            rows = [[*row, extrapolation(r)] for row, r in zip(rows, scores, strict=True)]
        lines = [aligned([head, *rows]), f"Intervals: {self.interval}."]
        if self.total:
            t = self.total
            lines.append(
                f"Correlation with the total {t.r:.3f} [{t.low:z.3f}, {t.high:z.3f}], n {t.n}; "
                f"random positive weights {t.random_median:.3f} ({t.random_p05:.3f} to "
                f"{t.random_p95:.3f})."
            )
        if len(self.table2):
            rows = [
                [str(r["model"]), f"{r['paper']:.2f}", f"{r['computed']:.2f}",
                 "" if r["agrees"] else f"{r['difference']:+z.2f}"]
                for r in self.table2.to_dict("records")
            ]  # fmt: skip
            lines.append(aligned([["Table 2", "paper", "computed", "difference"], *rows]))
        return lines


def extrapolation(row: Mapping[Any, Any]) -> str:
    """Return a sentence on the distance of a row of `Gia.scores` from the range of the persons; ""
    if it lies inside."""
    if not row.get("extrapolated"):
        return ""
    return f"extrapolated: {row['farthest']:.0f} human SD on {row['farthest_on']}"


def _winners(winners: Winners) -> dict[str, Any]:
    return {
        "ranks": winners.ranks.reset_index(names="model"),
        "correlations": winners.correlations.reset_index(names="factor"),
        "kendall_w": winners.w,
        "kendall_w_by_chance": winners.w_chance,
        "p": winners.p,
        "factors_led_by_the_best": winners.led,
        "places_of_the_best_two": winners.led_two,
    }
