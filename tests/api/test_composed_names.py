"""Umlauts of files from macOS (letter and mark as two characters) are those of the model."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import gfactor as gf

NAMES = ["Wörter", "Sätze", "Lücken", "Würfel", "Körper", "Flächen"]
MODEL = "f =~ " + " + ".join(NAMES)


def apart(text: str) -> str:
    return unicodedata.normalize("NFD", text)


@pytest.fixture
def table() -> pd.DataFrame:
    rng = np.random.default_rng(9)
    values = 0.8 * rng.normal(size=(200, 1)) + 0.6 * rng.normal(size=(200, 6))
    return pd.DataFrame(values, columns=NAMES).assign(Größe=["a", "b"] * 100)


def test_names_of_columns_and_of_models_are_compared_in_one_form(
    table: pd.DataFrame, tmp_path: Path
) -> None:
    marks = table.rename(columns=apart)
    assert next(iter(marks)) != NAMES[0]
    plain = gf.sem(MODEL, table)
    for model, data in ((MODEL, marks), (apart(MODEL), table), (apart(MODEL), marks)):
        assert gf.sem(model, data).measures["chisq"] == plain.measures["chisq"]
    for group in ("Größe", apart("Größe")):
        grouped = gf.sem(MODEL, marks, group=group)
        assert [one.label for one in grouped.sample.groups] == ["a", "b"]
        steps = gf.invariance(MODEL, marks, group=group, estimator="ML")
        assert steps.steps[0].full.n == 200
    levels = marks.copy()
    levels[list(map(apart, NAMES))] = (marks[list(map(apart, NAMES))] > 0).astype(int)
    ordinal = gf.cfa(MODEL, levels, ordered=list(map(apart, NAMES)))
    assert "cfi.robust" in ordinal.measures
    path = tmp_path / "from_a_mac.csv"
    marks.to_csv(path, index=False)
    read = gf.cfa(MODEL, path)
    assert read.measures["chisq"] == pytest.approx(plain.measures["chisq"])
    paths = "A =~ Wörter + Sätze + Lücken\nB =~ Würfel + Körper + Flächen\nB ~ A"
    assert gf.pls(paths, marks).r2.equals(gf.pls(paths, table).r2)
