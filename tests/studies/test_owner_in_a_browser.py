"""Owner's pages and those on data protection in a browser, on a phone: readable, by keyboard."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.studies import PASSWORD, accessibility_problems, browser_page, make_study

from gfactor.studies.questionnaires.simulating import serving

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 780}, "has_touch": True}


def check(page: Any, axe: bool = True) -> None:
    """Nothing serious by axe, and nothing wider than the screen."""
    assert not axe or accessibility_problems(page) == [], page.url
    assert page.evaluate("document.documentElement.scrollWidth") <= 390, page.url


@pytest.mark.slow
def test_owners_and_receipts_on_a_phone_by_keyboard(tmp_path: Path) -> None:
    folder = make_study(tmp_path, count=3, checks=0, contact="lab@x.example")
    with serving(folder) as base, browser_page(**PHONE) as page:
        page.goto(f"{base}/privacy?language=en")
        check(page)
        page.goto(base)
        page.locator("#agree").check()
        page.locator("main button").press("Enter")
        page.wait_for_url("**/instructions")
        for k in range(3):
            page.goto(f"{base}/task")
            page.wait_for_selector("form:not([data-waiting])")
            page.keyboard.press(str(k + 1))
            page.keyboard.press("Enter")
            page.wait_for_function(
                "was => document.querySelector('[name=position]')?.value !== was", arg=str(k)
            )
        page.goto(f"{base}/receipt")
        check(page)
        with page.expect_download() as download:
            page.locator("button[value=show]").press("Enter")
        held = json.loads(Path(download.value.path()).read_text("utf-8"))
        assert [row["answer"] for row in held["answers"]] == ["A", "B", "C"]
        page.goto(f"{base}/owner/login")
        check(page)
        page.locator("#password").fill(PASSWORD)
        page.keyboard.press("Enter")
        page.wait_for_url("**/owner")
        with closing(folder.store()) as store:
            code = store.codes()[0]
        for path in ("", "/times", "/answers", "/pay", "/log", f"/person/{code}",
                     f"/person/{code}/0", "/challenges"):  # fmt: skip
            page.goto(f"{base}/owner{path}")
            check(page, axe=path in ("", "/answers", f"/person/{code}/0"))
        page.goto(f"{base}/owner")
        page.locator("#sentence").fill("Back soon.")
        page.keyboard.press("Enter")
        page.wait_for_function("() => document.body.innerText.includes('Back soon.')")
        with closing(folder.store()) as store:
            assert store.paused() is not None
