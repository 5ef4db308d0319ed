"""Points of options and blanks, from the reply to the row."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.answers import answered
from support.exam import question

from gfactor.administration import Condition
from gfactor.administration.presenting.options import as_shown
from gfactor.errors import ParameterError
from gfactor.items import Answer, Choice, Item, atoms_of
from gfactor.scoring import matrix, points, scored, summary
from gfactor.scoring.chance import item_chance
from gfactor.scoring.texts import comparable

ACE = ("A", "C", "E")
FIVE = tuple(Choice(*p) for p in zip("ABCDE", ("ant", "bee", "cod", "dab", "eel"), strict=True))


def several(item_id: str = "m1") -> Item:
    """MULTI's example: ACE is right."""
    return question(item_id, answer_type="choices", target=ACE, choices=FIVE)


def blanks(item_id: str, target: Answer, *accepted: Answer) -> Item:
    return question(item_id, answer_type="blanks", target=target, accepted=accepted, choices=())


@pytest.mark.parametrize(
    ("chosen", "earned"),
    [("ACE", 3), ("AC", 2), ("E", 1), ("BC", 0), ("ABCE", 0), ("ABCDE", 0), ("CEA", 3)],
)
def test_choices_earn_a_point_each_and_none_with_a_wrong_one(chosen: str, earned: int) -> None:
    found = points(frozenset(chosen), ACE, (), "choices")
    assert (found.earned, found.possible) == (earned, 3)
    assert found.full == (set(chosen) == set(ACE))


def test_of_several_keys_the_one_with_the_largest_share_counts() -> None:
    """A earns one point under either key: all of the short one, a quarter of the long one."""
    for key, other in (("ABCD", "A"), ("A", "ABCD")):
        found = points(frozenset("A"), tuple(key), (tuple(other),), "choices")
        assert (found.earned, found.possible, found.full) == (1, 1, True)


@pytest.mark.parametrize("right", ["A", "AC", "ABD", "ABCD"])
def test_what_guessing_earns_is_the_mean_over_all_sets_of_options(right: str) -> None:
    options = "ABCD"
    sets = [s for size in range(1, 5) for s in combinations(options, size)]
    found = [points(frozenset(s), tuple(right), (), "choices") for s in sets]
    items = pd.DataFrame(
        {
            "content_hash": ["several", "one", "free"],
            "id": ["several", "one", "free"],
            "answer_type": ["choices", "choice", "blanks"],
            "choices": [list(options), list(options), []],
            "target": [json.dumps(list(right)), '"A"', '["x"]'],
        }
    )
    levels = item_chance(items).droplevel("id")
    assert levels.loc["several", "chance"] == pytest.approx(np.mean([p.full for p in found]))
    assert levels.loc["several", "chance_share"] == pytest.approx(np.mean([p.share for p in found]))
    assert levels.loc["one"].tolist() == [0.25, 0.25]
    assert levels.loc["free"].tolist() == [0, 0]


@given(st.sets(st.sampled_from("ABCDE")), st.sets(st.sampled_from("ABCDE"), min_size=1))
def test_choices_never_earn_more_than_possible_and_never_lose_by_a_right_one(
    chosen: set[str], right: set[str]
) -> None:
    found = points(frozenset(chosen), tuple(right), (), "choices")
    assert 0 <= found.earned <= found.possible == len(right)
    for more in right - chosen:
        assert (
            points(frozenset(chosen | {more}), tuple(right), (), "choices").earned >= found.earned
        )


@pytest.mark.parametrize(
    ("given", "earned"),
    [
        (("north", "south"), 2), (("south", "north"), 0), (("north", "east"), 1),
        (("N", "south"), 2), (("N", "S"), 2), (("north",), 1), (("north", "south", "west"), 2),
        (("North", "south"), 2), (("n", "south"), 1),
    ],
)  # fmt: skip
def test_blanks_earn_a_point_each_by_their_own_alternatives(
    given: tuple[str, ...], earned: int
) -> None:
    found = points(given, ("north", "south"), (("N", "south"), ("north", "S")), "blanks")
    assert (found.earned, found.possible) == (earned, 2)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("１０　ｃｍ", "10 cm"), ("光合 作用。", "光合作用"), ("−3", "-3"), ("½", "1/2"),
        ("10²", "10^{2}"), (r"$\frac{1}{2}$", "1/2"), ("x = 3", "x=3"), ("3.5.", "3.5"),
        ('"cell wall"', "cell wall"), ("e\u0301te\u0301", "été"),
    ],
)  # fmt: skip
def test_spelling_is_no_matter_in_blanks(one: str, other: str) -> None:
    assert comparable(one) == comparable(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("10²", "102"), ("5!", "5"), (".5", "5"), ("mPa", "MPa"), ("3.5", "35"), ("-3", "3"),
     ("a b", "ab"), ("f'", "f")],
)  # fmt: skip
def test_meaning_stays_in_blanks(one: str, other: str) -> None:
    assert comparable(one) != comparable(other)


