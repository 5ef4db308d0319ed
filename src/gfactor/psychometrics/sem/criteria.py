"""Discrepancies that estimators minimize, from a sample: a likelihood or distances of moments."""

from __future__ import annotations

import dataclasses

import numpy as np

from gfactor.errors import ParameterError
from gfactor.psychometrics.float_arrays import inv
from gfactor.psychometrics.sem.cholesky import positive_inverse
from gfactor.psychometrics.sem.discrepancy import (
    LeastSquares,
    NormalLikelihood,
    WeightedMoments,
    moment_vector,
    normal_weight,
)
from gfactor.psychometrics.sem.inference.gamma import estimator_gamma
from gfactor.psychometrics.sem.model import Structure, vech_places
from gfactor.psychometrics.sem.options import Options
from gfactor.psychometrics.sem.sample import (
    Blocks,
    GroupSample,
    Sample,
    complete_block,
    pattern_blocks,
    saturated_moments,
)


def _gamma_weight(
    group: GroupSample, options: Options, *, means: bool, given: np.ndarray
) -> np.ndarray:
    """The inverse of the distribution-free covariance of one group's moments (WLS), or of its
    diagonal (DWLS); moments of given covariates do not vary and carry no weight."""
    gamma = estimator_gamma(group, options, means=means, given=given)
    row, column = vech_places(len(given))
    moving = ~(given[row] & given[column])
    if means:
        moving = np.concatenate([~given, moving])
    weight = np.zeros_like(gamma)
    if options.minimised == "DWLS":
        weight[moving, moving] = 1 / gamma.diagonal()[moving]
        return weight
    inner = gamma[np.ix_(moving, moving)]
    sd = np.sqrt(inner.diagonal())
    if group.n <= len(inner) or np.linalg.cond(inner / np.outer(sd, sd)) > 1e13:
        where = f" in group {group.label!r}" if group.label else ""
        raise ParameterError(
            f"estimator WLS needs more cases than moments, and no variable that others determine: "
            f"{group.n} cases{where} give {len(inner)} moments whose covariance matrix cannot be "
            "inverted; use MLR or ULS."
        )
    weight[np.ix_(moving, moving)] = inv(inner)
    return weight


def least_squares(
    structure: Structure, sample: Sample, options: Options, exogenous: tuple[str, ...]
) -> tuple[LeastSquares, tuple[WeightedMoments, ...]]:
    means = structure.meanstructure
    p = len(sample.variables)
    given = np.isin(sample.variables, exogenous)
    weights = []
    if options.minimised == "GLS":
        refuse_singular(sample)
    for group, share in zip(sample.groups, sample.shares, strict=True):
        cov = group.cov * group.n / (group.n - 1)
        vector = moment_vector(group.mean, cov, means=means)
        if options.minimised == "GLS":
            weight = normal_weight(inv(cov), means=means)
            if means and options.mimic == "Mplus":
                weight[:p, :p] *= group.n / (group.n - 1)
        elif options.minimised in {"WLS", "DWLS"}:
            weight = _gamma_weight(group, options, means=means, given=given)
        else:
            weight = np.eye(len(vector))
        weights.append(WeightedMoments(vector, weight, share * (group.n - 1) / group.n))
    matrices = tuple(weights)
    return LeastSquares(structure, matrices, use_mean=means), matrices


_SINGULAR = 1e-9
"""The smallest eigenvalue of a correlation matrix that counts as more than rounding."""
_REGULAR = 1e8
"""A trace of its inverse below which no eigenvalue can be that small."""


def refuse_singular(sample: Sample) -> None:
    """Raise ParameterError if a group's covariance matrix has no inverse, with the variables at
    fault."""
    for group in sample.groups:
        inverse = positive_inverse(group.cov)
        # The smallest eigenvalue is no less than the inverse of its inverse's trace.
        if inverse is not None and float(inverse[0].diagonal() @ group.cov.diagonal()) < _REGULAR:
            continue
        sd = np.sqrt(group.cov.diagonal())
        values, vectors = np.linalg.eigh(group.cov / np.outer(sd, sd))
        if values[0] > _SINGULAR:
            continue
        where = f" of group {group.label!r}" if group.label else ""
        if group.n <= len(sd):
            reason = "use a smaller model or collect more cases"
        else:
            weights = np.abs(vectors[:, 0])
            names = [
                name
                for name, weight in zip(sample.variables, weights, strict=True)
                if weight > 0.01 * weights.max()
            ]
            reason = f"among {', '.join(names[:12])} some determine the others: leave one out"
        raise ParameterError(
            f"the covariance matrix{where} is singular ({group.n} cases, {len(sd)} variables); "
            f"{reason}."
        )


def likelihood(
    structure: Structure, sample: Sample, options: Options
) -> tuple[NormalLikelihood, tuple[Blocks, ...], Sample]:
    if options.full_information and all(group.rows is not None for group in sample.groups):
        pairs = [
            saturated_moments(
                group,
                pattern_blocks(group, share),
                tolerance=options.em_h1_tol,
                names=sample.variables,
            )
            for group, share in zip(sample.groups, sample.shares, strict=True)
        ]
        sample = dataclasses.replace(sample, groups=tuple(group for group, _ in pairs))
        blocks = tuple(block for _, block in pairs)
        refuse_singular(sample)
        return NormalLikelihood(structure, blocks, use_mean=True), blocks, sample
    if options.two_stage:
        first = [
            saturated_moments(
                group,
                pattern_blocks(group, 1.0),
                tolerance=options.em_h1_tol,
                names=sample.variables,
            )[0]
            for group in sample.groups
        ]
        sample = dataclasses.replace(sample, groups=tuple(first))
    shares = sample.shares
    blocks = tuple(map(complete_block, sample.groups, shares))
    fitted = blocks
    if options.likelihood == "wishart":
        counts = np.array([group.n - 1.0 for group in sample.groups])
        fitted = tuple(
            complete_block(group, share, divisor_less_one=True)
            for group, share in zip(sample.groups, counts / counts.sum(), strict=True)
        )
    refuse_singular(sample)
    return NormalLikelihood(structure, fitted, use_mean=structure.meanstructure), blocks, sample
