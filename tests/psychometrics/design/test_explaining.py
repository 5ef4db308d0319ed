"""A gap shared out: Shapley's value where all settings are known, less where they are not."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pandas as pd
import pytest

from gfactor.errors import ParameterError
from gfactor.psychometrics import Sampling
from gfactor.psychometrics.inference.explaining import (
    asked_again,
    share_row,
    shares_of_gap,
    standard_error,
)
from gfactor.psychometrics.inference.paired import ComparisonSettings, infer_claim


def table(scores: np.ndarray) -> pd.DataFrame:
    return pd.DataFrame({"earned": np.asarray(scores, float), "possible": 1.0})


def all_states(factors: str, seed: int = 1, n: int = 30) -> dict[frozenset[str], pd.DataFrame]:
    rng = np.random.default_rng(seed)
    return {
        frozenset(chosen): table(rng.random(n) < 0.3 + 0.1 * len(chosen))
        for size in range(len(factors) + 1)
        for chosen in combinations(factors, size)
    }


def test_with_all_settings_known_shares_are_shapleys() -> None:
    states = all_states("abc")
    found = shares_of_gap(states, list("abc"))
    mean = {state: one["earned"].mean() for state, one in states.items()}
    for factor in "abc":
        steps = []
        for order in permutations("abc"):
            before = frozenset(order[: order.index(factor)])
            steps.append(mean[before] - mean[before | {factor}])
        assert found[factor].estimate == pytest.approx(np.mean(steps))
        assert found[factor].method == "all orders"
    total = sum(share.estimate for share in found.values())
    assert total == pytest.approx(mean[frozenset()] - mean[frozenset("abc")])


def test_with_some_settings_unknown_the_known_orders_count() -> None:
    states = all_states("abc")
    mean = {state: one["earned"].mean() for state, one in states.items()}
    known = {s: states[s] for s in map(frozenset, ("", "a", "ab", "abc"))}
    found = shares_of_gap(known, list("abc"))
    assert found["b"].estimate == pytest.approx(mean[frozenset("a")] - mean[frozenset("ab")])
    known = {s: states[s] for s in map(frozenset, ("", "a", "abc", "bc"))}
    found = shares_of_gap(known, list("abc"))
    assert set(found) == {"a", "b + c", "rest"}
    one = mean[frozenset("")] - mean[frozenset("bc")]
    other = mean[frozenset("a")] - mean[frozenset("abc")]
    assert found["b + c"].estimate == pytest.approx((one + other) / 2)
    assert found["b + c"].method == "not separable"


def test_what_is_not_known_apart_is_told_apart_by_the_items_concerned() -> None:
    """60 of 100 images altered (-.3), everything decoded otherwise (-.1)."""
    altered = np.repeat([1.0, 0.0], [60, 40])
    first = np.full(100, 0.9)
    second = first - 0.3 * altered - 0.1
    states = {frozenset[str](): table(first), frozenset({"images", "decoding"}): table(second)}
    found = shares_of_gap(states, ["images", "decoding"], {"images": altered})
    assert found["images"].estimate == pytest.approx(0.18)
    assert found["decoding"].estimate == pytest.approx(0.1)
    assert found["rest"].estimate == pytest.approx(0)
    assert found["images"].method == "matched items"
    together = shares_of_gap(states, ["images", "decoding"])
    assert together["images + decoding"].estimate == pytest.approx(0.28)


def test_items_that_no_setting_concerns_are_the_rest() -> None:
    altered = np.repeat([1.0, 0.0], [50, 50])
    second = np.where(altered == 1, 0.5, 0.8)
    states = {frozenset[str](): table(np.full(100, 0.9)), frozenset({"images"}): table(second)}
    found = shares_of_gap(states, ["images"], {"images": altered})
    assert found["images"].estimate == pytest.approx(0.2)
    assert found["rest"].estimate == pytest.approx(0.05)
    assert np.nansum(found["rest"].contributions) == pytest.approx(0.05)


@pytest.mark.slow
def test_intervals_of_shares_cover_in_95_of_100_populations() -> None:
    """Images (60 % of items altered), decoding, and extraction, re-scored in both orders."""
    rng, truth = np.random.default_rng(5), {}
    covered = dict.fromkeys(("images", "decoding", "extraction"), 0)
    runs, n = 300, 250
    truth = {
        "images": 0.6 * 0.25 * 0.9,
        "decoding": 0.1 * 0.9,
        "extraction": 0.2 * (0.8 + 0.55) / 2,
    }
    for _ in range(runs):
        altered = (rng.random(n) < 0.6).astype(float)
        right = rng.random(n) < 0.8, rng.random(n) < 0.7 - 0.25 * altered
        formatted = rng.random(n) < 0.8, rng.random(n) < 0.8
        both = frozenset({"images", "decoding"})
        states = {
            frozenset[str](): table(right[0]),
            frozenset({"extraction"}): table(right[0] & formatted[0]),
            both: table(right[1]),
            both | {"extraction"}: table(right[1] & formatted[1]),
        }
        found = shares_of_gap(states, ["images", "decoding", "extraction"], {"images": altered})
        for name in covered:
            row = share_row(found[name], None, 0.95)
            covered[name] += row["ci_lower"] <= truth[name] <= row["ci_upper"]
    # Binomial(300, .95) lies outside of 272 to 297 in less than 0.5 % of cases.
    assert all(272 <= count <= 297 for count in covered.values()), covered


def test_points_weigh_and_missing_answers_are_left_out() -> None:
    earned = pd.DataFrame({"earned": [2.0, 0.0, np.nan], "possible": [2.0, 1.0, 1.0]})
    other = pd.DataFrame({"earned": [1.0, 0.0, 1.0], "possible": [2.0, 1.0, 1.0]})
    found = shares_of_gap({frozenset[str](): earned, frozenset({"x"}): other}, ["x"])
    assert found["x"].estimate == pytest.approx(2 / 3 - 2 / 4)


def test_clusters_widen_a_standard_error() -> None:
    influence = np.repeat([0.01, -0.01], 10)
    alone, _ = standard_error(influence)
    clustered, count = standard_error(influence, np.repeat(["a", "b"], 10))
    assert alone == pytest.approx(np.sqrt(20 / 19 * 20 * 0.0001))
    assert clustered == pytest.approx(np.sqrt(2 * 2 * 0.1**2))
    assert count == 2


def test_a_share_that_is_the_same_on_every_item_has_tangos_interval() -> None:
    found = shares_of_gap(
        {frozenset[str](): table(np.ones(20)), frozenset({"x"}): table(np.zeros(20))}, ["x"]
    )
    row = share_row(found["x"], None, 0.95)
    assert row["estimate"] == 1
    assert 0.6 < row["ci_lower"] < 0.9


def test_sampling_error_is_what_asking_again_gives() -> None:
    """Equal runs: the range holds their difference in 95 of 100; unequal ones leave a part."""
    rng, inside = np.random.default_rng(6), 0
    for _ in range(400):
        p = rng.beta(1, 1, 200)
        d = (rng.random(200) < p).astype(float) - (rng.random(200) < p)
        sampling, beyond = asked_again(d.mean(), d / 200)
        inside += beyond["estimate"] == 0
        assert sampling["estimate"] + beyond["estimate"] == pytest.approx(d.mean())
    assert 0.92 <= inside / 400 <= 0.98
    worse = np.where(rng.random(200) < 0.2, 1.0, 0.0)
    sampling, beyond = asked_again(worse.mean(), worse / 200)
    assert beyond["ci_lower"] > 0
    assert 0 < sampling["estimate"] < worse.mean()


def test_the_scores_under_both_own_settings_are_needed() -> None:
    with pytest.raises(ParameterError, match="own settings"):
        shares_of_gap({frozenset[str](): table(np.ones(3))}, ["x"])
    empty = table(np.full(3, np.nan))
    with pytest.raises(ParameterError, match="no matched item"):
        shares_of_gap({frozenset[str](): empty, frozenset({"x"}): empty}, ["x"])


@pytest.mark.parametrize("claim", ["same-domains", "other-domains"])
def test_a_share_of_right_and_wrong_has_the_interval_of_the_paired_difference(claim: str) -> None:
    """Seven of eight items are lost; the interval of t would end above 1."""
    first, second = np.array([1.0] * 7 + [0.0]), np.zeros(8)
    states = {frozenset[str](): table(first), frozenset({"prompt"}): table(second)}
    share = shares_of_gap(states, ["prompt"])["prompt"]
    sampling = Sampling.of(claim, 8, domains=list("aabbccdd"))
    row = share_row(share, sampling, 0.95)
    paired = infer_claim(first - second, sampling, ComparisonSettings(), binary=True)
    assert row["ci_lower"] == pytest.approx(paired.low)
    assert row["ci_upper"] == pytest.approx(min(paired.high, 1.0))
    assert row["se"] == pytest.approx(paired.se)
    assert row["ci_lower"] < row["estimate"] < row["ci_upper"] <= 1


def test_an_interval_of_graded_differences_ends_at_1() -> None:
    states = {frozenset[str](): table(np.ones(4)), frozenset({"x"}): table([0.0, 0, 0, 0.5])}  # type: ignore[arg-type]
    row = share_row(shares_of_gap(states, ["x"])["x"], None, 0.95)
    assert row["ci_lower"] < 0.875 < row["ci_upper"] == 1
