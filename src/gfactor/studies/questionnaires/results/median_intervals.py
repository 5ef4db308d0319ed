"""The interval of a median, without assumptions about the distribution."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

Floats = NDArray[np.float64]


def median_interval(values: Sequence[float] | Floats) -> tuple[float, float]:
    """Return the 95 % interval of a median by order statistics (Conover, 1999, section 3.2); zeros
    if there are too few values for one."""
    ordered = np.sort(np.asarray(values, float))
    k = int(binom.ppf(0.025, len(ordered), 0.5))
    if k < 1 or binom.cdf(k - 1, len(ordered), 0.5) > 0.025:
        return 0.0, 0.0
    return float(ordered[k - 1]), float(ordered[len(ordered) - k])
