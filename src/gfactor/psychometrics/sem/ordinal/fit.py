"""The fit of a model with ordinal variables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations_with_replacement
from typing import cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.rounding import cleared
from gfactor.psychometrics.sem.common_variance import Scored
from gfactor.psychometrics.sem.exactfit import ExactFit
from gfactor.psychometrics.sem.fitted import Fit
from gfactor.psychometrics.sem.model import GroupPoint, Point
from gfactor.psychometrics.sem.optimize import minimise, start_values
from gfactor.psychometrics.sem.options import Options
from gfactor.psychometrics.sem.ordinal.categories import CategoryScores
from gfactor.psychometrics.sem.ordinal.diagnostics import against_moments
from gfactor.psychometrics.sem.ordinal.least_squares import OrdinalLeastSquares
from gfactor.psychometrics.sem.ordinal.measures import OrdinalContext, with_p_value
from gfactor.psychometrics.sem.ordinal.point import OrdinalGroupPoint
from gfactor.psychometrics.sem.ordinal.problem import (
    OrdinalEstimated,
    OrdinalProblem,
    category_levels,
    ordinal_problem,
    ordinal_sample,
    ordinal_starts,
    with_covariate_moments,
)
from gfactor.psychometrics.sem.ordinal.standardized import (
    OrdinalStandardization,
    ordinal_estimates,
    ordinal_standardized_frame,
    over_covariates,
    with_implied,
)
from gfactor.psychometrics.sem.parameters import Parameter, ParameterTable
from gfactor.psychometrics.sem.problem import unconstrained
from gfactor.psychometrics.sem.results.estimates import values_and_errors
from gfactor.psychometrics.sem.results.residuals import ResidualKind
from gfactor.psychometrics.sem.results.standardized import Kind, r_squared
from gfactor.psychometrics.sem.sample import (
    GroupSample,
    Sample,
    factors_of,
    numbers,
    refuse_shared_names,
)
from gfactor.psychometrics.sem.syntax import (
    ModelStatements,
    SyntaxOptions,
    build_table,
    parse_model,
)


def independence_table(problem: OrdinalProblem) -> ParameterTable:
    """Return the table of the independence model, whose free parameters are every threshold, every
    continuous variable's mean and variance, and every effect of a given covariate."""
    rows: list[Parameter] = []
    number = 0

    def add(group: int, lhs: str, op: str, rhs: str, value: float | None = None) -> None:
        nonlocal number
        number += value is None
        rows.append(
            Parameter(lhs, op, rhs, group, free=number if value is None else 0, value=value)
        )

    for group, moments in enumerate(problem.moments, 1):
        for name, ordered in zip(moments.names, moments.ordered, strict=True):
            add(group, name, "~~", name, 1.0 if ordered else None)
        for name, ordered, categories in zip(
            moments.names, moments.ordered, moments.categories, strict=True
        ):
            for step in range(1, categories):
                add(group, name, "|", f"t{step}")
            add(group, name, "~1", "", 0.0 if ordered else None)
            if ordered:
                add(group, name, "~*~", name, 1.0)
            for covariate in moments.covariates:
                add(group, name, "~", covariate)
        for one, other in combinations_with_replacement(moments.covariates, 2):
            rows.append(Parameter(one, "~~", other, group, value=0.0, exo=True))
    return ParameterTable(tuple(rows))


def ordinal_baseline(problem: OrdinalProblem) -> OrdinalEstimated:
    """Return the independence model at its minimum. Except under WLS, whose full weight matrix
    links thresholds and variances to the correlations, it is at the sample's own thresholds and
    variances."""
    table = independence_table(problem)
    # The theta parameterization gives the same, because variances and scales are all one.
    independence = ordinal_problem(
        table,
        problem.sample,
        problem.moments,
        problem.options.replaced(parameterization="delta"),
        unconstrained(table.n_free),
    )
    theta = ordinal_starts(table, independence, _starts(table, problem))
    outcome = minimise(
        independence.discrepancy, independence.constraints.linear, theta, np.abs(theta) + 1.0
    )
    return OrdinalEstimated(independence, outcome.point, outcome.value)


def _starts(table: ParameterTable, problem: OrdinalProblem) -> Array:
    start = np.zeros(table.n_free)
    index = {name: k for k, name in enumerate(problem.sample.variables)}
    for row in table.rows:
        if row.free and row.op in {"~~", "~1"}:
            group, k = problem.sample.groups[row.group - 1], index[row.lhs]
            start[row.free - 1] = group.cov[k, k] if row.op == "~~" else group.mean[k]
        elif row.free and row.op == "~":
            moments = problem.moments[row.group - 1]
            k = index[row.lhs]
            start[row.free - 1] = moments.slopes[k, moments.covariates.index(row.rhs)]
    return start


