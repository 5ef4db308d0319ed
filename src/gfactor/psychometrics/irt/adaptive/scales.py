"""Stored items on their scale: estimates from the answers so far, and the expected gain of each
item."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, cast, get_args

import numpy as np
import pandas as pd
from scipy import special

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.float_arrays import eigvalsh, einsum, inv, solve
from gfactor.psychometrics.irt.adaptive.posterior import AbilityPosterior
from gfactor.psychometrics.irt.adaptive.selection import Criterion, gains
from gfactor.psychometrics.irt.likelihood.curves import (
    Floats,
    ability_derivatives,
    log_probabilities,
)
from gfactor.psychometrics.irt.likelihood.specification import Block
from gfactor.psychometrics.irt.scores.abilities import Method, point_scores

Estimator = Literal["eap", "map", "wle", "ml"]
ESTIMATORS: tuple[Estimator, ...] = get_args(Estimator)
_REACH = 6.0
_POINTS = 241
_PARAMETERS = 4
_SEVERAL_REACH = 5.0
_SEVERAL_POINTS = (121, 41, 21)
"""Nodes of each ability, by how many abilities there are."""


class OneAbility:
    """Items of one ability, and the answers of one examinee.

    Parameters
    ----------
    values : array (J, 4)
        Item parameters of kind "4pl" of `curves`.
    prior : (float, float)
        Mean and variance.
    nodes : array (Q,) or None
        Grid of the posterior.
    estimator : str
    """

    criteria: tuple[str, ...] = ("mfi", "kl", "mepv", "entropy", "d")

    def __init__(
        self, values: Floats, prior: tuple[float, float], nodes: Floats | None, estimator: Estimator
    ) -> None:
        mean, variance = (float(x) for x in prior)
        if not variance > 0:
            raise ParameterError(f"the variance of the prior must be positive, got {variance}")
        reach = _REACH * np.sqrt(variance)
        grid = np.linspace(mean - reach, mean + reach, _POINTS) if nodes is None else nodes
        self.values, self.estimator = values, estimator
        self.posterior = AbilityPosterior(np.asarray(grid, float), mean, variance)
        self._log_p = log_probabilities("4pl", values, self.posterior.nodes[:, None], 2)

    def answer(self, item: int, score: int) -> None:
        """Update the posterior with an answer."""
        self.posterior = self.posterior.updated(self._log_p[item, score])

    def estimate(self, items: Sequence[int], scores: Sequence[int]) -> tuple[float, float]:
        """Return ability and standard error; infinite if the likelihood has no maximum."""
        if self.estimator == "eap" or (not items and self.estimator == "map"):
            return self.posterior.theta, self.posterior.se
        if not items:
            return self.posterior.mean, np.inf
        index = np.arange(len(items) * _PARAMETERS).reshape(-1, _PARAMETERS)
        block = Block("4pl", 2, np.arange(len(items)), index)
        codes = np.array([scores], dtype=np.int16)
        theta, se = point_scores(
            [block], self.values[list(items)].ravel(), codes, cast("Method", self.estimator),
            self.posterior.mean, self.posterior.variance,
        )  # fmt: skip
        return float(theta[0]), float(se[0])

    def gains(self, criterion: Criterion, theta: float) -> Floats:
        """Return the expected gain of every item, (J,)."""
        if criterion in ("mfi", "d"):
            # With one ability the determinant of the information is the information.
            at = theta if np.isfinite(theta) else self.posterior.theta
            return self.information(np.array([at]))[:, 0]
        return gains(criterion, np.exp(self._log_p[:, 1]), self.posterior)

    def information(self, theta: Floats) -> Floats:
        """Return Fisher information of every item, (J, Q)."""
        return ability_derivatives("4pl", self.values, theta, 2).information

    def chance(self, item: int, theta: Floats) -> float:
        """Return probability of a right answer."""
        curve = log_probabilities("4pl", self.values[[item]], theta[:, None], 2)
        return float(np.exp(curve[0, 1, 0]))


def four_parameters(items: pd.DataFrame) -> tuple[Floats, int]:
    """Return slopes, intercept and logits of both asymptotes of a frame of items, shape (J, F + 3),
    and the number F of abilities.

    The frame has `a` and `b`, or `a1` to `aF` and `intercept`; `c` and `d` if asymptotes are not 0
    and 1.
    """
    if not len(items):
        raise ParameterError("the bank has no items")
    if items.index.has_duplicates:
        twice = items.index[items.index.duplicated()][0]
        raise ParameterError(f"item {twice!r} is in the bank twice")
    several = [name for name in items.columns if str(name)[:1] == "a" and str(name)[1:].isdigit()]
    needed = [*several, "intercept"] if several else ["a", "b"]
    missing = [name for name in needed if name not in items]
    if missing:
        raise ParameterError(
            f"items need the columns {', '.join(needed)}; {', '.join(missing)} is missing"
        )
    if "clone_sd" in items and (items["clone_sd"].to_numpy(float) > 0).any():
        raise ParameterError(
            "items with a clone_sd are design cells, not stored items; choose cells with "
            "adaptive.choose, which integrates over clones"
        )
    slopes = items[several or ["a"]].to_numpy(float)
    b = items["intercept" if several else "b"].to_numpy(float)
    step = b if several else -slopes[:, 0] * b
    low = items["c"].to_numpy(float) if "c" in items else np.zeros(len(items))
    high = items["d"].to_numpy(float) if "d" in items else np.ones(len(items))
    odd: list[tuple[Any, str]] = [
        (~np.isfinite(slopes).all(axis=1) | ~np.isfinite(step), "a parameter that is not a number"),
        (~((low >= 0) & (low < high) & (high <= 1)), "asymptotes that are not 0 <= c < d <= 1"),
        (
            (slopes < 0).any(axis=1) | ~(slopes > 0).any(axis=1),
            "a discrimination that is not positive; check its key, or leave it out",
        ),
    ]
    for wrong, what in odd:
        if wrong.any():
            raise ParameterError(f"item {items.index[wrong.argmax()]!r} has {what}")
    with np.errstate(divide="ignore"):
        return np.column_stack([slopes, step, special.logit(low), special.logit(high)]), max(
            1, len(several)
        )


def checked_estimator(estimator: str, allowed: Sequence[str] = ESTIMATORS) -> Estimator:
    """Return the estimator; raise an error that lists the known ones."""
    if estimator not in allowed:
        raise UnknownNameError("estimator", estimator, allowed)
    return cast("Estimator", estimator)


class SeveralAbilities:
    """Items of several abilities (compensatory), and the answers of one examinee.

    Parameters
    ----------
    values : array (J, F + 3)
        Item parameters of kind "4pl" of `curves`.
    prior : (array (F,), array (F, F)) or (float, float)
        Means and covariance; numbers stand for equal means and independent abilities.
    estimator : {"eap", "map"}
        Posterior means on a grid (at most three abilities), or the posterior mode.
    """

    criteria: tuple[str, ...] = ("d",)

    def __init__(
        self, values: Floats, prior: tuple[Any, Any], nodes: Floats | None, estimator: Estimator
    ) -> None:
        size = values.shape[1] - 3
        self.values, self.estimator = values, checked_estimator(estimator, ("eap", "map"))
        self.mean: Floats = np.broadcast_to(np.asarray(prior[0], float), (size,)).copy()
        spread = np.asarray(prior[1], float)
        self.covariance = spread * np.eye(size) if spread.ndim == 0 else spread
        if self.covariance.shape != (size, size) or eigvalsh(self.covariance)[0] <= 0:
            raise ParameterError(
                f"the prior of {size} abilities needs a positive definite covariance matrix"
            )
        self._precision = inv(self.covariance)
        self._items: list[int] = []
        self._grid: Floats | None = None
        if estimator == "eap":
            self._prepare(nodes)

    def _prepare(self, nodes: Floats | None) -> None:
        size = len(self.mean)
        if size > len(_SEVERAL_POINTS):
            raise ParameterError(
                f"posterior means of {size} abilities need too large a grid; use estimator='map'"
            )
        reach = _SEVERAL_REACH * np.sqrt(self.covariance.diagonal())
        unit = np.linspace(-1, 1, _SEVERAL_POINTS[size - 1])
        lines = [m + r * unit for m, r in zip(self.mean, reach, strict=True)]
        if nodes is not None:
            lines = [np.asarray(nodes, float)] * size
        self._grid = np.stack(np.meshgrid(*lines, indexing="ij"), axis=-1).reshape(-1, size)
        away = self._grid - self.mean
        self._log = -0.5 * einsum("qf,fg,qg->q", away, self._precision, away)

    def answer(self, item: int, score: int) -> None:
        """Update the posterior with an answer."""
        self._items.append(item)
        if self._grid is not None:
            curve = log_probabilities("4pl", self.values[[item]], self._grid, 2)
            self._log = self._log + curve[0, score]

    def estimate(self, items: Sequence[int], scores: Sequence[int]) -> tuple[Floats, Floats]:
        """Return abilities and standard errors, (F,) each."""
        if self._grid is not None:
            weights = np.exp(self._log - self._log.max())
            weights /= weights.sum()
            theta = weights @ self._grid
            return theta, np.sqrt(weights @ (self._grid - theta) ** 2)
        theta = self._mode(list(items), np.asarray(scores, float))
        return theta, np.sqrt(inv(self._total(theta)).diagonal())

    def _mode(self, items: list[int], scores: Floats) -> Floats:
        """The posterior mode by Fisher scoring, steps halved until the posterior grows."""
        values, size = self.values[items], len(self.mean)

        def height(at: Floats) -> float:
            logs = log_probabilities("4pl", values, at[None], 2)[:, :, 0]
            away = at - self.mean
            fit = np.where(scores > 0, logs[:, 1], logs[:, 0]).sum()
            return float(fit - 0.5 * away @ self._precision @ away)

        theta, level = self.mean.copy(), height(self.mean)
        for _ in range(100):
            p, slope = _chance_and_slope(values, theta)
            pull = ((scores - p) * slope / np.maximum(p * (1 - p), 1e-300)) @ values[:, :size]
            pull = pull - self._precision @ (theta - self.mean)
            step: Floats = solve(self._total(theta, items), pull).astype(np.float64)
            now = height(theta + step)
            while now < level and np.abs(step).max() > 1e-10:
                step[:] = step / 2
                now = height(theta + step)
            theta[:] += step
            level = now
            if np.abs(step).max() < 1e-10:
                break
        return theta

    def _total(self, theta: Floats, items: list[int] | None = None) -> Floats:
        """Information of the answered items at an ability, and the prior's."""
        values = self.values[self._items if items is None else items]
        slopes = values[:, : len(self.mean)]
        return self._precision + slopes.T @ (slopes * _weights(values, theta)[:, None])

    def gains(self, criterion: Criterion, theta: Floats) -> Floats:
        """Return the increase of the log determinant of the information at the estimate by each
        item, (J,)."""
        inverse = inv(self._total(theta))
        slopes = self.values[:, : len(self.mean)]
        within = einsum("jf,fg,jg->j", slopes, inverse, slopes)
        return np.log1p(_weights(self.values, theta) * within)

    def chance(self, item: int, theta: Floats) -> float:
        """Return probability of a right answer."""
        return float(_chance_and_slope(self.values[[item]], np.asarray(theta))[0][0])


def _chance_and_slope(values: Floats, theta: Floats) -> tuple[Floats, Floats]:
    """Probability of a right answer, and its derivative in the log odds, (J,) each."""
    size = values.shape[1] - 3
    z = values[:, :size] @ theta + values[:, size]
    low, high = special.expit(values[:, -2]), special.expit(values[:, -1])
    right = special.expit(z)
    return low + (high - low) * right, (high - low) * right * special.expit(-z)


def _weights(values: Floats, theta: Floats) -> Floats:
    p, slope = _chance_and_slope(values, theta)
    return slope**2 / np.maximum(p * (1 - p), 1e-300)
