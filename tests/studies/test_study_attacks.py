"""Attacks on a study that is really served: what they did once, they do no more."""

from __future__ import annotations

import asyncio
import random
import re
import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from support.studies import PASSWORD, client_of, every_type_bank, make_study
from support.visitors import Visitor

from gfactor.cli import cli
from gfactor.errors import ParameterError
from gfactor.items import ItemBank, write_bank
from gfactor.studies.questionnaires import (
    Pay,
    Payment,
    Rules,
    Study,
    StudyFolder,
    application,
    export_study,
    marks,
)
from gfactor.studies.questionnaires.simulating import serving, simulate
from gfactor.studies.questionnaires.simulating.form import forms
from gfactor.studies.questionnaires.storing.store import Store
from gfactor.studies.web import DatabaseBusyError
from gfactor.studies.web.sessions import hashed

COOKIE = "gfactor_study"
PAY = Pay("EUR", 1.0, 0.5)


def answers_of(folder: StudyFolder) -> pd.DataFrame:
    store = folder.store()
    try:
        return store.frame("answers")
    finally:
        store.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> StudyFolder:
    place = tmp_path_factory.mktemp("open")
    return make_study(place, count=6, checks=0, pay=PAY, disclose="closed", practice=("q05",),
                      rules=Rules(rapid_s=3_000.0))  # fmt: skip


@pytest.fixture(scope="module")
def served(folder: StudyFolder) -> Iterator[str]:
    with serving(folder) as base:
        yield base


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> StudyFolder:
    place = tmp_path_factory.mktemp("signed")
    return make_study(place, count=3, checks=0, pay=PAY, ids="signed")


@pytest.fixture(scope="module")
def below_a_path(signed: StudyFolder) -> Iterator[str]:
    with serving(signed, public_url="http://lab.example/study") as base:
        yield base


@pytest.mark.slow
def test_throw_away_participants_learn_no_key(served: str) -> None:
    """Everything that four participants are sent until the end is the same whether they are right
    or wrong: pages differ in their codes, tokens and the answers that they gave."""
    seen = []
    for option in "ABCD":
        with Visitor(served) as visitor:
            visitor.begin()
            visitor.answer(option="A")  # practice: its feedback is meant to be seen
            assert visitor.finish(option) == 5
            results, done = visitor.get("/results"), visitor.get("/done")
            assert {results.status_code, done.status_code} == {200}
            assert "Right answer" not in results.text
            assert "EUR" not in done.text  # the sum would tell
            said = re.findall(r"Your answer: (\w)", results.text)
            assert said == [option] * 5
            sections = results.text.count('class="result"')
            headers = {n: v for n, v in results.headers.items() if n != "content-length"}
            seen.append((sections, sorted(headers), len(done.text)))
    assert len(set(map(str, seen))) == 1


@pytest.mark.thorough
def test_who_posts_other_seconds_than_passed_is_speeding(served: str, folder: StudyFolder) -> None:
    with Visitor(served) as visitor:
        visitor.begin("/?PROLIFIC_PID=invented")
        visitor.answer(option="A", seconds="5000.0")
        visitor.finish("B", seconds="5000.0")
    store = folder.store()
    contacts, people = store.frame("contacts"), store.frame("participants")
    answers = store.frame("answers")
    store.close()
    code = contacts.set_index("external_id")["code"]["invented"]
    own = answers.loc[answers["code"] == code]
    assert set(own["seconds"]) == {5_000.0}
    marked = marks(answers, people, folder.study.rules).set_index("code").loc[code]
    assert marked["speeding"]
    assert marked["median_seconds"] == pytest.approx(
        np.median(own.loc[own["kind"] == "item", "server_seconds"].to_numpy(float))
    )


