"""No reading of a reply put together from parts changes unnoticed; see `composed_replies.py`.

After a change that is meant, with a new EXTRACTION_VERSION:

    PYTHONPATH=src:tests python tests/scoring/test_composed_replies.py
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from composed_replies import composed
from recorded_readings import as_text
from support.records import read_records, write_records
from support.tiers import few

from gfactor.scoring.extraction import extract

RECORDED = Path(__file__).parent / "recorded" / "composed.json"
LOTS, EACH = 14, 100
recorded = cache(read_records)


def readings(lot: int) -> dict[str, str]:
    """What is read in each reply, by its number."""
    return {
        str(k): as_text(extract(reply, kind, options, blanks=blanks))
        for k, (reply, kind, options, blanks) in enumerate(composed(EACH, str(lot)))
    }


@pytest.mark.parametrize("lot", few(range(LOTS), 7))
def test_version_8_reads_composed_replies_as_recorded(lot: int) -> None:
    found, before = readings(lot), recorded(RECORDED)[str(lot)]
    assert len(found) == len(before) == EACH
    texts = [reply for reply, *_ in composed(EACH, str(lot))]
    changed = [
        f"{texts[int(k)]!r}: recorded {before[k]}, found {reading}"
        for k, reading in found.items()
        if reading != before[k]
    ]
    assert not changed, "\n".join(["is it EXTRACTION_VERSION 17?", *changed])


if __name__ == "__main__":
    write_records(RECORDED, {str(lot): readings(lot) for lot in range(LOTS)})
