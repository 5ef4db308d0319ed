"""A bank that cannot be used is refused with one sentence that names file, row and item."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support.banks import make_item, make_items, picture

from gfactor.errors import BankError, ParameterError
from gfactor.imaging import encode_png
from gfactor.items import Choice, Image, ItemBank, OutputFormat, formats, write_bank
from gfactor.scoring import text_rules

Row = dict[str, Any]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write_bank(make_items(), tmp_path / "bank.parquet")


def refused(path: Path, *, decode: bool = False) -> str:
    with pytest.raises(BankError) as caught:
        ItemBank.open(path, decode=decode)
    text = str(caught.value)
    assert str(path) in text
    assert "\n" not in text
    return text


def rewritten(path: Path, change: Callable[[Row], object], row: int = 4) -> None:
    """Change one row of the file, as another program might."""
    table = pq.read_table(path)
    rows = table.to_pylist()
    change(rows[row])
    pq.write_table(pa.Table.from_pylist(rows, table.schema), path)


def test_there_is_no_such_file(tmp_path: Path) -> None:
    assert "no such file" in refused(tmp_path / "bank.parquet")


@pytest.mark.parametrize("share", [0, 0.3, 0.99])
def test_a_file_that_is_cut_off(path: Path, share: float) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: int(share * len(data))])
    assert "cut off" in refused(path)


def test_a_file_that_is_something_else(path: Path) -> None:
    path.write_text("id,target\n1,2\n")
    assert "not a Parquet file" in refused(path)


def test_damage_within_the_file(path: Path) -> None:
    data = bytearray(path.read_bytes())
    at = data.index(b"IDAT") + 6
    data[at] ^= 0xFF
    path.write_bytes(bytes(data))
    assert "is damaged" in refused(path)


@pytest.mark.parametrize("column", ["id", "images", "target", "labels", "provenance"])
def test_a_missing_column(path: Path, column: str) -> None:
    pq.write_table(pq.read_table(path).drop_columns([column]), path)
    assert f"column '{column}' is missing" in refused(path)


def test_a_column_of_another_type(path: Path) -> None:
    table = pq.read_table(path)
    place = table.schema.get_field_index("images")
    pq.write_table(table.set_column(place, "images", pa.array([1] * len(table))), path)
    assert "column 'images' holds int64" in refused(path)


def test_a_bank_without_items(path: Path) -> None:
    pq.write_table(pq.read_table(path).slice(0, 0), path)
    assert "holds no items" in refused(path)


def test_a_duplicate_id(path: Path) -> None:
    rewritten(path, lambda row: row.update(id="a-01-0"))
    assert "row 4, item 'a-01-0': the id is already used in row 0" in refused(path)


def cut_image(row: Row) -> None:
    row["images"][0]["bytes"] = row["images"][0]["bytes"][:-5]


def damage_image(row: Row) -> None:
    data = bytearray(row["images"][0]["bytes"])
    data[data.index(b"IDAT") + 6] ^= 0xFF
    row["images"][0]["bytes"] = bytes(data)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda row: row.update(answer_type="essay"), "unknown answer type 'essay'"),
        (lambda row: row.update(target='{"a"'), "its target is not an answer in JSON"),
        (lambda row: row.update(target='"many"'), "cannot be written in its output format"),
        (lambda row: row.update(target="null"), "cannot be written in its output format"),
        (lambda row: row.update(accepted=["-1"]), "its accepted -1 cannot be written"),
        (lambda row: row.update(output_format='{"answer'), "its output format is not one"),
        (lambda row: row.update(output_format='{"answer_type":"x"}'), "unknown answer type 'x'"),
        (lambda row: row.update(answer_type="set"), "its output format asks for 'value'"),
        (lambda row: row["content"][1].update(image=1), "names image 1, but it has 1"),
        (lambda row: row["content"][1].update(image=-1), "names image -1"),
        (lambda row: row["content"][1].update(image=None), "not either a text or an image"),
        (lambda row: row["images"][0].update(bytes=b"no"), "cannot be decoded"),
        (lambda row: row["images"][0].update(bytes=None), "has no bytes"),
        (lambda row: row["images"][0].update(bytes=b"\xff\xd8\xff\xe0"), "JPEG that is cut off"),
        (cut_image, "PNG that is cut off"),
        (damage_image, "damaged PNG"),
        (lambda row: row["provenance"].update(content_hash=None), "content_hash"),
    ],
)
def test_a_row_that_cannot_be_used(path: Path, change: Callable[[Row], object], words: str) -> None:
    rewritten(path, change)
    text = refused(path)
    assert words in text
    assert "row 4, item 'a-02-1': " in text


@pytest.mark.parametrize(
    ("kind", "target"), [("choice", '"E"'), ("choices", '["A","E"]'), ("choice", "null")]
)
def test_a_target_outside_its_choices(tmp_path: Path, kind: str, target: str) -> None:
    choices = (Choice("A", "yes"), Choice("B", "no"))
    item = make_item(answer_type="choice", target="A", choices=choices, output_format=None)
    path = write_bank([item], tmp_path / "bank.parquet")
    rewritten(path, lambda row: row.update(answer_type=kind, target=target), row=0)
    assert "is not among its choices (A, B)" in refused(path)


def test_pixels_that_are_not_those_hashed_are_found_when_all_are_decoded(tmp_path: Path) -> None:
    other = Image(encode_png(picture(1, width=9)), "other.png")
    item = make_item(content=("How many?", other))
    path = write_bank([item], tmp_path / "bank.parquet")
    bank = ItemBank.open(path)
    with pytest.raises(BankError, match=r"row 0, item 'a-01-0': image 'other.png' does not have"):
        bank.pixels(bank.item("a-01-0"))
    assert "does not have the pixels" in refused(path, decode=True)


def test_a_bank_that_another_program_wrote_is_read(path: Path) -> None:
    table = pq.read_table(path)
    large = pa.schema(
        [f.with_type(pa.large_string()) if f.type == pa.string() else f for f in table.schema]
    )
    before = list(ItemBank.open(path))
    pq.write_table(table.cast(large), path)
    assert list(ItemBank.open(path)) == before


def test_a_format_that_needs_a_word_refuses_another(tmp_path: Path) -> None:
    form = OutputFormat("value", ("ANSWER",), "word", ("YES", "NO"))
    item = make_item(target="YES", output_format=form)
    path = write_bank([item], tmp_path / "bank.parquet")
    rewritten(path, lambda row: row.update(target='"MAYBE"'), row=0)
    assert 'its target "MAYBE" cannot be written' in refused(path)
    rewritten(path, lambda row: row.update(target='"NO"'), row=0)
    assert ItemBank.open(path).item("a-01-0").target == "NO"


def test_a_scoring_rule_that_does_not_exist_is_refused_with_the_rules_that_do(
    path: Path, tmp_path: Path
) -> None:
    first, *others = make_items()
    named = replace(first, labels={**first.labels, "scoring_rule": "numbr"})
    words = "its label 'scoring_rule' is 'numbr'; the rules are VQA accuracy, relaxed accuracy, "
    with pytest.raises(ParameterError, match=f"item {first.id!r}: {words}"):
        write_bank([named, *others], tmp_path / "other.parquet")
    right = replace(first, labels={**first.labels, "scoring_rule": "number"})
    write_bank([right, *others], path)
    assert ItemBank.open(path).item(first.id).labels["scoring_rule"] == "number"
    rewritten(path, lambda row: row["labels"].update(scoring_rule="numbr"))
    assert words in refused(path)


def test_the_rules_that_a_bank_may_name_are_those_that_scoring_has() -> None:
    assert {*formats.TEXT_RULES} == {*text_rules.TEXT_RULES}
