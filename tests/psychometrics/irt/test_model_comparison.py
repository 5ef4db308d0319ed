"""Comparing item response models: likelihood ratio where nested, Vuong's test where not."""

from __future__ import annotations

import math
from functools import cache
from itertools import product
from typing import Any, cast

import numpy as np
import pandas as pd
import pytest
from scipy import special

import gfactor as gf
from gfactor.errors import GfactorError
from gfactor.psychometrics.irt import IRTFit
from gfactor.psychometrics.irt.checks.nesting import is_nested, on_boundary
from gfactor.psychometrics.nonnested import weighted_chi_square_tail

ITEMS = [f"i{k}" for k in range(5)]


@cache
def _ratings(persons: int = 400) -> pd.DataFrame:
    """Graded responses of three categories."""
    rng = np.random.default_rng(5)
    theta, slopes = rng.normal(size=(persons, 1)), np.array([0.6, 1.0, 1.4, 1.8, 2.2])
    latent = slopes * theta + rng.logistic(size=(persons, 5))
    return pd.DataFrame((latent > -1).astype(int) + (latent > 1), columns=ITEMS)


@cache
def _fit(model: str, split: bool = False, **settings: Any) -> IRTFit:
    data = (_ratings() > 0).astype(int) if split else _ratings()
    return gf.irt(model, data, **settings)


def _persons_by_hand(fit: IRTFit) -> np.ndarray:
    """Log-likelihoods of the persons by a sum over 401 abilities, from the tables of the fit."""
    theta = np.linspace(-8, 8, 401)
    weight = np.exp(-0.5 * theta**2) / np.exp(-0.5 * theta**2).sum()
    patterns = {}
    table = fit.parameters.pivot_table(index="item", columns="parameter", values="estimate")
    graded = fit.request.model == "grm"
    curves = {}
    for item in table.index:
        row: Any = table.loc[item]
        steps = row[[c for c in table.columns if c.startswith("d")]].to_numpy(float)
        steps = steps[~np.isnan(steps)]
        if graded:
            above = special.expit(row["a1"] * theta[None] + steps[:, None])
            above = np.vstack([np.ones(len(theta)), above, np.zeros(len(theta))])
            curves[item] = above[:-1] - above[1:]
        else:
            steps = steps if len(steps) == 3 else np.concatenate([[0.0], steps])
            curves[item] = special.softmax(
                np.arange(3)[:, None] * row["a1"] * theta + steps[:, None], axis=0
            )
    for pattern in product(range(3), repeat=5):
        p = weight.copy()
        for item, code in zip(ITEMS, pattern, strict=True):
            p = p * curves[item][code]
        patterns[pattern] = math.log(p.sum())
    return np.array([patterns[tuple(row)] for row in _ratings().to_numpy()])


def test_nested_models_are_compared_by_the_likelihood_ratio() -> None:
    smaller, larger = _fit("rasch", split=True), _fit("2pl", split=True)
    compared = gf.compare_fits(smaller, larger)
    assert compared.nested
    assert compared.df == 4
    assert compared.chisq == pytest.approx(2 * (larger.loglik - smaller.loglik), rel=1e-12)
    assert compared.pvalue == pytest.approx(special.chdtrc(4, compared.chisq), rel=1e-9)
    # The slopes of the population differ by a factor of 3.7.
    assert compared.pvalue < 1e-3
    assert math.isnan(compared.z)
    # The order of the two does not matter.
    assert gf.compare_fits(larger, smaller).chisq == compared.chisq


@pytest.mark.thorough
def test_criteria_follow_their_formulas() -> None:
    fit = _fit("grm")
    row = gf.compare_fits(fit, _fit("gpcm")).criteria.loc["first"]
    k, n = 15, 400
    assert row["n_free"] == k
    assert row["aic"] == pytest.approx(-2 * fit.loglik + 2 * k)
    assert row["bic"] == pytest.approx(-2 * fit.loglik + k * math.log(n))
    assert row["sabic"] == pytest.approx(-2 * fit.loglik + k * math.log((n + 2) / 24))


def test_vuongs_statistic_equals_that_of_likelihoods_computed_by_hand() -> None:
    graded, partial = _fit("grm"), _fit("gpcm")
    gain = _persons_by_hand(graded) - _persons_by_hand(partial)
    z = gain.sum() / (math.sqrt(len(gain)) * gain.std())
    compared = gf.compare_fits(graded, partial)
    assert not compared.nested
    assert compared.z == pytest.approx(z, rel=1e-3)
    assert compared.z_pvalue == pytest.approx(2 * special.ndtr(-abs(z)), rel=1e-3)
    assert compared.variance == pytest.approx(gain.var(), rel=1e-3)
    assert gf.compare_fits(partial, graded).z == pytest.approx(-compared.z)
    assert 0 <= compared.variance_pvalue <= 1


def test_two_names_of_one_model_cannot_be_distinguished() -> None:
    compared = gf.compare_fits(_fit("rasch", split=True), _fit("1pl", split=True))
    assert not compared.nested
    assert compared.z_pvalue > 0.9
    assert compared.variance_pvalue > 0.9


def test_models_that_differ_are_told_from_models_that_do_not() -> None:
    data = (_ratings() > 0).astype(int)
    wrong = gf.irt("rasch", data, fixed={f"i{k}.d": d for k, d in enumerate([2.0, -2, 2, -2, 2])})
    compared = gf.compare_fits(wrong, _fit("rasch", split=True), nested=False)
    assert compared.variance_pvalue < 0.001
    assert compared.z < -5


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("smaller", "larger", "nested"),
    [("rsm", "pcm", True), ("pcm", "gpcm", True), ("gpcm", "nrm", True), ("1pl", "gpcm", True),
     ("pcm", "grm", False), ("gpcm", "grm", False), ("rsm", "grm", False)],
)  # fmt: skip
def test_what_is_a_special_case_of_what(smaller: str, larger: str, nested: bool) -> None:
    first, second = _fit(smaller), _fit(larger)
    assert is_nested(first, second) is nested
    assert not is_nested(second, first)
    if nested:
        assert second.loglik > first.loglik - 1e-6


