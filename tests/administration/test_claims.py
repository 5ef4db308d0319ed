"""Processes that share a run: each question is asked once, whoever is killed or stopped."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import os
import random
import signal
import sqlite3
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from aiohttp import web
from support.banks import make_item, make_items
from support.chat_server import Body, ChatServer, chat_server, texts
from support.cli import run_cli
from support.exam import image, question
from support.forked import Starter
from support.postgres import fresh_database, postgres_server
from support.tiers import few, slow

from gfactor.administration import Journal, Response, run
from gfactor.administration.sharing import claims
from gfactor.examinees import RenderedItem, Reply
from gfactor.items import ItemBank, write_bank

ITEMS, IN_FLIGHT = 120, 6


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    pytest.importorskip("psycopg")
    with postgres_server() as url:
        yield url


@pytest.fixture(params=["file", "server"])
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a journal can be made: a file, and an empty database on PostgreSQL."""
    if request.param == "file":
        return str(tmp_path / "c.db")
    server = request.getfixturevalue("database")
    return fresh_database(server, "shared")


def text_bank(path: Path, items: int = ITEMS) -> Path:
    """Items without pictures, each with another question."""
    made = (make_item(f"i{n:04d}", content=(f"Say {n}.",), target=n) for n in range(items))
    return write_bank(made, path)


def said_to(body: Body) -> str:
    return f"COUNT:{texts(body)[0].removeprefix('Say ').rstrip('.')}"


class Group:
    """Processes that run the same bank into the same journal."""

    def __init__(self, folder: Path, journal: str, processes: Starter, server: ChatServer) -> None:
        self.bank, self.journal = folder / "b.parquet", journal
        self.log = folder / "log.txt"
        self.processes, self.server = processes, server

    def start(self, *more: object, **how: object) -> int:
        return self.processes.start(
            self.log, "run", self.bank, "--journal", self.journal, "--examinee", "openai:m",
            "--base-url", self.server.url, "--max-in-flight", IN_FLIGHT, *more, **how,  # type: ignore[arg-type]
        )  # fmt: skip

    def stop(self, number: int) -> None:
        """Stop a process, at a moment at which it does not hold the file's lock."""
        while True:
            self.processes.stop(number)
            if "://" in self.journal:
                return
            connection = sqlite3.connect(self.journal, timeout=0)
            try:
                connection.execute("begin immediate")
                return
            except sqlite3.OperationalError:
                os.kill(number, signal.SIGCONT)
                time.sleep(0.001)
            finally:
                connection.close()

    def wait(self, *numbers: int) -> list[int]:
        return [self.processes.wait(number) for number in numbers]

    def served(self, at_least: int) -> None:
        """Wait until the server has got so many requests."""
        deadline = time.monotonic() + 30
        while self.server.served < at_least and time.monotonic() < deadline:
            time.sleep(0.002)

    def asked(self) -> Counter[str]:
        return Counter(json.dumps(body["messages"]) for body in self.server.bodies)

    def complete(self) -> bool:
        """Whether every item has its answer, once, and nobody holds a claim."""
        with Journal.open(self.journal, create=False) as opened:
            rows = opened.responses()
            held = [opened.claims(*who) for who in {("openai:m", "default")}]
        items = iter(ItemBank.open(self.bank))
        right = {i.provenance.content_hash: f"COUNT:{i.target}" for i in items}
        found = dict(zip(rows["item_hash"], rows["text"], strict=True))
        return len(rows) == len(found) and found == right and held == [{}]


@pytest.fixture
def group(tmp_path: Path, journal: str, processes: Starter) -> Iterator[Group]:
    text_bank(tmp_path / "b.parquet")
    with chat_server(said_to, latency_s=0.01) as server:
        yield Group(tmp_path, journal, processes, server)


@pytest.mark.slow
def test_four_processes_ask_every_item_once_and_all_end_well(group: Group) -> None:
    started = [group.start() for _ in range(4)]
    assert group.wait(*started) == [0, 0, 0, 0], group.log.read_text()
    assert group.server.served == ITEMS
    assert group.complete()
    assert "answered by other processes" in group.log.read_text()


