"""Reading a bank: every row is checked once, and images stay on disk until they are needed.

Both go through the file some rows at a time, in whatever row groups its writer made, so that the
memory they take does not grow with the bank's images.
"""

from __future__ import annotations

import bisect
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from gfactor.errors import BankError
from gfactor.items.hashing import digest_of
from gfactor.items.schema import COLUMNS, ITEMS_KEY, METADATA_KEY
from gfactor.items.shards import OWN_TABLE, bank_files
from gfactor.items.validation import columns_flaw, conformed, image_flaw, row_flaw

_AT_ONCE = 100
"""Number of rows read at a time: a row group of `write_bank`."""

_IMAGES_AT_ONCE = 20
"""Number of rows whose images are read at a time. Answers that arrive meanwhile wait little, and
small buffers take less time."""

_LARGE_GROUP, _BUFFER = 2**25, 2**20
"""Number of bytes from which on a row group is read through a buffer, and the buffer's size;
smaller groups are read twice as fast in one piece."""


@dataclass(frozen=True)
class Contents:
    """A checked bank without its images' bytes.

    Parameters
    ----------
    rows: the bank's columns, with the number of images in place of `images`.
    groups: for each row group, its file and its number within that file.
    starts: the first row of each row group.
    metadata: metadata that the builder stored with the rows.
    """

    rows: pa.Table
    groups: tuple[tuple[Path, int], ...]
    starts: tuple[int, ...]
    metadata: dict[str, Any]


def read_contents(path: Path) -> Contents:
    """Read and check a bank, some rows at a time; BankError names file, row and item."""
    seen: dict[str, int] = {}
    tables: list[pa.Table] = []
    starts: list[int] = []
    groups: list[tuple[Path, int]] = []
    first: pa.Schema | None = None
    for name in bank_files(path):
        with open_parquet(name) as file:
            schema = file.schema_arrow
            flaw = columns_flaw(schema)
            if flaw and not {"content", "provenance"} & set(schema.names):
                flaw = OWN_TABLE.format(name)
            if first is not None and not flaw and not schema.equals(first, check_metadata=True):
                flaw = "is of another build than the shards before it; build the bank again"
            if flaw:
                raise BankError(name, flaw)
            first, before = schema, len(seen)
            for group in range(file.num_row_groups):
                starts.append(len(seen))
                groups.append((name, group))
                parts = _parts(name, file, group)
                tables.extend(_checked(name, rows, seen, before) for rows in parts)
    if not seen or first is None:
        raise BankError(path, "holds no items; build it again")
    stored = first.metadata or {}
    items = stored.get(ITEMS_KEY, b"%d" % len(seen)).decode(errors="replace")
    if items != str(len(seen)):
        raise BankError(
            path,
            f"holds {len(seen)} of the {items} items of its bank: a file was renamed or left out, "
            "or another program cut it; copy all of the bank's files again under their old names",
        )
    rows = pa.concat_tables(tables).combine_chunks()
    metadata = json.loads(stored.get(METADATA_KEY, b"{}"))
    if len({name for name, _ in groups}) > 1:
        _check_order(path, rows, metadata)
    return Contents(rows, tuple(groups), tuple(starts), metadata)


def _check_order(path: Path, rows: pa.Table, metadata: dict[str, Any]) -> None:
    """Refuse shards whose order was changed after the build: the digest shows it."""
    hashes = rows.select(["provenance"]).flatten()["provenance.content_hash"]
    if metadata.get("scene_digest", digest := digest_of(hashes.to_pylist())) != digest:
        raise BankError(
            path,
            "has shards in another order, or with other items, than when it was built; copy all of "
            "its files again under their old names",
        )


def open_parquet(path: Path, *, verify: bool = True) -> pq.ParquetFile:
    """Open a Parquet file so that reading verifies the checksums of its pages; raise BankError for
    another file."""
    try:
        # pyarrow would read the beginning of a path such as "s3:pilot/bank.parquet" as a protocol.
        local = path.absolute()
        file = pq.ParquetFile(local, pre_buffer=False, page_checksum_verification=verify)
        groups = range(file.num_row_groups)
        if all(file.metadata.row_group(g).total_byte_size < _LARGE_GROUP for g in groups):
            return file
        file.close()
        return pq.ParquetFile(
            local, pre_buffer=False, page_checksum_verification=verify, buffer_size=_BUFFER
        )
    except FileNotFoundError as error:
        raise BankError(path, "there is no such file") from error
    except (pa.ArrowException, OSError) as error:
        if path.is_dir():
            raise BankError(path, "is a folder; name the Parquet file in it") from error
        what = "is not a Parquet file, or is cut off; build it or copy it again"
        if path.suffix.lower() in (".jsonl", ".json", ".csv", ".tsv", ".xlsx"):
            what = OWN_TABLE.format(path)
        if is_database(path):
            what = "is a database, such as a journal, not a bank; name the file of gfactor build"
        raise BankError(path, what) from error


