"""Nothing that was paid for is discarded: stops, locks and outages let answers come in."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from support.banks import make_item
from support.chat_server import ChatServer, chat_server
from support.forked import Starter
from support.postgres import fresh_database, postgres_server

from gfactor.administration import Journal, administer, run
from gfactor.administration.asking import concurrent as asking
from gfactor.administration.storing import opening, outages
from gfactor.errors import JournalError
from gfactor.examinees import RenderedItem, Reply
from gfactor.examinees.http import Endpoint, HttpExaminee
from gfactor.items import ItemBank, write_bank

ITEMS = 40


@pytest.fixture
def bank(tmp_path: Path) -> ItemBank:
    items = (make_item(f"i{n:02d}", content=(f"Say {n}.",), target=n) for n in range(ITEMS))
    return ItemBank.open(write_bank(items, tmp_path / "b.parquet"))


class Slow:
    """An examinee that takes a while, and notes who was asked."""

    name, in_flight = "test:slow", 4

    def __init__(self, seconds: float, when_asked: Callable[[int], object] | None = None) -> None:
        self.asked = 0
        self._seconds, self._when_asked = seconds, when_asked or (lambda _: None)

    async def __call__(self, item: RenderedItem) -> Reply:
        self.asked += 1
        self._when_asked(self.asked)
        await asyncio.sleep(self._seconds)
        return Reply("COUNT:1")

    async def close(self) -> None:
        pass


def stored(path: Path | str) -> int:
    with Journal.open(path, create=False) as journal:
        return len(journal.responses())


def wait_for(server: ChatServer, served: int) -> None:
    deadline = time.monotonic() + 60
    while server.served < served and time.monotonic() < deadline:
        time.sleep(0.005)


@pytest.mark.parametrize(
    ("sign", "code"),
    # The test of a second interrupt, below, sends the first signal too.
    [(signal.SIGTERM, 143), pytest.param(signal.SIGINT, 130, marks=pytest.mark.slow)],
)
def test_a_stopped_run_stores_every_answer_that_was_on_its_way(
    bank: ItemBank, tmp_path: Path, processes: Starter, sign: signal.Signals, code: int
) -> None:
    log = tmp_path / "log.txt"
    with chat_server(latency_s=0.4) as server:
        command = ("run", tmp_path / "b.parquet", "--journal", tmp_path / "c.db", "--examinee",
                   "openai:m", "--base-url", server.url, "--max-in-flight", "6")  # fmt: skip
        number = processes.start(log, *command)
        wait_for(server, 9)
        os.kill(number, sign)
        assert processes.wait(number) == code
        assert stored(tmp_path / "c.db") == server.served < ITEMS
        assert "run the same command again to go on" in log.read_text("utf-8")
        assert processes.wait(processes.start(log, *command)) == 0
        assert stored(tmp_path / "c.db") == server.served == ITEMS


def test_a_second_interrupt_stops_at_once(
    bank: ItemBank, tmp_path: Path, processes: Starter
) -> None:
    log = tmp_path / "log.txt"
    with chat_server(latency_s=30) as server:
        number = processes.start(
            log, "run", tmp_path / "b.parquet", "--journal", tmp_path / "c.db", "--examinee",
            "openai:m", "--base-url", server.url, "--max-in-flight", "3",
        )  # fmt: skip
        wait_for(server, 3)
        os.kill(number, signal.SIGINT)
        deadline = time.monotonic() + 20
        while "press Ctrl-C again" not in log.read_text("utf-8") and time.monotonic() < deadline:
            time.sleep(0.02)
        os.kill(number, signal.SIGINT)
        began = time.monotonic()
        assert processes.wait(number) == 130
        assert time.monotonic() - began < 20
    assert "stopping when 3 answers that are on their way are stored" in log.read_text("utf-8")


def test_a_stopped_run_waits_no_longer_than_its_bound(
    bank: ItemBank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "FINISHING_SECONDS", 0.1)
    monkeypatch.setattr(asking, "_SILENT_SECONDS", 0.1)

    async def stopped() -> None:
        task = asyncio.create_task(administer(bank, Slow(600), journal))
        await asyncio.sleep(0.3)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(task, 20)

    with Journal.open(tmp_path / "c.db") as journal:
        asyncio.run(stopped())


def test_a_stopped_run_sends_nothing_that_waited_for_its_turn(
    bank: ItemBank, tmp_path: Path
) -> None:
    async def stopped(url: str) -> None:
        endpoint = Endpoint("m", base_url=url, max_in_flight=16, rpm=60)
        examinee = HttpExaminee(endpoint)
        task = asyncio.create_task(administer(bank, examinee, journal))
        await asyncio.sleep(0.4)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(task, 20)
        await examinee.close()

    with chat_server() as server, Journal.open(tmp_path / "c.db") as journal:
        asyncio.run(stopped(server.url))
        # Six may be sent at once; the others wait for the limit of sixty a minute.
        assert 0 < len(journal.responses()) == server.served < 9


def test_a_locked_journal_is_waited_for(
    bank: ItemBank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "BUSY_SECONDS", 0.05)
    path, sentences = tmp_path / "c.db", list[str]()

    def lock() -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            time.sleep(0.6)
            other.execute("ROLLBACK")

    locking = threading.Thread(target=lock)
    examinee = Slow(0.05, lambda number: locking.start() if number == 6 else None)
    with Journal.open(path) as journal:
        result = run(bank, examinee, journal, tell=sentences.append)
    locking.join()
    assert (result.asked, result.failed) == (ITEMS, 0)
    assert stored(path) == examinee.asked == ITEMS
    assert [s for s in sentences if "is locked" in s and "answers wait in memory" in s]
    assert sentences[-1] == "the journal works again; nothing was lost"


def test_a_journal_that_stays_locked_ends_the_run_after_a_bound(
    bank: ItemBank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "BUSY_SECONDS", 0.05)
    monkeypatch.setattr(outages, "OUTAGE_SECONDS", 0.3)
    path = tmp_path / "c.db"
    with Journal.open(path) as journal, closing(sqlite3.connect(path)) as other:
        other.isolation_level = None
        locked = Slow(0.05, lambda n: other.execute("BEGIN IMMEDIATE") if n == 6 else None)
        with pytest.raises(JournalError, match="is locked"):
            run(bank, locked, journal)
        other.execute("ROLLBACK")
    assert locked.asked <= 6 + 2 * Slow.in_flight


@pytest.mark.slow
def test_a_server_of_journals_that_is_gone_for_a_while_costs_no_answer(
    bank: ItemBank, tmp_path: Path
) -> None:
    pytest.importorskip("psycopg")
    with postgres_server() as server:
        url = fresh_database(server, "campaign")
        engine = sa.create_engine(
            server.replace("postgresql:", "postgresql+psycopg:"), isolation_level="AUTOCOMMIT"
        )

        def say(sentence: str) -> None:
            with engine.connect() as connection:
                connection.execute(sa.text(sentence))

        def cut_off() -> None:
            say("alter database campaign with allow_connections false")
            say("select pg_terminate_backend(pid) from pg_stat_activity where datname = 'campaign'")
            time.sleep(0.8)
            say("alter database campaign with allow_connections true")

        cutting = threading.Thread(target=cut_off)
        examinee = Slow(0.05, lambda number: cutting.start() if number == 6 else None)
        sentences: list[str] = []
        with Journal.open(url) as journal:
            result = run(bank, examinee, journal, tell=sentences.append)
            assert len(journal.responses()) == ITEMS
        cutting.join()
        engine.dispose()
    assert (result.asked, result.failed, examinee.asked) == (ITEMS, 0, ITEMS)
    assert sentences[-1] == "the journal works again; nothing was lost"
