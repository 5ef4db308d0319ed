"""Runs over HTTP that are killed, and runs that share a journal, against a real server."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.banks import make_items
from support.chat_server import Body, ChatServer, chat_server, pictures

from gfactor.administration import Journal
from gfactor.items import Image, ItemBank, write_bank

PROGRAM = "from gfactor.cli import main; main()"


def rows(journal: Path, examinee: str) -> dict[str, str]:
    with Journal.open(journal, create=False) as kept:
        table = kept.responses()
    own = table[table["examinee"].str.startswith(examinee)]
    found = dict(zip(own["item_hash"], own["text"], strict=True))
    assert len(found) == len(own)
    return found


def start(bank: Path, journal: Path, server: ChatServer, *more: object) -> subprocess.Popen[bytes]:
    words = ("run", bank, "--journal", journal, "--examinee", "openai:m", "--base-url", server.url)
    return subprocess.Popen([sys.executable, "-c", PROGRAM, *map(str, (*words, *more))])


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
    tmp_path: Path, echo: ChatServer
) -> None:
    bank = write_bank(make_items("abcd", sizes=5, instances=10), tmp_path / "b.parquet")
    journal, in_flight = tmp_path / "c.db", 4
    process = start(bank, journal, echo, "--max-in-flight", in_flight)
    deadline = time.monotonic() + 60
    while echo.served < 100 and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    time.sleep(0.1)
    asked, stored = echo.served, len(rows(journal, "openai:m"))
    assert 0 < stored < 200
    assert asked - stored <= in_flight
    assert start(bank, journal, echo).wait(60) == 0
    assert echo.served - asked == 200 - stored
    assert rows(journal, "openai:m") == expected(bank)


def test_two_processes_share_a_journal_and_no_key_is_asked_twice(
    tmp_path: Path, echo: ChatServer
) -> None:
    bank = write_bank(make_items("abcd", sizes=5, instances=10), tmp_path / "b.parquet")
    journal = tmp_path / "c.db"
    both = [start(bank, journal, echo, "--max-in-flight", 4) for _ in range(2)]
    assert [process.wait(90) for process in both] == [0, 0]
    assert echo.served == 200
    assert rows(journal, "openai:m") == expected(bank)