def is_database(path: Path) -> bool:
    """Return True for a file of SQLite, as journals are."""
    try:
        with path.open("rb") as file:
            return file.read(len(SQLITE_HEAD)) == SQLITE_HEAD
    except OSError:
        return False


SQLITE_HEAD = b"SQLite format 3"


def _parts(path: Path, file: pq.ParquetFile, group: int) -> Iterator[pa.Table]:
    """The rows of a row group, some at a time."""
    batches = _batches(file, group, list(COLUMNS), _AT_ONCE)
    try:
        for batch in batches:
            yield conformed(pa.Table.from_batches([batch]))
    except ValueError as error:
        if isinstance(error, pa.ArrowException):
            raise _damaged(path) from error
        raise BankError(path, str(error)) from error
    except OSError as error:
        raise _damaged(path) from error


def _batches(
    file: pq.ParquetFile, group: int, columns: list[str], size: int
) -> Iterator[pa.RecordBatch]:
    # Threads would hold several row groups in memory at once.
    return file.iter_batches(size, row_groups=[group], columns=columns, use_threads=False)


def _damaged(path: Path) -> BankError:
    return BankError(path, "is damaged: a part of it cannot be read; build it or copy it again")


def _checked(path: Path, table: pa.Table, seen: dict[str, int], before: int) -> pa.Table:
    """The table with images counted; `seen` maps every id so far to its row and grows, `before` is
    the number of rows in the files before this one."""
    images = table["images"].combine_chunks()
    position = table.schema.get_field_index("images")
    counts = pa.array([len(i) for i in images], pa.int32())
    light = table.set_column(position, "images", counts)
    for row, pictures in zip(light.to_pylist(), images, strict=True):
        number, item_id = len(seen), row["id"]
        flaw = _used(seen[item_id], before) if item_id in seen else None
        flaw = flaw or row_flaw(row, len(pictures)) or _images_flaw(pictures)
        if flaw:
            raise BankError(path, flaw, row=number - before, item_id=item_id)
        seen[item_id] = number
    return light


def _used(row: int, before: int) -> str:
    where = f"row {row - before}" if row >= before else f"row {row} of the whole bank"
    return f"the id is already used in {where}"


def _images_flaw(pictures: pa.ListScalar) -> str | None:
    for picture in pictures:
        # The bytes are checked in place, without copying all of them.
        content = picture["bytes"].as_buffer() if picture.is_valid else None
        flaw = image_flaw(memoryview(content).cast("B") if content is not None else None)
        if flaw:
            path = picture["path"].as_py() if picture.is_valid else ""
            return f"image {path!r} {flaw}"
    return None


class StoredImages:
    """The images of a bank's rows, read a few rows at a time.

    Rows that are asked for in ascending order are read once. Asking for an earlier row reads its
    row group again from the beginning. Objects can be sent to other processes.
    """

    def __init__(self, groups: tuple[tuple[Path, int], ...], starts: tuple[int, ...]) -> None:
        self._groups = groups
        self._starts = starts
        self._open: tuple[Path, pq.ParquetFile] | None = None
        self._group = -1
        self._following: Iterator[pa.RecordBatch] = iter(())
        self._first = 0
        self._loaded: pa.Array | None = None

    def of(self, row: int) -> list[dict[str, Any]]:
        """Return the images of a row, as dictionaries of `bytes` and `path`."""
        group = bisect.bisect_right(self._starts, row) - 1
        try:
            if group != self._group or row < self._first:
                self._begin(group)
            while self._loaded is None or row >= self._first + len(self._loaded):
                self._first += len(self._loaded) if self._loaded is not None else 0
                self._loaded = None
                self._loaded = next(self._following).column(0)
            return self._loaded[row - self._first].as_py()
        except (pa.ArrowException, OSError, StopIteration) as error:
            self._group = -1
            raise _damaged(self._groups[group][0]) from error

    def _begin(self, group: int) -> None:
        path, number = self._groups[group]
        if self._open is None or self._open[0] != path:
            # Checksums were verified when the bank was opened; here they would cost four times
            # the reading, as threads would.
            self._open = (path, open_parquet(path, verify=False))
        self._group, self._first, self._loaded = group, self._starts[group], None
        self._following = _batches(self._open[1], number, ["images"], _IMAGES_AT_ONCE)

    def __getstate__(self) -> dict[str, Any]:
        unread = {"_open": None, "_group": -1, "_following": iter(()), "_loaded": None}
        return {**self.__dict__, **unread}
