"""Conversion of what users give into a bank, a journal or a table: one module for every kind.

A function of the public face takes what another one returned. A bank is an `ItemBank`, its file, or
what `select`, `transform` or `undo` returned; a journal is a `Journal`, its file or address, what
`import_logs` or `gfactor.study.export` returned, or a table of right and wrong answers to items; a
table is a DataFrame, or a result that holds one (`gfactor.psychometrics.given`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import numpy as np
import pandas as pd

from gfactor.administration import Journal
from gfactor.api.inputs.item_answers import journal_of_items
from gfactor.api.inputs.matrix_files import holds_scores as is_table_file
from gfactor.api.inputs.matrix_files import read_scores
from gfactor.benchmarks.vlmevalkit.table import with_names
from gfactor.benchmarks.vlmevalkit.text_tables import columns_of
from gfactor.errors import ParameterError
from gfactor.items import ItemBank
from gfactor.items.building import Built
from gfactor.items.reading import is_database
from gfactor.items.table_files import SEPARATORS
from gfactor.psychometrics.given import HoldsScores, holds_scores, kind_of, not_a_table

JOURNAL_FILE = "journal.db"
"""The journal in the folder of an export of a study."""

_TABLES = (".csv", ".tsv", ".parquet")


class BankWritten(Protocol):
    """A result that wrote a bank, such as `select` returns."""

    @property
    def built(self) -> Built: ...


class OfJournal(Protocol):
    """A result that filled or read a journal, such as `import_logs` and `score` return."""

    @property
    def journal(self) -> str: ...


class FolderWritten(Protocol):
    """A result that wrote a folder, such as `export` returns."""

    @property
    def folder(self) -> Path: ...


BankLike: TypeAlias = ItemBank | BankWritten | Built | Path | str
"""An item bank, its file, or what a function that writes one returned."""

JournalLike: TypeAlias = (
    Journal | OfJournal | FolderWritten | pd.DataFrame | HoldsScores | Path | str
)
"""A journal, its file, what a function that fills one returned, or a table of right and wrong."""


def as_bank(given: BankLike) -> ItemBank:
    """Return the given item bank; a file or a result is opened.

    Parameters
    ----------
    given : ItemBank, result that wrote a bank, or path
        Bank in any of the forms that a user can give.

    Returns
    -------
    ItemBank
        The bank, open.

    Raises
    ------
    BankError
        If the file cannot be used.
    ParameterError
        If it is no bank.
    """
    if isinstance(given, ItemBank):
        return given
    built = given if isinstance(given, Built) else getattr(given, "built", None)
    if isinstance(built, Built):
        return ItemBank.open(built.path)
    if isinstance(given, str | PathLike):
        return ItemBank.open(given)
    raise ParameterError(
        "a bank is an open bank, its Parquet file, or what gfactor.select, transform or undo "
        f"returned; got {_named(given)}"
    )


@contextmanager
def opened(journal: JournalLike) -> Iterator[Journal]:
    """Open a journal for reading. A given open journal stays open, a file is closed at the end.

    Parameters
    ----------
    journal : Journal, result that filled one, table of right and wrong answers, or path
        Journal in any of the forms that a user can give.

    Yields
    ------
    Journal

    Raises
    ------
    JournalError
        If it cannot be opened.
    ParameterError
        If it is no journal.
    """
    if isinstance(journal, Journal):
        yield journal
    elif holds_scores(journal) or is_answers_file(journal):
        _check_no_replies(journal)
        table = read_scores(Path(journal)) if isinstance(journal, str | PathLike) else journal
        with journal_of_items(table) as filled:
            yield filled
    else:
        _check_no_replies(journal)
        with Journal.open(address_of(journal), create=False) as stored:
            yield stored


_NO_JOURNALS = (".jsonl", ".json", ".xlsx", ".eval")
"""Endings of files that are imported, not opened as a journal."""

_IMPORT_FIRST = (
    "; replies are imported first: gfactor import vlmevalkit {0} --journal board.db (or, if the "
    "items are in another file, gfactor import replies {0} --bank ITEMS --journal board.db)"
)


def _check_no_replies(given: Any) -> None:
    """Refuse a file of a model's replies in the place of a table of right and wrong answers."""
    path = Path(given) if isinstance(given, str | PathLike) else None
    if path is None or not path.is_file():
        return
    if path.suffix.lower() in _NO_JOURNALS and not is_database(path):
        raise ParameterError(f"{str(path)!r} is no journal{_IMPORT_FIRST.format(path)}")
    if path.suffix.lower() not in SEPARATORS:
        return
    try:
        columns = with_names(dict.fromkeys(columns_of(path), ""))
    except ParameterError:
        return  # The reader of tables says what is wrong.
    if "prediction" in columns:
        raise ParameterError(
            f"{str(path)!r} holds the replies of a model{_IMPORT_FIRST.format(path)}"
        )


