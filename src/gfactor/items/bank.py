"""An ordered set of items on disk: one Parquet file that other programs can read."""

from __future__ import annotations

import difflib
import html
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from gfactor.errors import BankError, ParameterError, UnknownNameError
from gfactor.items.hashing import canonical_json, digest_of
from gfactor.items.item import Item, LabelValue
from gfactor.items.randomness import ItemRandom
from gfactor.items.reading import Contents, StoredImages, read_contents
from gfactor.items.schema import item_of, labels_of
from gfactor.items.validation import checked_pixels

if TYPE_CHECKING:
    # Arrow imports pandas only when a frame is requested, so that other processes start faster.
    import pandas as pd

_AT_ONCE = 100
"""Number of rows converted at a time when iterating: a row group of `write_bank`."""


class ItemBank:
    """The items of a bank, or of a part of one (`select`, `sample`), in order.

    Images stay on disk until an item is accessed, so that iterating takes the memory of one row
    group. A bank can be sent to other processes.

    Parameters
    ----------
    path : Path
        The Parquet file, or the name of the shards.
    contents : Contents
        Its rows, without images.
    rows : NDArray[int64]
        Numbers of the rows that belong to the bank, in order.

    Examples
    --------
    >>> import gfactor as gf
    >>> from gfactor.items import ItemBank
    >>> _ = gf.build("percept-v", domains=["change_colour"], sizes=[1, 5], path="pv.parquet")
    >>> bank = ItemBank.open("pv.parquet")
    >>> len(bank), len(bank.sample(per=("domain", "size"), n=1))
    (20, 2)
    """

    def __init__(self, path: Path, contents: Contents, rows: NDArray[np.int64]) -> None:
        self.path = path
        self._contents = contents
        self._rows = rows
        self._images = StoredImages(contents.groups, contents.starts)
        ids = _taken(contents.rows.select(["id"]), rows)["id"].to_pylist()
        self._row_of = dict(zip(ids, rows.tolist(), strict=True))

    @classmethod
    def open(cls, path: Path | str, *, decode: bool = False) -> ItemBank:
        """Open a bank after checking everything except the pixels.

        `path` is a Parquet file, or a folder with one bank in it. For a bank in several files
        (NAME-00000-of-00012.parquet) it is any of them, or NAME.parquet.

        It checks the columns, every row (ids, answer types, targets, output formats, image
        numbers) and the integrity of every image (PNG checksums). `decode` also decodes every
        image and compares it with its stored pixel hash, which takes some milliseconds per image.

        Raises BankError if the bank cannot be used; the message names file, row and item.
        """
        path = Path(path)
        contents = read_contents(path)
        bank = cls(path, contents, np.arange(contents.rows.num_rows))
        if decode:
            for item in bank:
                bank.pixels(item)
        return bank

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Item]:
        return self._items(self._rows)

    def items(self, ids: Iterable[str]) -> Iterator[Item]:
        """Yield the items with these ids, in this order. Parts of a bank that are asked for in its
        order read its file once, while every `select` begins to read anew."""
        return self._items(np.array([self._row(i) for i in ids], np.int64))

    def _items(self, numbers: NDArray[np.int64]) -> Iterator[Item]:
        for start in range(0, len(numbers), _AT_ONCE):
            rows = numbers[start : start + _AT_ONCE]
            plain_rows = _taken(self._contents.rows, rows).to_pylist()
            for row, plain in zip(rows.tolist(), plain_rows, strict=True):
                yield item_of(plain, self._images.of(row) if plain["images"] else ())

    def __contains__(self, item_id: object) -> bool:
        return item_id in self._row_of

    @property
    def ids(self) -> tuple[str, ...]:
        """Return the ids of the items, in order."""
        return tuple(self._row_of)

    def item(self, item_id: str) -> Item:
        """Return the item with an id; raise BankError (with the closest id) if there is none."""
        (item,) = self.items([item_id])
        return item

    def pixels(self, item: Item) -> tuple[NDArray[np.uint8], ...]:
        """Return the decoded images of an item, height x width x 3, RGB, 8 bits.

        Raises BankError if an image cannot be decoded, or its pixels differ from the hash.
        """
        try:
            return checked_pixels(item)
        except ValueError as error:
            raise self.error(item.id, str(error)) from error

    def error(self, item_id: str, what: str) -> BankError:
        """Return an error about an item, with the file, the row and the id."""
        return BankError(self.path, what, row=self._row(item_id), item_id=item_id)

    def select(self, ids: Sequence[str]) -> ItemBank:
        """Return a view of the items with these ids, in this order. Raises BankError if one is
        missing, ParameterError if `ids` is no list."""
        if isinstance(ids, str) or not isinstance(ids, Iterable):
            first = next(iter(self._row_of), "q1")
            raise ParameterError(
                f"select takes a list of item ids, such as bank.select([{first!r}]), not {ids!r}"
            )
        rows = [self._row(i) for i in dict.fromkeys(ids)]
        return ItemBank(self.path, self._contents, np.array(rows, np.int64))

    def sample(
        self, per: Sequence[str] = ("domain", "size"), n: int = 1, seed: int = 0
    ) -> ItemBank:
        """Return a stratified sample: `n` items of every combination of labels, or all if there
        are fewer. The draw in a stratum depends only on `seed` and the stratum. Items stay in the
        order of the bank.
        """
        strata: dict[str, list[str]] = {}
        for item_id, labels in self.labels().items():
            key = canonical_json([labels.get(name) for name in per])
            strata.setdefault(key, []).append(item_id)
        chosen: set[str] = set()
        for key, ids in strata.items():
            chosen.update(ItemRandom({"sample": seed, "stratum": key}, 0).sample(ids, n))
        return self.select([i for i in self._row_of if i in chosen])

    def labels(self) -> dict[str, dict[str, LabelValue]]:
        """Return the labels of every item, by id."""
        rows = self._stored("labels").to_pylist()
        return {i: labels_of(row) for i, row in zip(self._row_of, rows, strict=True)}

    @property
    def label_types(self) -> dict[str, pa.DataType]:
        """The labels that the bank has, with their types."""
        return {field.name: field.type for field in self._contents.rows.schema.field("labels").type}

    def choices(self) -> dict[str, list[tuple[str, str | None]]]:
        """Label and text (None for an image) of every choice of every item, by id."""
        rows = self._stored("choices")["choices"].to_pylist()
        return {
            i: [(choice["label"], choice["text"]) for choice in row]
            for i, row in zip(self._row_of, rows, strict=True)
        }

    def column(self, name: str) -> list[Any]:
        """Return one column of `frame` as values by item, which takes a tenth of the time. Labels
        and fields of the provenance are not available."""
        return self._stored(name)[name].to_pylist()

    def frame(self) -> pd.DataFrame:
        """Return one row per item, with everything except the images' bytes.

        Columns: `id`, `benchmark`, `language`, `text`, `images` (their number), `answer_type`,
        `target` and `accepted` (canonical JSON), `points`, `output_format`, then the labels, then
        the fields of the provenance (`source`, `version`, `edition`, `seed`, `index`, `scene`,
        `content_hash`, `pixel_hashes`, `history`). A label that has the name of one of these is
        called `label.NAME`. Missing values are None, never NaN: a label that some items lack is a
        column of objects, in which whole numbers stay integers.
        """
        rows = self._stored()
        texts = [
            "\n".join(part["text"] for part in content if part["text"] is not None)
            for content in rows["content"].to_pylist()
        ]
        columns: dict[str, Any] = {n: rows[n] for n in ("id", "benchmark", "language")}
        columns["text"] = pa.array(texts, pa.string())
        for name in ("images", "answer_type", "target", "accepted", "points", "output_format"):
            columns[name] = rows[name]
        origin = _fields(rows, "provenance")
        for name, values in _fields(rows, "labels").items():
            columns[f"label.{name}" if name in columns or name in origin else name] = values
        return _typed(pa.table({**columns, **origin}))

    def q_matrix(self, label: str) -> pd.DataFrame:
        """Return an indicator matrix of a label's values: items (by id) x values, 0 or 1.

        Raises UnknownNameError if the bank has no such label.
        """
        label_type = self._contents.rows.schema.field("labels").type
        if label_type.get_field_index(label) < 0:
            raise UnknownNameError("label", label, [field.name for field in label_type])
        sets = [_as_set(labels.get(label)) for labels in self.labels().values()]
        values = sorted(set().union(*sets), key=lambda v: (isinstance(v, str), v))
        columns = {str(v): pa.array([int(v in s) for s in sets]) for v in values}
        frame = pa.table(columns).to_pandas()
        frame.columns = values
        frame.index = list(self._row_of)
        return frame.rename_axis(index="id", columns=label)

    @cached_property
    def scene_digest(self) -> str:
        """One SHA-256 over the content hashes of the items in this view, in order."""
        origin = _fields(self._stored("provenance"), "provenance")
        return digest_of(origin["content_hash"].to_pylist())

    @property
    def metadata(self) -> dict[str, Any]:
        """Return the metadata that the builder stored (benchmark, version, edition, seed ...) and,
        for the items in this view, their number, the number of images, `scene_digest` and
        `pixel_digest`.
        """
        origin = _fields(self._stored("provenance"), "provenance")
        hashes = origin["pixel_hashes"].to_pylist()
        return {
            "benchmark": self._contents.rows["benchmark"][0].as_py(),
            **self._contents.metadata,
            "items": len(self),
            "images": int(np.sum(self._contents.rows["images"].to_numpy()[self._rows])),
            "scene_digest": self.scene_digest,
            "pixel_digest": digest_of(h for row in hashes for h in row or ()),
        }

    def _row(self, item_id: str) -> int:
        if item_id not in self._row_of:
            close = difflib.get_close_matches(str(item_id), self._row_of, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            raise BankError(self.path, f"there is no such item{hint}", item_id=item_id)
        return self._row_of[item_id]

    def _stored(self, *columns: str) -> pa.Table:
        """Return the rows of this view, with the given columns or with all."""
        stored = self._contents.rows
        return _taken(stored.select(columns) if columns else stored, self._rows)

    def __repr__(self) -> str:
        return f"ItemBank({str(self.path)!r}: {len(self)} items)"

    def _repr_html_(self) -> str:
        """Describe the bank, with the number of items for each value of its first label."""
        facts = [
            f"<tr><th>{html.escape(str(k))}</th><td>{html.escape(str(v))}</td></tr>"
            for k, v in self.metadata.items()
        ]
        label = self._contents.rows.schema.field("labels").type.field(0).name
        counts = Counter(str(labels.get(label, "")) for labels in self.labels().values())
        rows = [f"<tr><th>{html.escape(v)}</th><td>{n}</td></tr>" for v, n in counts.items()]
        return (
            f"<table>{''.join(facts)}</table><table><tr><th>{html.escape(label)}</th>"
            f"<th>items</th></tr>{''.join(rows)}</table>"
        )


def _taken(table: pa.Table, rows: NDArray[np.int64]) -> pa.Table:
    first = int(rows[0]) if len(rows) else 0
    if np.array_equal(rows, np.arange(first, first + len(rows))):
        # Adjacent rows need not be copied.
        return table.slice(first, len(rows))
    return table.take(rows)


def _typed(table: pa.Table) -> pd.DataFrame:
    """Return the table in pandas, with None for absent values."""
    frame = table.to_pandas(integer_object_nulls=True)
    for name, column in zip(table.column_names, table.columns, strict=True):
        if pa.types.is_string(column.type) and column.null_count:
            frame[name] = frame[name].astype(object).where(frame[name].notna(), None)
    return frame


def _fields(rows: pa.Table, column: str) -> dict[str, pa.Array]:
    struct = rows[column].combine_chunks()
    return {field.name: struct.field(field.name) for field in struct.type}


def _as_set(value: LabelValue | None) -> set[LabelValue]:
    if value is None:
        return set()
    return set(value) if isinstance(value, tuple) else {value}
