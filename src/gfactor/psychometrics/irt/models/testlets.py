"""Testlet variance: how much persons differ, beyond their ability, in what one testlet asks.

A testlet is a group of items that share something: here a family of generated items. Under the
Rasch testlet model (Wang and Wilson 2005) person p answers item i of testlet t with

    logit P = theta_p + u_pt - b_i,   theta ~ N(0, s),   u ~ N(0, v).

The difficulties come from `itemfamilies.fit_families`, which knows no testlets: there the effects
count as noise, so that its logits are too small. The answers' marginal likelihood is maximized
twice, over a common slope and s with v = 0, and over slope, s and v: the ratio of the slopes is the
factor by which all difficulties are stretched. Effects are integrated out one testlet at a time,
which their independence allows.

References
----------
Bradlow, E. T., Wainer, H., Wang, X. (1999). A Bayesian random effects model for testlets.
    Psychometrika 64, 153-168.
Wang, W.-C., Wilson, M. (2005). The Rasch testlet model. Applied Psychological Measurement 29,
    126-149.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import optimize, special, stats

from gfactor.errors import ParameterError
from gfactor.psychometrics.float_arrays import eigvalsh, inv, log_sums, solve
from gfactor.psychometrics.irt.adaptive.posterior import (
    effect_weights,
    integrated,
    trapezoid_weights,
)
from gfactor.psychometrics.irt.likelihood.curves import Floats
from gfactor.psychometrics.irt.models.itemfamilies import FamilyFit

_NODES = np.linspace(-7, 7, 71)
"""Nodes, in standard deviations of ability + effect."""
_ERRORS: tuple[Floats, Floats] = np.polynomial.hermite_e.hermegauss(7)
"""Nodes and weights of the error of an item's difficulty, in standard errors."""
_LEAST = 1e-4
"""Testlet variance, relative to that of ability, that counts as 0."""

_ROUNDING = 1e-6
"""A testlet variance counts as none if it raises twice the log-likelihood by less than this."""
_NEXT_TO = 0.01
"""Distance from the minimum, in the log of a scale, at which a search stops."""
_FARTHEST = 10.0
"""Largest log of a scale in a search."""
_WIDEST = 1.0
"""Largest standard error of the log of a scale: one that says more than an order of magnitude."""


@dataclass(frozen=True)
class FittedTestlets:
    """Variances of ability and of testlet effects.

    Parameters
    ----------
    variance : float
        Variance of testlet effects, in squared logits; 0 if the answers show none.
    ability_variance : float
        Variance of ability.
    stretch : float
        Factor of the difficulties that were given.
    covariance : array (3, 3)
        Covariance of stretch, ability variance and testlet variance.
    statistic, p : float
        Twice the gain in log-likelihood over no testlet variance, and its p-value; the null
        hypothesis lies on the boundary of the parameter space, so that half of the distribution of
        the statistic is at 0.
    testlets : int
        Number of testlets.
    """

    variance: float
    ability_variance: float
    stretch: float
    covariance: Floats
    statistic: float
    p: float
    testlets: int

    @property
    def se(self) -> float:
        """Standard error of the testlet variance."""
        return float(np.sqrt(self.covariance[2, 2]))


