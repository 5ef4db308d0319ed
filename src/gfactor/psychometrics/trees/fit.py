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
from scipy import optimize, special

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.trees.model import Equations, TreeModel
from gfactor.results import Result

Floats = NDArray[np.float64]

_BOUNDARY = 1e-7
"""A parameter this close to 0 or 1 is at the boundary."""
_GRADIENT = 1e-6
_TINY = 1e-100


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
        Sandwich over respondents (or clusters); NaN where there is one.
    loglik : float
        Sum of counts times log probabilities, without the multinomial constant.
    g2, x2, df, p : float
        Likelihood ratio and Pearson tests against the saturated model; `p` of G2.
    n_respondents : int
        Rows of the data.
    level : float
        Of the intervals.
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
        totals = np.bincount(self.model.tree_of, self.counts)[self.model.tree_of]
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
    n_starts: int = 8,
    seed: int = 0,
) -> ProcessingTree:
    """Fit a multinomial processing tree by maximum likelihood.

    Parameters
    ----------
    equations : mapping of tree to mapping of category to equation
        Every category's probability as a polynomial in the parameters; those of a tree sum to 1.
    data : DataFrame, Series or mapping
        Counts by category, columns named "tree.category"; a row per respondent (or item) where
        standard errors shall respect who answered.
    fixed : mapping of parameter to float, optional
        Parameters that are known, such as a guessing probability.
    clusters : array-like, shape (rows,), optional
        Which rows belong together; every row is a cluster of its own without.
    level : float
        Of the profile likelihood intervals. With two clusters or more they are widened or narrowed
        by the robust over the model's variance.
    n_starts, seed : int
        Random starting values beside one half; the best end counts.

    Returns
    -------
    ProcessingTree

    Raises
    ------
    ParameterError
        For equations that are no polynomials or do not sum to 1, categories without a column,
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
    theta, converged = _maximum(model, counts, n_starts, seed)
    free = (theta > _BOUNDARY) & (theta < 1 - _BOUNDARY)
    information = _information(model, counts, theta)
    vcov = _inverse(information, free)
    expected = _inverse(_expected_information(model, counts, theta), free)
    groups = np.arange(len(rows)) if clusters is None else pd.factorize(np.asarray(clusters))[0]
    if groups.shape != (len(rows),):
        raise ParameterError(f"clusters have {groups.size} entries for {len(rows)} rows of data")
    robust = _sandwich(model, rows, theta, groups, vcov)
    with np.errstate(invalid="ignore"):
        scale = np.diag(robust) / np.diag(vcov)
    scale = np.where(np.isfinite(scale) & (scale > 0), scale, 1.0)
    # Parameters at the boundary have no robust variance: the largest ratio of the others is theirs.
    scale[~free] = max(1.0, scale[free].max(initial=1.0))
    bounds = [_profile(model, counts, theta, j, level, float(scale[j])) for j in range(theta.size)]
    names = list(model.parameters)
    estimates = pd.DataFrame(
        {
            "estimate": theta,
            "se": np.sqrt(np.diag(vcov)),
            "se_expected": np.sqrt(np.diag(expected)),
            "se_robust": np.sqrt(np.diag(robust)),
            "ci_lower": [low for low, _ in bounds],
            "ci_upper": [high for _, high in bounds],
            "at_boundary": ~free,
        },
        index=pd.Index(names, name="parameter"),
    )
    totals = np.bincount(model.tree_of, counts)[model.tree_of]
    probabilities = model.probabilities(theta)
    mean = totals * probabilities
    with np.errstate(divide="ignore", invalid="ignore"):
        g2 = 2 * float(special.xlogy(counts, np.where(counts > 0, counts / mean, 1.0)).sum())
        x2 = float(np.where(mean > 0, (counts - mean) ** 2 / mean, 0.0).sum())
    asked = int((np.bincount(model.tree_of, counts) > 0).sum())
    in_asked = int((totals > 0).sum())
    df = in_asked - asked - theta.size
    p = float(special.chdtrc(df, max(g2, 0.0))) if df > 0 else np.nan
    return ProcessingTree(
        model,
        counts,
        theta,
        estimates,
        pd.DataFrame(vcov, names, names),
        pd.DataFrame(robust, names, names),
        _loglik(model, counts, theta),
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
    chosen = table[names]
    values = chosen.to_numpy(float)
    if not np.isfinite(values).all() or (values < 0).any():
        raise ParameterError("counts of a processing tree are whole numbers from 0, none missing")
    if not values.sum():
        raise ParameterError("a processing tree needs answers; all counts are 0")
    return chosen


def _loglik(model: TreeModel, counts: Floats, theta: Floats) -> float:
    used = counts > 0
    probabilities = np.maximum(model.probabilities(theta)[used], _TINY)
    return float(counts[used] @ np.log(probabilities))


def _gradient(model: TreeModel, counts: Floats, theta: Floats) -> Floats:
    used = counts > 0
    ratio = counts[used] / np.maximum(model.probabilities(theta)[used], _TINY)
    return ratio @ model.jacobian(theta)[used]


def _information(model: TreeModel, counts: Floats, theta: Floats) -> Floats:
    used = counts > 0
    p = np.maximum(model.probabilities(theta)[used], _TINY)
    first, second = model.jacobian(theta)[used], model.hessians(theta)[used]
    outer = np.einsum("c,ci,cj->ij", counts[used] / p**2, first, first)
    return outer - np.einsum("c,cij->ij", counts[used] / p, second)


def _expected_information(model: TreeModel, counts: Floats, theta: Floats) -> Floats:
    p = model.probabilities(theta)
    totals = np.bincount(model.tree_of, counts)[model.tree_of]
    used = p > _TINY
    first = model.jacobian(theta)[used]
    return np.einsum("c,ci,cj->ij", totals[used] / p[used], first, first)


def _inverse(information: Floats, free: NDArray[np.bool_]) -> Floats:
    out = np.full(information.shape, np.nan)
    inner = information[np.ix_(free, free)]
    if inner.size and np.linalg.matrix_rank(inner, hermitian=True) == len(inner):
        out[np.ix_(free, free)] = np.linalg.inv(inner)
    return out


def _sandwich(
    model: TreeModel, rows: Floats, theta: Floats, groups: NDArray[np.intp], vcov: Floats
) -> Floats:
    if groups.max(initial=0) < 1 or np.isnan(vcov).all():
        return np.full(vcov.shape, np.nan)
    p = np.maximum(model.probabilities(theta), _TINY)
    scores = np.where(rows > 0, rows / p, 0.0) @ model.jacobian(theta)
    summed = np.zeros((int(groups.max()) + 1, theta.size))
    np.add.at(summed, groups, scores)
    bread = np.nan_to_num(vcov)
    out = bread @ (summed.T @ summed) @ bread
    out[np.isnan(vcov)] = np.nan
    return out


def _maximum(
    model: TreeModel,
    counts: Floats,
    n_starts: int,
    seed: int,
    known: tuple[int, float] | None = None,
    start: Floats | None = None,
) -> tuple[Floats, bool]:
    """Where the likelihood is largest in the unit cube, and whether its gradient proves it.

    `known` holds one parameter at a value; `start` replaces the random starting values.
    """
    k = len(model.parameters)
    rng = np.random.default_rng(seed)
    starts = [np.full(k, 0.5), *rng.uniform(0.1, 0.9, (n_starts, k))] if start is None else [start]
    best, best_value = np.full(k, 0.5), -np.inf
    if start is not None:
        x = _newton(model, counts, np.clip(start, 0, 1), known)
        if _proven(model, counts, x, known):
            return x, True
    for first in starts:
        bounds = [(0.0, 1.0)] * k
        x = np.clip(first, 0.001, 0.999)
        if known is not None:
            bounds[known[0]] = (known[1], known[1])
            x[known[0]] = known[1]
        ended = optimize.minimize(
            lambda t: (-_loglik(model, counts, t), -_gradient(model, counts, t)),
            x,
            jac=True,
            method="L-BFGS-B",
            bounds=bounds,
            options={"maxiter": 2000, "ftol": 1e-15, "gtol": 1e-10},
        )
        x = _newton(model, counts, np.clip(ended.x, 0, 1), known)
        value = _loglik(model, counts, x)
        if value > best_value + 1e-10:
            best, best_value = x, value
    return best, _proven(model, counts, best, known)


def _proven(model: TreeModel, counts: Floats, x: Floats, known: tuple[int, float] | None) -> bool:
    """Whether the gradient is zero but for parameters that press against their bounds, and the
    likelihood curves downward there."""
    if model.probabilities(x)[counts > 0].min() <= _TINY:
        return False
    gradient = _gradient(model, counts, x)
    pressed = ((x <= _BOUNDARY) & (gradient < 0)) | ((x >= 1 - _BOUNDARY) & (gradient > 0))
    if known is not None:
        pressed[known[0]] = True
    free = ~pressed
    if np.abs(gradient[free]).max(initial=0.0) > _GRADIENT * counts.sum():
        return False
    inner = _information(model, counts, x)[np.ix_(free, free)]
    return not inner.size or bool(np.linalg.eigvalsh(inner).min() > -1e-6 * counts.sum())


def _newton(model: TreeModel, counts: Floats, x: Floats, known: tuple[int, float] | None) -> Floats:
    """Newton steps over the parameters that do not press against their bounds."""
    value = _loglik(model, counts, x)
    for _ in range(50):
        if model.probabilities(x)[counts > 0].min() <= _TINY:
            return x  # A category that was seen is impossible here.
        gradient = _gradient(model, counts, x)
        pressed = ((x <= _BOUNDARY) & (gradient < 0)) | ((x >= 1 - _BOUNDARY) & (gradient > 0))
        x = np.where(pressed, np.round(x), x)
        if known is not None:
            pressed[known[0]] = True
        free = np.flatnonzero(~pressed)
        if not free.size or np.abs(gradient[free]).max() < 1e-11 * counts.sum():
            return x
        information = _information(model, counts, x)[np.ix_(free, free)]
        step = np.zeros(x.size)
        step[free] = np.linalg.lstsq(information, gradient[free], rcond=1e-12)[0]
        size = 1.0
        while size > 1e-8:
            trial = np.clip(x + size * step, 0, 1)
            reached = _loglik(model, counts, trial)
            if reached >= value - 1e-12 * abs(value):
                break
            size /= 2
        else:
            return x
        moved = float(np.abs(trial - x).max())
        x, value = trial, max(reached, value)
        if moved < 1e-15:
            return x
    return x


def _profile(
    model: TreeModel, counts: Floats, theta: Floats, j: int, level: float, scale: float
) -> tuple[float, float]:
    """Ends of the profile likelihood interval of parameter j."""
    best = _loglik(model, counts, theta)
    most = float(special.chdtri(1, 1 - level)) * scale / 2

    def excess(value: float) -> float:
        if theta.size == 1:
            at = np.array([value])
        else:
            start = np.where(np.arange(theta.size) == j, value, theta)
            at, _ = _maximum(model, counts, 0, 0, (j, value), start)
        return best - _loglik(model, counts, at) - most

    def end(limit: float) -> float:
        if abs(theta[j] - limit) < 1e-12 or excess(limit) <= 0:
            return limit
        return float(optimize.brentq(excess, limit, theta[j], xtol=1e-7, full_output=True)[0])

    return end(0.0), end(1.0)


def _diagnose(
    model: TreeModel,
    counts: Floats,
    theta: Floats,
    free: NDArray[np.bool_],
    df: int,
    p: float,
    converged: bool,
) -> tuple[Diagnostic, ...]:
    found = []
    inside = np.clip(theta, 0.05, 0.95)
    asked = np.bincount(model.tree_of, counts)[model.tree_of] > 0
    rank = np.linalg.matrix_rank(model.jacobian(inside)[asked])
    if rank < theta.size:
        found.append(
            Diagnostic(
                "not_identified",
                "error",
                f"The answers determine {rank} of {theta.size} parameters: several values fit "
                "equally well.",
                "Fix a parameter, equate two, or add a condition.",
            )
        )
    if not converged:
        found.append(
            Diagnostic(
                "not_converged",
                "error",
                "The gradient of the likelihood is not zero at the estimates.",
                "Raise n_starts, or check whether the equations fit the data.",
            )
        )
    if df > 0 and p < 0.05:
        found.append(
            Diagnostic(
                "misfit",
                "warning",
                f"The tree does not fit: G2({df}) has p = {p:.2g}; its parameters mix processes.",
                "Compare observed and expected counts, and let more parameters differ.",
            )
        )
    for name, value, inner in zip(model.parameters, theta, free, strict=True):
        if not inner:
            found.append(
                Diagnostic(
                    "boundary",
                    "warning",
                    f"{name} is estimated at its boundary {value:.0f}: it has an interval and no "
                    "standard error.",
                    "Read the interval; more answers may move the estimate inside.",
                )
            )
    return tuple(found)
