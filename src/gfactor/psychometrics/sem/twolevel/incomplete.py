"""Both levels of a group whose clusters have missing values: full information maximum likelihood.
Given the parts between clusters, cases are independent, and a case has information on its cluster
only through its observed values. So a cluster's density is that of its cases with the parts between
clusters integrated out, and needs only sums over the cases with the same values missing.

The matrices are those of `posteriors`: with D the inverse of the covariances of the observed values
(zero elsewhere), A the sum of D over a cluster's cases, and S the covariances of the parts between
clusters given the cluster's own variables, the covariances of these parts given all values are V =
(I + S A)^-1 S, which exists for every S for which the cluster's values have a density.

References
----------
Goldstein, H., McDonald, R. P. (1988). A general model for the analysis of multilevel data.
    Psychometrika 53, 455-467.
Lyness, J. N., Moler, C. B. (1967). Numerical differentiation of analytic functions. SIAM Journal on
    Numerical Analysis 4, 202-210.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gfactor.psychometrics.float_arrays import cholesky, einsum, inv, solve
from gfactor.psychometrics.sem.twolevel.group_levels import GroupLevels
from gfactor.psychometrics.sem.twolevel.patterns import ClusterPatterns

Array = NDArray[np.float64]

_STEP = 1e-30
"""Imaginary step of second derivatives: the slopes are analytic, so that nothing is lost."""


def _flat(matrices: Any) -> Any:
    return matrices.reshape(len(matrices), -1)


@dataclass(frozen=True)
class Posteriors:
    """Posterior of each cluster's between-cluster component, given its values.

    Parameters
    ----------
    padded, inverse: per pattern, covariances within clusters of the observed values (1 on the
    diagonal of the others), and their inverse D (zero for the others).
    level_padded, level_inverse: the same of the variables between clusters alone.
    prior, given: per cluster, S and the mean of the parts, given the variables between alone.
    information, pull: per cluster, A and the sum of D times deviations.
    covariance, mean: per cluster, V and the mean of the parts, given all values.
    lift: per cluster, the matrix that carries slopes by the parts to slopes by all variables.
    outside: per cluster, deviations of the variables between alone, zero if missing.
    """

    padded: Any
    inverse: Any
    level_padded: Any
    level_inverse: Any
    prior: Any
    given: Any
    information: Any
    pull: Any
    covariance: Any
    mean: Any
    lift: Any
    outside: Any

    @cached_property
    def precision(self) -> Any:
        """Precisions of each cluster's values, summed over its cases, of all variables."""
        a = self.information
        inner = a - a @ self.covariance @ a
        out = self.lift @ inner @ np.swapaxes(self.lift, 1, 2)
        p = a.shape[1]
        out[:, p:, p:] += self.level_inverse
        return out

    @cached_property
    def slope(self) -> Any:
        """Derivatives of each cluster's log density with respect to the means, (clusters,
        variables)."""
        moved = self.pull - einsum("jab,jb->ja", self.information, self.given)
        away = moved - einsum("jab,jbc,jc->ja", self.information, self.covariance, moved)
        out = einsum("jab,jb->ja", self.lift, away)
        out[:, away.shape[1] :] += einsum("jab,jb->ja", self.level_inverse, self.outside)
        return out


def _inverted(matrix: Any, seen: Array) -> tuple[Any, Any]:
    """Per pattern the matrix of the observed values, padded with ones, and its inverse, with
    zeros."""
    both = seen[:, :, None] * seen[:, None, :]
    padded = matrix * both + np.eye(seen.shape[1]) * (1 - seen)[:, :, None]
    return padded, inv(padded) * both


