"""The rows of a table that is calibrated are independent unless a column says otherwise."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.cli import run_cli

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


@pytest.mark.thorough
def test_standard_errors_do_not_depend_on_the_names_of_rows(tmp_path: Path) -> None:
    plain = gf.calibrate(_answers(NAMED))
    assert _errors(_answers(LETTERED)) == pytest.approx(plain.table["se_b"].tolist())
    assert {"one_cluster", "clusters_named"}.isdisjoint(one.code for one in plain.diagnostics)
    assert plain.about["respondents"]["kinds"] == {"unknown": 200}
    assert plain.about["respondents"]["clustered_by"] is None
    assert not population_of({"": plain}, "")["simulated"]
    _answers(LETTERED).to_csv(tmp_path / "a.csv", index_label="Nr")
    assert _errors(tmp_path / "a.csv") == pytest.approx(plain.table["se_b"].tolist())


@pytest.mark.thorough
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


def test_abilities_are_written_beside_the_replies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _answers(NAMED).to_csv(tmp_path / "a.csv", index_label="Nr")
    known = gf.calibrate(tmp_path / "a.csv", path=tmp_path / "a.calibration.json")
    ran = run_cli(
        monkeypatch, capsys, "score", str(tmp_path / "a.csv"), "--calibration",
        str(tmp_path / "a.calibration.json"), "-o", str(tmp_path / "out.csv"),
    )  # fmt: skip
    assert ran.code == 0, ran.err
    assert f"{tmp_path / 'out.abilities.csv'}: 200 abilities" in ran.out
    written = pd.read_csv(tmp_path / "out.abilities.csv")
    found = gf.score(tmp_path / "a.csv", calibration=known).abilities
    assert written["examinee"].tolist() == sorted(NAMED)
    assert written["theta"].tolist() == pytest.approx(found["theta"].tolist())
    assert written["se"].tolist() == pytest.approx(found["se"].tolist())
    assert len(pd.read_csv(tmp_path / "out.csv")) == 1200
    gf.score(tmp_path / "a.csv", path=tmp_path / "plain.csv")
    assert not (tmp_path / "plain.abilities.csv").exists()


def test_the_terminal_gives_the_linking_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    old = gf.calibrate(_answers(NAMED), path=tmp_path / "old.json")
    (_answers(NAMED).assign(i0=1)).to_csv(tmp_path / "b.csv", index_label="Nr")
    ran = run_cli(
        monkeypatch, capsys, "calibrate", str(tmp_path / "b.csv"), "--link",
        str(tmp_path / "old.json"), "-o", str(tmp_path / "new.json"),
    )  # fmt: skip
    assert ran.code == 0, ran.err
    shown = dict(line.split(maxsplit=1) for line in ran.out.splitlines() if " " in line)
    linking = json.loads((tmp_path / "new.json").read_text())["linking"]
    assert shown["link_method"] == "mean-mean"
    assert shown["link_items"] == "5"
    assert float(shown["link_slope"]) == 1
    assert float(shown["link_intercept"]) == pytest.approx(linking["intercept"], abs=5e-4)
    assert float(shown["link_intercept_se"]) == pytest.approx(linking["intercept_se"], abs=5e-4)
    assert float(shown["mean"]) == pytest.approx(linking["intercept"], abs=5e-4)
    assert not [name for name in old.facts if name.startswith("link_")]
