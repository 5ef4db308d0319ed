"""Finding the shift per column under which two samples share persons.

If a person is in both samples, the differences between its two rows of whole numbers are the
shifts themselves, the same for every shared person. So the shifts are the vector of differences
that occurs most often among all pairs of persons. Unrelated pairs scatter over as many vectors as
there are pairs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_ROUNDS = 48
"""Number of random sets of columns: copies that differ in a few columns agree in most sets."""

_SET = 6
"""Number of columns per set: a coincidence is rare, and near-copies still agree."""

_LARGEST = 300
"""Largest number of persons of a sample in the search; the matching itself uses all."""

_RATIOS = ((1, 1), (2, 1), (1, 2), (3, 1), (1, 3), (3, 2), (2, 3))
"""Ratios of the steps of two samples, for columns whose smallest gap differs."""


@dataclass(frozen=True)
class ColumnAlignment:
    """An alignment of columns: first * scale_first - second * scale_second == shift for copies."""

    scale_first: NDArray[np.int64]
    scale_second: NDArray[np.int64]
    shift: NDArray[np.int64]

    def agreements(self, first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return n x m: columns on which each pair of persons agrees; missing cells never agree."""
        agree = np.zeros((len(first), len(second)), np.int64)
        for c in range(first.shape[1]):
            a, b = first[:, c], second[:, c]
            same = (a * self.scale_first[c])[:, None] - (b * self.scale_second[c]) == self.shift[c]
            agree += same & (a >= 0)[:, None] & (b >= 0)
        return agree


def align(
    first: NDArray[np.int64], second: NDArray[np.int64], rng: np.random.Generator
) -> ColumnAlignment | None:
    """Find the shifts (and simple ratios of steps) under which most persons of two samples agree.

    Parameters
    ----------
    first, second: n x k and m x k whole numbers of the same columns; -1 if missing.

    Returns None if fewer than two columns vary in both samples, or if no pair of persons has
    enough values in common.
    """
    a, b = _some(first, rng), _some(second, rng)
    varied = [c for c in range(a.shape[1]) if _varies(a[:, c]) and _varies(b[:, c])]
    if len(varied) < 2:
        return None
    differences = (a[:, None, :] - b[None, :, :]).reshape(-1, a.shape[1])
    observed = ((a >= 0)[:, None, :] & (b >= 0)[None, :, :]).reshape(-1, a.shape[1])
    low = differences.min(axis=0)
    span = differences.max(axis=0) - low + 1
    tried: set[tuple[int, ...]] = set()
    best: tuple[int, NDArray[np.int64]] | None = None
    for _ in range(_ROUNDS):
        chosen = rng.permutation(varied)[: min(_SET, len(varied))]
        key = np.zeros(len(differences), np.int64)
        for c in chosen:
            key = key * span[c] + (differences[:, c] - low[c])
        seen = observed[:, chosen].all(axis=1)
        if not seen.any():
            continue
        values, counts = np.unique(key[seen], return_counts=True)
        rows = seen & (key == values[counts.argmax()])
        shift = _refined(differences, observed, rows, low)
        if tuple(shift) in tried:
            continue
        tried.add(tuple(shift))
        agree = ((differences == shift) & observed).sum(axis=1).reshape(len(a), len(b))
        score = int((agree.max(axis=1).astype(float) ** 4).sum())
        if best is None or score > best[0]:
            best = score, shift
    return None if best is None else _with_ratios(a, b, best[1])


def _some(codes: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    if len(codes) <= _LARGEST:
        return codes
    return codes[np.sort(rng.permutation(len(codes))[:_LARGEST])]


def _varies(codes: NDArray[np.int64]) -> bool:
    observed = codes[codes >= 0]
    return observed.size > 1 and bool((observed != observed[0]).any())


def _refined(
    differences: NDArray[np.int64],
    observed: NDArray[np.bool_],
    rows: NDArray[np.bool_],
    low: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Return every column's most frequent difference among the pairs that agree best.

    The agreeing pairs and the differences are computed three times in turn.
    """
    columns = differences.shape[1]
    shift = _modes(differences[rows], low)
    for _ in range(3):
        agree = ((differences == shift) & observed).sum(axis=1)
        good = agree >= max(0.6 * columns, agree.max() - 4)
        if not good.any():
            break
        shift = _modes(differences[good], low)
    return shift


def _modes(rows: NDArray[np.int64], low: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.array([np.bincount(c).argmax() for c in (rows - low).T], np.int64) + low


def _with_ratios(
    a: NDArray[np.int64], b: NDArray[np.int64], shift: NDArray[np.int64]
) -> ColumnAlignment:
    """Other ratios of steps, in columns on which the matched persons mostly disagree."""
    ones = np.ones(a.shape[1], np.int64)
    plain = ColumnAlignment(ones, ones.copy(), shift)
    agree = plain.agreements(a, b)
    partner = agree.argmax(axis=1)
    matched = np.flatnonzero(agree.max(axis=1) >= 0.6 * a.shape[1])
    if len(matched) < 3:
        return plain
    first, second, moved = ones.copy(), ones.copy(), shift.copy()
    for c in range(a.shape[1]):
        x, y = a[matched, c], b[partner[matched], c]
        observed = (x >= 0) & (y >= 0)
        best = int((x[observed] - y[observed] == shift[c]).sum())
        for p, q in _RATIOS[1:] if best < 0.5 * observed.sum() else ():
            values, counts = np.unique(x[observed] * p - y[observed] * q, return_counts=True)
            if counts.max() > best:
                best = int(counts.max())
                first[c], second[c], moved[c] = p, q, values[counts.argmax()]
    return ColumnAlignment(first, second, moved)
