"""Small statements of the models' code, each by its definition."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support import lavaan_recorded as recorded

from gfactor.errors import ParameterError
from gfactor.psychometrics import sem
from gfactor.psychometrics.inference.resampling import interval, quantiles
from gfactor.psychometrics.sem.batches.outcome import improprieties
from gfactor.psychometrics.sem.bootstrapping.result import covariance_of_draws
from gfactor.psychometrics.sem.discrepancy import blockwise
from gfactor.psychometrics.sem.exactfit import tail
from gfactor.psychometrics.sem.inference.gamma import moment_covariance, moment_rows
from gfactor.psychometrics.sem.optimize import start_values
from gfactor.psychometrics.sem.results.text import fixed, p_value, share
from gfactor.psychometrics.sem.sample import GroupSample
from gfactor.psychometrics.sem.sample.blocks import pattern_blocks
from gfactor.psychometrics.sem.sample.saturated import saturated_moments
from gfactor.psychometrics.sem.simulation import population
from gfactor.psychometrics.sem.syntax import table_options

TWO = "f =~ x1 + x2 + x3\ng =~ x4 + x5 + x6"
RNG = np.random.default_rng


def test_solutions_are_improper_by_a_negative_variance_or_a_correlation_beyond_one() -> None:
    fit = sem.fit(TWO, recorded.sample("three_factors"), std_lv=True)
    names = list(fit.names)
    good = fit.theta.copy()
    negative, beyond, both = good.copy(), good.copy(), good.copy()
    negative[names.index("x2~~x2")] = -0.1
    beyond[names.index("f~~g")] = 1.2
    both[[names.index("x2~~x2"), names.index("f~~g")]] = -0.1, 1.2
    said = improprieties(fit.problem.structure, np.stack([good, negative, beyond, both]))
    assert said[0] == ""
    assert said[1] == "negative residual variance of x2"
    assert said[2] == "covariance matrix of the latent variables not positive definite"
    assert said[3] == said[1]


def test_improper_solutions_of_groups_name_the_group() -> None:
    data = recorded.sample("three_factors")
    fit = sem.fit(TWO, data, group="school", std_lv=True)
    theta = np.stack([fit.theta] * 2)
    second = [k for k, name in enumerate(fit.names) if name.startswith("f~~g")][1]
    theta[1, second] = -1.5
    assert improprieties(fit.problem.structure, theta) == [
        "", "covariance matrix of the latent variables not positive definite in group 2",
    ]  # fmt: skip


def test_two_draws_have_a_covariance_and_one_has_none() -> None:
    draws = np.array([[1.0, 2.0], [3.0, 1.0]])

    def found(count: int) -> Any:
        return SimpleNamespace(theta=draws[:count], kept=np.ones(count, bool))

    np.testing.assert_allclose(covariance_of_draws(found(2)), [[1.0, -0.5], [-0.5, 0.25]])
    with pytest.raises(ParameterError, match="1 of 1 resamples have a solution"):
        covariance_of_draws(found(1))


def test_a_column_without_draws_hides_no_other_columns_quantile() -> None:
    draws = np.column_stack([np.full(9, np.nan), np.arange(1.0, 10.0)])
    draws[0, 0] = 4.0
    found = quantiles(draws, np.array([0.5, 0.25]))
    assert np.isnan(found[0])
    assert found[1] == 2.5  # (9 + 1) / 4 = 2.5, between 2 and 3
    assert quantiles(draws[:, 1:], np.array([0.001]))[0] == 1.0
    assert quantiles(draws[:, 1:], np.array([0.999]))[0] == 9.0


def test_basic_and_normal_intervals_are_turned_round_the_estimate() -> None:
    draws = RNG(1).normal(2.0, 1.0, (99, 1))
    est = np.array([1.5])
    low, high = interval(draws, est, 0.9, "percentile")
    ordered = np.sort(draws[:, 0])
    assert (low[0], high[0]) == pytest.approx((ordered[4], ordered[94]))
    basic = interval(draws, est, 0.9, "basic")
    assert (basic[0][0], basic[1][0]) == pytest.approx((3 - ordered[94], 3 - ordered[4]))
    normal = interval(draws, est, 0.9, "normal")
    middle, reach = 3 - draws.mean(), 1.6448536269514722 * draws.std(ddof=1)
    assert (normal[0][0], normal[1][0]) == pytest.approx((middle - reach, middle + reach))


def test_what_given_covariates_explain_is_taken_off_the_moments() -> None:
    x = RNG(2).normal(size=(50, 3))
    x[:, 0] += 0.7 * x[:, 2]
    group = GroupSample("", 50, x.mean(axis=0), np.cov(x.T, ddof=0), x)
    given = np.array([False, False, True])
    plain, freed = moment_rows(group, means=True), moment_rows(group, means=True, given=given)
    none = moment_rows(group, means=True, given=np.zeros(3, bool))
    np.testing.assert_array_equal(none, plain)
    away = x - x.mean(axis=0)
    slope = away[:, 2] @ away[:, 0] / (away[:, 2] @ away[:, 2])
    np.testing.assert_allclose(freed[:, 0], away[:, 0] - slope * away[:, 2], atol=1e-12)
    np.testing.assert_allclose(freed[:, 2], 0, atol=1e-12)
    np.testing.assert_allclose(moment_covariance(group, means=True), np.cov(plain.T, ddof=0))


def test_score_tests_do_not_depend_on_how_a_constraint_is_written() -> None:
    data = recorded.sample("three_factors")
    model = "f =~ x1 + a*x2 + b*x3\ng =~ x4 + c*x5 + d*x6\n"
    one = sem.score_tests(sem.fit(model + "a == b\nc == d", data))
    other = sem.score_tests(sem.fit(model + "1000*a == 1000*b\n0.001*c == 0.001*d", data))
    assert list(one["df"]) == list(other["df"]) == [2, 1, 1]
    np.testing.assert_allclose(one["chisq"], other["chisq"], rtol=1e-6)
    assert list(one["rhs"]) == ["", "b", "d"]


def test_a_constraint_is_shown_as_it_was_written() -> None:
    table = sem.build_table("f =~ x1 + a*x2 + b*x3\n2*a == b + 0.50\nhalf := (a + b) / 2")
    rows = {row.op: (row.lhs, row.rhs) for row in table.rows if row.group == 0}
    assert rows["=="] == ("2*a", "b+0.50")
    assert rows[":="] == ("half", "(a+b)/2")


def test_means_are_known_by_their_rows() -> None:
    assert not sem.build_table(TWO).has_means
    assert sem.build_table(TWO + "\nx1 ~ 1").has_means
    alone = "f =~ 1*x1 + x2 + x3\nx1 ~~ x1\nx2 ~~ x2\nx3 ~~ x3\nf ~~ f"
    assert not sem.build_table(alone, options=table_options("lavaan")).has_means


def test_the_text_is_the_model_where_nothing_is_completed() -> None:
    ordered = {"x1": 3, "x2": 3, "x3": 3}
    model = "f =~ x1 + x2 + x3"
    plain = sem.build_table(model, options=table_options("lavaan", ordered=ordered))
    assert {row.op for row in plain.rows} == {"=~", "~~"}
    assert [(row.lhs, row.value) for row in plain.rows if row.op == "~~"] == [
        ("x1", 1.0), ("x2", 1.0), ("x3", 1.0), ("f", 0.0),
    ]  # fmt: skip
    whole = sem.build_table(model, options=table_options("cfa", ordered=ordered))
    assert {"=~", "~~", "|", "~*~"} <= {row.op for row in whole.rows}


def test_variables_of_each_group_of_a_text_have_variance_one() -> None:
    text = "f =~ c(0.7, 0.5)*x1 + c(0.8, 0.6)*x2 + c(0.6, 0.9)*x3"
    known = population(text, ("a", "b"))
    for cov, loadings in zip(known.covs, ([0.7, 0.8, 0.6], [0.5, 0.6, 0.9]), strict=True):
        wanted = np.outer(loadings, loadings)
        np.fill_diagonal(wanted, 1.0)
        np.testing.assert_allclose(cov, wanted)


def test_groups_of_matrices_are_numbered_and_counted_in_the_text() -> None:
    data = recorded.sample("three_factors").drop(columns="school").iloc[:, :3]
    halves = [data.iloc[:160], data.iloc[160:]]
    fit = sem.fit(
        "f =~ x1 + x2 + x3", sample_cov=[one.cov() for one in halves], n=[160, 160],
        group_equal=("loadings",),
    )  # fmt: skip
    assert fit.sample.labels == ("Group 1", "Group 2")
    assert "n = 160 + 160 in 2 groups," in fit.summary()
    alone = sem.fit("f =~ x1 + x2 + x3", data)
    assert "n = 320, 6 parameters" in alone.summary()


@pytest.mark.parametrize(("value", "shown"), [(0.0009, "< .001"), (0.001, ".001"), (0.5, ".500")])
def test_p_values_below_a_thousandth_are_not_spelt_out(value: float, shown: str) -> None:
    assert p_value(value) == shown
    assert p_value(float("nan")) == "-"
    assert (fixed(-0.001), fixed(None), share(-0.25, 2), share(1.5)) == (
        "0.00",
        "-",
        "-.25",
        "1.500",
    )


@pytest.mark.parametrize("limit", [2, 60])
def test_sums_over_blocks_are_those_of_the_blocks_one_by_one(
    limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the definition, tr(L dSigma_i R dSigma_j), and dmu' W dSigma u."""
    monkeypatch.setattr(blockwise, "_LARGEST", limit)
    rng, p, r = RNG(3), 4, 5
    a, b = rng.normal(size=(2, r, p))
    weight = np.array([0.5, 2.0, 1.5])

    def symmetric() -> np.ndarray:
        x = rng.normal(size=(3, p, p))
        return x + x.mT

    left, right, pull = symmetric(), symmetric(), rng.normal(size=(3, p))
    mean = rng.normal(size=(2, p))
    slopes = a[:, :, None] * b[:, None] + b[:, :, None] * a[:, None]
    wanted = np.einsum("k,kab,ibc,kcd,jda->ij", weight, left, slopes, right, slopes)
    found = blockwise.summed_pair_products(weight, left, right, (a, b))
    np.testing.assert_allclose(found, (wanted + wanted.T) / 2)
    mixed = np.einsum("k,ma,kab,ibc,kc->mi", weight, mean, left, slopes, pull)
    found = blockwise.summed_mixed_products(weight, left, pull, (a, b), mean)
    np.testing.assert_allclose(found, mixed)


