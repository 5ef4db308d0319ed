"""Writing a bank: whole or not at all, images as they are, everything else compressed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from gfactor.errors import ParameterError
from gfactor.items.files import check_writable, replacing
from gfactor.items.item import Item
from gfactor.items.schema import LabelTypes, bank_schema, label_types, leaves, row_of

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
    """Write items as a bank; the file appears when it is whole, and replaces one of that name.

    Parameters
    ----------
    metadata: facts about all of the items (benchmark, edition, seed ...), JSON-serializable.
    labels: the types of the labels; found in the items where it is not given.

    Raises ParameterError where the path cannot be written, no item is given, or labels clash.
    """
    path, items = Path(path), list(items)
    check_writable(path)
    if not items:
        raise ParameterError(f"there are no items to write to {str(path)!r}")
    schema = bank_schema(labels or label_types(items), metadata)
    if not schema.field("labels").type.num_fields:
        raise ParameterError("items need at least one label, such as `domain`")
    with replacing(path) as temporary, open_writer(temporary, schema) as writer:
        for start in range(0, len(items), ROWS_PER_GROUP):
            rows = [row_of(item) for item in items[start : start + ROWS_PER_GROUP]]
            writer.write_table(pa.Table.from_pylist(rows, schema))
    return path


def open_writer(path: Path, schema: pa.Schema) -> pq.ParquetWriter:
    """A Parquet writer with the bank's settings, for a table a row group at a time.

    Images are compressed already (PNG); page checksums let a reader notice damage.
    """
    columns = leaves(schema)
    words = [name for name, kind in columns if kind == pa.string() and name not in _UNIQUE]
    settings: dict[str, Any] = {
        "compression": {n: "none" if n == _IMAGE_BYTES else "zstd" for n, _ in columns},
        "use_dictionary": words,
        "write_statistics": [n for n, _ in columns if n not in _BULKY],
    }
    return pq.ParquetWriter(path, schema, write_page_checksum=True, **settings)
