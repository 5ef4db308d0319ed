"""The maximum of a likelihood by importance sampling, from the neighborhood that `mhrm` finds.

A few Newton steps with the observed information, each with draws of its own, take the estimates to
the maximum, up to Monte Carlo error: the last moves of a Robbins-Monro search are small because its
gain factor is small, even if much information is missing and the maximum is still a part of a
standard error away. The steps end if the gain of log-likelihood that one more step predicts is no
larger than what Monte Carlo error predicts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.irt.estimation.clouds import PARTS, first_moments, weighted_moments
from gfactor.psychometrics.irt.estimation.errors import inverse
from gfactor.psychometrics.irt.estimation.free_rotation import rotation_of
from gfactor.psychometrics.irt.estimation.maximizing import Optimum, ascent
from gfactor.psychometrics.irt.estimation.mhrm import Chain, Sampler, Stages, search, shortened
from gfactor.psychometrics.irt.estimation.sampled import (
    FOR_INFORMATION,
    SampledEvaluation,
    SampledMarginal,
    sampled_likelihood,
)
from gfactor.psychometrics.irt.likelihood.curves import Floats
from gfactor.psychometrics.irt.likelihood.lattice import IMPRECISE
from gfactor.psychometrics.irt.likelihood.marginal import CodedResponses, Quadrature
from gfactor.psychometrics.irt.likelihood.specification import IrtModel
from gfactor.psychometrics.irt.request import MOST_FACTORS, Request

MANY_FACTORS = 5
"""Number of factors from which abilities are drawn, unless nodes are requested."""
DRAWS = 512
"""Draws of every person: for a Newton step, and the least number for the result."""
ALL_DRAWS, MOST_DRAWS = 2_000_000, 4_096
"""Draws for the result: over all persons, and the largest number of one person."""
MOST_STEPS = 6
"""Largest number of Newton steps."""
LONGEST_STEP = 2.0
"""Largest change of a parameter in a step."""
LITTLE, ENOUGH = 0.001, 0.1
"""Predicted gain of log-likelihood of one more step: ends the steps; still counts as converged."""
FEW_DRAWS = 256
"""Number of draws that give the mean and covariance for each person's later draws."""


@dataclass(frozen=True)
class SampledOptimum(Optimum):
    """Point at which a search by draws ended.

    Parameters
    ----------
    gain : float
        Gain of log-likelihood that one more Newton step predicts; part of it is Monte Carlo error.
    estimates_error : float
        Largest Monte Carlo error of an estimate, in its standard errors.
    acceptance : float
        Share of Metropolis-Hastings proposals that were accepted.
    """

    gain: float = 0.0
    estimates_error: float = 0.0
    acceptance: float = 0.0


