"""The whole way of a participant in Chromium and in Firefox: three languages, desktop and phone,
keyboard and touch, with a reload, an offline spell and a second tab."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from support.adaptive_studies import calibrated
from support.firefox_bidi import firefox
from support.studies import CHROMIUM, PASSWORD, accessibility_problems, exam_bank

import gfactor as gf
from gfactor.psychometrics.irt.scales.calibration_files import write_calibration
from gfactor.studies.questionnaires import StudyFolder, export_study
from gfactor.studies.questionnaires.simulating import serving

STUDY = """
id = "way"
title = "The way"
bank = "bank.parquet"
languages = ["en", "zh", "ar"]
seed = 4

[[pages]]
kind = "questions"
name = "about"
questions = [{name = "age", library = "age"}, {name = "vision", library = "vision"}]

[[pages]]
kind = "screen"

[[pages]]
kind = "practice"
items = ["q22"]
exposure_ms = 200

[[pages]]
kind = "block"
name = "quick"
text = {en = "Look closely.", zh = "请仔细看。", ar = "انظر جيدًا."}
items = ["q01", "q02"]
exposure_ms = 100
fixation_ms = 200
mask = "rectangles"

[[pages]]
kind = "break"

[[pages]]
kind = "block"
name = "adaptive"
labels = {type = ["type 3", "type 0"]}
calibration = "known.json"
max_items = 3
se = 0.01

