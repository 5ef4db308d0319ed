"""Text from outside is shown and never run; posts from elsewhere do nothing; paths lead nowhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.studies import PASSWORD, browser_page, client_of, exam_items, make_study, picture

from gfactor.items import Choice, Item, ItemBank, Provenance, digest_of, write_bank
from gfactor.studies.questionnaires import Study, StudyFolder, application
from gfactor.studies.questionnaires.simulating import serving
from gfactor.studies.questionnaires.simulating.form import forms
from gfactor.studies.web import Secrets
from gfactor.studies.web.assets import kind_of
from gfactor.studies.web.limits import client_of as client_named
from gfactor.studies.web.markup import formula_to_mathml, to_html

ATTACKS = (
    "<script>document.title='owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "<svg onload=\"document.title='owned'\"></svg>",
    "[click](javascript:document.title='owned')",
    "<a href=\"javascript:document.title='owned'\">x</a>",
    r"$\text{<img src=x onerror=document.title='owned'>}$",
    r"$\href{javascript:document.title='owned'}{x}$",
    "<iframe srcdoc=\"<script>parent.document.title='owned'</script>\"></iframe>",
    "<style>*{display:none}</style>",
    "<form action=https://elsewhere.example><input name=form_token></form>",
    "\"><script>document.title='owned'</script>",
)


def hostile_study(folder: Path) -> StudyFolder:
    items = exam_items(3)
    for k, attack in enumerate(ATTACKS):
        items.append(
            Item(
                id=f"h{k:02d}",
                benchmark="m3gia",
                content=(attack, picture(k)),
                answer_type="choice",
                target="A",
                labels={"type": "hostile", "domain": "hostile"},
                provenance=Provenance("tests", "1", digest_of([attack])),
                choices=(Choice("A", attack), Choice("B", "b")),
            )
        )
    folder.mkdir(parents=True, exist_ok=True)
    bank = ItemBank.open(write_bank(items, folder / "bank.parquet"))
    study = Study("hostile", f"Title {ATTACKS[0]}", checks=0, shuffle=False, consent=ATTACKS[1])
    return StudyFolder.make(folder / "study", study, bank, PASSWORD)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Any]:
    with client_of(application(make_study(tmp_path, count=4, checks=0))) as made:
        yield made


def token(page: str) -> str:
    return forms(page)[0].hidden["form_token"]


def take_part(client: Any) -> str:
    """Consent; the first question's page."""
    page = client.get("/").text
    client.post("/start", data={"form_token": token(page), "agree": "yes"})
    return client.get("/task").text


@pytest.fixture(scope="module")
def participant(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, str]]:
    """A browser at the first question, and the folder of its pictures."""
    study = make_study(tmp_path_factory.mktemp("taken"), count=4, checks=0)
    with client_of(application(study)) as client:
        yield client, re.findall(r'src="/image/([^/]+)/', take_part(client))[0]


@pytest.mark.parametrize("attack", ATTACKS)
def test_markup_leaves_nothing_to_run(attack: str) -> None:
    for inline in (False, True):
        html = to_html(attack, inline=inline).lower()
        tags = re.findall(r"<\s*([a-z0-9]+)([^>]*)>", html)
        assert not {name for name, _ in tags} & {
            "script", "img", "svg", "iframe", "style", "form", "input",
        }  # fmt: skip
        assert not any("javascript:" in rest or re.search(r"\bon\w+=", rest) for _, rest in tags)


@pytest.mark.thorough
@settings(max_examples=60, deadline=None)
@given(st.text(alphabet=st.sampled_from(list("<>&\"'$\\{}()[]=/ abcjs:!-\n")), max_size=60))
def test_no_text_becomes_a_tag_that_is_not_allowed(text: str) -> None:
    allowed = {
        "a", "b", "blockquote", "br", "code", "del", "em", "h3", "h4", "h5", "h6", "hr", "i", "li",
        "ol", "p", "pre", "s", "span", "strong", "sub", "sup", "table", "tbody", "td", "th",
        "thead", "tr", "u", "ul",
    }  # fmt: skip
    for name in re.findall(r"<\s*([a-z0-9]+)", to_html(text).lower()):
        assert name in allowed or name == "math" or name.startswith("m")


def test_formulas_become_mathml_and_broken_ones_stay_visible() -> None:
    assert "<mfrac>" in (formula_to_mathml(r"\frac{3}{2}") or "")
    assert "$x^$" in to_html("broken $x^$ here")
    assert "<math" not in to_html("it costs $5 or $6")


