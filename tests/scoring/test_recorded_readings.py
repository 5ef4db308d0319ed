"""No reading changes unnoticed: a change of the rules that alters one raises EXTRACTION_VERSION.

See `recorded_readings.py`, which also records the readings of a new version.
"""

from __future__ import annotations

import json

import pytest
import recorded_readings as recorded

from gfactor.scoring.extraction import EXTRACTION_VERSION

GIVEN = json.loads(recorded.RECORDED.read_text())


@pytest.mark.parametrize("setting", recorded.SETTINGS)
@pytest.mark.parametrize("stem", recorded.stems())
def test_version_7_reads_each_reply_as_it_was_recorded(stem: str, setting: str) -> None:
    assert EXTRACTION_VERSION == 7, "record the readings of the new version"
    found, given = recorded.readings(stem, setting), GIVEN[setting][stem]
    ours = recorded.fingerprints(found)
    assert len(ours) == len(given)
    changed = {
        name: reading
        for k, (name, reading) in enumerate(found.items())
        if ours[2 * k : 2 * k + 2] != given[2 * k : 2 * k + 2]
    }
    assert not changed, f"{len(changed)} readings changed; is it EXTRACTION_VERSION 8?"
