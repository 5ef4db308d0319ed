"""What an answer costs the server, and that nothing is lost by what is kept in memory."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from dataclasses import asdict, replace
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest
from support.studies import PASSWORD, client_of, exam_items, make_study, picture

from gfactor.items import Choice, ItemBank, write_bank
from gfactor.studies.questionnaires import Step, Study, StudyFolder, application
from gfactor.studies.questionnaires.pages.context import COOKIE, StudyContext
from gfactor.studies.questionnaires.pages.prepared import QUESTION, RESULT, Prepared
from gfactor.studies.questionnaires.pages.showing import question, question_part, result_part
from gfactor.studies.questionnaires.pages.views import item_view
from gfactor.studies.questionnaires.simulating.form import forms
from gfactor.studies.questionnaires.storing.beginning import _new_code
from gfactor.studies.questionnaires.storing.participants import Participant
from gfactor.studies.questionnaires.storing.persons import ParticipantProgress
from gfactor.studies.web.database import Database
from gfactor.studies.web.extras import need
from gfactor.studies.web.secrets import READABLE_SIGNS
from gfactor.studies.web.sessions import hashed, session_of

PART = {"x-fragment": "1"}


def begin(client: Any) -> dict[str, str]:
    """Consent; the hidden fields of the first question."""
    start = forms(client.get("/").text)[0]
    client.post("/start", data={**start.hidden, "agree": "yes"})
    return forms(client.get("/task").text)[0].hidden


def answer(client: Any, hidden: dict[str, str]) -> dict[str, str]:
    """Answer by the page's script; the hidden fields of the next question."""
    reply = client.post("/task", data={**hidden, "option": "A"}, headers=PART)
    return forms(reply.text)[0].hidden


def loads(folder: StudyFolder) -> pd.DataFrame:
    with closing(folder.store()) as store:
        return store.pages.frame().set_index("page")


@pytest.mark.thorough
def test_an_answer_is_one_transaction_of_one_statement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reply shows the next question without a word more to the database, and nothing is looked
    up that the transaction looks up itself."""
    folder, statements = make_study(tmp_path, count=6, checks=1), list[str]()
    prepare = Database._prepare

    def traced(database: Database, connection: Any, record: Any) -> None:
        prepare(database, connection, record)
        connection.set_trace_callback(statements.append)

    monkeypatch.setattr(Database, "_prepare", traced)
    with client_of(application(folder)) as client:
        hidden = begin(client)
        for _ in range(3):
            statements.clear()
            hidden = answer(client, hidden)
            assert [line.split()[0] for line in statements] == ["INSERT"]  # commits itself
            assert "meta" in statements[0]
            assert "participants" in statements[0]
        statements.clear()
        client.get("/task")
        assert len(statements) > 3  # the first line of a reload is written


@pytest.mark.thorough
def test_questions_are_made_before_anybody_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits until a question, its result or a template is made."""
    folder, made = make_study(tmp_path, count=6, checks=1, practice=("q00",)), list[str]()
    application(folder)  # It makes the texts of one process.
    make, compiled = Prepared.make, need("jinja2").Environment.compile

    def counted(prepared: Prepared, part: str, *given: Any) -> Any:
        made.append(part)
        return make(prepared, part, *given)

    def compile_counted(environment: Any, source: str, name: str, *given: Any) -> Any:
        made.append(name)
        return compiled(environment, source, name, *given)

    monkeypatch.setattr(Prepared, "make", counted)
    monkeypatch.setattr(need("jinja2").Environment, "compile", compile_counted)
    with client_of(application(folder)) as client:
        assert made.count(QUESTION) == 10  # practice, five items, a check that asks for each option
        assert made.count(RESULT) == 5
        made.clear()
        for _ in range(2):
            client.cookies.clear()
            hidden = begin(client)
            client.post("/task", data={**hidden, "option": "A"}, headers=PART)
            hidden = forms(client.get("/task").text)[0].hidden
            for _ in range(5):
                hidden = answer(client, hidden)
            client.post("/task", data={**hidden, "option": "A"}, headers=PART)
            assert "Question 5" in client.get("/results").text
            assert client.get("/done").status_code == 200
        assert not [part for part in made if part != "feedback_part.html.j2"]


