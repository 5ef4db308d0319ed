"""The fit of a model to data: `fit(...)` and what it returns."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.rounding import magnitude
from gfactor.psychometrics.sem.baseline import fit_baseline
from gfactor.psychometrics.sem.common_variance import Scored, as_they_are
from gfactor.psychometrics.sem.diagnostics.inspection import inspected
from gfactor.psychometrics.sem.exactfit import ExactFit, exact_fit
from gfactor.psychometrics.sem.inference.estimated import Estimated
from gfactor.psychometrics.sem.inference.vcov import covariance_of_estimates
from gfactor.psychometrics.sem.measures import Context, all_measures
from gfactor.psychometrics.sem.measures.continuous import ContinuousContext
from gfactor.psychometrics.sem.model import GroupPoint, Point
from gfactor.psychometrics.sem.optimize import Convergence, SearchOutcome, solve
from gfactor.psychometrics.sem.options import Options
from gfactor.psychometrics.sem.parameters import ParameterTable
from gfactor.psychometrics.sem.problem import Problem
from gfactor.psychometrics.sem.results.estimates import (
    estimates_frame,
    standardized_frame,
    values_and_errors,
)
from gfactor.psychometrics.sem.results.residuals import (
    ResidualKind,
    residual_covariances,
)
from gfactor.psychometrics.sem.results.standardized import Kind, Standardization, r_squared
from gfactor.psychometrics.sem.results.text import (
    estimates_as_text,
    exact_fit_text,
    explained,
    headline,
    indices_text,
    rotation_lines,
)
from gfactor.psychometrics.sem.sample import Sample
from gfactor.results import Result

if TYPE_CHECKING:
    from gfactor.psychometrics.sem.bootstrapping import FitBootstrap
    from gfactor.psychometrics.sem.model_reliability import ModelReliability
    from gfactor.psychometrics.sem.scores import FactorScores
    from gfactor.psychometrics.sem.wald import WaldTest


@dataclass(frozen=True, repr=False)
class Fit(Result):
    """A fitted structural equation model. All results except the estimates are computed when they
    are first used.

    Parameters
    ----------
    model: the model text, "" if it was given as a table.
    table: the parameter table. options: with all defaults in place.
    problem: minimized problem (sample, matrices, constraints, discrepancy).
    outcome: end of the search. convergence: check whether this is a minimum.
    resample: `bootstrap`, if the options request one.
    """

    model: str
    table: ParameterTable
    options: Options
    problem: Problem
    outcome: SearchOutcome
    convergence: Convergence
    resample: Callable[..., FitBootstrap] | None = field(default=None, compare=False)

    @classmethod
    def searched(
        cls,
        model: str,
        table: ParameterTable,
        problem: Problem,
        start: np.ndarray | None = None,
    ) -> Self:
        """Return the fit at the minimum of a prepared problem.

        Raises ParameterError if the discrepancy is not defined wherever the search began.
        """
        outcome, convergence = solve(table, problem, start)
        if not np.isfinite(outcome.value):
            raise ParameterError(
                "the model implies a covariance matrix that is not positive definite at all start "
                "values; look for variances fixed to 0, loadings fixed to 0 and loops among "
                "regressions."
            )
        return cls(model, table, problem.options, problem, outcome, convergence)

    @property
    def converged(self) -> bool:
        """Return True if the end of the search is proven to be a minimum."""
        return self.convergence.converged

    @property
    def theta(self) -> np.ndarray:
        """The free parameters, in the order of their numbers in the table."""
        return self.outcome.point.theta

    @property
    def point(self) -> Point:
        """The model's matrices and implied moments at the estimates."""
        return self.outcome.point

    @property
    def sample(self) -> Sample:
        """Moments per group; with missing = "ml" those of the unrestricted model (h1)."""
        return self.problem.sample

    @property
    def n(self) -> int:
        return self.sample.n

    @property
    def sample_sizes(self) -> str:
        """Return the number of cases as text, group by group."""
        return " + ".join(str(group.n) for group in self.sample.groups)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the free parameters: labels, or lhs op rhs (with ".g2" in later groups)."""
        names = []
        for row in sorted((r for r in self.table.rows if r.free), key=lambda r: r.free):
            plain = f"{row.lhs}{row.op}{row.rhs}"
            names.append(row.label or (plain if row.group == 1 else f"{plain}.g{row.group}"))
        return tuple(names)

    @cached_property
    def estimated(self) -> Estimated:
        """Information matrices, casewise scores, moment derivatives: the pieces of inference."""
        return Estimated(self.problem, self.outcome.point, self.outcome.value)

    @cached_property
    def vcov_matrix(self) -> np.ndarray:
        """Sampling covariance of the free parameters, shape (n_free, n_free)."""
        if self.options.se == "bootstrap":
            return self.bootstrapped.covariance
        return covariance_of_estimates(self.estimated)

    @cached_property
    def bootstrapped(self) -> FitBootstrap:
        """Bootstrap from which standard errors are computed with se = "bootstrap"."""
        return self._resampled("plain")

    @cached_property
    def bollen_stine(self) -> FitBootstrap:
        """Bootstrap of cases that are transformed so that the model holds, for the p value of test
        = "bollen.stine"."""
        return self._resampled("bollen-stine")

    def _resampled(self, kind: str) -> FitBootstrap:
        if self.resample is None:
            raise ParameterError("a bootstrapped standard error or test needs a fit by `fit`.")
        options, seed = self.options, self.options.iseed or 0
        draws = options.bootstrap
        return self.resample(self, draws, kind=kind, seed=seed, level=options.ci_level)

    @property
    def vcov(self) -> pd.DataFrame:
        """Sampling covariance of the free parameters, with names."""
        return pd.DataFrame(self.vcov_matrix, index=list(self.names), columns=list(self.names))

    @cached_property
    def estimates(self) -> pd.DataFrame:
        """A row per parameter: lhs, op, rhs, group, label, est, se, z, pvalue, ci.lower, ci.upper,
        std.lv, std.all, std.nox. Defined parameters have standard errors by the delta method."""
        frame = estimates_frame(
            self.table,
            self.problem.structure,
            self.point,
            self.vcov_matrix,
            level=self.options.ci_level,
            untouched=self.problem.covariates,
        )
        return self.with_bootstrap(frame)

    def with_bootstrap(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return a table of estimates with the bootstrap's errors and intervals, if it gives
        them."""
        return self.bootstrapped.applied(frame) if self.options.se == "bootstrap" else frame

    def row_values(self) -> np.ndarray:
        """Return one value per row of the table: estimates, fixed values, definitions; NaN for
        others."""
        nothing = np.zeros((self.table.n_free,) * 2)
        return values_and_errors(self.table, self.theta, nothing)[0]

    def row_standardized(self) -> np.ndarray:
        """Return one standardized value (std.all) per row of the table."""
        return Standardization(self.table, self.problem.structure).values(self.point, "std.all")

    def case_rows(self, group: int) -> np.ndarray:
        """Return the cases of a group (from 0), NaN if missing, from which a bootstrap draws."""
        return np.asarray(self.sample.groups[group].rows)

    def standardized(self, kind: Kind = "std.all") -> pd.DataFrame:
        """Return the standardized solution with standard errors of its own (delta method)."""
        return standardized_frame(
            self.table,
            self.problem.structure,
            self.problem.discrepancy.at,
            self.theta,
            self.vcov_matrix,
            kind=kind,
            level=self.options.ci_level,
            untouched=self.problem.covariates,
        )

    @cached_property
    def baseline(self) -> Estimated:
        """The independence model, fitted in the same way."""
        return fit_baseline(self.problem)

    @cached_property
    def exact(self) -> ExactFit:
        """The test of exact fit that the options name (with Browne's tests: the plain one)."""
        return exact_fit(self.estimated, self._main_test)

    @property
    def _main_test(self) -> str:
        name = str(self.options.test)
        return "standard" if name.startswith("browne") else name

    def test(self, name: str) -> ExactFit:
        """Return another test of exact fit by lavaan's name, such as "browne.residual.nt"."""
        return exact_fit(self.estimated, name)

    @cached_property
    def context(self) -> Context:
        """Return the input of measures of fit."""
        resampled = self.options.test == "bollen.stine"
        return self._context(
            self.estimated,
            self._tested(self.exact),
            self.baseline,
            self._tested(exact_fit(self.baseline, self._main_test)),
            (lambda: self.bollen_stine.p_value) if resampled else None,
        )

    @property
    def _context(self) -> type[Context]:
        return ContinuousContext

    def _tested(self, test: ExactFit) -> ExactFit:
        """Return a test of exact fit as fit measures show it."""
        return test

    @cached_property
    def measures(self) -> Mapping[str, float | None]:
        """Measures of fit under lavaan's names; None if a measure has no value."""
        return {
            name: None if value is None or not math.isfinite(value) else float(value)
            for name, value in all_measures(self.context).items()
        }

    @property
    def fit_measures(self) -> pd.Series:
        """Measures of fit as a Series, NaN if a measure has no value."""
        return pd.Series(dict(self.measures), dtype=float)

    def implied(self, group: int = 1) -> tuple[pd.Series, pd.DataFrame]:
        """Return model-implied means and covariances of a group (from 1)."""
        here = self.point.groups[group - 1]
        names = list(self.sample.variables)
        mean = here.mu if self.problem.use_mean else self.sample.groups[group - 1].mean
        return pd.Series(mean, names), pd.DataFrame(here.sigma, names, names)

    def latent_covariance(self, group: int = 1) -> pd.DataFrame:
        """Return covariances of the latent variables of a group (from 1)."""
        here = self.point.groups[group - 1]
        names = list(here.structure.latent)
        return pd.DataFrame(here.latent_cov, names, names)

    def residuals(self, kind: ResidualKind = "raw", group: int = 1) -> pd.DataFrame:
        """Sample minus implied covariances, see `results.residuals.residual_covariances`."""
        return residual_covariances(self.estimated, group - 1, kind)

    def r2(self, group: int = 1) -> pd.Series:
        """Return the explained share of variance of the indicators and predicted variables of a
        group."""
        return pd.Series(r_squared(self.point.groups[group - 1]), dtype=float)

    def over_cases(self, theta: np.ndarray) -> Point:
        """Return the model at these parameters with the moments over all cases."""
        return self.problem.discrepancy.at(theta)

    def sum_scores(
        self, point: GroupPoint, observed: np.ndarray | None
    ) -> tuple[np.ndarray | None, Scored, np.ndarray | None]:
        """Return the input of reliability: covariances (`observed`, or None for the model's), a
        function for the scoring of sums, and the indicators that have such scores (None for all).
        """
        del point
        return observed, as_they_are, None

    @property
    def in_model_units(self) -> Fit:
        """The fit with the sample in the units of the model's matrices."""
        return self

    @cached_property
    def diagnostics(self) -> tuple[Diagnostic, ...]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Diagnostics of the fit, errors first."""
        return by_severity([*inspected(self), *self._about_moments()])

    def _about_moments(self) -> Iterable[Diagnostic]:
        """Return the limits of the moments that the model was fitted to."""
        return ()

    def scores(
        self,
        data: pd.DataFrame | None = None,
        *,
        method: str = "regression",
        group: str | None = None,
        level: int = 1,
    ) -> FactorScores:
        """Return factor scores of the sample, or of new cases; see
        `gfactor.psychometrics.sem.scores`.

        Parameters
        ----------
        data : DataFrame, optional
            New cases, with the model's observed variables as columns; None scores the sample.
        method : str
            "regression", "bartlett" or "tenberge".
        group : str, optional
            Column of `data` with the groups' names, or the one group of all cases, for several
            groups.
        level : {1, 2}
            Level of a two-level model: 1 scores cases within their clusters, 2 scores clusters.

        Returns
        -------
        FactorScores
            `scores` and `error` (cases x latent variables), `determinacy`, `diagnostics`.

        Raises
        ------
        ParameterError
            For a column that is missing or not numeric, an unknown method or group.
        """
        from gfactor.psychometrics.sem.scores import factor_scores  # noqa: PLC0415  (if asked for)

        return factor_scores(self, data, method=method, group=group, level=level)

    def modification_indices(self, minimum: float = 0.0) -> pd.DataFrame:
        """Return the modification indices above a minimum, the largest first; see
        `gfactor.psychometrics.sem.modification`."""
        from gfactor.psychometrics.sem import modification  # noqa: PLC0415  (if asked for)

        return modification.modification_indices(self, minimum)

    def score_tests(self) -> pd.DataFrame:
        """Return score tests of releasing each equality of parameters; see
        `gfactor.psychometrics.sem.modification`."""
        from gfactor.psychometrics.sem import modification  # noqa: PLC0415  (if asked for)

        return modification.score_tests(self)

    def wald_test(self, constraints: str) -> WaldTest:
        """Return a Wald test of equations of labelled parameters, such as "a == b", that are free
        in the model; see `gfactor.psychometrics.sem.wald`."""
        from gfactor.psychometrics.sem.wald import wald_test  # noqa: PLC0415  (if asked for)

        return wald_test(self, constraints)

    def reliability(self, *, level: float = 0.95, observed: bool = False) -> ModelReliability:
        """Return omega and related indices from the model; see
        `gfactor.psychometrics.sem.model_reliability`."""
        from gfactor.psychometrics.sem.model_reliability import (  # noqa: PLC0415  (if asked for)
            reliability,
        )

        return reliability(self, level=level, observed=observed)

    def apa(self) -> str:
        """Return the fit as text in the style of a paper: two decimals, explained variance,
        reliability.

        Returns
        -------
        str
            Diagnostics, fit, tables of estimates with intervals by kind, R2, reliability of the
            latent variables, and the largest modification indices above 3.84.
        """
        from gfactor.psychometrics.sem.results.apa import fit_text  # noqa: PLC0415  (if asked for)

        return fit_text(self)

    @property
    def title(self) -> str:
        observed, latent = len(self.table.observed), len(self.table.latent)
        return f"{observed} observed and {latent} latent variables"

    @property
    def facts(self) -> Mapping[str, Any]:
        options, measures = self.options, self.measures
        testable = self.problem.df > 0
        return {
            "n": self.sample_sizes,
            "estimator": options.estimator,
            "se": options.se,
            "test": options.test,
            "parameters": self.problem.n_parameters,
            "convergence": self.convergence.sentence,
            "exact_fit": exact_fit_text(measures),
            "fit_indices": indices_text(measures) if testable else "-",
        }

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {
            "estimates": self.estimates,
            "r2": pd.DataFrame({k: self.r2(i) for i, k in enumerate(self.sample.labels, 1)}),
            "fit_measures": self.fit_measures.to_frame("value"),
        }

    def _document(self) -> Mapping[str, Any]:
        """Names of fit measures and of columns are lavaan's."""
        end = self.convergence
        return {
            "estimates": self.estimates,
            "fit": self.measures,
            "converged": self.converged,
            "convergence": {
                "status": end.status,
                "iterations": end.iterations,
                "max_gradient": magnitude(end.max_gradient),
                "smallest_curvature": end.smallest_curvature,
                "identified": end.identified,
                "running": [self.names[k] for k in end.running],
                "at_bound": [self.names[k] for k in end.at_bound],
            },
            "n": [group.n for group in self.sample.groups],
            "groups": [group.label for group in self.sample.groups],
            "estimator": self.options.estimator,
            "se": self.options.se,
            "test": self.options.test,
            "diagnostics": self.diagnostics,
        }

    def _lines(self) -> list[str]:
        lines = [*([""] if self.diagnostics else []), *self._head(), ""]
        lines.append(estimates_as_text(self).to_string(index=False))
        shares = explained(self)
        return [*lines, "", shares.to_string()] if len(shares) else lines

    def _head(self) -> list[str]:
        return headline(self)

    @property
    def remarks(self) -> list[str]:
        """Lines about the rotation of exploratory blocks, below the head of a text."""
        return rotation_lines(self)
