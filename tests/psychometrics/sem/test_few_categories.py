"""Items of few categories are not taken for continuous without a word."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from gfactor.psychometrics import sem

MODEL = "g =~ a + b + c + d"


def _scores(categories: int) -> pd.DataFrame:
    rng = np.random.default_rng(4)
    values = rng.normal(size=(300, 1)) + rng.normal(size=(300, 4))
    cuts = np.linspace(-1, 1, categories - 1) if categories > 2 else np.zeros(1)
    return pd.DataFrame((values[..., None] > cuts).sum(axis=2) * 1.0, columns=list("abcd"))


def _codes(fit: sem.Fit) -> list[str]:
    return [one.code for one in fit.diagnostics]


def test_fewer_than_five_categories_under_ml_are_a_warning_that_names_the_remedy() -> None:
    for categories, is_warned in ((2, True), (4, True), (5, False)):
        fit = sem.fit(MODEL, _scores(categories))
        assert ("few_categories" in _codes(fit)) == is_warned, categories
    two = _scores(5).assign(b=_scores(2)["b"])
    (note,) = (
        d
        for d in sem.fit(MODEL, two, options=sem.Options(estimator="MLR")).diagnostics
        if d.where == ("b",)
    )
    assert note.code == "few_categories"
    assert "--ordered all" in note.remedy


def test_ordered_variables_and_predictors_may_have_two_categories() -> None:
    data = _scores(2)
    assert "few_categories" not in _codes(
        sem.fit(MODEL, data, options=sem.Options(ordered=tuple("abcd")))
    )
    with_sex = _scores(5).assign(sex=np.arange(300) % 2)
    assert "few_categories" not in _codes(sem.fit(MODEL + "\ng ~ sex", with_sex))


def test_invariance_says_it_once() -> None:
    data = _scores(2).assign(lab=["a", "b"] * 150)
    steps = sem.invariance(MODEL, data, "lab")
    assert [d.code for d in steps.diagnostics].count("few_categories") == 1


@pytest.mark.parametrize(("seed", "levels"), [(0, ()), (1, ("configural",))])
def test_robust_and_scaled_indices_on_different_sides_of_a_limit_are_a_warning(
    seed: int, levels: tuple[str, ...]
) -> None:
    rng = np.random.default_rng(seed)
    theta = rng.normal(size=(240, 1))
    values = theta + 0.8 * theta * (np.arange(5) == 2) + rng.normal(size=(240, 5))
    values = np.sign(values) * np.abs(values) ** 2.2  # long tails
    data = pd.DataFrame(values, columns=list("abcde")).assign(lab=["x", "y"] * 120)
    steps = sem.invariance("g =~ a + b + c + d + e", data, "lab", estimator="MLR")
    assert steps.cfi == "robust"
    named = [d.where for d in steps.diagnostics if d.code == "robust_and_scaled_apart"]
    assert named == ([levels] if levels else [])
    measures: Any = steps.steps[0].full.measures
    sides = {(measures[f"cfi.{kind}"] > 0.95, measures[f"rmsea.{kind}"] > 0.06)
             for kind in ("robust", "scaled")}  # fmt: skip
    assert len(sides) == (2 if levels else 1)
