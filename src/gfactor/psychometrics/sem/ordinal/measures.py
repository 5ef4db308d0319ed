"""Input of the measures of fit of ordinal models: robust statistics, residuals, explained moments.

References
----------
Savalei, V. (2021). Improving fit indices in structural equation modeling with categorical data.
    Multivariate Behavioral Research 56, 390-407 (robust CFI, TLI and RMSEA).
Yu, C.-Y., Muthen, B. (2002). Evaluation of model fit indices for latent variable models with
    categorical and continuous outcomes (WRMR).
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import block_diag

from gfactor.psychometrics.float_arrays import eigvalsh, inv, solve
from gfactor.psychometrics.sem.discrepancy import normal_weight
from gfactor.psychometrics.sem.exactfit import ExactFit, tail
from gfactor.psychometrics.sem.measures.context import Context, Explained, Kind, Measures
from gfactor.psychometrics.sem.model import vech_places
from gfactor.psychometrics.sem.options import Options
from gfactor.psychometrics.sem.ordinal.least_squares import OrdinalLeastSquares
from gfactor.psychometrics.sem.ordinal.moments import below
from gfactor.psychometrics.sem.ordinal.point import OrdinalGroupPoint
from gfactor.psychometrics.sem.ordinal.problem import OrdinalProblem

Array = NDArray[np.float64]

_RANK = 1e-7
"""Share of a parameter's slopes below which they are sums of those of others."""


class OrdinalContext(Context):
    """A model of thresholds and polychoric correlations."""

    kind: ClassVar[Kind] = "ordinal"

    @cached_property
    def robust(self) -> Context | None:
        if self.exact.scaled is None or self.exact.name == "mean.var.adjusted":
            return None
        return _robust_context(self)

    @property
    def residuals(self) -> Measures:
        return _residual(self)

    @cached_property
    def explained(self) -> Sequence[Explained]:
        parts = []
        for (share, group), of_group, weighted in zip(
            _parts(self), self._squares.moments, self.problem.weights, strict=True
        ):
            s, w = of_group.statistics, weighted.weight
            away = s - group.statistics
            parts.append(Explained(share, float(away @ w @ away), float(s @ w @ s)))
        return parts

    @property
    def n_moments(self) -> float:
        return float(sum(len(of_group.statistics) for of_group in self._squares.moments))

    @property
    def _squares(self) -> OrdinalLeastSquares:
        squares = self.problem.discrepancy
        assert isinstance(squares, OrdinalLeastSquares)
        return squares


def with_p_value(test: ExactFit, options: Options) -> ExactFit:
    """Return the test with the p-value of the unscaled statistic, which lavaan reports for ordinal
    variables except under unweighted least squares."""
    if options.minimised == "ULS":
        return test
    return dataclasses.replace(test, pvalue=tail(test.chisq, test.df))


def _parts(context: Context) -> list[tuple[float, OrdinalGroupPoint]]:
    shares = context.problem.sample.shares
    groups = context.estimated.point.groups
    parts = []
    for share, group in zip(shares, groups, strict=True):
        assert isinstance(group, OrdinalGroupPoint)
        parts.append((float(share), group))
    return parts


def _robust_context(context: Context) -> Context | None:
    """The normal discrepancy of the polychoric correlations at the estimates, with its scaling
    (Savalei 2021); None if variables are continuous, covariates given, a matrix is not positive
    definite, or thresholds restricted, whose misfit correlations do not show."""
    problem = context.problem
    assert isinstance(problem, OrdinalProblem)
    if not all(moments.ordered.all() and not moments.covariates for moments in problem.moments):
        return None
    if _thresholds_are_restricted(context):
        return None
    n, df = problem.sample.n, context.exact.df
    statistic = null = 0.0
    normal: list[Array] = []
    gammas: list[Array] = []
    deltas: list[Array] = []
    pulled: list[Array] = []
    for number, (share, group) in enumerate(_parts(context)):
        r, sigma = problem.moments[number].cov, group.scaled
        if min(eigvalsh(r)[0], eigvalsh(sigma)[0]) < 1.5e-8:
            return None
        p = len(r)
        logs = np.linalg.slogdet(r)[1], np.linalg.slogdet(sigma)[1]
        statistic += n * share * (logs[1] + np.trace(solve(sigma, r)) - logs[0] - p)
        null -= n * share * logs[0]
        row, column = vech_places(p)
        off = np.flatnonzero(row != column)
        first = len(problem.moments[number].statistics) - len(off)
        normal.append(share * normal_weight(inv(sigma), means=False)[np.ix_(off, off)])
        gammas.append(problem.moments[number].gamma[first:, first:] / share)
        deltas.append(context.estimated.deltas()[number][first:])
        given = problem.weights[number]
        pulled.append(given.factor * (given.weight[first:, first:] @ deltas[number]))
    gamma, v = (np.asarray(block_diag(*matrices), float) for matrices in (gammas, normal))
    inverse = context.estimated.restricted_inverse(context.estimated.information(1))
    left = np.eye(len(gamma)) - np.vstack(deltas) @ inverse @ np.vstack(pulled).T
    # tr(left' v left gamma)
    factor = float(((v @ left) * (left @ gamma)).sum()) / df if df else 1.0
    worst = context.baseline_exact
    return dataclasses.replace(
        context,
        exact=_corrected(statistic, df, factor),
        baseline_exact=_corrected(null, worst.df, float(np.trace(gamma)) / worst.df),
    )


