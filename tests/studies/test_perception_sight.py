"""Plates and rings that screen sight: what they show to whom, and how answers are scored."""

from __future__ import annotations

import asyncio
import re
from contextlib import closing
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pandas as pd
import pytest
from scipy import stats
from support.observers_of_color import gap_seen
from support.studies import (
    PASSWORD,
    accessibility_problems,
    browser_page,
    exam_bank,
)
from support.visitors import Visitor

import gfactor as gf
from gfactor.errors import ParameterError
from gfactor.imaging.cones import AXES, LMS_FROM_XYZ, confused, decoded, lms_from_rgb
from gfactor.imaging.plates import GAPS, KINDS, low_contrast, plate, ring
from gfactor.studies.questionnaires import StudyFolder, export_study, overview
from gfactor.studies.questionnaires.perception.sight_screening import (
    SLIPS,
    plates_of,
    sight,
    threshold,
)
from gfactor.studies.questionnaires.simulating import serving, simulate
from gfactor.studies.questionnaires.study.page_definitions import Page

STUDY = """
id = "sight"
title = "Sight"
bank = "bank.parquet"
seed = 5
completion_code = "DONE"

[[pages]]
kind = "color_vision"
plates = 2
{more}

[[pages]]
kind = "contrast"
levels = 4

[[pages]]
kind = "block"
name = "items"
per_person = 1
"""


def sight_study(folder: Path, more: str = "") -> StudyFolder:
    folder.mkdir(parents=True, exist_ok=True)
    exam_bank(folder, 4)
    path = folder / "file.toml"
    path.write_text(STUDY.format(more=more), "utf-8")
    return StudyFolder.open(gf.study.new(path, folder / "study", password=PASSWORD).folder)


def gaps(folder: StudyFolder, page: int, number: int = 0) -> dict[str, str]:
    asked = plates_of(folder.study, page, number)
    return {f"gap-{k}": one.gap for k, one in enumerate(asked)}


def tables(folder: StudyFolder, output: Path) -> dict[str, pd.DataFrame]:
    export_study(folder, output)
    data = output / "psych_ds" / "data"
    return {w: pd.read_csv(data / f"study-sight_{w}_data.csv") for w in ("plates", "sight")}


def test_cones_are_those_that_were_published() -> None:
    # Vienot, Brettel and Mollon (1999), equation 4, up to their unit of 100.
    published = [
        [17.8824, 43.5161, 4.11935],
        [3.45565, 27.1554, 3.86714],
        [0.0299566, 0.184309, 1.46709],
    ]
    assert 100 * lms_from_rgb() == pytest.approx(np.array(published), rel=2e-3)
    # Smith and Pokorny (1975), as tabulated by Wyszecki and Stiles (1982).
    points = {"protan": (0.7465, 0.2535), "deutan": (1.4, -0.4), "tritan": (0.1748, 0.0)}
    for axis in AXES:
        # A light of this chromaticity would excite only the missing cones.
        meeting = np.linalg.inv(LMS_FROM_XYZ)[:, AXES.index(axis)]
        assert tuple(meeting[:2] / meeting.sum()) == pytest.approx(points[axis], abs=2e-4)
        ahead, behind = confused(axis, 0.36, 0.76)
        difference = lms_from_rgb() @ (ahead - behind)
        others = np.delete(difference, AXES.index(axis))
        assert others == pytest.approx([0, 0], abs=1e-12)
        assert np.abs(difference).max() > 0.01
        assert min(ahead.min(), behind.min()) >= -1e-12
        assert max(ahead.max(), behind.max()) <= 0.76 + 1e-12


@pytest.mark.slow
def test_normal_sight_reads_all_plates_and_each_dichromat_all_but_their_own() -> None:
    source = np.random.default_rng(1)
    count = 24
    read: dict[tuple[str, str], int] = {}
    for kind in KINDS:
        pictures = [(GAPS[k % 4], plate(kind, GAPS[k % 4], k)) for k in range(count)]
        for vision in ("normal", *AXES):
            right = sum(gap_seen(pixels, vision, source) == gap for gap, pixels in pictures)
            read[kind, vision] = right
    for kind in KINDS:
        assert read[kind, "normal"] == count, kind
        assert read["control", kind if kind != "control" else "normal"] == count
    for axis in AXES:
        # Guessing gives 6 of 24; so many come less than once in 500.
        assert read[axis, axis] < stats.binom.ppf(0.998, count, 0.25), axis
    for axis in ("protan", "deutan"):
        assert read["tritan", axis] == count, "the blue and yellow axis is left"
        assert read[axis, "tritan"] == count


