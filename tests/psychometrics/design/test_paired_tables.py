"""Intervals of paired proportions are ratesci's and PropCIs', zero cells included."""

from __future__ import annotations

import pytest
from support.design_oracles import recorded

from gfactor.psychometrics.inference.paired import mcnemar_exact, mcnemar_mid_p, newcombe, tango

TABLES = recorded("paired_tables")["result"]["tables"]


@pytest.mark.parametrize("table", TABLES, ids=lambda t: "-".join(str(t[k]) for k in "abcd"))
def test_newcombe_tango_and_mcnemar(table: dict) -> None:
    a, b, c, d = (table[name] for name in "abcd")
    assert mcnemar_exact(b, c) == pytest.approx(table["mcnemar"]["exact_p"], abs=1e-12)
    assert mcnemar_mid_p(b, c) == pytest.approx(table["mcnemar"]["mid_p"], abs=1e-12)
    for row in table["intervals"]:
        level = row["conf"]
        for name, corrected in (("newcombe10", True), ("newcombe8", False)):
            found = newcombe(a, b, c, d, level, corrected=corrected)
            assert found == pytest.approx((row[name]["lower"], row[name]["upper"]), abs=1e-12)
        ours, theirs = tango(b, c, table["n"], level), row["tango"]
        assert ours == pytest.approx((theirs["lower"], theirs["upper"]), abs=1e-9)
