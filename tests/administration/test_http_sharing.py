"""Runs over HTTP that are killed, and runs that share a journal, against a real server."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.banks import make_items
from support.chat_server import Body, ChatServer, chat_server, pictures
from support.forked import Starter

from gfactor.administration import Journal
from gfactor.items import Image, ItemBank, write_bank


def rows(journal: Path, examinee: str) -> dict[str, str]:
    with Journal.open(journal, create=False) as kept:
        table = kept.responses()
    own = table[table["examinee"].str.startswith(examinee)]
    found = dict(zip(own["item_hash"], own["text"], strict=True))
    assert len(found) == len(own)
    return found


class Runs:
    """Processes that run a bank into a journal beside it."""

    def __init__(self, bank: Path, processes: Starter, server: ChatServer) -> None:
        self.bank, self.journal = bank, bank.parent / "c.db"
        self.log = bank.parent / "log.txt"
        self.processes, self.server = processes, server

    def start(self, *more: object) -> int:
        return self.processes.start(
            self.log, "run", self.bank, "--journal", self.journal, "--examinee", "openai:m",
            "--base-url", self.server.url, *more,
        )  # fmt: skip

    def wait(self, *numbers: int) -> list[int]:
        return [self.processes.wait(number) for number in numbers]


@pytest.fixture
def echo() -> Iterator[ChatServer]:
    """A server whose answer depends on the picture, as slow as a quick model."""

    def reply(body: Body) -> str:
        return f"COUNT:{int(pictures(body)[0][0, 0].sum())}"

    with chat_server(reply, latency_s=0.03) as server:
        yield server


def expected(bank: Path) -> dict[str, str]:
    def count(image: Image) -> int:
        return int(image.decode()[0, 0].sum())

    items = iter(ItemBank.open(bank))
    return {i.provenance.content_hash: f"COUNT:{count(i.images[0])}" for i in items}


@pytest.mark.slow
def test_a_killed_run_goes_on_and_its_journal_equals_an_undisturbed_one(
    tmp_path: Path, echo: ChatServer, processes: Starter
) -> None:
    bank = write_bank(make_items("abcd", sizes=5, instances=10), tmp_path / "b.parquet")
    runs, in_flight = Runs(bank, processes, echo), 4
    process = runs.start("--max-in-flight", in_flight)
    deadline = time.monotonic() + 60
    while echo.served < 100 and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(process, signal.SIGKILL)
    assert runs.wait(process) == [-signal.SIGKILL]
    time.sleep(0.1)
    asked, stored = echo.served, len(rows(runs.journal, "openai:m"))
    assert 0 < stored < 200
    assert asked - stored <= in_flight
    assert runs.wait(runs.start()) == [0]
    assert echo.served - asked == 200 - stored
    assert rows(runs.journal, "openai:m") == expected(bank)


def test_two_processes_share_a_journal_and_no_key_is_asked_twice(
    tmp_path: Path, echo: ChatServer, processes: Starter
) -> None:
    bank = write_bank(make_items("abcd", sizes=5, instances=2), tmp_path / "b.parquet")
    runs = Runs(bank, processes, echo)
    both = [runs.start("--max-in-flight", 4) for _ in range(2)]
    assert runs.wait(*both) == [0, 0], runs.log.read_text()
    assert echo.served == 40
    assert rows(runs.journal, "openai:m") == expected(bank)
