"""The interval of one proportion."""

from __future__ import annotations

import math

Z95 = 1.959963984540054
"""The 97.5 % point of the standard normal distribution."""


def wilson(right: float, n: int) -> tuple[float, float]:
    """Wilson's 95 % score interval for `right` of `n` (Wilson 1927, JASA 22, 209).

    Unlike the normal interval it keeps its coverage near 0 and 1. (0, 1) where n is 0.
    """
    if n == 0:
        return 0.0, 1.0
    share, extra = right / n, Z95**2 / n
    center = (share + extra / 2) / (1 + extra)
    half = Z95 * math.sqrt(share * (1 - share) / n + extra / (4 * n)) / (1 + extra)
    # At shares of 0 and 1 rounding may put a bound on the wrong side of the share.
    return max(0.0, min(share, center - half)), min(1.0, max(share, center + half))
