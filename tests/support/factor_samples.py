"""A sample of three correlated factors, drawn from a seed: the data of recorded factor analyses.

Sums are made term by term and values are rounded, so that the data are the same everywhere.
"""

from __future__ import annotations

import numpy as np
import pandas as pd


def three_correlated_factors(n: int = 240) -> pd.DataFrame:
    """Nine indicators; v1 and v9 load on two factors, and v4 has little of its own."""
    rng = np.random.Generator(np.random.PCG64(20261121))
    general = rng.normal(size=n)
    factors = [0.65 * general + 0.76 * rng.normal(size=n) for _ in range(3)]
    columns = {}
    for place in range(9):
        own, other = factors[place // 3], factors[(place // 3 + 1) % 3]
        loading = (0.8, 0.65, 0.5)[place % 3]
        side = 0.3 if place in (0, 8) else 0.0
        rest = (1 - loading**2 - side**2) ** 0.5
        columns[f"v{place + 1}"] = loading * own + side * other + rest * rng.normal(size=n)
    return pd.DataFrame({name: np.round(values, 4) for name, values in columns.items()})