Array = NDArray[np.float64]


@dataclass(frozen=True, repr=False)
class OrdinalFit(Fit):
    """A fitted model with ordinal variables; its attributes have the meaning that they have in
    `Fit`.

    Implied covariances are those of the scaled responses (correlations of ordinal variables).
    """

    @property
    def ordinal(self) -> OrdinalProblem:
        return cast(OrdinalProblem, self.problem)

    @property
    def squares(self) -> OrdinalLeastSquares:
        return cast(OrdinalLeastSquares, self.problem.discrepancy)

    @property
    def untouched(self) -> tuple[str, ...]:
        """Continuous variables that only predict."""
        ordered = set(self.options.ordered)
        return tuple(name for name in self.table.predictors if name not in ordered)

    @cached_property
    def estimated(self) -> OrdinalEstimated:
        return OrdinalEstimated(self.problem, self.outcome.point, self.outcome.value)

    @cached_property
    def baseline(self) -> OrdinalEstimated:
        return ordinal_baseline(self.ordinal)

    @property
    def _context(self) -> type[OrdinalContext]:
        return OrdinalContext

    def _tested(self, test: ExactFit) -> ExactFit:
        return with_p_value(test, self.options)

    @cached_property
    def estimates(self) -> pd.DataFrame:
        frame = ordinal_estimates(
            self.table,
            self.squares,
            self.point,
            self.vcov_matrix,
            self.options.ci_level,
            self.untouched,
        )
        return self.with_bootstrap(frame)

    def row_values(self) -> Array:
        nothing = np.zeros((self.table.n_free,) * 2)
        full = with_implied(self.table, self.point)
        return values_and_errors(full, self.theta, nothing)[0]

    def row_standardized(self) -> Array:
        return OrdinalStandardization(self.table, self.squares).values(self.point, "std.all")

    def over_cases(self, theta: Array) -> Point:
        """Return the point including the variance that given covariates explain."""
        return over_covariates(self.squares, self.squares.at(theta))

    def sum_scores(
        self, point: GroupPoint, observed: Array | None
    ) -> tuple[Array | None, Scored, NDArray[np.bool_] | None]:
        """Return the input of reliability for sums of categories. With given covariates the model's
        covariances are used, because the sample's are conditional on the covariates."""
        here = cast(OrdinalGroupPoint, point)
        categories = CategoryScores.of(here)
        if observed is not None:
            sd = np.sqrt(observed.diagonal())
            sd_implied = np.sqrt(here.sigma.diagonal())
            observed = observed / np.outer(sd, sd) * np.outer(sd_implied, sd_implied)
        given = self.ordinal.moments[0].covariates
        return None if given else observed, categories.covariances, here.ordinal.ordered

    def r2(self, group: int = 1) -> pd.Series:
        """Return explained shares of variance, including the variance that given covariates
        explain."""
        point = self.over_cases(self.theta)
        return pd.Series(r_squared(point.groups[group - 1]), dtype=float)

    def case_rows(self, group: int) -> Array:
        """Return the rows of cases, with given covariates after the variables."""
        rows, moments = np.asarray(self.sample.groups[group].rows), self.ordinal.moments[group]
        return rows if moments.design is None else np.hstack([rows, moments.design])

    def again(self, sample: Sample) -> OrdinalFit:
        """Fit the model to other cases, with rows in the form of `case_rows`.

        Raises ParameterError if the cases lack a category.
        """
        moments = self.ordinal.moments
        names = [*moments[0].names, *moments[0].covariates]
        parts = [pd.DataFrame(group.rows, columns=names) for group in sample.groups]
        data = pd.concat(parts, ignore_index=True)
        labels = self.sample.labels
        column = None
        if len(labels) > 1:
            column = "group of the case"
            data[column] = np.repeat(labels, [len(part) for part in parts])
        ordered = [name for name, is_one in zip(names, moments[0].ordered, strict=False) if is_one]
        drawn, drawn_moments = ordinal_sample(
            data,
            names,
            ordered,
            column,
            labels if column else (),
            moments[0].covariates,
            self.options.missing == "pairwise",
        )
        table = with_covariate_moments(self.table, drawn_moments)
        problem = ordinal_problem(
            table, drawn, drawn_moments, self.options, self.problem.constraints
        )
        return OrdinalFit.searched(self.model, table, problem, self.theta)

    def standardized(self, kind: Kind = "std.all") -> pd.DataFrame:
        return ordinal_standardized_frame(
            self.table,
            self.squares,
            self.theta,
            self.vcov_matrix,
            kind,
            self.options.ci_level,
            self.untouched,
        )

    @property
    def in_model_units(self) -> OrdinalFit:
        """Return the fit with the correlations of ordinal variables turned into covariances of
        their latent responses."""
        groups: list[GroupSample] = []
        for given, here in zip(self.sample.groups, self.point.groups, strict=True):
            group = cast(OrdinalGroupPoint, here)
            unit = np.where(group.ordinal.ordered, 1 / group.scale, 1.0)
            groups.append(replace(given, cov=given.cov * np.outer(unit, unit)))
        sample = replace(self.sample, groups=tuple(groups))
        return replace(self, problem=replace(self.problem, sample=sample))

    def _about_moments(self) -> Iterable[Diagnostic]:
        return against_moments(self.sample, self.ordinal.moments)

    def implied(self, group: int = 1) -> tuple[pd.Series, pd.DataFrame]:
        """Return the implied means of the responses, and their covariances on the scale of the
        sample's moments (for ordinal variables correlations)."""
        here = cast(OrdinalGroupPoint, self.point.groups[group - 1])
        names = list(self.sample.variables)
        return pd.Series(here.mu, names), pd.DataFrame(here.scaled, names, names)

    def residuals(self, kind: ResidualKind = "raw", group: int = 1) -> pd.DataFrame:
        """Return sample minus implied covariances ("raw") or correlations ("cor",
        "cor.bentler")."""
        if kind not in {"raw", "cor", "cor.bentler"}:
            raise ParameterError(
                f"residuals of kind {kind!r} are not defined for ordinal variables; ask for 'raw' "
                "or 'cor'."
            )
        names = list(self.sample.variables)
        observed = self.ordinal.moments[group - 1].cov
        implied = self.implied(group)[1].to_numpy()
        left = cleared(observed - implied, np.sqrt(np.outer(np.diag(observed), np.diag(observed))))
        if kind != "raw":
            sd = np.sqrt(observed.diagonal())
            unit = np.sqrt(implied.diagonal()) if kind == "cor" else sd
            left = cleared(observed / np.outer(sd, sd) - implied / np.outer(unit, unit))
        return pd.DataFrame(left, names, names)


