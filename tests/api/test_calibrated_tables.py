"""The rows of a table that is calibrated are independent unless a column says otherwise."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import gfactor as gf
from gfactor.api.asking.profile_diagnostics import population_of


def _answers(names: list[str]) -> pd.DataFrame:
    rng = np.random.default_rng(2)
    theta = rng.normal(size=(len(names), 1))
    right = rng.uniform(size=(len(names), 6)) < 1 / (1 + np.exp(np.linspace(-1, 1, 6) - theta))
    return pd.DataFrame(right.astype(int), names, [f"i{k}" for k in range(6)])


def _errors(table: Any, **options: Any) -> list[float]:
    return gf.calibrate(table, **options).table["se_b"].tolist()


NAMED = [f"A{k}" for k in range(200)]
LETTERED = [f"{'abcdefgh'[k % 8]}{k}" for k in range(200)]


def test_standard_errors_do_not_depend_on_the_names_of_rows(tmp_path: Path) -> None:
    plain = gf.calibrate(_answers(NAMED))
    assert _errors(_answers(LETTERED)) == pytest.approx(plain.table["se_b"].tolist())
    assert {"one_cluster", "clusters_named"}.isdisjoint(one.code for one in plain.diagnostics)
    assert plain.about["respondents"]["kinds"] == {"unknown": 200}
    assert plain.about["respondents"]["clustered_by"] is None
    assert not population_of({"": plain}, "")["simulated"]
    _answers(LETTERED).to_csv(tmp_path / "a.csv", index_label="Nr")
    assert _errors(tmp_path / "a.csv") == pytest.approx(plain.table["se_b"].tolist())


def test_a_column_of_the_table_names_families_and_clusters(tmp_path: Path) -> None:
    table = _answers(NAMED)
    families = [f"f{k // 4}" for k in range(200)]
    copied = table.iloc[np.repeat(np.arange(50), 4)].set_axis(NAMED, axis=0)
    named = copied.assign(family=families)
    clustered = gf.calibrate(named)
    assert clustered.about["respondents"]["clustered_by"] == "family"
    assert clustered.about["respondents"]["families"] == 50
    errors = clustered.table["se_b"].tolist()
    assert np.mean(np.divide(errors, _errors(copied))) == pytest.approx(2, rel=0.1)
    numbered = copied.assign(school=np.repeat(np.arange(50), 4))
    assert _errors(numbered, cluster="school") == pytest.approx(errors)
    named.to_csv(tmp_path / "a.csv", index_label="Nr")
    assert _errors(tmp_path / "a.csv") == pytest.approx(errors)
    assert _errors(named, cluster=None) == pytest.approx(_errors(copied))


def test_rows_without_a_family_are_by_themselves() -> None:
    families = pd.Series([f"f{k // 4}" if k < 100 else None for k in range(200)], NAMED)
    known = gf.calibrate(_answers(NAMED).assign(family=families))
    assert known.about["respondents"]["families"] == 25 + 100
