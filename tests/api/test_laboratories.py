"""Answers of several laboratories are calibrated together, and calibrations alone are merged."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from support.cli import Ran, run_cli
from support.irt_journals import administer, choice_bank, models

import gfactor as gf
from gfactor.api.scales.design_cells import cells_of
from gfactor.api.scales.laboratories import laboratory_names, pooled_responses
from gfactor.errors import ParameterError
from gfactor.psychometrics.irt.scales.calibration import Calibration
from gfactor.psychometrics.irt.scales.calibration_files import is_calibration, write_calibration

CELLS = {("a", 1): -1.0, ("a", 2): 0.5, ("b", 1): 0.0, ("b", 2): 1.0, ("c", 1): -0.5}
MODELS = models(4, 6, sd=1.5)
NORTH = {name: theta for k, (name, theta) in enumerate(MODELS.items()) if k % 2 == 0}
SOUTH = {name: theta for name, theta in MODELS.items() if name not in NORTH}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`both.db`: 24 models of four families on 20 items. `north.db` and `south.db`: the halves of
    its answers. `other.db`: the models of the south on new items of the same cells and names."""
    path = tmp_path_factory.mktemp("laboratories")
    bank, b = choice_bank(path / "bank.parquet", CELLS, 4, clone_sd=0.4)
    administer(path / "north.db", bank, b, NORTH, seed=1)
    administer(path / "south.db", bank, b, SOUTH, seed=2)
    administer(path / "both.db", bank, b, NORTH, seed=1)
    administer(path / "both.db", bank, b, SOUTH, seed=2)
    new, b_new = choice_bank(path / "new.parquet", CELLS, 4, clone_sd=0.4, seed=5)
    administer(path / "other.db", new, b_new, SOUTH, seed=3)
    return path


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    return lambda *words: run_cli(monkeypatch, capsys, *map(str, words))


def by_design(*journals: Path) -> Calibration:
    return gf.calibrate(list(journals), by="design", guess="format")


@pytest.mark.slow
def test_journals_of_two_laboratories_give_the_calibration_of_one_with_both(folder: Path) -> None:
    together = by_design(folder / "north.db", folder / "south.db")
    one = by_design(folder / "both.db")
    assert together.table["b"].to_numpy() == pytest.approx(one.table["b"].to_numpy(), abs=1e-6)
    assert together.covariance == pytest.approx(one.covariance, abs=1e-6)
    respondents = together.about["respondents"]
    assert (respondents["n"], respondents["families"]) == (24, 4)
    assert respondents["laboratories"] == [
        {"name": "north", "n": 12, "kinds": {"model": 12}, "families": 4},
        {"name": "south", "n": 12, "kinds": {"model": 12}, "families": 4},
    ]


@pytest.mark.slow
def test_files_alone_are_linked_and_less_certain_than_their_answers(folder: Path) -> None:
    parts = [folder / "n.json", folder / "s.json"]
    for name, file in zip(("north", "south"), parts, strict=True):
        write_calibration(by_design(folder / f"{name}.db"), file)
    linked = gf.merge_calibrations(parts)[""]
    together = by_design(folder / "north.db", folder / "south.db").table
    away = linked.table["b"].to_numpy() - together["b"].to_numpy()
    assert np.abs(away - away.mean()).max() < together["se_b"].max()
    names = [one["name"] for one in linked.about["linking"]["laboratories"]]
    assert names == ["n", "s"]
    assert linked.about["linking"]["laboratories"][1]["link_se"] > 0
    digests = [entry.facts.get("items_digest") for entry in linked.entries]
    assert None not in digests  # both asked the same items


@pytest.mark.slow
def test_the_command_calibrates_journals_together_and_merges_files(
    folder: Path, call: Callable[..., Ran]
) -> None:
    design = ("--by", "design", "--each", "benchmark", "-o")
    for name in ("north", "south"):
        assert call("calibrate", folder / f"{name}.db", *design, folder / name).code == 0
    ran = call("calibrate", folder / "north", folder / "south", "-o", folder / "merged")
    assert ran.code == 0, ran.err
    merged = json.loads((folder / "merged" / "exam.json").read_text())
    assert merged["linking"]["method"] == "simultaneous"
    assert [one["n"] for one in merged["respondents"]["laboratories"]] == [12, 12]
    ran = call("calibrate", folder / "north", folder / "south", "--by", "design", "-o", "x")
    assert "--by does not go with calibrations" in ran.err
    ran = call("calibrate", folder / "north.db", folder / "south.db", "--plan", "-o", "x.toml")
    assert "--plan goes with one argument, got 2" in ran.err


