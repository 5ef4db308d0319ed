"""Pages that depend on an answer: asked of those who gave it, and named in the export of others."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from support.browsers import Browser
from support.studies import PASSWORD, client_of, exam_bank

import gfactor as gf
from gfactor.errors import ParameterError
from gfactor.studies.questionnaires import StudyFolder, application
from gfactor.studies.questionnaires.study.study_files import read_study_file

ASKED = """
id = "branches"
title = "Branches"
bank = "bank.parquet"
shuffle = false

[[pages]]
kind = "questions"
name = "about"
questions = [
    {name = "age", kind = "number", text = "How old are you?", low = 1, required = false},
    {name = "device", kind = "single", text = "Which?", options = ["mouse", "touch", "other"]},
]
"""
BRANCHES = """
[[pages]]
kind = "questions"
name = "fingers"
show_if = "device:touch"
questions = [{name = "hand", kind = "single", text = "Which hand?", options = ["left", "right"]}]

[[pages]]
kind = "block"
name = "adults"
show_if = ["age:18-", "hand:left"]
items = ["q01", "q02"]

[[pages]]
kind = "block"
name = "everybody"
items = ["q03"]

[[pages]]
kind = "break"
show_if = "device:other"
"""


def made(folder: Path, pages: str = BRANCHES) -> StudyFolder:
    folder.mkdir(parents=True, exist_ok=True)
    exam_bank(folder, 4)
    path = folder / "study-file.toml"
    path.write_text(ASKED + pages, "utf-8")
    given = read_study_file(path)
    return StudyFolder.make(folder / "study", given.study, given.bank, PASSWORD)


def take(client: Any, *pages: dict[str, str]) -> None:
    """Take part in a browser of one's own and answer the pages with these fields."""
    browser = Browser(client)
    page = browser.begin("/")
    for fields in pages:
        page = browser.send(browser.get("/task"), **fields)
    assert str(page.url).endswith("/results")


def participants(study: StudyFolder, output: Path) -> pd.DataFrame:
    gf.study.export(study.path, output)
    [path] = output.glob("psych_ds/data/*_participants_data.csv")
    return pd.read_csv(path, keep_default_na=False)


@pytest.mark.thorough
def test_pages_are_asked_of_those_who_gave_the_answer(tmp_path: Path) -> None:
    """One page can depend on another that depends on an answer itself; not asked is not given."""
    study, chosen = made(tmp_path), {"option": "A"}
    with client_of(application(study)) as client:
        take(client, {"q-0": "30", "q-1": "mouse"}, chosen, chosen, chosen)
        take(client, {"q-0": "17", "q-1": "touch"}, {"q-0": "left"}, chosen, chosen, chosen)
        take(client, {"q-0": "17", "q-1": "touch"}, {"q-0": "right"}, chosen)
        take(client, {"q-0": "", "q-1": "other"}, chosen, {})
    with closing(study.store()) as store:
        answers = store.frame("answers")
        order = store.frame("participants").sort_values("number")["code"]
        counts = answers.groupby("code").size()
    assert counts[order].tolist() == [4, 5, 3, 3]
    for _, of_person in answers.groupby("code"):
        assert of_person["position"].tolist() == list(range(len(of_person)))
    table = participants(study, tmp_path / "out").set_index("participant_id").loc[order]
    assert table["not_shown"].tolist() == ["fingers;break", "break", "adults;break",
                                           "fingers;adults"]  # fmt: skip
    assert set(table["order"]) == {"adults;everybody"}
    dropout = gf.study.status(study.path).dropout
    reached = {row["page"]: row["reached"] for row in dropout}
    assert reached["fingers"] == 2
    assert reached["adults: question 1"] == 2
    assert reached["everybody: question 1"] == 4
    assert reached["break"] == 1
    assert {row["page"] for row in dropout if row["left"]} == {"results"}


def test_what_is_not_decided_yet_is_not_named(tmp_path: Path) -> None:
    study = made(tmp_path)
    with client_of(application(study)) as client:
        browser = Browser(client)
        browser.begin("/")
        assert "of at most 3" not in browser.get("/task").text
        browser.send(browser.get("/task"), **{"q-0": "5", "q-1": "mouse"})
        assert "Question 1 of at most 3" in browser.get("/task").text
        assert participants(study, tmp_path / "one")["not_shown"].tolist() == ["fingers;adults"]


def test_an_answer_that_was_stored_decides_after_a_restart(tmp_path: Path) -> None:
    study = made(tmp_path)
    with client_of(application(study)) as client:
        browser = Browser(client)
        browser.begin("/")
        browser.send(browser.get("/task"), **{"q-0": "5", "q-1": "touch"})
    with client_of(application(study)) as client:
        browser._client = client
        assert "Which hand?" in browser.get("/task").text


def branches_line(study: StudyFolder) -> Any:
    return gf.study.check(study.path).table.set_index("name").loc["branches"]


@pytest.mark.parametrize(
    ("show_if", "problem"),
    [
        ('"device"', r"names 'device'; write"),
        ('"hand:left"', r"no page before it asks 'hand'; questions before it: age, device"),
        ('"device:pen"', r"names 'device:pen', but no answer to 'device' can be that"),
        ('"age:young"', r"names 'age:young', but no answer to 'age' can be that"),
        ("3", r"show_if must be a list of texts"),
    ],
)
def test_a_branch_that_cannot_be_is_refused(show_if: str, problem: str, tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=rf"pages\[2\]\.{problem}|pages\[2\].*{problem}"):
        made(tmp_path, BRANCHES.replace('"device:touch"', show_if, 1))


def test_a_block_that_depends_on_an_answer_is_not_counterbalanced(tmp_path: Path) -> None:
    exam_bank(tmp_path, 4)
    path = tmp_path / "file.toml"
    path.write_text(f'counterbalance = ["adults", "everybody"]\n{ASKED}{BRANCHES}', "utf-8")
    with pytest.raises(ParameterError, match="counterbalance names 'adults'"):
        read_study_file(path)


def test_the_checklist_names_branches_and_who_is_asked_no_item(tmp_path: Path) -> None:
    line = branches_line(made(tmp_path))
    assert line["state"] == "ok"
    assert "adults if age = 18- or hand = left" in line["says"]
    alone = """
[[pages]]
kind = "block"
name = "touching"
show_if = ["device:touch", "device:mouse"]
items = ["q01"]
"""
    study = made(tmp_path / "alone", alone)
    line = branches_line(study)
    assert line["state"] == "note"
    assert line["says"].endswith("whoever answers device = other is asked no item")
    with pytest.raises(ParameterError, match=r"pages\[2\] is shown by an answer"):
        gf.study.jspsych(study.path, tmp_path / "static")
    assert StudyFolder.open(study.path).study == study.study
