"""Families of memory, speed and executive functions: what they promise besides what all do."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import pytest
from support import chc_families as specimens
from support.tiers import few

from gfactor.benchmarks.chc import FAMILIES, build
from gfactor.benchmarks.percept_v.domain import scene_from_plain
from gfactor.examinees.observer import Limited, observe
from gfactor.items import Item, pixel_hash
from gfactor.items.formats import TURN_END

CLEAR = {"acuity": 10, "contrast": 10, "capacity": 1000}
"""A person with good eyes who holds everything."""


def drawn(family: str, radicals: Mapping[str, int | str], count: int = 16) -> list[Item]:
    (part,) = build.plan(seed=12, families=[family], radicals=radicals, per_cell=count).parts
    return list(part.make())  # pyright: ignore[reportReturnType]


def share_right(items: list[Item], limits: Mapping[str, float]) -> float:
    """Share of the answers of two persons with these limits that are right."""
    shares = []
    for item in items:
        assert item.output_format is not None
        pictures = tuple(image.decode() for image in item.images)
        wanted = item.output_format.render(item.target).split(TURN_END)
        for seed in (1, 2):
            person = Limited(seed=seed, **limits)  # pyright: ignore[reportArgumentType]
            name = str(item.labels["family"])
            given = observe(name, pictures, person(name, pictures)).split(TURN_END)
            pairs = zip(wanted, given, strict=False)
            shares.append(sum(a == b for a, b in pairs) / len(wanted))
    return sum(shares) / len(shares)


Limits = Mapping[str, float]
Levels = Mapping[str, int | str]

MEMORY, TURNS, STEPS = {"capacity": 2.0}, {"retention": 3.0}, {"hypotheses": 14}
"""A memory for two things, one that loses half in three turns, and a thought of few steps."""

CASES: list[tuple[str, Levels, Levels, Limits]] = [
    ("n_back", {"back": 1, "lures": 0}, {"back": 3, "lures": 2}, {"capacity": 1.5}),
    ("n_back", {"back": 1}, {"back": 3}, TURNS),
    ("spatial_span", {"length": 3}, {"length": 6}, MEMORY),
    ("spatial_span", {"presentation": "frames"}, {"presentation": "turns"}, TURNS),
    ("spatial_span", {"order": "forward", "length": 6}, {"order": "backward", "length": 6}, STEPS),
    ("running_span", {"last": 3, "before": 2}, {"last": 6, "before": 6}, MEMORY),
    ("running_span", {"together": 2, "last": 3}, {"together": 1, "last": 3}, TURNS),
    ("updating", {"counters": 2, "updates": 3}, {"counters": 5, "updates": 8}, MEMORY),
    ("updating", {"updates": 3}, {"updates": 8}, TURNS),
    ("paired_associates", {"pairs": 3}, {"pairs": 8}, MEMORY),
    ("paired_associates", {"delay": 1, "pairs": 3}, {"delay": 5, "pairs": 3}, TURNS),
    ("delayed_recognition", {"learned": 2, "delay": 1}, {"learned": 6, "delay": 1}, MEMORY),
    ("delayed_recognition", {"foil": "far", "delay": 1}, {"foil": "near", "delay": 5}, TURNS),
    ("symbol_search", {"targets": 1, "foil": "near"}, {"targets": 2, "foil": "near"}, MEMORY),
    ("symbol_search", {"rows": 4, "length": 4}, {"rows": 8, "length": 8}, {"hypotheses": 40}),
    ("same_or_different", {"length": 3}, {"length": 7}, {"capacity": 3.0}),
    ("same_or_different", {"position": "start"}, {"position": "end"}, STEPS),
    ("card_sorting", {"feedback": "clear", "shifts": 0}, {"feedback": "ambiguous"}, TURNS),
    ("tower_planning", {"moves": 3, "pieces": 3}, {"moves": 6, "pieces": 5}, STEPS),
]


@pytest.mark.parametrize(("family", "easy", "hard", "limit"), few(CASES, 3))
def test_limited_minds_err_more_where_a_radical_makes_items_harder(
    family: str, easy: Levels, hard: Levels, limit: Limits
) -> None:
    high, low = (share_right(drawn(family, levels), {**CLEAR, **limit}) for levels in (easy, hard))
    assert high > low + 0.04, (high, low)


@pytest.mark.thorough
def test_half_of_the_answers_of_n_back_are_yes_and_lures_are_not_matches() -> None:
    for item in specimens.items("n_back"):
        target: Any = item.target
        assert 2 * sum(target) == len(target)
        one = specimens.record(item)
        back, cells = one["scene"]["back"], one["scene"]["cells"]
        for place, kind in enumerate(one["design"], back):
            near = [cells[place - d] for d in (back - 1, back + 1) if 0 < d <= place]
            assert (kind == "same") == (cells[place] == cells[place - back])
            assert kind != "lure" or cells[place] in near


@pytest.mark.thorough
@pytest.mark.parametrize("foil", ["near", "mirror"])
def test_the_figures_of_a_recognition_test_do_not_tell_which_one_is_old(foil: str) -> None:
    """Each is as like the others as any other: looking for the one most alike finds nothing."""
    for item in drawn("delayed_recognition", {"foil": foil, "foils": 3}):
        for test in specimens.record(item)["scene"]["tests"]:
            sets = [frozenset(figure) for figure in test]
            likeness = [sorted(len(one & other) for other in sets) for one in sets]
            if foil == "near":
                assert all(values == likeness[0] for values in likeness)
            assert len({len(one) for one in sets}) == 1


@pytest.mark.thorough
def test_feedback_on_a_card_is_that_of_the_rule_valid_a_turn_later() -> None:
    for item in specimens.items("card_sorting"):
        one = specimens.record(item)
        rules, cards, piles = one["design"], one["scene"]["cards"], one["scene"]["piles"]
        for card, rule in zip(cards, rules[1:], strict=False):
            assert piles[card["pile"] - 1][rule] == card["card"][rule]
        shifts = sum(a != b for a, b in pairwise(rules))
        assert shifts == item.labels["radical.shifts"]


@pytest.mark.thorough
def test_a_tower_asks_for_as_many_moves_as_its_difficulty_says() -> None:
    wanted = {"easy": 1, "medium": 1, "hard": 2, "extreme": 3}
    for difficulty, moves in wanted.items():
        for item in specimens.items("tower_planning", per_cell=4, difficulty=(difficulty,)):
            assert item.labels["radical.asked"] == moves
            assert len(str(item.target)) == 2 * moves
            assert (f"first {moves} moves" in item.text) == (moves > 1)


@pytest.mark.thorough
@pytest.mark.parametrize("count", [12, pytest.param(30, marks=pytest.mark.slow)])
def test_looking_ahead_a_little_does_not_solve_extreme_towers(count: int) -> None:
    """It finds the first move of half of them, which is all that version 1 asked for."""
    extreme = list(specimens.items("tower_planning", per_cell=count, difficulty=("extreme",)))
    medium = list(specimens.items("tower_planning", per_cell=count, difficulty=("medium",)))
    short_sighted = {**CLEAR, "hypotheses": 60}
    assert share_right(medium, short_sighted) > 0.85
    assert share_right(extreme, short_sighted) < 0.3


def test_items_recorded_before_more_moves_were_asked_for_rebuild() -> None:
    """Scenes of version 1 have no number of moves: they ask for one."""
    (item,) = specimens.items("tower_planning", per_cell=1, difficulty=("medium",))
    scene = specimens.record(item)["scene"]
    assert set(scene) == {"pieces", "room", "start", "goal"}
    again = scene_from_plain(FAMILIES["tower_planning"].scene_type, scene)
    drawn = FAMILIES["tower_planning"].picture(again, ())
    assert tuple(map(pixel_hash, drawn)) == item.provenance.pixel_hashes
    assert FAMILIES["tower_planning"].solve(again, ()).answers == (item.target,)


def test_the_first_move_of_a_tower_is_a_detour_where_the_radical_says_so() -> None:
    for item in specimens.items("tower_planning"):
        scene = specimens.record(item)["scene"]
        source, target = map(int, str(item.target)[:2])
        piece = scene["start"][source - 1][-1]
        assert (piece not in scene["goal"][target - 1]) == (item.labels["radical.detour"] == 1)
