"""Models that the data cannot decide on end at their minimum, quickly, and are named."""

from __future__ import annotations

import warnings

import pandas as pd
import pytest
from support.sem_models import sample

from gfactor.psychometrics import sem

FACTORS = "f =~ x1 + x2 + x3\ng =~ y1 + y2 + y3"
FREE = "f =~ NA*x1 + x2 + x3\ng =~ NA*y1 + y2 + y3\nf ~~ f\ng ~~ g"
BOTH = " + ".join(["x1", "x2", "x3", "y1", "y2", "y3"])

CASES = {
    "free scales": (FREE, FACTORS, {}),
    "free scales, robust": (FREE, FACTORS, {"estimator": "MLR"}),
    "free scales, GLS": (FREE, FACTORS, {"estimator": "GLS"}),
    "free scales, ULS": (FREE, FACTORS, {"estimator": "ULS"}),
    "a factor of two factors": (FACTORS + "\nh =~ f + g", FACTORS, {"std_lv": True}),
    "free means": (FACTORS + "\nf ~ 1", FACTORS, {"meanstructure": True}),
    "unrotated factors": (
        f"f =~ {BOTH}\ng =~ {BOTH}",
        f"f =~ {BOTH}\ng =~ {BOTH.replace('x1', '0*x1', 1)}",
        {"std_lv": True, "orthogonal": True},
    ),
}


@pytest.fixture(scope="module")
def data() -> pd.DataFrame:
    return sample()


@pytest.mark.thorough
@pytest.mark.parametrize("name", CASES)
def test_it_ends_at_the_minimum_of_the_identified_model(name: str, data: pd.DataFrame) -> None:
    text, same, options = CASES[name]
    fit = sem.fit(text, data, **options)
    other = sem.fit(same, data, **options)
    assert other.convergence.identified
    assert fit.converged
    assert not fit.convergence.identified
    assert fit.convergence.iterations < 60
    assert fit.outcome.value == pytest.approx(other.outcome.value, abs=1e-12)
    assert "not_identified" in {one.code for one in fit.diagnostics}


@pytest.mark.thorough
@pytest.mark.parametrize("estimator", ["ML", "MLR", "MLM"])
def test_only_what_is_determined_has_a_standard_error(estimator: str, data: pd.DataFrame) -> None:
    fit = sem.fit(FREE, data, estimator=estimator).estimates.set_index(["lhs", "op", "rhs"])
    other = sem.fit(FACTORS, data, estimator=estimator)
    known = other.estimates.set_index(["lhs", "op", "rhs"])
    for name in ("x1", "x2", "x3", "y1", "y2", "y3"):
        place = (name, "~~", name)
        assert fit.at[place, "se"] == pytest.approx(known.at[place, "se"], rel=1e-7)
    lost = fit.loc[[("f", "=~", "x1"), ("f", "~~", "f"), ("g", "=~", "y3"), ("f", "~~", "g")], "se"]
    assert lost.isna().all()


@pytest.mark.parametrize("estimator", ["MLR", "MLM"])
def test_a_scaled_test_does_not_depend_on_how_scales_are_chosen(
    estimator: str, data: pd.DataFrame
) -> None:
    one = sem.fit(FREE, data, estimator=estimator).exact
    two = sem.fit(FACTORS, data, estimator=estimator).exact
    # Two degrees of freedom fewer, by parameters that determine nothing.
    assert one.df == two.df - 2
    assert one.factor is not None
    assert two.factor is not None
    assert one.factor * one.df == pytest.approx(two.factor * two.df, rel=1e-7)


def test_all_that_a_fit_says_can_be_said_of_one_that_is_not_identified(data: pd.DataFrame) -> None:
    fit = sem.fit(FREE, data)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "not identified" in fit.summary()
        assert fit.to_dict()["estimates"][0]["se"] is None
        assert fit._repr_html_()
        assert len(fit.standardized())
