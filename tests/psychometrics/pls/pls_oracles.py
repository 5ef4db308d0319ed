"""The oracle files of ../shared as tables, and how many digits two arrays share."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from gfactor.psychometrics.pls import PLSModel

FOLDER = Path(__file__).parents[4] / "shared" / "oracles" / "pls"


def oracle(name: str) -> dict[str, Any]:
    return json.loads((FOLDER / f"{name}.json").read_text("utf-8"))


def frame(values: dict[str, Any]) -> pd.DataFrame:
    columns = values["colnames"]
    columns = columns if isinstance(columns, list) else [columns]
    rows = values["rownames"]
    return pd.DataFrame(
        np.array(values["values"], float).reshape(len(rows), len(columns)), rows, columns
    )


def model_of(given: dict[str, Any]) -> PLSModel:
    blocks: dict[str, list[str]] = {}
    modes: Any = {}
    for row in given["measurement_model"]:
        blocks.setdefault(row["construct"], []).append(row["measurement"])
        modes[row["construct"]] = "B" if row["type"] == "B" else "A"
    return PLSModel.of(
        blocks, [(row["source"], row["target"]) for row in given["structural_model"]], modes
    )


def data_of(name: str) -> pd.DataFrame:
    return pd.read_csv(FOLDER / name).replace(-99, np.nan)


def digits(ours: Any, theirs: Any) -> float:
    """Significant digits of the worst element, of the largest element's size; at most 16."""
    ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
    known = np.isfinite(theirs)
    assert known.any()
    error = float(np.abs(ours - theirs)[known].max())
    size = float(np.abs(theirs[known]).max())
    return min(16.0, -float(np.log10(max(error / size, 1e-16))))
