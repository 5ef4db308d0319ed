"""What several tests of administration start from."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.banks import make_items

from gfactor.items import ItemBank, write_bank


@pytest.fixture
def bank(tmp_path: Path) -> ItemBank:
    """Eighteen items: two domains, sizes 1 to 3, three of each."""
    return ItemBank.open(write_bank(make_items(sizes=3), tmp_path / "bank.parquet"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Of a journal that is not there yet."""
    return tmp_path / "c.db"
