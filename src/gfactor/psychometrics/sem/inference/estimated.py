"""A model at its minimum, with the information matrices that all inference uses."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gfactor.errors import ParameterError
from gfactor.psychometrics.float_arrays import inv
from gfactor.psychometrics.sem.cholesky import flat, positive_inverse, pseudo_inverse
from gfactor.psychometrics.sem.discrepancy import (
    NormalLikelihood,
    Weight,
    information_at,
    moment_vector,
    normal_weight,
)
from gfactor.psychometrics.sem.inference.gamma import estimator_gamma
from gfactor.psychometrics.sem.inference.saturated import (
    NEEDS_CASES,
    SaturatedGroup,
    saturated_likelihood,
    stage_gamma,
)
from gfactor.psychometrics.sem.inference.scores import casewise_scores
from gfactor.psychometrics.sem.model import Point
from gfactor.psychometrics.sem.problem import Problem

_SHARE = 1e-6
"""Share of a direction without information from which on a parameter belongs to it."""


@dataclass(frozen=True)
class Estimated:
    """A parameter vector of a problem, with its information matrices, scores and weights per
    case."""

    problem: Problem
    point: Point
    value: float

    @property
    def theta(self) -> np.ndarray:
        return self.point.theta

    @cached_property
    def directions(self) -> np.ndarray:
        """A basis of the directions that the constraints leave free, shape (n_free, k)."""
        return self.problem.constraints.directions(self.theta)

    @cached_property
    def _plain(self) -> bool:
        return self.problem.constraints.only_linear and self.problem.constraints.linear.trivial

    def restricted_inverse(self, information: np.ndarray) -> np.ndarray:
        """Return K (K' I K)^-1 K', with K the free directions. If the information is singular, it
        is the pseudo-inverse, in which parameters that are not `determined` are meaningless; NaN if
        the information is not finite."""
        inner = self._inner(information)
        if flat(inner):
            if not np.isfinite(inner).all():
                return np.full(information.shape, np.nan)
            inverse = pseudo_inverse(inner)[0]
        else:
            inverted = positive_inverse(inner)
            assert inverted is not None
            inverse = inverted[0]
        if not self._plain:
            inverse = self.directions @ inverse @ self.directions.T
        return (inverse + inverse.T) / 2

    def inverse_inside_bounds(self, information: np.ndarray, at_bound: Sequence[int]) -> np.ndarray:
        """Return the restricted inverse in which the parameters `at_bound` are fixed, too."""
        if not len(at_bound):
            return self.restricted_inverse(information)
        basis = np.eye(len(information)) if self._plain else self.directions
        _, size, right = np.linalg.svd(basis[list(at_bound)])
        basis = basis @ right[int((size > 1e-10).sum()) :].T
        inner = basis.T @ information @ basis
        inverted = None if flat(inner) else positive_inverse(inner)
        inverse = pseudo_inverse(inner)[0] if inverted is None else inverted[0]
        return basis @ inverse @ basis.T

    def _inner(self, information: np.ndarray) -> np.ndarray:
        if self._plain:
            return information
        return self.directions.T @ information @ self.directions

    def determined(self, information: np.ndarray) -> np.ndarray:
        """Return True for parameters that an information matrix determines, shape (n_free,)."""
        inner = self._inner(information)
        if not flat(inner) or not np.isfinite(inner).all():
            return np.ones(len(information), dtype=bool)
        idle = pseudo_inverse(inner)[1]
        if not self._plain:
            idle = self.directions @ idle
        # Relative to the parameter that a direction moves most; a share below this is rounding.
        share = np.abs(idle) / np.maximum(np.abs(idle).max(axis=0, initial=0.0), 1e-300)
        return share.max(axis=1, initial=0.0) < _SHARE

    def deltas(self) -> list[np.ndarray]:
        """Return derivatives of each group's moments, shape (moments, n_free)."""
        return self._deltas

    @cached_property
    def _deltas(self) -> list[np.ndarray]:
        return [self.point.delta(number) for number in range(len(self.point.groups))]

    @cached_property
    def expected(self) -> np.ndarray:
        return self.problem.discrepancy.expected(self.point)

    @cached_property
    def hessian(self) -> np.ndarray:
        return self.problem.discrepancy.hessian(self.point)

    @cached_property
    def scores(self) -> list[np.ndarray]:
        """Casewise slopes of the log-likelihood per group, shape (n_g, n_free)."""
        likelihood = self.problem.discrepancy
        if not isinstance(likelihood, NormalLikelihood):
            raise ParameterError(
                f"casewise scores need a likelihood; estimator {self.problem.options.estimator} "
                "has none: use ML or MLR."
            )
        scores = []
        for number, group in enumerate(self.problem.sample.groups):
            if group.rows is None:
                raise ParameterError(NEEDS_CASES)
            scores.append(casewise_scores(likelihood, self.point, number, group.rows))
        return scores

    def first_order(self, which: int) -> np.ndarray:
        """Return the mean outer product of casewise scores; if h1_information is "unstructured",
        that of the moments' scores at the sample's own moments, transformed to the parameters."""
        problem = self.problem
        if problem.options.h1_information[which] == "structured":
            return self._own_first_order
        return self.carried_scores

    @cached_property
    def carried_scores(self) -> np.ndarray:
        """The outer product of the moments' scores at the sample's moments, transformed to the
        parameters."""
        total = np.zeros((self.problem.structure.n_free,) * 2)
        for number, share in enumerate(self.problem.sample.shares):
            delta = self.deltas()[number]
            total += share * self.saturated(number).carried(delta)
        return total

    @property
    def complete(self) -> bool:
        """Return True if no value is missing."""
        return all(block.complete for block in self.problem.blocks)

    def _unstructured(self, kind: str) -> np.ndarray:
        """The information at the sample's moments, given which values are missing."""
        if self.complete:
            return self.unstructured
        total = np.zeros((self.problem.structure.n_free,) * 2)
        for number, share in enumerate(self.problem.sample.shares):
            delta = self.deltas()[number]
            total += share * (delta.T @ self.saturated(number).information_by(kind) @ delta)
        return total

    @cached_property
    def unstructured(self) -> np.ndarray:
        """The matrix delta' V delta, where V is the expected information of complete cases at the
        sample's moments."""
        problem = self.problem
        n_free = problem.structure.n_free
        total = np.zeros((n_free, n_free))
        for number, (here, share) in enumerate(
            zip(self.point.groups, problem.sample.shares, strict=True)
        ):
            inverse = inv(problem.unrestricted_covariance(number))
            total += share * information_at(here, inverse, n_free, means=problem.use_mean)
        return total

    @cached_property
    def _own_first_order(self) -> np.ndarray:
        groups = self.problem.sample.groups
        parts = [group.totals(part) for group, part in zip(groups, self.scores, strict=True)]
        return np.asarray(sum(part.T @ part for part in parts)) / self.problem.sample.n

    @cached_property
    def corrections(self) -> tuple[float, float]:
        """Return the corrections of the log-likelihoods of the unrestricted model and of the model,
        each the trace of information^-1 times the outer product of scores."""
        kind = str(self.problem.options.information[1])
        groups = range(len(self.problem.sample.groups))
        return sum(self.saturated(g).trace_by(kind) for g in groups), self._own_correction()

    def _own_correction(self) -> float:
        inverse = self.restricted_inverse(self.information(1))
        return float((inverse * self.first_order(1)).sum())

    def saturated(self, number: int) -> SaturatedGroup:
        """Return one group's unrestricted moments, computed once per sample."""
        memo = self.problem.memo
        if ("saturated", number) not in memo:
            memo["saturated", number] = SaturatedGroup(self.problem, number)
        return memo["saturated", number]

    def weight(self, number: int, which: int) -> Weight:
        """Return the weight matrix of one group's moments, per case. Under ML it is the
        normal-theory weight matrix at the moments of the model or the sample, as `h1_information`
        chooses."""
        problem = self.problem
        if not problem.likelihood_based:
            return problem.weights[number].weight
        kind = str(problem.options.information[which])
        unstructured = problem.options.h1_information[which] == "unstructured"
        if unstructured and not self.complete:
            return self.saturated(number).information_by(kind)
        if unstructured or self._like_mplus:
            cov = problem.unrestricted_covariance(number)
            return normal_weight(inv(cov), means=problem.use_mean)
        here = self.point.groups[number]
        if kind == "expected" and self.complete:
            return normal_weight(inv(here.sigma), means=problem.use_mean)
        saturated = saturated_likelihood(problem, number)
        point = saturated.at(moment_vector(here.mu, here.sigma, means=problem.use_mean))
        return saturated.expected(point) if kind == "expected" else saturated.hessian(point)

    @property
    def _like_mplus(self) -> bool:
        """Return True if weights are taken at the sample's moments whatever the options say. Lavaan
        does so under ML with mimic = "Mplus" for Satorra-Bentler's standard errors and tests.
        """
        options = self.problem.options
        return options.mimic == "Mplus" and self.problem.likelihood_based

    def moment_information(self, which: int) -> np.ndarray:
        """Return the information that belongs to the `weight` of the moments."""
        return self.unstructured if self._like_mplus else self.information(which)

    def information(self, which: int) -> np.ndarray:
        """Return the information that the options ask for: 0 for standard errors, 1 for the
        test."""
        options = self.problem.options
        kind = options.information[which]
        if kind == "first.order":
            return self.first_order(which)
        if kind == "observed" and options.observed_information[which] == "hessian":
            fewer = 1.0 if self.problem.likelihood_based else self.error_cases / self.problem.cases
            return self.hessian / fewer
        likelihood = self.problem.discrepancy
        structured = options.h1_information[which] == "structured"
        if not isinstance(likelihood, NormalLikelihood):
            return self.of_moments
        if structured and kind == "observed":
            return likelihood.hessian(self.point, curved=False)
        if not structured:
            return self._unstructured(str(kind))
        return self._structured if options.likelihood == "wishart" else self.expected

    @cached_property
    def of_moments(self) -> np.ndarray:
        """Return delta' V delta under least squares, summed over groups.

        Groups are weighted by their share of the cases (in the discrepancy by n - 1).
        """
        total = np.zeros((self.problem.structure.n_free,) * 2)
        for given, delta, share in zip(
            self.problem.weights, self.deltas(), self.problem.sample.shares, strict=True
        ):
            total += share * (delta.T @ given.weight @ delta)
        return total

    @cached_property
    def _structured(self) -> np.ndarray:
        """The same with the normal-theory weight at the model's moments."""
        problem, n_free = self.problem, self.problem.structure.n_free
        total = np.zeros((n_free, n_free))
        for here, share in zip(self.point.groups, problem.sample.shares, strict=True):
            inverse = inv(here.sigma)
            total += share * information_at(here, inverse, n_free, means=problem.use_mean)
        return total

    @cached_property
    def value_by_share(self) -> float:
        """The minimum with groups weighted by their share of the cases; under the Wishart
        likelihood the search weights them by n - 1."""
        problem, likelihood = self.problem, self.problem.discrepancy
        if problem.options.likelihood != "wishart" or not isinstance(likelihood, NormalLikelihood):
            return self.value
        ratios = problem.sample.shares / [block.weight.sum() for block in likelihood.blocks]
        blocks = tuple(
            dataclasses.replace(b, weight=b.weight * r, saturated=b.saturated * r)
            for b, r in zip(likelihood.blocks, ratios, strict=True)
        )
        by_share = NormalLikelihood(problem.structure, blocks, use_mean=problem.use_mean)
        return by_share.value(by_share.at(self.theta))

    @property
    def error_cases(self) -> float:
        """Return the divisor of sampling covariances: n, or n less the number of groups if
        covariances have divisor n - 1.
        """
        sample = self.problem.sample
        wishart = self.problem.options.likelihood == "wishart"
        less = wishart or self.problem.options.divisor_less_one
        return float(sample.n - (len(sample.groups) if less else 0))

    def gamma(self, number: int) -> np.ndarray:
        """Return the distribution-free covariance of one group's moments."""
        return self._gammas[number]

    def test_gamma(self, number: int) -> np.ndarray:
        """Return the Gamma matrix that the corrections of the test use."""
        return self.gamma(number)

    @cached_property
    def _gammas(self) -> list[np.ndarray]:
        problem = self.problem
        if problem.options.two_stage:
            names, kinds = problem.sample.variables, problem.options
            return [stage_gamma(group, names, kinds) for group in problem.sample.groups]
        if not self.complete:
            kind = str(problem.options.information[1])
            return [self.saturated(k).gamma(kind) for k in range(len(problem.sample.groups))]
        given = np.isin(problem.sample.variables, problem.exogenous)
        return [
            estimator_gamma(group, problem.options, means=problem.use_mean, given=given)
            for group in problem.sample.groups
        ]
