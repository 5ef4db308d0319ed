"""The demonstration tells its results in a few lines and ends with one page that leads to all."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pandas as pd
import pytest
from support.cli import run_cli

import gfactor as gf
from gfactor.api import demonstration
from gfactor.psychometrics.irt.scores.profiles import Profile
from gfactor.reports.pages.demo_page import DemoResults, PlacedModels, profile_sentence

DOMAINS = ["counting_circles", "sort_lines", "locate_circles_shape"]
STANDINGS = pd.DataFrame(
    [
        ("P2", "population", 2, 3, 0.7, 0.6, 0.8, 0.1),
        ("P1", "population", 1, 1, 0.9, 0.85, 0.95, 0.1),
        ("size-aware", "baseline", None, None, 0.2, 0.15, 0.25, 0.1),
    ],
    columns=["name", "role", "best", "worst", "accuracy", "low", "high", "chance"],
)


def of_abilities(*rows: tuple[str, float, float, float]) -> Profile:
    table = pd.DataFrame(rows, columns=["ability", "theta", "ci_lower", "ci_upper"])
    table["name"] = [{"Gf": "reasoning (Gf)", "Gl": "learning (Gl)"}[a] for a in table["ability"]]
    examinee = "observer:limited?acuity=0.5"
    return cast(Profile, SimpleNamespace(abilities=table, items=40, examinee=examinee))


def test_results_name_the_highest_score_its_interval_and_its_ranks() -> None:
    first, second = DemoResults(90, 3, 18, 30, STANDINGS).sentences
    assert "P1 has most right: 90.0 % [85.0, 95.0]; with 95 % confidence its rank is 1." in first
    assert "(size-aware) has 20.0 % [15.0, 25.0] right; guessing has 10.0 %." in second


def test_a_profile_is_told_only_as_far_as_its_intervals_go() -> None:
    sentence = profile_sentence(of_abilities(("Gf", -1.0, -2.0, 0.5), ("Gl", -1.3, -2.4, -0.2)))
    assert sentence.startswith(
        "40 items give a profile of a limited observer: learning (Gl) is below"
    )
    assert "reasoning" not in sentence
    assert "no ability differs" in profile_sentence(of_abilities(("Gf", 1.0, -0.1, 2.0)))


def test_real_models_are_told_with_the_score_of_all_their_answers() -> None:
    rows = ("m", "mmmu_dev_val", 0.5, 0.44, 0.56, 20), ("m", "other", 0.7, 0.6, 0.8, 40)
    columns = ["model", "benchmark", "accuracy", "ci_lower", "ci_upper", "asked"]
    placement: Any = SimpleNamespace(predictions=pd.DataFrame(rows, columns=columns))
    recorded = pd.DataFrame(
        [[1.0, 0.0, 1.0, 1.0]], index=["m"],
        columns=["mmmu_dev_val:1", "mmmu_dev_val:2", "other:1", "other:2"],
    )  # fmt: skip
    placed = PlacedModels.of(placement, recorded)
    assert DemoResults(90, 3, 18, 30, STANDINGS, placed=placed).sentences[-1] == (
        "m (a real model), predicted from 60 of its 4 recorded answers: MMMU 50.0 % [44.0, 56.0], "
        "true 50.0 %; other 70.0 % [60.0, 80.0], true 100.0 %."
    )


@pytest.mark.slow
def test_the_demo_prints_few_lines_and_one_page_that_leads_to_all_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    small: Any = partial(demonstration.demo, domains=DOMAINS, profile_items=12, placed_items=20)
    monkeypatch.setattr(gf, "demo", small)
    ran = run_cli(monkeypatch, capsys, "demo", "-o", str(tmp_path / "demo"), "--jobs", "1")
    assert ran.code == 0
    printed = ran.out + ran.err
    assert printed.count("\n") <= 20
    assert "error" not in printed.lower()
    assert "SIMULATED" not in printed
    page = tmp_path / "demo" / "index.html"
    assert ran.out.splitlines()[-1] == f"open {page}"
    text = page.read_text("utf-8")
    links = re.findall(r'(?:href|src)="(?!data:)([^"]+)"', text)
    assert {"leaderboard/index.html", "report/report.html", "profile/report.html"} <= set(links)
    assert "real-models/report.html" in links
    for link in links:
        assert (page.parent / link).is_file(), link
    assert text.count("<article>") == len(DOMAINS)
    assert f"answered {len(DOMAINS) * len(demonstration.SIZES)} items each" in text
    assert "frozenset" not in text
    for command in ("gfactor run", "gfactor analyze cfa", "gfactor import vlmevalkit"):
        assert command in text
    assert not re.search(r"observer:limited\?", text)
    profile = (page.parent / "profile" / "report.html").read_text("utf-8")
    assert "<h1>Profile of a limited observer</h1>" in profile
