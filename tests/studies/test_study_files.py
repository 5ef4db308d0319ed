"""A study file says all pages of a study; what is answered on them is kept like other answers."""

from __future__ import annotations

import asyncio
import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from click.testing import CliRunner
from support.adaptive_studies import calibrated, ready, replayed, table
from support.studies import (
    PASSWORD,
    accessibility_problems,
    browser_page,
    client_of,
    exam_bank,
)

import gfactor as gf
from gfactor.administration import Journal
from gfactor.cli import cli
from gfactor.errors import ParameterError
from gfactor.psychometrics.irt.scales.calibration_files import read_calibration, write_calibration
from gfactor.studies.questionnaires import Study, StudyFolder, application, export_study
from gfactor.studies.questionnaires.order.counterbalancing import williams_rows
from gfactor.studies.questionnaires.simulating import serving, simulate
from gfactor.studies.questionnaires.simulating.form import forms
from gfactor.studies.questionnaires.study.columns import OF_PARTICIPANTS

PHONE = {"viewport": {"width": 390, "height": 780}, "has_touch": True, "is_mobile": True}
WHOLE = """
id = "whole"
title = "The whole way"
bank = "bank.parquet"
seed = 4

[[pages]]
kind = "consent"
text = "We ask. *You* answer."

[[pages]]
kind = "questions"
name = "about"
questions = [
    {name = "age", library = "age"},
    {name = "gender", library = "gender"},
    {name = "education", library = "education"},
    {name = "native", library = "native_language", required = false},
    {name = "vision", library = "vision"},
]

[[pages]]
kind = "instructions"

[[pages]]
kind = "practice"
items = ["q23"]

[[pages]]
kind = "block"
name = "first"
heading = "Pictures"
text = "Now come **pictures**."
labels = {type = "type 0"}
per_person = 3
time_limit_s = 40
checks = 1

[[pages]]
kind = "break"

[[pages]]
kind = "block"
name = "second"
labels = {type = ["type 1", "type 2"]}
calibration = "known.json"
max_items = 5
se = 0.05

[[pages]]
kind = "questions"
name = "after"
heading = "Looking back"

[[pages.questions]]
name = "devices"
kind = "multiple"
text = "What did you use?"
options = ["mouse", {value = "keys", text = "The keyboard"}, "touch"]

[[pages.questions]]
name = "hours"
kind = "number"
text = "Hours of sleep"
low = 0
high = 24

[[pages.questions]]
name = "effort"
kind = "grid"
text = "How much do you agree?"
rows = [{value = "tried", text = "I tried hard"}, {value = "liked", text = "I liked it"}]
options = [{value = "1", text = "no"}, {value = "2", text = "partly"}, {value = "3", text = "yes"}]

[[pages.questions]]
name = "remark"
kind = "text"
text = "Anything else?"
required = false

[[pages]]
kind = "feedback"
blocks = ["first"]

[[pages]]
kind = "debriefing"
text = "This was about *pictures*."
"""


def study_file(folder: Path, text: str = WHOLE) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    write_calibration(calibrated(exam_bank(folder, 24)), folder / "known.json")
    path = folder / "file.toml"
    path.write_text(text, "utf-8")
    return path


def whole_study(folder: Path, text: str = WHOLE) -> StudyFolder:
    made = gf.study.new(study_file(folder, text), folder / "study", password=PASSWORD)
    return StudyFolder.open(made.folder)


def go_on(page: Any) -> None:
    before = page.locator("input[name=position]").get_attribute("value")
    page.keyboard.press("Enter")
    page.wait_for_function(
        "before => document.querySelector('input[name=position]')?.value !== before", arg=before
    )


def check_page(page: Any) -> None:
    assert not accessibility_problems(page)
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= PHONE["viewport"]["width"], "no scrolling sideways"


def answer_item(page: Any, key: int) -> None:
    ready(page)
    page.keyboard.press(str(key))
    go_on(page)


def choose(page: Any, value: str) -> None:
    """Tab to the next group of radio buttons, and down to this one."""
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    for _ in range(8):
        focused = page.evaluate("document.activeElement.value")
        if focused == value:
            return
        page.keyboard.press("ArrowDown")
    raise AssertionError(value)


