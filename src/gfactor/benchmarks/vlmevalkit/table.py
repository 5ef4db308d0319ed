"""VLMEvalKit's tables: rows with pictures in their cells, read a piece at a time.

Data sets are .tsv; predictions are .xlsx, .tsv, .csv, .json or .jsonl. Tables that people write are
any of these, .parquet, or a folder of `datasets`. Every cell is a text, and "" where it is empty.
"""

from __future__ import annotations

import base64
import json
import re
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa

from gfactor.benchmarks.loading import parquet_rows
from gfactor.benchmarks.vlmevalkit.text_tables import (
    Broken,
    columns_of,
    tell_text_layout,
    text_rows,
    unreadable,
)
from gfactor.errors import MissingExtraError, ParameterError
from gfactor.items.table_files import SEPARATORS
from gfactor.listing import first_few

LONGEST_REFERENCE = 64
"""Largest number of characters of an image cell that is the index of another row, not a picture."""

_MISSING = ("", "nan", "NaN")
"""Possible contents of a data set's empty cell; in predictions these are words like others."""

_ESCAPED_CONTROL = re.compile(r"_x00([01][0-9A-Fa-f])_")
"""A control character as workbooks write it: "_x000D_" is a carriage return."""

Row = Mapping[str, str]


def is_image_file(cell: str) -> bool:
    """Return True if an image cell names a picture's file; base64 has no dot."""
    return _IMAGE_FILE.search(cell) is not None


_IMAGE_FILE = re.compile(r"\.(png|jpe?g|webp|gif|bmp)$", re.IGNORECASE)

_IMAGE_BYTES = ("iVBORw0KGgo", "/9j/", "UklGR", "R0lGOD", "data:image/")
"""First characters of a PNG, JPEG, WebP or GIF file in base64, and of one in an address."""


_TEXTS = {"index", "hint", "question", "answer", "choices", *"ABCDEFGH"}
"""Columns of words, among which the name of a file is a word."""


def unread_pictures(path: Path) -> str:
    """Return the first column of a table without image columns that holds pictures, or names their
    files; "" if there is none."""
    _, row = next(iter(rows_of(path)), (0, {}))
    if {"image", "image_path"} & set(row):
        return ""
    cells = ((name, cell.strip()) for name, cell in row.items() if name not in _TEXTS)
    return next((n for n, c in cells if is_image_file(c) or c.startswith(_IMAGE_BYTES)), "")


def shards_of(path: Path) -> list[Path]:
    """Return the files of a table: itself, all shards of a Parquet file (test-00000-of-00002), or
    those of a folder that `datasets` saved."""
    if path.is_dir():
        return sorted(path.glob("*.arrow"))
    shard = SHARD.search(path.stem)
    if shard is None or path.suffix.lower() != ".parquet":
        return [path]
    return sorted(path.parent.glob(f"{path.stem[: shard.start()]}-*-of-{shard[1]}{path.suffix}"))


SHARD = re.compile(r"-\d{5}-of-(\d{5})$")
"""End of a shard's name before the ending."""


def names_of(path: Path) -> tuple[str, ...]:
    """Return the names of a data set's columns, translated to VLMEvalKit's names; see `rows_of`."""
    if path.suffix.lower() in SEPARATORS:
        return tuple(_named({name.strip(): "" for name in columns_of(path)}))
    return tuple(dict.fromkeys(name for _, row in rows_of(path) for name in row))


def ignored(number: int, what: str) -> None:
    """Ignore a broken row; see `rows_of`."""


def rows_of(
    path: Path, broken: Broken = ignored, only: tuple[str, ...] = ()
) -> Iterator[tuple[int, Row]]:
    """Yield the rows of a data set with their numbers from 1 (the header apart).

    Rows of a text table with another number of cells than its header are skipped, and `broken` is
    called with each. `only` names the wanted columns (all if empty), which speeds up text tables.

    Raises ParameterError if the file cannot be read; the message has the number of the last row
    that was read.
    """
    for number, row in _given_rows(path, broken, only):
        yield (
            number,
            _named({k.strip(): "" if v in _MISSING else v for k, v in row.items()}),
        )


def _given_rows(path: Path, broken: Broken, only: tuple[str, ...]) -> Iterator[tuple[int, Row]]:
    """Yield the rows of a data set under the names that they have; see `rows_of`."""
    if path.suffix.lower() in SEPARATORS:
        columns = set(columns_of(path))
        wanted = tuple(name for name in only if name in columns) if "index" in columns else ()
        return text_rows(path, broken, wanted)
    if path.is_dir():
        return _arrow_rows(path)
    if path.suffix.lower() == ".parquet":
        return _parquet_rows(path)
    return _document_rows(path)


