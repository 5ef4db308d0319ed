"""A campaign that is killed again and again: is every answer asked once, and every budget kept?

Six models under four conditions are asked two banks, by two processes on one campaign file. Three
local servers, each with limits and faults of its own, keep the bill: they charge for every request
that they have worked on, also where the connection is then cut, the reply is garbage or comes too
late. Five times a process is killed at a random moment and started again. The budget first pays
for a part; when it is reached, it is raised, and the campaign goes on to its end.

    python benchmarks/campaign.py [--items 417] [--write docs/evidence/benchmarks.md]
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import hashlib
import json
import os
import platform
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aiohttp import web
from pages import replace_section

import gfactor as gf
from gfactor.items import Item, OutputFormat, Provenance, text_hash, write_bank

MARKER = "## A campaign that is killed five times"
KILLS, FIRST_SHARE, LOOK_AT = 5, 0.6, 0.02
MOST_TOKENS = 400
PRICES = {"a": (1.0, 4.0), "b": (2.5, 10.0), "c": (0.2, 0.8), "d": (3.0, 15.0), "e": (0.5, 1.5),
          "f": (1.2, 5.0)}  # fmt: skip
PROGRAM = "from gfactor.cli import main; main()"


@dataclass(frozen=True)
class Nature:
    """How a server behaves: seconds an answer takes on average, requests at once and a second
    above which it refuses, and shares of requests that meet each fault."""

    name: str
    models: str
    seconds: float
    at_once: int
    per_second: float
    faults: tuple[tuple[str, float], ...]


NATURES = (
    Nature("steady", "ab", 0.03, 40, 1e9, (("error", 0.02),)),
    Nature("narrow", "cd", 0.05, 12, 1e9, (("cut", 0.002), ("garbage", 0.002))),
    Nature("limited", "ef", 0.04, 40, 90.0, (("refuse", 0.03), ("late", 0.0005))),
)


@dataclass
class Bill:
    """What all servers have charged, and how often each question was answered whole."""

    money: Counter[str] = field(default_factory=Counter)
    answers: Counter[tuple[str, str]] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    served: int = 0


def usage_of(model: str, messages: str) -> dict[str, int]:
    """Tokens of a request and its answer: a function of both, long-tailed, longer with reasons."""
    draw = random.Random(hashlib.sha256(f"{model}|{messages}".encode()).digest())
    mean = 3.2 if "step by step" in messages else 2.0
    written = min(MOST_TOKENS, 5 + int(draw.lognormvariate(mean + ord(model) % 3 / 2, 0.7)))
    return {"prompt_tokens": int(len(messages) / 3.4), "completion_tokens": written}


class Server:
    """A chat-completions server of a nature."""

    def __init__(self, nature: Nature, bill: Bill) -> None:
        self.nature, self.bill, self.url = nature, bill, ""
        self._busy, self._level, self._at = 0, nature.per_second, time.monotonic()
        self._chance = random.Random(nature.name)

    async def chat(self, request: web.Request) -> web.StreamResponse:
        """Answer, refuse, or fail as it is the server's nature; charge for work done."""
        body = await request.json()
        now = time.monotonic()
        rate = self.nature.per_second
        self._level = min(rate, self._level + (now - self._at) * rate)
        self._at = now
        fault = self._fault()
        if self._busy >= self.nature.at_once or self._level < 1 or fault == "refuse":
            self.bill.faults["refused"] += 1
            return web.Response(status=429, headers={"Retry-After": "0.3"})
        self._level -= 1
        self._busy += 1
        try:
            await asyncio.sleep(self.nature.seconds * self._chance.uniform(0.5, 1.5))
            return await self._answer(request, body, fault)
        finally:
            self._busy -= 1

    def _fault(self) -> str:
        draw = self._chance.random()
        for name, share in self.nature.faults:
            if draw < share:
                return name
            draw -= share
        return ""

    async def _answer(
        self, request: web.Request, body: dict[str, Any], fault: str
    ) -> web.StreamResponse:
        if fault:
            self.bill.faults[fault] += 1
        if fault == "error":
            return web.Response(status=500)
        model, messages = body["model"], json.dumps(body["messages"])
        usage = usage_of(model, messages)
        read, written = PRICES[model]
        cost = (read * usage["prompt_tokens"] + written * usage["completion_tokens"]) / 1e6
        self.bill.money[model] += cost  # pyright: ignore[reportArgumentType]
        if fault == "cut":
            assert request.transport is not None
            request.transport.close()
        if fault == "garbage":
            return web.Response(text="<html>")
        if fault == "late":
            await asyncio.sleep(20)
        if not fault:
            self.bill.served += 1
            self.bill.answers[model, f"{messages} {body['temperature']}"] += 1
        said = {"message": {"role": "assistant", "content": "COUNT:1"}, "finish_reason": "stop"}
        return web.json_response({"choices": [said], "usage": usage})


