"""Ordinal variables with covariates that are taken out first: derivatives, scores, refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.special import ndtr
from support.sem_samples import SAMPLES

from gfactor.errors import ParameterError
from gfactor.psychometrics import sem

DATA = SAMPLES["ordinal_covariates"]()
ORDERED = tuple(f"x{k}" for k in range(1, 7))
MIMIC = "f1 =~ x1 + x2 + x3\nf2 =~ x4 + x5 + x6\nf1 ~ age + sex\nf2 ~ f1 + age"
DIRECT = MIMIC + "\nx2 ~ age"


def fitted(model: str = DIRECT, **changes: Any) -> sem.Fit:
    given = {"ordered": ORDERED, "model_type": "sem"} | changes
    return sem.fit(model, DATA, **given)


@pytest.mark.thorough
@pytest.mark.parametrize("parameterization", ["delta", "theta"])
def test_gradient_and_hessian_are_those_of_the_discrepancy(parameterization: str) -> None:
    fit = fitted(parameterization=parameterization)
    squares = fit.problem.discrepancy
    theta = fit.theta + 0.05 * np.sin(np.arange(len(fit.theta)))
    point = squares.at(theta)
    steps = 1e-6 * np.eye(len(theta))
    slope = [
        squares.value(squares.at(theta + e)) - squares.value(squares.at(theta - e)) for e in steps
    ]
    np.testing.assert_allclose(squares.gradient(point), np.array(slope) / 2e-6, atol=1e-8)
    bend = [
        squares.gradient(squares.at(theta + e)) - squares.gradient(squares.at(theta - e))
        for e in steps
    ]
    np.testing.assert_allclose(squares.hessian(point), np.array(bend) / 2e-6, atol=1e-7)


@pytest.mark.thorough
def test_covariates_are_taken_as_given_by_default() -> None:
    fit = fitted()
    assert fit.options.conditional_x
    assert fit.options.fixed_x
    assert fit.sample.variables == ORDERED
    shown = fit.estimates.set_index(["lhs", "op", "rhs"])
    assert shown.loc[("age", "~~", "age"), "est"] == pytest.approx(np.var(DATA["age"], ddof=1))
    assert shown.loc[("age", "~~", "age"), "se"] == 0


@pytest.mark.thorough
def test_explained_variance_counts_what_covariates_explain() -> None:
    """As lavaan's rsquare: the share of the variance over cases, not given the covariates."""
    fit = fitted()
    rows = fit.standardized().to_dict("records")
    left = {r["lhs"]: r["est.std"] for r in rows if r["op"] == "~~" and r["lhs"] == r["rhs"]}
    shares = fit.r2().to_dict()
    assert shares == pytest.approx({name: 1 - left[str(name)] for name in shares}, abs=1e-9)
    assert shares["f1"] > 0.01


@pytest.mark.thorough
def test_units_of_covariates_do_not_matter() -> None:
    plain, other = (
        fitted(),
        sem.fit(
            DIRECT,
            DATA.assign(age=DATA["age"] / 100),
            ordered=ORDERED,
            model_type="sem",
        ),
    )
    assert other.measures["chisq.scaled"] == pytest.approx(plain.measures["chisq.scaled"], rel=1e-8)
    own, new = (
        {(r["lhs"], r["op"], r["rhs"]): r["z"] for r in one.estimates.to_dict("records")}
        for one in (plain, other)
    )
    assert new["f1", "~", "age"] == pytest.approx(own["f1", "~", "age"], rel=1e-7)


def test_scores_are_the_modes_given_answers_and_covariates() -> None:
    fit = fitted(DIRECT.split("\nf2 ~")[0].replace("f2 =~ x4 + x5 + x6\n", "") + "\nx2 ~ age")
    scored = sem.factor_scores(fit)
    values = {(r["lhs"], r["op"], r["rhs"]): r["est"] for r in fit.estimates.to_dict("records")}
    grid = np.linspace(-6, 8, 140_001)
    for case in (0, 17, 200):
        row = DATA.iloc[case]
        x = {"age": row["age"], "sex": row["sex"]}
        center = sum(values["f1", "~", name] * value for name, value in x.items())
        log = -((grid - center) ** 2) / (2 * values["f1", "~~", "f1"])
        for name in ("x1", "x2", "x3"):
            mean = values["f1", "=~", name] * grid
            if name == "x2":
                mean = mean + values["x2", "~", "age"] * x["age"]
            cuts = [v for (lhs, op, _), v in values.items() if lhs == name and op == "|"]
            edges = np.array([-np.inf, *cuts, np.inf])
            sd = np.sqrt(values[name, "~~", name])
            upper, lower = edges[int(row[name])], edges[int(row[name]) - 1]
            log += np.log(np.maximum(ndtr((upper - mean) / sd) - ndtr((lower - mean) / sd), 1e-300))
        assert scored.scores["f1"].iloc[case] == pytest.approx(grid[log.argmax()], abs=2e-4)


@pytest.mark.thorough
def test_scores_of_new_cases_are_those_of_the_same_cases() -> None:
    fit = fitted()
    own, new = sem.factor_scores(fit), sem.factor_scores(fit, DATA.iloc[40:50])
    np.testing.assert_allclose(new.scores, own.scores.iloc[40:50], rtol=1e-10)
    lost = DATA.iloc[40:42].assign(age=[np.nan, 40.0])
    assert sem.factor_scores(fit, lost).scores["f1"].isna().tolist() == [True, False]
    with pytest.raises(ParameterError, match="no column 'sex'"):
        sem.factor_scores(fit, DATA.drop(columns="sex"))


@pytest.mark.thorough
def test_scores_without_direct_effects_are_lavaans() -> None:
    """lavaan 0.6-14, lavPredict of the same fit, 2026-11-21; its search ends within 1e-4."""
    theirs = [
        [0.9321053, -0.1030518],
        [2.0035533, 1.1729282],
        [2.7911865, -0.1358018],
        [1.4862014, 0.2763394],
    ]
    np.testing.assert_allclose(sem.factor_scores(fitted(MIMIC)).scores.head(4), theirs, atol=1e-4)


@pytest.mark.parametrize(
    ("model", "changes", "words"),
    [
        (MIMIC, {"fixed_x": True, "conditional_x": False}, "taken out first"),
        (MIMIC, {"fixed_x": False, "conditional_x": True}, "leave one out"),
        ("x2 ~ age\nx4 ~ x2", {"ordered": ("x2", "x4")}, "'x2' is predicted and predicts others"),
    ],
)
def test_what_cannot_be_is_refused(model: str, changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        fitted(model, **changes)


def test_covariates_that_say_nothing_or_all_are_refused() -> None:
    for changed, words in (
        ({"sex": 1.0}, "'sex' does not vary"),
        ({"sex": 2 * DATA["age"]}, "age, sex determine each other"),
        ({"sex": DATA["x1"]}, "categories of 'x1' without error"),
    ):
        with pytest.raises(ParameterError, match=words):
            sem.fit(MIMIC, DATA.assign(**changed), ordered=ORDERED, model_type="sem")
