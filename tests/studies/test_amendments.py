"""Amendments of a study that a server shows."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from support.studies import client_of, make_study

import gfactor as gf
from gfactor.cli import cli
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.studies.questionnaires import Rules, StudyExport, StudyFolder, application
from gfactor.studies.questionnaires.simulating.form import forms
from gfactor.studies.questionnaires.study.readiness import check_study
from gfactor.studies.web.database import Database


def take(app: Any) -> str:
    """Take part to the end, if somebody is let in; the text of the last page."""
    with client_of(app) as client:
        return answer_all(client)


def answer_all(client: Any) -> str:
    client.cookies.clear()
    begin = forms(client.get("/").text)
    reply = client.post("/start", data={**begin[0].hidden, "agree": "yes"})
    if "full" in reply.text.split("<main", 1)[-1].split("</main>", 1)[0].lower():
        return reply.text
    while 'id="question"' in (page := client.get("/task").text):
        hidden = next(f for f in forms(page) if f.action == "/task").hidden
        client.post("/task", data={**hidden, "option": "A"})
    return client.get("/done").text


def finished(folder: StudyFolder) -> int:
    with closing(folder.store_as_it_is()) as store:
        return store.completed()


def change(folder: StudyFolder, **settings: Any) -> None:
    text = replace(folder.study, **settings).to_toml()
    (folder.path / "study.toml").write_text(text, "utf-8")


def amend(folder: StudyFolder) -> str:
    words = ["study", "amend", str(folder.path), "--reason", "quota"]
    return CliRunner().invoke(cli, words, catch_exceptions=False).output


def test_a_running_server_follows_an_amendment_and_nothing_else(tmp_path: Path) -> None:
    """A quota that is raised in the field turns nobody away, and the code is the new one; a
    change that is not recorded counts for nothing."""
    folder = make_study(tmp_path, count=2, checks=0, quota=1, completion_code="ONE")
    with client_of(application(folder)) as client:
        assert "ONE" in answer_all(client)
        answer_all(client)
        assert finished(folder) == 1
        change(folder, quota=2, completion_code="TWO")
        answer_all(client)
        assert finished(folder) == 1
        output = amend(folder)
        assert "quota: 1 -> 2" in output
        assert "a running server follows it" in output
        assert "TWO" in answer_all(client)
        assert finished(folder) == 2
        answer_all(client)
        assert finished(folder) == 2


def test_who_has_begun_goes_on_after_an_amendment(tmp_path: Path) -> None:
    folder = make_study(tmp_path, count=3, checks=0)
    with client_of(application(folder)) as client:
        begin = forms(client.get("/").text)[0]
        client.post("/start", data={**begin.hidden, "agree": "yes"})
        hidden = next(f for f in forms(client.get("/task").text) if f.action == "/task").hidden
        change(folder, quota=7)
        amend(folder)
        reply = client.post("/task", data={**hidden, "option": "A"})
        assert "2 of 3" in reply.text or "2 / 3" in reply.text


@pytest.mark.thorough
def test_an_amendment_costs_an_answer_no_statement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, statements = make_study(tmp_path, count=4, checks=0), list[str]()
    prepare = Database._prepare

    def traced(database: Database, connection: Any, record: Any) -> None:
        prepare(database, connection, record)
        connection.set_trace_callback(statements.append)

    monkeypatch.setattr(Database, "_prepare", traced)
    with client_of(application(folder)) as client:
        begin = forms(client.get("/").text)[0]
        client.post("/start", data={**begin.hidden, "agree": "yes"})
        change(folder, quota=7)
        amend(folder)
        hidden = next(f for f in forms(client.get("/task").text) if f.action == "/task").hidden
        statements.clear()
        client.post("/task", data={**hidden, "option": "A"}, headers={"x-fragment": "1"})
        assert len(statements) == 1


def test_amending_nothing_says_since_when_or_that_nobody_has_come(tmp_path: Path) -> None:
    folder = make_study(tmp_path, count=1, checks=0)
    assert "nobody has come yet" in amend(folder)
    take(application(folder))
    assert "nothing has changed since the study was declared" in amend(folder)
    change(folder, quota=7)
    amend(folder)
    assert "nothing has changed since the study was amended at 2" in amend(folder)


@pytest.mark.thorough
def test_an_amendment_of_which_no_form_can_be_made_is_refused(tmp_path: Path) -> None:
    folder = make_study(tmp_path, count=2, checks=0)
    take(application(folder))
    change(folder, practice=("q99",))
    with pytest.raises(ParameterError, match="q99"):
        gf.study.amend(folder.path, "another practice")


def test_marks_say_who_stays_out_of_the_journal_and_norms_name_the_option(tmp_path: Path) -> None:
    """--without-invalid is about check questions alone."""
    folder = make_study(tmp_path, count=3, checks=0, rules=Rules(rapid_s=60.0))
    app = application(folder)
    with client_of(app) as client:
        for _ in range(10):
            answer_all(client)
    every = gf.study.export(folder.path, tmp_path / "every", keep_invalid=False)
    assert every.people == 10
    assert every.summary().startswith("10 people, 30 answers")
    assert gf.study.export(folder.path, tmp_path / "other", without=["distracted"]).people == 10
    slow = gf.study.export(folder.path, tmp_path / "slow", without=["speeding"])
    assert (slow.people, slow.left_out, slow.reasons) == (0, 10, {"speeding": 10})
    assert slow.summary().startswith(
        "0 people, 0 answers\n10 people are left out of the journal: 10 speeding\n"
    )
    with pytest.raises(UnknownNameError, match="did you mean 'speeding'"):
        gf.study.export(folder.path, tmp_path / "no", without=["speedin"])
    found = gf.norms(tmp_path / "every", min_n=10).diagnostics
    remedies = [one.remedy for one in found if one.code == "marked_submissions"]
    assert remedies == ["Export again without them: gfactor study export --without speeding."]


def test_the_checklist_and_the_log_speak_in_sentences(tmp_path: Path) -> None:
    folder = make_study(
        tmp_path, count=3, checks=0, quota=60, languages=("en", "fr"), quotas={"fr": 25}
    )
    lines = {one.name: one.says for one in check_study(folder)}
    assert lines["quotas"].startswith("60 in all; fr 25; a place is kept")
    gf.study.pause(folder.path)
    assert gf.study.log(folder.path).summary().endswith("1 action; none was changed or deleted")
    assert StudyExport((), 1, 1, 1).summary() == (
        "1 person, 1 answer\nthe study was amended 1 time since its first participant"
    )


def test_a_title_is_shown_in_the_participants_language(tmp_path: Path) -> None:
    folder = make_study(
        tmp_path, count=2, checks=0, title={"en": "Shapes", "fr": "Formes"}, languages=("en", "fr")
    )
    assert StudyFolder.open(folder.path).study.title == {"en": "Shapes", "fr": "Formes"}
    with client_of(application(folder)) as client:
        assert "<title>Shapes</title>" in client.get("/").text.replace("\n", "")
        french = client.get("/", headers={"accept-language": "fr"}).text
        assert "Formes" in french
        assert "Shapes" not in french
    lines = {one.name: one for one in check_study(folder)}
    assert lines["languages"].state == "ok"
    change(folder, title={"en": "Shapes"})
    lines = {one.name: one.says for one in check_study(StudyFolder.open(folder.path))}
    assert lines["languages"] == "missing: title in fr"
    with pytest.raises(ParameterError, match="title of a study has no text in its language, 'en'"):
        change(folder, title={"fr": "Formes"})


def test_a_new_study_says_what_a_person_gets_of_it(tmp_path: Path) -> None:
    bank = make_study(tmp_path, count=9).bank
    part = gf.study.new(bank, tmp_path / "a", title="A", per_person=4, practice=["q00"], checks=1)
    assert "a study of 9 items (a person answers 4, practices 1, gets 1 check question);" in (
        part.summary()
    )
    every = gf.study.new(bank, tmp_path / "b", title="B", checks=1)
    assert "a study of 9 items; edit study.toml" in every.summary()
    assert "warning" not in every.summary()
    few = gf.study.new(bank, tmp_path / "c", title="C", per_person=3, checks=5)
    assert "warning: a person gets 5 check questions and 3 items; set checks" in few.summary()


def test_a_study_in_languages_with_other_items_says_what_a_person_gets_in_each(
    tmp_path: Path,
) -> None:
    source = tmp_path / "pools.jsonl"
    rows = [{"id": k, "question": f"How many? ({k})", "options": ["one", "two"], "answer": "A",
             "lang": "en" if k < 5 else "pt"} for k in range(8)]  # fmt: skip
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    bank = gf.build("vlmevalkit", source=source, path=tmp_path / "b.parquet")
    made = gf.study.new(bank, tmp_path / "a", title="A", languages=("en", "pt"), checks=0)
    assert made.forms == {"en": {"item": 5}, "pt": {"item": 3}}
    assert "a study of 8 items (in en a person answers 5; in pt a person answers 3); edit" in (
        made.summary()
    )


def test_people_left_out_of_an_export_are_counted_by_reason(tmp_path: Path) -> None:
    folder = make_study(tmp_path, count=3, checks=0, rules=Rules(rapid_s=60.0))
    app = application(folder)
    with client_of(app) as client:
        for _ in range(2):
            answer_all(client)
    with client_of(app) as client:
        begin = forms(client.get("/").text)
        client.post("/start", data={**begin[0].hidden, "agree": "yes"})
    out = gf.study.export(folder.path, tmp_path / "o", finished_only=True, without=["speeding"])
    assert (out.people, out.left_out) == (0, 3)
    assert out.reasons == {"speeding": 2, "unfinished": 1}
    assert "3 people are left out of the journal: 2 speeding, 1 unfinished\n" in out.summary()
    assert out.to_dict()["reasons"] == out.reasons
    assert "left out" not in gf.study.export(folder.path, tmp_path / "every").summary()
