"""Prediction files as VLMEvalKit dumps them, and their import."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from gfactor.administration import Journal
from gfactor.administration.imports import ImportResult, import_file


def row(index: Any = 1, prediction: Any = "B", **changed: Any) -> dict[str, Any]:
    fields = {
        "index": index,
        "question": f"Which animal is number {index}?",
        "hint": None,
        "A": "cat",
        "B": "dog",
        "C": None,
        "D": None,
        "answer": "B",
        "category": "animals",
        "l2-category": "perception",
        "split": "dev",
        "prediction": prediction,
    }
    return {**fields, **changed}


def write(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    """The file as VLMEvalKit dumps its data frame."""
    path.parent.mkdir(parents=True, exist_ok=True)
    frame = pd.DataFrame(rows)
    if path.suffix == ".xlsx":
        frame.to_excel(path, index=False)
    else:
        frame.to_csv(path, index=False, sep="\t" if path.suffix == ".tsv" else ",")
    return path


def imported(path: Path, **options: Any) -> tuple[ImportResult, Journal]:
    journal = Journal.open(path.parent / "c.db")
    return import_file("vlmevalkit", path, journal, **options), journal


def predictions(folder: Path, rows: Sequence[dict[str, Any]], kind: str = "tsv") -> Path:
    return write(folder / "GPT_4o" / f"GPT_4o_MMBench_DEV_EN.{kind}", rows)
