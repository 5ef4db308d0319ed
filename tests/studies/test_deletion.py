"""What is deleted is in no file on the disk: not in the database, its log or its journal."""

from __future__ import annotations

import json
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.browsers import server
from support.studies import make_study

import gfactor as gf
from gfactor.cli import cli
from gfactor.studies.questionnaires import StudyFolder
from gfactor.studies.questionnaires.pages.receipts import receipt_of
from gfactor.studies.questionnaires.storing.store import Store
from gfactor.studies.web import database
from gfactor.studies.web.sessions import hashed


def on_disk(folder: Path) -> bytes:
    """All bytes of all files of a study, whatever they are called."""
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


def begin(store: Store, study: StudyFolder, who: str) -> str:
    person = store.start(
        hashed(who), lambda _: [], language="en", consent_version="1",
        declaration=study.declaration, external=study.external(who, signed=False),
    )  # fmt: skip
    assert person is not None
    return person.code


def test_who_withdraws_from_a_running_server_is_in_no_file(tmp_path: Path) -> None:
    study = make_study(tmp_path, count=4, checks=0)
    with server(study) as new:
        stays, leaves, asks = new(), new(), new()
        for browser, name in ((stays, "stays-1"), (leaves, "leaves-2"), (asks, "asks-3")):
            browser.begin(f"/?PROLIFIC_PID={name}")
            browser.answer()
        codes = {}
        with closing(study.store()) as store:
            for name in ("stays-1", "leaves-2", "asks-3"):
                codes[name] = store.code_of(name)
        assert all(str(code).encode() in on_disk(study.path) for code in codes.values())
        leaves.send(leaves.get("/withdraw"))
        receipt = receipt_of(study.secrets, str(codes["asks-3"]))
        page = asks.get("/receipt")
        asks.send(page, receipt=receipt, do="delete", sure="yes")
        held = on_disk(study.path)  # while the server runs
        for name in ("leaves-2", "asks-3"):
            assert name.encode() not in held
            assert str(codes[name]).encode() not in held
        assert str(codes["stays-1"]).encode() in held
        assert "Question 2" in stays.get("/task").text


@pytest.mark.thorough
def test_no_page_of_the_file_keeps_a_copy_of_a_row_that_was_moved(tmp_path: Path) -> None:
    """Rows that arrive in any order are moved between pages; secure_delete leaves copies there."""
    study = make_study(tmp_path, count=2)
    order = random.Random(1)
    with closing(study.store()) as store:
        people = [begin(store, study, f"who-{k:03d}") for k in range(120)]
        next_position = dict.fromkeys(people, 0)
        facts = {
            "kind": "item", "item": "q00", "place": None, "earned": 0.0, "possible": 1.0,
            "right": False, "seconds": 1.0, "server_seconds": 1.0, "away_count": 0,
            "away_seconds": 0.0, "resized": 0, "late": False,
        }  # fmt: skip
        for _ in range(2_500):
            k = order.randrange(len(people))
            text = f"secret-of-{k:03d} " + "x" * order.randrange(60)
            position = next_position[people[k]]
            store.answer(hashed(f"who-{k:03d}"), people[k], position, {**facts, "text": text})
            next_position[people[k]] += 1
        gone = range(0, len(people), 7)
        for k in gone:
            store.withdraw(people[k])
        assert store.erase_deleted()
        held = on_disk(study.path)
        for k in range(len(people)):
            assert (f"secret-of-{k:03d} ".encode() in held) is (k not in gone), k
            assert (people[k].encode() in held) is (k not in gone)


def test_what_is_past_the_retention_is_in_no_file(tmp_path: Path) -> None:
    study = make_study(tmp_path, count=2, retention_days=0)
    with closing(study.store()) as store:
        begin(store, study, "somebody-7")
        assert b"somebody-7" in on_disk(study.path)
        assert store.purge(0) == 1
        assert b"somebody-7" not in on_disk(study.path)
        assert [what for _, what in store.deletions()] == ["recruiting id"]


def test_while_somebody_reads_it_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "WAIT_S", 0.05)
    study = make_study(tmp_path, count=2)
    with (
        closing(study.store()) as store,
        closing(sqlite3.connect(study.path / "answers.db", isolation_level=None)) as reader,
    ):
        code = begin(store, study, "somebody-8")
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM participants").fetchall()
        store.withdraw(code)
        assert not store.erase_deleted()
        assert b"somebody-8" in on_disk(study.path)
        reader.execute("ROLLBACK")
        assert store.erase_deleted()
        assert b"somebody-8" not in on_disk(study.path)
        assert store.erase_deleted()  # nothing left to do


def test_backups_say_from_when_on_they_do_not_hold_a_person(tmp_path: Path) -> None:
    study, copies = make_study(tmp_path, count=2), tmp_path / "copies"
    with closing(study.store()) as store:
        code = begin(store, study, "somebody-9")
        old = gf.study.backup(study.path, copies)
        receipt = receipt_of(study.secrets, code)
    done = CliRunner().invoke(cli, ["study", "person", str(study.path), receipt, "--delete"])
    assert "backups made before may hold the person" in done.output
    new = gf.study.backup(study.path, copies)
    assert b"somebody-9" not in on_disk(study.path)
    assert b"somebody-9" in on_disk(old)
    assert b"somebody-9" not in on_disk(new)
    table = gf.study.backups(copies, study.path).table
    assert table["participants"].tolist() == [1, 0]
    first, second = table.to_dict("records")
    assert second["clean_from"] == ""
    shown = CliRunner().invoke(cli, ["study", "backups", str(copies), str(study.path)]).output
    assert "may hold 1 participants" in shown.splitlines()[0]
    assert "holds nobody who was deleted" in shown.splitlines()[1]
    shown = CliRunner().invoke(cli, ["study", "backups", str(copies), str(study.path), "--json"])
    assert json.loads(shown.output)["backups"][0]["clean_from"] == first["clean_from"]
