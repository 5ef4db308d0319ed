"""Answers that were given without a parameter of their condition."""

from __future__ import annotations

from dataclasses import asdict

import pandas as pd

from gfactor.reports.answers.results import Results
from gfactor.reports.table_registry import Table, table


@table("left_out_parameters", section="summary", order=7)
def left_out_parameters(results: Results) -> Table | None:
    """Tabulate answers to requests that lacked a parameter of the condition, as the model refuses
    it; only if there are any."""
    if not results.left_out:
        return None
    return Table(
        "Parameters that were left out",
        pd.DataFrame([asdict(one) for one in results.left_out]),
        headings={"parameters": "without", "of": "of all"},
        notes=(
            "The model refused these parameters, so its answers were asked for without them: their "
            "condition does not hold for them.",
        ),
    )
