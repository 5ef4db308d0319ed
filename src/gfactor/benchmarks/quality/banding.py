"""Candidate pairs of similar things, found without comparing all pairs. Things whose sketches share
a band are candidates. Banding is that of Leskovec, Rajaraman & Ullman, "Mining of Massive
Datasets", section 3.4. Within a band, each thing is compared only with the next ones, so that the
work stays proportional to the number of things even if thousands share a band.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

NEXT = 40
"""Number of following things, in the order of the sketches, with which each thing of a band is
compared."""


def candidates(sketches: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return pairs of rows that share a value in at least one column: m x 2, lower row first,
    sorted.

    Parameters
    ----------
    sketches: things x bands.
    """
    n, bands = sketches.shape
    pairs = [np.empty(0, np.int64)]
    for band in range(bands):
        others = [sketches[:, k] for k in range(bands) if k != band]
        # The last key sorts first: by this band, then by the others, so that neighbors are alike.
        order = np.lexsort([*reversed(others), sketches[:, band]])
        keys = sketches[order, band]
        for step in range(1, min(NEXT, n - 1) + 1):
            same = keys[step:] == keys[:-step]
            if not same.any():
                break
            one, other = order[:-step][same], order[step:][same]
            low, high = np.minimum(one, other), np.maximum(one, other)
            pairs.append(low * n + high)
    codes = np.unique(np.concatenate(pairs))
    return np.column_stack([codes // max(n, 1), codes % max(n, 1)])
