"""The unrestricted model of one group at the sample's own moments.

Savalei, V., Bentler, P. M. (2009). A two-stage approach to missing data: theory and application to
    auxiliary variables. Structural Equation Modeling 16, 477-497.
Yuan, K.-H., Bentler, P. M. (2000). Three likelihood-based methods for mean and covariance structure
    analysis with nonnormal missing data. Sociological Methodology 30, 165-200.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from gfactor.errors import ParameterError
from gfactor.psychometrics.float_arrays import inv, solve
from gfactor.psychometrics.sem.discrepancy import NormalLikelihood, moment_vector, normal_weight
from gfactor.psychometrics.sem.inference.scores import casewise_scores
from gfactor.psychometrics.sem.model import Point, saturated_structure, vech_places
from gfactor.psychometrics.sem.options import Options
from gfactor.psychometrics.sem.problem import Problem
from gfactor.psychometrics.sem.sample import GroupSample, pattern_blocks

NEEDS_CASES = (
    "robust standard errors and scaled tests need the cases themselves; give data instead of a "
    "covariance matrix, or use estimator ML."
)


def saturated_likelihood(problem: Problem, number: int) -> NormalLikelihood:
    """Return the likelihood of one group's unrestricted moments, per case."""
    # Under the Wishart likelihood these have divisor n - 1, unlike `problem.blocks`.
    likelihood = problem.discrepancy
    blocks = likelihood.blocks if isinstance(likelihood, NormalLikelihood) else problem.blocks
    block = blocks[number]
    alone = dataclasses.replace(block, weight=block.weight / block.weight.sum())
    structure = saturated_structure(problem.sample.variables, means=problem.use_mean)
    return NormalLikelihood(structure, (alone,), use_mean=problem.use_mean)


