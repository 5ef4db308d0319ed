"""What does one `gfactor analyze cfa` cost from the shell, beside Rscript with lavaan?

Both read the same CSV, fit the same model of nine simulated indicators and print it; processor time
of the whole process, start-up included, the two in turn.

    python benchmarks/sem_start.py [--repeats 9] [--write FILE]
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from pages import replace_section

from gfactor.psychometrics import sem

MARKER = "## One model from the shell"
GOAL = 2.0
"""Times Rscript's processor time, at most."""
MODEL = "f1 =~ x1 + x2 + x3\nf2 =~ x4 + x5 + x6\nf3 =~ x7 + x8 + x9"
POPULATION = "f1 =~ 0.8*x1 + 0.7*x2 + 0.6*x3\nf2 =~ 0.8*x4 + 0.7*x5 + 0.6*x6\n" + (
    "f3 =~ 0.8*x7 + 0.7*x8 + 0.6*x9\nf1 ~~ 0.4*f2\nf1 ~~ 0.3*f3\nf2 ~~ 0.3*f3"
)
N = 320
R = """
suppressMessages(library(lavaan))
fit <- cfa(commandArgs(TRUE)[2], read.csv(commandArgs(TRUE)[1]))
summary(fit, fit.measures = TRUE)
"""


def spent(command: Sequence[str]) -> float:
    """Seconds of processor time of a process and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def version(code: str) -> str:
    command = ["Rscript", "-e", code]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data, script = Path(folder) / "data.csv", Path(folder) / "fit.R"
        sem.simulate_data(POPULATION, N, seed=1).to_csv(data, index=False)
        script.write_text(R, "utf-8")
        code = "from gfactor.cli import main; main()"
        ours = [sys.executable, "-c", code, "analyze", "cfa", str(data), "--model", MODEL]
        theirs = ["Rscript", str(script), str(data), MODEL]
        times: list[tuple[float, float]] = []
        for turn in range(given.repeats + 1):
            pair = spent(ours), spent(theirs)
            if turn:  # the first fills caches
                times.append(pair)
    own, other = (statistics.median(column) for column in zip(*times, strict=True))
    ratio = statistics.median(a / b for a, b in times)
    lavaan = version('cat(as.character(packageVersion("lavaan")))')
    rows = [
        MARKER,
        "",
        f"`python benchmarks/sem_start.py --repeats {given.repeats}`; Python "
        f"{platform.python_version()}, lavaan {lavaan}; the whole process: "
        f"start, reading {N} rows of nine simulated indicators, a three-factor model, and "
        "the output of `gfactor analyze cfa` (with diagnostics, reliability and modification "
        "indices) against `summary()` with fit measures; seconds of processor time, medians, the "
        f"two in turn (the machine was shared, load {os.getloadavg()[0]:.1f}). Goal: at most "
        f"{GOAL:g} times Rscript.",
        "",
        "| gfactor | Rscript with lavaan | times |",
        "|---|---|---|",
        f"| {own:.2f} | {other:.2f} | {ratio:.2f} |",
    ]
    text = "\n".join(rows)
    print(text)
    if given.write:
        replace_section(given.write, MARKER, text)


if __name__ == "__main__":
    main()
