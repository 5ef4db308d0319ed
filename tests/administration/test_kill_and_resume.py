"""A run that is killed or interrupted loses next to nothing, and the same command completes it."""

from __future__ import annotations

import os
import signal
import sqlite3
import time
from pathlib import Path

import pytest
from support.banks import make_items
from support.forked import Starter

from gfactor.administration import Journal
from gfactor.items import ItemBank, write_bank

ITEMS, IN_FLIGHT, SECONDS_EACH = 200, 4, 0.02
SLOW = f"""
import asyncio, signal, sys
# A shell that starts the tests in the background may have it ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
from gfactor.examinees import EXAMINEES, Reply

class Slow:
    name, in_flight = "slow:one", {IN_FLIGHT}
    async def __call__(self, item):
        await asyncio.sleep({SECONDS_EACH})
        with open(LOG, "a") as log:
            log.write(item.item_id + "\\n")
        return Reply("COUNT:1")
    async def close(self): ...

EXAMINEES.add("slow", lambda spec, bank, jobs: Slow())
LOG = sys.argv.pop(1)
"""


class Campaign:
    """A bank of 200 items, a journal, and the log of what the examinee has answered."""

    def __init__(self, folder: Path, processes: Starter) -> None:
        self.bank = write_bank(make_items("abcd", sizes=10, instances=5), folder / "b.parquet")
        self.journal = folder / "c.db"
        self.log = folder / "log.txt"
        self._output, self._processes = folder / "output.txt", processes

    def start(self) -> int:
        """Run the command in a process of its own; the process's number."""
        self._output.write_text("")
        words = ("run", self.bank, "--journal", self.journal, "--examinee", "slow:one")
        return self._processes.start(self._output, self.log, *words, before=SLOW)

    def end(self, number: int) -> tuple[int, str]:
        """Wait for a process; its exit code and what it printed."""
        code = self._processes.wait(number)
        return code, self._output.read_text("utf-8")

    def answered(self) -> list[str]:
        return self.log.read_text().split() if self.log.exists() else []

    def stored(self) -> int:
        with Journal.open(self.journal, create=False) as journal:
            return len(journal.responses())

    def stop_in_the_middle(self, sign: signal.Signals) -> tuple[int, str]:
        """Send a signal when a quarter is answered; the exit code and the output."""
        number = self.start()
        deadline = time.monotonic() + 60
        while len(self.answered()) < ITEMS // 4 and time.monotonic() < deadline:
            time.sleep(0.01)
        os.kill(number, sign)
        return self.end(number)


@pytest.fixture
def campaign(tmp_path: Path, processes: Starter) -> Campaign:
    return Campaign(tmp_path, processes)


def complete(campaign: Campaign) -> str:
    """Run the same command again to the end; what it says."""
    code, printed = campaign.end(campaign.start())
    assert code == 0, printed
    return printed


def intact(journal: Path) -> bool:
    connection = sqlite3.connect(journal)
    (state,) = connection.execute("pragma integrity_check").fetchone()
    connection.close()
    return state == "ok"


def test_a_killed_run_loses_at_most_what_was_in_flight_and_is_completed(campaign: Campaign) -> None:
    code, _ = campaign.stop_in_the_middle(signal.SIGKILL)
    assert code == -signal.SIGKILL
    before, stored = len(campaign.answered()), campaign.stored()
    assert intact(campaign.journal)
    assert 0 <= before - stored <= IN_FLIGHT
    said = complete(campaign)
    assert f"{ITEMS - stored:,} asked, {stored:,} known already" in said
    assert len(campaign.answered()) - before == ITEMS - stored
    assert set(campaign.answered()) == set(ItemBank.open(campaign.bank).ids)
    assert campaign.stored() == ITEMS


@pytest.mark.slow
def test_an_interrupted_run_stores_all_it_has_says_so_and_is_completed(campaign: Campaign) -> None:
    code, said = campaign.stop_in_the_middle(signal.SIGINT)
    assert code == 130
    assert said.strip() == "gfactor: stopped; run the same command again to go on"
    assert intact(campaign.journal)
    assert len(campaign.answered()) == campaign.stored() < ITEMS
    complete(campaign)
    assert len(campaign.answered()) == campaign.stored() == ITEMS
