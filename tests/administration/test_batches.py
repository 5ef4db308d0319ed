"""Batches: submitted once whoever is killed when, collected whole, at half the price."""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.banks import make_item
from support.batch_server import BatchServer, batch_server
from support.forked import Starter, starter

import gfactor as gf
from gfactor.errors import ParameterError
from gfactor.items import write_bank

ITEMS = 30


@pytest.fixture(scope="module")
def processes() -> Iterator[Starter]:
    with starter() as started:
        yield started


@pytest.fixture
def server() -> Iterator[BatchServer]:
    with batch_server() as running:
        running.reply = lambda text: f"COUNT:{text.split()[1]}"
        yield running


@pytest.fixture(params=["openai", "anthropic"])
def path(request: pytest.FixtureRequest, tmp_path: Path, server: BatchServer) -> Path:
    """A campaign of 60 answers in batches of 25; an answer costs 3.5."""
    return declared(tmp_path, server, request.param)


def declared(folder: Path, server: BatchServer, kind: str, more: str = "", poll: float = 0.05,
             failing: int = -1) -> Path:  # fmt: skip
    items = []
    for n in range(ITEMS):
        content = (f"Say {n}{' and it fails' if n == failing else ''}",)
        items.append(make_item(f"i{n:03d}", content=content, target=n))
    write_bank(items, folder / "b.parquet")
    path = folder / "c.toml"
    path.write_text(
        f'{more}\n[[banks]]\npath = "b.parquet"\n[servers.lab]\nbase_url = "{server.url}"\n'
        f'batch = "{kind}"\nbatch_size = 25\npoll = {poll}\nattempts = 2\nfirst_wait = 0.05\n'
        '[[models]]\nspec = "openai:m"\nserver = "lab"\nprice = {input = 0, output = 1e6}\n'
        "[conditions]\nmax_tokens = 10\ntemperature = [0, 1]\n",
        encoding="utf-8",
    )
    return path


def answers_are_right(path: Path) -> bool:
    """Whether each of the 60 questions has the answer to itself."""
    items = {
        i.provenance.content_hash: f"COUNT:{i.target}"
        for i in gf.open_bank(path.parent / "b.parquet")
    }
    with gf.open_journal(path.parent / "c.db") as journal:
        rows = journal.responses()
    said = zip(rows["item_hash"], rows["text"], strict=True)
    return len(rows) == 2 * ITEMS and all(items[item] == text for item, text in said)


def test_every_question_is_submitted_once_and_answered_at_half_the_price(
    path: Path, server: BatchServer
) -> None:
    assert gf.campaign.plan(path).facts["cost"] == 2 * ITEMS * 10 / 2
    done = gf.campaign.run(path)
    assert (done.code, done.facts["spent"]) == (0, 2 * ITEMS * 7 / 2)
    assert server.submitted == 3
    assert set(Counter(server.texts()).values()) == {2}
    assert answers_are_right(path)
    assert gf.campaign.run(path).code == 0
    assert server.submitted == 3
    # Both conditions take turns in every batch.
    kinds = [Counter(str((r.get("body") or r["params"])["temperature"]) for r in batch)
             for batch in server.requests.values()]  # fmt: skip
    assert all(abs(kind["0"] - kind["1"]) <= 1 for kind in kinds)


def wait_for(server: BatchServer, submitted: int) -> None:
    deadline = time.monotonic() + 60
    while server.submitted < submitted and time.monotonic() < deadline:
        time.sleep(0.01)


def test_of_a_killed_process_batches_are_collected_by_the_next(
    path: Path, server: BatchServer, processes: Starter
) -> None:
    server.looks = 10**6
    log = path.parent / "log.txt"
    victim = processes.start(log, "campaign", "run", path)
    wait_for(server, 2)
    os.kill(victim, signal.SIGKILL)
    assert processes.wait(victim) == -signal.SIGKILL
    server.looks = 0
    both = [processes.start(log, "campaign", "run", path) for _ in range(2)]
    assert [processes.wait(number) for number in both] == [0, 0], log.read_text()
    assert set(Counter(server.texts()).values()) == {2}
    assert server.submitted == 3
    assert answers_are_right(path)


def test_a_batch_whose_id_never_came_back_is_found_and_not_submitted_again(
    path: Path, server: BatchServer
) -> None:
    server.looks, server.cut_after_submitting = 0, True
    stopped = gf.campaign.run(path)
    assert stopped.code == 4
    assert "run the same command again to collect it" in stopped.stopped["openai:m"]
    assert server.submitted == 1
    assert gf.campaign.status(path).facts["reserved"] == 25 * 10 / 2
    server.cut_after_submitting = False
    assert gf.campaign.run(path).code == 0
    assert server.submitted == 3
    assert set(Counter(server.texts()).values()) == {2}
    assert answers_are_right(path)


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_a_request_that_fails_costs_no_other_and_is_submitted_again(
    tmp_path: Path, server: BatchServer, kind: str
) -> None:
    path = declared(tmp_path, server, kind, failing=4)
    done = gf.campaign.run(path)
    assert (done.code, done.facts["done"], done.facts["failed"]) == (1, 58, 2)
    with gf.open_journal(tmp_path / "c.db") as journal:
        assert journal.failures()["detail"].str.contains("no such picture").all()
    assert server.submitted == 3
    assert gf.campaign.run(path).code == 1
    assert server.submitted == 4
    assert len(server.texts()) == 62


def test_a_budget_holds_for_batches_which_get_smaller(tmp_path: Path, server: BatchServer) -> None:
    budget = 40 * 10 / 2
    path = declared(tmp_path, server, "openai", f"[campaign]\nbudget = {budget}")
    done = gf.campaign.run(path)
    assert done.code == 3
    assert server.charged() / 2 <= budget
    assert server.charged() / 2 == done.facts["spent"] > budget - 10
    assert max(len(batch) for batch in server.requests.values()) == 25


def test_what_a_batch_cannot_be_is_said(tmp_path: Path, server: BatchServer) -> None:
    with pytest.raises(ParameterError, match="batches are of the format openai or anthropic"):
        gf.campaign.plan(declared(tmp_path, server, "google"))


@pytest.mark.slow
def test_a_line_separator_in_an_answer_ends_no_line_of_the_results(
    path: Path, server: BatchServer
) -> None:
    server.reply = lambda text: f"One.\u2028Two.\x85\nCOUNT:{text.split()[1]}"
    assert gf.campaign.run(path).code == 0
    with gf.open_journal(path.parent / "c.db") as journal:
        rows = journal.responses()
    assert len(rows) == 2 * ITEMS
    assert all(text.startswith("One.\u2028Two.\x85\n") for text in rows["text"])
