"""One mistyped cell does not make an item of 0 and 1 a graded one without a word."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import gfactor as gf
from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.irt.data import read_responses


def answers(n: int = 600, items: int = 8) -> pd.DataFrame:
    rng = np.random.default_rng(5)
    values = rng.normal(size=(n, 1)) + rng.normal(size=(n, items)) > np.linspace(-1, 1, items)
    return pd.DataFrame(values.astype(int), columns=[f"i{k}" for k in range(1, items + 1)])


def found(data: pd.DataFrame) -> dict[str, Diagnostic]:
    return {one.code: one for one in read_responses(data)[1]}


def test_a_single_other_score_is_a_warning_that_names_item_score_and_count() -> None:
    data = answers()
    assert not {"rare_categories", "mixed_categories", "scores_recoded"} & found(data).keys()
    data.loc[91, "i3"] = 2
    warning = found(data)["rare_categories"]
    assert warning.severity == "warning"
    assert warning.where == ("i3",)
    assert "item 'i3': 1 answer is 2" in warning.sentence
    assert "nearly all other items have 0 and 1" in warning.sentence
    assert "rare_categories" in [one.code for one in gf.irt("2pl", data).diagnostics]


def test_few_persons_suffice_where_all_other_items_are_right_or_wrong() -> None:
    data = answers(60)
    data.loc[9, "i3"] = 2
    assert "rare_categories" in found(data)


def test_a_rare_score_among_graded_items_is_a_warning_in_large_samples_only() -> None:
    rng = np.random.default_rng(6)
    for n, warned in ((400, True), (60, False)):
        data = pd.DataFrame(rng.integers(0, 4, size=(n, 5)), columns=list("abcde"))
        data["b"] = np.minimum(data["b"], 2)
        data.loc[0, "b"] = 3
        assert ("rare_categories" in found(data)) == warned


def test_graded_items_among_items_of_right_and_wrong_are_a_note() -> None:
    data = answers()
    data["i3"] += answers(600, 9)["i9"]
    note = found(data)["mixed_categories"]
    assert (note.severity, note.where) == ("note", ("i3",))
    assert "rare_categories" not in found(data)


@pytest.mark.parametrize("coding", [(0, 100), (-1, 0), (1, 2)])
def test_two_scores_that_are_not_0_and_1_are_said_to_be_taken_for_them(
    coding: tuple[int, int],
) -> None:
    low, high = coding
    note = found(answers() * (high - low) + low)["scores_recoded"]
    assert note.severity == "note"
    assert f"{low} and {high} of 8 items ('i1', 'i2', 'i3', 'i4', 'i5' and 3 more)" in note.sentence


def test_messages_about_a_cell_name_the_row_as_the_table_does() -> None:
    data = answers().astype(object)
    data.loc[91, "i1"] = "richtig"
    with pytest.raises(ParameterError, match=r"item 'i1', row 91: 'richtig' is not"):
        read_responses(data)
    texts = pd.DataFrame({f"t{k:02}": ["richtig"] * 30 for k in range(24)})
    with pytest.raises(ParameterError, match=r"t08 and 15 more; in Python, drop"):
        read_responses(texts)