def _named(row: Row) -> Row:
    """Return a row under VLMEvalKit's names; a row of its own tables stays as it is."""
    complete = "index" in row and "answer" in row and "options" not in row
    return row if complete else with_names(row)


def _parquet_rows(path: Path) -> Iterator[tuple[int, Row]]:
    """Yield the rows of all shards of a Parquet file."""
    rows = (row for shard in shards_of(path) for _, row in parquet_rows(shard))
    for number, row in enumerate(rows, 1):
        yield number, {name: _cell(value) for name, value in row.items()}


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
            raise unreadable(file, error, number) from error


def prediction_rows(path: Path, broken: Broken) -> Iterator[tuple[int, Row]]:
    """Yield the rows of a file of predictions with their numbers from 1; names of columns are
    trimmed. `broken` is that of `rows_of`.

    Raises ParameterError if the file is no table of a kind that VLMEvalKit writes,
    MissingExtraError if an .xlsx needs the extra `imports`.
    """
    if path.suffix.lower() in SEPARATORS:
        tell_text_layout(path)
        rows = text_rows(path, broken)
    elif path.suffix.lower() == ".parquet":
        rows = _parquet_rows(path)
    else:
        rows = _document_rows(path)
    for number, row in rows:
        yield number, {name.strip(): value for name, value in row.items()}


def _document_rows(path: Path) -> Iterator[tuple[int, Row]]:
    """Yield the rows of a workbook, or of a file of JSON."""
    kind = path.suffix.lower()
    if kind == ".xlsx":
        return _workbook_rows(path)
    if kind in (".json", ".jsonl"):
        return _json_rows(path)
    raise ParameterError(f"{str(path)!r} is not .xlsx, .tsv, .csv, .json, .jsonl or .parquet")


def pictures_by_index(path: Path) -> dict[str, str]:
    """Return the image cells of rows to which other rows refer by index instead of holding a
    picture."""
    wanted = {
        row["image"].strip()
        for _, row in rows_of(path)
        if 0 < len(row.get("image", "")) <= LONGEST_REFERENCE and not is_image_file(row["image"])
    }
    if not wanted:
        return {}
    return {index: row["image"] for _, row in rows_of(path) if (index := index_of(row)) in wanted}


def index_of(row: Row) -> str:
    """Return the index as text, from any notation of the table ("241", "241.0")."""
    text = row.get("index", "").strip()
    whole = text.removesuffix(".0")
    return str(int(whole)) if whole.isascii() and whole.isdecimal() else text


_NAMES = {
    "index": ("question_id", "id", "item_id", "qid", "idx"),
    "question": ("prompt",),
    "choices": ("options",),
    "image": ("images", "picture"),
    "answer": ("key", "target", "gold", "ground_truth", "label"),
    "prediction": (
        "reply",
        "response",
        "output",
        "pred",
        "model_answer",
        "model_output",
        "completion",
    ),
}
"""Other names of VLMEvalKit's columns in tables that people write."""


_LISTED = 12
"""Largest number of columns that a message lists."""


def listed_columns(row: Row) -> str:
    """Return the first columns of a table for a message, in quotation marks."""
    return first_few(map(repr, row), _LISTED)


def with_names(row: Row) -> Row:
    """Return a row with VLMEvalKit's names of its columns, if it has others."""
    names = {
        other: name
        for name, others in _NAMES.items() if name not in row
        for other in [next((one for one in others if one in row), None)] if other
    }  # fmt: skip
    return {names.get(name, name): value for name, value in row.items()}


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
    """A cell that was a list of texts in JSON, in Python's notation.

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


def _is_reply(value: object) -> bool:
    """Return True for a text or a plain list; a list of rows below a name is no reply."""
    if isinstance(value, list):
        return not any(isinstance(one, dict | list) for one in value)
    return isinstance(value, str)


def _json_rows(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    try:
        if path.suffix.lower() == ".jsonl":
            document = [json.loads(line) for line in path.read_bytes().splitlines() if line.strip()]
        else:
            document = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise ParameterError(f"{str(path)!r} cannot be read as JSON") from error
    if isinstance(document, dict) and all(map(_is_reply, document.values())):
        document = [{"index": key, "prediction": reply} for key, reply in document.items()]
    if not isinstance(document, list) or not all(isinstance(row, dict) for row in document):
        raise ParameterError(f"{str(path)!r} is JSON, but not a list of rows with named cells")
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
