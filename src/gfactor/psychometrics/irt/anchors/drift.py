"""Drift: items whose difficulty for models that were added is not the calibrated one.

The test of an item counts the right answers of the added models. Under no drift, that number is a
sum of independent answers with known probabilities, given one shift of the item's logit that all of
them share. The shift has mean 0; its variance is the item's own uncertainty, and what the models of
one family have in common on single items beyond their ability. The p-value is exact given this
mixture; it is adjusted over all items by Benjamini and Hochberg, so that at most 5 % of the items
that are called drifted are not, and an update without any drift flags an item in at most 5 % of
cases.

References
----------
Glas, C. A. W. (2000). Item calibration and parameter drift. In W. J. van der Linden, C. A. W. Glas
    (eds.), Computerized adaptive testing: theory and practice, 183-199. Kluwer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats

from gfactor.psychometrics.float_arrays import einsum
from gfactor.psychometrics.irt.anchors.estimation import ItemCurves
from gfactor.psychometrics.irt.likelihood.curves import Floats

EASIER, HARDER = "easier", "harder"
"""States of items that drifted: leaked or solved; or changed."""
RATE = 0.05
FEWEST_ANSWERS = 5
FEWEST_FAMILIES = 3
"""With fewer families, an effect of all new models cannot be distinguished from one family's."""
_NODES = 15
_PLAIN = 2.0
"""Items with a smaller standardized difference keep the p-value of the normal distribution."""
_SHIFT_SD = 3.0
_STEPS = 12
_LEAST = 1e-9


class AddedEffects(NamedTuple):
    """The data of added models on one benchmark.

    `answers` (N, J) are 1, 0 or NaN. `logits` (N, J) are the logits of right answers without
    testlets, and `spreads` (N, J) their variances due to the models' effects. `points` (N, K + 1)
    are abilities and 1: the factors of the uncertainty of slopes and intercept.
    """

    answers: Floats
    logits: Floats
    spreads: Floats
    points: Floats


class ItemDrift(NamedTuple):
    """Drift of each item (J,): `right` answers and the number `expected`, of `asked` models; the
    `shift` in logits with its standard error `se`, and the p-value. NaN for too few answers."""

    asked: Floats
    right: Floats
    expected: Floats
    shift: Floats
    se: Floats
    p: Floats


def item_drift(
    curves: ItemCurves, added: AddedEffects, families: Sequence[str], usable: NDArray[np.bool_]
) -> ItemDrift:
    """Test every item of one benchmark for drift.

    Parameters
    ----------
    curves : ItemCurves
        The calibrated items.
    added : AddedEffects
    families : sequence of str
        Family of every added model.
    usable : array (J,) of bool
        Items from which the differences of families on single items are estimated.
    """
    there = np.isfinite(added.answers)
    x = np.where(there, added.answers, 0.0)
    chance, slope = _chances(curves, added)
    chance, slope = np.where(there, chance, 0.0), np.where(there, slope, 0.0)
    members = (np.array(list(families))[None, :] == np.unique(list(families))[:, None]) * 1.0
    uncertainty = _own_variance(curves, slope, added.points)
    common = family_variance(curves, x - chance, slope, added.points, members, usable)
    total = np.maximum(slope.sum(0), _LEAST)
    variance = uncertainty / total**2 + common * ((members @ slope) ** 2).sum(0) / total**2
    answered, right, expected = there.sum(0).astype(float), x.sum(0), chance.sum(0)
    noise = (chance * (1 - chance)).sum(0)
    z = (right - expected) / np.sqrt(np.maximum(noise + variance * total**2, _LEAST))
    p = 2 * stats.norm.sf(np.abs(z))
    for k in np.flatnonzero((np.abs(z) >= _PLAIN) & (answered > 0)):
        rows = there[:, k]
        p[k] = _exact_p(
            special.logit(np.clip(chance[rows, k], 1e-12, 1 - 1e-12)),
            float(np.sqrt(variance[k])), int(right[k]),
        )  # fmt: skip
    shift, precision = _shifts(curves, added, x, there)
    se = np.sqrt(1 / precision + variance)
    few = answered < FEWEST_ANSWERS
    return ItemDrift(
        answered, right, expected, np.where(few, np.nan, shift), np.where(few, np.nan, se),
        np.where(few, np.nan, p),
    )  # fmt: skip


