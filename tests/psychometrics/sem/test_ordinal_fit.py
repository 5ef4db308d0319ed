"""A fit of ordinal variables is proven to be a minimum, and refuses what it cannot do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.special import ndtr
from support.sem_samples import SAMPLES

from gfactor.errors import ParameterError
from gfactor.psychometrics import sem
from gfactor.psychometrics.sem import Options, fit
from gfactor.psychometrics.sem.ordinal import OrdinalFit
from gfactor.psychometrics.sem.ordinal.least_squares import OrdinalLeastSquares
from gfactor.psychometrics.sem.scores import factor_scores

MODEL = "f1 =~ x1 + x2 + x3\nf2 =~ x4 + x5 + x6\nf3 =~ x7 + x8 + x9"
NAMES = tuple(f"x{i}" for i in range(1, 10))


def fitted(**changes: object) -> OrdinalFit:
    options = Options().replaced(**{"estimator": "WLSMV", "ordered": NAMES, **changes})
    group = "school" if "group_equal" in changes else None
    found = fit(MODEL, SAMPLES["ordinal"](), options=options, group=group)
    assert isinstance(found, OrdinalFit)
    return found


@pytest.mark.thorough
@pytest.mark.parametrize("parameterization", ["delta", "theta"])
def test_slopes_and_curvatures_are_exact(parameterization: str) -> None:
    found = fitted(parameterization=parameterization, group_equal=("loadings", "thresholds"))
    squares = found.problem.discrepancy
    assert isinstance(squares, OrdinalLeastSquares)
    at = found.theta + 0.05 * np.random.default_rng(1).normal(size=len(found.theta))
    moves = 1e-6 * np.eye(len(at))
    slope = [(squares.value(squares.at(at + m)) - squares.value(squares.at(at - m))) for m in moves]
    np.testing.assert_allclose(
        squares.gradient(squares.at(at)), np.array(slope) / 2e-6, rtol=1e-5, atol=1e-8
    )
    bend = [
        squares.gradient(squares.at(at + m)) - squares.gradient(squares.at(at - m)) for m in moves
    ]
    np.testing.assert_allclose(
        squares.hessian(squares.at(at)), np.array(bend) / 2e-6, rtol=1e-5, atol=1e-6
    )


def test_parameterizations_are_one_model() -> None:
    delta, theta = fitted(), fitted(parameterization="theta")
    assert theta.measures["chisq"] == pytest.approx(delta.measures["chisq"], rel=1e-9)
    assert theta.measures["chisq.scaled"] == pytest.approx(delta.measures["chisq.scaled"], rel=1e-9)
    np.testing.assert_allclose(theta.implied()[1], delta.implied()[1], atol=1e-9)
    np.testing.assert_allclose(
        theta.standardized()["est.std"], delta.standardized()["est.std"], atol=1e-8
    )
    assert theta.residuals("cor").to_numpy() == pytest.approx(
        delta.residuals("raw").to_numpy(), abs=1e-9
    )


def test_a_summary_and_json_come_from_the_same_fit() -> None:
    found = fitted()
    assert "WLSMV" in found.summary()
    rows = {(r["lhs"], r["op"], r["rhs"]): r for r in found.to_dict()["estimates"]}
    assert rows["x1", "|", "t1"]["est"] == pytest.approx(
        found.estimates.set_index("op").loc["|", "est"].iloc[0]
    )
    assert [d.code for d in found.diagnostics] == ["empty_cells"]


def test_the_default_estimator_is_wlsmv() -> None:
    found = fit(MODEL, SAMPLES["ordinal"](), ordered=NAMES)
    assert found.options.estimator == "WLSMV"


def test_scores_of_one_binary_factor_are_posterior_modes() -> None:
    rng = np.random.default_rng(5)
    z = 0.7 * rng.normal(size=(400, 1)) + 0.714 * rng.normal(size=(400, 4))
    data = pd.DataFrame((z > [-0.5, 0.0, 0.3, 0.6]).astype(int), columns=list("abcd"))
    found = fit("f =~ a + b + c + d", data, ordered=list("abcd"), std_lv=True)
    assert isinstance(found, OrdinalFit)
    group, scored = found.point.groups[0], factor_scores(found)
    loadings, thresholds = group.loading[:, 0], found.ordinal.moments[0].thresholds
    grid = np.linspace(-4, 4, 8001)
    z = (thresholds - grid[:, None] * loadings) / np.sqrt(np.diag(group.theta))
    for case in (0, 7, 31):
        right = data.iloc[case].to_numpy()
        log = np.log(np.where(right == 1, ndtr(-z), ndtr(z))).sum(axis=1) - grid**2 / 2
        assert scored.scores["f"].iloc[case] == pytest.approx(grid[log.argmax()], abs=1e-3)
    assert (scored.error["f"].to_numpy() < 1).all()


def test_empty_cells_are_told() -> None:
    rng = np.random.default_rng(1)
    z = rng.multivariate_normal(np.zeros(4), 0.8 + 0.2 * np.eye(4), size=80)
    data = pd.DataFrame(np.digitize(z, [-1.2, 1.2]), columns=list("abcd"))
    found = fit("f =~ a + b + c + d", data, ordered=list("abcd"))
    assert "empty_cells" in [d.code for d in found.diagnostics]


def test_what_ordinal_variables_cannot_do_is_refused() -> None:
    data = SAMPLES["ordinal"]()
    with pytest.raises(ParameterError, match="estimator MLR does not fit ordinal variables"):
        fit(MODEL, data, ordered=NAMES, estimator="MLR")
    with pytest.raises(ParameterError, match="none of the ordered variables"):
        fit(MODEL, data, ordered=("school",))
    aged = data.assign(age=range(len(data)))
    with pytest.raises(ParameterError, match="conditional_x = True"):
        fit(MODEL + "\nf1 ~ age", aged, ordered=NAMES, fixed_x=True, conditional_x=False)
    with pytest.raises(ParameterError, match="'x1' is predicted and predicts others"):
        fit("x1 ~ age\nx4 ~ x1", aged, ordered=("x1", "x4"))
    with pytest.raises(ParameterError, match="'x1' is not numeric: row 1 has 'low'"):
        fit(MODEL, data.assign(x1="low"), ordered=NAMES)
    with pytest.raises(ParameterError, match="are not defined for ordinal variables"):
        fitted().residuals("normalized")
    rows = (data["school"] == "north").to_numpy()
    with pytest.raises(ParameterError, match="has no case in category"):
        fit(MODEL, data.assign(x1=np.where(rows, 3, data["x1"])), ordered=NAMES, group="school")
    wide = pd.DataFrame(np.random.default_rng(1).integers(0, 3, size=(40, 9)), columns=list(NAMES))
    with pytest.raises(ParameterError, match="use WLSMV"):
        fit(MODEL, wide, ordered=NAMES, estimator="WLS")


def test_covariates_may_be_random() -> None:
    data = SAMPLES["ordinal"]()
    age = np.random.default_rng(1).normal(size=len(data))
    found = fit(MODEL + "\nf1 ~ age", data.assign(age=age), ordered=NAMES, fixed_x=False)
    assert found.converged
    row = found.estimates.query("lhs == 'f1' and op == '~'").iloc[0]
    assert abs(row["est"]) < 4 * row["se"]


def mixed() -> pd.DataFrame:
    """Three ordinal and three continuous indicators."""
    return SAMPLES["ordinal"]()[["x1", "x2", "x3"]].join(
        SAMPLES["three_factors"]()[["x4", "x5", "x6"]]
    )


MIXED = "f1 =~ x1 + x2 + x3\nf2 =~ x4 + x5 + x6"


@pytest.mark.thorough
def test_parameterizations_are_one_model_with_continuous_indicators_too() -> None:
    delta, theta = (
        fit(MIXED, mixed(), ordered=NAMES[:3], parameterization=p) for p in ("delta", "theta")
    )
    for name in ("chisq", "chisq.scaled", "rmr", "srmr", "srmr_bentler", "crmr", "wrmr", "gfi"):
        assert theta.measures[name] == pytest.approx(delta.measures[name], rel=1e-7), name
    assert theta.standardized()["est.std"].to_numpy() == pytest.approx(
        delta.standardized()["est.std"].to_numpy(), abs=1e-7
    )
    for name in ("x4", "x5", "x6"):
        one, other = (
            float(fitted.estimates.query(f"op == '~~' and lhs == rhs == '{name}'")["est"].iloc[0])
            for fitted in (delta, theta)
        )
        assert one == pytest.approx(other, abs=1e-7)


def test_residual_variances_of_continuous_indicators_count_in_the_residual_measures() -> None:
    """lavaan 0.6-14: cfa(..., ordered = c("x1", "x2", "x3"), estimator = "WLSMV")."""
    found = fit(
        MIXED + "\nx4 ~~ 1*x4\nx5 ~~ 0.5*x5", mixed(), ordered=NAMES[:3], parameterization="theta"
    )
    lavaan = {
        "chisq": 4.898168945, "chisq.scaled": 9.836089982, "rmr": 4.402110502e-02,
        "rmr_nomean": 5.083119366e-02, "srmr": 2.348802885e-02, "srmr_bentler": 2.034122967e-02,
        "srmr_bentler_nomean": 2.348802885e-02, "crmr": 2.858905453e-02,
        "crmr_nomean": 3.462306443e-02, "wrmr": 4.182518442e-01, "gfi": 9.995233452e-01,
        "agfi": 9.986653667e-01, "pgfi": 3.569726233e-01, "mfi": 1.008028659, "cn_05": 1193.271072,
    }  # fmt: skip
    assert {name: found.measures[name] for name in lavaan} == pytest.approx(lavaan, rel=2e-6)


ONE = "f =~ x1 + x2 + x3 + x4"


def two_groups(n: int = 120, seed: int = 1) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    f = rng.normal(size=(n, 1))
    x = f @ np.array([[0.9, 0.8, 0.7, 0.6]]) + 0.6 * rng.normal(size=(n, 4)) + [1, 2, 3, 4]
    return pd.DataFrame(x, columns=["x1", "x2", "x3", "x4"]).assign(g=["a", "b"] * (n // 2))


@pytest.mark.parametrize("groups", [False, True])
def test_an_ordinal_model_fitted_to_its_own_cases_again_is_itself(groups: bool) -> None:
    data = two_groups(300)
    data[["x1", "x2"]] = (data[["x1", "x2"]] > [1, 2]).astype(int)
    fit: Any = sem.fit(ONE, data, ordered=["x1", "x2"], group="g" if groups else None,
                       estimator="WLSMV")  # fmt: skip
    again = fit.again(fit.sample)
    assert again.theta == pytest.approx(fit.theta, abs=1e-6)
    assert again.table.n_groups == (2 if groups else 1)
    assert again.row_values() == pytest.approx(fit.row_values(), abs=1e-6)
    assert fit.case_rows(0).shape == ((150 if groups else 300), 4)
