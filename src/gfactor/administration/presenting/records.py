"""Reading small tables of texts from users: CSV with a header, or JSON lines."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from gfactor.errors import ParameterError
from gfactor.items import canonical_json, text_hash


def read_records(path: Path, what: str, columns: Sequence[str]) -> list[dict[str, str]]:
    """Return the rows of a file, each with `columns` as texts; other columns are left out.

    A file named *.jsonl, or one whose first sign is a brace, holds one JSON object a line; any
    other is CSV. Raises ParameterError, with file and line, for an invalid row.
    """
    where = f"{what} file {str(path)!r}"
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ParameterError(f"{where} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ParameterError(f"{where} is not text in UTF-8") from error
    if path.suffix == ".jsonl" or text.lstrip().startswith("{"):
        return _json_lines(text, where, columns)
    return _csv(text, where, columns)


def fingerprint(value: object) -> str:
    """Return the first 12 digits of the SHA-256 of a value made of texts, for a condition's key."""
    return text_hash(canonical_json(value))[:12]


def _csv(text: str, where: str, columns: Sequence[str]) -> list[dict[str, str]]:
    reader = csv.DictReader(io.StringIO(text))
    missing = [name for name in columns if name not in (reader.fieldnames or ())]
    if missing:
        raise ParameterError(
            f"{where} has no column {missing[0]!r}; its first line is {','.join(columns)}"
        )
    try:
        return [_texts(row, f"{where}, line {reader.line_num}", columns) for row in reader]
    except csv.Error as error:
        raise ParameterError(f"{where}, line {reader.line_num}: {error}") from error


def _json_lines(text: str, where: str, columns: Sequence[str]) -> list[dict[str, str]]:
    rows = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise ParameterError(f"{where}, line {number} is not JSON") from error
        if not isinstance(row, dict):
            raise ParameterError(f"{where}, line {number} is not a JSON object")
        rows.append(_texts(row, f"{where}, line {number}", columns))
    return rows


def _texts(row: Mapping[str, object], where: str, columns: Sequence[str]) -> dict[str, str]:
    for name in columns:
        if not isinstance(row.get(name), str):
            raise ParameterError(f"{where} has no text {name!r}")
    return {name: str(row[name]) for name in columns}
