"""Reliability has hand-computed values, covers what it claims, and says what it left out."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gfactor as gf
from gfactor.errors import ParameterError
from gfactor.psychometrics import cronbach_alpha, feldt_interval, reliability, split_half

SCORES: Any = pd.DataFrame(
    [[2, 3, 4], [4, 4, 5], [3, 3, 3], [5, 4, 5], [1, 2, 2]],
    index=list("abcde"),
    columns=["x", "y", "z"],
)


def test_alpha_of_a_matrix_computed_by_hand() -> None:
    # Variances (n - 1): x 5/2, y 7/10, z 17/10; totals 9, 13, 9, 14, 5 with mean 10: 52/4 = 13.
    # alpha = 3/2 (1 - 4.9/13) = 243/260.
    assert cronbach_alpha(SCORES) == pytest.approx(float(Fraction(243, 260)))


def test_alpha_of_right_and_wrong_is_kr_20() -> None:
    x = np.random.default_rng(0).random((40, 12)) < np.linspace(0.2, 0.9, 40)[:, None]
    p = x.mean(axis=0)
    kr20 = 12 / 11 * (1 - (p * (1 - p)).sum() / x.sum(axis=1).var())
    assert cronbach_alpha(x) == pytest.approx(kr20)


@pytest.mark.thorough
@given(st.integers(3, 12), st.integers(2, 8), st.integers(0, 999))
def test_alpha_is_hoyts_ratio_of_mean_squares(n: int, k: int, seed: int) -> None:
    x = np.random.default_rng(seed).normal(size=(n, 1)) + np.random.default_rng(seed + 1).normal(
        size=(n, k)
    )
    people, items = x.mean(axis=1, keepdims=True), x.mean(axis=0, keepdims=True)
    between = k * ((people - x.mean()) ** 2).sum() / (n - 1)
    rest = ((x - people - items + x.mean()) ** 2).sum() / ((n - 1) * (k - 1))
    assert cronbach_alpha(x) == pytest.approx(1 - rest / between, rel=1e-9, abs=1e-9)


def test_feldts_interval_covers_what_it_claims() -> None:
    # 1,000 samples of 20 people x 6 parallel indicators with alpha 0.857. If the coverage is 95 %,
    # fewer than 925 or more than 975 hits happen in 0.03 % of runs.
    rng = np.random.default_rng(11)
    alpha = 6 * 1.0 / (6 * 1.0 + 1.0)
    hits = 0
    for _ in range(1000):
        x = rng.normal(size=(20, 1)) + rng.normal(size=(20, 6))
        low, high = feldt_interval(cronbach_alpha(x), 20, 6)
        hits += low <= alpha <= high
    assert 925 <= hits <= 975


def test_split_halves_of_parallel_indicators_average_to_alpha() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=(400, 1)) + rng.normal(size=(400, 10))
    halves = split_half(x, splits=300)
    assert abs(halves.mean() - cronbach_alpha(x)) < 0.01
    assert np.array_equal(halves, split_half(x, splits=300))


def test_two_indicators_split_one_way_and_spearman_brown_steps_it_up() -> None:
    x = SCORES[["x", "y"]].to_numpy(float)
    r = np.corrcoef(x.T)[0, 1]
    assert np.allclose(split_half(x, splits=4), 2 * r / (1 + r))


def test_the_error_of_measurement_is_in_the_unit_of_the_mean() -> None:
    found = reliability(SCORES)
    sd = SCORES.mean(axis=1).std(ddof=1)
    assert found.sem == pytest.approx(sd * np.sqrt(1 - 243 / 260))
    assert (found.n, found.k) == (5, 3)


def test_deleting_an_indicator_gives_alpha_of_the_others() -> None:
    found = reliability(SCORES).indicators
    assert found.loc["x", "alpha_without"] == pytest.approx(cronbach_alpha(SCORES[["y", "z"]]))
    rest = SCORES["y"] + SCORES["z"]
    assert found.loc["x", "rest_correlation"] == pytest.approx(rest.corr(SCORES["x"]))


def test_what_is_left_out_is_named() -> None:
    scores = SCORES.assign(same=7.0, z=[4, 5, np.nan, 5, 2])
    found = reliability(scores)
    assert found.dropped == ("same",)
    assert (found.n, found.k) == (4, 3)
    told = "; ".join(found.warnings)
    assert "only 4 examinees" in told
    assert "1 examinee with a missing cell was left out" in told
    assert "no variance, left out: same" in told
    assert [d.code for d in found.diagnostics] == [
        "few_examinees", "incomplete_examinees", "constant_indicators",
    ]  # fmt: skip
    assert found.summary().startswith(f"warning: {found.diagnostics[0].sentence}")


def test_indicators_that_run_against_each_other_are_noticed() -> None:
    against = pd.DataFrame({"x": [1, 2, 3, 4], "y": [4.0, 3, 2, 0]})
    found = reliability(against)
    assert found.alpha < 0
    assert any("negative" in text for text in found.warnings)
    assert found.sem == pytest.approx(found.sd)


def test_too_little_is_refused() -> None:
    with pytest.raises(ParameterError, match="at least 3 complete examinees"):
        reliability(SCORES.iloc[:2])
    with pytest.raises(ParameterError, match="2 indicators that vary"):
        reliability(pd.DataFrame({"x": [1, 2, 3], "same": [1, 1, 1]}))


@pytest.mark.thorough
@pytest.mark.parametrize("analyze", [reliability, gf.efa, gf.adequacy])
def test_an_age_and_an_identifier_among_the_items_are_named(analyze: Any) -> None:
    random = np.random.default_rng(5)
    ability = random.normal(size=60)
    data = pd.DataFrame({f"i{k}": ability + random.normal(size=60) for k in range(6)}).round()
    result = analyze(data.assign(person=np.arange(60), age=random.integers(18, 60, 60)))
    (named,) = [one.where for one in result.diagnostics if one.code == "columns_unlike_items"]
    assert named == ("person", "age")
    assert all(one.code != "columns_unlike_items" for one in analyze(data).diagnostics)
