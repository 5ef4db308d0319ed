"""`gfactor calibrate --update`: new models on a scale of real models, and versions that merge."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from support.cli import Ran, run_cli
from support.simulated_anchors import calibrated, draw_models

import gfactor as gf
from gfactor.psychometrics.irt.anchors.files import write_anchors

Run = Callable[..., Ran]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return lambda *words: run_cli(monkeypatch, capsys, *map(str, words))


@pytest.fixture
def files(tmp_path: Path) -> Path:
    write_anchors(calibrated()[1], tmp_path / "scale")
    world = draw_models(9, 61)
    for name, rows in (("a", slice(0, 6)), ("b", slice(6, 9))):
        world.answers.iloc[rows].to_csv(tmp_path / f"{name}.csv")
    world.families.rename("family").to_csv(tmp_path / "families.csv")
    return tmp_path


def test_models_are_added_and_versions_merged_as_by_the_function(run: Run, files: Path) -> None:
    for name in ("a", "b"):
        shown = json.loads(
            run("calibrate", "--update", files / "scale", files / f"{name}.csv", "--families",
                files / "families.csv", "-o", files / name, "--laboratory", name, "--json").out
        )  # fmt: skip
    both = run("calibrate", "--update", files / "a", files / "b", "-o", files / "both")
    assert "simulated with 9 added models" in both.out
    mine = gf.update_calibration(
        files / "scale", files / "b.csv", families=files / "families.csv", laboratory="b"
    )
    assert shown["after"] == mine.after
    merged = gf.update_calibration(mine, files / "a")
    assert merged.after[:12] in both.out
    assert sorted(merged.history["laboratory"]) == ["a", "b"]
    answers = pd.read_csv(files / "a.csv", index_col=0)
    placed = gf.place(answers.iloc[:1, :50], calibration=files / "both")
    assert placed.predictions["asked"].tolist() == [50]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--update", "scale", "a.csv"), "'newm0' has no family"),
        (("--update", "scale", "a.csv", "--by", "design"), "--by does not go with --update"),
        (("a.csv", "--laboratory", "x"), "--laboratory works only with --update"),
        (("--update", "scale", "scale", "--families", "families.csv"), "are for new answers"),
        (("--update", "scale", "a.csv", "--families", "a.csv"), "has no column 'family'"),
    ],
)
def test_what_an_update_cannot_use_is_refused(
    run: Run, files: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], sentence: str
) -> None:
    monkeypatch.chdir(files)
    refused = run("calibrate", *words, "-o", "new")
    assert refused.code == 2
    assert sentence in refused.err
    assert not Path("new").exists()
