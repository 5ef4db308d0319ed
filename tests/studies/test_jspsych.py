"""A study as a static jsPsych experiment: complete, without keys, and it runs."""

from __future__ import annotations

import functools
import json
import os
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from support.studies import browser_page, make_study

from gfactor.studies.questionnaires import ItemAllocation
from gfactor.studies.questionnaires.jspsych import export_jspsych

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


@pytest.mark.skipif(
    not NODE_MODULES,
    reason="GFACTOR_JSPSYCH names no node_modules folder with jspsych and its plugins",
)
def test_it_runs_with_jspsych_in_a_browser(tmp_path: Path) -> None:
    folder = make_study(tmp_path, count=3, checks=0)
    out = tmp_path / "out"
    export_jspsych(folder, out, forms=2, library="lib")
    modules = Path(NODE_MODULES)
    (out / "lib" / "@jspsych").mkdir(parents=True)
    (out / "lib" / "jspsych@8").symlink_to(modules / "jspsych")
    for plugin in ("plugin-survey-html-form", "plugin-preload"):
        (out / "lib" / "@jspsych" / f"{plugin}@2").symlink_to(modules / "@jspsych" / plugin)
    handler = functools.partial(SimpleHTTPRequestHandler, directory=str(out))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, browser_page() as page:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page.goto(f"http://127.0.0.1:{server.server_address[1]}/?form=2")
        for k in range(2):
            page.wait_for_selector(f"text=Question {k + 1} of 3")
            page.locator("input[name=option]").nth(1).check()
            page.locator("form button, form input[type=submit]").last.click()
        page.wait_for_selector("text=Question 3 of 3")
        page.locator("input[name=option]").nth(1).check()
        with page.expect_download() as download:
            page.locator("form button, form input[type=submit]").last.click()
        rows = Path(download.value.path()).read_text("utf-8").splitlines()
        server.shutdown()
    assert len(rows) == 4
    assert '"options_seed"' in rows[0]
    assert "q0" in rows[1]
