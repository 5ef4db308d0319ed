"""Comparison of a preregistered plan with the journal."""

from __future__ import annotations

from gfactor.reports.answers.results import Results
from gfactor.reports.table_registry import Table, table


@table("preregistration", section="summary", order=5)
def preregistration(results: Results) -> Table | None:
    """Compare the preregistered plan with the journal; None if no plan was given."""
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
