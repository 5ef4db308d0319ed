"""Polychoric correlations by two-step maximum likelihood, all pairs of variables at once.

References
----------
Olsson, U. (1979). Maximum likelihood estimation of the polychoric correlation coefficient.
    Psychometrika 44, 443-460.
Brown, M. B., Benedetti, J. K. (1977). On the mean and variance of the tetrachoric correlation
    coefficient. Psychometrika 42, 347-355 (adding one half to an empty cell of a 2 x 2 table).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from gfactor.psychometrics.sem.ordinal.bivariate import (
    FAR,
    bivariate_normal_cdf,
    bivariate_normal_pdf,
)
from gfactor.psychometrics.sem.ordinal.columns import OrdinalColumn

Array = NDArray[np.float64]

LARGEST = 0.999
"""Correlations are kept within this, as lavaan keeps them."""

LEAST_CELL = float(np.sqrt(np.finfo(float).eps))
"""Cells are held at least this probable, as in lavaan, so that an impossible one keeps a
logarithm."""


@dataclass(frozen=True)
class PolychoricPairs:
    """The second step for pairs (i, j) of ordinal variables.

    Parameters
    ----------
    rho: shape (pairs,).
    scores: derivative of every case's log likelihood by rho, shape (n, pairs); zero for cases
        that lack one of the two.
    first, second: sums over cases of these times the derivatives by the thresholds of i and of j,
        shape (pairs, most thresholds), zeros beyond a variable's own.
    empty: per pair, whether its table has an empty cell.
    perfect: per pair, whether a 2 x 2 table has two empty cells (the correlation has no value).
    """

    rho: Array
    scores: Array
    first: Array
    second: Array
    empty: NDArray[np.bool_]
    perfect: NDArray[np.bool_]


def polychoric(pairs: Sequence[tuple[OrdinalColumn, OrdinalColumn]]) -> PolychoricPairs:
    """Return correlations of the normal responses behind pairs of ordinal variables.

    As in lavaan, the empty cell of a 2 x 2 table gets one half, taken from the other cells so that
    the margins stay; empty cells of larger tables stay empty.
    """
    width = max(max(a.categories, b.categories) for a, b in pairs)
    left, right, counts = _tables(pairs, width)
    real = np.array([[a.categories, b.categories] for a, b in pairs])
    inside = (np.arange(width) < real[:, :1])[:, :, None] & (np.arange(width) < real[:, 1:])[
        :, None, :
    ]
    empty = ((counts == 0) & inside).any(axis=(1, 2))
    filled, perfect = _filled(counts, real, inside)
    rho = _maximum(left, right, filled)
    rho = np.where(perfect, np.where(counts[:, 0, 0] > 0, LARGEST, -LARGEST), rho)
    scores, first, second = _scores(pairs, left, right, counts, rho)
    return PolychoricPairs(rho, scores, first, second, empty, perfect)


def _tables(
    pairs: Sequence[tuple[OrdinalColumn, OrdinalColumn]], width: int
) -> tuple[Array, Array, Array]:
    """Edges of both variables (pairs, width + 1), padded at the end, and counts."""
    left, right = np.full((2, len(pairs), width + 1), FAR)
    counts = np.zeros((len(pairs), width, width))
    for row, (a, b) in enumerate(pairs):
        left[row, : a.categories + 1] = a.edges
        right[row, : b.categories + 1] = b.edges
        both = a.known & b.known
        each = None if a.weights is None else a.weights[both]
        flat = np.bincount(a.codes[both] * width + b.codes[both], each, width * width)
        counts[row] = flat.reshape(width, width)
    return left, right, counts


def _filled(
    counts: Array, real: NDArray[np.intp], inside: NDArray[np.bool_]
) -> tuple[Array, NDArray[np.bool_]]:
    counts = counts.copy()
    small = (real == 2).all(axis=1)
    zeros = (counts == 0) & inside
    number = zeros.sum(axis=(1, 2))
    perfect = small & (number >= 2)
    for row in np.flatnonzero(small & (number == 1)):
        i, j = np.argwhere(zeros[row])[0]
        half = 0.5 if i == j else -0.5
        counts[row, :2, :2] += half * np.array([[1.0, -1.0], [-1.0, 1.0]])
    return counts, perfect


def _grid(left: Array, right: Array, rho: Array) -> Array:
    """Distribution function on all corners, (pairs, width + 1, width + 1)."""
    out = np.zeros((*left.shape, right.shape[1]))
    r = rho[:, None, None]
    out[:, 1:-1, 1:-1] = bivariate_normal_cdf(left[:, 1:-1, None], right[:, None, 1:-1], r)
    out[:, -1, :] = ndtr(right)
    out[:, :, -1] = ndtr(left)
    return out


def _cells(corners: Array) -> Array:
    return np.diff(np.diff(corners, axis=1), axis=2)


def _densities(left: Array, right: Array, rho: Array) -> tuple[Array, Array]:
    """d cell / d rho, and the second derivative."""
    r = rho[:, None, None]
    h, k = left[:, :, None], right[:, None, :]
    density = bivariate_normal_pdf(h, k, r)
    rest = 1 - r**2
    slope = density * (r / rest + (h * k * (1 + r**2) - r * (h**2 + k**2)) / rest**2)
    return _cells(density), _cells(slope)


def _maximum(left: Array, right: Array, counts: Array) -> Array:
    """Newton's method for all pairs at once, Fisher scoring where it would go uphill."""
    total = counts.sum(axis=(1, 2))
    rho = np.zeros(len(total))

    def loss(at: Array) -> tuple[Array, Array]:
        cells = np.maximum(_cells(_grid(left, right, at)), LEAST_CELL)
        return -(counts * np.log(cells)).sum(axis=(1, 2)) / total, cells

    value, cells = loss(rho)
    for _ in range(60):
        d1, d2 = _densities(left, right, rho)
        gradient = -(counts * d1 / cells).sum(axis=(1, 2)) / total
        fisher = (d1**2 / cells).sum(axis=(1, 2))
        curve = (counts * ((d1 / cells) ** 2 - d2 / cells)).sum(axis=(1, 2)) / total
        step = -gradient / np.where(curve > 0.1 * fisher, curve, fisher + 1e-12)
        # Half the way to the border at most, so that no step leaps over the maximum.
        room = np.where(step > 0, LARGEST - rho, rho + LARGEST)
        step = np.sign(step) * np.minimum(np.abs(step), np.where(room > 1e-4, 0.7 * room, room))
        moving = np.abs(step) > 1e-14
        new_value, new_cells = loss(rho + step)
        for _ in range(20):
            worse = moving & (new_value > value + 1e-15 * np.abs(value))
            if not worse.any():
                break
            step[worse] /= 2
            new_value, new_cells = loss(rho + step)
        rho[:] += step
        value, cells = new_value, new_cells
        if np.abs(step).max() < 1e-13:
            break
    return np.clip(rho, -LARGEST, LARGEST)


