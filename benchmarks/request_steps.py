"""Where does the processor time of one request go, in a run and in a bare aiohttp loop?

Both ask the canned server of `throughput.py` the same text items. The steps that are functions are
timed by the clock of their thread, so that a busy machine disturbs them little; what is left of the
process's time is the event loop with its sockets and, in a run, what holds the steps together. The
time of a run that is not timed stands beside, for the timing itself takes some.

    python benchmarks/request_steps.py [--items 4000] [--rounds 5] [--write FILE]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Coroutine, Generator, Iterator
from pathlib import Path
from typing import Any

import aiohttp
from big_bank import synthetic_bank
from pages import replace_section
from throughput import CONCURRENCY, server
from throughput_clients import MODEL, _part, _questions, whole_run

from gfactor.administration import Journal, Response
from gfactor.administration.asking import questions
from gfactor.administration.asking.concurrent import Asking
from gfactor.cli.verbs.run import spare_the_collector
from gfactor.examinees.http import HttpExaminee
from gfactor.examinees.http.wire import OpenAI
from gfactor.items import ItemBank

MARKER = "## Where the time of a request goes"
LATENCY_MS = 50

NOTING = "noting the campaign and its items"
CLAIMING = "claiming questions, some hundred at a time"
RENDERING = "reading items from the bank and rendering them"
BODY = "making the request's body"
SENDING = "aiohttp: the request, up to the response's head"
READING = "reading the answer out of the reply"
STORING = "storing answers, those that wait together"
STEPS = (NOTING, CLAIMING, RENDERING, BODY, SENDING, READING, STORING)
REST = "everything else: event loop, sockets, places, tasks"

spent: dict[str, float] = defaultdict(float)


def timed(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function, its time added to a step."""

    def call(*given: Any, **named: Any) -> Any:
        started = time.thread_time()
        try:
            return function(*given, **named)
        finally:
            spent[name] += time.thread_time() - started

    return call


def timed_parts(name: str, function: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
    """Return a function that yields, the time of what it makes added to a step."""

    def call(*given: Any) -> Iterator[Any]:
        parts = function(*given)
        following = timed(name, lambda: next(parts, None))
        while (part := following()) is not None:
            yield part

    return call


class Stepped:
    """A coroutine, the time in which it runs added to a step; that in which it waits is none."""

    def __init__(self, name: str, work: Coroutine[Any, Any, Any]) -> None:
        self._name, self._work = name, work

    def __await__(self) -> Generator[Any, Any, Any]:
        act, given = self._work.send, None
        while True:
            try:
                waited = timed(self._name, act)(given)
            except StopIteration as end:
                return end.value
            try:
                yield waited
                act, given = self._work.send, None
            except BaseException as error:
                act, given = self._work.throw, error


def time_steps() -> None:
    """Have the steps of runs timed in this process."""
    request = aiohttp.ClientSession._request

    async def stepped(*given: Any, **named: Any) -> Any:
        return await Stepped(SENDING, request(*given, **named))

    aiohttp.ClientSession._request = stepped
    for name, owner, method in (
        (NOTING, questions, "register_bank"),
        (NOTING, questions, "missing_keys"),
        (NOTING, questions, "samples_for"),
        (CLAIMING, Journal, "claims"),
        (CLAIMING, Journal, "claim"),
        (BODY, HttpExaminee, "_body"),
        (READING, OpenAI, "judge"),
        (STORING, Response, "now"),
        (STORING, Asking, "_commit"),
    ):
        wrap = staticmethod if method == "now" else lambda function: function
        setattr(owner, method, wrap(timed(name, getattr(owner, method))))
    questions.Questions.put = timed_parts(RENDERING, questions.Questions.put)


async def bare(bank: ItemBank, url: str, concurrency: int) -> dict[str, float]:
    """The bare loop of `throughput.py`, with its body and its reading as steps."""
    asked = _questions(bank)

    def body_of(parts: Any) -> bytes:
        message = {"role": "user", "content": [_part(part) for part in parts]}
        return json.dumps({"model": MODEL, "messages": [message]}).encode()

    def answer_in(raw: bytes) -> str:
        return json.loads(raw)["choices"][0]["message"]["content"]

    make, read = timed(BODY, body_of), timed(READING, answer_in)

    async def work(session: aiohttp.ClientSession, waiting: Iterator[Any]) -> None:
        for parts in waiting:
            address = f"{url}/chat/completions"
            async with session.post(address, data=make(parts)) as response:
                assert read(await response.read())

    headers = {"Content-Type": "application/json"}
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector, headers=headers) as session:
        waiting, started = iter(asked), time.process_time()
        await asyncio.gather(*(work(session, waiting) for _ in range(concurrency)))
        return {"cpu_seconds": time.process_time() - started}


