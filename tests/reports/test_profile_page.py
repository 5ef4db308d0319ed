"""The tables of a profile's page: what decides stands first, and open intervals say how far they
reach."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support.profiles import calibrations

import gfactor as gf
from gfactor.api.asking.profile_diagnostics import population_of
from gfactor.api.scores.answer_warnings import _shortened
from gfactor.benchmarks.chc.shipped import shipped_calibrations
from gfactor.items.formats import TURN_END
from gfactor.psychometrics.irt.scores.profiles import Profile
from gfactor.reports.pages.profile import profile_report
from gfactor.reports.writing.formatting import formatted


@pytest.fixture
def profile(tmp_path: Path) -> Profile:
    return gf.profile(
        "observer:ideal", max_items=8, calibration=calibrations(("running_span",)),
        journal=tmp_path / "p.db",
    )  # fmt: skip


@pytest.mark.thorough
def test_the_claim_stands_beside_the_estimate_that_it_is_about(profile: Profile) -> None:
    table = profile_report(profile).tables["abilities"]
    headings = [heading.text for heading in formatted(table).headings]
    assert headings[:4] == ["ability", "ability, SD", "standard error", "claim"]


@pytest.mark.thorough
def test_a_threshold_whose_interval_is_open_says_from_where(profile: Profile) -> None:
    lines = pd.DataFrame({
        "family": ["open above", "open below", "closed", "unknown"], "radical": "length",
        "threshold": [4.1, 2.2, 3.0, np.nan], "ci_lower": [3.36, np.nan, 2.5, np.nan],
        "ci_upper": [np.nan, 2.94, 3.5, np.nan], "n": 9, "right": 5.0, "p_falls": 0.2,
        "supported": False, "says": "",
    })  # fmt: skip
    table = profile_report(replace(profile, thresholds=lines)).tables["thresholds"]
    cells = [row[2].whole for row in formatted(table).rows]
    assert cells == ["4.10 [3.36 or more]", "2.20 [2.94 or less]", "3.00 [2.50, 3.50]", "–"]


def test_answers_of_several_turns_are_told_apart(profile: Profile) -> None:
    """The page showed the separator that journals use, as \\x1e or as nothing."""
    reply = TURN_END.join(["ANSWER:7", "ANSWER:13"])
    answers = profile.answers.assign(reply=reply)
    one = str(answers["item_hash"].iloc[0])
    page = profile_report(replace(profile, answers=answers, pictures={one: ("A question?",)}))
    assert set(page.tables["answers"].frame["reply"]) == {"ANSWER:7; ANSWER:13"}
    assert page.samples[0].replies[0].text == "ANSWER:7\nANSWER:13"
    assert _shortened(reply) == "ANSWER:7; ANSWER:13"


def test_the_calibrated_population_is_described_with_all_its_limits() -> None:
    """The stored sentence leaves two out; it stays, since the digest of profiles holds it."""
    known = shipped_calibrations(["Gl"])
    stored = str(known["Gl"].about["population"])
    shown = population_of(known, "digest")["population"]
    for limit in ("acuity", "contrast sensitivity", "capacity", "retention", "hypotheses"):
        assert limit in shown
    assert "contrast" not in stored
    assert shown.partition("(")[0] == stored.partition("(")[0]
    assert shown.partition(")); ")[2] == stored.partition(")); ")[2]
