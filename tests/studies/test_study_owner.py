"""The owner's pages: challenges as they were seen, rulings for everybody; options that stay."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from support.studies import PASSWORD, client_of, every_type_bank, exam_items, make_study

from gfactor.administration import Journal
from gfactor.administration.presenting.options import as_shown, as_stored, option_order
from gfactor.cli import cli
from gfactor.errors import ParameterError
from gfactor.items import Choice, Item, ItemBank, write_bank
from gfactor.scoring import scored
from gfactor.studies.questionnaires import (
    ItemAllocation,
    Pay,
    Study,
    StudyFolder,
    application,
    export_study,
)
from gfactor.studies.questionnaires.simulating.form import forms
from gfactor.studies.questionnaires.study.pinning import options_to_pin
from gfactor.studies.questionnaires.study.settings import Payment
from gfactor.studies.web.markup import direction

PAID: dict[str, Any] = {"pay": Pay("EUR", 1.0, 0.5), "payment": Payment(exclude=("attention",))}
"""Programs answer at once and would go unpaid as speeding."""


def take(folder: StudyFolder, app: Any, options: str, challenge: str = "") -> None:
    """One person answers with these options, shown places, and challenges an item."""
    with client_of(app) as client:
        page = client.get("/").text
        client.post("/start", data={**forms(page)[0].hidden, "agree": "yes"})
        for option in options:
            hidden = forms(client.get("/task").text)[0].hidden
            client.post("/task", data={**hidden, "option": option})
        if challenge:
            page = client.get("/results").text
            form = next(f for f in forms(page) if f.hidden.get("position") == challenge)
            client.post("/challenge", data={**form.hidden, "reason": "Both are right."})


def decide(app: Any, verdict: str) -> str:
    """The page of challenges, before the first one is decided."""
    with client_of(app) as client:
        login = forms(client.get("/owner/login").text)[0]
        client.post("/owner/login", data={**login.hidden, "password": PASSWORD})
        page = client.get("/owner/challenges").text
        form = next(f for f in forms(page) if f.hidden.get("item"))
        client.post("/owner/challenges", data={**form.hidden, "verdict": verdict, "reply": "Yes."})
        for path in re.findall(r'src="(/owner/image/[^"]+)"', page):
            assert client.get(path).headers["content-type"] == "image/png"
        return page


def earned(out: Path) -> dict[str, float]:
    with Journal.open(out / "journal.db", create=False) as journal:
        table = scored(journal)
    groups = table.groupby("item_id")
    return {str(item): float(np.mean(own["correct"])) for item, own in groups}


@pytest.mark.thorough
def test_the_monitor_says_how_many_items_everybody_has_answered(tmp_path: Path) -> None:
    folder = make_study(tmp_path, count=4, checks=0)
    app = application(folder)
    take(folder, app, "AAA")
    with client_of(app) as client:
        login = forms(client.get("/owner/login").text)[0]
        client.post("/owner/login", data={**login.hidden, "password": PASSWORD})
        page = client.get("/owner").text
    rows = re.findall(r'<th scope="row"><a [^>]+>p\w+</a></th><td class="n">(.*?)</td>', page)
    assert rows == ["3"]


@pytest.mark.slow
def test_an_upheld_challenge_counts_for_everybody_with_the_item(tmp_path: Path) -> None:
    """q00 has the key A. Two persons answer B, one of them challenges, the owner agrees."""
    folder = make_study(tmp_path, count=3, checks=0, shuffle=False, shuffle_options=False, **PAID)
    app = application(folder)
    take(folder, app, "BBC", "0")
    take(folder, app, "BAA")
    take(folder, app, "CBA")
    export_study(folder, tmp_path / "out")
    assert earned(tmp_path / "out") == {"q00": 0.0, "q01": 2 / 3, "q02": 1 / 3}
    page = decide(app, "accept")
    assert page.count("/owner/image/") >= 5  # the question's picture and the options'
    assert "Answered: B. Key: A." in page
    assert "Both are right." in page
    export_study(folder, tmp_path / "out")
    assert earned(tmp_path / "out") == {"q00": 2 / 3, "q01": 2 / 3, "q02": 1 / 3}
    bonus = pd.read_csv(tmp_path / "out" / "bonus.csv")
    assert sorted(bonus["bonus"]) == [0.5, 0.5, 1.5]
    data = tmp_path / "out" / "psych_ds" / "data"
    challenges = pd.read_csv(next(data.glob("*challenges*")))
    assert challenges["verdict"].tolist() == ["accept"]
    assert challenges["reply"].tolist() == ["Yes."]
    assert pd.read_csv(next(data.glob("*rulings*")))["answer"].tolist() == ["B"]
    decide(app, "reject")
    export_study(folder, tmp_path / "out")
    assert earned(tmp_path / "out")["q00"] == 0.0


def test_an_answer_that_cannot_be_read_is_not_made_right(tmp_path: Path) -> None:
    """What was unfinished when the time was over: a word of the owner's would change nothing."""
    folder = StudyFolder.make(
        tmp_path / "study", Study("s", "S", checks=0), every_type_bank(tmp_path), PASSWORD
    )
    app = application(folder)
    store = folder.store()
    person = store.start("session", ItemAllocation(folder.study, folder.bank).form, language="en",
                         consent_version="1", declaration=folder.declaration)  # fmt: skip
    assert person is not None
    for position, step in enumerate(person.form):
        facts = dict.fromkeys(("place", "seconds", "server_seconds"))
        facts |= dict.fromkeys(("earned", "away_count", "away_seconds", "resized"), 0)
        facts |= {"kind": "item", "item": step.item, "text": "9 appl", "possible": 1.0}
        store.answer("session", person.code, position, {**facts, "right": False, "late": True})
    for item in ("count", "essay"):
        store.challenge(person.code, item, "I was not ready.")
    with client_of(app) as client:
        login = forms(client.get("/owner/login").text)[0]
        client.post("/owner/login", data={**login.hidden, "password": PASSWORD})
        page = client.get("/owner/challenges").text
        assert page.count('value="accept"') == 1  # an essay can be anything
        assert page.count('value="void"') == 2
        for form in (f for f in forms(page) if f.hidden.get("item")):
            client.post("/owner/challenges", data={**form.hidden, "verdict": "accept"})
    store.challenge(person.code, "essay", "Something else.")  # decided by now
    assert set(store.frame("challenges")["reason"]) == {"I was not ready."}
    assert [row["item"] for row in store.rulings()] == ["essay"]
    assert store.frame("challenges").set_index("item")["verdict"].to_dict() == {
        "count": "", "essay": "accept",
    }  # fmt: skip
    store.close()


