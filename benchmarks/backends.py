"""How much faster is a computation in two processes, on each backend?

Paired runs: every round computes the same thing here and then in two processes of each backend that
is installed; the ratio of seconds is taken within the round. Starting the processes is not counted,
since a cluster is there before; results are compared byte by byte.

    python benchmarks/backends.py [--rounds 3] [--write docs/evidence/benchmarks.md]
"""

from __future__ import annotations

import argparse
import contextvars
import importlib.util
import os
import platform
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import pandas as pd
from pages import replace_section

import gfactor as gf
from gfactor import computing
from gfactor.psychometrics import sem

MARKER = "## Processes, Dask and Ray"
MODEL = "f =~ x1 + x2 + x3 + x4\ng =~ x5 + x6 + x7 + x8"
NEEDS = {"loky": "joblib", "dask": "distributed", "ray": "ray"}


def cases() -> pd.DataFrame:
    """Two hundred cases of eight indicators of two factors."""
    random = np.random.default_rng(1)
    f, g = random.normal(size=(2, 200))
    parts = {f"x{k}": (f if k < 5 else g) + random.normal(size=200) for k in range(1, 9)}
    return pd.DataFrame(parts)


def items() -> bytes:
    """Items of all domains."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "b.parquet"
        gf.build("percept-v", seed=7, sizes=range(1, 11), path=path, show_progress=False)
        return gf.open_bank(path).metadata["pixel_digest"].encode()


def batches() -> bytes:
    """A bootstrap of 30,000 complete samples."""
    return sem.bootstrap(sem.fit(MODEL, cases()), 30_000, seed=1).fits.theta.tobytes()


def holes() -> bytes:
    """A bootstrap of 800 samples with missing cells, one by one."""
    data = cases()
    data = data.mask(np.random.default_rng(2).random(data.shape) < 0.1)
    return sem.bootstrap(sem.fit(MODEL, data, missing="ml"), 800, seed=1).fits.theta.tobytes()


def study() -> bytes:
    """A simulation study of 800 samples with robust errors, one by one."""
    text = "f =~ 0.7*x1 + 0.8*x2 + 0.6*x3 + 0.7*x4"
    done = sem.simulation_study(text, 200, replications=800, seed=1, estimator="MLR")
    return done.runs.theta.tobytes()


WORK: dict[str, Callable[[], bytes]] = {
    "30 domains' items": items,
    "bootstrap in batches": batches,
    "bootstrap, missing cells": holes,
    "simulation study, MLR": study,
}


def timed(work: Callable[[], bytes]) -> tuple[float, bytes]:
    """Seconds and result."""
    started = time.perf_counter()
    result = work()
    return time.perf_counter() - started, result


def main() -> None:
    """Measure, print, and write the section where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    names: Any = [name for name, module in NEEDS.items() if importlib.util.find_spec(module)]
    alone: dict[str, list[float]] = {}
    ratios: dict[tuple[str, str], list[float]] = {}
    for name in names:
        with gf.backend(name, jobs=2):
            list(computing.each(os.getpid, [()] * 20))
            for work in WORK.values():
                work()  # Workers import what they need.
            for _ in range(given.rounds):
                for what, work in WORK.items():
                    # An empty context knows no backend: this process computes.
                    before, expected = contextvars.Context().run(timed, work)
                    seconds, result = timed(work)
                    assert result == expected, f"{what} on {name}"
                    alone.setdefault(what, []).append(before)
                    ratios.setdefault((what, name), []).append(before / seconds)
    lines = [
        f"{MARKER}\n",
        f"`python benchmarks/backends.py --rounds {given.rounds}`; Python "
        f"{platform.python_version()}; speed of two processes as a multiple of one, median of "
        f"{given.rounds} rounds, on two cores shared with other work (load "
        f"{os.getloadavg()[0]:.0f} at the end); the bytes of all results are equal.\n",
        f"| what | one process, s | {' | '.join(names)} |",
        f"|---|---:|{'---:|' * len(names)}",
    ]
    for what in WORK:
        seconds = median(alone[what])
        shown = " | ".join(f"{median(ratios[what, name]):.2f}" for name in names)
        lines.append(f"| {what} | {seconds:.1f} | {shown} |")
    text = "\n".join(lines) + "\n"
    print(text)
    if given.write:
        replace_section(given.write, MARKER, text)


if __name__ == "__main__":
    main()