[[pages]]
kind = "debriefing"
text = {en = "All about rows.", zh = "关于行。", ar = "عن الصفوف."}
"""
PHONE = {"viewport": {"width": 390, "height": 780}, "has_touch": True}
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
WAYS = {"en": ("keyboard", DESKTOP), "zh": ("touch", PHONE), "ar": ("keyboard", PHONE)}
DIRECTIONS = {"en": "ltr", "zh": "ltr", "ar": "rtl"}


@contextmanager
def chromium(_: Path) -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    sync = pytest.importorskip("playwright.sync_api")
    with sync.sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()


class Person:
    """Takes a study by keyboard alone, or by touch alone: a tap, which in Firefox is a `click` that
    arrives as one (see `firefox_bidi`)."""

    def __init__(self, page: Any, by: str, checked: bool) -> None:
        self.page, self.by, self.checked = page, by, checked

    def focus(self, selector: str) -> None:
        """By the key Tab, from where the focus is."""
        for _ in range(40):
            if self.page.evaluate("s => document.activeElement.matches(s)", selector):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"{selector} cannot be reached by keyboard")

    def point(self, place: Any) -> None:
        place.tap() if self.by == "tap" else place.click()

    def press(self, selector: str) -> None:
        if self.by != "keyboard":
            self.point(self.page.locator(selector).first)
        else:
            self.focus(selector)
            self.page.keyboard.press("Space")

    def write(self, selector: str, text: str) -> None:
        if self.by != "keyboard":
            self.point(self.page.locator(selector))
        else:
            self.focus(selector)
        self.page.keyboard.type(text)

    def choose(self, number: int) -> None:
        if self.by != "keyboard":
            self.point(self.page.locator(".options label").nth(number - 1))
        else:
            self.page.keyboard.press(str(number))
        box = self.page.locator("input[name=option]").nth(number - 1)
        assert box.is_checked()

    def send(self) -> None:
        if self.by != "keyboard":
            self.point(self.page.locator("main form button[type=submit]").last)
        else:
            self.page.keyboard.press("Enter")

    def ready(self, position: int) -> None:
        """Wait for the question at a position; look at the page as people who see less do."""
        self.page.wait_for_function(
            "position => { const form = document.querySelector('#question:not([data-waiting])');"
            " return form && form.elements.position.value === String(position); }",
            arg=position,
        )
        self.look()

    def look(self) -> None:
        wide = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, "no scrolling sideways"
        if self.checked:
            assert not accessibility_problems(self.page)

    def watch(self) -> None:
        """Start a picture that is shown for a short time, and wait until it has gone."""
        self.page.wait_for_selector("#show-picture:enabled")
        self.press("#show-picture")
        self.page.wait_for_function("() => document.querySelector('.timed[data-shows]')"
                                    " && !document.querySelector('.timed .target')")  # fmt: skip


def take(base: str, context: Any, language: str, by: str, checked: bool) -> None:
    page = context.new_page()
    person = Person(page, by, checked)
    page.goto(f"{base}/?language={language}")
    assert page.evaluate("document.documentElement.dir") == DIRECTIONS[language]
    person.look()
    person.press("#agree")
    person.press("main form button[type=submit]")
    person.ready(0)
    person.write("#f-0", "34")
    person.press("input[name=q-1]")
    person.send()
    person.ready(1)
    person.press("#no-card")
    person.write("#f-distance", "60")
    person.send()
    person.ready(2)
    person.watch()
    person.choose(1)
    person.send()
    page.wait_for_selector("#feedback")
    person.look()
    person.send()
    person.ready(3)
    person.send()
    for position in (4, 5):
        person.ready(position)
        person.watch()
        person.choose(2)
        person.send()
    person.ready(6)
    page.reload()
    person.ready(6)
    person.send()
    person.ready(7)
    offline(person)
    person.ready(8)
    second_tab(person, context, base)
    person.ready(9)
    person.choose(1)
    person.send()
    page.wait_for_url("**/results")
    person.look()
    person.press("form[action='/done'] button")
    page.wait_for_url("**/done*")
    person.look()
    assert {"en": "rows", "zh": "关于行", "ar": "الصفوف"}[language] in page.content()


def offline(person: Person) -> None:
    """The answer is kept while there is no connection, and sent again."""
    person.choose(3)
    person.page.context.set_offline(True)
    person.send()
    person.page.wait_for_function(
        "() => document.getElementById('status').textContent"
        " === document.getElementById('question').dataset.resend"
    )
    person.page.context.set_offline(False)


def second_tab(person: Person, context: Any, base: str) -> None:
    """What is answered in one tab is not answered again in the other, which goes on."""
    other = Person(context.new_page(), person.by, False)
    other.page.goto(f"{base}/task")
    other.ready(8)
    other.choose(1)
    other.send()
    other.ready(9)
    other.page.close()
    person.page.bring_to_front()
    person.choose(4)
    person.send()


@pytest.mark.slow
@pytest.mark.parametrize("browser", [chromium, firefox], ids=lambda program: program.__name__)
def test_a_participant_goes_the_whole_way(tmp_path: Path, browser: Any) -> None:
    bank = exam_bank(tmp_path, 24)
    write_calibration(calibrated(bank), tmp_path / "known.json")
    (tmp_path / "file.toml").write_text(STUDY, "utf-8")
    made = gf.study.new(tmp_path / "file.toml", tmp_path / "study", password=PASSWORD)
    folder = StudyFolder.open(made.folder)
    with serving(folder) as base, browser(tmp_path) as opened:
        for language, (kind, window) in WAYS.items():
            by = kind if kind == "keyboard" else "click" if browser is firefox else "tap"
            context = opened.new_context(**window)
            context.set_default_timeout(300_000)  # a busy machine is no failure
            # The audit of pages is the same in both; once is enough in the slower one.
            take(base, context, language, by, checked=browser is chromium or language == "ar")
            context.close()
    export_study(folder, tmp_path / "out")
    data = tmp_path / "out" / "psych_ds" / "data"
    answers, people, screens, shown, asked = (
        pd.read_csv(data / f"study-way_{word}_data.csv")
        for word in ("answers", "participants", "screens", "presentations", "questionnaire")
    )
    assert sorted(people["language"]) == ["ar", "en", "zh"]
    assert people["finished"].to_numpy(bool).all()
    by_person = answers.groupby("participant_id")
    assert set(by_person.size()) == {6}, "one of practice, two quick ones, three adaptive ones"
    assert not answers.duplicated(["participant_id", "position"]).to_numpy().any()
    assert set(shown["state"]) == {"timed"}
    assert sorted(shown["response_by"].unique()) == ["key", "touch"]
    assert (shown["response_ms"].to_numpy() > 0).all()
    assert set(asked["age"]) == {34}
    assert set(screens["distance_cm"]) == {60}
    widths = screens.merge(people, on="participant_id").set_index("language")["window_width"]
    assert widths.to_dict() == {"en": 1280, "zh": 390, "ar": 390}
