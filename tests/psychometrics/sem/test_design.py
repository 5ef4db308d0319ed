"""Sampling weights and clusters of cases; lavaan's digits are replayed in test_recorded_fits.py."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from support import lavaan_recorded as recorded

from gfactor.errors import ParameterError
from gfactor.psychometrics import sem

MODEL = "f1 =~ x1 + x2 + x3\nf2 =~ x4 + x5 + x6"
DATA = recorded.sample("designed")


def errors(fit: sem.Fit) -> np.ndarray:
    return np.sqrt(np.diag(fit.vcov_matrix))


def test_equal_weights_change_nothing() -> None:
    one = sem.fit(MODEL, DATA, estimator="MLR")
    same = sem.fit(MODEL, DATA.assign(w=2.5), estimator="MLR", sampling_weights="w")
    np.testing.assert_allclose(same.theta, one.theta, rtol=1e-9)
    np.testing.assert_allclose(errors(same), errors(one), rtol=1e-9)
    assert same.measures["chisq.scaled"] == pytest.approx(one.measures["chisq.scaled"])


def test_weights_in_whole_numbers_are_the_estimates_of_repeated_cases() -> None:
    times = DATA["family"].to_numpy() % 3 + 1
    repeated = DATA.iloc[np.repeat(np.arange(320), times)].reset_index(drop=True)
    one = sem.fit(MODEL, repeated)
    same = sem.fit(MODEL, DATA.assign(w=times), sampling_weights="w")
    np.testing.assert_allclose(same.theta, one.theta, rtol=1e-8)
    assert float(same.measures["chisq"] or 0) / same.n == pytest.approx(
        float(one.measures["chisq"] or 0) / one.n
    )
    gaps = DATA.assign(x2=DATA["x2"].mask(DATA["family"] % 5 == 0))
    one = sem.fit(MODEL, gaps.iloc[np.repeat(np.arange(320), times)], missing="ml", em_h1_tol=1e-12)
    same = sem.fit(MODEL, gaps.assign(w=times), missing="ml", sampling_weights="w", em_h1_tol=1e-12)
    np.testing.assert_allclose(same.theta, one.theta, rtol=1e-7)


def test_a_cluster_per_case_is_the_sandwich_of_cases() -> None:
    one = sem.fit(MODEL, DATA, estimator="MLR", meanstructure=True)
    same = sem.fit(MODEL, DATA.assign(c=range(320)), estimator="MLR", cluster="c")
    np.testing.assert_allclose(errors(same), errors(one) * np.sqrt(320 / 319), rtol=1e-9)


def test_cases_counted_twice_as_clusters_have_the_errors_of_single_ones() -> None:
    """Copies of every case: plain errors shrink by the root of two, clustered ones stay."""
    twice = pd.concat([DATA, DATA], ignore_index=True).assign(who=[*range(320), *range(320)])
    one = sem.fit(MODEL, DATA, estimator="MLR", meanstructure=True)
    plain = sem.fit(MODEL, twice, estimator="MLR", meanstructure=True)
    same = sem.fit(MODEL, twice, estimator="MLR", cluster="who")
    np.testing.assert_allclose(errors(plain), errors(one) / np.sqrt(2), rtol=1e-8)
    np.testing.assert_allclose(errors(same), errors(one) * np.sqrt(320 / 319), rtol=1e-8)
    fewer = (320 / 319) / 2  # chi-square of twice the cases, its factor of as many
    assert same.measures["chisq.scaled"] == pytest.approx(
        float(one.measures["chisq.scaled"] or 0) / fewer / 2, rel=1e-6
    )


def test_names_of_clusters_may_be_text() -> None:
    words = DATA["family"].map(lambda number: f"family {number}")
    one = sem.fit(MODEL, DATA, cluster="family")
    same = sem.fit(MODEL, DATA.assign(family=words), cluster="family")
    np.testing.assert_array_equal(errors(same), errors(one))


def test_few_clusters_and_very_unequal_weights_are_said() -> None:
    few = {d.code: d for d in sem.fit(MODEL, DATA, cluster="school").diagnostics}
    assert few["few_clusters"].values["clusters"] == 2
    heavy = DATA.assign(w=np.where(DATA.index < 20, 50.0, 1.0))
    found = {d.code: d for d in sem.fit(MODEL, heavy, sampling_weights="w").diagnostics}
    weights = heavy["w"].to_numpy(float)
    expected = float(np.sum(weights)) ** 2 / float(np.sum(weights**2))
    assert found["unequal_weights"].values["effective"] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"cluster": "none"}, "column of clusters 'none' is not a column"),
        ({"sampling_weights": "none"}, "column of sampling weights 'none' is not a column"),
        ({"sampling_weights": "zero"}, "weight in row 3 of the column 'zero' is 0"),
        ({"sampling_weights": "school"}, "'school' is not numeric"),
        ({"cluster": "lost"}, "row 5 has no value in the column of clusters 'lost'"),
        ({"cluster": "family", "estimator": "WLS"}, "estimator ML or MLR"),
        ({"cluster": "family", "ordered": ("x1",)}, "estimator ML or MLR"),
        ({"sampling_weights": "weight", "se": "bootstrap"}, "sandwich standard errors"),
        ({"cluster": "family", "missing": "two.stage"}, "missing = 'listwise' or 'ml'"),
        ({"se": "robust.cluster"}, "needs clusters"),
        ({"cluster": "one"}, "all cases are in one cluster"),
    ],
)
def test_what_does_not_go_together_is_refused(changes: dict[str, Any], said: str) -> None:
    data = DATA.assign(
        zero=np.where(DATA.index == 2, 0.0, 1.0),
        lost=DATA["family"].astype(float).mask(DATA.index == 4),
        one="all",
    )
    with pytest.raises(ParameterError, match=said):
        errors(sem.fit(MODEL, data, **changes))


def test_a_bootstrap_of_weighted_cases_is_refused() -> None:
    with pytest.raises(ParameterError, match="no bootstrap"):
        sem.bootstrap(sem.fit(MODEL, DATA, sampling_weights="weight"), 10)
    cov = pd.DataFrame(DATA.loc[:, [f"x{k}" for k in range(1, 7)]]).cov()
    with pytest.raises(ParameterError, match="need the cases themselves"):
        sem.fit(MODEL, sample_cov=cov, n=320, cluster="family")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"estimator": "ULS"}, "need the estimator ML or MLR"),
        ({"missing": "pairwise"}, "need missing = 'listwise' or 'ml'"),
        ({"likelihood": "wishart"}, "need the normal likelihood"),
        ({"se": "bootstrap"}, "come with the sandwich standard errors"),
        ({"std_ov": True}, "do not go with std_ov = True"),
    ],
)
def test_what_does_not_go_with_weights_or_clusters_is_refused_by_its_name(
    given: dict[str, Any], said: str
) -> None:
    rng = np.random.default_rng(4)
    data = pd.DataFrame(rng.normal(size=(60, 4)), columns=["x1", "x2", "x3", "w"]).abs()
    for column, what in (("sampling_weights", "sampling weights"), ("cluster", "clusters")):
        with pytest.raises(ParameterError, match=f"^{what} {said}"):
            sem.fit("f =~ x1 + x2 + x3", data, **{column: "w"}, **given)


def test_one_column_may_be_given_as_a_list() -> None:
    for name in ("cluster", "sampling_weights"):
        for given, column in ((["a"], "a"), ([], None), ("a", "a")):
            options: dict[str, Any] = {name: given}
            assert getattr(sem.Options(**options), name) == column
        options = {name: ["a", "b"]}
        with pytest.raises(ParameterError, match="takes the name of one column"):
            sem.Options(**options)
