"""How many answers a second does a served study take, and how long does a person wait?

200 participants at once over a bank of 60 items with pictures; one server process, the clients in
another. First everybody answers as fast as replies come, then 100 answers a second come at even
intervals, at last as many while backups are made one after the other. What a participation costs
besides (its connection, the first page, the consent, instructions, the page with the first
question, results and the last page) is counted to its answers in a column of its own. The peer is a
bare Starlette application of the same pages. It stores the consent (a row and a cookie) and each
answer in SQLite (WAL), and replies with fixed texts as long as the study's pages, which it has in
memory: no form token, no marking, no next question, no rule of payment, no note of what was shown.

    python benchmarks/studies.py [--rounds 7] [--people 200] [--items 60] [--write FILE]
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
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import aiohttp
import numpy as np
from pages import replace_section

from gfactor.imaging import encode_png
from gfactor.items import Choice, Image, Item, ItemBank, Provenance, digest_of, write_bank
from gfactor.studies.questionnaires import Study, StudyFolder
from gfactor.studies.questionnaires.simulating.form import forms

MARKER = "## Studies"
RATE, CHECKS = 100, 3
HEADERS = {"content-type": "application/x-www-form-urlencoded", "x-fragment": "1"}

OURS = """
import sys; from pathlib import Path
from gfactor.studies.questionnaires import application
from gfactor.studies.web import serve
serve(application(Path(sys.argv[1])), port=0, ready=lambda a: print(a, flush=True))
"""
BARE = """
import json, secrets, sqlite3, sys
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, RedirectResponse
from starlette.routing import Route
from gfactor.studies.web import serve
base = sqlite3.connect(sys.argv[1] + "/bare.db", isolation_level=None)
base.execute("PRAGMA journal_mode=WAL"); base.execute("PRAGMA synchronous=NORMAL")
base.execute("CREATE TABLE people (session TEXT)")
base.execute("CREATE TABLE answers (session TEXT, body BLOB)")
pages = {path: "x" * length for path, length in json.loads(sys.argv[2]).items()}
async def page(request):
    return HTMLResponse(pages[request.url.path])
async def start(request):
    await request.body()
    session = secrets.token_urlsafe()
    base.execute("INSERT INTO people VALUES (?)", (session,))
    response = RedirectResponse("/instructions", status_code=303)
    response.set_cookie("s", session)
    return response
async def task(request):
    body = await request.body()
    base.execute("INSERT INTO answers VALUES (?, ?)", (request.cookies.get("s", ""), body))
    return HTMLResponse(pages["answer"])
paths = ("/", "/instructions", "/task", "/results", "/done")
posts = [Route("/task", task, methods=["POST"]), Route("/start", start, methods=["POST"])]
app = Starlette(routes=[*posts, *(Route(path, page) for path in paths)])
serve(app, port=0, ready=lambda a: print(a, flush=True))
"""


BACKUPS = {
    True: """
import sys; from pathlib import Path
import gfactor as gf
while True:
    gf.study.backup(sys.argv[1], Path(sys.argv[1]).parent / "backups", keep=2)
""",
    False: """
import sqlite3, sys
while True:
    held, copy = (sqlite3.connect(f"{sys.argv[1]}/{name}.db") for name in ("bare", "copy"))
    held.backup(copy)
    held.close()
    copy.close()
""",
}
"""Backups without end, by whether they are of a study or of the peer."""


@dataclass(frozen=True)
class Measured:
    """Answers per second at full speed, CPU milliseconds of the server per answer, the same with
    all of a participation counted, and the waits in milliseconds at `RATE` answers a second, the
    last ones while backups are made."""

    per_second: float
    cpu_ms: float
    participation_ms: float
    p50_ms: float
    p99_ms: float
    backup_p99_ms: float


def study(folder: Path, items: int) -> StudyFolder:
    rng = np.random.default_rng(1)
    made = []
    for k in range(items):
        pixels = np.kron(rng.integers(0, 255, (16, 16, 3)), np.ones((20, 20, 1))).astype(np.uint8)
        image = Image(encode_png(pixels), f"{k}.png")
        made.append(
            Item(
                f"q{k}", "m3gia", (f"Which of these continues row {k}? $x^{{{k}}}$", image),
                "choice", "ABCD"[k % 4], {"type": f"t{k % 6}"},
                Provenance("benchmark", "1", digest_of([f"q{k}"])),
                choices=tuple(Choice(f, f"option {f} of question {k}") for f in "ABCD"),
            )
        )  # fmt: skip
    bank = ItemBank.open(write_bank(made, folder / "b.parquet"))
    settings = Study("speed", "Speed", checks=CHECKS)
    return StudyFolder.make(folder / "study", settings, bank, "a long password")


Lengths = dict[str, int]
"""Bytes of the study's pages by their paths, and of the reply to an answer."""


