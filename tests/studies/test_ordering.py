"""Lists are brought into their order by dragging: with a mouse, a finger, or the arrow keys."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.served import serving_app
from support.studies import (
    PASSWORD,
    accessibility_problems,
    browser_page,
    client_of,
    every_type_bank,
)

from gfactor.items import ItemBank, write_bank
from gfactor.studies.questionnaires import Study, StudyFolder, application
from gfactor.studies.questionnaires.simulating.form import forms


def study_of_lists(folder: Path, language: str = "en") -> StudyFolder:
    """First words on cards, then whole numbers, then a set, which has no order."""
    every = every_type_bank(folder)
    names = ("each", "order", "cells")
    items = [replace(every.item(name), language=language) for name in names]
    bank = ItemBank.open(write_bank(items, folder / "lists.parquet"))
    settings = Study("lists", "Lists", checks=0, shuffle=False, language=language)
    return StudyFolder.make(folder / "study", settings, bank, PASSWORD)


def begin(page: Any, base: str) -> None:
    page.goto(base)
    page.check("#agree")
    page.locator("button[type=submit]").last.click()
    page.wait_for_url("**/instructions")
    page.goto(f"{base}/task")
    shown(page, 0)


def shown(page: Any, position: int) -> None:
    page.locator(f"form:not([data-waiting]) input[name=position][value='{position}']").wait_for(
        state="attached"
    )


def values(page: Any) -> list[str]:
    fields = page.locator(".places input, .places select").all()
    return [value for value in (field.input_value() for field in fields) if value]


def center(page: Any, selector: str, number: int) -> tuple[float, float]:
    box = page.locator(selector).nth(number).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag_by_mouse(page: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=5)
    page.mouse.up()


def drag_by_finger(page: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    touches = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        at = [{"x": x, "y": y} for x, y in points]
        touches.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    touch("touchStart", start)
    for k in range(1, 6):
        touch("touchMove", tuple(a + (b - a) * k / 5 for a, b in zip(start, end, strict=True)))  # type: ignore[arg-type]
    touch("touchEnd")


def send(page: Any, position: int) -> None:
    page.locator("button[type=submit]").last.click()
    shown(page, position)


@pytest.mark.slow
def test_lists_are_put_in_order_by_mouse_finger_and_keys(tmp_path: Path) -> None:
    study = study_of_lists(tmp_path)
    phone = {"viewport": {"width": 390, "height": 800}, "has_touch": True}
    with (
        serving_app("gfactor.studies.questionnaires", study.path) as base,
        browser_page(**phone) as page,
    ):
        begin(page, base)
        assert page.locator(".grip:enabled").count() == 0
        for word in ("yes", "no"):
            page.get_by_role("button", name=word, exact=True).click()
        assert values(page) == ["yes", "no"]
        drag_by_finger(page, center(page, ".card", 1), center(page, ".places li", 0))
        assert values(page) == ["no", "yes", "no"]
        page.get_by_role("button", name="yes", exact=True).click()  # every place is taken
        drag_by_finger(page, center(page, ".grip", 1), center(page, ".places li", 2))
        assert values(page) == ["no", "no", "yes"]
        assert page.locator(".held").count() == 0
        assert accessibility_problems(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        send(page, 1)
        for k, number in enumerate("1234"):
            page.locator(".places input").nth(k).fill(number)
        assert page.locator(".grip:enabled").count() == 4
        drag_by_mouse(page, center(page, ".grip", 0), center(page, ".places li", 3))
        assert values(page) == ["2", "3", "4", "1"]
        page.locator(".grip").nth(3).focus()
        for key in ("ArrowUp", "ArrowLeft", "ArrowRight", "ArrowDown", "ArrowDown", "ArrowUp"):
            page.keyboard.press(key)
        assert values(page) == ["2", "3", "1", "4"]
        focused = "document.activeElement.getAttribute('aria-label')"
        assert page.evaluate(focused) == "Move what is in place 3"
        assert page.locator("#status").inner_text() == "It is in place 3 now."
        send(page, 2)
        assert page.locator(".grip").count() == 0  # a set has no order
    with closing(study.store()) as store:
        answers = store.frame("answers")
    assert answers["text"].tolist() == ["ANSWER: no, no, yes", "2 3 1 4"]
    assert min(answers["server_seconds"]) > 0


@pytest.mark.slow
def test_arrow_keys_follow_the_direction_of_writing(tmp_path: Path) -> None:
    study = study_of_lists(tmp_path, "ar")
    with (
        serving_app("gfactor.studies.questionnaires", study.path) as base,
        browser_page() as page,
    ):
        begin(page, base)
        for word in ("yes", "no"):
            page.get_by_role("button", name=word, exact=True).click()
        page.locator(".grip").nth(0).focus()
        page.keyboard.press("ArrowRight")
        assert values(page) == ["yes", "no"]
        page.keyboard.press("ArrowLeft")
        assert values(page) == ["no", "yes"]


def test_lists_are_fields_without_scripts_and_say_no_words_but_those_of_the_format(
    tmp_path: Path,
) -> None:
    study = study_of_lists(tmp_path)
    with client_of(application(study)) as client:
        client.post("/start", data={**forms(client.get("/").text)[0].hidden, "agree": "yes"})
        page = client.get("/task").text
        assert 'data-cards="yes|no"' in page
        assert "data-grip" in page
        form = next(f for f in forms(page) if f.action == "/task")
        sent = {"part-0": "no", "part-1": "yes", "part-2": "no"}
        page = client.post("/task", data={**form.hidden, **sent}).text
        assert "data-grip" in page
        assert "data-cards" not in page
        form = next(f for f in forms(page) if f.action == "/task")
        page = client.post("/task", data={**form.hidden, "part-0": "1", "part-1": "2"}).text
        assert "data-grip" not in page
    with closing(study.store()) as store:
        assert store.frame("answers")["text"].tolist() == ["ANSWER: no, yes, no", "1 2"]
