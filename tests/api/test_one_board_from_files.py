"""Prediction files, workbooks and files of replies of one benchmark make one board."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd
import pytest

import gfactor as gf
from gfactor.api.scores import importing
from gfactor.errors import MissingExtraError, ParameterError

ITEMS = [
    {"id": 1001, "question": "What is 30 - 6?", "options": ["14", "24"], "answer": "B"},
    {"id": 1002, "question": "How fast, in m/s? Give a number.", "answer": "1.90"},
]


def write_items(folder: Path, items: Sequence[Mapping[str, object]]) -> Path:
    path = folder / "items.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in items))
    return path


def write_workbook(folder: Path, question: str = "What is 30 - 6?") -> Path:
    """Write a prediction file of VLMEvalKit whose numbers Excel holds as numbers."""
    rows = [
        {"index": 1001, "question": question, "A": 14, "B": 24, "answer": "B", "prediction": "B"},
        {"index": 1002, "question": ITEMS[1]["question"], "answer": 1.9, "prediction": "1.9"},
    ]
    path = folder / "out" / "owl" / "owl_Night.xlsx"
    path.parent.mkdir(parents=True)
    pd.DataFrame(rows).to_excel(path, index=False)
    return path


@pytest.mark.thorough
def test_workbooks_and_replies_with_one_table_of_items_are_one_board(tmp_path: Path) -> None:
    items, workbook = write_items(tmp_path, ITEMS), write_workbook(tmp_path)
    replies = tmp_path / "elf.csv"
    replies.write_text("id,response\n1001,The answer is A\n1002,1.90\n")
    journal = tmp_path / "c.db"
    for form, file in (("vlmevalkit", workbook), ("replies", replies)):
        done = gf.import_logs(form, file, bank=items, condition="default", journal=journal)
        assert (done.code, done.files[0].added) == (0, 2), done.flaws
    table = gf.score(journal).table
    assert dict(zip(table["examinee"], table["accuracy"], strict=True)) == {
        "vlmevalkit:owl": 1.0, "replies:elf": 0.5,
    }  # fmt: skip
    assert set(table["benchmark"]) == {"items"}


def test_a_key_of_another_value_is_another_key(tmp_path: Path) -> None:
    items = write_items(tmp_path, [ITEMS[0], {**ITEMS[1], "answer": "1.91"}])
    done = gf.import_logs(
        "vlmevalkit", write_workbook(tmp_path), bank=items, journal=tmp_path / "c.db"
    )
    assert len(done.flaws) == 1
    assert "that have another key in the bank" in done.flaws[0]


def test_the_same_number_of_another_question_is_another_item(tmp_path: Path) -> None:
    done = gf.import_logs(
        "vlmevalkit", write_workbook(tmp_path, "What is the capital of Oman?"),
        bank=write_items(tmp_path, ITEMS), journal=tmp_path / "c.db",
    )  # fmt: skip
    assert "1 answer to items that the bank does not have, the first 'Night/1001'" in done.flaws[0]
    assert "no item of the bank has the number and the question of that one" in done.flaws[0]
    assert done.files[0].added == 1


def test_a_missing_reader_of_workbooks_is_named_before_any_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"reading \.xlsx files"):
        gf.import_logs("vlmevalkit", write_workbook(tmp_path), journal=tmp_path / "c.db")
    assert not (tmp_path / "c.db").exists()


def test_other_answers_of_a_second_run_are_not_called_known(tmp_path: Path) -> None:
    items = write_items(tmp_path, ITEMS)
    for name, reply in (("one", "B"), ("two", "A")):
        file = tmp_path / name / "elf.csv"
        file.parent.mkdir()
        file.write_text(f"id,response\n1001,{reply}\n1002,1.90\n")
        gf.import_logs("replies", file, bank=items, journal=tmp_path / f"{name}.db")
    done = gf.import_logs("journal", tmp_path / "two.db", journal=tmp_path / "one.db")
    assert (done.files[0].added, done.files[0].known) == (0, 1)
    assert "1 answer to items to which the journal has another answer" in done.flaws[0]
    assert done.flaws[0].endswith("with --first-occasion 1")
    again = gf.import_logs(
        "replies", tmp_path / "two" / "elf.csv", bank=items, journal=tmp_path / "one.db",
        first_occasion=1,
    )  # fmt: skip
    assert again.files[0].added == 2
    with pytest.raises(ParameterError, match="is for logs"):
        gf.import_logs("journal", tmp_path / "two.db", journal=tmp_path / "one.db",
                       first_occasion=1)  # fmt: skip


def test_copies_in_a_table_of_items_are_named_and_keep_their_own_replies(tmp_path: Path) -> None:
    items = write_items(tmp_path, [*ITEMS, {**ITEMS[0], "id": 1003}])
    replies = tmp_path / "elf.csv"
    replies.write_text("id,response\n1001,The answer is A\n1002,1.90\n1003,The answer is B\n")
    done = gf.import_logs("replies", replies, bank=items, journal=tmp_path / "c.db")
    (note,) = done.files[0].notes
    assert note.startswith(
        "1 item of the table asks the same as an earlier one, such as 'items/1001' and 'items/1003'"
    )
    with gf.open_journal(tmp_path / "c.db") as journal:
        texts = sorted(journal.responses()["text"])
    assert texts == ["1.90", "The answer is A", "The answer is B"]


def test_codes_in_the_column_language_are_the_items_languages(tmp_path: Path) -> None:
    rows = [
        {"id": "a", "question": "How many?", "answer": "2", "language": "en"},
        {"id": "b", "question": "Combien ?", "answer": "3", "language": "FR"},
        {"id": "c", "question": "What is printed?", "answer": "4", "language": "Python"},
    ]
    bank = gf.build("vlmevalkit", source=write_items(tmp_path, rows), path=tmp_path / "b.parquet")
    assert [item.language for item in bank] == ["en", "fr", "en"]
    assert [item.labels.get("given_language") for item in bank] == [None, None, "Python"]
