"""MULTI's figure 7: refusals without images, as bars."""

from __future__ import annotations

from collections.abc import Mapping

from gfactor.reports.drawing.canvas import bars, bars_in_words
from gfactor.reports.figure_registry import Figure, figure
from gfactor.reports.table_registry import Table


@figure("multi_refusals", section="conditions", order=14, needs=("multi_refusals",),
        benchmarks=("multi",))  # fmt: skip
def refusals(tables: Mapping[str, Table]) -> Figure | None:
    """Draw a block per examinee, a bar for one image and one for several."""
    rows = tables["multi_refusals"].frame
    return Figure(
        "Refusals where the images are missing",
        f"Share of refusals: {bars_in_words(rows, ['label', 'images'], 'refused')}.",
        ("multi_refusals",),
        bars(rows, "label", "images", "refused", "share of the questions that were refused"),
        ("SI: questions with one image, MI: with several. Lines: 95 % intervals.",),
    )
