"""Where to draw the population of `chc_population.py`: what CFA would give back of it.

Run by hand after `chc_population.py pilot DIRECTORY`: `python benchmarks/chc_sample.py DIRECTORY`.
For every combination of medians and spreads, 300 persons answer by the pilot's curves: an item is
right with the product of the shares right at the person's acuity (over its fluctuation), capacity
and hypotheses. Prints the mean and the lowest correlation of factor scores with the abilities over
`SEEDS` draws; the combination whose lowest is highest is taken.
"""

from __future__ import annotations

import sys
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from chc_population import ABILITIES, PERSONS, TAKEN, Sample, abilities
from chc_structure import loadings

from gfactor.psychometrics import sem

ACUITIES = ((0.42, 0.3), (0.46, 0.3), (0.42, 0.35), (0.46, 0.35), (0.5, 0.35))
CAPACITIES = ((4.5, 0.5), (5.0, 0.5), (5.0, 0.6))
HYPOTHESES = ((18.0, 1.0), (18.0, 1.2), (24.0, 1.2))
SEEDS = (0, 1)
FLUCTUATION = 0.09


def curves(pilot: pd.DataFrame, ability: str, limits: np.ndarray) -> np.ndarray:
    """Share right of every family (columns) at the limits (rows)."""
    part = pilot[pilot["ability"] == ability]
    return np.column_stack([
        np.interp(np.log(limits), np.log(one["limit"]), one["right"] / one["n"])
        for _, one in part.groupby("family")
    ])  # fmt: skip


def shares(pilot: pd.DataFrame, sample: Sample, known: np.ndarray) -> np.ndarray:
    """Probability of each person (rows) to answer an item of each family right."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(9)
    spreads = (sample.acuity, sample.capacity, sample.hypotheses)
    result: Any = 1.0
    for ability, (median, spread), z in zip(ABILITIES, spreads, known.T, strict=True):
        limits = median * np.exp(spread * z)
        if ability == "seeing":
            step = np.log(10) * sample.fluctuation
            parts = [curves(pilot, ability, limits * np.exp(step * node)) for node in nodes]
            result = result * np.tensordot(weights / weights.sum(), parts, axes=1)
        else:
            result = result * curves(pilot, ability, limits)
    return np.clip(result, 0, 1)


def recovered(folder: Path, sample: Sample, seed: int) -> list[float]:
    """Correlations of factor scores with the abilities of one draw."""
    pilot, known = pd.read_csv(folder / "pilot.csv"), abilities(PERSONS, seed + 100)
    drawn = np.random.default_rng(seed).binomial(TAKEN, shares(pilot, sample, known)) / TAKEN
    families = loadings(folder, sample)
    data: Any = pd.DataFrame(drawn, columns=sorted(set(pilot["family"])))
    data = data[sorted({name for names in families.values() for name in names})]
    model = "\n".join(f"{a} =~ {' + '.join(names)}" for a, names in families.items())
    scores = sem.factor_scores(sem.fit(model, data, std_lv=True), data).scores
    return [float(np.corrcoef(scores[a], z)[0, 1]) for a, z in zip(ABILITIES, known.T, strict=True)]


if __name__ == "__main__":
    print(f"| acuity | capacity | hypotheses | {' | '.join(ABILITIES)} | lowest |")
    print("|---" * 7 + "|")
    for limits in product(ACUITIES, CAPACITIES, HYPOTHESES):
        sample = Sample(*limits, fluctuation=FLUCTUATION)
        r = np.array([recovered(Path(sys.argv[1]), sample, seed) for seed in SEEDS])
        cells = [f"{median:g} exp({spread:g} z)" for median, spread in limits]
        cells += [f"{v:.3f}" for v in (*r.mean(axis=0), r.min())]
        print(f"| {' | '.join(cells)} |", flush=True)
