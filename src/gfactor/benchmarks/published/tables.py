"""The published tables, read from the data files of this package."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

import pandas as pd

from gfactor.errors import UnknownNameError

PAPERS: Mapping[str, str] = {
    "m3gia": "Song, W., Li, Y., et al. (2024). M3GIA: A cognition inspired multilingual and "
    "multimodal general intelligence ability benchmark. arXiv:2406.05343.",
    "mm-iq": "Cai, H., Yang, Y., & Hu, W. (2025). MM-IQ: Benchmarking human-like abstraction and "
    "reasoning in multimodal models. arXiv:2502.00698.",
    "multi": "Zhu, Z., Xu, Y., Chen, L., et al. (2025). MULTI: Multimodal understanding "
    "leaderboard with text and images. arXiv:2402.03173.",
    "gold": "Xiong, S., Zou, T., Wang, C., & Li, X. (2025). Aligning MLLM benchmark with human "
    "preferences via structural equation modeling.",
    "all": "The four papers, recomputed by us.",
}
"""The publications by the benchmark's name."""

MISPRINTS = "misprints"

Misprint: TypeAlias = Mapping[str, str | None]
"""A row of the table of misprints: table, place, printed, correct, kind, why."""


@dataclass(frozen=True)
class Published:
    """A published table.

    Parameters
    ----------
    name: name by which a table is asked for ("multi-6").
    paper: a key of `PAPERS`.
    place: position in the paper ("table 6").
    title: description of the table.
    note: units of the values, and columns that gfactor adds to those of the paper; "" if there is
        no note.
    frame: the rows of the table, or one row per number.
    """

    name: str
    paper: str
    place: str
    title: str
    note: str
    frame: pd.DataFrame

    @property
    def source(self) -> str:
        """The publication and the place in it."""
        where = f", {self.place}" if self.place else ""
        return f"{PAPERS[self.paper].rstrip('.')}{where}."

    @property
    def misprints(self) -> tuple[Misprint, ...]:
        """Misprints of this table; empty for the table that lists all misprints."""
        if self.name == MISPRINTS:
            return ()
        frame = misprints()
        frame = frame.loc[[name == self.name for name in frame["table"]]]
        rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
        return tuple({str(key): value for key, value in row.items()} for row in rows)

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes below the table: its source, its note, and every misprint."""
        wrong = map(_as_note, self.misprints)
        return (f"Source: {self.source}", *filter(None, [self.note]), *wrong)

    def summary(self) -> str:
        """Return the title, the table and the notes, as text."""
        frame = self.frame.to_string(index=False, na_rep="-")
        return "\n".join([self.title, "", frame, "", *self.notes])

    def to_dict(self) -> dict[str, Any]:
        """Return the document of `--json`; a cell that is empty in the paper is null."""
        rows = self.frame.astype(object).where(self.frame.notna(), None).to_dict("records")
        return {
            "name": self.name,
            "title": self.title,
            "source": self.source,
            "note": self.note,
            "rows": [{name: _number(value) for name, value in row.items()} for row in rows],
            "misprints": list(self.misprints),
        }


def _as_note(misprint: Misprint) -> str:
    where, why = misprint["place"], misprint["why"]
    if misprint["correct"] is None:
        return f"{where}: {why}."
    if misprint["kind"] in ("conflict", "text"):
        return f"{where} is {misprint['printed']}, and elsewhere {misprint['correct']}: {why}."
    printed, right = misprint["printed"], misprint["correct"]
    return f"Misprint: {where} is printed {printed}, and {right} is right: {why}."


@cache
def published_tables() -> Mapping[str, Mapping[str, str]]:
    """Return every table's name -> paper, place, title, note."""
    with _data("tables").open(encoding="utf-8", newline="") as file:
        return {row["name"]: row for row in csv.DictReader(file)}


def published(name: str) -> Published:
    """Return a published table; raise UnknownNameError, with the closest name, if there is none of
    that name."""
    tables = published_tables()
    if name not in tables:
        raise UnknownNameError("published table", name, tables)
    about = tables[name]
    with _data(name).open(encoding="utf-8") as file:
        frame = pd.read_csv(file, keep_default_na=False, na_values=[""])
    # Counts would become decimals if cells are empty.
    with _data(name).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    counts = [str(c) for c in frame if _are_counts([row[str(c)] for row in rows])]
    frame = frame.astype(dict.fromkeys(counts, "Int64"))
    return Published(name, about["paper"], about["place"], about["title"], about["note"], frame)


def _are_counts(texts: Sequence[str]) -> bool:
    """Return True if a column holds whole numbers, and some cells are empty."""
    return all(t.isdecimal() or not t for t in texts) and any(texts) and not all(texts)


def _number(value: Any) -> Any:
    """Convert a number in a column of words to a number."""
    try:
        return float(value) if "." in value else int(value)
    except (TypeError, ValueError):
        return value


def misprints(paper: str = "") -> pd.DataFrame:
    """Return misprints: columns table, place, printed, correct, kind, why.

    `correct` is the value that follows from the other printed figures (kinds sum, ratio, mean and
    formula; rounding if only the last digit differs), or the value in another place of the paper
    (kind conflict). `paper` is a key of `PAPERS`; all if "".
    """
    frame = published(MISPRINTS).frame
    of_paper = [not paper or published_tables()[name]["paper"] == paper for name in frame["table"]]
    return frame.loc[of_paper].reset_index(drop=True)


def _data(name: str) -> Any:
    return files("gfactor.benchmarks.published").joinpath("data", f"{name}.csv")
