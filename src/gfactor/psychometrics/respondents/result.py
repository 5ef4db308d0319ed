"""The result of the forensics: findings first, tables behind them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isnan
from typing import Any

import pandas as pd

from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.results import Result, aligned


@dataclass(frozen=True, repr=False)
class Forensics(Result):
    """Forensics of score tables: evidence that their rows are not independent persons.

    Parameters
    ----------
    diagnostics: the findings, errors first.
    samples: per sample `n`, `columns`, `copies_within` (persons with a near-copy in the sample),
        `families`, `n_design` and `n_eigen` (effective numbers, see `families`).
    overlaps: a row per pair of samples: `first_shared` and `second_shared` (persons with a copy in
        the other sample), `exact` (persons of the first sample with a copy that agrees on all
        columns), `needed` (number of agreeing columns for a pair to count as a copy),
        `chance_mean` and `chance_sd` (agreeing columns of unrelated pairs), and `aligned` (how
        columns were made comparable).
    matches: a row per pair of copies, within and across samples: `first`, `person`, `second`,
        `partner`, `agree` (number of agreeing columns, of `columns`), `by_chance` (number of pairs
        that are expected to agree as much by chance).
    columns: one row per column and sample, see `column_table`.
    rows: one row per person, see `row_table`.
    members: members of families.
    distinct: number of persons over all samples, with copies across samples counted once.
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
        """Number of rows over all samples."""
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

    @property
    def code(self) -> int:
        """Exit code of the command: 1 if an error was found."""
        return int(any(one.severity == "error" for one in self.diagnostics))

    def _lines(self) -> list[str]:
        lines = [*[""] * bool(self.diagnostics), _samples_table(self.samples), _SAMPLES_NOTE]
        if len(self.overlaps):
            lines += ["", _overlaps_table(self.overlaps), _OVERLAPS_NOTE]
        clear = "Nothing was found that contradicts taking the rows as different persons."
        return [*lines, "", self.title if self.diagnostics else clear]


_SAMPLES_NOTE = (
    "copied rows: those that nearly equal another row; families: groups of near-copies; "
    "independent:\nhow many independent rows the sample counts as, by its families and by the "
    "eigenvalues of the\ncorrelations between rows"
)
_OVERLAPS_NOTE = (
    "shared: rows of each sample with a copy in the other; exact: those equal in all columns; "
    "needed:\nequal columns that make a copy; by chance: equal columns of two unrelated rows"
)
"""Meaning of the columns of the printed tables."""


def _samples_table(samples: pd.DataFrame) -> str:
    head = [
        "sample", "rows", "columns", "copied rows", "families", "independent (families)",
        "independent (eigenvalues)",
    ]  # fmt: skip
    rows = [
        [str(r["sample"]), str(r["n"]), str(r["columns"]), str(r["copies_within"]),
         str(r["families"]), _number(r["n_design"]), _number(r["n_eigen"])]
        for r in samples.to_dict("records")
    ]  # fmt: skip
    return aligned([head, *rows])


def _overlaps_table(overlaps: pd.DataFrame) -> str:
    head = ["samples", "rows", "shared", "exact", "needed", "by chance"]
    rows = [
        [f"{r['first']} - {r['second']}", f"{r['n_first']} - {r['n_second']}",
         f"{r['first_shared']} - {r['second_shared']}", str(r["exact"]), _needed(r),
         f"{r['chance_mean']:.1f} (SD {r['chance_sd']:.1f})"]
        for r in overlaps.to_dict("records")
    ]  # fmt: skip
    return aligned([head, *rows])


def _number(value: float) -> str:
    return "-" if isnan(value) else f"{value:.1f}"


def _needed(row: Mapping[Any, Any]) -> str:
    """Agreeing columns that make a copy; a dash if nothing was one."""
    return f"{row['needed']} of {row['columns']}" if row["first_shared"] else "-"
