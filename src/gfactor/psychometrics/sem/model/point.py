"""A model at given parameters: implied moments and their exact derivatives.

Every parameter moves Sigma by a matrix of rank two, dSigma = a b' + b a', so that all that an
estimator needs (gradient, information, Hessian, casewise scores) is a product of the two thin
matrices of all a and all b; the tall matrix of derivatives is made only where it is asked for.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from gfactor.psychometrics.sem.model.structure import (
    COVARIANCE,
    LOADING,
    MEAN,
    REGRESSION,
    GroupStructure,
    Structure,
)


def vech_places(p: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows and columns of the lower triangle, column by column, as lavaan stacks it."""
    column, row = np.triu_indices(p)
    return row, column


_MIRRORED = (
    (LOADING, REGRESSION),
    (LOADING, COVARIANCE),
    (REGRESSION, COVARIANCE),
    (LOADING, MEAN),
    (REGRESSION, MEAN),
)
"""Pairs of matrices whose block of second derivatives is filled in once and mirrored."""


class GroupPoint:
    """One group's matrices at a parameter vector; derivatives are made when first asked for."""

    def __init__(self, structure: GroupStructure, theta: np.ndarray) -> None:
        self.structure = structure
        matrices = list(structure.base)
        for kind, row, column, index in structure.filled:
            matrices[kind] = matrices[kind].copy()
            matrices[kind][row, column] = theta[index]
        self.loading, self.regression, self.psi, self.theta, self.nu, self.alpha = matrices
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
            return np.linalg.inv(identity - self.regression)
        total = power = identity
        for _ in range(depth):
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
    def _left(self) -> np.ndarray:
        return np.concatenate([self.structure.identities[0], self.reduced.T])

    @cached_property
    def factors(self) -> tuple[np.ndarray, np.ndarray]:
        """a and b, one row per parameter that moves Sigma: dSigma = a b' + b a'."""
        _, left, right, scale = self.structure.covariance_part
        source = np.concatenate([self.cross.T, self.reduced.T, self.structure.identities[0]])
        return self._left[left], source[right] * scale

    @cached_property
    def mean_factor(self) -> np.ndarray:
        """dmu, one row per parameter that moves mu."""
        _, left, eta = self.structure.mean_part
        scale = np.append(self.latent_mean, 1.0)[eta]
        return self._left[left] * scale[:, None]

    def delta(self, meanstructure: bool, n_free: int) -> np.ndarray:
        """d(mu, vech Sigma) / d theta, dense: shape (p + p(p+1)/2, n_free), lower triangle column
        by column; without the mean rows where there is no mean structure."""
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
        """Second derivatives of tr(weight Sigma) + pull' mu with weight and pull held fixed.

        Parameters
        ----------
        weight: symmetric, shape (p, p). pull: shape (p,).

        Returns shape (r, r), r the group's free parameters in the order of `structure.index`.
        """
        s = self.structure
        out = np.zeros((len(s.index), len(s.index)))
        total, reduced, cross, cov = self.total, self.reduced, self.cross, self.latent_cov
        lam, beta, psi = (s.of_kind[kind] for kind in (LOADING, REGRESSION, COVARIANCE))
        i, j = s.row[lam], s.column[lam]
        k, h = s.row[beta], s.column[beta]
        e, f = s.row[psi], s.column[psi]
        half = np.where(e == f, 0.5, 1.0)
        at = s.blocks
        out[at[LOADING, LOADING]] = 2 * weight[i[:, None], i] * cov[j[:, None], j]
        wg = weight @ reduced
        gwg = np.zeros((0, 0))
        if len(psi):
            block = (
                wg[i[:, None], e] * total[j[:, None], f] + wg[i[:, None], f] * total[j[:, None], e]
            )
            out[at[LOADING, COVARIANCE]] = 2 * half * block
        if len(beta):
            wc, gwg, gwc = weight @ cross, reduced.T @ wg, wg.T @ cross
            out[at[LOADING, REGRESSION]] = 2 * (
                wg[i[:, None], k] * cov[j[:, None], h] + wc[i[:, None], h] * total[j[:, None], k]
            )
            crossed = total[h[:, None], k] * gwc[k[:, None], h]
            out[at[REGRESSION, REGRESSION]] = 2 * (
                crossed + crossed.T + gwg[k[:, None], k] * cov[h[:, None], h]
            )
        if len(beta) and len(psi):
            block = (
                gwg[k[:, None], e] * total[h[:, None], f]
                + gwg[k[:, None], f] * total[h[:, None], e]
            )
            out[at[REGRESSION, COVARIANCE]] = 2 * half * block
        if s.latent_means:
            self._mean_curvature(out, pull, lam, beta)
        for one, other in _MIRRORED[: 5 if s.latent_means else 3]:
            if len(s.of_kind[one]) and len(s.of_kind[other]):
                out[at[other, one]] = out[at[one, other]].T
        return out

    def _mean_curvature(
        self, out: np.ndarray, pull: np.ndarray, lam: np.ndarray, beta: np.ndarray
    ) -> None:
        """Adds what mu = nu + Lambda (I - Beta)^-1 alpha bends."""
        s = self.structure
        total, eta = self.total, self.latent_mean
        alpha = s.of_kind[MEAN]
        m = s.row[alpha]
        i, j = s.row[lam], s.column[lam]
        k, h = s.row[beta], s.column[beta]
        at = s.blocks
        out[at[LOADING, MEAN]] += pull[i][:, None] * total[j[:, None], m]
        if len(beta):
            gp = self.reduced.T @ pull
            out[at[LOADING, REGRESSION]] += pull[i][:, None] * total[j[:, None], k] * eta[h]
            out[at[REGRESSION, MEAN]] += gp[k][:, None] * total[h[:, None], m]
            crossed = total[h[:, None], k] * gp[k][:, None] * eta[h]
            out[at[REGRESSION, REGRESSION]] += crossed + crossed.T


class Point:
    """All groups of a model at one parameter vector."""

    def __init__(self, structure: Structure, theta: np.ndarray) -> None:
        self.structure = structure
        self.theta = theta
        self.groups = tuple(GroupPoint(group, theta) for group in structure.groups)

    def delta(self, group: int) -> np.ndarray:
        """The dense derivatives of one group's moments, see `GroupPoint.delta`."""
        return self.groups[group].delta(self.structure.meanstructure, self.structure.n_free)
