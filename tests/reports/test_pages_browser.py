"""Pages of reports, analyses, profiles and the demonstration: on a phone, in the dark, in print."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.every_result import RESULTS
from support.studies import accessibility_problems, browser_page

import gfactor as gf
from gfactor.reports.pages.demo_page import DemoResults, write_demo_page

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    bank = gf.build("percept-v", domains=["change_colour", "sort_lines"], sizes=[1, 4, 7],
                    instances=2, path=folder / "pv.parquet", show_progress=False)  # fmt: skip
    observers = [f"observer:limited?capacity={k}" for k in (3, 5)]
    journal = gf.run(bank, ["observer:ideal", *observers], journal=folder / "c.db")
    rng = np.random.default_rng(3)
    scores = rng.normal(size=(120, 1)) + rng.normal(size=(120, 5))
    fit = gf.sem("g =~ a + b + c + d + e", pd.DataFrame(scores, columns=list("abcde")))
    row = {"name": "P1", "role": "population", "best": 1, "worst": 2, "accuracy": 0.8, "low": 0.7,
           "high": 0.9, "chance": 0.2}  # fmt: skip
    profile = RESULTS["profile"]()
    demo = DemoResults(12, 2, 1, 12, pd.DataFrame([row]), profile)
    (folder / "profile").mkdir()
    written = {
        "report": gf.report(journal, folder / "report").path,
        "analysis": fit.report(folder / "cfa").path,
        "profile": profile.report(folder / "profile").path,
        "comparison": gf.compare(journal).report(folder / "compare").path,
    }
    items = list(bank)[:2]
    return written | {"demo": write_demo_page(folder, demo, items, "pv.parquet")}


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser_page() as page:
        yield page.context.browser


@pytest.mark.parametrize(("width", "scheme"), [(1400, "light"), (390, "dark"), (320, "light")])
def test_pages_fit_the_screen_and_have_contrast(
    pages: dict[str, Path], chromium: Any, width: int, scheme: str
) -> None:
    page = chromium.new_context(
        viewport={"width": width, "height": 800}, color_scheme=scheme
    ).new_page()
    for name, path in pages.items():
        page.goto(path.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), name
        for caption in page.locator("caption:visible").all():
            assert caption.evaluate("e => e.getBoundingClientRect().right") <= width, name
        assert accessibility_problems(page) == [], name
    page.context.close()


def test_what_is_written_on_a_white_sheet_is_dark_in_the_dark(
    pages: dict[str, Path], chromium: Any
) -> None:
    page = chromium.new_context(color_scheme="dark").new_page()
    for name in ("report", "profile", "demo"):
        page.goto(pages[name].as_uri())
        sheet = page.locator(".paper").first
        ground = sheet.evaluate("e => getComputedStyle(e).backgroundColor")
        color = sheet.locator(".hint").evaluate("e => getComputedStyle(e).color")
        light, dark = (sum(map(int, text[4:-1].split(","))) for text in (ground, color))
        assert (light > 700, dark < 400) == (True, True), name
    page.context.close()


def test_a_phone_shows_an_accuracy_with_its_interval(pages: dict[str, Path], chromium: Any) -> None:
    page = chromium.new_context(viewport={"width": 390, "height": 800}).new_page()
    page.goto(pages["report"].as_uri())
    table = page.locator("table", has_text="accuracy (%)").first
    head = table.locator("thead th", has_text="accuracy")
    assert head.evaluate("e => e.getBoundingClientRect().right") <= 390
    page.context.close()


def test_a_phone_shows_whole_figures(pages: dict[str, Path], chromium: Any) -> None:
    page = chromium.new_context(viewport={"width": 390, "height": 800}).new_page()
    page.goto(pages["analysis"].as_uri())
    sheets = page.locator(".paper").all()
    assert len(sheets) == 3
    for sheet in sheets:
        assert sheet.evaluate("e => e.scrollWidth <= e.clientWidth")
    page.context.close()


def test_print_keeps_figures_whole_and_beside_their_words(
    pages: dict[str, Path], chromium: Any
) -> None:
    page = chromium.new_context().new_page()
    page.emulate_media(media="print")
    for name, path in pages.items():
        page.goto(path.as_uri())
        for figure in page.locator("figure").all():
            assert figure.evaluate("e => getComputedStyle(e).breakInside") == "avoid", name
        assert page.locator(".hint:visible").count() == 0, name
    words = page.locator("p:has(+ figure)")
    assert words.count() == 2
    assert words.first.evaluate("e => getComputedStyle(e).breakAfter") == "avoid"
    page.context.close()
