"""Scores of persons beyond the recorded ones: plausible values, sums."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import special

from gfactor.psychometrics.irt import IRTFit, fit_irt
from gfactor.psychometrics.irt.likelihood.specification import Block
from gfactor.psychometrics.irt.scores.abilities import point_scores


@pytest.fixture(scope="module")
def fit() -> IRTFit:
    rng = np.random.default_rng(6)
    z = rng.normal(0, 1.2, (500, 1)) - np.linspace(-1, 1, 6)
    frame = pd.DataFrame((rng.uniform(size=z.shape) < special.expit(z)).astype(int))
    return fit_irt("rasch", frame)


def test_plausible_values_have_the_populations_spread_and_eaps_do_not(fit: Any) -> None:
    drawn = fit.plausible_values(40, seed=3)
    variance = float(fit.latent["estimate"][1])
    assert drawn.to_numpy().var() == pytest.approx(variance, rel=0.05)
    eap = fit.scores()
    assert eap["theta"].var() < 0.75 * variance
    assert np.abs(drawn.mean(axis=1) - eap["theta"]).max() < 5 * eap["se"].max() / np.sqrt(40)
    assert drawn.equals(fit.plausible_values(40, seed=3))
    assert fit.plausible_values().shape == (500, 5)
    assert fit.plausible_values().equals(fit.plausible_values(5, seed=0))
    assert not drawn.equals(fit.plausible_values(40, seed=4))


def test_a_sum_stands_for_the_mean_of_the_patterns_that_have_it(fit: Any) -> None:
    """Under the Rasch model the pattern says no more than its sum."""
    sums = fit.sum_scores()
    assert sums["probability"].sum() == pytest.approx(1)
    eap = fit.scores()["theta"].to_numpy()
    for total, theta in zip(fit.table.codes.sum(axis=1), eap, strict=True):
        assert sums["theta"][total] == pytest.approx(theta, abs=1e-9)
    assert (np.diff(sums["theta"]) > 0).all()


def test_sums_have_the_probability_of_their_patterns(fit: Any) -> None:
    nodes, b = fit.likelihood.nodes[:, 0], fit.items["b"].to_numpy()
    p = special.expit(nodes[:, None] - b)
    group = fit.likelihood.model.groups[0]
    weights = np.exp(fit.likelihood.latent(group, fit.optimum.at.values).log_weights[0])
    chance = sum(
        weights @ np.where(pattern, p, 1 - p).prod(axis=1)
        for pattern in itertools.product((False, True), repeat=6) if sum(pattern) == 2
    )  # fmt: skip
    assert fit.sum_scores()["probability"][2] == pytest.approx(chance, abs=1e-12)


LINE = np.linspace(-15, 15, 30001)


@pytest.mark.thorough
@pytest.mark.parametrize("method", ["ml", "map"])
def test_of_several_maxima_the_highest_is_the_score(method: Any) -> None:
    """Steep items that are often guessed: likelihoods with two peaks, compared to a fine grid."""
    a, b, g = np.array([3.0, 3, 3.5, 3, 2.5, 3]), np.array([-1, 0.9, 1, 1.1, 1.2, 1.3]), 0.2
    values = np.concatenate([np.stack([a, -a * b], 1), [[special.logit(g), np.inf]] * 6], axis=1)
    block = Block("4pl", 2, np.arange(6), np.arange(24).reshape(6, 4))
    codes = np.array(list(itertools.product((0, 1), repeat=6)), dtype=np.int16)
    mean, variance = 0.7, 1.8
    found = point_scores([block], values.ravel(), codes, method, mean, variance)
    p = g + (1 - g) * special.expit(a * (LINE[:, None] - b))
    wrong = np.log(1 - g) - np.logaddexp(0, a * (LINE[:, None] - b))
    height = np.log(p) @ codes.T + wrong @ (1 - codes).T
    if method == "map":
        height -= (LINE[:, None] - mean) ** 2 / (2 * variance)
    # A peak, not an end of the line: without a prior some patterns have none that is highest.
    best = height.argmax(axis=0)
    inside = np.abs(LINE[best]) < 5
    at = found.theta[inside]
    assert inside.sum() > 30
    peaks = (np.diff(np.sign(np.diff(height, axis=0)), axis=0) < 0).sum(axis=0)
    assert (peaks[inside] > 1).any()
    assert at == pytest.approx(LINE[best[inside]], abs=2e-3)
    slope = (1 - g) * special.expit(a * (at[:, None] - b))
    own = g + slope
    slope = a * slope * (1 - slope / (1 - g))
    information = (slope**2 / (own * (1 - own))).sum(axis=1) + (method == "map") / variance
    assert found.se[inside] == pytest.approx(1 / np.sqrt(information), rel=1e-6)


def test_warms_scores_solve_warms_equation() -> None:
    """For the Rasch model: sum of residuals + sum of p q (q - p) / 2 / information = 0."""
    b = np.linspace(-1, 1.5, 5)
    values = np.stack([np.ones(5), -b], axis=1)
    block = Block("2pl", 2, np.arange(5), np.arange(10).reshape(5, 2))
    codes = np.array([[0, 0, 0, 0, 0], [1, 0, 1, 0, 0], [1, 1, 1, 1, 1], [1, 0, -1, -1, 0]])
    found = point_scores([block], values.ravel(), codes.astype(np.int16), "wle")
    p = special.expit(found.theta[:, None] - b)
    seen = codes >= 0
    information = (seen * p * (1 - p)).sum(axis=1)
    weight = (seen * p * (1 - p) * (1 - 2 * p)).sum(axis=1) / (2 * information)
    assert (seen * (codes - p)).sum(axis=1) + weight == pytest.approx(np.zeros(4), abs=1e-9)
    assert found.se == pytest.approx(1 / np.sqrt(information))
    nobody = point_scores([block], values.ravel(), -np.ones((1, 5), np.int16), "wle")
    assert np.isnan([nobody.theta[0], nobody.se[0]]).all()
    prior = point_scores([block], values.ravel(), -np.ones((1, 5), np.int16), "map", 0.4, 2.0)
    assert (prior.theta[0], prior.se[0]) == pytest.approx((0.4, np.sqrt(2)))


def test_without_an_answer_apart_likelihoods_have_no_maximum() -> None:
    values = np.stack([np.ones(3), np.zeros(3)], axis=1)
    block = Block("2pl", 2, np.arange(3), np.arange(6).reshape(3, 2))
    codes = np.array([[0, 0, 0], [1, 1, 1], [1, 0, -1]], dtype=np.int16)
    found = point_scores([block], values.ravel(), codes, "ml")
    assert found.theta.tolist()[:2] == [-np.inf, np.inf]
    assert found.se.tolist()[:2] == [np.inf, np.inf]
    assert (found.theta[2], found.se[2]) == pytest.approx((0, np.sqrt(2)))


def test_a_guess_of_zero_is_the_model_without_guessing(fit: Any) -> None:
    data = pd.DataFrame(fit.table.codes, columns=[f"i{k}" for k in range(6)])
    plain, guessed = fit_irt("2pl", data), fit_irt("2pl", data, guess=0.0)
    assert guessed.loglik == pytest.approx(plain.loglik, rel=1e-9)
    assert guessed.items["b"].to_numpy() == pytest.approx(plain.items["b"].to_numpy(), abs=1e-6)


@pytest.mark.parametrize("model", ["2pl", "3pl"])
def test_a_known_guess_is_not_estimated(model: Any, fit: Any) -> None:
    data = pd.DataFrame(fit.table.codes, columns=[f"i{k}" for k in range(6)])
    found = fit_irt(model, data, guess=0.15)
    assert found.n_free == 12
    assert found.items["c"].to_numpy() == pytest.approx(np.full(6, 0.15))
