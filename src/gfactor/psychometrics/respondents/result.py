"""The result of the forensics: findings first, tables behind them."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import pandas as pd

from gfactor.psychometrics.diagnostic import Diagnostic


@dataclass(frozen=True)
class Forensics:
    """What speaks against taking the rows of score matrices as independent persons.

    Parameters
    ----------
    diagnostics: the findings, gravest first.
    samples: per sample `n`, `columns`, `copies_within` (persons with a near-copy in the sample),
        `families`, `n_design` and `n_eigen` (effective numbers, see `families`).
    overlaps: per pair of samples `first_shared` and `second_shared` (persons with a partner in the
        other), `exact` (persons of the first equal on all columns), `needed` (agreeing columns
        from which on a pair is a copy), `chance_mean` and `chance_sd` (agreeing columns of
        unrelated pairs) and how the columns were `aligned`.
    matches: the pairs themselves, within and across samples: `first`, `person`, `second`,
        `partner`, `agree` of `columns`, `by_chance` (pairs expected to agree so much by chance).
    columns: one row per column and sample, see `column_table`.
    rows: one row per person, see `row_table`.
    members: members of families.
    distinct: persons over all samples, copies across samples counted once.
    """

    diagnostics: tuple[Diagnostic, ...]
    samples: pd.DataFrame
    overlaps: pd.DataFrame
    matches: pd.DataFrame
    columns: pd.DataFrame
    rows: pd.DataFrame
    members: pd.DataFrame
    distinct: int

    @property
    def total(self) -> int:
        """Rows over all samples."""
        return int(self.samples["n"].to_numpy(int).sum())

    def summary(self) -> str:
        """Findings, then what was compared, as text."""
        lines = [str(found) for found in self.diagnostics]
        lines.append(
            f"{len(self.samples)} samples, {self.total} rows, {self.distinct} distinct persons."
            if len(self.samples) > 1
            else f"{self.total} rows."
        )
        if not self.diagnostics:
            lines.append("Nothing speaks against taking the rows as different persons.")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; missing numbers are None."""
        return {
            "diagnostics": [found.to_dict() for found in self.diagnostics],
            "rows": self.total,
            "distinct_persons": self.distinct,
            "samples": _records(self.samples),
            "overlaps": _records(self.overlaps),
            "matches": _records(self.matches),
            "columns": _records(self.columns),
            "persons": _records(self.rows),
            "families": _records(self.members),
        }

    def _repr_html_(self) -> str:
        found = "".join(f"<li>{escape(str(d))}</li>" for d in self.diagnostics)
        return f"<ul>{found}</ul>{self.samples.to_html()}{self.overlaps.to_html()}"


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    return [
        {str(name): _plain(value) for name, value in row.items()}
        for row in frame.to_dict("records")
    ]


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return value if np.isfinite(value) else None
    return value if isinstance(value, (int, bool, str)) or value is None else str(value)
