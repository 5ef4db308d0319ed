"""Do the 95 % intervals of psychometric functions hold the true threshold and slope?

Run by hand: `python benchmarks/psychometric_functions.py [--replications 200]`; about ten
minutes of one core. Prints the table of docs/evidence/procedures.md: for each design the share of
simulated data sets whose interval holds the truth, over thresholds at 30, 50 and 70 % of the sizes
and slopes of 5, 10 and 20 per span (F falls from 0.9 to 0.1 within 88, 44 and 22 % of the sizes),
and the lowest and highest share of any of these nine.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import product

import numpy as np

from gfactor.psychometrics import accuracy_at, fit_curves

DESIGNS = ((10, 5), (10, 10), (20, 1), (20, 5), (20, 10))
"""Sizes, and answers per size."""
PLACES, STEEPNESS, LAPSES = (0.3, 0.5, 0.7), (5.0, 10.0, 20.0), (0.0, 0.02, 0.06)
GUESSES = {"0": lambda s: 0 * s, "1/(s+1)": lambda s: 1 / (s + 1), "1/2": lambda s: 0 * s + 0.5}


def coverage(
    count: int, per_size: int, truth: tuple[float, float, float], guess: np.ndarray,
    replications: int, rng: np.random.Generator,
) -> tuple[float, float]:  # fmt: skip
    """Shares of intervals that hold the threshold and the slope."""
    sizes = np.arange(1, count + 1, dtype=float)
    asked = np.full((replications, count), per_size)
    right = rng.binomial(asked, accuracy_at(sizes, *truth, guess))
    table = fit_curves(right, asked, sizes, np.tile(guess, (replications, 1)), n_bootstrap=1).table
    held = []
    for name, value in zip(("threshold", "slope"), truth, strict=False):
        known = table[table[name].notna()]
        held.append(((known[f"{name}_low"] <= value) & (value <= known[f"{name}_high"])).mean())
    return held[0], held[1]


def rows(replications: int, seed: int) -> Iterator[str]:
    """The lines of the table."""
    yield "| sizes x answers | chance | lapse | threshold | range | slope | range |"
    yield "|---|---|---|---|---|---|---|"
    rng = np.random.default_rng(seed)
    for (count, per_size), (name, guess), lapse in product(DESIGNS, GUESSES.items(), LAPSES):
        sizes, span = np.arange(1, count + 1, dtype=float), count - 1
        shares = 100 * np.array(
            [
                coverage(
                    count, per_size, (1 + place * span, steep / span, lapse), guess(sizes),
                    replications, rng,
                )
                for place, steep in product(PLACES, STEEPNESS)
            ]
        )  # fmt: skip
        cells = " | ".join(f"{s.mean():.1f} | {s.min():.0f}-{s.max():.0f}" for s in shares.T)
        yield f"| {count} x {per_size} | {name} | {lapse:.0%} | {cells} |"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replications", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for line in rows(given.replications, given.seed):
        print(line, flush=True)