def test_fixed_asymptotes_groups_and_constraints_decide_about_nesting() -> None:
    plain, data = _fit("2pl", split=True), (_ratings() > 0).astype(int)
    guessed = gf.irt("rasch", data, guess=0.1)
    assert not is_nested(guessed, plain)
    assert is_nested(guessed, gf.irt("2pl", data, guess=0.1))
    groups = ["u", "v"] * 200
    equal = gf.irt("2pl", data, group=groups)
    free = gf.irt("2pl", data, group=groups, equal=("slopes",), free_items=("i0",))
    assert is_nested(plain, equal)
    assert not is_nested(equal, gf.irt("2pl", data, constraints=[["i0.a1", "i1.a1"]]))
    assert is_nested(gf.irt("2pl", data, constraints=[["i0.a1", "i1.a1"]]), plain)
    assert free.n_free > equal.n_free
    assert is_nested(equal, free)


def test_an_asymptote_added_is_named_as_a_boundary() -> None:
    data = (_ratings() > 0).astype(int)
    larger = gf.irt("3pl", data, priors={"guess": None})
    smaller = _fit("2pl", split=True)
    compared = gf.compare_fits(smaller, larger)
    assert on_boundary(smaller, larger)
    assert "boundary_of_larger_model" in {entry.code for entry in compared.diagnostics}
    assert compared.df == 5
    assert math.isfinite(compared.pvalue)


def test_models_with_priors_have_no_likelihood_ratio_test() -> None:
    data = (_ratings() > 0).astype(int)
    smaller, larger = _fit("2pl", split=True), gf.irt("3pl", data)
    compared = gf.compare_fits(smaller, larger)
    assert compared.nested
    assert math.isnan(compared.chisq)
    assert math.isnan(compared.pvalue)
    assert compared.title == "nested models with priors: there is no likelihood ratio test"
    assert "chi-square" not in compared.summary()
    assert "there is no likelihood ratio test" in compared.paragraph()
    assert "priors_in_comparison" in {entry.code for entry in compared.diagnostics}
    table = gf.compare_fits(_fit("rasch", split=True), smaller, larger)
    assert np.isnan(table.fits["d_pvalue"].to_numpy(float)).tolist() == [True, True, False]


@pytest.mark.thorough
def test_a_model_with_some_asymptotes_fixed_is_a_special_case_of_one_that_estimates_them() -> None:
    data = (_ratings() > 0).astype(int)
    some = gf.irt("2pl", data, guess={"i0": 0.1})
    assert is_nested(some, gf.irt("3pl", data))
    assert not is_nested(some, gf.irt("3pl", data, guess={"i0": 0.2}))
    assert not is_nested(gf.irt("rasch", data, guess=0.1), some)


def test_what_cannot_be_compared_is_refused_in_a_sentence() -> None:
    fit = _fit("2pl", split=True)
    other = gf.irt("rasch", (_ratings().iloc[:300] > 0).astype(int))
    untyped = cast("Any", gf.compare_fits)
    with pytest.raises(GfactorError, match="300 persons x 5 items and 400 persons x 5 items"):
        gf.compare_fits(other, fit)
    with pytest.raises(GfactorError, match="both models have"):
        gf.compare_fits(_fit("grm"), _fit("gpcm"), nested=True)
    with pytest.raises(GfactorError, match="got an item response model and a number"):
        untyped(fit, 3)
    with pytest.raises(GfactorError, match="method is for structural equation models"):
        untyped(fit, fit, method="standard")
    classes = gf.latent_classes((_ratings() > 0).astype(int), 2, starts=1)
    two = "got a latent class model and a latent class model; of latent class models compare `bic`"
    with pytest.raises(GfactorError, match=two):
        untyped(classes, classes)
    with pytest.raises(GfactorError, match="a latent class model; of latent class models"):
        untyped(classes, classes, classes)
    with pytest.raises(GfactorError, match=r"a result of another analysis \(IRTComparison\)"):
        untyped(fit, gf.compare_fits(fit, _fit("rasch", split=True)))


def test_models_with_and_without_groups_have_different_names() -> None:
    data = (_ratings() > 0).astype(int)
    groups = gf.irt("rasch", data, group=["a", "b"] * 200)
    alone = _fit("rasch", split=True)
    compared = gf.compare_fits(alone, groups)
    assert compared.criteria["model"].tolist() == ["rasch", "rasch in 2 groups"]
    assert "rasch (6 free parameters) and rasch in 2 groups (8 free" in compared.paragraph()
    fits = gf.compare_fits(alone, groups, _fit("2pl", split=True)).fits
    assert set(fits["name"]) == {"rasch", "rasch in 2 groups", "2pl"}


def test_weighted_chi_squares_have_the_tail_of_drawn_ones() -> None:
    weights = np.array([3.0, 1.0, 0.5, 0.5, 0.1])
    drawn = np.random.default_rng(1).chisquare(1, size=(100_000, 5)) @ weights
    for at, error in ((4.0, 0.03), (12.0, 0.01), (20.0, 0.003)):
        tail = (drawn > at).mean()
        assert weighted_chi_square_tail(weights, at) == pytest.approx(tail, abs=error)
    assert weighted_chi_square_tail(np.full(3, 2.0), 10) == pytest.approx(special.chdtrc(3, 5))
