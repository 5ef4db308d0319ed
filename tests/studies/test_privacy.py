"""Data protection: the page, receipts of consent, data and deletion by receipt code."""

from __future__ import annotations

import hashlib
import json
import re
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from support.studies import PASSWORD, client_of, exam_bank, make_study
from support.tiers import few

from gfactor.api import study as studies
from gfactor.cli import cli
from gfactor.studies.questionnaires import (
    LANGUAGES,
    Conduct,
    Pay,
    Payment,
    Study,
    StudyFolder,
    application,
)
from gfactor.studies.questionnaires.pages.receipts import receipt_of
from gfactor.studies.questionnaires.simulating.form import forms
from gfactor.studies.questionnaires.storing.tables import CONTACTS, METADATA
from gfactor.studies.questionnaires.translations import words

CONDUCT = Conduct(
    controller={"en": "University of **X**", "ar": "جامعة س"}, purpose="To know how people count.",
    officer="dpo@x.example", authority="The authority of Y", ethics="2026-17",
)  # fmt: skip
SENTENCES = [key for key in words("en").sentences if key.startswith(("privacy_", "receipt_"))]


@pytest.fixture
def folder(tmp_path: Path) -> StudyFolder:
    settings: dict[str, Any] = {"contact": "lab@x.example", "conduct": CONDUCT}
    return make_study(tmp_path, count=4, checks=0, retention_days=90, **settings)


def take(client: Any, options: str = "ABCD", entry: str = "/") -> str:
    """Take part; the receipt code of the last page."""
    page = client.get(entry).text
    client.post("/start", data={**forms(page)[0].hidden, "agree": "yes"})
    for option in options:
        hidden = forms(client.get("/task").text)[0].hidden
        client.post("/task", data={**hidden, "option": option})
    return re.findall(r'class="code" dir="ltr">([^<]+)<', client.get("/receipt").text)[0]


def by_receipt(client: Any, receipt: str, **fields: str) -> Any:
    hidden = forms(client.get("/receipt").text)[0].hidden
    return client.post("/receipt", data={**hidden, "receipt": receipt, **fields})


@pytest.mark.thorough
@pytest.mark.parametrize("language", few(LANGUAGES, 3))
def test_the_page_on_data_protection_says_who_what_why_how_long(
    tmp_path: Path, language: str
) -> None:
    """In each language, before anybody has consented, from the study file."""
    study = Study("s", "S", language=language, contact="lab@x.example", conduct=CONDUCT,
                  retention_days=90)  # fmt: skip
    folder = StudyFolder.make(tmp_path / "study", study, exam_bank(tmp_path, 3), PASSWORD)
    with client_of(application(folder)) as client:
        assert 'href="/privacy?language=' in client.get("/").text
        page = client.get("/privacy").text
        assert client.get("/").url.path == "/"
    say = words(language)
    headings = re.findall(r"<h2>([^<]+)</h2>", page)
    names = ("who", "why", "what", "basis", "recipients", "how_long", "rights", "contact",
             "officer", "authority", "ethics")  # fmt: skip
    expected = [say(f"privacy_{name}") for name in names]
    assert headings == (expected if language in ("en", "ar") else expected[1:])
    for text in ("To know how people count.", "lab@x.example", "dpo@x.example", "2026-17", "90"):
        assert text in page
    assert "<strong>X</strong>" in page if language == "en" else "University" not in page


def test_every_language_has_these_sentences_of_its_own() -> None:
    assert len(SENTENCES) > 25
    for key in SENTENCES:
        told = [words(language).sentences[key] for language in LANGUAGES]
        assert all(text.strip() for text in told), key
        sentences = [text for text in told if len(text) > 30]  # headings may be the same
        assert len(set(sentences)) == len(sentences), key
        braces = {tuple(sorted(re.findall(r"{(\w+)}", text))) for text in told}
        assert len(braces) == 1, key


def test_a_receipt_of_consent_holds_the_text_its_digest_and_the_time(folder: StudyFolder) -> None:
    with client_of(application(folder)) as client:
        receipt = take(client, "A")
        reply = client.get("/receipt/consent")
        assert "attachment" in reply.headers["content-disposition"]
        held = reply.json()
        agreed = words("en")("consent_text", days=90)
        assert held["receipt_code"] == receipt
        assert held["consent"]["text"] == agreed
        assert held["consent"]["text_sha256"] == hashlib.sha256(agreed.encode()).hexdigest()
        assert held["consent"]["version"] == "1"
        assert held["consent"]["given"].startswith("20")
    changed = StudyFolder(folder.path)
    (folder.path / "study.toml").write_text(
        replace(folder.study, consent="Another text.", consent_version="2").to_toml()
    )
    studies.amend(folder.path, "the consent was unclear")
    with closing(changed.store()):
        data: Any = studies.person(folder.path, receipt)
    assert data["consent"]["text"] == agreed  # what they agreed to, not what stands there now
    assert data["consent"]["version"] == "1"


