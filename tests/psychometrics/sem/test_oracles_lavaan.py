"""Every safe fit recorded from lavaan is reproduced: estimates, errors, tests, indices, moments.

`pytest -s tests/psychometrics/sem/test_oracles_lavaan.py` prints the agreeing digits per case.
"""

from __future__ import annotations

import numpy as np
import pytest
from support import lavaan_oracles as oracles
from support.tiers import few

LIMIT = {"standard errors": 1e-5}
"""Relative; everything else must agree to 1e-6."""

IMPROPER = ("En", "Zh", "Sp")


def names() -> list[str]:
    return [case.name for case in oracles.cases()]


@pytest.mark.parametrize("name", names())
def test_a_recorded_fit_is_reproduced(name: str) -> None:
    case = next(case for case in oracles.cases() if case.name == name)
    fit = oracles.replay(case)
    assert fit.converged, fit.convergence
    found = oracles.differences(fit, case.recorded)
    shown = "  ".join(f"{kind} {oracles.digits(gap):.1f}" for kind, gap in found.items())
    print(f"\n{name}: {shown}", end="")
    too_far = {kind: gap for kind, gap in found.items() if gap > LIMIT.get(kind, 1e-6)}
    assert not too_far


def test_all_safe_cases_are_there() -> None:
    assert len(names()) >= 55


@pytest.mark.parametrize("language", few(IMPROPER, 1))
def test_an_improper_bifactor_reaches_at_least_lavaans_likelihood_and_says_what_it_is(
    language: str,
) -> None:
    """lavaan calls these converged, with loadings up to 38; ours are no worse, and are named."""
    case = oracles.m3gia_case(f"refit_{language}_bifactor_MLR_mplus")
    fit = oracles.replay(case)
    theirs = case.recorded["fit_measures"]["logl"]
    ours = fit.measures["logl"]
    assert ours is not None
    assert ours > theirs - 1e-4
    assert not fit.converged
    assert fit.convergence.status == "runaway"
    assert fit.convergence.running
    assert any(found.severity == "error" for found in fit.diagnostics)


@pytest.mark.parametrize("language", ["En", "Zh", "Fr", "Sp"])
def test_a_bounded_bifactor_is_proper_and_no_worse_than_lavaans(language: str) -> None:
    case = oracles.m3gia_case(f"refit_{language}_bifactor_ML_bounded")
    fit = oracles.replay(case)
    assert fit.converged, fit.convergence
    assert np.all(fit.point.groups[0].theta.diagonal() >= 0)
    assert fit.measures["fmin"] < case.recorded["fit_measures"]["fmin"] + 1e-7