def answer_demographics(page: Any) -> None:
    ready(page)
    assert page.locator("h1").inner_text() == "About you"
    check_page(page)
    page.keyboard.press("Tab")
    page.keyboard.type("230")
    for value in ("other", "bachelor"):
        choose(page, value)
    page.keyboard.press("Tab")
    choose(page, "corrected")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.getElementById('status').textContent.includes('1 to')")
    assert page.locator("input[value=bachelor]").is_checked(), "what was answered stays"
    page.locator("#f-0").fill("34")
    go_on(page)


def answer_looking_back(page: Any) -> None:
    ready(page)
    check_page(page)
    page.reload()
    ready(page)
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.type("7,5")
    choose(page, "3")
    choose(page, "2")
    go_on(page)


@pytest.mark.slow
def test_the_whole_way_by_keyboard_on_a_phone(tmp_path: Path) -> None:
    folder = whole_study(tmp_path)
    with serving(folder) as base, browser_page(**PHONE) as page:
        page.goto(base)
        assert page.locator("em").inner_text() == "You"
        for key in ("Tab", "Space", "Tab", "Enter"):
            page.keyboard.press(key)
        page.wait_for_url("**/task*")
        answer_demographics(page)
        check_page(page)
        assert "at most 9 questions" in page.content()
        go_on(page)
        answer_item(page, 1)
        page.keyboard.press("Enter")
        page.wait_for_function("() => document.querySelector('h1').innerText === 'Pictures'")
        check_page(page)
        go_on(page)
        assert page.locator("h1").inner_text() == "Question 1 of at most 9"
        assert page.locator("#question").get_attribute("data-limit") == "40.0"
        for k in range(4):
            answer_item(page, 1 + k)
        assert page.locator("h1").inner_text() == "A short break"
        go_on(page)
        for k in range(5):
            assert page.locator("#question").get_attribute("data-limit") == "0.0"
            answer_item(page, 1 + k % 4)
        answer_looking_back(page)
        assert "of 3 questions correctly" in page.content()
        check_page(page)
        page.keyboard.press("Enter")
        page.wait_for_url("**/results")
        page.goto(f"{base}/done")
        assert "This was about <em>pictures</em>" in page.content()
        check_page(page)
    answers = table(folder, "answers")
    kinds = answers["kind"].value_counts().to_dict()
    assert kinds == {"page": 6, "practice": 1, "item": 8, "check": 1}
    assert None not in table(folder, "participants")["finished"].tolist()
    known = read_calibration(folder.path / "known.json")
    adaptive = answers.loc[answers["item"].isin(list(folder.plan.adaptive["second"].items))]
    cat = replayed(known, adaptive, only=folder.plan.adaptive["second"].items, max_items=5)
    export_study(folder, tmp_path / "out")
    data = tmp_path / "out" / "psych_ds" / "data"
    [ability] = pd.read_csv(data / "study-whole_abilities_data.csv").to_dict("records")
    assert ability["block"] == "second"
    assert ability["theta"] == pytest.approx(cat.theta, abs=1e-12)
    [said] = pd.read_csv(data / "study-whole_questionnaire_data.csv", dtype=str).to_dict("records")
    del said["participant_id"]
    assert {name: value for name, value in said.items() if isinstance(value, str)} == {
        "age": "34", "gender": "other", "education": "bachelor", "vision": "corrected",
        "devices": "mouse;keys", "hours": "7.5", "effort_tried": "3", "effort_liked": "2",
    }  # fmt: skip
    with Journal.open(tmp_path / "out" / "journal.db") as journal:
        assert len(journal.responses()) == 8, "items that count, and nothing else"


def without_scripts(client: Any, **fields: Any) -> Any:
    """Post the form of the page at /task with these fields; the page that follows."""
    [form] = [f for f in forms(client.get("/task").text) if f.action == "/task"]
    return client.post("/task", data={**form.hidden, **fields})


