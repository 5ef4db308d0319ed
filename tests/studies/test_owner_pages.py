"""What owners see and do: times, answers, marks with reasons; pauses; roles; the log of actions."""

from __future__ import annotations

import importlib
import io
import json
import pkgutil
import re
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from support.studies import PASSWORD, client_of, make_study

from gfactor.api import study as studies
from gfactor.cli import cli
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.studies.questionnaires import Pay, Rules, Store, StudyFolder, application, pages
from gfactor.studies.questionnaires.results.labels import MARKS, marks, reasons
from gfactor.studies.questionnaires.results.monitor import item_times, overview, page_times
from gfactor.studies.questionnaires.simulating.form import forms

ROUTES = [
    route
    for room in pkgutil.iter_modules(pages.__path__, f"{pages.__name__}.")
    for route in getattr(importlib.import_module(room.name), "routes", list)()
    if getattr(route, "methods", None)
]
"""Every route of a study."""

ANNA = "anna's long password"


def log_in(client: Any, name: str = "owner", password: str = PASSWORD) -> Any:
    hidden = forms(client.get("/owner/login").text)[0].hidden
    return client.post("/owner/login", data={**hidden, "name": name, "password": password})


def take(app: Any, options: str, entry: str = "/") -> None:
    with client_of(app) as client:
        page = client.get(entry).text
        client.post("/start", data={**forms(page)[0].hidden, "agree": "yes"})
        for option in options:
            hidden = forms(client.get("/task").text)[0].hidden
            client.post("/task", data={**hidden, "option": option, "seconds": "0.2"})


@pytest.fixture
def folder(tmp_path: Path) -> StudyFolder:
    return make_study(
        tmp_path, count=4, checks=0, pay=Pay("EUR", 1.0, 0.5), rules=Rules(same_option=4)
    )


@pytest.fixture
def app(folder: StudyFolder) -> Any:
    return application(folder)


@pytest.fixture
def owner(app: Any) -> Iterator[Any]:
    with client_of(app) as client:
        log_in(client)
        yield client


def post(client: Any, path: str, **fields: str) -> Any:
    token = forms(client.get("/owner").text)[0].hidden["form_token"]
    return client.post(path, data={"form_token": token, **fields})


@pytest.mark.thorough
def test_marks_come_with_the_figure_and_the_rule(folder: StudyFolder, owner: Any) -> None:
    take(application(folder), "BBBB")
    store = folder.store()
    code = str(store.frame("participants")["code"][0])
    row = marks(store.frame("answers"), store.frame("participants"), folder.study.rules)
    store.close()
    said = reasons(row.to_dict("records")[0], folder.study.rules)
    assert list(said) == ["speeding", "straight_lining"]
    assert said["speeding"] == "100% of answers faster than 1 s (more than 10%)"
    assert said["straight_lining"] == "4 choices in a row at the same place (4 or more)"
    assert set(said) < set(MARKS)
    page = owner.get("/owner").text
    assert f'href="/owner/person/{code}"' in page
    assert said["straight_lining"] in page
    assert said["speeding"] in owner.get(f"/owner/person/{code}").text


def test_an_item_is_shown_as_that_person_saw_it(folder: StudyFolder, owner: Any) -> None:
    """The option at the place that was chosen, the pictures in the order of the participant."""
    take(application(folder), "CA")
    store = folder.store()
    person = store.by_code(str(store.frame("participants")["code"][0]))
    rows = store.answers(person.code) if person else []
    store.close()
    assert person is not None
    for row, option in zip(rows, "CA", strict=True):
        page = owner.get(f"/owner/person/{person.code}/{row['position']}").text
        assert f"Answered: {option}." in page
        assert re.search(r"Key: [A-D]\.", page)
        assert f"<h1>{row['item']}, as" in page
        paths = re.findall(r'src="(/owner/image/[^"]+)"', page)
        assert paths
        assert {owner.get(path).status_code for path in paths} == {200}
    for missing in (f"/owner/person/{person.code}/2", "/owner/person/pnobody",
                    "/owner/person/pnobody/0"):  # fmt: skip
        assert owner.get(missing).status_code == 404
    latest = owner.get("/owner/answers").text
    assert latest.index(f"{person.code}/1") < latest.index(f"{person.code}/0")  # the last first
    assert "<noscript>" in latest  # it is refreshed without scripts, too
    assert f"{person.code}/1" in owner.get("/owner/answers/latest").text


