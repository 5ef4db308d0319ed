"""A build in parts: resumed, joined in order, and the same for any number of jobs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from support.banks import make_items

from gfactor.errors import ParameterError
from gfactor.items import BankPlan, Item, ItemBank, Part, build_bank
from gfactor.items.croissant import croissant_path
from gfactor.items.schema import label_types

ABOUT = {
    "name": "toy",
    "description": "A toy.",
    "license": "Apache-2.0",
    "citation": "Nobody",
    "version": "1",
}


def recorded(domain: str, record: Path, fail: str = "") -> Iterator[Item]:
    """Items of a domain; leaves a line in a file, so that it can be told what was made."""
    with record.open("a") as stream:
        stream.write(domain)
    if domain == fail:
        raise KeyboardInterrupt
    yield from make_items(domain)


def plan(record: Path, fail: str = "", seed: int = 7) -> BankPlan:
    return BankPlan(
        parts=[
            Part(d, {"domain": d, "seed": seed}, partial(recorded, d, record, fail)) for d in "cab"
        ],
        labels=label_types(make_items()),
        metadata={"benchmark": "toy", "edition": "", "seed": seed},
        about=ABOUT,
    )


def test_the_parts_are_joined_in_the_order_of_the_plan(tmp_path: Path) -> None:
    built = build_bank(plan(tmp_path / "record"), tmp_path / "bank.parquet")
    bank = ItemBank.open(tmp_path / "bank.parquet")
    assert list(bank) == [*make_items("c"), *make_items("a"), *make_items("b")]
    assert (built.items, built.images) == (18, 18)
    assert built.scene_digest == bank.metadata["scene_digest"]
    assert built.pixel_digest == bank.metadata["pixel_digest"]
    assert croissant_path(built.path).exists()


def test_a_build_that_was_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    record, path = tmp_path / "record", tmp_path / "bank.parquet"
    with pytest.raises(KeyboardInterrupt):
        build_bank(plan(record, fail="b"), path)
    assert not path.exists()
    built = build_bank(plan(record), path)
    assert record.read_text() == "cabb"
    fresh = build_bank(plan(record), tmp_path / "fresh.parquet")
    assert (built.scene_digest, built.items) == (fresh.scene_digest, fresh.items)


def test_nothing_is_left_behind_but_the_bank_and_its_metadata(tmp_path: Path) -> None:
    build_bank(plan(tmp_path / "record"), tmp_path / "bank.parquet")
    names = sorted(p.name for p in tmp_path.iterdir())
    assert names == ["bank.croissant.json", "bank.parquet", "record"]


def test_parts_of_other_parameters_are_not_used(tmp_path: Path) -> None:
    record, path = tmp_path / "record", tmp_path / "bank.parquet"
    with pytest.raises(KeyboardInterrupt):
        build_bank(plan(record, fail="b", seed=7), path)
    build_bank(plan(record, seed=8), path)
    assert record.read_text() == "cab" + "cab"


def test_a_part_that_is_damaged_is_made_again(tmp_path: Path) -> None:
    record, path = tmp_path / "record", tmp_path / "bank.parquet"
    with pytest.raises(KeyboardInterrupt):
        build_bank(plan(record, fail="b"), path)
    part = tmp_path / "bank.parquet.parts" / "c.parquet"
    part.write_bytes(part.read_bytes()[:-9])
    build_bank(plan(record), path)
    assert record.read_text() == "cab" + "cb"
    assert len(ItemBank.open(path)) == 18


def test_an_interrupted_build_leaves_an_older_bank_alone(tmp_path: Path) -> None:
    record, path = tmp_path / "record", tmp_path / "bank.parquet"
    build_bank(plan(record), path)
    before = path.read_bytes()
    with pytest.raises(KeyboardInterrupt):
        build_bank(plan(record, fail="a", seed=8), path)
    assert path.read_bytes() == before


def test_files_of_others_in_the_parts_folder_are_kept(tmp_path: Path) -> None:
    folder = tmp_path / "bank.parquet.parts"
    folder.mkdir()
    (folder / "notes.txt").write_text("mine")
    build_bank(plan(tmp_path / "record"), tmp_path / "bank.parquet")
    assert [p.name for p in folder.iterdir()] == ["notes.txt"]


def test_a_path_is_checked_before_any_work(tmp_path: Path) -> None:
    record = tmp_path / "record"
    with pytest.raises(ParameterError, match="cannot write"):
        build_bank(plan(record), tmp_path / "nowhere" / "bank.parquet")
    (tmp_path / "bank.parquet.parts").write_text("a file where the folder should be")
    with pytest.raises(ParameterError, match="cannot make the folder"):
        build_bank(plan(record), tmp_path / "bank.parquet")
    assert not record.exists()
