"""Every type of answer has fields of its own, is stored in the strict form, and is marked as a
model's would be."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given as given_any
from hypothesis import settings
from hypothesis import strategies as st
from support.studies import (
    PASSWORD,
    accessibility_problems,
    browser_page,
    client_of,
    every_type_bank,
)

from gfactor.administration import Journal
from gfactor.items import Choice, Item, ItemBank, Provenance, digest_of, write_bank
from gfactor.scoring import scored
from gfactor.studies.answers.fields import fill, list_fields_of, read_inputs
from gfactor.studies.questionnaires import Pay, Study, StudyFolder, application, export_study
from gfactor.studies.questionnaires.order.allocation import ItemAllocation, Step
from gfactor.studies.questionnaires.pages.marking import given, mark
from gfactor.studies.questionnaires.pages.views import item_view
from gfactor.studies.questionnaires.paying.pay import bonus
from gfactor.studies.questionnaires.simulating import serving, simulate
from gfactor.studies.questionnaires.simulating.form import forms

AS_PEOPLE_TYPE: Mapping[str, dict[str, str | list[str]]] = {
    "count": {"part-0": "8"},
    "word": {"part": "pentagon"},
    "pair": {"part-0-0": "2", "part-0-1": " 3 "},
    "order": {"part-0": "2", "part-1": "3", "part-2": "4", "part-3": "1"},
    "ticks": {"part": ["circle", "star"]},
    "cells": {"part-0-0": "3", "part-0-1": "4", "part-3-0": "1", "part-3-1": "2"},
    "labelled": {"part-0": "1", "part-1": "012"},
    "path": {"part-0": "s", "part-1": "20", "part-2": "E"},
    "each": {"part-0": "no", "part-1": "yes", "part-2": "no"},
    "blanks": {"blank-0": "3", "blank-1": "four"},
    "several": {"option": ["A", "C"]},
    "essay": {"text": "Because it is so."},
    "one": {"option": "B"},
}
STRICT = {
    "count": "COUNT:8", "word": "ANSWER:pentagon", "pair": "(2,3)", "order": "2 3 4 1",
    "ticks": "SHAPES: circle, star", "cells": "(1,2) (3,4)", "labelled": "ABOVE:1 BELOW:12",
    "path": "S, 20, E", "each": "ANSWER: no, yes, no",
}  # fmt: skip


def study_of_every_type(folder: Path) -> StudyFolder:
    bank = every_type_bank(folder)
    study = Study("types", "Types", checks=0, shuffle=False, shuffle_options=False)
    return StudyFolder.make(folder / "study", study, bank, PASSWORD)


def blanks_item() -> Item:
    return Item(
        "b", "multi", ("Fill: [MASK] and [MASK]",), "blanks", ("3", "four"), {"type": "FB"},
        Provenance("t", "1", digest_of(["b"])), accepted=(("3", "4"),),
    )  # fmt: skip


def several_item() -> Item:
    return Item(
        "m", "multi", ("Which?",), "choices", frozenset({"A", "C"}), {"type": "MA"},
        Provenance("t", "1", digest_of(["m"])),
        choices=tuple(Choice(f, f"option {f}") for f in "ABCD"),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("item", "text", "earned"),
    [
        (blanks_item(), "3\nfour", 2.0), (blanks_item(), "3\n4", 2.0), (blanks_item(), "", 0.0),
        (several_item(), "A, C", 2.0), (several_item(), "A", 1.0), (several_item(), "A, B", 0.0),
    ],
)  # fmt: skip
def test_people_are_marked_by_the_rules_for_models(item: Item, text: str, earned: float) -> None:
    assert mark(item, text, None).earned == earned


def test_what_people_type_is_stored_in_the_strict_form_and_right_in_the_report(
    tmp_path: Path,
) -> None:
    """Without scripts: the page's own fields, filled in as people do."""
    pytest.importorskip("rouge_score")
    folder = study_of_every_type(tmp_path)
    with client_of(application(folder)) as client:
        page = client.get("/").text
        client.post("/start", data={**forms(page)[0].hidden, "agree": "yes"})
        for position, name in enumerate(folder.bank.ids):
            page = client.get("/task").text
            form = next(f for f in forms(page) if f.action == "/task")
            assert form.hidden["position"] == str(position)
            for field in AS_PEOPLE_TYPE[name]:
                assert f'name="{field}"' in page
            client.post("/task", data={**form.hidden, **AS_PEOPLE_TYPE[name]})
    store = folder.store()
    answers = store.frame("answers").set_index("item")
    store.close()
    assert all(answers["right"])
    assert {name: answers.loc[name, "text"] for name in STRICT} == STRICT
    export_study(folder, tmp_path / "out")
    with Journal.open(tmp_path / "out" / "journal.db", create=False) as journal:
        table = scored(journal).set_index("item_id")
    assert all(table["correct"]), "strict, the report's headline"
    assert not any(table["format_error"])