def test_a_receipt_gives_everything_and_nothing_that_tells_keys(folder: StudyFolder) -> None:
    with client_of(application(folder)) as client:
        receipt = take(client, "ABCD", "/?PROLIFIC_PID=recruited-person-7&STUDY_ID=s1")
        results = client.get("/results").text
        shown = re.findall(r"Your answer: (\w)", results)
        form = next(f for f in forms(results) if f.action == "/challenge")
        client.post("/challenge", data={**form.hidden, "reason": "Unclear."})
    with client_of(application(folder)) as elsewhere:  # on another device, without a session
        held = by_receipt(elsewhere, f" {receipt.upper().replace('-', ' ')}").json()
    assert [row["answer"] for row in held["answers"]] == shown == list("ABCD")
    assert held["recruiting"][0]["id"] == "recruited-person-7"
    assert held["recruiting"][0]["facts"] == {"STUDY_ID": "s1"}
    assert held["challenges"][0]["reason"] == "Unclear."
    assert [row["page"] for row in held["pages"]][:2] == ["instructions", "question-1"]
    assert held["marks"]["items"] == 4
    text = json.dumps(held)
    for word in ("earned", '"right"', "possible", "verdict", *folder.bank.ids):
        assert word not in text, word


@pytest.mark.thorough
def test_once_keys_are_open_the_data_hold_them(tmp_path: Path) -> None:
    folder = make_study(tmp_path, count=3, checks=0, disclose="closed")
    with client_of(application(folder)) as client:
        receipt = take(client, "ABC")
        assert "right" not in by_receipt(client, receipt).json()["answers"][0]
    studies.close(folder.path)
    data: Any = studies.person(folder.path, receipt)
    assert {row["item"] for row in data["answers"]} == set(folder.bank.ids)
    assert {type(row["right"]) for row in data["answers"]} == {bool}


def everything(folder: StudyFolder) -> bytes:
    """All tables of the database."""
    with closing(folder.store()) as store:
        return "".join(store.frame(name).to_csv() for name in METADATA.tables).encode()


@pytest.mark.slow
def test_a_receipt_deletes_everything_at_once(folder: StudyFolder) -> None:
    with client_of(application(folder)) as client, client_of(application(folder)) as other:
        receipt, stays = (
            take(client, "ABC", "/?PROLIFIC_PID=recruited-person-7"),
            take(other, "ABCD"),
        )
        with closing(folder.store()) as store:
            code = str(store.frame("contacts")["code"][0])
        assert "tick the box" in by_receipt(other, receipt, do="delete").text
        assert code.encode() in everything(folder)
        reply = by_receipt(other, receipt, do="delete", sure="yes")
        assert "deleted" in reply.text
        assert code.encode() not in everything(folder)
        assert b"recruited-person-7" not in everything(folder)
        assert by_receipt(other, receipt).status_code == 404
        assert len(by_receipt(other, stays).json()["answers"]) == 4
    log = studies.log(folder.path).actions
    assert log["action"].tolist() == ["deleted on request"]
    assert code not in log.to_csv()
    assert studies.status(folder.path).people[0]["code"] != code


def test_who_is_deleted_at_the_command_line_while_a_server_knows_them_is_gone(
    folder: StudyFolder,
) -> None:
    """Another process deletes: the next answer is not stored, no page fails."""
    with client_of(application(folder)) as client:
        receipt = take(client, "AB")
        hidden = forms(client.get("/task").text)[0].hidden
        with closing(folder.store()) as store:
            code = str(store.frame("participants")["code"][0])
        studies.person(folder.path, receipt, delete=True)
        for path in ("/task", "/receipt/consent", "/feedback/0", "/results", "/done", "/move"):
            assert client.get(path).status_code == 200
        assert client.post("/task", data={**hidden, "option": "C"}).url.path == "/"
        assert code.encode() not in everything(folder)


