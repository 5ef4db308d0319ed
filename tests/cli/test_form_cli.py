"""Forms of a calibrated bank, and of cells: files, banks, keys, anchors, mistakes."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from support.cli import Ran, run_cli
from support.irt_journals import administer, choice_bank, models

import gfactor as gf
from gfactor.administration.adaptive.calibrated import none_calibrated
from gfactor.benchmarks.chc.shipped import shipped_calibrations
from gfactor.errors import ParameterError
from gfactor.psychometrics.irt.scales.calibration_files import read_calibration, write_calibration


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bank of 24 items, answered by 36 models; its calibrations by item and by design."""
    path = tmp_path_factory.mktemp("form")
    difficulty = {("maze", 2): -1.0, ("maze", 4): 0.0, ("fold", 2): 0.5, ("fold", 4): 1.2}
    bank, b = choice_bank(
        path / "bank.parquet", difficulty, 6, clone_sd=0.3, keys={"maze-02-1": "C"}
    )
    administer(path / "c.db", bank, b, models(12, 3))
    write_calibration(gf.calibrate(path / "c.db"), path / "items.json")
    cells = gf.calibrate(path / "c.db", by="design", population="36 drawn models")
    write_calibration(cells, path / "cells.json")
    return path


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    def called(*words: object) -> Ran:
        return run_cli(monkeypatch, capsys, *map(str, words))

    return called


WORDS = ("--length", "8", "--parallel", "2", "--anchors", "3", "--content", "domain=maze:3-5")


@pytest.mark.slow
def test_forms_of_families_get_new_items_with_their_key(call, tmp_path: Path) -> None:
    [known] = shipped_calibrations(["Gf"]).values()
    write_calibration(known, tmp_path / "Gf.json")
    words = ("--length", 6, "--parallel", 3, "--anchors", 2, "--seed", 5, "--language", "es")
    for name in ("f", "again"):
        ran = call("form", tmp_path / "Gf.json", *words, "-o", tmp_path / name)
        assert ran.code == 0, ran.err
    table = pd.read_csv(tmp_path / "f" / "forms.csv", dtype={"key": str})
    assert (tmp_path / "f" / "forms.csv").read_bytes() == (
        tmp_path / "again" / "forms.csv"
    ).read_bytes()
    banks = {name: gf.open_bank(tmp_path / "f" / f"{name}.parquet") for name in set(table["form"])}
    for form, rows in table.groupby("form"):
        items = {item.id: item for item in banks[str(form)]}
        assert list(items) == rows["item"].to_list()
        for name, key, entry in zip(rows["item"], rows["key"], rows["entry"], strict=True):
            item = items[name]
            assert str(item.target) == key
            assert f"family={item.labels['family']}," in f"{entry},"
            assert item.labels["language"] == "es"
    # A form's two anchors are those of the others; all else is asked in one form alone.
    counts = Counter(table["item"])
    assert sorted(counts.values()) == [1] * 12 + [3] * 2
    shared = {item for item, count in counts.items() if count == 3}
    assert shared == set(table.loc[table["anchor"], "item"])
    contents = [h for bank in banks.values() for h in bank.frame()["content_hash"]]
    assert len(set(contents)) == 14


