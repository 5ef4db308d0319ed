"""A first column of different whole numbers names the persons, in Python and in the command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.cli import run_cli

import gfactor as gf


def table() -> pd.DataFrame:
    rng = np.random.default_rng(12)
    right = rng.normal(size=(80, 1)) + rng.normal(size=(80, 6)) > 0
    items = pd.DataFrame(right.astype(int), columns=[f"i{k}" for k in range(1, 7)])
    items.insert(0, "Probandennummer", 20230001 + rng.permutation(80))
    return items


def test_a_first_column_of_numbers_names_the_persons(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = table()
    scores = gf.irt("rasch", data).scores()
    assert scores.index.tolist() == data["Probandennummer"].tolist()
    assert "'Probandennummer' names the persons" in capsys.readouterr().err
    path = tmp_path / "numbers.csv"
    data.to_csv(path, index=False)
    done = run_cli(
        monkeypatch, capsys, "analyze", "irt", str(path), "--model", "rasch", "--json",
    )  # fmt: skip
    assert done.code == 0
    assert "'Probandennummer' names the persons" in done.err


def test_items_of_0_and_1_and_other_columns_name_nobody() -> None:
    data = table()
    last: Any = data[[*data.columns[1:], "Probandennummer"]]
    assert gf.irt("rasch", last).scores().index.tolist() == list(range(80))
    assert gf.irt("rasch", data.iloc[:, 1:]).items.shape[0] == 6
