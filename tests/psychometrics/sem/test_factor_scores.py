"""Factor scores: what each method promises, new data, and what speaks against them."""

from __future__ import annotations

import json
from types import SimpleNamespace as Made
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize
from scipy.stats import norm
from support import lavaan_recorded as recorded

from gfactor.errors import ParameterError
from gfactor.psychometrics import sem
from gfactor.psychometrics.sem.score_weights import METHODS, scale_checks, solution_checks
from gfactor.psychometrics.sem.scores import factor_scores

CFA = "f1 =~ x1 + x2 + x3\nf2 =~ x4 + x5 + x6\nf3 =~ x7 + x8 + x9"


@pytest.fixture(scope="module")
def fit() -> sem.Fit:
    return recorded.replay("cfa_ml")


@pytest.fixture(scope="module")
def data() -> pd.DataFrame:
    return recorded.sample("three_factors")


@pytest.mark.parametrize("name", ["cfa_ml", "bifactor"])
def test_ten_berge_scores_keep_the_latent_covariances(name: str) -> None:
    fitted = recorded.replay(name)
    found = factor_scores(fitted, method="tenberge").coefficients[""].to_numpy()
    implied = fitted.implied()[1].to_numpy()
    np.testing.assert_allclose(
        found @ implied @ found.T, fitted.latent_covariance().to_numpy(), atol=1e-10
    )


def test_ten_berge_scores_of_a_second_order_factor_keep_its_variance() -> None:
    fitted = recorded.replay("second_order")
    found = factor_scores(fitted, method="tenberge").coefficients[""].loc["g"].to_numpy()
    assert found @ fitted.implied()[1].to_numpy() @ found == pytest.approx(1.0)


def test_bartlett_scores_are_unbiased_and_regression_scores_err_least(fit: sem.Fit) -> None:
    loading = fit.point.groups[0].loading
    bartlett = factor_scores(fit, method="bartlett")
    np.testing.assert_allclose(bartlett.coefficients[""] @ loading, np.eye(3), atol=1e-10)
    errors = {m: factor_scores(fit, method=m).error.iloc[0].to_numpy() for m in METHODS}
    assert (errors["regression"] < errors["tenberge"]).all()
    assert (errors["tenberge"] < errors["bartlett"]).all()


def test_the_error_of_a_score_is_its_distance_to_the_true_value() -> None:
    # 4000 persons of a known model, fitted to their own moments.
    rng = np.random.Generator(np.random.PCG64(5))
    factor = rng.normal(size=4000)
    columns = {f"x{k}": 0.7 * factor + 0.7 * rng.normal(size=4000) for k in range(1, 6)}
    fitted = sem.fit("f =~ x1 + x2 + x3 + x4 + x5", pd.DataFrame(columns), std_lv=True)
    for method in METHODS:
        found = factor_scores(fitted, method=method)
        distance = float(np.sqrt(np.mean((found.scores["f"] - factor) ** 2)))
        assert distance == pytest.approx(found.error["f"].iloc[0], rel=0.05)


def test_missing_cells_are_scored_from_what_is_there(fit: sem.Fit, data: pd.DataFrame) -> None:
    whole = factor_scores(fit, data).scores
    gappy = data.copy()
    gappy.loc[0, "x1"] = np.nan
    gappy.loc[1, [f"x{k}" for k in range(1, 10)]] = np.nan
    found = factor_scores(fit, gappy)
    assert found.scores.iloc[1].isna().all()
    assert found.error.iloc[0, 0] > found.error.iloc[2, 0]
    pd.testing.assert_frame_equal(found.scores.iloc[2:], whole.iloc[2:])


def test_a_model_without_means_scores_deviations_from_the_samples(data: pd.DataFrame) -> None:
    plain = factor_scores(sem.fit(CFA, data)).scores
    means = factor_scores(sem.fit(CFA, data, meanstructure=True)).scores
    np.testing.assert_allclose(plain, means, atol=1e-7)


def test_groups_are_scored_by_their_own_parameters(data: pd.DataFrame) -> None:
    fitted = recorded.replay("groups_scalar")
    found = factor_scores(fitted)
    fresh = factor_scores(fitted, data, group="school")
    np.testing.assert_allclose(found.scores, fresh.scores, atol=1e-12)
    assert fresh.groups == tuple(data["school"])
    one = factor_scores(fitted, data, group="north").scores
    mine = (data["school"] == "north").to_numpy()
    np.testing.assert_allclose(one[mine], fresh.scores[mine])
    assert not np.allclose(one[~mine], fresh.scores[~mine])


