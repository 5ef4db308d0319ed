"""A table that somebody wrote becomes a bank, whatever kind of file it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import huggingface_hub
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support.cli import run_cli
from support.releases import base64_png, png, write_tsv

import gfactor as gf
from gfactor.benchmarks import build
from gfactor.errors import BankError, ParameterError, UnknownNameError
from gfactor.items import ItemBank

ROWS: list[dict[str, Any]] = [
    {"id": "a", "question": "How many?", "options": ["1", "3", "0"], "answer": "B",
     "image": "img/a.png"},
    {"id": "b", "question": "How fast?", "options": ["3", "4"], "answer": ["A", "B"],
     "image": "img/b.png"},
]  # fmt: skip
PICTURES = {"a": png(1), "b": png(2)}


def write(folder: Path, kind: str) -> Path:
    """Write the rows as a table of a kind, with pictures beside it or in it."""
    (folder / "img").mkdir()
    for name, data in PICTURES.items():
        (folder / f"img/{name}.png").write_bytes(data)
    path = folder / f"own.{kind}"
    stored = [{**row, "answer": str(row["answer"]),
               "image": {"bytes": PICTURES[row["id"]], "path": None}} for row in ROWS]  # fmt: skip
    if kind == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), "utf-8")
    elif kind == "csv":
        pd.DataFrame(ROWS).to_csv(path, index=False)
    elif kind == "parquet":
        pq.write_table(pa.Table.from_pylist(stored), path)
    else:
        path = folder / "own"
        path.mkdir()
        for number, row in enumerate(stored):
            table = pa.Table.from_pylist([row])
            with pa.ipc.new_stream(path / f"data-0000{number}-of-00002.arrow", table.schema) as to:
                to.write_table(table)
    return path


@pytest.mark.parametrize("kind", ["jsonl", "csv", "parquet", "arrow"])
def test_a_table_of_any_kind_becomes_the_same_bank(tmp_path: Path, kind: str) -> None:
    source = write(tmp_path, kind)
    first, second = gf.build("vlmevalkit", source=str(source), path=tmp_path / "bank.parquet")
    assert (first.id, first.target, [c.content for c in first.choices]) == (
        "own/a", "B", ["1", "3", "0"],
    )  # fmt: skip
    assert (second.answer_type, second.target) == ("choices", ("A", "B"))
    opened = ItemBank.open(tmp_path / "bank.parquet", decode=True)
    assert [item.images[0].data for item in opened] == list(PICTURES.values())


def test_a_row_without_its_picture_is_named_where_the_others_have_one(tmp_path: Path) -> None:
    rows = [{"index": k, "question": f"How many in {k}?", "answer": "7", "image": base64_png(k)}
            for k in range(1, 5)]  # fmt: skip
    rows[1]["image"] = ""
    built = build(
        "vlmevalkit", tmp_path / "b.parquet", source=str(write_tsv(tmp_path / "S.tsv", rows))
    )
    (warning,) = built.warnings
    assert warning.startswith("1 of 4 items have no picture (S/2), and the others have")
    assert f"warning: {warning}" in built.summary()
    assert ItemBank.open(built.path).metadata["warnings"] == [warning]


def test_a_table_without_pictures_is_as_its_author_wants_it(tmp_path: Path) -> None:
    rows = [{"index": k, "question": f"{k} + 1?", "answer": "7"} for k in range(3)]
    built = build(
        "vlmevalkit", tmp_path / "b.parquet", source=str(write_tsv(tmp_path / "S.tsv", rows))
    )
    assert not built.warnings
    assert "warnings" not in built.metadata


def test_the_column_image_path_names_pictures_from_the_tables_folder(tmp_path: Path) -> None:
    (tmp_path / "a.PNG").write_bytes(png(3))
    row = {"index": 1, "question": "How many?", "answer": "7", "image_path": "a.PNG"}
    source = write_tsv(tmp_path / "S.tsv", [row])
    built = build("vlmevalkit", tmp_path / "b.parquet", source=str(source))
    (item,) = ItemBank.open(built.path, decode=True)
    assert item.images[0].data == png(3)
    assert item.labels["image_type"] == "SI"
    (tmp_path / "a.PNG").unlink()
    with pytest.raises(ParameterError, match=r"its picture 'a.PNG' cannot be read"):
        build("vlmevalkit", tmp_path / "c.parquet", source=str(source))


def labels_of(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Labels of items that differ in how they came into a bank or a journal."""
    names = ("image_path", "image_type", "topic")
    return [{n: v for n in names if (v := row.get(n)) and v == v} for row in items]  # noqa: PLR0124


