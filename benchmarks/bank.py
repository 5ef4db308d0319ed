"""What building, auditing and answering the whole bank costs: wall time and memory.

Runs the real commands as child processes and measures each: wall time, and the largest resident
set of the process and its children. The bank is the full audited edition (6,000 items).

    python benchmarks/bank.py [--seed 7] [--write docs/evidence/benchmarks.md]
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pages import replace_section

MARKER = "## The whole bank"

CHILD = """
import os
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, range({cores}))
from gfactor.cli import main
main()
"""


def measured(*command: str, cores: int) -> tuple[float, float, str]:
    """Seconds, MiB at the peak and the standard output of `gfactor ...`, on so many cores."""
    start = time.perf_counter()
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD.format(cores=cores), *command],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    output = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        raise SystemExit(f"gfactor {' '.join(command)} failed")
    return time.perf_counter() - start, usage.ru_maxrss / 1024, output


def measure(seed: int) -> list[tuple[str, str, float, float]]:
    """Rows: what was done, with what result, seconds, MiB."""
    with tempfile.TemporaryDirectory() as folder:
        bank = str(Path(folder) / "bank.parquet")
        journal = str(Path(folder) / "journal.db")
        rows = []
        seconds, memory, out = measured(
            "build", "percept-v", "--seed", str(seed), "--jobs", "1", "-o", bank, "--json", cores=1
        )
        made = json.loads(out)
        result = f"{made['items']:,} items, {made['images']:,} images"
        rows.append(("`gfactor build percept-v`, one core", result, seconds, memory))
        seconds, memory, _ = measured(
            "run", bank, "--examinee", "observer:ideal", "--journal", journal, "--jobs", "2",
            "--json", cores=2,
        )  # fmt: skip
        (score,) = json.loads(measured("score", journal, "--json", cores=2)[2])["results"]
        right = round(score["accuracy"] * score["n"])
        result = f"{right:,} of {score['n']:,} right"
        rows.append(("`gfactor run` with `observer:ideal`, two cores", result, seconds, memory))
        seconds, memory, _ = measured("audit", bank, "--json", "--jobs", "2", cores=2)
        rows.append(("`gfactor audit`, two cores", "no limit broken", seconds, memory))
    return rows


def report(rows: list[tuple[str, str, float, float]], seed: int) -> str:
    """The section of docs/evidence/benchmarks.md."""
    lines = [
        f"{MARKER}\n",
        f"`python benchmarks/bank.py --seed {seed}`; Python {platform.python_version()}; audited "
        "edition; memory is the largest resident set of a process.\n",
        "| what | result | seconds | MiB |",
        "|---|---|---:|---:|",
        *(f"| {what} | {result} | {s:.1f} | {m:.0f} |" for what, result, s, m in rows),
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure, print, and write the section where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    text = report(measure(given.seed), given.seed)
    print(text)
    if given.write:
        replace_section(given.write, MARKER, text)


if __name__ == "__main__":
    main()
