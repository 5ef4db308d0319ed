"""Rounds that remove all tasks at once: which task goes for which reason, and which may stay."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gfactor.psychometrics.gold.model import pool_of
from gfactor.psychometrics.pls import PLSModel
from gfactor.psychometrics.pruning.stack import PruningRules, _all_at_once, _one

MODEL = PLSModel.of(
    {"A": ["a1", "a2", "a3", "a4"], "B": ["b1", "b2", "b3"], "H": ["h"]}, [("A", "H"), ("B", "H")]
)
POOL = pool_of(MODEL)
ALIVE = np.ones((1, 8), bool)


def removed(step: Any, vif: list[float], loading: list[float], **rules: Any) -> list[tuple]:
    found = step(np.array([vif]), np.array([loading]), ALIVE, POOL, PruningRules(**rules))
    return [(MODEL.columns[task], reason, value) for _, task, reason, value in found]


def test_a_task_goes_once_and_the_floor_counts_what_is_left() -> None:
    vif = [9.0, 6, 1, 1, 7, 1, 1, 1]
    loading = [0.5, 0.9, 0.6, 0.7, 0.5, 0.6, 0.9, 0.1]
    found = removed(_all_at_once, vif, loading, order="all")
    # A loses both redundant tasks and then has as few as the floor; B loses b1, then none may go.
    assert found == [("a1", "vif", 9.0), ("a2", "vif", 6.0), ("b1", "vif", 7.0)]
    one = removed(_all_at_once, vif, loading, order="all", floor=1)
    assert one == [*found, ("a3", "loading", 0.6), ("b2", "loading", 0.6)]
    assert removed(_all_at_once, vif, loading, order="all", floor=4) == []


def test_where_not_all_may_go_those_closest_to_the_limit_stay() -> None:
    flat = [1.0] * 8
    loading = [0.5, 0.3, 0.7, 0.6, 0.1, 0.2, 0.74, 0.0]
    found = removed(_all_at_once, flat, loading, order="all")
    assert found == [("a2", "loading", 0.3), ("a1", "loading", 0.5), ("b1", "loading", 0.1)]
    vif = [6.0, 8, 7, 9, 1, 1, 1, 1]
    found = removed(_all_at_once, vif, [0.9] * 8, order="all")
    assert found == [("a4", "vif", 9.0), ("a2", "vif", 8.0)]


def test_limits_themselves_are_kept() -> None:
    at_limit = ([5.0] * 8, [0.75] * 8)
    assert removed(_all_at_once, *at_limit, order="all") == []
    assert removed(_one, *at_limit) == []


def test_one_at_a_time_redundancy_goes_first_and_ties_by_loading() -> None:
    vif = [10.0, 9.6, 9.4, 1, 1, 1, 1, 1]
    loading = [0.9, 0.8, 0.7, 0.1, 0.1, 0.9, 0.9, 0.9]
    assert removed(_one, vif, loading) == [("a2", "vif", 9.6)]
    assert removed(_one, vif, loading, near=0.1) == [("a3", "vif", 9.4)]
    assert removed(_one, vif, loading, near=0.0) == [("a1", "vif", 10.0)]
    assert removed(_one, vif, loading, floor=4) == []
    weak = removed(_one, [1.0] * 8, loading)
    assert weak == [("a4", "loading", 0.1)]
    assert removed(_one, [1.0] * 8, [0.9] * 8) == []


def test_an_anchor_is_never_removed() -> None:
    assert POOL.prunable.tolist() == [True] * 7 + [False]
    loading = [0.9] * 7 + [0.0]
    for step in (_one, _all_at_once):
        assert removed(step, [1.0] * 7 + [99.0], loading, floor=1) == []


@pytest.mark.parametrize("order", ["one", "all"])
def test_the_sentence_of_the_rules_has_their_numbers(order: Any) -> None:
    said = PruningRules(vif=3.5, loading=0.6, floor=3, order=order).sentence()
    assert "VIF above 3.5, then loading below 0.6, at least 3 tasks kept" in said
