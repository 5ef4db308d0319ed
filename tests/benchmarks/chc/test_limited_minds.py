"""Limited observers err more where a radical makes items harder: their limits differ in kind."""

from __future__ import annotations

import pytest
from support import chc_families as specimens
from support.limited_minds import accuracy, drawn
from support.tiers import few

from gfactor.examinees.observer import Limited


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "easy", "hard", "hypotheses"),
    few(
        [
            ("matrices", {"kind": "constant", "rules": 1}, {"kind": "logic", "rules": 3}, 16),
            ("figure_series", {"kind": "step", "rules": 1}, {"kind": "cycle", "rules": 3}, 12),
            ("odd_one_out", {"concept": "value"}, {"concept": "relation"}, 12),
            ("number_series", {"rule": "step", "streams": 1}, {"rule": "growing", "streams": 2}, 4),
            ("logical_strokes", {"operation": "or", "turn": 0}, {"operation": "and", "turn": 1}, 6),
            ("letter_series", {"repeats": 1, "streams": 2}, {"repeats": 2, "streams": 3}, 3),
            ("balance_puzzles", {"unknowns": 2}, {"unknowns": 4}, 3),
            ("figure_counts", {"rule": "same"}, {"rule": "growing"}, 4),
            ("number_grids", {"operation": "sum"}, {"operation": "constant"}, 6),
            ("transitive_relations", {"wanted": "end"}, {"wanted": "inner"}, 9),
            ("if_then", {"chain": 1}, {"chain": 4}, 7),
            ("if_then", {"chain": 2, "tollens": 0}, {"chain": 2, "tollens": 2}, 11),
            ("syllogisms", {"premises": 2}, {"premises": 3}, 4),
            ("bills_and_plans", {"kinds": 2, "pieces": 1}, {"kinds": 4, "pieces": 2}, 3),
        ],
        2,
    ),
)
def test_fewer_hypotheses_cost_more_where_rules_are_hard(
    family: str, easy: dict, hard: dict, hypotheses: int
) -> None:
    sees_all = {"acuity": 10, "contrast": 10, "capacity": 1000}
    high = accuracy(drawn(family, 10, **easy), hypotheses=hypotheses, **sees_all)
    low = accuracy(drawn(family, 10, **hard), hypotheses=hypotheses, **sees_all)
    assert high > low + 0.2, (high, low)


@pytest.mark.slow
def test_memory_costs_more_where_more_is_shown() -> None:
    small = accuracy(drawn("matrices", 12, grid=2), acuity=10, contrast=10, capacity=3)
    large = accuracy(drawn("matrices", 12, grid=3), acuity=10, contrast=10, capacity=3)
    assert small > large + 0.15, (small, large)


@pytest.mark.slow
@pytest.mark.parametrize("family", ["figural_analogies", "figure_series"])
def test_rules_take_up_memory_beside_figures(family: str) -> None:
    one = accuracy(drawn(family, 8, rules=1), acuity=10, contrast=10, capacity=2.5)
    three = accuracy(drawn(family, 8, rules=3), acuity=10, contrast=10, capacity=2.5)
    assert one > three + 0.1, (one, three)


@pytest.mark.slow
def test_blur_costs_accuracy() -> None:
    items = list(specimens.items("matrices"))[::3]
    sharp = accuracy(items, acuity=5, contrast=10, capacity=1000)
    blurred = accuracy(items, acuity=0.06, contrast=10, capacity=1000)
    assert sharp == 1
    assert blurred < 0.8


def test_a_limit_that_does_not_bind_leaves_the_name_as_it_was() -> None:
    assert "hypotheses" not in Limited().parameters()
    assert Limited(hypotheses=5).parameters()["hypotheses"] == "5"
    assert Limited.from_parameters({"hypotheses": "5"}) == Limited(hypotheses=5)