@contextlib.contextmanager
def serving(bill: Bill) -> Iterator[list[Server]]:
    """The three servers, in a thread, until the block ends."""
    servers = [Server(nature, bill) for nature in NATURES]
    loop, ready = asyncio.new_event_loop(), threading.Event()

    async def serve() -> None:
        for server in servers:
            app = web.Application()
            app.router.add_post("/v1/chat/completions", server.chat)
            runner = web.AppRunner(app, access_log=None)
            await runner.setup()
            await web.TCPSite(runner, "127.0.0.1", 0, backlog=1024).start()
            server.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        ready.set()
        await asyncio.Event().wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()), daemon=True)
    thread.start()
    ready.wait()
    yield servers


def make_bank(path: Path, name: str, items: int) -> None:
    """A bank of questions in words, some short and some long."""
    made = []
    for n in range(items):
        long = " ".join(f"Row {k} holds {(n * k) % 17} dots." for k in range(2 + n % 13))
        text = f"{name} {n}: {long} How many dots does the last row hold? Answer COUNT:x."
        made.append(Item(
            id=f"{name}-{n:05d}", benchmark="dots", content=(text,), answer_type="value",
            target=1, labels={"domain": name, "size": 1},
            output_format=OutputFormat("value", labels=("COUNT",)),
            provenance=Provenance("benchmarks", "1", text_hash(text), (), "", -1, -1, ""),
        ))  # fmt: skip
    write_bank(made, path)


def write_campaign(folder: Path, servers: list[Server], budget: float) -> Path:
    """The campaign file, with a budget in all."""
    parts = [f"[campaign]\nbudget = {budget!r}\n"]
    parts += [f'[[banks]]\npath = "{name}.parquet"\n' for name in ("one", "two")]
    for server in servers:
        name = server.nature.name
        parts.append(
            f'[servers.{name}]\nbase_url = "{server.url}"\nmax_in_flight = 24\ntimeout = 10\n'
            "attempts = 8\nfirst_wait = 0.3\n" + ("rpm = 5400\n" if name == "limited" else "")
        )
        for model in server.nature.models:
            read, written = PRICES[model]
            parts.append(
                f'[[models]]\nspec = "openai:{model}"\nserver = "{name}"\n'
                f"price = {{input = {read}, output = {written}}}\n"
            )
    parts.append(
        f"[conditions]\ncot = [false, true]\ntemperature = [0, 1]\nmax_tokens = {MOST_TOKENS}\n"
    )
    path = folder / "campaign.toml"
    path.write_text("\n".join(parts), encoding="utf-8")
    return path


def start(path: Path) -> subprocess.Popen[bytes]:
    """A process that runs the campaign."""
    words = [sys.executable, "-c", PROGRAM, "campaign", "run", str(path), "--json"]
    with (path.parent / "log.txt").open("ab") as log:
        return subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=log)


def run_with_kills(path: Path, bill: Bill, moments: list[int]) -> tuple[list[int], int]:
    """Two processes until both end; one is killed whenever so many answers were served. Their exit
    codes, and how many were killed."""
    running, codes, killed = [start(path), start(path)], [], 0
    chance = random.Random(path.name)
    while running:
        time.sleep(0.02)
        if moments and bill.served >= moments[0]:
            moments.pop(0)
            victim = chance.choice(running)
            os.kill(victim.pid, signal.SIGKILL)
            victim.wait()
            running.remove(victim)
            running.append(start(path))
            killed += 1
        for process in list(running):
            if process.poll() is not None:
                running.remove(process)
                codes.append(process.returncode)
    return codes, killed


def after_the_first(path: Path, answers: int, folder: Path) -> float:
    """What the campaign was expected to cost in all when so many answers were in."""
    early = folder / "early"
    shutil.copytree(path.parent, early, ignore=shutil.ignore_patterns("early"))
    with sqlite3.connect(early / "campaign.db") as journal:
        (last,) = journal.execute(
            "select id from responses order by id limit 1 offset ?", [answers - 1]
        ).fetchone()
        journal.execute("delete from responses where id > ?", [last])
        journal.execute("delete from failures")
        journal.execute("delete from reserved")
    journal.close()
    return gf.campaign.status(early / "campaign.toml").facts["cost_in_all"]


