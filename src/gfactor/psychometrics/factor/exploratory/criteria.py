"""Rotation criteria: value and gradient for a batch of loading matrices at once.

Each takes loadings (s, p, m) and gives values (s,) and gradients (s, p, m). All are minimized.

References
----------
Bernaards, C. A., Jennrich, R. I. (2005). Gradient projection algorithms and software for arbitrary
    rotation criteria in factor analysis. Educational and Psychological Measurement 65, 676-696.
Browne, M. W. (2001). An overview of analytic rotation in exploratory factor analysis.
    Multivariate Behavioral Research 36, 111-150.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from gfactor.psychometrics.float_arrays import inv

Array = NDArray[np.float64]
Criterion = Callable[..., tuple[Array, Array]]

_TINY = 1e-300
"""Replaces zeros under a logarithm; 0 log 0 is 0."""


def varimax(loadings: Array) -> tuple[Array, Array]:
    """Return the criterion of Kaiser (1958): the variance of squared loadings within factors."""
    squares = loadings**2
    centered = squares - squares.mean(axis=1, keepdims=True)
    return -(centered**2).sum(axis=(1, 2)) / 4, -loadings * centered


def quartimax(loadings: Array) -> tuple[Array, Array]:
    """Return the criterion of Neuhaus and Wrigley (1954): the fourth powers of the loadings."""
    return -(loadings**4).sum(axis=(1, 2)) / 4, -(loadings**3)


def oblimin(loadings: Array, gamma: float = 0.0) -> tuple[Array, Array]:
    """Return the oblimin criterion: cross products of squared loadings; gamma 0 is quartimin."""
    squares = loadings**2
    others = squares.sum(axis=2, keepdims=True) - squares
    others = others - gamma * others.mean(axis=1, keepdims=True)
    return (squares * others).sum(axis=(1, 2)) / 4, loadings * others


def geomin(loadings: Array, delta: float = 0.01) -> tuple[Array, Array]:
    """Return the criterion of Yates (1987): geometric means of squared loadings over factors; delta
    as in GPArotation."""
    squares = loadings**2 + delta
    means = np.exp(np.log(squares).mean(axis=2, keepdims=True))
    return means.sum(axis=(1, 2)), 2 / loadings.shape[2] * loadings / squares * means


def crawford_ferguson(loadings: Array, kappa: float = 0.0) -> tuple[Array, Array]:
    """Return the criterion of Crawford and Ferguson (1970): complexity of rows, and with weight
    kappa of columns."""
    squares = loadings**2
    rows = squares.sum(axis=2, keepdims=True) - squares
    columns = squares.sum(axis=1, keepdims=True) - squares
    weights = (1 - kappa) * rows + kappa * columns
    return (squares * weights).sum(axis=(1, 2)) / 4, loadings * weights


def equamax(loadings: Array) -> tuple[Array, Array]:
    """Return Crawford and Ferguson's criterion with kappa m / 2p."""
    p, m = loadings.shape[1:]
    return crawford_ferguson(loadings, m / (2 * p))


def parsimax(loadings: Array) -> tuple[Array, Array]:
    """Return Crawford and Ferguson's criterion with kappa (m - 1) / (p + m - 2)."""
    p, m = loadings.shape[1:]
    return crawford_ferguson(loadings, (m - 1) / (p + m - 2))


def entropy(loadings: Array) -> tuple[Array, Array]:
    """Return the criterion of Jennrich (2004): minimum entropy of the squared loadings."""
    squares = loadings**2
    logs = np.log(np.maximum(squares, _TINY))
    return -(squares * logs).sum(axis=(1, 2)) / 2, -loadings * logs - loadings


def mccammon(loadings: Array) -> tuple[Array, Array]:
    """Return the criterion of McCammon (1966): entropy within factors over the entropy of the
    factors' variances."""
    squares = loadings**2
    columns = squares.sum(axis=1, keepdims=True)
    total = columns.sum(axis=2, keepdims=True)
    inside, inside_slope = _entropies(squares, columns)
    between, between_slope = _entropies(columns, total)
    within = inside.sum(axis=2, keepdims=True)
    value = (np.log(within) - np.log(between))[:, 0, 0]
    return value, 2 * loadings * (inside_slope / within - between_slope / between)