@pytest.mark.slow
def test_hostile_items_do_nothing_in_a_browser(tmp_path: Path) -> None:
    study = hostile_study(tmp_path)
    with serving(study) as base, browser_page() as page:
        page.goto(base)
        page.locator("#agree").check()
        page.locator("main button").click()
        page.goto(f"{base}/task")
        for k in range(len(ATTACKS) + 3):
            page.wait_for_selector("form:not([data-waiting])")
            assert page.evaluate("document.title").startswith("Title <script>")
            assert page.locator(".stem script, .stem iframe, .stem svg, .stem style").count() == 0
            page.keyboard.press("2")
            page.keyboard.press("Enter")
            if k < len(ATTACKS) + 2:
                page.wait_for_function(
                    "k => document.querySelector('[name=position]').value === k", arg=str(k + 1)
                )
        page.wait_for_url("**/results")
        assert page.evaluate("document.title").startswith("Title <script>")


def test_challenges_and_external_ids_are_text(client: Any) -> None:
    page = client.get("/?PROLIFIC_PID=%3Cscript%3Ex()%3C/script%3E").text
    assert "<script>x()" not in page
    take_part(client)
    for k in range(4):
        form = forms(client.get("/task").text)[0]
        client.post("/task", data={**form.hidden, "position": str(k), "option": "A"})
    page = client.get("/results").text
    wrong = [f for f in forms(page) if f.action == "/challenge"]
    client.post("/challenge", data={**wrong[0].hidden, "reason": ATTACKS[0]})
    login = client.get("/owner").text
    page = client.post("/owner/login", data={"form_token": token(login), "password": PASSWORD}).text
    shown = client.get("/owner/challenges").text
    assert "<script>document" not in shown
    assert "&lt;script&gt;document" in shown


def test_a_post_without_the_sessions_token_does_nothing(client: Any) -> None:
    form = forms(take_part(client))[0]
    fields = {**form.hidden, "option": "A"}
    for forged in ({**fields, "form_token": ""}, {**fields, "form_token": "0" * 64}):
        assert client.post("/task", data=forged).status_code == 403
    elsewhere = {"origin": "https://elsewhere.example"}
    assert client.post("/task", data=fields, headers=elsewhere).status_code == 403
    cross = {"sec-fetch-site": "cross-site"}
    assert client.post("/withdraw", data=fields, headers=cross).status_code == 403
    assert forms(client.get("/task").text)[0].hidden["position"] == "0"


def test_the_owners_posts_are_guarded_like_everybodys(client: Any) -> None:
    form = forms(take_part(client))[0]
    participants = {"form_token": form.hidden["form_token"], "password": PASSWORD}
    assert client.post("/owner/login", data=participants).status_code == 403
    own = {"form_token": token(client.get("/owner/login").text), "password": PASSWORD}
    elsewhere = {"origin": "https://elsewhere.example"}
    assert client.post("/owner/login", data=own, headers=elsewhere).status_code == 403
    assert client.post("/owner/login", data=own).url.path == "/owner"
    page = client.get("/owner").text
    assert client.post("/owner/challenges", data={"verdict": "upheld"}).status_code == 403
    client.post("/owner/logout", data={"form_token": "0" * 64})
    assert "password" not in client.get("/owner").text, "a forged post logs nobody out"
    client.post("/owner/logout", data={"form_token": token(page)})
    assert "password" in client.get("/owner").text


def test_answers_sent_twice_or_out_of_turn_count_once(client: Any) -> None:
    form = forms(take_part(client))[0]
    for option in ("A", "B"):
        client.post("/task", data={**form.hidden, "option": option})
    assert forms(client.get("/task").text)[0].hidden["position"] == "1"
    client.post("/task", data={**form.hidden, "position": "3", "option": "A"})
    assert forms(client.get("/task").text)[0].hidden["position"] == "1"


@pytest.mark.parametrize(
    "path",
    [
        "/image/OWN/0/99", "/image/OWN/99/0", "/image/OWN/-1/0", "/image/other/0/0",
        "/image/../../etc/passwd/0",
        "/static/../app.py",
        "/static/..%2f..%2fapp.py", "/static/%2e%2e/store.py", "/image/OWN/0/0%00.png",
        "/static/task.js.map",
        f"/image/OWN/{'9' * 5_000}/0", f"/image/OWN/0/{'9' * 5_000}", f"/feedback/{'9' * 5_000}",
        f"/results/x/image/{'9' * 5_000}/0",
    ],
)  # fmt: skip
def test_paths_lead_to_nothing_but_our_own_files(participant: tuple[Any, str], path: str) -> None:
    client, folder = participant
    assert client.get(f"/image/{folder}/0/0").status_code == 200
    reply = client.get(path.replace("OWN", folder))
    assert reply.status_code == 404
    assert b"import" not in reply.content


