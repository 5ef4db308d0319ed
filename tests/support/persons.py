"""Score matrices in the shape of a published study, drawn from a seed."""

from __future__ import annotations

import numpy as np
import pandas as pd

POINTS = np.array([20, 15, 15, 10, 20, 30, 15, 15, 15, 10, 15, 25, 15, 10, 20, 20, 10, 20])
SIZES = {"A": 52, "B": 58, "C": 121, "D": 68, "E": 61, "F": 66}


def counts(n: int, rng: np.random.Generator) -> pd.DataFrame:
    """Persons with a strong general factor on 18 subtests, one of them at its ceiling."""
    ability = 0.6 * rng.normal(size=(n, 1)) + 0.8 * rng.normal(size=(n, 18))
    ease = rng.normal(0.9, 0.5, 18)
    ease[6] = 3.5
    right = rng.binomial(POINTS, 1 / (1 + np.exp(-(1.2 * ability + ease))))
    return pd.DataFrame(right, columns=[f"t{i:02}" for i in range(18)]).astype(float)


def standardised(x: pd.DataFrame) -> pd.DataFrame:
    """z-scores per column, as the published samples are."""
    return (x - x.mean()) / x.std(ddof=1).where(lambda sd: sd > 0, 1.0)


def independent(rng: np.random.Generator) -> dict[str, pd.DataFrame]:
    """Six samples of different persons."""
    return {name: standardised(counts(n, rng)) for name, n in SIZES.items()}
