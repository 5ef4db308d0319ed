"""Analyses of a table write a page with -o: one for all rows, or one for each group."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support.cli import run_cli


def answers() -> pd.DataFrame:
    rng = np.random.default_rng(3)
    factors = rng.normal(size=(160, 2)) + rng.normal(size=(160, 1))
    values = np.repeat(factors, 3, axis=1) + rng.normal(size=(160, 6))
    return pd.DataFrame(values, columns=list("abcdef")).assign(sex=["f", "m"] * 80)


def ratings() -> pd.DataFrame:
    rng = np.random.default_rng(4)
    level = rng.normal(size=12)
    rows = [(p, i, level[p] + rng.normal()) for p in range(12) for i in range(6)]
    return pd.DataFrame(rows, columns=["person", "item", "score"])


@pytest.mark.parametrize(
    ("words", "tables"),
    [
        (["efa", "--factors", "2", "--starts", "5", "--general", "--drop", "sex"],
         ["loadings", "phi", "general_loadings"]),
        (["efa", "--starts", "5", "--drop", "sex"], ["loadings", "parallel_eigenvalues"]),
        (["invariance", "--model", "g =~ a + b + c", "--group", "sex"],
         ["steps", "latent_means"]),
        (["reliability", "--drop", "sex"], ["coefficients", "indicators"]),
        (["generalizability", "--object", "person", "--facets", "item", "--d-study", "item=6,12",
          "--cut", "0.5"], ["components", "d_study"]),
    ],
    ids=["efa", "efa, parallel", "invariance", "reliability", "generalizability"],
)  # fmt: skip
def test_an_analysis_of_a_table_writes_its_page(
    words: list[str], tables: list[str], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    table = ratings() if words[0] == "generalizability" else answers()
    table.to_csv(tmp_path / "d.csv", index=False)
    data, page = str(tmp_path / "d.csv"), tmp_path / "page"
    ran = run_cli(monkeypatch, capsys, "analyze", words[0], data, *words[1:], "-o", str(page))
    assert ran.code == 0, ran.err
    assert ran.out.endswith(f"open {page / 'report.html'}\n")
    assert {page / "tables" / f"{name}.csv" for name in tables} <= set(page.glob("tables/*.csv"))
    if "--cut" in words:
        assert "Dependability Φ(0.5) at the cut" in (page / "report.html").read_text("utf-8")


@pytest.mark.thorough
def test_every_group_has_a_page_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers().replace({"sex": {"m": "m/f"}}).to_csv(tmp_path / "d.csv", index=False)
    words = ["analyze", "reliability", str(tmp_path / "d.csv"), "--group", "sex"]
    ran = run_cli(monkeypatch, capsys, *words, "-o", str(tmp_path / "page"))
    assert ran.code == 0, ran.err
    pages = sorted(path.parent.name for path in tmp_path.glob("page/*/report.html"))
    assert pages == ["1-f", "2-m-f"]
