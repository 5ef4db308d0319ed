"""Multinomial processing trees: probabilities of hidden processes from counts of answers.

An answer falls into one category of a tree with a probability that is a polynomial in the
probabilities of processes ("seen", "reasoned", "guessed"). Counts of several trees share these.

References
----------
Riefer, D. M., Batchelder, W. H. (1988). Multinomial modeling and the measurement of cognitive
    processes. Psychological Review 95, 318-339.
Hu, X., Batchelder, W. H. (1994). The statistical analysis of general processing tree models with
    the EM algorithm. Psychometrika 59, 21-47.
Rotnitzky, A., Jewell, N. P. (1990). Hypothesis testing of regression parameters in semiparametric
    generalized linear models for cluster correlated data. Biometrika 77, 485-497.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import special

from gfactor.errors import ParameterError
from gfactor.numbers_in_text import p_value
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.float_arrays import inv
from gfactor.psychometrics.rounding import cleared
from gfactor.psychometrics.trees.likelihood import (
    BOUNDARY,
    TINY,
    expected_information,
    information,
    log_likelihood,
    maximize,
    profile_interval,
)
from gfactor.psychometrics.trees.model import Equations, TreeModel
from gfactor.results import Result

Floats = NDArray[np.float64]


@dataclass(frozen=True, repr=False)
class ProcessingTree(Result):
    """A fitted processing tree.

    Parameters
    ----------
    model : TreeModel
        The equations.
    counts : array, shape (categories,)
        Answers in every category.
    theta : array, shape (parameters,)
        Maximum likelihood estimates in [0, 1].
    estimates : DataFrame
        A row per parameter: `estimate`, `se` (observed information), `se_expected`, `se_robust`
        (clustered by respondent), `ci_lower`, `ci_upper` (profile likelihood), `at_boundary`.
    vcov : DataFrame
        Inverse observed information of the parameters inside (0, 1); NaN for others.
    vcov_robust : DataFrame
        Sandwich over respondents (or clusters); NaN if there is one.
    loglik : float
        Sum of counts times log probabilities, without the multinomial constant.
    g2, x2, df, p : float
        Likelihood ratio and Pearson tests against the saturated model; `p` of G2.
    n_respondents : int
        Number of rows of the data.
    level : float
        Confidence level of the intervals.
    diagnostics : tuple of Diagnostic
        Errors first.
    """

    model: TreeModel
    counts: Floats
    theta: Floats
    estimates: pd.DataFrame
    vcov: pd.DataFrame
    vcov_robust: pd.DataFrame
    loglik: float
    g2: float
    x2: float
    df: int
    p: float
    n_respondents: int
    level: float
    diagnostics: tuple[Diagnostic, ...]

    @property
    def title(self) -> str:
        return (
            f"processing tree: {len(self.model.parameters)} parameters, "
            f"{int(self.counts.sum())} answers of {self.n_respondents} respondents, "
            f"G2({self.df}) = {self.g2:.3f}"
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        k = len(self.theta)
        return {
            "n": int(self.counts.sum()),
            "n_respondents": self.n_respondents,
            "loglik": self.loglik,
            "aic": -2 * self.loglik + 2 * k,
            "bic": -2 * self.loglik + k * float(np.log(self.n_respondents)),
            "g2": self.g2,
            "x2": self.x2,
            "df": self.df,
            "p": self.p,
            "level": self.level,
        }

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"estimates": self.estimates, "fitted": self.fitted}

    @cached_property
    def fitted(self) -> pd.DataFrame:
        """A row per category: `observed` and `expected` counts."""
        probabilities = self.model.probabilities(self.theta)
        totals = self.model.totals(self.counts)
        index = pd.MultiIndex.from_tuples(self.model.categories, names=["tree", "category"])
        return pd.DataFrame(
            {"observed": self.counts, "expected": totals * probabilities}, index=index
        )


def fit_processing_tree(
    equations: Equations,
    data: pd.DataFrame | pd.Series | Mapping[str, float],
    *,
    fixed: Mapping[str, float] | None = None,
    clusters: ArrayLike | None = None,
    level: float = 0.95,
    profile: bool = True,
    n_starts: int = 8,
    seed: int = 0,
) -> ProcessingTree:
    """Fit a multinomial processing tree by maximum likelihood.

    Parameters
    ----------
    equations : mapping of tree to mapping of category to equation
        Every category's probability as a polynomial in the parameters; those of a tree sum to 1.
    data : DataFrame, Series or mapping
        Counts by category, columns named "tree.category"; a row per respondent (or item) for
        standard errors that account for dependent answers.
    fixed : mapping of parameter to float, optional
        Parameters that are known, such as a guessing probability.
    clusters : array-like, shape (rows,), optional
        Cluster of every row; without it every row is a cluster of its own.
    level : float
        Confidence level of the profile likelihood intervals. With two clusters or more they are
        widened or narrowed by the ratio of the robust variance to the model's variance.
    profile : bool
        True to compute intervals; without them the limits are NaN, which is faster.
    n_starts, seed : int
        Number of random starting values in addition to one half, and their seed; the best result is
        used.

    Returns
    -------
    ProcessingTree
        Estimates with standard errors and intervals, and tests of fit.

    Raises
    ------
    ParameterError
        For equations that are not polynomials or do not sum to 1, categories without a column,
        negative counts.

    Examples
    --------
    >>> tree = {"text": {"right": "r + (1 - r) * g", "wrong": "(1 - r) * (1 - g)"},
    ...         "blind": {"right": "g", "wrong": "1 - g"}}
    >>> counts = {"text.right": 80, "text.wrong": 20, "blind.right": 25, "blind.wrong": 75}
    >>> fit_processing_tree(tree, counts).estimates["estimate"].round(3).to_dict()
    {'r': 0.733, 'g': 0.25}

    References
    ----------
    Riefer and Batchelder (1988); robust likelihood ratios after Rotnitzky and Jewell (1990).
    """
    model = TreeModel(equations, dict(fixed or {}))
    model.check()
    table = _table(model, data)
    rows = table.to_numpy(float)
    counts = rows.sum(axis=0)
    theta, converged = maximize(model, counts, n_starts, seed)
    free = (theta > BOUNDARY) & (theta < 1 - BOUNDARY)
    observed = information(model, counts, theta)
    vcov = _inverse(observed, free)
    expected = _inverse(expected_information(model, counts, theta), free)
    groups = np.arange(len(rows)) if clusters is None else pd.factorize(np.asarray(clusters))[0]
    if groups.shape != (len(rows),):
        raise ParameterError(f"clusters have {groups.size} entries for {len(rows)} rows of data")
    robust = _sandwich(model, rows, theta, groups, vcov)
    with np.errstate(invalid="ignore"):
        scale = np.diag(robust) / np.diag(vcov)
    scale = np.where(np.isfinite(scale) & (scale > 0), scale, 1.0)
    # Parameters at the boundary have no robust variance; they get the largest ratio of the others.
    scale[~free] = max(1.0, scale[free].max(initial=1.0))
    bounds = [
        profile_interval(model, counts, theta, j, level, float(scale[j]))
        if profile
        else (np.nan, np.nan)
        for j in range(theta.size)
    ]
    names = list(model.parameters)
    estimates = pd.DataFrame(
        {
            "estimate": theta,
            "se": np.sqrt(vcov.diagonal()),
            "se_expected": np.sqrt(expected.diagonal()),
            "se_robust": np.sqrt(robust.diagonal()),
            "ci_lower": [low for low, _ in bounds],
            "ci_upper": [high for _, high in bounds],
            "at_boundary": ~free,
        },
        index=pd.Index(names, name="parameter"),
    )
    totals = model.totals(counts)
    probabilities = model.probabilities(theta)
    mean = totals * probabilities
    with np.errstate(divide="ignore", invalid="ignore"):
        g2 = 2 * float(special.xlogy(counts, np.where(counts > 0, counts / mean, 1.0)).sum())
        x2 = float(np.where(mean > 0, (counts - mean) ** 2 / mean, 0.0).sum())
    # In a saturated model only rounding of the counts is left.
    g2, x2 = (float(cleared(one, counts.sum())) for one in (g2, x2))
    trees = int((np.bincount(model.tree_of, counts) > 0).sum())
    branches = int((totals > 0).sum())
    df = branches - trees - theta.size
    p = float(special.chdtrc(df, max(g2, 0.0))) if df > 0 else np.nan
    return ProcessingTree(
        model,
        counts,
        theta,
        estimates,
        pd.DataFrame(vcov, names, names),
        pd.DataFrame(robust, names, names),
        log_likelihood(model, counts, theta),
        max(g2, 0.0),
        x2,
        df,
        p,
        len(rows),
        level,
        _diagnose(model, counts, theta, free, df, p, converged),
    )


def _table(model: TreeModel, data: pd.DataFrame | pd.Series | Mapping[str, float]) -> pd.DataFrame:
    table = data if isinstance(data, pd.DataFrame) else pd.DataFrame([dict(data)])
    names = [f"{tree}.{category}" for tree, category in model.categories]
    missing = [name for name in names if name not in table.columns]
    if missing:
        raise ParameterError(
            f"category {missing[0]!r} has no column; the data have "
            f"{', '.join(map(str, table.columns))}"
        )
    chosen = table.loc[:, names]
    values = chosen.to_numpy(float)
    if not np.isfinite(values).all() or (values < 0).any():
        raise ParameterError(
            "counts of a processing tree must be whole numbers from 0, without missing cells"
        )
    if not values.sum():
        raise ParameterError("a processing tree needs answers; all counts are 0")
    return chosen


def _inverse(information: Floats, free: NDArray[np.bool_]) -> Floats:
    out = np.full(information.shape, np.nan)
    inner = information[np.ix_(free, free)]
    if inner.size and np.linalg.matrix_rank(inner, hermitian=True) == len(inner):
        out[np.ix_(free, free)] = inv(inner)
    return out


def _sandwich(
    model: TreeModel, rows: Floats, theta: Floats, groups: NDArray[np.intp], vcov: Floats
) -> Floats:
    if groups.max(initial=0) < 1 or np.isnan(vcov).all():
        return np.full(vcov.shape, np.nan)
    p = np.maximum(model.probabilities(theta), TINY)
    scores = np.where(rows > 0, rows / p, 0.0) @ model.jacobian(theta)
    summed = np.zeros((int(groups.max()) + 1, theta.size))
    np.add.at(summed, groups, scores)
    bread = np.nan_to_num(vcov)
    out = bread @ (summed.T @ summed) @ bread
    out[np.isnan(vcov)] = np.nan
    return out


def _diagnose(
    model: TreeModel,
    counts: Floats,
    theta: Floats,
    free: NDArray[np.bool_],
    df: int,
    p: float,
    converged: bool,
) -> tuple[Diagnostic, ...]:
    diagnostics = []
    inside = np.clip(theta, 0.05, 0.95)
    answered = model.totals(counts) > 0
    rank = np.linalg.matrix_rank(model.jacobian(inside)[answered])
    if rank < theta.size:
        diagnostics.append(
            Diagnostic(
                "not_identified",
                "error",
                f"The answers determine {rank} of {theta.size} parameters: several values fit "
                "equally well.",
                "Fix a parameter, equate two, or add a condition.",
            )
        )
    if not converged:
        diagnostics.append(
            Diagnostic(
                "not_converged",
                "error",
                "The gradient of the likelihood is not zero at the estimates.",
                "Raise n_starts, or check whether the equations fit the data.",
            )
        )
    if df > 0 and p < 0.05:
        diagnostics.append(
            Diagnostic(
                "misfit",
                "warning",
                f"The tree does not fit: G2({df}) has p {p_value(p, '= ')}; its parameters "
                "mix processes.",
                "Compare observed and expected counts, and let more parameters differ.",
            )
        )
    for name, value, inner in zip(model.parameters, theta, free, strict=True):
        if not inner:
            diagnostics.append(
                Diagnostic(
                    "boundary",
                    "warning",
                    f"{name} is estimated at its boundary {value:.0f}: it has an interval and no "
                    "standard error.",
                    "Read the interval; more answers may move the estimate inside.",
                )
            )
    return tuple(diagnostics)
