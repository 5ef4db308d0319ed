"""Reliability of sums of indicators under a fitted model, each index with its interval."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import ndtri

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.float_arrays import einsum
from gfactor.psychometrics.sem.common_variance import (
    Index,
    as_they_are,
    general_factor,
    indices,
    loadings,
)
from gfactor.psychometrics.sem.model import GroupPoint
from gfactor.results import Result

if TYPE_CHECKING:
    from gfactor.psychometrics.sem.fitted import Fit

Array = NDArray[np.float64]

MEANING = {
    "omega": "share of the variance of the sum of the factor's indicators that is common",
    "omega_hs": "share that is the factor's own, beside the general factor",
    "omega_total": "share of the variance of the sum of all indicators that is common",
    "omega_h": "share that the general factor explains",
    "ECV": "share of the common variance of the indicators that is the general factor's",
    "H": "how well an optimal weighting of the indicators replicates the factor",
    "AVE": "mean share of an indicator's variance that its factor explains",
    "PUC": "share of the indicators' correlations that only the general factor explains",
}
"""Meaning of each index, for tables."""


def meanings(indices: pd.DataFrame) -> list[str]:
    """Return the meaning of every row of indices; H of a factor beside a general one is that of its
    own part."""
    keys = list(zip(indices["index"], indices["latent"], strict=True))
    beside = {latent for index, latent in keys if index == "omega_hs"}
    return [
        f"{MEANING[index]}'s own part, beside the general factor"
        if index == "H" and latent in beside
        else MEANING[index]
        for index, latent in keys
    ]


@dataclass(frozen=True, repr=False)
class ModelReliability(Result):
    """Omega and related coefficients of a fitted model.

    Parameters
    ----------
    indices: one row per index: index, latent, group, est, se, low, high (by the delta method, as
        normal on the logit scale; None without standard errors).
    level: confidence level of the intervals. n: number of cases used.
    diagnostics: limits to the use of the indices.
    """

    indices: pd.DataFrame
    level: float
    n: int
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def title(self) -> str:
        return f"reliability of {len(self.indices)} sums and factors, n = {self.n}"

    @property
    def facts(self) -> Mapping[str, Any]:
        return {"n": self.n, "level": self.level}

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"indices": self.indices}

    def _lines(self) -> list[str]:
        lines = []
        rows = self.indices.to_dict("records")
        for row, meaning in zip(rows, meanings(self.indices), strict=True):
            where = f" ({row['group']})" if row["group"] else ""
            interval = "" if np.isnan(row["se"]) else f" [{row['low']:z.3f}, {row['high']:z.3f}]"
            lines.append(
                f"{row['index']} of {row['latent']}{where} {row['est']:.3f}{interval}, n {self.n}: "
                f"{meaning}"
            )
        return lines


def reliability(fit: Fit, *, level: float = 0.95, observed: bool = False) -> ModelReliability:
    """Estimate omega, hierarchical omega, ECV, H and PUC of a fitted model.

    Parameters
    ----------
    fit : Fit
        The fitted model. Sums of ordinal indicators are sums of their categories, numbered
        in steps of one (Green and Yang 2009, as `semTools::compRelSEM`).
    level : float
        Confidence level of the intervals.
    observed : bool
        True to take the variance of a sum from the sample and not from the model (as
        `semTools::compRelSEM`).

    Returns
    -------
    ModelReliability
        Coefficients with intervals and n.

    Raises
    ------
    ParameterError
        If the model has no latent variable.

    References
    ----------
    Green, S. B., Yang, Y. (2009). Reliability of summed item scores using structural equation
        modeling: an alternative to coefficient alpha. Psychometrika 74, 155-167.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from gfactor.psychometrics import sem
    >>> random = np.random.default_rng(1)
    >>> g = random.normal(size=300)
    >>> data = pd.DataFrame({f"x{k}": g + random.normal(size=300) for k in range(1, 5)})
    >>> fit = sem.fit("g =~ x1 + x2 + x3 + x4", data)
    >>> "omega" in sem.reliability(fit).summary()
    True
    """
    if not fit.table.latent:
        raise ParameterError("the model has no latent variable, so it has no reliability")
    sample = fit.estimated.problem.sample
    values = _values(fit, fit.estimated.theta, observed)
    est = np.array([*values.values()])
    slopes = _slopes(fit, values, observed)
    se = np.sqrt(np.maximum(einsum("ij,jk,ik->i", slopes, fit.vcov_matrix, slopes), 0.0))
    # The share of pairs of indicators (PUC) follows from the model and does not vary over samples.
    se[[index == "PUC" for (index, _), _ in values]] = np.nan
    low, high = _interval(est, se, level)
    frame = pd.DataFrame(
        {
            "index": [index for (index, _), _ in values],
            "latent": [latent for (_, latent), _ in values],
            "group": [sample.groups[number].label for _, number in values],
            "est": est,
            "se": se,
            "low": low,
            "high": high,
        }
    )
    return ModelReliability(frame, level, sample.n, by_severity(_checks(fit)))


def _values(
    fit: Fit, theta: Array, observed: bool, numbers: Sequence[int] | None = None
) -> dict[tuple[Index, int], float]:
    """Every index of the groups of these numbers; None for all."""
    groups, samples = fit.over_cases(theta).groups, fit.estimated.problem.sample.groups
    values: dict[tuple[Index, int], float] = {}
    for number in range(len(samples)) if numbers is None else numbers:
        here = groups[number]
        scoring = fit.sum_scores(here, samples[number].cov if observed else None)
        for key, value in indices(here, *scoring, measured_by(fit, here)).items():
            values[key, number] = float(value)
    return values


def measured_by(fit: Fit, point: GroupPoint) -> NDArray[np.bool_]:
    """Return True for pairs of an indicator and its latent variable, shape (p, true latents)."""
    s = point.structure
    pairs = {(row.rhs, row.lhs) for row in fit.table if row.op == "=~"}
    latent = s.latent[: s.n_true_latent]
    return np.array([[(name, one) in pairs for one in latent] for name in s.observed])


def _slopes(fit: Fit, values: Mapping[tuple[Index, int], float], observed: bool) -> Array:
    """Derivatives of every index by central differences, shape (indices, n_free); NaN for an index
    that depends on a loading of exactly 0."""
    theta = fit.estimated.theta
    # A parameter changes only the indices of its own groups; a mean only those of categories.
    scored = fit.sum_scores(fit.estimated.point.groups[0], None)[1] is not as_they_are
    groups_of: list[set[int]] = [set() for _ in theta]
    for row in fit.table:
        if row.free and (scored or row.op != "~1"):
            groups_of[row.free - 1].add(row.group - 1)
    est = np.array([*values.values()])
    out = np.repeat((est - est)[:, None], len(theta), axis=1)
    for k in np.flatnonzero([bool(groups) for groups in groups_of]):
        step = 1e-5 * max(abs(theta[k]), 0.1)
        rows = [i for i, (_, number) in enumerate(values) if number in groups_of[k]]
        keys = [key for key in values if key[1] in groups_of[k]]
        sides = []
        for sign in (1, -1):
            moved = theta.copy()
            moved[k] += sign * step
            indices_there = _values(fit, moved, observed, sorted(groups_of[k]))
            sides.append(np.array([indices_there.get(key, np.nan) for key in keys]))
        out[rows, k] = (sides[0] - sides[1]) / (2 * step)
    return out


def _interval(est: Array, se: Array, level: float) -> tuple[Array, Array]:
    """Limits on the logit scale, so that they stay between 0 and 1; on its own scale for other
    indices."""
    z = float(ndtri((1 + level) / 2))
    inside = (est > 0) & (est < 1) & np.isfinite(se)
    safe = np.where(inside, est, 0.5)
    logit, spread = np.log(safe / (1 - safe)), np.where(inside, se, 0.0) / (safe * (1 - safe))
    # Far out the limits are 0 and 1, and the exponential would overflow.
    spread = np.minimum(spread, 300 / z)
    logit = np.clip(logit, -300, 300)
    low = np.where(inside, 1 / (1 + np.exp(-(logit - z * spread))), est - z * se)
    high = np.where(inside, 1 / (1 + np.exp(-(logit + z * spread))), est + z * se)
    return low, high


def _checks(fit: Fit) -> Iterator[Diagnostic]:
    point = fit.estimated.point.groups[0]
    names = (*point.structure.observed, *point.structure.latent)
    variances = np.concatenate([point.theta.diagonal(), point.psi.diagonal()])
    bad = [name for name, value in zip(names, variances, strict=True) if value < 0]
    if bad:
        yield Diagnostic(
            "reliability_of_improper_solution",
            "error",
            f"The solution has negative variances ({', '.join(bad)}), so that no coefficient "
            "of this model is to be reported; those that need a variance's root are missing.",
            "Fit a model with a proper solution first.",
            tuple(bad),
        )
    mixed = fit.sum_scores(point, None)[2]
    if mixed is not None and not mixed.all():
        continuous = [n for n, one in zip(point.structure.observed, mixed, strict=True) if not one]
        yield Diagnostic(
            "reliability_of_mixed_indicators",
            "note",
            f"{', '.join(continuous)} {'is' if len(continuous) == 1 else 'are'} continuous beside "
            "ordinal variables: a sum of both has no omega here.",
            "Score and report ordinal and continuous indicators apart.",
            tuple(continuous),
        )
    general = general_factor(point, loadings(point, measured_by(fit, point)))
    count = point.structure.n_true_latent
    if general is not None and np.any(np.abs(np.triu(point.psi[:count, :count], 1)) > 1e-12):
        yield Diagnostic(
            "sources_correlate",
            "warning",
            "Group factors or the general factor correlate in this model, so that omega_h and ECV "
            "do not add up with the others to the common variance.",
            "Set orthogonal = true, or read omega_total only.",
        )