class SaturatedGroup:
    """Information and scores of the moments (means, then vech of the covariances), per case."""

    def __init__(self, problem: Problem, number: int) -> None:
        self._problem = problem
        self._number = number
        self._group = problem.sample.groups[number]
        if self._group.rows is None:
            raise ParameterError(NEEDS_CASES)
        self._cov = problem.unrestricted_covariance(number)

    @cached_property
    def _likelihood(self) -> NormalLikelihood:
        return saturated_likelihood(self._problem, self._number)

    @cached_property
    def _point(self) -> Point:
        means = self._problem.use_mean
        return self._likelihood.at(moment_vector(self._group.mean, self._cov, means=means))

    @cached_property
    def scores(self) -> np.ndarray:
        """Casewise slopes, shape (n, moments); weighted and summed within clusters if there are
        such."""
        assert self._group.rows is not None
        scores = casewise_scores(self._likelihood, self._point, 0, self._group.rows)
        # Their mean is zero if covariances have divisor n; otherwise it is subtracted.
        if self._group.designed:
            return self._group.totals(scores)
        complete = self._problem.blocks[self._number].complete
        return scores - scores.mean(axis=0) if complete else scores

    @cached_property
    def information(self) -> np.ndarray:
        """Observed information, which for complete cases is the expected one."""
        if self._problem.blocks[self._number].complete:
            inverse = inv(self._cov)
            return normal_weight(inverse, means=self._problem.use_mean)
        return self._likelihood.hessian(self._point)

    @cached_property
    def expected(self) -> np.ndarray:
        """Expected information given the pattern of missing values."""
        return self._likelihood.expected(self._point)

    @cached_property
    def meat(self) -> np.ndarray:
        """The mean outer product of scores."""
        return self.scores.T @ self.scores / self._group.size

    def _counted(self, matrix: np.ndarray) -> np.ndarray:
        """Return the part of a matrix for the moments that are data."""
        counted = self._problem.counted_moments
        return matrix if counted.all() else matrix[np.ix_(counted, counted)]

    @cached_property
    def counted_meat(self) -> np.ndarray:
        """The meat of the moments that are data."""
        return self._counted(self.meat)

    @cached_property
    def covariance(self) -> np.ndarray:
        """The inverse information of the moments that are data."""
        return inv(self._counted(self.information))

    @cached_property
    def sandwich(self) -> np.ndarray:
        """Distribution-free sampling covariance of the moments (sandwich)."""
        return self.covariance @ self.counted_meat @ self.covariance

    def information_by(self, kind: str) -> np.ndarray:
        """Return `expected` or observed information."""
        return self.expected if kind == "expected" else self.information

    def gamma(self, kind: str) -> np.ndarray:
        """Return `sandwich` around either information, with zeros for moments of given
        covariates."""
        counted = self._problem.counted_moments
        inverse = inv(self._counted(self.information_by(kind)))
        out = np.zeros((len(counted),) * 2)
        out[np.ix_(counted, counted)] = inverse @ self.counted_meat @ inverse
        return out

    def carried(self, delta: np.ndarray) -> np.ndarray:
        """Return delta' meat delta, shape (n_free, n_free)."""
        if len(self.scores) < len(delta):
            moved = self.scores @ delta
            return moved.T @ moved / self._group.size
        return delta.T @ self.meat @ delta

    def trace_by(self, kind: str) -> float:
        """Return `trace`; for incomplete cases possibly with the expected information."""
        if kind != "expected" or self._problem.blocks[self._number].complete:
            return self.trace
        return _trace_of(self._counted(self.expected), self.counted_meat)

    @cached_property
    def trace(self) -> float:
        """tr(information^-1 meat), of the moments that are data.

        For complete cases it is the mean over cases of d + (d^2 - 2 d + p) / 2, d the squared
        Mahalanobis distance.
        """
        counted = self._problem.counted_moments
        wishart = self._problem.options.likelihood == "wishart"
        plain = counted.all() and not wishart and not self._group.designed
        if self._problem.blocks[self._number].complete and plain:
            assert self._group.rows is not None
            away = self._group.rows - self._group.mean
            d = ((away @ inv(self._cov)) * away).sum(axis=1)
            covariances = float((d**2 - 2 * d + away.shape[1]).mean()) / 2
            return covariances + (float(d.mean()) if self._problem.use_mean else 0.0)
        return _trace_of(self._counted(self.information), self.counted_meat)


def _trace_of(bread: np.ndarray, meat: np.ndarray) -> float:
    return float(np.trace(solve(bread, meat)))


def stage_gamma(group: GroupSample, variables: Sequence[str], options: Options) -> np.ndarray:
    """Return the covariance matrix of sqrt(n) times the unrestricted means and covariances: the
    inverse of their observed (or expected) information, or (robust) the sandwich around casewise
    scores."""
    if options.se == "none":  # the independence model
        return _with_zeros(group)
    expected = options.information[0] == "expected"
    blocks = pattern_blocks(group, 1.0)
    likelihood = NormalLikelihood(
        saturated_structure(tuple(variables), means=True), (blocks,), use_mean=True
    )
    point = likelihood.at(moment_vector(group.mean, group.cov, means=True))
    inverse = inv(likelihood.expected(point) if expected else likelihood.hessian(point))
    if options.missing != "robust.two.stage":
        return inverse
    assert group.rows is not None
    scores = casewise_scores(likelihood, point, 0, group.rows)
    return inverse @ (scores.T @ scores / len(scores)) @ inverse


def _with_zeros(group: GroupSample) -> np.ndarray:
    """The distribution-free covariance with deviations of cells that are missing set to zero.

    As in lavaan 0.6, it is used for the test of the independence model after two stages; for a
    model's own test it would be too small.
    """
    assert group.rows is not None
    away = group.rows - np.nanmean(group.rows, axis=0)
    row, column = vech_places(away.shape[1])
    both = np.concatenate([away, away[:, row] * away[:, column]], axis=1)
    both -= np.nanmean(both, axis=0)
    both[np.isnan(both)] = 0.0
    return both.T @ both / len(both)
