"""Coverage of calibrations by design: answers drawn from a shipped calibration, calibrated anew.

    python benchmarks/calibration_coverage.py --abilities Gl Gwm Gf --replications 20 \
        --write docs/evidence/benchmarks.md

In each replication 240 persons with abilities and effects on families from the population of the
calibration answer new clones of its cells, as many as in `chc_calibration.py`, and are calibrated
as there. The intervals of cells' mean difficulties, of the spread of clones, and of the variances
are compared with what the answers were drawn from. Then 50 new persons answer new clones of the
cells (30 answers or one of each cell), and are scored by the calibration made from the others.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from adaptive import section
from chc_calibration import CLONES, PERSONS, TAKEN
from numpy.typing import NDArray
from pages import replace_section
from scipy import special

from gfactor.benchmarks.chc.shipped import shipped_calibrations
from gfactor.errors import ParameterError
from gfactor.psychometrics.irt.models.itemfamilies import fit_families
from gfactor.psychometrics.irt.models.testlets import fit_testlets
from gfactor.psychometrics.irt.scales.calibration import Calibration, calibrate_cells
from gfactor.psychometrics.irt.scores.calibrated_scores import score_responses

NEW, FEWEST = 50, 30
"""New persons of a replication, and answers of each at the least."""
TITLE = "Calibrations by design: coverage"
COLUMNS = {
    "difficulty": "mean difficulties", "spread": "spread of clones", "ability": "new persons",
}  # fmt: skip
Floats = NDArray[np.float64]


class Drawn:
    """The cells of a calibration, and answers drawn from them."""

    def __init__(self, known: Calibration) -> None:
        table: Any = known.table.set_index("entry")
        self.cells = [entry.name for entry in known.entries]
        self.b = table.loc[self.cells, "b"].to_numpy(float)
        self.spread = table.loc[self.cells, "clone_sd"].to_numpy(float)
        self.guess = np.nan_to_num(table.loc[self.cells, "c"].to_numpy(float))
        self.families = [str(entry.facts["labels"]["family"]) for entry in known.entries]
        self.sd, self.effects = known.variance**0.5, known.testlet_variance**0.5

    def answers(
        self, rng: np.random.Generator, persons: int, clones: int
    ) -> tuple[Floats, pd.DataFrame]:
        """Abilities, and the answers of persons to so many new clones of each cell."""
        theta = rng.normal(0, self.sd, persons)
        names = sorted(set(self.families))
        own = rng.normal(0, self.effects, (persons, len(names)))
        own = own[:, [names.index(family) for family in self.families]]
        b = self.b + self.spread * rng.normal(size=(clones, len(self.b)))
        at = theta[:, None, None] + own[:, None] - b
        p = self.guess + (1 - self.guess) * special.expit(at)
        right = (rng.random(p.shape) < p).astype(float).transpose(0, 2, 1)
        columns = pd.Index([f"{cell}#{k}" for cell in self.cells for k in range(clones)])
        return theta, pd.DataFrame(right.reshape(persons, -1), columns=columns)


def calibrated(drawn: Drawn, data: pd.DataFrame) -> tuple[Calibration, bool]:
    """The calibration of answers, as `calibrate --by design --design "~ 1"` makes it, and whether
    its estimator came to rest."""
    names = [str(item).rsplit("#", 1)[0] for item in data]
    low = dict(zip(drawn.cells, drawn.guess, strict=True))
    guess = {str(item): float(low[name]) for item, name in zip(data, names, strict=True)}
    design = pd.DataFrame({"(Intercept)": 1.0}, index=pd.Index(drawn.cells))
    found = fit_families(data, names, design=design, guess=guess)
    of_cell = dict(zip(drawn.cells, drawn.families, strict=True))
    try:
        testlets = fit_testlets(data, found, [of_cell[name] for name in names], guess)
    except ParameterError:
        testlets = None
    labels = {cell: {"family": family} for cell, family in of_cell.items()}
    known = calibrate_cells(found, labels, low, {}, testlets, "family" if testlets else None)
    return known, "families_not_still" not in {note.code for note in found.diagnostics}


def by_lot(rng: np.random.Generator, data: pd.DataFrame, taken: int) -> pd.DataFrame:
    """The answers to so many clones of each cell, by lot for each person; others are missing."""
    order = rng.random((len(data), data.shape[1] // CLONES, CLONES)).argsort(axis=2).argsort(axis=2)
    return data.where((order < taken).reshape(data.shape))


def replication(drawn: Drawn, taken: int, rng: np.random.Generator) -> Mapping[str, Floats]:
    """What the intervals of one calibration cover, in the order of `COLUMNS`; errors of the means
    in their standard errors, variances over what is true, and whether it came to rest."""
    known, still = calibrated(drawn, by_lot(rng, drawn.answers(rng, PERSONS, CLONES)[1], taken))
    table: Any = known.table.set_index("entry").loc[drawn.cells]
    facts = {entry.name: entry.facts for entry in known.entries}
    away = (table["b"].to_numpy(float) - drawn.b) / table["se_b"].to_numpy(float)
    ends = np.array([[facts[c]["clone_sd_low"], facts[c]["clone_sd_high"]] for c in drawn.cells])
    each = max(1, -(-FEWEST // len(drawn.cells)))
    inside = []
    for _ in range(NEW):
        theta, data = drawn.answers(rng, 1, each)
        cells = {str(item): str(item).rsplit("#", 1)[0] for item in data}
        row = score_responses(known, data, cells).table.iloc[0]
        inside.append(row["low"] <= theta[0] <= row["high"])
    return {
        "difficulty": np.abs(away) < 1.96,
        "spread": (ends[:, 0] < drawn.spread) & (drawn.spread < ends[:, 1]),
        "ability": np.array(inside), "away": away,
        "sd": np.array([known.variance**0.5 / drawn.sd]),
        "effects": np.array([known.testlet_variance**0.5 / drawn.effects]),
        "still": np.array([still]),
    }  # fmt: skip


def share(inside: Sequence[Floats]) -> str:
    """Percentage covered, with the Monte Carlo standard error over replications."""
    each = np.array([np.mean(one) for one in inside])
    return f"{100 * each.mean():.1f} ({100 * each.std(ddof=1) / len(each) ** 0.5:.1f})"


def row(ability: str, replications: int, seed: int) -> str:
    """A line of the table."""
    drawn = Drawn(shipped_calibrations([ability])[ability])
    rng = np.random.default_rng((seed, *ability.encode()))
    found = [replication(drawn, TAKEN[ability], rng) for _ in range(replications)]
    covered = " | ".join(share([one[name] for one in found]) for name in COLUMNS)
    away = np.concatenate([one["away"] for one in found])
    mean = {name: np.mean([one[name] for one in found]) for name in ("sd", "effects", "still")}
    return (
        f"| {ability} | {len(drawn.cells)} | {replications} | {covered} | "
        f"{np.sqrt(np.mean(away**2)):.2f} | {mean['sd']:.2f} | {mean['effects']:.2f} | "
        f"{round(mean['still'] * replications)} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--abilities", nargs="*", default=["Gl", "Gwm", "Gf"])
    parser.add_argument("--replications", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    command = (
        f"python benchmarks/calibration_coverage.py --abilities {' '.join(given.abilities)} "
        f"--replications {given.replications} --seed {given.seed}"
    )
    lines = [
        "Percentage of 95 % intervals that hold the truth, with the Monte Carlo standard error;",
        "root mean square of errors of mean difficulties in their standard errors; estimates of",
        "the standard deviations of ability and of effects on families over the true ones.", "",
        "| ability | cells | replications | " + " | ".join(COLUMNS.values())
        + " | errors / se | SD | SD of effects | came to rest |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]  # fmt: skip
    for name in given.abilities:
        lines.append(row(name, given.replications, given.seed))
        print(lines[-1], flush=True)
    text = section(TITLE, command, [*lines, ""])
    if given.write:
        replace_section(given.write, f"## {TITLE}", text)
    print(text)


if __name__ == "__main__":
    main()
