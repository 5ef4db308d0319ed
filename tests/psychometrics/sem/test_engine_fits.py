"""What must hold of every fit, whatever the data."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from support import lavaan_recorded as recorded
from support.sem_models import REGRESSIONS, SECOND_ORDER, THREE_FACTORS, sample

from gfactor.errors import ParameterError
from gfactor.psychometrics import sem
from gfactor.psychometrics.sem.inference.gamma import moment_covariance, moment_rows
from gfactor.psychometrics.sem.sample import GroupSample
from gfactor.psychometrics.sem.syntax import build_table
from gfactor.psychometrics.sem.syntax.options import table_options

DATA = sample(250)


def estimate(fit: sem.Fit, lhs: str, op: str, rhs: str, column: str = "est") -> float:
    frame = fit.estimates
    mine = (frame["lhs"] == lhs) & (frame["op"] == op) & (frame["rhs"] == rhs)
    return float(frame.loc[mine, column].iloc[0])


@pytest.mark.thorough
@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10**6), st.floats(0.01, 100), st.floats(-50, 50))
def test_units_change_estimates_but_not_fit(seed: int, scale: float, shift: float) -> None:
    data = sample(150, seed)
    other = data.assign(x2=data["x2"] * scale + shift, z3=data["z3"] / scale)
    first = sem.fit(THREE_FACTORS, data, estimator="MLR", meanstructure=True)
    second = sem.fit(THREE_FACTORS, other, estimator="MLR", meanstructure=True)
    for name in ("chisq", "chisq.scaled", "cfi.robust", "rmsea", "srmr"):
        assert second.measures[name] == pytest.approx(first.measures[name], rel=1e-6, abs=1e-7)
    assert estimate(second, "a", "=~", "x2") == pytest.approx(
        scale * estimate(first, "a", "=~", "x2"), rel=1e-6
    )
    assert estimate(second, "a", "=~", "x2", "std.all") == pytest.approx(
        estimate(first, "a", "=~", "x2", "std.all"), rel=1e-6
    )


def test_full_information_on_complete_cases_is_plain_likelihood() -> None:
    plain = sem.fit(SECOND_ORDER, DATA, estimator="MLR", meanstructure=True)
    full = sem.fit(SECOND_ORDER, DATA, estimator="MLR", missing="ml")
    assert full.theta == pytest.approx(plain.theta, abs=1e-9)
    assert full.vcov_matrix == pytest.approx(plain.vcov_matrix, abs=1e-10)
    for name in ("chisq", "chisq.scaled", "logl", "cfi", "rmsea.scaled"):
        assert full.measures[name] == pytest.approx(plain.measures[name], rel=1e-9)


def test_incomplete_cases_count_under_full_information() -> None:
    holes = sample(250, missing=0.1)
    full = sem.fit(THREE_FACTORS, holes, missing="fiml", em_h1_tol=1e-12)
    listwise = sem.fit(THREE_FACTORS, holes, meanstructure=True)
    assert full.n == 250 > listwise.n
    assert full.converged
    complete = sem.fit(THREE_FACTORS, DATA, meanstructure=True)
    gap = np.abs(full.theta - complete.theta)
    error = np.sqrt(full.vcov_matrix.diagonal())
    assert (gap < 3 * error).all()
    assert np.median(error) < np.median(np.sqrt(listwise.vcov_matrix.diagonal()))


def test_groups_without_equalities_are_fits_of_their_own() -> None:
    both = sem.fit(THREE_FACTORS, DATA, group="school")
    alone = [
        sem.fit(THREE_FACTORS, DATA.loc[list(DATA["school"] == name)], meanstructure=True)
        for name in ("north", "south")
    ]
    chisq = sum(float(fit.measures["chisq"] or 0) for fit in alone)
    assert both.measures["chisq"] == pytest.approx(chisq, rel=1e-9)
    assert both.theta == pytest.approx(np.concatenate([fit.theta for fit in alone]), abs=1e-8)
    assert both.sample.labels == ("north", "south")


def test_an_equality_costs_fit_and_gives_equal_estimates() -> None:
    free = sem.fit(THREE_FACTORS, DATA)
    tied = sem.fit(THREE_FACTORS.replace("y2 + y3", "l*y2 + l*y3"), DATA)
    assert tied.measures["df"] == float(free.measures["df"] or 0) + 1
    assert float(tied.measures["chisq"] or 0) >= float(free.measures["chisq"] or 0)
    assert estimate(tied, "b", "=~", "y2") == estimate(tied, "b", "=~", "y3")
    assert estimate(tied, "b", "=~", "y2", "se") == pytest.approx(
        estimate(tied, "b", "=~", "y3", "se")
    )


def test_nonlinear_constraints_and_inequalities_hold_at_a_proven_minimum() -> None:
    text = THREE_FACTORS.replace("x2 + x3", "p*x2 + q*x3") + "\np*q == 0.5\nq > 0.8\nr := p + q"
    fit = sem.fit(text, DATA)
    assert fit.converged, fit.convergence
    p, q = estimate(fit, "a", "=~", "x2"), estimate(fit, "a", "=~", "x3")
    assert p * q == pytest.approx(0.5, abs=1e-10)
    assert q >= 0.8 - 1e-10
    free = sem.fit(THREE_FACTORS, DATA)
    assert float(fit.measures["chisq"] or 0) > float(free.measures["chisq"] or 0)
    assert estimate(fit, "r", ":=", "p+q") == pytest.approx(p + q)


def test_contradicting_equalities_are_refused() -> None:
    text = THREE_FACTORS.replace("x2 + x3", "p*x2 + p*x3") + "\np == 1\np == 2"
    with pytest.raises(ParameterError, match="contradict"):
        sem.fit(text, DATA)


def test_a_definition_has_the_delta_methods_standard_error() -> None:
    text = "a =~ x1 + x2 + x3\nb =~ y1 + y2 + y3\nb ~ s*a\nw ~ t*b\nst := s*t"
    fit = sem.fit(text, DATA)
    s, t = estimate(fit, "b", "~", "a"), estimate(fit, "w", "~", "b")
    cov = fit.vcov.loc[["s", "t"], ["s", "t"]].to_numpy()
    slope = np.array([t, s])
    assert estimate(fit, "st", ":=", "s*t") == pytest.approx(s * t)
    assert estimate(fit, "st", ":=", "s*t", "se") == pytest.approx(np.sqrt(slope @ cov @ slope))


def test_data_and_their_covariance_matrix_give_the_same_fit() -> None:
    names = [name for name in DATA.columns if name not in {"w", "school"}]
    data = sem.fit(THREE_FACTORS, DATA)
    moments = sem.fit(
        THREE_FACTORS, sample_cov=pd.DataFrame(DATA, columns=names).cov(), n=len(DATA)
    )
    assert moments.theta == pytest.approx(data.theta, abs=1e-9)
    assert moments.measures["chisq"] == pytest.approx(data.measures["chisq"])


def test_standardized_errors_of_what_standardization_fixes_are_zero() -> None:
    frame = sem.fit(THREE_FACTORS, DATA).standardized()
    own = (
        (frame["op"] == "~~") & frame["lhs"].isin(["a", "b", "c"]) & (frame["lhs"] == frame["rhs"])
    )
    assert frame.loc[own, "est.std"].to_numpy() == pytest.approx(1.0)
    assert not np.any(frame.loc[own, "se"].to_numpy())


def test_a_fit_speaks_text_html_and_json() -> None:
    fit = sem.fit(REGRESSIONS, DATA, estimator="MLR")
    told = json.loads(json.dumps(fit.to_dict(), allow_nan=False))
    assert {"lhs", "op", "rhs", "group", "est", "se", "z", "pvalue"} <= set(told["estimates"][0])
    assert told["converged"] is True
    assert told["fit"]["chisq.scaling.factor"] > 0
    assert "CFI" in fit.summary()
    assert "<table" in fit._repr_html_()
    explained = {name: float(value) for name, value in fit.r2().items()}
    assert explained["c"] == pytest.approx(1 - estimate(fit, "c", "~~", "c", "std.all"), rel=1e-9)


def test_equal_data_give_equal_bits() -> None:
    first, second = (sem.fit(SECOND_ORDER, DATA, estimator="MLR") for _ in range(2))
    assert first.theta.tobytes() == second.theta.tobytes()
    assert first.to_dict() == second.to_dict()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"estimator": "XML"}, "estimator"),
        ({"missing": "mean"}, "missing"),
        ({"estimator": "GLS", "missing": "ml"}, "listwise"),
        ({"estimator": "MLM", "missing": "ml"}, "complete cases"),
        ({"colour": "red"}, "no option 'colour'"),
        ({"group_equal": ("shoes",)}, "shoes"),
        ({"estimator": "ULS", "se": "first.order"}, "likelihood"),
    ],
)
def test_an_option_that_is_not_supported_is_named(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        sem.fit(THREE_FACTORS, DATA, **changes)


@pytest.mark.parametrize(
    ("given", "words"),
    [({"group.w.free": True}, "group.w.free"), ({"rotatoin": "geomin"}, "rotatoin")],
)
def test_a_lavaan_option_that_is_not_supported_is_named(given: dict[str, Any], words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        sem.Options.from_lavaan(given)


def test_mistakes_in_the_data_are_one_sentence() -> None:
    with pytest.raises(ParameterError, match="'q9' is not a column"):
        sem.fit("a =~ x1 + x2 + q9", DATA)
    with pytest.raises(ParameterError, match="not numeric"):
        sem.fit("a =~ x1 + x2 + school", DATA)
    with pytest.raises(ParameterError, match="does not vary"):
        sem.fit("a =~ x1 + x2 + x3", DATA.assign(x3=1.0))
    with pytest.raises(ParameterError, match="singular"):
        sem.fit(
            "a =~ x1 + x2 + x3 + k", DATA.assign(k=DATA["x1"] + DATA["x2"]).astype({"k": float})
        )
    with pytest.raises(ParameterError, match="cases"):
        assert sem.fit(
            THREE_FACTORS, sample_cov=DATA.drop(columns="school").cov(), n=250, estimator="MLR"
        ).vcov.size
    with pytest.raises(ParameterError, match="WLS needs more cases"):
        sem.fit(THREE_FACTORS, DATA.head(40), estimator="WLS")


def test_a_variance_that_wants_to_be_negative_is_told_apart_from_one_at_infinity() -> None:
    cov = pd.DataFrame(
        [[1.0, 0.9, 0.2], [0.9, 1.0, 0.6], [0.2, 0.6, 1.0]], list("xyz"), list("xyz")
    )
    heywood = sem.fit("f =~ x + y + z", sample_cov=cov, n=100, std_lv=True)
    assert heywood.converged
    assert heywood.point.groups[0].theta.diagonal().min() < 0
    bounded = sem.fit("f =~ x + y + z", sample_cov=cov, n=100, std_lv=True, bounds="pos.var")
    assert bounded.converged
    assert bounded.point.groups[0].theta.diagonal().min() == 0
    assert [bounded.names[k] for k in bounded.convergence.at_bound] == ["y~~y"]


def test_a_saturated_model_has_a_chi_square_of_exactly_zero_not_below() -> None:
    least = []
    for seed in (1, 3, 7, 9, 12, 20):
        z = np.random.default_rng(seed).normal(size=(40, 3))
        data = pd.DataFrame(z @ [[1, 0.5, 0.4], [0, 1, 0.3], [0, 0, 1]], columns=list("abc"))
        found = sem.fit("f =~ a + b + c" if seed % 2 else "a ~ b + c", data)
        assert found.measures["df"] == 0
        assert 0 <= (found.measures["chisq"] or 0.0) < 1e-12
        assert found.measures["chisq"] is not None
        least.append(found.outcome.value)
    assert min(least) < 0, "rounding takes none of these below zero"


ONE_FACTOR = "f =~ x1 + x2 + x3 + x4"


def four_indicators(n: int = 120, seed: int = 1) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    f = rng.normal(size=(n, 1))
    x = f @ np.array([[0.9, 0.8, 0.7, 0.6]]) + 0.6 * rng.normal(size=(n, 4)) + [1, 2, 3, 4]
    return pd.DataFrame(x, columns=["x1", "x2", "x3", "x4"]).assign(g=["a", "b"] * (n // 2))


def test_variables_are_standardized_within_groups() -> None:
    data = four_indicators()
    z = data.drop(columns="g")
    whole = ((z - z.mean()) / z.std()).assign(g=data["g"])
    found, by_hand = sem.fit(ONE_FACTOR, data, std_ov=True), sem.fit(ONE_FACTOR, whole)
    assert found.theta == pytest.approx(by_hand.theta, abs=1e-6)
    within = z.groupby(data["g"]).transform(lambda c: (c - c.mean()) / c.std()).assign(g=data["g"])
    found = sem.fit(ONE_FACTOR, data, std_ov=True, group="g")
    assert found.theta == pytest.approx(sem.fit(ONE_FACTOR, within, group="g").theta, abs=1e-6)
    assert np.diag(found.sample.groups[1].cov) * 60 / 59 == pytest.approx(np.ones(4))


def test_errors_from_cross_products_are_the_inverse_of_their_sum() -> None:
    data = four_indicators()
    found = sem.fit(ONE_FACTOR, data, se="first.order")
    normal: Any = stats.multivariate_normal
    x, scores, step = data.drop(columns="g").to_numpy(), [], 1e-5
    for move in step * np.eye(len(found.theta)):
        ends = [found.problem.discrepancy.at(found.theta + s * move).groups[0] for s in (1, -1)]
        high, low = (normal.logpdf(x, x.mean(axis=0), e.sigma) for e in ends)
        scores.append((high - low) / (2 * step))
    cross = np.array(scores) @ np.array(scores).T
    assert found.vcov_matrix == pytest.approx(np.linalg.inv(cross), rel=1e-3, abs=1e-7)


def test_a_table_with_intercepts_has_them_fitted_without_being_told() -> None:
    table = build_table(ONE_FACTOR, options=table_options("cfa", meanstructure=True))
    data = four_indicators()
    found = sem.fit(table, data)
    assert found.options.meanstructure
    means = found.estimates.query("op == '~1' and lhs != 'f'")["est"].to_numpy()
    assert means == pytest.approx(data.iloc[:, :4].mean().to_numpy(), abs=1e-6)


TWO = "f =~ x1 + x2 + x3\ng =~ x4 + x5 + x6"

RNG = np.random.default_rng


def test_what_given_covariates_explain_is_taken_off_the_moments() -> None:
    x = RNG(2).normal(size=(50, 3))
    x[:, 0] += 0.7 * x[:, 2]
    group = GroupSample("", 50, x.mean(axis=0), np.cov(x.T, ddof=0), x)
    given = np.array([False, False, True])
    plain, freed = moment_rows(group, means=True), moment_rows(group, means=True, given=given)
    none = moment_rows(group, means=True, given=np.zeros(3, bool))
    np.testing.assert_array_equal(none, plain)
    away = x - x.mean(axis=0)
    slope = away[:, 2] @ away[:, 0] / (away[:, 2] @ away[:, 2])
    np.testing.assert_allclose(freed[:, 0], away[:, 0] - slope * away[:, 2], atol=1e-12)
    np.testing.assert_allclose(freed[:, 2], 0, atol=1e-12)
    np.testing.assert_allclose(moment_covariance(group, means=True), np.cov(plain.T, ddof=0))


def test_a_parameter_table_may_be_fitted_again() -> None:
    data = recorded.sample("three_factors")
    fit = sem.fit(TWO, data)
    again = sem.fit(fit.table, data)
    np.testing.assert_allclose(again.theta, fit.theta, rtol=1e-9)
    with pytest.raises(ParameterError, match="the parameter table has 1 groups, the data 2"):
        sem.fit(fit.table, data, group="school")
