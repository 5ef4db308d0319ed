"""`gfactor run BANK --adaptive`: the same loop over a stored, calibrated bank."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from support.cli import Ran, run_cli
from support.irt_journals import administer, choice_bank
from support.paper_runs import right

import gfactor as gf
from gfactor.examinees import EXAMINEES, RenderedItem, Reply
from gfactor.items import ItemBank
from gfactor.psychometrics.irt.scales.calibration_files import write_calibration

Run = Callable[..., Ran]
DIFFICULTY = {("a", size): float(size - 4) for size in range(1, 8)}


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return lambda *words: run_cli(monkeypatch, capsys, *map(str, words))


@pytest.fixture(scope="module")
def calibrated(tmp_path_factory: pytest.TempPathFactory) -> tuple[ItemBank, Path]:
    folder = tmp_path_factory.mktemp("b")
    bank, b = choice_bank(folder / "b.parquet", DIFFICULTY, 6, seed=3)
    people = {f"openai:m{k}": (k - 20) / 10 for k in range(40)}
    administer(folder / "c.db", bank, b, people, seed=4)
    known = gf.calibrate(folder / "c.db", by="design", population="40 models")
    return bank, write_calibration(known, folder / "known.json")


class Knows:
    """Solves items up to a size."""

    in_flight = 4

    def __init__(self, bank: ItemBank, size: int) -> None:
        self.name, self.asked = f"knows:{size}", 0
        self._right = {item.id: right(item) for item in bank}
        self._size, self._labels = size, bank.labels()

    async def __call__(self, item: RenderedItem) -> Reply:
        self.asked += 1
        size = self._labels[item.item_id]["size"]
        assert isinstance(size, int)
        return Reply(self._right[item.item_id] if size <= self._size else "D")

    async def close(self) -> None: ...


@pytest.mark.slow
def test_an_adaptive_run_asks_a_part_of_the_bank_and_again_nothing(
    run: Run, tmp_path: Path, calibrated: tuple[ItemBank, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    bank, known = calibrated
    assert "observer" in EXAMINEES
    monkeypatch.setitem(
        EXAMINEES._things, "knows", lambda spec, bank, jobs: Knows(bank, int(spec.argument))
    )
    who = ("--examinee", "knows:2", "--examinee", "knows:5", "--journal", tmp_path / "a.db")
    how = ("run", bank.path, "--adaptive", "--calibration", known, "--se", 0.6, "--json", *who)
    said = run(*how)
    assert said.code == 0, said.err
    document = json.loads(said.out)
    weak, strong = document["examinees"]
    assert weak["theta"] < -1 < 0 < strong["theta"]
    for row in (weak, strong):
        assert row["stop"] == "se"
        assert row["se"] <= 0.6
        assert row["asked"] == row["items"] < len(bank) == 42
    again = json.loads(run(*how).out)
    assert [row["asked"] for row in again["examinees"]] == [0, 0]
    assert [row["theta"] for row in again["examinees"]] == [weak["theta"], strong["theta"]]
    abilities = gf.score(tmp_path / "a.db", calibration=known).abilities
    assert abilities["n"].to_list() == [weak["items"], strong["items"]]


def test_everybody_of_the_journal_is_listed_and_who_was_just_asked_is_marked(
    tmp_path: Path, calibrated: tuple[ItemBank, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    bank, known = calibrated
    assert "observer" in EXAMINEES
    monkeypatch.setitem(
        EXAMINEES._things, "knows", lambda spec, bank, jobs: Knows(bank, int(spec.argument))
    )
    how = {"journal": tmp_path / "a.db", "calibration": known, "max_items": 4}
    first = gf.run_adaptive(bank, "knows:2", **how)
    assert "run" not in first.table
    second = gf.run_adaptive(bank, "knows:5", **how)
    runs = dict(zip(second.table["examinee"], second.table["run"], strict=True))
    assert runs == {"knows:2": "earlier", "knows:5": "this"}
    assert "earlier" in second.summary()


def test_options_of_adaptive_runs_belong_together(
    run: Run, tmp_path: Path, calibrated: tuple[ItemBank, Path]
) -> None:
    bank, known = calibrated
    how = ("run", bank.path, "--examinee", "baseline:random", "--journal", tmp_path / "a.db")
    assert "--adaptive and --calibration FILE belong together" in run(*how, "--adaptive").err
    assert "--max-items is for --adaptive" in run(*how, "--max-items", 3).err
    both = (*how, "--adaptive", "--calibration", known)
    assert "an adaptive run has no such option" in run(*both, "--occasions", 2).err
    assert not (tmp_path / "a.db").exists()
