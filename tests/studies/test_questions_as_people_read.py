"""Participants read what is asked; in which form to answer is shown by the fields."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.browsers import server
from support.studies import PASSWORD

import gfactor as gf
from gfactor.benchmarks.chc import FAMILIES, build
from gfactor.items import Item, ItemBank, write_bank
from gfactor.studies.questionnaires import Study, StudyFolder
from gfactor.studies.questionnaires.order.allocation import Step
from gfactor.studies.questionnaires.pages.views import asks, item_view, turns_of

FORM = ("in one line", "ANSWER:", "COUNT:", "Reply with OK", "of the form")


def study_of(folder: Path, bank: ItemBank) -> StudyFolder:
    return StudyFolder.make(folder / "study", Study("s", "S", checks=0), bank, PASSWORD)


def test_above_a_field_for_a_number_stands_the_question_alone(tmp_path: Path) -> None:
    bank = gf.build(
        "percept-v", domains=["counting_circles"], sizes=[2], path=tmp_path / "pv.parquet"
    )
    assert any("COUNT:" in item.text for item in bank)
    with server(study_of(tmp_path, bank)) as new:
        browser = new()
        browser.begin("/")
        page = browser.get("/task").text
        assert "Find out how many circles there are" in page
        assert "Give a whole number" in page
        assert not [words for words in FORM if words in page]


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["n_back", "number_series"])
def test_a_part_that_is_only_read_asks_for_no_reply(name: str, tmp_path: Path) -> None:
    kinds = FAMILIES[name].answer_types
    parts = build.plan(
        seed=7, families=[name], difficulty=["easy"], per_cell=1,
        answers="turns" if "turns" in kinds else "open",
    ).parts  # fmt: skip
    items = [item for part in parts for item in part.make() if isinstance(item, Item)]
    bank = ItemBank.open(write_bank(items, tmp_path / "chc.parquet"))
    for item in bank:
        for turn in range(turns_of(item)) if item.turns else (None,):
            view = item_view(item, Step("item", item.id), turn=turn)
            said = " ".join(part.text for part in view.parts)
            assert not [words for words in FORM if words in said]
            assert view.parts, "nothing is left to be read"
            if turn is not None and not asks(item, turn):
                assert view.field == "nothing"
    with server(study_of(tmp_path, bank)) as new:
        browser = new()
        browser.begin("/")
        for _ in range(3):
            page = browser.get("/task")
            assert not re.search(r"Reply with OK|ANSWER:", page.text)
            browser.send(page, **{"part-0": "1", "part": "yes"})
