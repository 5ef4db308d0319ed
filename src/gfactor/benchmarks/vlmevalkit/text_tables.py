"""Text tables (.tsv, .csv) with pictures in their cells, read a piece at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import csv

from gfactor.errors import ParameterError
from gfactor.items.table_files import SEPARATORS, TextLayout, layout_of, tell_layout

_PIECE = 64 * 2**20
"""Bytes that are read at once; a row that is longer cannot be read."""

_LONGEST_REASON = 200

Broken = Callable[[int, str], None]
"""(number, flaw) of a row whose number of cells differs from the header's -> nothing."""


def columns_of(path: Path) -> tuple[str, ...]:
    """Return the names of a text table's columns; raise ParameterError if the file is no table."""
    layout = _layout(path)
    try:
        with _open(path, layout) as stream:
            return tuple(stream.schema.names)
    except (pa.ArrowException, OSError) as error:
        raise unreadable(path, error, encoding=layout.encoding) from error


def tell_text_layout(path: Path) -> None:
    """Print a note on standard error if a text table has unusual separators or encoding."""
    tell_layout(path, _layout(path))


def text_rows(
    path: Path, broken: Broken, only: tuple[str, ...] = ()
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the rows of a text table with their numbers from 1 (the header apart).

    Parameters
    ----------
    path: a .tsv or .csv file.
    broken: function that is called with rows whose number of cells differs from the header's; these
        rows are skipped.
    only: columns that are wanted; all if empty.

    Raises ParameterError if the file cannot be read; the message has the number of the last row
    that was read.
    """
    names, layout = columns_of(path), _layout(path)
    skipped: set[int] = set()

    def skip(row: csv.InvalidRow) -> str:
        number = (row.number or 1) - 1
        skipped.add(number)
        lines = (row.text or "").strip().count("\n") + 1
        over = f" in {lines} lines (is a quotation mark open?)" if lines > 1 else ""
        cells = f"{row.actual_columns} cells for {row.expected_columns} columns"
        broken(number, f"it has {cells}{over}")
        return "skip"

    number = 0
    try:
        with _open(path, layout, names, only, skip) as stream:
            for batch in stream:
                for row in batch.to_pylist():
                    number += 1
                    while number in skipped:
                        number += 1
                    yield number, row
    except (pa.ArrowException, OSError) as error:
        raise unreadable(path, error, number, layout.encoding) from error


def _layout(path: Path) -> TextLayout:
    try:
        return layout_of(path, SEPARATORS.get(path.suffix.lower(), "\t"), _PIECE)
    except UnicodeDecodeError as error:
        raise _other_encoding(path) from error
    except OSError as error:
        raise unreadable(path, error) from error


def _open(
    path: Path,
    layout: TextLayout,
    names: tuple[str, ...] = (),
    only: tuple[str, ...] = (),
    skip: Callable[[csv.InvalidRow], str] = lambda _: "skip",
) -> csv.CSVStreamingReader:
    return csv.open_csv(
        path,
        # Without threads, rows are numbered.
        csv.ReadOptions(use_threads=False, block_size=_PIECE, encoding=layout.encoding),
        csv.ParseOptions(
            delimiter=layout.separator, newlines_in_values=True, invalid_row_handler=skip
        ),
        csv.ConvertOptions(
            column_types=dict.fromkeys(names, pa.string()),
            strings_can_be_null=False,
            include_columns=list(only),
        ),
    )


def unreadable(
    path: Path, error: Exception, row: int = 0, encoding: str = "utf-8"
) -> ParameterError:
    """Return the error for a file that cannot be read after a row."""
    if encoding == "utf-8" and _in_another_encoding(path):
        return _other_encoding(path)
    reason = str(error).splitlines()[0][:_LONGEST_REASON]
    where = f" behind data row {row}" if row else ""
    return ParameterError(f"{str(path)!r} is not a table that can be read{where}: {reason}")


def _other_encoding(path: Path) -> ParameterError:
    return ParameterError(
        f"{str(path)!r} is not text in UTF-8; save it as UTF-8, as with "
        "`iconv -f GB18030 -t UTF-8` for a table in Chinese"
    )


def _in_another_encoding(path: Path) -> bool:
    try:
        with path.open(encoding="utf-8") as file:
            for _ in file:
                pass
    except OSError:
        return False
    except UnicodeDecodeError:
        return True
    return False
