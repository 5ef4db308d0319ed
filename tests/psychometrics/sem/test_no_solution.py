"""Models and data that have no sound solution end soon, with a sentence that says why."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from gfactor.errors import ParameterError
from gfactor.psychometrics import sem


def scores() -> pd.DataFrame:
    return sem.simulate_data("f =~ 0.7*x1 + 0.7*x2 + 0.7*x3 + 0.7*x4", 200, seed=1)


def answers() -> pd.DataFrame:
    return pd.DataFrame(np.digitize(scores(), [-0.5, 0.5]), columns=["x1", "x2", "x3", "x4"])


@pytest.mark.parametrize(
    "constraints",
    ["a > 2\na < 1", "a*b == 1\na*b == 2", "a^2 == -1"],
)
def test_constraints_that_contradict_each_other_are_refused(constraints: str) -> None:
    with pytest.raises(ParameterError, match="no parameters that obey all constraints"):
        sem.fit(f"f =~ x1 + a*x2 + b*x3 + x4\n{constraints}", scores())


def test_an_inequality_that_binds_is_no_contradiction() -> None:
    fit = sem.fit("f =~ x1 + a*x2 + b*x3 + x4\na > 2\nb < 0.1", scores())
    assert fit.converged
    np.testing.assert_allclose(fit.estimates["est"][1:3], [2.0, 0.1], atol=1e-7)


def test_a_variable_of_two_values_beside_ordinal_ones_must_be_ordinal_too() -> None:
    """lavaan 0.6-14 gives its mean and variance weights of -1e-13 and fits them."""
    data = answers().assign(x4=scores()["x4"] > 0)
    with pytest.raises(ParameterError, match="'x4' has two values"):
        sem.fit("f =~ x1 + x2 + x3 + x4", data, ordered=("x1", "x2", "x3"))
    assert sem.fit("f =~ x1 + x2 + x3 + x4", data, ordered="*").converged


def test_ordinal_variables_with_the_same_answers_are_named() -> None:
    data = answers()
    fit = sem.fit("f =~ x1 + x2 + x3 + x4", data.assign(x2=data["x1"]), ordered="*")
    first = next(one for one in fit.diagnostics if one.code == "perfect_polychoric")
    assert first.severity == "error"
    assert set(first.where) == {"x1", "x2"}


def test_a_shifted_statistic_below_zero_has_measures() -> None:
    """An under-identified ordinal model, whose statistic is nought before the shift."""
    data = answers()
    fit = sem.fit("f =~ x1 + x2 + x3\ng =~ x4\ng ~ f", data, ordered="*", model_type="sem")
    assert fit.measures["rmsea.scaled"] is not None
    assert any(one.code == "not_identified" for one in fit.diagnostics)


@pytest.mark.parametrize(
    "given",
    [{"estimator": "MLR"}, {"estimator": "GLS"}, {"test": "scaled.shifted"}, {"se": "robust.sem"}],
)
def test_two_stages_have_errors_and_a_test_of_their_own(given: dict[str, Any]) -> None:
    with pytest.raises(ParameterError, match=r"two\.stage"):
        sem.fit("f =~ x1 + x2 + x3 + x4", scores(), missing="two.stage", **given)


def test_two_stages_take_no_covariates_as_given() -> None:
    data = scores().assign(age=np.arange(200.0) % 7)
    model = "f =~ x1 + x2 + x3\nf ~ age"
    with pytest.raises(ParameterError, match="fixed_x = False"):
        sem.fit(model, data, missing="two.stage")
    assert sem.fit(model, data, missing="two.stage", fixed_x=False).converged


def test_two_stages_of_complete_cases_give_maximum_likelihood() -> None:
    data = scores()
    plain = sem.fit("f =~ x1 + x2 + x3 + x4", data, meanstructure=True)
    stages = sem.fit("f =~ x1 + x2 + x3 + x4", data, missing="two.stage")
    np.testing.assert_allclose(stages.theta, plain.theta, rtol=1e-6)
    assert stages.measures["chisq"] == pytest.approx(plain.measures["chisq"], rel=1e-6)
    holes = data.mask(np.random.default_rng(1).random(data.shape) < 0.2)
    found = sem.fit("f =~ x1 + x2 + x3 + x4", holes, missing="robust.two.stage")
    assert found.n > len(holes.dropna())
