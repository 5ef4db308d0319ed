"""Latent classes that depend on covariates: brute force, closed forms, other codings, refusals."""

from __future__ import annotations

from functools import partial
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize
from scipy.special import log_softmax, softmax

import gfactor as gf
from gfactor.errors import ParameterError

ITEMS = [f"i{k}" for k in range(4)]


def drawn(n: int, seed: int, classes: int = 2) -> Any:
    """Answers to four items, an age and a school, on which the classes depend; typed Any because
    pandas leaves the types of its operations open."""
    rng = np.random.default_rng(seed)
    age, school = rng.normal(40, 10, n).round(), rng.integers(0, 2, n)
    logits = np.column_stack([np.zeros(n), -0.5 + 0.08 * (age - 40) - school, 0.6 * school])
    chance = softmax(logits[:, :classes], axis=1).cumsum(axis=1)
    member = (rng.random((n, 1)) > chance).sum(axis=1)
    right = np.array([[0.9, 0.9, 0.8, 0.85], [0.2, 0.15, 0.3, 0.2], [0.9, 0.1, 0.8, 0.1]])[member]
    answers = pd.DataFrame((rng.random((n, 4)) < right).astype(int), columns=ITEMS)
    return answers.assign(age=age, school=np.where(school == 1, "north", "south"))


def log_likelihood(theta: np.ndarray, design: np.ndarray, x: np.ndarray) -> float:
    """Of two classes: the weights of the second one, then the logits of right answers."""
    logs = log_softmax(np.column_stack([np.zeros(len(x)), design @ theta[:3]]), axis=1)
    p = 1 / (1 + np.exp(-theta[3:].reshape(2, 1, -1)))
    each = np.where(np.isnan(x), 1.0, np.where(x == 1, p, 1 - p)).prod(axis=2)
    return float(np.log((np.exp(logs) * each.T).sum(axis=1)).sum())


@pytest.mark.thorough
@pytest.mark.parametrize("missing", [False, True])
def test_brute_force_finds_the_same_maximum_and_the_same_errors(missing: bool) -> None:
    data = drawn(400, 1)
    if missing:
        gaps = np.random.default_rng(4).random((400, 4)) < 0.1
        data[ITEMS] = data[ITEMS].mask(gaps)
        data = data[data[ITEMS].notna().any(axis=1)]
    fit = gf.latent_classes(data, 2, covariates=["age", "school"])
    assert fit.effects is not None
    weights = fit.effects["estimate"].to_numpy()
    right = fit.probabilities.query("category == 1")["probability"].to_numpy()
    start = np.concatenate([weights, np.log(right / (1 - right))])
    scale = np.concatenate([[1, 0.02, 1], np.ones(8)])
    design = np.column_stack([np.ones(len(data)), data["age"], data["school"] == "south"])
    own = partial(log_likelihood, design=design, x=data[ITEMS].to_numpy(float))
    far = minimize(
        lambda x: -own(x * scale),
        start / scale + np.random.default_rng(1).normal(size=11) * 0.4, options={"gtol": 1e-6},
    )  # fmt: skip
    assert fit.log_likelihood == pytest.approx(-far.fun, abs=1e-6)
    np.testing.assert_allclose(far.x * scale, start, rtol=2e-3, atol=2e-4)
    bends = np.zeros((11, 11))
    for i, j in combinations_with_replacement(range(11), 2):
        a, b = (1e-3 * scale * np.eye(11)[k] for k in (i, j))
        corners = ((1, a + b), (-1, a - b), (-1, b - a), (1, -a - b))
        bends[i, j] = bends[j, i] = sum(s * own(start + x) for s, x in corners) / 4e-6
    errors = np.sqrt(np.diag(np.linalg.inv(-bends))) * scale
    np.testing.assert_allclose(fit.effects["se"], errors[:3], rtol=1e-4)
    estimated = fit.probabilities.query("category == 1")
    np.testing.assert_allclose(estimated["se"], errors[3:] * right * (1 - right), rtol=1e-4)


@pytest.mark.thorough
def test_another_program_finds_the_same_effects() -> None:
    """StepMix 3.0.0 (Python 3.11, 2026-11-29), of `drawn(400, 1)` with age as (age - 40) / 10:
    StepMix(n_components=2, n_steps=1, measurement="binary", structural="covariate",
    structural_params={"method": "newton-raphson", "max_iter": 1}, n_init=5, random_state=1,
    max_iter=5000, abs_tol=1e-13, rel_tol=1e-13).fit(items, [age, south])."""
    fit = gf.latent_classes(drawn(400, 1), 2, covariates=["age", "school"])
    assert fit.effects is not None
    assert fit.log_likelihood == pytest.approx(-880.1764174909923, abs=1e-8)
    age, south = fit.effects["estimate"][1:]
    assert 10 * age == pytest.approx(0.29938549 + 0.29845227, abs=1e-6)
    assert south == pytest.approx(0.38354801 + 0.38425952, abs=1e-6)


@pytest.mark.thorough
def test_the_mean_of_the_posteriors_is_the_share_and_effects_are_wald() -> None:
    fit = gf.latent_classes(drawn(500, 2, classes=3), 3, covariates=["age", "school"])
    effects, tests = fit.effects, fit.covariate_tests
    assert effects is not None
    assert tests is not None
    np.testing.assert_allclose(fit.posterior.mean(), fit.shares["share"], atol=1e-7)
    np.testing.assert_allclose(effects["z"], effects["estimate"] / effects["se"])
    assert effects["class"].tolist() == ["class 2"] * 3 + ["class 3"] * 3
    assert effects["covariate"].tolist() == ["(intercept)", "age", "school = south"] * 2
    assert tests["df"].tolist() == [2, 2]
    assert fit.n_parameters == 2 * 3 + 3 * 4
    data = drawn(500, 2)
    alone: Any = gf.latent_classes(data[ITEMS], 2, covariates=data[["age"]])
    assert alone.effects is not None
    assert alone.covariate_tests is not None
    assert alone.covariate_tests["chisq"][0] == pytest.approx(alone.effects["z"][1] ** 2)