@pytest.mark.parametrize(
    ("name", "fields", "problem"),
    [
        ("count", {"part-0": "eight"}, "bad_number"), ("count", {"part-0": "-8"}, "bad_number"),
        ("count", {"part-0": "8.5"}, "bad_number"), ("count", {"part-0": "9" * 30}, "bad_number"),
        ("order", {"part-0": "2", "part-2": "4"}, "gap"),
        ("order", {"part-0": "2-3"}, "bad_number"),
        ("word", {"part": "hexagon"}, "bad_word"), ("path", {"part-0": "N"}, "bad_word"),
        ("pair", {"part-0-0": "2"}, "bad_number"),
        ("pair", {"part-0-0": "2", "part-0-1": "3", "none": "yes"}, "none_alone"),
        ("labelled", {"part-0": "1"}, "fill_every"), ("each", {"part-0": "no"}, "fill_every"),
        ("order", {}, ""), ("ticks", {}, ""),
    ],
)  # fmt: skip
def test_what_has_not_the_form_of_an_answer_is_told(
    tmp_path: Path, name: str, fields: dict[str, str], problem: str
) -> None:
    item = every_type_bank(tmp_path).item(name)
    said = given(item, Step("item", name), {key: [value] for key, value in fields.items()})
    assert said.problem == problem
    if not problem:
        assert said.text == ""


def test_a_problem_keeps_what_was_typed_and_stores_nothing(tmp_path: Path) -> None:
    folder = study_of_every_type(tmp_path)
    with client_of(application(folder)) as client:
        page = client.get("/").text
        client.post("/start", data={**forms(page)[0].hidden, "agree": "yes"})
        form = next(f for f in forms(client.get("/task").text) if f.action == "/task")
        page = client.post("/task", data={**form.hidden, "part-0": 'eight"<'}).text
        assert "whole numbers in figures" in page
        assert 'value="eight&#34;&lt;"' in page
    store = folder.store()
    assert not len(store.frame("answers"))
    store.close()


@pytest.mark.parametrize("seed", range(6))
def test_options_that_stand_in_the_picture_are_not_permuted(tmp_path: Path, seed: int) -> None:
    """The page shows labels alone: whoever chooses B means the B that is drawn."""
    drawn = replace(several_item(), id="drawn", choices=tuple(Choice(f, "") for f in "ABCD"))
    bank = ItemBank.open(write_bank([drawn, several_item()], tmp_path / "bank.parquet"))
    listed = set()
    for number in range(4):
        for step in ItemAllocation(Study("s", "S", seed=seed, checks=0), bank).form(number):
            item = bank.item(step.item)
            said = given(item, step, {"option": ["B"]})
            if item.id == "drawn":
                assert said.text == "B"
            listed.add(said.text)
    assert len(listed) > 1


numbers = st.integers(0, 10**17)


@settings(max_examples=30, deadline=None)
@given_any(st.data())
def test_every_answer_of_a_format_can_be_given_with_its_fields(
    every_type: Any, data: st.DataObject
) -> None:
    item = data.draw(st.sampled_from([i for i in every_type if i.output_format is not None]))
    fmt = item.output_format
    atom: Any = {
        "integer": numbers,
        "word": st.sampled_from(fmt.vocabulary or ("x",)),
        "cell": st.tuples(numbers, numbers),
        "token": st.one_of(numbers, st.sampled_from(fmt.vocabulary or ("x",))),
    }[fmt.atom]
    if fmt.answer_type == "set":
        answer = data.draw(st.frozensets(atom, min_size=1, max_size=5))
    elif fmt.answer_type == "list" or len(fmt.labels) > 1:
        count = fmt.length or max(1, len(fmt.labels))
        most = 9 if fmt.answer_type == "list" and not fmt.length else count
        answer = tuple(data.draw(st.lists(atom, min_size=count, max_size=most)))
    else:
        answer = data.draw(atom)
    fields: dict[str, list[str]] = {}
    for name, value in fill(fmt, answer):
        fields.setdefault(name, []).append(value)
    filled = read_inputs(fmt, fields)
    assert (filled.text, filled.problem) == (fmt.render(answer), "")


