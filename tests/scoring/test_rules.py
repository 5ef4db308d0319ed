"""One rule per answer type, and one of chance."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

from gfactor.errors import ParameterError
from gfactor.items import ANSWER_TYPES, Answer, AnswerType
from gfactor.scoring import RULES, chance_levels, credit, item_chance
from gfactor.scoring.chance import with_chance

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
    made = pd.DataFrame(items, columns=["domain", "target", "accepted"])
    names = [f"i{k}" for k in range(len(made))]
    return made.assign(content_hash=names, id=names, answer_type="value", choices=[[]] * len(made))


def test_chance_is_the_share_of_pairs_of_items_with_the_same_answer() -> None:
    items = frame(*[("yes", '"YES"', [])] * 2, *[("yes", '"NO"', [])] * 2, ("one", "1", []))
    levels = chance_levels(items).to_dict()
    # Of the three other items one has the same answer.
    assert levels["yes"] == pytest.approx(1 / 3)
    assert math.isnan(levels["one"])


def test_chance_counts_accepted_answers() -> None:
    items = frame(("c", "[0,0]", ["[1,1]"]), ("c", "[1,1]", []), ("c", "null", []))
    assert chance_levels(items).to_dict()["c"] == pytest.approx(1 / 6)


def test_chance_of_an_item_with_options_does_not_depend_on_the_keys_of_others() -> None:
    options = [["A", ""], ["B", ""], ["C", ""], ["D", ""]]
    items = frame(*[("c", '"A"', [])] * 3, ("c", '"B"', []))
    items = items.assign(answer_type="choice", choices=[options] * 4)
    assert item_chance(items)["chance"].tolist() == [0.25] * 4
    assert chance_levels(items).to_dict() == {"c": 0.25}


def test_guessing_earns_what_random_choices_earn() -> None:
    items = pd.DataFrame(
        [
            ("a", "choice", [["A", ""], ["B", ""], ["C", ""], ["D", ""]], '"B"'),
            ("b", "choices", [["A", ""], ["B", ""], ["C", ""]], '["A", "C"]'),
            ("c", "blanks", [], '["x"]'),
        ],
        columns=["content_hash", "answer_type", "choices", "target"],
    )
    found = item_chance(items.assign(id="x", accepted=[[]] * 3)).droplevel("id")
    # Of the seven sets of A, B, C one is AC; A and C alone earn one of two points.
    sets = [{"A"}, {"B"}, {"C"}, {"A", "B"}, {"A", "C"}, {"B", "C"}, {"A", "B", "C"}]
    earned = [len(s) if s <= {"A", "C"} else 0 for s in sets]
    assert found.loc["a"].tolist() == [0.25, 0.25]
    assert found.loc["b"].tolist() == pytest.approx([1 / 7, sum(earned) / 7 / 2])
    assert found.loc["c"].tolist() == [0, 0]


def asked(*rows: tuple[str, int, str], domain: str = "d") -> Any:
    return pd.DataFrame({
        "content_hash": [f"h{k}" for k in range(len(rows))],
        "id": [f"i{k}" for k in range(len(rows))],
        "answer_type": [r[0] for r in rows], "choices": [["x"] * r[1] for r in rows],
        "target": [r[2] for r in rows], "accepted": [[] for _ in rows], "domain": domain,
    })  # fmt: skip


def test_a_guess_among_options_earns_its_share_of_the_sets() -> None:
    """One of k; of 2^k - 1 sets the right one, and its subsets in part."""
    table = item_chance(asked(("choice", 4, "A"), ("choices", 3, '["A", "B"]'),
                              ("choices", 4, '["C"]')))  # fmt: skip
    assert table["chance"].tolist() == pytest.approx([1 / 4, 1 / 7, 1 / 15])
    assert table["chance_share"].tolist() == pytest.approx([1 / 4, 2 / 7, 1 / 15])


def test_where_nothing_is_offered_a_guess_is_the_answer_of_another_item() -> None:
    items = asked(("value", 0, "3"), ("value", 0, "3"), ("value", 0, "4"), ("value", 0, "5"))
    items["accepted"] = [["4"], [], [], []]
    found = item_chance(items)
    assert found["chance"].tolist() == pytest.approx([2 / 3, 1 / 3, 0, 0])
    assert found["chance_share"].tolist() == pytest.approx([2 / 3, 1 / 3, 0, 0])
    assert np.isnan(item_chance(items.head(1))["chance"].iloc[0])
    offered = items.assign(choices=[["x", "y"]] * 4)
    assert item_chance(offered)["chance"].tolist() == found["chance"].tolist()
    apart = pd.concat([items.head(2), items.tail(2).assign(domain="e")])
    assert item_chance(apart)["chance"].tolist() == pytest.approx([1, 1, 0, 0])
    assert chance_levels(apart).to_dict() == pytest.approx({"d": 1.0, "e": 0.0})
    assert np.isnan(item_chance(apart, ["domain", "id"])["chance"].to_numpy()).all()
    assert np.isnan(item_chance(items.drop(columns="domain"))["chance"]).all()


def test_turns_are_guessed_one_by_one() -> None:
    items = asked(*[("turns", 0, target) for target in ('["a", "b"]', '["a", "c"]', '["d", "b"]')])
    found = item_chance(items)
    assert found["chance"].tolist() == [0, 0, 0]
    assert found["chance_share"].tolist() == pytest.approx([0.5, 0.25, 0.25])
    assert np.isnan(item_chance(items.head(1))["chance_share"].iloc[0])


def items(*rows: tuple[str, str, list[str], str]) -> pd.DataFrame:
    return pd.DataFrame({
        "content_hash": [f"h{k}" for k in range(len(rows))], "id": [r[3] for r in rows],
        "answer_type": [r[0] for r in rows], "choices": [[]] * len(rows),
        "target": [r[1] for r in rows], "accepted": [r[2] for r in rows], "domain": "d",
    })  # fmt: skip


def test_the_chance_of_an_item_stands_in_each_of_its_rows() -> None:
    known = items(("value", "1", [], "a"), ("value", "1", [], "b"), ("value", "2", [], "c"))
    twice = pd.concat([known, known.head(1)])
    rows = pd.DataFrame({"item_hash": ["h2", "h0", "h0", "h9"], "item_id": ["c", "a", "b", "a"]})
    found = with_chance(rows, known)
    assert found["chance"].tolist() == pytest.approx([0, 0.5, math.nan, math.nan], nan_ok=True)
    assert with_chance(rows, twice)["chance"].notna().tolist() == [True, True, False, False]
    # Turns beside other answers have the chance of their whole answer alone.
    mixed = items(("turns", '["x", "y"]', [], "a"), ("turns", '["x", "z"]', [], "b"),
                  ("value", "3", [], "c"))  # fmt: skip
    assert item_chance(mixed)["chance_share"].tolist() == [0, 0, 0]