@pytest.mark.slow
def test_forms_are_written_as_banks_with_their_key(folder: Path, call, tmp_path: Path) -> None:
    words = ("form", folder / "items.json", "--bank", folder / "bank.parquet", *WORDS)
    ran = call(*words, "--respondents", "100", "-o", tmp_path / "f", "--json")
    assert ran.code == 0, ran.err
    said = json.loads(ran.out)
    assert (said["parallel"], said["length"], said["anchors"]) == (2, 8, 3)
    assert said["largest_gap"] <= 0.05
    assert said["linking"][0]["intercept_se"] > 0
    table = pd.read_csv(tmp_path / "f" / "forms.csv")
    for name, rows in table.groupby("form"):
        items = gf.open_bank(tmp_path / "f" / f"{name}.parquet")
        assert list(items.ids) == rows["item"].to_list()
        assert {item.id: item.target for item in items} == dict(
            zip(rows["item"], rows["key"], strict=True)
        )
        assert rows["domain"].eq("maze").sum() in (3, 4, 5)
        assert items.metadata["derived"][-1]["what"] == f"{name} of 2 parallel forms"
    shared: Any = table.groupby("item")["form"].nunique()
    assert set(shared[shared > 1].index) == set(table.loc[table["anchor"], "item"])
    assert json.loads((tmp_path / "f" / "forms.json").read_text())["seed"] == 0
    (tmp_path / "g").mkdir()
    (tmp_path / "g" / "forms.csv").write_text("form,item\nform-1,a\nform-3,b\n")
    for number in (3, 9):
        (tmp_path / "g" / f"form-{number}.parquet").write_bytes(b"of before")
    again = call(*words, "--respondents", "100", "-o", tmp_path / "g", "--json")
    assert again.code == 0
    for name in ("forms.csv", "information.csv", "forms.json", "form-1.parquet"):
        assert (tmp_path / "f" / name).read_bytes() == (tmp_path / "g" / name).read_bytes()
    # The third form that was written before is gone; what is no form of this folder stays.
    assert sorted(path.name for path in (tmp_path / "g").glob("*.parquet")) == [
        "form-1.parquet", "form-2.parquet", "form-9.parquet"
    ]  # fmt: skip
    # Nor is the bank deleted that the forms are of.
    table = "form,item\nform-3,b\n"
    (tmp_path / "g" / "forms.csv").write_text(table)
    bank = (folder / "bank.parquet").read_bytes()
    (tmp_path / "g" / "form-3.parquet").write_bytes(bank)
    words = (*words[:3], tmp_path / "g" / "form-3.parquet", *words[4:])
    refused = call(*words, "--respondents", "100", "-o", tmp_path / "g")
    assert "is the bank itself" in refused.err
    assert (tmp_path / "g" / "form-3.parquet").read_bytes() == bank
    assert (tmp_path / "g" / "forms.csv").read_text() == table


@pytest.mark.slow
def test_items_of_calibrated_cells_need_no_calibration_of_their_own(
    folder: Path, call, tmp_path: Path
) -> None:
    ran = call("form", folder / "cells.json", "--bank", folder / "bank.parquet", *WORDS, "-o",
               tmp_path / "f")  # fmt: skip
    assert ran.code == 0, ran.err
    assert "expected scores of two forms differ by" in ran.out
    assert "36 drawn models" in ran.out
    table = pd.read_csv(tmp_path / "f" / "forms.csv")
    assert set(table["entry"]) <= {f"domain={d},size={s}" for d in ("maze", "fold") for s in (2, 4)}
    ran = call("form", folder / "cells.json", "--length", "8", "--parallel", "3", "-o",
               tmp_path / "cells")  # fmt: skip
    assert ran.code == 0, ran.err
    assert not list((tmp_path / "cells").glob("*.parquet"))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--length", "40"), "a form of 40 items needs 40 items, and there are 24"),
        (("--length", "8", "--content", "domain"), "must have the form LABEL=VALUE:LEAST-MOST"),
        (("--length", "8", "--theta", "low"), "a list of numbers"),
        (("--length", "8", "--per-cell", "2"), "per_cell is only for forms of cells"),
        (("--parallel", "2"), "give the length of the forms, or the standard error"),
    ],
)
def test_mistakes_are_said(
    words: tuple[str, ...], sentence: str, folder: Path, call, tmp_path: Path
) -> None:
    ran = call("form", folder / "items.json", *words, "-o", tmp_path / "f")
    assert ran.code == 2
    assert sentence in ran.err


def test_a_bank_that_was_not_calibrated_is_refused(folder: Path, tmp_path: Path) -> None:
    other, _ = choice_bank(tmp_path / "other.parquet", {("span", 9): 0.0}, 4, prefix="new-")
    with pytest.raises(ParameterError, match="contains none of the 4 items of"):
        gf.form(folder / "items.json", bank=other, length=2)


def test_items_of_equal_ids_and_other_contents_are_told_from_unknown_ones(folder: Path) -> None:
    calibration = read_calibration(folder / "items.json")
    ids = [calibration.entries[0].name, "new"]
    error = none_calibrated(calibration, ids, "of 'bank.parquet'", "give the bank")
    assert "1 item of the same id with other contents" in str(error)
    assert "Import the answers with --bank BANK" in str(error)
    assert str(none_calibrated(calibration, ["new"], "of it", "give the bank")).endswith("the bank")
