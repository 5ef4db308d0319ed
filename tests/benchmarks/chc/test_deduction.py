"""What follows and what does not: textbook cases put to the solvers of the deductive families."""

from __future__ import annotations

from typing import Any

import pytest
from support import chc_families as specimens

from gfactor.benchmarks.chc import build
from gfactor.benchmarks.chc.common import ShadedForm
from gfactor.benchmarks.chc.families import (
    balance_puzzles,
    bills_and_plans,
    if_then,
    number_grids,
    syllogisms,
    transitive_relations,
)

GROUPS = {"S": "star", "M": "cross", "P": "heart"}

VALID = {
    "Barbara": ("all M P", "all S M", "all"),
    "Celarent": ("no M P", "all S M", "no"),
    "Darii": ("all M P", "some S M", "some"),
    "Ferio": ("no M P", "some S M", "some_not"),
    "Cesare": ("no P M", "all S M", "no"),
    "Camestres": ("all P M", "no S M", "no"),
    "Festino": ("no P M", "some S M", "some_not"),
    "Baroco": ("all P M", "some_not S M", "some_not"),
    "Disamis": ("some M P", "all M S", "some"),
    "Datisi": ("all M P", "some M S", "some"),
    "Bocardo": ("some_not M P", "all M S", "some_not"),
    "Ferison": ("no M P", "some M S", "some_not"),
    "Camenes": ("all P M", "no M S", "no"),
    "Dimatis": ("some P M", "all M S", "some"),
    "Fresison": ("no P M", "some M S", "some_not"),
}
"""The moods that are valid where groups may be empty: major premise, minor premise, conclusion."""

INVALID = {
    "undistributed middle": ("all P M", "all S M"),
    "two particular premises": ("some M P", "some S M"),
    "two negative premises": ("no M P", "no S M"),
    "illicit major": ("all M P", "no S M"),
    "Darapti, where nobody may exist": ("all M P", "all M S"),
}


def statement(text: str) -> syllogisms.Statement:
    mood, subject, predicate = text.split()
    return syllogisms.Statement(GROUPS[subject], mood, GROUPS[predicate])


def conclusions(*premises: str) -> list[str]:
    scene = syllogisms.Scene(
        tuple(syllogisms.Premise(statement(text), 0) for text in premises), "star", "heart"
    )
    options = [statement(f"{mood} S P") for mood in syllogisms.MOODS]
    return [one.mood for one in syllogisms.solve(scene, options).answers]


@pytest.mark.parametrize("name", VALID)
def test_valid_moods_have_their_conclusion_and_no_other(name: str) -> None:
    major, minor, conclusion = VALID[name]
    assert conclusions(major, minor) == [conclusion]


@pytest.mark.parametrize("name", INVALID)
def test_invalid_moods_have_none(name: str) -> None:
    assert conclusions(*INVALID[name]) == []


def test_premises_that_contradict_each_other_make_no_item() -> None:
    assert conclusions("all S P", "some_not S P") == []


@pytest.mark.parametrize(
    ("fact", "rule", "asked", "follows"),
    [
        (("star", "black"), ("star black", "heart white"), ("heart", "white"), True),
        (("heart", "black"), ("star black", "heart white"), ("star", "white"), True),
        (("heart", "white"), ("star black", "heart white"), ("star", "black"), False),
        (("star", "white"), ("star black", "heart white"), ("heart", "black"), False),
    ],
    ids=["modus ponens", "modus tollens", "affirmed consequent", "denied antecedent"],
)
def test_rules_lead_forwards_and_by_denial_backwards_only(
    fact: tuple, rule: tuple, asked: tuple, follows: bool
) -> None:
    given, then = (ShadedForm(*text.split()) for text in rule)
    scene = if_then.Scene((if_then.ConditionalRule(given, then),), (ShadedForm(*fact),))
    proof = if_then.solve(scene, [ShadedForm(*asked)])
    assert bool(proof.answers) == follows
    assert proof.hypotheses == 4


