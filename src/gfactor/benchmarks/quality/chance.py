"""Comparison with chance: observed shares against the exact distribution of right guesses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from gfactor.numbers_in_text import p_value
from gfactor.psychometrics import wilson


@dataclass(frozen=True)
class AgainstChance:
    """Number of right answers, and the number that chance would give.

    Parameters
    ----------
    right: number of right answers.
    n: number of answers.
    expected: mean of the number under chance.
    p: two-sided, exact: twice the smaller tail of the sum of independent guesses.
    low, high: Wilson's 95 % interval of the share.
    """

    right: int
    n: int
    expected: float
    p: float
    low: float
    high: float

    @property
    def share(self) -> float:
        """The share that was right."""
        return self.right / self.n

    @property
    def chance(self) -> float:
        """The share of right answers by chance."""
        return self.expected / self.n

    def to_dict(self) -> dict[str, Any]:
        """Return the result, ready for JSON."""
        return {
            "right": self.right,
            "n": self.n,
            "share": round(self.share, 6),
            "low": round(self.low, 6),
            "high": round(self.high, 6),
            "chance": round(self.chance, 6),
            "p": float(f"{self.p:.6g}"),
        }

    def __str__(self) -> str:
        return (
            f"{self.right:,} of {self.n:,} ({self.share:.1%}, 95 % interval {self.low:.1%} to "
            f"{self.high:.1%}; chance {self.chance:.1%}, p {p_value(self.p, '= ')})"
        )


def against_chance(right: int, options: Iterable[int]) -> AgainstChance:
    """Return the comparison of `right` successes with chance, if guess i is right with probability
    1 / `options[i]`."""
    counts = Counter(options)
    n, pmf = sum(counts.values()), np.ones(1)
    for k, m in sorted(counts.items()):
        pmf = np.convolve(pmf, stats.binom.pmf(np.arange(m + 1), m, 1 / k))
    lower, upper = pmf[: right + 1].sum(), pmf[right:].sum()
    low, high = (float(end) for end in wilson(right, n))
    expected = sum(m / k for k, m in counts.items())
    return AgainstChance(right, n, expected, float(min(1.0, 2 * min(lower, upper))), low, high)
