"""Guesses from the structure of options: what each names, and what they find in flawed families."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from typing import Any

import pytest
from support import chc_families as families

from gfactor.benchmarks.chc import audit
from gfactor.benchmarks.chc import option_structure as structure


def options(*contents: Any) -> tuple[str, ...]:
    return tuple(map(json.dumps, contents))


@pytest.mark.parametrize(
    ("guess", "contents", "named"),
    [
        ("multiples", (7, 21, 10, 16), {0, 1}),
        ("multiples", (1, 7, 9, 13), set()),
        ("most factors", (8, 9, 14, 5), {0}),
        ("smallest number", (8, 9, 14, 5), {3}),
        ("second number", (8, 9, 14, 5), {0}),
        ("second largest number", (8, 9, 14, 5), {1}),
        ("largest number", (8, 9, 14, 5), {2}),
        ("largest number", ("A", "B", "C", "D"), set()),
        ("largest total", ([1, 2], [3], [4], [0, 4]), {2, 3}),
        ("smallest total", ([1, 2], [3], [4], [0, 4]), {0, 1}),
        ("largest total", ([[1, 2]], [[3, 4]]), set()),
        ("most typical", ([1, 2], [1, 3], [1, 2, 3], [9]), {2}),
        ("least typical", ([1, 2], [1, 3], [1, 2, 3], [9]), {3}),
        ("no duplicates", ([[0, 0], [0, 1]], [[3, 1], [2, 1]], [[0, 0], [1, 1]], "x"), {2, 3}),
        ("no duplicates", (1, 2, 3, 4), set()),
        ("odd by any attribute", ({"a": 1}, {"a": 1}, {"a": 1}, {"a": 2}), {3}),
        ("never odd", ({"a": 1}, {"a": 1}, {"a": 1}, {"a": 2}), {0, 1, 2}),
        ("never odd", ({"a": 1}, {"a": 2}, {"a": 1}, {"a": 2}), set()),
        ("most parts", ([1, 2], [1], [1, 2], [3]), {0, 2}),
        ("fewest parts", ([1, 2], [1], [1, 2], [3]), {1, 3}),
    ],
)
def test_a_guess_names_these_options(guess: str, contents: Any, named: set[int]) -> None:
    assert structure.GUESSES[guess](options(*contents)) == named


def test_a_guess_that_names_nothing_is_one_at_random() -> None:
    judged = [(options("A", "B", "C", "D"), 2), (options(7, 21, 10, 16), 1)]
    assert structure.share_right("multiples", judged) == (0.25 + 0.5) / 2


def test_sets_of_pieces_look_the_same_in_any_order_and_however_turned() -> None:
    one, other = (
        [[[0, 0], [0, 1]], [[0, 0], [1, 0], [1, 1]]],
        [[[0, 0], [0, 1], [1, 1]], [[4, 5], [5, 5]]],
    )
    assert structure.look_of(json.dumps(one)) == structure.look_of(json.dumps(other))
    assert structure.look_of(json.dumps(one)) != structure.look_of(json.dumps(one[::-1] + one))


def _steps(key: int) -> tuple[int, ...]:
    """Steps from the key to each option."""
    wrong = iter((1, 5, 7))
    return tuple(0 if k == key else next(wrong) for k in range(4))


def test_the_guess_is_learned_from_other_items_and_judged_by_the_audit() -> None:
    found = [audit.inspect(item, ()) for item in families.items("number_series", answers="choice")]
    # The key alone is divided by 2 and 3, and is the smallest number as often as the largest.
    flawed = [
        replace(one, options=options(*(36 * base + step * way for step in _steps(one.key))))
        for one, base, way in zip(found, itertools.count(1), itertools.cycle((1, 1, -1, -1)))
    ]
    learned, judged = flawed[::2], flawed[1::2]
    assert structure.best_guess([(one.options, one.key) for one in learned]) == "most factors"
    assert audit.from_structure(learned, judged) == 1
    assert audit.gains(learned, judged)["structure_gain"] == 0.75
    assert audit.from_structure(found[::2], found[1::2]) < 0.6