def test_scales_that_leave_a_weight_open_make_no_item() -> None:
    load, pan = balance_puzzles.Load, balance_puzzles.Pan
    sums = balance_puzzles.BalancedScale(pan((load("star", 1), load("heart", 1)), 0), pan((), 7))
    twice = balance_puzzles.BalancedScale(pan((load("star", 2), load("heart", 2)), 0), pan((), 14))
    less = balance_puzzles.BalancedScale(pan((load("star", 1),), 3), pan((load("heart", 1),), 0))

    def weights(*scales: balance_puzzles.BalancedScale) -> tuple[int, ...]:
        return balance_puzzles.solve(balance_puzzles.Scene(scales, "heart"), ()).answers

    assert weights(sums) == ()
    assert weights(sums, twice) == ()
    assert weights(sums, less) == (5,)
    # A weight of three and a half is none.
    assert weights(balance_puzzles.BalancedScale(pan((load("heart", 2),), 0), pan((), 7))) == ()


def test_a_grid_that_two_rules_complete_differently_makes_no_item() -> None:
    def numbers(*rows: tuple[int, ...]) -> set[int]:
        return set(number_grids.solve(number_grids.Scene(rows), ()).answers)

    assert numbers((3, 4, 7), (5, 9, 14), (8, 6, -1)) == {14}
    # Along rows the product, along columns the sum.
    assert numbers((2, 5, 10), (4, 3, 12), (6, 8, -1)) == {48, 22}


def test_a_place_that_scales_leave_open_makes_no_item() -> None:
    def forms(place: int, *pairs: tuple[str, str, str, int]) -> set[str]:
        scales = tuple(transitive_relations.WeighedScale(*pair) for pair in pairs)
        return set(
            transitive_relations.solve(transitive_relations.Scene(scales, 3, place), ()).answers
        )

    chain = (("star", "heart", "left", 0), ("heart", "cross", "left", 0))
    assert [forms(k, *chain) for k in (1, 2, 3)] == [{"star"}, {"heart"}, {"cross"}]
    fork = (("star", "heart", "left", 0), ("star", "cross", "left", 0))
    assert forms(1, *fork) == {"star"}
    assert forms(2, *fork) == {"heart", "cross"}
    # A red cross turns a scale round: the cross is heavier than the star.
    assert forms(1, ("star", "heart", "left", 0), ("star", "cross", "left", 1)) == {"cross"}


def test_a_bill_of_half_a_pair_makes_no_item() -> None:
    def total(count: int, paid: int = 0) -> tuple[int, ...]:
        scene = bills_and_plans.Scene(
            (bills_and_plans.PiecesPrice("star", 2, 7),),
            (bills_and_plans.Bought("star", count),),
            paid,
        )
        return bills_and_plans.solve(scene, ()).answers

    assert total(4) == (14,)
    assert total(4, 20) == (6,)
    assert total(3) == ()


@pytest.mark.slow
@pytest.mark.parametrize("divisor", [2, 3])
def test_totals_of_bills_have_every_remainder_as_often(divisor: int) -> None:
    """Else options of which few are even, or multiples of three, would tell the right one."""
    (part,) = build.plan(seed=5, families=["bills_and_plans"], per_cell=100).parts
    items: Any = part.make()
    scenes = [specimens.record(item)["scene"] for item in items]
    each = [{p["form"]: p["price"] / p["pieces"] for p in scene["prices"]} for scene in scenes]
    totals = [
        round(sum(prices[b["form"]] * b["count"] for b in scene["bought"]))
        for scene, prices in zip(scenes, each, strict=True)
    ]
    whole = sum(total % divisor == 0 for total in totals)
    expected = len(totals) / divisor
    # Four standard errors; version 1 had 48 multiples of three too many of 300, nearly six.
    assert abs(whole - expected) < 4 * (expected * (1 - 1 / divisor)) ** 0.5, (whole, expected)