def test_questions_work_without_scripts_and_the_first_answer_stays(tmp_path: Path) -> None:
    folder = whole_study(tmp_path)
    about = {"q-0": "34", "q-1": "woman", "q-2": "master", "q-4": "normal"}
    with client_of(application(folder)) as client:
        [form] = [f for f in forms(client.get("/").text) if f.action == "/start"]
        client.post("/start", data={**form.hidden, "agree": "yes"})
        page = without_scripts(client, **{**about, "q-1": "<script>", "q-3": "<b>x</b>"}).text
        assert "Please answer: What is your gender?" in page
        assert "&lt;b&gt;x&lt;/b&gt;" in page
        assert 'value="master" id="f-q-2-5" checked' in page.replace(" required", "")
        for odd in ("abc", "nan", "-4", "1e999", "", "0"):
            said = without_scripts(client, **{**about, "q-0": odd}).text
            assert "How old are you" in said
            assert not len(table(folder, "answers"))
        [old] = [f for f in forms(client.get("/task").text) if f.action == "/task"]
        without_scripts(client, **about)
        client.post("/task", data={**old.hidden, **about, "q-0": "99"})
    [text] = table(folder, "answers")["text"]
    assert json.loads(text) == {
        "age": 34, "gender": "woman", "education": "master", "vision": "normal",
    }  # fmt: skip


def test_bots_take_it_and_the_dictionary_describes_every_column(tmp_path: Path) -> None:
    path = study_file(tmp_path)
    runner = CliRunner(env={"GFACTOR_OWNER_PASSWORD": PASSWORD})
    words = ["study", "new", str(path), "-o", str(tmp_path / "study"), "--json"]
    refused = runner.invoke(cli, [*words, "--seed", "5"])
    assert "a study file holds all settings" in str(refused.exception)
    assert runner.invoke(cli, words).exit_code == 0
    folder = StudyFolder.open(tmp_path / "study")
    with serving(folder, simulated=True) as base:
        done = asyncio.run(simulate(base, folder, {"person": 4}, seed=1))
    assert [visit.finished for visit in done.visits] == [True] * 4
    assert done.answers == 4 * (1 + 3 + 1 + 5)
    export_study(folder, tmp_path / "out")
    data = tmp_path / "out" / "psych_ds"
    said = pd.read_csv(data / "data" / "study-whole_questionnaire_data.csv")
    assert said["age"].between(1, 120).all()
    assert said.loc[:, "age":"vision"].drop(columns="native").notna().all(axis=None)
    dictionary = pd.read_csv(data / "data_dictionary.csv", keep_default_na=False)
    assert "" not in dictionary["description"].tolist()
    named = set(zip(dictionary["table"], dictionary["variable"], strict=True))
    for file in (data / "data").glob("*.csv"):
        word = file.name.split("_")[1]
        columns = pd.read_csv(file).columns
        assert {(word, column) for column in columns} <= named
    people = pd.read_csv(data / "data" / "study-whole_participants_data.csv").columns
    assert set(people) <= OF_PARTICIPANTS
    gender = dictionary.set_index("variable").loc["gender"]
    assert gender["levels"].startswith("woman = Woman; man = Man; ")


def test_a_study_with_pages_is_the_same_when_it_is_written_and_read(tmp_path: Path) -> None:
    folder = whole_study(tmp_path)
    text = folder.study.to_toml()
    (tmp_path / "again.toml").write_text(text, "utf-8")
    again = Study.from_toml(tmp_path / "again.toml")
    assert again == folder.study
    assert not re.search(r"^checks = ", text.split("[[pages]]")[0], re.M), "blocks have their own"
    assert again.to_json() == folder.study.to_json()
    (tmp_path / "again.toml").write_text(text, "utf-8-sig")
    assert Study.from_toml(tmp_path / "again.toml") == again, "as Windows' editors save it"
    assert "pages" not in Study("s", "S").to_json(), "digests of other studies stay"


