"""Many abilities: a search that draws abilities instead of integrating over them.

Metropolis-Hastings Robbins-Monro (Cai 2010a, b): every cycle draws the persons' abilities by a few
Metropolis-Hastings steps and moves the parameters by the information and the gradient of the
likelihood of answers and draws together. In the first two stages moves have their full length; the
second stage's mean is the start of the third, whose k-th move is multiplied by 1 / k, so that the
noise of the draws averages out. The search ends if the largest move of three cycles in a row is
small.

References
----------
Cai, L. (2010a). High-dimensional exploratory item factor analysis by a Metropolis-Hastings
    Robbins-Monro algorithm. Psychometrika 75, 33-57.
Cai, L. (2010b). Metropolis-Hastings Robbins-Monro algorithm for confirmatory item factor analysis.
    Journal of Educational and Behavioral Statistics 35, 307-335.
Roberts, G. O., Rosenthal, J. S. (2001). Optimal scaling for various Metropolis-Hastings algorithms.
    Statistical Science 16, 351-367.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

from gfactor.psychometrics.float_arrays import cholesky, inv
from gfactor.psychometrics.irt.likelihood.complete import (
    AbilityDensity,
    all_information,
    all_scores,
    answers_of,
    log_answers,
)
from gfactor.psychometrics.irt.likelihood.curves import Floats
from gfactor.psychometrics.irt.likelihood.marginal import CodedResponses, Ints
from gfactor.psychometrics.irt.likelihood.specification import IrtModel

STEPS = 5
"""Metropolis-Hastings steps of a cycle."""
LONGEST = 0.5
"""Largest change of a parameter in a cycle."""


@dataclass(frozen=True)
class Stages:
    """Lengths of the three stages and the rule that ends the last one.

    Parameters
    ----------
    start : int
        Number of cycles of the first stage, which finds the neighborhood and tunes the proposals.
    constant : int
        Number of cycles of the second stage, whose mean is the start of the third.
    decreasing : int
        Number of cycles of the third stage at the most.
    tolerance : float
        Largest change of a parameter in three successive cycles at the end.
    """

    start: int = 100
    constant: int = 100
    decreasing: int = 500
    tolerance: float = 1e-3


@dataclass(frozen=True)
class Chain:
    """The point at which a search ended.

    Parameters
    ----------
    x : array (X,)
        Free parameters.
    cycles : int
        Number of cycles of all stages.
    converged : bool
        True if the third stage's rule was met.
    acceptance : float
        Share of accepted proposals in the third stage.
    """

    x: Floats
    cycles: int
    converged: bool
    acceptance: float


class Sampler:
    """Draws of the persons' abilities given answers and parameters, by Metropolis-Hastings.

    All persons move at once. Proposals are normal around the current abilities, with the shape of a
    typical person's posterior and a step length that is tuned to the acceptance rate.
    """

    def __init__(self, model: IrtModel, data: CodedResponses, rng: np.random.Generator) -> None:
        self.model, self.data, self.rng = model, data, rng
        self.rows: list[Ints] = [np.flatnonzero(data.group == g) for g in range(len(model.groups))]
        self.theta = np.zeros((len(data.weights), model.factors))
        self.scale = 2.38 / np.sqrt(model.factors)
        self.wanted = 0.234 + 0.206 / model.factors
        """Best share of accepted proposals: .44 for one ability, .234 for many."""
        self._roots = [np.eye(model.factors) for _ in model.groups]

    def latents(self, values: Floats) -> list[AbilityDensity]:
        """Return the groups' distributions of ability."""
        covariates = self.data.covariates
        return [
            AbilityDensity(group, values, None if covariates is None else covariates[rows])
            for group, rows in zip(self.model.groups, self.rows, strict=True)
        ]

    def _log_joint(self, g: int, values: Floats, latent: AbilityDensity, theta: Floats) -> Floats:
        total, rows = latent.log_density(theta), self.rows[g]
        for block in self.model.groups[g].blocks:
            codes = self.data.codes[np.ix_(rows, block.columns)]
            total += log_answers(block, values, theta[:, None], codes)[:, 0]
        return np.where(np.isnan(total), -np.inf, total)

    def shape(self, values: Floats) -> None:
        """Set the shape of the proposals to that of a typical posterior at the current
        abilities."""
        for g, latent in enumerate(self.latents(values)):
            precision: Any = latent.precision.copy()
            rows = self.rows[g]
            weights = self.data.weights[rows] / self.data.weights[rows].sum()
            for block in self.model.groups[g].blocks:
                on = list(block.factors)
                theta, codes = self.theta[rows][:, on], self.data.codes[rows]
                for column, index in zip(block.columns, block.index, strict=True):
                    slopes = values[index[: len(on)]]
                    bend = answers_of(block, values[index], theta, codes[:, column], fisher=True)
                    size = -float(weights @ bend.second[:, 0, 0])
                    precision[np.ix_(on, on)] += size * np.outer(slopes, slopes)
            self._roots[g] = cholesky(inv(precision))

    def move(self, values: Floats, steps: int = STEPS) -> tuple[float, float]:
        """Move all abilities; return the share of accepted proposals and the mean log density."""
        accepted, total = 0.0, 0.0
        for g, latent in enumerate(self.latents(values)):
            rows, root = self.rows[g], self._roots[g].T * self.scale
            theta, weights = self.theta[rows], self.data.weights[rows]
            now = self._log_joint(g, values, latent, theta)
            for _ in range(steps):
                there = theta + self.rng.standard_normal(theta.shape) @ root
                then = self._log_joint(g, values, latent, there)
                better = np.log(self.rng.random(len(rows))) < then - now
                theta[better], now[better] = there[better], then[better]
                accepted += float(better.sum()) / steps
            self.theta[rows] = theta
            total += float(weights @ now)
        return accepted / len(self.theta), total

    def complete(self, values: Floats) -> tuple[Floats, sparse.csc_matrix]:
        """Return gradient (X,) and expected information (X, X) of answers and abilities, with
        priors."""
        model, data = self.model, self.data
        gradient = model.log_prior(values)[1]
        matrix: sparse.spmatrix = sparse.diags(model.prior_precision(values, positive=True))
        for g, latent in enumerate(self.latents(values)):
            rows, group = self.rows[g], model.groups[g]
            theta, codes, weights = self.theta[rows], data.codes[rows], data.weights[rows]
            columns, scores = all_scores(group, values, theta, codes, latent)
            gradient[columns] += weights @ scores
            matrix += all_information(group, values, theta, codes, weights, latent, fisher=True)
        design = model.design
        return design.T @ gradient, (design.T @ matrix @ design).tocsc()


