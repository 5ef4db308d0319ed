"""Simulated answers for eRm and lme4: items with a design and persons with covariates.

python tests/oracles/irt/designed.py      # data/sim_design.csv and data/sim_rating.csv
Rscript tests/oracles/irt/designed.R      # cases/sim_*.json
"""

from pathlib import Path

import numpy as np
import pandas as pd

DATA = Path(__file__).parent / "data"
EFFECTS = {"b": 0.7, "c": 1.4, "upper": 0.5, "three": -0.6}


def designed(persons: int = 300, seed: int = 81) -> pd.DataFrame:
    """24 dichotomous items: kind (a, b, c) x half (lower, upper) x size (two, three) x 2."""
    rng = np.random.default_rng(seed)
    cells = [(k, h, s) for s in ("two", "three") for h in ("lower", "upper") for k in "abc"]
    items = [(*cell, copy) for cell in cells for copy in (1, 2)]
    b = np.array([sum(EFFECTS.get(word, 0.0) for word in item[:3]) for item in items]) - 0.6
    b += rng.normal(0, 0.35, len(items))
    age, trained = rng.integers(18, 60, persons), rng.integers(0, 2, persons)
    theta = 0.03 * (age - 39) + 0.4 * trained + rng.normal(0, 1.1, persons)
    y = rng.random((persons, len(items))) < 1 / (1 + np.exp(b - theta[:, None]))
    names = [f"{k}_{h}_{s}_{copy}" for k, h, s, copy in items]
    people = pd.DataFrame({"age": age, "trained": trained})
    return pd.concat([people, pd.DataFrame(y.astype(int), columns=names)], axis=1)


def rated(persons: int = 250, seed: int = 82) -> pd.DataFrame:
    """6 items with the same four ordered categories (a rating scale model)."""
    rng = np.random.default_rng(seed)
    theta, b = rng.normal(size=persons), np.array([-0.8, -0.4, -0.1, 0.2, 0.5, 0.9])
    steps = np.cumsum(theta[:, None, None] - b[:, None] - np.array([-1.1, 0.1, 1.0]), axis=2)
    weights = np.exp(np.concatenate([np.zeros((persons, 6, 1)), steps], axis=2))
    below = np.cumsum(weights / weights.sum(axis=2, keepdims=True), axis=2)
    codes = (rng.random((persons, 6, 1)) > below).sum(axis=2)
    return pd.DataFrame(codes, columns=[f"r{k}" for k in range(1, 7)])


if __name__ == "__main__":
    designed().to_csv(DATA / "sim_design.csv", index=False)
    rated().to_csv(DATA / "sim_rating.csv", index=False)