@pytest.mark.slow
def test_a_void_item_counts_for_nobody_and_is_paid_to_everybody(tmp_path: Path) -> None:
    folder = make_study(tmp_path, count=3, checks=0, shuffle=False, shuffle_options=False, **PAID)
    app = application(folder)
    take(folder, app, "DDD", "1")
    take(folder, app, "ABC")
    decide(app, "void")
    export_study(folder, tmp_path / "out")
    assert earned(tmp_path / "out") == {"q00": 0.5, "q02": 0.5}
    bonus = pd.read_csv(tmp_path / "out" / "bonus.csv")
    assert sorted(bonus["bonus"]) == [0.5, 1.5]
    with client_of(app) as client:
        login = forms(client.get("/owner/login").text)[0]
        assert login.action == "/owner/login"
    store = folder.store()
    code = store.frame("challenges")["code"].iloc[0]
    store.withdraw(code)  # the ruling outlives the challenger
    assert [row["item"] for row in store.rulings()] == ["q01"]
    store.close()


def with_options(item: Item, texts: list[str], language: str = "en") -> Item:
    choices = tuple(Choice(f, text) for f, text in zip("ABCDE", texts, strict=False))
    return replace(item, choices=choices, language=language, content=("What is right?",),
                   target="A", provenance=replace(item.provenance, pixel_hashes=()))  # fmt: skip


SPEAKING = [
    ("en", "All of the above"), ("en", "None of these"), ("en", "none of the other options"),
    ("en", "Both statements"), ("zh", "以上都对"), ("zh", "以上皆非"), ("zh", "都不正确"),
    ("fr", "Toutes les réponses ci-dessus"), ("fr", "Aucune de ces réponses"),
    ("es", "Todas las anteriores"), ("es", "Ninguna de las anteriores"),
    ("pt", "Todas as anteriores"), ("pt", "Nenhuma das alternativas"),
    ("ko", "위의 모두"), ("ko", "모두 맞다"), ("ko", "정답 없음"),
]  # fmt: skip
NAMING = ["Both A and C", "A、B 和 C", "A et B", "B y C", "A e C", "A와 B"]
SILENT = [
    "A red circle", "above the line", "all day", "Not at all", "以前", "todo el día", "Vitamin A",
    "a and b", "DNA", "la réponse", "위",
]  # fmt: skip


def bank_of(folder: Path, texts: list[list[str]]) -> ItemBank:
    items = exam_items(len(texts))
    made = [with_options(item, own) for item, own in zip(items, texts, strict=True)]
    return ItemBank.open(write_bank(made, folder / "options.parquet"))


