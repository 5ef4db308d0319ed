"""Paired differences: known values, what they must not depend on, coverage and false alarms."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats

from gfactor.errors import ParameterError
from gfactor.psychometrics import all_pairs, difference, paired_bootstrap
from gfactor.psychometrics.inference.paired import Method, mcnemar_exact, tango

A = [1, 0, 1, 1, 0.5, 0, 1, 1, 0, 1, 1, 0.25]
B = [0, 0, 1, 0.5, 0.5, 1, 0, 1, 0, 0, 1, 0]
GROUPS = list("aaabbbbccdde")


@st.composite
def paired(draw: st.DrawFn, *, binary: bool = False) -> tuple[Any, Any, list[str]]:
    """Two runs with gaps on the same items, and the clusters of these."""
    n = draw(st.integers(4, 40))
    cell = st.sampled_from([0.0, 1.0, np.nan] if binary else [0.0, 0.25, 0.5, 1.0, np.nan])
    runs = [np.array(draw(st.lists(cell, min_size=n, max_size=n))) for _ in range(2)]
    return runs[0], runs[1], draw(st.lists(st.sampled_from("uvwxyz"), min_size=n, max_size=n))


def two_by_two(both: int, first: int, second: int, none: int) -> tuple[list[int], list[int]]:
    a = [1] * (both + first) + [0] * (second + none)
    b = [1] * both + [0] * first + [1] * second + [0] * none
    return a, b


# Known values -----------------------------------------------------------------------------------


def test_the_cluster_robust_t_is_that_of_regression() -> None:
    """statsmodels 0.15.0: OLS(d, ones).fit(cov_type="cluster", use_t=True)."""
    found = difference(A, B, GROUPS)
    assert (found.method, found.n, found.clusters) == ("t", 12, 5)
    assert_allclose(found.estimate, 0.2291666666666667)
    assert_allclose(found.se, 0.08203010177032956)
    assert_allclose(found.p, 0.049126680691358025)
    assert_allclose([found.low, found.high], [0.0014145921275583728, 0.456918741205775])


def test_graded_scores_without_clusters_get_the_paired_t() -> None:
    found, known = difference(A, B), stats.ttest_rel(A, B)
    assert (found.method, found.clusters) == ("t", 12)
    assert_allclose(found.p, known.pvalue)
    interval = known.confidence_interval(0.95)
    assert_allclose(found.low, np.asarray(interval.low))
    assert_allclose(found.high, np.asarray(interval.high))
    assert_allclose(found.effect, np.asarray(known.statistic) / np.sqrt(12))


def test_right_and_wrong_get_mcnemar_and_tango() -> None:
    """Fagerland, Lydersen and Laake (2014), table II: 1, 1, 7 and 12 children."""
    found = difference(*two_by_two(1, 1, 7, 12))
    assert (found.method, found.wins, found.losses, found.n) == ("exact", 1, 7, 21)
    assert_allclose(found.estimate, -6 / 21)
    assert_allclose(found.p, 2 * (1 + 8) / 2**8)
    assert_allclose([found.low, found.high], [-0.517, -0.026], atol=5e-4)


@pytest.mark.parametrize(("b", "c"), [(0, 0), (1, 0), (10, 2), (12, 12), (3, 40)])
def test_mcnemar_is_the_binomial_test_of_the_disagreements(b: int, c: int) -> None:
    expected = stats.binomtest(b, b + c).pvalue if b + c else 1.0
    assert_allclose(mcnemar_exact(b, c), expected)


def test_tango_without_disagreements_has_its_closed_form() -> None:
    z2 = float(stats.norm.ppf(0.975)) ** 2
    assert_allclose(tango(0, 0, 50), [-z2 / (50 + z2), z2 / (50 + z2)], rtol=1e-6)
    assert_allclose(tango(50, 0, 50), [(50 - z2) / (50 + z2), 1], rtol=1e-6)


@pytest.mark.parametrize("clusters", [None, GROUPS])
def test_the_bootstrap_interval_is_that_of_resampled_pairs(clusters: list[str] | None) -> None:
    order = np.argsort(np.subtract(A, B))
    a, b = np.array(A)[order], np.array(B)[order]
    groups = None if clusters is None else np.array(clusters)[order]
    found = difference(a, b, groups, method="bootstrap", seed=4)
    known = paired_bootstrap(a, b, groups, seed=4)
    assert_allclose([found.low, found.high, found.se], [known.low, known.high, known.se])


def test_the_bootstrap_p_is_the_level_that_just_reaches_zero() -> None:
    a, b, clusters = nested_runs(np.random.default_rng(6), 15, 8)
    p = difference(a, b, clusters, method="bootstrap").p
    assert 0.1 < p < 0.9
    inner, outer = (
        difference(a, b, clusters, method="bootstrap", level=level)
        for level in (1 - p - 0.02, 1 - p + 0.02)
    )
    assert not inner.low <= 0 <= inner.high
    assert outer.low <= 0 <= outer.high


# What is left out, and what cannot be known -----------------------------------------------------


def test_items_are_matched_by_name_and_unpaired_ones_counted() -> None:
    first = pd.Series({"i": 1.0, "j": 0.0, "k": 1.0, "m": np.nan}, name="gpt")
    second = pd.Series({"k": 0.0, "j": 0.0, "m": 1.0, "x": 1.0, "y": 1.0}, name="llama")
    found = difference(first, second)
    assert (found.first, found.second, found.n) == ("gpt", "llama", 2)
    assert (found.first_only, found.second_only, found.wins) == (1, 3, 1)
    assert (found.mean_first, found.mean_second, found.estimate) == (0.5, 0.0, 0.5)
    assert "4 items left out" in found.summary()


def test_clusters_are_looked_up_by_item() -> None:
    items = [f"i{k}" for k in range(12)]
    a, b = pd.Series(A, items), pd.Series(B, items)
    shuffled = pd.Series(GROUPS, items).sample(frac=1, random_state=1)
    assert difference(a, b, shuffled).se == difference(A, B, GROUPS).se


def test_clusters_without_spread_never_get_an_interval_without_width() -> None:
    same = difference([1] * 40, [1] * 40, list("abcd") * 10)
    assert same.p == 1
    assert same.low < -0.3 < 0.3 < same.high, "four clusters that agree are little evidence"
    apart = difference([1] * 40, [0] * 40, list("abcdefgh") * 5)
    assert apart.p == 2.0**-7
    assert 0 < apart.low < apart.high == 1


@pytest.mark.parametrize("method", ["t", "bootstrap"])
def test_differences_that_are_equal_but_for_rounding_have_no_spread(method: Method) -> None:
    first, second = [0.5, 0.7, 0.9], [0.25, 0.45, 0.65]
    assert 0 < np.std(np.subtract(first, second)) < 1e-15
    exact = difference([0.5, 0.75, 1.0], [0.25, 0.5, 0.75], method=method)
    for size in (1.0, 1e6):
        found = difference(np.multiply(first, size), np.multiply(second, size), method=method)
        assert found.se == 0
        assert found.p == exact.p == 0.25
        assert np.isnan(found.effect)
    assert difference(first, second, method=method).low == pytest.approx(exact.low, rel=1e-9)


def test_scores_that_are_equal_but_for_rounding_are_no_win() -> None:
    found = difference([0.1 + 0.2, 0.5, 0.25], [0.3, 0.75, 0.0], method="t")
    assert (found.wins, found.losses) == (1, 1)


def test_what_cannot_be_known_is_none_in_json() -> None:
    one_cluster = difference(A, B, ["same"] * 12)
    nothing = difference([np.nan, 1], [1, np.nan])
    assert np.isnan([one_cluster.p, one_cluster.low, nothing.p, nothing.estimate]).all()
    for found in (one_cluster, nothing):
        text = json.dumps(found.to_dict(), allow_nan=False)
        assert json.loads(text)["p"] is None


def test_the_clusters_are_shown_one_by_one() -> None:
    table = difference(A, B, GROUPS).by_cluster
    assert list(table["n"]) == [3, 4, 2, 2, 1]
    assert_allclose(table["difference"], [1 / 3, 0.125, 0, 0.5, 0.25])


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        (([1, 0], [1]), {}),
        (([1, np.inf], [1, 0]), {}),
        ((pd.Series([1, 0], ["i", "i"]), pd.Series([1, 0])), {}),
        (([1, 0], [1, 0], ["a"]), {}),
        ((pd.Series([1, 0]), pd.Series([1, 0]), pd.Series({0: "a"})), {}),
        (([1, 0], [1, 0]), {"method": "guess"}),
        (([1, 0], [1, 0]), {"level": 1.0}),
        (([1, 0.5], [1, 0]), {"method": "exact"}),
        (([1, 0], [1, 0], ["a", "b"]), {"method": "exact"}),
        (([1, 0], [1, 0]), {"n_bootstrap": 0}),
    ],
)
def test_what_cannot_be_compared_is_refused(arguments: Any, options: Any) -> None:
    with pytest.raises(ParameterError):
        difference(*arguments, **options)


def test_a_table_needs_two_runs_and_names_that_differ() -> None:
    with pytest.raises(ParameterError, match="at least two"):
        all_pairs(pd.DataFrame({"a": [1, 0]}))
    with pytest.raises(ParameterError, match="twice"):
        all_pairs(pd.DataFrame([[1, 0]], columns=["a", "a"]))


# What the result must not depend on -------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize("method", ["t", "bootstrap"])
@settings(max_examples=20)
@given(data=paired())
def test_swapping_the_runs_of_clustered_items_flips_the_sign(method: Method, data: Any) -> None:
    a, b, clusters = data
    there, back = (
        difference(*d, clusters, method=method, n_bootstrap=50) for d in ((a, b), (b, a))
    )
    assert_allclose([there.estimate, there.effect], [-back.estimate, -back.effect], atol=1e-12)
    assert_allclose([there.low, there.high], [-back.high, -back.low], atol=1e-9)
    assert_allclose(there.p, back.p, atol=1e-12)
    assert (there.wins, there.first_only) == (back.losses, back.second_only)


@pytest.mark.thorough
@settings(max_examples=25)
@given(paired(binary=True))
def test_swapping_right_and_wrong_flips_the_sign(data: Any) -> None:
    a, b, _ = data
    there, back = difference(a, b), difference(b, a)
    assert_allclose([there.low, there.high], [-back.high, -back.low], atol=1e-9)
    assert_allclose([there.estimate, there.p], [-back.estimate, back.p])


@pytest.mark.thorough
@pytest.mark.parametrize("method", ["t", "bootstrap"])
@pytest.mark.parametrize("nested", [True, False])
@settings(max_examples=12)
@given(data=paired(), seed=st.integers(0, 99))
def test_the_order_of_items_changes_nothing(
    method: Method, nested: bool, data: Any, seed: int
) -> None:
    a, b, clusters = data
    order = np.random.default_rng(seed).permutation(len(a))
    groups = np.array(clusters) if nested else None
    moved = None if groups is None else groups[order]
    one = difference(a, b, groups, method=method, n_bootstrap=50)
    other = difference(a[order], b[order], moved, method=method, n_bootstrap=50)
    for name in ("estimate", "low", "high", "se", "p", "effect"):
        assert_allclose(getattr(one, name), getattr(other, name), atol=1e-9, err_msg=name)


@pytest.mark.thorough
@given(paired())
def test_the_estimate_is_the_difference_of_the_paired_means(data: Any) -> None:
    a, b, clusters = data
    found = difference(a, b, clusters)
    assert found.n == np.count_nonzero(~np.isnan(a) & ~np.isnan(b))
    if found.n:
        assert_allclose(found.estimate, found.mean_first - found.mean_second, atol=1e-12)
    if not np.isnan(found.low):
        assert found.low - 1e-9 <= found.estimate <= found.high + 1e-9
        assert 0 <= found.p <= 1


@pytest.mark.thorough
@settings(max_examples=15)
@given(paired())
def test_a_row_of_the_table_is_the_single_comparison(data: Any) -> None:
    a, b, clusters = data
    scores = pd.DataFrame({"a": a, "b": b, "c": np.where(np.isnan(a), 0, a)})
    row = all_pairs(scores, clusters).table.iloc[0]
    alone = difference(scores["a"], scores["b"], pd.Series(clusters))
    for name in ("estimate", "low", "high", "p", "n", "first_only", "wins"):
        assert_allclose(row[name], getattr(alone, name))


def test_all_pairs_are_adjusted_together() -> None:
    rng = np.random.default_rng(2)
    scores = pd.DataFrame(rng.random((200, 4)) < [0.9, 0.7, 0.5, 0.5], columns=list("wxyz"))
    found = all_pairs(scores.astype(float))
    assert list(found.table["first"] + found.table["second"]) == [
        "wx",
        "wy",
        "wz",
        "xy",
        "xz",
        "yz",
    ]
    assert np.all(found.table["p_holm"].to_numpy() >= found.table["p"].to_numpy())
    assert_allclose(found.table["p_fdr"], stats.false_discovery_control(found.table["p"]))
    assert found.summary() == "4 runs, 6 pairs, 5 of which differ (Holm, level 0.95)"
    json.dumps(found.to_dict(), allow_nan=False)


# Simulated rates --------------------------------------------------------------------------------


def test_mcnemar_gives_no_more_false_alarms_than_it_says() -> None:
    """40 items, 5000 draws; the bound allows 3 s.e. above 5 %."""
    rng = np.random.default_rng(21)
    counts = rng.multinomial(40, [0.5, 0.15, 0.15, 0.2], 5000)
    alarms = np.mean([mcnemar_exact(int(b), int(c)) < 0.05 for _, b, c, _ in counts])
    assert alarms < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 5000)


@pytest.mark.thorough
@pytest.mark.parametrize("cells", [(0.5, 0.2, 0.1, 0.2), (0.93, 0.04, 0.01, 0.02)])
def test_tango_covers_what_it_says(cells: tuple[float, ...]) -> None:
    """60 items, 1000 draws: 95 % give or take 3 s.e. and 1 % for the discreteness of counts."""
    counts = np.random.default_rng(22).multinomial(60, cells, 1000)
    ends = np.array([tango(b, c, 60) for _, b, c, _ in counts])
    truth = cells[1] - cells[2]
    covered = np.mean((ends[:, 0] <= truth) & (truth <= ends[:, 1]))
    assert abs(covered - 0.95) < 0.01 + 3 * np.sqrt(0.05 * 0.95 / 1000)


def nested_runs(rng: np.random.Generator, groups: int, each: int) -> tuple[Any, Any, Any]:
    """Two equally able runs that differ by domain: sometimes one is better, sometimes the other."""
    clusters = np.repeat(np.arange(groups), each)
    lean = rng.normal(0, 0.2, groups)[clusters]
    first, second = np.clip(0.5 + lean, 0, 1), np.clip(0.5 - lean, 0, 1)
    x = rng.random((2, groups * each)) < [first, second]
    return x[0].astype(float), x[1].astype(float), clusters


@pytest.mark.slow
def test_the_cluster_t_covers_what_it_says_where_ignoring_clusters_does_not() -> None:
    """12 clusters of 20 items, 400 draws, 95 % give or take 3 s.e.; without clusters under 80 %."""
    rng = np.random.default_rng(23)
    nested, naive = [], []
    for _ in range(400):
        a, b, clusters = nested_runs(rng, 12, 20)
        one, two = difference(a, b, clusters), difference(a, b)
        nested.append(one.low <= 0 <= one.high)
        naive.append(two.low <= 0 <= two.high)
    assert abs(np.mean(nested) - 0.95) < 3 * np.sqrt(0.05 * 0.95 / 400)
    assert np.mean(naive) < 0.8


@pytest.mark.slow
def test_the_cluster_bootstrap_covers_with_forty_clusters() -> None:
    """40 clusters of 5 items, 250 draws: at least 95 % less 1.5 % known shortfall and 3 s.e."""
    rng = np.random.default_rng(24)
    covered = []
    for _ in range(250):
        a, b, clusters = nested_runs(rng, 40, 5)
        found = difference(a, b, clusters, method="bootstrap", n_bootstrap=400)
        covered.append(found.low <= 0 <= found.high)
    assert np.mean(covered) > 0.935 - 3 * np.sqrt(0.05 * 0.95 / 250)
