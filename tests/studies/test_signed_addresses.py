"""Addresses that Prolific has signed: who begins by them, and who does not."""

from __future__ import annotations

import base64
import json
import re
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import jwt
import pytest
from support.served import serving_app
from support.signed_addresses import (
    PERSON,
    SESSION,
    STUDY,
    KeyServer,
    Signer,
    key_server,
)
from support.studies import browser_page, client_of, make_study

import gfactor as gf
from gfactor.errors import MissingExtraError, ParameterError
from gfactor.studies.questionnaires import Signature, Study, StudyFolder, application
from gfactor.studies.questionnaires.pages.signatures import (
    DAILY_S,
    PAUSE_S,
    KeysMissingError,
    PublicKeys,
    domain_of,
)
from gfactor.studies.questionnaires.paying import prolific_api
from gfactor.studies.questionnaires.simulating.form import forms
from gfactor.studies.questionnaires.study.readiness import check_study
from gfactor.studies.questionnaires.study.recruiting import SERVICES

PLAIN = f"PROLIFIC_PID={PERSON}&STUDY_ID={STUDY}&SESSION_ID={SESSION}"
SIGNED: dict[str, Any] = {
    "ids": "signed", "service": "prolific", "signature": Signature((STUDY,), "keys.json"),
}  # fmt: skip
PUBLISHED: dict[str, Any] = {**SIGNED, "signature": Signature((STUDY,))}


@pytest.fixture(scope="module")
def signer() -> Signer:
    return Signer()


@pytest.fixture
def study(signer: Signer, tmp_path: Path) -> StudyFolder:
    return signed_study(tmp_path, signer)


def signed_study(folder: Path, signer: Signer) -> StudyFolder:
    """A study that only begins by signed addresses, with the signer's keys in a file."""
    made = make_study(folder, count=3, checks=0, **SIGNED)
    (made.path / "keys.json").write_text(json.dumps(signer.jwks()), "utf-8")
    return made


@pytest.fixture
def published(signer: Signer, monkeypatch: pytest.MonkeyPatch) -> Iterator[KeyServer]:
    with key_server(signer) as server:
        monkeypatch.setenv(prolific_api.ADDRESS, server.url)
        yield server


def begin(client: Any, address: str) -> Any:
    """Consent at an address; the page that refuses it where there is no consent."""
    page = client.get(address)
    found = forms(page.text)
    if not found:
        return page
    return client.post("/start", data={**found[0].hidden, "agree": "yes"})


def begun(study: StudyFolder) -> list[dict[str, Any]]:
    with closing(study.store()) as store:
        return store.frame("contacts").to_dict("records")


def test_a_signed_address_begins_one_participation_of_whom_it_names(
    study: StudyFolder, signer: Signer
) -> None:
    address = f"/?prolific_token={signer.token()}"
    with client_of(application(study)) as client:
        assert begin(client, address).url.path == "/instructions"
        assert client.get(address).url.path == "/task"  # the same person, in the same browser
    with client_of(application(study)) as elsewhere:
        assert "on this device?" in elsewhere.get(address).text
    (contact,) = begun(study)
    assert contact["external_id"] == PERSON
    assert json.loads(contact["facts"]) == {"STUDY_ID": STUDY, "SESSION_ID": SESSION}


def test_only_what_is_signed_counts_of_an_address(study: StudyFolder, signer: Signer) -> None:
    address = f"/?PROLIFIC_PID=somebody&SESSION_ID=other&prolific_token={signer.token()}"
    with client_of(application(study)) as client:
        begin(client, address)
    (contact,) = begun(study)
    assert (contact["external_id"], json.loads(contact["facts"])["SESSION_ID"]) == (PERSON, SESSION)


def unsigned(signer: Signer) -> str:
    """A token whose header says that it needs no signature."""
    _, claims, _ = signer.token().split(".")
    header = json.dumps({"alg": "none", "kid": signer.name}).encode()
    return f"{base64.urlsafe_b64encode(header).decode().rstrip('=')}.{claims}."


