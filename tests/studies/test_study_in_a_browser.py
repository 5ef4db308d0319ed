"""A person takes a study by keyboard alone, in a real browser, in Chinese and in English."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.studies import PASSWORD, accessibility_problems, browser_page, make_study

from gfactor.studies.questionnaires.simulating import serving

OPTIONS = "input[name=option]"


def heading(page: Any) -> str:
    return page.locator("h1").first.inner_text()


def ready(page: Any) -> None:
    page.wait_for_selector("form:not([data-waiting])")


def answer_by_keyboard(page: Any, number: int) -> None:
    """Choose the option of that number and go on, waiting for the next question."""
    ready(page)
    before = page.locator("input[name=position]").get_attribute("value")
    page.keyboard.press(str(number))
    assert page.locator(OPTIONS).nth(number - 1).is_checked()
    page.keyboard.press("Enter")
    page.wait_for_function(
        "before => document.querySelector('input[name=position]')?.value !== before", arg=before
    )


def begin_by_keyboard(page: Any, base: str) -> None:
    page.goto(base)
    assert not accessibility_problems(page)
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/instructions")
    assert not accessibility_problems(page)
    page.keyboard.press("Enter")
    page.wait_for_url("**/task*")


@pytest.mark.slow
@pytest.mark.parametrize(("language", "question"), [("en", "Question 8 of 20"), ("zh", "第 8 题")])
def test_twenty_items_by_keyboard_with_a_reload_in_the_middle(
    tmp_path: Path, language: str, question: str
) -> None:
    study = make_study(tmp_path, language=language, checks=0, completion_code="DONE-7")
    with serving(study) as base, browser_page() as page:
        begin_by_keyboard(page, base)
        for k in range(7):
            answer_by_keyboard(page, 1 + k % 4)
        page.reload()
        assert question in heading(page)
        for k in range(13):
            if k == 0:
                ready(page)
                assert not accessibility_problems(page)
            answer_by_keyboard(page, 1 + k % 4)
        page.wait_for_url("**/results")
        assert not accessibility_problems(page)
        page.locator("details").first.locator("summary").click()
        page.locator("textarea").first.fill("Both are right.")
        page.locator("details button").first.click()
        page.wait_for_load_state()
        page.locator("form[action='/done'] button").click()
        page.wait_for_url("**/done*")
        assert "DONE-7" in page.content()
        assert not accessibility_problems(page)
    store = study.store()
    answers = store.frame("answers")
    assert list(answers["position"]) == list(range(20))
    assert (answers["seconds"] > 0).all()
    assert list(store.frame("challenges")["reason"]) == ["Both are right."]
    store.close()


@pytest.mark.slow
def test_number_keys_can_be_switched_off_and_pictures_enlarged(tmp_path: Path) -> None:
    study = make_study(tmp_path, checks=0, shuffle=False)
    with serving(study) as base, browser_page() as page:
        begin_by_keyboard(page, base)
        ready(page)
        page.locator("#number-keys").click()
        page.keyboard.press("2")
        assert not page.locator(OPTIONS).nth(1).is_checked()
        page.locator(".zoom").first.click()
        assert page.locator("dialog[open] img").is_visible()
        assert not accessibility_problems(page)
        page.keyboard.press("Escape")
        page.locator("#number-keys").click()
        page.keyboard.press("2")
        assert page.locator(OPTIONS).nth(1).is_checked()


@pytest.mark.slow
def test_an_answer_outlives_a_server_that_is_gone_for_a_while(tmp_path: Path) -> None:
    study = make_study(tmp_path, count=5, checks=0)
    with browser_page() as page:
        with serving(study) as base:
            begin_by_keyboard(page, base)
            ready(page)
            page.keyboard.press("3")
        page.keyboard.press("Enter")
        page.wait_for_function("() => document.getElementById('status').textContent.length > 20")
        with serving(study, port=int(base.rsplit(":", 1)[1])):
            page.wait_for_function(
                "() => document.querySelector('input[name=position]').value === '1'"
            )
    store = study.store()
    assert len(store.frame("answers")) == 1
    store.close()


@pytest.mark.slow
def test_a_time_limit_sends_what_was_chosen(tmp_path: Path) -> None:
    study = make_study(tmp_path, count=3, checks=0, time_limit_s=1.0)
    with serving(study) as base, browser_page() as page:
        page.clock.install()
        page.goto(base)
        page.locator("#agree").check()
        page.locator("main button").click()
        page.wait_for_url("**/instructions")
        page.clock.pause_at(page.evaluate("Date.now()") + 60_000)
        page.goto(f"{base}/task")
        ready(page)
        page.keyboard.press("1")
        page.clock.resume()
        page.wait_for_url("**/results")
    store = study.store()
    texts = list(store.frame("answers")["text"])
    store.close()
    assert len(texts) == 3
    assert texts[0]
    assert texts[1:] == ["", ""]


@pytest.mark.slow
def test_the_owner_watches_and_decides(tmp_path: Path) -> None:
    study = make_study(tmp_path, count=3, checks=0)
    store = study.store()
    person = store.start(
        "session",
        lambda n: [],
        language="en",
        consent_version="1",
        declaration=study.declaration,
    )
    assert person is not None
    store.close()
    with serving(study) as base, browser_page() as page:
        page.goto(f"{base}/owner")
        page.wait_for_url("**/owner/login")
        assert not accessibility_problems(page)
        page.locator("#password").fill("not this one")
        page.keyboard.press("Enter")
        page.wait_for_selector("[role=alert]")
        page.locator("#password").fill(PASSWORD)
        page.keyboard.press("Enter")
        page.wait_for_url("**/owner")
        assert person.code in page.content()
        assert not accessibility_problems(page)
        page.goto(f"{base}/owner/challenges")
        assert not accessibility_problems(page)
