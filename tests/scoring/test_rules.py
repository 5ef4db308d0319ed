"""One rule per answer type; chance; the interval of a proportion."""

from __future__ import annotations

import math

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from gfactor.errors import ParameterError
from gfactor.items import ANSWER_TYPES, Answer, AnswerType
from gfactor.scoring import RULES, chance_levels, credit, wilson

ANSWERS: list[tuple[AnswerType, Answer | None, Answer | None, float]] = [
    ("value", 3, 3, 1), ("value", 3, 4, 0), ("value", "YES", "YES", 1), ("value", None, 3, 0),
    ("value", None, None, 1), ("tuple", (1, 2), (1, 2), 1), ("tuple", (2, 1), (1, 2), 0),
    ("tuple", None, (0, 0), 0), ("list", ("a", "b"), ("a", "b"), 1),
    ("list", ("a",), ("a", "b"), 0),
    ("list", ("b", "a"), ("a", "b"), 0), ("set", frozenset({1, 2}), frozenset({2, 1}), 1),
    ("set", frozenset({1}), frozenset({1, 2}), 0), ("set", (2, 1, 1), frozenset({1, 2}), 1),
    ("set", None, frozenset({1}), 0), ("set", None, None, 1),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "answer", "target", "expected"), ANSWERS)
def test_every_part_must_be_right_and_order_counts_in_all_but_sets(
    kind: AnswerType, answer: Answer | None, target: Answer | None, expected: float
) -> None:
    assert credit(answer, target, (), kind) == expected


def test_any_accepted_answer_is_right() -> None:
    assert credit((2, 2), (0, 0), ((1, 1), (2, 2)), "tuple") == 1
    assert credit((2, 3), (0, 0), ((1, 1), (2, 2)), "tuple") == 0


def test_every_answer_type_has_a_rule_and_others_say_that_they_have_none() -> None:
    assert set(RULES) == set(ANSWER_TYPES)
    with pytest.raises(ParameterError, match="no scoring rule for answer type 'essay'"):
        credit("x", "x", (), "essay")  # type: ignore[arg-type]


def frame(*items: tuple[str, str, list[str]]) -> pd.DataFrame:
    return pd.DataFrame(items, columns=["domain", "target", "accepted"])


def test_chance_is_the_share_of_pairs_of_items_with_the_same_answer() -> None:
    items = frame(*[("yes", '"YES"', [])] * 2, *[("yes", '"NO"', [])] * 2, ("one", "1", []))
    levels = chance_levels(items).to_dict()
    # Of the three other items one has the same answer.
    assert levels["yes"] == pytest.approx(1 / 3)
    assert math.isnan(levels["one"])


def test_chance_counts_accepted_answers() -> None:
    items = frame(("c", "[0,0]", ["[1,1]"]), ("c", "[1,1]", []), ("c", "null", []))
    assert chance_levels(items).to_dict()["c"] == pytest.approx(1 / 6)


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))))
def test_wilsons_interval_holds_the_share_and_mirrors(case: tuple[int, int]) -> None:
    n, right = case
    low, high = wilson(right, n)
    assert 0 <= low <= right / n <= high <= 1
    mirrored = wilson(n - right, n)
    assert (1 - mirrored[1], 1 - mirrored[0]) == pytest.approx((low, high))


def test_wilsons_interval_covers_what_it_claims() -> None:
    n, share = 50, 0.95
    covered = sum(
        binom.pmf(k, n, share) for k in range(n + 1) if wilson(k, n)[0] <= share <= wilson(k, n)[1]
    )
    assert 0.93 < covered < 0.98


def test_wilsons_interval_agrees_with_a_published_example() -> None:
    # Newcombe 1998, Statistics in Medicine 17, 857, table I, method 3: 81 of 263.
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)
    assert wilson(0, 0) == (0.0, 1.0)