def test_times_are_quantiles_per_page_and_item() -> None:
    answers = pd.DataFrame(
        {"item": ["a"] * 5 + ["b"], "kind": "item", "seconds": [1.0, 2, 3, 4, 100, 7],
         "server_seconds": [np.nan] * 4 + [5.0, np.nan]}
    )  # fmt: skip
    table = item_times(answers).set_index("item")
    assert table.loc["a", ["n", "q25", "median", "q75"]].tolist() == [5, 2.0, 3.0, 4.0]
    assert table.loc["a", "q90"] == pytest.approx(4.6)  # 100 s are not more than the server's 5
    assert table.loc["b", ["n", "median"]].tolist() == [1, 7.0]
    shown = pd.DataFrame(
        {"code": ["p", "p", "p", "q", "q"], "times": 1, "at": [0.0, 4, 5, 100, 110],
         "page": ["instructions", "question-1", "question-2", "instructions", "question-1"]}
    )  # fmt: skip
    table = page_times(shown)
    assert table["page"].tolist() == ["instructions", "question-1"]
    assert table["median"].tolist() == [7.0, 1.0]
    assert table["n"].tolist() == [2, 1]
    assert page_times(shown.iloc[:0]).empty


@pytest.mark.slow
def test_a_pause_stops_newcomers_and_nobody_else(folder: StudyFolder, owner: Any) -> None:
    with client_of(application(folder)) as begun, client_of(application(folder)) as consenting:
        page = begun.get("/").text
        begun.post("/start", data={**forms(page)[0].hidden, "agree": "yes"})
        form = forms(consenting.get("/").text)[0]
        post(owner, "/owner/pause", sentence="Back on <b>Monday</b>.")
        with client_of(application(folder)) as newcomer:
            assert "Back on &lt;b&gt;Monday&lt;/b&gt;." in newcomer.get("/").text
        reply = consenting.post("/start", data={**form.hidden, "agree": "yes"})
        assert "Back on" in reply.text
        for option in "ABCD":
            hidden = forms(begun.get("/task").text)[0].hidden
            begun.post("/task", data={**hidden, "option": option})
        assert "/results" in str(begun.get("/task").url)
        post(owner, "/owner/resume")
        reply = consenting.post("/start", data={**form.hidden, "agree": "yes"})
        assert reply.url.path == "/instructions"


@pytest.mark.slow
def test_a_closed_study_opens_again_unless_keys_were_shown(tmp_path: Path) -> None:
    for disclose, opens in (("never", True), ("closed", False)):
        folder = make_study(tmp_path / disclose, count=3, disclose=disclose)
        with client_of(application(folder)) as client:
            log_in(client)
            post(client, "/owner/close", sure="yes")
            assert "is closed" in client.get("/").text
            reply = post(client, "/owner/reopen")
            assert reply.status_code == (200 if opens else 409)
            assert ("is closed" in client.get("/").text) is not opens
        runner = CliRunner()
        runner.invoke(cli, ["study", "close", str(folder.path)])
        done = runner.invoke(cli, ["study", "close", str(folder.path), "--reopen"])
        assert (done.exit_code == 0) is opens
        assert opens or "cannot be opened again" in str(done.exception)


@pytest.mark.slow
def test_the_export_comes_as_a_file_and_ids_only_where_asked_for(
    folder: StudyFolder, owner: Any
) -> None:
    take(application(folder), "ABCD", "/?PROLIFIC_PID=prolific-7")
    for ticked in ({}, {"identifiers": "yes"}):
        reply = post(owner, "/owner/export", **ticked)
        assert reply.headers["content-type"] == "application/zip"
        with zipfile.ZipFile(io.BytesIO(reply.content)) as archive:
            assert {"trial/journal.db", "trial/bonus.csv"} <= set(archive.namelist())
            held = {name: archive.read(name) for name in archive.namelist()}
        having = [name for name, content in held.items() if b"prolific-7" in content]
        assert having == (["trial/bonus.csv"] if ticked else [])
    pay = owner.get("/owner/pay").text
    assert "prolific-7" not in pay
    assert re.search(r'<td class="n">\d\.\d\d</td>', pay)


