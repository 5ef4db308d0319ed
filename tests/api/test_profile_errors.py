"""A profile says which part of a standard error its stopping rule looked at."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support.profiles import calibrations

import gfactor as gf
from gfactor.api.asking.profile_diagnostics import extremes
from gfactor.psychometrics.irt.scales.calibration import Calibration


def known_to(error: float) -> dict[str, Calibration]:
    """A calibration whose variance of ability is known up to a standard error."""
    calibration = calibrations(("running_span",))["Gwm"]
    return {"Gwm": replace(calibration, covariance=np.array([[error**2]]))}


def test_an_error_above_the_one_asked_for_is_not_said_to_be_reached(tmp_path: Path) -> None:
    for name, error in (("certain", 0.0), ("uncertain", 8.0)):
        profile = gf.profile(
            "observer:ideal", se=0.8, max_items=30, calibration=known_to(error),
            journal=tmp_path / f"{name}.db",
        )  # fmt: skip
        row = profile.abilities.iloc[0]
        assert row["stop"] == "se"
        assert row["se_measurement"] <= 0.8
        parts = (
            f"standard error of the answers alone reached ({row['se_measurement']:.2f}; "
            f"calibration {row['se_calibration']:.2f})"
        )
        page = profile.report(tmp_path / f"{name}-page").path.read_text()
        exceeded = name == "uncertain"
        assert bool(row["se"] > 0.8) is exceeded
        assert (parts in profile.summary()) is exceeded
        assert (parts in page) is exceeded
        assert ("items, standard error reached" in profile.summary()) is not exceeded


@pytest.mark.parametrize(
    ("lower", "upper", "words"),
    [
        (1.28, 2.94, "2.05 [1.28, 2.94]"),
        (4.14, np.inf, "2.05 [4.14 or more]"),
        (-np.inf, -4.14, "2.05 [-4.14 or less]"),
        (-np.inf, np.inf, "2.05 [no bounds]"),
    ],
)
def test_an_interval_without_a_bound_says_so_in_words(
    lower: float, upper: float, words: str
) -> None:
    row = {"ability": "Gf", "items": 9, "theta": 1.9, "withheld": "", "wle": 2.05,
           "wle_lower": lower, "wle_upper": upper}  # fmt: skip
    (note,) = extremes(pd.DataFrame([row]))
    assert f"Gf {words}. " in f"{note.sentence} "
