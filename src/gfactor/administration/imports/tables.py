"""Tables that other programs wrote (xlsx, tsv, csv), cell by cell as texts."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pyarrow as pa
from pyarrow import csv

from gfactor.administration.imports.base import Flaw
from gfactor.errors import MissingExtraError, ParameterError

SEPARATORS = {".tsv": "\t", ".csv": ","}

_LARGEST_ROW = 64 * 2**20
"""Bytes that are read at once; a row that is longer cannot be read."""


def read_table(path: Path) -> Iterator[tuple[int, dict[str, str]] | Flaw]:
    """The rows of a table, numbered as a person sees them (the header is row 1); "" where empty.

    Raises ParameterError where the file is no such table, MissingExtraError where an .xlsx needs
    the extra `imports`.
    """
    if path.suffix.lower() == ".xlsx":
        return _rows_of_workbook(path)
    return _rows_of_text(path, SEPARATORS[path.suffix.lower()])


def _rows_of_workbook(path: Path) -> Iterator[tuple[int, dict[str, str]] | Flaw]:
    try:
        frame = pd.read_excel(
            path, dtype=str, keep_default_na=False, na_filter=False, engine="openpyxl"
        )
    except ImportError as error:
        raise MissingExtraError("reading .xlsx files", "imports") from error
    except (ValueError, KeyError, OSError, zipfile.BadZipFile) as error:
        raise ParameterError(f"{str(path)!r} is not a workbook that can be read") from error
    names = [str(name) for name in frame.columns]
    for row, values in enumerate(frame.itertuples(index=False, name=None), 2):
        yield row, dict(zip(names, map(str, values), strict=True))


def _rows_of_text(path: Path, separator: str) -> Iterator[tuple[int, dict[str, str]] | Flaw]:
    broken: list[Flaw] = []

    def skip(row: csv.InvalidRow) -> str:
        broken.append(
            Flaw(
                f"row {row.number or '?'}",
                f"it has {row.actual_columns} cells, but there are {row.expected_columns} columns",
            )
        )
        return "skip"

    parsing = csv.ParseOptions(
        delimiter=separator, newlines_in_values=True, invalid_row_handler=skip
    )
    # Without threads, rows are numbered.
    reading = csv.ReadOptions(use_threads=False, block_size=_LARGEST_ROW)
    try:
        with csv.open_csv(path, reading, parsing) as peek:
            names = peek.schema.names
        broken.clear()
        table = csv.read_csv(
            path,
            reading,
            parsing,
            csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False
            ),
        )
    except (pa.ArrowException, OSError) as error:
        reason = str(error).splitlines()[0]
        raise ParameterError(f"{str(path)!r} is not a table that can be read: {reason}") from error
    numbers = _numbers(table.num_rows, broken)
    for batch in table.to_batches():
        for values in batch.to_pylist():
            yield next(numbers), values
    yield from broken


def _numbers(rows: int, broken: list[Flaw]) -> Iterator[int]:
    """The numbers of the rows that were kept: those of broken rows are left out."""
    taken = {flaw.where for flaw in broken}
    number = 1
    for _ in range(rows):
        number += 1
        while f"row {number}" in taken:
            number += 1
        yield number