def test_raw_scores_given_to_a_model_of_z_scores_are_an_error(data: pd.DataFrame) -> None:
    values = data.drop(columns="school")
    fitted = sem.fit(CFA, (values - values.mean()) / values.std())
    found = factor_scores(fitted, values * 10)
    (first, *_) = found.diagnostics
    assert (first.code, first.severity) == ("scores_on_another_scale", "error")
    assert "standard deviations" in first.sentence
    assert first.values["x1"] > 3
    assert found.summary().startswith("serious:")
    assert not factor_scores(fitted, (values - values.mean()) / values.std()).diagnostics


def test_one_column_far_away_is_an_extrapolation(fit: sem.Fit, data: pd.DataFrame) -> None:
    found = factor_scores(fit, data.assign(x4=data["x4"] + 30))
    assert [one.code for one in found.diagnostics] == ["scores_extrapolate"]
    assert found.diagnostics[0].where == ("x4",)


def test_improper_solutions_and_weak_factors_say_so() -> None:
    found = factor_scores(recorded.replay("heywood"), method="bartlett")
    assert found.diagnostics[0].code == "scores_from_heywood_case"
    assert found.diagnostics[0].severity == "error"
    weak = factor_scores(recorded.replay("bifactor"))
    assert "scores_indeterminate" in {one.code for one in weak.diagnostics}
    second = factor_scores(recorded.replay("second_order"), method="bartlett")
    assert "no_bartlett_scores" in {one.code for one in second.diagnostics}


def test_ordinal_answers_are_scored_by_the_peak_of_what_they_leave_likely() -> None:
    fitted = recorded.replay("ordinal_wlsmv")
    found = factor_scores(fitted)
    data = recorded.sample("ordinal").iloc[[0]]
    point = fitted.point.groups[0]
    inverse = np.linalg.inv(point.latent_cov)
    names = list(fitted.sample.variables)
    cuts = {
        name: [-np.inf, *(r.est for r in rows.itertuples()), np.inf]
        for name, rows in fitted.estimates.loc[fitted.estimates["op"] == "|"].groupby("lhs")
    }

    def loss(eta: np.ndarray) -> float:
        expected = point.loading @ eta
        total = 0.5 * eta @ inverse @ eta
        for k, name in enumerate(names):
            sd = np.sqrt(point.theta[k, k])
            code = int(data[name].iloc[0])
            low, high = cuts[name][code - 1], cuts[name][code]
            total -= np.log(
                norm.cdf((high - expected[k]) / sd) - norm.cdf((low - expected[k]) / sd)
            )
        return float(total)

    peak = minimize(loss, np.zeros(3), method="BFGS", options={"gtol": 1e-9}).x
    np.testing.assert_allclose(found.scores.iloc[0], peak, atol=1e-6)
    assert found.determinacy.to_numpy().min() > 0.7
    fresh = factor_scores(fitted, data.assign(x2=np.nan))
    assert fresh.error.iloc[0, 0] > found.error.iloc[0, 0]
    with pytest.raises(ParameterError, match="answer 9"):
        factor_scores(fitted, data.assign(x2=9))
    with pytest.raises(ParameterError, match="'bartlett'"):
        factor_scores(fitted, method="bartlett")


def test_scores_are_json(fit: sem.Fit) -> None:
    json.dumps(factor_scores(fit).to_dict(), allow_nan=False)


def test_mistakes_are_told_in_a_sentence(fit: sem.Fit, data: pd.DataFrame) -> None:
    groups = recorded.replay("groups_scalar")
    for call, words in (
        (lambda: factor_scores(fit, method="bart"), "it is one of regression, bartlett"),
        (lambda: factor_scores(fit, data.drop(columns="x3")), "no column 'x3'"),
        (lambda: factor_scores(fit, data.assign(x3="high")), "'x3' is not numeric"),
        (lambda: factor_scores(fit, data.iloc[:0]), "no rows"),
        (lambda: factor_scores(groups, data), "give in `group`"),
        (lambda: factor_scores(groups, data, group="town"), "no column 'town'"),
        (lambda: factor_scores(groups, data.assign(school="west"), group="school"), "'west'"),
        (lambda: factor_scores(sem.fit("x2 ~ x1", data)), "no latent variable"),
    ):
        with pytest.raises(ParameterError, match=words):
            call()


