"""Studies for tests: small banks in M3GIA's form, a served study, a real browser."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest

from gfactor.imaging import encode_png
from gfactor.items import (
    Choice,
    Image,
    Item,
    ItemBank,
    OutputFormat,
    Provenance,
    digest_of,
    pixel_hash,
    write_bank,
)
from gfactor.studies.questionnaires import Study, StudyFolder
from gfactor.studies.web.extras import need

PASSWORD = "correct horse battery"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
STEMS = {"en": "Which picture continues row {k}? $x^2$", "zh": "第 {k} 行接下来是哪一幅图？$x^2$"}


def picture(number: int, size: tuple[int, int] = (120, 160)) -> Image:
    """A picture that no other number has."""
    source = np.random.default_rng(number)
    blocks = source.integers(0, 255, (size[0] // 20, size[1] // 20, 3)).astype(np.uint8)
    pixels = np.kron(blocks, np.ones((20, 20, 1), np.uint8)).astype(np.uint8)
    return Image(encode_png(np.ascontiguousarray(pixels)), f"{number}.png")


def exam_items(count: int = 20, language: str = "en") -> list[Item]:
    """Single-choice items with a picture each, every third with pictures as options."""
    return [_exam_item(k, language) for k in range(count)]


@cache
def _exam_item(k: int, language: str) -> Item:
    contents: list[Any] = (
        [picture(1000 + 10 * k + j) for j in range(4)]
        if k % 3 == 0
        else [f"option {'wxyz'[j]} of {k}" for j in range(4)]
    )
    content = (STEMS[language].format(k=k), picture(k))
    images = [part for part in (content[1], *contents) if isinstance(part, Image)]
    return Item(
        id=f"q{k:02d}",
        benchmark="m3gia",
        content=content,
        answer_type="choice",
        target="ABCD"[k % 4],
        labels={"type": f"type {k % 4}", "domain": f"type {k % 4}"},
        provenance=Provenance(
            "tests",
            "1",
            digest_of([f"{language} {k}"]),
            tuple(pixel_hash(image.decode()) for image in images),
        ),
        choices=tuple(Choice(f, c) for f, c in zip("ABCD", contents, strict=True)),
        language=language,
    )


def exam_bank(folder: Path, count: int = 20, language: str = "en") -> ItemBank:
    path = folder / "bank.parquet"
    path.write_bytes(_bank_bytes(count, language))
    return ItemBank.open(path)


@cache
def _bank_bytes(count: int, language: str) -> bytes:
    """The file of `exam_bank`, which is the same each time."""
    with TemporaryDirectory() as folder:
        return write_bank(exam_items(count, language), Path(folder) / "bank.parquet").read_bytes()


def make_study(folder: Path, *, count: int = 20, language: str = "en", **settings: Any) -> Any:
    """A study on disk over `exam_bank`."""
    folder.mkdir(parents=True, exist_ok=True)
    study = Study(**{"id": "trial", "title": "Trial", "language": language, **settings})
    return StudyFolder.make(folder / "study", study, exam_bank(folder, count, language), PASSWORD)


@contextmanager
def client_of(app: Any) -> Iterator[Any]:
    """A client of an application without a network in between."""
    with need("starlette.testclient").TestClient(
        app, base_url="http://study.test", follow_redirects=True
    ) as client:
        yield client


@contextmanager
def browser_page(**settings: Any) -> Iterator[Any]:
    """A page of Debian's Chromium; skips the test where it is not installed."""
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    sync = pytest.importorskip("playwright.sync_api")
    with sync.sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=[
                "--no-sandbox",
                "--disable-gpu",
                "--disable-background-networking",
                # pages of other sites, made up by a test, may show a server of this machine
                "--disable-features=LocalNetworkAccessChecks",
            ],
        )
        context = browser.new_context(**settings)
        context.set_default_timeout(300_000)  # a busy machine is no failure
        page = context.new_page()
        problems: list[str] = []
        page.on("pageerror", lambda error: problems.append(str(error)))
        yield page
        browser.close()
        assert not problems, problems


def accessibility_problems(page: Any) -> list[str]:
    """Serious and critical findings of axe-core on a page."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    found = axe.run(page).response["violations"]
    return [
        f"{rule['id']}: {rule['help']} ({node['html'][:120]})"
        for rule in found
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
    ]


def every_type_bank(folder: Path) -> ItemBank:
    """An item of every answer type and layout of fields: `count`, `word`, `pair`, `order`,
    `ticks`, `cells`, `labelled`, `path`, `each`, `blanks`, `several`, `essay`, `one`."""
    formats = {
        "count": (OutputFormat("value", ("COUNT",)), 8),
        "word": (OutputFormat("value", ("ANSWER",), "word", ("circle", "pentagon")), "pentagon"),
        "pair": (OutputFormat("tuple", (), "cell", none="None"), (2, 3)),
        "order": (OutputFormat("list"), (2, 3, 4, 1)),
        "ticks": (
            OutputFormat("set", ("SHAPES",), "word", ("circle", "square", "star"), ","),
            frozenset({"star", "circle"}),
        ),
        "cells": (OutputFormat("set", (), "cell"), frozenset({(1, 2), (3, 4)})),
        "labelled": (OutputFormat("tuple", ("ABOVE", "BELOW")), (1, 12)),
        "path": (OutputFormat("list", (), "token", ("S", "E"), ","), ("S", 20, "E")),
        "each": (OutputFormat("list", ("ANSWER",), "word", ("yes", "no"), ",", length=3),
                 ("no", "yes", "no")),
    }  # fmt: skip

    def item(name: str, kind: Any, target: Any, **more: Any) -> Item:
        labels = {"type": kind, "domain": kind}
        digest = Provenance("tests", "1", digest_of([f"every type {name}"]))
        return Item(name, "percept-v", (f"What is {name}?",), kind, target, labels, digest, **more)

    options = tuple(Choice(f, f"option {f}") for f in "ABCD")
    items = [
        item(name, fmt.answer_type, target, output_format=fmt)
        for name, (fmt, target) in formats.items()
    ]
    items += [
        item("blanks", "blanks", ("3", "four")),
        item("several", "choices", frozenset({"A", "C"}), choices=options),
        item("essay", "open", "Because it is so."),
        item("one", "choice", "B", choices=options),
    ]
    folder.mkdir(parents=True, exist_ok=True)
    return ItemBank.open(write_bank(items, folder / "every.parquet"))
