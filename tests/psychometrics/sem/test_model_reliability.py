"""Omega and its relatives from fitted models."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support import lavaan_recorded as recorded

import gfactor as gf
from gfactor.errors import ParameterError
from gfactor.psychometrics import sem
from gfactor.psychometrics.sem.common_variance import _replicability, _uncontaminated
from gfactor.psychometrics.sem.model_reliability import reliability
from gfactor.psychometrics.sem.modification import modification_indices
from gfactor.psychometrics.sem.results.apa import shares_table


def table(name: str) -> dict[tuple[str, str], float]:
    rows = reliability(recorded.replay(name)).indices.to_dict("records")
    return {(row["index"], row["latent"]): row["est"] for row in rows}


@pytest.mark.thorough
def test_a_bifactor_models_shares_are_those_of_its_loadings() -> None:
    fit = recorded.replay("bifactor")
    own = table("bifactor")
    loadings = fit.point.groups[0].loading
    total = fit.implied()[1].to_numpy().sum()
    sums = loadings.sum(axis=0) ** 2
    assert own["omega_h", "g"] == pytest.approx(sums[0] / total)
    assert own["omega_total", "g"] == pytest.approx(sums.sum() / total)
    assert own["PUC", "g"] == pytest.approx(1 - 4 * 3 / 66)  # 12 indicators in 4 groups of 3
    of_design = sem.reliability(fit).indices.set_index("index").loc["PUC"]
    assert of_design[["se", "low", "high"]].isna().all()  # no sample moves it
    squares = loadings**2 / np.diag(fit.implied()[1])[:, None]
    assert own["ECV", "g"] == pytest.approx(squares[:, 0].sum() / squares.sum())


@pytest.mark.thorough
def test_a_second_order_model_is_read_in_its_schmid_leiman_form() -> None:
    own = table("second_order")
    for group in ("f1", "f2", "f3", "f4"):
        assert own["omega_hs", group] < own["omega", group]
    assert own["omega_h", "g"] < own["omega_total", "g"]
    lines = reliability(recorded.replay("second_order")).summary().splitlines()
    (of_factor,) = (line for line in lines if line.startswith("H of f1"))
    assert of_factor.endswith("replicates the factor's own part, beside the general factor")
    # The bifactor model of these data has about the same shares: the data are second-order.
    assert own["omega_h", "g"] == pytest.approx(table("bifactor")["omega_h", "g"], abs=0.01)


@pytest.mark.slow
def test_intervals_cover_the_true_omega_about_as_often_as_they_say() -> None:
    # Five indicators of loading .7: omega = 25 * .49 / (25 * .49 + 5 * .51). 150 samples of 200;
    # 95 % +- 5.3 points is three standard errors.
    truth = 25 * 0.49 / (25 * 0.49 + 5 * 0.51)
    rng = np.random.Generator(np.random.PCG64(9))
    hits = 0
    for _ in range(150):
        factor = rng.normal(size=200)
        values = 0.7 * factor[:, None] + np.sqrt(0.51) * rng.normal(size=(200, 5))
        data = pd.DataFrame(values, columns=list("abcde"))
        rows = reliability(sem.fit("f =~ a + b + c + d + e", data, std_lv=True)).indices
        low, high = rows.loc[rows["index"] == "omega", ["low", "high"]].to_numpy()[0]
        hits += low <= truth <= high
    assert 0.897 <= hits / 150 <= 1.0


def test_an_improper_solution_speaks_first() -> None:
    found = reliability(recorded.replay("heywood"))
    assert found.diagnostics[0].code == "reliability_of_improper_solution"
    assert found.summary().startswith("serious:")
    json.dumps(found.to_dict(), allow_nan=False)


def test_a_negative_disturbance_takes_only_the_coefficients_that_need_its_root() -> None:
    # The part of A's indicators that the general factor explains is all and more of them.
    rng = np.random.Generator(np.random.PCG64(5))
    general = rng.normal(size=150)
    factors = [
        general,
        *(r * general + np.sqrt(1 - r**2) * rng.normal(size=150) for r in (0.6, 0.5)),
    ]
    data = pd.DataFrame(
        {
            f"{name}{k}": 0.7 * factor + 0.7 * rng.normal(size=150)
            for name, factor in zip("abc", factors, strict=True)
            for k in range(3)
        }
    )
    model = "A =~ a0 + a1 + a2\nB =~ b0 + b1 + b2\nC =~ c0 + c1 + c2\nG =~ A + B + C"
    fit = sem.fit(model, data)
    assert "negative variance or disturbance of A" in fit.summary()
    own: Any = reliability(fit).indices.set_index(["index", "latent"])["est"]
    missing = {("omega_hs", "A"), ("H", "A"), ("ECV", "G")}
    assert set(own.index[own.isna()]) == missing
    # Each omega is the common part of its sum, with the loadings and the latent covariances.
    point = fit.point.groups[0]
    common = point.loading @ point.latent_cov @ point.loading.T
    for factor, items in (("A", slice(0, 3)), ("B", slice(3, 6)), ("C", slice(6, 9))):
        expected = common[items, items].sum() / point.sigma[items, items].sum()
        assert own["omega", factor] == pytest.approx(expected)
    assert own["omega_total", "G"] == pytest.approx(common.sum() / point.sigma.sum())
    line = next(
        one
        for one in shares_table(reliability(fit)).splitlines()
        if one.startswith("  omega_hs of A")
    )
    assert line.split() == ["omega_hs", "of", "A", "-", "-"]


def test_models_without_an_omega_are_refused_in_words() -> None:
    with pytest.raises(ParameterError, match="no latent variable"):
        reliability(recorded.replay("paths"))


def test_freeing_the_largest_index_gains_about_that_much() -> None:
    data, fit = recorded.sample("three_factors"), recorded.replay("cfa_ml")
    first = modification_indices(fit).to_dict("records")[0]
    assert (first["lhs"], first["op"], first["rhs"]) == ("f3", "=~", "x1")
    freed = sem.fit(fit.model + "\nf3 =~ x1", data, meanstructure=True)
    gain = (fit.measures["chisq"] or 0) - (freed.measures["chisq"] or 0)
    assert first["mi"] == pytest.approx(gain, rel=0.1)
    rows = freed.estimates.to_dict("records")
    (change,) = [row["est"] for row in rows if (row["lhs"], row["rhs"]) == ("f3", "x1")]
    assert first["epc"] == pytest.approx(change, rel=0.1)


def test_small_indices_can_be_left_out() -> None:
    fit = recorded.replay("cfa_ml")
    large = modification_indices(fit, 2.0)["mi"].to_numpy()
    assert large.min() >= 2.0
    assert len(modification_indices(fit)) > len(large)


def test_hancocks_h_and_the_share_of_uncontaminated_correlations() -> None:
    # Loadings .6 and .8: .36/.64 + .64/.36 = 2.340, H = 2.340 / 3.340.
    assert _replicability(np.array([0.6, -0.8])) == pytest.approx(0.7006, abs=1e-4)
    assert np.isnan(_replicability(np.array([0.6, 1.0])))
    assert np.isnan(_replicability(np.array([0.6, np.nan])))
    halves = [np.arange(6) < 3, np.arange(6) >= 3]
    assert _uncontaminated(halves, 6) == pytest.approx(1 - 12 / 30)
    assert _uncontaminated([np.ones(3, bool)], 3) == 0
    assert np.isnan(_uncontaminated(halves, 1))


def test_gf_reliability_takes_a_fitted_model_and_a_fit_has_its_indices() -> None:
    fit = recorded.replay("bifactor")
    own = gf.reliability(fit, level=0.9)
    assert own.level == 0.9
    pd.testing.assert_frame_equal(own.indices, reliability(fit, level=0.9).indices)
    found = fit.modification_indices(minimum=2)
    pd.testing.assert_frame_equal(found, modification_indices(fit, 2))
    answers = pd.DataFrame(np.random.default_rng(1).integers(0, 2, (60, 4))).add_prefix("i")
    with pytest.raises(ParameterError, match=r"is fit\.reliability"):
        gf.reliability(gf.irt("rasch", answers))  # pyright: ignore[reportCallIssue, reportArgumentType]
