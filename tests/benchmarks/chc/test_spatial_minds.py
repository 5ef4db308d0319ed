"""Limited observers of the spatial families err more where memory or steps of thought run out."""

from __future__ import annotations

import pytest
from support.limited_minds import accuracy, drawn
from support.tiers import few

SHARP = {"acuity": 10, "contrast": 10}


@pytest.mark.parametrize(
    ("family", "easy", "hard"),
    few(
        [
            ("cube_nets", {"directed": 0}, {"directed": 6}),
            ("closure", {"noise": 0, "strokes": 6}, {"noise": 12, "strokes": 10}),
            ("map_planning", {"houses": 4, "detour": 0}, {"houses": 8, "detour": 2}),
            ("form_board", {"squares": 8}, {"squares": 15}),
            ("symmetry_axes", {"grid": 4, "broken": 3}, {"grid": 8, "broken": 1}),
        ],
        1,
    ),
)
def test_a_small_memory_costs_more_where_more_must_be_held(
    family: str, easy: dict, hard: dict
) -> None:
    few = accuracy(drawn(family, 8, **easy), capacity=4, **SHARP)
    many = accuracy(drawn(family, 8, **hard), capacity=4, **SHARP)
    assert few > many + 0.15, (few, many)


@pytest.mark.parametrize(
    ("family", "easy", "hard", "hypotheses"),
    few(
        [
            ("rotation_2d", {"angle": 45}, {"angle": 180}, 15),
            ("rotation_3d", {"angle": 90}, {"angle": 180}, 40),
            ("cube_comparison", {"angle": 90}, {"angle": 180}, 40),
            ("map_planning", {"crossings": 4}, {"crossings": 6}, 15),
            ("maze_costs", {"grid": 4, "detour": 0}, {"grid": 6, "detour": 0}, 20),
        ],
        1,
    ),
)
def test_few_steps_of_thought_cost_more_where_the_way_is_long(
    family: str, easy: dict, hard: dict, hypotheses: int
) -> None:
    limits = {"capacity": 1000, "hypotheses": hypotheses, **SHARP}
    short = accuracy(drawn(family, 8, **easy), **limits)
    long = accuracy(drawn(family, 8, **hard), **limits)
    assert short > long + 0.2, (short, long)


@pytest.mark.slow
def test_a_key_among_the_first_options_is_not_easier_where_few_steps_are_taken() -> None:
    items = drawn("cube_nets", 16)
    early, late = (
        accuracy([one for one in items if str(one.target) in letters], hypotheses=6, **SHARP)
        for letters in ("AB", "CD")
    )
    assert abs(early - late) < 0.14, (early, late)
