"""Exchange with other programs: the results of a journal in the formats of the field."""

from gfactor.reports.exchange.base import (
    EXCHANGES,
    Exported,
    ExportFacts,
    JournalRuns,
    model_of,
    runs_of,
)

__all__ = ["EXCHANGES", "ExportFacts", "Exported", "JournalRuns", "model_of", "runs_of"]
