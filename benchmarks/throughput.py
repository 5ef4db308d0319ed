"""How many items a second does a run over HTTP reach, beside a bare loop and Inspect's eval loop?

A real server on the loopback interface, in a process of its own, gives one canned completion with
usage, after 0, 50 or 500 ms. Its clients, each in a process of its own and in turns: a bare aiohttp
loop that makes each request, reads the answer out of the reply and does nothing else; the same over
bytes made beforehand, the replies unread; the bare loop that stores every answer in SQLite before
the next question and nothing else; gfactor's run into a SQLite journal; and Inspect's eval
loop, from the environment that `--inspect-python` names.

    python benchmarks/throughput.py [--rounds 5] [--inspect-python PATH] [--write FILE]
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiohttp
from big_bank import synthetic_bank
from pages import replace_section

from gfactor.items import ItemBank

MARKER = "## Throughput over HTTP"
HERE = Path(__file__).parent
CONCURRENCY = 50
ITEMS = {"text": 12000, "image": 4000, "slow": 1000}
INSPECT_ITEMS = 400
IMAGE_BYTES = {"text": 0, "image": 50_000, "slow": 0}
LATENCIES_MS = {"text": (0, 50), "image": (0, 50), "slow": (500,)}
"""Milliseconds before the server answers; half a second is a fast model's."""
NAMES = {"text": "text", "image": "50 KB image", "slow": "text"}
CLIENTS = ("bare", "made", "stored", "gfactor", "inspect")
GOALS = {("text", 0): 75, ("text", 50): 93, ("image", 0): 85, ("image", 50): 93}
"""Percent of the bare loop's rate that the project has set itself, by kind and latency."""

PROCESSOR_GOAL = 1.5
"""Times the bare loop's processor time per answer, for texts at 50 ms."""

Case = tuple[str, int, str]
"""Kind of item, latency in ms, client."""


