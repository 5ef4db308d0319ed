"""A report of two benchmarks whose labels have values in common pools nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from support.banks import make_items
from support.corridors.answering import filled
from support.exam import question

import gfactor as gf
from gfactor.items import ItemBank, write_bank

WHO = {f"openai:m{k}": 0.2 + 0.15 * k for k in range(5)}


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tables of a report: both benchmarks have a domain a, sizes 1 and 2, and counts."""
    folder = tmp_path_factory.mktemp("side_by_side")
    questions = [
        question(f"q{domain}{k}", labels={"domain": domain, "size": 1 + k % 2},
                 target="ABCD"[k % 4])
        for domain in "ac"
        for k in range(6)
    ]  # fmt: skip
    banks = [
        ItemBank.open(write_bank(items, folder / f"{k}.parquet"))
        for k, items in enumerate((make_items("ab", sizes=2, instances=3), questions))
    ]
    journal = filled(folder / "c.db", *((bank, WHO, {}) for bank in banks))
    gf.report(journal, folder / "report")
    return folder / "report" / "tables"


def read(tables: Path, name: str) -> Any:
    return pd.read_csv(tables / f"{name}.csv")


def test_a_domain_of_two_benchmarks_is_two_domains(tables: Path) -> None:
    for name in ("accuracy_by_domain", "accuracy_of_each_by_domain"):
        rows = read(tables, name)
        assert set(rows["domain"]) == {"a (exam)", "a (toy)", "b", "c"}, name
        assert rows["n"].eq(6).all(), name


def test_a_size_of_two_benchmarks_is_two_rows(tables: Path) -> None:
    rows = read(tables, "accuracy_by_size")
    assert list(rows.columns[:3]) == ["benchmark", "size", "label"]
    assert rows.groupby(["benchmark", "size", "label"])["n"].first().eq(6).all()
    assert len(rows) == 2 * 2 * len(WHO)


def test_reliability_is_that_of_one_benchmark(tables: Path) -> None:
    rows = read(tables, "reliability")
    assert set(rows["group"]) <= {"models, exam", "models, toy"}
    assert rows["domains"].eq(2).all()
    assert len(rows)
