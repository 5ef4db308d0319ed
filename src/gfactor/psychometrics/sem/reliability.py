"""Reliability of sums of indicators as a fitted model sees it, each index with its interval."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic, gravest_first
from gfactor.psychometrics.sem.common_variance import Index, general_factor, indices
from gfactor.psychometrics.sem.model import Point

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
"""What each index is, for tables."""


@dataclass(frozen=True)
class ModelReliability:
    """Omega and its relatives.

    Parameters
    ----------
    indices: one row per index: index, latent, group, est, se, low, high (by the delta method, as
        normal on the logit scale; None where no standard errors were asked for).
    level: of the intervals. n: cases used.
    diagnostics: what speaks against the numbers.
    """

    indices: pd.DataFrame
    level: float
    n: int
    diagnostics: tuple[Diagnostic, ...] = ()

    def summary(self) -> str:
        lines = [str(one) for one in self.diagnostics]
        for row in self.indices.to_dict("records"):
            where = f" ({row['group']})" if row["group"] else ""
            lines.append(
                f"{row['index']} of {row['latent']}{where} {row['est']:.3f} "
                f"[{row['low']:.3f}, {row['high']:.3f}], n {self.n}: {MEANING[row['index']]}"
            )
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return self.indices.round(3).to_html(index=False, border=0)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "n": self.n,
            "level": self.level,
            "indices": [
                {k: _plain(v) for k, v in row.items()} for row in self.indices.to_dict("records")
            ],
            "diagnostics": [one.to_dict() for one in self.diagnostics],
        }


def reliability(fit: Fit, *, level: float = 0.95, observed: bool = False) -> ModelReliability:
    """Omega, hierarchical omega, ECV, H and PUC of a fitted model.

    Parameters
    ----------
    fit: of continuous indicators. A general factor is recognised where one latent variable acts on
        every indicator and the others on some: in bifactor models and, through their
        Schmid-Leiman form, in second-order ones.
    level: of the intervals.
    observed: the variance of a sum is the sample's, not the model's (as `semTools::compRelSEM`).

    Raises
    ------
    ParameterError: the model has no latent variable, or its indicators are ordinal.
    """
    if not fit.table.latent:
        raise ParameterError("the model has no latent variable, so it has no reliability")
    if any(row.op == "|" for row in fit.table):
        raise ParameterError(
            "reliability of ordinal indicators' sums is not supported; the model's own omega would "
            "be that of the responses behind them, which nobody observes"
        )
    keys, est = _values(fit, fit.estimated.theta, observed)
    slopes = _slopes(fit, observed)
    se = np.sqrt(np.maximum(np.einsum("ij,jk,ik->i", slopes, fit.vcov_matrix, slopes), 0.0))
    low, high = _interval(est, se, level)
    frame = pd.DataFrame(
        {
            "index": [index for (index, _), _ in keys],
            "latent": [latent for (_, latent), _ in keys],
            "group": [group for _, group in keys],
            "est": est,
            "se": se,
            "low": low,
            "high": high,
        }
    )
    n = fit.estimated.problem.sample.n
    return ModelReliability(frame, level, n, gravest_first(_checks(fit)))


def _values(fit: Fit, theta: Array, observed: bool) -> tuple[list[tuple[Index, str]], Array]:
    sample = fit.estimated.problem.sample
    point = Point(fit.estimated.problem.structure, theta)
    keys: list[tuple[Index, str]] = []
    values: list[float] = []
    for here, group in zip(point.groups, sample.groups, strict=True):
        for key, value in indices(here, group.cov if observed else None).items():
            keys.append((key, group.label))
            values.append(float(value))
    return keys, np.array(values)


def _slopes(fit: Fit, observed: bool) -> Array:
    """Derivatives of every index by central differences, shape (indices, n_free)."""
    theta = fit.estimated.theta
    columns = []
    for place, value in enumerate(theta):
        step = 1e-5 * max(abs(value), 0.1)
        sides = []
        for sign in (1, -1):
            moved = theta.copy()
            moved[place] += sign * step
            sides.append(_values(fit, moved, observed)[1])
        columns.append((sides[0] - sides[1]) / (2 * step))
    return np.column_stack(columns)


def _interval(est: Array, se: Array, level: float) -> tuple[Array, Array]:
    """On the logit scale, so that limits stay between 0 and 1; as it is outside."""
    z = float(stats.norm.isf((1 - level) / 2))
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
    bad = [
        name
        for name, value in (
            *zip(point.structure.observed, np.diag(point.theta), strict=True),
            *zip(point.structure.latent, np.diag(point.psi), strict=True),
        )
        if value < 0
    ]
    if bad:
        yield Diagnostic(
            "reliability_of_improper_solution",
            "error",
            f"The solution has negative variances ({', '.join(bad)}), so that shares of variance "
            "mean nothing.",
            "Fit a model with a proper solution first.",
            tuple(bad),
        )
    general = general_factor(point)
    count = point.structure.n_true_latent
    if general is not None and np.any(np.abs(np.triu(point.psi[:count, :count], 1)) > 1e-12):
        yield Diagnostic(
            "sources_correlate",
            "warning",
            "Group factors or the general factor correlate in this model, so that omega_h and ECV "
            "do not add up with the others to the common variance.",
            "Set orthogonal = true, or read omega_total only.",
        )


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return value if np.isfinite(value) else None
    return value