def test_rows_hold_points_stage_and_rule(tmp_path: Path) -> None:
    items = [
        question("q1"), several(), blanks("f1", ("north", "south")), blanks("f2", "10²"),
    ]  # fmt: skip
    said = {
        "q1": "The answer is (B).",
        "m1": "Answer: A, C",
        "f1": "north\neast",
        "f2": "10²",
    }
    with answered(tmp_path, items, [("t:a", i, 0, text) for i, text in said.items()]) as journal:
        table = scored(journal).set_index("item_id")
    assert table["points"].to_dict() == {"q1": 1, "m1": 2, "f1": 1, "f2": 1}
    assert table["points_possible"].to_dict() == {"q1": 1, "m1": 3, "f1": 2, "f2": 1}
    assert table["correct"].to_dict() == {"q1": 1, "m1": 0, "f1": 0, "f2": 1}
    assert set(table["stage"]) == {"rules"}
    assert set(table["status"]) == {"answered"}
    assert all(table["rule"] != "")
    assert json.loads(str(table.loc["m1", "answer"])) == ["A", "C"]


@pytest.mark.thorough
def test_ratio_and_accuracy_stand_side_by_side(tmp_path: Path) -> None:
    said = [("t:a", "m1", 0, "Answer: A, C"), ("t:a", "m2", 0, "Answer: A, C, E"),
            ("t:a", "q1", 0, "Answer: C")]  # fmt: skip
    with answered(tmp_path, [several(), several("m2"), question("q1")], said) as journal:
        table = scored(journal)
    (result,) = summary(table)
    assert result["ratio"] == 5 / 7
    assert result["accuracy"] == result["lenient"] == 1 / 3
    assert matrix(table, ratio=True).scores.loc["t:a", "animals"] == 5 / 7
    assert matrix(table).scores.loc["t:a", "animals"] == pytest.approx(1 / 3)
    with pytest.raises(ParameterError, match="leave the option lenient out"):
        matrix(table, ratio=True, lenient=True)


def test_the_points_of_an_item_weigh_its_parts(tmp_path: Path) -> None:
    heavy = question("m1", answer_type="choices", target=ACE, choices=FIVE, points=2.0)
    with answered(tmp_path, [heavy], [("t:a", "m1", 0, "Answer: A, C")]) as journal:
        (row,) = scored(journal).to_dict("records")
    assert (row["points"], row["points_possible"]) == (4, 6)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_labels_are_scored_as_they_were_shown(tmp_path: Path, seed: int) -> None:
    condition = Condition(options_seed=seed)
    one, many = question("q1"), several()
    shown = [
        as_shown(item.target, item.provenance.content_hash, [c.label for c in item.choices], seed)
        for item in (one, many)
        if item.target is not None
    ]
    said = [("t:a", "q1", 0, f"Answer: {shown[0]}"),
            ("t:a", "m1", 0, f"Answer: {', '.join(map(str, atoms_of(shown[1], 'word')))}"),
            # The text of an option means the option, wherever it stands.
            ("t:b", "q1", 0, "It is the dog.")]  # fmt: skip
    with answered(tmp_path, [one, many], said, condition) as journal:
        table = scored(journal)
    assert table["correct"].tolist() == [1, 1, 1]
    assert table["answer"].tolist() == ['"B"', '["A","C","E"]', '"B"']


@pytest.mark.thorough
def test_occasions_are_averaged_before_items(tmp_path: Path) -> None:
    # q1 four times right of five, q2 once wrong: the mean of items is 0.4, that of answers 4/6.
    said = [("t:a", "q1", k, "Answer: B" if k else "Answer: A") for k in range(5)]
    items = [question("q1"), question("q2")]
    with answered(tmp_path, items, [*said, ("t:a", "q2", 0, "Answer: D")]) as journal:
        table = scored(journal)
    (result,) = summary(table)
    assert (result["n"], result["answers"]) == (2, 6)
    assert result["accuracy"] == result["ratio"] == pytest.approx(0.4)
    made = matrix(table, "item")
    assert made.scores.loc["t:a"].to_dict() == pytest.approx({"q1": 0.8, "q2": 0.0})
    assert made.n.to_numpy().tolist() == [[1, 1]]
    assert made.answers.to_numpy().tolist() == [[5, 1]]
    assert matrix(table).scores.loc["t:a", "animals"] == pytest.approx(0.4)


def test_a_label_may_have_the_name_of_a_column(tmp_path: Path) -> None:
    item = question("q1", labels={"domain": "d", "status": "hard", "text": "long"})
    with answered(tmp_path, [item], [("t:a", "q1", 0, "B")]) as journal:
        table = scored(journal)
    (row,) = table.to_dict("records")
    assert (row["status"], row["label.status"], row["text"], row["label.text"]) == (
        "answered", "hard", "B", "long",
    )  # fmt: skip
    assert isinstance(table, pd.DataFrame)