def measure(items: int) -> list[tuple[str, str, str]]:
    """Run it; what was claimed, the goal and what came out."""
    bill, rows = Bill(), []
    wanted = 2 * items * 4 * len(PRICES)
    with tempfile.TemporaryDirectory() as name, serving(bill) as servers:
        folder = Path(name)
        for bank in ("one", "two"):
            make_bank(folder / f"{bank}.parquet", bank, items)
        path = write_campaign(folder, servers, 1e9)
        planned = gf.campaign.plan(path).facts["cost"]
        truth = true_cost(folder)
        first = FIRST_SHARE * truth
        write_campaign(folder, servers, first)
        moments = sorted(random.Random(1).sample(range(wanted // 50, int(wanted * 0.5)), 3))
        began = time.perf_counter()
        codes, killed = run_with_kills(path, bill, moments)
        charged = sum(bill.money.values())
        half = gf.campaign.status(path)
        rows += [
            ("answers, requests answered", f"{wanted:,}", ""),
            ("first budget: exit codes", "3, 3", ", ".join(map(str, codes))),
            ("first budget: charged by the servers", f"<= {first:.4f}", f"{charged:.4f}"),
            ("first budget: counted by gfactor", "",
             f"{half.facts['spent']:.4f} spent, {half.facts['unanswered']:.4f} unanswered"),
            ("cells at the first budget, share done", "",
             f"{share(half).min():.3f} to {share(half).max():.3f}"),
        ]  # fmt: skip
        second = 1.15 * truth
        write_campaign(folder, servers, second)
        late = [int(wanted * 0.7), int(wanted * 0.85)]
        codes, more = run_with_kills(path, bill, late)
        extra = 0
        while gf.campaign.status(path).code == 1 and extra < 5:
            more_codes, _ = run_with_kills(path, bill, [])
            codes, extra = more_codes, extra + 1
        seconds = time.perf_counter() - began
        done, charged = gf.campaign.status(path), sum(bill.money.values())
        with gf.open_journal(done_journal(path)) as journal:
            stored, late_replies = journal.responses(), journal.late()
        keys = stored.duplicated(["examinee", "item_hash", "condition", "occasion"]).sum()
        early = after_the_first(path, int(LOOK_AT * wanted), folder)
        spent = done.facts["spent"]
        twice = sum(n - 1 for n in bill.answers.values())
        rows += [
            ("processes killed", str(KILLS), str(killed + more)),
            ("exit codes at the end (runs for failed questions)", "0, 0",
             f"{', '.join(map(str, codes))} ({extra})"),
            ("answers in the journal", f"{wanted:,}", f"{len(stored):,}"),
            ("keys answered twice in the journal", "0", str(keys)),
            ("questions answered twice by servers (in flight at kills)", "",
             f"{twice} ({len(late_replies)} kept as late)"),
            ("second budget: charged by the servers", f"<= {second:.4f}", f"{charged:.4f}"),
            ("counted by gfactor", f">= {charged:.4f}",
             f"{spent + done.facts['unanswered']:.4f}"),
            ("estimate before / after 2 % / true", "within 20 %",
             f"{planned:.3f} / {early:.3f} / {truth:.3f} ({early / truth - 1:+.1%})"),
            ("faults", "", ", ".join(f"{n:,} {k}" for k, n in sorted(bill.faults.items()))),
            ("seconds, answers a second", "", f"{seconds:.0f}, {wanted / seconds:.0f}"),
        ]  # fmt: skip
        rows[0] = ("answers wanted, answered by servers", f"{wanted:,}", f"{bill.served:,}")
        print((folder / "log.txt").read_text()[-1500:], file=sys.stderr)
    return rows


def done_journal(path: Path) -> Path:
    """The journal beside a campaign file."""
    return path.with_suffix(".db")


def share(status: Any) -> Any:
    """The share of every cell that is done."""
    return status.cells["done"] / status.cells["wanted"]


def true_cost(folder: Path) -> float:
    """What all answers cost, by rendering every question as it is asked."""
    from gfactor.administration import Materials, read_condition, render  # noqa: PLC0415
    from gfactor.examinees.http.payload import Dialect, request_body  # noqa: PLC0415

    total = 0.0
    for bank in ("one", "two"):
        for item in gf.open_bank(folder / f"{bank}.parquet"):
            for cot in (False, True):
                condition = read_condition(f"cot={'on' if cot else 'off'}")
                asked = render(item, condition, Materials())
                for model, (read, written) in PRICES.items():
                    body = json.loads(request_body(model, asked, Dialect()))
                    usage = usage_of(model, json.dumps(body["messages"]))
                    total += 2 * read * usage["prompt_tokens"] / 1e6
                    total += 2 * written * usage["completion_tokens"] / 1e6
    return total


def section(rows: list[tuple[str, str, str]], items: int) -> str:
    """The section for docs/evidence/benchmarks.md."""
    lines = [
        MARKER, "",
        f"`python benchmarks/campaign.py --items {items}`; Python {platform.python_version()}; "
        "6 models x 4 conditions x 2 banks, two processes on one campaign file and one SQLite "
        "journal, three local servers with different limits and faults that keep the bill "
        "themselves: they charge for all work done, also for replies that were cut off, garbage or "
        "too late. Five kills (SIGKILL) at random moments. The first budget pays for 60 % of the "
        "true cost; then it is raised.", "",
        "| what | goal | result |", "|---|---|---|",
        *(f"| {what} | {goal} | {result} |" for what, goal, result in rows), "",
    ]  # fmt: skip
    return "\n".join(lines)


def main() -> None:
    """Measure, print, and write where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=417)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    text = section(measure(given.items), given.items)
    print(text)
    if given.write:
        replace_section(given.write, MARKER, text)


if __name__ == "__main__":
    main()
