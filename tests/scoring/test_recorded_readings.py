"""No reading changes unnoticed: a change of the rules that alters one raises EXTRACTION_VERSION.

See `recorded_readings.py`, which also records the readings of a new version.
"""

from __future__ import annotations

import itertools
from functools import cache

import pytest
import recorded_readings as readings
from support.tiers import few

from gfactor.scoring.extraction import EXTRACTION_VERSION

recorded = cache(readings.recorded)


@pytest.mark.parametrize(
    ("stem", "setting"), few(list(itertools.product(readings.stems(), readings.SETTINGS)), 47)
)
def test_version_16_reads_each_reply_as_it_was_recorded(stem: str, setting: str) -> None:
    assert EXTRACTION_VERSION == 17, "record the readings of the new version"
    assert stem in recorded(setting), f"run recorded_readings.py {stem} to record the new file"
    found, before = readings.readings(stem, setting), recorded(setting)[stem]
    assert [*found] == [*before]
    changed = [
        f"{stem} {name}: recorded {before[name]}, found {reading}"
        for name, reading in found.items()
        if reading != before[name]
    ]
    assert not changed, "\n".join(["is it EXTRACTION_VERSION 17?", *changed])
