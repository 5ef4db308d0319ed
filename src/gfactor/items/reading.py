"""Reading a bank: every row checked once, images left on disk until they are asked for."""

from __future__ import annotations

import bisect
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from gfactor.errors import BankError
from gfactor.items.schema import COLUMNS, METADATA_KEY
from gfactor.items.validation import columns_flaw, conformed, image_flaw, row_flaw


@dataclass(frozen=True)
class Contents:
    """A checked bank without its images' bytes.

    Parameters
    ----------
    rows: the bank's columns, with the number of images in place of `images`.
    starts: the first row of each row group.
    metadata: what the builder stored beside the rows.
    """

    rows: pa.Table
    starts: tuple[int, ...]
    metadata: dict[str, Any]


def read_contents(path: Path) -> Contents:
    """Read and check a bank, a row group at a time; BankError names file, row and item."""
    file = open_parquet(path)
    flaw = columns_flaw(file.schema_arrow)
    if flaw:
        raise BankError(path, flaw)
    seen: dict[str, int] = {}
    tables: list[pa.Table] = []
    starts: list[int] = []
    for group in range(file.num_row_groups):
        starts.append(len(seen))
        tables.append(_checked(path, _group(path, file, group), seen))
    if not seen:
        raise BankError(path, "holds no items; build it again")
    stored = (file.schema_arrow.metadata or {}).get(METADATA_KEY, b"{}")
    rows = pa.concat_tables(tables).combine_chunks()
    return Contents(rows, tuple(starts), json.loads(stored))


def open_parquet(path: Path, *, verify: bool = True) -> pq.ParquetFile:
    """A Parquet file, its pages' checksums verified on reading; BankError where it is none."""
    try:
        return pq.ParquetFile(path, page_checksum_verification=verify)
    except FileNotFoundError as error:
        raise BankError(path, "there is no such file") from error
    except (pa.ArrowException, OSError) as error:
        raise BankError(
            path, "is not a Parquet file, or is cut off; build it or copy it again"
        ) from error


def _group(path: Path, file: pq.ParquetFile, group: int) -> pa.Table:
    try:
        return conformed(file.read_row_group(group, columns=list(COLUMNS)))
    except ValueError as error:
        if isinstance(error, pa.ArrowException):
            raise _damaged(path) from error
        raise BankError(path, str(error)) from error
    except OSError as error:
        raise _damaged(path) from error


def _damaged(path: Path) -> BankError:
    return BankError(path, "is damaged: a part of it cannot be read; build it or copy it again")


def _checked(path: Path, table: pa.Table, seen: dict[str, int]) -> pa.Table:
    """The table with images counted; `seen` maps every id so far to its row and grows."""
    images = table["images"].to_pylist()
    position = table.schema.get_field_index("images")
    counts = pa.array([len(i) for i in images], pa.int32())
    light = table.set_column(position, "images", counts)
    for row, pictures in zip(light.to_pylist(), images, strict=True):
        number, item_id = len(seen), row["id"]
        flaw = f"the id is already used in row {seen[item_id]}" if item_id in seen else None
        flaw = flaw or row_flaw(row, len(pictures)) or _images_flaw(pictures)
        if flaw:
            raise BankError(path, flaw, row=number, item_id=item_id)
        seen[item_id] = number
    return light


def _images_flaw(pictures: list[dict[str, Any]]) -> str | None:
    for picture in pictures:
        flaw = image_flaw(picture["bytes"])
        if flaw:
            return f"image {picture['path']!r} {flaw}"
    return None


class StoredImages:
    """The images of a bank's rows, read a row group at a time; may be sent to other processes."""

    def __init__(self, path: Path, starts: tuple[int, ...]) -> None:
        self._path = path
        self._starts = starts
        self._file: pq.ParquetFile | None = None
        self._held: tuple[int, pa.ChunkedArray] | None = None

    def of(self, row: int) -> list[dict[str, Any]]:
        """The images of a row, as dictionaries of `bytes` and `path`."""
        group = bisect.bisect_right(self._starts, row) - 1
        if self._held is None or self._held[0] != group:
            self._held = None
            self._held = group, self._read(group)
        return self._held[1][row - self._starts[group]].as_py()

    def _read(self, group: int) -> pa.ChunkedArray:
        if self._file is None:
            # Checksums were verified when the bank was opened; here they would cost four times
            # the reading, as threads would.
            self._file = open_parquet(self._path, verify=False)
        try:
            table = self._file.read_row_group(group, columns=["images"], use_threads=False)
            return table["images"]
        except (pa.ArrowException, OSError) as error:
            raise _damaged(self._path) from error

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_file": None, "_held": None}