def fit_testlets(
    data: pd.DataFrame, families: FamilyFit, testlets: Sequence[str],
    guess: Mapping[str, float] | float | None = None,
) -> FittedTestlets:  # fmt: skip
    """Estimate the testlet variance given the difficulties of items.

    Parameters
    ----------
    data : DataFrame (P, J)
        Scores 0 and 1, missing where an item was not asked.
    families : FamilyFit
        Difficulties of the columns, with errors.
    testlets : sequence of str (J,)
        The testlet of every item.
    guess : float, mapping of item to float, or None
        Fixed lower asymptotes.

    Returns
    -------
    FittedTestlets
        Item parameters, and the variance of each testlet's effect.

    Raises
    ------
    ParameterError
        If there are fewer than two testlets, nobody answered two items of one, or the answers do
        not determine the variances: few respondents, or nearly all answers right or wrong.

    Examples
    --------
    >>> from gfactor.psychometrics.irt.models.itemfamilies import fit_families
    >>> rng = np.random.default_rng(1)
    >>> cells = np.repeat(["a", "b", "c", "d"], 6)
    >>> effects = rng.normal(size=(200, 4)).repeat(6, axis=1)
    >>> z = rng.normal(0, 1.5, (200, 1)) + effects - rng.normal(size=24)
    >>> data = pd.DataFrame((rng.uniform(size=z.shape) < special.expit(z)).astype(int))
    >>> fitted = fit_testlets(data, fit_families(data, list(cells)), list(cells))
    >>> bool(0.5 < fitted.variance < 1.6), fitted.p < 0.001
    (True, True)
    """
    answers = _Answers.of(data, families, testlets, guess)
    first = float(np.sqrt(families.variance))

    def objective(x: Floats) -> float:
        slope, ability = np.exp(np.clip(x[:2], -_FARTHEST, _FARTHEST))
        return -answers.loglik(float(slope), float(ability), float(x[2] ** 2))

    alone = optimize.minimize(
        lambda x: objective(np.array([x[0], x[1], 0.0])), [0.0, np.log(first)], method="BFGS",
        options={"gtol": 1e-4},
    )  # fmt: skip
    start = np.array([alone.x[0] + 0.1, alone.x[1], 0.5 * first])
    solution = optimize.minimize(objective, start, method="BFGS", options={"gtol": 1e-4})
    alone = _polished(lambda x: objective(np.array([x[0], x[1], 0.0])), alone.x)
    best = _polished(objective, solution.x)
    statistic = max(0.0, 2 * float(objective(np.array([*alone, 0.0])) - objective(best)))
    x = np.array([best[0], best[1], abs(best[2])])
    if statistic < _ROUNDING or x[2] ** 2 < _LEAST * np.exp(2 * x[1]):
        return FittedTestlets(0.0, families.variance, 1.0, np.zeros((3, 3)), 0.0, 1.0,
                              answers.count)  # fmt: skip
    stretch = float(np.exp(x[0] - alone[0]))
    ability, effect = float(np.exp(2 * x[1])), float(x[2] ** 2)
    # Columns: log of stretch, log of ability's standard deviation, standard deviation of effects.
    inner = _inverse(_hessian(objective, x))
    slopes = np.array([
        [stretch, 0, 0],
        [2 * stretch**2 * ability, 2 * stretch**2 * ability, 0],
        [2 * stretch**2 * effect, 0, 2 * stretch**2 * x[2]],
    ])  # fmt: skip
    covariance = np.asarray(slopes @ inner @ slopes.T, np.float64)
    return FittedTestlets(
        stretch**2 * effect, stretch**2 * ability, stretch, covariance, statistic,
        0.5 * float(stats.chi2.sf(statistic, 1)), answers.count,
    )  # fmt: skip