def test_plates_follow_from_their_seed_and_dots_do_not_touch() -> None:
    one, again = plate("protan", "up", 1), plate("protan", "up", 1)
    assert (one == again).all()
    assert (plate("protan", "up", 2) != one).any()
    dots = (one != 190).any(axis=2).astype(np.uint8)
    count, _, facts, _ = cv2.connectedComponentsWithStats(dots, connectivity=4)
    assert count - 1 > 400
    assert facts[1:, cv2.CC_STAT_AREA].max() < 2 * np.pi * 9.5**2
    for gap in GAPS:
        assert ring(101, gap).mean() == pytest.approx(ring(101, "up").mean(), abs=1e-3)


@pytest.mark.parametrize("contrast", [0.5, 0.02, 0.01, 0.003])
def test_a_ring_has_its_contrast_on_average_also_below_a_step_of_eight_bits(
    contrast: float,
) -> None:
    pictures = [low_contrast("left", contrast, seed) for seed in range(4)]
    inside = ring(pictures[0].shape[0], "left")
    light = np.mean([decoded(pixels[:, :, 0]) for pixels in pictures], axis=0)
    weber = 1 - light[inside].mean() / light[~inside].mean()
    assert weber == pytest.approx(contrast, abs=4e-4)


def test_the_threshold_is_found_with_the_error_that_it_says() -> None:
    source = np.random.default_rng(2)
    contrasts = np.repeat(10.0 ** -(0.25 * np.arange(1, 9)), 2)
    found, said = [], []
    for wanted in source.uniform(-1.6, -0.8, 200):
        rise = 1 - np.exp(-(10 ** (3.5 * (np.log10(contrasts) - wanted))))
        right = source.random(16) < 0.25 + 0.73 * rise
        mean, deviation = threshold(contrasts, right)
        found.append((mean - wanted) / deviation)
        said.append(deviation)
    # 200 standardized errors: a variance of 1 has a standard error of 0.1.
    assert np.var(found) == pytest.approx(1, abs=0.35)
    assert abs(np.mean(found)) < 0.3
    assert 0.05 < np.median(said) < 0.3


def test_the_rule_of_plates_has_the_error_rates_that_are_documented() -> None:
    assert SLIPS == 1
    assert stats.binom.sf(2, 4, 0.25) == pytest.approx(0.05, abs=0.002)
    assert stats.binom.sf(1, 4, 0.02) == pytest.approx(0.002, abs=0.0005)
    page = Page("color_vision", plates=4, screen_out="NO")

    def result(**wrong: int) -> dict[str, Any]:
        rows = [
            {"kind": kind, "right": k >= wrong.get(kind, 0)}
            for kind, count in {**dict.fromkeys(AXES, 4), "control": 2}.items()
            for k in range(count)
        ]
        return sight(page, rows)

    assert result(protan=1, tritan=1)["result"] == "normal"
    assert not result()["screened_out"]
    assert result(deutan=2)["result"] == "red_green"
    assert result(tritan=2)["result"] == "blue_yellow"
    assert result(tritan=2, protan=2)["result"] == "both"
    assert result(control=1)["result"] == "unclear"
    assert result(control=1)["screened_out"]
    assert result(deutan=2)["deutan_right"] == 2


