"""No number and no sentence of a result changes unnoticed.

The modules `recorded_*.py` make the results; `results.json` has a fingerprint of each
part. Whether the numbers are right is said by other tests, which compare them with other programs.
After a change that is meant:

    PYTHONPATH=tests python tests/psychometrics/test_recorded_results.py [name ...]
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path

import pytest
import recorded_designs
import recorded_items
import recorded_latent
import recorded_plans
import recorded_requests
import recorded_rooms
import recorded_sem
import recorded_syntax
import recorded_tables
from support.fingerprints import changed, fingerprints

RECORDED = Path(__file__).with_name("results.json")
ROOMS = {
    "sem": recorded_sem,
    "syntax": recorded_syntax,
    "latent": recorded_latent,
    "items": recorded_items,
    "requests": recorded_requests,
    "rooms": recorded_rooms,
    "designs": recorded_designs,
    "plans": recorded_plans,
    "tables": recorded_tables,
}
CASES = {f"{room}: {name}": (made, name) for room, made in ROOMS.items() for name in made.CASES}
WITHIN = 2e-6
"""Relative to the fingerprint; the search ends within 1e-8 of the optimum."""


@pytest.mark.parametrize("case", CASES)
def test_a_result_is_what_was_recorded(case: str) -> None:
    room, name = CASES[case]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = fingerprints(room.found(name))
    assert changed(found, json.loads(RECORDED.read_text())[case], WITHIN) == []


def main(names: list[str]) -> None:
    """Records the results of cases whose name holds one of the words given, or of all."""
    every = json.loads(RECORDED.read_text()) if RECORDED.exists() else {}
    for case, (room, name) in CASES.items():
        if not names or any(word in case for word in names):
            every[case] = fingerprints(room.found(name))
    rows = ",\n".join(f"{json.dumps(c)}: {json.dumps(every[c])}" for c in CASES)
    RECORDED.write_text(f"{{\n{rows}\n}}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
