"""Expectations of answers that a model did not give, from its ability and the items' difficulty."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import special

from gfactor.psychometrics.float_arrays import solve

Floats = NDArray[np.float64]

_ROUNDS = 50
_MOST = 500
"""Largest number of steps that alternate between abilities and difficulties; some dozens
suffice."""
_SLOPE_SD, _LEVEL_SD = 0.5, 1.0
"""Standard deviations of the priors of slope (mean 1) and level (mean 0) for items left out."""


def completed(form: Floats) -> Floats:
    """Return a form in which every missing answer is replaced by its expectation.

    Parameters
    ----------
    form : array (models, items)
        Answers, 0 to 1; NaN is not answered.

    Returns
    -------
    array (models, items)
        The same answers, with the probability of a right answer instead of NaN. It is estimated
        from the ability of the model on the items that it answered, and from the answers of the
        other models. Shares of right answers then refer to the same items, even if a model left out
        hard ones. A form without NaN is returned unchanged.

    Examples
    --------
    >>> form = np.array([[1, 1, 1, 0], [1, 1, 0, 0], [1, 0, 0, 0], [1, 1, np.nan, np.nan]])
    >>> bool(completed(form)[3].mean() < 0.8)
    True
    """
    answered = ~np.isnan(form)
    if answered.all():
        return form
    easiness = _easiness(form, answered)
    filled = form.copy()
    for row, missing in enumerate(~answered):
        if missing.any():
            filled[row, missing] = _expected(form, answered, easiness, row)
    return filled


def _easiness(form: Floats, answered: NDArray[np.bool_]) -> Floats:
    """Return the easiness of items by a Rasch model of models and items."""
    right, by_item = np.nansum(form, axis=1), np.nansum(form, axis=0)
    wanted, n = _inside(right, answered.sum(axis=1)), answered.sum(axis=0)
    # Newton steps from a distant start may oscillate without end.
    easiness = np.log((by_item + 0.5) / (n - by_item + 0.5))
    ability = abilities(easiness, answered, right)
    for _ in range(_MOST):
        before = ability.copy()
        ability[:] += _newton(ability, easiness, answered, wanted)
        easiness[:] += _newton(easiness, ability, answered.T, by_item, prior=True)
        # Abilities and easiness share one origin, at which the pseudo-answers added to the items
        # balance.
        added = special.expit(easiness)
        shift = float((added - 0.5).sum() / (added * (1 - added)).sum())
        easiness[:] -= shift
        ability[:] += shift
        if np.abs(ability - before).max() < 1e-9:
            break
    return easiness


def _expected(form: Floats, answered: NDArray[np.bool_], easiness: Floats, row: int) -> Floats:
    """Return the probabilities of right answers to the items that a model left out.

    The relation between accuracy on these items and ability on the others is estimated from the
    other models, because ability matters less on hard items of real benchmarks than in a Rasch
    model.
    """
    missing = ~answered[row]
    basis = answered & ~missing
    theta = abilities(easiness, basis, np.where(basis, form, 0.0).sum(axis=1))
    given = answered[:, missing]
    origin = theta.mean()
    at, items = (theta - origin)[:, None], easiness[missing]
    right, level, slope = np.where(given, form[:, missing], 0.0), origin, 1.0
    for _ in range(_ROUNDS):
        p = special.expit(items + level + slope * at)
        rest, weight = np.where(given, right - p, 0.0), np.where(given, p * (1 - p), 0.0)
        gradient = np.array([rest.sum(), (rest * at).sum() - (slope - 1) / _SLOPE_SD**2])
        gradient[0] -= (level - origin) / _LEVEL_SD**2
        mixed = (weight * at).sum()
        hessian = np.array([[weight.sum() + 1 / _LEVEL_SD**2, mixed],
                            [mixed, (weight * at**2).sum() + 1 / _SLOPE_SD**2]])  # fmt: skip
        step = np.clip(solve(hessian, gradient), -1, 1)
        level, slope = level + step[0], slope + step[1]
        if np.abs(step).max() < 1e-10:
            break
    return special.expit(items + level + slope * at[row])


def abilities(easiness: Floats, answered: NDArray[np.bool_], total: Floats) -> Floats:
    """Return the abilities at which the expected number of right answers equals the observed one,
    by Newton's method.

    For models with all or no answers right, the number is changed by a quarter of an answer.
    """
    count = answered.sum(axis=1)
    wanted = _inside(total, count)
    ability = np.log(wanted / np.maximum(count - wanted, 0.25))
    for _ in range(_ROUNDS):
        step = _newton(ability, easiness, answered, wanted)
        ability = ability + step
        if np.abs(step).max() < 1e-10:
            break
    return ability


def _inside(total: Floats, count: NDArray[np.integer]) -> Floats:
    return np.clip(total, 0.25, np.maximum(count - 0.25, 0.25))


def _newton(
    ability: Floats,
    easiness: Floats,
    answered: NDArray[np.bool_],
    wanted: Floats,
    prior: bool = False,
) -> Floats:
    """Return the step to abilities at which the expected number right is the wanted one. With a
    prior, half a right and half a wrong answer are added to each, because few answers have little
    information.
    """
    p = special.expit(ability[:, None] + easiness) * answered
    missing, slope = wanted - p.sum(axis=1), (p * (1 - p)).sum(axis=1)
    if prior:
        added = special.expit(ability)
        missing, slope = missing + 0.5 - added, slope + added * (1 - added)
    return np.clip(missing / np.maximum(slope, 1e-9), -2, 2)
