"""Cells of item families are estimated also where answers say little of their level."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

from gfactor.psychometrics.irt.models.itemfamilies import fit_families


@pytest.mark.parametrize("seed", [0, pytest.param(4, marks=pytest.mark.slow)])
def test_a_handful_of_respondents_gives_cells_far_from_zero(seed: int) -> None:
    """A parabola that is nearly flat sends all means too far in one step; no step is longer than
    the prior of the first fit is wide."""
    rng = np.random.default_rng(seed)
    ability = np.array([-4.0, -2.0, 0.0, 2.0, 6.0])
    difficulty = np.repeat(rng.normal(-2.5, 1.5, 9), 4)
    right = rng.random((5, 36)) < expit(ability[:, None] - difficulty)
    data = pd.DataFrame(right.astype(float), columns=pd.Index([f"i{k}" for k in range(36)]))
    cells = [f"c{k // 4}" for k in range(36)]
    design = pd.DataFrame({"(Intercept)": 1.0}, index=pd.Index([f"c{k}" for k in range(9)]))
    found = fit_families(data, cells, design=design)
    codes = {note.code for note in found.diagnostics}
    assert "not_converged" not in codes
    assert abs(found.cells["b"].mean() - difficulty.mean() + 0.4) < 2 * found.cells["se_b"].mean()