def family_variance(
    curves: ItemCurves, residuals: Floats, slopes: Floats, points: Floats, members: Floats,
    usable: NDArray[np.bool_],
) -> float:  # fmt: skip
    """Return the variance of effects that the models of a family share on single items, in squared
    logits.

    Products of the residuals of two models of one family estimate it over the product of the
    slopes of their curves, beyond the item's own uncertainty.

    Parameters
    ----------
    curves : ItemCurves
    residuals, slopes : array (N, J)
        Answer less its probability, and the probability's slope in the logit; 0 if not asked.
    points : array (N, K + 1)
        Abilities and 1.
    members : array (F, N)
        1 for the models of each family, otherwise 0.
    usable : array (J,) of bool
    """
    several = members[members.sum(1) > 1]
    products = (several @ residuals) ** 2 - several @ residuals**2
    norms = (several @ slopes) ** 2 - several @ slopes**2
    uncertain = np.zeros(norms.shape)
    for f, family in enumerate(several):
        slopes_here = slopes * family[:, None]
        uncertain[f] = _own_variance(curves, slopes_here, points)
        for row in np.flatnonzero(family):
            uncertain[f] -= _own_variance(curves, slopes_here[[row]], points[[row]])
    norm = float(norms[:, usable].sum())
    if norm <= _LEAST:
        return 0.0
    return max(float((products - uncertain)[:, usable].sum()) / norm, 0.0)


def _own_variance(curves: ItemCurves, slopes: Floats, points: Floats) -> Floats:
    """Variance of the number of right answers that the item's own uncertainty gives (J,)."""
    reach = slopes.T @ points
    return einsum("jk,jkl,jl->j", reach, curves.covariance, reach, optimize=True)


def _chances(
    curves: ItemCurves, added: AddedEffects, shift: Floats | float = 0.0
) -> tuple[Floats, Floats]:
    """Probability of a right answer and its slope in the logit, averaged over the model's
    effects (N, J)."""
    shrink = 1 / np.sqrt(1 + np.pi * added.spreads / 8)
    curve = special.expit((added.logits + shift) * shrink)
    free = 1 - curves.lower
    return curves.lower + free * curve, free * curve * (1 - curve) * shrink


def _exact_p(logits: Floats, sd: float, right: int) -> float:
    """Two-sided p-value of the number of right answers, over a normal shift of all logits."""
    nodes, weights = special.roots_hermitenorm(_NODES)
    p = special.expit(logits[:, None] + sd * nodes)
    counts = np.zeros((len(logits) + 1, _NODES))
    counts[0] = 1.0
    for row in p:
        counts[1:] = counts[1:] * (1 - row) + counts[:-1] * row
        counts[0] *= 1 - row
    mass = counts @ (weights / weights.sum())
    return float(min(1.0, 2 * min(mass[: right + 1].sum(), mass[right:].sum())))


def _shifts(
    curves: ItemCurves, added: AddedEffects, x: Floats, there: NDArray[np.bool_]
) -> tuple[Floats, Floats]:
    """Shift of each item's logit that fits the answers best, and its precision."""
    shift = np.zeros(x.shape[1])
    precision = np.full(x.shape[1], 1 / _SHIFT_SD**2)
    for _ in range(_STEPS):
        p, slope = _chances(curves, added, shift)
        noise = p * (1 - p) + _LEAST
        score = np.where(there, (x - p) / noise * slope, 0.0).sum(0)
        precision = np.where(there, slope**2 / noise, 0.0).sum(0) + 1 / _SHIFT_SD**2
        shift[:] += np.clip((score - shift / _SHIFT_SD**2) / precision, -1.0, 1.0)
    return shift, precision
