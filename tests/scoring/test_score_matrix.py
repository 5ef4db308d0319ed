"""Counts of a score matrix, and the files that matrices and answers are written to."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from gfactor.errors import ParameterError
from gfactor.scoring.exporting import write_answers
from gfactor.scoring.score_matrix import ScoreMatrix
from gfactor.scoring.score_matrix import counted as in_counts


def scored(**columns: list[Any]) -> pd.DataFrame:
    n = len(next(iter(columns.values())))
    base = {"examinee": ["m"] * n, "condition": ["c"] * n, "item_id": [f"i{k}" for k in range(n)],
            "item_hash": [f"h{k}" for k in range(n)], "missing": [False] * n}  # fmt: skip
    return pd.DataFrame({**base, **columns})


def test_counts_are_of_those_who_answered_every_item() -> None:
    shares = pd.DataFrame({"s": [0.5, 1 / 3, 1.0], "t": [0.0, 0.5, 1.0]}, index=["a", "b", "c"])
    n = pd.DataFrame({"s": [6, 6, 4], "t": [2, 2, 2]}, index=["a", "b", "c"])
    found: Any = in_counts(ScoreMatrix(shares, n, n, "task"))
    assert found.scores["s"].tolist() == pytest.approx([3, 2, math.nan], nan_ok=True)
    assert found.scores["s"]["b"] == 2.0
    assert found.scores["t"].tolist() == [0, 1, 2]


def test_a_matrix_is_written_beside_its_counts(tmp_path: Path) -> None:
    shares = pd.DataFrame({"s": [0.5]}, index=pd.Index(["a"], name="examinee"))
    matrix = ScoreMatrix(shares, shares.astype(int) + 3, shares.astype(int), "task")
    path, beside = matrix.to_csv(tmp_path / "x.y.csv")
    assert (path.name, beside.name) == ("x.y.csv", "x.y.n.csv")
    assert pd.read_csv(path).to_dict("list") == {"examinee": ["a"], "s": [0.5]}
    assert pd.read_csv(beside).to_dict("list") == {"examinee": ["a"], "s": [3]}
    with pytest.raises(ParameterError, match=r"is written as CSV; name the file NAME\.csv"):
        matrix.to_csv(tmp_path / "x.tex")


def test_answers_are_written_as_csv_or_parquet(tmp_path: Path) -> None:
    table = scored(answer=["x"])
    again = pd.read_parquet(write_answers(table, tmp_path / "a.parquet"))
    assert list(again) == list(table)
    assert len(pd.read_csv(write_answers(table, tmp_path / "a.csv"))) == 1
    stored = scored(answer=['"B"', "[3,1]", None], target=['"=1"', "12", "null"])
    cells = pd.read_csv(write_answers(stored, tmp_path / "b.csv"), dtype=str)
    assert cells["answer"].tolist()[:2] == ["B", "3; 1"]
    assert cells["target"].tolist()[:2] == ["'=1", "12"]
    kept: Any = pd.read_parquet(write_answers(stored, tmp_path / "b.parquet"))
    assert kept["answer"][0] == '"B"'
    with pytest.raises(ParameterError, match=r"NAME\.csv or NAME\.parquet, not 'a\.xlsx'"):
        write_answers(table, tmp_path / "a.xlsx")