def alone(kind: str, path: str, url: str) -> None:
    """Be one client, in a process of its own: print microseconds for each answer, by step."""
    bank = ItemBank.open(path)
    spare_the_collector()
    if kind != "run":
        time_steps()
    client = bare if kind == "bare" else whole_run
    taken = asyncio.run(client(bank, url, CONCURRENCY))
    steps = {name: 1e6 * spent[name] / len(bank) for name in STEPS}
    print(json.dumps({"whole": 1e6 * taken["cpu_seconds"] / len(bank), **steps}))


def measured(kind: str, bank: Path) -> dict[str, float]:
    """Return what such a client prints."""
    with server(LATENCY_MS) as url:
        words = [sys.executable, __file__, "--alone", kind, str(bank), url]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{kind} failed:\n{done.stderr[-2000:]}")
    return json.loads(done.stdout.strip().splitlines()[-1])


def report(items: int, rounds: int) -> str:
    """Measure everything; the section of docs/evidence/benchmarks.md."""
    load = os.getloadavg()[0]
    found: dict[str, list[dict[str, float]]] = {"bare": [], "steps": [], "run": []}
    with tempfile.TemporaryDirectory() as folder:
        bank = synthetic_bank(Path(folder) / "text.parquet", items, 0)
        for _ in range(rounds):
            for kind, results in found.items():
                results.append(measured(kind, bank))

    def median(kind: str, name: str) -> float:
        return statistics.median(one[name] for one in found[kind])

    lines = [
        f"{MARKER}\n",
        f"`python benchmarks/request_steps.py --items {items} --rounds {rounds}`; Python "
        f"{platform.python_version()}, aiohttp {aiohttp.__version__}; {items:,} text items at "
        f"{LATENCY_MS} ms, {CONCURRENCY} at once; microseconds of processor time for each answer, "
        f"medians of {rounds} rounds in turn, on {os.cpu_count()} cores shared with other work "
        f"(load {load:.1f} before the run, which adds to processor time).\n",
        "| step | gfactor | bare aiohttp |",
        "|---|---:|---:|",
    ]
    for name in STEPS:
        theirs = f"{median('bare', name):.0f}" if median("bare", name) else "-"
        lines.append(f"| {name} | {median('steps', name):.0f} | {theirs} |")
    rest = [
        statistics.median(one["whole"] - sum(one[s] for s in STEPS) for one in found[kind])
        for kind in ("steps", "bare")
    ]
    lines.append(f"| {REST} | {rest[0]:.0f} | {rest[1]:.0f} |")
    lines.append(f"| all, timed | {median('steps', 'whole'):.0f} | {median('bare', 'whole'):.0f} |")
    lines.append(f"| all, steps not timed | {median('run', 'whole'):.0f} | - |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure, print, and write the section where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=4000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--write", type=Path)
    parser.add_argument("--alone", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.alone:
        alone(*given.alone)
        return
    text = report(given.items, given.rounds)
    print(text)
    if given.write:
        replace_section(given.write, MARKER, text)


if __name__ == "__main__":
    main()
