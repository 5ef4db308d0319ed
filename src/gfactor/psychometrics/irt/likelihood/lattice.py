"""Nodes for three and more abilities: a lattice in the ball that holds the population.

The integrand of a person's likelihood is smooth and falls off like a normal density, so that a sum
over a lattice converges exponentially (Trefethen and Weideman 2014): for a normal integrand with
covariance S the largest relative error of one term of its Fourier series is exp(-2 pi^2 k'Sk) at
the shortest vectors k of the dual lattice. Two things save nodes, compared with a product of lines.
First, the cube's centers are added to its corners, since the dual of that lattice packs spheres
more densely (a product needs 1.4 times the nodes for the same error with three abilities, 2 times
with four, 2.8 times with five). Second, the lattice is stretched like the mean posterior
covariance, so that nodes are dense only in directions that the items measure well, and nodes
outside of the population's ball are left out.

References
----------
Conway, J. H., Sloane, N. J. A. (1999). Sphere packings, lattices and groups. 3rd ed. Springer.
Petersen, D. P., Middleton, D. (1962). Sampling and reconstruction of wave-number-limited functions
    in N-dimensional Euclidean spaces. Information and Control 5, 279-323.
Trefethen, L. N., Weideman, J. A. C. (2014). The exponentially convergent trapezoidal rule. SIAM
    Review 56, 385-458.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import product

import numpy as np
from scipy import special

from gfactor.psychometrics.float_arrays import cholesky, inv, solve
from gfactor.psychometrics.irt.likelihood.curves import Floats
from gfactor.psychometrics.irt.likelihood.information import Marginal
from gfactor.psychometrics.irt.likelihood.marginal import Evaluation, Quadrature

TAIL = 3e-5
"""Share of the population outside of the ball."""
ERROR = 1e-6
"""Largest relative error that one term of the Fourier series adds to a typical person's
likelihood."""
IMPRECISE = 0.02
"""Difference of log-likelihoods on two lattices above which the nodes are too few."""
PILOT_SPACING = 1.2
"""Distance of nodes, in standard deviations of the population, before anything is estimated."""
PILOT_TAIL = 1e-3
CLOSE_ENOUGH = 1.15
"""Largest ratio of lengths for which a lattice is used again."""
NARROWEST = 0.02
"""Smallest standard deviation, given the abilities before, to which the distance of nodes
adapts."""
MOST_CELLS, MOST_NODES = 60_000_000, 40_000
"""Largest number of persons times nodes, and largest number of nodes."""


@dataclass(frozen=True)
class Lattice(Quadrature):
    """A lattice of nodes in the ball of a normal population.

    Parameters
    ----------
    points : int
        Number of nodes.
    limit : float
        Radius of the ball, in standard deviations of the population.
    nodes : array (Q, F)
        The nodes.
    spacing : float
        Distance of nodes in posterior standard deviations, as that of a product of lines with the
        same error.
    center : array (F,)
        Mean of the population.
    root, axes : array (F, F)
        Square root of the population's covariance; axes of the product of lines.
    tail : float
        Share of the population outside of the ball.
    """

    nodes: Floats = field(default_factory=lambda: np.zeros((1, 1)), repr=False)
    spacing: float = 0.0
    center: Floats = field(default_factory=lambda: np.zeros(1), repr=False)
    root: Floats = field(default_factory=lambda: np.eye(1), repr=False)
    axes: Floats = field(default_factory=lambda: np.eye(1), repr=False)
    tail: float = TAIL

    def grid(self, factors: int) -> Floats:
        """Return all nodes, (points, factors)."""
        assert self.nodes.shape[1] == factors
        return self.nodes

    def serves_as(self, needed: Lattice) -> bool:
        """Return True if the lattice is as dense and as wide in every direction as the needed
        one."""
        step = np.linalg.norm(solve(needed.axes, self.axes), 2)
        reach = np.linalg.norm(solve(self.root, needed.root), 2)
        return bool(step <= CLOSE_ENOUGH and reach <= CLOSE_ENOUGH)


def spacing_for(error: float) -> float:
    """Return the distance of nodes, in posterior standard deviations, for a relative error."""
    return float(np.pi * np.sqrt(2 / -np.log(error)))


def moved(lattice: Lattice) -> Lattice:
    """Return the same lattice with shifted nodes, which gives another sum for the same integral."""
    factors = len(lattice.center)
    # Multiples of an irrational number: no term of the Fourier series keeps its phase.
    parts = np.arange(1, factors + 1) * (np.sqrt(5) - 1) / 2 % 1
    return _ball(lattice.center, lattice.root, lattice.axes, lattice.tail, parts)


def pilot(factors: int) -> Lattice:
    """Return a coarse lattice for a standard normal population, to start with."""
    axes = np.eye(factors) * PILOT_SPACING
    return _ball(np.zeros(factors), np.eye(factors), axes, PILOT_TAIL)


def fine(likelihood: Marginal, at: Evaluation, error: float = ERROR) -> Lattice:
    """Return a lattice that is fine enough for the posteriors at some estimates.

    Parameters
    ----------
    likelihood : Marginal
        Likelihood on any nodes.
    at : Evaluation
        The likelihood at the estimates.
    error : float
        Relative error of a typical person's likelihood. The lattice has a larger error (see its
        `spacing`) if persons times nodes would exceed `MOST_CELLS`.

    Returns
    -------
    Lattice
        A lattice whose nodes are close enough.
    """
    center, covariance = _population(likelihood, at)
    posterior = _posterior_covariance(likelihood, at) + 1e-3 * covariance
    # Rounded, so that the nodes do not depend on the last bits of the estimates.
    center, root, axes = (
        np.round(entry, 3).astype(np.float64)
        for entry in (center, cholesky(covariance), cholesky(posterior))
    )
    for entry in (root, axes):
        np.fill_diagonal(entry, np.maximum(entry.diagonal(), NARROWEST))
    spacing = spacing_for(error)
    most = min(MOST_NODES, MOST_CELLS / len(likelihood.data.weights))
    while _expected_nodes(root, spacing * axes) > most:
        spacing *= 1.02
    return replace(_ball(center, root, spacing * axes, TAIL), spacing=spacing)


def _radius(factors: int, tail: float) -> float:
    return float(np.sqrt(special.chdtri(factors, tail)))


def _expected_nodes(root: Floats, axes: Floats) -> float:
    """Nodes in the ball: its volume over that of a lattice cell."""
    count = len(root)
    volume = np.pi ** (count / 2) / special.gamma(count / 2 + 1) * _radius(count, TAIL) ** count
    cell = np.linalg.det(axes) * 2 ** (count / 2 - 1)
    return float(volume * np.linalg.det(root) / cell)


def _ball(
    center: Floats, root: Floats, axes: Floats, tail: float, shift: Floats | float = 0.0
) -> Lattice:
    """The body-centered lattice along `axes` (columns), where root^-1 (node - center) is short.

    `shift` moves all nodes by parts of the axes.
    """
    radius = _radius(len(center), tail)
    steps = solve(root, axes) * np.sqrt(2)
    reach = np.ceil(radius * np.sqrt((inv(steps) ** 2).sum(axis=1))) + 1
    corners = np.array(list(product(*(np.arange(-r, r + 1) for r in reach)))) + shift
    units = np.vstack([corners, corners + 0.5]) @ steps.T
    units = units[(units**2).sum(axis=1) <= radius**2 * (1 + 1e-9)]
    nodes = center + units @ root.T
    return Lattice(len(nodes), radius, nodes, np.inf, center, root, axes, tail)


def _population(likelihood: Marginal, at: Evaluation) -> tuple[Floats, Floats]:
    """Mean and covariance of ability over all groups."""
    model, data, values = likelihood.model, likelihood.data, at.values
    means = np.zeros((len(data.weights), model.factors))
    within = np.zeros((model.factors, model.factors))
    total = data.weights.sum()
    for g, group in enumerate(model.groups):
        rows = data.group == g
        means[rows] = values[group.mean]
        if group.regression is not None:
            assert data.covariates is not None
            means[rows] += data.covariates[rows] @ values[group.regression]
        within += data.weights[rows].sum() / total * values[group.covariance]
    center = data.weights @ means / total
    away = means - center
    return center, within + (away * data.weights[:, None]).T @ away / total


def _posterior_covariance(likelihood: Marginal, at: Evaluation) -> Floats:
    """Mean of the persons' posterior covariances."""
    nodes, data = likelihood.nodes, likelihood.data
    total = np.zeros((nodes.shape[1],) * 2)
    for g, posterior in enumerate(at.posteriors):
        weights = data.weights[data.group == g]
        share = weights @ posterior.weights
        mean = posterior.weights @ nodes
        total += (nodes * share[:, None]).T @ nodes - (mean * weights[:, None]).T @ mean
    return total / data.weights.sum()