def moved(point: object, shift: object, spread: object, n: int = 40) -> np.ndarray:
    """Rows whose means and standard deviations are the model's, moved and spread."""
    z = norm.ppf((np.arange(n) + 0.5) / n)
    z = np.column_stack([np.roll(z, k) for k in range(9)]) / z.std()
    sd = np.sqrt(np.diag(point.sigma))  # type: ignore[attr-defined]
    return point.mu + sd * (shift + np.asarray(spread) * z)  # type: ignore[attr-defined,operator]


@pytest.mark.parametrize(
    ("shift", "spread", "code", "where"),
    [
        (np.zeros(9), 1.0, None, ()),
        (np.full(9, 2.9), 2.9, None, ()),
        (np.eye(9)[4] * 3.1, 1.0, "scores_extrapolate", ("x5",)),
        (np.eye(9)[4] * -3.1, 1.0, "scores_extrapolate", ("x5",)),
        (np.full(9, 3.1), 1.0, "scores_on_another_scale", tuple(f"x{k}" for k in range(1, 10))),
        (np.zeros(9), 3.1, "scores_on_another_scale", tuple(f"x{k}" for k in range(1, 10))),
        (np.zeros(9), 0.3, "scores_on_another_scale", tuple(f"x{k}" for k in range(1, 10))),
        (np.zeros(9), np.where(np.arange(9) < 3, 3.1, 1.0), None, ()),
    ],
)
def test_new_rows_far_from_the_fit_are_named_from_three_standard_deviations_on(
    shift: object, spread: object, code: str | None, where: tuple[str, ...], fit: sem.Fit
) -> None:
    point, names = fit.point.groups[0], [f"x{k}" for k in range(1, 10)]
    found = list(scale_checks(*of_model(point), moved(point, shift, spread), names, ""))
    assert [(d.code, d.where) for d in found] == ([(code, where)] if code else [])
    if code == "scores_extrapolate":
        assert found[0].values["x5"] == pytest.approx(np.asarray(shift)[4])
        assert "up to 3.1 standard deviations (x5)" in found[0].sentence.replace("-", "")


def of_model(point: Any) -> tuple[np.ndarray, np.ndarray]:
    """The model's means and standard deviations."""
    return point.mu, np.sqrt(np.diag(point.sigma))


def test_few_rows_are_judged_by_their_means_alone_and_none_not_at_all(fit: sem.Fit) -> None:
    point, names = fit.point.groups[0], [f"x{k}" for k in range(1, 10)]
    four = np.tile(point.mu, (4, 1))
    assert list(scale_checks(*of_model(point), four, names, "")) == []
    five = np.tile(point.mu, (5, 1))
    (one,) = scale_checks(*of_model(point), five, names, "")
    assert one.code == "scores_on_another_scale"
    assert list(scale_checks(*of_model(point), np.full((6, 9), np.nan), names, "")) == []
    far = np.full((3, 9), np.nan)
    far[:, 2] = point.mu[2] + 4.56789 * np.sqrt(point.sigma[2, 2])
    (one,) = scale_checks(*of_model(point), far, names, "")
    assert one.values == {"x3": 4.568}


def codes_of_rows(rows: Any) -> list[tuple[str, tuple[str, ...]]]:
    checks = scale_checks(np.zeros(4), np.ones(4), np.asarray(rows, float), list("abcd"), "")
    return [(one.code, one.where) for one in checks]


def test_rows_are_far_out_beyond_three_standard_deviations() -> None:
    assert codes_of_rows([[3.0, 0, 0, 0]]) == []
    assert codes_of_rows([[3.001, 0, 0, 0]]) == [("scores_extrapolate", ("a",))]
    assert codes_of_rows([[-3.001, 0, 0, 0]]) == [("scores_extrapolate", ("a",))]
    # The median of four columns lies between the second and the third.
    assert codes_of_rows([[4.0, 4.0, 2.0, 0]]) == [("scores_extrapolate", ("a", "b"))]
    assert codes_of_rows([[4.0, 4.0, 2.1, 0]]) == [("scores_on_another_scale", ("a", "b"))]
    assert codes_of_rows([[4.0, np.nan, np.nan, 0]]) == [("scores_extrapolate", ("a",))]


def test_a_spread_thrice_the_models_is_another_scale_where_five_rows_show_it() -> None:
    away = np.array([-1.0, 1, -1, 1, 0]) / np.sqrt(0.8)

    def scaled(spread: float, rows: int = 5) -> list[str]:
        return [code for code, _ in codes_of_rows(np.outer(away[:rows], np.full(4, spread)))]

    assert scaled(2.99) == scaled(1 / 2.99) == []
    assert scaled(3.01) == scaled(1 / 3.01) == ["scores_on_another_scale"]
    assert scaled(3.01, 4) == []


