"""M3GIA's table 1: accuracy by CHC factor, and the same by language and by both."""

from __future__ import annotations

import pandas as pd

from gfactor.benchmarks.m3gia import BROAD, LANGUAGES, NARROW
from gfactor.reports.answers.group_rates import (
    ACCURACY,
    CHANCE_NOTE,
    PEOPLE_NOTE,
    RATE_NOTE,
    having,
    item_rows,
    ordered,
    rates,
)
from gfactor.reports.answers.papers import Column, paper_table
from gfactor.reports.answers.results import Results
from gfactor.reports.table_registry import Table, table

FACTORS = (
    *(Column(name, "narrow_factors", name) for name in NARROW),
    *(Column(name, "factors", name) for name in ("Gf", "Gc", "Gq", "Grw", "Gv")),
    Column("overall"),
)
"""The columns of table 1, in its order."""

SHARED = (
    "A question counts for every factor that table 3 ticks for its type (equation 1), so the "
    "columns share items."
)


@table("m3gia_factors", section="paper", order=1, needs=("factors",), benchmarks=("m3gia",))
def by_factor(results: Results) -> Table | None:
    """Tabulate table 1: a row per examinee, a column per factor."""
    rows = item_rows(results)
    columns = [c for c in FACTORS if not c.label or c.label in rows]
    note = "The paper averages five occasions; its overall is over all languages."
    title = "Table 1: accuracy by CHC factor"
    return paper_table(results, title, columns, "m3gia-1", (SHARED, note), rows)


@table("m3gia_languages", section="paper", order=2, needs=("test_language",), benchmarks=("m3gia",))
def by_language(results: Results) -> Table | None:
    """Tabulate a row per examinee, a column per language."""
    columns = [*(Column(tag, "test_language", tag) for tag in LANGUAGES), Column("overall")]
    note = "The paper prints no accuracies by language (its table 2 has GIA scores)."
    return paper_table(results, "Accuracy by language", columns, notes=(note,))


@table("m3gia_languages_and_factors", section="paper", order=3, needs=("factors",),
       benchmarks=("m3gia",))  # fmt: skip
def by_language_and_factor(results: Results) -> Table | None:
    """Tabulate a row per examinee, language and factor."""
    rows = item_rows(results)
    parts = [
        rates(of_factor, ["test_language", "label"], ACCURACY, results.level).assign(factor=name)
        for name in (*NARROW, *BROAD)
        for of_factor in [having(rows, "narrow_factors" if name in NARROW else "factors", name)
                    if "narrow_factors" in rows or name in BROAD else rows.iloc[:0]]
        if len(of_factor)
    ]  # fmt: skip
    if not parts:
        return None
    frame = ordered(pd.concat(parts, ignore_index=True), results, rows)
    frame = frame.rename(
        columns={"value": "accuracy", "low": "accuracy_low", "high": "accuracy_high"}
    )
    order = ["label", "test_language", "factor", "n", "accuracy", "accuracy_low", "accuracy_high"]
    people = (PEOPLE_NOTE,) if results.labels("person") else ()
    return Table(
        "Accuracy by language and CHC factor",
        frame.reindex(columns=[*order, "chance"]),
        percent=("accuracy", "chance"),
        headings={"label": "examinee", "test_language": "language"},
        notes=(RATE_NOTE, CHANCE_NOTE, *people, SHARED),
        folded=True,
    )
