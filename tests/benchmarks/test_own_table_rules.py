"""How keys that are numbers, domains and rows without words of a person's table become items."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.releases import base64_png, write_tsv

import gfactor as gf
from gfactor.benchmarks import build
from gfactor.errors import ParameterError
from gfactor.items import ItemBank

QUESTION = "What does it show?"
REPLIES = [
    ("40.0", "40.0 °C"),
    ("24.0", "Answer: 24.0 °C"),
    ("13.5", "The thermometer shows 13.5 °C."),
    ("19,5", "It reads 19,5."),
    ("-18,5", "-18,5 degrees Celsius"),
    ("-4.5", "-4.5°"),
    ("27,0", "The scale runs from -20 to 40. The temperature is 27,0 °C."),
]
"""Keys, and replies of a person who reads every instrument without an error."""


def table(folder: Path, cells: list[dict[str, Any]], name: str = "own.tsv") -> Path:
    rows = [{"id": f"q{k}", "question": f"{QUESTION} ({k})", **row} for k, row in enumerate(cells)]
    return write_tsv(folder / name, rows)


def built(folder: Path, source: Path) -> tuple[ItemBank, tuple[str, ...]]:
    made = build("vlmevalkit", folder / "bank.parquet", source=str(source))
    return ItemBank.open(made.path), made.notes


def rules(bank: ItemBank) -> list[Any]:
    return [item.labels.get("scoring_rule") for item in bank]


@pytest.mark.thorough
@pytest.mark.parametrize("items", ["bank", "table"])
def test_a_person_without_errors_has_every_number_right(tmp_path: Path, items: str) -> None:
    source = table(tmp_path, [{"answer": key} for key, _ in REPLIES])
    built(tmp_path, source)
    log = tmp_path / "person.jsonl"
    log.write_text("".join(
        json.dumps({"id": f"q{k}", "reply": reply}) + "\n" for k, (_, reply) in enumerate(REPLIES)
    ), "utf-8")  # fmt: skip
    asked = tmp_path / "bank.parquet" if items == "bank" else source
    gf.import_logs("replies", log, bank=asked, journal=tmp_path / "c.db")
    assert gf.score(tmp_path / "c.db").table["accuracy"].tolist() == [1.0]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("key", "rule"),
    [
        ("7", "number"), ("-4.5", "number"), ("19,5", "number"), ("1,234", "number"),
        ("['4', '5']", "number"), ("4<OR>5", "number"), ("0.5", "number"),
        ("40.0 °C", None), ("7:30", None), ("0042", None), ("1/2", None), ("seven", None),
        ("4<AND>5", None), ("4<OR>four", None), ("1234567890123456", None),
    ],
)  # fmt: skip
def test_a_key_that_is_a_number_is_scored_as_a_number(
    tmp_path: Path, key: str, rule: str | None
) -> None:
    bank, _ = built(tmp_path, table(tmp_path, [{"answer": key}]))
    assert rules(bank) == [rule]


@pytest.mark.thorough
def test_the_build_says_which_rule_it_took_and_how_to_have_another(tmp_path: Path) -> None:
    source = table(tmp_path, [{"answer": "7"}, {"answer": "8"}, {"answer": "red"}])
    _, (note,) = built(tmp_path, source)
    assert note.startswith("2 keys are numbers: an answer is right by its only number")
    assert "A column scoring_rule with 'exact text' compares texts" in note
    printed = build("vlmevalkit", tmp_path / "bank.parquet", source=str(source))
    assert f"note: {note}" in printed.summary()
    assert printed.to_dict()["notes"] == [note]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("own.tsv", {"scoring_rule": ""}),  # a column that names no rule
        ("MMMU_own.tsv", {}),  # a published data set
        ("MathVerse_own.tsv", {}),
        ("MathVision_MINI.tsv", {}),
        ("LogicVista.tsv", {}),
    ],
)
def test_other_tables_keep_their_rule(tmp_path: Path, name: str, cells: dict[str, str]) -> None:
    bank, notes = built(tmp_path, table(tmp_path, [{"answer": "7", **cells}], name))
    assert (rules(bank), notes) == ([None], ()) or "keys are numbers" not in " ".join(notes)
    assert rules(bank) == [None]


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["own", "multiplication", "physics", "emma"])
def test_the_ids_column_does_not_decide_the_rule_of_numbers(tmp_path: Path, name: str) -> None:
    rows = [{"question": QUESTION, "answer": "7"}, {"question": "What?", "answer": "red"}]
    found = []
    for column in ("id", "index", "question_id"):
        source = write_tsv(
            tmp_path / f"{name}.tsv", [{column: k, **row} for k, row in enumerate(rows)]
        )
        bank, (note,) = built(tmp_path, source)
        found.append((rules(bank), note))
        assert note.startswith("1 key is a number: an answer is right by its only number")
    assert found == [(["number", None], found[0][1])] * 3


@pytest.mark.thorough
def test_predictions_and_bank_of_an_own_data_set_have_one_rule(tmp_path: Path) -> None:
    source = write_tsv(tmp_path / "own.tsv", [{"index": 1, "question": QUESTION, "answer": "7"}])
    log = tmp_path / "Elm_own.json"
    asked = {"index": 1, "question": QUESTION, "answer": "7", "prediction": "7 boats"}
    log.write_text(json.dumps([asked]), "utf-8")
    bank, _ = built(tmp_path, source)
    for one, journal in ((bank, "a.db"), (None, "b.db")):
        gf.import_logs("vlmevalkit", log, bank=one, examinee="Elm", journal=tmp_path / journal)
        assert gf.score(tmp_path / journal).table["accuracy"].tolist() == [1.0]


def test_a_column_tolerance_is_the_largest_distance_that_is_right(tmp_path: Path) -> None:
    cells = [{"answer": "19,5", "tolerance": "0,5"}, {"answer": "7", "tolerance": ""}]
    bank, _ = built(tmp_path, table(tmp_path, cells))
    assert [dict(item.labels).get("scoring_tolerance") for item in bank] == ["0,5", None]
    log = tmp_path / "m.jsonl"
    log.write_text('{"id": "q0", "reply": "20.0"}\n{"id": "q1", "reply": "7.1"}\n', "utf-8")
    gf.import_logs("replies", log, bank=tmp_path / "bank.parquet", journal=tmp_path / "c.db")
    scores = gf.score(tmp_path / "c.db")
    assert scores.responses.sort_values("item_id")["correct"].tolist() == [1.0, 0.0]
    odd = table(tmp_path, [{"answer": "7", "tolerance": "a bit"}])
    with pytest.raises(ParameterError, match=r"row 1.*its tolerance is 'a bit'; write a number"):
        built(tmp_path, odd)


def test_a_column_domain_is_the_domain(tmp_path: Path) -> None:
    cells = [{"answer": "red", "domain": "Hue", "category": "x"},
             {"answer": "big", "domain": "", "category": "Size"}]  # fmt: skip
    bank, notes = built(tmp_path, table(tmp_path, cells))
    assert [item.labels["domain"] for item in bank] == ["hue", "size"]
    assert "given_domain" not in bank.frame()
    assert notes == (
        "the domain is the column domain; the column category is a label",
        "labels for --by, besides domain: category",
    )


def test_the_build_names_rows_without_a_question_and_the_audit_finds_them(tmp_path: Path) -> None:
    cells = [{"answer": "red", "image": base64_png(k), "question": QUESTION if k else ""}
             for k in range(3)]  # fmt: skip
    bank, notes = built(tmp_path, table(tmp_path, cells))
    assert notes == ("1 of 3 items have no question, only a picture (own/q0)",)
    (found,) = [f for f in gf.audit(bank).quality.findings if f.code == "no_question"]
    assert (found.severity, [case.items for case in found.cases]) == ("warning", [("own/q0",)])
    for row in cells:
        row["question"] = ""
    bank, _ = built(tmp_path, table(tmp_path, cells))
    (found,) = [f for f in gf.audit(bank).quality.findings if f.code == "no_question"]
    assert (found.severity, len(found.cases)) == ("note", 3)


def test_a_bank_is_no_table_to_build_a_bank_of(tmp_path: Path) -> None:
    bank, _ = built(tmp_path, table(tmp_path, [{"answer": "7"}]))
    folder = tmp_path / "hub"
    (folder / "data").mkdir(parents=True)
    exported = folder / "data" / "test-00000-of-00001.parquet"
    exported.write_bytes(bank.path.read_bytes())
    for source in (exported, folder):
        with pytest.raises(ParameterError, match=r"00001\.parquet' is a bank of gfactor"):
            build("vlmevalkit", tmp_path / "again.parquet", source=str(source))
    assert gf.open_bank(folder / "data").ids == bank.ids
