"""A journal is calibrated, and another one scored and reported on its scale."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from support.cli import Ran, run_cli
from support.irt_journals import administer, choice_bank, models

import gfactor as gf
from gfactor.errors import ParameterError

CELLS = {("a", 1): -1.0, ("a", 2): 0.5, ("b", 1): 0.0, ("b", 2): 1.5}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`old.db`: 8 families of 5 models and 6 people on 24 items. `new.db`: three other models on
    24 new items of the same cells, and two of a cell that nobody calibrated."""
    path = tmp_path_factory.mktemp("calibrate")
    bank, b = choice_bank(path / "old.parquet", CELLS, 6, clone_sd=0.5)
    rng = np.random.default_rng(2)
    people = {f"person:{k}": theta for k, theta in enumerate(rng.normal(size=6))}
    administer(path / "old.db", bank, b, {**models(8, 5), **people}, guess=0.25)
    known, b_known = choice_bank(path / "new.parquet", CELLS, 6, clone_sd=0.5, seed=1, prefix="n-")
    others = {"openai:weak": -1.5, "openai:middle": 0.0, "openai:strong": 2.0}
    administer(path / "new.db", known, b_known, others, seed=5, guess=0.25)
    odd, b_odd = choice_bank(path / "odd.parquet", {("c", 9): 0.0}, 2, seed=2)
    administer(path / "new.db", odd, b_odd, others, seed=6)
    return path


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    def called(*words: object) -> Ran:
        return run_cli(monkeypatch, capsys, *map(str, words))

    return called


@pytest.mark.slow
def test_a_calibration_names_population_respondents_bank_and_nobody(folder: Path, call) -> None:
    file = folder / "items.calibration.json"
    words = ("calibrate", folder / "old.db", "--guess", "format", "-o")
    ran = call(*words, file, "--population", "made-up models and people")
    assert ran.code == 0, ran.err
    found = json.loads(file.read_text())
    assert (found["by"], found["model"]) == ("item", "rasch")
    assert found["population"] == "made-up models and people"
    assert found["date"] is None
    assert found["respondents"]["n"] == 46
    assert found["respondents"]["kinds"] == {"model": 40, "person": 6}
    assert found["respondents"]["families"] == 14
    assert found["respondents"]["members"]["aaa"] == 5
    assert "person:0" not in found["respondents"]["examinees"]
    assert found["scoring"]["condition"] == "default"
    assert found["bank"]["items"] == 24
    assert found["fit"]["standard_errors"] == "cluster"
    assert {e["parameters"]["g"] for e in found["entries"]} == {0.25}
    assert len(found["covariance"]["parameters"]) == 25
    again = folder / "again.json"
    call(*words, again, "--population", "made-up models and people")
    assert again.read_bytes() == file.read_bytes()
    call(*words, again, "--date", "2026-11-22")
    dated = json.loads(again.read_text())
    assert dated["date"] == "2026-11-22"
    assert "population_unnamed" in {entry["code"] for entry in dated["diagnostics"]}


@pytest.mark.slow
def test_new_items_of_known_cells_are_scored_and_others_are_named(folder: Path, call) -> None:
    file = folder / "cells.calibration.json"
    ran = call("calibrate", folder / "old.db", "--by", "design", "--guess", "format", "-o", file)
    assert ran.code == 0, ran.err
    cells = json.loads(file.read_text())
    assert [e["name"] for e in cells["entries"]] == [f"domain={d},size={s}" for d, s in CELLS]
    assert all(e["clone_sd_low"] < e["clone_sd"] < e["clone_sd_high"] for e in cells["entries"])
    ran = call("score", folder / "new.db", "--calibration", file, "--json")
    assert ran.code == 0, ran.err
    found = json.loads(ran.out)["calibrated"]
    rows = {row["examinee"]: row for row in found["abilities"]}
    theta = [rows[f"openai:{name}"]["theta"] for name in ("weak", "middle", "strong")]
    assert theta == sorted(theta)
    assert all(row["n"] == 24 and row["left_out"] == 2 for row in rows.values())
    assert all(row["low"] < row["theta"] < row["high"] for row in rows.values())
    unknown = next(d for d in found["diagnostics"] if d["code"] == "unknown_items")
    assert sorted(unknown["where"]) == ["c-09-0", "c-09-1"]
    assert unknown["values"]["responses"] == 6
    ran = call("score", folder / "new.db", "--calibration", file)
    assert "does not know 2 of 26 items (c-09-0, c-09-1)" in ran.out


