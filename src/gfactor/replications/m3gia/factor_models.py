"""The factor models of the repaired route, fitted to human data with admissibility enforced.

Residual variances and disturbances are bounded at zero, so that a solution is proper or lies on the
boundary of the proper ones, which a diagnostic reports. Broad factors are scaled by a marker
loading: with unit variances, a disturbance that would be negative drives a second-order loading to
infinity.

References
----------
Thurstone, L. L. (1935). The vectors of mind. University of Chicago Press. (Regression scores.)
Bartlett, M. S. (1937). The statistical conception of mental factors. British Journal of Psychology
    28, 97-104.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.psychometrics.float_arrays import eigvalsh, solve
from gfactor.psychometrics.sem.choices import resolved
from gfactor.psychometrics.sem.constraints import Reduction, read_constraints
from gfactor.psychometrics.sem.model import Structure, compile_table
from gfactor.psychometrics.sem.optimize import minimise, parameter_scales, start_values
from gfactor.psychometrics.sem.options import Options
from gfactor.psychometrics.sem.parameters import ParameterTable
from gfactor.psychometrics.sem.problem import assemble
from gfactor.psychometrics.sem.sample import GroupSample, Sample
from gfactor.psychometrics.sem.syntax import build_table
from gfactor.replications.m3gia.battery import INDICATORS
from gfactor.replications.m3gia.published import ParameterSet

_BROAD = """
Gc =~ 1*General_Info + Oral_Vocab + Logo
Gv =~ 1*Visualization + Pic_Recog + RW_Spatial
Grw =~ 1*Readings_text + Readings_VL + Comic
Gq =~ 1*Math_Facts + Algebra + Geom + Applied_Problem
Gf =~ 1*Number_Series + Concept + Raven + Syllogism + RW_Reason
"""

_FACTORS = ("Gc", "Gv", "Grw", "Gq", "Gf")

_UNIT = _BROAD.replace("1*", "NA*") + "".join(
    f"{one} ~~ {int(one == two)}*{two}\n"
    for k, one in enumerate(_FACTORS)
    for two in (*_FACTORS[k:], "GIA")
)

_CROSSED = """
Gc =~ Applied_Problem + RW_Reason
Gv =~ Logo
Gf =~ Algebra + Geom + Applied_Problem
"""
"""Loadings of the published models beyond the simple structure of the text."""

_ALL = " + ".join(INDICATORS)

MODELS: Mapping[str, str] = {
    "second-order": _BROAD + "GIA =~ NA*Gc + Gv + Grw + Gq + Gf\nGIA ~~ 1*GIA\n",
    "one factor": f"GIA =~ NA*{_ALL}\nGIA ~~ 1*GIA\n",
    "five factors": _BROAD,
    "bifactor": f"GIA =~ NA*{_ALL}\nGIA ~~ 1*GIA\n" + _UNIT,
    "published bifactor": f"GIA =~ NA*{_ALL}\nGIA ~~ 1*GIA\n" + _UNIT + _CROSSED,
}
"""lavaan syntax of every model; the second-order one is that of the paper's text (E.2)."""

CHOSEN = "second-order"
"""The model that scores: it is the hierarchy that the paper describes, has a general factor, and
needs 14 parameters fewer than a bifactor model."""


@dataclass(frozen=True)
class FittedModel:
    """A model at its minimum.

    Parameters
    ----------
    name: key of `MODELS`. status: of the search; anything but "converged" is a failure.
    theta: free parameters; names: their names; boundary: variances that are fixed at zero.
    value: the discrepancy (chi-square is 2 n value); free: number of free parameters.
    implied: covariances of the indicators, in the order of `INDICATORS`.
    general: covariances of the general factor (variance 1) with the indicators; None without one.
    slope: largest absolute derivative in a direction that is not held by a bound.
    """

    name: str
    status: str
    theta: NDArray[np.float64]
    names: tuple[str, ...]
    boundary: tuple[str, ...]
    value: float
    free: int
    implied: NDArray[np.float64]
    general: NDArray[np.float64] | None
    slope: float

    @property
    def proper(self) -> bool:
        """True if the fit has converged, is stationary inside the bounds, and has a positive
        definite Sigma."""
        return (
            self.status == "converged"
            and self.slope < 1e-5
            and float(eigvalsh(self.implied)[0]) > 0
        )

    def weights(self) -> NDArray[np.float64]:
        """Return the regression weights of the general factor on the indicators."""
        assert self.general is not None
        return np.asarray(solve(self.implied, self.general), np.float64)

    @property
    def determinacy(self) -> float:
        """Return the squared correlation of the general factor with its regression score."""
        assert self.general is not None
        return float(self.general @ self.weights())


@dataclass(frozen=True)
class _Compiled:
    table: ParameterTable
    structure: Structure
    reduction: Reduction
    lower: NDArray[np.float64]
    names: tuple[str, ...]
    order: NDArray[np.int64]
    general: int | None


