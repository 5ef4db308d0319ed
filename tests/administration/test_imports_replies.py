"""Importing one file of replies per model, with items and keys in a file of their own."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import gfactor as gf
from gfactor.administration.imports import IMPORTS, Answered, Naming, Traits, base, declare
from gfactor.administration.imports.items import Question, item_from
from gfactor.errors import GfactorError, ParameterError
from gfactor.examinees import Reply


def lines(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def items(tmp_path: Path) -> Path:
    return lines(tmp_path / "bench.jsonl", [
        {"question_id": f"mb-{k}", "question": f"Which comes in row {k}?",
         "options": ["a cat", "a dog", "a cow"], "answer": "ABC"[k % 3], "category": "maps"}
        for k in range(3)
    ])  # fmt: skip


def replies(folder: Path, model: str, texts: Sequence[str]) -> Path:
    rows = [{"question_id": f"mb-{k}", "prediction": text} for k, text in enumerate(texts)]
    return lines(folder / f"{model}.jsonl", rows)


@pytest.mark.thorough
def test_replies_and_items_in_two_places_become_scores(tmp_path: Path, items: Path) -> None:
    replies(tmp_path / "all", "kite-2", ["A", "The answer is B.", "(C)"])
    replies(tmp_path / "all", "orion", ["a cat", "A", ""])
    done = gf.import_logs("replies", tmp_path / "all", journal=tmp_path / "c.db", bank=items)
    assert [(one.examinees, one.added, one.flaws) for one in done.files] == [
        (("replies:kite-2",), 3, ()), (("replies:orion",), 3, ()),
    ]  # fmt: skip
    table: Any = gf.score(tmp_path / "c.db").responses
    assert table.groupby("examinee")["correct"].sum().to_dict() == {
        "replies:kite-2": 3,
        "replies:orion": 1,
    }
    assert set(table["item_id"]) == {"bench/mb-0", "bench/mb-1", "bench/mb-2"}
    assert set(table["domain"]) == {"maps"}


@pytest.mark.thorough
def test_replies_are_answers_to_a_banks_items_by_the_end_of_their_ids(tmp_path: Path) -> None:
    source = tmp_path / "Bench.tsv"
    source.write_text("index\tquestion\tA\tB\tanswer\nq-1\tWhich?\tcat\tdog\tB\n")
    bank = gf.build("vlmevalkit", source=source, path=tmp_path / "bank.parquet")
    rows = [
        {"id": "q-1", "reply": "B"},
        {"id": "Bench/q-1", "reply": "A"},
        {"id": "x", "reply": ""},
    ]
    done = gf.import_logs("replies", lines(tmp_path / "m.jsonl", rows), journal=tmp_path / "c.db",
                          bank=bank, condition="default", examinee="lab:m")  # fmt: skip
    assert done.flaws == (
        "m.jsonl, data row 2: id 'Bench/q-1' was there before; its first row counts",
        "m.jsonl, data row 3: the bank has no item 'x'",
    )
    assert gf.score(tmp_path / "c.db").responses["correct"].tolist() == [1.0]


def test_replies_of_several_people_in_one_file_are_never_one_examinees(
    tmp_path: Path, items: Path
) -> None:
    rows = [
        {"participant": who, "id": f"mb-{k}", "reply": text}
        for who, texts in (("VP 1", "ABC"), ("person:VP2", "AAA"))
        for k, text in enumerate(texts)
    ]
    file, journal = lines(tmp_path / "study.jsonl", rows), tmp_path / "c.db"
    with pytest.raises(ParameterError, match=r"data row 5: id 'mb-1' has another .* --examinee"):
        gf.import_logs("replies", file, journal=journal, bank=items)
    done = gf.import_logs(
        "replies", file, journal=journal, bank=items, examinee="person",
        examinee_column="participant",
    )  # fmt: skip
    assert done.files[0].examinees == ("person:VP 1", "person:VP2")
    assert done.flaws == ()
    right: Any = gf.score(journal).responses.groupby("examinee")["correct"].sum()
    assert right.to_dict() == {"person:VP 1": 3, "person:VP2": 1}
    with pytest.raises(ParameterError, match="no column with the examinees called 'who'"):
        gf.import_logs("replies", file, journal=journal, bank=items, examinee_column="who")


def test_a_row_that_is_there_again_is_named(tmp_path: Path, items: Path) -> None:
    rows = [{"id": "mb-1", "reply": "B"}, {"id": "mb-1", "reply": "B"}]
    file = lines(tmp_path / "m.jsonl", rows)
    done = gf.import_logs("replies", file, journal=tmp_path / "c.db", bank=items)
    assert done.flaws == ("m.jsonl, data row 2: id 'mb-1' was there before; its first row counts",)


def test_only_the_column_that_lacks_is_asked_for(tmp_path: Path, items: Path) -> None:
    file = lines(tmp_path / "m.jsonl", [{"participant": "p", "item": "mb-1", "reply": "B"}])
    with pytest.raises(ParameterError) as raised:
        gf.import_logs("replies", file, journal=tmp_path / "c.db", bank=items)
    assert str(raised.value).endswith(
        "has no column with the items' ids; call it 'question_id'; its columns are 'participant', "
        "'item', 'reply'"
    )


def test_tables_with_other_usual_names_of_columns_are_read(tmp_path: Path) -> None:
    bench = lines(tmp_path / "bench.jsonl", [
        {"id": "a", "prompt": "Which?", "options": ["x", "y"], "label": "B"},
        {"id": "b", "prompt": "Which one?", "options": ["x", "y"], "label": "A"},
    ])  # fmt: skip
    pd.DataFrame({"idx": ["a", "b"], "model_answer": ["B", "B"]}).to_csv(
        tmp_path / "ibis.tsv", sep="\t", index=False
    )
    (tmp_path / "jay.json").write_text(json.dumps({"a": "B", "b": "A"}))
    files = [tmp_path / "ibis.tsv", tmp_path / "jay.json"]
    gf.import_logs("replies", files, journal=tmp_path / "c.db", bank=bench)
    scores = gf.score(tmp_path / "c.db").table.set_index("examinee")["accuracy"]
    assert scores.to_dict() == {"replies:ibis": 0.5, "replies:jay": 1.0}


def test_rows_below_a_name_are_not_taken_for_one_reply(tmp_path: Path, items: Path) -> None:
    file = tmp_path / "m.json"
    file.write_text(json.dumps({"results": [{"question_id": "mb-0", "prediction": "A"}]}))
    with pytest.raises(ParameterError, match="not a list of rows with named cells"):
        gf.import_logs("replies", file, journal=tmp_path / "c.db", bank=items)


def test_a_log_of_another_harness_is_sent_to_its_own_format(tmp_path: Path, items: Path) -> None:
    file = lines(tmp_path / "log.jsonl", [{"doc_id": 0, "target": "B", "resps": [["B"]]}])
    with pytest.raises(ParameterError, match=r"log of lmms-eval .* `gfactor import lmms-eval`"):
        gf.import_logs("replies", file, journal=tmp_path / "c.db", bank=items)


def test_a_file_that_a_folder_holds_is_named_once_with_its_reason(
    tmp_path: Path, items: Path
) -> None:
    replies(tmp_path / "all", "kite-2", ["A"])
    lines(tmp_path / "all" / "orion.jsonl", [{"question_id": "mb-0", "said": "A"}])
    done = gf.import_logs("replies", tmp_path / "all", journal=tmp_path / "c.db", bank=items)
    assert done.files[1].left_out == (
        "it has no column with the replies; call it 'prediction'; its columns are 'question_id', "
        "'said'"
    )


def test_the_answer_to_a_copy_of_an_item_is_named_with_both_items(
    tmp_path: Path, items: Path
) -> None:
    rows = [json.loads(line) for line in items.read_text("utf-8").splitlines()]
    copied = lines(tmp_path / "copied.jsonl", [*rows, {**rows[0], "question_id": "mb-3"}])
    bank = gf.build("vlmevalkit", source=copied, path=tmp_path / "bank.parquet")
    file = replies(tmp_path, "kite-2", ["A", "B", "C", "B"])
    done = gf.import_logs("replies", file, journal=tmp_path / "c.db", bank=bank)
    assert done.flaws == (
        "kite-2.jsonl: the answer to 'copied/mb-3', a copy of 'copied/mb-0' (the same question, "
        "options, key and pictures), is not used; the answer to 'copied/mb-0' counts for both, so "
        "that scores differ from those of the file. Drop one of the two items (`gfactor audit "
        "BANK` lists copies)",
    )


def test_answers_to_several_copies_are_counted_with_the_first(tmp_path: Path, items: Path) -> None:
    rows = [json.loads(line) for line in items.read_text("utf-8").splitlines()]
    twice = [{**rows[k], "question_id": f"mb-{3 + k}"} for k in range(2)]
    copied = lines(tmp_path / "copied.jsonl", [*rows, *twice])
    bank = gf.build("vlmevalkit", source=copied, path=tmp_path / "bank.parquet")
    file = replies(tmp_path, "kite-2", ["A", "B", "C", "B", "C"])
    (flaw,) = gf.import_logs("replies", file, journal=tmp_path / "c.db", bank=bank).flaws
    assert "2 answers to copies of other items" in flaw
    assert "are not used, such as that to 'copied/mb-3'; the answer to the other item" in flaw
    assert "'copied/mb-0') counts for both, so that scores differ from those of the file" in flaw


def test_what_lacks_is_named_with_the_next_step(tmp_path: Path, items: Path) -> None:
    file = replies(tmp_path, "kite-2", ["A"])
    journal = tmp_path / "c.db"
    with pytest.raises(ParameterError, match=r"name the items, .* with --bank"):
        gf.import_logs("replies", file, journal=journal)
    with pytest.raises(ParameterError, match="gfactor import replies FILE --bank ITEMS"):
        gf.import_logs("vlmevalkit", file, journal=journal)
    with pytest.raises(ParameterError, match="call the one with the items' ids 'index'"):
        gf.import_logs("vlmevalkit", file, journal=journal, examinee="kite-2")
    with pytest.raises(ParameterError, match="gfactor import replies FOLDER --bank ITEMS"):
        gf.import_logs("vlmevalkit", tmp_path, journal=journal)
    with pytest.raises(ParameterError, match="with the replies; call it 'prediction'"):
        gf.import_logs("replies", items, journal=journal, bank=items)


@pytest.mark.parametrize(
    ("changed", "words"),
    [({"answer": ""}, "data row 1, makes no item: it has no key.* its columns are 'question_id', "),
     ({"answer": "D"}, "data row 1, makes no item: .* not among its options")],
)  # fmt: skip
def test_an_item_that_cannot_be_scored_is_named_with_its_row(
    changed: dict[str, str], words: str, tmp_path: Path
) -> None:
    row = {"question_id": "a", "question": "Which?", "options": ["x", "y"], "answer": "A"}
    table = lines(tmp_path / "bench.jsonl", [{**row, **changed}])
    file = replies(tmp_path, "m", ["A"])
    with pytest.raises(ParameterError, match=words):
        gf.import_logs("replies", file, journal=tmp_path / "c.db", bank=table)


def test_files_of_replies_in_a_journals_place_are_answered_with_their_import(
    tmp_path: Path,
) -> None:
    table = tmp_path / "all" / "M_Bench.csv"
    table.parent.mkdir()
    table.write_text("index,question,A,B,answer,prediction\n1,Which?,x,y,A,B\n")
    for given in (table, table.parent, replies(tmp_path, "m", ["A"])):
        with pytest.raises(ParameterError, match=f"gfactor import vlmevalkit {given} --journal"):
            gf.score(given)
    scores = tmp_path / "scores.csv"
    scores.write_text("model,i1,i2\na,1,0\nb,0,1\n")
    assert len(gf.score(scores).responses) == 4


@pytest.mark.thorough
def test_a_list_of_replies_is_one_occasion_for_each(tmp_path: Path, items: Path) -> None:
    rows = [
        {"question_id": "mb-0", "prediction": ["A", "The answer is A.", ""]},
        {"question_id": "mb-1", "prediction": "['B']"},
    ]
    file = lines(tmp_path / "m.jsonl", rows)
    done = gf.import_logs("replies", file, journal=tmp_path / "c.db", bank=items)
    table: Any = gf.score(tmp_path / "c.db").responses
    assert [one.added for one in done.files] == [4]
    assert table[["item_id", "occasion", "text", "correct"]].to_numpy().tolist() == [
        ["bench/mb-0", 0, "A", 1.0],
        ["bench/mb-0", 1, "The answer is A.", 1.0],
        ["bench/mb-0", 2, "", 0.0],
        ["bench/mb-1", 0, "['B']", 1.0],
    ]


def test_a_format_of_another_package_declares_folders_and_columns_of_examinees(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(path: Path, naming: Naming) -> Iterator[Answered]:
        """Pages of one log, each with an answer."""
        for page in sorted(path.glob("*.json")):
            row = json.loads(page.read_text())
            key = Question("pages", page.stem, ("1 + 1?",), ("2",), "pages")
            who = row[naming.examinee_column]
            yield Answered(item_from(key), who, "pack=pages", 0, Reply("2"), "2026-01-01")

    monkeypatch.setattr(IMPORTS, "_things", {**dict(IMPORTS.items()), "pages": read})
    monkeypatch.setattr(base, "_TRAITS", dict(base._TRAITS))
    (tmp_path / "log").mkdir()
    (tmp_path / "log" / "1.json").write_text('{"who": "a"}')
    log = {"journal": tmp_path / "c.db", "examinee_column": "who"}
    with pytest.raises(ParameterError, match="there is no file"):
        gf.import_logs("pages", tmp_path / "log", **log)
    declare("pages", Traits(takes_folders=True))
    with pytest.raises(ParameterError, match="is for tables of replies, not for pages"):
        gf.import_logs("pages", tmp_path / "log", **log)
    declare("pages", Traits(takes_folders=True, examinee_column=True))
    done = gf.import_logs("pages", tmp_path / "log", **log)
    assert [(one.examinees, one.added) for one in done.files] == [(("a",), 1)]


@pytest.mark.thorough
def test_replies_and_items_from_a_spreadsheet_are_read_with_a_note(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bench, file = tmp_path / "bench.csv", tmp_path / "m.csv"
    bench.write_text("id;question;answer\na;Wie groß?;3\nb;Wer?;Özil\n", "cp1252")
    file.write_text("id;reply\na;3\nb;Özil\nc;x;y\n", "cp1252")
    done = gf.import_logs("replies", file, journal=tmp_path / "c.db", bank=bench)
    assert done.flaws == ("m.csv, data row 3: it has 3 cells for 2 columns",)
    assert gf.score(tmp_path / "c.db").responses["correct"].tolist() == [1.0, 1.0]
    notes = capsys.readouterr().err.splitlines()
    unusual = "was read with the encoding Windows-1252 (Latin-1), semicolons between the cells"
    assert [one for one in notes if one.startswith("note:")] == [
        f"note: {bench} {unusual}", f"note: {file} {unusual}",
    ]  # fmt: skip


def test_replies_in_parquet_are_those_of_the_same_rows_in_csv(tmp_path: Path, items: Path) -> None:
    table = pd.DataFrame({"id": ["mb-0", "mb-1", "x"], "reply": ["A", "C", "B"]})
    table.to_csv(tmp_path / "csv.csv", index=False)
    table.to_parquet(tmp_path / "parquet.parquet")
    for kind in ("csv", "parquet"):
        file = tmp_path / f"{kind}.{kind}"
        done = gf.import_logs("replies", file, journal=tmp_path / "c.db", bank=items)
        assert done.flaws == (f"{file.name}, data row 3: the bank has no item 'x'",)
    answers: Any = gf.score(tmp_path / "c.db").responses
    assert answers.groupby("examinee")["correct"].sum().to_dict() == {
        "replies:csv": 1, "replies:parquet": 1,
    }  # fmt: skip


def test_a_build_and_an_import_count_the_rows_of_a_table_alike(tmp_path: Path) -> None:
    bad = tmp_path / "own.csv"
    bad.write_text("id,question,answer,reply\na,Who?,b,b\nc,What?\n")
    with pytest.raises(GfactorError, match=r"'own.csv', data row 2: it has 2 cells"):
        gf.build("vlmevalkit", source=bad, path=tmp_path / "bank.parquet")
    good = lines(tmp_path / "bench.jsonl", [{"id": "a", "question": "Who?", "answer": "b"}])
    done = gf.import_logs("replies", bad, journal=tmp_path / "c.db", bank=good)
    assert done.flaws == ("own.csv, data row 2: it has 2 cells for 4 columns",)


def test_times_of_answers_are_stored(tmp_path: Path, items: Path) -> None:
    file = tmp_path / "m.csv"
    file.write_text("id;reply;seconds\nmb-0;A;1,5\nmb-1;B;\nmb-2;C;soon\n")
    done = gf.import_logs("replies", file, journal=tmp_path / "c.db", bank=items)
    note = "m.csv, data row 3: its seconds are 'soon', no time; the answer is without one"
    assert done.files[0].notes == (note,)
    assert done.code == 0
    assert f"note: {note}" in done.summary()
    assert "not imported" not in done.summary()
    with gf.open_journal(tmp_path / "c.db") as journal:
        assert journal.responses()["latency_s"].tolist() == [1.5, 0.0, 0.0]
    assert gf.score(tmp_path / "c.db").responses["correct"].tolist() == [1.0, 1.0, 1.0]
