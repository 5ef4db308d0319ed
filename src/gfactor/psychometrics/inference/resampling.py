"""How often each unit enters each bootstrap draw, in blocks that fit the cache."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_CELLS = 1_000_000
"""Weights held at once (8 MB): thousands of draws over thousands of items would not fit memory."""


def bootstrap_weights(units: int, draws: int, seed: int) -> Iterator[Floats]:
    """Blocks (draws in the block x units) of counts that sum to `units` in every draw.

    Units are whatever is resampled as a whole: items, or clusters of them. The blocks together are
    the same draws whatever the block size.
    """
    rng = np.random.default_rng(seed)
    step = max(1, _CELLS // units)
    for start in range(0, draws, step):
        block = rng.multinomial(units, np.full(units, 1 / units), min(step, draws - start))
        yield block.astype(float)
