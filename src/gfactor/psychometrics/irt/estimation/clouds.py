"""Draws of abilities: of every person around the posterior, and of the whole population.

Draws are points of a sequence that fills the cube evenly (Niederreiter 1992), shifted at random for
each person and in each of several parts.

References
----------
Niederreiter, H. (1992). Random number generation and quasi-Monte Carlo methods. SIAM.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from scipy import special

from gfactor.psychometrics.irt.estimation.mhrm import Sampler
from gfactor.psychometrics.irt.likelihood.curves import Floats
from gfactor.psychometrics.irt.likelihood.marginal import Quadrature

PARTS = 4
"""Number of parts of every person's draws, each shifted by itself."""
SETTLING, SETTLED = 60, 200
"""Metropolis-Hastings steps at the estimates: before the first means and covariances, and for
them."""
POOLED = 0.3
"""Weight of the mean covariance in the covariance of every person's draws."""
WIDER = 1.15
"""Standard deviation of the draws, relative to the posterior's: their tails must not be thinner."""
POPULATION = 4_096
"""Number of nodes of the population."""


@dataclass(frozen=True)
class Cloud(Quadrature):
    """Nodes drawn from the population, for integrals over it.

    Parameters
    ----------
    points : int
        Number of nodes.
    limit : float
        The largest node.
    nodes : array (Q, F)
        The nodes.
    log_weights : array (Q,)
        Log of the volume that each node stands for, up to a constant.
    """

    nodes: Floats = field(default_factory=lambda: np.zeros((1, 1)), repr=False)
    log_weights: Floats = field(default_factory=lambda: np.zeros(1), repr=False)

    def grid(self, factors: int) -> Floats:
        """Return all nodes, (points, factors)."""
        assert self.nodes.shape[1] == factors
        return self.nodes

    @property
    def log_volumes(self) -> Floats:
        """Log of the volume that each node stands for, up to a constant."""
        return self.log_weights


@dataclass(frozen=True)
class AbilityDraws:
    """Draws (P, R, F) of the abilities of a group's persons, with the log density of each."""

    theta: Floats
    log_density: Floats


def weighted_moments(theta: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Return means (P, F) and covariances (P, F, F) of weighted draws."""
    mean = np.matmul(weights[:, None], theta)[:, 0]
    away = theta - mean[:, None]
    return mean, np.matmul((away * weights[:, :, None]).transpose(0, 2, 1), away)


def first_moments(sampler: Sampler, values: Floats) -> list[tuple[Floats, Floats]]:
    """Return means and covariances of the persons' abilities along a chain, for each group."""
    for cycle in range(SETTLING):
        if cycle % 20 == 0:
            sampler.shape(values)
        rate, _ = sampler.move(values, 1)
        sampler.scale *= float(np.exp((rate - sampler.wanted) / np.sqrt(1 + cycle)))
    count, factors = sampler.theta.shape
    total, squares = np.zeros((count, factors)), np.zeros((count, factors, factors))
    for _ in range(SETTLED):
        sampler.move(values, 1)
        total += sampler.theta
        squares += sampler.theta[:, :, None] * sampler.theta[:, None, :]
    mean = total / SETTLED
    covariance = squares / SETTLED - mean[:, :, None] * mean[:, None, :]
    return [(mean[rows], covariance[rows]) for rows in sampler.rows]


def draws_around(
    sampler: Sampler, moments: list[tuple[Floats, Floats]], nodes: int
) -> tuple[AbilityDraws, ...]:
    """Return draws around the persons' means, with their covariances."""
    factors, drawn = sampler.model.factors, []
    for mean, covariance in moments:
        pooled = (1 - POOLED) * covariance + POOLED * covariance.mean(axis=0)
        roots = np.linalg.cholesky(WIDER**2 * pooled)
        shifts = sampler.rng.random((len(mean), PARTS, 1, factors))
        units = (shifts + even_points(nodes // (2 * PARTS), factors)) % 1
        # Each draw has its mirror image, so that skewness cancels out.
        normal = special.ndtri(np.clip(units, 1e-12, 1 - 1e-12))
        normal = np.concatenate([normal, -normal], axis=2).reshape(len(mean), -1, factors)
        theta = mean[:, None] + np.matmul(normal, roots.transpose(0, 2, 1))
        size = np.log(np.diagonal(roots, axis1=1, axis2=2)).sum(axis=1)
        density = -0.5 * ((normal**2).sum(axis=2) + factors * np.log(2 * np.pi)) - size[:, None]
        drawn.append(AbilityDraws(theta, density))
    return tuple(drawn)


def even_points(count: int, dimensions: int) -> Floats:
    """Return points of the unit cube that fill it evenly, (count, dimensions).

    They are the fractional parts of multiples of the powers of 1 / g, with g ** (dimensions + 1) =
    g + 1.
    """
    g = 2.0
    for _ in range(60):
        g = (1 + g) ** (1 / (dimensions + 1))
    return np.arange(1, count + 1)[:, None] * g ** -np.arange(1.0, dimensions + 1) % 1


def cloud_of(sampler: Sampler, values: Floats) -> Cloud:
    """Return nodes of all groups' populations."""
    latents, data, factors = sampler.latents(values), sampler.data, sampler.model.factors
    share = [float(data.weights[rows].sum() / data.weights.sum()) for rows in sampler.rows]
    centers = [np.atleast_2d(latent.mean).mean(axis=0) for latent in latents]
    center = np.einsum("g,gf->f", share, centers)
    covariance = sum(
        part * (latent.covariance + np.cov(np.atleast_2d(latent.mean).T, ddof=0).reshape(
            factors, factors) * (latent.mean.ndim > 1) + np.outer(m - center, m - center))
        for part, latent, m in zip(share, latents, centers, strict=True)
    )  # fmt: skip
    units = (even_points(POPULATION, factors) + 0.5) % 1
    normal = special.ndtri(np.clip(units, 1e-12, 1 - 1e-12))
    nodes = center + normal @ np.linalg.cholesky(covariance).T
    return Cloud(
        POPULATION, float(np.abs(nodes).max()), nodes, 0.5 * (normal**2).sum(axis=1)
    )  # fmt: skip
