"""Rows of published Parquet files, few at a time, with their numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from gfactor.errors import ParameterError

_AT_ONCE = 32
"""Number of rows with pictures that are in memory at once."""


def parquet_columns(path: Path) -> tuple[str, ...]:
    """Return the names of a file's columns; raise ParameterError if it is no Parquet file."""
    try:
        return tuple(pq.read_schema(path).names)
    except (pa.ArrowException, OSError) as error:
        raise ParameterError(
            f"{str(path)!r} is not a Parquet file, or is cut off; download it again"
        ) from error


def parquet_rows(path: Path, columns: Sequence[str] = ()) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield rows with their numbers from 1; `columns` are those that are read, all if empty.

    Raises ParameterError if the file cannot be read or lacks a column.
    """
    available = parquet_columns(path)
    missing = [name for name in columns if name not in available]
    if missing:
        raise ParameterError(
            f"{str(path)!r} has no column {missing[0]!r}; it has {', '.join(available)}"
        )
    number = 0
    try:
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(_AT_ONCE, columns=list(columns or available)):
                for row in batch.to_pylist():
                    number += 1
                    yield number, row
    except (pa.ArrowException, OSError) as error:
        raise ParameterError(
            f"{str(path)!r} cannot be read after row {number}: it is damaged; download it again"
        ) from error


def image_bytes(cell: Any) -> bytes | None:
    """Return the bytes of an image as `datasets` stores it (a struct or bytes); None if empty.

    Raises ValueError if the cell is something else.
    """
    if isinstance(cell, dict):
        data = cell.get("bytes")
        if data is None and cell.get("path"):
            raise ValueError(f"its image names a file ({cell['path']!r}) and has no bytes")
        return data
    if cell is None or isinstance(cell, bytes):
        return cell
    raise ValueError("its image cell holds no image data")
