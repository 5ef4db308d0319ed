"""Item curves from few models and thousands of items, by hierarchical priors.

A benchmark has far more items than models that answered it. So a model's ability is nearly certain
(it answered thousands of items), and an item's curve is not (a hundred models answered it). Items
are therefore members of one population: their slopes and intercepts are normal, and the mean and
the standard deviation of both come from the data. Newton steps on the joint posterior alternate
between abilities and items; each item keeps its posterior covariance. The number of steps is fixed,
so that results do not depend on where a tolerance happens to be met.

References
----------
Mislevy, R. J. (1986). Bayes modal estimation in item response models. Psychometrika 51, 177-195.
MacKay, D. J. C. (1992). The evidence framework applied to classification networks. Neural
    Computation 4, 720-736 (the curve averaged over an uncertain logit).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from gfactor.psychometrics.float_arrays import cholesky, einsum, inv, solve
from gfactor.psychometrics.irt.likelihood.curves import Floats

_ROUNDS = 20
_REFITS = 6
_LONGEST_STEP = 1.0
_FLOOR = 1e-9
_SLOPE_SD = 0.5
_EXTRA_SLOPE_SD = 0.3
_INTERCEPT_SD = 2.0
_COMMON_SLOPE_SD = 1e-3
"""Standard deviation of the slopes of model "1pl", which are all the same."""


@dataclass(frozen=True)
class ItemCurves:
    """Curves of J items over D dimensions: P = c + (1 - c) / (1 + exp(-(a'theta + d))).

    Parameters
    ----------
    slopes : array (J, D)
        Slopes a, per standard deviation of the calibrated models.
    intercepts : array (J,)
        Intercepts d.
    covariance : array (J, D + 1, D + 1)
        Posterior covariance of each item's slopes and intercept.
    lower : array (J,)
        Lower asymptotes c.
    """

    slopes: Floats
    intercepts: Floats
    covariance: Floats
    lower: Floats

    def probabilities(self, abilities: Floats) -> Floats:
        """Return the probability of a right answer (J, Q) at abilities (Q, D), averaged over the
        uncertainty of each item."""
        points = np.column_stack([abilities, np.ones(len(abilities))])
        logits = self.slopes @ abilities.T + self.intercepts[:, None]
        spread = einsum("qk,jkl,ql->jq", points, self.covariance, points, optimize=True)
        c = self.lower[:, None]
        return c + (1 - c) * special.expit(logits / np.sqrt(1 + np.pi * spread / 8))

    def take(self, rows: NDArray[np.int64]) -> ItemCurves:
        """Return the curves of the given items."""
        return ItemCurves(
            self.slopes[rows], self.intercepts[rows], self.covariance[rows], self.lower[rows]
        )


@dataclass(frozen=True)
class JointFit:
    """Curves of one benchmark's items, and the abilities of the models that answered them.

    Parameters
    ----------
    curves : ItemCurves
    abilities : array (N, D)
        Mean 0 and standard deviation 1 over the models in every dimension.
    item_mean, item_covariance : array (D + 1,), (D + 1, D + 1)
        Mean and covariance of slopes and intercept over items: the prior of each item.
    log_likelihood : float
        Log-likelihood of the answers at the estimates.
    """

    curves: ItemCurves
    abilities: Floats
    item_mean: Floats
    item_covariance: Floats
    log_likelihood: float


def fit_items(
    answers: Floats,
    *,
    dimensions: int = 1,
    common_slope: bool = False,
    lower: Floats | float = 0.0,
    weights: Floats | None = None,
) -> JointFit:
    """Fit the items of one benchmark and the abilities of its models together.

    Parameters
    ----------
    answers : array (N, J)
        1 for right, 0 for wrong, NaN if a model did not answer.
    dimensions : int
        Number of dimensions, by default 1. The first is ability; further ones are what models
        have in common beyond it.
    common_slope : bool
        Give all items the same slope (one-parameter model).
    lower : float or array (J,)
        Lower asymptotes, by default 0.
    weights : array (N,), optional
        Number of independent models that each model counts for in the items, by default 1.

    Returns
    -------
    JointFit
        Item parameters, and the effects of the models.
    """
    n, j = answers.shape
    observed = np.isfinite(answers).astype(np.float64)
    x = np.where(observed > 0, answers, 0.0)
    c = np.broadcast_to(np.asarray(lower, dtype=np.float64), (j,))
    weight = np.ones(n) if weights is None else weights
    theta = _first_abilities(x, observed, dimensions)
    items = np.zeros((j, dimensions + 1))
    items[:, 0] = 0.6
    items[:, -1] = special.logit(np.clip(x.sum(0) / np.maximum(observed.sum(0), 1), 0.02, 0.98))
    mean = np.r_[0.6, np.zeros(dimensions)]
    first_sd = _COMMON_SLOPE_SD if common_slope else _SLOPE_SD
    sd = np.r_[first_sd, np.full(dimensions - 1, _EXTRA_SLOPE_SD), _INTERCEPT_SD]
    prior = np.diag(sd**2)
    covariance = np.zeros((j, dimensions + 1, dimensions + 1))
    precision = np.empty(0)
    for _ in range(_ROUNDS):
        z = np.column_stack([theta, np.ones(n)])
        for _ in range(2):
            items, precision = _item_step(x, observed, z, items, c, weight, mean, prior)
        covariance = _inverse(precision)
        mean, prior = _item_population(items, covariance, common_slope)
        theta = _updated_abilities(x, observed, items, theta, c)
        theta, items = _standardized(theta, items)
    order = np.sign(items[:, :dimensions].sum(0))
    order[order == 0] = 1.0
    flip = np.r_[order, 1.0]
    theta, items = theta * order, items * flip
    covariance = covariance * np.outer(flip, flip)
    probability = c + (1 - c) * special.expit(theta @ items[:, :-1].T + items[:, -1])
    fitted = special.xlogy(x, probability) + special.xlogy(1 - x, 1 - probability)
    return JointFit(
        ItemCurves(items[:, :-1], items[:, -1], covariance, np.array(c)), theta, mean * flip,
        prior * np.outer(flip, flip), float((observed * fitted).sum()),
    )  # fmt: skip


def items_given_abilities(
    answers: Floats, abilities: Floats, fit: JointFit, weights: Floats | None = None
) -> ItemCurves:
    """Fit the curves again on some of the models, whose abilities are taken as known.

    An ability rests on thousands of items and hardly changes when other models are left out, so the
    result is close to a new calibration, on the same scale.

    Parameters
    ----------
    answers : array (N, J)
    abilities : array (N, D)
    fit : JointFit
        The fit of all models: prior of items, lower asymptotes, and start.
    weights : array (N,), optional
        As in `fit_items`.
    """
    observed = np.isfinite(answers).astype(np.float64)
    x = np.where(observed > 0, answers, 0.0)
    weight = np.ones(len(x)) if weights is None else weights
    items = np.column_stack([fit.curves.slopes, fit.curves.intercepts])
    z = np.column_stack([abilities, np.ones(len(x))])
    precision = np.empty(0)
    for _ in range(_REFITS):
        items, precision = _item_step(
            x,
            observed,
            z,
            items,
            fit.curves.lower,
            weight,
            fit.item_mean,
            fit.item_covariance,
        )
    covariance = _inverse(precision)
    return ItemCurves(items[:, :-1], items[:, -1], covariance, fit.curves.lower)


def items_given_priors(
    answers: Floats, points: Floats, offsets: Floats, spreads: Floats, mean: Floats,
    covariance: Floats, lower: Floats,
) -> ItemCurves:  # fmt: skip
    """Fit curves to the answers of models whose effects are known, from a prior of each item.

    Parameters
    ----------
    answers : array (N, J)
        1, 0, or NaN if a model did not answer. An item without answers keeps its prior.
    points : array (N, D + 1)
        Abilities, and 1 for the intercept.
    offsets, spreads : array (N, J)
        Offset of each logit, and the variance of the logit due to the model's effects.
    mean, covariance : array (J, D + 1), (J, D + 1, D + 1)
        Prior of each item's slopes and intercept.
    lower : array (J,)
        Lower asymptotes.
    """
    observed = np.isfinite(answers).astype(np.float64)
    x = np.where(observed > 0, answers, 0.0)
    shrink = 1 / np.sqrt(1 + np.pi * spreads / 8)
    inverse, items, precision = _inverse(covariance), mean.copy(), np.empty(0)
    for _ in range(_REFITS):
        score, information = _logit_derivatives(
            x, observed, (points @ items.T + offsets) * shrink, lower
        )
        precision = _cross(information * shrink**2, points) + inverse
        pull = einsum("jkl,jl->jk", inverse, items - mean)
        items[:] += _bounded(_solved(precision, (score * shrink).T @ points - pull))
    return ItemCurves(items[:, :-1], items[:, -1], _inverse(precision), lower)


def item_population(curves: ItemCurves) -> tuple[Floats, Floats]:
    """Return mean and covariance of slopes and intercept over the items of a benchmark."""
    items = np.column_stack([curves.slopes, curves.intercepts])
    return _item_population(items, curves.covariance, common_slope=False)


def _inverse(matrices: Floats) -> Floats:
    inverse: Any = inv(matrices)
    return inverse


def _solved(precision: Floats, gradient: Floats) -> Floats:
    """Return the Newton step of each row."""
    step: Any = solve(precision, gradient[..., None])
    return step[..., 0]


def _item_step(
    x: Floats, observed: Floats, z: Floats, items: Floats, c: Floats, weight: Floats,
    mean: Floats, prior: Floats,
) -> tuple[Floats, Floats]:  # fmt: skip
    """One Newton step of all items, and their precision before it."""
    score, information = _logit_derivatives(x, observed, z @ items.T, c)
    inverse = _inverse(prior)
    precision = _cross(weight[:, None] * information, z) + inverse
    gradient = (weight[:, None] * score).T @ z - (items - mean) @ inverse
    step = _solved(precision, gradient)
    return items + _bounded(step), precision


def _first_abilities(x: Floats, observed: Floats, dimensions: int) -> Floats:
    """Standardized logits of accuracy; further dimensions are the residuals' first components."""
    share = np.clip(x.sum(1) / np.maximum(observed.sum(1), 1), 0.02, 0.98)
    first = special.logit(share)
    first = (first - first.mean()) / max(float(first.std()), _FLOOR)
    theta = np.zeros((len(x), dimensions))
    theta[:, 0] = first
    if dimensions > 1:
        easy = np.clip(x.sum(0) / np.maximum(observed.sum(0), 1), 0.01, 0.99)
        residual = observed * (x - easy) / np.sqrt(easy * (1 - easy))
        residual = residual - np.outer(first, first @ residual / (first @ first))
        _, vectors = np.linalg.eigh(residual @ residual.T)
        theta[:, 1:] = vectors[:, ::-1][:, : dimensions - 1] * np.sqrt(len(x))
    return theta


def _logit_derivatives(
    x: Floats, observed: Floats, logits: Floats, c: Floats
) -> tuple[Floats, Floats]:
    """Score and expected information of every answer in its logit."""
    curve = special.expit(logits)
    probability = c + (1 - c) * curve
    slope = (1 - c) * curve * (1 - curve)
    variance = probability * (1 - probability) + _FLOOR
    return observed * (x - probability) / variance * slope, observed * slope**2 / variance


def _cross(weights: Floats, z: Floats) -> Floats:
    """Sum over rows n of weights[n, j] z[n] z[n]' (J, M, M)."""
    m = z.shape[1]
    products = einsum("nk,nl->nkl", z, z).reshape(len(z), m * m)
    return (weights.T @ products).reshape(-1, m, m)


def _bounded(step: Floats) -> Floats:
    return np.clip(step, -_LONGEST_STEP, _LONGEST_STEP)


def _item_population(
    items: Floats, covariance: Floats, common_slope: bool
) -> tuple[Floats, Floats]:
    """Mean and covariance over items (one step of expectation maximization).

    Slopes and intercepts may be correlated, because easy items may have high slopes.
    """
    mean = items.mean(0)
    mean[1:-1] = 0.0
    centered = items - mean
    whole = centered.T @ centered / len(items) + covariance.mean(0)
    if common_slope:
        whole[0, :] = whole[:, 0] = 0.0
        whole[0, 0] = _COMMON_SLOPE_SD**2
    return mean, whole


def _updated_abilities(
    x: Floats, observed: Floats, items: Floats, theta: Floats, c: Floats
) -> Floats:
    slopes, theta = items[:, :-1], theta.copy()
    for _ in range(2):
        score, information = _logit_derivatives(x, observed, theta @ slopes.T + items[:, -1], c)
        precision = _cross(information.T, slopes) + np.eye(slopes.shape[1])
        gradient = score @ slopes - theta
        theta[:] += _bounded(_solved(precision, gradient))
    return theta


def _standardized(theta: Floats, items: Floats) -> tuple[Floats, Floats]:
    """Abilities with mean 0, standard deviation 1 and later dimensions free of earlier ones."""
    center = theta.mean(0)
    theta = theta - center
    lower = cholesky(theta.T @ theta / len(theta))
    slopes = items[:, :-1]
    shifted = items[:, -1] + slopes @ center
    scaled: Any = solve(lower, theta.T).T
    return scaled, np.column_stack([slopes @ lower, shifted])
