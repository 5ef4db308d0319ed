"""A model of ordinal variables at given parameters: implied statistics and their derivatives."""

from __future__ import annotations

import copy
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gfactor.psychometrics.float_arrays import einsum
from gfactor.psychometrics.sem.model import GroupPoint, Point, vech_places
from gfactor.psychometrics.sem.model.derivative_index import LOADING, REGRESSION
from gfactor.psychometrics.sem.model.structure import GroupStructure
from gfactor.psychometrics.sem.ordinal.moments import below
from gfactor.psychometrics.sem.ordinal.structure import OrdinalGroup, OrdinalStructure

Array = NDArray[np.float64]


class OrdinalGroupPoint(GroupPoint):
    """The matrices and statistics of one group at a parameter vector.

    `sigma`, `theta` and `mu` belong to the latent responses of ordinal variables. `scaled`, with
    which the sample's correlations are compared, is `sigma` with ones on their diagonal. With
    given covariates, these are residual moments at x = 0, and `slopes` are the effects.
    """

    def __init__(
        self, structure: GroupStructure, ordinal: OrdinalGroup, delta: bool, theta: Array
    ) -> None:
        super().__init__(structure, theta)
        self.ordinal = ordinal
        self.n_free = len(theta)
        self.by_scale = delta
        ordered = ordinal.ordered
        if delta:
            self.scale = ordinal.scales.at(theta)
            common = np.diag(self.sigma) - np.diag(self.theta)
            residual = np.where(ordered, 1 / self.scale**2 - common, np.diag(self.theta))
            self.theta = self.theta - np.diag(np.diag(self.theta) - residual)
            self.sigma = self.sigma - np.diag(np.diag(self.sigma) - common - residual)
            self._lend_residuals()
            self.defined = True
        else:
            variance = np.diag(self.sigma)
            self.defined = bool((variance[ordered] > 0).all())
            safe = np.where(variance > 0, variance, 1.0)
            self.scale = np.where(ordered, 1 / np.sqrt(safe), 1.0)
        self.scaled = self.sigma * np.outer(self.scale, self.scale)
        self.thresholds = ordinal.thresholds.at(theta)
        self.center = self.mu

    def _lend_residuals(self) -> None:
        """Give ordinal variables that regressions predict their residual variance in psi. They
        predict nothing (`compile_ordinal` refuses that), so that no covariance changes."""
        s = self.structure
        for k, eta in self.ordinal.predicted:
            rest = self.theta[k, k]
            self.psi, self.latent_cov = self.psi.copy(), self.latent_cov.copy()
            self.psi[eta, eta] += rest
            self.latent_cov[eta, eta] += rest
            self.theta[k, k] = 0.0
        if self.ordinal.predicted and s.p:
            self.cross = self.loading @ self.latent_cov

    def marginal(self, covariances: Array, means: Array) -> OrdinalGroupPoint:
        """Return the moments over cases whose given covariates have this covariance, for
        standardization. `center` includes the effect of their means; `mu` stays the value with
        which thresholds were fitted."""
        point = copy.copy(self)
        given = self.ordinal.given
        point.psi = self.psi.copy()
        point.psi[np.ix_(given, given)] = covariances
        paths = self.total[:, given]
        point.latent_cov = self.latent_cov + paths @ covariances @ paths.T
        point.sigma = self.sigma + self.slopes @ covariances @ self.slopes.T
        point.center = self.mu + self.slopes @ means
        return point

    @cached_property
    def slopes(self) -> Array:
        """Total effects of given covariates on the responses, shape (p, q)."""
        return self.reduced[:, self.ordinal.given]

    @cached_property
    def _slope_part(self) -> Array:
        """Derivatives of `slopes`, shape (p, q, n_free): the effects of a covariate are the means
        if it alone is one."""
        s = self.structure
        out = np.zeros((s.p, len(self.ordinal.given), self.n_free))
        left = np.concatenate([np.eye(s.p), self.reduced.T])
        for kind, first in ((LOADING, 0), (REGRESSION, s.p)):
            elements = s.of_kind[kind]
            way = left[first + s.row[elements]]
            for k, covariate in enumerate(self.ordinal.given):
                share = self.total[s.column[elements], covariate]
                out[:, k, s.index[elements]] += (way * share[:, None]).T
        return out

    def _slope_bend(self, pull: Array) -> Array:
        """Second derivatives of the sum of pull * slopes, by the group's own parameters."""
        s = self.structure
        out = np.zeros((len(s.index),) * 2)
        lam, beta = s.of_kind[LOADING], s.of_kind[REGRESSION]
        i, j = s.row[lam], s.column[lam]
        k, h = s.row[beta], s.column[beta]
        for number, covariate in enumerate(self.ordinal.given):
            pulled, effect = pull[:, number], self.total[:, covariate]
            through = self.reduced.T @ pulled
            block = pulled[i][:, None] * self.total[j[:, None], k] * effect[h]
            out[np.ix_(lam, beta)] += block
            out[np.ix_(beta, lam)] += block.T
            crossed = self.total[h[:, None], k] * through[k][:, None] * effect[h]
            out[np.ix_(beta, beta)] += crossed + crossed.T
        return out

    @cached_property
    def statistics(self) -> Array:
        """Implied statistics, in the order of `OrdinalMoments.statistics`."""
        owner = self.ordinal.owner
        first = self.scale[owner] * (self.thresholds - self.mu[owner])
        row, column = below(self.structure.p)
        variances = np.diag(self.sigma)[~self.ordinal.ordered]
        slopes = self.scale[:, None] * self.slopes
        return np.concatenate([first, slopes.ravel(), variances, self.scaled[row, column]])

    @cached_property
    def _parts(self) -> tuple[Array, Array, Array, Array, Array]:
        """Derivatives of mu, of the variances, of the covariances below the diagonal (unscaled),
        of the scales and of the thresholds."""
        p, n_free = self.structure.p, self.n_free
        dense = GroupPoint.delta(self, True, n_free)
        row, column = vech_places(p)
        on = row == column
        variances, covariances = dense[p:][on], dense[p:][~on]
        if self.by_scale:
            scales = self.ordinal.scales.derivative(n_free)
        else:
            slope = np.where(self.ordinal.ordered, -0.5 * self.scale**3, 0.0)
            scales = slope[:, None] * variances
        return dense[:p], variances, covariances, scales, self.ordinal.thresholds.derivative(n_free)

    def delta(self, meanstructure: bool, n_free: int) -> Array:
        """Return d statistics / d theta, shape (statistics, n_free)."""
        return self._delta

    @cached_property
    def _delta(self) -> Array:
        owner, scale = self.ordinal.owner, self.scale
        means, variances, covariances, scales, thresholds = self._parts
        first = scale[owner, None] * (thresholds - means[owner])
        row, column = below(self.structure.p)
        rest = (scale[row] * scale[column])[:, None] * covariances
        effects = scale[:, None, None] * self._slope_part
        if scales.any():
            first += (self.thresholds - self.mu[owner])[:, None] * scales[owner]
            cov = self.sigma[row, column]
            rest += (cov * scale[column])[:, None] * scales[row]
            rest += (cov * scale[row])[:, None] * scales[column]
            effects += self.slopes[:, :, None] * scales[:, None, :]
        return np.vstack(
            [
                first,
                effects.reshape(-1, self.n_free),
                variances[~self.ordinal.ordered],
                rest,
            ]
        )

    def bend(self, v: Array, n_free: int) -> Array:
        """Return second derivatives of v' statistics, shape (n_free, n_free)."""
        owner, scale, ordered = self.ordinal.owner, self.scale, self.ordinal.ordered
        p = self.structure.p
        row, column = below(p)
        means, variances, covariances, scales, thresholds = self._parts
        ends = np.cumsum([len(owner), self.slopes.size, int((~ordered).sum())])
        first, effects, middle, last = np.split(v, ends)
        effects = effects.reshape(self.slopes.shape)
        cov = self.sigma[row, column]
        weight = np.zeros((p, p))
        weight[row, column] = weight[column, row] = last * scale[row] * scale[column] / 2
        weight[np.flatnonzero(~ordered), np.flatnonzero(~ordered)] += middle
        pull = -np.bincount(owner, first * scale[owner], minlength=p)
        out = np.zeros((n_free, n_free))
        if scales.any():
            pairs = np.arange(len(row))
            cross = np.zeros((p, len(row)))
            cross[row, pairs], cross[column, pairs] = last * scale[column], last * scale[row]
            mixed = scales.T @ (cross @ covariances)
            mixed += (scales[owner] * first[:, None]).T @ (thresholds - means[owner])
            if effects.size:
                mixed += einsum("pa,pq,pqb->ab", scales, effects, self._slope_part)
            both = np.zeros((p, p))
            both[row, column] = both[column, row] = last * cov
            out += mixed + mixed.T + scales.T @ both @ scales
        if not self.by_scale:
            coefficient = np.bincount(row, last * cov * scale[column], minlength=p)
            coefficient += np.bincount(column, last * cov * scale[row], minlength=p)
            coefficient += np.bincount(
                owner, first * (self.thresholds - self.mu[owner]), minlength=p
            )
            coefficient += (effects * self.slopes).sum(axis=1)
            coefficient = np.where(ordered, coefficient, 0.0)
            out += (variances * (0.75 * coefficient * scale**5)[:, None]).T @ variances
            weight -= np.diag(0.5 * coefficient * scale**3)
        index = self.structure.index
        out[np.ix_(index, index)] += self.curvature(weight, pull)
        if effects.size:
            out[np.ix_(index, index)] += self._slope_bend(effects * scale[:, None])
        return out


class OrdinalPoint(Point):
    """All groups at one parameter vector."""

    def __init__(self, structure: OrdinalStructure, theta: Array) -> None:
        self.structure = structure.latent
        self.theta = theta
        self.groups = tuple(
            OrdinalGroupPoint(group, ordinal, structure.delta, theta)
            for group, ordinal in zip(structure.latent.groups, structure.groups, strict=True)
        )
