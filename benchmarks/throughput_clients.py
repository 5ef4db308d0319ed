"""One client of benchmarks/throughput.py, in a process of its own: prints seconds and peak memory.

python benchmarks/throughput_clients.py bare|gfactor BANK URL CONCURRENCY
"""

from __future__ import annotations

import asyncio
import gc
import json
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import aiohttp

from gfactor.administration import Condition, Journal, administer, render
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
    """A bare aiohttp loop over the bytes that gfactor would send, made before the clock starts."""
    bodies = [request_body(MODEL, render(item, Condition()), Dialect()) for item in bank]

    async def work(session: aiohttp.ClientSession, waiting: Iterator[bytes]) -> None:
        for body in waiting:
            async with session.post(f"{url}/chat/completions", data=body) as response:
                await response.read()

    connector = aiohttp.TCPConnector(limit=0)
    headers = {"Content-Type": "application/json"}
    async with aiohttp.ClientSession(connector=connector, headers=headers) as session:
        waiting = iter(bodies)
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
    gc.freeze()  # as `gfactor run` does it
    client = {"bare": bare, "gfactor": whole_run}[kind]
    taken = asyncio.run(client(bank, url, int(concurrency)))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"items": len(bank), **taken, "peak_mib": peak}))


if __name__ == "__main__":
    main()
