"""The marginal likelihood by importance sampling, for abilities too many for a common grid.

Every person has nodes of their own: draws from a normal density that resembles the person's
posterior, weighted by the ratio of the densities. Draws are points of a sequence that fills the
cube evenly (Niederreiter 1992), shifted at random for each person and in each of several parts, so
that the differences between the parts show the Monte Carlo error of the log-likelihood.

References
----------
Louis, T. A. (1982). Finding the observed information matrix when using the EM algorithm. JRSS B
    44, 226-233.
Niederreiter, H. (1992). Random number generation and quasi-Monte Carlo methods. SIAM.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from gfactor.psychometrics.float_arrays import einsum
from gfactor.psychometrics.irt.estimation.clouds import (
    PARTS,
    AbilityDraws,
    Cloud,
    cloud_of,
    draws_around,
    weighted_moments,
)
from gfactor.psychometrics.irt.estimation.free_rotation import rotation_of
from gfactor.psychometrics.irt.estimation.mhrm import Sampler
from gfactor.psychometrics.irt.likelihood.complete import (
    AbilityDensity,
    all_information,
    all_scores,
    log_answers,
    mean_item_scores,
)
from gfactor.psychometrics.irt.likelihood.curves import Floats
from gfactor.psychometrics.irt.likelihood.information import Marginal
from gfactor.psychometrics.irt.likelihood.marginal import (
    CodedResponses,
    Evaluation,
    GroupPosterior,
    Ints,
)
from gfactor.psychometrics.irt.likelihood.specification import IrtModel

FOR_INFORMATION = 400_000
"""Number of draws, over all persons, for the observed information: more persons need fewer each."""
_ROWS = 400_000
"""Number of answers of draws that are computed at once."""


@dataclass(frozen=True)
class SampledEvaluation(Evaluation):
    """The likelihood at one point, with its Monte Carlo error.

    Parameters
    ----------
    loglik_error : float
        Monte Carlo standard error of `loglik`.
    by_part : array (PARTS, X)
        Gradient of the log-likelihood from each part of the draws.
    """

    loglik_error: float = 0.0
    by_part: Floats = field(default_factory=lambda: np.zeros((PARTS, 0)))


class SampledMarginal(Marginal):
    """The marginal likelihood of a model for given responses, by importance sampling."""

    def __init__(
        self,
        model: IrtModel,
        data: CodedResponses,
        cloud: Cloud,
        draws: tuple[AbilityDraws, ...],
    ) -> None:
        super().__init__(model, data, cloud)
        self.draws, self._rotation = draws, rotation_of(model)

    def _without_turns(self, values: Floats, rows: Floats) -> Floats:
        """Rows (R, V) of derivatives, without the part along rotations of an exploratory model's
        axes. Rotations do not change the likelihood, but dominate a row if the first item is weak.
        """
        if self._rotation is None:
            return rows
        slopes = self._rotation.slopes
        pairs = list(zip(*np.triu_indices(slopes.shape[1], 1), strict=True))
        turns = np.zeros((len(values), len(pairs)))
        for turn, (i, j) in zip(turns.T, pairs, strict=True):
            turn[slopes[:, j]], turn[slopes[:, i]] = values[slopes[:, i]], -values[slopes[:, j]]
        basis, _ = np.linalg.qr(turns)
        return rows - (rows @ basis) @ basis.T

    @property
    def on_common_nodes(self) -> bool:
        """Return False, because every person has draws from his or her own posterior."""
        return False

    def _latent(self, g: int, values: Floats, rows: Ints) -> AbilityDensity:
        group, covariates = self.model.groups[g], self.data.covariates
        return AbilityDensity(group, values, None if covariates is None else covariates[rows])

    def _chunks(self, g: int, nodes: int) -> Iterator[tuple[slice, Ints]]:
        """Parts of a group's persons, and their rows, that are computed at once."""
        rows = self._rows[g]
        step = max(1, _ROWS // (nodes * max(1, self.data.codes.shape[1])))
        for start in range(0, len(rows), step):
            part = slice(start, start + step)
            yield part, rows[part]

    def _log_weights(self, g: int, values: Floats) -> Floats:
        """Log of density of answers and abilities over that of the draws, (P, R)."""
        draws = self.draws[g]
        count = draws.theta.shape[1]
        logs = -draws.log_density
        for part, rows in self._chunks(g, count):
            theta = draws.theta[part]
            latent = self._latent(g, values, np.repeat(rows, count))
            logs[part] += latent.log_density(theta.reshape(-1, theta.shape[2])).reshape(-1, count)
            for block in self.model.groups[g].blocks:
                codes = self.data.codes[np.ix_(rows, block.columns)]
                logs[part] += log_answers(block, values, theta, codes)
        return logs

    def evaluate(self, x: Floats, derivative: bool = True) -> SampledEvaluation:
        """Return likelihood, gradient and weights at free parameters; -inf outside their space."""
        values = self.model.values(x)
        persons = np.full(len(self.data.weights), -np.inf)
        zero, posteriors, error = np.zeros(len(x)), [], 0.0
        log_prior, slope_prior = self.model.log_prior(values)
        if not self.model.admissible(values):
            return SampledEvaluation(-np.inf, log_prior, zero, persons, values, (), [])
        for g, rows in enumerate(self._rows):
            logs = self._log_weights(g, values)
            top = logs.max(axis=1, keepdims=True)
            shares = np.exp(logs - top)
            means = shares.reshape(len(rows), PARTS, -1).mean(axis=2)
            mean = means.mean(axis=1)
            persons[rows] = np.log(mean) + top[:, 0]
            spread = means.var(axis=1, ddof=1) / PARTS / mean**2
            error += float(self.data.weights[rows] ** 2 @ spread)
            weights = shares / shares.sum(axis=1, keepdims=True)
            posteriors.append(GroupPosterior(weights, np.zeros((1, 1)), {}))
        loglik = float(self.data.weights @ persons)
        at = SampledEvaluation(
            loglik, log_prior, zero, persons, values, tuple(posteriors), [], float(np.sqrt(error))
        )
        if not np.isfinite(loglik) or not derivative:
            return at
        total, by_part = np.zeros(len(values)), np.zeros((PARTS, len(values)))
        for g, rows in enumerate(self._rows):
            masses, scores = self._scores_by_part(g, at)
            total += einsum("p,pb,pbv->v", self.data.weights[rows], masses, scores)
            by_part += einsum("p,pbv->bv", self.data.weights[rows], scores)
        design = self.model.design
        total, by_part = (self._without_turns(values, rows) for rows in (total[None], by_part))
        return replace(
            at, gradient=design.T @ (total[0] + slope_prior), by_part=(design.T @ by_part.T).T
        )

    def _scores_by_part(self, g: int, at: Evaluation) -> tuple[Floats, Floats]:
        """Weights (P, PARTS) of the parts of the draws, and mean scores (P, PARTS, V) of each."""
        group, theta, weights = self.model.groups[g], self.draws[g].theta, at.posteriors[g].weights
        count, factors = theta.shape[1] // PARTS, theta.shape[2]
        masses = weights.reshape(len(weights), PARTS, -1).sum(axis=2)
        scores = np.zeros((len(weights), PARTS, len(at.values)))
        for part, rows in self._chunks(g, theta.shape[1]):
            abilities = theta[part].reshape(-1, count, factors)
            share = weights[part].reshape(-1, count)
            share = share / np.maximum(masses[part].reshape(-1, 1), 1e-300)
            codes = np.repeat(self.data.codes[rows], PARTS, axis=0)
            here = mean_item_scores(group, at.values, abilities, codes, share)
            if not group.latent_fixed:
                latent = self._latent(g, at.values, np.repeat(rows, theta.shape[1]))
                moved = latent.scores(abilities.reshape(-1, factors))
                moved = np.matmul(share[:, None], moved.reshape(*share.shape, -1))
                here[:, latent.index] += moved[:, 0]
            scores[part] = here.reshape(len(rows), PARTS, -1)
        return masses, scores

    def mean_scores(
        self, g: int, at: Evaluation, shares: Floats | None = None, slopes: object = None
    ) -> Floats:
        """Return the gradient of every person's log-likelihood, (P, X)."""
        assert shares is None
        assert slopes is None
        masses, scores = self._scores_by_part(g, at)
        return (self.model.design.T @ einsum("pb,pbv->pv", masses, scores).T).T

    def observed(self, at: Evaluation, nodes: int = FOR_INFORMATION) -> Floats:
        """Return observed information (X, X) of the log-likelihood and the priors, dense (Louis
        1982).

        `nodes` is the number of draws of all persons that are used.
        """
        total = np.zeros((len(at.values),) * 2)
        few = max(32, nodes // max(1, len(self.data.codes)))
        for g, group in enumerate(self.model.groups):
            # Every part of the draws fills the space, and so does a portion of each part.
            count = self.draws[g].theta.shape[1]
            chosen = np.arange(0, count, max(1, count // few))
            weights = at.posteriors[g].weights[:, chosen]
            weights = weights / weights.sum(axis=1, keepdims=True)
            for part, rows in self._chunks(g, len(chosen)):
                theta = self.draws[g].theta[part][:, chosen].reshape(-1, self.model.factors)
                each, share = np.repeat(rows, len(chosen)), weights[part]
                counted = (share * self.data.weights[rows][:, None]).ravel()
                latent, codes = self._latent(g, at.values, each), self.data.codes[each]
                total += all_information(group, at.values, theta, codes, counted, latent).toarray()
                columns, scores = all_scores(group, at.values, theta, codes, latent)
                scores = scores.reshape(*share.shape, -1)
                scores -= np.matmul(share[:, None], scores)
                # The correction is the one for the variance of n values, which is divided by n - 1.
                fair = share / (1 - (share**2).sum(axis=1, keepdims=True))
                scores *= np.sqrt(fair * self.data.weights[rows][:, None])[:, :, None]
                flat = scores.reshape(-1, scores.shape[2])
                total[np.ix_(columns, columns)] -= flat.T @ flat
        design = self.model.design
        total = self._without_turns(at.values, self._without_turns(at.values, total).T)
        total += np.diag(self.model.prior_precision(at.values, positive=False))
        information = design.T @ (design.T @ total).T
        return 0.5 * (information + information.T)

    def moments(self, g: int, posterior: GroupPosterior) -> tuple[Floats, Floats]:
        """Return means and standard deviations (P, F) of the abilities of a group's persons."""
        mean, covariance = weighted_moments(self.draws[g].theta, posterior.weights)
        spread = np.diagonal(covariance, axis1=1, axis2=2)
        return mean, np.sqrt(np.maximum(spread, 0))


def sampled_likelihood(
    sampler: Sampler, x: Floats, moments: list[tuple[Floats, Floats]], nodes: int
) -> SampledMarginal:
    """Return the likelihood with new draws for the posteriors at some estimates.

    Parameters
    ----------
    sampler : Sampler
        Model, responses, and the source of the draws.
    x : array (X,)
        Free parameters.
    moments : list of pairs of arrays
        Means (P, F) and covariances (P, F, F) of the abilities of each group's persons.
    nodes : int
        Number of draws of every person, a multiple of 2 `PARTS`.

    Returns
    -------
    SampledMarginal
        The likelihood with its draws.
    """
    cloud = cloud_of(sampler, sampler.model.values(x))
    return SampledMarginal(
        sampler.model, sampler.data, cloud, draws_around(sampler, moments, nodes)
    )