def _thresholds_are_restricted(context: Context) -> bool:
    """Return True if the model has more degrees of freedom than its correlations alone: it then
    says something of thresholds, too, as scalar invariance does."""
    problem = context.problem
    assert isinstance(problem, OrdinalProblem)
    free = context.estimated.directions
    thresholds_of, correlations_of = [], []
    for moments, delta in zip(problem.moments, context.estimated.deltas(), strict=True):
        of_thresholds, of_correlations = np.split(delta @ free, [len(moments.thresholds)])
        thresholds_of.append(of_thresholds)
        correlations_of.append(of_correlations)
    thresholds, correlations = np.vstack(thresholds_of), np.vstack(correlations_of)
    for_them = ~correlations.any(axis=0)
    if np.linalg.matrix_rank(thresholds[:, for_them]) == len(thresholds):
        return False
    slopes = correlations[:, ~for_them]
    slopes = slopes / np.linalg.norm(slopes, axis=0)
    of_them = len(slopes) - int(np.linalg.matrix_rank(slopes, tol=_RANK))
    return context.exact.df > of_them


def _corrected(statistic: float, df: int, factor: float) -> ExactFit:
    scaled = statistic / factor
    return ExactFit(
        "satorra.bentler",
        statistic,
        df,
        tail(statistic, df),
        scaled,
        df,
        tail(scaled, df),
        factor,
        mean_factor=factor,
    )


def _residual(context: Context) -> Measures:
    """RMR, SRMR and CRMR: with thresholds and means ("total") and of correlations alone; SRMR is
    the latter, as in lavaan."""
    problem = context.problem
    assert isinstance(problem, OrdinalProblem)
    names = ("rmr", "rmr_nomean", "srmr_bentler", "srmr_bentler_nomean", "crmr", "crmr_nomean")
    sums: dict[str, float] = {name: 0.0 for name in names}
    for (share, group), moments in zip(_parts(context), problem.moments, strict=True):
        p = len(moments.cov)
        row, column = below(p)
        sd, implied = np.sqrt(moments.cov.diagonal()), np.sqrt(group.scaled.diagonal())
        raw = moments.cov - group.scaled
        first = moments.thresholds - group.statistics[: len(moments.thresholds)]
        squares = {
            "rmr": (raw, np.ones(p)),
            "srmr_bentler": (raw / np.outer(sd, sd), sd),
            "crmr": (
                moments.cov / np.outer(sd, sd) - group.scaled / np.outer(implied, implied),
                sd,
            ),
        }
        for name, (residual, unit) in squares.items():
            # Variances, those of given covariates among them, are counted but, as in lavaan, not
            # summed.
            cov = float((residual[row, column] ** 2).sum())
            count = len(row) + (0 if name == "crmr" else p + len(moments.covariates))
            also = float(((first / unit[moments.owner]) ** 2).sum())
            # Means of continuous variables are summed but, as in lavaan, not counted.
            thresholds = int(moments.ordered[moments.owner].sum())
            sums[name] += share * math.sqrt((cov + also) / (count + thresholds))
            sums[f"{name}_nomean"] += share * (math.sqrt(cov / count) if count else 0.0)
    measures: Measures = {name: sums[name] for name in names[:2]}
    measures["srmr"] = sums["srmr_bentler_nomean"]
    measures |= {name: sums[name] for name in names[2:]}
    return measures | {"srmr_mplus": None, "srmr_mplus_nomean": None}
