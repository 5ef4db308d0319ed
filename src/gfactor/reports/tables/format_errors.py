"""Share of replies that do not conform to the output format, by answer type."""

from __future__ import annotations

from gfactor.frames import distinct, pick
from gfactor.reports.answers.accuracy import in_order, keys_of
from gfactor.reports.answers.group_rates import FORMAT_ERRORS, RATE_NOTE, own_rows, rates
from gfactor.reports.answers.results import Results
from gfactor.reports.table_registry import Table, table
from gfactor.scoring.policies import policy_for


@table("format_errors", section="format", order=60, needs=("answer_type",))
def format_errors(results: Results) -> Table | None:
    """Tabulate format-error rates of every examinee that is no baseline, of benchmarks that count
    them."""
    rows = own_rows(results)
    rows = pick(rows, rows["role"].isin(["ideal", "model", "population"]))
    if "benchmark" in rows:
        names = distinct(rows, "benchmark")
        counting = [name for name in names if policy_for(name, results.policy) == "error"]
        rows = pick(rows, rows["benchmark"].isin(counting))
    if rows.empty:
        return None
    keys = keys_of(rows, ["answer_type"])
    frame = rates(rows, [*keys, "label"], FORMAT_ERRORS, results.level)
    frame = frame.drop(columns="chance").rename(
        columns={"value": "rate", "low": "rate_low", "high": "rate_high"}
    )
    return Table(
        "Format errors by answer type",
        in_order(results, frame, keys),
        percent=("rate",),
        headings={"label": "examinee", "answer_type": "answer type"},
        notes=(
            RATE_NOTE,
            "A reply in which the strict reading finds no answer, refusals and empty replies among "
            "them, is a format error and counts as wrong. Policies under which such a reply is "
            "answered by a random draw, is merely wrong or is left out have no format errors: see "
            "the table of how the answers were read.",
        ),
    )