def test_who_took_part_in_the_pilot_is_paid_and_can_be_deleted(tmp_path: Path) -> None:
    pay, everybody = Pay(per_right=0.5), Payment(())
    folder = make_study(tmp_path, count=2, checks=0, service="prolific", pay=pay, payment=everybody)
    with client_of(application(folder.as_pilot())) as client:
        receipt = take(client, "AA", "/?PROLIFIC_PID=recruited-person-7")
    path = tmp_path / "pay.csv"
    words_of = ["study", "payments", str(folder.path), "-o", str(path)]
    assert "nobody is due" in CliRunner().invoke(cli, words_of).output
    assert "1 participants" in CliRunner().invoke(cli, [*words_of, "--pilot"]).output
    assert path.read_text() == "recruited-person-7,0.50\n"
    words_of = ["study", "person", str(folder.path), receipt, "--delete"]
    assert CliRunner().invoke(cli, words_of).exit_code != 0
    assert CliRunner().invoke(cli, [*words_of, "--pilot"]).exit_code == 0
    assert b"recruited-person-7" not in everything(folder.as_pilot())


@pytest.mark.thorough
def test_the_server_of_a_study_deletes_the_ids_of_its_pilot_in_time(tmp_path: Path) -> None:
    folder = make_study(tmp_path, count=2, checks=0, retention_days=30)
    with client_of(application(folder.as_pilot())) as client:
        take(client, "A", "/?PROLIFIC_PID=recruited-person-7")
    with closing(folder.as_pilot().store()) as store, store.transaction() as connection:
        connection.execute(CONTACTS.update().values(since="2020-01-01T00:00:00.000+00:00"))
    with client_of(application(folder)):
        assert b"recruited-person-7" not in everything(folder.as_pilot())


@pytest.mark.thorough
def test_what_is_said_after_a_deletion_is_in_the_language_of_the_page(tmp_path: Path) -> None:
    folder = make_study(tmp_path, count=2, checks=0, languages=("en", "zh"))
    with client_of(application(folder)) as client:
        receipt = take(client, "A")
        hidden = forms(client.get("/receipt").text)[0].hidden
        fields = {**hidden, "receipt": receipt, "do": "delete", "sure": "yes"}
        assert words("zh")("withdrawn") in client.post("/receipt?language=zh", data=fields).text


def test_receipts_cannot_be_guessed_forged_or_made_of_an_export(folder: StudyFolder) -> None:
    with client_of(application(folder)) as client:
        receipt = take(client, "A")
        assert re.fullmatch(r"(\w{5}-){3}\w{5}", receipt)
        hidden = forms(client.get("/receipt").text)[0].hidden
        for token in ("", "0" * 64):
            forged = {
                **hidden,
                "form_token": token,
                "receipt": receipt,
                "do": "delete",
                "sure": "yes",
            }
            assert client.post("/receipt", data=forged).status_code == 403
        elsewhere = {"origin": "https://elsewhere.example"}
        assert (
            client.post(
                "/receipt", data={**hidden, "receipt": receipt}, headers=elsewhere
            ).status_code
            == 403
        )
        with closing(folder.store()) as store:
            code = str(store.frame("participants")["code"][0])
        guesses = [code, "", "x" * 5_000, receipt[:-1], "22222-22222-22222-22222"]
        statuses = [by_receipt(client, guess).status_code for guess in guesses * 6]
        assert set(statuses[:5]) == {404}
        assert statuses[-1] == 429
    assert receipt_of(folder.secrets, code) == receipt
    assert receipt_of(replace(folder.secrets, key=b"another key" * 3), code) != receipt


def test_the_command_line_exports_and_deletes_a_person(folder: StudyFolder, tmp_path: Path) -> None:
    with client_of(application(folder)) as client:
        receipt = take(client)
    words_of = ["study", "person", str(folder.path), receipt]
    file = tmp_path / "data.json"
    done = CliRunner().invoke(cli, [*words_of, "--export", str(file)])
    assert done.exit_code == 0, done.output
    assert len(json.loads(file.read_text())["answers"]) == 4
    assert file.stat().st_mode & 0o077 == 0
    done = CliRunner().invoke(cli, [*words_of, "--delete", "--json"])
    assert json.loads(done.output)["deleted"] is True
    done = CliRunner().invoke(cli, words_of)
    assert "no participant has this receipt code" in str(done.exception)
    assert studies.log(folder.path).actions["action"].tolist() == [
        "read on request", "read on request", "deleted on request",
    ]  # fmt: skip


@pytest.mark.thorough
def test_identifiers_are_in_no_export_unless_asked_for(folder: StudyFolder, tmp_path: Path) -> None:
    with client_of(application(folder)) as client:
        take(client, "ABCD", "/?PROLIFIC_PID=recruited-person-7-secret&SESSION_ID=ss9")
    for asked in (False, True):
        out = tmp_path / str(asked)
        studies.export(folder.path, out, identifiers=asked)
        held = {p.name: p.read_bytes() for p in out.rglob("*") if p.is_file()}
        having = [name for name, content in held.items() if b"recruited-person-7-secret" in content]
        assert having == (["bonus.csv"] if asked else [])
        assert any(b"ss9" in content for content in held.values()) is asked
