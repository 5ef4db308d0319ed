"""A bank gives back exactly the items that were written, and every view of them is consistent."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from support.banks import banks, make_item, make_items

from gfactor.errors import BankError, ParameterError, UnknownNameError
from gfactor.items import Item, ItemBank, digest_of, reading, write_bank


@pytest.fixture
def bank(tmp_path: Path) -> ItemBank:
    write_bank(make_items(), tmp_path / "bank.parquet", {"benchmark": "toy", "seed": 7})
    return ItemBank.open(tmp_path / "bank.parquet")


@pytest.mark.slow
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(items=banks)
def test_any_items_come_back_as_they_were_written(items: tuple[Item, ...], tmp_path: Path) -> None:
    path = write_bank(items, tmp_path / "bank.parquet")
    bank = ItemBank.open(path, decode=True)
    assert tuple(bank) == items
    assert [bank.item(i.id) for i in reversed(items)] == list(reversed(items))


def test_a_folder_may_have_a_name_that_looks_like_an_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """pyarrow takes what stands before ":" for a protocol."""
    monkeypatch.chdir(tmp_path)
    for name in ("s3:pilot", "file:lab", "12:30"):
        Path(name).mkdir()
        bank = ItemBank.open(write_bank(make_items("ab"), Path(name) / "bank.parquet"))
        assert list(bank.ids) == [item.id for item in make_items("ab")]


def test_a_bank_of_several_row_groups_keeps_its_order(tmp_path: Path) -> None:
    items = make_items(sizes=20, instances=7)
    bank = ItemBank.open(write_bank(items, tmp_path / "bank.parquet"))
    assert list(bank) == items
    assert list(bank.select([i.id for i in items[::-1]])) == items[::-1]


def test_a_view_holds_the_selected_items_in_the_order_asked_for(bank: ItemBank) -> None:
    view = bank.select(["b-02-1", "a-01-0"])
    assert [item.id for item in view] == ["b-02-1", "a-01-0"]
    assert len(view) == 2
    assert "a-01-1" not in view


def test_parts_asked_for_in_order_read_the_file_once(
    bank: ItemBank, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Path] = []
    real = reading.open_parquet

    def counted(path: Path, **how: Any) -> Any:
        opened.append(path)
        return real(path, **how)

    monkeypatch.setattr(reading, "open_parquet", counted)
    ids = bank.ids
    assert [*bank.items(ids[:5]), *bank.items(ids[5:])] == make_items()
    assert len(opened) == 1
    assert [item.id for item in bank.items(ids[2:0:-1])] == [ids[2], ids[1]]


def test_an_unknown_id_is_answered_with_the_closest_one(bank: ItemBank) -> None:
    with pytest.raises(BankError, match="did you mean 'a-01-0'"):
        bank.item("a-01-00")
    with pytest.raises(BankError, match="no such item"):
        bank.select(["a-01-0"]).item("b-02-1")


@pytest.mark.parametrize("ids", ["a-01-0", len])
def test_a_selection_takes_a_list_of_ids(bank: ItemBank, ids: Any) -> None:
    with pytest.raises(ParameterError, match=r"takes a list .* bank.select\(\['a-01-0'"):
        bank.select(ids)


def test_a_sample_takes_so_many_of_every_stratum_and_depends_on_the_seed(tmp_path: Path) -> None:
    items = make_items(sizes=3, instances=10)
    bank = ItemBank.open(write_bank(items, tmp_path / "bank.parquet"))
    sample = bank.sample(n=2, seed=1)
    frame = sample.frame()
    assert set(frame.groupby(["domain", "size"]).size()) == {2}
    assert sample.ids == bank.sample(n=2, seed=1).ids
    assert sample.ids != bank.sample(n=2, seed=2).ids
    assert list(sample.ids) == [i for i in bank.ids if i in sample]


def test_a_sample_takes_all_of_a_stratum_that_is_too_small(bank: ItemBank) -> None:
    assert bank.sample(n=99).ids == bank.ids


def test_the_frame_has_a_row_an_item_and_a_column_a_label(bank: ItemBank) -> None:
    frame = bank.frame()
    for name in ("id", "language", "answer_type", "target"):
        assert bank.column(name) == frame[name].tolist()
    assert list(frame["id"]) == list(bank.ids)
    first = frame.iloc[0]
    assert (first["domain"], first["size"], list(first["skills"])) == ("a", 1, ["seeing", "a"])
    assert (first["text"], first["images"], first["target"]) == ("How many?", 1, "0")
    assert (first["edition"], first["seed"], first["index"]) == ("audited", 7, 0)


def test_a_label_named_like_a_column_keeps_both(tmp_path: Path) -> None:
    item = make_item(labels={"domain": "a", "version": "x"})
    frame = ItemBank.open(write_bank([item], tmp_path / "bank.parquet")).frame()
    assert (frame["version"][0], frame["label.version"][0]) == ("1", "x")


def test_the_q_matrix_marks_every_value_of_a_label(bank: ItemBank) -> None:
    q = bank.q_matrix("skills")
    assert list(q.columns) == ["a", "b", "seeing"]
    assert list(q.loc["b-01-0"]) == [0, 1, 1]
    assert set(bank.q_matrix("size").sum(axis=1)) == {1}
    with pytest.raises(UnknownNameError, match="did you mean 'skills'"):
        bank.q_matrix("skill")


def test_metadata_tells_what_was_stored_and_counts_what_is_in_view(bank: ItemBank) -> None:
    facts, part = bank.metadata, bank.select(["a-01-0"]).metadata
    assert (facts["seed"], facts["items"], facts["images"]) == (7, 12, 12)
    assert facts["scene_digest"] == digest_of(i.provenance.content_hash for i in bank)
    assert (part["items"], part["images"]) == (1, 1)
    assert part["pixel_digest"] != facts["pixel_digest"]


def test_labels_may_be_missing_from_some_items(tmp_path: Path) -> None:
    items = [make_item("a"), make_item("b", labels={"domain": "b"})]
    bank = ItemBank.open(write_bank(items, tmp_path / "bank.parquet"))
    assert [dict(i.labels) for i in bank] == [dict(i.labels) for i in items]


def test_a_bank_can_be_sent_to_another_process(bank: ItemBank) -> None:
    bank.item("a-01-0")
    assert list(pickle.loads(pickle.dumps(bank))) == list(bank)


def test_pixels_are_decoded_and_compared_with_their_hashes(bank: ItemBank) -> None:
    item = bank.item("a-01-0")
    (pixels,) = bank.pixels(item)
    assert pixels.shape == (6, 8, 3)
    assert pixels.dtype == np.uint8


def test_a_notebook_shows_what_the_bank_is(tmp_path: Path) -> None:
    path = write_bank([make_item(labels={"domain": "<b>"})], tmp_path / "bank.parquet")
    shown = ItemBank.open(path)._repr_html_()
    assert "&lt;b&gt;" in shown
    assert "<b>" not in shown


def test_a_failed_write_leaves_the_old_bank_and_no_litter(tmp_path: Path) -> None:
    path = write_bank(make_items(), tmp_path / "bank.parquet")
    before = path.read_bytes()
    bad = make_item(labels={"domain": "a"}, points="many")
    with pytest.raises(Exception, match="many"):
        write_bank([bad], path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["bank.parquet"]


@pytest.mark.parametrize(
    ("items", "words"),
    [
        ([], "no items"),
        ([make_item(labels={})], "at least one label"),
        ([make_item("a"), make_item("b", labels={"domain": 1})], "one type in a bank"),
    ],
)
def test_what_cannot_be_a_bank_is_not_written(
    items: list[Item], words: str, tmp_path: Path
) -> None:
    with pytest.raises(ParameterError, match=words):
        write_bank(items, tmp_path / "bank.parquet")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("place", ["nowhere/bank.parquet", "."])
def test_a_path_that_cannot_be_written_is_a_users_mistake(place: str, tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="cannot write"):
        write_bank(make_items(), tmp_path / place)


@pytest.mark.thorough
def test_items_are_found_in_any_order_in_a_bank_of_one_large_row_group(tmp_path: Path) -> None:
    items = make_items("abc", sizes=10, instances=10)
    path = write_bank(items, tmp_path / "bank.parquet")
    pq.write_table(pq.read_table(path), path, row_group_size=1000)
    bank = ItemBank.open(path)
    assert list(bank) == items
    order = [299, 0, 150, 149, 99, 100, 250]
    assert [bank.item(items[n].id) for n in order] == [items[n] for n in order]
    assert list(bank.select([items[n].id for n in order])) == [items[n] for n in order]
