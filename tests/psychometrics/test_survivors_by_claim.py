"""Claims about estimators, links, tests and messages, each against its definition."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import optimize, special, stats

from gfactor.errors import ParameterError
from gfactor.psychometrics import sem
from gfactor.psychometrics.factor.exploratory.criteria import (
    geomin,
    oblimin,
    quartimax,
    varimax,
)
from gfactor.psychometrics.gold.diagnostics import _ends
from gfactor.psychometrics.inference.power import smallest_n
from gfactor.psychometrics.irt import fit_irt
from gfactor.psychometrics.irt.conditional import fit_conditional
from gfactor.psychometrics.irt.differential import dif
from gfactor.psychometrics.irt.distractors import _tested
from gfactor.psychometrics.irt.linking import link
from gfactor.psychometrics.respondents import forensics
from gfactor.psychometrics.sem.batches.scaling import scaling_of
from gfactor.psychometrics.sem.cholesky import positive_inverse
from gfactor.psychometrics.sem.measures import approximation
from gfactor.psychometrics.sem.model import Point
from gfactor.psychometrics.sem.ordinal.mixed_correlations import _correlation
from gfactor.psychometrics.sem.simulation import population


@pytest.mark.parametrize("criterion", [varimax, quartimax, oblimin, geomin])
@pytest.mark.parametrize("parameter", [0.0, 0.3])
def test_a_rotation_criterions_gradient_is_the_derivative_of_its_value(
    criterion: Any, parameter: float
) -> None:
    loadings = np.random.default_rng(1).normal(size=(2, 5, 3))
    extra = (parameter,) if parameter and criterion in (oblimin, geomin) else ()
    gradient, step = criterion(loadings, *extra)[1], 1e-6
    slopes = np.zeros_like(loadings)
    for cell in np.ndindex(5, 3):
        move = np.zeros((5, 3))
        move[cell] = step
        ends = [criterion(loadings + sign * move, *extra)[0] for sign in (1, -1)]
        slopes[:, *cell] = (ends[0] - ends[1]) / (2 * step)
    np.testing.assert_allclose(gradient, slopes, atol=1e-7)


def guessed(a: np.ndarray, b: np.ndarray, c: np.ndarray, theta: np.ndarray) -> np.ndarray:
    return c + (1 - c) * special.expit(a * (theta[:, None] - b))


@pytest.mark.parametrize("method", ["haebara", "stocking-lord"])
def test_curves_with_guessing_are_linked_where_their_distance_is_smallest(method: Any) -> None:
    """The distances of Haebara and of Stocking and Lord, written out for items that disagree."""
    a, b = np.array([1.0, 1.6, 0.8, 1.3]), np.array([-1.0, 0.2, 0.9, 1.6])
    c = np.array([0.3, 0.1, 0.25, 0.2])
    old = pd.DataFrame({"a": a, "b": b, "c": c})
    exact = pd.DataFrame({"a": 1.2 * a, "b": (b - 0.4) / 1.2, "c": c})
    line = link(old, exact, method)
    assert (line.slope, line.intercept) == pytest.approx((1.2, 0.4), abs=1e-7)
    other_c = np.array([0.1, 0.3, 0.2, 0.35])
    new = exact.assign(a=exact["a"] * [0.8, 1.1, 1.2, 0.9], b=exact["b"] + [0.3, -0.2, 0.1, 0.4],
                       c=other_c)  # fmt: skip
    theta = np.linspace(-4, 4, 81)
    weight = stats.norm.pdf(theta)

    def distance(x: np.ndarray) -> float:
        other = guessed(new["a"].to_numpy() / x[0], x[0] * new["b"].to_numpy() + x[1],
                        other_c, theta)  # fmt: skip
        gap = guessed(a, b, c, theta) - other
        whole = gap.sum(axis=1) ** 2 if method == "stocking-lord" else (gap**2).sum(axis=1)
        return float(weight @ whole)

    best = optimize.minimize(distance, [1, 0], method="Nelder-Mead",
                             options={"xatol": 1e-8, "fatol": 1e-14}).x  # fmt: skip
    line = link(old, new, method)
    assert (line.slope, line.intercept) == pytest.approx(tuple(best), abs=1e-5)


def test_rating_scales_need_equal_categories_and_partial_credit_does_not() -> None:
    rng = np.random.default_rng(2)
    z = rng.normal(size=(150, 1)) + rng.normal(size=(150, 3))
    equal = pd.DataFrame(np.digitize(z, [-0.6, 0.6])).add_prefix("r")
    unequal = equal.assign(r0=(equal["r0"] > 0).astype(int))
    with pytest.raises(ParameterError, match="rsm needs the same number of categories"):
        fit_conditional(unequal, "rsm")
    # A parameter per step of an item, less one for the origin; item and step effects, less one.
    assert len(fit_conditional(unequal, "pcm").estimates) == (1 + 2 + 2) - 1
    assert len(fit_conditional(equal, "pcm").estimates) == 3 * 2 - 1
    assert len(fit_conditional(equal, "rsm").estimates) == (3 - 1) + (2 - 1)


def test_walds_test_of_an_item_that_is_fixed_in_one_group_is_against_its_value() -> None:
    rng = np.random.default_rng(7)
    theta = rng.normal(size=(300, 1))
    right = rng.random((300, 5)) < special.expit(theta - np.linspace(-1, 1, 5))
    data = pd.DataFrame(right.astype(float)).add_prefix("i")
    groups = ["r"] * 150 + ["f"] * 150
    given: Any = {"reference": "r", "fixed": {"f:i4.d": 0.6}}
    found = dif(data, groups, "rasch", method="wald", anchors=["i0", "i1", "i2", "i3"], **given)
    fit: Any = fit_irt(data, "rasch", groups=groups, free_items=["i4"], **given)
    row = fit.parameters.query("item == 'i4' and group == 'r' and parameter == 'd'").iloc[0]
    assert found.table.loc["i4", "df"] == 1
    assert found.table.loc["i4", "statistic"] == pytest.approx(
        ((row["estimate"] - 0.6) / row["se"]) ** 2
    )


def test_a_distractor_that_shows_ability_perfectly_is_tested_too() -> None:
    table = pd.DataFrame({
        "item": ["x"] * 2, "option": ["A", "B"], "key": [True, False], "n": [6, 6],
        "r": [-1.0, 1.0],
    })  # fmt: skip
    row = _tested(table, 0.05).iloc[1]
    assert row["p_adjusted"] == pytest.approx(stats.norm.sf(np.arctanh(0.999999) * 3))
    assert row["suspected"]


def test_straight_liners_are_named_in_the_sample_they_are_in() -> None:
    rng = np.random.default_rng(3)
    first, second = (
        pd.DataFrame(rng.integers(1, 6, (80, 20)) * 1.0, index=[f"{s}{k}" for k in range(80)])
        for s in "ab"
    )
    second.iloc[10] = 3.0
    for samples in ({"one": first, "two": second}, {"two": second, "one": first}):
        lines = [d for d in forensics(samples).diagnostics if d.code == "straight_lining"]
        assert [(d.values["sample"], d.where) for d in lines] == [("two", ("b10",))]


@pytest.mark.parametrize("name", ["D_div", "TC", "D_valid"])
@pytest.mark.parametrize("point", [np.nan, np.inf, 0.0, -0.1])
def test_a_diagnostic_without_a_positive_estimate_has_no_interval(name: str, point: float) -> None:
    drawn = np.array([0.3, 0.4, 0.6])
    assert np.isnan(_ends(point, drawn, name, 1.96)).all()
    assert np.isfinite(_ends(0.4, drawn, name, 1.96)).all()
    assert np.isnan(_ends(0.4, drawn[:1], name, 1.96)).all()


def test_the_largest_sample_size_that_is_searched_is_ten_millions() -> None:
    assert smallest_n(lambda n: n >= 10_000_000, 10_000_000, "x") == 10_000_000
    assert smallest_n(lambda n: n >= 4_321_987, 3, "x") == 4_321_987
    with pytest.raises(ParameterError, match=r"a width is not reached with 10,000,000$"):
        smallest_n(lambda n: False, 2, "a width")


def test_a_search_with_free_disturbances_is_of_the_same_model() -> None:
    """A second-order model: its parameters as searched give the same covariances, and lead back."""
    text = (
        "g =~ 0.6*f1 + 0.7*f2 + 0.8*f3\nf1 =~ 0.7*x1 + 0.8*x2 + 0.6*x3\n"
        "f2 =~ 0.7*x4 + 0.8*x5 + 0.6*x6\nf3 =~ 0.7*x7 + 0.8*x8 + 0.6*x9"
    )
    data = sem.simulate_data(text, 200, seed=1)
    model = "g =~ f1 + f2 + f3\nf1 =~ x1 + x2 + x3\nf2 =~ x4 + x5 + x6\nf3 =~ x7 + x8 + x9"
    fit = sem.fit(model, data, std_lv=True)
    problem = fit.problem
    scaling = scaling_of(fit.table, problem.structure, problem.constraints.linear, fit.theta)
    assert sorted(one.name for one in scaling.freed) == ["f1", "f2", "f3"]
    rng = np.random.default_rng(5)
    theta = fit.theta * rng.uniform(0.6, 1.6, (4, len(fit.theta)))
    inner = scaling.inner(theta)
    np.testing.assert_allclose(scaling.outer(inner), theta, rtol=1e-10)
    for written, searched in zip(theta, inner, strict=True):
        (known,), (found,) = (
            Point(s, x).groups
            for s, x in ((problem.structure, written), (scaling.structure, searched))
        )
        np.testing.assert_allclose(found.sigma, known.sigma, rtol=1e-10)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"estimator": "ULS"}, "go with estimators ML and MLR"),
        ({"missing": "pairwise"}, "go with missing = 'listwise' or 'ml'"),
        ({"likelihood": "wishart"}, "go with the normal likelihood"),
        ({"se": "bootstrap"}, "come with the sandwich standard errors"),
        ({"std_ov": True}, "do not go with std_ov = True"),
    ],
)
def test_what_does_not_go_with_weights_or_clusters_is_refused_by_its_name(
    given: dict[str, Any], said: str
) -> None:
    rng = np.random.default_rng(4)
    data = pd.DataFrame(rng.normal(size=(60, 4)), columns=["x1", "x2", "x3", "w"]).abs()
    for column, what in (("sampling_weights", "sampling weights"), ("cluster", "clusters")):
        with pytest.raises(ParameterError, match=f"^{what} {said}"):
            sem.fit("f =~ x1 + x2 + x3", data, **{column: "w"}, **given)


def test_a_matrix_without_finite_determinant_has_no_inverse() -> None:
    for matrix in (np.diag([np.inf, 1.0]), np.diag([np.nan, 1.0]), np.diag([0.0, 1.0])):
        assert positive_inverse(matrix) is None


def test_noncentralities_are_exact_where_scipys_inverse_is_rough(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Releases of scipy differ in the digits of their inverse; a Newton step makes them alike."""
    exact = special.chndtrinc
    monkeypatch.setattr(approximation, "chndtrinc", lambda *given: exact(*given) * (1 + 1e-5))
    for chisq, df, p in ((30.0, 4, 0.05), (30.0, 4, 0.95), (400.0, 100, 0.05), (90.0, 24, 0.95)):
        value = approximation.noncentrality(chisq, df, p)
        assert value == pytest.approx(exact(chisq, df, p), rel=1e-8)


