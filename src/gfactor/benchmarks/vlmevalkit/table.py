"""VLMEvalKit's TSV files: rows with pictures in their cells, read a piece at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pyarrow as pa
from pyarrow import csv

from gfactor.errors import ParameterError

LONGEST_REFERENCE = 64
"""Characters of an image cell that is no picture but the index of the row that holds it."""

_PIECE = 64 * 2**20
"""Bytes that are read at once; a row that is longer cannot be read."""

_LONGEST_REASON = 200

_MISSING = ("", "nan", "NaN")

Row = Mapping[str, str]


def columns_of(path: Path) -> tuple[str, ...]:
    """The names of the columns; ParameterError where the file is no table."""
    try:
        with _open(path, ()) as stream:
            return tuple(stream.schema.names)
    except UnicodeDecodeError as error:
        raise ParameterError(
            f"{str(path)!r} is not text in UTF-8; save the table as UTF-8"
        ) from error
    except (pa.ArrowException, OSError) as error:
        raise _unreadable(path, error) from error


def rows_of(path: Path, only: tuple[str, ...] = ()) -> Iterator[tuple[int, Row]]:
    """The rows with their numbers from 1 (the header apart); cells that are NaN are "".

    `only` names the columns that are wanted, where not all are.

    Raises ParameterError, with the number of the last row before, where the file cannot be read:
    a row with another number of cells than the header makes all that follow uncertain.
    """
    number = 0
    try:
        with _open(path, columns_of(path), only) as stream:
            for batch in stream:
                for row in batch.to_pylist():
                    number += 1
                    yield number, {k: "" if v in _MISSING else v for k, v in row.items()}
    except (pa.ArrowException, OSError) as error:
        raise _unreadable(path, error, number) from error


def pictures_by_index(path: Path) -> dict[str, str]:
    """Image cells of the rows that others name in the place of a picture, by index."""
    wanted = {
        row["image"].strip()
        for _, row in rows_of(path)
        if 0 < len(row.get("image", "")) <= LONGEST_REFERENCE
    }
    if not wanted:
        return {}
    return {index: row["image"] for _, row in rows_of(path) if (index := index_of(row)) in wanted}


def index_of(row: Row) -> str:
    """The index as text, however the table wrote it ("241", "241.0")."""
    text = row.get("index", "").strip()
    whole = text.removesuffix(".0")
    return str(int(whole)) if whole.isascii() and whole.isdecimal() else text


def _open(path: Path, names: tuple[str, ...], only: tuple[str, ...] = ()) -> csv.CSVStreamingReader:
    return csv.open_csv(
        path,
        csv.ReadOptions(use_threads=False, block_size=_PIECE),
        csv.ParseOptions(delimiter="\t", newlines_in_values=True),
        csv.ConvertOptions(
            column_types=dict.fromkeys(names, pa.string()),
            strings_can_be_null=False,
            include_columns=list(only),
        ),
    )


def _unreadable(path: Path, error: Exception, row: int = 0) -> ParameterError:
    reason = str(error).splitlines()[0][:_LONGEST_REASON]
    where = f" behind row {row}" if row else ""
    return ParameterError(f"{str(path)!r} is not a table that can be read{where}: {reason}")
