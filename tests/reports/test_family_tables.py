"""A report of a generated battery has its families and abilities, with intervals and chance."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import gfactor as gf
from gfactor.benchmarks.chc import build
from gfactor.items import Item, write_bank

NAMES = ("number_series", "symmetry_axes", "updating", "paper_folding")


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("battery")
    parts = build.plan(seed=5, families=NAMES, difficulty=["easy"], per_cell=2).parts
    items: list[Any] = [item for part in parts for item in part.make()]
    assert all(isinstance(item, Item) for item in items)
    bank = write_bank(items, folder / "bank.parquet")
    people = [f"observer:limited?capacity={c}&hypotheses=30&seed={c}" for c in (3, 6)]
    gf.run(bank, people, journal=folder / "c.db").close()
    return folder / "c.db"


def test_a_matrix_by_family_and_one_by_ability(journal: Path) -> None:
    by_family = gf.matrix(journal, by="family")
    assert list(by_family.scores.columns) == sorted(NAMES)
    by_ability = gf.matrix(journal, by="ability")
    assert list(by_ability.scores.columns) == ["Gf-I", "Gv-VZ", "Gwm"]
    both = by_family.scores[["paper_folding", "symmetry_axes"]].mean(axis=1)
    assert by_ability.scores["Gv-VZ"].to_numpy() == pytest.approx(both.to_numpy())


@pytest.mark.slow
def test_the_report_tells_accuracy_interval_and_chance_by_family_and_ability(
    journal: Path, tmp_path: Path
) -> None:
    gf.report(journal, tmp_path / "report")
    family: Any = pd.read_csv(tmp_path / "report" / "tables" / "accuracy_by_family.csv")
    ability: Any = pd.read_csv(tmp_path / "report" / "tables" / "accuracy_by_ability.csv")
    assert set(zip(family["ability"], family["family"], strict=True)) == {
        ("Gf-I", "number_series"), ("Gv-VZ", "symmetry_axes"), ("Gwm", "updating"),
        ("Gv-VZ", "paper_folding"),
    }  # fmt: skip
    for table in (family, ability):
        assert (table["accuracy_low"] <= table["accuracy"]).all()
        assert (table["accuracy"] <= table["accuracy_high"]).all()
    chance = family.set_index("family")["chance"]
    assert chance["symmetry_axes"] == chance["paper_folding"] == pytest.approx(0.25)
    counts = ability.set_index("ability")["n"]
    assert counts["Gv-VZ"] == 2 * counts["Gwm"]
