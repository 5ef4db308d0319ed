"""Nothing is lost, doubled or left behind where processes are killed or work side by side."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.adaptive_studies import calibrated
from support.studies import PASSWORD, client_of, exam_bank, make_study

import gfactor as gf
from gfactor.benchmarks.chc import build
from gfactor.items import Item, ItemBank, write_bank
from gfactor.items.formats import TURN_END
from gfactor.studies.questionnaires import Study, StudyFolder, application
from gfactor.studies.questionnaires.pages.context import COOKIE
from gfactor.studies.questionnaires.pages.views import turns_of
from gfactor.studies.questionnaires.simulating.form import Form, forms
from gfactor.studies.questionnaires.storing.store import Store
from gfactor.studies.web import DatabaseBusyError
from gfactor.studies.web.backing_up import backups, restore
from gfactor.studies.web.sessions import hashed


@pytest.fixture(scope="module")
def talk() -> Item:
    parts = build.plan(seed=3, families=["updating"], difficulty=["easy"], per_cell=1).parts
    items: list[Any] = [item for part in parts for item in part.make()]
    return items[0]


def conversation(folder: Path, talk: Item) -> StudyFolder:
    bank = ItemBank.open(write_bank([talk], folder / "bank.parquet"))
    return StudyFolder.make(folder / "study", Study("t", "T", checks=0), bank, PASSWORD)


def begin(client: Any) -> None:
    form = forms(client.get("/").text)[0]
    client.post("/start", data={**form.hidden, "agree": "yes"})


def question(client: Any) -> Form:
    return next(f for f in forms(client.get("/task").text) if f.action == "/task")


def reply(form: Form) -> dict[str, str]:
    return {**form.hidden, **dict.fromkeys(form.texts, "7")}


@pytest.mark.thorough
@pytest.mark.parametrize("how", ["busy", "stopped", "stopped by an older version"])
def test_a_conversation_goes_on_where_its_last_turn_was_interrupted(
    tmp_path: Path, talk: Item, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """The reply to the last turn and the answer are stored together, or neither is."""
    folder, count, store_answer = conversation(tmp_path, talk), turns_of(talk), Store.answer
    failing: list[Exception] = [
        DatabaseBusyError("locked") if how == "busy" else RuntimeError("stopped")
    ]

    def interrupted(*given: Any, **more: Any) -> bool:
        if failing:
            raise failing.pop()
        return store_answer(*given, **more)

    with client_of(application(folder)) as client:
        begin(client)
        for _ in range(count - 1):
            client.post("/task", data=reply(question(client)))
        last = reply(question(client))
        token = client.cookies[COOKIE]
        monkeypatch.setattr(Store, "answer", interrupted)
        if how == "busy":
            assert client.post("/task", data=last).status_code == 200
        else:
            with pytest.raises(RuntimeError, match="stopped"):
                client.post("/task", data=last)
    if how != "busy":
        if how != "stopped":
            add_last_turn(folder, count - 1)
        with client_of(application(folder)) as client:
            client.cookies.set(COOKIE, token)
            assert reply(question(client)) == last
            client.post("/task", data=last)
    with closing(folder.store()) as store:
        assert store.frame("turns")["turn"].tolist() == list(range(count))
        texts = store.frame("turns")["text"]
        (answer,) = store.frame("answers")["text"]
    assert answer.split(TURN_END) == [text for text in texts if text]
    assert texts.iloc[-1] == ("8" if how.endswith("older version") else "ANSWER:7")


def add_last_turn(folder: StudyFolder, turn: int) -> None:
    """What a version before left behind where it was stopped at the last turn."""
    with closing(sqlite3.connect(folder.path / "answers.db")) as connection, connection:
        connection.execute(
            "INSERT INTO turns SELECT code, position, ?, '8', 2.0, 0, 0.0, 0, created FROM turns "
            "WHERE turn = 0",
            (turn,),
        )


def test_nothing_is_left_of_who_was_deleted_and_sends_an_empty_form(tmp_path: Path) -> None:
    folder = make_study(tmp_path, count=4, checks=0)
    with client_of(application(folder)) as client:
        begin(client)
        hidden = question(client).hidden
        with closing(folder.store()) as store:
            store.withdraw(store.codes()[0])
        gone = client.post("/task", data=hidden, follow_redirects=False)
        with closing(folder.store()) as store:
            assert store.frame("shown").empty
        assert (gone.status_code, gone.headers["location"]) == (303, "/")


@pytest.mark.thorough
def test_two_servers_of_one_folder_know_where_everybody_is(tmp_path: Path) -> None:
    folder = make_study(tmp_path, count=6, checks=0)
    with client_of(application(folder)) as one, client_of(application(folder)) as two:
        begin(one)
        assert question(one).hidden["position"] == "0"
        two.cookies.set(COOKIE, one.cookies[COOKIE])
        assert question(two).hidden["position"] == "0"
        for k, client in enumerate((one, two, one, two, two, one)):
            form = question(client)
            assert form.hidden["position"] == str(k)
            client.post("/task", data={**form.hidden, "option": "A"}, headers={"x-fragment": "1"})
        assert str(two.get("/task").url).endswith("/results")
    with closing(folder.store()) as store:
        assert store.frame("answers")["position"].tolist() == list(range(6))
        person = store.participant(hashed(one.cookies[COOKIE]))
    assert person is not None
    assert person.finished is not None


def test_a_form_that_grew_elsewhere_is_not_taken_for_finished(tmp_path: Path) -> None:
    bank = exam_bank(tmp_path, 8)
    how: dict[str, Any] = {"title": "T", "max_items": 4, "se": 0.01, "checks": 0}
    known = calibrated(bank)
    gf.study.new(bank, tmp_path / "study", password=PASSWORD, calibration=known, **how)
    folder = StudyFolder.open(tmp_path / "study")
    with client_of(application(folder)) as one, client_of(application(folder)) as two:
        begin(one)
        two.cookies.set(COOKIE, one.cookies[COOKIE])
        two.get("/instructions")
        for _ in range(2):
            one.post("/task", data={**question(one).hidden, "option": "A"})
        assert question(two).hidden["position"] == "2"


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["a?b=1", "50%20off", "file:x"])
def test_a_folder_may_have_a_name_that_looks_like_an_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = make_study(Path(name), count=2, checks=0)
    with client_of(application(folder)) as client:
        begin(client)
        client.post("/task", data={**question(client).hidden, "option": "A"})
        gf.study.backup(Path(name, "study"), Path(name, "backups"))
    (saved,) = backups(Path(name, "backups"))
    for path in (Path(name, "study"), restore(saved, Path(name, "again"))):
        with closing(StudyFolder.open(path).store()) as store:
            assert len(store.frame("answers")) == 1
    assert [path.name for path in tmp_path.iterdir()] == [name]
