"""Nothing of a question with a clock leaves the server before the clock runs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from support.browsers import server
from support.studies import PASSWORD, browser_page, exam_bank
from support.tiers import slow

from gfactor.studies.questionnaires import StudyFolder
from gfactor.studies.questionnaires.simulating import serving
from gfactor.studies.questionnaires.simulating.form import forms
from gfactor.studies.questionnaires.study.study_files import read_study_file

TIMED = {"limit": "time_limit_s = 20", "exposure": "exposure_ms = 200"}
STUDY = """
id = "clock"
title = "Clock"
bank = "bank.parquet"
shuffle = false
{before}
[[pages]]
kind = "block"
name = "first"
items = [{first}]
{timed}

[[pages]]
kind = "break"

[[pages]]
kind = "block"
name = "second"
items = [{second}]
{timed}
"""
BEFORE = {
    "instructions": '[[pages]]\nkind = "instructions"\n',
    "questions": '[[pages]]\nkind = "questions"\nname = "you"\n'
    'questions = [{name = "tool", kind = "text", text = "Tool?"}]\n',
    "practice": '[[pages]]\nkind = "practice"\nitems = ["q00"]\n',
    "untimed block": '[[pages]]\nkind = "block"\nname = "zero"\nitems = ["q00"]\n',
}


def made(folder: Path, before: str, timed: str) -> StudyFolder:
    """Of five questions the last four have a clock; every third has pictures as options."""
    folder.mkdir(parents=True, exist_ok=True)
    exam_bank(folder, 5)
    items = {"first": '"q01", "q03"', "second": '"q02", "q04"'}
    path = folder / "file.toml"
    path.write_text(STUDY.format(before=before, timed=timed, **items), "utf-8")
    given = read_study_file(path)
    return StudyFolder.make(folder / "study", given.study, given.bank, PASSWORD)


@pytest.mark.parametrize(
    ("before", "timed"),
    # Every page with one of both clocks.
    [pytest.param(page, clock, marks=[slow] * ((i + k) % 2))
     for i, page in enumerate(BEFORE) for k, clock in enumerate(TIMED)],
)  # fmt: skip
def test_no_picture_is_sent_from_the_page_before(before: str, timed: str, tmp_path: Path) -> None:
    study = made(tmp_path, BEFORE[before], TIMED[timed])
    with server(study) as new:
        browser = new()
        browser.begin("/")
        folder = ""
        seen = []
        for _ in range(30):
            page = browser.get("/task")
            if 'id="question"' not in page.text:
                break
            form = next(f for f in forms(page.text) if f.action == "/task")
            position = int(form.hidden["position"])
            known = re.search(r"/image/[^/]+/", page.text)
            folder = known[0] if known else folder
            if folder:
                ahead = [
                    (at, k)
                    for at in range(position + 1, 8)  # More than the study has pages.
                    for k in range(6)
                    if browser.get(f"{folder}{at}/{k}").status_code == 200
                ]
                assert not ahead
                seen.append(position)
            assert not re.search(r'data-ahead="[^"]', page.text)
            reply = browser.post("/task", {**form.hidden, "option": "A", "q-0": "pen"})
            if folder and "Practice: " in reply.text:  # its feedback: the next clock is not running
                assert browser.get(f"{folder}{position + 1}/0").status_code == 404
        assert len(seen) >= 4


def test_pictures_without_a_clock_are_loaded_ahead_as_before(tmp_path: Path) -> None:
    study = made(tmp_path, BEFORE["untimed block"], "")
    with server(study) as new:
        browser = new()
        browser.begin("/")
        page = browser.get("/task").text
        ahead = re.search(r'data-ahead="([^" ]+) ', page)
        assert ahead is not None
        assert browser.get(ahead[1]).status_code == 200


def test_a_picture_that_was_shown_is_sent_again_by_a_server_that_was_started_again(
    tmp_path: Path,
) -> None:
    study = made(tmp_path, BEFORE["practice"], TIMED["limit"])
    picture = None
    with server(study) as new:
        browser = new()
        browser.begin("/")
        for _ in range(2):
            page = browser.get("/task")
            form = next(f for f in forms(page.text) if f.action == "/task")
            picture = re.search(r'src="(/image/[^"]+)"', page.text)
            if form.hidden["position"] == "0":
                browser.post("/task", {**form.hidden, "option": "A"})
        cookies = browser.cookies
    assert picture is not None
    with server(study) as new:
        browser = new()
        browser.cookies = cookies
        assert browser.get(picture[1]).status_code == 200


@pytest.mark.slow
@pytest.mark.parametrize("timed", list(TIMED))
def test_a_browser_gets_no_picture_before_its_question(timed: str, tmp_path: Path) -> None:
    study = made(tmp_path, BEFORE["instructions"], TIMED[timed])
    with serving(study) as base, browser_page() as page:
        asked: list[int] = []

        def note(response: Any) -> None:
            found = re.search(r"/image/[^/]+/(\d+)/", response.url)
            if found and response.status == 200:
                asked.append(int(found[1]))

        page.on("response", note)
        page.goto(base)
        page.locator("#agree").check()
        page.locator("main button").click()
        page.wait_for_url("**/task*")
        for position in range(6):
            page.wait_for_function(
                "k => document.querySelector('input[name=position]')?.value === String(k)",
                arg=position,
            )
            page.wait_for_selector("form:not([data-waiting])")
            show = page.locator("#show-picture")
            if show.count():
                show.click()
                page.wait_for_selector("input[name=option]:not([disabled])")
            if page.locator("input[name=option]").count():
                page.locator("input[name=option]").first.check()
            page.wait_for_timeout(300)  # what is loaded ahead comes once the page is there
            assert all(sent <= position for sent in asked), (position, asked)
            page.locator("#question button[type=submit]").click()
        page.wait_for_url("**/results")
        assert {1, 2, 4, 5} <= set(asked)
