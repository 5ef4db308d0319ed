"""Automatic bounds are lavaan's: recorded by record_bounds.R from lavaan 0.6-14."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from support import lavaan_recorded as recorded

from gfactor.errors import ParameterError
from gfactor.psychometrics import sem
from gfactor.psychometrics.sem.optimize import bounds_of

FITS: dict[str, dict[str, Any]] = recorded.read("bounds")["fits"]
FROM_DATA = [name for name, one in FITS.items() if "sample" in one]


def refit(theirs: dict[str, Any]) -> sem.Fit:
    given = dict(theirs["arguments"])
    group = given.pop("group", None)
    options = sem.Options.from_lavaan(given).replaced(model_type=theirs["model_type"])
    return sem.fit(
        theirs["syntax"], recorded.sample(theirs["sample"]), options=options, group=group
    )


@pytest.mark.thorough
@pytest.mark.parametrize("name", FROM_DATA)
def test_every_bound_is_lavaans_and_so_is_the_chi_square(name: str) -> None:
    theirs = FITS[name]
    fit = refit(theirs)
    problem = fit.problem
    limits = bounds_of(fit.table, problem.structure, problem.bounding_variances, fit.options.bounds)
    assert limits is not None
    own = {(r.lhs, r.op, r.rhs, r.group): r.free - 1 for r in fit.table if r.free}
    keys = zip(*(theirs[k] for k in ("lhs", "op", "rhs", "group")), strict=True)
    places = [own[key] for key in keys]
    for side, column, empty in ((limits[0], "lower", -np.inf), (limits[1], "upper", np.inf)):
        expected = [empty if x is None or x == {} else x for x in theirs[column]]
        np.testing.assert_allclose(side[places], np.array(expected, float), rtol=1e-7, atol=1e-9)
    assert fit.converged
    chisq = float(fit.measures["chisq"] or 0.0)
    # lavaan's own search stops at about six digits.
    assert chisq <= theirs["chisq"] * (1 + 1e-6) + 1e-8
    assert chisq == pytest.approx(theirs["chisq"], rel=1e-4, abs=1e-8)


@pytest.mark.parametrize("kind", ["standard", "wide"])
def test_two_indicators_against_the_marker_end_at_its_bounds_as_in_lavaan(kind: str) -> None:
    theirs = FITS[f"against {kind}"]
    names = list("abc")
    cov = pd.DataFrame(theirs["cov"], names, names)
    fit = sem.fit(theirs["syntax"], sample_cov=cov, n=theirs["n"], bounds=kind)
    assert fit.converged
    assert fit.measures["chisq"] == pytest.approx(theirs["chisq"], rel=1e-8)
    np.testing.assert_allclose(fit.theta, theirs["est"], rtol=1e-5)
    held = {fit.names[place] for place in fit.convergence.at_bound}
    assert "f~~f" in held
    assert ("a~~a" in held) == (kind == "standard")
    free = sem.fit(theirs["syntax"], sample_cov=cov, n=theirs["n"])
    assert float(free.measures["chisq"] or 0) < 1e-9


def test_a_negative_marker_turns_its_factor_round() -> None:
    data = recorded.sample("three_factors")
    one = sem.fit("f1 =~ -1*x1 + x2 + x3 + x4", data, bounds="pos.var")
    other = sem.fit("f1 =~ x1 + x2 + x3 + x4", data, bounds="pos.var")
    assert one.converged
    assert one.measures["chisq"] == pytest.approx(other.measures["chisq"])


def test_effect_coding_has_no_automatic_bounds() -> None:
    with pytest.raises(ParameterError, match="effect_coding has neither"):
        sem.Options(effect_coding=("loadings",), bounds="standard")


SECOND_ORDER = "h1 =~ a1 + a2 + a3\nh2 =~ b1 + b2 + b3\nh3 =~ c1 + c2 + c3\ng =~ h1 + h2 + h3\n"


@pytest.mark.parametrize("pair", [("b3", "c3"), ("a1", "b3"), ("b1", "c3")])
def test_with_a_parameter_at_its_bound_an_index_is_the_fall_of_chi_square(
    pair: tuple[str, str],
) -> None:
    """The disturbance of h1 is held at 0; letting it move as well gives 4.02, 1.52 and 2.48."""
    rng, n = np.random.default_rng(0), 150
    g = rng.normal(size=n)
    factors = [share * g + rest * rng.normal(size=n)
               for share, rest in ((0.95, 0.2), (0.6, 0.8), (0.6, 0.8))]  # fmt: skip
    data = pd.DataFrame({f"{letter}{k}": 0.8 * factor + 0.6 * rng.normal(size=n)
                         for letter, factor in zip("abc", factors, strict=True)
                         for k in (1, 2, 3)})  # fmt: skip
    fit = sem.fit(SECOND_ORDER, data, bounds="pos.var")
    assert [fit.names[k] for k in fit.convergence.at_bound] == ["h1~~h1"]
    indices = sem.modification_indices(fit).set_index(["lhs", "op", "rhs"])["mi"].to_dict()
    freed = sem.fit(f"{SECOND_ORDER}{pair[0]} ~~ {pair[1]}", data, bounds="pos.var")
    fall = float(fit.measures["chisq"] or 0) - float(freed.measures["chisq"] or 0)
    assert indices[pair[0], "~~", pair[1]] == pytest.approx(fall, rel=0.05)
