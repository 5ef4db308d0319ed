"""A study as a static jsPsych experiment: complete, without keys, and it runs."""

from __future__ import annotations

import csv
import functools
import json
import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from support.studies import PASSWORD, browser_page, exam_bank, make_study

from gfactor.errors import ParameterError
from gfactor.studies.questionnaires import ItemAllocation, StudyFolder
from gfactor.studies.questionnaires.results.jspsych import export_jspsych
from gfactor.studies.questionnaires.study.study_files import read_study_file

NODE_MODULES = os.environ.get("GFACTOR_JSPSYCH", "")


def test_forms_are_those_of_the_served_study_and_tell_no_answer(tmp_path: Path) -> None:
    folder = make_study(tmp_path, count=6, checks=1)
    assert export_jspsych(folder, tmp_path / "out", forms=3) == 6
    study = json.loads((tmp_path / "out" / "study.json").read_text("utf-8"))
    allocation = ItemAllocation(folder.study, folder.bank)
    assert [[q["item"] for q in form] for form in study["forms"]] == [
        [step.item for step in allocation.form(k)] for k in range(3)
    ]
    for form in study["forms"]:
        for question in form:
            assert set(question) == {"html", "item", "kind", "options_seed", "images"}
            assert "<script" not in question["html"]
            for name in question["images"]:
                assert (tmp_path / "out" / name).read_bytes().startswith(b"\x89PNG")
                assert f'src="{name}"' in question["html"]
    page = (tmp_path / "out" / "index.html").read_text("utf-8")
    assert "jspsych@8" in page


PAGES = """
id = "paged"
title = "Paged"
bank = "bank.parquet"
conditions = ["hint", "no-hint"]

[[pages]]
kind = "questions"
name = "about-you"
questions = [
    {name = "age", library = "age"},
    {name = "effort", kind = "slider", text = "How hard?", options = [{value = "0", text = "easy"}, {value = "9", text = "hard"}]},
    {name = "use", kind = "grid", text = "Use", rows = ["phone", "desk"], options = ["often", "never"]},
]

[[pages]]
kind = "instructions"
condition = "hint"
text = "Count *twice*."

[[pages]]
kind = "block"
name = "items"
items = ["q00", "q01"]

[[pages]]
kind = "debriefing"
text = "We compare people with models."
"""  # noqa: E501


def paged(folder: Path, pages: str = PAGES) -> StudyFolder:
    exam_bank(folder, 3)
    (folder / "file.toml").write_text(pages, "utf-8")
    given = read_study_file(folder / "file.toml")
    return StudyFolder.make(folder / "study", given.study, given.bank, PASSWORD)


def test_a_study_with_pages_has_them_where_the_served_one_has(tmp_path: Path) -> None:
    folder = paged(tmp_path)
    assert export_jspsych(folder, tmp_path / "out", forms=4) == 2
    study = json.loads((tmp_path / "out" / "study.json").read_text("utf-8"))
    steps = [folder.plan.start(k) for k in range(4)]
    assert [[q["item"] for q in form] for form in study["forms"]] == [
        [step.item for step in form] for form in steps
    ]
    assert [facts["condition"] for facts in study["facts"]] == [
        folder.plan.facts(k)["condition"] for k in range(4)
    ]
    assert {len(form) for form in study["forms"]} == {3, 4}  # the hint is for half of them
    hinted = next(form for form in study["forms"] if len(form) == 4)
    assert "Count <em>twice</em>." in hinted[1]["html"]
    assert "Question 1 of 2" in hinted[2]["html"]
    names = set(re.findall(r'name="([^"]+)"', hinted[0]["html"]))
    assert names == {"age", "effort", "use_phone", "use_desk"}
    assert "We compare people" in study["debriefing"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [('kind = "debriefing"\ntext = "We compare people with models."', 'kind = "feedback"',
      r"pages\[4\] is of kind 'feedback'"),
     ('name = "items"', 'name = "items"\nexposure_ms = 100', r"pages\[3\] shows pictures for a")],
)  # fmt: skip
def test_what_needs_the_server_is_refused(old: str, new: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=message):
        export_jspsych(paged(tmp_path, PAGES.replace(old, new)), tmp_path / "out", forms=1)


@contextmanager
def in_a_browser(folder: StudyFolder, out: Path) -> Iterator[tuple[Any, str]]:
    """A page, and the address of the study's static experiment."""
    export_jspsych(folder, out, forms=2, library="lib")
    modules = Path(NODE_MODULES)
    (out / "lib" / "@jspsych").mkdir(parents=True)
    (out / "lib" / "jspsych@8").symlink_to(modules / "jspsych")
    for plugin in ("plugin-survey-html-form", "plugin-preload"):
        (out / "lib" / "@jspsych" / f"{plugin}@2").symlink_to(modules / "@jspsych" / plugin)
    handler = functools.partial(SimpleHTTPRequestHandler, directory=str(out))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, browser_page() as page:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield page, f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


@pytest.mark.skipif(not NODE_MODULES, reason="GFACTOR_JSPSYCH names no node_modules folder")
def test_pages_run_with_jspsych_in_a_browser(tmp_path: Path) -> None:
    folder = paged(tmp_path)
    hinted = [folder.plan.facts(k)["condition"] for k in range(2)].index("hint")
    with in_a_browser(folder, tmp_path / "out") as (page, address):
        page.goto(f"{address}?form={hinted + 1}")
        send = page.locator("form button, form input[type=submit]").last
        page.fill("[name=age]", "30")
        page.fill("[name=effort]", "7")
        for name in ("use_phone", "use_desk"):
            page.locator(f"input[name={name}]").first.check(force=True)
        send.click()
        page.wait_for_selector("text=twice")
        send.click()
        for k in range(2):
            page.wait_for_selector(f"text=Question {k + 1} of 2")
            page.locator("input[name=option]").nth(1).check(force=True)
            if k == 0:
                send.click()
        with page.expect_download() as download:
            send.click()
        rows = list(csv.DictReader(Path(download.value.path()).read_text("utf-8").splitlines()))
        page.wait_for_selector("text=We compare people with models.")
    assert [row["kind"] for row in rows] == ["page", "page", "item", "item"]
    assert {row["condition"] for row in rows} == {"hint"}
    assert json.loads(rows[0]["response"]) == {
        "age": "30", "effort": "7", "use_phone": "often", "use_desk": "often",
    }  # fmt: skip


@pytest.mark.skipif(
    not NODE_MODULES,
    reason="GFACTOR_JSPSYCH names no node_modules folder with jspsych and its plugins",
)
def test_it_runs_with_jspsych_in_a_browser(tmp_path: Path) -> None:
    folder = make_study(tmp_path, count=3, checks=0)
    with in_a_browser(folder, tmp_path / "out") as (page, address):
        page.goto(f"{address}?form=2")
        for k in range(2):
            page.wait_for_selector(f"text=Question {k + 1} of 3")
            page.locator("input[name=option]").nth(1).check()
            page.locator("form button, form input[type=submit]").last.click()
        page.wait_for_selector("text=Question 3 of 3")
        page.locator("input[name=option]").nth(1).check()
        with page.expect_download() as download:
            page.locator("form button, form input[type=submit]").last.click()
        rows = Path(download.value.path()).read_text("utf-8").splitlines()
    assert len(rows) == 4
    assert '"options_seed"' in rows[0]
    assert "q0" in rows[1]
