"""Data as they come: what cannot be read is refused in one sentence, what can is read right."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.sem_samples import SAMPLES

from gfactor.errors import GfactorError, ParameterError
from gfactor.psychometrics import sem
from gfactor.psychometrics.sem.sample.columns import named_columns

MODEL = "f1 =~ x1 + x2 + x3\nf2 =~ x4 + x5 + x6"
DATA = SAMPLES["three_factors"]()
BINARY = SAMPLES["binary"]()
ORDERED = tuple(BINARY.columns)
ROW = np.arange(len(DATA))


def refusal(data: Any, model: Any = MODEL, **changes: Any) -> str:
    with pytest.raises(GfactorError) as found:
        sem.fit(model, data, **changes)
    assert "\n" not in str(found.value)
    return str(found.value)


def codes(fit: sem.Fit) -> dict[str, str]:
    return {one.code: one.severity for one in fit.diagnostics}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (DATA.assign(f1=1.0), "'f1' is a latent variable of the model and a column"),
        (DATA.assign(x2=np.nan), "'x2' has no values"),
        (DATA.assign(x2=None), "'x2' has no values"),
        (DATA.assign(x2=DATA["x2"].where(ROW != 3, np.inf)), "'x2' has an infinite value in row 4"),
        (pd.concat([DATA, DATA[["x2"]]], axis=1), "2 columns called 'x2'"),
        (DATA.assign(x2=DATA["x2"].astype(str)), "row 1 has '2.921', a number written as text"),
        (
            DATA.assign(x2=DATA["x2"].astype(str).where(ROW != 3, "n/a?")),
            "row 4 has 'n/a?'; fix the cell",
        ),
        (DATA.assign(x2=pd.Timestamp("2020-01-01")), "type datetime64"),
        (DATA.assign(x2=DATA["x2"] + 1j), "type complex128"),
        (DATA.drop(columns="x2"), "'x2' is not a column of the data"),
        (DATA.to_numpy(), "are a ndarray"),
        (DATA.set_axis(pd.MultiIndex.from_product([["a"], DATA.columns]), axis=1), "several"),
    ],
)
def test_data_that_cannot_be_read_are_refused(data: Any, words: str) -> None:
    assert words in refusal(data)


def test_so_are_ordinal_ones() -> None:
    for data, words in (
        (BINARY.assign(f1=1), "'f1' is a latent variable"),
        (BINARY.assign(x1=np.nan), "'x1' has no values"),
        (
            BINARY.assign(x1=BINARY["x1"].astype(float).where(BINARY.index != 3, np.inf)),
            "infinite value in row",
        ),
        (pd.concat([BINARY, BINARY[["x1"]]], axis=1), "2 columns called 'x1'"),
    ):
        assert words in refusal(data, ordered=ORDERED)


def test_moments_and_models_are_checked_too() -> None:
    cov = DATA.drop(columns="school").cov()
    assert "came without means; give sample_mean" in refusal(
        None, MODEL + "\nx1 ~ 1", sample_cov=cov, n=100
    )
    assert "n is -3" in refusal(None, sample_cov=cov, n=-3)
    assert "missing or infinite" in refusal(None, sample_cov=cov * np.nan, n=100)
    for wrong in (cov.drop(columns="x2"), cov.drop(index="x2"), cov.drop("x2").drop(columns="x2")):
        assert "variable 'x2' is not in sample_cov" in refusal(None, sample_cov=wrong, n=100)
    assert "needs the variables' names" in refusal(None, sample_cov=cov.to_numpy(), n=100)
    double = pd.concat([cov, cov[["x2"]]], axis=1)
    assert "has a variable twice" in refusal(None, sample_cov=double, n=100)
    tilted = cov + np.triu(np.full(cov.shape, 1e-4), 1)
    assert "is not symmetric" in refusal(None, sample_cov=tilted, n=100)
    assert "the model is a NoneType" in refusal(DATA, None)
    assert "needs indicators of its own" in refusal(DATA, MODEL + "\nf3 ~~ f1")
    twice = pd.concat([DATA, DATA[["school"]]], axis=1)
    assert "2 columns called 'school'" in refusal(twice, group="school")


@pytest.mark.parametrize("kind", ["bool", "boolean", object, "category"])
def test_truth_is_one_and_a_lie_nought(kind: Any) -> None:
    high = DATA["x2"] > 5
    plain = sem.fit(MODEL, DATA.assign(x2=high.astype(float)))
    other = sem.fit(MODEL, DATA.assign(x2=high.astype(kind)))
    np.testing.assert_array_equal(other.theta, plain.theta)


@pytest.mark.parametrize("name", ["x 1", "=~", "a+b", "1", "x~1", "#"])
def test_columns_may_be_called_anything(name: str) -> None:
    plain = sem.fit(MODEL, DATA)
    data = DATA.rename(columns={"x1": int(name) if name == "1" else name})
    other = sem.fit(MODEL.replace("x1", f'"{name}"'), data)
    np.testing.assert_array_equal(other.theta, plain.theta)


def test_a_shared_name_may_be_meant() -> None:
    named = sem.fit(MODEL, DATA.assign(f1=1.0), check_lv_names=False)
    np.testing.assert_array_equal(named.theta, sem.fit(MODEL, DATA).theta)
    sem.fit(MODEL, DATA.assign(f1=1), options=sem.Options.from_lavaan({"check.lv.names": False}))


def test_pairs_never_seen_together_are_named() -> None:
    apart = DATA.assign(
        x1=DATA["x1"].where(ROW % 2 == 1), x5=DATA["x5"].where((ROW % 2 == 0) | (ROW < 20))
    )
    rare = sem.fit(MODEL, apart, missing="ml")
    assert codes(rare) == {"rarely_seen_together": "warning"}
    assert rare.diagnostics[0].where == ("x1~~x5",)
    apart["x5"] = apart["x5"].where(ROW % 2 == 0)
    never = sem.fit(MODEL, apart, missing="ml")
    assert codes(never) == {"never_seen_together": "error"}
    assert "x1 with x5" in never.summary().splitlines()[0]
    assert "x1 with x5 are never observed together" in refusal(apart, missing="pairwise")
    steps = apart.assign(x1=apart["x1"].round(), x5=apart["x5"].round())
    sentence = refusal(steps, missing="pairwise", ordered=("x1", "x5"))
    assert "x1 with x5 are never observed together" in sentence


def test_cases_that_are_left_out_are_counted() -> None:
    gaps = DATA.assign(x2=DATA["x2"].where(ROW % 5 > 0))
    assert codes(sem.fit(MODEL, gaps)) == {"cases_left_out": "warning"}
    assert codes(sem.fit(MODEL, DATA.assign(x2=DATA["x2"].where(ROW > 3)))) == {
        "cases_left_out": "note"
    }
    assert not codes(sem.fit(MODEL, gaps, missing="ml"))
    homeless = DATA.assign(school=DATA["school"].where(ROW > 5))
    fit = sem.fit(MODEL, homeless, group="school")
    assert codes(fit) == {"rows_without_group": "warning"}
    assert fit.n == len(DATA) - 6


def test_a_number_of_many_values_is_hardly_ordinal() -> None:
    found = codes(sem.fit(MODEL, DATA, ordered=("x1",)))
    assert found["many_categories"] == "warning"


@pytest.mark.parametrize("unit", [1e8, 1e-9])
def test_units_make_no_finding(unit: float) -> None:
    fit = sem.fit(MODEL, DATA.assign(x2=DATA["x2"] * unit))
    assert fit.converged
    assert not fit.diagnostics
    assert fit.measures["chisq"] == pytest.approx(sem.fit(MODEL, DATA).measures["chisq"], rel=1e-6)


def test_group_columns_with_one_value_are_refused() -> None:
    with pytest.raises(ParameterError, match="one value only"):
        sem.fit(MODEL, DATA.assign(g=np.where(ROW % 2 == 0, 1.0, np.nan)), group="g")


def two_groups(n: int = 120, seed: int = 1) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    f = rng.normal(size=(n, 1))
    x = f @ np.array([[0.9, 0.8, 0.7, 0.6]]) + 0.6 * rng.normal(size=(n, 4)) + [1, 2, 3, 4]
    return pd.DataFrame(x, columns=["x1", "x2", "x3", "x4"]).assign(g=["a", "b"] * (n // 2))


def test_columns_are_named_by_texts_whatever_their_names_are() -> None:
    data = two_groups().drop(columns="g")
    for names in (
        pd.Index(["x1", "x2", "x3", "x4"], dtype="string"),
        pd.Index(["x1", "x2", "x3", None], dtype="string"), pd.Index([1, 2, 3, "x4"]),
    ):  # fmt: skip
        found = named_columns(data.set_axis(names, axis=1))
        assert all(isinstance(name, str) for name in found.columns)
        assert list(found.columns)[:3] == [str(name) for name in names[:3]]
