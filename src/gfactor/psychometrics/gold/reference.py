"""What the three diagnostics would be without anything worth diagnosing: size and range alone.

Tasks of one construct that all correlate by r are the simplest case. The loading of each on the
mean of k of them, and the VIF of each given the others, are then functions of k and r alone. The
correlation r itself grows with the spread of ability among the models: it is the share of a task's
variance that ability makes. A benchmark therefore has a larger TC and a smaller D_valid with every
weak model that is added, and a smaller TC and a smaller D_valid with every task.
"""

from __future__ import annotations

import numpy as np

from gfactor.errors import ParameterError


def exchangeable(k: int, r: float) -> tuple[float, float]:
    """TC and D_valid of one construct whose `k` tasks all correlate by `r`.

    The loading is sqrt((1 + (k - 1) r) / k); the VIF is (1 + (k - 2) r) / ((1 - r) (1 + (k - 1)
    r)), from the inverse of an equicorrelation matrix. Raises ParameterError for k below 2 or r
    outside [0, 1).
    """
    if k < 2 or not 0 <= r < 1:
        raise ParameterError(f"a construct has 2 tasks or more and 0 <= r < 1, got {k} and {r}")
    tc = float(np.sqrt((1 + (k - 1) * r) / k))
    valid = (1 - r) * (1 + (k - 1) * r) / (1 + (k - 2) * r)
    return tc, float(valid)


def restricted(r: float, ratio: float) -> float:
    """The correlation of two tasks after the spread of ability has changed to `ratio` of itself.

    With ability's share of a task's variance equal to r and the rest unchanged: r ratio^2 / (r
    ratio^2 + 1 - r). Raises ParameterError for r outside [0, 1] or a negative ratio.
    """
    if not 0 <= r <= 1 or ratio < 0:
        raise ParameterError(f"0 <= r <= 1 and a ratio of 0 or more, got {r} and {ratio}")
    signal = r * ratio**2
    return signal / (signal + 1 - r) if signal + 1 - r > 0 else 1.0


def chance_inflation(n: int, k: int) -> float:
    """The VIF of `k` unrelated tasks over `n` models, (n - 1) / (n - k); infinite for k >= n.

    From the expected R2 of a regression on k - 1 unrelated predictors, (k - 1) / (n - 1).
    """
    return (n - 1) / (n - k) if n > k else float("inf")
