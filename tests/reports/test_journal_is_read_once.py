"""A report reads each large table of its journal once."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from sqlalchemy import Engine, event

import gfactor as gf


def test_a_report_selects_answers_items_and_models_once(tmp_path: Path) -> None:
    bank = gf.build("percept-v", domains=["change_colour"], sizes=[1, 5], path=tmp_path / "b")
    journal = gf.run(bank, ["observer:ideal", "baseline:constant"], journal=tmp_path / "c.db")
    statements: Counter[str] = Counter()

    def count(*call: object) -> None:
        statements[" ".join(str(call[2]).split())] += 1

    event.listen(Engine, "before_cursor_execute", count)
    try:
        gf.report(journal, tmp_path / "report")
    finally:
        event.remove(Engine, "before_cursor_execute", count)
    of_tables = {
        statement: times
        for statement, times in statements.items()
        if "FROM responses" in statement or "FROM items" in statement
    }
    assert len(of_tables) > 3
    assert set(of_tables.values()) == {1}
