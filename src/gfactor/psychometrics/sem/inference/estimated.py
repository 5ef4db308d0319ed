"""A model at its minimum, with the information matrices that everything else is made of."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gfactor.errors import ParameterError
from gfactor.psychometrics.sem.discrepancy import (
    NormalLikelihood,
    information_at,
    moment_vector,
    normal_weight,
)
from gfactor.psychometrics.sem.inference.gamma import moment_covariance
from gfactor.psychometrics.sem.inference.saturated import (
    NEEDS_CASES,
    SaturatedGroup,
    saturated_likelihood,
)
from gfactor.psychometrics.sem.inference.scores import casewise_scores
from gfactor.psychometrics.sem.model import Point
from gfactor.psychometrics.sem.problem import Problem


@dataclass(frozen=True)
class Estimated:
    """A point of a problem and what follows from it. Matrices are those of one case."""

    problem: Problem
    point: Point
    value: float

    @property
    def theta(self) -> np.ndarray:
        return self.point.theta

    @cached_property
    def directions(self) -> np.ndarray:
        """A basis of what the constraints leave free, shape (n_free, k)."""
        return self.problem.constraints.directions(self.theta)

    @cached_property
    def _plain(self) -> bool:
        return self.problem.constraints.only_linear and self.problem.constraints.linear.trivial

    def restricted_inverse(self, information: np.ndarray) -> np.ndarray:
        """K (K' I K)^-1 K', K the directions left free; all NaN where that cannot be inverted."""
        inner = information
        if not self._plain:
            inner = self.directions.T @ information @ self.directions
        try:
            inverse = np.linalg.inv(inner)
        except np.linalg.LinAlgError:
            return np.full(information.shape, np.nan)
        if not self._plain:
            inverse = self.directions @ inverse @ self.directions.T
        return (inverse + inverse.T) / 2

    def deltas(self) -> list[np.ndarray]:
        """Derivatives of each group's moments, shape (moments, n_free)."""
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
        found = []
        for number, group in enumerate(self.problem.sample.groups):
            if group.rows is None:
                raise ParameterError(NEEDS_CASES)
            found.append(casewise_scores(likelihood, self.point, number, group.rows))
        return found

    def first_order(self, which: int) -> np.ndarray:
        """The mean outer product of casewise scores; where h1_information is "unstructured", of
        the moments' scores at the sample's own moments, carried to the parameters."""
        problem = self.problem
        if problem.options.h1_information[which] == "structured":
            return self._own_first_order
        return self.carried_scores

    @cached_property
    def carried_scores(self) -> np.ndarray:
        """The moments' outer product of scores at the sample's moments, carried to parameters."""
        total = np.zeros((self.problem.structure.n_free,) * 2)
        for number, share in enumerate(self.problem.sample.shares):
            delta = self.deltas()[number]
            total += share * self.saturated(number).carried(delta)
        return total

    @cached_property
    def unstructured(self) -> np.ndarray:
        """delta' V delta, V the expected information of complete cases at the sample's moments."""
        problem = self.problem
        n_free = problem.structure.n_free
        total = np.zeros((n_free, n_free))
        for group, here, share in zip(
            problem.sample.groups, self.point.groups, problem.sample.shares, strict=True
        ):
            inverse = np.linalg.inv(group.cov)
            total += share * information_at(here, inverse, n_free, means=problem.use_mean)
        return total

    @cached_property
    def _own_first_order(self) -> np.ndarray:
        total = sum(part.T @ part for part in self.scores)
        return np.asarray(total) / self.problem.sample.n

    def saturated(self, number: int) -> SaturatedGroup:
        """One group's unrestricted moments, computed once per sample."""
        memo = self.problem.memo
        if ("saturated", number) not in memo:
            memo["saturated", number] = SaturatedGroup(self.problem, number)
        return memo["saturated", number]

    def weight(self, number: int, which: int) -> np.ndarray:
        """The weight matrix of one group's moments, of one case of the group: under ML the
        normal-theory one at the model's or the sample's moments, as h1_information says."""
        problem = self.problem
        if not problem.likelihood_based:
            return problem.weights[number].weight
        if problem.options.h1_information[which] == "unstructured":
            cov = problem.sample.groups[number].cov
            return normal_weight(np.linalg.inv(cov), means=problem.use_mean)
        here = self.point.groups[number]
        if problem.options.information[which] == "expected":
            return normal_weight(np.linalg.inv(here.sigma), means=problem.use_mean)
        saturated = saturated_likelihood(problem, number)
        moments = moment_vector(here.mu, here.sigma, means=problem.use_mean)
        return saturated.hessian(saturated.at(moments))

    def information(self, which: int) -> np.ndarray:
        """The information that the options ask for: 0 for standard errors, 1 for the test."""
        options = self.problem.options
        kind = options.information[which]
        if kind == "first.order":
            return self.first_order(which)
        if kind == "observed" and options.observed_information[which] == "hessian":
            return self.hessian
        likelihood = self.problem.discrepancy
        structured = options.h1_information[which] == "structured"
        if not isinstance(likelihood, NormalLikelihood):
            return self.expected
        if structured and kind == "observed":
            return likelihood.hessian(self.point, curved=False)
        if structured:
            return self.expected
        return self.unstructured

    def gamma(self, number: int) -> np.ndarray:
        """The distribution-free covariance of one group's moments."""
        return self._gammas[number]

    @cached_property
    def _gammas(self) -> list[np.ndarray]:
        problem = self.problem
        given = np.isin(problem.sample.variables, problem.exogenous)
        found = []
        for group in problem.sample.groups:
            gamma = moment_covariance(group, means=problem.use_mean, given=given)
            # Least squares works with covariances of divisor n - 1.
            unbiased = 1.0 if problem.likelihood_based else group.n / (group.n - 1)
            found.append(gamma * unbiased)
        return found
