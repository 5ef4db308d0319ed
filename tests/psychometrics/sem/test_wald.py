"""Wald tests are lavaan's; what is no constraint is refused in a sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support import lavaan_recorded as recorded

from gfactor.errors import GfactorError
from gfactor.psychometrics import sem

CASES = recorded.read("wald")["cases"]
MODEL = CASES[0]["syntax"]


@pytest.mark.thorough
@pytest.mark.parametrize("number", range(len(CASES)))
def test_wald_tests_are_lavaans(number: int) -> None:
    case = CASES[number]
    options = sem.Options.from_lavaan(case["arguments"] or {})
    fit = sem.fit(case["syntax"], recorded.sample(case["sample"]), options=options)
    test = fit.wald_test(case["constraints"])
    assert (test.chisq, test.df) == (pytest.approx(case["stat"], rel=1e-7), case["df"])
    assert test.pvalue == pytest.approx(case["p"], rel=1e-6)


def test_one_equation_is_the_square_of_z_and_values_are_what_is_left_of_it() -> None:
    fit = sem.fit(MODEL, recorded.sample("three_factors"))
    row = fit.estimates.set_index("label").loc["r"]
    test = sem.wald_test(fit, "r == 0  # uncorrelated")
    assert test.chisq == pytest.approx(row["z"] ** 2)
    assert test.values == (pytest.approx(row["est"]),)
    assert "Wald test of r == 0: chi-square" in test.summary()
    assert test.to_dict()["df"] == 1


@pytest.mark.parametrize(
    ("constraints", "changes", "sentence"),
    [
        ("a > b", {}, "equations such as 'a == b', got 'a > b'"),
        ("", {}, "equations such as 'a == b'"),
        ("x1 ~~ x2", {}, "expected an equation such as 'a == b', found 'x1 ~~ x2'"),
        ("a == e", {}, "'a == e' uses 'e', which is neither a label"),
        ("a == b; b == a", {}, "follow from others"),
        ("a == a", {}, "follow from others, or hold in the model"),
        ("a == b", {"se": "none"}, "needs standard errors"),
    ],
)
def test_what_is_no_test_is_refused(
    constraints: str, changes: dict[str, Any], sentence: str
) -> None:
    fit = sem.fit(MODEL, recorded.sample("three_factors"), **changes)
    with pytest.raises(GfactorError, match=sentence):
        fit.wald_test(constraints)


def test_reliability_is_a_method_of_a_fit() -> None:
    fit = sem.fit(MODEL, recorded.sample("three_factors"))
    own, function = fit.reliability(level=0.9).indices, sem.reliability(fit, level=0.9).indices
    np.testing.assert_array_equal(own["low"], function["low"])
