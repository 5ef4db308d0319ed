"""The result of scoring models: what speaks against it, scores, and what they rest on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any

import numpy as np
import pandas as pd

from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.replications.m3gia.totals import TotalCorrelation
from gfactor.replications.m3gia.winners import Winners


@dataclass(frozen=True)
class Gia:
    """GIA scores of models in one language.

    Parameters
    ----------
    language: its code. route: "published" or "repaired".
    scores: per model `gia` (general factor score), `normalized` (human = 100), `total` (share of
        all points), each with `_low` and `_high` where it has a 95 % interval.
    human: what 100 stands for, in the unit of `gia` before normalization.
    interval: what the intervals are about, in words.
    weights: per question type `weight` (of one right answer) and `points`.
    total: correlation of GIA with the total, beside random weights; None with too few models.
    winners: the winner-takes-all matrix; None with too few models.
    sizes: the size ablation; empty where no sizes were given.
    table2: published cells beside ours; empty where no model is in Table 2.
    diagnostics: gravest first.
    tables: further tables of the repaired route, by name.
    facts: further single numbers, by name.
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
    tables: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    facts: Mapping[str, float | str] = field(default_factory=dict)

    def summary(self) -> str:
        """Findings, then one line per model, then how GIA goes with the total."""
        lines = [str(d) for d in self.diagnostics]
        for row in self.scores.to_dict("records"):
            lines.append(
                f"{row['model']}: GIA {row['gia']:.2f} [{row['gia_low']:.2f}, "
                f"{row['gia_high']:.2f}], {row['normalized']:.1f} % of the human mean"
                + (f"; {extrapolation(row)}" if extrapolation(row) else "")
            )
        lines.append(f"Intervals: {self.interval}.")
        if self.total:
            t = self.total
            lines.append(
                f"Correlation with the total {t.r:.3f} [{t.low:.3f}, {t.high:.3f}] (n {t.n}); "
                f"random positive weights give {t.random_median:.3f} (5 to 95 %: "
                f"{t.random_p05:.3f} to {t.random_p95:.3f}), this is their percentile "
                f"{t.percentile:.0f}."
            )
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; missing numbers are None."""
        return {
            "language": self.language,
            "route": self.route,
            "diagnostics": [d.to_dict() for d in self.diagnostics],
            "scores": records(self.scores),
            "human": plain(self.human),
            "interval": self.interval,
            "weights": records(self.weights),
            "total_correlation": {k: plain(v) for k, v in vars(self.total).items()}
            if self.total
            else None,
            "winners": _winners(self.winners) if self.winners else None,
            "sizes": records(self.sizes),
            "table2": records(self.table2),
            "tables": {name: records(table) for name, table in self.tables.items()},
            "facts": {name: plain(value) for name, value in self.facts.items()},
        }

    def _repr_html_(self) -> str:
        found = "".join(f"<li>{escape(str(d))}</li>" for d in self.diagnostics)
        return f"<ul>{found}</ul>{self.scores.to_html(index=False)}"


def extrapolation(row: Mapping[Any, Any]) -> str:
    """How far a row of `Gia.scores` lies from the persons; "" within them, or without persons."""
    if not row.get("extrapolated"):
        return ""
    return f"extrapolated: {row['farthest']:.0f} human SD on {row['farthest_on']}"


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows as plain dictionaries."""
    return [{str(k): plain(v) for k, v in row.items()} for row in frame.to_dict("records")]


def plain(value: Any) -> Any:
    """A number or text that JSON has; None for a number that is none."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return value if np.isfinite(value) else None
    return value if isinstance(value, (int, str)) or value is None else str(value)


def _winners(found: Winners) -> dict[str, Any]:
    return {
        "ranks": records(found.ranks.reset_index(names="model")),
        "correlations": records(found.correlations.reset_index(names="factor")),
        "kendall_w": plain(found.w),
        "kendall_w_by_chance": plain(found.w_chance),
        "p": plain(found.p),
        "factors_led_by_the_best": found.led,
        "places_of_the_best_two": found.led_two,
    }