@pytest.mark.slow
def test_intervals_hold_the_true_effect() -> None:
    """Of 40 samples at 95 %, at least 34 (fewer happen once in 100 times)."""
    hits = 0
    for seed in range(40):
        data = drawn(500, 100 + seed)
        effects: Any = gf.latent_classes(data, 2, covariates=["age", "school"], starts=5).effects
        assert effects is not None
        sign = 1 if effects["estimate"][1] > 0 else -1
        low, high = sorted(sign * effects.loc[1, ["ci_lower", "ci_upper"]].astype(float))
        hits += low <= 0.08 <= high
    assert hits >= 34


@pytest.mark.thorough
def test_units_and_order_of_cases_change_nothing_and_no_effect_is_the_plain_model() -> None:
    data = drawn(400, 3)
    one: Any = gf.latent_classes(data, 2, covariates=["age", "school"])
    months = data.assign(age=data["age"] * 12 + 7).sample(frac=1, random_state=1)
    other: Any = gf.latent_classes(months, 2, covariates=["age", "school"], seed=9)
    assert one.effects is not None
    assert other.effects is not None
    assert other.log_likelihood == pytest.approx(one.log_likelihood, abs=1e-8)
    for name in ("estimate", "se"):
        assert other.effects[name][1] * 12 == pytest.approx(one.effects[name][1], rel=1e-5)
    table = data[["age", "school"]]
    apart: Any = gf.latent_classes(data[ITEMS], 2, covariates=table)
    pd.testing.assert_frame_equal(apart.effects, one.effects)
    plain = gf.latent_classes(data[ITEMS], 2)
    assert 2 * (one.log_likelihood - plain.log_likelihood) > 0
    assert plain.effects is None
    assert plain.g2 is not None
    assert one.g2 is None


def test_cases_without_covariates_are_left_out_and_counted() -> None:
    data = drawn(300, 4)
    data.loc[[3, 8], "age"] = np.nan
    fit = gf.latent_classes(data, 2, covariates=["age", "school"])
    assert fit.n == 298
    assert "2 cases have no value of a covariate and were left out" in fit.summary()
    assert len(fit.posterior) == 298


def test_a_covariate_that_separates_classes_is_a_warning() -> None:
    data = drawn(200, 5)
    sums = data[ITEMS].sum(axis=1)
    fit = gf.latent_classes(data[ITEMS], 2, covariates=pd.DataFrame({"sum": sums}))
    assert "separated completely by sum" in fit.summary()


@pytest.mark.parametrize(
    ("covariates", "sentence"),
    [
        (["height"], "no column 'height'"),
        (pd.DataFrame({"age": [1, 2]}), "have 2 rows and the scores 100"),
        (pd.DataFrame({"age": np.ones(100)}), "'age' does not vary"),
        (pd.DataFrame({"age": range(100)}, range(7, 107)), "but none is called 0; give a table"),
        (np.arange(50.0), "no column '0.0' for a covariate"),
        (["i1", "i1"], "two columns are called 'i1'"),
        (pd.DataFrame(np.eye(100)[:, :2], columns=["a", "a"]), "two columns are called 'a'"),
        (pd.DataFrame({"a": range(100), "b": range(1, 101)}), "a, b determine each other"),
    ],
)
def test_what_is_no_covariate_is_refused(covariates: Any, sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        gf.latent_classes(drawn(100, 6)[ITEMS], 2, covariates=covariates)


@pytest.mark.parametrize("named", [False, True])
def test_covariates_are_the_same_as_names_columns_arrays_and_tables_in_any_order(
    named: bool,
) -> None:
    data = drawn(200, 4)
    items = data[ITEMS]
    if named:  # Names of rows in a first column become the index of the scores.
        items = items.copy()
        items.insert(0, "person", [f"p{k}" for k in items.index])
    by_name = gf.latent_classes(data[[*ITEMS, "age"]], 2, covariates=["age"]).effects
    assert by_name is not None
    shuffled = data[["age"]].sample(frac=1, random_state=1)
    for given in (data["age"], shuffled, shuffled["age"]):
        same: Any = gf.latent_classes(items, 2, covariates=given).effects
        pd.testing.assert_frame_equal(same, by_name)
    array = gf.latent_classes(items, 2, covariates=data["age"].to_numpy()).effects
    assert array is not None
    assert array["covariate"].tolist() == ["(intercept)", "covariate"]
    assert array["estimate"].tolist() == by_name["estimate"].tolist()
    two = gf.latent_classes(items, 2, covariates=data[["age", "school"]].to_numpy()).effects
    assert two is not None
    assert two["covariate"].tolist() == ["(intercept)", "1", "2 = south"]


def test_the_paragraph_has_effects_with_intervals_and_their_tests() -> None:
    text = gf.latent_classes(drawn(400, 1), 2, covariates=["age", "school"]).paragraph()
    for part in (
        "Membership in classes was regressed on age and school (multinomial logit), in one step",
        "There is no test of fit, as classes depend on covariates",
        "Effects on the logit of a class against class 1: age on class 2 0.", "95% CI [0.",
        "Wald tests over all classes: age chi-square(1) = ",
    ):  # fmt: skip
        assert part in text, f"{part!r} is not in: {text}"
