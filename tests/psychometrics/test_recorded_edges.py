"""Nothing that is said of small inputs, ties and ends of scales changes unnoticed.

The modules `recorded_edges*.py` make the results, `edges.json` has a fingerprint of each part.
After a change that is meant:

    PYTHONPATH=tests python tests/psychometrics/test_recorded_edges.py [name ...]
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
import recorded_edges
import recorded_edges_of_models
import recorded_edges_of_scores
from support.fingerprints import changed, fingerprints

RECORDED = Path(__file__).with_name("edges.json")
CASES = {
    **recorded_edges.CASES,
    **recorded_edges_of_scores.CASES,
    **recorded_edges_of_models.CASES,
}


@pytest.mark.parametrize("case", CASES)
def test_a_small_input_gives_what_was_recorded(case: str) -> None:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("error")
        results = fingerprints(CASES[case]())
    assert changed(results, json.loads(RECORDED.read_text())[case], 2e-6) == []


def main(names: list[str]) -> None:
    """Records the results of the cases named, or of all."""
    every = json.loads(RECORDED.read_text()) if RECORDED.exists() else {}
    for case in names or CASES:
        with np.errstate(all="ignore"):
            every[case] = fingerprints(CASES[case]())
    rows = ",\n".join(f"{json.dumps(c)}: {json.dumps(every[c])}" for c in CASES)
    RECORDED.write_text(f"{{\n{rows}\n}}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