@contextlib.contextmanager
def server(latency_ms: int) -> Iterator[str]:
    """The canned server's address, while it runs."""
    command = [sys.executable, str(HERE / "canned_server.py"), "--latency-ms", str(latency_ms)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout is not None
        yield child.stdout.readline().strip()
    finally:
        child.kill()
        child.wait()


def measured(*command: str) -> dict[str, Any]:
    """What a client prints."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr[-2000:]}")
    return json.loads(done.stdout.strip().splitlines()[-1])


def inspect_items(bank: ItemBank, folder: Path) -> Path:
    """The first items of a bank as lines of JSON with image files, for Inspect."""
    lines = []
    for item in bank.select(bank.ids[:INSPECT_ITEMS]):
        row = {"id": item.id, "text": item.text}
        for image in item.images:
            path = folder / f"{item.id}.png"
            path.write_bytes(image.data)
            row["image"] = str(path)
        lines.append(json.dumps(row))
    path = folder / f"{bank.path.stem}.jsonl"
    path.write_text("\n".join(lines))
    return path


def measure(rounds: int, inspect_python: str | None) -> dict[Case, list[dict[str, Any]]]:
    """Every client's figures in every round."""
    found: dict[Case, list[dict[str, Any]]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        banks = {
            kind: synthetic_bank(folder / f"{kind}.parquet", ITEMS[kind], IMAGE_BYTES[kind])
            for kind in ITEMS
        }
        lines = {kind: inspect_items(ItemBank.open(b), folder) for kind, b in banks.items()}
        for _ in range(rounds):
            for kind, bank in banks.items():
                for latency in LATENCIES_MS[kind]:
                    for client in CLIENTS:
                        with server(latency) as url:
                            end = (url, str(CONCURRENCY))
                            if client != "inspect":
                                script = str(HERE / "throughput_clients.py")
                                command = (sys.executable, script, client, str(bank), *end)
                            elif inspect_python:
                                script = str(HERE / "throughput_inspect.py")
                                logs = str(folder / "logs")
                                command = (inspect_python, script, str(lines[kind]), *end, logs)
                            else:
                                continue
                            found.setdefault((kind, latency, client), []).append(measured(*command))
    return found


def rate(results: list[dict[str, Any]]) -> float:
    """Median items a second."""
    return statistics.median(r["items"] / r["seconds"] for r in results)


def table(found: dict[Case, list[dict[str, Any]]]) -> list[str]:
    """One line per kind of item and latency."""
    lines = [
        "| items | server | bare aiohttp | bytes made beforehand | bare, each answer stored "
        "| gfactor | Inspect | of bare | goal | of made beforehand | of bare, stored "
        "| times Inspect | processor time, times bare | MiB |",
        "|---|---|" + "---:|" * 12,
    ]
    for kind in ITEMS:
        for latency in LATENCIES_MS[kind]:
            peers = [rate(found[kind, latency, c]) for c in ("bare", "made", "stored")]
            ours = rate(found[kind, latency, "gfactor"])
            shares = [100 * ours / theirs for theirs in peers]
            spent = [processor(found[kind, latency, c]) for c in ("gfactor", "bare")]
            theirs = found.get((kind, latency, "inspect"))
            other = f"{rate(theirs):.1f}" if theirs else "-"
            times = f"{ours / rate(theirs):.0f}" if theirs else "-"
            peak = max(r["peak_mib"] for r in found[kind, latency, "gfactor"])
            rates = " | ".join(f"{one:.0f}/s" for one in (*peers, ours))
            goal = GOALS.get((kind, latency))
            lines.append(
                f"| {NAMES[kind]} | {latency} ms | {rates} | {other}/s | {shares[0]:.0f} % "
                f"| {f'{goal} %' if goal else '-'} | {shares[1]:.0f} % | {shares[2]:.0f} % "
                f"| {times} | {spent[0] / spent[1]:.2f} | {peak:.0f} |"
            )
    return lines


def processor(results: list[dict[str, Any]]) -> float:
    """Median processor time of the client's process per item, in seconds."""
    return statistics.median(r["cpu_seconds"] / r["items"] for r in results)


def report(found: dict[Case, list[dict[str, Any]]], rounds: int, load: float) -> str:
    """The section of docs/evidence/benchmarks.md."""
    inspect = any(client == "inspect" for _, _, client in found)
    note = (
        f"Inspect answered the first {INSPECT_ITEMS} items (its rate does not depend on the number)"
        if inspect
        else "Inspect was left out: no `--inspect-python` was given"
    )
    return "\n".join(
        [
            f"{MARKER}\n",
            f"`python benchmarks/throughput.py --rounds {rounds}`; Python "
            f"{platform.python_version()}, aiohttp {aiohttp.__version__}, {os.cpu_count()} cores "
            f"shared with the server (load {load:.1f} before the run); {ITEMS['text']:,} text "
            f"items ({ITEMS['slow']:,} at 500 ms) or {ITEMS['image']:,} with a 50 KB image, "
            f"{CONCURRENCY} requests at once, a "
            "new journal each time; rounds in turns, ratios of medians. The bare "
            "loop makes each request from texts and image bytes in memory (base64 and JSON of the "
            "standard library), reads the answer out of the reply and keeps nothing; the stricter "
            "one sends bytes made beforehand and leaves the replies unread. The third is the bare "
            "loop that stores every answer in SQLite, with a journal's settings, before it asks "
            "again: whoever promises that nothing paid for is lost stays below it. "
            "gfactor's time is that of the whole run: reading the bank, encoding, answering, every "
            "answer stored before the next question. "
            f"{note}. Processor time is that of the client's process per answer; the goal for "
            f"texts at 50 ms is {PROCESSOR_GOAL} times the bare loop's. With 50 ms, {CONCURRENCY} "
            f"requests at once end at {CONCURRENCY * 20:,} items a second whoever sends them.\n",
            *table(found),
            "",
        ]
    )


def main() -> None:
    """Measure, print, and write the section where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--inspect-python", help="a Python that has inspect_ai and openai")
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    load = os.getloadavg()[0]
    text = report(measure(given.rounds, given.inspect_python), given.rounds, load)
    print(text)
    if given.write:
        replace_section(given.write, MARKER, text)


if __name__ == "__main__":
    main()
