"""A model at given parameters: implied moments and their exact derivatives.

Every parameter moves Sigma by a matrix of rank two, dSigma = a b' + b a', so that all that an
estimator needs (gradient, information, Hessian, casewise scores) is a product of the two thin
matrices of all a and all b; the tall matrix of derivatives is formed only on request.
"""

from __future__ import annotations

from functools import cached_property, lru_cache

import numpy as np

from gfactor.psychometrics.float_arrays import inv
from gfactor.psychometrics.sem.model.derivative_index import LOADING, MEAN, REGRESSION, effects
from gfactor.psychometrics.sem.model.structure import GroupStructure, Structure


@lru_cache(maxsize=64)
def vech_places(p: int) -> tuple[np.ndarray, np.ndarray]:
    """Return rows and columns of the lower triangle, column by column, in lavaan's order."""
    column, row = np.triu_indices(p)
    for indices in (row, column):
        indices.setflags(write=False)
    return row, column


class GroupPoint:
    """One group's matrices at a parameter vector; derivatives are computed when first used."""

    def __init__(self, structure: GroupStructure, theta: np.ndarray) -> None:
        self.structure = structure
        fixed, positions, numbers, parts = structure.flat
        values = fixed.copy()
        values[positions] = theta[numbers]
        self.loading, self.regression, self.psi, self.theta, self.nu, self.alpha = (
            values[part].reshape(matrix.shape)
            for part, matrix in zip(parts, structure.base, strict=True)
        )
        if structure.recursive:
            self.total = self._total_effects()
            self.reduced = self.loading @ self.total
            self.latent_cov = self.total @ self.psi @ self.total.T
        else:
            self.total = structure.identities[1]
            self.reduced = self.loading
            self.latent_cov = self.psi
        self.cross = self.loading @ self.latent_cov
        sigma = self.cross @ self.loading.T + self.theta
        self.sigma = (sigma + sigma.T) / 2

    def _total_effects(self) -> np.ndarray:
        """(I - Beta)^-1."""
        identity, depth = self.structure.identities[1], self.structure.depth
        if depth is None:
            return inv(identity - self.regression)
        power = self.regression
        total = identity + power
        for _ in range(depth - 1):
            power = power @ self.regression
            total = total + power
        return total

    @cached_property
    def latent_mean(self) -> np.ndarray:
        return (self.total @ self.alpha)[:, 0]

    @cached_property
    def mu(self) -> np.ndarray:
        if not self.structure.latent_means:
            return self.nu[:, 0]
        return self.nu[:, 0] + self.loading @ self.latent_mean

    @cached_property
    def reach(self) -> np.ndarray:
        """Z, shape (p + 2 q, p), the effect of a change in each row of the matrices; see
        `derivative_index`."""
        return np.concatenate([self.structure.identities[0], self.reduced.T, self.cross.T])

    @cached_property
    def factors(self) -> tuple[np.ndarray, np.ndarray]:
        """a and b, one row per parameter that changes Sigma: dSigma = a b' + b a'."""
        picked = self.structure.covariance_part[1]
        return self.reach[picked.left], self.reach[picked.right] * picked.scale

    @cached_property
    def mean_factor(self) -> np.ndarray:
        """dmu, one row per parameter that changes mu."""
        _, left, eta = self.structure.mean_part
        scale = np.append(self.latent_mean, 1.0)[eta]
        return self.reach[left] * scale[:, None]

    def delta(self, meanstructure: bool, n_free: int) -> np.ndarray:
        """Return d(mu, vech Sigma) / d theta as a dense matrix, shape (p + p(p+1)/2, n_free).

        The lower triangle is stacked column by column. The rows of the means are left out if there
        is no mean structure.
        """
        p = self.structure.p
        row, column = vech_places(p)
        skip = p if meanstructure else 0
        dense = np.zeros((skip + len(row), n_free))
        a, b = self.factors
        chosen = self.structure.covariance_part[0]
        moved = a[:, row] * b[:, column] + a[:, column] * b[:, row]
        dense[skip:, self.structure.index[chosen]] = moved.T
        if meanstructure:
            means = self.structure.mean_part[0]
            dense[:p, self.structure.index[means]] = self.mean_factor.T
        return dense

    def curvature(self, weight: np.ndarray, pull: np.ndarray) -> np.ndarray:
        """Return the second derivatives of tr(weight Sigma) + pull' mu at fixed weight and pull.

        Parameters
        ----------
        weight: symmetric, shape (p, p). pull: shape (p,).

        Returns a matrix of shape (r, r) for the group's r free parameters, in the order of
        `structure.index`.
        """
        s = self.structure
        out = np.zeros((len(s.index), len(s.index)))
        z = self.reach
        bent = s.covariance_part[1].bends(z @ weight @ z.T, self.effects)
        out[s.selectors[0]] = 2 * bent
        if s.latent_means:
            out += self.mean_bends(pull)
        return out

    @property
    def effects(self) -> np.ndarray:
        """Return the effects from which the second derivatives of Sigma are computed."""
        return effects(self.latent_cov, self.total)

    def mean_bends(self, pull: np.ndarray) -> np.ndarray:
        """Return the second derivatives of pull' mu, mu = nu + Lambda (I - Beta)^-1 alpha."""
        s = self.structure
        total, eta = self.total, self.latent_mean
        lam, beta, alpha = (s.of_kind[kind] for kind in (LOADING, REGRESSION, MEAN))
        m = s.row[alpha]
        i, j = s.row[lam], s.column[lam]
        k, h = s.row[beta], s.column[beta]
        at = s.blocks
        out = np.zeros((len(s.index), len(s.index)))
        out[at[LOADING, MEAN]] = pull[i][:, None] * total[j[:, None], m]
        if len(beta):
            gp = self.reduced.T @ pull
            out[at[LOADING, REGRESSION]] = pull[i][:, None] * total[j[:, None], k] * eta[h]
            out[at[REGRESSION, MEAN]] = gp[k][:, None] * total[h[:, None], m]
            out[at[REGRESSION, REGRESSION]] = total[h[:, None], k] * gp[k][:, None] * eta[h]
        return out + out.T


class Point:
    """All groups of a model at one parameter vector."""

    def __init__(self, structure: Structure, theta: np.ndarray) -> None:
        self.structure = structure
        self.theta = theta
        self.groups = tuple(GroupPoint(group, theta) for group in structure.groups)

    def delta(self, group: int) -> np.ndarray:
        """Return the dense derivatives of one group's moments, see `GroupPoint.delta`."""
        return self.groups[group].delta(self.structure.meanstructure, self.structure.n_free)
