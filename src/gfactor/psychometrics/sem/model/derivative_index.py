"""Positions of the derivatives of a group's moments in a few small matrices.

With Z the rows of I, of (Lambda (I - Beta)^-1)' and of (Lambda Cov(eta))', every parameter moves
Sigma by a b' + b a', a and b rows of Z. Gradient, information and Hessian are then products of
elements of Z M Z', M some p x p matrix; of the second derivatives of Sigma, with elements of
Cov(eta) and (I - Beta)^-1. Picking them costs a tenth of what multiplying tall matrices does.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

LOADING, REGRESSION, COVARIANCE, RESIDUAL, INTERCEPT, MEAN = range(6)
"""The matrices Lambda, Beta, Psi, Theta, nu and alpha."""

Picked = tuple[np.ndarray, np.ndarray, np.ndarray]

_MANY = 250
"""Number of parameters from which on the positions of all pairs take too much memory."""


class _Pairs:
    """Picker of one element of a square table for every pair of parameters."""

    def __init__(self, rows: np.ndarray, columns: np.ndarray, width: int) -> None:
        self._rows, self._columns = rows, columns
        self._flat = rows[:, None] * width + columns if len(rows) <= _MANY else None

    def of(self, table: np.ndarray) -> np.ndarray:
        if self._flat is None:
            return table.take(self._rows, axis=0).take(self._columns, axis=1)
        return table.take(self._flat)


@dataclass(frozen=True)
class DerivativeIndex:
    """Positions of the derivatives of Sigma, one entry per parameter that changes it.

    Parameters
    ----------
    left, right: rows of Z that are a and b. scale: of b, shape (r, 1).
    height, width: rows of Z and of `effects`.
    pair_scale: products of two scales, shape (r, r); None if all are one.
    moving: column of Lambda or Beta through which a parameter changes the derivatives of others,
    and bent: row of Beta or Psi through which others change its own, both as positions in
    `effects`. column: the column of Lambda, Beta or Psi, as a position in `effects`.
    """

    left: np.ndarray
    right: np.ndarray
    scale: np.ndarray
    height: int
    width: int
    pair_scale: np.ndarray | None
    moving: np.ndarray
    bent: np.ndarray
    column: np.ndarray

    @cached_property
    def _slope(self) -> np.ndarray:
        return self.left * self.height + self.right

    @cached_property
    def _near(self) -> _Pairs:
        return _Pairs(self.left, self.left, self.height)

    @cached_property
    def _crossed(self) -> _Pairs:
        return _Pairs(self.left, self.right, self.height)

    @cached_property
    def _far(self) -> _Pairs:
        return _Pairs(self.right, self.right, self.height)

    @cached_property
    def _led(self) -> _Pairs:
        return _Pairs(self.moving, self.bent, self.width)

    @cached_property
    def _shared(self) -> _Pairs:
        return _Pairs(self.column, self.column, self.width)

    def pick(self, product: np.ndarray) -> Picked:
        """Return a M a', a M b' and b M b' for every pair of parameters, taken from Z M Z', shape
        (r, r)."""
        return self._near.of(product), self._crossed.of(product), self._far.of(product)

    def scaled(self, pairs: np.ndarray) -> np.ndarray:
        """Multiply by the scales of both parameters, in place."""
        if self.pair_scale is not None:
            pairs *= self.pair_scale
        return pairs

    def gradient(self, product: np.ndarray) -> np.ndarray:
        """Return tr(M dSigma) / 2 of every parameter, from Z M Z'."""
        return product.take(self._slope) * self.scale[:, 0]

    def information(self, product: np.ndarray) -> np.ndarray:
        """Return tr(W dSigma W dSigma) / 2 of every pair, from Z W Z'."""
        near, crossed, far = self.pick(product)
        near *= far
        near += crossed * crossed.T
        return self.scaled(near)

    def bends(self, product: np.ndarray, effects: np.ndarray) -> np.ndarray:
        """Return the second derivatives of tr(M Sigma) / 2 from Z M Z'."""
        out = self._crossed.of(product) * self._led.of(effects)
        out = out + out.T
        out += self._near.of(product) * self._shared.of(effects)
        return self.scaled(out)

    def hessian(
        self, plain: np.ndarray, heavy: np.ndarray, effects: np.ndarray | None
    ) -> np.ndarray:
        """Return the Hessian of (log det Sigma + tr(W T)) / 2, from Z W Z' and Z W T W Z', with W
        the inverse of Sigma; without `effects` as if Sigma were linear.
        """
        near, crossed, far = self.pick(plain)
        # This is W T W - W / 2, the second factor in tr(W dSigma (W T W - W / 2) dSigma). The
        # weight of second derivatives, W - W T W, is W / 2 minus it.
        more_near, more_crossed, more_far = self.pick(heavy - plain / 2)
        half = crossed * more_crossed.T
        if effects is not None:
            crossed *= 0.5
            crossed -= more_crossed
            crossed *= self._led.of(effects)
            half += crossed
        out = half + half.T
        more_far *= near
        out += more_far
        far *= more_near
        out += far
        if effects is not None:
            near *= 0.5
            near -= more_near
            near *= self._shared.of(effects)
            out += near
        return self.scaled(out)


def effects(latent_cov: np.ndarray, total: np.ndarray) -> np.ndarray:
    """Return cov(eta) and (I - Beta)^-1 side by side, with the transpose of the latter below and
    zeros elsewhere. The last row and column are zero, for parameters without second derivatives.

    A parameter of Lambda or Beta changes the factor a of Beta and Psi, and b of Lambda and Beta;
    one of Psi changes b of Lambda and Beta.
    """
    q = len(total)
    out = np.zeros((2 * q + 1, 2 * q + 1))
    out[:q, :q] = latent_cov
    out[:q, q : 2 * q] = total
    out[q : 2 * q, :q] = total.T
    return out


def index_derivatives(
    kind: np.ndarray, row: np.ndarray, column: np.ndarray, p: int, q: int
) -> DerivativeIndex:
    """Return the positions for parameters in `row` and `column` of the matrices `kind`."""
    left = np.where((kind == LOADING) | (kind == RESIDUAL), row, p + row)
    moving, latent = kind <= REGRESSION, kind == COVARIANCE
    right = np.where(moving, p + q + column, np.where(latent, p + column, column))
    scale = np.where((kind >= COVARIANCE) & (row == column), 0.5, 1.0)[:, None]
    nothing = 2 * q
    inner = (kind == REGRESSION) | latent
    return DerivativeIndex(
        left=left,
        right=right,
        scale=scale,
        height=p + 2 * q,
        width=2 * q + 1,
        pair_scale=None if (scale == 1).all() else scale * scale.T,
        moving=np.where(moving, column, nothing),
        bent=np.where(inner, q + row, nothing),
        column=np.where(moving, column, np.where(latent, q + column, nothing)),
    )
