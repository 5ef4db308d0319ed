"""Items of few categories are not taken for continuous without a word."""

from __future__ import annotations

import numpy as np
import pandas as pd

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