def address_of(journal: JournalLike) -> Path | str:
    """Return the file or URL of a journal.

    Raises
    ------
    ParameterError
        If it is no journal, or a table, which has no file.
    """
    if isinstance(journal, Journal):
        return journal.address
    name = getattr(journal, "journal", None)
    if isinstance(name, str) and (Path(name).is_file() or "://" in name):
        return name
    if isinstance(folder := getattr(journal, "folder", None), Path):
        return _in_folder(folder)
    if isinstance(journal, str) and "://" in journal:
        return journal
    if isinstance(journal, str | PathLike):
        return _in_folder(Path(journal)) if Path(journal).is_dir() else journal
    several_journals = isinstance(journal, list | tuple)
    raise ParameterError(
        "a journal is an open journal, its file or address, or what gfactor.import_logs or score "
        "returned; "
        f"got {_named(journal)}" + _JOIN * several_journals
    )


_JOIN = '; join several first: gfactor.import_logs("journal", FILES, journal="all.db")'


def scores_file_of(given: Any, what: str) -> Path | str:
    """Return the named file of a table of scores, or the file of a journal.

    Raises
    ------
    ParameterError
        If it has no file.
    """
    if isinstance(given, Journal) or isinstance(getattr(given, "journal", None), str):
        return address_of(given)
    if isinstance(given, str | PathLike):
        return Path(given) if isinstance(given, PathLike) else given
    raise not_a_table(given, what)


def file_of(given: Any, what: str) -> Path:
    """Return the path of a file or folder, given by name or as the result of a function that wrote
    it.

    Raises
    ------
    ParameterError
        If it is neither.
    """
    if isinstance(given, str | PathLike):
        return Path(given)
    for name in ("folder", "path"):
        if isinstance(path := getattr(given, name, None), Path):
            return path
    raise ParameterError(f"{what} must be a path; got {_named(given)}")


def several(given: Any) -> list[Any]:
    """Return a list of what was given: one thing, or several in a list.

    Examples
    --------
    >>> several("c.db"), several(["a.db", "b.db"])
    (['c.db'], ['a.db', 'b.db'])
    """
    single = str | PathLike | ItemBank | Journal | Mapping | np.ndarray
    one = isinstance(given, single) or holds_scores(given)
    if one or not isinstance(given, Iterable):
        return [given]
    return list(given)


def is_answers_file(given: object) -> bool:
    """Return True if a path names a table of scores."""
    if not isinstance(given, str | PathLike) or "://" in str(given):
        return False
    path = Path(given)
    return path.suffix.lower() in _TABLES and path.is_file() and is_table_file(path)


def _in_folder(folder: Path) -> Path:
    path = folder / JOURNAL_FILE
    if not path.is_file():
        if journals := sorted(folder.glob("*.db")):
            raise ParameterError(
                f"the folder {str(folder)!r} holds {len(journals)} journals; name one, or join "
                f"them: gfactor import journal {folder} --journal all.db"
            )
        raise ParameterError(
            f"the folder {str(folder)!r} holds no {JOURNAL_FILE}; name a folder of gfactor study "
            f"export, or a journal{_IMPORT_FIRST.format(folder)}"
        )
    return path


def _named(given: object) -> str:
    """Return a description of what was given, in words."""
    if isinstance(given, ItemBank):
        return "a bank"
    if isinstance(given, Journal):
        return "a journal"
    return "a table of scores" if holds_scores(given) else kind_of(given)
