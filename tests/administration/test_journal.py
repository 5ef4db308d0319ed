"""The journal keeps what came back, once per key, and says in a sentence what is wrong with it."""

from __future__ import annotations

import gc
import json
import sqlite3
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import sqlalchemy as sa
from sqlalchemy import event
from support.banks import make_item

from gfactor.administration import Condition, Journal, Materials, Response, render
from gfactor.administration.asking.questions import Questions, middle_items
from gfactor.administration.asking.registration import register_bank
from gfactor.administration.storing.opening import engine_for
from gfactor.administration.storing.rows import insert
from gfactor.administration.storing.stops import note_stop
from gfactor.administration.storing.tables import FACTS, META
from gfactor.administration.storing.upgrading import copy_path
from gfactor.errors import JournalError, ParameterError
from gfactor.examinees import Reply, make_examinee
from gfactor.items import ItemBank, write_bank


def response(
    item: str = "h1", text: str = "COUNT:1", occasion: int = 0, **more: object
) -> Response:
    return Response.now("observer:ideal", item, "default", occasion, Reply(text, **more))  # type: ignore[arg-type]


def test_a_response_comes_back_as_it_was_stored(path: Path) -> None:
    reply = Reply(
        "COUNT:1\nü\x00",
        "ok",
        "length",
        {"prompt_tokens": 7},
        0.25,
        0.5,
        "slow",
        "hm",
        "m-2026",
        "f",
    )
    with Journal.open(path) as journal:
        journal.add([Response("a:b", "h1", "default", 2, reply, "2026-01-01T00:00:00")])
    with Journal.open(path, create=False) as journal:
        (row,) = journal.responses().to_dict("records")
    assert json.loads(row.pop("tokens")) == {"prompt_tokens": 7}
    assert row == {
        "tokens_read": 7, "tokens_written": 0,
        "examinee": "a:b", "item_hash": "h1", "condition": "default", "occasion": 2,
        "text": reply.text, "outcome": "ok", "finish_reason": "length", "latency_s": 0.25,
        "cost": 0.5, "detail": "slow", "reasoning": "hm", "created": "2026-01-01T00:00:00",
        "answered_by": "m-2026", "fingerprint": "f",
    }  # fmt: skip


