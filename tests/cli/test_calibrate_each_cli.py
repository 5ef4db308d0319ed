"""`gfactor calibrate --each ability`: a journal of generated families becomes a folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.cli import Ran, run_cli

import gfactor as gf
from gfactor.benchmarks.chc import FAMILIES
from gfactor.benchmarks.chc.main_radicals import main_cells

NAMES = ["letter_series", "number_series", "running_span"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`c.db`: eight limited observers on two clones of each cell of three families."""
    path = tmp_path_factory.mktemp("each")
    for name, seed in (("c", 1), ("new", 2)):
        gf.build("chc", families=NAMES, cells="main", per_cell=2, seed=seed,
                 path=path / f"{name}.parquet", show_progress=False)  # fmt: skip
    who = [
        f"observer:limited?acuity={(2 + k) / 10}&capacity={2 + k % 5}&hypotheses={3 * k + 1}"
        f"&seed={k}"
        for k in range(8)
    ]
    gf.run(path / "c.parquet", who, journal=path / "c.db")
    gf.run(path / "new.parquet", who[:3], journal=path / "new.db")
    return path


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    def called(*words: object) -> Ran:
        return run_cli(monkeypatch, capsys, *map(str, words))

    return called


@pytest.mark.slow
def test_a_folder_has_a_file_for_each_broad_ability(folder: Path, call) -> None:
    ran = call("calibrate", folder / "c.db", "--by", "design", "--each", "ability", "--guess",
               "format", "--population", "eight observers", "-o", folder / "known",
               "--json")  # fmt: skip
    assert ran.code == 0, ran.err
    assert sorted(p.name for p in (folder / "known").iterdir()) == ["Gf.json", "Gwm.json"]
    assert list(json.loads(ran.out)["calibrations"]) == ["Gf", "Gwm"]
    known = gf.read_calibrations(folder / "known")
    assert known["Gf"].about["population"] == "eight observers"
    cells = [
        {"family": name} | {f"radical.{k}": levels[k] for k in sorted(levels)}
        for name in NAMES for levels in main_cells(FAMILIES[name])
    ]  # fmt: skip
    labels = [dict(e.facts["labels"]) for one in known.values() for e in one.entries]
    unsolved = [dict(cell["labels"]) for one in known.values() for cell in one.left_out]
    assert len(unsolved) == 1  # nobody repeats six symbols backward
    assert sorted(map(str, labels + unsolved)) == sorted(map(str, cells))
    assert {e.facts["items"] for one in known.values() for e in one.entries} == {2}


@pytest.mark.slow
def test_new_items_of_the_cells_are_scored_by_a_file_of_the_folder(folder: Path, call) -> None:
    known = folder / "known-for-scores"
    words = ("--by", "design", "--each", "ability", "--guess", "format", "--population", "eight")
    assert call("calibrate", folder / "c.db", *words, "-o", known).code == 0
    gf_file = known / "Gf.json"
    ran = call("score", folder / "new.db", "--calibration", gf_file, "--json")
    assert ran.code == 0, ran.err
    rows = json.loads(ran.out)["calibrated"]["abilities"]
    assert [row["n"] for row in rows] == [8] * 3
    assert [row["left_out"] for row in rows] == [8] * 3


def test_mistakes_are_sentences(tmp_path: Path, call) -> None:
    bank = gf.build("chc", families=NAMES[:1], per_cell=1, path=tmp_path / "c.parquet",
                    show_progress=False)  # fmt: skip
    gf.run(bank, ["observer:limited?seed=1", "observer:limited?seed=2"], journal=tmp_path / "c.db")
    each = ("calibrate", tmp_path / "c.db", "--by", "design", "-o", tmp_path / "x", "--each")
    ran = call(*each, "colour")
    assert (ran.code, "unknown label 'colour'" in ran.err) == (2, True)
    ran = call(*each, "ability", "--link", tmp_path / "known" / "Gf.json")
    assert (ran.code, "cannot be linked" in ran.err) == (2, True)
