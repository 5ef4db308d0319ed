"""MM-IQ's table 2: accuracy by paradigm."""

from __future__ import annotations

from gfactor.benchmarks.mm_iq import LANGUAGES, PARADIGMS
from gfactor.frames import distinct
from gfactor.reports.answers.papers import Column, paper_table
from gfactor.reports.answers.results import Results
from gfactor.reports.table_registry import Table, table

COLUMNS = (Column("Mean"), *(Column(p.short, "paradigm", p.short) for p in PARADIGMS.values()))
"""The columns of table 2, in its order."""


@table("mm_iq_paradigms", section="paper", order=1, needs=("paradigm",), benchmarks=("mm-iq",))
def by_paradigm(results: Results) -> Table | None:
    """Tabulate table 2: a row per examinee, a column per paradigm."""
    notes = (
        "Mean: over all items. The published means differ by up to 0.4 points from those of the "
        "published paradigms weighted by the released numbers of items (`gfactor published "
        "mm-iq-counts`).",
        "A reply in which no answer was found is wrong.",
    )
    return paper_table(results, "Table 2: accuracy by paradigm", COLUMNS, "mm-iq-2", notes)


@table("mm_iq_languages", section="paper", order=2, needs=("test_language",), benchmarks=("mm-iq",))
def by_language(results: Results) -> Table | None:
    """Return a row per examinee and a column per language; None if there is one language."""
    tags = [tag for tag in LANGUAGES if tag in distinct(results.answers, "test_language")]
    if len(tags) < 2:
        return None
    note = "Both languages ask about the same pictures. The paper does not report them separately."
    columns = [Column(tag, "test_language", tag) for tag in tags]
    return paper_table(results, "Accuracy by language", columns, notes=(note,))