def test_a_chosen_session_is_never_taken_over(served: str) -> None:
    chosen = "x" * 43
    with Visitor(served) as victim, Visitor(served) as attacker:
        attacker.pretend(COOKIE, chosen)
        given = attacker.get("/").cookies[COOKIE]  # one of the server's, for nobody yet
        assert given != chosen
        victim.pretend(COOKIE, given)
        victim.begin()
        mine = victim.client.cookies.get(COOKIE)
        assert mine not in (chosen, given)
        assert "/task" in str(victim.get("/task").url)
        for known in (chosen, given):
            attacker.pretend(COOKIE, known)
            assert not str(attacker.get("/task").url).endswith("/task")


def test_the_owners_session_is_one_that_nobody_knew_before(served: str) -> None:
    with Visitor(served) as owner, Visitor(served) as attacker:
        given = attacker.get("/owner/login").cookies["gfactor_owner"]
        owner.pretend("gfactor_owner", given)
        assert owner.log_in(PASSWORD).url.path == "/owner"
        attacker.pretend("gfactor_owner", given)
        assert attacker.get("/owner").url.path == "/owner/login"


def test_nothing_is_skipped_replayed_or_seen_ahead(served: str, folder: StudyFolder) -> None:
    with Visitor(served) as visitor:
        visitor.begin()
        form = visitor.form("/task", "/task")
        assert "give an answer" in visitor.post("/task", {**form.hidden, "over": "1"}).text
        assert visitor.form("/task", "/task").hidden["position"] == "0"
        for option in "AB":
            visitor.post("/task", {**form.hidden, "option": option})
        visitor.post("/task", {**form.hidden, "position": "4", "option": "A"})
        assert visitor.form("/task", "/task").hidden["position"] == "1"
        page = visitor.get("/task").text
        own = re.findall(r'src="(/image/[^/]+/)1/0"', page)[0]
        shown = [visitor.get(f"{own}{k}/0").status_code for k in range(6)]
        assert shown.count(200) == 3  # the one answered, the one asked, the one loaded ahead
        assert visitor.get("/owner/image/p2/0/0").url.path == "/owner/login"
        code = _code_of(folder, visitor)
    own = answers_of(folder)
    own = own.loc[own["code"] == code]
    assert list(own["position"]) == [0]


