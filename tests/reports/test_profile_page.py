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
from gfactor.psychometrics.irt.scores.profiles import Profile
from gfactor.reports.pages.profile import profile_report
from gfactor.reports.writing.formatting import formatted


@pytest.fixture
def profile(tmp_path: Path) -> Profile:
    return gf.profile(
        "observer:ideal", max_items=8, calibration=calibrations(("running_span",)),
        journal=tmp_path / "p.db",
    )  # fmt: skip


def test_the_claim_stands_beside_the_estimate_that_it_is_about(profile: Profile) -> None:
    table = profile_report(profile).tables["abilities"]
    headings = [heading.text for heading in formatted(table).headings]
    assert headings[:4] == ["ability", "ability, SD", "standard error", "claim"]


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