@pytest.mark.parametrize("tolerance", [1e-12, 1e-5])
def test_moments_that_are_not_found_in_time_name_the_group(tolerance: float) -> None:
    rows = RNG(4).normal(size=(40, 3))
    rows[RNG(5).random(rows.shape) < 0.3] = np.nan
    rows = rows[~np.isnan(rows).all(axis=1)]
    for label, said in (
        ("south", " of group 'south' did not converge in 1 EM"),
        ("", "unrestricted moments did not"),
    ):
        group = GroupSample(label, len(rows), np.nanmean(rows, axis=0), np.eye(3), rows)
        blocks = pattern_blocks(group, 1.0)
        with pytest.raises(ParameterError, match=said):
            saturated_moments(group, blocks, tolerance=tolerance, steps=1)
        found, _ = saturated_moments(group, blocks, tolerance=tolerance)
        assert np.linalg.eigvalsh(found.cov).min() > 0


def test_scores_are_refused_where_a_residual_variance_is_zero() -> None:
    data = recorded.sample("ordinal")
    x = [f"x{k}" for k in range(1, 4)]
    model = "f =~ x1 + x2 + x3"
    fit = sem.fit(model, data, ordered=x, estimator="WLSMV", parameterization="theta")
    assert np.isfinite(sem.factor_scores(fit).scores.to_numpy()).all()
    fit = sem.fit("f =~ 1.2*x1 + x2 + x3\nf ~~ 1*f", data, ordered=x, estimator="WLSMV")
    with pytest.raises(ParameterError, match="residual variance of x1 is not > 0"):
        sem.factor_scores(fit)


