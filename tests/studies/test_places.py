"""A place in a quota is reserved at the consent, and goes to others once it has expired."""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.browsers import Browser, of_pages, server
from support.studies import make_study

import gfactor as gf
from gfactor.errors import ParameterError
from gfactor.studies.questionnaires import Study, StudyFolder
from gfactor.studies.questionnaires.simulating.form import forms


def finish(browser: Browser) -> str:
    """Answer what is left; the last page."""
    for k in range(50):
        page = browser.get("/task").text
        if 'id="question"' not in page:
            return browser.get("/done").text
        browser.answer("ABCD"[k % 4])
    raise AssertionError("the study does not end")


def later(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Let so much time pass, for the server and for what is stored."""
    now = time.time
    monkeypatch.setattr(time, "time", lambda: now() + seconds)


@pytest.mark.thorough
def test_of_fifteen_at_the_same_time_as_many_finish_as_the_quota_says(tmp_path: Path) -> None:
    study = make_study(tmp_path, count=3, checks=0, quota=3)
    with server(study) as new:
        people = [new() for _ in range(15)]
        consents = [browser.get(f"/?PROLIFIC_PID=p{k}") for k, browser in enumerate(people)]
        pages = [
            browser.send(consent, agree="yes")
            for browser, consent in zip(people, consents, strict=True)
        ]
        begun = [k for k, page in enumerate(pages) if "The study is full" not in page.text]
        assert begun == [0, 1, 2]
        assert all("You have finished" in finish(people[k]) for k in begun)
    with closing(study.store()) as store:
        assert store.completed() == 3
        assert store.counters()["full"] == 12
    facts = dict(gf.study.status(study.path).facts)
    assert (facts["Finished"], facts["Places held"]) == ("3 of 3", "0")


def test_a_place_that_somebody_left_goes_to_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = make_study(tmp_path, count=3, checks=0, quota=1, place_minutes=30)
    with server(study) as new:
        first, second, third = new(), new(), new()
        first.begin("/?PROLIFIC_PID=first")
        first.answer()
        assert "The study is full" in second.begin("/?PROLIFIC_PID=second").text
        later(monkeypatch, 29 * 60)
        assert "The study is full" in second.begin("/?PROLIFIC_PID=second").text
        assert first.where() == "2"
        later(monkeypatch, 2 * 60)
        assert "Question 1" in second.begin("/?PROLIFIC_PID=second").text or second.where() == "1"
        # Who comes back too late is told, and neither an answer nor an address leads further.
        assert "The study is full" in first.get("/task").text
        assert "The study is full" in first.get("/task").text
        assert "You have finished" in finish(second)
        assert "The study is full" in third.begin("/?PROLIFIC_PID=third").text
    with closing(study.store()) as store:
        assert store.completed() == 1
        assert store.frame("exits")["outcome"].tolist() == ["quota_full"]


def test_who_comes_back_late_goes_on_where_nobody_took_the_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = make_study(tmp_path, count=3, checks=0, quota=1, place_minutes=30)
    with server(study) as new:
        first, second = new(), new()
        first.begin("/?PROLIFIC_PID=first")
        first.answer()
        later(monkeypatch, 3600)
        assert first.where() == "2"
        assert "The study is full" in second.begin("/?PROLIFIC_PID=second").text
        assert "You have finished" in finish(first)


@pytest.mark.thorough
def test_an_answer_that_comes_after_the_place_was_given_away_is_not_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = make_study(tmp_path, count=1, checks=0, quota=1, place_minutes=30)
    with server(study) as new:
        first, second = new(), new()
        first.begin("/?PROLIFIC_PID=first")
        page = first.get("/task")
        later(monkeypatch, 3600)
        second.begin("/?PROLIFIC_PID=second")
        form = next(f for f in forms(page.text) if f.action == "/task")
        assert "The study is full" in first.post("/task", {**form.hidden, "option": "A"}).text
        assert "You have finished" in finish(second)
    with closing(study.store()) as store:
        assert store.completed() == 1
        assert len(store.frame("answers")) == 1


def test_a_group_is_full_while_somebody_of_it_is_on_the_way(tmp_path: Path) -> None:
    study = of_pages(tmp_path, '"gender:woman" = 1')
    about: dict[str, Any] = {"q-0": "30"}
    with server(study) as new:
        one, two, three = new(), new(), new()
        for browser, name in ((one, "one"), (two, "two"), (three, "three")):
            browser.begin(f"/?PROLIFIC_PID={name}")
        assert "Question" in one.send(one.get("/task"), **about, **{"q-1": "woman"}).text
        assert "full" in two.send(two.get("/task"), **about, **{"q-1": "woman"}).text
        assert "Question" in three.send(three.get("/task"), **about, **{"q-1": "man"}).text


@pytest.mark.parametrize("minutes", [0, -1])
def test_a_place_that_nobody_would_keep_is_refused(minutes: float) -> None:
    with pytest.raises(ParameterError, match="place_minutes"):
        Study("s", "S", place_minutes=minutes)


def test_the_checklist_says_how_long_a_place_is_kept(tmp_path: Path) -> None:
    for minutes, said in ((None, "60 minutes"), (2.5, "2.5 minutes")):
        study = make_study(tmp_path / said, count=2, quota=4, place_minutes=minutes)
        assert StudyFolder.open(study.path).study.place_minutes == minutes
        check = gf.study.check(study.path).table.set_index("name").loc["quotas"]
        assert said in check["says"]
