"""Pages have the study file's names, answers are in words, options stand beside pictures."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from support.browsers import Browser, server
from support.studies import PASSWORD, browser_page, client_of, exam_bank

import gfactor as gf
from gfactor.benchmarks.chc import build
from gfactor.items import Item, ItemBank, write_bank
from gfactor.studies.questionnaires import Study, StudyFolder, application
from gfactor.studies.questionnaires.simulating import serving
from gfactor.studies.questionnaires.simulating.form import forms
from gfactor.studies.questionnaires.study.study_files import read_study_file

FILE = """
id = "named"
title = "Named"
bank = "bank.parquet"
conditions = ["hint", "plain"]
counterbalance = ["shapes", "lines"]

[[pages]]
kind = "questions"
name = "about-you"
questions = [
    {name = "gender", library = "gender"},
    {name = "tools", kind = "multiple", text = "Which tools?", options = [
        {value = "m", text = "A mouse"}, {value = "t", text = "Touch"}]},
]

[[pages]]
kind = "instructions"
condition = "hint"
text = "Look twice."

[[pages]]
kind = "block"
name = "shapes"
text = "Now shapes."
items = ["q00", "q01"]

[[pages]]
kind = "break"

[[pages]]
kind = "block"
name = "lines"
items = ["q02", "q03"]
"""
NAMES = [
    "about-you", "instructions", "shapes: text", "shapes: question 1", "shapes: question 2",
    "break", "lines: question 1", "lines: question 2", "results", "done",
]  # fmt: skip


def named(folder: Path) -> StudyFolder:
    exam_bank(folder, 4)
    path = folder / "file.toml"
    path.write_text(FILE, "utf-8")
    given = read_study_file(path)
    return StudyFolder.make(folder / "study", given.study, given.bank, PASSWORD)


def go_on(browser: Browser, steps: int) -> None:
    for _ in range(steps):
        page = browser.get("/task")
        if 'id="question"' in page.text:
            about = {"q-0": "woman", "q-1": "t"}
            browser.send(page, **(about if 'name="q-1"' in page.text else {"option": "A"}))


def test_dropout_has_the_names_of_the_file_whatever_the_condition_and_the_order(
    tmp_path: Path,
) -> None:
    study = named(tmp_path)
    with server(study) as new:
        for k in range(8):
            browser = new()
            browser.begin("/")
            go_on(browser, 30)
            browser.get("/results")
            if k < 6:
                browser.get("/done")
        gone = new()
        gone.begin("/")
        go_on(gone, 1)
        gone.get("/task")
    status = gf.study.status(study.path)
    rows = {row["page"]: row for row in status.dropout}
    assert list(rows) == NAMES
    assert ("Finished", "8") in status.facts
    assert status.summary().endswith(
        "those who left at 'results' had answered everything and are finished"
    )
    assert rows["about-you"]["reached"] == 9
    assert rows["instructions"]["reached"] in (4, 5)  # those of one condition
    for name in NAMES[2:9]:
        assert rows[name]["reached"] in (8, 9), name
    assert rows["results"]["left"] == 2
    assert sum(row["left"] for row in rows.values()) == 3
    assert rows["done"]["reached"] == 6


def test_owners_read_what_people_chose_and_not_how_it_is_stored(tmp_path: Path) -> None:
    study = named(tmp_path)
    with server(study) as new:
        browser = new()
        browser.begin("/")
        go_on(browser, 1)
        with closing(study.store()) as store:
            (code,) = store.codes()
        owner = new()
        owner.send(owner.get("/owner/login"), password=PASSWORD)
        for path in ("/owner/answers", f"/owner/person/{code}"):
            page = owner.get(path).text
            assert "What is your gender? Woman; Which tools? Touch" in page
            assert "{&#34;" not in page
        assert "about-you" in owner.get("/owner/times").text


@pytest.mark.slow
def test_eight_options_are_seen_beside_their_picture(tmp_path: Path) -> None:
    parts = build.plan(seed=7, families=["matrices"], difficulty=["easy"], per_cell=1).parts
    items = [item for part in parts for item in part.make() if isinstance(item, Item)]
    assert len(items[0].choices) == 8
    bank = ItemBank.open(write_bank(items, tmp_path / "chc.parquet"))
    study = StudyFolder.make(tmp_path / "study", Study("s", "S", checks=0), bank, PASSWORD)
    with serving(study) as base, browser_page(viewport={"width": 1300, "height": 900}) as page:
        page.goto(base)
        page.locator("#agree").check()
        page.locator("main button").click()
        page.wait_for_url("**/instructions")
        page.goto(f"{base}/task")
        page.wait_for_selector("form:not([data-waiting])")
        options = [one.bounding_box() for one in page.locator(".options li").all()]
        picture = page.locator(".stem img").bounding_box()
        assert picture is not None
        assert len(options) == 8
        assert all(box is not None and box["y"] + box["height"] <= 900 for box in options)
        assert picture["y"] + picture["height"] <= 900
        assert picture["width"] >= 400
        page.set_viewport_size({"width": 390, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.thorough
def test_labels_alone_stand_in_rows_on_every_way_to_a_question(tmp_path: Path) -> None:
    """The part of a page that follows an answer has the layout of the whole page, and the results
    list no letters without a text."""
    parts = build.plan(seed=3, families=["matrices"], difficulty=["easy"], per_cell=2).parts
    items = [item for part in parts for item in part.make() if isinstance(item, Item)]
    bank = ItemBank.open(write_bank(items, tmp_path / "bank.parquet"))
    study = Study("labels", "Labels", checks=0)
    made = StudyFolder.make(tmp_path / "study", study, bank, PASSWORD)
    with client_of(application(made)) as client:
        browser = Browser(client)
        browser.begin("/")
        whole = browser.get("/task")
        form = next(f for f in forms(whole.text) if f.action == "/task")
        sent = {**form.hidden, "option": "A"}
        part = client.post("/task", data=sent, headers={"x-fragment": "1"})
        for page in (whole, part):
            assert 'class="options bare"' in page.text
        browser.answer()
        results = browser.get("/results").text
    assert "Question 2 of 2" in results
    assert '<span class="label">B</span>' not in results
