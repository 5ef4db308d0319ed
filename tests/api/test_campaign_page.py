"""The live page of a campaign: in a browser, with hostile replies, while answers come in."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest
from aiohttp import web
from support.banks import make_item
from support.chat_server import chat_server
from support.served import serving_app
from support.studies import accessibility_problems, browser_page

import gfactor as gf
from gfactor.errors import ParameterError
from gfactor.items import write_bank

HOSTILE = "<img src=x onerror=alert(1)> COUNT:3"


def declared(folder: Path, url: str) -> Path:
    items = (make_item(f"i{n:03d}", content=(f"Question {n}?",)) for n in range(20))
    write_bank(items, folder / "b.parquet")
    path = folder / "c.toml"
    path.write_text(
        f'[[banks]]\npath = "b.parquet"\n[servers.lab]\nbase_url = "{url}"\n'
        '[[models]]\nspec = "openai:m"\nserver = "lab"\nprice = {input = 0, output = 1e6}\n',
        encoding="utf-8",
    )
    return path


@pytest.mark.slow
def test_replies_and_failures_come_in_as_text_while_one_looks(tmp_path: Path) -> None:
    broken = threading.Event()
    broken.set()

    async def fault(number: int, request: web.Request) -> web.StreamResponse | None:
        bad = broken.is_set() and "Question 7?" in (await request.read()).decode()
        return web.json_response({"error": "no <b>such</b> picture"}, status=400) if bad else None

    with chat_server(lambda _: HOSTILE, fault) as server:
        path = declared(tmp_path, server.url)
        with serving_app("gfactor.api.campaign.live", path) as base, browser_page() as page:
            page.goto(f"{base}/")
            assert page.title() == "Campaign c: 0 of 20 answers"
            assert gf.campaign.run(path).code == 1
            page.wait_for_selector("#events li.failed")
            page.wait_for_function("() => document.title === 'Campaign c: 19 of 20 answers'")
            assert page.locator("#events li").count() == 20
            failed = page.locator("#events li.failed")
            assert failed.locator(".question").inner_text() == "Question 7?"
            assert "no <b>such</b> picture" in failed.locator(".reply").inner_text()
            assert HOSTILE in page.locator("#events li:not(.failed) .reply").first.inner_text()
            assert page.locator("#events img").count() == 0
            page.select_option("#which", "failed")
            assert page.locator("#events li:visible").count() == 1
            assert accessibility_problems(page) == []
            broken.clear()
            assert gf.campaign.run(path).code == 0
            page.wait_for_function("() => document.title === 'Campaign c: 20 of 20 answers'")
            cells = page.locator("#accounts tbody td").all_inner_texts()
            assert cells[:5] == ["openai:m", "20", "0", "140", "140"]
            page.set_viewport_size({"width": 360, "height": 700})
            width = page.evaluate("document.documentElement.scrollWidth")
            assert width <= 360


def test_without_a_script_the_page_says_the_same(tmp_path: Path) -> None:
    with chat_server(lambda _: HOSTILE) as server:
        path = declared(tmp_path, server.url)
        gf.campaign.run(path)
    testclient = pytest.importorskip("starlette.testclient")
    from gfactor.api.campaign.live import application  # noqa: PLC0415

    client = testclient.TestClient(application(path))
    text = client.get("/").text
    assert "Campaign c: 20 of 20 answers" in text
    assert "&lt;img src=x onerror=alert(1)&gt; COUNT:3" in text
    assert "<img" not in text
    assert client.get("/").headers["content-security-policy"].startswith("default-src 'none'")
    some = json.loads(client.get("/state?answer=15&failure=0").text)
    assert len(some["events"]) == 5
    assert len(json.loads(client.get("/state?answer=x").text)["events"]) == 20
    assert client.get("/static/../live.js").status_code == 404


def test_a_page_of_no_campaign_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="cannot be read"):
        gf.campaign.view(tmp_path / "x.toml", port=0)
