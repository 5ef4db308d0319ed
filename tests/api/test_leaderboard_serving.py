"""gfactor leaderboard: the command, and a served site that follows its journal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.boards import add_answers, board_items, board_journal
from support.cli import run_cli
from support.studies import need

from gfactor.administration import Journal
from gfactor.api.comparisons.leaderboard_serving import Served
from gfactor.api.comparisons.leaderboards import making_of
from gfactor.items import ItemBank, write_bank
from gfactor.studies.web import Address


def served_site(journal: Path) -> Served:
    making = making_of([journal])
    return Served(making.size, making.write, journal.parent / "site")


def client(served: Served, host: str = "127.0.0.1", base: str = "http://127.0.0.1") -> Any:
    return need("starlette.testclient").TestClient(served.application(host), base_url=base)


@pytest.fixture
def bank(tmp_path: Path) -> ItemBank:
    return ItemBank.open(write_bank(board_items(3), tmp_path / "bank.parquet"))


@pytest.mark.slow
def test_a_served_site_follows_a_journal_that_grows(bank: ItemBank, tmp_path: Path) -> None:
    Journal.open(tmp_path / "grows.db").close()
    served = served_site(tmp_path / "grows.db")
    served.refresh()
    browser = client(served)
    assert "no answers yet" in browser.get("/").text
    with Journal.open(tmp_path / "grows.db") as journal:
        add_answers(journal, bank, "openai:lab/first", 0.9)
        served.refresh()
        first = browser.get("/state.json").json()
        assert first["answers"] == len(bank)
        assert "lab/first" in browser.get("/index.html").text
        served.refresh()
        assert browser.get("/state.json").json() == first
        add_answers(journal, bank, "openai:lab/second", 0.5)
        served.refresh()
    now = browser.get("/state.json").json()
    assert now["answers"] == 2 * len(bank)
    assert now["digest"] != first["digest"]
    assert "lab/second" in browser.get("/").text


def test_a_served_site_gives_its_own_files_and_to_this_machine_alone(
    bank: ItemBank, tmp_path: Path
) -> None:
    with Journal.open(tmp_path / "one.db") as journal:
        add_answers(journal, bank, "openai:lab/first", 0.9)
    served = served_site(tmp_path / "one.db")
    served.refresh()
    browser = client(served)
    answer = browser.get("/")
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert browser.get("/assets/site.js").headers["content-type"].startswith("text/javascript")
    for name in ("/../one.db", "/%2e%2e/one.db", "/..%2fone.db", "/items", "/nothing.html"):
        assert browser.get(name).status_code == 404, name
    assert client(served, base="http://evil.example").get("/").status_code == 400
    assert client(served, "0.0.0.0", "http://lab.example").get("/").status_code == 200


@pytest.mark.thorough
def test_a_site_is_served_to_other_machines_over_https_or_on_purpose(
    bank: ItemBank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    with Journal.open(tmp_path / "one.db") as journal:
        add_answers(journal, bank, "openai:lab/first", 0.9)
    words = ("leaderboard", str(tmp_path / "one.db"), "--serve", "--host", "0.0.0.0", "--port", "0")
    refused = run_cli(monkeypatch, capsys, *words)
    assert refused.code != 0
    assert "plain HTTP" in refused.err
    assert "--insecure-http" in refused.err
    served = served_site(tmp_path / "one.db")
    served.refresh()
    app = served.application("127.0.0.1", Address.of("https://lab.example/board"))
    browser = need("starlette.testclient").TestClient(app, base_url="https://lab.example")
    for path in ("/board/", "/index.html"):  # whether the proxy leaves the path in or takes it out
        reply = browser.get(path)
        assert "lab/first" in reply.text
        assert reply.headers["strict-transport-security"]
    assert browser.get("/board/../one.db").status_code == 404


@pytest.mark.slow
def test_the_command_writes_a_site_and_says_how_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    journal, bank = board_journal(tmp_path, each=3)
    words = ("leaderboard", str(journal), "-o", str(tmp_path / "site"), "--bank", str(bank.path))
    done = run_cli(monkeypatch, capsys, *words, "--json")
    found = json.loads(done.out)
    assert set(found) == {"models", "items", "bytes", "pages"}
    assert found["models"] == 5
    assert found["items"] == 7
    held = [p for p in (tmp_path / "site").rglob("*") if p.is_file() and p.suffix != ".png"]
    assert found["bytes"] == sum(p.stat().st_size for p in held)
    assert found["pages"] == sum(p.suffix == ".html" for p in held)
    refused = run_cli(monkeypatch, capsys, "leaderboard", str(journal))
    assert refused.code != 0
    assert "name the folder of the site with --output, or --serve it" in refused.err


def test_a_public_address_may_be_a_number(tmp_path: Path) -> None:
    served = served_site(tmp_path / "none.db")
    app = served.application("::1", Address.of("https://[2001:db8::1]:8443"))
    testclient = need("starlette.testclient").TestClient
    assert testclient(app, base_url="https://[2001:db8::1]:8443").get("/").status_code == 200
    assert testclient(app, base_url="https://[2001:db8::2]:8443").get("/").status_code == 400
