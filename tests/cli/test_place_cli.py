"""`gfactor place` and the shipped scale: answers of a table, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from support.cli import Ran, run_cli

import gfactor as gf
from gfactor.api.comparisons.placing import column_of

Run = Callable[..., Ran]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return lambda *words: run_cli(monkeypatch, capsys, *map(str, words))


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    return gf.datasets.load("vlm_items").answers.loc[["InternVL2-8B", "Moondream2"]]


@pytest.mark.thorough
def test_a_table_is_placed_as_the_function_places_it(
    run: Run, rows: pd.DataFrame, tmp_path: Path
) -> None:
    mmmu = rows.filter(like="mmmu_dev_val:")
    mmmu.to_csv(tmp_path / "answers.csv")
    document = json.loads(
        run("place", tmp_path / "answers.csv", "--select", "adaptive", "--items",
            "mmmu_dev_val=60", "--json").out
    )  # fmt: skip
    placed = gf.place(mmmu, items={"mmmu_dev_val": 60}, select="adaptive")
    for found, expected in zip(
        document["predictions"], placed.predictions.to_dict("records"), strict=True
    ):
        assert found["accuracy"] == pytest.approx(expected["accuracy"], rel=1e-9)
        assert found["ci_lower"] <= mmmu.loc[found["model"]].mean() <= found["ci_upper"]
    refused = run("place", tmp_path / "answers.csv", "--items", "mmmu_dev_val:60")
    assert "'mmmu_dev_val:60' is not a valid integer" in refused.err


def test_the_shipped_scale_has_the_columns_that_machines_read(rows: pd.DataFrame) -> None:
    placed = gf.place(rows.iloc[:1].filter(like="mmmu_dev_val:").iloc[:, :100])
    assert {"model", "dimension", "theta", "se", "ci_lower", "ci_upper", "items"} <= set(
        placed.abilities
    )
    assert list(placed.predictions) == [
        "model", "benchmark", "accuracy", "ci_lower", "ci_upper", "asked",
    ]  # fmt: skip
    assert placed.predictions["asked"].tolist() == [100]


def test_the_row_of_one_model_is_placed_like_its_table(rows: pd.DataFrame) -> None:
    some = rows.iloc[:1].filter(like="mmmu_dev_val:").iloc[:, :50]
    assert gf.place(some.iloc[0]).predictions.equals(gf.place(some).predictions)


def test_the_shipped_scale_is_listed_and_small(run: Run) -> None:
    listed = json.loads(run("list", "calibrations", "--json").out)
    assert "real-vlm-2025" in str(listed)
    assert "vlm_items" in run("list", "datasets").out
    folder = Path(gf.__file__).parent / "benchmarks/vlmevalkit/calibrations/real-vlm-2025"
    assert sum(path.stat().st_size for path in folder.iterdir()) < 2_000_000


@pytest.mark.parametrize(
    ("item", "column"),
    [
        ("MMMU_DEV_VAL/17", "mmmu_dev_val:17"),
        ("MMT-Bench_VAL/3", "mmt_bench_val:3"),
        ("ai2d_test:5", "ai2d_test:5"),
    ],
)
def test_items_of_banks_are_columns(item: str, column: str) -> None:
    assert column_of(item) == column
