"""The project's own cases agree with PLS written out in R, and with lavaan, psych and semTools."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pls_cases import CASES, with_gaps

from gfactor.psychometrics import cronbach_alpha
from gfactor.psychometrics.pls import PLSFit, fit_pls
from gfactor.psychometrics.pls.data import table_of

RECORDED = json.loads(Path(__file__).with_name("own_cases.json").read_text("utf-8"))


def fitted(name: str) -> PLSFit:
    case = CASES[name]
    return fit_pls(case.model(), case.data(), **case.settings())


def in_block_order(found: PLSFit, column: str) -> dict[str, list[float]]:
    blocks = found.measurement.groupby("construct", sort=False)[column]
    return {str(name): list(values) for name, values in blocks}


@pytest.mark.thorough
@pytest.mark.parametrize("name", CASES)
def test_weights_loadings_paths_and_r2_agree_with_loops_over_rows(name: str) -> None:
    found, wanted = fitted(name), RECORDED["cases"][name]
    assert found.converged
    for quantity in ("weight", "loading"):
        ours = in_block_order(found, quantity)
        for construct, values in wanted[f"{quantity}s"].items():
            assert ours[construct] == pytest.approx(np.atleast_1d(values), abs=1e-11)
    paths = {f"{s} -> {t}": found.paths.loc[s, t] for s, t in arrows(found)}
    assert paths == pytest.approx(wanted["paths"], abs=1e-11)
    assert found.r2["r2"].to_dict() == pytest.approx(wanted["r2"], abs=1e-11)
    ours = found.reliability["rho_a"].to_dict()
    assert {k: ours[k] for k in wanted["rho_a"]} == pytest.approx(wanted["rho_a"], abs=1e-10)


def arrows(found: PLSFit) -> list[tuple[str, str]]:
    drawn = np.argwhere(found.solution.design.arrows)
    return [(found.constructs[s], found.constructs[t]) for s, t in drawn]


@pytest.mark.thorough
@pytest.mark.parametrize("name", [n for n, r in RECORDED["cases"].items() if r.get("fit")])
def test_srmr_and_distances_agree_with_their_definitions(name: str) -> None:
    table = fitted(name).fit.query("structure == 'saturated'").set_index("implied")
    for implied, wanted in RECORDED["cases"][name]["fit"].items():
        for measure, value in wanted.items():
            if value is not None:
                assert table.loc[implied, measure] == pytest.approx(value, rel=1e-9)


MEASURED = [name for name, case in CASES.items() if case.measures]


@pytest.mark.parametrize("name", MEASURED)
def test_htmt_and_htmt2_agree_with_semtools(name: str) -> None:
    found, wanted = fitted(name), RECORDED["cases"][name]
    for variant in ("htmt", "htmt2"):
        ours = found.heterotrait_monotrait(variant)
        for left, row in wanted[variant].items():
            for right, value in row.items():
                if value is not None:
                    assert ours.loc[left, right] == pytest.approx(value, abs=1e-12)


@pytest.mark.thorough
@pytest.mark.parametrize("name", MEASURED)
def test_alpha_agrees_with_psych_omega_with_lavaan_vif_with_lm(name: str) -> None:
    found, wanted = fitted(name), RECORDED["cases"][name]
    for construct, alpha in wanted["alpha"].items():
        row = found.reliability.loc[construct]
        assert row["alpha"] == pytest.approx(alpha["standardized"], abs=1e-12)
        assert row["alpha_raw"] == pytest.approx(alpha["raw"], abs=1e-12)
        columns = CASES[name].data()[CASES[name].blocks[construct]].to_numpy(float)
        assert cronbach_alpha(columns) == pytest.approx(alpha["raw"], abs=1e-12)
        # lavaan's optimizer gives up at about 7 digits.
        assert row["omega"] == pytest.approx(wanted["omega"][construct], abs=1e-6)
    vif = dict(zip(found.measurement["indicator"], found.measurement["vif"], strict=True))
    for values in wanted["vif"].values():
        for indicator, value in values.items() if isinstance(values, dict) else ():
            assert vif[indicator] == pytest.approx(value, rel=1e-10)


@pytest.mark.parametrize(("treatment", "digits"), [("pairwise", 1e-13), ("em", 1e-6)])
def test_correlations_with_gaps_agree_with_r_and_lavaan(treatment: Any, digits: float) -> None:
    data = with_gaps()
    table = table_of(data, list(data.columns), treatment)
    assert table.r == pytest.approx(np.array(RECORDED["missing"][treatment]), abs=digits)


def test_the_recorded_results_say_what_made_them() -> None:
    assert RECORDED["made_by"]["R"].startswith("R version")
    assert set(RECORDED["cases"]) == set(CASES)
