"""A page about the screen: what the browser tells, a card's size on it, degrees of visual angle."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from support.studies import (
    PASSWORD,
    accessibility_problems,
    browser_page,
    client_of,
    exam_bank,
)

import gfactor as gf
from gfactor.errors import ParameterError
from gfactor.studies.questionnaires import StudyFolder, application, export_study
from gfactor.studies.questionnaires.perception.screen import degrees, px_per_degree, screen_row
from gfactor.studies.questionnaires.simulating import serving
from gfactor.studies.questionnaires.simulating.form import forms

STUDY = """
id = "sight"
title = "Sight"
bank = "bank.parquet"

[[pages]]
kind = "screen"
{more}

[[pages]]
kind = "block"
name = "items"
per_person = 1
"""


def screen_study(folder: Path, more: str = "") -> StudyFolder:
    folder.mkdir(parents=True, exist_ok=True)
    exam_bank(folder, 4)
    path = folder / "file.toml"
    path.write_text(STUDY.format(more=more), "utf-8")
    return StudyFolder.open(gf.study.new(path, folder / "study", password=PASSWORD).folder)


def exported(folder: StudyFolder, output: Path) -> tuple[dict[str, Any], pd.DataFrame]:
    """The only row of the table of screens, and the data dictionary's rows of it."""
    export_study(folder, output)
    data = output / "psych_ds"
    [row] = pd.read_csv(data / "data" / "study-sight_screens_data.csv").to_dict("records")
    dictionary = pd.read_csv(data / "data_dictionary.csv")
    return row, dictionary.loc[dictionary["table"] == "screens"]


def test_a_degree_and_its_inverse_agree_with_trigonometry() -> None:
    # 57.29 cm is where a centimeter is one degree: 2 atan(0.5 / d) = 1 degree.
    distance = 0.5 / math.tan(math.radians(0.5))
    assert px_per_degree(40, distance) == pytest.approx(40)
    assert degrees(40, 40, distance) == pytest.approx(1)
    assert degrees(400, 40, 5) == pytest.approx(90)


def test_two_settings_of_the_card_give_a_mean_and_a_standard_error() -> None:
    row = screen_row({"card_first": 342.4, "card_second": 359.52, "screen_width": 1640})
    # 8.56 cm: 40 and 42 pixels per centimeter.
    assert row["px_per_cm"] == pytest.approx(41)
    assert row["px_per_cm_se"] == pytest.approx(1)
    assert row["screen_width_cm"] == pytest.approx(40)
    assert "px_per_degree" not in row
    assert row["calibration"] == "card"


def test_without_scripts_sizes_are_typed_or_not_measured(tmp_path: Path) -> None:
    folder = screen_study(tmp_path)
    with client_of(application(folder)) as client:
        [start] = [f for f in forms(client.get("/").text) if f.action.endswith("/start")]
        client.post("/start", data={**start.hidden, "agree": "yes"})
        [form] = forms(client.get("/task").text)[:1]
        bad = client.post("/task", data={**form.hidden, "distance_cm": "far"})
        assert "Distance from your eyes" in bad.text.split('id="status"')[1]
        typed = {"screen_width": "2000", "screen_width_cm": "50", "distance_cm": "57,3"}
        client.post("/task", data={**form.hidden, **typed, "touch": "5", "card_first": "x"})
    row, dictionary = exported(folder, tmp_path / "out")
    assert row["calibration"] == "hand"
    assert row["px_per_cm"] == 40
    assert row["px_per_degree"] == pytest.approx(40, abs=0.02)
    for name in ("card_first", "touch", "window_width", "frame_ms", "px_per_cm_se"):
        assert math.isnan(row[name]), name
    assert dictionary["description"].notna().to_numpy().all()
    assert set(dictionary["variable"]) == {"participant_id", *row} - {"code"}


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1280, 900), (390, 780)], ids=["desktop", "phone"])
def test_a_card_is_fitted_by_keyboard_and_the_browser_tells_the_rest(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    folder = screen_study(tmp_path, "full_screen = true")
    window = {"width": size[0], "height": size[1]}
    with serving(folder) as base, browser_page(viewport=window, device_scale_factor=2) as page:
        page.goto(base)
        page.locator("#agree").check()
        page.locator("main button").click()
        page.wait_for_selector("form:not([data-waiting])")
        assert not accessibility_problems(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
        assert page.locator(".by-hand").is_hidden()
        page.locator("#question button[type=submit]").click()
        assert "move both sliders" in page.locator("#status").inner_text()
        first, second = page.locator("input[type=range]").all()
        first.focus()
        widths = []
        for _ in range(2):
            page.keyboard.press("ArrowRight")
            widths.append(page.locator("#card-picture").evaluate("e => e.offsetWidth"))
        assert widths[1] >= widths[0]
        for slider, long in ((first, 340), (second, 344)):
            slider.fill(str(long))
        drawn = page.locator("#card-picture").evaluate("e => [e.offsetWidth, e.offsetHeight]")
        upright = size[0] < 420
        assert sorted(drawn) == pytest.approx([344 * 53.98 / 85.6, 344], abs=1)
        assert (drawn[0] < drawn[1]) is upright
        page.locator("#f-distance").fill("60")
        page.wait_for_function("() => document.querySelector('[name=frame_ms]').value")
        page.locator("#question button[type=submit]").click()
        page.wait_for_selector("input[name=option]")
    row, _ = exported(folder, tmp_path / "out")
    assert (row["card_first"], row["card_second"]) == (340, 344)
    assert row["px_per_cm"] == pytest.approx(342 / 8.56)
    assert row["px_per_cm_se"] == pytest.approx(2 / 8.56)
    assert (row["window_width"], row["window_height"]) == size
    assert row["screen_width_px"] == 2 * row["screen_width"] > 0
    assert row["device_pixel_ratio"] == 2
    assert not row["full_screen"]
    assert row["frame_ms"] > 0
    assert row["timer_ms"] > 0
    assert row["px_per_degree"] == pytest.approx(342 / 8.56 * 1.0472, rel=1e-3)


@pytest.mark.slow
def test_full_screen_is_asked_for_and_stored(tmp_path: Path) -> None:
    folder = screen_study(tmp_path, "full_screen = true\ncard = false\ndistance = false")
    with serving(folder) as base, browser_page() as page:
        page.goto(base)
        page.locator("#agree").check()
        page.locator("main button").click()
        page.wait_for_selector("form:not([data-waiting])")
        assert not page.locator("#card, #f-distance").count()
        page.locator("#full-screen").click()
        page.wait_for_function("() => document.fullscreenElement")
        page.locator("#question button[type=submit]").click()
        page.wait_for_selector("input[name=option]")
        assert page.evaluate("document.fullscreenElement !== null"), "it stays until the end"
    row, _ = exported(folder, tmp_path / "out")
    assert row["full_screen"]
    assert pd.isna(row["calibration"])


@pytest.mark.parametrize(
    ("more", "said"),
    [("card = 1", "pages[1].card must be true or false"), ("items = ['q01']", "pages[1].items")],
)
def test_settings_of_the_page_are_read_strictly(tmp_path: Path, more: str, said: str) -> None:
    with pytest.raises(ParameterError) as told:
        screen_study(tmp_path, more)
    assert said in str(told.value)
