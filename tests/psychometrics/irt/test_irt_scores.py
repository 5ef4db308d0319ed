"""Scores of persons beyond the recorded ones: plausible values, sums."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import special

from gfactor.psychometrics.irt import IRTFit, fit_irt


@pytest.fixture(scope="module")
def fit() -> IRTFit:
    rng = np.random.default_rng(6)
    z = rng.normal(0, 1.2, (500, 1)) - np.linspace(-1, 1, 6)
    frame = pd.DataFrame((rng.uniform(size=z.shape) < special.expit(z)).astype(int))
    return fit_irt(frame, "rasch")


def test_plausible_values_have_the_populations_spread_and_eaps_do_not(fit: Any) -> None:
    drawn = fit.plausible_values(40, seed=3)
    variance = float(fit.latent["estimate"][1])
    assert drawn.to_numpy().var() == pytest.approx(variance, rel=0.05)
    eap = fit.scores()
    assert eap["theta"].var() < 0.75 * variance
    assert np.abs(drawn.mean(axis=1) - eap["theta"]).max() < 5 * eap["se"].max() / np.sqrt(40)
    assert drawn.equals(fit.plausible_values(40, seed=3))
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
