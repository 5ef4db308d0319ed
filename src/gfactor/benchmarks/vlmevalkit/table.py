"""VLMEvalKit's tables: rows with pictures in their cells, read a piece at a time.

Data sets are .tsv; predictions are .xlsx, .tsv, .csv, .json or .jsonl. Tables that people write are
any of these, .parquet, or a folder of `datasets`. Every cell is a text, and "" where it is empty.
"""

from __future__ import annotations

import base64
import json
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
from pyarrow import csv

from gfactor.benchmarks.loading import parquet_rows
from gfactor.errors import MissingExtraError, ParameterError

SEPARATORS = {".tsv": "\t", ".csv": ","}

LONGEST_REFERENCE = 64
"""Characters of an image cell that is no picture but the index of the row that holds it."""

_PIECE = 64 * 2**20
"""Bytes that are read at once; a row that is longer cannot be read."""

_LONGEST_REASON = 200

_MISSING = ("", "nan", "NaN")
"""Possible contents of a data set's empty cell; in predictions these are words like others."""

_ESCAPED_CONTROL = re.compile(r"_x00([01][0-9A-Fa-f])_")
"""A control character as workbooks write it: "_x000D_" is a carriage return."""

Row = Mapping[str, str]

Broken = Callable[[int, str], None]
"""Told of a row that has another number of cells than the header: its number, and what is wrong."""


def columns_of(path: Path, *, lenient: bool = False) -> tuple[str, ...]:
    """Return the names of a text table's columns; raise ParameterError if the file is no table.

    `lenient` passes over rows with another number of cells.
    """
    try:
        with _open(path, (), (), (lambda _: "skip") if lenient else None) as stream:
            return tuple(stream.schema.names)
    except UnicodeDecodeError as error:
        raise _other_encoding(path) from error
    except (pa.ArrowException, OSError) as error:
        raise _unreadable(path, error) from error


def is_image_file(cell: str) -> bool:
    """Return True if an image cell names a picture's file; base64 has no dot."""
    return _IMAGE_FILE.search(cell) is not None


_IMAGE_FILE = re.compile(r"\.(png|jpe?g|webp|gif|bmp)$", re.IGNORECASE)


def shards_of(path: Path) -> list[Path]:
    """Return the files of a table: itself, or those of a folder that `datasets` saved."""
    return sorted(path.glob("*.arrow")) if path.is_dir() else [path]


def names_of(path: Path) -> tuple[str, ...]:
    """Return the names of a data set's columns, other names as VLMEvalKit's; see `rows_of`."""
    if path.suffix.lower() == ".tsv":
        return tuple(_named(dict.fromkeys(columns_of(path), "")))
    return tuple(dict.fromkeys(name for _, row in rows_of(path) for name in row))


def rows_of(path: Path, only: tuple[str, ...] = ()) -> Iterator[tuple[int, Row]]:
    """Yield the rows of a data set with their numbers from 1 (the header apart).

    `only` names the columns that are wanted, if not all are; it speeds up the reading of .tsv.

    Raises ParameterError, with the number of the last row before, where the file cannot be read:
    a row with another number of cells than the header makes all that follow uncertain.
    """
    if path.suffix.lower() == ".tsv":
        columns = set(columns_of(path))
        wanted = tuple(name for name in only if name in columns) if "index" in columns else ()
        rows = _text_rows(path, wanted, None)
    elif path.is_dir():
        rows = _arrow_rows(path)
    elif path.suffix.lower() == ".parquet":
        rows = ((n, {k: _cell(v) for k, v in row.items()}) for n, row in parquet_rows(path))
    else:
        rows = prediction_rows(path, _refuse(path))
    for number, row in rows:
        yield number, _named({k: "" if v in _MISSING else v for k, v in row.items()})


def _named(row: Row) -> Row:
    """Return a row under VLMEvalKit's names; a row of its own tables stays as it is."""
    complete = "index" in row and "answer" in row and "options" not in row
    return row if complete else with_names(row)


def _refuse(path: Path) -> Broken:
    def refuse(number: int, what: str) -> None:
        raise ParameterError(f"{path.name!r}, row {number}: {what}; fix the file")

    return refuse


def _arrow_rows(folder: Path) -> Iterator[tuple[int, Row]]:
    """Yield the rows of a folder that `datasets` saved (`save_to_disk`)."""
    number = 0
    for file in shards_of(folder):
        try:
            with pa.memory_map(str(file)) as source, pa.ipc.open_stream(source) as stream:
                for batch in stream:
                    for row in batch.to_pylist():
                        number += 1
                        yield number, {name: _cell(value) for name, value in row.items()}
        except (pa.ArrowException, OSError) as error:
            raise _unreadable(file, error, number) from error


def prediction_rows(path: Path, broken: Broken) -> Iterator[tuple[int, Row]]:
    """Yield the rows of a file of predictions with their numbers from 1; names of columns are
    trimmed.

    Raises ParameterError if the file is no table of a kind that VLMEvalKit writes,
    MissingExtraError if an .xlsx needs the extra `imports`.
    """
    kind = path.suffix.lower()
    if kind == ".xlsx":
        rows = _workbook_rows(path)
    elif kind in (".json", ".jsonl"):
        rows = _json_rows(path)
    elif kind in SEPARATORS:
        rows = _text_rows(path, (), broken)
    else:
        raise ParameterError(f"{str(path)!r} is not .xlsx, .tsv, .csv, .json or .jsonl")
    for number, row in rows:
        yield number, {name.strip(): value for name, value in row.items()}


