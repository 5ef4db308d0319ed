"""The unit of a variable changes no fit: chi-square, standardized solution, z and diagnostics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from support import lavaan_recorded as recorded
from support.tiers import few

from gfactor.psychometrics import sem

THREE = "f1 =~ x1 + x2 + x3\nf2 =~ x4 + x5 + x6\nf3 =~ x7 + x8 + x9\n"
FEW = THREE.replace("x", "y")
Case = tuple[str, str, Mapping[str, Any]]
CASES: Mapping[str, Case] = {
    "marker": ("three_factors", THREE, {}),
    "std_lv": ("three_factors", THREE, {"std_lv": True}),
    "mlr": ("three_factors", THREE, {"estimator": "MLR"}),
    "mlm": ("three_factors", THREE, {"estimator": "MLM"}),
    "gls": ("three_factors", THREE, {"estimator": "GLS"}),
    "wls": ("three_factors", THREE, {"estimator": "WLS"}),
    "structural": ("three_factors", THREE + "f3 ~ f1 + f2", {"meanstructure": True}),
    "marker_predicts": ("three_factors", THREE + "x1 ~~ x4\nx7 ~ x1", {}),
    "gaps": ("with_gaps", THREE, {"missing": "ml", "estimator": "MLR"}),
    "groups": (
        "three_factors",
        THREE,
        {"group": "school", "group_equal": ("loadings", "intercepts")},
    ),
    "second_order": ("hierarchy", recorded.read("second_order")["syntax"], {}),
    "bifactor": ("hierarchy", recorded.read("bifactor")["syntax"], {"orthogonal": True}),
    "standard": ("three_factors", THREE, {"bounds": "standard"}),
    "bounded": ("few", FEW, {"bounds": "pos.var"}),
    "improper": ("few", FEW, {}),
    "inequality": ("three_factors", "f1 =~ x1 + a*x2 + b*x3 + x4\na < 0", {}),
    "mixed": (
        "ordinal_covariates",
        "f1 =~ x1 + x2 + x3\nf1 ~ age + sex\nmark ~ f1 + age",
        {"ordered": ("x1", "x2", "x3"), "model_type": "sem"},
    ),
}
RESCALINGS = 3


def compared(case: Case, factors: Mapping[str, float]) -> None:
    sample, model, options = case
    data = recorded.sample(sample)
    base = sem.fit(model, data, **options)
    own = sem.fit(model, data.assign(**{n: data[n] * f for n, f in factors.items()}), **options)
    assert own.converged == base.converged
    assert own.measures["chisq"] == pytest.approx(base.measures["chisq"], rel=1e-6, abs=1e-9)
    for name in ("std.all", "z"):
        first, second = (fit.estimates[name].to_numpy(float) for fit in (base, own))
        if name == "z":  # the origin of a scale is no part of its unit
            means = (base.estimates["op"] == "~1").to_numpy()
            first, second = first[~means], second[~means]
        np.testing.assert_allclose(second, first, rtol=1e-5, atol=1e-6)
    assert [d.code for d in own.diagnostics] == [d.code for d in base.diagnostics]


@pytest.mark.thorough
@pytest.mark.parametrize("seed", few(range(RESCALINGS), 1))
@pytest.mark.parametrize("name", CASES)
def test_rescaled_columns_have_the_same_fit(name: str, seed: int) -> None:
    """Every continuous variable times a random number between 1e-6 and 1e6."""
    sample, model, options = CASES[name]
    rng = np.random.default_rng([seed, sum(map(ord, name))])
    names = sem.build_table(model).observed
    ordinal = options.get("ordered", ())
    factors = {n: 10.0 ** rng.uniform(-6, 6) for n in names if n not in ordinal}
    compared((sample, model, options), factors)


@pytest.mark.parametrize("factor", [1e-6, 1e6])
def test_a_marker_in_another_unit_has_the_same_proven_minimum(factor: float) -> None:
    compared(CASES["marker"], {"x1": factor, "x4": factor})


@pytest.mark.thorough
@pytest.mark.parametrize("estimator", ["ML", "ULS"])
@pytest.mark.parametrize("factor", [1e-6, 1e-3, 1e3, 1e6])
def test_converged_never_stands_beside_a_gradient_that_is_not_zero(
    estimator: str, factor: float
) -> None:
    """ULS weighs variables by their units, and may end anywhere; then it says so."""
    data = recorded.sample("three_factors")
    fit = sem.fit(THREE, data.assign(x1=factor * data["x1"]), estimator=estimator)
    codes = {one.code for one in fit.diagnostics}
    assert not (fit.converged and codes & {"gradient_not_zero", "not_converged", "saddle_point"})
    assert fit.converged or codes & {"gradient_not_zero", "not_converged", "runaway_solution"}


def test_negative_variances_are_found_in_any_unit() -> None:
    data = recorded.sample("few")
    fit = sem.fit(FEW, data * 1e-6)
    assert any(one.code in {"heywood_case", "negative_variance"} for one in fit.diagnostics)
