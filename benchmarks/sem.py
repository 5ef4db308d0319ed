"""How long does a single fit take, beside lavaan and semopy?

Simulated data of the shape of M3GIA's human samples: 18 indicators, n = 68, from a second-order
model with five factors. lavaan is timed inside R, semopy inside Python, so that start-up counts for
nobody; processor time of one thread, so that other work on the machine counts for little.

    python benchmarks/sem.py [--repeats 7] [--semopy-python PATH] [--write FILE]
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from pages import replace_section

from gfactor.psychometrics import sem

MARKER = "## Structural equation models"
HERE = Path(__file__).parent
N = 68
SEED = 4
GOAL = 20
"""Times lavaan, that the project has set itself for each single fit."""

NEW_GOALS = {"ML": 15, "WLSMV": 8}
"""Times lavaan for a new model text with all tables, by estimator."""

ORDINAL_N = 400
CATEGORIES = 4

BLOCKS = {"a": 3, "b": 3, "c": 3, "d": 4, "e": 5}
SECOND_ORDER = "\n".join(
    [
        *(f"{f} =~ " + " + ".join(f"{f}{k}" for k in range(1, n + 1)) for f, n in BLOCKS.items()),
        "g =~ " + " + ".join(BLOCKS),
    ]
)
_ALL = [f"{f}{k}" for f, n in BLOCKS.items() for k in range(1, n + 1)]
BIFACTOR = "\n".join([*SECOND_ORDER.splitlines()[:-1], "g =~ " + " + ".join(_ALL)])
FIVE_FACTORS = "\n".join(SECOND_ORDER.splitlines()[:-1])


def simulated(kind: str) -> pd.DataFrame:
    """Standardized scores of N persons from a second-order or a bifactor population."""
    rng = np.random.default_rng([SEED, len(kind)])
    g = rng.standard_normal(N)
    columns = {}
    for f, count in BLOCKS.items():
        own = rng.standard_normal(N)
        factor = 0.8 * g + 0.6 * own
        for k in range(1, count + 1):
            noise = rng.standard_normal(N)
            if kind == "bifactor":
                score = (0.5 + 0.04 * k) * g + (0.65 - 0.05 * k) * own + 0.55 * noise
            else:
                score = (0.55 + 0.05 * k) * factor + 0.6 * noise
            columns[f"{f}{k}"] = score
    frame = pd.DataFrame(columns)
    return (frame - frame.mean()) / frame.std()


def ordinal() -> pd.DataFrame:
    """Answers in categories of ORDINAL_N persons, from the second-order population."""
    rng = np.random.default_rng([SEED, 7])
    g = rng.standard_normal(ORDINAL_N)
    columns = {}
    for f, count in BLOCKS.items():
        factor = 0.8 * g + 0.6 * rng.standard_normal(ORDINAL_N)
        for k in range(1, count + 1):
            score = (0.55 + 0.05 * k) * factor + 0.6 * rng.standard_normal(ORDINAL_N)
            columns[f"{f}{k}"] = np.digitize(score, np.linspace(-1, 1, CATEGORIES - 1)) + 1
    return pd.DataFrame(columns)


def cases() -> list[dict[str, Any]]:
    """What is fitted: name, model, data, options of ours and of the peers."""
    ours = {"std_lv": True}
    theirs = {"std.lv": True}
    second = {"model": SECOND_ORDER, "data": "second.csv", "slow": False, "semopy": ""}
    two = {**second, "model": BIFACTOR, "data": "bifactor.csv"}
    free, apart = {"orthogonal": True}, {"orthogonal": True}
    return [
        {
            **second,
            "name": "second order, ML",
            "semopy": SECOND_ORDER,
            "gfactor": ours,
            "lavaan": theirs,
        },
        {
            **second,
            "name": "second order, MLR",
            "gfactor": {**ours, "estimator": "MLR"},
            "lavaan": {**theirs, "estimator": "MLR"},
        },
        {
            **second,
            "name": "second order, MLR, full information",
            "gfactor": {**ours, "estimator": "MLR", "missing": "ml"},
            "lavaan": {**theirs, "estimator": "MLR", "missing": "ml"},
        },
        {
            **second,
            "data": "missing.csv",
            "name": "second order, MLR, 5 % missing",
            "gfactor": {**ours, "estimator": "MLR", "missing": "ml"},
            "lavaan": {**theirs, "estimator": "MLR", "missing": "ml"},
        },
        {
            **two,
            "name": "orthogonal bifactor, MLR",
            "gfactor": {**ours, **free, "estimator": "MLR"},
            "lavaan": {**theirs, **apart, "estimator": "MLR"},
        },
        {
            **second,
            "model": FIVE_FACTORS,
            "data": "ordinal.csv",
            "name": "five factors, WLSMV",
            "gfactor": {**ours, "estimator": "WLSMV", "ordered": _ALL},
            "lavaan": {**theirs, "estimator": "WLSMV", "ordered": _ALL},
        },
    ]


def write_data(folder: Path) -> dict[str, pd.DataFrame]:
    """The data sets, as files too."""
    frames = {"second.csv": simulated("second"), "bifactor.csv": simulated("bifactor")}
    holes = np.random.default_rng([SEED, 99]).random(frames["second.csv"].shape) < 0.05
    frames["missing.csv"] = frames["second.csv"].mask(holes)
    frames["ordinal.csv"] = ordinal()
    for name, frame in frames.items():
        frame.to_csv(folder / name, index=False)
    return {name: pd.read_csv(folder / name) for name in frames}


def estimated(case: dict[str, Any], data: pd.DataFrame, note: str = "") -> sem.Fit:
    """One fit with what `cfa` computes: standard errors, test, independence model.

    A model text is remembered from the first fit on; with a note of its own it is a new one.
    """
    text = f"{case['model']}\n# {note}" if note else case["model"]
    fit = sem.fit(text, data, **case["gfactor"])
    assert np.isfinite(fit.vcov_matrix).any()
    assert fit.context.baseline_exact.df
    return fit


def timed(case: dict[str, Any], data: pd.DataFrame, repeats: int) -> dict[str, Any]:
    """Median seconds of a fit, of one whose text is new, and of all fit measures and the table of
    estimates after each; and the fit's chi-square.
    """
    fit = estimated(case, data)
    steps = ("new", "new_more", "seconds", "more")
    took: dict[str, list[float]] = {step: [] for step in steps}
    for number in range(repeats):
        marks = [time.process_time()]
        for note in (f"call {number}", ""):
            fit = estimated(case, data, note)
            marks.append(time.process_time())
            assert len(fit.measures)
            assert len(fit.estimates)
            marks.append(time.process_time())
        for step, start, end in zip(steps, marks, marks[1:], strict=False):
            took[step].append(end - start)
    medians = {name: statistics.median(values) for name, values in took.items()}
    return {**medians, "chisq": fit.measures["chisq"]}


def peer(*command: str) -> dict[str, Any]:
    """What a peer's script prints, or nothing where it is not installed."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr[-2000:]}")
    return json.loads(done.stdout.strip().splitlines()[-1])


