"""Polychoric correlations by two-step maximum likelihood, all pairs of variables at once.

References
----------
Olsson, U. (1979). Maximum likelihood estimation of the polychoric correlation coefficient.
    Psychometrika 44, 443-460.
Brown, M. B., Benedetti, J. K. (1977). On the mean and variance of the tetrachoric correlation
    coefficient. Psychometrika 42, 347-355 (adding one half to an empty cell of a 2 x 2 table).
Olsson, U., Drasgow, F., Dorans, N. J. (1982). The polyserial correlation coefficient. Psychometrika
    47, 337-347 (the covariance of a response with the number of its category).
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
"""Largest absolute correlation, as in lavaan."""

LEAST_CELL = float(np.sqrt(np.finfo(float).eps))
"""Smallest probability of a cell, as in lavaan, so that an impossible cell has a logarithm."""


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


Positions = NDArray[np.intp]


def polychoric(columns: Sequence[OrdinalColumn], i: Positions, j: Positions) -> PolychoricPairs:
    """Return polychoric correlations: correlations of the normal latent responses of pairs of
    ordinal variables.

    As in lavaan, the empty cell of a 2 x 2 table gets one half, taken from the other cells so that
    the margins do not change; empty cells of larger tables stay empty.

    Parameters
    ----------
    columns: the variables, of the same cases. i, j: positions of both variables of every pair.
    """
    number = np.array([column.categories for column in columns])
    width = int(number.max())
    edges = np.full((len(columns), width + 1), FAR)
    for row, column in zip(edges, columns, strict=True):
        row[: column.categories + 1] = column.edges
    left, right = edges[i], edges[j]
    codes = np.column_stack([column.codes for column in columns])
    counts = _counts(codes, columns[0].weights, width)[i, :, j, :]
    real = np.column_stack([number[i], number[j]])
    inside = (np.arange(width) < real[:, :1])[:, :, None] & (np.arange(width) < real[:, 1:])[
        :, None, :
    ]
    empty = ((counts == 0) & inside).any(axis=(1, 2))
    filled, perfect = _filled(counts, real, inside)
    rho = _maximum(left, right, filled)
    rho = np.where(perfect, np.where(counts[:, 0, 0] > 0, LARGEST, -LARGEST), rho)
    ratio, first, second = _scores(left, right, counts, rho)
    observed = codes >= 0
    cells = (np.arange(len(i)) * width + codes[:, i]) * width + codes[:, j]
    scores = np.where(observed[:, i] & observed[:, j], ratio.take(cells, mode="clip"), 0.0)
    return PolychoricPairs(rho, scores, first, second, empty, perfect)


def _counts(codes: Positions, weights: Array | None, width: int) -> Array:
    """Return the cross-tables of all variables, shape (variables, width, variables, width): number,
    or weight, of the cases with a category of one and a category of another variable."""
    shows = (codes[:, :, None] == np.arange(width)).astype(float).reshape(len(codes), -1)
    weighted = shows if weights is None else shows * weights[:, None]
    p = codes.shape[1]
    return (shows.T @ weighted).reshape(p, width, p, width)


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
    h, k = left[:, 1:-1, None], right[:, None, 1:-1]
    density = bivariate_normal_pdf(h, k, r)
    rest = 1 - r**2
    slope = density * (r / rest + (h * k * (1 + r**2) - r * (h**2 + k**2)) / rest**2)
    # At infinite limits both are zero.
    corners = np.zeros((2, len(rho), left.shape[1], right.shape[1]))
    corners[0, :, 1:-1, 1:-1], corners[1, :, 1:-1, 1:-1] = density, slope
    return _cells(corners[0]), _cells(corners[1])


def _start(left: Array, right: Array, counts: Array) -> Array:
    """Return correlations near the maximum: the covariance of the categories' numbers, divided by
    their covariances with the latent responses (Olsson, Drasgow and Dorans 1982)."""
    share = counts / counts.sum(axis=(1, 2), keepdims=True)
    number = np.arange(counts.shape[1], dtype=float)
    means = share.sum(axis=2) @ number, share.sum(axis=1) @ number
    covariance = number @ share @ number - means[0] * means[1]
    slopes = [np.exp(-(edges**2) / 2).sum(axis=1) / np.sqrt(2 * np.pi) for edges in (left, right)]
    return np.clip(covariance / (slopes[0] * slopes[1]), -0.9, 0.9)


def _maximum(left: Array, right: Array, counts: Array) -> Array:
    """Newton's method for all pairs at once, with Fisher scoring if a step would go the wrong
    way."""
    total = counts.sum(axis=(1, 2))
    rho = _start(left, right, counts)

    def loss(at: Array) -> tuple[Array, Array]:
        cells = np.maximum(_cells(_grid(left, right, at)), LEAST_CELL)
        return -(counts * np.log(cells)).sum(axis=(1, 2)) / total, cells

    value, cells = loss(rho)
    for _ in range(60):
        d1, d2 = _densities(left, right, rho)
        gradient = -(counts * d1 / cells).sum(axis=(1, 2)) / total
        fisher = (d1**2 / cells).sum(axis=(1, 2))
        curve = (counts * ((d1 / cells) ** 2 - d2 / cells)).sum(axis=(1, 2)) / total
        bent = curve > 0.1 * fisher
        step = -gradient / np.where(bent, curve, fisher + 1e-12)
        # At most half the way to the limit, so that no step passes the maximum.
        room = np.where(step > 0, LARGEST - rho, rho + LARGEST)
        step = np.sign(step) * np.minimum(np.abs(step), np.where(room > 1e-4, 0.7 * room, room))
        furthest = np.abs(step).max()
        if furthest < 1e-13 or (bent.all() and furthest < 1e-8):
            # Newton's steps shrink quadratically: the next one would be lost in rounding.
            rho += step
            break
        moving = np.abs(step) > 1e-14
        new_value, new_cells = loss(rho + step)
        for _ in range(20):
            worse = moving & (new_value > value + 1e-15 * np.abs(value))
            if not worse.any():
                break
            step[worse] /= 2
            new_value, new_cells = loss(rho + step)
        rho += step
        value, cells = new_value, new_cells
    return np.clip(rho, -LARGEST, LARGEST)


def _scores(left: Array, right: Array, counts: Array, rho: Array) -> tuple[Array, Array, Array]:
    """Return the scores by rho of the cases of every cell, and over all cases their sums of
    products with the scores by both sets of thresholds."""
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
    return ratio, first, second
