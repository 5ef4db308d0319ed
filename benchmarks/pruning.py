"""How long does Algorithm 1 of GOLD take on 85 tasks of 165 models, and 500 repeats of it?

Peer: the same algorithm with a plspm fit per removal, which is how GOLD's authors' tool works; it
runs in the same run where `--plspm-python` names a Python that has plspm. The tool itself is on no
package index.

    python benchmarks/pruning.py [--rounds 5] [--plspm-python PATH] \
        [--write docs/evidence/benchmarks.md]
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from pages import replace_section

from gfactor.psychometrics.gold import with_general
from gfactor.psychometrics.pls import PLSModel
from gfactor.psychometrics.pruning import prune, stability, validate

MARKER = "## Pruning a benchmark"
HERE = Path(__file__).parent
MODELS, SIZES, REPEATS = 165, {"P": 30, "M": 25, "R": 30}, 500
TOOL = 53.8
"""Seconds of GOLD's authors' tool for a pool of this size with 61 removals, measured once on
another machine of this kind (two cores, 2.5 GHz)."""


def simulated() -> pd.DataFrame:
    """85 tasks of three constructs with a few near-copies, and a human rating."""
    rng = np.random.default_rng(85)
    general = rng.normal(size=(MODELS, 1))
    columns: dict[str, Any] = {}
    for name, size in SIZES.items():
        ability = 0.6 * general + 0.8 * rng.normal(size=(MODELS, 1))
        share = rng.uniform(0.3, 0.9, size)
        own = share * ability + np.sqrt(1 - share**2) * rng.normal(size=(MODELS, size))
        own[:, -3:] = own[:, :3] + 0.3 * rng.normal(size=(MODELS, 3))
        columns |= {f"{name}{i + 1:02d}": 50 + 10 * own[:, i] for i in range(size)}
    columns["arena"] = 1000 + 80 * (general[:, 0] + 0.8 * rng.normal(size=MODELS))
    return pd.DataFrame(columns)


def median(rounds: int, work: Callable[[], object]) -> float:
    """Seconds, after one round that is not counted."""
    found = []
    for _ in range(rounds + 1):
        start = time.perf_counter()
        work()
        found.append(time.perf_counter() - start)
    return statistics.median(found[1:])


def peer(python: str, table: Path) -> dict[str, Any] | None:
    """What plspm's side prints, or None where plspm is not installed."""
    if not python:
        return None
    done = subprocess.run(
        [python, str(HERE / "pruning_plspm.py"), str(table)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return json.loads(done.stdout.strip().splitlines()[-1]) if done.returncode == 0 else None


def main() -> None:
    """Measure, print, and write the section where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--plspm-python", default="", help="a Python that has plspm")
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    load, data = os.getloadavg()[0], simulated()
    blocks = {c: [str(t) for t in data if str(t).startswith(c)] for c in SIZES}
    model = PLSModel.of({**blocks, "Human": ["arena"]}, [(c, "Human") for c in blocks])
    made = prune(model, data)
    alone = prune(with_general(blocks), data)
    one = median(4 * given.rounds, lambda: prune(model, data))
    many = median(1, lambda: stability(data, made, n_bootstrap=REPEATS))
    wide = median(1, lambda: stability(data, alone, n_bootstrap=REPEATS // 10)) * 10
    folds = median(1, lambda: validate(data, made))
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder, "pool.csv")
        data.to_csv(table, index=False)
        plspm = peer(given.plspm_python, table)
    lines = [f"| gfactor | {one:.3f} | 1 | {many:.1f} |"]
    said = (
        f"GOLD's authors' tool is on no package index and did not run here; {TOOL:g} s were "
        f"measured elsewhere for a pool of this size with 61 removals, {TOOL / one:.0f} times ours."
    )
    if plspm:
        same = plspm["removed"] == list(made.trace["task"])
        seconds = plspm["seconds"]
        lines.append(
            f"| the same with plspm {plspm['version']} | {seconds:.1f} | {seconds / one:.0f} | "
            f"{seconds * REPEATS:,.0f} (extrapolated) |"
        )
        said += f" plspm's removals are {'the same' if same else 'others'}."
    text = "\n".join(
        [
            f"{MARKER}\n",
            f"`python benchmarks/pruning.py --rounds {given.rounds}`; Python "
            f"{platform.python_version()}, NumPy {np.__version__}, one thread, {os.cpu_count()} "
            f"cores (load {load:.1f} before the run); {sum(SIZES.values())} tasks, {MODELS} "
            f"models, a human anchor, {len(made.trace)} removals, a refit after each; medians. "
            f"Goals: 200 times faster than the authors' tool, {REPEATS} repeats in 60 s. {said}\n",
            f"| | one pruning, s | times ours | {REPEATS} bootstrap repeats, s |",
            "|---|---:|---:|---:|",
            *lines,
            "",
            f"Without the anchor, under a second-order construct of all tasks, the {REPEATS} "
            f"repeats take {wide:.0f} s (from {REPEATS // 10}). Five-fold validation with 200 "
            f"random sets takes {folds:.1f} s.",
            "",
        ]
    )
    print(text)
    if given.write:
        replace_section(given.write, MARKER, text)


if __name__ == "__main__":
    main()
