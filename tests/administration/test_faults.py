"""Servers that fail and processes that are killed cost no answer and answer nothing twice."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from aiohttp import web
from support.banks import make_item
from support.chat_server import Body, ChatServer, chat_server, texts
from support.forked import Starter

from gfactor.administration import Journal, run
from gfactor.examinees.http import Endpoint, HttpExaminee
from gfactor.items import ItemBank, write_bank

FAULTY = 0.2
KILLS, KILLED_ITEMS, IN_FLIGHT = 10, 600, 8


def text_bank(path: Path, items: int) -> Path:
    """Items without pictures, each with another question."""
    made = (make_item(f"i{n:04d}", content=(f"Say {n}.",), target=n) for n in range(items))
    return write_bank(made, path)


def said_to(body: Body) -> str:
    """The right answer to such a question."""
    return f"COUNT:{texts(body)[0].removeprefix('Say ').rstrip('.')}"


def answers(bank: Path) -> dict[str, str]:
    items = iter(ItemBank.open(bank))
    return {i.provenance.content_hash: f"COUNT:{i.target}" for i in items}


def kept(journal: Path) -> dict[str, str]:
    """What a journal holds, by item; every key once."""
    with Journal.open(journal, create=False) as opened:
        rows = opened.responses()
    assert not rows.duplicated(["examinee", "item_hash", "condition", "occasion"]).any()
    return dict(zip(rows["item_hash"], rows["text"], strict=True))


async def _too_many(request: web.Request) -> web.StreamResponse:
    return web.json_response({"error": {"message": "slow down"}}, status=429)


async def _too_many_with_a_time(request: web.Request) -> web.StreamResponse:
    return web.json_response({"error": "busy"}, status=429, headers={"Retry-After": "0"})


async def _broken(request: web.Request) -> web.StreamResponse:
    return web.Response(text="Internal Server Error", status=500)


async def _unavailable(request: web.Request) -> web.StreamResponse:
    return web.Response(text="<h1>503</h1>", status=503, content_type="text/html")


async def _reset(request: web.Request) -> web.StreamResponse:
    assert request.transport is not None
    request.transport.abort()
    return web.Response()


async def _half(request: web.Request) -> web.StreamResponse:
    return web.Response(body=b'{"choices": [{"message": {"con', content_type="application/json")


async def _cut_off(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Length": "500"})
    await response.prepare(request)
    await response.write(b'{"choices": [')
    assert request.transport is not None
    request.transport.close()
    return response


async def _empty(request: web.Request) -> web.StreamResponse:
    return web.Response(body=b"", content_type="application/json")


async def _page(request: web.Request) -> web.StreamResponse:
    return web.Response(text="<html>back soon</html>", content_type="text/html")


async def _error_in_200(request: web.Request) -> web.StreamResponse:
    return web.json_response({"error": {"message": "upstream failed", "code": 502}})


async def _hang(request: web.Request) -> web.StreamResponse:
    await asyncio.sleep(5)
    return web.Response()


FAULTS: dict[Callable[[web.Request], Awaitable[web.StreamResponse]], float] = {
    _too_many: 1, _too_many_with_a_time: 1, _broken: 1, _unavailable: 1, _reset: 1, _half: 1,
    _cut_off: 1, _empty: 1, _page: 1, _error_in_200: 1, _hang: 0.3,
}  # fmt: skip
"""What a server does wrong, and how often in relation to the others."""


@pytest.mark.parametrize("items", [500, pytest.param(2000, marks=pytest.mark.slow)])
def test_items_under_faults_of_every_kind_are_answered_once(tmp_path: Path, items: int) -> None:
    bank, journal = text_bank(tmp_path / "b.parquet", items), tmp_path / "c.db"
    chance, seen = random.Random(11), Counter[str]()

    async def fault(number: int, request: web.Request) -> web.StreamResponse | None:
        if chance.random() >= FAULTY:
            return None
        (chosen,) = chance.choices(list(FAULTS), list(FAULTS.values()))
        seen[chosen.__name__] += 1
        return await chosen(request)

    with chat_server(said_to, fault, keep=False) as server:
        # With twelve attempts, one run in 100,000 would have an item that fails every time.
        endpoint = Endpoint("m", server.url, request_s=1.0, attempts=12, first_wait_s=0.02)
        with Journal.open(journal) as opened:
            result = run(ItemBank.open(bank), HttpExaminee(endpoint), opened)
            assert opened.failures().empty
    assert (result.asked, result.failed) == (items, 0)
    assert kept(journal) == answers(bank)
    assert set(seen) == {fault.__name__ for fault in FAULTS}
    assert sum(seen.values()) > 0.9 * FAULTY * items
    assert result.seconds < 25


class Campaign:
    """A bank, a journal, a server that counts the requests for every item."""

    def __init__(self, folder: Path, processes: Starter, server: ChatServer) -> None:
        self.bank = text_bank(folder / "b.parquet", KILLED_ITEMS)
        self.journal, self.log = folder / "c.db", folder / "log.txt"
        self.processes, self.server = processes, server

    def start(self, journal: Path | None = None) -> int:
        return self.processes.start(
            self.log, "run", self.bank, "--journal", journal or self.journal,
            "--examinee", "openai:m", "--base-url", self.server.url,
            "--max-in-flight", IN_FLIGHT,
        )  # fmt: skip

    def asked(self) -> Counter[str]:
        return Counter(texts(body)[0] for body in self.server.bodies)


@pytest.fixture
def campaign(tmp_path: Path, processes: Starter) -> Iterator[Campaign]:
    with chat_server(said_to, latency_s=0.01) as server:
        yield Campaign(tmp_path, processes, server)


def stored(journal: Path) -> int:
    return len(kept(journal)) if journal.exists() else 0


def kill_after(campaign: Campaign, requests: int) -> None:
    """Start the run, and kill it when it has sent so many requests."""
    process, before = campaign.start(), campaign.server.served
    deadline = time.monotonic() + 30
    while campaign.server.served < before + requests and time.monotonic() < deadline:
        time.sleep(0.001)
    os.kill(process, signal.SIGKILL)
    assert campaign.processes.wait(process) == -signal.SIGKILL
    time.sleep(0.05)


@pytest.mark.slow
def test_ten_kills_repeat_what_was_in_flight_and_lose_nothing(campaign: Campaign) -> None:
    moments = random.Random(5)
    for _ in range(KILLS):
        sent, known = campaign.server.served, stored(campaign.journal)
        kill_after(campaign, moments.randint(1, 60))
        new = stored(campaign.journal) - known
        assert campaign.server.served - sent - new <= IN_FLIGHT
    assert campaign.processes.wait(campaign.start()) == 0, campaign.log.read_text()
    asked = campaign.asked()
    assert len(asked) == KILLED_ITEMS
    assert KILLED_ITEMS < asked.total() <= KILLED_ITEMS + KILLS * IN_FLIGHT
    undisturbed = campaign.journal.with_name("undisturbed.db")
    assert campaign.processes.wait(campaign.start(undisturbed)) == 0
    assert kept(campaign.journal) == kept(undisturbed) == answers(campaign.bank)
