"""Comparison of what was planned with what was done."""

from __future__ import annotations

from gfactor.reports.results import Results
from gfactor.reports.table_registry import Table, table


@table("preregistration", section="summary", order=5)
def preregistration(results: Results) -> Table | None:
    """The preregistered plan beside what the journal holds; only where a plan was given."""
    deviations = results.preregistration
    if deviations is None:
        return None
    away = int((deviations["as_planned"].to_numpy() == "no").sum())
    deviations_text = f"{away} deviation{'s' if away != 1 else ''}" if away else "no deviation"
    return Table(
        f"Preregistered plan: {deviations_text}",
        deviations,
        headings={"what": "", "as_planned": "as planned"},
        notes=deviations.attrs["notes"],
    )
