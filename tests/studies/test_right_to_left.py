"""The interface in Arabic and Hebrew: the whole way of a participant, from right to left."""

from __future__ import annotations

import html
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.adaptive_studies import calibrated, ready, table
from support.recordings import sound
from support.studies import (
    PASSWORD,
    accessibility_problems,
    browser_page,
    client_of,
    exam_bank,
    exam_items,
)

import gfactor as gf
from gfactor.items import ItemBank, digest_of, write_bank
from gfactor.psychometrics.irt.scales.calibration_files import write_calibration
from gfactor.studies.questionnaires import LANGUAGES, StudyFolder, application
from gfactor.studies.questionnaires.simulating import serving
from gfactor.studies.questionnaires.simulating.form import forms
from gfactor.studies.questionnaires.translations import words

PHONE = {"viewport": {"width": 390, "height": 780}, "has_touch": True, "is_mobile": True}
WAY = """
id = "way"
title = "دراسة الصور"
language = "ar"
bank = "bank.parquet"

[[pages]]
kind = "questions"
name = "about"
media = "tone.wav"
once = true
questions = [{name = "age", library = "age"}, {name = "vision", library = "vision"}]

[[pages]]
kind = "practice"
items = ["q11"]

[[pages]]
kind = "block"
name = "timed"
items = ["q00", "q01"]
time_limit_s = 60

[[pages]]
kind = "break"

[[pages]]
kind = "block"
name = "adaptive"
calibration = "known.json"
max_items = 3
se = 0.1

[[pages]]
kind = "debriefing"
text = {ar = "كانت هذه الدراسة عن **الصور**.", en = "About pictures."}
"""


def arabic_study(folder: Path) -> StudyFolder:
    write_calibration(calibrated(exam_bank(folder, 12)), folder / "known.json")
    (folder / "way.toml").write_text(WAY, "utf-8")
    (folder / "tone.wav").write_bytes(sound())
    made = gf.study.new(folder / "way.toml", folder / "study", password=PASSWORD)
    return StudyFolder.open(made.folder)


def check_page(page: Any) -> None:
    """Right to left, without serious findings, nothing that sticks out at the sides."""
    assert page.evaluate("getComputedStyle(document.querySelector('h1')).direction") == "rtl"
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]
    assert not accessibility_problems(page)


def send(page: Any) -> None:
    before = page.locator("input[name=position]").get_attribute("value")
    page.keyboard.press("Enter")
    page.wait_for_function(
        "before => document.querySelector('input[name=position]')?.value !== before", arg=before
    )


def answer(page: Any, key: str) -> None:
    ready(page)
    page.keyboard.press(key)
    send(page)


def listen_once(page: Any, say: Any) -> None:
    """Play the sound of a page, which then offers it no more, loaded again or not."""
    assert page.is_hidden("audio")
    page.locator("#play").tap()
    page.wait_for_selector("audio", state="detached")
    assert say("media_over") in page.inner_text("#media-note")
    page.reload()
    ready(page)
    assert say("media_lost") in page.inner_text("#recording")
    check_page(page)


@pytest.mark.thorough
def test_the_whole_way_in_arabic(tmp_path: Path) -> None:
    folder, say = arabic_study(tmp_path), words("ar")
    with serving(folder) as base, browser_page(**PHONE) as page:
        page.goto(base)
        check_page(page)
        tick, label = (page.locator(f".tick {tag}").bounding_box() for tag in ("input", "label"))
        assert tick["x"] > label["x"] + label["width"] / 2, "the box stands right of its text"
        for key in ("Tab", "Space", "Tab", "Enter"):
            page.keyboard.press(key)
        page.wait_for_url("**/task*")
        ready(page)
        check_page(page)
        assert say("library_vision_corrected") in page.content()
        listen_once(page, say)
        page.locator("#f-0").fill("٢٨")
        page.locator("label[for='f-q-1-2']").tap()
        send(page)
        answer(page, "1")
        assert page.locator("#feedback").is_visible()
        page.keyboard.press("Enter")
        page.wait_for_selector("#question")
        assert page.locator("h1").inner_text() == say("question_of_most", number=1, count=5)
        answer(page, "2")
        page.context.set_offline(True)
        ready(page)
        page.keyboard.press("3")
        page.keyboard.press("Enter")
        resend = say("resend")
        page.wait_for_function(
            "said => document.getElementById('status').textContent === said", arg=resend
        )
        page.context.set_offline(False)
        page.wait_for_function(
            "said => document.querySelector('h1').innerText === said", arg=say("break_heading")
        )
        check_page(page)
        send(page)
        for _ in range(3):
            ready(page)
            page.reload()
            ready(page)
            check_page(page)
            answer(page, "4")
        page.wait_for_url("**/results")
        check_page(page)
        page.goto(f"{base}/done")
        check_page(page)
        assert "<strong>الصور</strong>" in page.content()
    answers = table(folder, "answers")
    assert answers["kind"].value_counts().to_dict() == {"item": 5, "page": 2, "practice": 1}
    [about] = [text for text in answers["text"] if text.startswith("{") and "age" in text]
    assert json.loads(about) == {"age": 28, "vision": "corrected"}
    [played] = table(folder, "playbacks").to_dict("records")
    assert (played["plays"], played["ends"]) == (1, 1)
    assert json.loads(played["measured"])["duration_s"] == 1.0