# ruff: noqa: E501 (a row per fault)
FAULTS = [
    ('bank = "bank.parquet"', "", r"file.toml: bank is None"),
    ('bank = "bank.parquet"', 'bank = "other.parquet"', r"file.toml: bank: "),
    ('kind = "consent"', 'kind = "consents"', r"pages\[1\].kind is 'consents'; it must be one of"),
    ('library = "age"', 'library = "height"', r"pages\[2\].questions\[1\].library is 'height'"),
    ('name = "gender"', 'name = "age"', r"questions\[2\].name is 'age', as pages\[2\].questions\[1\]"),
    ('name = "gender"', 'name = "code"', r"questions\[2\].name is 'code', a column that exports have"),
    ('name = "gender"', 'name = "language"', r"questions\[2\].name is 'language', a column that"),
    ('name = "gender"', 'name = "code"', r"questions\[2\].name is 'code', a column that exports have"),
    ('name = "gender"', 'name = "language"', r"questions\[2\].name is 'language', a column that"),
    ("per_person = 3", 'per_person = "3"', r"pages\[5\].per_person must be a whole number"),
    ("per_person = 3", "per_persons = 3", r"pages\[5\].per_persons: a page of kind 'block' has no"),
    ("per_person = 3", "per_person = 30", r"file.toml: per_person is 30, but the bank has only 6 items"),
    ('items = ["q23"]', 'items = ["q99"]', r"pages\[4\].items names 'q99', which is not in the bank"),
    ('items = ["q23"]', 'items = ["q00"]', r"pages\[5\] has the item 'q00', as pages\[4\]"),
    ('labels = {type = "type 0"}', 'labels = {type = "x"}', r"pages\[5\].labels: no item of the bank"),
    ('"known.json"', '"../known.json"', r"pages\[7\].calibration is '../known.json'; name a"),
    ('"known.json"', '"secrets.json"', r"pages\[7\].calibration is 'secrets.json'; name a"),
    ('"known.json"', '"none.json"', r"file.toml: .*none.json"),
    ("se = 0.05", "se = 3.0", r"se of an adaptive block is 3, and before the first answer"),
    ("low = 0", "low = 30", r"pages\[8\].questions\[2\]: low is above high"),
    ("high = 24", "high = -1", r"pages\[8\].questions\[2\]: low is above high"),
    ('kind = "multiple"', 'kind = "many"', r"pages\[8\].questions\[1\].kind is 'many'"),
    ('["mouse", ', '["mouse", "touch", ', r"pages\[8\].questions\[1\].options: 'touch' occurs twice"),
    ('["mouse", ', "[7, ", r"pages\[8\].questions\[1\].options\[1\] must be a table, not 7"),
    ('blocks = ["first"]', 'blocks = ["third"]', r"pages\[9\].blocks names 'third'"),
    ('text = "Anything else?"', "text = {fr = 'x'}", r"questions\[4\].text.en is missing"),
    ('kind = "feedback"', 'kind = "debriefing"', r"pages\[9\].blocks: a page of kind 'debriefing'"),
    ("seed = 4", "seed = 4\nchecks = 0\npractice = ['q23']", r"a study with pages sets practice"),
    ("seed = 4", "seed = 4\npay = {per_right = 1.0}", r"file.toml: a feedback page tells how many"),
    ("seed = 4", "seed = ", r"cannot be read as a study: "),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after", "sentence"), FAULTS)
def test_a_fault_is_one_sentence_with_file_and_key(
    tmp_path: Path, before: str, after: str, sentence: str
) -> None:
    assert before in WHOLE
    path = study_file(tmp_path, WHOLE.replace(before, after, 1))
    with pytest.raises(ParameterError, match=sentence) as error:
        gf.study.new(path, tmp_path / "study")
    assert "file.toml" in str(error.value)
    assert "\n" not in str(error.value).split("cannot be read")[0]
    assert not (tmp_path / "study").exists()


def test_a_number_may_have_one_value_alone(tmp_path: Path) -> None:
    folder = whole_study(tmp_path, WHOLE.replace("low = 0", "low = 24", 1))
    asked = [
        one for page in folder.study.pages or () for one in page.questions if one.name == "hours"
    ]
    assert [(one.low, one.high) for one in asked] == [(24, 24)]


@pytest.mark.thorough
def test_conditions_and_orders_are_balanced_as_people_enter(tmp_path: Path) -> None:
    names = ["a", "b", "c", "d"]
    blocks = "".join(
        f'[[pages]]\nkind = "block"\nname = "{name}"\nlabels = {{type = "type {k}"}}\n'
        for k, name in enumerate(names)
    )
    text = (
        'id = "two"\ntitle = "Two"\nbank = "bank.parquet"\nconditions = ["hint", "none"]\n'
        f"counterbalance = {json.dumps(names)}\n"
        '[[pages]]\nkind = "instructions"\ntext = "A hint."\ncondition = "hint"\n' + blocks
    )
    folder = whole_study(tmp_path, text)
    facts = [folder.plan.facts(number) for number in range(16)]
    for begin in range(0, 16, 2):
        assert sorted(f["condition"] for f in facts[begin : begin + 2]) == ["hint", "none"]
    for condition in ("hint", "none"):
        orders = [f["order"].split(";") for f in facts if f["condition"] == condition]
        for four in (orders[:4], orders[4:]):
            for position in range(4):
                assert sorted(order[position] for order in four) == names
            pairs = [pair for order in four for pair in pairwise(order)]
            assert len(set(pairs)) == 12, "each directly after each other, once"
    assert len({f["condition"] for f in facts[::2]}) == 2, "no pattern over people"
    form = folder.plan.start(0)
    shown = [step for step in form if step.kind == "page"]
    assert bool(shown) == (facts[0]["condition"] == "hint")
    pages = folder.study.pages or ()
    order = list(dict.fromkeys(pages[s.page or 0].name for s in form if s.kind == "item"))
    assert order == facts[0]["order"].split(";")
    with client_of(application(folder)) as client:
        for _ in range(4):
            client.cookies.clear()
            [form] = [f for f in forms(client.get("/").text) if f.action == "/start"]
            client.post("/start", data={**form.hidden, "agree": "yes"})
    export_study(folder, tmp_path / "out")
    data = tmp_path / "out" / "psych_ds" / "data"
    people = pd.read_csv(data / "study-two_participants_data.csv")
    assert sorted(people["condition"]) == ["hint", "hint", "none", "none"]


@pytest.mark.parametrize("count", [2, 3, 5, 6])
def test_rows_of_a_williams_design_balance_positions_and_what_comes_before(count: int) -> None:
    rows = williams_rows(count)
    for position in range(count):
        seen = [row[position] for row in rows]
        assert {seen.count(block) for block in range(count)} == {len(rows) // count}
    pairs = [pair for row in rows for pair in pairwise(row)]
    assert {pairs.count(pair) for pair in pairs} == {1 if count % 2 == 0 else 2}
    assert len(set(pairs)) == count * (count - 1)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ('conditions = ["a"]', r"file.toml: conditions are \['a'\]; give two or more"),
        (
            'conditions = ["a", "b"]\ncounterbalance = ["first", "x"]',
            "names 'x', which is not a block",
        ),
        ("counterbalance = 3", "counterbalance is 3; it must be a list"),
    ],
)
def test_conditions_that_do_not_fit_are_told(tmp_path: Path, line: str, sentence: str) -> None:
    path = study_file(tmp_path, WHOLE.replace("seed = 4", line, 1))
    with pytest.raises(ParameterError, match=sentence):
        gf.study.new(path, tmp_path / "study")
    path = study_file(tmp_path, WHOLE.replace('kind = "break"', 'kind = "break"\ncondition = "b"'))
    with pytest.raises(ParameterError, match=r"pages\[6\].condition is 'b', which is none"):
        gf.study.new(path, tmp_path / "study")


@pytest.mark.thorough
def test_the_file_in_the_documentation_makes_a_study(tmp_path: Path) -> None:
    page = Path(__file__).parents[2] / "docs" / "studies.md"
    [text] = re.findall(r"```toml\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    domains = ["counting_circles", "sort_lines", "counting_shapes"]
    bank = gf.build("percept-v", domains=domains, sizes=[2], path=tmp_path / "pool.parquet")
    write_calibration(calibrated(bank), tmp_path / "pool.calibration.json")
    (tmp_path / "shapes.toml").write_text(text, "utf-8")
    made = gf.study.new(tmp_path / "shapes.toml", tmp_path / "study", password=PASSWORD)
    plan = StudyFolder.open(made.folder).plan
    orders = {tuple(step.item for step in plan.start(number)) for number in range(4)}
    assert len(orders) == 4
    assert set(plan.adaptive) == {"shapes"}
