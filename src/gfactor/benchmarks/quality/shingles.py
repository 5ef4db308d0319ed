"""How alike texts are: sets of character n-grams, their sketches, their Jaccard index."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

SIZE = 4
"""Characters in a shingle: a few Chinese words, most of a Latin one."""

_BANDS, _ROWS = 16, 4
"""Pairs of Jaccard index 0.8 share a band with probability 1 - (1 - 0.8^4)^16 = 0.9998, pairs of
0.3 with 0.12."""

_GOLDEN = 0x9E3779B97F4A7C15


def plain(text: str) -> str:
    """Letters, digits and signs of a text in one case; without blanks and punctuation."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(c for c in folded if unicodedata.category(c)[0] in "LNMS")


def shingles(text: str) -> NDArray[np.uint64]:
    """Hashes of the different n-grams of a plain text, sorted; empty for a text that is shorter."""
    if len(text) < SIZE:
        return np.empty(0, np.uint64)
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)
    windows = np.lib.stride_tricks.sliding_window_view(codes, SIZE)
    hashes = np.zeros(len(windows), np.uint64)
    for offset in range(SIZE):
        hashes = _mixed(hashes ^ windows[:, offset])
    return np.unique(hashes)


def sketches(sets: Sequence[NDArray[np.uint64]]) -> NDArray[np.uint64]:
    """MinHash bands of sets (Broder 1997): sets x 16, each band a hash of four minima.

    The functions are fixed, so that the same sets have the same sketch everywhere.
    """
    out = np.zeros((len(sets), _BANDS), np.uint64)
    seeds = [np.uint64(_GOLDEN * k % 2**64) for k in range(1, _BANDS * _ROWS + 1)]
    starts = np.cumsum([0, *(len(s) for s in sets)])[:-1]
    everything = np.concatenate([*sets, np.empty(0, np.uint64)])
    if not len(everything):
        return out
    for number, seed in enumerate(seeds):
        minima = np.minimum.reduceat(_mixed(everything ^ seed), starts)
        band = number // _ROWS
        out[:, band] = _mixed(out[:, band] ^ minima)
    return out


def jaccard(one: NDArray[np.uint64], other: NDArray[np.uint64]) -> float:
    """Share of the shingles of two texts that both have."""
    both = len(np.intersect1d(one, other, assume_unique=True))
    return both / (len(one) + len(other) - both)


def _mixed(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The finalizer of splitmix64 (Steele, Lea & Flood 2014): every bit depends on every bit."""
    x = x + np.uint64(_GOLDEN)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))