def test_a_parameter_table_may_be_fitted_again() -> None:
    data = recorded.sample("three_factors")
    fit = sem.fit(TWO, data)
    again = sem.fit(fit.table, data)
    np.testing.assert_allclose(again.theta, fit.theta, rtol=1e-9)
    with pytest.raises(ParameterError, match="the parameter table has 1 groups, the data 2"):
        sem.fit(fit.table, data, group="school")


def test_frames_without_missing_cells_are_the_same_under_full_information() -> None:
    data = pd.DataFrame(recorded.sample("three_factors"))
    plain, full = (sem.fit(TWO, data, missing=m, meanstructure=True) for m in ("listwise", "ml"))
    np.testing.assert_allclose(full.theta, plain.theta, rtol=1e-7, atol=1e-9)
    assert full.measures["chisq"] == pytest.approx(plain.measures["chisq"], rel=1e-8)


def test_a_chi_square_below_zero_by_rounding_has_a_p_of_one() -> None:
    assert tail(-1e-14, 3) == tail(0.0, 3) == 1.0
    assert tail(7.814727903251179, 3) == pytest.approx(0.05)
    assert np.isnan(tail(1.0, 0))


@pytest.mark.parametrize("turned", [k for k in range(16) if k % 2 == 0])
def test_loadings_begin_with_the_signs_of_their_correlations_with_the_first(turned: int) -> None:
    """Whatever sign the eigenvector has; so a marker or a first loading is positive."""
    signs = np.array([-1.0 if turned & (1 << k) else 1.0 for k in range(4)])
    data: Any = recorded.sample("three_factors")[["x1", "x2", "x3", "x4"]] * signs
    fit = sem.fit("f =~ x1 + x2 + x3 + x4", data, std_lv=True)
    start = start_values(fit.table, fit.problem.structure, fit.problem.sample)
    np.testing.assert_array_equal(np.sign(start[:4]), signs)
    np.testing.assert_array_equal(np.sign(fit.theta[:4]), signs)