def test_scores_are_doubted_below_a_determinacy_of_four_fifths() -> None:
    def codes(precision: list[float], residual: float = 0.5, method: str = "regression") -> Any:
        structure = Made(observed=("x", "y"), n_true_latent=2)
        loading = np.array([[1.0, 0.0], [0.5, 0.0]])
        here: Any = Made(
            structure=structure, theta=np.diag([residual, 0.4]), loading=loading, psi=np.eye(2),
            regression=np.zeros((2, 2)),
        )  # fmt: skip
        checks = solution_checks(here, method, ("f", "g"), np.array(precision), "")
        return [(one.code, one.severity, one.where) for one in checks]

    assert codes([0.8, 0.9]) == []
    assert codes([0.799, np.nan]) == [("scores_indeterminate", "warning", ("f", "g"))]
    assert codes([0.9, 0.9], 0.0) == []
    assert codes([0.9, 0.9], -0.01) == [("scores_from_heywood_case", "warning", ("x",))]
    assert codes([0.9, 0.9], -0.01, "bartlett") == [
        ("scores_from_heywood_case", "error", ("x",)),
        ("no_bartlett_scores", "warning", ("g",)),
    ]


ONE = "f =~ x1 + x2 + x3 + x4"


def two_groups(n: int = 120, seed: int = 1) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    f = rng.normal(size=(n, 1))
    x = f @ np.array([[0.9, 0.8, 0.7, 0.6]]) + 0.6 * rng.normal(size=(n, 4)) + [1, 2, 3, 4]
    return pd.DataFrame(x, columns=["x1", "x2", "x3", "x4"]).assign(g=["a", "b"] * (n // 2))


def test_new_cases_are_scored_in_their_group() -> None:
    data = two_groups()
    fit = sem.fit(ONE, data, group="g")
    rows = data.head(6)
    own: Any = sem.factor_scores(fit, rows, group="g").scores
    for label, place in (("a", [0, 2, 4]), ("b", [1, 3, 5])):
        same: Any = sem.factor_scores(fit, rows, group=label).scores
        assert own.iloc[place]["f"].to_numpy() == pytest.approx(same.iloc[place]["f"].to_numpy())
        others = [k for k in range(6) if k not in place]
        assert (own.iloc[others]["f"] - same.iloc[others]["f"]).abs().min() > 1e-6
    with pytest.raises(ParameterError, match="the model has the groups a, b; give in `group`"):
        sem.factor_scores(fit, rows)
    with pytest.raises(ParameterError, match="have no column 'c' with their groups"):
        sem.factor_scores(fit, rows, group="c")
    with pytest.raises(ParameterError, match=r"belong to a group 'z', but the model has a, b"):
        sem.factor_scores(fit, rows.assign(g="z"), group="g")
    with pytest.raises(ParameterError, match="no cases to be scored"):
        sem.factor_scores(fit, rows.head(0), group="g")


def rows(*given: tuple[Any, ...]) -> pd.DataFrame:
    return pd.DataFrame(given, columns=["lhs", "op", "rhs", "group", "mi"])


RNG = np.random.default_rng


def test_scores_are_refused_where_a_residual_variance_is_zero() -> None:
    data = recorded.sample("ordinal")
    x = [f"x{k}" for k in range(1, 4)]
    model = "f =~ x1 + x2 + x3"
    fit = sem.fit(model, data, ordered=x, estimator="WLSMV", parameterization="theta")
    assert np.isfinite(sem.factor_scores(fit).scores.to_numpy()).all()
    fit = sem.fit("f =~ 1.2*x1 + x2 + x3\nf ~~ 1*f", data, ordered=x, estimator="WLSMV")
    with pytest.raises(ParameterError, match="residual variance of x1 is not > 0"):
        sem.factor_scores(fit)


def test_scores_that_the_data_hardly_determine_are_named() -> None:
    data: Any = recorded.sample("three_factors")[["x1", "x2", "x3"]]
    noisy = data + 3 * RNG(8).normal(size=data.shape)
    good, weak = (
        {one.code: one for one in sem.factor_scores(sem.fit("f =~ x1 + x2 + x3", x)).diagnostics}
        for x in (data, noisy)
    )
    assert "scores_indeterminate" not in good
    assert weak["scores_indeterminate"].where == ("f",)
