"""What is listed names what can be asked for."""

from __future__ import annotations

import gfactor as gf
from gfactor.examinees.schemes.baseline import _LEARNERS


def test_every_baseline_is_named_where_examinees_are_listed() -> None:
    listed = gf.available("examinees").set_index("name")["description"]["baseline"]
    assert [name for name in _LEARNERS if f":{name}" not in listed] == []