@pytest.mark.slow
def test_by_item_new_items_are_unknown_and_that_is_an_error(folder: Path, call) -> None:
    file = folder / "known.json"
    call("calibrate", folder / "old.db", "-o", file)
    ran = call("score", folder / "new.db", "--calibration", file)
    assert ran.code == 2
    assert "the calibration contains none of the 26 items" in ran.err
    ran = call("score", folder / "old.db", "--calibration", file, "--policy", "none", "--json")
    codes = {d["code"] for d in json.loads(ran.out)["calibrated"]["diagnostics"]}
    assert "other_policy" in codes


@pytest.mark.slow
def test_a_later_calibration_is_linked_to_an_earlier_one(folder: Path, call) -> None:
    old, new = folder / "first.json", folder / "second.json"
    call("calibrate", folder / "old.db", "-o", old)
    ran = call("calibrate", folder / "old.db", "--shrink", "--link", old, "-o", new)
    assert ran.code == 0, ran.err
    linking = json.loads(new.read_text())["linking"]
    assert linking["method"] == "mean-mean"
    assert linking["slope"] == 1
    assert linking["items"] == 24
    assert linking["intercept_se"] > 0
    assert linking["to"] == json.loads(old.read_text())["bank"]["digest"]
    ran = call("calibrate", folder / "old.db", "--link-method", "haebara", "-o", new)
    assert "needs the calibration to link to" in ran.err


@pytest.mark.slow
def test_python_gives_what_the_command_line_gives(folder: Path) -> None:
    known = gf.calibrate(folder / "old.db", by="design", design="~ size + C(domain)", guess=0.25)
    assert known.about["fit"]["cell_sd"] >= 0
    found = gf.score(folder / "new.db", calibration=known)
    assert list(found.abilities["examinee"]) == ["openai:middle", "openai:strong", "openai:weak"]
    assert "abilities of 3 respondents" in found.summary()
    with pytest.raises(ParameterError, match="need a calibration"):
        _ = gf.score(folder / "new.db").abilities


@pytest.mark.slow
def test_a_report_shows_abilities_beside_accuracies(folder: Path, tmp_path: Path, call) -> None:
    file = tmp_path / "c.json"
    call("calibrate", folder / "old.db", "--by", "design", "-o", file)
    chosen = ["vllm:lab/aaa-0b", "vllm:lab/bbb-0b", "person:0", "person:1"]
    ran = call(
        "report", folder / "old.db", "-o", tmp_path / "r", "--calibration", file,
        *(word for name in chosen for word in ("--examinee", name)),
    )  # fmt: skip
    assert ran.code == 0, ran.err
    text = (tmp_path / "r" / "tables" / "calibrated_abilities.csv").read_text()
    header, *rows = text.splitlines()
    assert "ability_low" in header
    assert "accuracy_low" in header
    assert len(rows) == 3
    assert sum("people" in row for row in rows) == 1
    assert "Abilities: rasch calibration" in (tmp_path / "r" / "report.html").read_text()


MISTAKES = [
    (("--by", "design", "--model", "2pl"), "uses the Rasch model"),
    (("--cell", "domain"), "are options of a calibration by design"),
    (("--by", "design", "--cell", "colour"), "unknown label 'colour'"),
    (("--by", "design", "--cell", "id"), "no cell has two items"),
    (("--by", "design", "--shrink"), "needs no shrinkage"),
    (("--cluster", "nothing"), "unknown column of respondents 'nothing'"),
    (("--guess", "much"), "guess is a number or 'format'"),
    (("--model", "5pl"), "unknown item response model '5pl'"),
    (("--model", "2pl", "--examinee", "vllm:lab/aaa-0b", "--examinee", "vllm:lab/bbb-0b"),
     "too few for a discrimination per item"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "said"), MISTAKES, ids=[m[1] for m in MISTAKES])
def test_a_mistake_is_one_sentence(
    words: tuple[str, ...], said: str, folder: Path, tmp_path: Path, call
) -> None:
    ran = call("calibrate", folder / "old.db", "-o", tmp_path / "x.json", *words)
    assert ran.code == 2
    assert said in ran.err
    assert len(ran.err.strip().splitlines()) == 1
    assert not (tmp_path / "x.json").exists()


def test_a_file_that_is_no_calibration_is_said_by_score_and_report(
    folder: Path, tmp_path: Path, call
) -> None:
    (tmp_path / "x.json").write_text('{"format": "gfactor-calibration"}')
    for words in (("score",), ("report", "-o", tmp_path / "r")):
        ran = call(*words, folder / "new.db", "--calibration", tmp_path / "x.json")
        assert ran.code == 2
        assert "is of version None; this program reads 1" in ran.err
    assert not (tmp_path / "r").exists()
    ran = call("calibrate", folder / "old.db", "-o", tmp_path / "none" / "x.json")
    assert "cannot write" in ran.err