def measure(repeats: int, semopy_python: str | None) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """One row per case, and the versions of the peers."""
    rows, versions = [], {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        frames = write_data(folder)
        (folder / "cases.json").write_text(json.dumps(cases()))
        theirs: dict[str, Any] = {}
        if shutil.which("Rscript"):
            script = str(HERE / "sem_lavaan.R")
            theirs = peer("Rscript", script, str(folder), str(repeats))
            versions["lavaan"] = theirs["version"]
        others: dict[str, Any] = {}
        if semopy_python:
            others = peer(semopy_python, str(HERE / "sem_semopy.py"), str(folder), str(repeats))
            versions["semopy"] = others["version"]
        for case in cases():
            ours = timed(case, frames[case["data"]], 3 * repeats)
            lavaan = theirs.get(case["name"], {})
            rows.append(
                {
                    **ours,
                    "name": case["name"],
                    "lavaan": lavaan.get("seconds"),
                    "lavaan_more": lavaan.get("more"),
                    "lavaan_chisq": lavaan.get("chisq"),
                    "semopy": others.get(case["name"], {}).get("seconds"),
                }
            )
    return rows, versions


def ms(seconds: float | None) -> str:
    return "-" if seconds is None else f"{1000 * seconds:.1f}"


def ratio(theirs: float | None, ours: float) -> str:
    return "-" if theirs is None else f"{theirs / ours:.0f}"


def report(rows: list[dict[str, Any]], versions: dict[str, str], repeats: int, load: float) -> str:
    """The section of docs/evidence/benchmarks.md."""
    peers = ", ".join(f"{name} {version}" for name, version in versions.items())
    lines = [
        f"{MARKER}\n",
        f"`python benchmarks/sem.py --repeats {repeats}`; Python {platform.python_version()}, "
        f"NumPy {np.__version__}, {peers or 'no peer installed'}, one BLAS thread each; 18 "
        f"indicators, n = {N}, simulated with seed {SEED}; medians of {repeats} calls (ours "
        f"{3 * repeats}), milliseconds of processor time (the machine was shared, load "
        f"{load:.1f}), start-up excluded. A fit is what `cfa` does: estimates, standard errors, "
        "test, independence model; a text that was fitted before is not read again, which is "
        "distinguished from one that is new. Then come all fit measures and the table of "
        "estimates with standardized ones (`fitMeasures`, `parameterEstimates`). semopy: "
        "fit, standard errors and its fit statistics. The fit by WLSMV is of "
        f"{ORDINAL_N} persons who answer in "
        f"{CATEGORIES} categories. Goals: each fit at least {GOAL} times lavaan; a new text with "
        f"all tables {NEW_GOALS['ML']} times by ML, {NEW_GOALS['WLSMV']} times by WLSMV.\n",
        "| fit | gfactor | lavaan | times | gfactor, new text | times | gfactor, with measures "
        "| lavaan | times | gfactor, new text with measures | times | semopy | chi-square, both |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|",
    ]
    for row in rows:
        theirs, more = row["lavaan"], row["lavaan_more"]
        all_ours, all_new = row["seconds"] + row["more"], row["new"] + row["new_more"]
        all_theirs = None if theirs is None or more is None else theirs + more
        other = row["lavaan_chisq"]
        lines.append(
            f"| {row['name']} | {ms(row['seconds'])} | {ms(theirs)} "
            f"| {ratio(theirs, row['seconds'])} | {ms(row['new'])} | {ratio(theirs, row['new'])} "
            f"| {ms(all_ours)} | {ms(all_theirs)} "
            f"| {ratio(all_theirs, all_ours)} "
            f"| {ms(all_new)} | {ratio(all_theirs, all_new)} | {ms(row['semopy'])} "
            f"| {row['chisq']:.6f}, {'-' if other is None else f'{other:.6f}'} |"
        )
    return "\n".join([*lines, ""])


def main() -> None:
    """Measure, print, and write the section where asked."""
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
        if os.environ.get(name) != "1":
            raise SystemExit(f"set {name}=1: threads only wait for each other on small matrices.")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--semopy-python", help="a Python that has semopy")
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    load = os.getloadavg()[0]
    rows, versions = measure(given.repeats, given.semopy_python)
    text = report(rows, versions, given.repeats, load)
    print(text)
    if given.write:
        replace_section(given.write, MARKER, text)


if __name__ == "__main__":
    main()