def infomax(loadings: Array) -> tuple[Array, Array]:
    """Return the criterion of McKeon (1968): the information of rows about columns, maximized."""
    squares = loadings**2
    rows, columns = squares.sum(axis=2, keepdims=True), squares.sum(axis=1, keepdims=True)
    total = rows.sum(axis=1, keepdims=True)
    cells = np.log(np.maximum(squares / total, _TINY))
    by_row = np.log(np.maximum(rows / total, _TINY))
    by_column = np.log(np.maximum(columns / total, _TINY))
    terms = by_row + by_column - cells
    mean = (squares * terms).sum(axis=(1, 2), keepdims=True) / total
    value = np.log(loadings.shape[2]) + mean[:, 0, 0]
    return value, 2 * loadings * (terms - mean) / total


def _entropies(parts: Array, sums: Array) -> tuple[Array, Array]:
    """Entropies of parts (along the axis that `sums` does not have), and their derivatives."""
    axis = 1 if sums.shape[1] != parts.shape[1] else 2
    logs = np.log(np.maximum(parts / sums, _TINY))
    values = -(parts / sums * logs).sum(axis=axis, keepdims=True)
    return values, -(logs + values) / sums


def oblimax(loadings: Array) -> tuple[Array, Array]:
    """Return the criterion of Saunders (1961): the kurtosis of the loadings."""
    fourth = (loadings**4).sum(axis=(1, 2), keepdims=True)
    second = (loadings**2).sum(axis=(1, 2), keepdims=True)
    value = (2 * np.log(second) - np.log(fourth))[:, 0, 0]
    return value, 4 * loadings / second - 4 * loadings**3 / fourth


def bentler(loadings: Array) -> tuple[Array, Array]:
    """Return the criterion of Bentler (1977): invariant pattern simplicity, the correlation of
    columns of squares."""
    squares = loadings**2
    products = squares.transpose(0, 2, 1) @ squares
    diagonal = np.diagonal(products, axis1=1, axis2=2)
    value = (np.log(diagonal).sum(axis=1) - np.linalg.slogdet(products)[1]) / 4
    unlike = inv(products) - np.eye(loadings.shape[2]) / diagonal[:, :, None]
    return value, -loadings * (squares @ unlike)


def tandem_one(loadings: Array) -> tuple[Array, Array]:
    """Return the criterion of Comrey (1967), I: indicators that correlate load on the same
    factor."""
    value, gradient = _tandem(loadings, 0.0, 1.0)
    return -value, -gradient


def tandem_two(loadings: Array) -> tuple[Array, Array]:
    """Return the criterion of Comrey (1967), II: indicators that do not correlate load on different
    factors."""
    return _tandem(loadings, 1.0, -1.0)


def _tandem(loadings: Array, constant: float, sign: float) -> tuple[Array, Array]:
    """Products of squared loadings, weighted by constant + sign r^2 of each two indicators."""
    squares, products = loadings**2, loadings @ loadings.transpose(0, 2, 1)
    weighted = (constant + sign * products**2) @ squares
    value = (squares * weighted).sum(axis=(1, 2))
    shared = products * (squares @ squares.transpose(0, 2, 1))
    return value, 4 * loadings * weighted + 4 * sign * shared @ loadings


def bifactor(loadings: Array) -> tuple[Array, Array]:
    """Return the criterion of Jennrich and Bentler (2011): quartimin of all factors but the first,
    the general one."""
    value, gradient = oblimin(loadings[:, :, 1:])
    return value, np.concatenate([np.zeros_like(loadings[:, :, :1]), gradient], axis=2)


def simplimax(loadings: Array, zeros: int | None = None) -> tuple[Array, Array]:
    """Return the criterion of Kiers (1994), the sum of the `zeros` smallest squared loadings
    (default: as many as rows)."""
    squares = loadings**2
    count = loadings.shape[1] if zeros is None else zeros
    flat = squares.reshape(len(squares), -1)
    small = np.zeros_like(flat)
    np.put_along_axis(small, np.argsort(flat, axis=1, kind="stable")[:, :count], 1.0, axis=1)
    small = small.reshape(squares.shape)
    return (small * squares).sum(axis=(1, 2)), 2 * small * loadings


def target(loadings: Array, target: Array) -> tuple[Array, Array]:
    """Return the criterion of Browne (1972, 2001): squared distance from a target; its cells may be
    NaN if unspecified."""
    away = np.where(np.isnan(target), 0.0, loadings - target)
    return (away**2).sum(axis=(1, 2)), 2 * away
