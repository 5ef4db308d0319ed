"""A run that is killed or interrupted loses next to nothing, and the same command completes it."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.banks import make_items

from gfactor.administration import Journal
from gfactor.items import ItemBank, write_bank

IN_FLIGHT, SECONDS_EACH = 4, 0.02
PROGRAM = f"""
import asyncio, signal, sys
# A shell that starts the tests in the background may have it ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
from gfactor.cli import main
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
main()
"""


class Campaign:
    """A bank of 400 items, a journal, and the log of what the examinee has answered."""

    def __init__(self, folder: Path) -> None:
        self.bank = write_bank(make_items("abcd", sizes=10, instances=10), folder / "b.parquet")
        self.journal = folder / "c.db"
        self.log = folder / "log.txt"

    def start(self) -> subprocess.Popen[str]:
        words = ("run", self.bank, "--journal", self.journal, "--examinee", "slow:one")
        return subprocess.Popen(
            [sys.executable, "-c", PROGRAM, self.log, *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def answered(self) -> list[str]:
        return self.log.read_text().split() if self.log.exists() else []

    def stored(self) -> int:
        with Journal.open(self.journal, create=False) as journal:
            return len(journal.responses())

    def stop_in_the_middle(self, sign: signal.Signals) -> tuple[int, str]:
        """Send a signal when a quarter is answered; the exit code and standard error."""
        process = self.start()
        deadline = time.monotonic() + 60
        while len(self.answered()) < 100 and time.monotonic() < deadline:
            time.sleep(0.01)
        os.kill(process.pid, sign)
        _, said = process.communicate(timeout=30)
        return process.returncode, said


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    return Campaign(tmp_path)


def complete(campaign: Campaign) -> str:
    """Run the same command again to the end; what it says."""
    process = campaign.start()
    said, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    return said


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
    assert f"{400 - stored:,} asked, {stored:,} known already" in said
    assert len(campaign.answered()) - before == 400 - stored
    assert set(campaign.answered()) == set(ItemBank.open(campaign.bank).ids)
    assert campaign.stored() == 400


@pytest.mark.slow
def test_an_interrupted_run_stores_all_it_has_says_so_and_is_completed(campaign: Campaign) -> None:
    code, said = campaign.stop_in_the_middle(signal.SIGINT)
    assert code == 130
    assert said.strip() == "gfactor: stopped; run the same command again to go on"
    assert intact(campaign.journal)
    assert len(campaign.answered()) == campaign.stored() < 400
    complete(campaign)
    assert len(campaign.answered()) == campaign.stored() == 400