@pytest.mark.slow
def test_people_who_fail_get_the_code_of_the_page_and_count_for_no_quota(tmp_path: Path) -> None:
    folder = sight_study(tmp_path, 'screen_out = "OTHER-EYES"')
    with serving(folder) as base, Visitor(base) as visitor:
        visitor.begin()
        html = visitor.get("/task").text
        picture = html.split('<img src="')[1].split('"')[0]
        reply = visitor.get(picture)
        assert reply.headers["content-type"] == "image/png"
        right = gaps(folder, 0)
        assert "data-gaps" not in html
        assert visitor.get(picture[:-1] + "99").status_code == 404
        missing = visitor.answer(**{**right, "gap-1": "sideways"}).text
        assert "Picture 2" in missing.split('id="status"')[1]
        blind = {name: "unseen" if name != "gap-0" else gap for name, gap in right.items()}
        ended = visitor.answer(**blind).text
        assert "OTHER-EYES" in ended
        assert "DONE" not in ended
        assert "OTHER-EYES" in visitor.get("/results").text
        assert visitor.get(picture).status_code == 404
        following = "/plate/".join([picture.split("/plate/")[0], picture.split("/")[2] + "/1/0"])
        assert visitor.get(following).status_code == 404, "the page that would have come next"
        [receipt] = re.findall(r'class="code" dir="ltr">([^<]+)<', ended)
        with closing(folder.store()) as store:
            rows = overview(store, folder.study).dropout
        assert [(row["page"], row["left"], row["sent_away"]) for row in rows] == [
            ("color vision", 0, 1)
        ]  # fmt: skip
        visitor.log_in(PASSWORD)
        page = visitor.get("/owner").text
        assert "Sent away" in page
        assert "Screened out" in page
    held: Any = gf.study.person(folder.path, receipt)
    assert held["participant"]["outcome"] == "screened_out"
    first = {"plate": 1, "answer": right["gap-0"]}
    assert held["answers"][0]["answer"]["plates"][0] == first, "and not what was right"
    store = folder.store()
    assert store.completed() == 0
    store.close()
    found = tables(folder, tmp_path / "out")
    people = pd.read_csv(tmp_path / "out/psych_ds/data/study-sight_participants_data.csv")
    assert list(people["outcome"]) == ["screened_out"]
    [row] = found["sight"].to_dict("records")
    assert row["screened_out"]
    assert row["result"] == "unclear", "one of the control plates was not seen"
    assert (row["n"], row["right"], row["control_right"]) == (8, 1, 1)
    assert set(found["plates"]["answer"]) == {"unseen", right["gap-0"]}


@pytest.mark.slow
def test_simulated_people_pass_and_all_is_exported(tmp_path: Path) -> None:
    folder = sight_study(tmp_path, 'screen_out = "OTHER-EYES"')
    with serving(folder, simulated=True) as base:
        asyncio.run(simulate(base, folder, {"person": 3}, seed=1))
    found = tables(folder, tmp_path / "out")
    sights, plates = found["sight"], found["plates"]
    assert len(plates) == 3 * (8 + 8)
    colors = sights.loc[sights["kind"] == "color_vision"]
    assert set(colors["result"]) == {"normal"}
    rings = sights.loc[sights["kind"] == "contrast"]
    assert all(0.1 < value < 1.3 for value in rings["log_sensitivity"])
    assert all(0.05 < value < 0.5 for value in rings["log_sensitivity_se"])
    assert set(plates.groupby("participant_id")["seed"].nunique()) == {16}
    assert len(set(plates["seed"])) == 48, "nobody sees the pictures of somebody else"
    dictionary = pd.read_csv(tmp_path / "out" / "psych_ds" / "data_dictionary.csv")
    ours = dictionary.loc[dictionary["table"].isin(["plates", "sight"])]
    assert ours["description"].notna().to_numpy().all()


@pytest.mark.slow
def test_plates_are_answered_by_keyboard_on_a_phone(tmp_path: Path) -> None:
    folder = sight_study(tmp_path)
    with serving(folder) as base, browser_page(viewport={"width": 390, "height": 780}) as page:
        page.goto(base)
        page.locator("#agree").check()
        page.locator("main button").click()
        page.wait_for_selector("form:not([data-waiting])")
        for k, wanted in enumerate((gaps(folder, 0), gaps(folder, 1))):
            page.wait_for_function(
                "k => document.querySelector('input[name=position]').value === String(k)", arg=k
            )
            page.wait_for_selector("form:not([data-waiting])")
            assert not accessibility_problems(page)
            assert page.evaluate("document.documentElement.scrollWidth") <= 390
            for name, gap in wanted.items():
                page.locator(f"#{name}-up").focus()
                page.keyboard.press("Space")
                for _ in range(GAPS.index(gap)):  # pyright: ignore[reportArgumentType]
                    page.keyboard.press("ArrowDown")
            page.keyboard.press("Enter")
        page.wait_for_selector("input[name=option]")
    found = tables(folder, tmp_path / "out")
    assert found["plates"]["right"].to_numpy(bool).all()


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("plates = 1", "must be a whole number from 2 to 12"),
        ("rings = 2", "no such key"),
        ('name = "contrast"', r"pages\[2\]\.name is 'contrast', as pages\[1\]"),
        ('[[pages]]\nkind = "contrast"', r"pages\[3\]\.name is 'contrast', as pages\[2\]"),
    ],
)
def test_settings_are_read_strictly(tmp_path: Path, more: str, said: str) -> None:
    text = STUDY.replace("plates = 2\n", "")
    exam_bank(tmp_path, 4)
    path = tmp_path / "file.toml"
    path.write_text(text.format(more=more), "utf-8")
    with pytest.raises(ParameterError, match=said):
        gf.study.new(path, tmp_path / "study", password=PASSWORD)
