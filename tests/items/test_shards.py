"""A bank in several files is the same bank."""

from __future__ import annotations

import json
import pickle
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from support.banks import make_item, make_items
from support.cli import run_cli

import gfactor as gf
from gfactor.errors import BankError
from gfactor.items import ItemBank, shards, write_bank
from gfactor.items.schema import ITEMS_KEY
from gfactor.studies.questionnaires import StudyFolder

OPTIONS = {"domains": ["change_colour", "counting_circles"], "sizes": [1, 5], "seed": 3}


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shards of 15 items."""
    monkeypatch.setattr(shards, "ITEMS_PER_SHARD", 15)


def built(folder: Path) -> ItemBank:
    folder.mkdir(exist_ok=True)
    return gf.build("percept-v", path=folder / "b.parquet", **OPTIONS)


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


@pytest.mark.thorough
def test_a_large_bank_is_several_files_with_the_items_and_digests_of_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = built(tmp_path / "whole")
    monkeypatch.setattr(shards, "ITEMS_PER_SHARD", 15)
    bank = built(tmp_path / "parts")
    assert names(tmp_path / "parts") == [
        "b-00000-of-00003.parquet", "b-00001-of-00003.parquet", "b-00002-of-00003.parquet",
        "b.croissant.json",
    ]  # fmt: skip
    rows = [pq.read_metadata(file).num_rows for file in shards.bank_files(bank.path)]
    assert rows == [13, 13, 14]
    assert bank.metadata == whole.metadata
    assert list(bank) == list(whole)
    assert bank.frame().equals(whole.frame())
    assert [bank.item(i) for i in reversed(bank.ids)] == list(whole)[::-1]
    assert list(pickle.loads(pickle.dumps(bank)).select(bank.ids[12:14])) == list(whole)[12:14]
    document = json.loads((tmp_path / "parts/b.croissant.json").read_text())
    files = [one for one in document["distribution"] if one["@type"] == "cr:FileObject"]
    assert [one["name"] for one in files] == names(tmp_path / "parts")[:3]


def test_it_is_opened_by_its_name_by_a_shard_and_by_its_folder(small: None, tmp_path: Path) -> None:
    ids = built(tmp_path).ids
    for path in ("b.parquet", "b-00001-of-00003.parquet", ""):
        assert gf.open_bank(tmp_path / path).ids == ids
    (tmp_path / "b-00001-of-00003.parquet").unlink()
    with pytest.raises(BankError, match=r"lacks the shard 'b-00001-of-00003\.parquet'"):
        gf.open_bank(tmp_path / "b.parquet")


def test_a_bank_replaces_one_of_another_form(small: None, tmp_path: Path) -> None:
    path = tmp_path / "b.parquet"
    for count, expected in ((40, 3), (10, 1), (20, 2)):
        items = [make_item(f"i{k}") for k in range(count)]
        write_bank(items, path)
        assert len(names(tmp_path)) == expected
        assert list(ItemBank.open(path)) == items


def test_shards_that_do_not_belong_together_are_refused(small: None, tmp_path: Path) -> None:
    items = make_items(sizes=5, instances=4)
    write_bank(items, tmp_path / "b.parquet", {"seed": 1})
    write_bank(items, tmp_path / "other.parquet", {"seed": 2})
    with pytest.raises(BankError, match="is a folder; name the Parquet file in it"):
        ItemBank.open(tmp_path)
    shutil.copy(tmp_path / "other-00001-of-00003.parquet", tmp_path / "b-00001-of-00003.parquet")
    with pytest.raises(BankError, match=r"b-00001-of-00003.*is of another build"):
        ItemBank.open(tmp_path / "b.parquet")
    write_bank(items, tmp_path / "b.parquet")
    shutil.copy(tmp_path / "b-00000-of-00003.parquet", tmp_path / "b-00002-of-00003.parquet")
    with pytest.raises(BankError, match=r"b-00002.*row 0.*already used in row 0 of the whole bank"):
        ItemBank.open(tmp_path / "b.parquet")
    shutil.copy(tmp_path / "b-00000-of-00003.parquet", tmp_path / "b-00000-of-00009.parquet")
    with pytest.raises(BankError, match="banks of 3 and of 9 files"):
        ItemBank.open(tmp_path / "b.parquet")


def test_a_shard_that_was_renamed_is_no_smaller_bank(small: None, tmp_path: Path) -> None:
    write_bank(make_items(sizes=5, instances=4), tmp_path / "b.parquet")
    (tmp_path / "b-00000-of-00003.parquet").rename(tmp_path / "small.parquet")
    with pytest.raises(BankError, match="of the 40 items of its bank"):
        ItemBank.open(tmp_path / "small.parquet")


def test_a_shard_that_another_program_changed_is_refused_in_a_sentence(
    small: None, tmp_path: Path
) -> None:
    write_bank(make_items("abc", 2, 4), tmp_path / "b.parquet")
    shard = pq.read_table(next(iter(sorted(tmp_path.glob("b-*")))))
    kept = shard.schema.metadata
    odd = {"cut": shard.slice(1), "odd": shard.replace_schema_metadata({**kept, ITEMS_KEY: b"no"})}
    for name, table in odd.items():
        pq.write_table(table, tmp_path / f"{name}.parquet")
    with pytest.raises(BankError, match=f"holds {len(shard) - 1} of the 24 items of its bank"):
        ItemBank.open(tmp_path / "cut.parquet")
    with pytest.raises(BankError, match="of the no items of its bank"):
        ItemBank.open(tmp_path / "odd.parquet")


@pytest.mark.slow
def test_whatever_takes_a_bank_takes_shards(
    small: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bank = built(tmp_path)
    journal = str(tmp_path / "c.db")
    path = str(bank.path)
    for words in (
        ("run", path, "--journal", journal, "--examinee", "observer:ideal"),
        ("audit", path),
        ("select", path, "--method", "all", "-o", str(tmp_path / "copy.parquet")),
    ):
        done = run_cli(monkeypatch, capsys, *words)
        assert done.code == 0, done.err
    assert list(gf.open_bank(tmp_path / "copy.parquet")) == list(bank)
    assert len(gf.open_journal(journal).responses()) == 40
    gf.annotate.new(bank, tmp_path / "workspace")
    assert ItemBank.open(tmp_path / "workspace/bank.parquet").ids == bank.ids
    refused = run_cli(monkeypatch, capsys, "select", path, "--method", "all", "-o", path)
    assert "is the bank that is read" in refused.err


def test_shards_in_another_order_are_refused(small: None, tmp_path: Path) -> None:
    first, second, _ = shards.bank_files(Path(built(tmp_path).path))
    held = first.read_bytes()
    first.write_bytes(second.read_bytes())
    second.write_bytes(held)
    with pytest.raises(BankError, match="in another order, or with other items"):
        ItemBank.open(first)


@pytest.mark.thorough
def test_a_study_of_a_bank_in_several_files_opens(small: None, tmp_path: Path) -> None:
    bank = built(tmp_path / "bank")
    made = gf.study.new(bank, tmp_path / "study", title="Colors", password="correct horse battery")
    folder = StudyFolder.open(made.folder)
    assert folder.bank.ids == bank.ids
    before = folder.declaration.bank
    last = shards.bank_files(folder.bank.path)[-1]
    pq.write_table(pq.read_table(last), last, compression="none", write_page_checksum=True)
    assert StudyFolder.open(made.folder).declaration.bank != before
