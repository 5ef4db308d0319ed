"""Take pictures of every page that participants of studies can meet, to be looked at.

    python docs/participant_pages.py FOLDER [--languages en,ko,ar] [--widths 1300,390]

A study with every kind of page, question and answer is taken in headless Chromium, in each language
and at each width; pages that nobody meets who does everything right come from `gfactor study
preview`. Writes a picture of each page and sheets of them (`sheet-ko-390-1.png`), and says which
pages are wider than the window. Needs Chromium and playwright.
"""

from __future__ import annotations

import argparse
import io
import re
import shutil
import tempfile
import wave
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image as Picture

import gfactor as gf
from gfactor.benchmarks.chc import build
from gfactor.imaging import encode_png
from gfactor.items import (
    Choice,
    Image,
    Item,
    ItemBank,
    OutputFormat,
    Provenance,
    digest_of,
    write_bank,
)
from gfactor.studies.questionnaires import StudyFolder
from gfactor.studies.questionnaires.simulating import serving

SHEET, COLUMNS = (1560, 1560), {1300: 3, 390: 6}
TEXTS = {
    "en": ("How hard was it?", "not at all", "very much", "What do you use?", "mouse", "touch"),
    "ko": ("얼마나 어려웠습니까?", "전혀", "매우", "무엇을 사용하십니까?", "마우스", "터치"),
    "ar": ("ما مدى صعوبة ذلك؟", "سهل جدًا", "صعب جدًا", "ماذا تستخدم؟", "الفأرة", "اللمس"),
}
STUDY = """
id = "pages"
title = "Every page"
bank = "bank.parquet"
languages = [{languages}]
language = "{first}"
contact = "lab@example.org"
shuffle = false

[conduct]
controller = "Laboratory of Perception, Example Street 1"
ethics = "2026-17"
minimum_per_hour = 9.0

[[pages]]
kind = "questions"
name = "about"
questions = [
    {{name = "age", library = "age"}},
    {{name = "gender", library = "gender"}},
    {{name = "native", library = "native_language", required = false}},
    {{name = "effort", kind = "slider", text = {hard}, options = [{ends}]}},
    {{name = "device", kind = "multiple", text = {use}, options = [{devices}]}},
    {{name = "habits", kind = "grid", text = {use}, options = [{scale}], rows = [{devices}]}},
]

[[pages]]
kind = "screen"

[[pages]]
kind = "color_vision"
plates = 2

[[pages]]
kind = "contrast"
levels = 2

[[pages]]
kind = "instructions"

[[pages]]
kind = "practice"
items = ["words"]

[[pages]]
kind = "block"
name = "every"
items = [{items}]
checks = 1
time_limit_s = 600
shuffle = false

[[pages]]
kind = "break"

[[pages]]
kind = "block"
name = "short"
items = ["glance"]
exposure_ms = 200
mask = "rectangles"

[[pages]]
kind = "instructions"
media = "tone.wav"

[[pages]]
kind = "break"
media = "tone.wav"
once = true

[[pages]]
kind = "feedback"
"""
FILL = """() => {
  const chosen = new Set();
  for (const field of document.getElementById("question").elements) {
    if (["radio", "checkbox"].includes(field.type)) {
      if (chosen.has(field.name) || ["none", ""].includes(field.name)) continue;
      chosen.add(field.name);
      field.checked = true;
    } else if (field.tagName === "SELECT") field.selectedIndex = 1;
    else if (field.type === "text" && !field.hidden) {
      const place = field.closest(".places > li");
      if (place && place.hidden) continue;
      field.value = field.id === "text" ? "x" : "40";
    } else if (field.tagName === "TEXTAREA") field.value = "x";
    else continue;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
}"""


