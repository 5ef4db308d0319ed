"""How long do 1,000 bootstrap fits take, beside lavaan, and how many end?

The second-order model of 18 indicators with 68 persons (the simulated sample of benchmarks/sem.py;
M3GIA's Spanish sample too, where ../shared is there). lavaan draws fewer samples in the same run,
inside R, and its time is scaled to 1,000; processor time of one thread, start-up excluded.

    python benchmarks/sem_bootstrap.py [--resamples 1000] [--lavaan 50] [--write FILE]
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from pages import replace_section
from sem import SECOND_ORDER, simulated

from gfactor.psychometrics.sem import FitBootstrap, bootstrap, fit, simulation_study

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests"))

from support.m3gia_population import SECOND_ORDER as M3GIA  # noqa: E402

MARKER = "## Bootstrap of structural equation models"
SHARED = HERE.parents[1] / "shared" / "oracles" / "m3gia" / "human_z_Sp.csv"
GOAL = 100
"""Times lavaan, that the project has set itself for 1,000 fits."""


def cases() -> list[dict[str, Any]]:
    """Name, model, data and kind of each bootstrap."""
    second = {"model": SECOND_ORDER, "data": "second.csv", "std_lv": True}
    found = [
        {**second, "name": "simulated, std_lv", "type": "ordinary"},
        {**second, "name": "simulated, markers", "std_lv": False, "type": "ordinary"},
        {**second, "name": "simulated, std_lv, Bollen-Stine", "type": "bollen.stine"},
    ]
    if SHARED.exists():
        mine = {"model": M3GIA, "data": "spanish.csv", "type": "ordinary"}
        found.append({**mine, "name": "M3GIA Spanish, std_lv", "std_lv": True})
    return found


def write_data(folder: Path) -> dict[str, pd.DataFrame]:
    """The samples, as files too."""
    frames = {"second.csv": simulated("second")}
    if SHARED.exists():
        frames["spanish.csv"] = pd.read_csv(SHARED)
    for name, frame in frames.items():
        frame.to_csv(folder / name, index=False)
    return {name: pd.read_csv(folder / name) for name in frames}


def ours(case: dict[str, Any], data: pd.DataFrame, n_bootstrap: int) -> tuple[float, FitBootstrap]:
    """Seconds of processor time of the resamples with percentile intervals, and the result."""
    fitted = fit(case["model"], data, std_lv=case["std_lv"])
    kind = "bollen-stine" if case["type"] == "bollen.stine" else "plain"
    bootstrap(fitted, 5, kind=kind)
    start = time.process_time()
    found = bootstrap(fitted, n_bootstrap, kind=kind, seed=1)
    assert len(found.intervals)
    return time.process_time() - start, found


def lavaan(folder: Path, n_bootstrap: int) -> dict[str, Any]:
    """What R says, or nothing where it is not installed."""
    if not shutil.which("Rscript"):
        return {}
    script = str(HERE / "sem_bootstrap_lavaan.R")
    done = subprocess.run(
        ["Rscript", script, str(folder), str(n_bootstrap)],
        check=True,
        capture_output=True,
        text=True,
    )
    return json.loads(done.stdout)


def line(
    case: dict[str, Any], data: pd.DataFrame, theirs: dict[str, Any], counts: tuple[int, int]
) -> str:
    """One row of the table."""
    resamples, fewer = counts
    seconds, found = ours(case, data, resamples)
    shares = found.shares
    scale = resamples / 1000
    told = f"| {case['name']} | {seconds / scale:.2f} | "
    mine = " / ".join(f"{share / resamples:.1%}" for share in shares.values())
    slope = found.fits.gradient[found.fits.kept].max()
    other = theirs.get(case["name"])
    if other is None:
        return f"{told}- | - | {mine} | - | {slope:.0e} |"
    scaled = other["seconds"] * 1000 / fewer
    return (
        f"{told}{scaled:.0f} | {scaled / (seconds / scale):.0f} | {mine} "
        f"| {other['failed'] / fewer:.0%} | {slope:.0e} |"
    )


def study() -> str:
    """A sentence about the speed of simulation studies."""
    text = "f =~ 0.7*x1 + 0.8*x2 + 0.6*x3\ng =~ 0.7*y1 + 0.8*y2 + 0.6*y3\nf ~~ 0.5*g"
    start = time.process_time()
    found = simulation_study(text, 200, replications=1000, seed=1)
    spent = time.process_time() - start
    return (
        f"A simulation study of two factors with six indicators, n = 200, {found.replications:,} "
        f"samples drawn and fitted with standard errors: {spent:.2f} s.\n"
    )


def report(n_bootstrap: int, fewer: int, load: float) -> str:
    """The section of docs/evidence/benchmarks.md."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        frames = write_data(folder)
        (folder / "cases.json").write_text(json.dumps(cases()))
        theirs = lavaan(folder, fewer)
        rows = [line(case, frames[case["data"]], theirs, (n_bootstrap, fewer)) for case in cases()]
    peer = f"lavaan {theirs['version']}" if theirs else "lavaan not installed"
    lines = [
        f"{MARKER}\n",
        f"`python benchmarks/sem_bootstrap.py --resamples {n_bootstrap} --lavaan {fewer}`; Python "
        f"{platform.python_version()}, NumPy {np.__version__}, {peer}, one BLAS thread each; "
        "second-order model of 18 indicators, n = 68; seconds of processor time for 1,000 fits "
        f"(lavaan's `bootstrapLavaan` measured with {fewer} and scaled; the machine was shared, "
        f"load {load:.1f}), start-up excluded. Ends of our fits: proper / improper / at infinity "
        "(the exact limit of a solution that the model cannot reach) / failed; of lavaan's: failed "
        "(it counts those at infinity so). Slope: the largest at the end of any fit that has not "
        f"failed. Goal: {GOAL} times lavaan, fewer than 2 % failures without a name.\n",
        "| bootstrap | gfactor | lavaan | times | ends | lavaan failed | slope |",
        "|---|---:|---:|---:|---|---:|---:|",
        *rows,
        "",
        study(),
    ]
    return "\n".join(lines)


def main() -> None:
    """Measure, print, and write the section where asked."""
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
        if os.environ.get(name) != "1":
            raise SystemExit(f"set {name}=1: threads only wait for each other on small matrices.")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--resamples", type=int, default=1000)
    parser.add_argument("--lavaan", type=int, default=50)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    text = report(given.resamples, given.lavaan, os.getloadavg()[0])
    print(text)
    if given.write:
        replace_section(given.write, MARKER, text)


if __name__ == "__main__":
    main()