def test_options_that_speak_of_others_are_warned_of_in_six_languages(tmp_path: Path) -> None:
    plain = ["one", "two", "three"]
    texts = [[*plain, text] for _, text in SPEAKING]
    texts += [[*plain, text] for text in NAMING] + [[*plain, text] for text in SILENT]
    found = {one.item: one for one in options_to_pin(bank_of(tmp_path, texts))}
    ids = [f"q{k:02d}" for k in range(len(texts))]
    speaking, naming = len(SPEAKING), len(SPEAKING) + len(NAMING)
    assert [found[i].labels if i in found else None for i in ids[:speaking]] == [("D",)] * speaking
    assert [found[i].labels for i in ids[speaking:naming]] == [tuple("ABCD")] * len(NAMING)
    assert not [found[i].text for i in ids[naming:] if i in found]


def test_a_pinned_option_keeps_its_place_in_every_form(tmp_path: Path) -> None:
    bank = bank_of(tmp_path, [["one", "two", "three", "All of the above"]] * 2)
    study = Study("s", "S", checks=0, pins={"q00": ("D",)})
    allocation = ItemAllocation(study, bank)
    places: dict[str, set[int]] = {"q00": set(), "q01": set()}
    orders = set()
    for number in range(40):
        for step in allocation.form(number):
            labels = tuple("ABCD")
            pinned = step.pinned_positions(labels)
            hashed = bank.item(step.item).provenance.content_hash
            order = option_order(hashed, 4, step.options_seed, pinned)
            assert sorted(order) == [0, 1, 2, 3]
            places[step.item].add(order.index(3))
            shown = as_shown("B", hashed, labels, step.options_seed, pinned)
            assert as_stored(shown, hashed, labels, step.options_seed, pinned) == "B"
            orders.add(order[:3] if step.item == "q00" else ())
    assert places == {"q00": {3}, "q01": {0, 1, 2, 3}}
    assert len(orders) == 7  # six orders of the other three
    for pins in ({"q09": ("D",)}, {"q00": ("E",)}):
        with pytest.raises(ParameterError, match="pins name"):
            ItemAllocation(Study("s", "S", pins=pins), bank)


def test_the_command_line_warns_and_pins(tmp_path: Path) -> None:
    bank = bank_of(tmp_path, [["one", "two", "Both A and B"], ["one", "two", "None of these"]])
    runner = CliRunner(env={"GFACTOR_OWNER_PASSWORD": PASSWORD})

    def new(name: str, *more: str) -> Any:
        words = ["study", "new", str(bank.path), "-o", str(tmp_path / name), "--title", "T", *more]
        done = runner.invoke(cli, words)
        assert done.exit_code == 0, done.output
        return done.output

    assert new("a").count("warning: item") == 2
    said = new("b", "--pin", "q00:A,B,C")
    assert said.count("warning: item") == 1
    assert "'q01'" in said
    assert "warning" not in new("c", "--pin", "found", "--checks", "1")
    pins = StudyFolder.open(tmp_path / "c").study.pins
    assert pins == {"q00": ("A", "B", "C"), "q01": ("C",)}


@pytest.mark.parametrize(
    ("language", "expected"),
    [("ar", "rtl"), ("he-IL", "rtl"), ("fa", "rtl"), ("az-Arab", "rtl"), ("ar-Latn", "ltr"),
     ("zh-Hans", "ltr"), ("en", "ltr"), ("", "ltr")],
)  # fmt: skip
def test_languages_have_a_direction(language: str, expected: str) -> None:
    assert direction(language) == expected


def test_arabic_items_are_shown_from_right_to_left_and_guessed_at(tmp_path: Path) -> None:
    items = exam_items(2)
    words = ["دائرة", "مربع", "مثلث", "نجمة"]
    items[0] = replace(with_options(items[0], words, "ar"), content=("ما هو الشكل؟",))
    bank = ItemBank.open(write_bank(items, tmp_path / "b.parquet"))
    study = Study("rtl", "RTL", checks=0, shuffle=False)
    folder = StudyFolder.make(tmp_path / "s", study, bank, PASSWORD)
    with client_of(application(folder)) as client:
        page = client.get("/").text
        client.post("/start", data={**forms(page)[0].hidden, "agree": "yes"})
        page = client.get("/task").text
        assert '<div class="stem" lang="ar" dir="rtl">' in page
        assert '<ul class="options" lang="ar" dir="rtl">' in page
        client.post("/task", data={**forms(page)[0].hidden, "option": "A"})
        assert '<div class="stem" lang="en" dir="ltr">' in client.get("/task").text
    journal = tmp_path / "c.db"
    for spec in ("baseline:random", "baseline:most", "baseline:constant"):
        words = ["run", str(bank.path), "--examinee", spec, "--journal", str(journal)]
        done = CliRunner().invoke(cli, words)
        assert done.exit_code == 0, done.output
    with Journal.open(journal, create=False) as opened:
        assert len(opened.responses()) == 6
    reads = ["run", str(bank.path), "--examinee", "observer:ideal", "--journal", str(journal)]
    assert CliRunner().invoke(cli, reads).exit_code != 0  # who reads needs sentences in Arabic