@pytest.mark.parametrize("marker", [0.3, 0.05, 0.02])
def test_a_large_estimate_at_which_the_search_ends_is_no_runaway(marker: float) -> None:
    """Loadings relative to a weak marker are up to forty times their usual size."""
    loadings = np.array([marker, 0.8, 0.7, 0.6])
    cov = np.outer(loadings, loadings) + np.diag(1 - loadings**2)
    names = ["x1", "x2", "x3", "x4"]
    exact = pd.DataFrame(cov, names, names) * 1000 / 999
    fit = sem.fit("f =~ x1 + x2 + x3 + x4", sample_cov=exact, n=1000)
    assert fit.converged
    assert fit.convergence.status == "converged"
    np.testing.assert_allclose(fit.theta[:3], loadings[1:] / marker, rtol=1e-5)


def test_scores_that_the_data_hardly_determine_are_named() -> None:
    data: Any = recorded.sample("three_factors")[["x1", "x2", "x3"]]
    noisy = data + 3 * RNG(8).normal(size=data.shape)
    good, weak = (
        {one.code: one for one in sem.factor_scores(sem.fit("f =~ x1 + x2 + x3", x)).diagnostics}
        for x in (data, noisy)
    )
    assert "scores_indeterminate" not in good
    assert weak["scores_indeterminate"].where == ("f",)


@pytest.mark.parametrize(
    ("limits", "low", "high"),
    [("a > 0.1", 0.1, np.inf), ("a < 5", -np.inf, 5.0), ("a > 0.1\na < 5", 0.1, 5.0)],
)
def test_a_bound_on_one_side_is_a_bound(limits: str, low: float, high: float) -> None:
    data = recorded.sample("three_factors")
    fit = sem.fit(f"f =~ x1 + x2 + x3\nx1 ~~ a*x1\n{limits}", data)
    assert fit.converged
    tight = sem.fit("f =~ x1 + x2 + x3\nx1 ~~ a*x1\na > 2.5", data)
    plain = sem.fit("f =~ x1 + x2 + x3", data)
    place = list(plain.names).index("x1~~x1")
    assert low <= plain.theta[place] <= high
    np.testing.assert_allclose(fit.theta, plain.theta, rtol=1e-6)
    assert tight.theta[place] == pytest.approx(2.5, abs=1e-6)
    assert (tight.measures["chisq"] or 0) > 1e-3


def test_limits_of_a_table_are_none_only_where_no_parameter_has_one() -> None:
    def limits(loading: str) -> Any:
        return sem.build_table(f"f =~ x1 + {loading}*x2 + x3").limits

    assert limits("start(0.5)") is None
    for loading, low, high in (
        ("lower(0.1)", 0.1, np.inf), ("upper(2)", -np.inf, 2.0),
        ("lower(0.1)*x2 + upper(2)", 0.1, 2.0),
    ):  # fmt: skip
        lower, upper = limits(loading)
        assert (lower[0], upper[0]) == (low, high)
        assert np.isinf(lower[1:]).all()
        assert np.isinf(upper[1:]).all()
