"""How much faster a profile is with eight questions in flight, where a reply takes 200 ms.

Run by hand on a quiet machine: `python benchmarks/adaptive_latency.py [ITEMS ...]` (by default 120
and 400 items, about two minutes). A local server replies to every question after 200 ms
(`canned_server.py`); `gfactor.profile` measures two abilities with the shipped calibrations, one
question at a time and then eight. Prints the rows of docs/evidence/benchmarks.md. What a choice and
an item take is in `adaptive_engine.py`.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import gfactor as gf

LATENCY_MS = 200
AT_ONCE = (1, 8)


def seconds(url: str, items: int, at_once: int) -> tuple[float, float]:
    """Wall time and processor time of a profile."""
    with tempfile.TemporaryDirectory() as folder:
        wall, used = time.perf_counter(), time.process_time()
        measured = gf.profile(
            "openai:canned", journal=Path(folder) / "p.db", abilities=["Gf", "Gv"], se=None,
            max_items=items, base_url=url, max_in_flight=at_once,
        )  # fmt: skip
        assert measured.items == items
        return time.perf_counter() - wall, time.process_time() - used


if __name__ == "__main__":
    server = subprocess.Popen(
        [sys.executable, str(Path(__file__).parent / "canned_server.py"),
         "--latency-ms", str(LATENCY_MS)],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        seconds(url, 10, 8)  # imports and first drawings
        print("| items | one at a time | eight in flight | times as fast | processor time |")
        print("|---:|---:|---:|---:|---:|")
        for items in [int(word) for word in sys.argv[1:]] or [120, 400]:
            (one, _), (eight, used) = (seconds(url, items, n) for n in AT_ONCE)
            print(f"| {items} | {one:.1f} s | {eight:.1f} s | {one / eight:.1f} | {used:.1f} s |")
    finally:
        server.kill()