def drawing(number: int, size: int = 220) -> Image:
    """A picture that no other number has."""
    random = np.random.default_rng(number)
    blocks = random.integers(60, 255, (4, 6, 3))
    pixels = np.kron(blocks, np.ones((size // 4, size // 4, 1))).astype(np.uint8)
    return Image(encode_png(np.ascontiguousarray(pixels)), f"{number}.png")


def items() -> list[Item]:
    """An item of every answer type and layout of fields, with texts and pictures."""

    def item(name: str, kind: Any, target: Any, *content: Any, **more: Any) -> Item:
        facts = {"type": kind, "domain": kind}, Provenance("pages", "1", digest_of([name]))
        return Item(name, "pages", content, kind, target, *facts, **more)

    words = tuple(Choice(f, f"the {n} figure of the row") for f, n in zip(
        "ABCD", ("first", "second", "third", "fourth"), strict=True))  # fmt: skip
    pictures = tuple(Choice(f, drawing(10 + k)) for k, f in enumerate("ABCDEFGH"))
    shapes = ("circle", "square", "star")
    table = "| a | b |\n|---|---|\n| 1 | $x^2$ |"
    made = [
        item("words", "choice", "B", "Which figure continues the row?", drawing(1), choices=words),
        item("pictured", "choice", "C", "Which figure fits?", drawing(2), choices=pictures),
        item("several", "choices", frozenset("AC"), "Which are right?", choices=words),
        item("blanks", "blanks", ("3", "four"), f"Fill in:\n\n{table}"),
        item("essay", "open", "Because.", "Say why, in two sentences."),
        item("glance", "choice", "B", "Which figure was it?", drawing(3), choices=words),
    ]
    formats = {
        "count": (OutputFormat("value"), 8),
        "word": (OutputFormat("value", (), "word", shapes), "star"),
        "pair": (OutputFormat("tuple", (), "cell", none="None"), (2, 3)),
        "order": (OutputFormat("list"), (2, 3, 4, 1)),
        "ranks": (OutputFormat("list", (), "word", shapes, ",", length=3), shapes),
        "ticks": (OutputFormat("set", (), "word", shapes, ","), frozenset({"star"})),
        "cells": (OutputFormat("set", (), "cell"), frozenset({(1, 2)})),
        "labelled": (OutputFormat("tuple", ("ABOVE", "BELOW")), (1, 12)),
    }  # fmt: skip
    made += [
        item(name, one.answer_type, target, "What is in the picture?", drawing(20 + k),
             output_format=one)
        for k, (name, (one, target)) in enumerate(formats.items())
    ]  # fmt: skip
    names = ("matrices", "updating")
    parts = build.plan(seed=7, families=names, difficulty=["easy"], per_cell=1).parts
    battery = [item for part in parts for item in part.make()]
    return [*made, *(item for item in battery if isinstance(item, Item))]


def study_in(folder: Path, languages: list[str]) -> StudyFolder:
    """Make the study, in its languages."""
    bank = ItemBank.open(write_bank(items(), folder / "bank.parquet"))

    def text(k: int) -> str:
        return "{" + ", ".join(f'{one} = "{TEXTS[one][k]}"' for one in languages) + "}"

    def option(value: str, k: int) -> str:
        return f'{{value = "{value}", text = {text(k)}}}'

    block = [name for name in bank.ids if name not in ("words", "glance")]
    file = folder / "study.toml"
    values = {
        "languages": ", ".join(f'"{one}"' for one in languages), "first": languages[0],
        "hard": text(0), "use": text(3), "ends": f"{option('0', 1)}, {option('100', 2)}",
        "scale": f"{option('low', 1)}, {option('high', 2)}",
        "devices": f"{option('mouse', 4)}, {option('touch', 5)}",
        "items": ", ".join(f'"{name}"' for name in block),
    }  # fmt: skip
    file.write_text(STUDY.format(**values), "utf-8")
    with wave.open(str(folder / "tone.wav"), "wb") as tone:
        tone.setparams((1, 2, 8_000, 0, "NONE", ""))
        tone.writeframes(bytes(16_000))
    gf.study.new(file, folder / "study", password="a password for pictures")
    return StudyFolder.open(folder / "study")


class Camera:
    """Takes pictures of a browser's page at several widths."""

    def __init__(self, page: Any, output: Path, language: str, widths: list[int]) -> None:
        self.page, self._output, self._language, self._widths = page, output, language, widths
        self._count = 0
        self.too_wide: list[str] = []

    def take(self, name: str) -> None:
        """Take the page as it is now."""
        self._count += 1
        for width in self._widths:
            self.page.set_viewport_size({"width": width, "height": 900 if width > 600 else 844})
            path = self._output / f"{self._language}-{width}-{self._count:02d}-{name}.png"
            if self.page.evaluate("document.documentElement.scrollWidth") > width:
                self.too_wide.append(path.name)
            self.page.screenshot(path=path, full_page=True)


def served_pages(camera: Camera, base: str, language: str) -> None:
    """Take part from the first page to the last."""
    page = camera.page
    page.goto(f"{base}/?language={language}")
    camera.take("consent")
    page.goto(f"{base}/privacy?language={language}")
    camera.take("privacy")
    page.goto(f"{base}/?language={language}")
    page.check("#agree")
    page.locator("form[action$='/start'] button").click()
    page.wait_for_selector("#question:not([data-waiting])")
    for name in ("withdraw", "move", "receipt"):
        page.goto(f"{base}/{name}")
        camera.take(name)
    page.goto(f"{base}/task")
    while not page.url.endswith("/results"):
        question_pages(camera)
    camera.take("results")
    if page.locator("details summary").count():
        page.locator("details summary").first.click()
        camera.take("challenge")
    page.goto(f"{base}/done")
    camera.take("done")


def question_pages(camera: Camera) -> None:
    """Take the page that is shown, then what is said of an empty answer, and answer it."""
    page = camera.page
    page.wait_for_selector("#question:not([data-waiting]), #feedback")
    if page.locator("#feedback").count():
        camera.take("feedback")
        page.locator("#feedback button").click()
        return page.wait_for_selector("#question")
    before = page.locator("#question").evaluate("f => f.position.value + ' ' + f.turn.value")
    camera.take("task")
    if page.locator("#show-picture").count():
        page.locator("#show-picture").click()
        page.wait_for_timeout(2_000)
        camera.take("after-picture")
    if page.locator("#no-card").count():
        page.check("#no-card")
    page.evaluate(FILL)
    if page.locator(".grip, .slider").count():
        camera.take("filled")
    page.locator("#question button[type=submit]").click()
    page.wait_for_function(
        """was => { const f = document.getElementById("question");
           return !f || f.position.value + " " + f.turn.value !== was; }""",
        arg=before, timeout=60_000,
    )  # fmt: skip


def other_pages(camera: Camera, previewed: Path, language: str) -> None:
    """Take the pages of one sentence."""
    for path in sorted((previewed / f"{language}-other-pages").glob("*.html")):
        camera.page.goto(path.as_uri())
        camera.take(re.sub(r"^\d+-", "", path.stem))


def sheets(output: Path, language: str, width: int) -> None:
    """Put the pictures of a language and a width side by side."""
    columns = COLUMNS.get(width, max(1, SHEET[0] // width))
    narrow = SHEET[0] // columns
    sheet, number, heights = Picture.new("RGB", SHEET, "white"), 1, [0] * columns
    for path in sorted(output.glob(f"{language}-{width}-*.png")):
        with Picture.open(io.BytesIO(path.read_bytes())) as opened:
            height = round(opened.height * (narrow - 8) / opened.width)
            small = opened.convert("RGB").resize((narrow - 8, min(height, SHEET[1])))
        column = heights.index(min(heights))
        if heights[column] + small.height > SHEET[1]:
            sheet.save(output / f"sheet-{language}-{width}-{number}.png")
            sheet, number, heights = Picture.new("RGB", SHEET, "white"), number + 1, [0] * columns
            column = 0
        sheet.paste(small, (column * narrow, heights[column]))
        heights[column] += small.height + 8
    sheet.save(output / f"sheet-{language}-{width}-{number}.png")


@contextmanager
def browser_page() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright  # noqa: PLC0415

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        context = browser.new_context()
        context.set_default_timeout(120_000)
        yield context.new_page()
        browser.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--languages", default="en,ko,ar")
    parser.add_argument("--widths", default="1300,390")
    given = parser.parse_args()
    languages, widths = given.languages.split(","), [int(one) for one in given.widths.split(",")]
    given.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        study = study_in(Path(name), languages)
        gf.study.preview(study.path, Path(name) / "preview")
        for language in languages:
            with serving(study) as base, browser_page() as page:
                camera = Camera(page, given.folder, language, widths)
                served_pages(camera, base, language)
                other_pages(camera, Path(name) / "preview", language)
            for width in widths:
                sheets(given.folder, language, width)
            print(language, *camera.too_wide, sep="\n  too wide: ", flush=True)


if __name__ == "__main__":
    main()
