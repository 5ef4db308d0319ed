"""Properties of the people of an export: columns to group them by, and marks of their data."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from gfactor.administration import Journal
from gfactor.administration.storing.marked_people import PERSON
from gfactor.administration.storing.opening import display_name
from gfactor.api.inputs.taking import JournalLike, address_of
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.items.table_files import read_frame, read_text_frame
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.given import holds_scores

ID = "participant_id"
MARKS = ("invalid", "speeding", "straight_lining", "distracted", "incomplete")
"""Columns of an export that mark a submission by the study's rules."""
_TABLES = ("participants", "questionnaire")
"""Tables of a Psych-DS export that have a row per person."""


@dataclass(frozen=True)
class PersonColumns:
    """Columns of persons, by the name that journals have for them.

    Parameters
    ----------
    columns : DataFrame
        A row per person, every cell a text.
    sources : list of str
        Names of the folders and journals, without their paths.
    adaptive : bool
        True if items were chosen by the answers before them.
    """

    columns: pd.DataFrame
    sources: list[str]
    adaptive: bool

    def findings(self, persons: pd.Index) -> Iterator[Diagnostic]:
        """Return the findings of the study's own rules in these persons' answers."""
        counts = {}
        for name in MARKS:
            if name in self.columns:
                values: Any = self.columns[name].reindex(persons)
                counts[name] = int(values.isin(["true", "True", "1"]).sum())
        if marked := {name: n for name, n in counts.items() if n}:
            counts_text = ", ".join(f"{name} {n}" for name, n in marked.items()).replace("_", " ")
            yield Diagnostic(
                "marked_submissions", "warning",
                f"Of {len(persons)} persons some are marked by the study's rules, and count: "
                f"{counts_text}.",
                "Export again without them: gfactor study export "
                f"{' '.join(f'--without {name}' for name in marked)}.",
                (), marked,
            )  # fmt: skip


def persons_of(
    given: Sequence[JournalLike],
    more: pd.DataFrame | Path | str | None = None,
    described: Sequence[pd.DataFrame] = (),
) -> PersonColumns:
    """Read the columns that exports hold about their people.

    Parameters
    ----------
    given : sequence of Journal or path
        Exports' folders or journals; the folder `psych_ds` beside a journal is read.
    more : DataFrame or path, optional
        A table with the column `participant_id` (with or without "person:").
    described : sequence of DataFrame
        Columns of persons that stand beside their answers (`people_of_tables`).

    Returns
    -------
    PersonColumns
        Columns of the persons, with a row each.

    Raises
    ------
    ParameterError
        If a table cannot be read, names a person twice, or has no `participant_id`.
    """
    tables, names, adaptive = [], [], False
    for source in given:
        if holds_scores(source):
            names.append("a table of answers")
            continue
        journal = source.name if isinstance(source, Journal) else str(address_of(source))
        if "://" in journal:
            names.append(display_name(journal))
            continue
        names.append(Path(str(source) if isinstance(source, str | Path) else journal).name)
        folder = Path(journal).parent / "psych_ds" / "data"
        if not folder.is_dir():
            continue
        adaptive = adaptive or any(folder.glob("*_adaptive_data.csv"))
        parts = []
        for word in _TABLES:
            for path in sorted(folder.glob(f"*_{word}_data.csv")):
                parts.append(_by_person(read_text_frame(path, texts=True), str(path)))
        if parts:
            tables.append(_beside(parts))
    tables += described
    columns = pd.concat(tables) if tables else pd.DataFrame()
    if more is not None:
        where = "the table of persons" if isinstance(more, pd.DataFrame) else str(more)
        table = more if isinstance(more, pd.DataFrame) else read_frame(more)
        named = _by_person(table, where)
        if both := sorted(set(named) & set(columns)):
            raise ParameterError(f"{where}: the export has a column {both[0]!r}, too; rename it")
        columns = columns.join(named, how="outer") if len(columns) else named
    return PersonColumns(columns, names, adaptive)


def _beside(parts: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Tables beside each other; a name that an earlier one has gets "asked_" before it: a question
    can be called as a column of participants ("language") is."""
    names: set[str] = set()
    named = []
    for part in parts:
        named.append(part.rename(columns={n: f"asked_{n}" for n in part.columns if n in names}))
        names |= set(named[-1].columns)
    return pd.concat(named, axis=1)


def banded(columns: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Return the columns that define groups; numbers may be cut into bands.

    Parameters
    ----------
    columns : DataFrame
        Columns of persons.
    by : sequence of str
        "gender", or with cuts "age=18,30,45": under 18, 18-29, 30-44, 45+.

    Returns
    -------
    DataFrame
        Columns of texts; "" for a person without a value.

    Raises
    ------
    UnknownNameError
        For an unknown column.
    ParameterError
        For cuts that are no ascending numbers, and a cell that is not a number.

    Examples
    --------
    >>> ages = pd.DataFrame({"age": ["17", "29", "30", "", "77"]})
    >>> banded(ages, ["age=18,30"])["age"].tolist()
    ['under 18', '18-29', '30+', '', '30+']
    """
    groups = {}
    for spec in by:
        name, _, text = spec.partition("=")
        if name not in columns:
            raise UnknownNameError("column of persons", name, map(str, columns.columns))
        if name in groups:
            raise ParameterError(f"the column {name!r} is named twice")
        cells: Any = columns[name].map(lambda value: "" if pd.isna(value) else str(value).strip())
        groups[name] = cells if not text else _bands(cells, name, text)
    return pd.DataFrame(groups, index=columns.index)


def _bands(cells: pd.Series, name: str, text: str) -> pd.Series:
    try:
        cuts = [float(part) for part in text.split(",")]
    except ValueError:
        cuts = []
    if not cuts or any(not a < b for a, b in itertools.pairwise(cuts)):
        raise ParameterError(
            f"{name}={text}: cuts must be ascending numbers, separated by commas, as in "
            f"{name}=18,30,45"
        )
    names = [f"under {cuts[0]:g}", *(_band(a, b) for a, b in itertools.pairwise(cuts)),
             f"{cuts[-1]:g}+"]  # fmt: skip

    def band(cell: str) -> str:
        if not cell:
            return ""
        try:
            value = float(cell)
        except ValueError:
            value = float("nan")
        if not math.isfinite(value):
            raise ParameterError(
                f"the column {name!r} holds {cell!r}, which is not a number; leave out the cuts, "
                "or give a table with numbers (--persons)"
            )
        return names[sum(value >= cut for cut in cuts)]

    return cells.map(band)


def _band(low: float, high: float) -> str:
    whole = low.is_integer() and high.is_integer()
    return f"{low:g}-{high - 1:g}" if whole else f"{low:g} to under {high:g}"


def _by_person(table: pd.DataFrame, where: str) -> pd.DataFrame:
    if ID not in table:
        raise ParameterError(
            f"{where} has no column {ID!r}; it needs one, because its other "
            "columns describe persons"
        )
    names = [str(name) for name in table[ID]]
    names = [name if name.startswith(PERSON) else f"{PERSON}{name}" for name in names]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ParameterError(f"{where} has two rows of {twice!r}")
    return table.drop(columns=ID).set_axis(pd.Index(names), axis=0).astype(object)


def check_once(tables: Sequence[pd.DataFrame]) -> None:
    """Raise ParameterError if a person is in two journals, who would count twice."""
    seen: set[str] = set()
    for table in tables:
        here = set(map(str, table["examinee"]))
        if both := sorted(here & seen):
            raise ParameterError(
                f"{both[0]!r} is in two of the journals and would be counted twice; name each "
                "export once"
            )
        seen |= here
