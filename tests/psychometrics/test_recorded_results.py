"""No number and no sentence of a result changes unnoticed.

The modules `recorded_*.py` make the results; `recorded/ROOM.json` holds the figures of each.
Other tests compare the numbers with other programs. After an intended change, record the cases
whose name holds one of the words again, and read the difference:

    PYTHONPATH=src:tests python tests/psychometrics/test_recorded_results.py [WORD ...]
"""

from __future__ import annotations

import sys
import warnings
from functools import cache, partial
from pathlib import Path

import numpy as np
import pytest
import recorded_designs
import recorded_edges
import recorded_edges_of_models
import recorded_edges_of_scores
import recorded_items
import recorded_latent
import recorded_plans
import recorded_requests
import recorded_rooms
import recorded_sem
import recorded_syntax
import recorded_tables
from support.records import Wider, read_records, record, unlike

RECORDED = Path(__file__).with_name("recorded")
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
    "edges": recorded_edges,
    "edges of scores": recorded_edges_of_scores,
    "edges of models": recorded_edges_of_models,
}
CASES = {f"{room}: {name}": (room, name) for room in ROOMS for name in ROOMS[room].CASES}

WIDER: tuple[Wider, ...] = ()
"""Figures that the last bits of their input move by more than a millionth, and why."""


def result(room: str, name: str) -> dict[str, object]:
    with np.errstate(all="ignore"):
        return ROOMS[room].CASES[name]()


@cache
def records(room: str) -> dict[str, object]:
    return read_records(RECORDED / f"{room.replace(' ', '_')}.json")


@pytest.mark.parametrize("case", CASES)
def test_a_result_is_what_was_recorded(case: str) -> None:
    room, name = CASES[case]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = result(room, name)
    differences = unlike(case, found, records(room)[name], WIDER)
    assert not differences, "\n".join(differences)


def main(words: list[str]) -> None:
    for room, made in ROOMS.items():
        cases = {name: partial(result, room, name) for name in made.CASES}
        chosen = [n for n in cases if any(word in f"{room}: {n}" for word in words)]
        if chosen or not words:
            record(RECORDED / f"{room.replace(' ', '_')}.json", cases, chosen)


if __name__ == "__main__":
    main(sys.argv[1:])