@pytest.mark.thorough
def test_pages_name_no_item(tmp_path: Path) -> None:
    """Whoever can build the bank again, from a known seed, cannot look up which items these are:
    of two persons with the same items in the same order nothing that a page names is the same, but
    for the place in their form; pictures are named in the order shown."""
    folder = make_study(tmp_path, count=3, checks=0, shuffle=False, practice=("q02",))
    bank, names = folder.bank, []
    with serving(folder) as base:
        for _ in range(2):
            with Visitor(base) as visitor:
                visitor.begin()
                seen, shown = [visitor.get("/task").text], []
                for _ in range(len(bank)):
                    shown += re.findall(r'src="([^"]+)" alt="Option', seen[-1])
                    seen += [visitor.answer(option="A").text, visitor.get("/task").text]
                page = visitor.get("/results").text
                hidden = forms(page)[0].hidden
                seen.append(visitor.post("/challenge", {**hidden, "reason": "No."}).text)
                text = "".join(seen)
                for item in bank:
                    assert item.id not in text
                    assert item.provenance.content_hash[:12] not in text
                numbers = [path.rsplit("/", 1)[1] for path in shown]
                assert numbers == ["1", "2", "3", "4"] * (len(numbers) // 4)
                assert shown
                names.append({p.split("/")[2] for p in re.findall(r'"(/image/[^"]+)"', text)})
    assert [len(found) for found in names] == [1, 1]
    assert names[0] != names[1]
    store = folder.store()
    assert store.frame("challenges")["item"].tolist() == ["q00", "q00"]
    store.close()


def _code_of(folder: StudyFolder, visitor: Visitor) -> str:
    store = folder.store()
    person = store.participant(hashed(visitor.client.cookies[COOKIE]))
    store.close()
    assert person is not None
    return person.code


def test_a_reload_does_not_restart_the_clock(tmp_path: Path) -> None:
    folder = make_study(tmp_path, count=3, checks=0, time_limit_s=1_000.0)
    with serving(folder) as base, Visitor(base) as visitor:
        visitor.begin()
        visitor.get("/task")
        connection = sqlite3.connect(folder.path / "answers.db")
        connection.execute("UPDATE shown SET at = at - 600 WHERE page = 'question-1'")
        connection.commit()
        page = visitor.get("/task").text
        elapsed = float(re.findall(r'data-elapsed="([\d.]+)"', page)[0])
        assert elapsed >= 600
        early = visitor.answer(over="1")
        assert "give an answer" in early.text
        connection.execute("UPDATE shown SET at = at - 600 WHERE page = 'question-1'")
        connection.commit()
        connection.close()
        visitor.get("/task")
        visitor.answer(over="1", seconds="1.0")
        visitor.answer(option="A")
    answers = answers_of(folder)
    assert list(answers["text"].astype(bool)) == [False, True]
    assert answers["server_seconds"].iloc[0] >= 1_200
    assert list(answers["late"].astype(bool)) == [True, False]


@pytest.mark.thorough
def test_nobody_gets_more_guesses_by_naming_other_addresses(below_a_path: str) -> None:
    with Visitor(below_a_path) as visitor:
        visitor.prefix = "/study"
        codes = (
            visitor.log_in(f"guess {k}", **{"x-forwarded-for": f"203.0.113.{k}"}).status_code
            for k in range(100)
        )
        assert 429 in codes


@pytest.mark.thorough
def test_only_signed_links_open_a_signed_study(signed: StudyFolder, below_a_path: str) -> None:
    link = signed.link("ada & ben/ß<1>")
    token = link.partition("link=")[2]
    forged = ["/", "/?PROLIFIC_PID=invented", "/?link=", "/?link=ada", f"/?link={token[:-2]}xx"]
    forged.append(f"/?link={'A' * 40}.{token.partition('.')[2]}")
    for path in forged:
        with Visitor(below_a_path) as visitor:
            page = visitor.get(path)
            assert page.status_code == 400, path
            assert not [f for f in forms(page.text) if f.action.endswith("/start")]
            page = visitor.post("/start", {"agree": "yes", "sent": token, "form_token": "0"})
            assert page.status_code == 403
    with Visitor(below_a_path) as first, Visitor(below_a_path) as second:
        first.prefix = second.prefix = "/study"
        assert first.begin(link).url.path == "/study/instructions"
        first.answer(option="A")
        again = second.begin(link)  # another device, the same person
        assert again.url.path == "/study/task"
        assert second.form("/task", "/task").hidden["position"] == "1"
        assert first.get("/task").status_code == 400  # the session has moved
        second.post("/withdraw", second.form("/withdraw", "/withdraw").hidden)
        assert "taken part already" in first.begin(link).text
        assert "taken part already" in second.begin(link).text
    store = signed.store()
    assert "ada & ben/ß<1>" not in set(store.frame("contacts")["external_id"])
    assert not store.frame("taken")["hash"].str.contains("ada").any()
    store.close()


def test_pages_below_a_path_stay_there(signed: StudyFolder, below_a_path: str) -> None:
    with Visitor(below_a_path) as visitor:
        visitor.client.follow_redirects = False
        page = visitor.get("/study" + signed.link("path"))
        action = forms(page.text)[0].action
        assert action == "/study/start"
        assert "Path=/study/" in page.headers["set-cookie"]
        hidden = {**forms(page.text)[0].hidden, "agree": "yes"}
        elsewhere = {"origin": "http://elsewhere.example"}
        assert visitor.client.post(action, data=hidden, headers=elsewhere).status_code == 403
        own = {"origin": "http://lab.example"}
        started = visitor.client.post(action, data=hidden, headers=own)
        assert started.headers["location"] == "/study/instructions"
        task = visitor.client.get("/study/task").text
        for path in re.findall(r'(?:href|src|action)="(/[^"]*)"', task):
            assert path.startswith("/study/"), path
            if "/image/" in path or "/static/" in path:
                assert visitor.client.get(path).status_code == 200
        assert visitor.client.get("/study/owner").headers["location"] == "/study/owner/login"
        for path in ("/study", "/study/", "/"):  # left in or taken out by the proxy
            assert visitor.client.get(path).status_code in (303, 400)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("id\na\n\n a\n", "row 4: ' a' cannot be an id"),  # a second link for a
        ("id\na\n\n\nb\na\n", "row 6: 'a' is in row 2"),
        ("id,name\na,b\n,c\n", "row 3: the id is empty"),
        (f"id\n{'中' * 201}\n", "row 2: '中"),  # its link would be refused as too long
        ("id\na\x07\n", "row 2: 'a\\x07' cannot be an id"),
    ],
)
def test_links_are_made_for_ids_that_can_be_kept(tmp_path: Path, text: str, said: str) -> None:
    folder = make_study(tmp_path, count=3, checks=0, ids="signed")
    people = tmp_path / "people.csv"
    people.write_text(text, "utf-8")
    made = CliRunner().invoke(cli, ["study", "links", str(folder.path), str(people)])
    assert made.exit_code != 0
    assert said in str(made.exception or made.output)
    people.write_text("id\na\n\nb\n\n", "utf-8")
    made = CliRunner().invoke(cli, ["study", "links", str(folder.path), str(people)])
    assert made.output.count("link=") == 2


