"""No reading of a reply put together from parts changes unnoticed; see `composed_replies.py`.

After a change that is meant, with a new EXTRACTION_VERSION:

    PYTHONPATH=tests python tests/scoring/test_composed_replies.py
"""

from __future__ import annotations

import json
from pathlib import Path
from zlib import crc32

import pytest
from composed_replies import composed
from support.fingerprints import leaves

from gfactor.scoring.extraction import extract
from gfactor.scoring.extraction.cases import plain

RECORDED = Path(__file__).with_name("composed.json")
LOTS, EACH = 14, 100


def readings(lot: int) -> list[tuple[str, str]]:
    """Reply and what is read in it."""
    out = []
    for reply, kind, options, blanks in composed(EACH, str(lot)):
        got = extract(reply, kind, options, blanks=blanks)
        answer = plain(got.answer) if got.has_answer else None
        out.append((reply, "|".join(map(str, leaves([answer, got.rule, got.span])))))
    return out


def fingerprints(read: list[tuple[str, str]]) -> str:
    """Two hexadecimal digits per reading."""
    return "".join(f"{crc32(answer.encode()) & 0xFF:02x}" for _, answer in read)


@pytest.mark.parametrize("lot", range(LOTS))
def test_version_7_reads_composed_replies_as_recorded(lot: int) -> None:
    read = readings(lot)
    given, ours = json.loads(RECORDED.read_text())[lot], fingerprints(read)
    assert len(ours) == len(given) == 2 * EACH
    changed = [
        said for k, said in enumerate(read) if ours[2 * k : 2 * k + 2] != given[2 * k : 2 * k + 2]
    ]
    assert changed == [], "is it EXTRACTION_VERSION 8?"


if __name__ == "__main__":
    RECORDED.write_text(
        json.dumps([fingerprints(readings(lot)) for lot in range(LOTS)], indent=0) + "\n"
    )
