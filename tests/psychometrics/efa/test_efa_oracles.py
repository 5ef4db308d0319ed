"""All EFA results of psych_HS1939.json, and omega of the human samples of M3GIA.

psych stops its searches early: minres at 1e-5 of a loading, varimax (R's stats) at 1e-3,
rotations of GPArotation at 1e-5. The statistics, which are flat at the minimum, agree further.
"""

from __future__ import annotations

import itertools
import json
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.oracles import ORACLES
from support.tiers import few

from gfactor.psychometrics.factor.exploratory import efa, schmid_leiman

WITHIN = {"none": 1e-5, "varimax": 1e-3, "promax": 1e-4, "oblimin": 2e-5}


def oracle() -> dict[str, Any]:
    return json.loads((ORACLES / "lavaan" / "psych_HS1939.json").read_text())


def holzinger() -> pd.DataFrame:
    frame = pd.read_csv(ORACLES / "lavaan" / "HolzingerSwineford1939.csv")
    return frame.filter([f"x{i}" for i in range(1, 10)])


def distance(found: np.ndarray, expected: np.ndarray) -> float:
    """Largest difference, the factors' order and signs set as in `expected`."""
    best = np.inf
    for order in itertools.permutations(range(expected.shape[1])):
        turned = found[:, order] * np.sign((found[:, order] * expected).sum(axis=0))
        best = min(best, float(np.abs(turned - expected).max()))
    return best


@pytest.mark.thorough
@pytest.mark.parametrize("rotation", list(WITHIN))
@pytest.mark.parametrize("method", ["ml", "minres", "pa"])
def test_holzinger_and_swineford(method: str, rotation: str) -> None:
    expected = oracle()[f"fa_{method}_{rotation}"]
    found = efa(holzinger(), 3, method=method, rotation=rotation)
    values = np.array(expected["loadings"]["values"])
    assert distance(found.loadings.to_numpy(), values) < WITHIN[rotation]
    fit = found.fit
    assert fit.chi_square == pytest.approx(expected["chi"], rel=2e-6)
    assert (fit.df, fit.tli) == (expected["dof"], pytest.approx(expected["TLI"], rel=1e-6))
    rmsea = expected["rmsea"]
    assert fit.rmsea == pytest.approx(rmsea["RMSEA"], rel=2e-6)
    assert (fit.rmsea_low, fit.rmsea_high) == pytest.approx(
        (rmsea["lower"], rmsea["upper"]), rel=2e-5
    )


def test_omega_of_holzinger_and_swineford() -> None:
    expected = oracle()["omega"]
    found = schmid_leiman(efa(holzinger(), 3))
    assert found.omega_hierarchical == pytest.approx(expected["omega_h"], rel=1e-5)
    assert found.omega_total == pytest.approx(expected["omega_tot"], rel=1e-6)
    assert found.alpha == pytest.approx(expected["alpha"], rel=1e-9)
    values = np.array(expected["sl"]["values"])
    assert distance(found.loadings.to_numpy()[:, 1:], np.abs(values[:, 1:4])) < 1
    assert found.loadings["g"].to_numpy() == pytest.approx(values[:, 0], abs=1e-5)


@pytest.mark.thorough
@pytest.mark.parametrize("language", few(["En", "Zh", "Fr", "Sp", "Pt", "Ko"], 1))
def test_omega_of_the_human_samples_of_m3gia(language: str) -> None:
    folder = ORACLES / "m3gia"
    expected = json.loads((folder / "kmo_bartlett_reliability.json").read_text())[language]
    scores = pd.read_csv(folder / f"human_z_{language}.csv").filter(list(expected["kmo_items"]))
    solution = efa(scores, 5, method="minres", starts=30 if language == "Ko" else 8)
    found = schmid_leiman(solution)
    assert found.omega_total == pytest.approx(expected["omega_tot"], rel=1e-6)
    if language == "Ko":
        # One start of psych's ends in a local optimum: ours is the lower of two that are found.
        assert solution.optima > 1
        assert found.omega_hierarchical == pytest.approx(expected["omega_h_minres5"], abs=0.02)
    else:
        assert found.omega_hierarchical == pytest.approx(expected["omega_h_minres5"], rel=5e-5)
