"""Composites (C <~ x1 + x2): weighted sums of other variables in a model.

lavaan's digits are replayed in test_recorded_fits.py (composite_*).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support import lavaan_recorded as recorded

import gfactor as gf
from gfactor.psychometrics import sem

DATA = recorded.sample("mediation")
CHAIN = "C <~ 1*z1 + z2 + z3\nf =~ z4 + z5 + z6\nf ~ C + age\nz7 ~ C + f"
OF_FACTORS = "C <~ 1*f + g\nf =~ z1 + z2 + z3\ng =~ z4 + z5 + z6\nz7 ~ C\nz8 ~ C\nz9 ~ C"


def test_a_composite_of_fixed_weights_is_the_column_that_one_would_write() -> None:
    fit = gf.sem(CHAIN.replace("z2 + z3", "0.5*z2 + 2*z3"), DATA)
    total = DATA.assign(C=DATA["z1"] + 0.5 * DATA["z2"] + 2 * DATA["z3"])
    written = gf.sem(CHAIN.split("\n", 1)[1], total)
    both = fit.estimates.merge(written.estimates, on=["lhs", "op", "rhs"], suffixes=("", "_sum"))
    structural = both[~both["rhs"].isin(["z1", "z2", "z3"]) & (both["lhs"] != "C")]
    assert len(structural) == 13
    np.testing.assert_allclose(structural["est"], structural["est_sum"], rtol=1e-7)
    np.testing.assert_allclose(structural["se"], structural["se_sum"], rtol=1e-6)


def test_weights_and_test_do_not_depend_on_where_the_scale_is_fixed() -> None:
    first = gf.sem(CHAIN, DATA)
    path = gf.sem(CHAIN.replace("1*z1", "z1").replace("f ~ C", "f ~ 1*C"), DATA)
    assert path.measures["chisq"] == pytest.approx(first.measures["chisq"], rel=1e-9)
    effect = first.estimates.set_index(["lhs", "op", "rhs"])["est"]["f", "~", "C"]
    np.testing.assert_allclose(path.theta[:3] / effect, [1, *first.theta[:2]], rtol=1e-7)


def test_a_composite_without_a_scale_is_not_identified_and_told_how_to_be() -> None:
    fit = gf.sem(CHAIN.replace("1*z1", "z1"), DATA)
    [found] = [one for one in fit.diagnostics if one.code == "not_identified"]
    assert {"C<~z1", "f~C", "z7~C"} <= set(found.where)
    assert "a weight of each composite (C <~ 1*x1 + x2)" in str(found)


def test_composites_stay_sums_where_latent_variables_have_unit_variance() -> None:
    # lavaan 0.6-14 gives the composite a residual variance of 1 there: chi-square 12.17, not 12.38.
    unit, marked = gf.sem(CHAIN, DATA, std_lv=True), gf.sem(CHAIN, DATA)
    assert unit.measures["chisq"] == pytest.approx(marked.measures["chisq"], rel=1e-9)
    np.testing.assert_allclose(unit.theta[:2], marked.theta[:2], rtol=1e-7)


def test_composites_of_factors_need_no_covariances_that_a_sum_cannot_have() -> None:
    fit = gf.sem(OF_FACTORS, DATA)
    pairs = fit.estimates[(fit.estimates["lhs"] == "C") & (fit.estimates["op"] == "~~")]
    assert pairs["rhs"].tolist() == ["C"]
    assert fit.measures["df"] == 22
    assert not [one for one in fit.diagnostics if one.severity == "error"]


@pytest.mark.parametrize("method", ["regression", "bartlett"])
def test_the_score_of_a_composite_is_the_sum_of_its_parts_scores(method: str) -> None:
    fit = gf.sem(CHAIN, DATA)
    weights = np.array([1, *fit.theta[:2]])
    scored = sem.factor_scores(fit, method=method)
    parts = DATA[["z1", "z2", "z3"]]
    away = scored.scores["C"] - parts @ weights
    np.testing.assert_allclose(away - away.mean(), 0, atol=1e-10)
    factors = sem.factor_scores(gf.sem(OF_FACTORS, DATA), method=method)
    total = factors.scores["f"] + gf.sem(OF_FACTORS, DATA).theta[0] * factors.scores["g"]
    np.testing.assert_allclose(factors.scores["C"], total, atol=1e-10)
    assert not [one for one in factors.diagnostics if one.code == "no_bartlett_scores"]


def test_modification_indices_are_what_a_refit_gains() -> None:
    # lavaan 0.6-14 gives 10.8 for z7 ~ age and 231.5 for C ~ age in this model.
    fit: Any = gf.sem(CHAIN, DATA)
    indices: Any = sem.modification_indices(fit).set_index(["lhs", "op", "rhs"])["mi"]
    for added in (("z7", "~", "age"), ("z4", "~~", "z5")):
        refit: Any = gf.sem(f"{CHAIN}\n{' '.join(added)}", DATA)
        gain = fit.measures["chisq"] - refit.measures["chisq"]
        assert indices[added] == pytest.approx(gain, rel=0.05)


def test_simulated_composites_have_the_variance_of_their_sum() -> None:
    text = "C <~ 0.5*x1 + 0.5*x2\nx1 ~~ 0.5*x2\ny ~ 0.8*C"
    data: Any = sem.simulate_data(text, 200_000, seed=1)
    # var C = .75, so that cov(x1, y) is .8 of cov(x1, C) = .75.
    assert data[["x1", "y"]].cov().iloc[0, 1] == pytest.approx(0.6, abs=0.01)
    assert data["y"].var() == pytest.approx(1.0, abs=0.01)


def test_composites_stand_under_their_own_heading_and_in_the_drawing() -> None:
    fit = gf.sem(CHAIN, DATA)
    assert "C <~" in fit.summary()
    assert "Weights of composites" in fit.apa()