@pytest.mark.thorough
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_the_same_and_in_its_direction(tmp_path: Path, language: str) -> None:
    english, say = words("en"), words(language)
    for key, sentence in english.sentences.items():
        named = re.findall(r"\{\w+\}", sentence)
        assert sorted(re.findall(r"\{\w+\}", say.sentences[key])) == sorted(named), key
    assert set(say.sentences) == set(english.sentences)
    bank = exam_bank(tmp_path, 3)
    made = gf.study.new(bank, tmp_path / "s", title="T", language=language, password=PASSWORD)
    with client_of(application(StudyFolder.open(made.folder))) as client:
        page, owner = client.get("/").text, client.get("/owner/login").text
    side = "rtl" if language in ("ar", "he") else "ltr"
    assert re.search(rf'<html lang="{language}[-A-Za-z]*" dir="{side}">', page)
    assert '<html lang="en">' in owner


def two_languages(folder: Path) -> StudyFolder:
    """A study in English and Arabic, with items of both."""
    items = [*exam_items(4), *(replace(i, id=f"ar-{i.id}", language="ar", provenance=replace(
        i.provenance, content_hash=digest_of([i.id]))) for i in exam_items(4))]  # fmt: skip
    bank = write_bank(items, folder / "bank.parquet")
    (folder / "s.toml").write_text(
        'id = "s"\ntitle = "S"\nbank = "bank.parquet"\nlanguages = ["en", "ar"]\n'
        '[quotas]\nar = 1\n[[pages]]\nkind = "instructions"\n'
        'text = {en = "Look.", ar = "انظر."}\n[[pages]]\nkind = "block"\nname = "all"\n',
        "utf-8",
    )
    made = gf.study.new(folder / "s.toml", folder / "study", password=PASSWORD)
    assert made.items == len(ItemBank.open(bank))
    return StudyFolder.open(made.folder)


def test_a_participant_chooses_the_language_of_pages_and_items(tmp_path: Path) -> None:
    folder = two_languages(tmp_path)
    with client_of(application(folder)) as client:
        for language, prefix, text in (("ar", "ar-", "انظر."), ("en", "q", "Look.")):
            client.cookies.clear()
            page = client.get("/", params={"PROLIFIC_PID": f"p-{language}"}).text
            assert words("ar")("name") in page
            link = re.search(r'href="(/\?language=ar[^"]*)"', page)
            assert link is not None
            if language == "ar":
                page = client.get(html.unescape(link[1])).text
                assert '<html lang="ar" dir="rtl">' in page
            [form] = [f for f in forms(page) if f.action == "/start"]
            again = client.post("/start", data=form.hidden).text
            assert words(language)("agree_first") in again
            assert text in client.post("/start", data={**form.hidden, "agree": "yes"}).text
            for _ in range(5):
                [form] = [f for f in forms(client.get("/task").text) if f.action == "/task"]
                client.post("/task", data={**form.hidden, "option": "A"})
            assert words(language)("results_heading") in client.get("/results").text
            answers, people = table(folder, "answers"), table(folder, "participants")
            [code] = people.loc[people["language"] == language, "code"]
            asked = answers.loc[(answers["code"] == code) & (answers["kind"] == "item"), "item"]
            assert len(asked) == 4
            assert all(item.startswith(prefix) for item in asked)
        client.cookies.clear()
        [form] = [f for f in forms(client.get("/?language=ar").text) if f.action == "/start"]
        full = client.post("/start", data={**form.hidden, "agree": "yes"}).text
        assert words("ar")("full_heading") in full
        [form] = [f for f in forms(client.get("/?language=xx").text) if f.action == "/start"]
        odd = {**form.hidden, "agree": "yes", "language": "<x>"}
        assert "Look." in client.post("/start", data=odd).text
    facts = dict(gf.study.status(folder.path).facts)
    assert facts["Finished in ar"] == "1 of 1"
    contacts = table(folder, "contacts")
    assert sorted(contacts["external_id"]) == ["p-ar", "p-en"]
