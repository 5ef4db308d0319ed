"""A bank is read as it is by the programs people have: datasets, DuckDB, pandas, polars."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support.banks import make_items, picture

from gfactor.items import ItemBank, write_bank

PICTURE = picture(sum(b"a-02-1"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write_bank(make_items(), tmp_path / "bank.parquet", {"benchmark": "toy"})


@pytest.mark.thorough
def test_datasets_decodes_the_images_and_reads_the_labels(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what another program warns of is not ours to fix
        datasets = pytest.importorskip("datasets")
        rows = datasets.load_dataset(
            "parquet", data_files=str(path), cache_dir=str(tmp_path / "cache"), split="train"
        )
        row = rows[4]
    assert row["id"] == "a-02-1"
    assert row["labels"] == {"domain": "a", "size": 2, "skills": ["seeing", "a"]}
    assert row["content"][0]["text"] == "How many?"
    assert np.array_equal(np.asarray(row["images"][0]), PICTURE)


@pytest.mark.thorough
def test_duckdb_queries_the_labels_and_gets_the_image_bytes(path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    query = (
        "select id, images[1].bytes from read_parquet(?) "
        "where labels.domain = 'a' and labels.size = 2 and list_contains(labels.skills, 'seeing') "
        "order by id"
    )
    with duckdb.connect() as connection:
        rows = connection.execute(query, [str(path)]).fetchall()
    assert [row[0] for row in rows] == ["a-02-0", "a-02-1", "a-02-2"]
    assert rows[1][1] == ItemBank.open(path).item("a-02-1").images[0].data


def test_pandas_reads_every_column(path: Path) -> None:
    row = pd.read_parquet(path).set_index("id").loc["a-02-1"]
    assert row["labels"]["domain"] == "a"
    assert row["images"][0]["path"] == "a-02-1.png"
    assert row["target"] == "1"


@pytest.mark.thorough
def test_polars_reads_every_column(path: Path) -> None:
    polars = pytest.importorskip("polars")
    frame = polars.read_parquet(path).filter(polars.col("labels").struct.field("size") == 2)
    assert frame["id"].to_list()[:2] == ["a-02-0", "a-02-1"]
    assert frame["images"][1][0]["bytes"] == ItemBank.open(path).item("a-02-1").images[0].data


def test_a_bank_that_polars_wrote_again_is_still_a_bank(path: Path, tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    polars.read_parquet(path).filter(polars.col("id") != "a-01-0").write_parquet(
        tmp_path / "again.parquet"
    )
    assert list(ItemBank.open(tmp_path / "again.parquet")) == list(ItemBank.open(path))[1:]


def test_a_bank_that_duckdb_wrote_again_is_still_a_bank(path: Path, tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as connection:
        connection.execute(
            f"copy (from read_parquet('{path}') order by id desc) "
            f"to '{tmp_path / 'again.parquet'}' (format parquet)"
        )
    assert list(ItemBank.open(tmp_path / "again.parquet")) == list(ItemBank.open(path))[::-1]
