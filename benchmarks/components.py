"""Do the REML intervals of variance components hold the truth, and how long does REML take?

Run by hand: `nice python benchmarks/components.py [--data-sets 600]`; about eight minutes of one
core. `--data-sets 0` measures the time alone. Writes the tables of docs/evidence/coverage.md and
docs/evidence/benchmarks.md between their markers. A cell is the share of simulated data sets whose
95 % interval holds the truth, in percent.
"""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from gfactor.psychometrics.generalizability import gtheory
from gfactor.psychometrics.generalizability.designs import error_variances

DOCS = Path(__file__).parents[1] / "docs" / "evidence"
SIZES = {"p": 20, "i": 12, "o": 3}
TRUTHS = {
    "all above 0": {"p": 0.5, "i": 0.3, "o": 0.1, "pi": 0.2, "po": 0.1, "io": 0.05, "pio": 1.0},
    "true zeros": {"p": 0.5, "i": 0.3, "o": 0.0, "pi": 0.0, "po": 0.0, "io": 0.05, "pio": 1.0},
}
MISSING = (0.0, 0.15, 0.4)
SEED = 35
TIMED = ({"p": 20, "i": 60, "o": 2}, {"p": 40, "i": 12, "o": 3})
LME4: dict[tuple[int, ...], float] = {(20, 60, 2): 0.54, (40, 12, 3): 0.2}
"""Seconds of lme4 on another machine, estimates alone."""


def drawn(
    sizes: Mapping[str, int], variances: Mapping[str, float], rng: np.random.Generator
) -> pd.DataFrame:
    """Normal scores of a crossed design, a row per cell."""
    at = np.indices(tuple(sizes.values())).reshape(len(sizes), -1)
    table = dict(zip(sizes, at, strict=True))
    score = np.zeros(at.shape[1])
    for effect, variance in variances.items():
        effects = rng.standard_normal([sizes[name] for name in effect])
        score += np.sqrt(variance) * effects[tuple(table[name] for name in effect)]
    return pd.DataFrame({**table, "score": score})


def label(effect: str) -> str:
    return " x ".join(effect)


def coefficients(variances: Mapping[str, float]) -> dict[str, float]:
    """True coefficients of means over the conditions of the design."""
    universe, relative, absolute = (
        float(part[0])
        for part in error_variances(
            [frozenset(effect) for effect in variances],
            np.array([list(variances.values())]),
            SIZES,
            "p",
        )
    )
    return {"e_rho2": universe / (universe + relative), "phi": universe / (universe + absolute)}


def covered(variances: Mapping[str, float], missing: float, data_sets: int) -> dict[str, float]:
    """Percent of the intervals that hold the truth, by component and coefficient."""
    rng = np.random.default_rng([SEED, round(100 * missing), int(min(variances.values()) > 0)])
    truth = coefficients(variances)
    hits: dict[str, list[bool]] = {name: [] for name in (*map(label, variances), *truth)}
    for _ in range(data_sets):
        table = drawn(SIZES, variances, rng)
        table = table.loc[rng.random(len(table)) >= missing]
        found: Any = gtheory(table, object="p", facets=["i", "o"], estimator="reml")
        for effect, value in variances.items():
            row = found.components.loc[label(effect)]
            hits[label(effect)].append(row["ci_lower"] <= value <= row["ci_upper"])
        ends = found.coefficients()
        for name, value in truth.items():
            hits[name].append(ends[f"{name}_ci_lower"] <= value <= ends[f"{name}_ci_upper"])
    return {name: 100 * float(np.mean(inside)) for name, inside in hits.items()}


def coverage(data_sets: int) -> str:
    """The table of coverage, in Markdown."""
    columns = {}
    for words, variances in TRUTHS.items():
        for missing in MISSING:
            cells = covered(variances, missing, data_sets)
            zero = [label(effect) for effect, value in variances.items() if value == 0]
            columns[f"{words}, {100 * missing:.0f} %"] = {
                name: f"{cell:.1f}{' (0)' if name in zero else ''}" for name, cell in cells.items()
            }
            print(words, missing, columns[f"{words}, {100 * missing:.0f} %"], flush=True)
    error = 100 * np.sqrt(0.95 * 0.05 / data_sets)
    lines = [
        f"{data_sets} data sets in a cell, seed {SEED}; Monte Carlo standard error of 95 % "
        f"{error:.1f}. {' x '.join(map(str, SIZES.values()))} persons, items and occasions, with "
        "the percentage of missing cells; (0) is a component whose true variance is 0.",
        "",
        f"| component | {' | '.join(columns)} |",
        "|---" * (len(columns) + 1) + "|",
    ]
    rows = next(iter(columns.values()))
    lines += [f"| {n} | {' | '.join(cells[n] for cells in columns.values())} |" for n in rows]
    return "\n".join(lines)


def speed(repeats: int = 5) -> str:
    """The table of processor seconds, in Markdown: the least of some repeated calls."""
    lines = ["| design | complete | one cell missing | lme4 |", "|---|---|---|---|"]
    for sizes in TIMED:
        table = drawn(sizes, TRUTHS["true zeros"], np.random.default_rng(SEED))
        cells = []
        for rows in (table, table.drop(index=7)):
            seconds = []
            for _ in range(repeats):
                start = time.process_time()
                gtheory(rows, object="p", facets=["i", "o"], estimator="reml")
                seconds.append(time.process_time() - start)
            cells.append(f"{min(seconds):.2f} s")
        name = tuple(sizes.values())
        lines.append(f"| {' x '.join(map(str, name))} | {' | '.join(cells)} | {LME4[name]} s |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data-sets", type=int, default=600)
    chosen = parser.parse_args()
    tables = {"reml_speed": ("benchmarks.md", speed())}
    if chosen.data_sets:
        tables["reml"] = ("coverage.md", coverage(chosen.data_sets))
    for name, (file, text) in tables.items():
        page = (DOCS / file).read_text("utf-8")
        marks = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end {name} -->)", re.DOTALL)
        written = marks.sub(lambda m, text=text: f"{m[1]}{text}\n{m[2]}", page)
        (DOCS / file).write_text(written, "utf-8")
        print(text, flush=True)


if __name__ == "__main__":
    main()