@pytest.mark.thorough
def test_items_are_the_same_if_their_content_is(folder: Path) -> None:
    def responses(name: str):
        from gfactor.api.inputs.scoring import scoring_of  # noqa: PLC0415
        from gfactor.api.scales.irt_data import item_responses  # noqa: PLC0415

        with gf.open_journal(folder / name) as journal:
            return item_responses(journal, scoring_of((), None, None, "own", {}), counting="whole")

    north, south, other = map(responses, ("north.db", "south.db", "other.db"))
    same = pooled_responses({"north": north, "south": south})
    assert same.scores.shape == (24, 20)
    assert same.scores.notna().to_numpy().all()
    assert sorted(set(same.respondents["laboratory"])) == ["north", "south"]
    new = pooled_responses({"north": north, "other": other})
    assert new.scores.shape == (24, 40)
    assert new.scores.notna().to_numpy().sum() == 24 * 20
    assert sorted(set(cells_of(new.items))) == sorted(set(cells_of(north.items)))
    twice = pooled_responses({"south": south, "other": other})
    assert len(twice.scores) == 12
    assert twice.scores.notna().to_numpy().all()
    again = pooled_responses({"south": south, "again": south})
    assert again.scores.equals(pooled_responses({"south": south}).scores)
    (note,) = (d for d in again.diagnostics if d.code == "answered_twice")
    assert note.values["n"] == 240


def test_laboratories_with_nothing_in_common_are_refused(folder: Path, tmp_path: Path) -> None:
    apart, b = choice_bank(tmp_path / "apart.parquet", {("x", 1): 0.0, ("x", 2): 1.0}, 3, seed=9)
    administer(tmp_path / "apart.db", apart, b, {"openai:lone-1": 0.0, "openai:lone-2": 1.0})
    with pytest.raises(ParameterError, match="north and apart have fewer than 2 cells and no exam"):
        by_design(folder / "north.db", tmp_path / "apart.db")
    with pytest.raises(ParameterError, match="fewer than 2 items and no examinee"):
        gf.calibrate([folder / "north.db", tmp_path / "apart.db"])


def test_other_conditions_are_refused(folder: Path, tmp_path: Path) -> None:
    bank, b = choice_bank(tmp_path / "bank.parquet", CELLS, 4, clone_sd=0.4)
    two = {"openai:x-1": 0.0, "openai:y-1": 1.0}
    administer(tmp_path / "blind.db", bank, b, two, condition="images=removed")
    with pytest.raises(ParameterError, match=r"several conditions \(default, images=removed\)"):
        by_design(folder / "north.db", tmp_path / "blind.db")


def test_a_laboratory_has_the_name_of_its_file_or_folder() -> None:
    assert laboratory_names([Path("a/x.db"), "b/y.db"]) == ["x", "y"]
    assert laboratory_names(["north/c.db", "south/c.db"]) == ["north", "south"]
    assert laboratory_names(["c.db", "c.db"]) == ["laboratory 1", "laboratory 2"]
    assert laboratory_names(["v1.2/", "v1.3/"]) == ["v1.2", "v1.3"]


def test_a_folder_of_calibrations_is_known_by_its_files(folder: Path, tmp_path: Path) -> None:
    assert not is_calibration(folder)
    assert not is_calibration(folder / "north.db")
    gs = gf.shipped_calibrations(["Gs"])["Gs"]
    file = write_calibration(gs, tmp_path / "Gs.json")
    assert is_calibration(file)
    assert is_calibration(tmp_path)
    (tmp_path / "notes.txt").write_text("beside")
    assert not is_calibration(tmp_path)
    (tmp_path / "other.json").write_text("{}")
    assert not is_calibration(tmp_path / "other.json")