@pytest.mark.thorough
def test_what_a_reply_shows_is_a_load_of_that_page(tmp_path: Path) -> None:
    folder = make_study(tmp_path, count=6, checks=0, practice=("q00",))
    with client_of(application(folder)) as client:
        practice = begin(client)
        feedback = client.post("/task", data={**practice, "option": "A"}, headers=PART)
        assert 'name="position"' not in feedback.text
        hidden = forms(client.get("/task").text)[0].hidden
        for _ in range(2):
            hidden = answer(client, hidden)
        client.get("/task")
        client.get("/task")
        with closing(folder.store()) as store:
            written = set(store.frame("shown")["page"])
            answers = store.frame("answers").set_index("position")
        table = loads(folder)
        assert table["times"].to_dict() == {
            "instructions": 1, "question-1": 1, "question-2": 1, "question-3": 1, "question-4": 3,
        }  # fmt: skip
        assert "question-3" not in written
        assert "question-4" in written
        first = table["at"].to_dict()
        for page in ("question-3", "question-4"):
            before = datetime.fromisoformat(str(answers["created"][int(page[-1]) - 2])).timestamp()
            assert first[page] == pytest.approx(before, abs=0.001)
        for _ in range(2):
            hidden = answer(client, hidden)
        last = client.post("/task", data={**hidden, "option": "A"}, headers=PART)
        assert last.headers["x-go"] == "/results"
    assert "question-7" not in loads(folder).index  # nothing is shown behind the last question


def test_rows_that_an_older_version_wrote_are_not_counted_twice(tmp_path: Path) -> None:
    folder = make_study(tmp_path, count=4, checks=0)
    with client_of(application(folder)) as client:
        answer(client, begin(client))
    with closing(sqlite3.connect(folder.path / "answers.db")) as connection, connection:
        connection.execute("INSERT INTO shown SELECT code, 'question-2', at + 1, 1 FROM shown "
                           "WHERE page = 'question-1'")  # fmt: skip
    assert loads(folder)["times"].to_dict() == {"instructions": 1, "question-1": 1, "question-2": 1}


@pytest.mark.thorough
def test_a_clock_goes_on_where_the_server_is_started_again(tmp_path: Path) -> None:
    """The question was shown by the reply to the answer before; the limit counts from there."""
    folder = make_study(tmp_path, count=4, checks=0, time_limit_s=1_000.0)
    with client_of(application(folder)) as client:
        answer(client, begin(client))
        token = client.cookies[COOKIE]
    with closing(sqlite3.connect(folder.path / "answers.db")) as connection, connection:
        connection.execute("UPDATE answers SET created = replace(created, substr(created, 1, 4), "
                           "substr(created, 1, 4) - 1)")  # fmt: skip
    with client_of(application(folder)) as client:
        client.cookies.set(COOKIE, token)
        page = client.get("/task").text
        hidden = forms(page)[0].hidden
        client.post("/task", data={**hidden, "over": "1"}, headers=PART)
    elapsed = float(re.findall(r'data-elapsed="([\d.]+)"', page)[0])
    assert elapsed > 300 * 86_400
    with closing(folder.store()) as store:
        rows = store.frame("answers").sort_values("position")
    assert rows["late"].astype(bool).tolist() == [False, True]


@pytest.mark.parametrize("how", ["deleted", "moved"])
def test_an_answer_to_what_another_process_took_away_is_not_stored(
    tmp_path: Path, how: str
) -> None:
    """What is in memory is believed until something is written, and no longer."""
    folder = make_study(tmp_path, count=4, checks=0)
    with client_of(application(folder)) as client:
        hidden = answer(client, begin(client))
        session = hashed(client.cookies[COOKIE])
        with closing(folder.store()) as store:
            person = store.participant(session)
            assert person is not None
            if how == "deleted":
                store.withdraw(person.code)
            else:
                store.move(person.code, "another")
        reply = client.post(
            "/task", data={**hidden, "option": "A"}, headers=PART, follow_redirects=False
        )
        assert (reply.status_code, reply.headers["location"]) == (303, "/")
        wrong = {**hidden, "position": "3", "option": "A"}
        assert client.post("/task", data=wrong, follow_redirects=False).status_code == 303
        assert client.get("/task", follow_redirects=False).headers["location"] == "/"
        with closing(folder.store()) as store:
            assert len(store.frame("answers")) == (0 if how == "deleted" else 1)
            assert (how == "deleted") == store.frame("shown").empty