def with_public_key_as_password(signer: Signer) -> str:
    """A token that takes the public key, which everybody has, for the key of HS256."""
    claims = jwt.decode(signer.token(), options={"verify_signature": False})
    modulus = signer.jwks()["keys"][0]["n"]
    return jwt.encode(claims, modulus, "HS256", {"kid": signer.name})


def with_another_id(signer: Signer) -> str:
    """A token whose claims were exchanged after it was signed."""
    header, _, signature = signer.token().split(".")
    claims = signer.token(PROLIFIC_PID="5f9999999999999999999999").split(".")[1]
    return f"{header}.{claims}.{signature}"


FORGED = {
    "another key": lambda signer: Signer().token(),
    "a key that is not published": lambda signer: Signer("key-2", signer.key).token(),
    "no signature": unsigned,
    "the public key as a password": with_public_key_as_password,
    "other claims": with_another_id,
    "no token at all": lambda signer: "PROLIFIC",
    "no expiry": lambda signer: signer.token(without="exp"),
    "no audience": lambda signer: signer.token(without="aud"),
    "no parameters": lambda signer: signer.token(without="prolific"),
    "a token of a megabyte": lambda signer: signer.token(note="x" * 9_000),
    "two tokens": lambda signer: f"{signer.token()}&prolific_token={signer.token()}",
}
OLD = {"an hour ago": -3_600.0, "before the leeway": -61.0}
ELSEWHERE: dict[str, dict[str, Any]] = {
    "another study": {"STUDY_ID": "6a9999999999999999999999"},
    "no study": {"STUDY_ID": None},
    "several studies": {"STUDY_ID": [STUDY]},
    "another domain": {"audience": "https://other.test"},
    "a domain that ends alike": {"audience": "https://evil-study.test"},
    "no domain": {"audience": {"study.test": 1}},
}


class Closed(NamedTuple):
    """A study that nobody begins, and a browser at it."""

    study: StudyFolder
    client: Any

    def refuses(self, query: str, sentence: str) -> None:
        """Assert that an address is refused by a page with a sentence, and begins nothing."""
        self.client.cookies.clear()
        page = self.client.get(f"/?{query}")
        assert page.status_code == 400
        assert sentence in page.text
        assert not forms(page.text)
        assert begun(self.study) == []
        # A form from another page of the study does not help either.
        self.client.post("/start", data={"agree": "yes", "sent": "", "form_token": ""})
        assert begun(self.study) == []


@pytest.fixture(scope="module")
def closed(signer: Signer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Closed]:
    study = signed_study(tmp_path_factory.mktemp("closed"), signer)
    with client_of(application(study)) as client:
        yield Closed(study, client)


@pytest.mark.parametrize("what", list(FORGED))
def test_a_forged_address_begins_nothing(what: str, closed: Closed, signer: Signer) -> None:
    closed.refuses(f"prolific_token={FORGED[what](signer)}", "incomplete or was changed")


@pytest.mark.parametrize("what", list(OLD))
def test_an_expired_address_begins_nothing(what: str, closed: Closed, signer: Signer) -> None:
    closed.refuses(f"prolific_token={signer.token(seconds=OLD[what])}", "This link has expired")


@pytest.mark.thorough
@pytest.mark.parametrize("what", list(ELSEWHERE))
def test_an_address_of_another_study_begins_nothing(
    what: str, closed: Closed, signer: Signer
) -> None:
    token = signer.token(**ELSEWHERE[what])
    closed.refuses(f"prolific_token={token}", "belongs to another study")


@pytest.mark.parametrize("query", ["", PLAIN, f"{PLAIN}&prolific_token="])
def test_an_unsigned_address_begins_nothing(query: str, closed: Closed) -> None:
    closed.refuses(query, "This link is not signed")


@pytest.mark.parametrize(
    ("person", "sentence"),
    [("{{%PROLIFIC_PID%}}", "holds a placeholder"), ("", "cannot be used"),
     (None, "does not hold your participant code")],
)  # fmt: skip
def test_a_signed_address_has_to_name_somebody(
    person: Any, sentence: str, closed: Closed, signer: Signer
) -> None:
    closed.refuses(f"prolific_token={signer.token(PROLIFIC_PID=person)}", sentence)