@pytest.mark.thorough
def test_a_journal_that_nobody_closes_leaves_no_connection_open(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[Any] = []

    def watched(path: Path, *, create: bool) -> sa.Engine:
        engine = engine_for(path, create=create)
        event.listen(engine, "close", lambda connection, _: closed.append(connection))
        return engine

    monkeypatch.setattr("gfactor.administration.storing.journal.engine_for", watched)
    journal = Journal.open(path)
    journal.add([response()])
    assert not closed
    del journal
    gc.collect()
    assert len(closed) == 1
    with pytest.raises(sqlite3.ProgrammingError, match="closed database"):
        closed[0].execute("select 1")


def test_text_that_no_database_encodes_is_stored_as_an_escape(path: Path) -> None:
    with Journal.open(path) as journal:
        journal.add([response(text="\ud800")])
        assert journal.responses()["text"].tolist() == ["\\ud800"]


def test_a_key_is_stored_once_and_the_first_response_stays(path: Path) -> None:
    with Journal.open(path) as journal:
        journal.add([response(text="first"), response(text="second")])
        journal.add([response(text="third"), response(occasion=1)])
        assert journal.responses()["text"].tolist() == ["first", "COUNT:1"]
        assert set(journal.answered("observer:ideal", "default")) == {("h1", 0), ("h1", 1)}
        assert set(journal.answered("observer:ideal", "other")) == set()


@pytest.mark.thorough
@pytest.mark.parametrize("outcome", ["transport_error", "protocol_error", "timeout"])
def test_a_failed_attempt_is_kept_apart_and_leaves_its_key_free(path: Path, outcome: str) -> None:
    with Journal.open(path) as journal:
        journal.add([response(text="", outcome=outcome, detail="reset")] * 2)
        assert journal.responses().empty
        assert journal.failures()["detail"].tolist() == ["reset", "reset"]
        assert set(journal.answered("observer:ideal", "default")) == set()
        assert journal.examinees() == ["observer:ideal"]


def test_items_come_back_as_the_bank_has_them(path: Path, bank: ItemBank) -> None:
    with Journal.open(path) as journal:
        journal.register((), bank)
        journal.register((), bank)
        kept = journal.items().set_index("id").sort_index()
    frame = bank.frame().set_index("id").sort_index()
    assert len(kept) == len(bank)
    for column in ("content_hash", "benchmark", "edition", "answer_type", "target", "points",
                   "output_format", "domain", "size"):  # fmt: skip
        assert kept[column].tolist() == frame[column].tolist(), column
    assert kept["accepted"].tolist() == [list(a) for a in frame["accepted"]]
    assert kept["skills"].tolist() == [tuple(s) for s in frame["skills"]]


def test_a_sample_of_middle_size_is_kept_with_its_images(path: Path, bank: ItemBank) -> None:
    with Journal.open(path) as journal:
        for spec in ("observer:ideal", "baseline:random"):
            examinee = make_examinee(spec, bank=bank)
            Questions.prepare(bank, examinee, journal, Condition(), 1, Materials())
        samples = journal.samples()
    assert [s.task for s in samples] == ["a", "b"]
    assert {bank.labels()[s.item_id]["size"] for s in samples} == {2}
    assert samples[0] == render(bank.item(samples[0].item_id), Condition())
    assert middle_items(bank) == {s.task: s.item_id for s in samples}


def test_items_that_two_campaigns_gave_are_given_once_in_the_order_of_campaigns(
    path: Path,
) -> None:
    def campaign(examinee: str, digest: str) -> dict[str, Any]:
        return {"bank": "b", "digest": digest, "items": 2, "examinee": examinee, "condition": "c",
                "occasions": 1, "packs": "{}", "version": "0", "started": ""}  # fmt: skip

    one, two = make_item("b-01-0"), make_item("a-01-0")
    with Journal.open(path) as journal:
        journal.register(
            [campaign("t:late", "x"), campaign("t:early", "x")], [one, two], digest="x"
        )
        journal.register([campaign("t:early", "x"), campaign("t:early", "y")], [one], digest="y")
        given = journal.administered()
        of_one = journal.administered("t:late")
    pairs = list(zip(given["examinee"], given["id"], strict=True))
    assert pairs == [("t:late", "a-01-0"), ("t:late", "b-01-0"),
                     ("t:early", "a-01-0"), ("t:early", "b-01-0")]  # fmt: skip
    assert list(given.columns) == ["examinee", "condition", "content_hash", "id", "benchmark"]
    assert of_one["id"].tolist() == ["a-01-0", "b-01-0"]


def test_only_the_columns_that_are_named_are_read(path: Path) -> None:
    with Journal.open(path) as journal:
        journal.add([response("h1"), response("h2", "COUNT:2"), response("h3", outcome="timeout")])
        assert journal.responses(columns=("text", "item_hash")).to_dict("list") == {
            "text": ["COUNT:1", "COUNT:2"], "item_hash": ["h1", "h2"],
        }  # fmt: skip
        assert journal.failures(columns=("outcome",)).to_dict("list") == {"outcome": ["timeout"]}


def test_meta_names_the_banks_and_the_version(path: Path, bank: ItemBank) -> None:
    with Journal.open(path) as journal:
        register_bank(journal, bank, "observer:ideal", Condition(), 3)
        meta = journal.meta()
    (campaign,) = meta["campaigns"]
    assert meta["kind"] == "gfactor journal"
    assert campaign["digest"] == bank.metadata["scene_digest"]
    assert (campaign["bank"], campaign["items"], campaign["occasions"]) == (str(bank.path), 18, 3)


def test_marks_in_meta_are_no_facts_unless_they_are_declared(path: Path) -> None:
    with Journal.open(path) as journal:
        with journal.transaction() as connection:
            insert(connection, META, [{"key": "note 1", "value": "mine"}])
        note_stop(journal, "openai:m", "the budget is reached", (1.0, None))
        journal.set_order_seed(7)
        assert set(journal.meta()) == {*FACTS, "campaigns"}
        assert journal.meta()["order_seed"] == "7"


def test_the_export_holds_every_response_with_its_labels(path: Path, bank: ItemBank) -> None:
    first = next(iter(bank))
    exported = path.with_suffix(".parquet")
    with Journal.open(path) as journal:
        journal.register((), bank)
        journal.add([response(first.provenance.content_hash)])
        journal.export(exported)
        with pytest.raises(ParameterError, match="cannot write"):
            journal.export(path.parent / "no" / "such.parquet")
    (row,) = pd.read_parquet(exported).to_dict("records")
    assert (row["item_id"], row["domain"], row["size"], row["text"]) == (
        first.id,
        "a",
        1,
        "COUNT:1",
    )


def test_two_writers_lose_nothing(path: Path) -> None:
    def write(writer: int) -> None:
        with Journal.open(path) as journal:
            for n in range(40):
                journal.add([response(f"{writer}-{n}"), response(f"shared-{n}")])

    threads = [threading.Thread(target=write, args=(k,)) for k in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with Journal.open(path) as journal:
        assert len(journal.responses()) == 3 * 40 + 40


@pytest.mark.slow
def test_writers_that_start_at_once_share_a_new_journal(tmp_path: Path) -> None:
    errors: list[BaseException] = []

    def start(path: Path, together: threading.Barrier) -> None:
        together.wait()
        try:
            Journal.open(path).close()
        except JournalError as error:
            errors.append(error)

    for n in range(30):
        together = threading.Barrier(4)
        path = tmp_path / f"{n}.db"
        threads = [threading.Thread(target=start, args=(path, together)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert errors == []


def test_a_reader_sees_what_a_writer_has_committed(path: Path) -> None:
    with Journal.open(path) as writer, Journal.open(path, create=False) as reader:
        writer.add([response()])
        assert len(reader.responses()) == 1


def refused(path_or_url: Path | str, *, create: bool = True) -> str:
    with pytest.raises(JournalError) as told:
        Journal.open(path_or_url, create=create)
    assert "\n" not in str(told.value)
    return str(told.value)


def test_what_is_no_journal_is_refused_in_one_sentence(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("not a database")
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as connection:
        connection.execute("create table people (name text)")
    connection.close()
    cut = tmp_path / "cut.db"
    cut.write_bytes(b"SQLite format 3\x00" + b"\x01" * 200)
    neither = "is not a journal, or its file is damaged; `gfactor run` writes journals"
    assert refused(text) == f"journal {str(text)!r} {neither}"
    assert "is a database of something else" in refused(other)
    assert refused(cut) == f"journal {str(cut)!r} {neither}"
    assert "does not exist; `gfactor run` writes journals" in refused(tmp_path / "x", create=False)
    assert "its folder does not exist" in refused(tmp_path / "no" / "c.db")
    assert "is a folder; name a file in it" in refused(tmp_path)
    with sqlite3.connect(other) as connection:
        assert [n for (n,) in connection.execute("select name from sqlite_master")] == ["people"]
    connection.close()


def test_a_path_that_cannot_be_made_is_refused_in_one_sentence() -> None:
    assert "cannot be used: unable to open database file" in refused("/proc/c.db")


def test_another_layout_is_refused_with_the_version_that_wrote_it(path: Path) -> None:
    Journal.open(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("update meta set value = '99' where key = 'schema'")
        connection.execute("update meta set value = '7.0' where key = 'version'")
    connection.close()
    assert "was written by gfactor 7.0 in another layout (99, here 4)" in refused(path)


def test_a_journal_of_schema_3_gets_the_columns_of_who_answered_and_a_copy_stays(
    path: Path,
) -> None:
    with Journal.open(path) as journal:
        journal.add([response("h1"), response("h2", outcome="timeout")])
        before = journal.responses()
    with closing(sqlite3.connect(path)) as file, file:
        for table in ("responses", "turns", "failures", "late"):
            for column in ("answered_by", "fingerprint"):
                file.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
        file.execute("DROP TABLE late")  # Journals of schema 3 need not have all tables.
        file.execute("UPDATE meta SET value = '3' WHERE key = 'schema'")
    with Journal.open(path, create=False) as journal:
        assert journal.meta()["schema"] == "4"
        assert journal.responses().equals(before)
        assert len(journal.failures()) == 1
        journal.add([response("h3", answered_by="m-2")])
        assert list(journal.responses()["answered_by"]) == ["", "m-2"]
    with closing(sqlite3.connect(copy_path(path, "3"))) as file:
        assert file.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone() == ("3",)
        assert file.execute("SELECT count(*) FROM responses").fetchone() == (1,)
        columns = [row[1] for row in file.execute("PRAGMA table_info(responses)")]
        assert "answered_by" not in columns


def test_a_server_url_hides_its_password() -> None:
    said = refused("oracle://me:secret@host/db")
    assert "secret" not in said
    assert "driver" in said
    assert refused("://").startswith("a journal's URL is written")


def test_an_empty_file_becomes_a_journal(path: Path) -> None:
    path.touch()
    with Journal.open(path) as journal:
        assert journal.responses().empty


def test_an_item_of_another_kind_needs_no_output_format(path: Path, tmp_path: Path) -> None:
    item = make_item(output_format=None, answer_type="open", target="a story")
    with Journal.open(path) as journal:
        journal.register((), ItemBank.open(write_bank([item], tmp_path / "open.parquet")))
        assert journal.items()["output_format"].tolist() == [None]
