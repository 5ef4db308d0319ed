"""Factor scores of a fitted model, for its sample and for new data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.float_arrays import solve
from gfactor.psychometrics.sem.model import GroupPoint
from gfactor.psychometrics.sem.ordinal.point import OrdinalGroupPoint
from gfactor.psychometrics.sem.ordinal.problem import OrdinalProblem
from gfactor.psychometrics.sem.ordinal.scores import posterior_modes
from gfactor.psychometrics.sem.sample import factors_of, named_columns, numbers, single_column
from gfactor.psychometrics.sem.score_weights import (
    METHODS,
    determinacy,
    error_sd,
    scale_checks,
    solution_checks,
    weights,
)
from gfactor.results import Result, by_row, named_rows

if TYPE_CHECKING:
    from gfactor.psychometrics.sem.fitted import Fit

Array = NDArray[np.float64]


@dataclass(frozen=True, repr=False)
class FactorScores(Result):
    """Factor scores and their precision.

    Parameters
    ----------
    scores: one row per case, one column per latent variable, in the units of the model; NaN for a
    case without any of the variables.
    error: same shape: the standard deviation of score minus latent variable.
    determinacy: latent variables x groups: correlation of latent variable and regression score.
    coefficients: per group ("" for a single sample) latent variables x observed variables; a score
        is the latent mean plus these times the deviations from the model's means. Empty for ordinal
        variables and for models of two levels.
    method: "regression", "bartlett" or "tenberge".
    groups: the group of each case, in the order of `scores`.
    diagnostics: limits to the use of the scores.
    unit: "cases", or "clusters" for scores of the level between them.
    """

    scores: pd.DataFrame
    error: pd.DataFrame
    determinacy: pd.DataFrame
    coefficients: Mapping[str, pd.DataFrame]
    method: str
    groups: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...] = ()
    unit: str = "cases"

    @property
    def title(self) -> str:
        return f"{self.method} scores of {len(self.scores)} {self.unit}"

    @property
    def facts(self) -> Mapping[str, Any]:
        return {"method": self.method}

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"determinacy": self.determinacy, "scores": self.scores, "error": self.error}

    def _document(self) -> Mapping[str, Any]:
        rows = self.scores.set_axis(self.scores.index.map(str))
        return {
            "method": self.method,
            "scores": named_rows(rows, self.unit.removesuffix("s")),
            "determinacy": by_row(self.determinacy),
            "diagnostics": self.diagnostics,
        }

    def _lines(self) -> list[str]:
        rows = zip(self.determinacy.index, self.determinacy.to_numpy(), strict=True)
        return [
            self.title,
            *(f"{name}: determinacy {', '.join(f'{v:.3f}' for v in row)}" for name, row in rows),
        ]


def factor_scores(
    fit: Fit,
    data: pd.DataFrame | None = None,
    *,
    method: str = "regression",
    group: str | None = None,
    level: int = 1,
) -> FactorScores:
    """Score the cases of the fit, or new ones.

    The result carries a diagnostic of severity "error" if `data` is not on the scale of the
    fit: raw counts given to a model of z-scores.

    Parameters
    ----------
    fit : Fit
        Fit to continuous or to ordinal variables. For ordinal ones, method "regression" gives the
        mode of the latent variables given the answers, and the error from the curvature.
    data : DataFrame, optional
        New cases: the model's observed variables as columns, in the units of the data that were
        fitted; cells may be missing; a case is then scored from its observed cells. None scores
        the sample of the fit.
    method : str
        "regression" (the best guess of the latent variable; shrunken), "bartlett" (unbiased
        for the person, noisier), "tenberge" (keeps the model's variances and correlations).
    group : str, optional
        Column of `data` with the groups' names, or the name of the one group that all cases belong
        to, for a fit of several groups.
    level : {1, 2}
        Level of a two-level model: 1 scores cases within their clusters, 2 scores clusters. New
        cases need the column of clusters.

    Returns
    -------
    FactorScores
        `scores` and `error` (cases x latent variables), `determinacy`, `diagnostics`.

    Raises
    ------
    ParameterError
        For a missing column, one that is not numeric, an unknown group or method; a fit to moments
        without cases and no `data`; another method for ordinal variables.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from gfactor.psychometrics import sem
    >>> random = np.random.default_rng(1)
    >>> g = random.normal(size=300)
    >>> data = pd.DataFrame({f"x{k}": g + random.normal(size=300) for k in range(1, 5)})
    >>> fit = sem.fit("g =~ x1 + x2 + x3 + x4", data)
    >>> sem.factor_scores(fit, data.head(2), method="bartlett").scores.shape
    (2, 1)
    """
    if method not in METHODS:
        raise ParameterError(
            f"the method of factor scores is {method!r}; it is one of {', '.join(METHODS)}"
        )
    if fit.table.two_level:
        return fit.scores(data, method=method, group=group, level=level)  # of `TwoLevelFit`
    if level != 1:
        raise ParameterError(f"level is {level!r}, but the model has one level; leave level out")
    ordinal = any(row.op == "|" for row in fit.table)
    if ordinal and method != "regression":
        raise ParameterError(
            "ordinal answers are scored by method 'regression' (the posterior mode), not "
            f"{method!r}, which does not exist for persons with all answers right or wrong"
        )
    if not fit.table.latent:
        raise ParameterError("the model has no latent variable to score")
    points = fit.estimated.point.groups
    labels = fit.estimated.problem.sample.labels
    table, member = _cases(fit, data, group)
    names = fit.estimated.problem.sample.variables
    latent = fit.table.latent
    rows = table.to_numpy(dtype=float, na_value=np.nan)
    scores = np.full((len(rows), len(latent)), np.nan)
    error = scores.copy()
    diagnostics: list[Diagnostic] = []
    precision: dict[str, Array] = {}
    levels = _levels(fit) if ordinal else []
    given = len(names)
    for number, (fitted, label) in enumerate(zip(points, labels, strict=True)):
        members = np.flatnonzero(member == number)
        where = f" in group {label!r}" if label else ""
        if isinstance(fitted, OrdinalGroupPoint):
            scores[members], error[members] = posterior_modes(
                fitted, rows[members, :given], levels, names, rows[members, given:]
            )
            precision[label] = explained(fitted, error[members])
            continue
        point = _with_means(fitted, fit, number)
        precision[label] = determinacy(point)
        diagnostics += solution_checks(point, method, latent, precision[label], where)
        if data is not None and len(members):
            diagnostics += scale_checks(
                point.mu, np.sqrt(point.sigma.diagonal()), rows[members], names, where
            )
        scores[members], error[members] = _scored(point, rows[members], method)
    return FactorScores(
        pd.DataFrame(scores, index=table.index, columns=list(latent)),
        pd.DataFrame(error, index=table.index, columns=list(latent)),
        pd.DataFrame(precision, index=list(latent)),
        {
            label: pd.DataFrame(weights(point, method), index=list(latent), columns=list(names))
            for point, label in zip(points, labels, strict=True)
            if not ordinal
        },
        method,
        tuple(labels[k] for k in member),
        by_severity(diagnostics),
    )


def _levels(fit: Fit) -> list[Array | None]:
    """Per variable the categories in the data of the fit; None for continuous variables."""
    ordered = {row.lhs for row in fit.table if row.op == "|"}
    sample = fit.estimated.problem.sample
    whole = np.vstack([group.rows for group in sample.groups if group.rows is not None])
    return [
        np.unique(whole[:, k][~np.isnan(whole[:, k])]) if name in ordered else None
        for k, name in enumerate(sample.variables)
    ]


def explained(point: GroupPoint, error: Array) -> Array:
    """Return the square root of the share of a latent variable's variance that its scores explain,
    the determinacy of scores that are no linear function of the answers."""
    variance = np.diag(point.latent_cov)[: point.structure.n_true_latent]
    defined = error[~np.isnan(error).any(axis=1)]
    if not len(defined):
        return np.full(len(variance), np.nan)
    return np.sqrt(np.clip(1 - (defined**2).mean(axis=0) / variance, 0.0, 1.0))


def _with_means(point: GroupPoint, fit: Fit, number: int) -> GroupPoint:
    """The point with the sample's means where the model has none."""
    if fit.estimated.problem.structure.meanstructure:
        return point
    completed = point.__class__.__new__(point.__class__)
    completed.__dict__.update(point.__dict__)
    means = fit.estimated.problem.sample.groups[number].mean
    completed.__dict__["mu"] = means
    # Latent means come from observed predictors, which have the sample's means.
    s = point.structure
    index = {name: k for k, name in enumerate(s.observed)}
    true = s.n_true_latent
    acting = np.array([means[index[name]] for name in s.latent[true:]])
    brought = point.regression[:true, true:] @ acting
    inner = np.eye(true) - point.regression[:true, :true]
    latent = solve(inner, brought)
    completed.__dict__["latent_mean"] = np.concatenate([latent, acting])
    return completed


def _scored(point: GroupPoint, rows: Array, method: str) -> tuple[Array, Array]:
    count = point.structure.n_true_latent
    out = np.full((len(rows), count), np.nan)
    error = out.copy()
    observed = ~np.isnan(rows)
    patterns, member = np.unique(observed, axis=0, return_inverse=True)
    for pattern, seen in enumerate(patterns):
        if not seen.any():
            continue
        members = np.flatnonzero(member.ravel() == pattern)
        coefficients = weights(point, method, seen)
        away = np.where(seen, rows[members] - point.mu, 0.0)
        out[members] = point.latent_mean[:count] + away @ coefficients.T
        error[members] = error_sd(point, coefficients)
    return out, error


def _cases(
    fit: Fit, data: pd.DataFrame | None, group: str | None
) -> tuple[pd.DataFrame, NDArray[np.intp]]:
    """The cases' variables (then given covariates) and the number of each one's group."""
    problem = fit.estimated.problem
    sample = problem.sample
    designs = (
        [
            np.zeros((one.n, 0)) if moments.design is None else moments.design
            for one, moments in zip(sample.groups, problem.moments, strict=True)
        ]
        if isinstance(problem, OrdinalProblem)
        else [np.zeros((one.n, 0)) for one in sample.groups]
    )
    names = [*sample.variables, *(problem.exogenous if designs[0].shape[1] else ())]
    if data is None:
        parts: list[pd.DataFrame] = []
        for one, design in zip(sample.groups, designs, strict=True):
            if one.rows is None:
                raise ParameterError(
                    "the model was fitted to moments without cases; give the cases to be scored"
                )
            rows = np.hstack([one.rows, design])
            parts.append(pd.DataFrame(rows, index=one.cases, columns=names))
        member = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
        whole = pd.concat(parts)
        order = np.argsort(whole.index.to_numpy(), kind="stable")
        rows = sample.names_of(whole.index.to_numpy()[order])
        return pd.DataFrame(whole.to_numpy()[order], rows, names), member[order]
    data = named_columns(data)
    if not len(data):
        raise ParameterError("there are no cases to be scored: the data have no rows")
    for one in (part for name in names for part in factors_of(name, data.columns)):
        if one not in data.columns:
            raise ParameterError(f"the cases to be scored have no column {one!r}")
    rows = pd.DataFrame(numbers(data, names), index=data.index, columns=names)
    return rows, _members(sample.labels, data, group)


def _members(labels: tuple[str, ...], data: pd.DataFrame, group: str | None) -> NDArray[np.intp]:
    if len(labels) == 1:
        return np.zeros(len(data), dtype=np.intp)
    if group is None:
        raise ParameterError(
            f"the model has the groups {', '.join(labels)}; give in `group` the column with the "
            "group of each case, or the one group of all cases"
        )
    if group not in data.columns and group in labels:
        return np.full(len(data), labels.index(group), dtype=np.intp)
    if group not in data.columns:
        raise ParameterError(f"the cases to be scored have no column {group!r} with their groups")
    given = single_column(data, group).astype(str)
    unknown = next((one for one in given if one not in labels), None)
    if unknown is not None:
        raise ParameterError(
            f"the cases to be scored belong to a group {unknown!r}, but the model has "
            f"{', '.join(labels)}"
        )
    return np.array([labels.index(one) for one in given], dtype=np.intp)