def test_a_consent_without_a_signature_begins_nothing(study: StudyFolder) -> None:
    """A form that was made when ids could be made up carries an id that nobody has signed."""
    loose = replace(study, database="loose.db")
    loose.__dict__["study"] = replace(study.study, ids="optional", signature=None)
    loose.__dict__["secrets"] = study.secrets
    with client_of(application(loose)) as client:
        sent = forms(client.get(f"/?{PLAIN}").text)[0].hidden["sent"]
    with client_of(application(study)) as client:
        hidden = forms(client.get(f"/?sent={sent}").text)[0].hidden
        page = client.post("/start", data={**hidden, "agree": "yes"})
        assert "does not hold your participant code" in page.text
    assert begun(study) == []


def test_the_owners_own_links_still_begin(study: StudyFolder) -> None:
    with client_of(application(study)) as client:
        assert begin(client, study.link("invited")).url.path == "/instructions"
    assert gf.study.simulate(study.path, persons=2, seed=1).to_dict()["finished"] == 2


def test_the_domain_is_that_of_the_public_address(study: StudyFolder, signer: Signer) -> None:
    """Whoever asks can write any host into a request; the public address stands fast."""
    for audience, path in (
        ("https://lab.example/study", "/instructions"),
        ("https://study.test", "/"),
    ):
        app = application(study, public_url="https://lab.example:8443/study")
        with client_of(app) as client:
            client.base_url = "https://study.test/study"
            address = f"/?prolific_token={signer.token(audience=['x', audience], SESSION_ID=path)}"
            page = client.get(address)
            assert bool(forms(page.text)) == (path == "/instructions"), page.text


@pytest.mark.parametrize(
    ("address", "domain"),
    [("https://lab.example/study", "lab.example"), ("lab.example", "lab.example"),
     ("http://LAB.example:8443", "lab.example"), ("lab.example:80/x", "lab.example"),
     ("https://[", ""), ("", "")],
)  # fmt: skip
def test_a_domain_is_found_with_or_without_a_scheme(address: str, domain: str) -> None:
    assert domain_of(address) == domain


def test_published_keys_are_fetched_when_somebody_comes(
    signer: Signer, published: KeyServer, tmp_path: Path
) -> None:
    folder = make_study(tmp_path, count=3, checks=0, **PUBLISHED)
    with client_of(application(folder)) as client:
        assert published.asked == 0
        assert begin(client, f"/?prolific_token={signer.token()}").url.path == "/instructions"
        forged = Signer("key-9").token(PROLIFIC_PID="5f9999999999999999999999")
        for _ in range(5):  # An unknown key is looked for at most once a minute.
            assert "incomplete" in client.get(f"/?prolific_token={forged}").text
        assert published.asked == 1
    assert len(begun(folder)) == 1


def test_without_keys_nobody_begins_and_everybody_is_asked_to_come_again(
    signer: Signer, published: KeyServer, tmp_path: Path
) -> None:
    folder = make_study(tmp_path, count=3, checks=0, **PUBLISHED)
    published.status = 500
    with client_of(application(folder)) as client:
        page = client.get(f"/?prolific_token={signer.token()}")
        assert (page.status_code, "cannot be checked" in page.text) == (503, True)
    assert begun(folder) == []


@pytest.mark.thorough
def test_keys_are_fetched_daily_and_old_ones_count_while_there_are_no_new_ones() -> None:
    now, texts, asked = [0.0], [json.dumps(Signer().jwks())], [0]

    def fetch() -> str:
        asked[0] += 1
        if not texts:
            raise OSError
        return texts[-1]

    keys = PublicKeys(fetch, clock=lambda: now[0])
    first = keys.key("key-1")
    assert (keys.key("key-1"), keys.key("key-2"), asked[0]) == (first, None, 1)
    texts.append(json.dumps(Signer("key-2").jwks()))
    now[0] = PAUSE_S
    assert (keys.key("key-2") is not None, keys.key("key-1"), asked[0]) == (True, None, 2)
    texts.clear()
    now[0] += DAILY_S
    assert (keys.key("key-2") is not None, asked[0]) == (True, 3)
    texts.append("<html>")
    now[0] += PAUSE_S
    assert (keys.key("key-2") is not None, asked[0]) == (True, 4)


