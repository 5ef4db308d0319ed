"""What answers tell without the population's word, and what more of them could."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import integrate, optimize, special, stats

from gfactor.errors import ParameterError
from gfactor.psychometrics.irt import Cat
from gfactor.psychometrics.irt.adaptive import AbilityPosterior
from gfactor.psychometrics.irt.adaptive.precision import (
    PrecisionForecast,
    ability_information,
    curve_information,
    weighted_likelihood,
)

NODES = np.linspace(-12, 12, 961)
LEVELS = np.array([-1.0, -0.3, 0.2, 0.9, 1.5])
CURVES = special.expit(NODES - LEVELS[:, None])


def after(right: list[int], variance: float = 0.0) -> AbilityPosterior:
    """Five answers, of two testlets where effects vary."""
    known = AbilityPosterior(NODES, testlet_variance=variance)
    for k, score in enumerate(right):
        known = known.updated(np.log(CURVES[k] if score else 1 - CURVES[k]), "ab"[k % 2])
    return known


def told(answers: int = 5) -> dict[str, np.ndarray]:
    rows = curve_information(CURVES[:answers], NODES)
    return {name: rows[k::2].sum(axis=0) for k, name in enumerate("ab")}


@pytest.mark.thorough
def test_without_testlets_the_estimate_is_warms() -> None:
    cat = Cat(pd.DataFrame({"a": 1.0, "b": LEVELS}, index=list("pqrst")), estimator="wle")
    for right in ([1, 1, 0, 1, 0], [1, 1, 1, 1, 1], [0, 0, 0, 0, 0]):
        cat = Cat(pd.DataFrame({"a": 1.0, "b": LEVELS}, index=list("pqrst")), estimator="wle")
        for item, score in zip("pqrst", right, strict=True):
            cat.answer(item, score)
        assert weighted_likelihood(after(right), told()).theta == pytest.approx(cat.theta, abs=1e-3)


def test_the_interval_is_what_the_weighted_likelihood_does_not_rule_out() -> None:
    right, level = [1, 1, 0, 1, 1], 0.9

    def height(theta: float) -> float:
        p = special.expit(theta - LEVELS)
        return float(np.log(np.where(right, p, 1 - p)).sum() + 0.5 * np.log((p * (1 - p)).sum()))

    found = weighted_likelihood(after(right), told(), level)
    floor = height(found.theta) - stats.chi2.ppf(level, 1) / 2
    low = optimize.brentq(lambda x: height(x) - floor, -8, found.theta)
    high = optimize.brentq(lambda x: height(x) - floor, found.theta, 10)
    assert (found.low, found.high) == pytest.approx((low, high), abs=2e-3)
    assert weighted_likelihood(after(right), told(), 0.95).high > found.high


@pytest.mark.thorough
def test_effects_on_testlets_are_integrated_out_and_widen_the_interval() -> None:
    right = [1, 0, 1, 1, 1]

    def likelihood(theta: float) -> float:
        total = 1.0
        for start in (0, 1):

            def one(u: float, start: int = start) -> float:
                p = special.expit(theta + u - LEVELS[start::2])
                chance = np.prod(np.where(right[start::2], p, 1 - p))
                return float(chance * stats.norm.pdf(u, scale=1.5**0.5))

            total *= integrate.quad(one, -8, 8)[0]
        return total

    information = ability_information(np.array(list(told().values())), 1.5)
    best: Any = optimize.minimize_scalar(
        lambda x: -np.log(likelihood(x)) - 0.5 * np.log(np.interp(x, NODES, information)),
        bounds=(-2, 6), method="bounded",
    )  # fmt: skip
    wide = weighted_likelihood(after(right, 1.5), told())
    assert wide.theta == pytest.approx(best.x, abs=5e-3)
    narrow = weighted_likelihood(after(right), told())
    assert wide.low < narrow.low
    assert wide.high > narrow.high


@pytest.mark.thorough
def test_intervals_cover_extreme_abilities_as_often_as_they_say() -> None:
    truth, rng, covers, drawn_in = 2.8, np.random.default_rng(5), 0, 0
    levels = np.linspace(-2, 3, 30)
    curves = special.expit(NODES - levels[:, None])
    of_all = {"": curve_information(curves, NODES).sum(axis=0)}
    for _ in range(400):
        right = rng.random(30) < special.expit(truth - levels)
        log = np.log(np.where(right[:, None], curves, 1 - curves)).sum(axis=0)
        known = AbilityPosterior(NODES).updated(log)
        alone = weighted_likelihood(known, of_all)
        covers += alone.low <= truth <= alone.high
        low, high = known.interval()
        drawn_in += low <= truth <= high
    assert 0.93 <= covers / 400 <= 0.98
    assert drawn_in / 400 < 0.85


def test_without_answers_nothing_is_known_and_levels_are_checked() -> None:
    assert np.isnan(weighted_likelihood(AbilityPosterior(NODES), {})).all()
    with pytest.raises(ParameterError, match="level"):
        weighted_likelihood(after([1]), told(1), 1.0)


def test_a_forecast_holds_what_testlets_can_say_at_most() -> None:
    ahead = PrecisionForecast(curve_information(CURVES, NODES), list("ababa"), np.ones(5, bool))
    before = AbilityPosterior(NODES, variance=2.0, testlet_variance=1.5)
    nothing = [0] * 5
    assert ahead.error(before, nothing, 0) == pytest.approx(2**0.5, abs=1e-6)
    floor = (1 / 2 + 2 / 1.5) ** -0.5
    assert ahead.error(before, nothing, np.inf) == pytest.approx(floor, rel=1e-3)
    # Eight answers at the best level of each of two testlets.
    best = ability_information(np.array([[1.0], [1.0]]), 1.5)[0]
    assert ahead.error(before, nothing, 8) == pytest.approx((1 / 2 + best) ** -0.5, rel=0.01)
    closed = PrecisionForecast(
        ahead.information, ahead.testlets, np.array([True, False, True, False, True])
    )
    assert closed.error(before, nothing, 8) > ahead.error(before, nothing, 8)


@pytest.mark.thorough
def test_no_choice_of_questions_beats_the_forecast() -> None:
    rng = np.random.default_rng(3)
    ahead = PrecisionForecast(curve_information(CURVES, NODES), list("ababa"), np.ones(5, bool))
    for _ in range(5):
        known, asked = AbilityPosterior(NODES, testlet_variance=0.7), [0] * 5
        theta = rng.normal()
        for k in rng.integers(0, 5, 12):
            p = CURVES[k] if rng.random() < special.expit(theta - LEVELS[k]) else 1 - CURVES[k]
            known = known.updated(np.log(p), "ab"[k % 2])
            asked[k] += 1
        bound = ahead.error(known, asked, 10)
        errors = []
        for score in rng.random((30, 10)) < special.expit(known.theta - LEVELS[2]):
            later = known
            for number, right in enumerate(score):
                k = 2 - number % 2
                later = later.updated(np.log(CURVES[k] if right else 1 - CURVES[k]), "ab"[k % 2])
            errors.append(later.se)
        assert bound < np.mean(errors) * 1.02