@pytest.fixture(scope="module")
def every_type(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return list(every_type_bank(tmp_path_factory.mktemp("types")))


def test_the_number_of_fields_tells_nothing_of_an_answer(tmp_path: Path) -> None:
    bank = every_type_bank(tmp_path)
    places = list_fields_of(bank)
    views = [item_view(bank.item(n), Step("item", n), places) for n in ("order", "path", "cells")]
    counts = {len(view.inputs.labels) for view in views if view.inputs is not None}
    assert counts == {12}


def wait_for_question(page: Any, position: int) -> None:
    field = f"input[name=position][value='{position}']"
    page.wait_for_selector(f"form:not([data-waiting]):has({field})")


@pytest.mark.slow
def test_fields_are_checked_while_typing_and_appear_as_needed(tmp_path: Path) -> None:
    folder = study_of_every_type(tmp_path)
    with serving(folder) as base, browser_page() as page:
        page.goto(base)
        page.locator("#agree").check()
        page.locator("main button").click()
        page.goto(f"{base}/task")
        page.wait_for_selector("form:not([data-waiting])")
        page.locator("[name=part-0]").press_sequentially("8x")
        assert "figures" in page.locator("#status").inner_text()
        assert page.locator("[aria-invalid=true]").count() == 1
        page.keyboard.press("Backspace")
        assert page.locator("#status").inner_text() == ""
        page.keyboard.press("Enter")
        wait_for_question(page, 1)
        page.keyboard.press("2")
        page.keyboard.press("Enter")
        wait_for_question(page, 2)
        page.locator("[name=part-0-0]").fill("2")
        page.locator("[name=part-0-1]").fill("3")
        page.keyboard.press("Enter")
        wait_for_question(page, 3)
        assert page.locator(".places li:visible").count() == 4
        assert not accessibility_problems(page)
        for k, text in enumerate("2341"):
            page.locator(f"[name=part-{k}]").fill(text)
        assert page.locator(".places li:visible").count() == 5
        page.keyboard.press("Enter")
        wait_for_question(page, 4)
    store = folder.store()
    answers = store.frame("answers")
    store.close()
    assert list(answers["text"]) == [STRICT[n] for n in ("count", "word", "pair", "order")]
    assert all(answers["right"])


@pytest.mark.slow
def test_every_type_of_answer_is_given_by_bots(tmp_path: Path) -> None:
    pytest.importorskip("rouge_score")
    folder = study_of_every_type(tmp_path)
    with serving(folder, simulated=True) as base:
        asyncio.run(simulate(base, folder, {"person": 12}, seed=11))
    store = folder.store()
    answers = store.frame("answers")
    store.close()
    assert len(answers) == 12 * len(folder.bank)
    formatted = answers.loc[answers["item"].isin(list(STRICT))]
    shares = [float(np.mean(own["earned"])) for _, own in formatted.groupby("item")]
    assert 0.2 < np.mean(shares) < 0.9
    for name, text in zip(formatted["item"], formatted["text"], strict=True):
        fmt = folder.bank.item(name).output_format
        assert fmt is not None
        assert fmt.pattern.fullmatch(text)


def test_bonus_counts_points_of_items_and_stops_at_the_cap() -> None:
    answers = [
        {"kind": "item", "earned": 2.0}, {"kind": "item", "earned": 1.0},
        {"kind": "practice", "earned": 1.0}, {"kind": "check", "earned": 1.0},
    ]  # fmt: skip
    assert bonus(Pay("EUR", 1.0, 0.25), answers) == 0.75
    assert bonus(Pay("EUR", 1.0, 0.25, 1.5), answers) == 0.5


@pytest.mark.parametrize(
    ("language", "words"), [("en", "Give a number."), ("fr", "Donnez un nombre.")]
)
def test_a_single_number_is_asked_as_a_number_with_the_number_pad(
    tmp_path: Path, language: str, words: str
) -> None:
    def item(name: str, *keys: str) -> Item:
        return Item(
            name, "multi", (f"How much is {name}?",), "blanks", keys, {"type": "FB"},
            Provenance("t", "1", digest_of([name])), language=language,
        )  # fmt: skip

    bank = ItemBank.open(write_bank([item("velocity", "2.49")], tmp_path / "b.parquet"))
    study = Study("n", "N", checks=0, language=language)
    folder = StudyFolder.make(tmp_path / "study", study, bank, PASSWORD)
    with client_of(application(folder)) as client:
        hidden = forms(client.get("/").text)[-1].hidden
        client.post("/start", data={**hidden, "agree": "yes"})
        page = client.get("/task").text
    assert words in page
    assert 'inputmode="decimal"' in page
    others = [item("a", "-3"), item("b", "four"), item("c", "1", "2")]
    assert not any(item_view(one, Step("item", one.id)).number for one in others)
