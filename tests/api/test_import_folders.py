"""A folder of logs is imported as its files are."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import gfactor as gf
from gfactor.errors import ParameterError

ROW = {"index": 1, "question": "1 + 1?", "A": "2", "B": "3", "answer": "A", "prediction": "A"}


def write(path: Path, row: dict[str, object]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, row)
        writer.writeheader()
        writer.writerow(row)
    return path


def test_prediction_files_are_found_at_any_depth_and_linked_files_once(tmp_path: Path) -> None:
    outputs = tmp_path / "outputs"
    target = write(outputs / "Elm" / "T2026" / "Elm_Sums.csv", ROW)
    (outputs / "Elm" / "Elm_Sums.csv").symlink_to(target)
    write(outputs / "Oak" / "Oak_Sums.csv", {**ROW, "prediction": "B"})
    write(outputs / "Oak" / "Oak_Sums_acc.csv", {"split": "all", "Overall": 0.0})
    write(outputs / "notes.csv", ROW)
    done = gf.import_logs("vlmevalkit", outputs, journal=tmp_path / "c.db")
    assert [(Path(one.file).name, one.added) for one in done.files] == [
        ("Elm_Sums.csv", 1), ("Oak_Sums.csv", 1), ("Oak_Sums_acc.csv", 0),
    ]  # fmt: skip
    assert "call the one with the model's replies 'prediction'" in done.files[2].left_out
    assert not done.flaws
    table = gf.score(tmp_path / "c.db").table.set_index("examinee")
    assert table.loc["vlmevalkit:Elm", "accuracy"] == 1
    assert table.loc["vlmevalkit:Oak", "accuracy"] == 0


def test_a_folder_without_a_log_is_refused_with_the_form_that_was_expected(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="holds no prediction files MODEL/MODEL_DATASET"):
        gf.import_logs("vlmevalkit", tmp_path, journal=tmp_path / "c.db")
    with pytest.raises(ParameterError, match=r"holds no files that end in \.eval"):
        gf.import_logs("inspect", tmp_path, journal=tmp_path / "c.db")
    assert not (tmp_path / "c.db").exists()
    write(tmp_path / "Oak" / "Oak_Sums_acc.csv", {"split": "all"})
    with pytest.raises(ParameterError, match="Oak_Sums_acc"):
        gf.import_logs("vlmevalkit", tmp_path / "Oak", journal=tmp_path / "c.db")
    named = tmp_path / "Oak" / "Oak_Sums_acc.csv"
    with pytest.raises(ParameterError):
        gf.import_logs("vlmevalkit", named, journal=tmp_path / "c.db")