def posteriors(data: ClusterPatterns, within: Any, between: Any, mean: Any) -> Posteriors:
    """Return the posterior moments given the observed values, at these covariances within and
    between clusters and these means."""
    p = len(within)
    padded, inverse = _inverted(within, data.seen)
    each = inverse[data.pattern]
    information = data.over_clusters(data.counts[:, None, None] * each)
    away = data.sums - data.counts[:, None] * data.seen[data.pattern] * mean[:p]
    pull = data.over_clusters(einsum("mab,mb->ma", each, away))
    level_padded, level_inverse = _inverted(between[p:, p:], data.level_seen)
    slopes = between[:p, p:] @ level_inverse
    prior = (between[:p, :p] - slopes @ between[p:, :p])[data.level_pattern]
    slopes = slopes[data.level_pattern]
    outside = (data.level_values - mean[p:]) * data.level_seen[data.level_pattern]
    given = einsum("jab,jb->ja", slopes, outside)
    covariance = solve(np.eye(p) + prior @ information, prior)
    moved = pull - einsum("jab,jb->ja", information, given)
    centered = given + einsum("jab,jb->ja", covariance, moved)
    unit = np.broadcast_to(np.eye(p), (len(given), p, p))
    lift = np.concatenate([unit, -np.swapaxes(slopes, 1, 2)], axis=1)
    return Posteriors(
        padded, inverse, level_padded, level_inverse[data.level_pattern], prior, given,
        information, pull, covariance, centered, lift, outside,
    )  # fmt: skip


def _products(data: ClusterPatterns, means: Any) -> Any:
    """Sums of products of deviations from these means, per group of like cases."""
    crossed = data.sums[:, :, None] * means[:, None, :]
    squares = data.counts[:, None, None] * means[:, :, None] * means[:, None, :]
    return data.products - crossed - np.swapaxes(crossed, 1, 2) + squares


def moment_slopes(data: ClusterPatterns, at: Posteriors, mean: Any) -> tuple[Any, Any, Any]:
    """Return the derivatives of each cluster's log density with respect to Sigma_W, Sigma_B and the
    means."""
    slope = at.slope
    outer = (slope[:, :, None] * slope[:, None, :] - at.precision) / 2
    each = at.inverse[data.pattern]
    p = each.shape[1]
    squares = _products(data, mean[:p] + at.mean[data.cluster])
    squares = squares + data.counts[:, None, None] * at.covariance[data.cluster]
    inside = (each @ squares @ each - data.counts[:, None, None] * each) / 2
    return data.over_clusters(inside), outer, slope


