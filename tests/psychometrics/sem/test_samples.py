"""The data of the recorded fits are the same everywhere."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest
from support.sem_samples import SAMPLES

RECORDED = Path(__file__).parent / "recorded"


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_is_the_one_that_lavaan_saw(name: str) -> None:
    sums = json.loads((RECORDED / "samples.json").read_text("utf-8"))
    text = SAMPLES[name]().to_csv(index=False, lineterminator="\n")
    assert sha256(text.encode()).hexdigest() == sums[name]
