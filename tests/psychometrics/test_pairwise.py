"""All pairs at once say what `all_pairs` says pair by pair."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from gfactor.psychometrics import all_pairs, rank_sets
from gfactor.psychometrics.inference.pairwise import Pairwise, compare_pairs, pair_table


def scores_of(kind: str, items: int = 60, runs: int = 7) -> pd.DataFrame:
    source = np.random.default_rng(5)
    level = np.linspace(0.35, 0.95, runs)
    x = (source.random((items, runs)) < level).astype(float)
    if kind == "graded":
        x = np.round(x * source.random((items, runs)), 2)
    if kind != "whole":
        x[source.random((items, runs)) < 0.1] = np.nan
    x[:, 1] = x[:, 0]
    x[:, 3] = 1.0
    return pd.DataFrame(x, columns=list("abcdefg"))


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["whole", "missing", "graded"])
@pytest.mark.parametrize("groups", [0, 6, 25])
def test_estimates_standard_errors_and_p_are_those_of_each_pair(kind: str, groups: int) -> None:
    scores = scores_of(kind)
    clusters = [str(k % groups) for k in range(len(scores))] if groups else None
    expected = all_pairs(scores, clusters)
    found = compare_pairs(scores, clusters)
    upper = np.triu_indices(7, 1)
    for name in ("estimate", "se", "p", "p_holm", "n", "clusters"):
        np.testing.assert_allclose(
            getattr(found, name)[upper], expected.table[name].to_numpy(float), atol=1e-9,
            err_msg=name,
        )  # fmt: skip
    table = pair_table(found, scores, clusters)
    for name in ("first", "second"):
        assert table[name].tolist() == expected.table[name].tolist()
    for name in ("low", "high", "wins", "losses"):
        np.testing.assert_allclose(table[name], expected.table[name], atol=1e-9, err_msg=name)
    assert found.exact == (set(expected.table["method"]) == {"exact"})


@pytest.mark.parametrize("groups", [0, 6])
def test_rank_sets_are_those_of_rank_sets(groups: int) -> None:
    scores = scores_of("missing", 400)
    clusters = [str(k % groups) for k in range(len(scores))] if groups else None
    expected = rank_sets(all_pairs(scores, clusters), n_bootstrap=1).table
    found = compare_pairs(scores, clusters).rank_sets()
    assert max(found["best"]) > 1
    for name in ("best", "worst"):
        assert dict(found[name]) == dict(expected[name])


@pytest.mark.thorough
@pytest.mark.parametrize("groups", [0, 6])
def test_the_last_bits_of_scores_decide_nothing_about_equal_and_constant_pairs(groups: int) -> None:
    """Equal runs, and one that is 0.25 better on every item, have no spread however additions
    round: every order of items and runs, and scores that differ in the twelfth digit, say so."""
    source = np.random.default_rng(11)
    first = np.round(source.random(60) * 0.7, 2)
    first[source.random(60) < 0.1] = np.nan
    scores = pd.DataFrame(
        {"a": first, "b": first, "c": first + 0.25, "d": np.round(source.random(60), 2)}
    )
    labels = pd.Series([f"c{k % groups}" if groups else f"i{k}" for k in range(60)])

    def table_of(changed: Any) -> Any:
        clusters = labels[changed.index] if groups else None
        table = pair_table(compare_pairs(changed, clusters), changed, clusters)
        expected = all_pairs(changed, clusters).table[table.columns]
        for name in table.columns[2:]:
            np.testing.assert_allclose(table[name], expected[name].astype(float), atol=1e-9)
        table = table.set_index(["first", "second"])
        turned = table.loc[("b", "a")] if ("b", "a") in table.index else table.loc[("a", "b")]
        assert abs(turned["estimate"]) < 1e-9
        assert turned["p"] == 1
        assert turned[["wins", "losses"]].tolist() == [0, 0]
        return table.sort_index(axis=1)

    plain = table_of(scores)
    units = groups or int(np.isfinite(first).sum())
    assert plain.loc[("a", "c"), "p"] == pytest.approx(2.0 ** (1 - units), rel=1e-6)
    assert plain.loc[("a", "b"), "low"] < -0.05  # Tango's interval has width without spread
    moved = table_of(scores * (1 + 1e-12 * source.uniform(-1, 1, scores.shape)))
    pd.testing.assert_frame_equal(moved, plain, rtol=1e-6, atol=1e-9)
    shuffled = table_of(scores.sample(frac=1, random_state=3))
    pd.testing.assert_frame_equal(shuffled, plain, rtol=1e-6, atol=1e-9)
    turned = table_of(scores[["d", "c", "b", "a"]]).rename_axis(["second", "first"])
    for name in ("p", "p_holm", "n"):
        np.testing.assert_allclose(
            [turned.loc[pair[::-1], name] for pair in plain.index], plain[name], atol=1e-9
        )


def test_runs_without_common_items_are_not_ordered() -> None:
    scores = pd.DataFrame({"a": [1.0, 1.0, np.nan, np.nan], "b": [np.nan, np.nan, 0.0, 0.0]})
    found = compare_pairs(scores)
    assert np.isnan(found.p[0, 1])
    assert found.rank_sets()["worst"].tolist() == [2, 2]


def test_ranks_count_the_runs_that_surely_beat_and_are_beaten() -> None:
    estimate = np.array([[0, 0.3, 0.2], [-0.3, 0, -0.1], [-0.2, 0.1, 0]])
    p = np.array([[np.nan, 0.01, 0.25], [0.01, np.nan, 0.9], [0.25, 0.9, np.nan]])
    ones = np.ones((3, 3))
    made = Pairwise(pd.Index(["a", "b", "c"]), estimate, ones, p, ones, ones, p, False)
    assert made.rank_sets(0.5).to_numpy().tolist() == [[1, 1], [2, 3], [2, 3]]
    # An adjusted p of 1 - level is not below it.
    assert made.rank_sets(0.75).to_numpy().tolist() == [[1, 2], [2, 3], [1, 3]]
    assert made.rank_sets().to_numpy().tolist() == [[1, 2], [2, 3], [1, 3]]
    turned = made.ordered(["c", "a", "b"])
    assert list(turned.names) == ["c", "a", "b"]
    assert turned.estimate[0].tolist() == [0, -0.2, 0.1]