def test_keys_that_never_came_are_missing() -> None:
    def fetch() -> str:
        raise OSError

    with pytest.raises(KeysMissingError):
        PublicKeys(fetch).key("key-1")


@pytest.mark.parametrize(
    "text", ["", "{}", '{"keys": []}', '{"keys": [{"kty": "oct", "k": "AAAA", "kid": "1"}]}',
             '{"keys": [{"kty": "RSA", "kid": "1"}]}', '{"keys": 3}', "[1]"],
)  # fmt: skip
def test_a_file_without_keys_is_named_before_anybody_comes(text: str, study: StudyFolder) -> None:
    (study.path / "keys.json").write_text(text)
    with pytest.raises(ParameterError, match=r"keys\.json.*public keys.*jwks\.json"):
        application(study)


def test_without_the_library_one_sentence_names_the_extra(
    study: StudyFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "jwt", None)
    with pytest.raises(MissingExtraError, match=r"gfactor\[web\]"):
        application(study)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [({"service": "sona"}, "'sona' signs none; set service to one of these: prolific"),
     ({"service": None}, "set service"), ({"ids": "required"}, "set ids"),
     ({"external_id": "", "external_facts": ()}, "external_id")],
)  # fmt: skip
def test_signatures_need_a_service_that_signs_and_ids_that_are_signed(
    settings: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ParameterError, match=sentence):
        Study("s", "S", **SIGNED | settings)


@pytest.mark.parametrize(
    "given", [{}, {"studies": ("",)}, {"studies": ("s1",), "keys": "../keys.json"}]
)
def test_a_signature_names_studies_and_a_file_in_the_folder(given: dict[str, Any]) -> None:
    with pytest.raises(ParameterError, match=r"\[signature\]"):
        Signature(**given)


def test_a_study_file_holds_the_signature_and_brings_its_keys(
    study: StudyFolder, signer: Signer, tmp_path: Path
) -> None:
    assert Study.from_toml(study.path / "study.toml") == study.study
    file = tmp_path / "file.toml"
    file.write_text(
        f'id = "s"\ntitle = "S"\nbank = "bank.parquet"\nids = "signed"\nservice = "prolific"\n'
        f'[signature]\nstudies = ["{STUDY}"]\nkeys = "jwks.json"\nparameter = "token"\n'
    )
    with pytest.raises(ParameterError, match=r"jwks\.json is missing"):
        gf.study.new(file, tmp_path / "made")
    (tmp_path / "jwks.json").write_text(json.dumps(signer.jwks()))
    made = StudyFolder.open(gf.study.new(file, tmp_path / "made").folder)
    with client_of(application(made)) as client:
        assert begin(client, f"/?token={signer.token()}").url.path == "/instructions"
    lines = {check.name: check for check in check_study(made)}
    assert STUDY in lines["signature"].says
    assert lines["completion code"].state == "missing"


@pytest.mark.slow
def test_a_signed_address_opens_the_study_in_a_browser_and_a_forged_one_says_so(
    study: StudyFolder, signer: Signer
) -> None:
    with serving_app("gfactor.studies.questionnaires", study.path) as url, browser_page() as page:
        page.goto(f"{url}/?{PLAIN}")
        assert "This link is not signed" in page.inner_text("main")
        page.goto(f"{url}/?prolific_token={signer.token(audience=url)}")
        page.check("input[name=agree]")
        page.click("button[type=submit]")
        page.wait_for_url(re.compile("/instructions"))
    assert [contact["external_id"] for contact in begun(study)] == [PERSON]


def test_prolifics_published_address_is_the_one_that_is_asked() -> None:
    signing = SERVICES["prolific"].signing
    assert signing is not None
    assert signing.keys() == "https://api.prolific.com/.well-known/study/jwks.json"
