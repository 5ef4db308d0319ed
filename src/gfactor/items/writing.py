"""Writing a bank: completely or not at all, with images unchanged and other columns compressed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from gfactor.errors import ParameterError
from gfactor.items import shards
from gfactor.items.files import check_writable
from gfactor.items.formats import RULE_LABEL, rule_flaw
from gfactor.items.item import Item
from gfactor.items.schema import ITEMS_KEY, LabelTypes, bank_schema, label_types, leaves, row_of

ROWS_PER_GROUP = 100
"""About 2 MB of drawings: small enough to fetch one item's group in a millisecond or two, large
enough that 6,000 items need 60 groups."""

_IMAGE_BYTES = "images.list.element.bytes"
_BULKY = (_IMAGE_BYTES, "provenance.scene", "provenance.history")
_UNIQUE = (*_BULKY, "provenance.content_hash", "id")


def write_bank(
    items: Iterable[Item],
    path: Path | str,
    metadata: Mapping[str, Any] | None = None,
    labels: LabelTypes | None = None,
) -> Path:
    """Write items as a bank; the file appears when it is complete, and replaces a file of the same
    name.

    Parameters
    ----------
    items : list of Item
        Items in the bank's order.
    path : path
        The Parquet file; above 100,000 items the name of several, NAME-00000-of-00012.parquet.
    metadata : dict of str to Any, optional
        Facts about all of the items (benchmark, edition, seed ...), JSON-serializable.
    labels : LabelTypes, optional
        The types of the labels; found in the items if it is not given.

    Returns
    -------
    Path
        `path`, by which the bank is opened.

    Raises
    ------
    ParameterError
        If the path cannot be written, no item is given, or labels clash.

    Examples
    --------
    >>> from gfactor.items import Choice, Item, Provenance
    >>> item = Item(
    ...     "q1", "example", ("1 + 1 = ?",), "choice", "A", {"domain": "sums"},
    ...     Provenance("example", "1", content_hash="q1"),
    ...     choices=(Choice("A", "2"), Choice("B", "3")),
    ... )
    >>> from gfactor.items import write_bank
    >>> write_bank([item], "sums.parquet", {"benchmark": "example"}).name
    'sums.parquet'
    """
    path, items = Path(path), list(items)
    check_writable(path)
    for item in items:
        if flaw := rule_flaw(item.labels.get(RULE_LABEL)):
            raise ParameterError(f"item {item.id!r}: {flaw}")
    if not items:
        raise ParameterError(f"there are no items to write to {str(path)!r}")
    schema = bank_schema(labels or label_types(items), metadata)
    if not schema.field("labels").type.num_fields:
        raise ParameterError("items need at least one label, such as `domain`")
    parts = (items[k : k + ROWS_PER_GROUP] for k in range(0, len(items), ROWS_PER_GROUP))
    groups = (pa.Table.from_pylist([row_of(item) for item in part], schema) for part in parts)
    write_groups(groups, len(items), path, schema)
    return path


def write_groups(
    groups: Iterable[pa.Table],
    items: int,
    path: Path,
    schema: pa.Schema,
    folder: Path | None = None,
) -> None:
    """Write row groups, with the given number of items in all, as a bank, one in memory at a time.

    Above `shards.ITEMS_PER_SHARD` items the bank becomes several files of about the same size.
    `folder` holds them until they are complete.
    """
    count = -(-items // shards.ITEMS_PER_SHARD)
    if count > 1:
        # So that a shard that is renamed and opened alone is recognized as a part.
        schema = schema.with_metadata({**(schema.metadata or {}), ITEMS_KEY: str(items)})
    waiting = iter(groups)
    rest, written = next(waiting), 0
    with shards.replacing_bank(path, count, folder) as files:
        for number, file in enumerate(files):
            end = items * (number + 1) // count
            with open_writer(file, schema) as writer:
                while written < end:
                    part = rest.slice(0, end - written)
                    writer.write_table(part.replace_schema_metadata(schema.metadata))
                    written += len(part)
                    rest = rest.slice(len(part))
                    if not len(rest):
                        rest = next(waiting, rest)


def open_writer(path: Path, schema: pa.Schema) -> pq.ParquetWriter:
    """Return a Parquet writer with the bank's settings, which writes a row group at a time.

    Images are compressed already (PNG); page checksums let a reader notice damage.
    """
    columns = leaves(schema)
    words = [name for name, kind in columns if kind == pa.string() and name not in _UNIQUE]
    settings: dict[str, Any] = {
        "compression": {n: "none" if n == _IMAGE_BYTES else "zstd" for n, _ in columns},
        "use_dictionary": words,
        "write_statistics": [n for n, _ in columns if n not in _BULKY],
    }
    return pq.ParquetWriter(path.absolute(), schema, write_page_checksum=True, **settings)