def stored(folder: StudyFolder) -> dict[str, Any]:
    """Everything in the database but what visits and logins add."""
    with closing(sqlite3.connect(folder.path / "answers.db")) as base:
        names = [
            row[0] for row in base.execute("SELECT name FROM sqlite_master WHERE type='table'")
        ]
        return {n: base.execute(f"SELECT * FROM {n}").fetchall() for n in names if n != "counters"}


@pytest.mark.slow
def test_a_viewer_reads_everything_and_changes_nothing_by_any_route(
    folder: StudyFolder, app: Any
) -> None:
    take(application(folder), "ABCD")
    store = folder.store()
    store.owners.add("anna", "viewer", ANNA, "test")
    code = str(store.frame("participants")["code"][0])
    store.challenge(code, "q00", "Why?")
    store.close()
    posts = [r.path for r in ROUTES if "POST" in r.methods and "/owner" in r.path]
    reads = [r.path for r in ROUTES if "GET" in r.methods and "/owner" in r.path]
    assert {"/owner/close", "/owner/export", "/owner/pause", "/owner/challenges"} <= set(posts)
    with client_of(app) as client:
        assert log_in(client, "anna", ANNA).url.path == "/owner"
        token = forms(client.get("/owner").text)[0].hidden["form_token"]
        before = stored(folder)
        fields = {"form_token": token, "sure": "yes", "code": code, "item": "q00",
                  "verdict": "void", "sentence": "x", "identifiers": "yes"}  # fmt: skip
        for path in posts:
            if path not in ("/owner/login", "/owner/logout"):
                reply = client.post(path, data=fields)
                assert reply.status_code == 403, path
                assert reply.headers["content-type"].startswith("text/html")
        assert stored(folder) == before
        for path in reads:
            shown = path.replace("{code:str}", code).replace("{position:number}", "0")
            page = client.get(shown.replace("{number:number}", "0"))
            assert page.status_code == 200, path
            changes = [f.action for f in forms(page.text) if f.method == "post"]
            assert set(changes) <= {"/owner/logout", "/owner/login"}, path


@pytest.mark.thorough
def test_nobody_without_a_login_reads_or_changes_anything(folder: StudyFolder, app: Any) -> None:
    take(application(folder), "AB")
    with client_of(app) as client:
        before = stored(folder)
        token = forms(client.get("/owner/login").text)[0].hidden["form_token"]
        for one in ROUTES:
            path = re.sub(r"\{\w+:\w+\}", "0", one.path)
            if "/owner" not in path or path == "/owner/login":
                continue
            for method in one.methods & {"GET", "POST"}:
                data = {"form_token": token} if method == "POST" else None
                reply = client.request(method, path, data=data)
                assert reply.url.path == "/owner/login", path
        assert stored(folder) == before


def test_who_is_removed_is_logged_out_and_a_forged_post_does_nothing(
    folder: StudyFolder, app: Any
) -> None:
    studies.owners(folder.path, add="anna", role="owner", password=ANNA)
    with client_of(app) as client:
        assert log_in(client, "anna", "another password").url.path == "/owner/login"
        log_in(client, "anna", ANNA)
        assert client.post("/owner/pause", data={"sentence": "x"}).status_code == 403
        assert client.get("/owner").url.path == "/owner"
        studies.owners(folder.path, remove="anna")
        assert client.get("/owner").url.path == "/owner/login"
        assert log_in(client, "anna", ANNA).url.path == "/owner/login"
    with pytest.raises(ParameterError, match="no owner 'anna'"):
        studies.owners(folder.path, remove="anna")
    for wrong in ("owner", "", " a", "x" * 61, "a\nb"):
        with pytest.raises(ParameterError):
            studies.owners(folder.path, add=wrong, password=ANNA)
    with pytest.raises(ParameterError, match="at least 10"):
        studies.owners(folder.path, add="ben", password="short")
    with pytest.raises(UnknownNameError):
        studies.owners(folder.path, add="ben", role="boss", password=ANNA)  # type: ignore[arg-type]
    assert ANNA.encode() not in (folder.path / "answers.db").read_bytes()


