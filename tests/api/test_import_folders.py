"""A folder of logs is imported as its files are."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import gfactor as gf
from gfactor.administration import Journal
from gfactor.errors import ParameterError

ROW = {"index": 1, "question": "1 + 1?", "A": "2", "B": "3", "answer": "A", "prediction": "A"}


def write(path: Path, row: dict[str, object]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, row)
        writer.writeheader()
        writer.writerow(row)
    return path


@pytest.mark.thorough
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


@pytest.mark.thorough
@pytest.mark.parametrize("given", ["folder", "files"])
def test_names_that_end_alike_settle_where_the_models_name_ends(tmp_path: Path, given: str) -> None:
    models = ("Elm_v2", "Elm_v3", "Oak_v2", "Fir 1.5 (b)")
    paths = [write(tmp_path / "flat" / f"{model}_Tide_Pool.csv", ROW) for model in models]
    write(tmp_path / "flat" / "notes.csv", ROW)
    done = gf.import_logs(
        "vlmevalkit", tmp_path / "flat" if given == "folder" else paths, journal=tmp_path / "c.db"
    )
    assert {one.examinees for one in done.files} == {(f"vlmevalkit:{model}",) for model in models}
    with Journal.open(tmp_path / "c.db") as journal:
        assert list(journal.items()["id"]) == ["Tide_Pool/1"]


@pytest.mark.parametrize("names", [
    ("Elm_Sums",), ("Elm_Sums", "Oak_Words"),
    # Models in two versions, or data sets in two parts.
    ("Elm_a_Sums", "Elm_b_Sums", "Oak_a_Sums", "Oak_b_Sums"),
    # VLMEvalKit knows a data set with the longer name.
    ("Elm_MMMU_Sums", "Oak_Sums"),
])  # fmt: skip
def test_names_that_settle_nothing_leave_the_question(
    tmp_path: Path, names: tuple[str, ...]
) -> None:
    paths = [write(tmp_path / "flat" / f"{name}.csv", ROW) for name in names]
    with pytest.raises(ParameterError, match="where the model's name ends is not clear"):
        gf.import_logs("vlmevalkit", paths, journal=tmp_path / "c.db")


def test_a_file_that_stays_unclear_is_named_and_all_others_of_the_folder_imported(
    tmp_path: Path,
) -> None:
    for name in ("Elm_Sums", "Oak_Sums", "Oak_Words", "Elm_MMMU_DEV", "Oak_MMMU_DEV"):
        write(tmp_path / "flat" / f"{name}.csv", ROW)
    done = gf.import_logs("vlmevalkit", tmp_path / "flat", journal=tmp_path / "c.db")
    assert [(Path(one.file).stem, one.examinees) for one in done.files] == [
        ("Elm_MMMU_DEV", ("vlmevalkit:Elm",)), ("Elm_Sums", ("vlmevalkit:Elm",)),
        ("Oak_MMMU_DEV", ("vlmevalkit:Oak",)), ("Oak_Sums", ("vlmevalkit:Oak",)),
        ("Oak_Words", ()),
    ]  # fmt: skip
    assert done.files[-1].left_out.startswith("where the model's name ends is not clear")