def pictures_by_index(path: Path) -> dict[str, str]:
    """Return image cells of the rows that others name in the place of a picture, by index."""
    wanted = {
        row["image"].strip()
        for _, row in rows_of(path)
        if 0 < len(row.get("image", "")) <= LONGEST_REFERENCE and not is_image_file(row["image"])
    }
    if not wanted:
        return {}
    return {index: row["image"] for _, row in rows_of(path) if (index := index_of(row)) in wanted}


def index_of(row: Row) -> str:
    """Return the index as text, however the table wrote it ("241", "241.0")."""
    text = row.get("index", "").strip()
    whole = text.removesuffix(".0")
    return str(int(whole)) if whole.isascii() and whole.isdecimal() else text


_NAMES = {
    "index": ("question_id", "id", "item_id"),
    "choices": ("options",),
    "image": ("images", "picture"),
    "answer": ("key", "target"),
    "prediction": ("reply", "response", "output"),
}
"""Other names of VLMEvalKit's columns in tables that people write."""


def with_names(row: Row) -> Row:
    """Return a row with VLMEvalKit's names of its columns, if it has others."""
    names = {
        other: name
        for name, others in _NAMES.items() if name not in row
        for other in [next((one for one in others if one in row), None)] if other
    }  # fmt: skip
    return {names.get(name, name): value for name, value in row.items()}


def _text_rows(path: Path, only: tuple[str, ...], broken: Broken | None) -> Iterator[Any]:
    names = columns_of(path, lenient=broken is not None)
    skipped: set[int] = set()
    refused: list[ParameterError] = []

    def skip(row: csv.InvalidRow) -> str:
        if broken is None:
            return "error"
        number = (row.number or 1) - 1
        skipped.add(number)
        try:
            broken(number, f"it has {row.actual_columns} cells for {row.expected_columns} columns")
        except ParameterError as error:
            # An error that leaves this function is printed by pyarrow and lost.
            refused.append(error)
            return "error"
        return "skip"

    number = 0
    try:
        with _open(path, names, only, skip) as stream:
            for batch in stream:
                for row in batch.to_pylist():
                    number += 1
                    while number in skipped:
                        number += 1
                    yield number, row
    except (pa.ArrowException, OSError) as error:
        if refused:
            raise refused[0] from None
        raise _unreadable(path, error, number) from error


def _workbook_rows(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    try:
        frame = pd.read_excel(
            path, dtype=str, keep_default_na=False, na_filter=False, engine="openpyxl"
        )
    except ImportError as error:
        raise MissingExtraError("reading .xlsx files", "imports") from error
    except (ValueError, KeyError, OSError, zipfile.BadZipFile) as error:
        raise ParameterError(f"{str(path)!r} is not a workbook that can be read") from error
    names = [str(name) for name in frame.columns]
    for number, values in enumerate(frame.itertuples(index=False, name=None), 1):
        cells = (_ESCAPED_CONTROL.sub(lambda m: chr(int(m[1], 16)), str(v)) for v in values)
        yield number, dict(zip(names, cells, strict=True))


class ListCell(str):
    """A cell that was a list of texts in JSON, as Python shows it.

    Parameters
    ----------
    texts: the texts.
    """

    texts: tuple[str, ...]

    def __new__(cls, texts: list[str]) -> ListCell:
        """Return the cell of a list of texts."""
        cell = super().__new__(cls, texts)
        cell.texts = tuple(texts)
        return cell


def _json_rows(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    try:
        if path.suffix.lower() == ".jsonl":
            document = [json.loads(line) for line in path.read_bytes().splitlines() if line.strip()]
        else:
            document = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise ParameterError(f"{str(path)!r} is not JSON that can be read") from error
    if not isinstance(document, list) or not all(isinstance(row, dict) for row in document):
        raise ParameterError(f"{str(path)!r} is not a list of rows, as predictions in JSON are")
    for number, row in enumerate(document, 1):
        yield number, {str(name): _cell(value) for name, value in row.items()}


def _cell(value: Any) -> str:
    """Return a value as text; a picture as `datasets` stores it is base64, or its file's name."""
    if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        return ListCell(value)
    if isinstance(value, list):
        return str([_cell(one) if isinstance(one, bytes | dict) else one for one in value])
    if isinstance(value, dict) and {"bytes", "path"} == set(value):
        value = value["bytes"] if value["bytes"] is not None else value["path"]
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    missing = value is None or (isinstance(value, float) and value != value)  # noqa: PLR0124
    return "" if missing else str(value)


def _open(
    path: Path,
    names: tuple[str, ...],
    only: tuple[str, ...] = (),
    skip: Callable[[csv.InvalidRow], str] | None = None,
) -> csv.CSVStreamingReader:
    separator = SEPARATORS.get(path.suffix.lower(), "\t")
    return csv.open_csv(
        path,
        # Without threads, rows are numbered.
        csv.ReadOptions(use_threads=False, block_size=_PIECE),
        csv.ParseOptions(delimiter=separator, newlines_in_values=True, invalid_row_handler=skip),
        csv.ConvertOptions(
            column_types=dict.fromkeys(names, pa.string()),
            strings_can_be_null=False,
            include_columns=list(only),
        ),
    )


def _unreadable(path: Path, error: Exception, row: int = 0) -> ParameterError:
    if _in_another_encoding(path):
        return _other_encoding(path)
    reason = str(error).splitlines()[0][:_LONGEST_REASON]
    where = f" behind row {row}" if row else ""
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