@pytest.mark.slow
def test_every_action_is_in_the_log(folder: StudyFolder, owner: Any) -> None:
    take(application(folder), "ABCD")
    store = folder.store()
    code = str(store.frame("participants")["code"][0])
    store.challenge(code, "q01", "Why?")
    store.close()
    post(owner, "/owner/challenges", code=code, item="q01", verdict="void", reply="True.")
    for path in ("/owner/pause", "/owner/resume", "/owner/export"):
        post(owner, path)
    post(owner, "/owner/close", sure="yes")
    post(owner, "/owner/reopen")
    CliRunner().invoke(cli, ["study", "owners", str(folder.path), "add", "anna"])
    studies.result_links(folder.path, [code])
    shown = CliRunner().invoke(cli, ["study", "log", str(folder.path), "--json"])
    log = json.loads(shown.output)
    assert [(row["action"], row["detail"]) for row in log["actions"]] == [
        ("logged in", ""), ("challenge decided", "q01: void"), ("paused", ""), ("resumed", ""),
        ("exported", "without recruiting ids"), ("closed", ""), ("reopened", ""),
        ("owner added", "anna (viewer)"), ("links to results made", "1"),
    ]  # fmt: skip
    assert {row["who"] for row in log["actions"][:-2]} == {"owner"}
    assert "command line" in log["actions"][-1]["who"]
    assert log["problem"] == ""
    assert "owner added" in owner.get("/owner/log").text


@pytest.mark.parametrize(
    ("statement", "said"),
    [("DELETE FROM actions WHERE number = 2", "row 2 of the log is missing"),
     ("DELETE FROM actions WHERE number = 3", "the log has 2 rows and its end says 3"),
     ("DELETE FROM actions", "the log has 0 rows and its end says 3"),
     ("UPDATE actions SET who = 'nobody' WHERE number = 1", "row 1 of the log was changed")],
)  # fmt: skip
def test_a_row_of_the_log_that_was_changed_or_deleted_shows(
    folder: StudyFolder, statement: str, said: str
) -> None:
    studies.pause(folder.path)
    studies.resume(folder.path)
    studies.pause(folder.path, "Later.")
    with closing(sqlite3.connect(folder.path / "answers.db")) as base:
        with pytest.raises(sqlite3.IntegrityError, match="only added to"):
            base.execute(statement)
        base.rollback()
        for verb in ("update", "delete"):
            base.execute(f"DROP TRIGGER actions_no_{verb}")
        base.execute(statement)
        base.commit()
    assert said in studies.log(folder.path).problem
    done = CliRunner().invoke(cli, ["study", "log", str(folder.path)], standalone_mode=False)
    assert done.return_value == 1, "the code that `gfactor` ends with"
    assert said in done.output
    with client_of(application(folder)) as client:
        log_in(client)
        assert "The log is not whole" in client.get("/owner/log").text


@pytest.mark.thorough
def test_an_overview_is_of_one_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever begins while tables are read is in none of them."""
    folder, frame = make_study(tmp_path, count=4, checks=0), Store.frame
    with client_of(application(folder)) as client, closing(folder.store()) as store:

        def begin() -> None:
            client.cookies.clear()
            hidden = forms(client.get("/").text)[0].hidden
            client.post("/start", data={**hidden, "agree": "yes"})

        def slowly(one: Store, name: str) -> pd.DataFrame:
            table = frame(one, name)
            begin()
            return table

        begin()
        monkeypatch.setattr(Store, "frame", slowly)
        seen = overview(store, folder.study, plans=folder.plans)
        monkeypatch.undo()
        assert dict(seen.facts)["In progress"] == "1"
        assert [row["reached"] for row in seen.dropout] == [1]
        assert len(seen.people) == 1
        assert len(store.frame("participants")) > 3
        with store.snapshot(), pytest.raises(ParameterError, match="readonly"):
            store.withdraw(store.codes()[0])
        store.withdraw(store.codes()[0])
        assert store.counters()["withdrawn"] == 1