@contextmanager
def served(program: str, folder: Path, lengths: Lengths) -> Iterator[tuple[str, int]]:
    command = [sys.executable, "-c", program, str(folder), json.dumps(lengths)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip(), process.pid
        finally:
            process.terminate()


def cpu_seconds(pid: int) -> float:
    """Processor time of all threads of a process, by the scheduler's own count."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9


Crowd = list[tuple[aiohttp.ClientSession, str]]
"""Participants: their sessions, and the tokens of their forms."""


async def consented(base: str, people: int, lengths: Lengths) -> Crowd:
    async def page(session: aiohttp.ClientSession, method: str, path: str, **more: Any) -> Any:
        async with session.request(method, f"{base}{path}", **more) as reply:
            assert reply.status == 200, f"{path}: {reply.status}"
            text = await reply.text()
        lengths[reply.url.path] = len(text.encode())
        return next(iter(forms(text)), None)

    async def one() -> tuple[aiohttp.ClientSession, str]:
        session = aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True))
        form = await page(session, "GET", "/")
        hidden = {} if form is None else form.hidden
        await page(session, "POST", "/start", data={**hidden, "agree": "yes"})  # to instructions
        form = await page(session, "GET", "/task")
        return session, "x" * 43 if form is None else form.hidden["form_token"]

    return [await one() for _ in range(people)]


async def look_at_the_end(base: str, crowd: Crowd, lengths: Lengths) -> None:
    """Open the results and the last page, as whoever has finished does."""
    for session, _ in crowd:
        for path in ("/results", "/done"):
            async with session.get(f"{base}{path}", allow_redirects=False) as reply:
                assert reply.status == 200, f"{path}: {reply.status}"
                lengths[path] = len(await reply.read())


async def cpu_at_start(base: str, pid: int) -> float:
    """Processor time of a server when it has sent its first page, and so has started."""
    async with aiohttp.ClientSession() as session, session.get(f"{base}/") as reply:
        await reply.read()
    return cpu_seconds(pid)


async def run(
    base: str, pid: int, people: int, questions: int, ours: bool, folder: Path, lengths: Lengths
) -> Measured:
    """Half of the questions at full speed, the others at an even rate."""
    begun_with = await cpu_at_start(base, pid)
    crowd = await consented(base, people, lengths)
    waits: list[float] = []

    async def answer(who: int, position: int) -> None:
        session, token = crowd[who]
        body = (
            f"form_token={token}&position={position}&seconds=3.2&away_count=0&away_seconds=0"
            f"&resized=0&over=&option={'ABCD'[(who + position) % 4]}"
        )
        begun = time.perf_counter()
        for again in (True, False):
            try:
                async with session.post(
                    f"{base}/task", data=body.encode(), headers=HEADERS
                ) as reply:
                    length = len(await reply.read())
                    assert reply.status in (200, 204), reply.status
                lengths["answer"] = length or lengths["answer"]  # the last one has no question
                break
            except aiohttp.ClientConnectionError:  # the server had closed an idle connection
                if not again:
                    raise
        waits.append(time.perf_counter() - begun)

    async def many(who: int, first: int, last: int) -> None:
        for position in range(first, last):
            await answer(who, position)

    half = questions // 2
    before, begun = cpu_seconds(pid), time.perf_counter()
    besides = before - begun_with
    await asyncio.gather(*(many(who, 0, half) for who in range(people)))
    seconds, used = time.perf_counter() - begun, cpu_seconds(pid) - before

    async def evenly(first: int, last: int) -> list[float]:
        waits.clear()
        tasks = []
        order = [(who, position) for position in range(first, last) for who in range(people)]
        begun = time.perf_counter()
        for number, (who, position) in enumerate(order):
            await asyncio.sleep(max(0.0, begun + number / RATE - time.perf_counter()))
            tasks.append(asyncio.create_task(answer(who, position)))
        await asyncio.gather(*tasks)
        return list(waits)

    count = min(10, (questions - half) // 2)
    alone = await evenly(half, half + count)
    command = ["nice", "-n", "10", sys.executable, "-c", BACKUPS[ours], str(folder)]
    with subprocess.Popen(command) as backups:
        with_backups = await evenly(half + count, half + 2 * count)
        assert backups.poll() is None, "the backups ended"
        backups.terminate()
    await asyncio.gather(*(many(k, half + 2 * count, questions) for k in range(people)))
    before = cpu_seconds(pid)
    await look_at_the_end(base, crowd, lengths)
    besides += cpu_seconds(pid) - before
    for session, _ in crowd:
        await session.close()
    p50, p99 = np.percentile(alone, (50, 99)) * 1000
    backup_p99 = float(np.percentile(with_backups, 99)) * 1000
    given = people * half
    cpu_ms = 1000 * used / given
    whole_ms = cpu_ms + 1000 * besides / (people * questions)
    return Measured(given / seconds, cpu_ms, whole_ms, float(p50), float(p99), backup_p99)


def middle(found: list[Measured]) -> Measured:
    names = [one.name for one in fields(Measured)]
    return Measured(*(statistics.median(getattr(m, name) for m in found) for name in names))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--items", type=int, default=60)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    found: dict[str, list[Measured]] = {"gfactor": [], "bare Starlette": []}
    lengths: Lengths = {}
    for _ in range(given.rounds):
        for name, program in (("gfactor", OURS), ("bare Starlette", BARE)):
            with tempfile.TemporaryDirectory() as folder:
                place = Path(folder)
                if name == "gfactor":
                    place = study(place, given.items).path
                with served(program, place, lengths) as (base, pid):
                    questions, ours = given.items + CHECKS, name == "gfactor"
                    made = run(base, pid, given.people, questions, ours, place, lengths)
                    found[name].append(asyncio.run(made))
                    print(name, found[name][-1], flush=True)
    ours, bare = (middle(found[name]) for name in found)
    rows = "\n".join(
        f"| {name} | {m.per_second:.0f} | {m.cpu_ms:.2f} ms | {m.participation_ms:.2f} ms | "
        f"{m.p50_ms:.1f} ms | "
        f"{m.p99_ms:.1f} ms | {m.backup_p99_ms:.1f} ms |"
        for name, m in (("gfactor", ours), ("bare Starlette", bare))
    )
    ratios = (
        f"| ratio | {ours.per_second / bare.per_second:.2f} | {ours.cpu_ms / bare.cpu_ms:.2f} | "
        f"{ours.participation_ms / bare.participation_ms:.2f} | "
        f"{ours.p50_ms / bare.p50_ms:.2f} | {ours.p99_ms / bare.p99_ms:.2f} | "
        f"{ours.backup_p99_ms / bare.backup_p99_ms:.2f} |"
    )
    system = f"{platform.python_implementation()} {platform.python_version()}"
    text = f"""{MARKER}

`python benchmarks/studies.py --rounds {given.rounds} --items {given.items}`: {given.people}
participants at once, {given.items} items with a picture each, one server process, clients in
another; {system}, {os.cpu_count()} cores, load {os.getloadavg()[1]:.0f}. The peer is a bare
Starlette application of the same pages, which stores the consent and each answer in SQLite and
replies with fixed texts as long as the study's pages (results: {lengths["/results"] // 1000} kB).
All of a participation: connection, first page, consent, instructions, first question, answers,
results and last page, without pictures, from the first page that a server has sent. Medians of
{given.rounds} rounds; waits at {RATE} answers/s, the last ones while backups are made one after the
other, at `nice -n 10`. The ratio of processor time with all of a participation counted is to be at
most 2.5.

| | answers/s at full speed | server CPU per answer | all of a participation counted | median wait \
| 99 % wait | 99 % with backups |
|---|---:|---:|---:|---:|---:|---:|
{rows}
{ratios}
"""
    print(text)
    if given.write:
        replace_section(given.write, MARKER, text)


if __name__ == "__main__":
    main()
