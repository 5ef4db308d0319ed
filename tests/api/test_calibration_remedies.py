"""A calibration advises what its user can do."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support.irt_journals import administer, choice_bank

import gfactor as gf


@pytest.mark.slow
def test_a_calibration_of_too_wide_a_population_names_no_option_that_it_does_not_have(
    tmp_path: Path,
) -> None:
    bank, b = choice_bank(tmp_path / "b.parquet", {("a", k): 4.0 * k - 8 for k in range(5)}, 2)
    who = {f"openai:m{k}": theta for k, theta in enumerate(np.linspace(-10, 10, 12))}
    administer(tmp_path / "c.db", bank, b, who)
    known = gf.calibrate(tmp_path / "c.db", cluster=None)
    (found,) = (d for d in known.diagnostics if d.code == "grid_too_narrow")
    assert "theta_lim" not in found.remedy
    assert found.remedy.startswith("A spread of abilities this large is often that of two")
