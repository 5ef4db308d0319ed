"""Agreement by chance: the number of columns on which two persons agree, and the number that chance
does not explain.

Columns are correlated (able persons score high everywhere), so agreements vary more than with
independent columns. The beta-binomial (Skellam 1948) has the mean and spread of the pairs in the
data, without copies. The agreement that is needed follows from the false discovery rate (Benjamini
& Hochberg 1995): if many persons agree on 17 of 18 columns, a pair that agrees on 13 is hardly
chance; without other pairs it may be.

References
----------
Skellam, J. G. (1948). A probability distribution derived from the binomial distribution by
    regarding the probability of success as variable between the sets of trials. Journal of the
    Royal Statistical Society B 10, 257-261.
Benjamini, Y., Hochberg, Y. (1995). Controlling the false discovery rate. Journal of the Royal
    Statistical Society B 57, 289-300.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

BY_CHANCE = 0.01
"""Largest ratio of copies expected by chance to copies found for a report of copies. Without copies
it is the probability of a false alarm; with several comparisons it is divided by their number."""

LISTED = 0.05
"""Largest ratio of copies expected by chance to copies listed, if copies exist for certain."""


@dataclass(frozen=True)
class Chance:
    """Agreement of unrelated persons.

    Parameters
    ----------
    columns: columns compared.
    mean, sd: mean and standard deviation of the number of columns on which two unrelated persons
        agree.
    pairs: pairs compared.
    needed: number of agreeing columns from which on a pair is a copy; more than `columns` if there
    is
        none.
    """

    columns: int
    mean: float
    sd: float
    pairs: int
    needed: int

    def expected(self, agree: int) -> float:
        """Return the expected number of pairs that agree on `agree` or more columns by chance."""
        return self.pairs * float(_tail(self.columns, self.mean, self.sd)[min(agree, self.columns)])


def chance_agreement(
    agreements: NDArray[np.int64], columns: int, rate: float = BY_CHANCE
) -> Chance:
    """Return the distribution of agreement by chance in an n x m table of agreeing columns, and the
    agreement from which on a pair is a copy.

    Cells of -1 (a person with itself) do not count. Mean and standard deviation are first computed
    from the pairs in which neither is the other's best match, then from all pairs that are not
    copies, until the copies stay the same.
    """
    table = np.asarray(agreements)
    counted = table >= 0
    pairs = int(counted.sum())
    unrelated = counted & (table < table.max(axis=1, keepdims=True, initial=0))
    unrelated &= table < table.max(axis=0, keepdims=True, initial=0)
    # Number of persons with a partner at k or above, in the sample with fewer such persons.
    best = [table.max(axis=axis, initial=-1) for axis in (0, 1)]
    at = np.arange(columns + 1)
    persons = np.minimum(*[(b[:, None] >= at).sum(axis=0) for b in best])
    mean = sd = 0.0
    needed = columns + 1
    for _ in range(5):
        sample = table[unrelated] if unrelated.sum() >= 10 else table[counted]
        mean, sd = (float(sample.mean()), float(sample.std())) if sample.size else (0.0, 0.0)
        expected = pairs * _tail(columns, mean, sd)
        # Pairs that agree on less than half of the columns are not copies, however rare they are.
        possible = (at > columns // 2) & (persons > 0)
        certain = (possible & (expected <= rate * persons)).any()
        low = np.flatnonzero(possible & (expected <= LISTED * persons))
        before, needed = needed, int(low[0]) if certain else columns + 1
        if before == needed:
            break
        unrelated = counted & (table < needed)
    return Chance(columns, mean, sd, pairs, needed)


def _tail(columns: int, mean: float, sd: float) -> NDArray[np.float64]:
    """P(K >= k) for k = 0 .. columns, beta-binomial; binomial if nothing is overdispersed."""
    at = np.arange(columns + 1)
    p = min(max(mean / columns, 1e-6), 1 - 1e-6) if columns else 0.5
    excess = sd**2 / (columns * p * (1 - p)) if columns > 1 else 1.0
    if excess <= 1 + 1e-9:
        return np.asarray(stats.binom.sf(at - 1, columns, p))
    rho = min((excess - 1) / (columns - 1), 0.95)
    size = 1 / rho - 1
    return np.asarray(stats.betabinom.sf(at - 1, columns, p * size, (1 - p) * size))