def maximize_by_draws(
    model: IrtModel, data: CodedResponses, rng: np.random.Generator,
    stages: Stages | None = None, progress: Callable[[int, float], None] | None = None,
) -> tuple[SampledOptimum, SampledMarginal]:  # fmt: skip
    """Maximize the marginal likelihood of a model with many abilities.

    Parameters
    ----------
    model : Model
        Model with any number of abilities, without specific factors.
    data : CodedResponses
        Coded responses.
    rng : Generator
        Source of all draws.
    stages : Stages
        Lengths of the stages of the Robbins-Monro search.
    progress : callable or None
        Called with the number of the cycle or step and a log-likelihood: in the search that of
        answers and draws together, in the Newton steps the marginal one.

    Returns
    -------
    SampledOptimum
        The estimates, with the observed information.
    SampledMarginal
        The likelihood, with draws for these estimates.
    """
    rotation = rotation_of(model)
    chain = search(
        model if rotation is None else rotation.freed, data, rng, stages or Stages(), progress
    )
    x = chain.x if rotation is None else rotation.turned_back(chain.x)
    sampler = Sampler(model, data, rng)
    moments = first_moments(sampler, model.values(x))
    steps = 0
    while True:
        moments = _renewed(sampled_likelihood(sampler, x, moments, FEW_DRAWS), x)
        likelihood = sampled_likelihood(sampler, x, moments, DRAWS)
        at = likelihood.evaluate(x)
        information = likelihood.observed(at, FOR_INFORMATION // 4)
        step = ascent(information, at.gradient)
        if progress is not None:
            progress(chain.cycles + steps, at.objective)
        noise = _noise(at, information)[0]
        if 0.5 * at.gradient @ step <= max(LITTLE, 2 * noise) or steps == MOST_STEPS:
            break
        x, steps = x + shortened(model, x, step, LONGEST_STEP), steps + 1
    return _ended(sampler, chain, x, moments, steps)


def _renewed(likelihood: SampledMarginal, x: Floats) -> list[tuple[Floats, Floats]]:
    """Means and covariances of the persons' abilities by weighted draws."""
    at = likelihood.evaluate(x, derivative=False)
    return [
        weighted_moments(part.theta, posterior.weights)
        for part, posterior in zip(likelihood.draws, at.posteriors, strict=True)
    ]


def _noise(at: SampledEvaluation, information: Floats) -> tuple[float, Floats]:
    """Return the gain of log-likelihood that Monte Carlo error alone predicts, and the variances of
    estimates by that error.
    """
    away = at.by_part - at.by_part.mean(axis=0)
    moved = np.array([ascent(information, row) for row in away])
    scale = PARTS * (PARTS - 1)
    return 0.5 * float((away * moved).sum()) / scale, (moved**2).sum(axis=0) / scale


def _ended(
    sampler: Sampler, chain: Chain, x: Floats, moments: list[tuple[Floats, Floats]], steps: int
) -> tuple[SampledOptimum, SampledMarginal]:
    """Return the result, computed with more draws than a step needs."""
    each = 2 * PARTS
    draws = min(MOST_DRAWS, max(DRAWS, ALL_DRAWS // len(sampler.theta))) // each * each
    likelihood = sampled_likelihood(sampler, x, moments, draws)
    at = likelihood.evaluate(x)
    information = likelihood.observed(at)
    gain = 0.5 * float(at.gradient @ ascent(information, at.gradient))
    noise, variances = _noise(at, information)
    covariance = inverse(information)
    error = (
        float("nan") if covariance is None
        else float(np.sqrt(variances / covariance.diagonal()).max(initial=0.0))
    )  # fmt: skip
    return SampledOptimum(
        x, at, chain.converged and gain <= max(ENOUGH, 3 * noise),
        float(np.abs(at.gradient).max(initial=0.0)), chain.cycles, steps, information, gain, error,
        chain.acceptance,
    ), likelihood  # fmt: skip


def by_draws(
    method: str | None, request: Request, model: IrtModel, quadrature: Quadrature | None
) -> bool:
    """Return True if abilities are drawn and not integrated over nodes."""
    if method is None:
        return model.factors >= MANY_FACTORS and request.bifactor is None and quadrature is None
    name = str(method).lower()
    if name not in ("quadrature", "mhrm"):
        raise UnknownNameError("method", str(method), ("quadrature", "mhrm"))
    if name == "mhrm" and (request.bifactor is not None or quadrature is not None):
        raise ParameterError(
            "method 'mhrm' draws abilities and has no nodes; leave out quadrature"
            if quadrature is not None
            else "bifactor models are integrated over two abilities at a time, whatever their "
            "number; leave out method 'mhrm'"
        )
    if name == "quadrature" and request.bifactor is None and model.factors > MOST_FACTORS:
        raise ParameterError(
            f"nodes are for {MOST_FACTORS} factors at the most, got {model.factors}; method 'mhrm' "
            "takes more, and a bifactor model any number of specific factors"
        )
    return name == "mhrm"


def best_by_draws(
    model: IrtModel, responses: CodedResponses, starts: int, seed: int,
    progress: Callable[[int, float], None] | None,
) -> tuple[SampledOptimum, SampledMarginal]:  # fmt: skip
    """Return the best of several searches with different draws."""
    optima = [
        maximize_by_draws(model, responses, np.random.default_rng([seed, k]), progress=progress)
        for k in range(max(1, starts))
    ]
    return max(optima, key=lambda one: one[0].at.objective)


def about_draws(optimum: SampledOptimum, error: float) -> list[Diagnostic]:
    """Return diagnostics of a search by draws, and of its Monte Carlo error."""
    diagnostics = []
    if not optimum.converged:
        diagnostics.append(Diagnostic(
            "not_converged", "error",
            f"After {optimum.iterations} cycles and {optimum.newton_steps} Newton steps one more "
            f"step would raise the log-likelihood by {optimum.gain:.2g}.",
            "Do not use the estimates; look for items that nearly everybody solves, add priors, or "
            "fit a smaller model.",
        ))  # fmt: skip
    if error > IMPRECISE:
        diagnostics.append(Diagnostic(
            "integral_by_draws", "note",
            f"The log-likelihood has a Monte Carlo error of {error:.2g}; that of the estimates is "
            f"{optimum.estimates_error:.2g} of their standard errors at the most.",
            "Take differences of log-likelihoods of that size as none; another seed shows them.",
            values={"loglik_error": error, "estimates_error": optimum.estimates_error},
        ))  # fmt: skip
    return diagnostics
