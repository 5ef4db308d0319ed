"""The papers' tables in the formats of a report's tables: CSV, Markdown and LaTeX."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from gfactor.benchmarks.published import Published
from gfactor.reports.table_registry import Table
from gfactor.reports.writing.formatting import to_csv, to_latex, to_markdown

FORMATS: Mapping[str, Callable[[Table], str]] = {
    "csv": to_csv,
    "markdown": to_markdown,
    "latex": to_latex,
}
"""Form in which a table can be printed, beside its own text -> function that prints it."""


def printed(published: Published, form: str) -> str:
    """Return a published table in a form, with its source and misprints as notes."""
    table = Table(
        published.title, published.frame, notes=published.notes, decimals=_decimals(published)
    )
    return FORMATS[form](table)


def _decimals(table: Published) -> int:
    """As many as the table's figures have, at most three."""
    numbers = table.frame.select_dtypes("number").to_numpy(dtype=float).ravel()
    finite = numbers[np.isfinite(numbers)]
    fits = (d for d in range(4) if np.allclose(finite, np.round(finite, d), rtol=0, atol=1e-9))
    return next(fits, 3)
