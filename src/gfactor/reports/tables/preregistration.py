"""Comparison of what was planned with what was done."""

from __future__ import annotations

from gfactor.reports.results import Results
from gfactor.reports.table_registry import Table, table


@table("preregistration", section="summary", order=5)
def preregistration(results: Results) -> Table | None:
    """The preregistered plan beside what the journal holds; only where a plan was given."""
    known = results.preregistration
    if known is None:
        return None
    away = int((known["as_planned"].to_numpy() == "no").sum())
    said = f"{away} deviation{'s' if away != 1 else ''}" if away else "no deviation"
    return Table(
        f"Preregistered plan: {said}",
        known,
        headings={"what": "", "as_planned": "as planned"},
        notes=known.attrs["notes"],
    )