def test_a_bot_that_was_not_let_in_has_not_finished(tmp_path: Path) -> None:
    """Below a path: cookies are bound to it, and bots come without."""
    folder = make_study(tmp_path, count=3, checks=0)
    with serving(folder, public_url="http://lab.example/study") as base:
        for address, finished in ((base, 0), (f"{base}/study", 1)):
            crowd = asyncio.run(simulate(address, folder, {"person": 1}, seed=1))
            assert crowd.to_dict()["finished"] == finished


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("query", "kept"),
    [
        ("PROLIFIC_PID=5f%2Ba%20b%40c.d%C3%9F%E4%B8%AD%27%22%3B--", "5f+a b@c.dß中'\";--"),
        ("PROLIFIC_PID=a%3Db&STUDY_ID=S%261&SESSION_ID=x", "a=b"),
        ("PROLIFIC_PID=%FF", None),
        ("PROLIFIC_PID=", None),
        ("PROLIFIC_PID=one&PROLIFIC_PID=two", None),
        ("PROLIFIC_PID=a%00b", None),
        (f"PROLIFIC_PID={'x' * 201}", None),
    ],
)
def test_ids_are_kept_as_they_are_or_refused_aloud(
    served: str, folder: StudyFolder, query: str, kept: str | None
) -> None:
    with Visitor(served) as visitor:
        page = visitor.get(f"/?{query}")
        if kept is None:
            assert page.status_code == 400
            assert "participant code" in page.text
            return
        visitor.begin(f"/?{query}")
    store = folder.store()
    contacts = store.frame("contacts").set_index("external_id")
    store.close()
    assert kept in contacts.index
    if "STUDY_ID" in query:
        assert contacts.loc[kept, "facts"] == '{"STUDY_ID": "S&1", "SESSION_ID": "x"}'


def test_one_id_takes_part_once_even_after_a_withdrawal(served: str) -> None:
    with Visitor(served) as visitor:
        visitor.begin("/?PROLIFIC_PID=once")
        visitor.answer(option="A")
        visitor.post("/withdraw", visitor.form("/withdraw", "/withdraw").hidden)
        assert "taken part already" in visitor.begin("/?PROLIFIC_PID=once").text


def test_an_answer_to_a_question_that_was_never_asked_for_took_no_time(
    served: str, folder: StudyFolder
) -> None:
    with Visitor(served) as visitor:
        visitor.begin()
        token = visitor.form("/withdraw", "/withdraw").hidden["form_token"]
        fields = {"form_token": token, "position": "0", "option": "A", "seconds": "9000.0"}
        visitor.post("/task", fields)
        code = _code_of(folder, visitor)
    own = answers_of(folder).set_index("code").loc[[code]]
    assert own["server_seconds"].iloc[0] < 9_000.0


