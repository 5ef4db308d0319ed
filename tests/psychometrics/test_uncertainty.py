"""Intervals have the published values and cover what they claim."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from gfactor.errors import ParameterError
from gfactor.psychometrics import (
    cluster_bootstrap,
    cluster_t,
    cluster_t_counts,
    jeffreys,
    paired_bootstrap,
    wilson,
)

counts = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    [
        # Newcombe 1998, Statistics in Medicine 17, 857-872, table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_has_newcombes_published_values(k: int, n: int, low: float, high: float) -> None:
    assert np.allclose(wilson(k, n), (low, high), atol=5e-5)


@given(counts)
def test_wilson_solves_the_score_equation(case: tuple[int, int]) -> None:
    k, n = case
    z = stats.norm.ppf(0.975)
    for end in wilson(k, n):
        if 0 < end < 1:
            assert abs((k / n - end) ** 2 - z**2 * end * (1 - end) / n) < 1e-9


@given(counts)
def test_intervals_hold_the_estimate_and_stay_within_0_and_1(case: tuple[int, int]) -> None:
    k, n = case
    for low, high in (wilson(k, n), jeffreys(k, n)):
        assert 0 <= low <= k / n <= high <= 1


def test_jeffreys_is_the_betas_interval_with_closed_ends() -> None:
    low, high = jeffreys([0, 5, 20], 20)
    assert low[0] == 0
    assert high[2] == 1
    assert np.isclose(low[1], stats.beta.ppf(0.025, 5.5, 15.5))
    assert np.isclose(high[1], stats.beta.ppf(0.975, 5.5, 15.5))


def test_nothing_asked_has_no_interval() -> None:
    for interval in (wilson, jeffreys):
        low, high = interval([0, 1], [0, 2])
        assert np.isnan([low[0], high[0]]).all()
        assert np.isfinite([low[1], high[1]]).all()


def test_wilson_covers_what_it_claims_where_the_normal_interval_does_not() -> None:
    n, p = 50, 0.97
    k = np.arange(n + 1)
    weight = stats.binom.pmf(k, n, p)
    low, high = wilson(k, n)
    half = 1.96 * np.sqrt(k / n * (1 - k / n) / n)
    assert weight[(low <= p) & (p <= high)].sum() > 0.93  # exact, no chance involved
    assert weight[(k / n - half <= p) & (p <= k / n + half)].sum() < 0.80


def test_a_cluster_interval_covers_where_the_naive_one_does_not() -> None:
    # 1,000 studies of 8 domains x 25 items; domain means have SD 0.2. If the coverage is 95 %,
    # fewer than 925 hits of 1,000 happen in 0.03 % of runs.
    rng = np.random.default_rng(5)
    domains = np.repeat(np.arange(8), 25)
    hits = naive = 0
    for _ in range(1000):
        values = rng.normal(0.5, 0.2, 8)[domains] + rng.normal(0, 0.3, domains.size)
        found = cluster_t(values, domains)
        hits += found.low <= 0.5 <= found.high
        half = 1.96 * values.std(ddof=1) / np.sqrt(values.size)
        naive += abs(values.mean() - 0.5) <= half
    assert hits >= 925
    assert naive < 700


def test_the_cluster_interval_of_balanced_clusters_is_the_t_interval_of_their_means() -> None:
    values = np.array([1.0, 3.0, 2.0, 6.0, 5.0, 7.0])
    found = cluster_t(values, ["a", "a", "b", "b", "c", "c"])
    means = np.array([2.0, 4.0, 6.0])
    half = stats.t.ppf(0.975, 2) * means.std(ddof=1) / np.sqrt(3)
    assert np.allclose([found.mean, found.low, found.high], [4, 4 - half, 4 + half])
    assert (found.n, found.clusters) == (6, 3)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=6))
def test_counts_give_the_same_cluster_interval_as_single_answers(
    cells: list[tuple[int, int]],
) -> None:
    right, wrong = np.array(cells).T
    answers = np.concatenate([np.r_[np.ones(k), np.zeros(w)] for k, w in cells])
    groups = np.repeat(np.arange(len(cells)), right + wrong)
    low, high = cluster_t_counts(right[None], (right + wrong)[None])
    found = cluster_t(answers, groups)
    assert np.allclose([low[0], high[0]], [found.low, found.high], equal_nan=True)


def test_one_cluster_has_a_mean_and_no_interval() -> None:
    for mean_of in (cluster_t, cluster_bootstrap):
        found = mean_of([1, 0, 1, np.nan], ["a"] * 4)
        assert (found.mean, found.n, found.clusters) == (pytest.approx(2 / 3), 3, 1)
        assert np.isnan([found.low, found.high, found.se]).all()
        assert np.isnan(mean_of([np.nan], ["a"]).mean)


def test_one_cluster_has_a_mean_but_no_interval() -> None:
    found = cluster_t([1, 0, 1], ["a"] * 3)
    assert np.isclose(found.mean, 2 / 3)
    assert np.isnan([found.low, found.high, found.se]).all()
    assert np.isnan(cluster_bootstrap([1, 0], ["a", "a"]).low)
    assert np.isnan(cluster_t([np.nan], ["a"]).mean)


def test_the_bootstrap_agrees_with_t_for_many_clusters_and_repeats_with_its_seed() -> None:
    rng = np.random.default_rng(2)
    groups = np.repeat(np.arange(60), 5)
    values = rng.normal(0, 1, 60)[groups] + rng.normal(0, 1, 300)
    t, boot = cluster_t(values, groups), cluster_bootstrap(values, groups, seed=3)
    assert abs(boot.low - t.low) < 0.1 * (t.high - t.low)
    assert abs(boot.high - t.high) < 0.1 * (t.high - t.low)
    assert boot == cluster_bootstrap(values, groups, seed=3)
    assert boot != cluster_bootstrap(values, groups, seed=4)


def test_a_paired_comparison_is_sharper_than_two_single_ones() -> None:
    rng = np.random.default_rng(4)
    easy = rng.random(300)
    first = (rng.random(300) < np.clip(easy + 0.1, 0, 1)).astype(float)
    second = np.where(rng.random(300) < 0.9, first, 1 - first)
    paired = paired_bootstrap(first, second)
    single = cluster_t(first, np.arange(300))
    assert np.isclose(paired.mean, first.mean() - second.mean())
    assert paired.high - paired.low < single.high - single.low


def test_impossible_requests_are_refused() -> None:
    with pytest.raises(ParameterError, match="between 0 and the number asked"):
        wilson(3, 2)
    with pytest.raises(ParameterError, match="level"):
        wilson(1, 2, level=95)
    with pytest.raises(ParameterError, match="same items"):
        paired_bootstrap([1, 0], [1])
    with pytest.raises(ParameterError, match="one entry per observation"):
        cluster_t([1, 0], ["a"])
