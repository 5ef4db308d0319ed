"""Simulated samples have the moments asked for; studies with them tell what theory tells."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kurtosis as excess
from scipy.stats import skew
from support import lavaan_recorded as recorded
from support.m3gia_population import SECOND_ORDER, sample

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics import sem
from gfactor.psychometrics.sem import Missing, simulate_data, simulation_study
from gfactor.psychometrics.sem.simulation import population
from gfactor.psychometrics.sem.simulation.nonnormal import fleishman

TWO = """
f =~ 0.7*x1 + 0.8*x2 + 0.6*x3
g =~ 0.7*y1 + 0.8*y2 + 0.6*y3
g ~ 0.5*f
"""


def test_a_text_with_values_is_a_standardized_population() -> None:
    known = population(TWO)
    cov = pd.DataFrame(known.covs[0], list(known.variables), list(known.variables))
    np.testing.assert_allclose(np.diag(cov), 1.0)
    assert cov.loc["x1", "x2"] == pytest.approx(0.56)
    assert cov.loc["x1", "y1"] == pytest.approx(0.7 * 0.5 * 0.7)


def test_a_fit_is_a_population_too() -> None:
    fit = recorded.replay("groups_scalar")
    data = simulate_data(fit, [60_000, 50_000], seed=1)
    for number, label in enumerate(fit.sample.labels):
        part = data.loc[data["group"] == label].drop(columns="group")
        mean, cov = fit.implied(number + 1)
        np.testing.assert_allclose(part.mean(), mean, atol=0.03)
        np.testing.assert_allclose(part.cov(), cov, atol=0.06)


@settings(max_examples=20, deadline=None)
@given(st.floats(-1.5, 1.5), st.floats(0.3, 6.0))
def test_fleishmans_polynomials_have_the_moments_asked_for(skewness: float, above: float) -> None:
    kurtosis = 1.6 * skewness**2 - 0.6 + above
    b, c, d = fleishman(skewness, kurtosis)
    z, weight = np.polynomial.hermite_e.hermegauss(40)
    weight = weight / weight.sum()
    y = -c + z * (b + z * (c + z * d))
    assert weight @ y == pytest.approx(0, abs=1e-9)
    assert weight @ y**2 == pytest.approx(1)
    assert weight @ y**3 == pytest.approx(skewness, abs=1e-7)
    assert weight @ y**4 - 3 == pytest.approx(kurtosis, abs=1e-7)


def test_skewed_samples_keep_the_covariances() -> None:
    data = simulate_data(TWO, 100_000, seed=2, skewness={"x1": 1.5, "y1": -1.0}, kurtosis=4.0)
    np.testing.assert_allclose(data.corr(), population(TWO).covs[0], atol=0.03)
    assert skew(data["x1"]) == pytest.approx(1.5, abs=0.15)
    assert skew(data["x2"]) == pytest.approx(0, abs=0.15)
    assert excess(data["x2"]) == pytest.approx(4.0, abs=0.6)


def test_thresholds_make_ordinal_answers() -> None:
    data = simulate_data(TWO, 50_000, seed=3, ordinal={"x1": (-1.0, 0.0, 1.0)})
    shares = data["x1"].value_counts(normalize=True).sort_index()
    assert list(shares.index) == [1.0, 2.0, 3.0, 4.0]
    np.testing.assert_allclose(shares, [0.159, 0.341, 0.341, 0.159], atol=0.01)


def test_cells_are_missing_at_random_given_another_column() -> None:
    holes = Missing(0.3, ("x1", "x2"), by="y1", slope=1.5)
    data = simulate_data(TWO, 20_000, seed=4, missing=holes)
    np.testing.assert_allclose(data[["x1", "x2"]].isna().mean(), 0.3, atol=0.015)
    assert data[["x3", "y1", "y2", "y3"]].notna().to_numpy().all()
    assert data.loc[data["x1"].isna(), "y1"].mean() > 0.3
    blind = simulate_data(TWO, 20_000, seed=4, missing=Missing(0.3))
    assert abs(blind.loc[blind["x1"].isna(), "y1"].mean()) < 0.05


def test_the_seed_decides() -> None:
    first, second, other = (simulate_data(TWO, 20, seed=seed) for seed in (1, 1, 2))
    assert first.to_numpy().tobytes() == second.to_numpy().tobytes()
    assert not first.equals(other)


@pytest.mark.thorough
def test_a_right_model_is_unbiased_and_covers() -> None:
    study = simulation_study(TWO, 300, replications=1000, seed=5, std_lv=True)
    frame = study.parameters
    assert study.shares["proper"] == 1000
    assert not study.diagnostics
    np.testing.assert_allclose(frame["true"][:6], [0.7, 0.8, 0.6] * 2, atol=0.16)
    assert (frame["bias"].abs() < 4 * frame["sd"] / np.sqrt(1000) + 0.012).all()
    assert frame["coverage"].between(0.92, 0.97).all()
    assert frame["se_ratio"].between(0.92, 1.08).all()
    assert study.rejected == pytest.approx(0.05, abs=0.025)
    plain = json.loads(json.dumps(study.to_dict(), allow_nan=False))
    assert plain["rejected"] == study.rejected
    assert 0 < study.rejected < 1
    assert "1000 samples of n = 300 (seed 5)" in study.summary()


def test_standard_errors_are_those_of_single_fits() -> None:
    study = simulation_study(TWO, 150, replications=200, seed=6)
    fit = study.reference
    # The first sample again, by the same generator.
    rng = np.random.Generator(np.random.PCG64(6))
    noise = rng.standard_normal((200, 150, 6))[0]
    known = population(TWO)
    rows = noise @ np.linalg.cholesky(known.covs[0]).T
    single = sem.fit(fit.table, pd.DataFrame(rows, columns=list(known.variables)))
    np.testing.assert_allclose(study.runs.theta[0], single.theta, rtol=1e-6)
    np.testing.assert_allclose(
        study.runs.errors[0], np.sqrt(single.vcov_matrix.diagonal()), rtol=1e-6
    )


def test_a_wrong_model_is_said_to_be_wrong() -> None:
    study = simulation_study(
        TWO, 200, model="h =~ x1 + x2 + x3 + y1 + y2 + y3", replications=200, seed=7, std_lv=True
    )
    assert "pseudo_true_values" in {one.code for one in study.diagnostics}
    assert study.rejected > 0.9


@pytest.mark.thorough
def test_robust_and_incomplete_studies_go_sample_by_sample() -> None:
    robust = simulation_study(
        TWO, 200, replications=15, seed=8, estimator="MLR", skewness=1.5, kurtosis=5.0
    )
    assert robust.shares["failed"] == 0
    holes = simulation_study(TWO, 200, replications=8, seed=8, missing=Missing(0.1))
    assert holes.shares["failed"] == 0
    assert "few_replications" in {one.code for one in holes.diagnostics}


@pytest.mark.thorough
def test_small_samples_of_a_second_order_model_are_all_accounted_for() -> None:
    fit = sem.fit(SECOND_ORDER, sample(1), std_lv=True)
    study = simulation_study(fit, 60, replications=200, seed=9)
    assert sum(study.shares.values()) == 200
    assert study.shares["failed"] < 4
    assert {"samples_at_infinity"} <= {one.code for one in study.diagnostics}


def test_mistakes_are_named() -> None:
    with pytest.raises(ParameterError, match="has no value"):
        simulate_data("f =~ 0.7*x1 + x2 + 0.6*x3", 10, seed=1)
    with pytest.raises(ParameterError, match="variance of x1"):
        population("f =~ 1.7*x1 + 0.6*x2 + 0.6*x3")
    with pytest.raises(ParameterError, match="kurtosis must be above"):
        simulate_data(TWO, 10, seed=1, skewness=2.0, kurtosis=1.0)
    with pytest.raises(UnknownNameError, match="x9"):
        simulate_data(TWO, 10, seed=1, skewness={"x9": 1.0})
    with pytest.raises(ParameterError, match="must rise"):
        simulate_data(TWO, 10, seed=1, ordinal={"x1": (1.0, 0.0)})
    with pytest.raises(ParameterError, match="complete itself"):
        Missing(0.1, ("x1",), by="x1")
    with pytest.raises(ParameterError, match="each of the 1 groups"):
        simulate_data(TWO, [10, 20], seed=1)