def test_the_next_person_at_a_browser_begins_anew(served: str, folder: StudyFolder) -> None:
    with Visitor(served) as browser:
        browser.begin("/?PROLIFIC_PID=morning")
        browser.answer(option="A")
        morning = _code_of(folder, browser)
        assert browser.get("/?PROLIFIC_PID=morning").url.path == "/task"
        assert browser.get("/").url.path == "/task"
        browser.begin("/?PROLIFIC_PID=afternoon")
        assert _code_of(folder, browser) != morning


@pytest.mark.thorough
def test_who_has_begun_goes_on_when_the_quota_is_full(tmp_path: Path) -> None:
    folder = make_study(tmp_path, count=2, checks=0, ids="signed", quota=1)
    with serving(folder) as base, Visitor(base) as first, Visitor(base) as other:
        first.begin(folder.link("first"))
        first.answer(option="A")
        assert "full" in other.begin(folder.link("other")).text
        with Visitor(base) as device:
            assert device.begin(folder.link("first")).url.path == "/task"
            assert device.finish() == 1


def test_a_study_that_needs_ids_takes_nobody_without(tmp_path: Path) -> None:
    with serving(make_study(tmp_path, count=3, ids="required")) as base, Visitor(base) as visitor:
        assert visitor.get("/").status_code == 400
        assert visitor.begin("/?PROLIFIC_PID=x1").url.path == "/instructions"


@pytest.mark.thorough
def test_another_program_that_writes_holds_nobody_up(tmp_path: Path) -> None:
    """While the database is locked, an answer waits, and others are served; none gets a 500."""
    folder = make_study(tmp_path, count=3, checks=0)
    with serving(folder) as base, Visitor(base) as first, Visitor(base) as second:
        first.begin()
        hidden = first.form("/task", "/task").hidden
        lock = sqlite3.connect(folder.path / "answers.db", isolation_level=None)
        lock.execute("BEGIN IMMEDIATE")
        found: list[Any] = []
        answering = threading.Thread(
            target=lambda: found.append(first.post("/task", {**hidden, "option": "A"}))
        )
        answering.start()
        statuses = [second.get(path).status_code for path in ("/", "/static/task.js", "/owner")]
        assert statuses == [200, 200, 200]
        assert not found, "the answer waits as long as the lock is held"
        lock.execute("COMMIT")
        lock.close()
        answering.join()
    assert found[0].status_code == 200
    assert len(answers_of(folder)) == 1


