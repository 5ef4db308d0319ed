"""MM-IQ's figure 12 and MULTI's figure 9: types of errors, as bars."""

from __future__ import annotations

from collections.abc import Mapping

from gfactor.reports.drawing.canvas import bars, bars_in_words
from gfactor.reports.figure_registry import Figure, figure
from gfactor.reports.table_registry import Table

PRINTED = "published"


@figure("error_types", section="errors", order=30, needs=("error_types",),
        benchmarks=("mm-iq", "multi"))  # fmt: skip
def error_types(tables: Mapping[str, Table]) -> Figure | None:
    """Draw a block per examinee, a bar per category."""
    rows = tables["error_types"].frame.copy()
    theirs = (rows["source"] == PRINTED).to_numpy(bool)
    rows["label"] = rows["label"].mask(theirs, rows["label"] + f" ({PRINTED})")
    kinds = sorted(set(rows["category"]))
    return Figure(
        "Types of errors",
        f"Share of each type of error: {bars_in_words(rows, ['label', 'category'], 'share')}.",
        ("error_types",),
        bars(rows, "label", "category", "share", "share of the labeled responses", kinds),
        ("Lines: 95 % intervals; published shares have none.",),
    )