def _scores(
    pairs: Sequence[tuple[OrdinalColumn, OrdinalColumn]],
    left: Array,
    right: Array,
    counts: Array,
    rho: Array,
) -> tuple[Array, Array, Array]:
    """Casewise scores by rho, and their sums of products with those by both sets of thresholds."""
    cells = _cells(_grid(left, right, rho))
    usable = cells > LEAST_CELL
    inverse = np.where(usable, 1 / np.where(usable, cells, 1.0), 0.0)
    ratio = _densities(left, right, rho)[0] * inverse
    root = np.sqrt(1 - rho**2)[:, None, None]
    r, h, k = rho[:, None, None], left[:, :, None], right[:, None, :]
    # d P(X < h, Y < k) / dh = phi(h) Phi((k - rho h) / root), on the corners.
    pdf = [np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi) for x in (h, k)]
    by_left = np.diff(pdf[0] * ndtr((k - r * h) / root), axis=2)
    by_right = np.diff(pdf[1] * ndtr((h - r * k) / root), axis=1)
    # A threshold is the upper edge of one cell and the lower edge of the next.
    total = counts * ratio * inverse
    first = (-np.diff(total, axis=1) * by_left[:, 1:-1, :]).sum(axis=2)
    second = (-np.diff(total, axis=2) * by_right[:, :, 1:-1]).sum(axis=1)
    scores = np.empty((len(pairs[0][0].codes), len(pairs)))
    for row, (a, b) in enumerate(pairs):
        scores[:, row] = np.where(a.known & b.known, ratio[row, a.codes, b.codes], 0.0)
    return scores, first, second
