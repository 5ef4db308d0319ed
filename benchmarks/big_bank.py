"""How much memory does a run over a large bank with images take, and does it grow with answers?

A synthetic bank of 30,000 items with an image of about 10 KB each is opened, and run over HTTP
against the canned server on several occasions; the largest resident set is noted after each stage.

    python benchmarks/big_bank.py [--items 30000] [--write docs/evidence/benchmarks.md]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import platform
import resource
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path

import numpy as np
import pyarrow as pa
from pages import replace_section

from gfactor.administration import Journal, administer
from gfactor.examinees.http import Endpoint, HttpExaminee
from gfactor.items import Image, Item, ItemBank, OutputFormat, Provenance, text_hash
from gfactor.items.schema import bank_schema, label_types, row_of
from gfactor.items.writing import ROWS_PER_GROUP, open_writer

MARKER = "## Memory of a large run"
IMAGE_BYTES = 10_000
OCCASIONS = (0, 1, 2, 4)
GOAL_MIB = 400

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


async def ask_all(bank: ItemBank, url: str, occasions: int) -> None:
    """Have the server's model answer every item so often, into a new journal."""
    with tempfile.TemporaryDirectory() as folder, Journal.open(Path(folder) / "j.db") as journal:
        examinee = HttpExaminee(Endpoint("canned", url))
        try:
            result = await administer(bank, examinee, journal, occasions=occasions)
        finally:
            await examinee.close()
    if (result.asked, result.failed) != (len(bank) * occasions, 0):
        raise SystemExit(f"{result.failed} of {result.asked} failed: {result.detail}")


def client(path: str, url: str, occasions: int) -> None:
    """Open the bank, ask, and print seconds and MiB at the peak."""
    start = time.perf_counter()
    bank = ItemBank.open(path)
    if occasions:
        asyncio.run(ask_all(bank, url, occasions))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": time.perf_counter() - start, "peak_mib": peak}))


def measure(items: int) -> tuple[float, dict[int, dict[str, float]]]:
    """The file's size in MB, and what each number of occasions took in a process of its own."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        bank = synthetic_bank(Path(folder) / "bank.parquet", items, IMAGE_BYTES)
        server = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("canned_server.py"))],
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert server.stdout is not None
            url = server.stdout.readline().strip()
            for occasions in OCCASIONS:
                command = [sys.executable, __file__, "--client", str(bank), url, str(occasions)]
                done = subprocess.run(command, capture_output=True, text=True, check=True)
                found[occasions] = json.loads(done.stdout)
        finally:
            server.kill()
            server.wait()
        return bank.stat().st_size / 1e6, found


def report(items: int, size: float, found: dict[int, dict[str, float]]) -> str:
    """The section of docs/evidence/benchmarks.md."""
    lines = [
        f"{MARKER}\n",
        f"`python benchmarks/big_bank.py --items {items}`; Python {platform.python_version()}; a "
        f"bank of {items:,} items with an image of {IMAGE_BYTES // 1000} KB each ({size:.0f} MB), "
        "opened with all its checks and run over HTTP against a server that answers at once; the "
        "largest resident set of the process, in which the imports alone take about 150 MiB. Goal: "
        f"under {GOAL_MIB} MiB, whatever the number of responses.\n",
        "| what | responses | seconds | MiB |",
        "|---|---:|---:|---:|",
    ]
    for occasions, taken in found.items():
        what = f"run, {occasions} occasion{'s' * (occasions > 1)}" if occasions else "open"
        lines.append(
            f"| {what} | {items * occasions:,} | {taken['seconds']:.1f} | {taken['peak_mib']:.0f} |"
        )
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure, print, and write the section where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=30_000)
    parser.add_argument("--write", type=Path)
    parser.add_argument("--client", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.client:
        path, url, occasions = given.client
        client(path, url, int(occasions))
        return
    text = report(given.items, *measure(given.items))
    print(text)
    if given.write:
        replace_section(given.write, MARKER, text)


if __name__ == "__main__":
    main()
