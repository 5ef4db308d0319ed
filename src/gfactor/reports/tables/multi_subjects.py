"""MULTI by subject."""

from __future__ import annotations

from gfactor.reports.answers.group_rates import (
    CHANCE_NOTE,
    PEOPLE_NOTE,
    RATE_NOTE,
    SCORE,
    item_rows,
    rates,
)
from gfactor.reports.answers.group_rates import ordered as in_order
from gfactor.reports.answers.papers import beside
from gfactor.reports.answers.results import Results
from gfactor.reports.drawing.subjects import ENGLISH
from gfactor.reports.table_registry import Table, table
from gfactor.reports.tables.multi_scores import SCORE_NOTE


@table("multi_subjects", section="paper", order=9, needs=("subject",), benchmarks=("multi",))
def by_subject(results: Results) -> Table | None:
    """Tabulate accuracy by subject and examinee, a row each."""
    rows = item_rows(results)
    frame = in_order(rates(rows, ["subject", "label"], SCORE, results.level), results, rows)
    frame = frame.sort_values("subject", kind="stable").reset_index(drop=True)
    frame = frame.rename(columns={"value": "score", "low": "score_low", "high": "score_high"})
    frame.insert(1, "in_english", [ENGLISH.get(name, name) for name in frame["subject"]])
    people = (PEOPLE_NOTE,) if results.labels("person") else ()
    return Table(
        "Score by subject",
        beside(frame, None),
        percent=("score", "chance"),
        headings={"label": "examinee", "in_english": "in English"},
        notes=(SCORE_NOTE, RATE_NOTE, CHANCE_NOTE, *people,
               "The paper prints no scores by subject."),
        folded=True,
    )  # fmt: skip