@pytest.mark.parametrize("shared", [True, False])
def test_pictures_are_labels_only_if_items_share_them_and_a_journal_has_those_of_a_bank(
    tmp_path: Path, shared: bool
) -> None:
    rows = []
    for k in range(4):
        name = f"{k // 2 if shared else k}.png"
        (tmp_path / name).write_bytes(png(k))
        rows.append({"id": f"q{k}", "question": f"How many in {k}?", "answer": "7", "topic": "dots",
                     "image_path": name})  # fmt: skip
    rows[3]["image_path"] = None
    table = tmp_path / "own.jsonl"
    table.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    (tmp_path / "m.jsonl").write_text(
        "".join(json.dumps({"id": row["id"], "prediction": "7"}) + "\n" for row in rows), "utf-8"
    )
    bank = gf.build("vlmevalkit", source=str(table), path=tmp_path / "bank.parquet")
    gf.import_logs("replies", tmp_path / "m.jsonl", bank=table, journal=tmp_path / "c.db")
    with gf.open_journal(tmp_path / "c.db") as journal:
        imported = journal.items().sort_values("id").to_dict("records")
    in_bank = labels_of([dict(item.labels) for item in bank])
    assert in_bank == labels_of(imported)
    assert [row["image_type"] for row in in_bank] == ["SI", "SI", "SI", "NI"]
    paths = [row.get("image_path") for row in in_bank]
    assert paths == (["0.png", "0.png", "1.png", None] if shared else [None] * 4)
    groups = gf.score(tmp_path / "c.db").groups("image_type")
    assert groups["image_type"].tolist() == ["NI", "SI"]
    if not shared:
        with pytest.raises(UnknownNameError, match="unknown label 'image_pat'") as refused:
            gf.score(tmp_path / "c.db").groups("image_pat")
        assert "image_path" not in str(refused.value)


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (
            {"answer": 1},
            "its key '1' is not among its options (A, B); write its letter, as a number",
        ),
        ({"answer": ["A", "E"]}, "its key 'E' is not among its options (A, B)"),
        ({"options": {"A": "x", "B": "y"}}, "are no list of texts"),
    ],
)
def test_a_key_or_options_of_another_form_are_refused_with_the_remedy(
    tmp_path: Path, cells: dict[str, Any], message: str
) -> None:
    path = tmp_path / "own.jsonl"
    row = {"id": 1, "question": "Which?", "options": ["x", "y"], "answer": "A", **cells}
    path.write_text(json.dumps(row), "utf-8")
    with pytest.raises(ParameterError) as error:
        build("vlmevalkit", tmp_path / "b.parquet", source=str(path))
    assert message in str(error.value)


@pytest.mark.parametrize("kind", ["jsonl", "csv", "parquet", "arrow"])
def test_a_table_in_the_place_of_a_bank_is_refused_with_the_command(
    tmp_path: Path, kind: str
) -> None:
    source = write(tmp_path, kind)
    with pytest.raises(BankError) as error:
        gf.open_bank(source)
    assert f"`gfactor build vlmevalkit --from {source} -o bank.parquet`" in str(error.value)


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_auditing_a_table_of_questions_names_the_command_too(
    tmp_path: Path,
    kind: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    done = run_cli(monkeypatch, capsys, "audit", str(write(tmp_path, kind)))
    assert done.code == 2
    assert "gfactor build vlmevalkit --from" in done.err


def test_a_data_set_of_the_hub_may_be_shards_of_parquet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, asked = tmp_path / "snapshot", []

    def snapshot(repo_id: str, *, allow_patterns: list[str], **_: Any) -> str:
        asked.append(allow_patterns)
        return str(folder)

    monkeypatch.setattr(huggingface_hub, "snapshot_download", snapshot)
    (folder / "data").mkdir(parents=True)
    stored = [{**row, "answer": str(row["answer"]),
               "image": {"bytes": PICTURES[row["id"]], "path": None}} for row in ROWS]  # fmt: skip
    for number, row in enumerate(stored):
        shard = folder / f"data/test-0000{number}-of-00002.parquet"
        pq.write_table(pa.Table.from_pylist([row]), shard)
    bank = gf.build("vlmevalkit", source="hub:someone/Dots@v2", path=tmp_path / "bank.parquet")
    assert [item.id for item in bank] == ["Dots/a", "Dots/b"]
    assert asked == [["*.tsv"], ["*.parquet"]]


def test_a_folder_has_the_first_kind_of_table_with_the_pictures_beside_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, "jsonl")
    (tmp_path / "other.csv").write_text("id,question,answer\na,Who?,x\n")
    bank = gf.build("vlmevalkit", source=str(tmp_path), path=tmp_path / "bank.parquet")
    assert [item.id for item in bank] == ["own/a", "own/b"]
    assert "only its *.jsonl files are read, and other.csv left out" in capsys.readouterr().err
    again = gf.build("vlmevalkit", source=str(tmp_path), path=tmp_path / "again.parquet")
    assert len(again) == 2, "a bank is no table of items"
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(ParameterError, match=r"holds no tables of items \(\*.tsv, \*.parquet"):
        gf.build("vlmevalkit", source=str(empty), path=tmp_path / "none.parquet")


@pytest.mark.parametrize("cell", ["img/a.png", base64_png(1)])
def test_pictures_in_a_column_of_another_name_are_never_lost_in_silence(
    tmp_path: Path, cell: str
) -> None:
    rows = [{"id": "a", "question": "How many in a.png?", "answer": "3", "photo": cell}]
    source = tmp_path / "own.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    with pytest.raises(ParameterError) as raised:
        gf.build("vlmevalkit", source=str(source), path=tmp_path / "bank.parquet")
    assert str(raised.value) == (
        "'own.jsonl' has pictures in the column 'photo', which would not be shown; call the column "
        "'image', or remove it if the questions need no pictures"
    )
    del rows[0]["photo"]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    assert len(gf.build("vlmevalkit", source=str(source), path=tmp_path / "bank.parquet")) == 1