def fit_ordinal(
    model: str | ParameterTable,
    data: pd.DataFrame,
    options: Options,
    completion: SyntaxOptions,
    *,
    group: str | None = None,
    labels: Sequence[str] = (),
) -> OrdinalFit:
    """Fit a model some of whose observed variables are ordinal (`options.ordered`).

    Parameters
    ----------
    options: resolved; the estimator is one of ULS, DWLS, WLS and their robust variants.
    completion: options for completing the model text; the ordinal variables are added here.
    group, labels: the grouping column and its values in the order of the model.

    Raises ParameterError as `ordinal_sample` and `ordinal_problem` do.
    """
    if isinstance(model, ParameterTable):
        text, table = "", model
    else:
        text = model
        parsed = parse_model(model)
        completion = ordered_completion(parsed, data, options, completion)
        table = build_table(parsed, options=completion, groups=labels)
    if options.check_lv_names:
        refuse_shared_names(table.latent, data)
    pairwise = options.missing == "pairwise"
    if not pairwise and options.missing != "listwise":
        raise ParameterError(
            f"missing = {options.missing!r}{' (fiml)' if options.missing == 'ml' else ''} does not "
            "go with ordinal variables; use 'pairwise' (every answer counts for the pairs that it "
            "is in) or 'listwise' (complete cases)."
        )
    given = table.given
    if given and not options.conditional_x:
        raise ParameterError(
            "covariates of ordinal variables are taken out first (conditional_x = True) or are "
            "random (fixed_x = False); fixed_x = True without conditional_x is not supported."
        )
    ordered = [name for name in table.observed if name in options.ordered and name not in given]
    if not ordered:
        raise ParameterError(
            f"none of the ordered variables ({', '.join(options.ordered)}) is in the model."
        )
    sample, moments = ordinal_sample(
        data, table.observed, ordered, group, labels, given, pairwise, options.sampling_weights
    )
    table = with_covariate_moments(table, moments)
    problem = ordinal_problem(table, sample, moments, options)
    start = ordinal_starts(table, problem, start_values(table, problem.structure, sample))
    return OrdinalFit.searched(text, table, problem, start)


def ordered_completion(
    model: ModelStatements, data: pd.DataFrame, options: Options, completion: SyntaxOptions
) -> SyntaxOptions:
    """Return the completion with the number of thresholds of every ordinal variable of the
    model."""
    draft = build_table(model, options=replace(completion, ordered={}, group_equal=()))
    columns = set(data.columns)
    used = [name for name in draft.observed if columns.issuperset(factors_of(name, columns))]
    rows = numbers(data, used)
    if options.missing != "pairwise":
        rows = rows[~np.isnan(rows).any(axis=1)]
    levels = category_levels(rows, used, set(options.ordered).difference(draft.given))
    return replace(
        completion, ordered={name: len(categories) - 1 for name, categories in levels.items()}
    )
