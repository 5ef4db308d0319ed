"""Pictures that are shown for a short time: for the frames that were asked for, and once.

Frames come from a clock of the test's own, so that nothing here depends on how fast the machine
is; `benchmarks/exposure.py` measures a real browser.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pandas as pd
import pytest
from support.studies import (
    PASSWORD,
    accessibility_problems,
    browser_page,
    every_type_bank,
    exam_bank,
)
from support.visitors import Visitor

import gfactor as gf
from gfactor.errors import ParameterError
from gfactor.imaging.masks import mask
from gfactor.studies.questionnaires import StudyFolder, export_study
from gfactor.studies.questionnaires.perception.pages import simulated_presentation
from gfactor.studies.questionnaires.perception.presentation import mask_seed, read_presentation
from gfactor.studies.questionnaires.simulating import serving
from gfactor.studies.questionnaires.study.page_definitions import Page

STUDY = """
id = "flash"
title = "Flash"
bank = "bank.parquet"
seed = 3

[[pages]]
kind = "block"
name = "quick"
items = ["q01", "q02"]
shuffle = false
exposure_ms = {exposure}
{more}
"""

FRAMES = """
() => {
  // 60 frames a second; of those that follow the onset the ones in `late` come so many too late.
  const late = %s;
  let waiting = [];
  let since = 0;
  let time = 0;
  window.requestAnimationFrame = (call) => waiting.push(call);
  setInterval(() => {
    since = document.querySelector('.timed[data-shows="target"]') ? since + 1 : 0;
    time += (1 + (late[since] ?? 0)) * 1000 / 60;
    const calls = waiting;
    waiting = [];
    for (const call of calls) call(time);
  }, 17);  // never ahead of the time of keys
}
"""


def timed_study(folder: Path, exposure: float = 100, more: str = "") -> StudyFolder:
    folder.mkdir(parents=True, exist_ok=True)
    exam_bank(folder, 4)
    path = folder / "file.toml"
    path.write_text(STUDY.format(exposure=exposure, more=more), "utf-8")
    return StudyFolder.open(gf.study.new(path, folder / "study", password=PASSWORD).folder)


def exported(folder: StudyFolder, output: Path) -> pd.DataFrame:
    export_study(folder, output)
    return pd.read_csv(output / "psych_ds" / "data" / "study-flash_presentations_data.csv")


@contextmanager
def started(base: str, late: str = "{}") -> Iterator[Any]:
    """A browser with the first question ready, and frames as they are wanted."""
    with browser_page() as page:
        page.add_init_script(f"({FRAMES % late})()")
        page.goto(base)
        page.locator("#agree").check()
        page.locator("main button").click()
        page.wait_for_selector("#show-picture:enabled")
        yield page


def shown_then_over(page: Any) -> None:
    page.keyboard.press("Enter")  # the button has the focus
    page.wait_for_selector("fieldset:enabled")
    page.wait_for_function(
        "() => document.querySelector('#trial-note').textContent.includes('was')"
    )


def answer(page: Any, key: str) -> None:
    before = page.locator("input[name=position]").get_attribute("value")
    page.keyboard.press(key)
    page.keyboard.press("Enter")
    page.wait_for_function(
        "before => document.querySelector('input[name=position]')?.value !== before", arg=before
    )


@pytest.mark.slow
def test_a_picture_is_shown_for_its_frames_once_and_its_mask_until_the_answer(
    tmp_path: Path,
) -> None:
    folder = timed_study(tmp_path, 100, 'mask = "rectangles"\nfixation_ms = 400')
    with serving(folder) as base, started(base) as page:
        assert not accessibility_problems(page)
        source = page.locator(".timed").get_attribute("data-picture")
        assert page.locator(".timed .target").evaluate("e => getComputedStyle(e).opacity") == "0"
        page.keyboard.press("1")
        assert not page.locator("input[name=option]").first.is_checked(), "not before the onset"
        page.locator("#show-picture").focus()
        shown_then_over(page)
        assert page.locator(".timed").get_attribute("data-shows") == "mask"
        page.wait_for_function("() => !document.querySelector('.timed .target')")
        assert page.evaluate("path => fetch(path).then(r => r.status)", source) == 404
        assert not accessibility_problems(page)
        answer(page, "2")
        page.wait_for_selector("#show-picture:enabled")
        page.keyboard.press("Enter")
        page.wait_for_selector("fieldset:enabled")
        page.reload()
        assert "not shown again" in page.locator("#trial-note").inner_text()
        assert not page.locator(".timed .target").count()
        again = page.locator(".timed").get_attribute("data-picture")
        assert page.evaluate("path => fetch(path).then(r => r.status)", again) == 404
        page.keyboard.press("3")
        page.keyboard.press("Enter")
        page.wait_for_url("**/results")
        assert page.evaluate("path => fetch(path).then(r => r.status)", source) == 200
    first, second = exported(folder, tmp_path / "out").to_dict("records")
    assert first["state"] == "timed"
    assert first["exposure_ms"] == pytest.approx(100)
    assert first["frames"] == 6
    assert first["dropped"] == 0
    assert first["within_frame"]
    assert first["fixation_ms"] == pytest.approx(400)
    assert first["mask_seed"] == mask_seed("flash", 3, "q01", 0)
    assert first["response_by"] == "key"
    assert (first["loads"], first["sent"]) == (1, 1)
    assert first["width"] > 100
    assert second["state"] == "interrupted"
    assert pd.isna(second["exposure_ms"])
    assert (second["loads"], second["sent"]) == (2, 1)


@pytest.mark.slow
def test_frames_that_do_not_come_are_counted_and_the_exposure_says_so(tmp_path: Path) -> None:
    folder = timed_study(tmp_path, 200, "fixation_ms = 200")
    with serving(folder) as base, started(base, "{5: 2, 8: 1}") as page:
        shown_then_over(page)
        answer(page, "1")
        page.wait_for_selector("#show-picture:enabled")
    [row] = exported(folder, tmp_path / "out").to_dict("records")
    assert row["exposure_ms"] == pytest.approx(200), "it ends at the frame that is nearest"
    assert row["dropped"] == 3
    assert row["frames"] == 12


@pytest.mark.slow
def test_a_second_tab_cannot_show_a_picture_again(tmp_path: Path) -> None:
    folder = timed_study(tmp_path)
    with serving(folder) as base, started(base) as page:
        other = page.context.new_page()
        other.goto(f"{base}/task")
        other.wait_for_selector("#show-picture:enabled")
        page.bring_to_front()
        shown_then_over(page)
        other.bring_to_front()
        other.locator("#show-picture").click()
        other.wait_for_selector("fieldset:enabled")
        assert "not shown again" in other.locator("#trial-note").inner_text()
        assert other.locator(".timed").get_attribute("data-shows") is None
        page.bring_to_front()
        answer(page, "1")
    [row] = exported(folder, tmp_path / "out").to_dict("records")
    assert (row["state"], row["loads"], row["sent"]) == ("timed", 2, 2)


def test_without_scripts_pictures_stay_and_the_data_say_so(tmp_path: Path) -> None:
    folder = timed_study(tmp_path, more="mask = 'noise'")
    with serving(folder) as base, Visitor(base) as visitor:
        visitor.begin()
        page = visitor.get("/task").text
        path = page.split("<noscript><img src=")[1].split('"')[1]
        reply = visitor.get(path)
        assert reply.status_code == 200
        assert reply.headers["cache-control"] == "no-store"
        drawn = visitor.get(path.replace("/image/", "/mask/"))
        height, width = np.asarray(cv2.imdecode(np.frombuffer(reply.content, np.uint8), 1)).shape[
            :2
        ]
        seed = mask_seed("flash", 3, "q01", 0)
        seen = np.asarray(cv2.imdecode(np.frombuffer(drawn.content, np.uint8), 1))
        assert np.all(seen == mask("noise", width, height, seed)).all()
        ahead = visitor.get(path.replace("/0/", "/1/"))
        assert ahead.status_code == 404, "the next picture is not sent before its question"
        visitor.answer(option="A")
        assert visitor.get(path).status_code == 404
        hidden = visitor.form("/task", "/task").hidden
        assert visitor.post("/exposure", {**hidden, "form_token": "x"}).status_code == 403
        assert visitor.post("/exposure", {**hidden, "position": "0"}).status_code == 409
        assert visitor.post("/exposure", hidden).status_code == 204
        assert visitor.post("/exposure", hidden).status_code == 409
        assert visitor.get(path.replace("/0/", "/1/")).status_code == 404
        visitor.answer(option="A", presentation='{"onset_ms": 1e999, "width": "wide"}')
        assert visitor.post("/exposure", {**hidden, "position": "2"}).status_code == 409
    rows = exported(folder, tmp_path / "out").to_dict("records")
    assert [row["state"] for row in rows] == ["untimed", "interrupted"]


@pytest.mark.slow
def test_a_picture_cannot_be_started_by_who_was_sent_away(tmp_path: Path) -> None:
    """The timed question would have come next; the participation ended before it."""
    exam_bank(tmp_path, 4)
    first = 'kind = "questions"\nname = "who"\nquestions = [{name = "age", library = "age"}]'
    before = f'[quotas]\n"age:0-17" = 0\n\n[[pages]]\n{first}\n\n[[pages]]'
    text = STUDY.format(exposure=100, more="").replace("[[pages]]", before, 1)
    (tmp_path / "file.toml").write_text(text, "utf-8")
    made = gf.study.new(tmp_path / "file.toml", tmp_path / "study", password=PASSWORD)
    for age, status in (("34", 204), ("16", 409)):
        with serving(StudyFolder.open(made.folder)) as base, Visitor(base) as visitor:
            visitor.begin()
            hidden = visitor.form("/task", "/task").hidden
            visitor.answer(**{"q-0": age})
            given = {"form_token": hidden["form_token"], "position": "1"}
            assert visitor.post("/exposure", given).status_code == status
    with closing(StudyFolder.open(made.folder).store()) as store:
        assert store.frame("exits")["outcome"].tolist() == ["screened_out"]
        assert store.frame("presentations")["begun"].tolist() == [True]


@pytest.mark.parametrize(
    "text", ["", "[]", "null", '{"onset_ms": NaN}', "[" * 3000, "{" * 9000, "x"]
)
def test_what_a_browser_says_is_kept_only_where_it_can_be(text: str) -> None:
    assert read_presentation(text) == ""


def test_measurements_that_can_be_are_kept() -> None:
    told = {"onset_ms": 5.5, "frames": -1, "response_by": "key", "frame_ms": True, "other": 1}
    assert json.loads(read_presentation(json.dumps(told))) == {
        "onset_ms": 5.5,
        "response_by": "key",
    }


@pytest.mark.parametrize(("exposure", "frames"), [(100, 6), (50, 3), (4, 1)])
def test_a_bot_shows_a_picture_for_its_frames_of_a_60th_of_a_second(
    exposure: float, frames: int
) -> None:
    page = Page("block", exposure_ms=exposure, fixation_ms=400)
    said = json.loads(simulated_presentation(page, 0.8))
    assert (said["frames"], said["dropped"], said["response_ms"]) == (frames, 0, 800)
    assert said["frame_ms"] * 60 == pytest.approx(1000)
    assert said["offset_ms"] - said["onset_ms"] == pytest.approx(frames * 1000 / 60)


@pytest.mark.parametrize(
    ("exposure", "more", "said"),
    [
        (0, "mask = 'noise'", "pages[1].mask is for timed pictures"),
        (100, "mask = 'spots'", "pages[1].mask is 'spots'; it must be one of rectangles, noise"),
        (-1, "", "pages[1].exposure_ms must be a number"),
    ],
)
def test_settings_are_read_strictly(tmp_path: Path, exposure: float, more: str, said: str) -> None:
    with pytest.raises(ParameterError) as told:
        timed_study(tmp_path, exposure, more)
    assert said in str(told.value)


def test_items_without_a_picture_are_refused(tmp_path: Path) -> None:
    every_type_bank(tmp_path)
    text = STUDY.format(exposure=100, more="").replace('"q01", "q02"', '"count"')
    path = tmp_path / "file.toml"
    path.write_text(text.replace("bank.parquet", "every.parquet"), "utf-8")
    with pytest.raises(ParameterError, match="'count' has no picture to show"):
        gf.study.new(path, tmp_path / "study", password=PASSWORD)


def test_masks_follow_from_their_seed_and_cover_the_picture() -> None:
    one, again, other = (mask("rectangles", 300, 200, seed) for seed in (1, 1, 2))
    assert (one == again).all()
    assert (one != other).mean() > 0.5
    untouched = (one == 128).all(axis=2).mean()
    assert untouched < 0.01
    gray = mask("noise", 301, 199, 5)
    assert gray.shape == (199, 301, 3)
    assert (gray[:4, :4] == gray[0, 0]).all()
    assert gray.std() > 60
