"""Recorded numbers of other programs for designs, trees, pairs, sequences and ranks."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd

from support.oracles import oracle


def recorded(name: str) -> dict[str, Any]:
    """A case as it was recorded, with call, software and tolerance."""
    return json.loads(oracle(f"design/{name}.json").read_text("utf-8"))


def data(name: str) -> pd.DataFrame:
    """The data of a case."""
    return pd.read_csv(oracle(f"design/data/{name}.csv"))