def search(
    model: IrtModel, data: CodedResponses, rng: np.random.Generator, stages: Stages,
    progress: Callable[[int, float], None] | None = None,
) -> Chain:  # fmt: skip
    """Find the neighborhood of the maximum of the marginal likelihood.

    Parameters
    ----------
    model : Model
        Model with any number of abilities.
    data : CodedResponses
        Coded responses.
    rng : Generator
        Source of all draws.
    stages : Stages
        Lengths of the stages.
    progress : callable or None
        Called with the number of the cycle and the log-likelihood of answers and draws together.

    Returns
    -------
    Chain
        The point at which the search ended.
    """
    sampler, x = Sampler(model, data, rng), model.start.copy()
    information, mean = None, np.zeros_like(x)
    still, cycle, shares = 0, 0, list[float]()
    for cycle, gain in enumerate(_gains(stages), start=1):
        rate, loglik = sampler.move(model.values(x))
        if cycle <= stages.start:
            _tune(sampler, model.values(x), rate, cycle)
        gradient, here = sampler.complete(model.values(x))
        if cycle <= stages.start + stages.constant or information is None:
            information = here
        else:
            information = information + gain * (here - information)
        move = shortened(model, x, gain * _solved(information, gradient))
        x = x + move
        if stages.start < cycle <= stages.start + stages.constant:
            mean += x / stages.constant
            x = mean.copy() if cycle == stages.start + stages.constant else x
        elif cycle > stages.start + stages.constant:
            shares.append(rate)
            still = still + 1 if np.abs(move).max(initial=0.0) < stages.tolerance else 0
        if progress is not None:
            progress(cycle, loglik)
        if still == 3:
            break
    return Chain(x, cycle, still == 3, float(np.mean(shares)))


def _gains(stages: Stages) -> Iterator[float]:
    yield from [1.0] * (stages.start + stages.constant)
    yield from (1 / k for k in range(1, stages.decreasing + 1))


def _tune(sampler: Sampler, values: Floats, rate: float, cycle: int) -> None:
    """Change the proposals' length by the share of accepted ones, and now and then their shape."""
    if cycle % 20 == 0:
        sampler.shape(values)
    sampler.scale *= float(np.exp((rate - sampler.wanted) / np.sqrt(1 + cycle / 10)))


def _solved(information: sparse.csc_matrix, gradient: Floats) -> Floats:
    diagonal = information.diagonal()
    ridge = 1e-8 * max(float(diagonal.mean()), 1e-8)
    return splu((information + sparse.diags(np.full(len(diagonal), ridge))).tocsc()).solve(gradient)


def shortened(model: IrtModel, x: Floats, move: Floats, longest: float = LONGEST) -> Floats:
    """Return a move, shortened until no parameter changes too much and the new point is
    admissible."""
    move = move * min(1.0, longest / max(float(np.abs(move).max(initial=0.0)), 1e-300))
    for _ in range(30):
        if model.admissible(model.values(x + move)):
            return move
        move = move / 2
    return np.zeros_like(move)