def test_a_request_that_waits_for_the_database_counts_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the requests that a session may make: the server tries it again many times."""
    monkeypatch.setattr("gfactor.studies.questionnaires.pages.context.REQUESTS", 4)
    monkeypatch.setattr("gfactor.studies.questionnaires.pages.context.REQUESTS_PER_SECOND", 0.0)
    monkeypatch.setattr("gfactor.studies.web.retrying.PAUSE_S", 0.01)
    stored, tries = Store.answer, iter(range(20))

    def busy(*given: Any, **more: Any) -> Any:
        if next(tries, None) is not None:
            raise DatabaseBusyError("another program is writing")
        return stored(*given, **more)

    monkeypatch.setattr(Store, "answer", busy)
    folder = make_study(tmp_path, count=3, checks=0)
    with client_of(application(folder)) as client:
        page = client.get("/").text
        client.post("/start", data={**forms(page)[0].hidden, "agree": "yes"})
        hidden = forms(client.get("/task").text)[0].hidden
        assert client.post("/task", data={**hidden, "option": "A"}).status_code == 200
        assert client.get("/task").status_code == 429
    assert next(tries, None) is None
    assert len(answers_of(folder)) == 1


def test_who_has_answered_everything_has_finished_whatever_they_load_next(tmp_path: Path) -> None:
    folder = make_study(tmp_path, count=2, checks=0, pay=PAY)
    with serving(folder) as base, Visitor(base) as visitor:
        visitor.begin()
        visitor.client.follow_redirects = False
        for _ in range(2):  # the answer to the last post never arrives
            visitor.answer(option="A")
    store = folder.store()
    assert store.completed() == 1
    store.close()


@pytest.mark.slow
def test_two_thousand_fuzzed_posts_give_no_500_and_lose_nothing(tmp_path: Path) -> None:
    source = random.Random(13)
    bank = every_type_bank(tmp_path)
    study = Study("fuzz", "Fuzz", checks=2, practice=(bank.ids[0],), time_limit_s=3.0)
    folder = StudyFolder.make(tmp_path / "s", study, bank, PASSWORD)
    names = [
        "form_token", "position", "seconds", "away_count", "away_seconds", "resized", "over",
        "option", "text", "part", "none", "agree", "sent", "item", "reason", "code", "verdict",
        *(f"part-{k}" for k in range(3)), "part-0-0", "part-0-1", "blank-0", "part-99999",
    ]  # fmt: skip
    values = [
        "", "A", "-1", "0", "1", "2", "1e309", "nan", "inf", "٣", "９", "9" * 4_400, "\0", "\ud7ff",
        "'; DROP TABLE answers; --", "<script>", "%s{0}{x}", "../../etc/passwd", "yes", "YES",
        "COUNT:1", "a" * 5_000, "\u202e", "true", "[]", "{}", "\r\n\r\n", "💥", "accept", "void",
    ]  # fmt: skip
    paths = ["/task"] * 12 + ["/start", "/challenge", "/withdraw", "/owner/login", "/owner/close"]
    paths += ["/owner/challenges", "/owner/logout", "/results/x", "/", "/nowhere"]
    statuses: list[int] = []
    with serving(folder) as base:
        for _ in range(20):
            with Visitor(base) as visitor:
                visitor.begin()
                token = forms(visitor.get("/task").text)[0].hidden["form_token"]
                position = 0
                for _ in range(100):
                    fields = {
                        source.choice(names): source.choice(values)
                        for _ in range(source.randint(0, 8))
                    }
                    if source.random() < 0.8:
                        fields["form_token"] = token
                    if source.random() < 0.7:
                        fields["position"] = str(position)
                    path = source.choice(paths)
                    kind = source.choice(["1", "1", "0"])
                    reply = visitor.post(path, fields, headers={"x-fragment": kind})
                    statuses.append(reply.status_code)
                    found = re.findall(r'name="position" value="(\d+)"', reply.text)
                    position = int(found[0]) if found else position
        with Visitor(base) as visitor:
            assert visitor.begin().status_code == 200
    assert len(statuses) == 2_000
    assert max(statuses) < 500
    assert statuses.count(200) > 500
    answers = answers_of(folder)
    for _, own in answers.groupby("code"):
        assert list(own["position"]) == list(range(len(own)))


def test_what_is_past_the_retention_goes_while_the_server_runs(tmp_path: Path) -> None:
    folder = make_study(tmp_path, count=3, checks=0, retention_days=0)
    with client_of(application(folder, purge_s=0.02)) as client:
        page = client.get("/?PROLIFIC_PID=gone").text
        client.post("/start", data={**forms(page)[0].hidden, "agree": "yes"})
        store = folder.store()
        assert store.counters()["started"] == 1
        for _ in range(500):
            if not len(store.frame("contacts")):
                break
            client.get("/static/style.css")
        assert len(store.frame("contacts")) == 0
        assert len(store.frame("taken")) == 1
        store.close()


def test_files_of_a_study_are_for_its_owner_alone(tmp_path: Path) -> None:
    folder = make_study(tmp_path, count=3, checks=0)
    with serving(folder) as base, Visitor(base) as visitor:
        visitor.begin()
        for path in folder.path.glob("answers.db*"):
            assert path.stat().st_mode & 0o077 == 0, path
    assert folder.path.stat().st_mode & 0o077 == 0
    export_study(folder, tmp_path / "out")
    assert (tmp_path / "out" / "bonus.csv").stat().st_mode & 0o077 == 0


def test_rules_cannot_be_changed_after_the_data_without_a_word(tmp_path: Path) -> None:
    folder = make_study(tmp_path, count=3, checks=0)
    definition = folder.path / "study.toml"
    declared = definition.read_text("utf-8")
    definition.write_text(declared.replace("rapid_s = 1.0", "rapid_s = 2.0"), "utf-8")
    with serving(StudyFolder.open(folder.path)) as base, Visitor(base) as visitor:
        visitor.begin()  # from here on it is frozen
        visitor.finish()
    frozen = definition.read_text("utf-8")
    changed = frozen.replace("rapid_s = 2.0", "rapid_s = 0.0").replace(
        'version = "1"', 'version = "2"'
    )
    definition.write_text(changed, "utf-8")
    for use in (
        lambda: export_study(StudyFolder.open(folder.path), tmp_path / "out"),
        lambda: StudyFolder.open(folder.path).store(),
    ):
        with pytest.raises(ParameterError, match=r"consent_version, rules\.rapid_s"):
            use()
    refused = CliRunner().invoke(cli, ["study", "serve", str(folder.path), "--port", "0"])
    assert "study.toml was changed" in str(refused.exception)
    reason = ["study", "amend", str(folder.path), "--reason", "Speed is not of interest."]
    done = CliRunner().invoke(cli, reason)
    assert done.exit_code == 0, done.output
    assert "rules.rapid_s: 2.0 -> 0.0" in done.output
    exported = export_study(StudyFolder.open(folder.path), tmp_path / "out")
    assert exported.amendments == 1
    for name in ("declaration.json", "psych_ds/dataset_description.json"):
        text = (tmp_path / "out" / name).read_text("utf-8")
        assert "Speed is not of interest." in text
        assert '"rules.rapid_s"' in text
    definition.write_text(frozen, "utf-8")
    with pytest.raises(ParameterError, match="record the change"):
        StudyFolder.open(folder.path).store()
    definition.write_text(changed, "utf-8")
    bank = folder.path / "bank.parquet"
    items = list(ItemBank.open(bank))
    write_bank([replace(items[0], target="B"), *items[1:]], bank)
    with pytest.raises(ParameterError, match=r"bank\.parquet was changed"):
        StudyFolder.open(folder.path).store()


@pytest.mark.thorough
def test_a_closed_study_shows_keys_to_those_who_took_part_and_takes_no_answer(
    tmp_path: Path,
) -> None:
    folder = make_study(
        tmp_path, count=3, checks=0, pay=PAY, disclose="closed", payment=Payment(())
    )
    with (
        serving(folder) as base,
        Visitor(base) as done,
        Visitor(base) as late,
        Visitor(base) as own,
    ):
        done.begin()
        done.finish()
        late.begin()
        hidden = late.form("/task", "/task").hidden
        own.log_in(PASSWORD)
        close = own.form("/owner", "/owner/close")
        own.post("/owner/close", close.hidden)  # not ticked
        assert "Right answer" not in done.get("/results").text
        own.post("/owner/close", {**close.hidden, "sure": "yes"})
        assert "Right answer" in done.get("/results").text
        assert "EUR" in done.get("/done").text
        assert "closed" in late.post("/task", {**hidden, "option": "A"}).text
        assert "closed" in late.get("/results").text
        with Visitor(base) as other:
            assert "closed" in other.get("/").text
    assert len(answers_of(folder)) == 3


@pytest.mark.slow
def test_a_signed_link_shows_one_persons_results(tmp_path: Path) -> None:
    folder = make_study(tmp_path, count=3, checks=0)
    with serving(folder) as base, Visitor(base) as person, Visitor(base) as holder:
        person.begin()
        person.finish()
        code = _code_of(folder, person)
        link = folder.results_link(code)
        page = holder.get(link)
        assert page.text.count("Right answer") >= 2
        picture = re.findall(r'src="(/results/[^"]+/image/[^"]+)"', page.text)[0]
        assert holder.get(picture).headers["content-type"] == "image/png"
        for forged in (link[:-3] + "abc", f"/results/{code}", folder.link(code)):
            assert holder.get(forged.replace("/?link=", "/results/")).status_code == 400
