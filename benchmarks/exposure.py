"""For how long does a browser show a picture that is to be shown for 100, 200 and 500 ms?

A study with a block of items for each duration is taken in a headless browser. The table is of the
study's own export: onset and offset are the stamps of `requestAnimationFrame`. Beside it an
observer that knows nothing of the study's script looks at the picture's computed opacity in every
frame, and says for how long it was seen.

    python benchmarks/exposure.py [--trials 100] [--write docs/evidence/benchmarks.md]
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import statistics
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from pages import replace_section

import gfactor as gf
from gfactor.psychometrics.inference.intervals import wilson
from gfactor.studies.questionnaires import StudyFolder, export_study
from gfactor.studies.questionnaires.simulating import serving

MARKER = "## How long pictures are shown"
DURATIONS = {100: 2, 200: 4, 500: 6}
"""Milliseconds, and the size of the items of that block."""

OBSERVER = """
(() => {
  window.seen = [];
  let since = null;
  const look = (time) => {
    const picture = document.querySelector('.timed .target');
    const lit = picture !== null && getComputedStyle(picture).opacity === '1';
    if (lit && since === null) since = time;
    if (!lit && since !== null) { window.seen.push(time - since); since = null; }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})();
"""


def study(folder: Path, trials: int) -> StudyFolder:
    gf.build(
        "percept-v", seed=7, domains=["counting_circles"], sizes=list(DURATIONS.values()),
        instances=trials, path=folder / "bank.parquet",
    )  # fmt: skip
    text = 'id = "exposure"\ntitle = "Exposure"\nbank = "bank.parquet"\n'
    for duration, size in DURATIONS.items():
        text += f"""
[[pages]]
kind = "block"
name = "ms{duration}"
labels = {{size = {size}}}
exposure_ms = {duration}
fixation_ms = 250
mask = "rectangles"
"""
    path = folder / "file.toml"
    path.write_text(text, "utf-8")
    return StudyFolder.open(gf.study.new(path, folder / "study", password="benchmarks").folder)


def take(base: str, count: int) -> tuple[str, list[float]]:
    """Answer every question; the browser's version, and what the observer saw."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415

    with sync_playwright() as playwright:
        path = shutil.which("chromium") or shutil.which("chromium-browser")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page()
        page.set_default_timeout(120_000)
        page.add_init_script(OBSERVER)
        page.goto(base)
        page.locator("#agree").check()
        page.locator("main button").click()
        seen: list[float] = []
        for _ in range(count):
            answer(page, seen)
        return f"Chromium {browser.version}", seen


def answer(page: Any, seen: list[float]) -> None:
    page.wait_for_selector("#show-picture:enabled")
    place = page.locator("input[name=position]").get_attribute("value")
    page.keyboard.press("Enter")
    page.wait_for_selector("#show-picture:enabled", state="detached")
    page.wait_for_function("() => document.querySelector('.timed')?.dataset.shows === 'mask'")
    page.wait_for_function("count => window.seen.length > count", arg=len(seen))
    seen[:] = page.evaluate("window.seen")
    page.locator("[name=part-0]").fill("3")
    page.keyboard.press("Enter")
    page.wait_for_function(
        "was => document.querySelector('input[name=position]')?.value !== was", arg=place
    )


def table(data: pd.DataFrame, seen: list[float]) -> tuple[str, bool]:
    lines = [
        "| asked for | trials | within one frame | 95 % interval | mean | standard deviation | "
        "farthest off | with dropped frames | the observer agrees |",
        "|---:|---:|---:|---|---:|---:|---:|---:|---:|",
    ]
    data = data.sort_values("position").assign(seen=seen)
    enough = True
    for duration, part in data.groupby("requested_ms"):
        right, n = int(part["within_frame"].to_numpy(bool).sum()), len(part)
        low, high = wilson(right, n)
        off = (part["exposure_ms"] - duration).abs().max()
        agrees = int(np.sum(np.abs(part["seen"].to_numpy() - part["exposure_ms"].to_numpy()) < 1))
        enough = enough and right >= 0.95 * n
        lines.append(
            f"| {duration:g} ms | {n} | {right} | [{float(low):.3f}, {float(high):.3f}] | "
            f"{part['exposure_ms'].mean():.1f} ms | {part['exposure_ms'].std():.1f} ms | "
            f"{off:.1f} ms | {int(np.sum(part['dropped'].to_numpy() > 0))} | {agrees} |"
        )
    return "\n".join(lines), enough


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=100)
    parser.add_argument("--write", type=Path)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        opened = study(folder, asked.trials)
        with serving(opened) as base:
            version, seen = take(base, asked.trials * len(DURATIONS))
        export_study(opened, folder / "out")
        data = folder / "out" / "psych_ds" / "data" / "study-exposure_presentations_data.csv"
        rows, enough = table(pd.read_csv(data), seen)
        frame = statistics.median(pd.read_csv(data)["frame_ms"])
    where = (
        f"headless {version}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, "
        f"Python {platform.python_version()}; a frame is {frame:.1f} ms"
    )
    text = (
        f"{MARKER}\n\n`python benchmarks/exposure.py --trials {asked.trials}`: {where}. From onset "
        "to offset by the stamps of `requestAnimationFrame` in the study's export; an observer "
        "that looks at the picture's opacity in every frame agrees to 1 ms in so many trials. "
        "Goal: within one frame in 95 of 100 trials; "
        f"{'reached' if enough else 'not reached'}.\n\n{rows}\n"
    )
    print(text)
    if asked.write:
        replace_section(asked.write, MARKER, text)


if __name__ == "__main__":
    main()
