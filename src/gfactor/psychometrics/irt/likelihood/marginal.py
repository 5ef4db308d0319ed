"""The marginal likelihood of item responses, its gradient, and its information.

Abilities are integrated out on a fixed grid of nodes whose weights are proportional to the normal
density and sum to one on the grid (Bock and Aitkin 1981). The gradient needs only expected counts
of categories at nodes; the observed information is the complete-data information less the
posterior covariance of the complete-data score (Louis 1982, JRSS B 44, 226-233), both exact.

References
----------
Bock, R. D., Aitkin, M. (1981). Marginal maximum likelihood estimation of item parameters.
    Psychometrika 46, 443-459.
Gibbons, R. D., Hedeker, D. R. (1992). Full-information item bi-factor analysis. Psychometrika 57,
    423-436.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from gfactor.psychometrics.float_arrays import einsum, inv
from gfactor.psychometrics.irt.likelihood.curves import Floats, first_derivatives, log_probabilities
from gfactor.psychometrics.irt.likelihood.specification import Block, IrtGroup, IrtModel

Ints = NDArray[np.intp]
_DENSITIES = 8
"""Number of distributions of ability that are kept."""


@dataclass(frozen=True)
class Quadrature:
    """Nodes of one dimension: `points` from `-limit` to `limit`.

    Parameters
    ----------
    points : int
        Number of nodes per dimension.
    limit : float
        The largest node, in units of theta.
    """

    points: int = 61
    limit: float = 6.0

    @cached_property
    def line(self) -> Floats:
        """The nodes of one dimension, ascending."""
        return np.linspace(-self.limit, self.limit, self.points)

    @property
    def log_volumes(self) -> Floats | float:
        """Log of the volume that each node stands for, up to a constant."""
        return 0.0

    def grid(self, factors: int) -> Floats:
        """Return all nodes, (points ** factors, factors)."""
        return np.array(list(product(self.line, repeat=factors)))


@dataclass(frozen=True)
class CodedResponses:
    """Coded responses: `codes` (persons, items) from 0; -1 for items that were not asked.

    Parameters
    ----------
    codes : integer array (P, J)
        Category of every response; -1 if missing.
    weights : array (P,)
        Number of times that each row counts.
    group : integer array (P,)
        Group of every row, from 0.
    covariates : array (P, C) or None
        Predictors of ability.
    counts : array (P, J, K) or None
        Number of times that every category was given, if a column stands for several items.
    """

    codes: NDArray[np.int16]
    weights: Floats
    group: Ints
    covariates: Floats | None = None
    counts: Floats | None = None


@dataclass(frozen=True)
class GroupPosterior:
    """Result of the E-step for one group.

    `weights` (P, Q) are posterior probabilities of nodes; with a bifactor model (P, q) those of
    the general factor and `specific[s]` (P, q, q) the joint ones with specific factor s.
    `prior` (1 or P, Q) are log weights of the nodes.
    """

    weights: Floats
    prior: Floats
    specific: dict[int, Floats]


@dataclass(frozen=True)
class Evaluation:
    """The likelihood at one point.

    Parameters
    ----------
    loglik : float
        Marginal log-likelihood, without priors.
    log_prior : float
        Log density of the priors.
    gradient : array (X,)
        Gradient of their sum in the free parameters.
    persons : array (P,)
        Log-likelihood of every row.
    values : array (V,)
        All parameters.
    posteriors : tuple of GroupPosterior
        One per group.
    counts : list of arrays
        Expected counts (J, K, Q) of every block of every group.
    """

    loglik: float
    log_prior: float
    gradient: Floats
    persons: Floats
    values: Floats
    posteriors: tuple[GroupPosterior, ...]
    counts: list[list[Floats]]

    @property
    def objective(self) -> float:
        """Return the objective that is maximized: log-likelihood plus log prior."""
        return self.loglik + self.log_prior


@dataclass(frozen=True)
class GridDensity:
    """Normal density on the grid in natural parameters, with derivatives in mean and covariance."""

    statistics: Floats
    """(Q, T): theta and the products of its entries."""
    log_weights: Floats
    """(1 or P, Q), normalized on the grid."""
    jacobian: Floats
    """(T, M): natural parameters in (mean, lower triangle of the covariance)."""
    bend: Floats
    """(T, M, M): second derivatives."""


def log_sum(values: Floats, axis: int = -1) -> Floats:
    """Return log(sum(exp(values))) along an axis, without overflow."""
    top = values.max(axis=axis, keepdims=True)
    top = np.where(np.isfinite(top), top, 0)
    with np.errstate(divide="ignore"):
        return np.log(np.exp(values - top).sum(axis=axis)) + np.squeeze(top, axis)


class Integral:
    """The marginal likelihood of a model for given responses."""

    def __init__(self, model: IrtModel, data: CodedResponses, quadrature: Quadrature) -> None:
        self.model, self.data, self.quadrature = model, data, quadrature
        self.two_tier = model.bifactor
        self.nodes = quadrature.grid(2 if self.two_tier else model.factors)
        self._densities: dict[bytes, GridDensity] = {}
        self._rows = [np.flatnonzero(data.group == g) for g in range(len(model.groups))]
        self._marks = [
            [self._indicator(rows, block) for block in group.blocks]
            for rows, group in zip(self._rows, model.groups, strict=True)
        ]

    def _indicator(self, rows: Ints, block: Block) -> Floats:
        """(P, J K): one where a row gave this category, or how often."""
        if self.data.counts is not None:
            return self.data.counts[np.ix_(rows, block.columns)].reshape(len(rows), -1)
        codes = self.data.codes[np.ix_(rows, block.columns)]
        marks = codes[:, :, None] == np.arange(block.categories)
        return marks.reshape(len(rows), -1).astype(np.float64)

    def _nodes_of(self, block: Block) -> Floats:
        if not self.two_tier:
            return self.nodes[:, list(block.factors)]
        return self.nodes[:, : len(block.factors)]

    # -- the likelihood and its gradient ---------------------------------------------------------

    def evaluate(self, x: Floats, derivative: bool = True) -> Evaluation:
        """Return likelihood, gradient and posteriors at free parameters `x`; -inf outside their
        space."""
        values = self.model.values(x)
        persons = np.full(len(self.data.weights), -np.inf)
        posteriors, counts = [], []
        gradient = np.zeros(len(values))
        inside = self.model.admissible(values)
        log_prior, slope_prior = self.model.log_prior(values)
        if inside:
            for g, group in enumerate(self.model.groups):
                rows, weights = self._rows[g], self.data.weights[self._rows[g]]
                values_of_rows, posterior = self._expect(g, group, values)
                persons[rows] = values_of_rows
                if not np.all(np.isfinite(values_of_rows)):
                    inside = False
                    break
                posteriors.append(posterior)
                counts.append(list(self._counts(g, group, posterior, weights)))
                if derivative:
                    self._add_gradient(
                        gradient, group, values, posterior, counts[-1], weights, rows
                    )
        if not inside:
            zero = np.zeros(len(x))
            return Evaluation(-np.inf, log_prior, zero, persons, values, (), [])
        slope = self.model.design.T @ (gradient + slope_prior)
        loglik = float(self.data.weights @ persons)
        return Evaluation(loglik, log_prior, slope, persons, values, tuple(posteriors), counts)

    def _expect(self, g: int, group: IrtGroup, values: Floats) -> tuple[Floats, GroupPosterior]:
        with np.errstate(divide="ignore", invalid="ignore"):
            if self.two_tier:
                return self._expect_two_tier(g, group, values)
            latent = self.latent(group, values, self._rows[g])
            joint = np.zeros((len(self._rows[g]), len(self.nodes)))
            for block, marks in zip(group.blocks, self._marks[g], strict=True):
                joint += marks @ self._log_curves(block, values)
            joint += latent.log_weights
            top = joint.max(axis=1, keepdims=True)
            joint -= np.where(np.isfinite(top), top, 0)
            np.exp(joint, out=joint)
            share = joint.sum(axis=1, keepdims=True)
            joint /= share
            total = (np.log(share) + top)[:, 0]
        return total, GroupPosterior(joint, latent.log_weights, {})

    def _log_curves(self, block: Block, values: Floats) -> Floats:
        curves = log_probabilities(
            block.kind, values[block.index], self._nodes_of(block), block.categories
        )
        return curves.reshape(-1, curves.shape[-1])

    def _expect_two_tier(
        self, g: int, group: IrtGroup, values: Floats
    ) -> tuple[Floats, GroupPosterior]:
        count, q = len(self._rows[g]), self.quadrature.points
        line = -0.5 * self.quadrature.line**2
        prior = line - log_sum(line)
        specific: dict[int, Floats] = {}
        general = np.zeros((count, q))
        for block, marks in zip(group.blocks, self._marks[g], strict=True):
            added = (marks @ self._log_curves(block, values)).reshape(count, q, q)
            if len(block.factors) == 1:
                general += added[:, :, 0]
            else:
                s = block.factors[1]
                specific[s] = specific.get(s, 0) + added
        for s, added in specific.items():
            joint = added + prior
            inner = log_sum(joint, axis=2)
            general += inner
            specific[s] = np.exp(joint - inner[:, :, None])
        general += prior
        total = log_sum(general, axis=1)
        weights = np.exp(general - total[:, None])
        joint = {s: weights[:, :, None] * share for s, share in specific.items()}
        return total, GroupPosterior(weights, prior[None], joint)

    def _counts(
        self, g: int, group: IrtGroup, posterior: GroupPosterior, weights: Floats
    ) -> Iterator[Floats]:
        for block, marks in zip(group.blocks, self._marks[g], strict=True):
            shares = self.shares(block, posterior) * weights[:, None]
            counts = marks.T @ shares
            yield counts.reshape(len(block.columns), block.categories, -1)

    def shares(self, block: Block, posterior: GroupPosterior) -> Floats:
        """Return posterior probabilities (P, Q) of the nodes of the factors that a block's items
        measure."""
        if not self.two_tier:
            return posterior.weights
        if len(block.factors) > 1:
            return posterior.specific[block.factors[1]].reshape(len(posterior.weights), -1)
        q = self.quadrature.points
        spread = np.zeros((len(posterior.weights), q, q))
        spread[:, :, 0] = posterior.weights
        return spread.reshape(len(spread), -1)

    def _add_gradient(
        self, gradient: Floats, group: IrtGroup, values: Floats, posterior: GroupPosterior,
        counts: list[Floats], weights: Floats, rows: Ints,
    ) -> None:  # fmt: skip
        for block, count in zip(group.blocks, counts, strict=True):
            for part in block.chunks(count.shape[-1]):
                first = first_derivatives(
                    block.kind, values[block.index[part]], self._nodes_of(block), block.categories
                )
                gradient[block.index[part]] += einsum("jkq,jkqm->jm", count[part], first)
        if self.two_tier or group.latent_fixed:
            return
        moved = self._latent_scores(group, values, posterior, rows)
        gradient[group.latent] += weights @ moved
        if group.regression is not None:
            assert self.data.covariates is not None
            x = self.data.covariates[rows] * weights[:, None]
            gradient[group.regression] += x.T @ moved[:, : self.model.factors]

    def _latent_scores(
        self, group: IrtGroup, values: Floats, posterior: GroupPosterior, rows: Ints
    ) -> Floats:
        """Gradient of every person's log-likelihood in mean and covariance, (P, M)."""
        latent = self.latent(group, values, rows)
        natural = (posterior.weights - np.exp(latent.log_weights)) @ latent.statistics
        jacobians = self._person_jacobians(group, values, rows, latent)
        return einsum("pt,ptm->pm", natural, jacobians)

    def latent(self, group: IrtGroup, values: Floats, rows: Ints | None = None) -> GridDensity:
        """Return the distribution of ability in a group, on the grid.

        A gradient and an information matrix at one point need it several times, so the last ones
        are kept, unless every person has a mean of its own.
        """
        if group.regression is not None and rows is not None:
            return self._latent(group, values, rows)
        at = values[group.mean].tobytes() + values[group.covariance].tobytes()
        if at not in self._densities:
            if len(self._densities) >= _DENSITIES:
                self._densities.clear()
            self._densities[at] = self._latent(group, values, None)
        return self._densities[at]

    def _latent(self, group: IrtGroup, values: Floats, rows: Ints | None) -> GridDensity:
        f = self.model.factors
        mean, cov = values[group.mean], values[group.covariance]
        precision = inv(cov)
        pairs = [(i, j) for i in range(f) for j in range(i + 1)]
        nodes = self.nodes
        products = np.stack([nodes[:, i] * nodes[:, j] for i, j in pairs], axis=1)
        statistics = np.hstack([nodes, products])
        # log density = mean' L theta - theta' L theta / 2, L the precision; in lower triangles.
        twice = np.array([1.0 if i == j else 2.0 for i, j in pairs])
        triangle = tuple(np.array(pairs).T)
        units = []
        for i, j in pairs:
            unit = np.zeros((f, f))
            unit[i, j] = unit[j, i] = 1
            units.append(unit)
        size, m = statistics.shape[1], f + len(pairs)
        jacobian, bend = np.zeros((size, m)), np.zeros((size, m, m))
        jacobian[:f, :f] = precision
        turned = [-precision @ unit @ precision for unit in units]
        for b, move in enumerate(turned):
            jacobian[:f, f + b] = move @ mean
            jacobian[f:, f + b] = -0.5 * twice * move[triangle]
            bend[:f, :f, f + b] = move
            bend[:f, f + b, :f] = move
            for c, unit in enumerate(units):
                second = -(move @ unit @ precision + precision @ unit @ move)
                bend[:f, f + b, f + c] = second @ mean
                bend[f:, f + b, f + c] = -0.5 * twice * second[triangle]
        centers = mean[None]
        if group.regression is not None and rows is not None:
            assert self.data.covariates is not None
            centers = mean + self.data.covariates[rows] @ values[group.regression]
        exponent = (centers @ precision) @ nodes.T - 0.5 * ((nodes @ precision) * nodes).sum(axis=1)
        exponent = exponent + self.quadrature.log_volumes
        log_weights = exponent - log_sum(exponent, axis=1)[:, None]
        return GridDensity(statistics, log_weights, jacobian, bend)

    def _person_jacobians(
        self, group: IrtGroup, values: Floats, rows: Ints, latent: GridDensity
    ) -> Floats:
        """`latent.jacobian` at every person's mean, (P, T, M)."""
        f = self.model.factors
        jacobians = np.repeat(latent.jacobian[None], len(rows), axis=0)
        if group.regression is None:
            return jacobians
        assert self.data.covariates is not None
        shift = self.data.covariates[rows] @ values[group.regression]
        jacobians[:, :f, f:] += einsum("tmb,pm->ptb", latent.bend[:f, :f, f:], shift)
        return jacobians

    @property
    def on_common_nodes(self) -> bool:
        """Return True if the posteriors of all persons are on the same nodes."""
        return True

    def moments(self, g: int, posterior: GroupPosterior) -> tuple[Floats, Floats]:
        """Return means and standard deviations (P, F) of the abilities of the persons of group
        `g`."""
        if not self.two_tier:
            mean = posterior.weights @ self.nodes
            square = posterior.weights @ self.nodes**2
            return mean, np.sqrt(np.maximum(square - mean**2, 0))
        line = self.quadrature.line
        shares = [posterior.weights]
        for s in range(1, self.model.factors):
            prior = np.exp(posterior.prior)
            joint = posterior.specific.get(s)
            shares.append(
                np.repeat(prior, len(posterior.weights), axis=0)
                if joint is None else joint.sum(axis=1)
            )  # fmt: skip
        mean = np.stack([share @ line for share in shares], axis=1)
        square = np.stack([share @ line**2 for share in shares], axis=1)
        return mean, np.sqrt(np.maximum(square - mean**2, 0))