@pytest.mark.parametrize("scale", [0.3, 0.7, 1.0, 1.3])
def test_the_correlation_of_incomplete_columns_has_the_highest_likelihood(scale: float) -> None:
    """The normal likelihood with variances of one, by a grid."""
    grid = np.linspace(-0.9999, 0.9999, 20001)
    for seed in range(4):
        rng = np.random.default_rng(seed)
        a = rng.normal(size=40)
        b = rng.choice([-0.7, 0.2, 0.9]) * a + rng.normal(size=40)
        a, b = scale * a, scale * b
        square, product = float((a**2 + b**2).mean()), float((a * b).mean())
        loss = np.log(1 - grid**2) + (square - 2 * grid * product) / (1 - grid**2)
        assert _correlation(a, b) == pytest.approx(grid[loss.argmin()], abs=2e-4)


def test_incomplete_columns_that_do_not_go_together_have_correlation_zero() -> None:
    assert _correlation(np.array([1.2, -1.2, 1.2, -1.2]), np.array([1.2, 1.2, -1.2, -1.2])) == 0


def test_a_population_fixes_zeros_and_estimates_every_other_number() -> None:
    known = population(
        "f =~ 0.7*x1 + 0.8*x2 + 0.6*x3 + 0*x4\nx2 ~ 1*1\nx3 ~ 0*1\nx1 ~~ 0*x2\nx1 ~~ 0.1*x3"
    )
    rows = {(r.lhs, r.op, r.rhs): (bool(r.free), r.value) for r in known.table.rows}
    assert rows["f", "=~", "x4"] == rows["x1", "~~", "x2"] == rows["x3", "~1", ""] == (False, 0.0)
    assert rows["x2", "~1", ""] == (True, 1.0)
    assert rows["x1", "~~", "x3"] == (True, 0.1)
    assert rows["f", "~~", "f"] == (False, 1.0)
