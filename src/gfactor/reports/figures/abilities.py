"""MULTI's figure 8: abilities that questions need, as bars."""

from __future__ import annotations

from collections.abc import Mapping

from gfactor.reports.drawing.canvas import bars, bars_in_words
from gfactor.reports.figure_registry import Figure, figure
from gfactor.reports.table_registry import Table


@figure("required_abilities", section="errors", order=33, needs=("required_abilities",),
        benchmarks=("multi",))  # fmt: skip
def abilities(tables: Mapping[str, Table]) -> Figure | None:
    """Draw a bar per ability."""
    rows = tables["required_abilities"].frame.assign(all="questions")
    return Figure(
        "Abilities that the questions need",
        "Share of the labeled questions that need an ability: "
        f"{bars_in_words(rows, ['ability'], 'share')}.",
        ("required_abilities",),
        bars(rows, "ability", "all", "share", "share of the labeled questions"),
        ("Lines: 95 % intervals.",),
    )
