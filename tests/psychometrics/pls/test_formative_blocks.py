"""Reliability and HTMT of formative blocks (mode B) are left out, with the reason."""

from __future__ import annotations

import numpy as np
import pandas as pd

import gfactor as gf


def test_a_formative_block_is_judged_by_its_weights_and_not_by_htmt_or_alpha() -> None:
    rng = np.random.default_rng(11)
    parts = rng.normal(size=(300, 3))
    common = parts.sum(axis=1) / 2 + 0.4 * rng.normal(size=300)
    data = pd.DataFrame(parts, columns=["a1", "a2", "a3"])
    for k in range(1, 4):
        data[f"b{k}"] = common + 0.4 * rng.normal(size=300)
    fit = gf.pls("A <~ a1 + a2 + a3\nB =~ b1 + b2 + b3\nB ~ A", data)
    assert fit.formative == ("A",)
    assert float(fit.htmt.loc["A", "B"]) > 0.9
    by_code = {one.code: one for one in fit.diagnostics}
    assert "htmt_high" not in by_code
    assert "mode B form the construct" in by_code["formative_reliability"].sentence
    rows = [line.split() for line in fit.summary().splitlines() if line.startswith(("A ", "B "))]
    alphas = {row[0]: row[1:] for row in rows[-2:]}
    assert alphas["A"][:-1] == ["-"] * (len(alphas["A"]) - 1)
    assert "-" not in alphas["B"]
    both = gf.pls("A =~ a1 + a2 + a3\nB =~ b1 + b2 + b3\nB ~ A", data)
    assert "htmt_high" in [one.code for one in both.diagnostics]
