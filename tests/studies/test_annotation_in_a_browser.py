"""An annotator edits, renders, rates and adjudicates an item by keys, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.served import serving_app
from support.studies import accessibility_problems, browser_page, exam_bank

from gfactor.studies.annotation import AnnotationDraft, Project, states


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project.make(tmp_path / "workspace", exam_bank(tmp_path, count=4), "Round one", "multi")


@contextmanager
def serving(project: Project) -> Iterator[str]:
    with serving_app("gfactor.studies.annotation", project.path) as base:
        yield base


def log_in(page: Any, base: str, name: str, password: str) -> None:
    page.goto(f"{base}/login")
    page.locator("#name").fill(name)
    page.locator("#password").fill(password)
    page.keyboard.press("Enter")
    page.wait_for_selector("nav[aria-label=Workspace]")


def saved(page: Any) -> None:
    page.wait_for_function(
        "() => document.getElementById('status').textContent.startsWith('Saved')"
    )


@pytest.mark.slow
def test_an_item_is_edited_rendered_rated_and_adjudicated(project: Project) -> None:
    names = ("ada", "ben")
    passwords = {name: project.invite(name) for name in names}
    passwords["cy"] = project.invite("cy", "adjudicator")
    project.assign(names, 2)
    with serving(project) as base:
        for name, formula in zip(names, ("\\frac{3}{2}", "\\sqrt{2}"), strict=True):
            with browser_page() as page:
                log_in(page, base, name, passwords[name])
                assert not accessibility_problems(page)
                page.goto(f"{base}/item/1")
                page.keyboard.press("e")
                page.keyboard.press("Control+End")
                page.keyboard.type(f" Now with ${formula}$ <script>x()</script>")
                page.wait_for_selector("#preview math")
                assert page.locator("#preview script").count() == 0
                page.keyboard.press("Escape")
                page.keyboard.press("4")
                page.keyboard.press("Shift+Digit2")
                page.keyboard.press("s")
                saved(page)
                assert not accessibility_problems(page)
        with browser_page() as page:
            log_in(page, base, "cy", passwords["cy"])
            page.goto(f"{base}/adjudicate/1")
            assert page.locator(".drafts > section").count() == 2
            assert not accessibility_problems(page)
            page.keyboard.press("7")
            page.wait_for_url("**from=ben")
            page.keyboard.press("a")
            page.keyboard.type("And why?")
            page.locator("[data-part]").last.locator("select").select_option("open")
            page.locator("[data-part]").last.locator("[data-field=answer]").fill("So.")
            page.keyboard.press("Alt+s")
            saved(page)
            assert "adjudicated" in page.locator("#status").inner_text()
            page.goto(f"{base}/item/1/history")
            assert page.locator(".history li").count() == 3
            assert not accessibility_problems(page)
    store = project.store()
    final = states(store, project.bank.ids)["q01"].final
    store.close()
    assert final is not None
    draft = AnnotationDraft.from_json(final.content)
    assert (draft.difficulty, draft.quality, len(draft.parts)) == (4, 2, 2)
    assert "sqrt" in draft.general


@pytest.mark.slow
def test_what_cannot_be_saved_says_why_and_stays_on_the_page(project: Project) -> None:
    password = project.invite("ada")
    project.assign(["ada"], 1)
    with serving(project) as base, browser_page() as page:
        log_in(page, base, "ada", password)
        page.goto(f"{base}/item/1")
        page.locator("[data-field=answer]").first.fill("Z")
        page.keyboard.press("Alt+s")
        page.wait_for_function(
            "() => document.getElementById('status').textContent.includes('names no option')"
        )
        page.keyboard.press("Escape")
        page.keyboard.press("o")
        page.keyboard.press("s")
        saved(page)


@pytest.mark.slow
def test_a_response_is_labeled_by_keys(project: Project) -> None:
    password = project.invite("ada")
    store = project.store()
    store.add_responses(
        [{"item": f"q0{k}", "examinee": "m", "condition": "default", "answer": "B",
          "text": f"I see {k} <img src=x onerror=alert(1)> \u001b[31m"} for k in range(2)]
    )  # fmt: skip
    store.close()
    with serving(project) as base, browser_page() as page:
        log_in(page, base, "ada", password)
        page.goto(f"{base}/responses")
        assert not accessibility_problems(page)
        assert "<img src=x" in page.locator(".said").inner_text()
        page.keyboard.press("3")
        page.keyboard.press("w")
        page.keyboard.press("s")
        page.wait_for_url("**/responses/2")
        page.keyboard.press("1")
        page.keyboard.press("s")
        # Nothing is left to label: the list of responses comes again, with or without a query.
        page.wait_for_url(re.compile(r"/responses(\?.*)?$"))
        page.goto(f"{base}/agreement")
        assert not accessibility_problems(page)
    store = project.store()
    labels = {item: entry.content for (item, _), entry in store.latest("label").items()}
    store.close()
    assert '"category": "image"' in labels["1"]
    assert '"image understanding"' in labels["1"]
    assert '"category": "alignment"' in labels["2"]
