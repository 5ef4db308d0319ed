"""How long do a PLS path model and its bootstrap take, beside plspm and seminr?

3 constructs x 4 indicators x 165 rows, simulated; mode A, path scheme, tolerance 1e-7 for all. The
peers run in the same run where they are installed: plspm in the environment that `--plspm-python`
names, seminr in the R that `--rscript` names.

    python benchmarks/pls.py [--rounds 5] [--plspm-python PATH] [--peer-resamples 1000]
        [--rscript Rscript] [--write FILE]
"""

from __future__ import annotations

import argparse
import json
import math
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

from gfactor.psychometrics.pls import bootstrap_pls, fit_pls, predict_pls

MARKER = "## PLS path models"
HERE = Path(__file__).parent
RESAMPLES, ROWS = 1000, 165
MODEL = """
A =~ a1 + a2 + a3 + a4
B =~ b1 + b2 + b3 + b4
C =~ c1 + c2 + c3 + c4
B ~ A
C ~ A + B
"""
SEMINR = """
suppressMessages(library(seminr)); options(warn = -1)
given <- commandArgs(trailingOnly = TRUE); data <- read.csv(given[1])
mm <- constructs(composite("A", multi_items("a", 1:4)), composite("B", multi_items("b", 1:4)),
                 composite("C", multi_items("c", 1:4)))
sm <- relationships(paths(from = "A", to = c("B", "C")), paths(from = "B", to = "C"))
fit <- NULL; one <- Inf
for (i in 1:5) one <- min(one, system.time(fit <- suppressMessages(estimate_pls(data, mm, sm)))[3])
many <- system.time(suppressMessages(bootstrap_model(fit, nboot = as.integer(given[2]), cores = 1)))
cat(sprintf('{"fit": %f, "bootstrap": %f, "version": "%s"}', one, many[3],
            packageVersion("seminr")))
"""
REFERENCE = {"seminr": 26.6, "plspm": 185.8, "GOLD's authors' tool": 295.0}
"""Seconds for 1,000 resamples of a model of this size, measured once with a load of about 2 on a
machine like this one; used where a peer is not installed."""


def simulated() -> pd.DataFrame:
    """The table: one factor behind each block, B on A, C on both."""
    rng = np.random.default_rng(2024)
    a = rng.normal(size=ROWS)
    b = 0.7 * a + rng.normal(size=ROWS)
    c = 0.3 * a + 0.6 * b + rng.normal(size=ROWS)
    columns = {
        f"{name}{i}": 50 + 10 * (latent + 0.8 * rng.normal(size=ROWS))
        for name, latent in (("a", a), ("b", b), ("c", c))
        for i in range(1, 5)
    }
    return pd.DataFrame(columns)


def median(rounds: int, work: Callable[[], object]) -> float:
    """Seconds, after one round that is not counted."""
    found = []
    for _ in range(rounds + 1):
        start = time.perf_counter()
        work()
        found.append(time.perf_counter() - start)
    return statistics.median(found[1:])


def ours(data: pd.DataFrame, rounds: int) -> dict[str, float]:
    """Seconds by task; "tables" makes every table of the result too."""
    fit = fit_pls(MODEL, data, tolerance=1e-7)
    return {
        "fit": median(4 * rounds, lambda: fit_pls(MODEL, data, tolerance=1e-7)),
        "tables": median(4 * rounds, lambda: fit_pls(MODEL, data, tolerance=1e-7).to_dict()),
        "bootstrap": median(rounds, lambda: bootstrap_pls(fit, RESAMPLES, bca=False)),
        "bca": median(rounds, lambda: bootstrap_pls(fit, RESAMPLES)),
        "loo": median(rounds, lambda: predict_pls(fit, folds="loo")),
    }


def peer(*command: str) -> dict[str, Any] | None:
    """What a peer prints, or None where it is not installed."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return None
    return json.loads(done.stdout.strip().splitlines()[-1]) if done.returncode == 0 else None


def row(name: str, found: dict[str, Any], mine: dict[str, float], n_bootstrap: int) -> str:
    """A line of the table: a peer's seconds and how many times ours they are."""
    many = found["bootstrap"] * RESAMPLES / n_bootstrap
    if math.isnan(many):
        return f"| {name} | {found['fit']:.4f} | {found['fit'] / mine['fit']:.1f} | - | - |"
    return (
        f"| {name} | {found['fit']:.4f} | {found['fit'] / mine['fit']:.1f} | {many:.1f} "
        f"| {many / mine['bootstrap']:.0f} |"
    )


def main() -> None:
    """Measure, print, and write the section where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--plspm-python", default="", help="a Python that has plspm")
    parser.add_argument("--peer-resamples", type=int, default=RESAMPLES)
    parser.add_argument("--rscript", default="Rscript")
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    load, data = os.getloadavg()[0], simulated()
    mine = ours(data, given.rounds)
    lines, said, resamples = [], "", str(given.peer_resamples)
    with tempfile.TemporaryDirectory() as folder:
        table, script = Path(folder, "d.csv"), Path(folder, "seminr.R")
        data.to_csv(table, index=False)
        script.write_text(SEMINR)
        plspm = given.plspm_python and peer(
            given.plspm_python, str(HERE / "pls_plspm.py"), str(table), resamples
        )
        seminr = peer(given.rscript, str(script), str(table), resamples)
    if plspm:
        fit = fit_pls(MODEL, data, tolerance=1e-7)
        theirs = [plspm["loadings"][name] for name in fit.measurement["indicator"]]
        away = float(np.abs(fit.measurement["loading"].to_numpy() - theirs).max())
        said = f" Loadings differ from plspm's by at most {away:.0e}."
        lines.append(row(f"plspm {plspm['version']}", plspm, mine, given.peer_resamples))
    for name, found in (("plspm", plspm), ("seminr", seminr)):
        if not found:
            said += (
                f" {name} is not installed here; {REFERENCE[name]:g} s were measured for this size "
                f"elsewhere, {REFERENCE[name] / mine['bootstrap']:.0f} times ours."
            )
    if seminr:
        lines.append(row(f"seminr {seminr['version']}", seminr, mine, given.peer_resamples))
    scaled = given.peer_resamples != RESAMPLES
    text = "\n".join(
        [
            f"{MARKER}\n",
            f"`python benchmarks/pls.py --rounds {given.rounds}`; Python "
            f"{platform.python_version()}, NumPy {np.__version__}, one thread, {os.cpu_count()} "
            f"cores (load {load:.1f} before the run); 3 constructs x 4 indicators x {ROWS} rows, "
            f"mode A, path scheme, tolerance 1e-7; medians. The bootstrap has {RESAMPLES:,} "
            + (f"resamples (peers: {resamples}, scaled up)" if scaled else "resamples")
            + " and gives intervals of paths, effects, loadings, weights, R², HTMT, HTMT2 and "
            "reliability. Goals: at most 0.1 s, and 200 times faster than seminr." + f"{said}\n",
            "| | one fit, s | times ours | bootstrap, s | times ours |",
            "|---|---:|---:|---:|---:|",
            f"| gfactor | {mine['fit']:.4f} | 1 | {mine['bootstrap']:.3f} | 1 |",
            *lines,
            "",
            f"With BCa intervals (165 more fits) the bootstrap takes {mine['bca']:.3f} s, "
            f"leave-one-out prediction with its benchmark {mine['loo']:.3f} s, one fit with all "
            f"its tables (f² refits the model, omega fits factors) {mine['tables']:.4f} s.",
            "",
        ]
    )
    print(text)
    if given.write:
        replace_section(given.write, MARKER, text)


if __name__ == "__main__":
    main()