@cache
def _compiled(name: str) -> _Compiled:
    table = build_table(MODELS[name])
    structure = compile_table(table)
    lower = np.full(table.n_free, -np.inf)
    names = [""] * table.n_free
    for row in table.rows:
        if row.free:
            names[row.free - 1] = row.name
            if row.op == "~~" and row.lhs == row.rhs:
                lower[row.free - 1] = 0.0
    order = np.array([table.observed.index(i) for i in INDICATORS])
    general = table.latent.index("GIA") if "GIA" in table.latent else None
    return _Compiled(
        table, structure, read_constraints(table).linear, lower, tuple(names), order, general
    )


def fit_model(
    name: str, cov: NDArray[np.float64], n: int, start: NDArray[np.float64] | None = None
) -> FittedModel:
    """Fit a model by maximum likelihood, with variances bounded at zero.

    Parameters
    ----------
    name: key of `MODELS`. cov: covariances of the indicators (divisor n), order of `INDICATORS`.
    n: number of persons.
    start: start values, such as the parameters of a fit to nearly the same data.

    Raises ParameterError if `cov` is singular, or if only a singular model matrix fits.
    """
    c = _compiled(name)
    back = np.argsort(c.order)
    moments = GroupSample("", n, np.zeros(len(back)), cov[np.ix_(back, back)])
    sample = Sample(c.table.observed, (moments,), has_means=False)
    problem = assemble(
        c.structure, read_constraints(c.table), sample, resolved(Options(se="none", test="none"))
    )
    scales = parameter_scales(c.structure, sample)
    solution = None
    for begin in (start, None):
        # A step may lead to a Sigma that is exactly singular; the usual start leads elsewhere.
        first = start_values(c.table, c.structure, sample) if begin is None else begin
        with suppress(np.linalg.LinAlgError):
            solution = minimise(
                problem.discrepancy,
                c.reduction,
                np.maximum(first, c.lower),
                scales,
                lower=c.lower,
            )
            break
    if solution is None:
        raise ParameterError(
            f"the {name} model of {n} persons leads to a singular covariance matrix; leave out "
            "question types that hardly vary, or collect more persons"
        )
    theta = solution.point.theta
    at_bound = np.isfinite(c.lower) & (theta <= c.lower + 1e-10)
    slope = problem.discrepancy.gradient(solution.point)
    loose = ~at_bound | (slope < 0)
    group = solution.point.groups[0]
    general = None
    if c.general is not None:
        crossed = group.loading @ group.latent_cov
        general = crossed[c.order, c.general]
        general = general * (1 if general.sum() >= 0 else -1)
    return FittedModel(
        name, solution.status, theta, c.names,
        tuple(n for n, h in zip(c.names, at_bound, strict=True) if h), float(solution.value),
        len(theta), group.sigma[np.ix_(c.order, c.order)], general,
        float(np.abs(slope[loose]).max(initial=0)),
    )  # fmt: skip


def fit_best(
    name: str, cov: NDArray[np.float64], n: int, restarts: int = 10, seed: int = 0
) -> FittedModel:
    """Return the best of several searches, because bifactor models of small samples have many local
    optima.

    Restarts move the first solution's loadings by 0.5 standard deviations and draw variances anew.
    A search that fails is ignored; the first is returned if all fail.
    """
    best = fit_model(name, cov, n)
    rng = np.random.default_rng(seed)
    variances = np.array(["~~" in name for name in best.names])
    for _ in range(restarts):
        moved = best.theta + rng.normal(0, 0.5, len(best.theta))
        drawn = rng.uniform(0.2, 0.8, len(best.theta))
        with suppress(ParameterError):
            again = fit_model(name, cov, n, np.where(variances, drawn, moved))
            if again.proper and (not best.proper or again.value < best.value - 1e-9):
                best = again
    return best


Method = Literal["regression", "bartlett"]


def score_weights(parameters: ParameterSet, method: Method = "regression") -> NDArray[np.float64]:
    """Return weights factors x indicators; a score is weights @ (x - means).

    Regression: Psi Lambda' Sigma^-1. Bartlett: (Lambda' Theta^-1 Lambda)^-1 Lambda' Theta^-1, which
    is meaningless if a residual variance is negative. Raises ParameterError if a matrix is
    singular.
    """
    loadings = parameters.loadings
    try:
        if method == "regression":
            crossed = loadings @ parameters.factor_covariances
            return np.asarray(solve(parameters.implied, crossed).T, np.float64)
        weighted = solve(parameters.residuals, loadings)
        return np.asarray(solve(loadings.T @ weighted, weighted.T), np.float64)
    except np.linalg.LinAlgError as error:
        raise ParameterError(
            f"no {method} scores: a matrix of the {parameters.language} parameters is singular"
        ) from error


def factor_scores(
    parameters: ParameterSet, x: NDArray[np.float64], method: Method = "regression"
) -> NDArray[np.float64]:
    """Return scores n x factors of rows in the order of the parameters' indicators."""
    return (x - parameters.means) @ score_weights(parameters, method).T
