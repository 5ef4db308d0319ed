"""People of a study in tables of examinees: their ids stand there with or without "person:"."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import gfactor as gf
from gfactor.api.scales.irt_data import ItemResponses
from gfactor.api.scores.answer_warnings import unasked_items
from gfactor.errors import ParameterError


def responses(names: list[str]) -> ItemResponses:
    index = pd.Index(names)
    scores = pd.DataFrame(np.eye(len(names), 2), index=index, columns=["a", "b"])
    respondents = pd.DataFrame({"examinee": names}, index=index)
    cells = [(str(who), item) for who in names for item in ("a", "b")]
    answers = pd.DataFrame(cells, columns=["respondent", "item"])
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
    table = pd.DataFrame({"a": [1.0, 0.0], "b": [np.nan, 1.0]}, index=["VP1", "VP2"])
    assert not [one for one in gf.score(table).diagnostics if one.code == "unasked_items"]
    answered = pd.DataFrame(
        {"examinee": ["person:1", "lab:1"], "condition": "default", "benchmark": "b",
         "item_id": "a", "item_hash": "0"}
    )  # fmt: skip
    every = pd.concat([answered, answered.assign(item_id="b", item_hash="1")])
    assert [one.sentence for one in unasked_items("c.db", every, answered)] == [
        "lab:1: 1 of 2 items asked."
    ]


def own_table(people: int = 40) -> pd.DataFrame:
    rng = np.random.default_rng(2)
    items = pd.DataFrame(rng.integers(0, 2, (people, 6)), columns=[f"i{k}" for k in range(6)])
    items.insert(0, "Code", [f"VP{k}" for k in range(people)])
    items.insert(1, "Alter", 20 + np.arange(people))
    items.insert(2, "sex", ["f", "m"] * (people // 2))
    return items


def test_norms_are_made_of_ones_own_table_with_its_columns_of_persons(tmp_path: Path) -> None:
    table = own_table()
    table.to_csv(tmp_path / "own.csv", index=False)
    by = ["sex", "Alter=20,40,60"]
    made = gf.norms(tmp_path / "own.csv", columns="i*", by=by, min_n=10, sample="us").table
    assert dict(zip(made["group"], made["n"], strict=True)) == {
        "all people": 40, "sex f": 20, "sex m": 20, "Alter 20-39": 20, "Alter 40-59": 20,
    }  # fmt: skip
    assert float(made["mean"].iloc[0]) == pytest.approx(table.filter(regex="^i").to_numpy().mean())
    frame = table.set_index("Code").filter(regex="^i")
    assert gf.norms(frame, min_n=10).table["mean"].tolist()[:1] == made["mean"].tolist()[:1]


def test_items_and_names_of_ones_own_table_are_chosen_in_score(tmp_path: Path) -> None:
    table = own_table()
    table.to_csv(tmp_path / "own.csv", index=False)
    assert gf.score(tmp_path / "own.csv").table["n"].tolist() == [6] * len(table)
    table.assign(Alter=65).to_csv(tmp_path / "own.csv", index=False)
    with pytest.raises(ParameterError, match=r"for 'Alter'\. A column .* with --drop"):
        gf.score(tmp_path / "own.csv")
    table[["sex", *table.columns.drop("sex")]].to_csv(tmp_path / "own.csv", index=False)
    found = gf.score(tmp_path / "own.csv", columns="i*", identifier="Code", where=["Alter>=40"])
    assert found.table["examinee"].tolist() == [f"VP{k}" for k in range(20, 40)]
    assert found.table["n"].tolist() == [6] * 20
    with pytest.raises(ParameterError, match="are for tables of answers"):
        gf.score(tmp_path / "c.db", columns="i*")


def test_a_comparison_of_people_leads_to_the_report() -> None:
    rng = np.random.default_rng(5)
    names = [f"person:{k}" for k in range(10)]
    table = pd.DataFrame(rng.integers(0, 2, (10, 8)), index=names).add_prefix("i")
    notes = [one.remedy for one in gf.compare(table).diagnostics if one.code == "many_people"]
    assert notes == ["Take gfactor report for people as a group, or name examinees to compare."]
    few = gf.compare(table.iloc[:9]).diagnostics
    assert not [one for one in few if one.code == "many_people"]


def test_tables_are_answered_with_the_option_that_they_need() -> None:
    table = pd.DataFrame({"a": [1.0, 0.0], "b": [0.0, 1.0]}, index=["x", "y"])
    with pytest.raises(ParameterError, match="no domains; name the columns with by='item'"):
        gf.matrix(table)
    long = own_table().melt(["Code"], ["i0", "i1"], "item", "right")
    with pytest.raises(ParameterError, match=r"column of the scores with value \(--value\)"):
        gf.gtheory(long, object="Code", facets=["item"])
    unknown: Any = {"score": "right"}
    with pytest.raises(ParameterError, match="name the column of the scores with value"):
        gf.gtheory(long, object="Code", facets=["item"], **unknown)
