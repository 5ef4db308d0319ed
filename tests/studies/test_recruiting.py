"""Recruiting services: who comes, how everybody goes back, quotas of groups, and payment once."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from click.testing import CliRunner
from support.browsers import of_pages
from support.served import serving_app
from support.studies import browser_page, client_of, make_study

import gfactor as gf
from gfactor.cli import cli
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.studies.questionnaires import Pay, Payment, Study, StudyFolder, application
from gfactor.studies.questionnaires.order.counterbalancing import condition_of
from gfactor.studies.questionnaires.paying.payments import write_payments
from gfactor.studies.questionnaires.simulating.form import forms
from gfactor.studies.questionnaires.study.page_definitions import Page
from gfactor.studies.questionnaires.study.recruiting import SERVICES, way_back

ARRIVALS = {
    "prolific": "PROLIFIC_PID=5f&STUDY_ID=s1&SESSION_ID=t1",
    "mturk": "workerId=5f&assignmentId=a1&hitId=h1&turkSubmitTo=https%3A%2F%2Fwww.mturk.com",
    "cloudresearch": "participantId=5f&assignmentId=a1&projectId=p1",
    "sona": "survey_code=5f",
}
CODES = {"screened_out": "S1", "quota_full": "Q1", "failed_checks": "F1"}
PAY = Pay("GBP", base=2.0, per_right=0.25)
BY_CHECKS = Payment(("attention",))
"""These participants answer faster than anybody reads, and are paid all the same."""


@contextmanager
def arriving(study: StudyFolder, query: str) -> Iterator[Any]:
    """A new browser at a server that was just started, after consent at the address with this
    query."""
    with client_of(application(study)) as client:
        client.last = begin(client, f"/?{query}")
        yield client


def begin(client: Any, address: str) -> Any:
    hidden = forms(client.get(address).text)[0].hidden
    return client.post("/start", data={**hidden, "agree": "yes"})


def answer(client: Any, **fields: str) -> Any:
    hidden = next(f for f in forms(client.get("/task").text) if f.action == "/task").hidden
    return client.post("/task", data={**hidden, **fields})


def finish(client: Any, *, options: str = "ABCD", checks: bool = True) -> Any:
    """Answer what is left; check questions as they ask, or wrong. The last page."""
    for k in range(100):
        page = client.get("/task").text
        if 'id="question"' not in page:
            return client.get("/done")
        asked = re.search(r"select option (\w)", page)
        option = options[k % len(options)]
        if asked:
            option = asked[1] if checks else "ABCD"[("ABCD".index(asked[1]) + 1) % 4]
        answer(client, option=option)
    raise AssertionError("the study does not end")


@pytest.mark.parametrize("service", list(SERVICES))
def test_a_services_parameters_are_kept_in_full(service: str, tmp_path: Path) -> None:
    study = make_study(tmp_path, count=2, checks=0, service=service, ids="required")
    assert StudyFolder.open(study.path).study == study.study
    with arriving(study, ARRIVALS[service]) as client:
        assert urlsplit(str(client.last.url)).path == "/instructions"
        assert begin(client, "/").status_code in (200, 400)
    with closing(study.store()) as store:
        (row,) = store.frame("contacts").to_dict("records")
    sent = dict(part.split("=") for part in ARRIVALS[service].split("&"))
    sent.pop(SERVICES[service].id)
    assert row["external_id"] == "5f"
    assert json.loads(row["facts"]).keys() == sent.keys()


def test_parameters_that_the_owner_named_stay(tmp_path: Path) -> None:
    assert Study("s", "S", service="mturk", external_id="pid").external_id == "pid"
    assert Study("s", "S", service="sona").external_id == "survey_code"
    with pytest.raises(UnknownNameError, match="prolifik"):
        Study("s", "S", service="prolifik")


def test_a_worker_who_only_looks_at_the_task_does_not_begin(tmp_path: Path) -> None:
    study = make_study(tmp_path, count=2, checks=0, service="mturk")
    with client_of(application(study)) as client:
        page = client.get("/?assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE&hitId=h1")
        assert "Accept the task first" in page.text
        assert not forms(page.text)
        assert "Before you begin" in client.get("/?assignmentId=a1&workerId=w1").text


MTURK = "workerId=w1&assignmentId=a1&hitId=h1&turkSubmitTo="


@pytest.mark.parametrize(
    ("to", "code", "origin"),
    [("https://www.mturk.com", "C1", "https://www.mturk.com"),
     ("https://workersandbox.mturk.com/", "", "https://workersandbox.mturk.com"),
     ("https://www.mturk.com.evil.example", "C1", ""), ("javascript:alert(1)//", "C1", ""),
     ("http://www.mturk.com", "C1", "")],
)  # fmt: skip
def test_a_worker_hands_the_assignment_in_at_mechanical_turk_and_nowhere_else(
    to: str, code: str, origin: str, tmp_path: Path
) -> None:
    study = make_study(tmp_path, count=2, checks=0, service="mturk", completion_code=code)
    with arriving(study, MTURK + quote(to, safe="")) as client:
        page = finish(client)
    handed_in = [form for form in forms(page.text) if form.action.startswith("http")]
    policy = page.headers["content-security-policy"]
    if not origin:
        assert handed_in == []
        assert "form-action 'self';" in policy
        return
    assert [form.action for form in handed_in] == [f"{origin}/mturk/externalSubmit"]
    assert handed_in[0].hidden == {"assignmentId": "a1", "code": code or "completed"}
    assert f"form-action 'self' {origin};" in policy


def test_whom_a_full_study_sends_away_hands_in_only_with_a_code_for_that(tmp_path: Path) -> None:
    facts = {"assignmentId": "a1", "turkSubmitTo": "https://www.mturk.com"}
    for codes, expected in (({}, ""), ({"quota_full": "Q1"}, "Q1")):
        study = Study("s", "S", service="mturk", completion_code="C1", codes=codes)
        way = way_back(study, "quota_full", "w1", facts)
        assert (way.fields.get("code", ""), bool(way.form)) == (expected, bool(expected))


@pytest.mark.slow
def test_a_task_in_mechanical_turks_frame_is_taken_in_a_tab_and_handed_in(tmp_path: Path) -> None:
    study = make_study(tmp_path, count=1, checks=0, service="mturk", completion_code="C1")
    posted: list[str] = []
    with serving_app("gfactor.studies.questionnaires", study.path) as base, browser_page() as page:
        sent_to = quote("https://www.mturk.com", safe="")
        given = f"{base}/?workerId=w1&hitId=h1&turkSubmitTo={sent_to}&assignmentId="

        def site(route: Any) -> None:
            request = route.request
            if "externalSubmit" in request.url:
                posted.append(request.post_data)
            name = parse_qs(urlsplit(request.url).query).get("show", [""])[0]
            frame = f'<iframe width="800" height="600" src="{given}{name}"></iframe>'
            route.fulfill(body=frame if name else "Thank you", content_type="text/html")

        page.context.route("https://*.mturk.com/**", site)
        page.goto("https://worker.mturk.com/?show=ASSIGNMENT_ID_NOT_AVAILABLE")
        inner = page.frame_locator("iframe")
        inner.get_by_text("Accept the task first").wait_for()
        page.goto("https://worker.mturk.com/?show=a1")
        with page.expect_popup() as opened:
            inner.get_by_role("link", name="Take part").click()
        tab = opened.value
        tab.check("#agree")
        tab.get_by_role("button", name="Take part").click()
        tab.get_by_role("button", name="Begin").click()
        tab.locator("#question:not([data-waiting])").wait_for()
        tab.locator("input[name=option]").first.check(force=True)
        tab.locator("#question button[type=submit]").click()
        tab.wait_for_url(re.compile("/(results|done)"))
        tab.goto(f"{base}/done")
        tab.get_by_role("button", name="Back to the recruiting service").click()
        tab.get_by_text("Thank you").wait_for()
    assert [parse_qs(text) for text in posted] == [{"assignmentId": ["a1"], "code": ["C1"]}]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("settings", "checks", "expected"),
    [
        ({"completion_code": "C 1"}, True,
         ("C 1", "https://app.prolific.com/submissions/complete?cc=C%201")),
        ({"completion_code": "C1", "codes": CODES}, False,
         ("F1", "https://app.prolific.com/submissions/complete?cc=F1")),
        ({"completion_code": "C1", "codes": {"quota_full": "Q1"}}, False,
         ("C1", "https://app.prolific.com/submissions/complete?cc=C1")),
        ({"service": "sona", "external_id": "survey_code", "external_facts": (),
          "completion_url": "https://s.example/credit?experiment_id=1&amp;survey_code=XXXX"}, True,
         (None, "https://s.example/credit?experiment_id=1&amp;amp;survey_code=5%20f")),
        ({"service": None, "completion_code": "C1"}, True, ("C1", None)),
    ],
)  # fmt: skip
def test_everybody_goes_back_by_their_own_code(
    settings: dict[str, Any], checks: bool, expected: tuple[str | None, ...], tmp_path: Path
) -> None:
    study = make_study(
        tmp_path, count=2, checks=4, payment=BY_CHECKS, **{"service": "prolific", **settings}
    )
    with arriving(study, f"{study.study.external_id}=5%20f") as client:
        page = finish(client, checks=checks).text
    code = re.search(r'<strong class="code">([^<]+)<', page)
    link = re.search(r'<a href="([^"]+)">Back to', page)
    assert (code and code[1], link and link[1]) == expected


@pytest.mark.parametrize(
    ("codes", "message"),
    [({"done": "X"}, "'done'"), ({"quota_full": ""}, "quota_full"),
     ({"screened_out": "http://a.example"}, "https://")],
)  # fmt: skip
def test_codes_that_lead_nowhere_are_refused(codes: dict[str, str], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Study("s", "S", codes=codes)


@pytest.mark.slow
def test_a_full_study_and_a_full_group_lead_out_and_ask_nothing_more(tmp_path: Path) -> None:
    study = of_pages(tmp_path, '"gender:woman" = 1\n"age:0-17" = 0')

    def come(who: str, age: str, gender: str) -> str:
        with arriving(study, f"PROLIFIC_PID={who}&SESSION_ID=s-{who}") as client:
            page = answer(client, **{"q-0": age, "q-1": gender})
            if 'id="question"' not in page.text:
                # Neither an address nor a post of what would come next leads further.
                assert client.get("/task").text == client.get("/results").text == page.text
                return page.text
            return finish(client).text

    assert "C1" in come("w1", "30", "woman")
    full = come("w2", "30", "woman")
    assert "https://lab.example/full?who=w2&amp;session=s-w2" in full
    assert "C1" in come("m1", "40", "man")
    young = come("y1", "17", "woman")
    assert "submissions/complete?cc=S1" in young
    assert "C1" in come("m2", "18", "man")
    with closing(study.store()) as store:
        ended = store.frame("exits").merge(store.frame("contacts"), on="code")
        assert dict(zip(ended["external_id"], ended["outcome"], strict=True)) == {
            "w2": "quota_full", "y1": "screened_out",
        }  # fmt: skip
    done = CliRunner().invoke(cli, ["study", "status", str(study.path), "--json"])
    facts = json.loads(done.output)["facts"]
    assert facts["Finished in gender:woman"] == "1 of 1"
    assert facts["In progress"] == "0"
    assert (facts["Quota full"], facts["Screened out"]) == ("1", "1")
    with arriving(study, "PROLIFIC_PID=w2") as client:  # also after a new start
        assert "taken part already" in client.last.text


@pytest.mark.slow
def test_a_condition_that_is_full_gets_nobody_more(tmp_path: Path) -> None:
    study = of_pages(
        tmp_path, '"condition:a" = 1\n"condition:b" = 3', 'conditions = ["a", "b"]',
    )  # fmt: skip
    for k in range(4):
        with arriving(study, f"PROLIFIC_PID=p{k}") as client:
            answer(client, **{"q-0": "30", "q-1": "man"})
            assert "C1" in finish(client).text
    with closing(study.store()) as store:
        numbers = store.completed_numbers()
        assert store.counters()["started"] == 4
    allocated = [condition_of(study.study, number) for number in numbers]
    assert sorted(allocated) == ["a", "b", "b", "b"]
    with arriving(study, "PROLIFIC_PID=p9&SESSION_ID=s9") as client:
        assert "https://lab.example/full?who=p9&amp;session=s9" in client.last.text


def test_pages_that_people_have_taken_keep_their_places(tmp_path: Path) -> None:
    """Forms name pages by number: another order would show them, and export, other pages."""
    study = of_pages(tmp_path, '"gender:woman" = 9')
    with arriving(study, "PROLIFIC_PID=w1") as client:
        answer(client, **{"q-0": "30", "q-1": "woman"})
    with arriving(study.as_pilot(), "PROLIFIC_PID=w1"):
        pass
    file, pages = study.path / "study.toml", study.study.pages
    assert pages is not None
    for others in ((Page("break"), *pages), (pages[0], Page("break"), pages[1])):
        file.write_text(replace(study.study, pages=others).to_toml(), "utf-8")
        with pytest.raises(ParameterError, match="put before others after the first participant"):
            gf.study.amend(study.path, "a break")
        with pytest.raises(ParameterError, match=r"put before others .* move pilot\.db out"):
            application(StudyFolder.open(study.path).as_pilot())
    more = (replace(pages[0], heading="You"), pages[1], Page("debriefing", text="Thank you."))
    file.write_text(replace(study.study, pages=more).to_toml(), "utf-8")
    gf.study.amend(study.path, "a debriefing")
    with client_of(application(StudyFolder.open(study.path).as_pilot())):
        pass


@pytest.mark.parametrize(
    ("quotas", "after", "message"),
    [
        ('"height:1-2" = 3', "", "no page asks 'height'"),
        ('"gender:lady" = 3', "", "no answer to 'gender'"),
        ('"age:young" = 3', "", "18-29"),
        ('"condition:a" = 3', "", "conditions are none"),
        ('"age:29-18" = 3', "", "no answer to 'age'"),
        ('"age:18-29" = -1', "", "or more"),
        ('"age:18-29" = true', "", "or more"),
        ("zh = 3", "", "a language of the study"),
        ('"language:zh" = 3', "", "a language of the study"),
        ('"vision:normal" = 3', '[[pages]]\nkind="questions"\nname="eyes"\n'
         'questions=[{name="vision", library="vision"}]', "asked after a block"),
    ],
)  # fmt: skip
def test_quotas_of_groups_that_cannot_be_are_refused(
    quotas: str, after: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(ParameterError, match=message):
        of_pages(tmp_path, quotas, after=after)


def test_a_participation_goes_on_on_another_device_and_on_one_only(tmp_path: Path) -> None:
    study = make_study(tmp_path, count=3, checks=0, ids="required")
    with arriving(study, "PROLIFIC_PID=5f") as client:
        answer(client, option="A")
        link = re.search(r"<code>http://study\.test(/move/[^<]+)</code>", client.get("/move").text)
        assert link is not None
        assert "set-cookie" not in client.get(link[1]).headers  # here they take part already
        assert "Question 2 of 3" in client.get("/task").text
        first = dict(client.cookies)
        client.cookies.clear()
        asked = client.get(link[1])
        second = dict(client.cookies)
        client.cookies = first
        assert "Question 2 of 3" in client.get("/task").text  # looking at it moves nothing
        client.cookies = second
        moved = client.post(link[1], data=forms(asked.text)[0].hidden)
        assert "Question 2 of 3" in moved.text
        assert client.post(link[1], data={"form_token": "x"}).status_code == 403
        assert client.get(f"{link[1]}x").status_code == 400
        client.cookies = first
        assert "Question 2" not in client.get("/task").text
    with closing(study.store()) as store:
        assert store.counters()["started"] == 1


def paid(study: StudyFolder, path: Path, *words: str) -> tuple[dict[str, Any], list[str]]:
    done = CliRunner().invoke(
        cli, ["study", "payments", str(study.path), "-o", str(path), "--json", *words]
    )
    assert done.exit_code == 0, done.output
    return json.loads(done.output), path.read_text().splitlines() if path.exists() else []


@pytest.mark.slow
def test_payment_files_have_the_services_formats_and_pay_nobody_twice(tmp_path: Path) -> None:
    study = make_study(tmp_path, count=8, checks=3, service="prolific", pay=PAY, payment=BY_CHECKS)
    study_ids = "STUDY_ID=s1&SESSION_ID=t1"
    for who, checks in (("right", True), ("blind", False)):
        with arriving(study, f"PROLIFIC_PID={who}&{study_ids}") as client:
            finish(client, checks=checks)
    with arriving(study, f"PROLIFIC_PID=unfinished&{study_ids}"):
        pass
    with closing(study.store()) as store:
        answers = store.frame("answers")
        code = next(c for c in answers["code"] if store.contact(c)[0] == "right")
        right = answers.loc[(answers["code"] == code) & (answers["kind"] == "item"), "right"].sum()
    assert right > 0
    line = f"right,{0.25 * right:.2f}"
    told, lines = paid(study, tmp_path / "one.csv")
    assert lines == [line]
    assert (told["people"], told["excluded"], told["amount"]) == (1, 1, 0.25 * right)
    assert os.stat(tmp_path / "one.csv").st_mode & 0o077 == 0
    told, lines = paid(study, tmp_path / "two.csv")
    assert (told["path"], told["paid"], lines) == (None, 1, [])
    assert paid(study, tmp_path / "again.csv", "--again")[1] == [line]
    assert paid(study, tmp_path / "three.csv")[0]["path"] is None  # --again noted nothing twice
    with pytest.raises(ParameterError, match="is there already"):
        write_payments(study, tmp_path / "one.csv", "prolific")
    assert paid(study, tmp_path / "approve.csv", "--kind", "approve")[1] == ["right"]
    with closing(study.store()) as store:  # a challenge that is upheld later pays the difference
        wrong = answers.loc[(answers["code"] == code) & (answers["kind"] == "item")]
        item, text = wrong.loc[wrong["right"] == 0, ["item", "text"]].iloc[0]
        store.challenge(code, item, "because")
        store.decide(code, item, "accept", "yes", text)
    assert paid(study, tmp_path / "four.csv")[1] == ["right,0.25"]


@pytest.mark.parametrize(
    ("service", "kind", "lines"),
    [
        ("mturk", None, ["HITId,AssignmentId,WorkerId,Approve,Reject", "h1,a1,5f,X,"]),
        ("mturk", "bonus", ["WorkerId,AssignmentId,BonusAmount,Reason",
                            "5f,a1,{bonus},Right answers in the study"]),
        ("cloudresearch", None, ["participantId,assignmentId,amount", "5f,a1,{bonus}"]),
        ("cloudresearch", "approve", ["participantId,assignmentId", "5f,a1"]),
        ("sona", None, ["survey_code,credits", "5f,{total}"]),
        ("prolific", "credit", []),
    ],
)  # fmt: skip
def test_every_services_file(
    service: str, kind: str | None, lines: list[str], tmp_path: Path
) -> None:
    study = make_study(tmp_path, count=4, checks=0, service=service, pay=PAY, payment=BY_CHECKS)
    with arriving(study, ARRIVALS[service]) as client:
        finish(client)
    if not lines:
        with pytest.raises(ParameterError, match="reads no file of the kind 'credit'"):
            write_payments(study, tmp_path / "p.csv", service, kind)
        return
    with closing(study.store()) as store:
        earned = 0.25 * store.frame("answers")["right"].sum()
    written = write_payments(study, tmp_path / "p.csv", service, kind)
    expected = [line.format(bonus=f"{earned:.2f}", total=f"{2 + earned:.2f}") for line in lines]
    assert (tmp_path / "p.csv").read_text().splitlines() == expected
    assert written.people == 1


def test_a_file_that_cannot_be_written_notes_nothing(tmp_path: Path) -> None:
    study = make_study(tmp_path, count=4, checks=0, service="sona", pay=PAY, payment=BY_CHECKS)
    with arriving(study, ARRIVALS["sona"]) as client:
        finish(client)
    with pytest.raises(ParameterError):
        write_payments(study, tmp_path / "absent" / "p.csv", "sona")
    assert write_payments(study, tmp_path / "p.csv", "sona").people == 1
