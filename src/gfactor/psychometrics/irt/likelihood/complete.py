"""The likelihood of answers and abilities together, as if the abilities had been observed.

The answers to an item depend on the abilities through one number, its predictor z = a'theta, so
that derivatives are computed in z and in the item's other parameters, and carried to the slopes by
the chain rule.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse, special

from gfactor.psychometrics.float_arrays import einsum, inv
from gfactor.psychometrics.irt.likelihood.curves import (
    Floats,
    derivatives,
    four_parameters,
    log_probabilities,
)
from gfactor.psychometrics.irt.likelihood.marginal import Ints
from gfactor.psychometrics.irt.likelihood.specification import Block, IrtGroup

Codes = NDArray[np.int16]


class AnswerDerivatives(NamedTuple):
    """Derivatives of the log probabilities of Q answers in (predictor, other parameters).

    `first` is (Q, C). `second` (Q, C, C) is the Hessian, or, for Fisher's information, minus the
    expected outer product of the scores.
    """

    first: Floats
    second: Floats


def log_answers(block: Block, values: Floats, theta: Floats, codes: Codes) -> Floats:
    """Return the log probabilities of persons' answers to a block's items, summed over items.

    Parameters
    ----------
    block : Block
        Items.
    values : array (V,)
        All parameters.
    theta : array (P, R, F)
        Several abilities of every person.
    codes : integer array (P, J)
        Answers to the items of the block; -1 where missing.

    Returns
    -------
    array (P, R)
        Log probability of each person's answers at each draw.
    """
    parameters, f = values[block.index], len(block.factors)
    z = theta[:, :, list(block.factors)] @ parameters[:, :f].T
    if block.kind == "2pl":
        z += parameters[:, f]
        np.multiply(z, np.where(codes > 0, 1.0, -1.0)[:, None], out=z)
        special.log_expit(z, out=z)
        return np.matmul(z, (codes >= 0)[:, :, None].astype(np.float64))[:, :, 0]
    total, rows = np.zeros(z.shape[:2]), np.arange(len(z))[:, None]
    for j, row in enumerate(parameters):
        here = np.append(1.0, row[f:])[None]
        curves = log_probabilities(block.kind, here, z[:, :, j].reshape(-1, 1), block.categories)
        by_person = curves[0].reshape(-1, *z.shape[:2])
        at = np.maximum(codes[:, j : j + 1], 0)
        chosen = by_person[at, rows, np.arange(z.shape[1])]
        total += np.where(codes[:, j : j + 1] >= 0, chosen, 0.0)
    return total


def mean_item_scores(
    group: IrtGroup, values: Floats, theta: Floats, codes: Codes, shares: Floats
) -> Floats:
    """Return gradients (P, V) of the log probabilities of persons' answers, means over several
    abilities.

    Parameters
    ----------
    group : IrtGroup
        The persons' group.
    values : array (V,)
        All parameters.
    theta : array (P, R, F)
        Several abilities of every person.
    codes : integer array (P, J)
        Answers to all items; -1 where missing.
    shares : array (P, R)
        Weights of the abilities.

    Returns
    -------
    array (P, V)
        Mean gradient of each person.
    """
    scores = np.zeros((len(theta), len(values)))
    for block in group.blocks:
        f, here = len(block.factors), codes[:, block.columns]
        abilities = np.ascontiguousarray(theta[:, :, list(block.factors)])
        if block.kind == "2pl":
            parameters = values[block.index]
            away = special.expit(abilities @ parameters[:, :f].T + parameters[:, f])
            away = ((here > 0)[:, None] - away) * shares[:, :, None] * (here >= 0)[:, None]
            scores[:, block.index[:, :f]] += np.matmul(away.transpose(0, 2, 1), abilities)
            scores[:, block.index[:, f]] += away.sum(axis=1)
            continue
        flat, count = abilities.reshape(-1, f), theta.shape[1]
        for index, column in zip(block.index, here.T, strict=True):
            first = answers_of(block, values[index], flat, np.repeat(column, count)).first
            first = first.reshape(*shares.shape, -1) * shares[:, :, None]
            scores[:, index[:f]] += np.matmul(first[:, None, :, 0], abilities)[:, 0]
            scores[:, index[f:]] += first[:, :, 1:].sum(axis=1)
    return scores


def answers_of(
    block: Block, parameters: Floats, theta: Floats, codes: Codes, fisher: bool = False
) -> AnswerDerivatives:
    """Return derivatives of the log probabilities of the answers to one item.

    Parameters
    ----------
    block : Block
        Block of the item.
    parameters : array (M,)
        The item's parameters.
    theta : array (Q, F)
        Abilities that the item measures.
    codes : integer array (Q,)
        Answers; -1 where missing.
    fisher : bool
        True for the expected second derivatives, which are never positive.

    Returns
    -------
    AnswerDerivatives
        The derivatives, with a row per answer.
    """
    f = len(block.factors)
    z, seen = theta @ parameters[:f], codes >= 0
    if block.kind == "2pl":
        p = special.expit(z + parameters[f])
        away, bend = ((codes > 0) - p) * seen, -p * (1 - p) * seen
        both = np.broadcast_to(bend[:, None, None], (len(z), 2, 2))
        return AnswerDerivatives(np.repeat(away[:, None], 2, axis=1), both)
    if block.kind == "4pl":
        return _between_asymptotes(parameters[f:], z, codes, fisher)
    # An item with slopes 1 and 0 at abilities z and 1: its second slope moves the predictor by 1.
    nodes = np.column_stack([z, np.ones(len(z))])
    fake = np.concatenate([[1.0, 0.0], parameters[f:]])[None]
    curves = derivatives(block.kind, fake, nodes, block.categories)
    at, rows = np.maximum(codes, 0), np.arange(len(z))
    first = curves.first[0, at, rows, 1:]
    if fisher:
        p = np.exp(curves.value[0])
        second = -einsum("kq,kqm,kqn->qmn", p, curves.first[0, ..., 1:], curves.first[0, ..., 1:])
    else:
        second = curves.second[0, at, rows, 1:, 1:]
    return AnswerDerivatives(first * seen[:, None], second * seen[:, None, None])


def _between_asymptotes(
    parameters: Floats, z: Floats, codes: Codes, fisher: bool
) -> AnswerDerivatives:
    """`answers_of` for an item with asymptotes: the derivatives in predictor and intercept are
    equal."""
    p, q, first, second = four_parameters(z + parameters[0], parameters[1], parameters[2])
    seen = codes >= 0
    with np.errstate(divide="ignore", invalid="ignore"):
        size = np.where(codes > 0, 1 / p, -1 / q) * seen
        if fisher:
            bend = -(seen / (p * q))[:, None, None] * first[:, :, None] * first[:, None, :]
            first = first * size[:, None]
        else:
            first = first * size[:, None]
            bend = second * size[:, None, None] - first[:, :, None] * first[:, None, :]
    both = np.array([0, 0, 1, 2])
    return AnswerDerivatives(first[:, both], bend[:, both[:, None], both])


def block_scores(block: Block, values: Floats, theta: Floats, codes: Codes) -> Floats:
    """Return gradients (Q, J, M) of the log probabilities of Q persons' answers to a block's items.

    Parameters
    ----------
    block : Block
        Items.
    values : array (V,)
        All parameters.
    theta : array (Q, F)
        Abilities.
    codes : integer array (Q, J)
        Answers to the items of the block; -1 where missing.

    Returns
    -------
    array (Q, J, M)
        Gradient of each item's log probability.
    """
    abilities, parameters = theta[:, list(block.factors)], values[block.index]
    f = len(block.factors)
    if block.kind == "2pl":
        away = special.expit(abilities @ parameters[:, :f].T + parameters[:, f])
        away = ((codes > 0) - away) * (codes >= 0)
        return away[:, :, None] * np.column_stack([abilities, np.ones(len(theta))])[:, None]
    scores = np.zeros((len(theta), *block.index.shape))
    for j, row in enumerate(parameters):
        first = answers_of(block, row, abilities, codes[:, j]).first
        scores[:, j, :f] = first[:, :1] * abilities
        scores[:, j, f:] = first[:, 1:]
    return scores


def block_information(
    block: Block, values: Floats, theta: Floats, codes: Codes, weights: Floats,
    fisher: bool = False,
) -> Floats:  # fmt: skip
    """Return minus the second derivatives (J, M, M) of the log probabilities, summed with weights.

    Parameters
    ----------
    block, values, theta, codes
        As in `block_scores`.
    weights : array (Q,)
        Weights of the rows.
    fisher : bool
        True for the expectation over answers.

    Returns
    -------
    array (J, M, M)
        Information matrix of each item.
    """
    abilities, parameters = theta[:, list(block.factors)], values[block.index]
    f, size = len(block.factors), block.index.shape[1]
    if block.kind == "2pl":
        p = special.expit(abilities @ parameters[:, :f].T + parameters[:, f])
        p *= (1 - p) * (codes >= 0) * weights[:, None]
        inner = np.column_stack([abilities, np.ones(len(theta))])
        products = (inner[:, :, None] * inner[:, None]).reshape(len(theta), -1)
        return (p.T @ products).reshape(-1, size, size)
    matrices = np.zeros((len(parameters), size, size))
    for j, row in enumerate(parameters):
        second = answers_of(block, row, abilities, codes[:, j], fisher).second
        bend = -second * weights[:, None, None]
        matrices[j, :f, :f] = abilities.T @ (abilities * bend[:, :1, 0])
        matrices[j, :f, f:] = abilities.T @ bend[:, 0, 1:]
        matrices[j, f:, :f] = matrices[j, :f, f:].T
        matrices[j, f:, f:] = bend[:, 1:, 1:].sum(axis=0)
    return matrices


class AbilityDensity:
    """The normal density of abilities with its derivatives in means, covariances and regression."""

    def __init__(self, group: IrtGroup, values: Floats, covariates: Floats | None) -> None:
        self.group, self.covariates = group, covariates
        self.mean: Floats = values[group.mean]
        if group.regression is not None:
            assert covariates is not None
            self.mean = self.mean + covariates @ values[group.regression]
        self.covariance: Floats = values[group.covariance]
        self.precision: Floats = np.asarray(inv(self.covariance), dtype=float)
        self._pairs = np.tril_indices(len(self.covariance))
        self._units = np.zeros((len(self._pairs[0]), *self.covariance.shape))
        for k, (i, j) in enumerate(zip(*self._pairs, strict=True)):
            self._units[k, [i, j], [j, i]] = 1

    def log_density(self, theta: Floats) -> Floats:
        """Return the log density (Q,) of abilities (Q, F), each with its own mean if there are
        covariates."""
        away = theta - self.mean
        size = len(self.covariance) * np.log(2 * np.pi) + np.linalg.slogdet(self.covariance)[1]
        return -0.5 * (((away @ self.precision) * away).sum(axis=1) + size)

    @property
    def index(self) -> Ints:
        """Positions of means, covariances (lower triangle) and regression slopes in `values`."""
        more = self.group.regression
        return self.group.latent if more is None else np.append(self.group.latent, more.ravel())

    def scores(self, theta: Floats) -> Floats:
        """Return gradients (Q, L) of the log density in the parameters of `index`."""
        turned = (theta - self.mean) @ self.precision
        rows, columns = self._pairs
        twice = np.where(rows == columns, 0.5, 1.0)
        spread = turned[:, rows] * turned[:, columns] - self.precision[rows, columns]
        parts = [turned, spread * twice]
        if self.group.regression is not None:
            assert self.covariates is not None
            slopes = self.covariates[:, :, None] * turned[:, None, :]
            parts.append(slopes.reshape(len(theta), -1))
        return np.hstack(parts)

    def information(self, theta: Floats, weights: Floats, fisher: bool = False) -> Floats:
        """Return minus the second derivatives summed with weights, (L, L); or their expectation."""
        away, total = theta - self.mean, weights.sum()
        precision, f = self.precision, len(self.precision)
        second = (away * weights[:, None]).T @ away
        if fisher:
            away, second = np.zeros_like(away), total * self.covariance
        turned = np.array([precision @ unit @ precision for unit in self._units])
        left, right = self._units @ precision, second - 0.5 * total * self.covariance
        of_spread = einsum("aij,bjk,ki->ab", turned, left, right, optimize=True)
        inner = [np.ones((len(theta), 1))]
        if self.covariates is not None and self.group.regression is not None:
            inner.append(self.covariates)
        design = np.hstack(inner)
        gram = (design * weights[:, None]).T @ design
        of_mean = np.kron(gram, precision)
        moved = (design * weights[:, None]).T @ away
        across = einsum("aij,cj->cia", turned, moved).reshape(len(gram) * f, -1)
        size, m = len(self._units), f * len(gram)
        matrix = np.zeros((m + size, m + size))
        first = np.r_[0:f, f + size : m + size]
        spread = np.arange(f, f + size)
        matrix[np.ix_(first, first)] = of_mean
        matrix[np.ix_(first, spread)] = across
        matrix[np.ix_(spread, first)] = across.T
        matrix[np.ix_(spread, spread)] = 0.5 * (of_spread + of_spread.T)
        return matrix


def all_scores(
    group: IrtGroup, values: Floats, theta: Floats, codes: Codes, latent: AbilityDensity
) -> tuple[Ints, Floats]:
    """Return gradients (Q, C) of the log density of answers and abilities, and the positions of the
    C parameters."""
    indices = [block.index.ravel() for block in group.blocks]
    parts = [
        block_scores(block, values, theta, codes[:, block.columns]).reshape(len(theta), -1)
        for block in group.blocks
    ]
    if not group.latent_fixed:
        indices.append(latent.index)
        parts.append(latent.scores(theta))
    return np.concatenate(indices), np.hstack(parts)


def all_information(
    group: IrtGroup, values: Floats, theta: Floats, codes: Codes, weights: Floats,
    latent: AbilityDensity, fisher: bool = False,
) -> sparse.csr_matrix:  # fmt: skip
    """Return minus the second derivatives (V, V) of the log density, summed over rows with
    weights."""
    rows, columns, entries = list[Ints](), list[Ints](), list[Floats]()

    def put(index: Ints, matrices: Floats) -> None:
        rows.append(np.repeat(index, index.shape[-1], axis=-1).ravel())
        columns.append(np.tile(index, index.shape[-1]).ravel())
        entries.append(matrices.ravel())

    for block in group.blocks:
        here = codes[:, block.columns]
        put(block.index, block_information(block, values, theta, here, weights, fisher))
    if not group.latent_fixed:
        put(latent.index, latent.information(theta, weights, fisher))
    where = (np.concatenate(rows), np.concatenate(columns))
    size = (len(values), len(values))
    return sparse.csr_matrix((np.concatenate(entries), where), shape=size)
