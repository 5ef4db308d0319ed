"""300 samples of 60 persons from M3GIA's structure: convergence, proper solutions, coverage.

Run by hand:  python benchmarks/gia_simulation.py [SAMPLES]

Population and samples are those of tests/support/m3gia_population.py. Where Rscript with lavaan is
installed, it fits the same samples in the same run (start-up excluded). A solution is proper where
no variance is negative; coverage is that of the 95 % Wald intervals of all free parameters with a
positive standard error, in samples with a converged proper solution.
"""

from __future__ import annotations

import csv
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.m3gia_population import (
    BIFACTOR,
    SECOND_ORDER,
    sample,
    true_bifactor,
    true_loadings,
    true_with_markers,
)

from gfactor.psychometrics.sem import fit
from gfactor.psychometrics.sem.diagnostics import checks
from gfactor.psychometrics.sem.diagnostics.inspection import checked
from gfactor.replications.m3gia import MODELS

CASES: dict[str, tuple[str, dict[str, Any], dict[str, float]]] = {
    "second order, std.lv": (SECOND_ORDER, {"std_lv": True}, true_loadings()),
    "second order, markers": (MODELS["second-order"], {}, true_with_markers()),
    "second order, markers, bounds": (
        MODELS["second-order"], {"bounds": "pos.var"}, true_with_markers(),
    ),
    "bifactor, bounds": (
        BIFACTOR, {"std_lv": True, "orthogonal": True, "bounds": "pos.var"}, true_bifactor(),
    ),
}  # fmt: skip

NOT_IMPROPER = {"n_against_parameters"}

LAVAAN = """
suppressMessages(library(lavaan))
args <- commandArgs(TRUE)
model <- paste(readLines(args[1]), collapse = "\\n")
options(warn = -1)
out <- file(args[3], "w")
writeLines("seed,converged,lhs,op,rhs,est,se,seconds", out)
for (name in list.files(args[2], full.names = TRUE)) {
  d <- read.csv(name)
  seed <- sub(".csv", "", basename(name))
  begin <- proc.time()[[3]]
  f <- tryCatch(do.call("cfa", c(list(model, data = d), eval(parse(text = args[4])))),
                error = function(e) NULL)
  seconds <- proc.time()[[3]] - begin
  if (is.null(f)) { writeLines(paste0(seed, ",FALSE,,,,,,", seconds), out); next }
  p <- parTable(f)
  se <- tryCatch(parameterEstimates(f)$se, error = function(e) rep(NA, nrow(p)))
  if (is.null(se)) se <- rep(NA, nrow(p))
  for (i in which(p$free > 0))
    writeLines(paste(seed, lavInspect(f, "converged"), p$lhs[i], p$op[i], p$rhs[i], p$est[i],
                     se[i], seconds, sep = ","), out)
}
close(out)
"""


class Tally:
    """Counts over samples, and which intervals held the truth."""

    def __init__(self) -> None:
        self.status: Counter[str] = Counter()
        self.covered: list[bool] = []

    def take(self, status: str, rows: list[dict[str, Any]], truth: dict[str, float]) -> None:
        self.status[status] += 1
        if not status.startswith("proper"):
            return
        for row in rows:
            name = f"{row['lhs']}{row['op']}{row['rhs']}"
            if name in truth and np.isfinite(row["se"]) and row["se"] > 0:
                # A factor may come out turned round.
                away = min(abs(row["est"] - truth[name]), abs(row["est"] + truth[name]))
                self.covered.append(bool(away <= 1.959964 * row["se"]))

    def __str__(self) -> str:
        told = ", ".join(f"{v} {k}" for k, v in self.status.most_common())
        share = np.mean(self.covered) if self.covered else float("nan")
        return f"{told}; 95 % intervals cover {share:.1%} of {len(self.covered):,}"


def ours(case: str, samples: int) -> None:
    model, options, truth = CASES[case]
    tally, codes = Tally(), Counter[str]()
    start = time.perf_counter()
    silent = 0
    for seed in range(samples):
        try:
            found = fit(model, sample(seed), **options)
        except np.linalg.LinAlgError:
            tally.take("crashed", [], truth)
            silent += 1
            continue
        errors = {d.code for d in found.diagnostics if d.severity == "error"} - NOT_IMPROPER
        codes.update(errors)
        rows = [{str(k): v for k, v in r.items()} for r in found.estimates.to_dict("records")]
        variances = [r["est"] for r in rows if r["op"] == "~~" and r["lhs"] == r["rhs"]]
        proper = found.converged and min(variances) >= -1e-9
        at_bound = any(d.code == "on_bound" for d in found.diagnostics)
        status = "not converged" if not found.converged else "improper"
        if proper:
            status = "proper at a bound" if at_bound else "proper"
        silent += not proper and not errors
        tally.take(status, rows, truth)
    seconds = (time.perf_counter() - start) / samples
    print(f"gfactor  {case}: {tally}; {1000 * seconds:.0f} ms each; without a diagnosis {silent}")
    print(f"         {dict(codes)}")


def lavaan(case: str, samples: int) -> None:
    model, options, truth = CASES[case]
    given = ", ".join(
        f"{name.replace('_', '.')} = {str(v).upper() if isinstance(v, bool) else repr(v)}"
        for name, v in options.items()
    )
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "data").mkdir()
        (root / "run.R").write_text(LAVAAN)
        (root / "model.lav").write_text(model)
        for seed in range(samples):
            sample(seed).to_csv(root / "data" / f"{seed:04}.csv", index=False)
        words = ["Rscript", "run.R", "model.lav", "data", "out.csv", f"list({given})"]
        subprocess.run(words, cwd=root, check=True)
        with (root / "out.csv").open() as file:
            rows = list(csv.DictReader(file))
    tally, seconds = Tally(), []
    by_seed: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        by_seed.setdefault(row["seed"], []).append(row)
    for mine in by_seed.values():
        seconds.append(float(mine[0]["seconds"]))
        if mine[0]["converged"] != "TRUE":
            tally.take("not converged", [], truth)
            continue
        for row in mine:
            row["est"] = float(row["est"])
            row["se"] = float(row["se"]) if row["se"] not in ("NA", "") else np.nan
        variances = [r["est"] for r in mine if r["op"] == "~~" and r["lhs"] == r["rhs"]]
        tally.take("proper" if min(variances) >= -1e-9 else "improper", mine, truth)
    print(f"lavaan   {case}: {tally}; {1000 * np.mean(seconds):.0f} ms each")


if __name__ == "__main__":
    assert callable(checked)
    print(f"{len(checks())} checks on every fit of gfactor's")
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    for one in CASES:
        ours(one, number)
        try:
            lavaan(one, number)
        except FileNotFoundError:
            print("Rscript is not installed; lavaan was left out")
