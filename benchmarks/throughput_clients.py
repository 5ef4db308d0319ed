"""One client of benchmarks/throughput.py, in a process of its own: prints seconds and peak memory.

python benchmarks/throughput_clients.py bare|made|stored|gfactor BANK URL CONCURRENCY [ITEMS]
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import queue
import resource
import sqlite3
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import aiohttp

from gfactor.administration import Condition, Journal, administer, render
from gfactor.cli.verbs.run import spare_the_collector
from gfactor.examinees.http import Endpoint, HttpExaminee
from gfactor.examinees.http.payload import Dialect, request_body
from gfactor.items import ItemBank

MODEL = "canned"


class Clock:
    """Wall time and this process's CPU time since it was made."""

    def __init__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    def read(self) -> dict[str, float]:
        """Seconds so far."""
        wall, cpu = time.perf_counter() - self._wall, time.process_time() - self._cpu
        return {"seconds": wall, "cpu_seconds": cpu}


async def bare(bank: ItemBank, url: str, concurrency: int) -> dict[str, float]:
    """A bare aiohttp loop that does nothing else than a client must.

    It makes each request (an image in base64, the whole in JSON, by the standard library) from
    texts and image bytes in memory, and reads the answer out of the reply. It keeps nothing.
    """

    async def work(session: aiohttp.ClientSession, waiting: Iterator[_Parts]) -> None:
        for parts in waiting:
            reply = await _asked(session, url, parts)
            assert reply["choices"][0]["message"]["content"]

    return await _timed(work, _questions(bank), concurrency)


async def stored(bank: ItemBank, url: str, concurrency: int) -> dict[str, float]:
    """The bare loop, but every answer is in a SQLite file before its worker asks again.

    Nothing else: no bank is read, no question claimed, no failure sorted out. A thread writes all
    answers that wait as one transaction. It is an upper bound for a client with this promise.
    """
    loop = asyncio.get_running_loop()
    answers: queue.SimpleQueue[tuple[tuple[str, float], asyncio.Future[None]] | None]
    answers = queue.SimpleQueue()

    async def work(session: aiohttp.ClientSession, waiting: Iterator[_Parts]) -> None:
        for parts in waiting:
            reply = await _asked(session, url, parts)
            written = loop.create_future()
            content = reply["choices"][0]["message"]["content"]
            answers.put(((content, time.time()), written))
            await written

    with tempfile.TemporaryDirectory() as folder:
        writer = threading.Thread(target=_write, args=(Path(folder) / "answers.db", answers, loop))
        writer.start()
        taken = await _timed(work, _questions(bank), concurrency)
        answers.put(None)
        await asyncio.to_thread(writer.join)
    return taken


def _write(path: Path, answers: queue.SimpleQueue[Any], loop: asyncio.AbstractEventLoop) -> None:
    """Store what waits as one transaction, with a journal's own settings of SQLite."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=NORMAL")
        database.execute("CREATE TABLE answers (content TEXT, at REAL)")
        ended = False
        while not ended:
            waiting = [answers.get()]
            while not answers.empty():
                waiting.append(answers.get())
            ended = None in waiting
            group = [one for one in waiting if one is not None]
            with database:
                database.executemany("INSERT INTO answers VALUES (?, ?)", [a for a, _ in group])
            loop.call_soon_threadsafe(_settle, [written for _, written in group])


def _settle(futures: list[asyncio.Future[None]]) -> None:
    for future in futures:
        future.set_result(None)


_Parts = list[str | bytes]


def _questions(bank: ItemBank) -> list[_Parts]:
    """The parts of every question, in memory."""
    return [
        [part if isinstance(part, str) else part.data for part in render(item, Condition()).content]
        for item in bank
    ]


async def _asked(session: aiohttp.ClientSession, url: str, parts: _Parts) -> Any:
    message = {"role": "user", "content": [_part(part) for part in parts]}
    body = {"model": MODEL, "messages": [message]}
    async with session.post(f"{url}/chat/completions", json=body) as response:
        return await response.json()


def _part(part: str | bytes) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    url = f"data:image/png;base64,{base64.b64encode(part).decode()}"
    return {"type": "image_url", "image_url": {"url": url}}


async def made(bank: ItemBank, url: str, concurrency: int) -> dict[str, float]:
    """A bare aiohttp loop over the bytes that gfactor would send, made before the clock starts.

    It throws the replies away unread: an upper bound for any client on aiohttp.
    """
    bodies = [request_body(MODEL, render(item, Condition()), Dialect()) for item in bank]

    async def work(session: aiohttp.ClientSession, waiting: Iterator[bytes]) -> None:
        for body in waiting:
            async with session.post(f"{url}/chat/completions", data=body) as response:
                await response.read()

    return await _timed(work, bodies, concurrency)


async def _timed(
    work: Callable[[aiohttp.ClientSession, Iterator[Any]], Coroutine[Any, Any, None]],
    questions: list[Any],
    concurrency: int,
) -> dict[str, float]:
    connector = aiohttp.TCPConnector(limit=0)
    headers = {"Content-Type": "application/json"}
    async with aiohttp.ClientSession(connector=connector, headers=headers) as session:
        waiting = iter(questions)
        clock = Clock()
        await asyncio.gather(*(work(session, waiting) for _ in range(concurrency)))
        return clock.read()


async def whole_run(bank: ItemBank, url: str, concurrency: int) -> dict[str, float]:
    """What `gfactor run` does once the bank is open, journal included."""
    with tempfile.TemporaryDirectory() as folder:
        clock = Clock()
        with Journal.open(Path(folder) / "journal.db") as journal:
            examinee = HttpExaminee(Endpoint(MODEL, url, max_in_flight=concurrency))
            try:
                result = await administer(bank, examinee, journal)
            finally:
                await examinee.close()
        taken = clock.read()
        with Journal.open(Path(folder) / "journal.db") as journal:
            kept = len(journal.responses())
        if (result.failed, kept) != (0, len(bank)):
            raise SystemExit(f"{kept} of {len(bank)} items were answered: {result.detail}")
        return taken


def main() -> None:
    """Run one client and print what it took."""
    kind, path, url, concurrency = sys.argv[1:]
    bank = ItemBank.open(path)
    spare_the_collector()
    client = {"bare": bare, "made": made, "stored": stored, "gfactor": whole_run}[kind]
    taken = asyncio.run(client(bank, url, int(concurrency)))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"items": len(bank), **taken, "peak_mib": peak}))


if __name__ == "__main__":
    main()
