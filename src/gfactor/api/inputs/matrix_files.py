"""Score matrices from files: persons in rows, indicators in columns, a name in the first."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
from pyarrow import ArrowException

from gfactor.api.inputs.progress_bars import tell
from gfactor.benchmarks.vlmevalkit.text_tables import columns_of
from gfactor.errors import ParameterError
from gfactor.items.table_files import SEPARATORS, read_frame
from gfactor.listing import first_few
from gfactor.psychometrics.item_columns import check_numbers, holds_text
from gfactor.psychometrics.row_names import check_row_names, names_rows

TABLE_OF_ANSWERS = "the table of answers"
"""Name of the journal that a table of answers becomes."""
_EXCERPT = 40
"""Characters of a cell that a message repeats."""


def holds_scores(path: Path) -> bool:
    """Return True if a file is a table of scores and not one of items: CSV, TSV, or a Parquet file
    without the columns of a bank, or question and answer. Return False for files that are neither,
    or do not exist.
    """
    if path.suffix.lower() in SEPARATORS:
        return not _header(path) >= _QUESTIONS
    try:
        names = set(pq.read_schema(Path(path).absolute()).names)
    except (ArrowException, OSError, UnicodeEncodeError):
        return False
    return not ({"content", "answer_type"} <= names or names >= _QUESTIONS)


_QUESTIONS = {"question", "answer"}


def _header(path: Path) -> set[str]:
    try:
        return set(columns_of(path))
    except ParameterError:
        return set()  # The reader of scores says what is wrong.


def read_table(path: Path) -> pd.DataFrame:
    """Return the file's columns as they are; ParameterError names the file where it cannot be
    read."""
    return read_frame(path)


def with_row_names(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table with the names of its rows in the index: those of its first column if that
    names rows, else numbers from 1. Rows that have names already keep them.
    """
    if frame.index.name is not None:
        return frame
    if len(frame.columns) > 1 and names_rows(frame.iloc[:, 0]):
        return frame.set_index(frame.columns[0])
    return frame.set_axis(pd.RangeIndex(1, len(frame) + 1), axis=0)


def read_scores(path: Path, table: pd.DataFrame | None = None) -> pd.DataFrame:
    """Return a matrix of numbers, persons in the index (`with_row_names`).

    Columns without any number are left out, with a note on standard error. `table` is the part of
    the file that was chosen, None for the whole file.

    Raises ParameterError with file, row and column where a cell is neither a number nor empty.
    """
    frame = read_table(path) if table is None else table
    if frame.empty:
        raise ParameterError(f"{str(path)!r} has no rows")
    if table is None and names_rows(first := frame.iloc[:, 0]):
        check_row_names(frame, first, str(path), named=False)
    frame = with_row_names(frame)
    texts = [c for c in frame.columns if holds_text(frame[c])]
    if texts and len(texts) < len(frame.columns):
        tell(f"note: {path}: no numbers in {first_few(texts)}; left aside")
        frame = frame.drop(columns=texts)
    check_numbers(frame, repr(str(path)))
    for column in frame.columns:
        if not pd.api.types.is_numeric_dtype(frame[column]):
            row, cell = _first_text(frame[column].tolist())
            raise ParameterError(
                f"{str(path)!r}, row {row}, column {str(column)!r}: {cell[:_EXCERPT]!r} is not a "
                "number; leave the column out or fix the cell"
            )
    return frame.astype(float)


def _first_text(cells: list[object]) -> tuple[int, str]:
    """Row (from 1) and text of the first cell that is not a number."""
    for row, cell in enumerate(cells, 1):
        try:
            float(str(cell))
        except ValueError:
            return row, str(cell)
    return 1, str(cells[0])


def read_points(given: str, columns: list[str]) -> dict[str, float]:
    """Return points per column: one number for all, or a CSV with the columns `column` and
    `points`."""
    try:
        return dict.fromkeys(columns, float(given))
    except ValueError:
        pass
    frame = read_table(Path(given))
    missing = {"column", "points"} - set(map(str, frame.columns))
    if missing:
        raise ParameterError(
            f"{given!r} needs the columns 'column' and 'points'; {sorted(missing)[0]!r} is missing"
        )
    return dict(zip(frame["column"].astype(str), frame["points"].astype(float), strict=True))
