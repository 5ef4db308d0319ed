"""MULTI by subject, as colors."""

from __future__ import annotations

from collections.abc import Mapping

from gfactor.reports.drawing.canvas import heat
from gfactor.reports.figure_registry import Figure, figure
from gfactor.reports.table_registry import Table


@figure("multi_subjects", section="paper", order=9, needs=("multi_subjects",),
        benchmarks=("multi",))  # fmt: skip
def by_subject(tables: Mapping[str, Table]) -> Figure | None:
    """Draw subjects from hard to easy, examinees as in the table."""
    rows = tables["multi_subjects"].frame
    return Figure(
        "Score by subject",
        f"Heat map of {rows['subject'].nunique()} subjects by {rows['label'].nunique()} examinees.",
        ("multi_subjects",),
        heat(rows, "in_english", "label", "score"),
        ("Subjects from hard (top) to easy; n and intervals are in the table.",),
    )
