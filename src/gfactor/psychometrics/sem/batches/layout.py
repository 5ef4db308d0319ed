"""Layout of derivatives: those of a group's moments are elements of a few small matrix products.

With Z the rows of I, of (Lambda (I - Beta)^-1)' and of (Lambda Cov(eta))', every parameter moves
Sigma by a b' + b a', a and b rows of Z (see `model.point`). Gradient, information and Hessian are
then sums of products of elements of Z W Z', W some p x p matrix, of Cov(eta) and of (I - Beta)^-1:
which elements these are depends on the model alone and is determined here, once for all replicates.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gfactor.psychometrics.sem.model.derivative_index import COVARIANCE, LOADING, MEAN, REGRESSION
from gfactor.psychometrics.sem.model.structure import GroupStructure


@dataclass(frozen=True)
class Products:
    """Sums of products: `out[rows] += coefficient * prod(array[factors])`, no row twice.

    Parameters
    ----------
    rows: positions in the packed lower triangle of the group's parameters, shape (t,).
    factors: one array of positions per factor, shape (t,) each.
    coefficient: shape (t, 1); None if all are one.
    """

    rows: np.ndarray
    factors: tuple[np.ndarray, ...]
    coefficient: np.ndarray | None

    def add(self, out: np.ndarray, *arrays: np.ndarray) -> None:
        """Add the products of rows of `arrays`, each of shape (places, R)."""
        product = arrays[0].take(self.factors[0], axis=0)
        if self.coefficient is not None:
            product *= self.coefficient
        for array, positions in zip(arrays[1:], self.factors[1:], strict=True):
            product *= array.take(positions, axis=0)
        out[self.rows] += product


_Term = tuple[int, tuple[int, ...], float]
"""A row of the packed triangle, the positions of the factors, and a coefficient."""


def _packed(i: int, j: int) -> int:
    """Return the position of a pair in the packed lower triangle."""
    high, low = max(i, j), min(i, j)
    return high * (high + 1) // 2 + low


def _column(layer: list[_Term]) -> np.ndarray:
    return np.array([term[2] for term in layer])[:, None]


def _layers(terms: list[_Term]) -> tuple[Products, ...]:
    """Sort the terms into layers in which no row occurs twice."""
    layers: list[list[_Term]] = []
    count: dict[int, int] = {}
    for term in terms:
        depth = count.get(term[0], 0)
        count[term[0]] = depth + 1
        if depth == len(layers):
            layers.append([])
        layers[depth].append(term)
    products = []
    for layer in layers:
        positions = np.array([term[1] for term in layer], dtype=int)
        products.append(
            Products(
                np.array([term[0] for term in layer]),
                tuple(positions[:, k].copy() for k in range(positions.shape[1])),
                None if all(term[2] == 1 for term in layer) else _column(layer),
            )
        )
    return tuple(products)


class DerivativeLayout:
    """The positions of one group's derivatives.

    `left`, `right` and `scale` are the rows of Z of the parameters that change Sigma, and the share
    of b. `chosen` are their positions among the group's parameters, `pairs` the rows of the packed
    triangle.
    """

    def __init__(self, structure: GroupStructure, n_free: int) -> None:
        self.structure = s = structure
        self.chosen, picked = s.covariance_part
        self.left, self.right, self.scale = picked.left, picked.right, picked.scale
        self.size = len(s.index)
        i, j = np.tril_indices(len(self.chosen))
        self.pairs = self._row(self.chosen[i], self.chosen[j])
        self.pair_scale = self.scale[i] * self.scale[j]
        self.both = (
            self._flat(self.left[i], self.left[j]),
            self._flat(self.right[i], self.right[j]),
            self._flat(self.left[i], self.right[j]),
            self._flat(self.right[i], self.left[j]),
        )
        self.gradient = self._flat(self.left, self.right)
        i, j = np.tril_indices(self.size)
        first, second = s.index[i], s.index[j]
        self.target = np.maximum(first, second) * n_free + np.minimum(first, second)

    def _flat(self, row: np.ndarray, column: np.ndarray) -> np.ndarray:
        """Return the positions of elements of the Z M Z' that `derivatives.spread` makes: M itself,
        then the rows below the identity by those of the identity, then by each other.
        """
        p, more = self.structure.p, 2 * self.structure.q
        high, low = np.maximum(row, column), np.minimum(row, column)
        below = p * p + (high - p) * p + low
        last = p * (p + more) + (high - p) * more + (low - p)
        return np.where(high < p, row * p + column, np.where(low < p, below, last))

    @staticmethod
    def _row(i: np.ndarray, j: np.ndarray) -> np.ndarray:
        high, low = np.maximum(i, j), np.minimum(i, j)
        return high * (high + 1) // 2 + low

    @property
    def packed(self) -> int:
        """Elements of the packed triangle."""
        return self.size * (self.size + 1) // 2

    @cached_property
    def mean(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the parameters that change mu: positions, rows of Z, and the scaling eta."""
        chosen, left, eta = self.structure.mean_part
        return chosen, left, np.where(eta < 0, self.structure.q, eta)

    @cached_property
    def mean_pairs(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Rows of the triangle, places in Z W Z', and the two scaling etas."""
        chosen, left, eta = self.mean
        i, j = np.tril_indices(len(chosen))
        rows = self._row(chosen[i], chosen[j])
        return rows, self._flat(left[i], left[j]), eta[i], eta[j]

    @cached_property
    def mixed(self) -> tuple[Products, ...]:
        """Return the common part of mean and covariance in the Hessian, from ZWZ', Zu and eta."""
        chosen, left, eta = self.mean
        terms = []
        for m in range(len(chosen)):
            for c in range(len(self.chosen)):
                # A pair has one derivative in either order; a parameter with itself has both.
                times = 2.0 if chosen[m] == self.chosen[c] else 1.0
                row = _packed(int(chosen[m]), int(self.chosen[c]))
                for one, other in ((self.left, self.right), (self.right, self.left)):
                    position = int(self._flat(left[m], one[c]))
                    factor = times * float(self.scale[c, 0])
                    terms.append((row, (position, int(other[c]), int(eta[m])), factor))
        return _layers(terms)

    @cached_property
    def bends(self) -> tuple[Products, ...]:
        """Second derivatives of tr(Omega Sigma) / 2: factors from Z Omega Z' and from the elements
        of (I - Beta)^-1 and Cov(eta), in this order."""
        return _layers(list(self._bends()))

    def _bends(self) -> Iterator[_Term]:
        s = self.structure
        p, q = s.p, s.q
        positions = np.arange(p + 2 * q)
        at = self._flat(positions[:, None], positions).tolist()
        lam, beta, psi = (s.of_kind[kind].tolist() for kind in (LOADING, REGRESSION, COVARIANCE))

        def term(x: int, y: int, omega: int, latent: int, factor: float) -> _Term:
            return _packed(x, y), (omega, latent), factor

        def total(a: int, b: int) -> int:
            return a * q + b

        def cov(a: int, b: int) -> int:
            return q * q + a * q + b

        def gamma(k: int) -> int:
            return p + k

        def cross(k: int) -> int:
            return p + q + k

        row, column = s.row.tolist(), s.column.tolist()
        for n, x in enumerate(lam):
            i, j = row[x], column[x]
            for y in lam[: n + 1]:
                yield term(x, y, at[i][row[y]], cov(j, column[y]), 1.0)
            for y in psi:
                e, f = row[y], column[y]
                half = 0.5 if e == f else 1.0
                yield term(x, y, at[i][gamma(e)], total(j, f), half)
                yield term(x, y, at[i][gamma(f)], total(j, e), half)
            for y in beta:
                k, h = row[y], column[y]
                yield term(x, y, at[i][gamma(k)], cov(j, h), 1.0)
                yield term(x, y, at[i][cross(h)], total(j, k), 1.0)
        for n, x in enumerate(beta):
            k, h = row[x], column[x]
            for y in beta[: n + 1]:
                k2, h2 = row[y], column[y]
                yield term(x, y, at[gamma(k)][cross(h2)], total(h, k2), 1.0)
                yield term(x, y, at[gamma(k2)][cross(h)], total(h2, k), 1.0)
                yield term(x, y, at[gamma(k)][gamma(k2)], cov(h, h2), 1.0)
            for y in psi:
                e, f = row[y], column[y]
                half = 0.5 if e == f else 1.0
                yield term(x, y, at[gamma(k)][gamma(e)], total(h, f), half)
                yield term(x, y, at[gamma(k)][gamma(f)], total(h, e), half)

    @cached_property
    def mean_bends(self) -> tuple[Products, ...]:
        """Second derivatives of -u' mu: factors from Z u, (I - Beta)^-1 and eta."""
        s = self.structure
        if not s.latent_means:
            return ()
        p, q = s.p, s.q
        lam, beta, alpha = (s.of_kind[kind] for kind in (LOADING, REGRESSION, MEAN))
        terms = []
        for x in (*lam, *beta):
            pulled = s.row[x] if s.kind[x] == LOADING else p + s.row[x]
            j = s.column[x]
            others = [(y, s.row[y], q) for y in alpha]
            if s.kind[x] == LOADING:
                others += [(y, s.row[y], s.column[y]) for y in beta]
            for y, to, eta in others:
                row = _packed(int(x), int(y))
                terms.append((row, (int(pulled), int(j * q + to), int(eta)), -1.0))
        for n, x in enumerate(beta):
            for y in beta[: n + 1]:
                row = _packed(int(x), int(y))
                for a, b in ((x, y), (y, x)):
                    position = int(s.column[a] * q + s.row[b])
                    terms.append((row, (int(p + s.row[a]), position, int(s.column[b])), -1.0))
        return _layers(terms)
