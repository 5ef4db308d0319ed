"""Do memory and throughput stay flat for large banks and for a million stored answers?

Banks of text items are built in shards, opened and read, each in a process of its own. One process
then answers a bank of 100,000 items ten times over into one journal; its rate and its largest
resident set are noted after every 100,000 answers.

    python benchmarks/large.py [--items 100000 300000 1000000] [--answers 1000000] \
        [--write docs/evidence/benchmarks.md]
"""

from __future__ import annotations

import argparse
import json
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from big_bank import synthetic_item
from pages import replace_section

from gfactor.administration import Journal, run
from gfactor.examinees import RenderedItem, Reply
from gfactor.items import BankPlan, Item, ItemBank, Part, build_bank
from gfactor.items.schema import label_types
from gfactor.items.shards import bank_files

MARKER = "## Large banks and a million answers"
PER_PART, AT_ONCE = 10_000, 100_000


class Ready:
    """An examinee that answers at once, in this process."""

    name, in_flight = "ready:one", 50

    async def __call__(self, item: RenderedItem) -> Reply:
        return Reply("COUNT:3", usage={"prompt_tokens": 50, "completion_tokens": 4})

    async def close(self) -> None: ...


def some_items(first: int, count: int) -> Iterator[Item]:
    """Items of a part."""
    return (synthetic_item(n, 0) for n in range(first, first + count))


def build(path: Path, items: int) -> None:
    """Build such a bank."""
    parts = [
        Part(f"part-{k:05d}", {"first": k}, partial(some_items, k, min(PER_PART, items - k)))
        for k in range(0, items, PER_PART)
    ]
    about = {"name": "synthetic", "description": "Made up.", "license": "CC0-1.0",
             "citation": "None.", "version": "1"}  # fmt: skip
    labels = label_types([synthetic_item(0, 0)])
    build_bank(BankPlan(parts, labels, {"benchmark": "synthetic"}, about), path)


def read(path: Path) -> None:
    """Open a bank and look at every item."""
    assert sum(1 for _ in ItemBank.open(path)) > 0


def answer(path: Path, answers: int) -> None:
    """Ask until the journal holds so many answers; a line of JSON after every round."""
    bank = ItemBank.open(path)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "c.db"
        for occasion in range(1, answers // len(bank) + 1):
            started = time.perf_counter()
            with Journal.open(file) as journal:
                assert run(bank, Ready(), journal, occasions=occasion).asked == len(bank)
            tell(started, answers=occasion * len(bank), mb=file.stat().st_size / 1e6)


def tell(started: float, **more: float) -> None:
    """Print what was measured since a moment."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": time.perf_counter() - started, "peak": peak, **more}), flush=True)


def alone(what: str, path: Path, count: int) -> list[dict[str, float]]:
    """Measure in a process of its own."""
    words = [sys.executable, __file__, "--alone", what, str(path), str(count)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def measured_alone(what: str, path: Path, count: int) -> None:
    """What such a process does."""
    if what == "answer":
        answer(path, count)
        return
    steps: dict[str, Callable[[], None]] = {
        "build": partial(build, path, count), "read": partial(read, path)
    }  # fmt: skip
    started = time.perf_counter()
    steps[what]()
    tell(started)


def report(sizes: list[int], answers: int) -> str:
    """Measure everything; the section of docs/evidence/benchmarks.md."""
    lines = [
        f"{MARKER}\n",
        f"`python benchmarks/large.py`; Python {platform.python_version()}; text items, one "
        "process for each line of the first table and one for all of the second, on two cores "
        "shared with other work; memory is the largest resident set so far, in which the imports "
        "alone take about 150 MiB. The examinee answers at once, in the process.\n",
        "| items | files | MB | build, s | build, MiB | open and read, s | open and read, MiB |",
        "|---:|---:|---:|---:|---:|---:|---:|",
    ]
    with tempfile.TemporaryDirectory() as folder:
        for items in sizes:
            path = Path(folder) / f"b{items}.parquet"
            (made,) = alone("build", path, items)
            files = bank_files(path)
            size = sum(file.stat().st_size for file in files) / 1e6
            (seen,) = alone("read", path, items)
            lines.append(
                f"| {items:,} | {len(files)} | {size:.0f} | {made['seconds']:.0f} | "
                f"{made['peak']:.0f} | {seen['seconds']:.0f} | {seen['peak']:.0f} |"
            )
            print(lines[-1], flush=True)
        lines += ["", "| answers stored | journal, MB | answers/s of the last 100,000 | MiB |",
                  "|---:|---:|---:|---:|"]  # fmt: skip
        path = Path(folder) / "asked.parquet"
        build(path, AT_ONCE)
        for row in alone("answer", path, answers):
            lines.append(
                f"| {row['answers']:,.0f} | {row['mb']:.0f} | {AT_ONCE / row['seconds']:,.0f} | "
                f"{row['peak']:.0f} |"
            )
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure, print, and write the section where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, nargs="+", default=[100_000, 300_000, 1_000_000])
    parser.add_argument("--answers", type=int, default=1_000_000)
    parser.add_argument("--write", type=Path)
    parser.add_argument("--alone", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.alone:
        what, path, count = given.alone
        measured_alone(what, Path(path), int(count))
        return
    text = report(given.items, given.answers)
    print(text)
    if given.write:
        replace_section(given.write, MARKER, text)


if __name__ == "__main__":
    main()
