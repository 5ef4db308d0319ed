"""What counts once: occasions of an item, questions of a problem, examinees by name."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from gfactor.errors import UnknownNameError
from gfactor.scoring.averaging import averaged, units
from gfactor.scoring.summaries import by_label, choose


def scored(**columns: list[Any]) -> pd.DataFrame:
    n = len(next(iter(columns.values())))
    base = {"examinee": ["m"] * n, "condition": ["c"] * n, "item_id": [f"i{k}" for k in range(n)],
            "item_hash": [f"h{k}" for k in range(n)], "missing": [False] * n}  # fmt: skip
    return pd.DataFrame({**base, **columns})


def test_occasions_of_an_item_are_one_row_with_their_mean() -> None:
    table = scored(item_id=["a", "a", "b", "a"], item_hash=["h", "h", "g", "h"],
                   correct=[1.0, 0.0, 1.0, 1.0], missing=[False, False, False, True],
                   status=["answered", "refused", "answered", "answered"])  # fmt: skip
    found = averaged(table)
    assert found["item_id"].tolist() == ["a", "b"]
    assert found["correct"].tolist() == [0.5, 1.0]
    assert found["_refused"].tolist() == [0.5, 0.0]
    assert found["_answers"].tolist() == [2, 1]
    once = averaged(table.drop(columns="status").iloc[[0, 2]])
    assert once["_answers"].tolist() == [1, 1]
    assert "_refused" not in once


def test_questions_of_one_problem_are_one_unit() -> None:
    table = scored(benchmark=["multi", "multi", "multi", "mm-iq", "other"],
                   problem=["p", "p", None, "p", "p"],
                   number=["1", "1", "1", "7", "1"])  # fmt: skip
    assert units(table).tolist() == ["multi p", "multi p", "h2", "mm-iq 7", "h4"]
    assert units(table.drop(columns="benchmark")).tolist() == [f"h{k}" for k in range(5)]


def test_labels_come_in_their_order_and_examinees_by_name_or_part_of_it() -> None:
    table = scored(domain=["b", "a", "b"], examinee=["x:m?seed=1", "x:m?seed=2&t=1", "y:m"])
    assert list(by_label(table, "domain")) == ["a", "b"]
    assert [len(rows) for rows in by_label(table, "domain").values()] == [1, 2]
    with pytest.raises(UnknownNameError, match="label 'domian'; did you mean 'domain'"):
        by_label(table, "domian")
    assert choose(table, ["x:m"])["examinee"].tolist() == ["x:m?seed=1", "x:m?seed=2&t=1"]
    assert choose(table, ["x:m?t=1"])["examinee"].tolist() == ["x:m?seed=2&t=1"]
    assert choose(table, ["x:m?seed=1", "y:m"])["item_id"].tolist() == ["i0", "i2"]
    assert len(choose(table)) == 3
    assert len(choose(table, condition="c")) == 3
    with pytest.raises(UnknownNameError, match="condition"):
        choose(table, condition="d")
    for unknown in ("x:n", "z:m", "x:m?seed=3"):
        with pytest.raises(UnknownNameError, match="examinee"):
            choose(table, [unknown])