def test_pictures_are_for_participants_and_svg_is_never_served(client: Any) -> None:
    assert client.get("/image/any/0/0", follow_redirects=False).status_code == 303
    path = re.findall(r'src="(/image/[^"]+)"', take_part(client))[0]
    assert client.get(path).headers["content-type"] == "image/png"
    assert kind_of(b"<svg xmlns='http://www.w3.org/2000/svg' onload='x()'/>") is None


def test_every_reply_forbids_scripts_from_elsewhere(client: Any) -> None:
    for path in ("/", "/task", "/owner/login", "/nowhere", "/static/task.js"):
        headers = client.get(path).headers
        assert "script-src 'self'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


@pytest.mark.thorough
def test_browsers_that_came_over_https_stay_there(tmp_path: Path) -> None:
    folder = make_study(tmp_path, count=3)
    for url, expected in (
        ("https://lab.example", True),
        ("http://lab.example", False),
        ("", False),
    ):
        with client_of(application(folder, public_url=url)) as client:
            headers = client.get("/").headers
            assert ("strict-transport-security" in headers) is expected
            assert ("Secure" in headers["set-cookie"]) is expected


def test_owner_pages_need_the_password_and_guessing_is_slow(client: Any) -> None:
    for path in ("/owner", "/owner/monitor", "/owner/challenges"):
        assert "password" in client.get(path).text
    page = client.get("/owner/login").text
    wrong = {"form_token": token(page), "password": "guess number one"}
    assert 429 in (client.post("/owner/login", data=wrong).status_code for _ in range(100))
    right = client.post("/owner/login", data={**wrong, "password": PASSWORD})
    assert right.status_code == 429


def test_tokens_are_those_that_itsdangerous_makes() -> None:
    """Links that were sent out by an earlier version stay valid."""
    secrets = Secrets(b"k" * 32, b"s" * 16, b"p")
    assert secrets.sign("form", "abc") == "g2Mxd_xZ91T70S82sDf9J7wUv0yLTWIZv01o2cBRFxM"
    token = "WyJhIiwxXQ.7HqBNzvjoSzVV2bkwvvvouc0AWpkR-3b-vmVrN2P_RU"
    assert secrets.token("x", ["a", 1]) == token
    assert secrets.value_of("x", token) == ["a", 1]
    assert secrets.value_of("y", token) is None
    assert Secrets(b"l" * 32, b"s" * 16, b"p").value_of("x", token) is None


@pytest.mark.thorough
def test_cookies_are_closed_to_scripts_and_databases_hold_no_token(tmp_path: Path) -> None:
    folder = make_study(tmp_path, count=3)
    with client_of(application(folder, secure=True)) as client:
        cookie = client.get("/").headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "Secure" in cookie
        assert "SameSite=lax" in cookie
    with client_of(application(folder)) as client:
        take_part(client)
        session = client.cookies["gfactor_study"]
    stored = b"".join(path.read_bytes() for path in (tmp_path / "study").glob("answers.db*"))
    assert session.encode() not in stored
    assert b"testclient" not in stored  # the address that a request came from
    assert PASSWORD not in (tmp_path / "study" / "secrets.json").read_text()
    assert (tmp_path / "study" / "secrets.json").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("host", "client"),
    [
        ("2001:db8::1", "2001:db8::/64"), ("2001:db8::ffff:1", "2001:db8::/64"),
        ("2001:db8:0:1::1", "2001:db8:0:1::/64"), ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:203.0.113.7", "203.0.113.7"), ("203.0.113.7", "203.0.113.7"),
        ("testclient", "testclient"),
    ],
)  # fmt: skip
def test_limits_are_those_of_a_network_in_ipv6(host: str, client: str) -> None:
    assert client_named(SimpleNamespace(client=SimpleNamespace(host=host))) == client


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "null://", "http://elsewhere"])
def test_posts_from_no_address_are_refused(client: Any, origin: str) -> None:
    hidden = forms(take_part(client))[0].hidden
    for path in ("/task", "/start", "/owner/login"):
        reply = client.post(path, data={**hidden, "option": "A"}, headers={"origin": origin})
        assert reply.status_code == (403 if path == "/task" else reply.status_code)
        assert reply.status_code < 500
    assert forms(client.get("/task").text)[0].hidden["position"] == "0"


def test_large_posts_are_refused_unread(client: Any) -> None:
    take_part(client)
    assert client.post("/task", data={"text": "x" * 300_000}).status_code == 413
