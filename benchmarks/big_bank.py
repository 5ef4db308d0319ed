"""How much memory does a run over a large bank with images take, and does it grow with answers?

A synthetic bank of 30,000 items with an image of about 10 KB each is opened, and run over HTTP
against the canned server on several occasions; the largest resident set is noted after each stage.

    python benchmarks/big_bank.py [--items 30000] [--write docs/benchmarks.md]
"""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np
import pyarrow as pa

from gfactor.items import Image, Item, OutputFormat, Provenance, text_hash
from gfactor.items.schema import bank_schema, label_types, row_of
from gfactor.items.writing import ROWS_PER_GROUP, open_writer

MARKER = "## Memory of a large run"

QUESTION = (
    "How many circles are in the picture? Count every circle that you see, also those that are "
    "hidden in part by another, and none twice. Answer in one line, in the form COUNT:x where x is "
    "the number, and write nothing else."
)


def png(seed: int, size: int) -> bytes:
    """A PNG of noise with about so many bytes."""
    width = 64
    height = max(1, size // width)
    noise = np.random.default_rng(seed).integers(0, 256, (height, width + 1), np.uint8)
    noise[:, 0] = 0

    def chunk(kind: bytes, data: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + check

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    pixels = zlib.compress(noise.tobytes(), 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
    )


def synthetic_item(number: int, image_bytes: int) -> Item:
    """A question about a picture of noise, or one without a picture."""
    name = f"item-{number:06d}"
    picture = (Image(png(number, image_bytes), f"{name}.png"),) if image_bytes else ()
    return Item(
        id=name,
        benchmark="synthetic",
        content=(QUESTION, *picture),
        answer_type="value",
        target=number % 10,
        labels={"domain": f"domain-{number % 30:02d}", "size": 1 + number % 20},
        provenance=Provenance("benchmarks", "1", text_hash(name), scene=f'{{"n":{number}}}'),
        output_format=OutputFormat("value", labels=("COUNT",)),
    )


def synthetic_bank(path: Path, items: int, image_bytes: int) -> Path:
    """Write such a bank, a row group at a time."""
    schema = bank_schema(label_types([synthetic_item(0, 0)]), {"benchmark": "synthetic"})
    with open_writer(path, schema) as writer:
        for start in range(0, items, ROWS_PER_GROUP):
            numbers = range(start, min(items, start + ROWS_PER_GROUP))
            rows = [row_of(synthetic_item(n, image_bytes)) for n in numbers]
            writer.write_table(pa.Table.from_pylist(rows, schema))
    return path
