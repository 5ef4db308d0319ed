"""People of a study in tables of examinees: their ids stand there with or without "person:"."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import gfactor as gf
from gfactor.api.irt_data import ItemResponses
from gfactor.errors import ParameterError


def responses(names: list[str]) -> ItemResponses:
    index = pd.Index(names)
    scores = pd.DataFrame(np.eye(len(names), 2), index=index, columns=["a", "b"])
    respondents = pd.DataFrame({"examinee": names}, index=index)
    answers = scores.stack().rename_axis(["respondent", "item"]).reset_index(name="points")
    return ItemResponses(scores, respondents, pd.DataFrame(index=["a", "b"]), answers)


def test_an_exports_ids_name_its_people() -> None:
    table = pd.DataFrame({"gender": ["woman", "man", "other"]}, index=["p2", "person:p1", "gpt"])
    found = responses(["person:p1", "person:p2", "gpt"]).with_table(table, "t.csv")
    assert found.respondents["gender"].tolist() == ["man", "woman", "other"]
    with pytest.raises(ParameterError, match="no row of examinee 'p3'"):
        responses(["person:p3"]).with_table(table, "t.csv")


def test_rows_of_some_groups_keep_the_items_that_they_answered() -> None:
    all_of_them = responses(["person:p1", "person:p2"])
    all_of_them.scores.loc["person:p2", "a"] = np.nan
    one = all_of_them.of_rows(np.array([False, True]))
    assert one.scores.columns.tolist() == ["b"]
    assert one.respondents.index.tolist() == ["person:p2"]
    assert one.answers["item"].tolist() == ["b"]


def test_no_run_is_to_ask_people_the_items_that_they_were_not_given() -> None:
    table = pd.DataFrame({"a": [1.0, 0.0], "b": [np.nan, 1.0]}, index=["person:1", "person:2"])
    assert not [one for one in gf.score(table).diagnostics if one.code == "unasked_items"]
    table = table.rename(index={"person:1": "model:1"})
    notes = [one.sentence for one in gf.score(table).diagnostics if one.code == "unasked_items"]
    assert notes == ["model:1: 1 of 2 items asked."]
