"""A model, a sample and an estimator brought together: everything a search needs."""

from __future__ import annotations

import copy
import dataclasses
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from gfactor.errors import ParameterError
from gfactor.psychometrics.sem.constraints import (
    Constraints,
    Quantities,
    Reduction,
    read_constraints,
)
from gfactor.psychometrics.sem.criteria import least_squares, likelihood
from gfactor.psychometrics.sem.discrepancy import (
    Discrepancy,
    WeightedMoments,
)
from gfactor.psychometrics.sem.model import Structure, compile_table, vech_places
from gfactor.psychometrics.sem.options import Options
from gfactor.psychometrics.sem.parameters import ParameterTable
from gfactor.psychometrics.sem.sample import (
    Blocks,
    GroupSample,
    Sample,
    pattern_blocks,
    saturated_moments,
)


@dataclass(frozen=True)
class Problem:
    """Minimization problem: a discrepancy and the parameters over which it is minimized.

    Parameters
    ----------
    options: options with all defaults in place (`choices.resolved`).
    sample: moments; under full information those of the unrestricted model.
    blocks: sufficient statistics of the likelihood, one per group (divisor n).
    weights: moments and weight matrix of each group, under least squares.
    exogenous: names of covariates taken as given.
    predictors: names of observed variables that only predict; the independence model leaves
        their covariances alone, whether they are taken as given or not.
    memo: values that depend on the sample alone and are computed once, also for the independence
        model.
    """

    options: Options
    sample: Sample
    structure: Structure
    constraints: Constraints
    discrepancy: Discrepancy
    blocks: tuple[Blocks, ...] = ()
    weights: tuple[WeightedMoments, ...] = ()
    exogenous: tuple[str, ...] = ()
    predictors: tuple[str, ...] = ()
    memo: dict[object, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def use_mean(self) -> bool:
        return self.structure.meanstructure

    @property
    def covariates(self) -> tuple[str, ...]:
        """Observed variables that only predict, which std.nox does not standardize."""
        return tuple(dict.fromkeys((*self.exogenous, *self.predictors)))

    @property
    def likelihood_based(self) -> bool:
        return self.options.minimised == "ML"

    @property
    def cases(self) -> float:
        """Return the number of cases by which twice the discrepancy is multiplied to give the
        chi-square."""
        if self.options.likelihood == "wishart" and self.likelihood_based:
            return float(self.sample.n - len(self.sample.groups))
        return float(self.sample.n)

    @property
    def n_groups(self) -> int:
        """Return the number of independent samples, which fit indices use."""
        return len(self.sample.groups)

    @property
    def fit_n(self) -> float:
        """The n of fit indices: the number of cases, minus one per group if covariances have
        divisor n - 1."""
        if self.likelihood_based and self.options.likelihood != "wishart":
            return float(self.sample.n)
        return float(self.sample.n - len(self.sample.groups))

    def unrestricted_covariance(self, number: int) -> np.ndarray:
        """Return a group's covariances with the estimator's divisor: n - 1 under the Wishart
        likelihood and least squares, n under the normal likelihood."""
        group = self.sample.groups[number]
        less = self.options.divisor_less_one
        return group.cov * (group.n / (group.n - 1)) if less else group.cov

    def moment_units(self, number: int) -> np.ndarray:
        """Return the unit of every mean and covariance of a group."""
        sd = np.sqrt(self.sample.groups[number].cov.diagonal())
        row, column = vech_places(len(sd))
        return np.concatenate([sd, sd[row] * sd[column]])

    @property
    def bounding_variances(self) -> list[np.ndarray]:
        """Every group's variances, from which automatic bounds are derived."""
        return [
            self.unrestricted_covariance(number).diagonal()
            for number in range(len(self.sample.groups))
        ]

    @cached_property
    def counted_moments(self) -> np.ndarray:
        """Return True for moments of one group that count as data, all but those among given
        covariates."""
        p = len(self.sample.variables)
        if not self.exogenous:
            return np.ones(p * (p + 1) // 2 + (p if self.use_mean else 0), dtype=bool)
        given = np.isin(self.sample.variables, self.exogenous)
        column, row = np.triu_indices(p)
        keep = ~(given[row] & given[column])
        return np.concatenate([~given, keep]) if self.use_mean else keep

    @cached_property
    def n_moments(self) -> int:
        """Number of all groups' moments that count as data."""
        return int(self.counted_moments.sum()) * len(self.sample.groups)

    def with_table(self, table: ParameterTable) -> Problem:
        """Return the problem with the same data and estimator, for a table with more free
        parameters."""
        structure = compile_table(table)
        discrepancy = copy.copy(self.discrepancy)
        discrepancy.structure = structure  # type: ignore[attr-defined]
        return dataclasses.replace(self, structure=structure, discrepancy=discrepancy)

    @property
    def n_parameters(self) -> int:
        """Number of free parameters minus equality constraints."""
        return len(self.constraints.linear.kept) - self.constraints.n_equalities

    @property
    def df(self) -> int:
        return self.n_moments - self.n_parameters


def _with_moments(group: GroupSample, options: Options) -> GroupSample:
    """The group with its covariances; those of incomplete cases exist only after EM."""
    if not options.full_information or group.rows is None or not np.isnan(group.rows).any():
        return group
    blocks = pattern_blocks(group, 1.0)
    return saturated_moments(group, blocks, tolerance=options.em_h1_tol)[0]


def with_given_covariates(
    table: ParameterTable, sample: Sample, options: Options
) -> ParameterTable:
    """Return the table with the moments of given covariates filled in from the sample; their
    covariances have the estimator's divisor, n or n - 1."""
    if not table.given:
        return table
    index = {name: k for k, name in enumerate(sample.variables)}
    groups = [_with_moments(group, options) for group in sample.groups]
    rows = []
    for row in table.rows:
        if row.exo and not row.free and row.op in {"~~", "~1"}:
            group = groups[row.group - 1]
            scale = group.n / (group.n - 1) if options.divisor_less_one else 1.0
            value = (
                group.mean[index[row.lhs]]
                if row.op == "~1"
                else group.cov[index[row.lhs], index[row.rhs]] * scale
            )
            rows.append(dataclasses.replace(row, value=float(value)))
        else:
            rows.append(row)
    return table.with_rows(rows)


def assemble(
    structure: Structure,
    constraints: Constraints,
    sample: Sample,
    options: Options,
    exogenous: tuple[str, ...] = (),
    predictors: tuple[str, ...] = (),
) -> Problem:
    """Return the problem of fitting a compiled model to a sample.

    Raises ParameterError if the estimator cannot be used with the sample: a singular covariance
    matrix under ML, fewer cases than moments under WLS, no means where means are modelled.
    """
    if structure.meanstructure and not sample.has_means:
        raise ParameterError(
            "the model has intercepts, but the sample came without means; give sample_mean or set "
            "meanstructure = False."
        )
    if options.minimised == "ML":
        fitted, blocks, sample = likelihood(structure, sample, options)
        return Problem(
            options, sample, structure, constraints, fitted, blocks, (), exogenous, predictors
        )
    squares, weights = least_squares(structure, sample, options, exogenous)
    return Problem(
        options, sample, structure, constraints, squares, (), weights, exogenous, predictors
    )


Compiled = tuple[Structure, Constraints]


def problem_of(
    table: ParameterTable, sample: Sample, options: Options, compiled: Compiled | None = None
) -> Problem:
    """Return the problem of fitting a table to a sample.

    Parameters
    ----------
    table : ParameterTable
        The parameters.
    sample : Sample
        The moments.
    options : Options
        Options as `resolved` returns them.
    compiled : Compiled, optional
        The table's own, to save compiling it once more.

    Returns
    -------
    Problem
        Problem that a search solves.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from gfactor.psychometrics.sem import (
    ...     Options, build_table, problem_of, resolved, sample_from_data
    ... )
    >>> random = np.random.default_rng(1)
    >>> g = random.normal(size=300)
    >>> data = pd.DataFrame({f"x{k}": g + random.normal(size=300) for k in range(1, 5)})
    >>> table = build_table("g =~ x1 + x2 + x3 + x4")
    >>> sample = sample_from_data(data, ["x1", "x2", "x3", "x4"], listwise=True)
    >>> problem_of(table, sample, resolved(Options())) is not None
    True
    """
    if compiled is None or table.given:
        table = with_given_covariates(table, sample, options)
        compiled = (compile_table(table), read_constraints(table))
    structure, constraints = compiled
    if any(row.efa for row in table):
        from gfactor.psychometrics.sem.rotation import rotated_blocks  # noqa: PLC0415  (only then)

        blocks = rotated_blocks(table, structure, options)
        constraints = dataclasses.replace(constraints, rotations=blocks)
    return assemble(
        structure,
        constraints,
        sample,
        options,
        table.given,
        table.predictors,
    )


@lru_cache(maxsize=64)
def unconstrained(n_free: int) -> Constraints:
    """Return constraints without any restriction."""
    identity = Reduction(np.zeros(n_free), np.eye(n_free), np.arange(n_free))
    return Constraints(Quantities(ParameterTable(())), identity)
