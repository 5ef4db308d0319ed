"""Sliders: two ends with numbers, a field without scripts, and no answer before it is moved."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.served import serving_app
from support.studies import (
    PASSWORD,
    accessibility_problems,
    browser_page,
    client_of,
    exam_bank,
)

import gfactor as gf
from gfactor.errors import ParameterError
from gfactor.studies.questionnaires import StudyFolder, application
from gfactor.studies.questionnaires.simulating.form import forms
from gfactor.studies.questionnaires.study.study_files import read_study_file

ENDS = '{value = "0", text = "not at all"}, {value = "100", text = "very much"}'
FILE = """
id = "effort"
title = "Effort"
bank = "bank.parquet"

[[pages]]
kind = "questions"
name = "effort-page"
questions = [
    {{name = "effort", kind = "slider", text = "How hard was it?", options = [{ends}]{more}}},
]

[[pages]]
kind = "block"
name = "items"
items = ["q01"]
"""


def made(folder: Path, ends: str = ENDS, more: str = "") -> StudyFolder:
    exam_bank(folder, 2)
    path = folder / "study-file.toml"
    path.write_text(FILE.format(ends=ends, more=more), "utf-8")
    given = read_study_file(path)
    return StudyFolder.make(folder / "study", given.study, given.bank, PASSWORD)


def stored(study: StudyFolder) -> list[Any]:
    with closing(study.store()) as store:
        answers = store.frame("answers")
    return [json.loads(text) for text in answers.loc[answers["kind"] == "page", "text"]]


@pytest.mark.parametrize(
    ("ends", "more"),
    [('{value = "0", text = "a"}', ""), ('"low", "high"', ""), (ENDS, ", step = 0"),
     ('{value = "9", text = "a"}, {value = "1", text = "b"}', ""), (ENDS, ", step = 101")],
)  # fmt: skip
def test_a_slider_that_cannot_be_moved_is_refused(ends: str, more: str, tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=r"pages\[1\]\.questions\[1\]\.options of a slider"):
        made(tmp_path, ends, more)


@pytest.mark.thorough
def test_a_slider_is_stored_as_a_number_between_its_ends(tmp_path: Path) -> None:
    study = made(tmp_path, more=", step = 5")
    assert StudyFolder.open(study.path).study == study.study
    with client_of(application(study)) as client:
        client.post("/start", data={**forms(client.get("/").text)[0].hidden, "agree": "yes"})
        page = client.get("/task")
        assert "not at all" in page.text
        assert "very much" in page.text
        for text, problem in (("", "How hard was it?"), ("100.5", "100"), ("much", "100")):
            hidden = next(f for f in forms(page.text) if f.action == "/task").hidden
            page = client.post("/task", data={**hidden, "q-0": text})
            assert problem in page.text
            assert stored(study) == []
        hidden = next(f for f in forms(page.text) if f.action == "/task").hidden
        client.post("/task", data={**hidden, "q-0": "62.5"})
    assert stored(study) == [{"effort": 62.5}]
    gf.study.export(study.path, tmp_path / "out")
    described = (tmp_path / "out/psych_ds/data_dictionary.csv").read_text()
    assert "0 = not at all; 100 = very much" in described


@pytest.mark.slow
def test_a_slider_answers_only_when_it_was_moved(tmp_path: Path) -> None:
    """By keyboard and by touch, at the width of a phone."""
    study = made(tmp_path)
    phone = {"viewport": {"width": 390, "height": 700}}
    with (
        serving_app("gfactor.studies.questionnaires", study.path) as base,
        browser_page(**phone) as page,
    ):
        page.goto(base)
        page.check("#agree")
        page.get_by_role("button", name="Take part").click()
        slider, send = page.locator("input[type=range]"), page.locator("button[type=submit]").last
        slider.wait_for()
        assert "untouched" in str(slider.get_attribute("class"))
        send.click()
        assert page.locator("#f-0:invalid").count() == 1
        assert stored(study) == []
        assert accessibility_problems(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        slider.focus()
        page.keyboard.press("ArrowRight")
        assert page.locator("#f-0").input_value() == "51"
        box = slider.bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + box["width"] - 4, box["y"] + box["height"] / 2)
        assert page.locator("#f-0").input_value() == "100"
        page.locator("#f-0").fill("70")
        assert slider.input_value() == "70"
        send.click()
        page.locator("input[name=option]").first.wait_for(state="attached")
    assert stored(study) == [{"effort": 70}]