class IncompleteLevels(GroupLevels):
    """A group in which values are missing."""

    @property
    def data(self) -> ClusterPatterns:
        return self.clusters.patterns

    @cached_property
    def _moments(self) -> tuple[Array, Array, Array]:
        """Sigma_W of the variables within, Sigma_B and means of all variables."""
        p = len(self.clusters.variables)
        between = np.zeros((p, p))
        positions = self.clusters.positions[1]
        between[np.ix_(positions, positions)] = self.groups[1].sigma
        return self.groups[0].sigma, between, self.mean

    @cached_property
    def at(self) -> Posteriors:
        return posteriors(self.data, *self._moments)

    @cached_property
    def value(self) -> float:
        data = self.data
        with np.errstate(all="ignore"):
            try:
                logs = self._log_determinants()
            except np.linalg.LinAlgError:
                return float("inf")
            at, (_, _, mean) = self.at, self._moments
            each = at.inverse[data.pattern]
            p = each.shape[1]
            squares = _products(data, mean[:p] + at.mean[data.cluster])
            within = float((each * squares).sum())
            shift = at.mean - at.given
            moved = at.pull - einsum("jab,jb->ja", at.information, at.mean)
            # The parts' own distance: V^-1 - A times their shift, squared, without S's inverse.
            level = float((shift * moved).sum())
            outside = float(einsum("ja,jab,jb->", at.outside, at.level_inverse, at.outside))
            whole = (logs + within + level + outside) / (2 * self.clusters.n)
        return whole if np.isfinite(whole) else float("inf")

    def _log_determinants(self) -> float:
        """Return the log determinants of all clusters; LinAlgError if one is not positive."""
        data, at = self.data, self.at
        per_pattern = np.bincount(data.pattern, data.counts, len(data.seen))
        per_level = np.bincount(data.level_pattern, minlength=len(data.level_seen))
        values, vectors = np.linalg.eigh(at.information)
        root = vectors * np.sqrt(np.maximum(values, 0.0))[:, None, :]
        inner = np.eye(root.shape[1]) + np.swapaxes(root, 1, 2) @ at.prior @ root
        return (
            float(per_pattern @ _log_det(at.padded))
            + float(per_level @ _log_det(at.level_padded))
            + float(_log_det(inner).sum())
        )

    @cached_property
    def slopes(self) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
        inside, outside, pull = (
            -one.sum(axis=0) / self.clusters.n
            for one in moment_slopes(self.data, self.at, self._moments[2])
        )
        within, between = self.clusters.positions
        return (inside, pull[within]), (outside[np.ix_(between, between)], pull[between])

    def bend(self, expected: bool) -> Array:
        return self._expected() if expected else self._observed()

    def _observed(self) -> Array:
        """Slopes at moments with an imaginary step along each parameter."""
        p = len(self.clusters.within)
        within, between, shift = self.moves
        within = within[:, :p, :p]
        out = np.zeros((len(shift),) * 2)
        moments = self._moments
        for number, move in enumerate(zip(within, between, shift, strict=True)):
            if not any(one.any() for one in move):
                continue
            there = [one + 1j * _STEP * step for one, step in zip(moments, move, strict=True)]
            at = posteriors(self.data, *there)
            slopes = moment_slopes(self.data, at, there[2])
            inside, outside, pull = (-one.sum(axis=0).imag / _STEP for one in slopes)
            out[number] = _flat(within) @ inside.ravel() + _flat(between) @ outside.ravel()
            out[number] += shift @ pull
        out = out / self.clusters.n
        return (out + out.T) / 2

    def _expected(self) -> Array:
        """The information of normal values with these patterns of missing ones."""
        data, at = self.data, self.at
        p = len(self.clusters.within)
        within, between, shift = self.moves
        within = within[:, :p, :p]
        count = len(shift)
        out = np.zeros((count, count))
        per_pattern = np.bincount(data.pattern, data.counts, len(data.seen))
        spread = np.zeros_like(at.inverse)
        np.add.at(spread, data.pattern, data.counts[:, None, None] * at.covariance[data.cluster])
        turned = einsum("kab,qbc->kqac", at.inverse, within)
        for share, one, inverse, by in zip(per_pattern, turned, at.inverse, spread, strict=True):
            flat = np.swapaxes(one, 1, 2).reshape(count, -1)
            out += share * (one.reshape(count, -1) @ flat.T)
            out -= 2 * ((inverse @ by @ one).reshape(count, -1) @ flat.T)
        # Sums over a cluster's cases of D dSigma_W D.
        each = einsum("kqab,kbc->kqac", turned, at.inverse)
        for j, rows in enumerate(data.members):
            sums = einsum("m,mqab->qab", data.counts[rows], each[data.pattern[rows]])
            inner = at.covariance[j] @ sums
            out += inner.reshape(count, -1) @ np.swapaxes(inner, 1, 2).reshape(count, -1).T
            a_v = np.eye(p) - at.information[j] @ at.covariance[j]
            carried = at.lift[j] @ a_v @ sums @ a_v.T @ at.lift[j].T
            mixed = carried.reshape(count, -1) @ _flat(between).T
            out += mixed + mixed.T
            level = at.precision[j] @ between
            out += level.reshape(count, -1) @ np.swapaxes(level, 1, 2).reshape(count, -1).T
            out += 2 * shift @ at.precision[j] @ shift.T
        return (out + out.T) / (4 * self.clusters.n)

    def scores(self) -> Array:
        p = len(self.clusters.within)
        within, between, shift = self.moves
        inside, outside, pull = moment_slopes(self.data, self.at, self._moments[2])
        return (
            _flat(inside) @ _flat(within[:, :p, :p]).T
            + _flat(outside) @ _flat(between).T
            + pull @ shift.T
        )


def _log_det(matrices: Array) -> Array:
    """Log determinants by Cholesky; LinAlgError if a matrix is not positive definite."""
    roots = cholesky(matrices)
    return 2 * np.log(np.diagonal(roots, axis1=1, axis2=2)).sum(axis=1)
