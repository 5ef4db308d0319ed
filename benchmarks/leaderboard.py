"""How large is a leaderboard, how long does it take to write and to open, and with how much memory?

A simulated journal: items in 30 domains and 20 sizes, models whose chance of being right falls with
size. Two in three answer with a line in the output format, the third writes about 400 characters
first. The site is written by `gfactor leaderboard` in a process of its own, whose largest memory is
measured, and opened in headless Chromium from disk.

    python benchmarks/leaderboard.py [--models 300] [--items 6000] [--write FILE]
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from pages import replace_section

from gfactor.administration import Journal, Response
from gfactor.examinees import Reply
from gfactor.items import Item, ItemBank, OutputFormat, Provenance, digest_of, write_bank

MARKER = "## Leaderboard"
COUNT = OutputFormat("value", labels=("COUNT",))
SKILLS = ("attention", "memory", "discrimination", "closure", "constancy", "figure and ground")
SENTENCE = (
    "the picture shows several shapes and I look at each of them from left to right before I say "
    "how many there are because some of them overlap and others are small"
)
WORDS = SENTENCE.split()

WRITING = """
import json, resource, sys
from gfactor.api.comparisons.leaderboards import leaderboard
done = leaderboard(sys.argv[1], sys.argv[2])
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps(done.to_dict() | {"peak": peak}))
"""


def make_bank(folder: Path, count: int) -> ItemBank:
    source = np.random.default_rng(0)
    items = [
        Item(
            id=f"shapes_{k % 30:02d}-{1 + k // 30 % 20:02d}-{k // 600}",
            benchmark="simulated",
            content=(f"Count the shapes of kind {k % 30}. Answer as COUNT:x.",),
            answer_type="value",
            target=int(source.integers(1, 21)),
            labels={"domain": f"shapes_{k % 30:02d}", "size": 1 + k // 30 % 20,
                    "skills": (SKILLS[k % 6], SKILLS[(k + 1) % 6])},
            provenance=Provenance("benchmarks", "1", digest_of([f"simulated {k}"])),
            output_format=COUNT,
        )
        for k in range(count)
    ]  # fmt: skip
    return ItemBank.open(write_bank(items, folder / "bank.parquet"))


def answer(journal: Journal, bank: ItemBank, models: int) -> None:
    """Every model's answers, a transaction each."""
    items = [(i.provenance.content_hash, int(str(i.target)), int(str(i.labels["size"])))
             for i in bank]  # fmt: skip
    journal.register((), bank)
    for m in range(models):
        source, name = np.random.default_rng(m + 1), f"openai:lab/model-{m:03d}"
        ability = source.normal(8, 4)
        draws, wrong = source.random(len(items)), source.integers(1, 21, len(items))
        words = source.integers(0, len(WORDS), (len(items), 75)) if m % 3 == 0 else None
        replies = []
        for k, (content, target, size) in enumerate(items):
            right = draws[k] < 1 / (1 + np.exp((size - ability) / 3))
            text = f"COUNT:{target if right else wrong[k]}"
            if words is not None:
                text = f"{' '.join(WORDS[w] for w in words[k])}.\n{text}"
            usage = {"input": 300, "output": len(text) // 4}
            reply = Reply(text, usage=usage, latency_s=1.0, cost=0.001)
            replies.append(Response.now(name, content, "default", 0, reply))
        journal.add(replies)
        journal.register([dict(
            bank="bank.parquet", digest=bank.scene_digest, items=len(bank), examinee=name,
            condition="default", occasions=1, version="0", started="2026-01-01",
        )])  # fmt: skip


def opening(page: Any, address: str, ready: str = "") -> float:
    """Seconds until a page is loaded and drawn (and `ready` is there)."""
    start = time.perf_counter()
    page.goto(address)
    if ready:
        page.wait_for_selector(ready)
    page.evaluate("() => new Promise((go) => requestAnimationFrame(() => setTimeout(go)))")
    return time.perf_counter() - start


def opened(site: Path) -> dict[str, float]:
    from playwright.sync_api import sync_playwright  # noqa: PLC0415

    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    found = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        browser.new_page().goto("about:blank")
        item = next(iter((site / "items").glob("sheet-3.html")), None) or next(
            (site / "items").glob("*.html")
        )
        text = item.read_text()
        anchor = text[text.index('class="item" id="') + 17 :][:11]
        model = next((site / "models").glob("*.html"))
        for name, path, ready in (
            ("first page", "index.html", ""),
            ("by domain", "board-1-domain.html", ""),
            ("a model", f"models/{model.name}", ""),
            ("an item with its replies", f"items/{item.name}#{anchor}", "table.replies"),
            ("two compared", "compare.html", "#difference"),
            ("list of items", "items.html", ""),
        ):
            root = site.resolve().as_uri()
            found[name] = min(
                opening(browser.new_page(), f"{root}/{path}", ready) for _ in range(2)
            )
        page = browser.new_page()
        page.goto(f"{site.resolve().as_uri()}/search.html")
        page.wait_for_selector("#words")
        start = time.perf_counter()
        page.fill("#words", "COUNT:19")
        page.keyboard.press("Enter")
        page.wait_for_selector("[data-done]", timeout=120_000)
        found["search in all replies"] = time.perf_counter() - start
        browser.close()
    return found


def measured(folder: Path, models: int, items: int) -> tuple[dict[str, float], dict[str, float]]:
    folder.mkdir(parents=True, exist_ok=True)
    journal = folder / "journal.db"
    if not journal.exists():
        with Journal.open(journal) as kept:
            answer(kept, make_bank(folder, items), models)
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", WRITING, str(journal), str(folder / "site")],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    facts = json.loads(done.stdout) | {"seconds": time.perf_counter() - start}
    return facts, opened(folder / "site")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=int, default=300)
    parser.add_argument("--items", type=int, default=6000)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = given.folder or Path(name)
        lines = [
            f"{MARKER}", "",
            "`python benchmarks/leaderboard.py --write docs/evidence/benchmarks.md`: simulated "
            "journals, a third of the models with replies of 400 characters; the site as `gfactor "
            "leaderboard` writes it; opened in headless Chromium from disk, the shorter of two. "
            "Times of one machine with two cores that others use too.", "",
            "| models | items | MB of the journal | MB of the site | pages | peak memory (MB) | "
            "writing (s) |", "|---:|---:|---:|---:|---:|---:|---:|",
        ]  # fmt: skip
        times: dict[str, float] = {}
        for models in (given.models // 4, given.models):
            room = folder / f"{models}-{given.items}"
            facts, times = measured(room, models, given.items)
            size = (room / "journal.db").stat().st_size / 1e6
            lines.append(
                f"| {models} | {given.items:,} | {size:,.0f} | {facts['bytes'] / 1e6:.1f} | "
                f"{facts['pages']:,} | {facts['peak']:,.0f} | {facts['seconds']:.0f} |"
            )
            print(lines[-1], flush=True)
        lines += ["", f"Seconds until a page of {given.models} models is there:", ""]
        lines += [f"- {what}: {seconds:.2f}" for what, seconds in times.items()]
    text = "\n".join(lines) + "\n"
    print(text)
    if given.write:
        replace_section(given.write, MARKER, text)


if __name__ == "__main__":
    main()
