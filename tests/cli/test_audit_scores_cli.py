"""gfactor audit tells score matrices from banks and examines them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support.cli import run_cli
from support.persons import POINTS, counts, standardised


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    everyone = counts(90, np.random.default_rng(1))
    paths = tmp_path / "english.csv", tmp_path / "french.parquet"
    standardised(everyone.iloc[:60]).to_csv(paths[0], index=False)
    standardised(everyone.iloc[40:]).to_parquet(paths[1])
    return str(paths[0]), str(paths[1])


@pytest.mark.thorough
def test_shared_persons_are_an_error_and_exit_1(
    files: tuple[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = run_cli(monkeypatch, capsys, "audit", *files)
    assert ran.code == 1
    assert ran.out.startswith("serious: 20 of 60 persons of english have a copy among the 50 of fr")
    assert "110 rows, 90 distinct persons" in ran.out


@pytest.mark.thorough
def test_json_holds_the_pairs(
    files: tuple[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = run_cli(monkeypatch, capsys, "audit", *files, "--json")
    found = json.loads(ran.out)
    assert found["distinct_persons"] == 90
    assert {(m["person"], m["partner"]) for m in found["matches"]} == {
        (41 + i, 1 + i) for i in range(20)
    }


def test_names_in_the_first_column_and_points_from_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    x = counts(30, np.random.default_rng(2))
    x.iloc[4, 2] = 99
    x.insert(0, "model", [f"m{i}" for i in range(30)])
    x.to_csv(tmp_path / "x.csv", index=False)
    points = pd.DataFrame({"column": x.columns[1:], "points": POINTS})
    points.to_csv(tmp_path / "points.csv", index=False)
    words = ("audit", str(tmp_path / "x.csv"), "--counts", "--points", str(tmp_path / "points.csv"))
    ran = run_cli(monkeypatch, capsys, *words)
    assert ran.code == 1
    assert "1 values of t02 lie below 0 or above the points" in ran.out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a,b\n1,2\n3,x\n", "row 2, column 'b': 'x' is not a number"),
        ("", "is empty"),
        ("a,b\n", "has no rows"),
    ],
)
def test_a_bad_table_is_one_sentence_with_its_place(
    text: str,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "bad.csv").write_text(text)
    ran = run_cli(monkeypatch, capsys, "audit", str(tmp_path / "bad.csv"))
    assert ran.code == 2
    assert said in ran.err
    assert "Traceback" not in ran.err


def test_a_bank_and_a_matrix_are_not_audited_together(
    files: tuple[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = run_cli(monkeypatch, capsys, "audit", files[0], "nowhere.parquet")
    assert ran.code == 2
    assert "one at a time" in ran.err
