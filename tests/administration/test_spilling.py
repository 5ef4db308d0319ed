"""Replies that a journal could not take are in a spill file, and in the journal after the next
command, once."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.banks import make_item
from support.chat_server import chat_server

import gfactor as gf
from gfactor.administration import Journal, Response, run
from gfactor.administration.sharing import claims, spilling
from gfactor.administration.sharing.spilling import Spilled, spill, spill_files, take_in
from gfactor.administration.storing import opening, outages
from gfactor.errors import JournalError
from gfactor.examinees import RenderedItem, Reply
from gfactor.examinees.http import Endpoint, HttpExaminee
from gfactor.items import ItemBank, write_bank

ITEMS = 20


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "BUSY_SECONDS", 0.02)
    monkeypatch.setattr(outages, "OUTAGE_SECONDS", 0.1)
    monkeypatch.setattr(claims, "LEASE_SECONDS", 1.0)


@pytest.fixture
def bank(tmp_path: Path) -> ItemBank:
    items = (make_item(f"i{n:02d}", content=(f"Say {n}.",), target=n) for n in range(ITEMS))
    return ItemBank.open(write_bank(items, tmp_path / "b.parquet"))


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path / "c.db") as opened:
        yield opened


def lock(path: Path) -> sqlite3.Connection:
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    return other


def response(name: str, text: str = "A", outcome: Any = "ok") -> Response:
    return Response.now("test:m", name, "default", 0, Reply(text, outcome, latency_s=len(text) / 8))


def test_a_run_whose_journal_stays_locked_keeps_every_answer_it_paid_for(
    bank: ItemBank, journal: Journal, tmp_path: Path
) -> None:
    locks: list[sqlite3.Connection] = []
    path = tmp_path / "c.db"

    def reply(body: Any) -> str:
        if len(locks) == 0 and "Say 7." in json.dumps(body):
            locks.append(lock(path))
        return "COUNT:7"

    with chat_server(reply, latency_s=0.02) as server:
        examinee = HttpExaminee(Endpoint("m", server.url, max_in_flight=3))
        with pytest.raises(JournalError, match="is locked") as caught:
            run(bank, examinee, journal)
        files = [one.name for one in tmp_path.glob("c.db.spill-*.jsonl")]
        assert any(file in str(caught.value) for file in files)
        assert "the next command that writes to this journal takes them in" in str(caught.value)
        locks[0].close()
        paid = server.served
        assert 0 < len(journal.responses()) < paid < ITEMS
        gf.run(bank, ["openai:m"], journal=path, base_url=server.url)
        assert server.served == ITEMS
    assert len(journal.responses()) == ITEMS
    assert journal.late().empty
    assert spill_files(journal) == []


def test_the_replies_to_earlier_turns_are_kept_too(tmp_path: Path, journal: Journal) -> None:
    two = Response.now("test:m", "h", "default", 0, Reply("first turn"))
    spill(journal, [Spilled(two, 0), Spilled(response("g"))])
    assert take_in(journal) == 2
    assert [reply.text for reply in journal.said("test:m", "h", "default", 0)] == ["first turn"]
    assert journal.responses()["item_hash"].tolist() == ["g"]


def test_a_file_is_taken_in_once_although_its_deletion_was_cut_off(journal: Journal) -> None:
    failed = response("f", outcome="timeout")
    path = spill(journal, [Spilled(response("a")), Spilled(failed)])
    kept = path.with_suffix(".copy")
    shutil.copy(path, kept)
    assert take_in(journal) == 2
    shutil.move(kept, path)
    assert take_in(journal) == 0
    assert not path.exists()
    assert (len(journal.responses()), len(journal.failures()), len(journal.late())) == (1, 1, 0)
    assert set(journal.meta()) == {"kind", "schema", "version", "created", "campaigns"}


def test_what_somebody_else_answered_meanwhile_is_kept_as_late(journal: Journal) -> None:
    spill(journal, [Spilled(response("a", "mine"))])
    journal.add([response("a", "theirs")])
    take_in(journal)
    assert journal.responses()["text"].tolist() == ["theirs"]
    assert journal.late()["text"].tolist() == ["mine"]


def test_of_a_file_whose_writer_was_killed_the_whole_lines_count(journal: Journal) -> None:
    path = spill(journal, [Spilled(response(name)) for name in "abc"])
    lines = path.read_bytes().splitlines(keepends=True)
    head = json.loads(lines[0])
    child = os.fork()
    if not child:
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    host, boot, _, rest = head["owner"].split("|")
    cut = [*lines[1:3], lines[3][:40]]
    path.write_bytes(b"".join([json.dumps(head).encode() + b"\n", *cut]))
    # By a process that lives it is being written.
    assert take_in(journal) == 0
    head["owner"] = "|".join((host, boot, str(child), rest))
    path.write_bytes(b"".join([json.dumps(head).encode() + b"\n", *cut]))
    assert take_in(journal) == 2
    assert sorted(journal.responses()["item_hash"]) == ["a", "b"]


def test_a_journal_that_cannot_be_written_leaves_the_file(journal: Journal, tmp_path: Path) -> None:
    path = spill(journal, [Spilled(response("a"))])
    with closing(lock(tmp_path / "c.db")), pytest.raises(JournalError, match="is locked"):
        take_in(journal)
    assert path.exists()
    assert take_in(journal) == 1


def test_a_full_disk_sends_replies_to_the_folder_for_temporary_files(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "tmp"
    elsewhere.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(elsewhere))
    write = spilling._write

    def full(path: Path, replies: Any) -> None:
        if path.parent == tmp_path:
            raise OSError(28, "No space left on device")
        write(path, replies)

    monkeypatch.setattr(spilling, "_write", full)
    assert spill(journal, [Spilled(response("a"))]).parent == elsewhere
    assert take_in(journal) == 1


def test_without_any_place_it_is_said(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(spilling, "_write", full)
    with pytest.raises(JournalError, match=r"1 replies are lost.*No space left on device"):
        spill(journal, [Spilled(response("a"))])


def test_another_journals_file_is_left_alone(journal: Journal, tmp_path: Path) -> None:
    with Journal.open(tmp_path / "other.db") as other:
        path = spill(other, [Spilled(response("a"))])
        assert take_in(journal) == 0
        assert path.exists()
        assert take_in(other) == 1


class Failing:
    """An examinee whose journal fails for good while others are on their way."""

    name, in_flight = "test:m", 4

    def __init__(self) -> None:
        self.asked = self.answered = 0

    async def __call__(self, item: RenderedItem) -> Reply:
        import asyncio  # noqa: PLC0415

        self.asked += 1
        await asyncio.sleep(0.01 if self.asked % 4 else 0.4)
        self.answered += 1
        return Reply("COUNT:1")

    async def close(self) -> None: ...


def test_answers_on_their_way_when_the_journal_is_given_up_are_waited_for(
    bank: ItemBank, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> int:
        raise JournalError("journal 'c.db' cannot be used: attempt to write a readonly database")

    monkeypatch.setattr(journal, "add", broken)
    examinee = Failing()
    with pytest.raises(JournalError, match="readonly database; 4 replies that it could not take"):
        run(bank, examinee, journal)
    assert examinee.answered == examinee.asked == 4
    monkeypatch.undo()
    assert take_in(journal) == 4