@pytest.mark.thorough
@pytest.mark.parametrize("journal", ["file"], indirect=True)
@pytest.mark.parametrize("seed", few([1, 2, 3], 1))
def test_of_a_killed_process_only_what_was_in_flight_is_asked_again(
    group: Group, seed: int
) -> None:
    victim, *others = [group.start() for _ in range(2)]
    group.served(random.Random(seed).randint(1, ITEMS // 2))
    os.kill(victim, signal.SIGKILL)
    assert group.wait(victim, *others) == [-signal.SIGKILL, 0], group.log.read_text()
    assert group.complete()
    assert set(group.asked().values()) <= {1, 2}
    assert ITEMS <= group.server.served <= ITEMS + IN_FLIGHT


@pytest.mark.slow
@pytest.mark.parametrize("journal", ["server"], indirect=True)
def test_of_four_hosts_that_share_a_server_one_is_killed_and_nothing_is_lost_or_paid_for_twice(
    group: Group,
) -> None:
    victim, *others = [group.start(lease_s=3.0, place=f"host {k}") for k in range(4)]
    group.served(ITEMS // 3)
    os.kill(victim, signal.SIGKILL)
    assert group.wait(victim, *others) == [-signal.SIGKILL, 0, 0, 0], group.log.read_text()
    assert group.complete()
    assert set(group.asked().values()) <= {1, 2}
    assert ITEMS <= group.server.served <= ITEMS + IN_FLIGHT
    with Journal.open(group.journal, create=False) as opened:
        assert opened.late().empty
        assert opened.failures().empty


@pytest.mark.thorough
@pytest.mark.parametrize("journal", [pytest.param("file", marks=slow), "server"], indirect=True)
def test_what_a_process_killed_on_another_machine_had_claimed_is_taken_over(group: Group) -> None:
    how = {"lease_s": 1.0, "place": "a machine"}
    victim = group.start(**how)
    group.served(30)
    os.kill(victim, signal.SIGKILL)
    assert group.wait(victim) == [-signal.SIGKILL]
    assert group.wait(group.start(lease_s=1.0, place="another")) == [0]
    assert group.complete()
    assert ITEMS <= group.server.served <= ITEMS + IN_FLIGHT


@pytest.mark.thorough
@pytest.mark.parametrize("journal", ["file", pytest.param("server", marks=slow)], indirect=True)
def test_a_process_that_was_stopped_keeps_its_late_replies_apart(group: Group) -> None:
    victim = group.start(lease_s=1.0)
    group.served(30)
    group.stop(victim)
    time.sleep(1.2)
    other = group.start(lease_s=1.0)
    assert group.wait(other) == [0], group.log.read_text()
    os.kill(victim, signal.SIGCONT)
    assert group.wait(victim) == [0], group.log.read_text()
    assert group.complete()
    twice = sum(group.asked().values()) - ITEMS
    with Journal.open(group.journal, create=False) as opened:
        late = opened.late()
    assert 0 < twice <= IN_FLIGHT
    assert len(late) <= twice
    assert set(late["text"]) <= {f"COUNT:{n}" for n in range(ITEMS)}


@pytest.mark.slow
@pytest.mark.parametrize("journal", ["file"], indirect=True)
def test_a_faulty_server_gives_every_answer_once_to_one_of_three_processes(
    tmp_path: Path, journal: str, processes: Starter
) -> None:
    text_bank(tmp_path / "b.parquet")
    chance, faults = random.Random(3), 0

    async def fault(number: int, request: web.Request) -> web.StreamResponse | None:
        nonlocal faults
        if chance.random() >= 0.2:
            return None
        faults += 1
        return web.Response(status=500)

    with chat_server(said_to, fault) as server:
        group = Group(tmp_path, journal, processes, server)
        started = [group.start("--attempts", 12) for _ in range(3)]
        assert group.wait(*started) == [0, 0, 0], group.log.read_text()
    assert faults > 20
    assert server.served - faults == ITEMS
    assert group.complete()


def _read(path: Path) -> str:
    return path.read_text() if path.exists() else ""


@pytest.mark.slow
@pytest.mark.parametrize("journal", ["file"], indirect=True)
def test_an_item_that_fails_is_attempted_by_one_process_and_told_by_all(
    tmp_path: Path, journal: str, processes: Starter
) -> None:
    text_bank(tmp_path / "b.parquet", 40)

    async def fault(number: int, request: web.Request) -> web.StreamResponse | None:
        bad = "Say 3." in (await request.read()).decode()
        # The other process must have begun before this one fails, or it would ask again.
        waited = 0
        while bad and "waiting for" not in _read(tmp_path / "log.txt"):
            await asyncio.sleep(0.05)
            waited += 1
            assert waited < 1200, "no process waits for the other"
        return web.json_response({"error": "no such picture"}, status=400) if bad else None

    with chat_server(said_to, fault, latency_s=0.02) as server:
        group = Group(tmp_path, journal, processes, server)
        started = [group.start() for _ in range(2)]
        assert group.wait(*started) == [1, 1], group.log.read_text()
        assert server.served == 40
        assert "1 attempts of other processes failed" in group.log.read_text()
        assert group.wait(group.start()) == [1]
        assert server.served == 41


@pytest.mark.slow
@pytest.mark.parametrize("journal", ["file"], indirect=True)
def test_conversations_descriptions_and_verdicts_are_paid_for_once(
    tmp_path: Path, journal: str, processes: Starter
) -> None:
    parts = [part for k in (1, 2, 3) for part in (f"Part {k}:", image(k))]
    made = [question(f"q{n}", content=(*parts, f"Which one, {n}?")) for n in range(12)]
    write_bank(made, tmp_path / "b.parquet")
    with chat_server(lambda _: "Perhaps the first?", latency_s=0.01) as server:
        group = Group(tmp_path, journal, processes, server)
        for condition, requests in (("presentation=image-per-turn", 12 * 3),
                                    ("images=captioned", 12 + 3)):  # fmt: skip
            before, words = server.served, ("--condition", condition)
            more = ("--captions-by", "openai:eyes") if "captioned" in condition else ()
            started = [group.start(*words, *more) for _ in range(2)]
            assert group.wait(*started) == [0, 0], group.log.read_text()
            assert server.served - before == requests
        before = server.served
        judged = ("score", journal, "--condition", "presentation=image-per-turn", "--judge",
                  "openai:judge", "--base-url", server.url)  # fmt: skip
        started = [processes.start(group.log, *judged) for _ in range(2)]
        assert group.wait(*started) == [0, 0], group.log.read_text()
        # All twelve replies are the same, but each is to another question.
        assert server.served - before == 12
    with Journal.open(journal, create=False) as opened:
        assert opened.late().empty


def test_a_claim_is_held_renewed_and_ended(journal: str) -> None:
    who, one, two = ("a:b", "default"), claims.new_owner(), claims.new_owner()
    with Journal.open(journal) as opened:
        keys = {("h1", 0), ("h2", 0)}
        assert opened.claim(one, 60, *who, keys) == (keys, set(), set())
        assert opened.claim(two, 60, *who, {("h2", 0), ("h2", 1)}) == ({("h2", 1)}, set(), set())
        assert opened.claim(two, 60, "c:d", "default", keys)[0] == keys
        held = opened.claims(*who)
        assert {key: name for key, (name, _) in held.items()} == {
            ("h1", 0): one, ("h2", 0): one, ("h2", 1): two,
        }  # fmt: skip
        assert all(58 < left <= 60 for _, left in held.values())
        opened.renew(one, -1)
        opened.release()
        assert opened.renew(one, 60) == set()
        assert opened.claim(two, 60, *who, keys)[0] == keys
        opened.add([Response.now(who[0], "h1", who[1], 0, Reply("A"))])
        opened.add([Response.now(who[0], "h2", who[1], 0, Reply("", "timeout"))])
        assert opened.claim(two, 60, *who, [], done=keys) == (set(), set(), set())
        assert opened.claims(*who).keys() == {("h2", 1)}
        assert opened.claim(one, 60, *who, keys) == (set(), {("h1", 0)}, {("h2", 0)})
        last = opened.last_failure()
        assert opened.claim(one, 60, *who, keys, failed_after=last)[0] == {("h2", 0)}


def test_a_second_reply_is_kept_apart_and_the_same_one_is_not(journal: str) -> None:
    first, second = (Response.now("a:b", "h1", "c", 0, Reply(t, latency_s=1)) for t in "AB")
    second = dataclasses.replace(second, created="2026-01-01T00:00:00")
    with Journal.open(journal) as opened:
        assert opened.add([first], claimed=True) == 1
        # A transaction whose end was not heard of is made again.
        assert opened.add([first], claimed=True) == 0
        assert opened.late().empty
        assert opened.add([second], claimed=True) == 0
        assert opened.late()["text"].tolist() == ["B"]
        assert opened.responses()["text"].tolist() == ["A"]
        assert opened.add_turn(first, 0)
        assert not opened.add_turn(second, 0)
        assert opened.late()["turn"].tolist()[1] == 0
        assert opened.turns()["text"].tolist() == ["A"]


def test_only_a_process_of_this_machine_that_has_ended_is_known_to_be_gone() -> None:
    mine = claims.new_owner()
    host, place, _, token = mine.split("|")
    ended = os.fork()
    if ended == 0:
        os._exit(0)
    assert not claims.is_gone(mine)
    os.waitid(os.P_PID, ended, os.WEXITED | os.WNOWAIT)
    assert claims.is_gone(f"{host}|{place}|{ended}|{token}")
    os.waitpid(ended, 0)
    assert claims.is_gone(f"{host}|{place}|{ended}|{token}")
    assert not claims.is_gone(f"{host}|another container|{ended}|{token}")
    assert not claims.is_gone(f"other-{host}|{place}|{ended}|{token}")


def test_who_waits_says_for_whom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims, "_SILENT_S", 0.0)
    monkeypatch.setattr(claims, "LEASE_SECONDS", 0.4)
    bank = ItemBank.open(text_bank(tmp_path / "b.parquet", 3))
    first = next(iter(bank)).provenance.content_hash

    class Quick:
        name, in_flight = "quick:one", 1

        async def __call__(self, item: RenderedItem) -> Reply:
            return Reply("COUNT:1")

        async def close(self) -> None: ...

    told: list[str] = []
    with Journal.open(tmp_path / "c.db") as journal:
        journal.claim("far|away|77|x", 0.4, "quick:one", "default", [(first, 0)])
        result = run(bank, Quick(), journal, tell=told.append)
    assert (result.asked, result.failed) == (3, 0)
    assert told[0].startswith(
        "quick:one: waiting for 1 answers that other processes are getting: process 77 on far (1);"
    )


@pytest.mark.thorough
def test_what_others_attempted_in_vain_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Any pause would outlast the test.
    monkeypatch.setattr(claims, "_FIRST_PAUSE", 1e4)
    monkeypatch.setattr(claims, "_LONGEST_PAUSE", 1e4)
    keys = [(f"h{k}", 0) for k in range(12)]

    async def draw(journal: Journal) -> claims.Claims:
        async with claims.Claims(journal, "a:b", "c", keys, lambda _: iter(()), 1) as drawn:
            failed = Reply("", "timeout")
            journal.add([Response.now("a:b", name, "c", k, failed) for name, k in keys])
            assert await asyncio.wait_for(drawn.draw(), 60) is None
        return drawn

    with Journal.open(tmp_path / "c.db") as journal:
        assert asyncio.run(draw(journal)).failed_elsewhere == len(keys)


@pytest.mark.slow
def test_a_lease_is_renewed_while_one_question_takes_longer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claims, "LEASE_SECONDS", 0.4)
    bank = ItemBank.open(text_bank(tmp_path / "b.parquet", 1))

    class Blocking:
        """Holds up the event loop, as a model that computes in this process does."""

        name, in_flight = "slow:one", 1

        async def __call__(self, item: RenderedItem) -> Reply:
            time.sleep(1.2)
            with Journal.open(tmp_path / "c.db") as other:
                left.extend(left for _, left in other.claims("slow:one", "default").values())
            return Reply("COUNT:1")

        async def close(self) -> None: ...

    left: list[float] = []
    with Journal.open(tmp_path / "c.db") as journal:
        run(bank, Blocking(), journal)
    assert len(left) == 1
    assert left[0] > 0


@pytest.mark.slow
def test_a_journal_of_an_older_version_is_read_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bank = write_bank(make_items(), tmp_path / "b.parquet")
    path = tmp_path / "c.db"
    words = ("run", str(bank), "--journal", str(path), "--examinee", "baseline:random")
    assert run_cli(monkeypatch, capsys, *words).code == 0
    with sqlite3.connect(path) as old:
        for table in ("claims", "late", "turns"):
            old.execute(f"drop table {table}")
    old.close()
    with Journal.open(path, create=False) as journal:
        assert len(journal.responses()) == 12
        assert journal.late().empty
        assert journal.turns().empty
    again = run_cli(monkeypatch, capsys, *words, "--occasions", "2")
    assert (again.code, "12 asked, 12 known already" in again.out) == (0, True), again.err
