"""All pairs at once say what `all_pairs` says pair by pair."""

from __future__ import annotations

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