def filled_in(context: StudyContext, step: Step) -> tuple[str, str]:
    """A question, and its result, as they are sent."""
    person = Participant("p1", 0, (step,), "en", None)
    asks = question_part(context, person, ParticipantProgress(0), "T", "1.500")
    return asks, result_part(context, step, (0, 1), "A&B", ("T", "9", "/i/"), (False, True))


def rendered(context: StudyContext, step: Step) -> tuple[str, str]:
    """The same by their templates."""
    person = Participant("p1", 0, (step,), "en", None)
    more = {"position": 0, "form_token": "T", "step": "", "problem": "", "typed": {}}
    values = question(context, person, ParticipantProgress(0), {}) | more
    asks = context.pages.text(QUESTION, **values, elapsed="1.500", ahead="")
    review = {"number": 1, "count": 9, "images": "/i/0/", "answer": "A&B", "challenged": False}
    view = context.view(step)
    review |= {"position": 0, "form_token": "T", "view": view, "keys": False, "open": True}
    return asks, context.pages.text(RESULT, **review)


@pytest.mark.parametrize(
    "contents",
    [("w", "x", "y", "z"), (1, 2, 3, 4), ("w", 1, "y", 2), ("w", "", "y", "z"), ("", "", "", "")],
)
def test_a_question_in_another_order_is_the_one_made_of_its_item(
    contents: tuple[str | int, ...], tmp_path: Path
) -> None:
    """Texts of options move, pictures are named by their places, also where both are options."""
    parts = [one if isinstance(one, str) else picture(one) for one in contents]
    choices = tuple(Choice(label, part) for label, part in zip("ABCD", parts, strict=True))
    item = replace(exam_items(2)[1], choices=choices)
    bank = ItemBank.open(write_bank([item], tmp_path / "bank.parquet"))
    study = Study("orders", "Orders", checks=0)
    folder = StudyFolder.make(tmp_path / "study", study, bank, PASSWORD)
    with closing(folder.store()) as store:
        context = StudyContext(folder, store)
        shown = set()
        for seed in range(40):
            step = Step("item", item.id, seed, ("D",))
            view = asdict(context.view(step))
            assert view == asdict(item_view(context.item(item.id), step, context.list_fields))
            assert filled_in(context, step) == rendered(context, step)
            shown.add(str(view["options"]))
    alike = contents[0] == "" or all(isinstance(one, int) for one in contents)
    assert len(shown) == (1 if alike else 6)


def test_a_session_is_read_from_the_cookies_of_its_own_request() -> None:
    """Cookies are read once for all requests that have the same ones, short or long."""
    sent = ("a=1; gfactor_study=x", "gfactor_study=y;gfactor_study= z ", "gfactor_study=", "other",
            f"gfactor_study={'x' * 200}", f"gfactor_study=w; more={'x' * 9_000}")  # fmt: skip

    def read(cookies: str) -> str:
        return session_of(
            SimpleNamespace(scope={"headers": [(b"cookie", cookies.encode())]}), COOKIE
        )

    for _ in range(2):
        assert [read(cookies) for cookies in sent] == ["x", "z", "", "", "", "w"]


def test_the_last_page_marks_answers_as_the_table_of_all_of_them_does(tmp_path: Path) -> None:
    """It reads five columns of it."""
    folder = make_study(tmp_path, count=4, checks=1)
    with client_of(application(folder)) as client:
        hidden = begin(client)
        for _ in range(4):
            hidden = answer(client, hidden)
        client.post("/task", data={**hidden, "option": "A"}, headers=PART)
    with closing(folder.store()) as store:
        (code,) = store.codes()
        judged, answers = store.judged(code), store.answers(code)
    assert judged == [{name: row[name] for name in judged[0]} for row in answers]
    assert len(judged) == 5


def test_pseudonyms_are_drawn_of_all_letters() -> None:
    drawn = {_new_code() for _ in range(600)}
    assert len(drawn) == 600
    assert {len(code) for code in drawn} == {10}
    assert [set(code[k] for code in drawn) for k in range(1, 10)] == [set(READABLE_SIGNS)] * 9
