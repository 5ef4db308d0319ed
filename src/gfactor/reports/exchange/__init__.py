"""Exchange with other programs: the results of a journal in the formats of the field."""

from gfactor.reports.exchange.base import (
    EXCHANGES,
    Exported,
    Facts,
    Runs,
    model_of,
    runs_of,
)

__all__ = ["EXCHANGES", "Exported", "Facts", "Runs", "model_of", "runs_of"]