@dataclass(frozen=True)
class _Answers:
    """Right and wrong answers by testlet, with difficulties and their errors."""

    right: tuple[Floats, ...]
    wrong: tuple[Floats, ...]
    b: tuple[Floats, ...]
    se: tuple[Floats, ...]
    low: tuple[Floats, ...]

    @property
    def count(self) -> int:
        return len(self.right)

    @classmethod
    def of(
        cls, data: pd.DataFrame, families: FamilyFit, testlets: Sequence[str],
        guess: Mapping[str, float] | float | None,
    ) -> _Answers:  # fmt: skip
        """Make the answers from the arguments of `fit_testlets`."""
        if len(testlets) != data.shape[1]:
            raise ParameterError(f"testlets: {len(testlets)} entries for {data.shape[1]} items")
        names = [str(c) for c in data.columns]
        scores = data.to_numpy(float)
        items = families.items.loc[names]
        low = np.array([
            float(guess.get(name, 0.0)) if isinstance(guess, Mapping) else float(guess or 0.0)
            for name in names
        ])  # fmt: skip
        groups = np.asarray([str(t) for t in testlets])
        columns = [np.flatnonzero(groups == name) for name in sorted(set(groups.tolist()))]
        if len(columns) < 2:
            raise ParameterError("a testlet variance needs two or more testlets")
        if max(float((~np.isnan(scores[:, c])).sum(axis=1).max()) for c in columns) < 2:
            raise ParameterError("nobody answered two items of one testlet")
        b, se = items["b"].to_numpy(float), np.nan_to_num(items["se"].to_numpy(float))
        return cls(
            tuple((scores[:, c] == 1).astype(float) for c in columns),
            tuple((scores[:, c] == 0).astype(float) for c in columns),
            tuple(b[c] for c in columns), tuple(se[c] for c in columns),
            tuple(low[c] for c in columns),
        )  # fmt: skip

    def loglik(self, slope: float, ability_sd: float, effect_variance: float) -> float:
        """Log-likelihood with all logits multiplied by a slope; variances in the unit of
        difficulties."""
        nodes = _NODES * float(np.hypot(ability_sd, np.sqrt(effect_variance)))
        effects = effect_weights(nodes, effect_variance)
        prior = -0.5 * (nodes / ability_sd) ** 2 + np.log(trapezoid_weights(nodes))
        prior -= log_sums(prior)
        joint = np.tile(prior, (len(self.right[0]), 1))
        z, weights = _ERRORS
        for right, wrong, b, se, low in zip(
            self.right, self.wrong, self.b, self.se, self.low, strict=True
        ):
            at = nodes[None, :, None] - b[:, None, None] - se[:, None, None] * z
            p = low[:, None] + (1 - low[:, None]) * (
                special.expit(slope * at) @ (weights / weights.sum())
            )
            p = np.clip(p, 1e-12, 1 - 1e-12)
            given = right @ np.log(p) + wrong @ np.log1p(-p)
            joint += integrated(given, effects) if effect_variance else given
        return float(log_sums(joint).sum())


def _inverse(hessian: Floats) -> Floats:
    """Covariance of logs of stretch and ability's deviation, and of the effects' deviation.

    Raises ParameterError if the likelihood has no peak, or one so wide that a standard error of
    stretch or ability says no more than their order of magnitude.
    """
    why = "the answers do not determine the variances of ability and of testlets"
    if not np.isfinite(hessian).all() or eigvalsh(hessian).min() <= 0:
        raise ParameterError(f"{why}; their likelihood has no peak")
    covariance = np.asarray(inv(hessian), np.float64)
    widest = float(np.sqrt(covariance.diagonal()[:2].max()))
    if widest > _WIDEST:
        factor = f"{np.exp(min(widest, 5)):.1f}{' or more' if widest > 5 else ''}"
        raise ParameterError(f"{why}; their scale is known to a factor of {factor} only")
    return covariance


def _polished(objective: Callable[[Floats], float], x: Floats) -> Floats:
    """Continue a finished search by Newton's method to the point at which the slope is zero.

    The search compares values, and near a minimum rounding leaves only half of their digits. Slopes
    keep more digits. A point without a minimum near it, as if there is no effect, is not changed.
    """
    x, step = x.copy(), 1e-3
    for _ in range(4):
        ends = [[objective(x + side * step * unit) for side in (1, -1)] for unit in np.eye(len(x))]
        slope = np.array([high - low for high, low in ends]) / (2 * step)
        hessian = _hessian(objective, x)
        if not np.isfinite(hessian).all() or eigvalsh(hessian).min() <= 0:
            return x
        move = solve(hessian, slope)
        if np.abs(move).max() > _NEXT_TO:
            return x
        x[:] -= move
    return x


def _hessian(objective: Callable[[Floats], float], x: Floats) -> Floats:
    """Second derivatives by central differences."""
    step = np.full(len(x), 1e-3)
    hessian = np.zeros((len(x), len(x)))
    for i in range(len(x)):
        for j in range(i + 1):
            ends = 0.0
            for a in (1, -1):
                for c in (1, -1):
                    moved = x.copy()
                    moved[i] += a * step[i]
                    moved[j] += c * step[j]
                    ends += a * c * objective(moved)
            hessian[i, j] = hessian[j, i] = ends / (4 * step[i] * step[j])
    return hessian
