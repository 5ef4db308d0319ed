"""A calibration advises what its user can do."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import numpy as np
import pandas as pd
import pytest
from support.irt_journals import administer, choice_bank

import gfactor as gf
from gfactor.api.asking.profile_diagnostics import simulated
from gfactor.api.scales.laboratories import _drift
from gfactor.errors import ParameterError
from gfactor.psychometrics.irt.scales import constant_cells


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


@pytest.mark.slow
def test_a_calibration_names_what_answers_do_not_place_and_counts_no_items_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(constant_cells, "UNCERTAIN", 0.01)
    bank, b = choice_bank(tmp_path / "b.parquet", {("a", k): 0.0 for k in range(4)}, 2)
    who = {f"openai:m{k}": 60.0 if k < 4 else -60.0 for k in range(12)}
    administer(tmp_path / "c.db", bank, b + np.repeat([0.0, 0.0, 0.0, 99.0], 2), who)
    known = gf.calibrate(tmp_path / "c.db", by="design", cluster=None)
    found = {one.code: one for one in known.diagnostics}
    assert found["uncertain_difficulties"].where == tuple(known.table["entry"])
    sentence = found["extreme_persons"].sentence
    assert (
        sentence
        == "4 of 12 persons have every item that was not left out right, and 8 have none right."
    )


def test_difficulties_with_errors_above_5_logits_are_named_with_the_largest() -> None:
    entries: Any = pd.DataFrame({
        "entry": ["near", "far", "polytomous"], "b": [0.0, 8.4, np.nan], "se_b": [4.9, 110, np.nan],
    })  # fmt: skip
    (found,) = constant_cells.uncertain_difficulties(entries)
    assert found.where == ("far",)
    assert "1 of 3 entries is (standard errors up to 110 logits): far." in found.sentence
    assert constant_cells.uncertain_difficulties(entries[entries["entry"] != "far"]) == []
    (without,) = constant_cells.uncertain_difficulties(entries.assign(se_b=np.nan))
    assert "2 of 3 entries are (standard errors without limit): near, far." in without.sentence


def test_a_test_that_was_not_possible_ends_its_sentence_before_the_remedy() -> None:
    def make(part: Any) -> Any:
        raise ParameterError("add easier items")

    (found,) = _drift({"one": cast(Any, None)}, make)
    assert found.sentence.endswith("was not tested: add easier items.")


def test_a_simulated_calibration_without_a_name_is_of_an_unnamed_population() -> None:
    (found,) = simulated({"simulated": True, "population": None})
    assert "(an unnamed population)" in found.sentence
