"""How often replies do not conform to the output format, by answer type."""

from __future__ import annotations

from gfactor.psychometrics import wilson
from gfactor.reports.accuracy import WILSON_NOTE, in_order
from gfactor.reports.results import Results
from gfactor.reports.table import Table, table


@table("format_errors", section="format", place=60, needs=("answer_type",))
def format_errors(results: Results) -> Table | None:
    """Format-error rates of every examinee that is no baseline."""
    rows = results.role("ideal", "model", "population")
    if rows.empty:
        return None
    frame = (
        rows.groupby(["answer_type", "label"])
        .agg(n=("format_error", "size"), errors=("format_error", "sum"))
        .reset_index()
    )
    low, high = wilson(frame["errors"], frame["n"], results.level)
    frame = frame.assign(rate=frame["errors"] / frame["n"], rate_low=low, rate_high=high)
    return Table(
        "Format errors by answer type",
        in_order(results, frame, ["answer_type"]),
        percent=("rate",),
        headings={"label": "examinee", "answer_type": "answer type"},
        notes=(
            WILSON_NOTE,
            "A reply in which the strict reading finds no answer, refusals and empty replies among "
            "them, is a format error and counts as wrong.",
        ),
    )
