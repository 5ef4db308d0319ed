"""The result of the forensics: findings first, tables behind them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.results import Result


@dataclass(frozen=True, repr=False)
class Forensics(Result):
    """Evidence against taking the rows of score matrices as independent persons.

    Parameters
    ----------
    diagnostics: the findings, errors first.
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

    @property
    def title(self) -> str:
        if len(self.samples) == 1:
            return f"{self.total} rows."
        return f"{len(self.samples)} samples, {self.total} rows, {self.distinct} distinct persons."

    @property
    def facts(self) -> Mapping[str, Any]:
        return {"rows": self.total, "distinct_persons": self.distinct}

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {
            "samples": self.samples,
            "overlaps": self.overlaps,
            "matches": self.matches,
            "columns": self.columns,
            "persons": self.rows,
            "families": self.members,
        }

    def _document(self) -> Mapping[str, Any]:
        return {"diagnostics": self.diagnostics, **self.facts, **self.tables}

    def _lines(self) -> list[str]:
        clear = "Nothing was found that contradicts taking the rows as different persons."
        return [self.title, *(() if self.diagnostics else (clear,))]
