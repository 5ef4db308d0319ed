"""A battery of 24 families taken on a phone's screen, by keyboard and by touch in turn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.studies import PASSWORD, accessibility_problems, browser_page

from gfactor.benchmarks.chc import FAMILIES, build
from gfactor.items import Item, ItemBank, write_bank
from gfactor.studies.questionnaires import Study, StudyFolder
from gfactor.studies.questionnaires.pages.views import asks, turns_of
from gfactor.studies.questionnaires.simulating import serving

NAMES = sorted(FAMILIES)[-24:]
PHONE = {"viewport": {"width": 390, "height": 780}, "has_touch": True, "is_mobile": True}


def battery() -> list[Item]:
    parts = build.plan(seed=7, families=NAMES, difficulty=["easy"], per_cell=1).parts
    return [item for part in parts for item in part.make()]  # pyright: ignore[reportReturnType]


def put(page: Any, by_touch: bool, what: Any) -> None:
    """Choose the option, or fill the one field, and send."""
    options = page.locator("input[name=option], input[name=part]")
    if options.count():
        labels = [option.get_attribute("value") for option in options.all()]
        place = labels.index(str(what))
        if by_touch:
            page.locator("label[for]").nth(place).tap()
        elif place < 9:
            page.keyboard.press(str(place + 1))
        else:
            options.nth(8).focus()
            for _ in range(place - 8):
                page.keyboard.press("ArrowDown")
        assert options.nth(place).is_checked()
    elif what is not None:
        field = page.locator(".places input")
        if by_touch:
            field.tap()
        while not by_touch and not field.evaluate("one => one === document.activeElement"):
            page.keyboard.press("Tab")
        page.keyboard.type(str(what))
    if by_touch:
        page.locator("#question button[type=submit]").tap()
    else:
        page.keyboard.press("Enter")


def replies(item: Item) -> list[Any]:
    """The right reply to each turn, None where nothing is asked."""
    if not item.turns:
        return [item.target]
    assert isinstance(item.target, tuple)
    keys = iter(item.target)
    return [next(keys) if asks(item, turn) else None for turn in range(turns_of(item))]


@pytest.mark.slow
def test_a_battery_of_24_families_is_taken_by_keyboard_and_touch(tmp_path: Path) -> None:
    items = battery()
    assert sum(bool(item.turns) for item in items) >= 4, "conversations among them"
    assert {item.answer_type for item in items} >= {"choice", "value", "turns"}
    bank = ItemBank.open(write_bank(items, tmp_path / "bank.parquet"))
    study = Study("battery", "Battery", checks=0, shuffle=False)
    folder = StudyFolder.make(tmp_path / "study", study, bank, PASSWORD)
    with serving(folder) as base, browser_page(**PHONE) as page:
        page.goto(base)
        page.locator("#agree").tap()
        page.locator("main button").tap()
        page.wait_for_url("**/instructions")
        page.goto(f"{base}/task")
        checked = set()
        for position, item in enumerate(bank):
            for turn, what in enumerate(replies(item)):
                page.wait_for_selector("#question:not([data-waiting])")
                here = page.locator("input[name=position]").get_attribute("value")
                part = page.locator("input[name=turn]").get_attribute("value")
                assert (here, part) == (str(position), str(turn))
                if (item.answer_type, what is None) not in checked:
                    checked.add((item.answer_type, what is None))
                    assert not accessibility_problems(page)
                    wide = page.evaluate("document.documentElement.scrollWidth")
                    assert wide <= PHONE["viewport"]["width"], "no scrolling sideways"
                put(page, position % 2 == 0, what)
                page.wait_for_function(
                    "([here, part]) => document.querySelector('input[name=position]')?.value"
                    " !== here || document.querySelector('input[name=turn]')?.value !== part",
                    arg=[here, part],
                )
        page.wait_for_url("**/results")
    store = folder.store()
    answers = store.frame("answers")
    store.close()
    assert list(answers["item"]) == list(bank.ids)
    assert list(answers.loc[~answers["right"], "item"]) == []
