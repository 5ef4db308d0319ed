"""Many fits at once are the fits that come one at a time."""

from __future__ import annotations

import numpy as np
import pytest
from support import lavaan_recorded as recorded
from support.m3gia_population import SECOND_ORDER, sample

from gfactor.errors import ParameterError
from gfactor.psychometrics import sem
from gfactor.psychometrics.sem.batches import (
    FAILED,
    IMPROPER,
    INFINITE,
    PROPER,
    ManyFits,
    Moments,
    fit_each,
    fit_many,
    joined,
    weighted_moments,
)
from gfactor.psychometrics.sem.batches.likelihood import ReplicateLikelihood, given_cells
from gfactor.psychometrics.sem.batches.one_by_one import fit_alone
from gfactor.psychometrics.sem.batches.outcome import improprieties
from gfactor.psychometrics.sem.batches.scaling import scaling_of
from gfactor.psychometrics.sem.bootstrapping.resamples import _sample
from gfactor.psychometrics.sem.model import Point
from gfactor.psychometrics.sem.problem import problem_of
from gfactor.psychometrics.sem.sample import GroupSample, Sample

MODELS = (
    "cfa_ml", "cfa_residuals", "cfa_wishart", "second_order", "groups_scalar", "groups_strict",
    "growth", "growth_covariate", "labels", "mediation", "paths", "heywood",
)  # fmt: skip


def resampled(fit: sem.Fit, n_bootstrap: int, seed: int = 1) -> Moments:
    rng = np.random.default_rng(seed)
    parts = []
    for group in fit.sample.groups:
        counts = rng.multinomial(group.n, np.full(group.n, 1 / group.n), n_bootstrap)
        parts.append(weighted_moments(np.asarray(group.rows), counts.astype(float)))
    return joined(parts, wishart=fit.options.likelihood == "wishart")


def one(fit: sem.Fit, moments: Moments, place: int) -> Sample:
    parts = []
    for group, mine in zip(fit.sample.groups, moments.groups, strict=True):
        divisor = (group.n - 1) / group.n if fit.options.likelihood == "wishart" else 1.0
        cov = mine.cov[place] * divisor
        parts.append(GroupSample(group.label, group.n, mine.mean[place], cov))
    return Sample(fit.sample.variables, tuple(parts))


def test_curvatures_of_chains_of_latent_means_are_those_of_a_single_fit() -> None:
    """A latent regressed on a latent that is regressed, with means that two groups differ in."""
    chain = "f =~ x1 + x2 + x3\ng =~ x4 + x5 + x6\nh =~ x7 + x8 + x9\ng ~ f\nh ~ g + f"
    fit = sem.fit(chain, recorded.sample("three_factors"), group="school", model_type="sem",
                  group_equal=["loadings", "intercepts"])  # fmt: skip
    _as_single_fits(fit)


@pytest.mark.parametrize("name", [*MODELS, "bifactor"])
def test_value_gradient_and_curvatures_are_those_of_a_single_fit(name: str) -> None:
    _as_single_fits(recorded.replay(name))


def _as_single_fits(fit: sem.Fit) -> None:
    moments = resampled(fit, 3)
    structure = fit.problem.structure
    given = given_cells(
        structure, fit.table.rows, fit.sample.variables, bool(fit.problem.exogenous)
    )
    many = ReplicateLikelihood(structure, moments, given)
    rng = np.random.default_rng(2)
    theta = fit.theta * (1 + 0.05 * rng.standard_normal((3, len(fit.theta))))
    every = np.arange(3)
    state = many.at(theta, every)
    parts = many.parts(state, every)
    found = (many.gradient(parts), many.expected(parts), many.hessian(parts))
    for place in range(3):
        single = problem_of(fit.table, one(fit, moments, place), fit.options).discrepancy
        point = single.at(theta[place])
        assert state.value[place] == pytest.approx(single.value(point), rel=1e-12)
        wanted = (single.gradient(point), single.expected(point), single.hessian(point))
        for mine, theirs in zip(found, wanted, strict=True):
            lower = np.tril(theirs) if theirs.ndim == 2 else theirs
            np.testing.assert_allclose(mine[place], lower, rtol=1e-9, atol=1e-11)


@pytest.mark.thorough
@pytest.mark.parametrize("name", MODELS)
def test_ends_are_those_of_single_searches(name: str) -> None:
    fit = recorded.replay(name)
    moments = resampled(fit, 6)
    found = fit_many(fit, moments)
    assert set(found.kind) <= {PROPER, IMPROPER}
    assert np.nanmax(found.gradient) < 1e-7
    for place in range(6):
        single = fit_alone(fit.table, one(fit, moments, place), fit.options, fit.theta)
        assert single is not None
        assert found.chisq[place] == pytest.approx(
            2 * single.problem.cases * single.outcome.value, rel=1e-9
        )
        np.testing.assert_allclose(found.theta[place], single.theta, rtol=1e-6, atol=1e-6)


def test_bounds_are_an_active_set_of_each_replicate() -> None:
    fit = recorded.replay("bounds_active")
    moments = resampled(fit, 8)
    found = fit_many(fit, moments)
    held = 0
    for place in range(8):
        sample_ = one(fit, moments, place)
        single = fit_alone(fit.table, sample_, fit.options, fit.theta)
        assert single is not None
        held += len(single.convergence.at_bound)
        assert found.chisq[place] == pytest.approx(2 * fit.n * single.outcome.value, rel=1e-8)
    assert held


@pytest.fixture(scope="module")
def small() -> tuple[sem.Fit, Moments, ManyFits]:
    """A second-order model with fixed disturbances and 60 persons: half of its resamples have
    their solution at infinity."""
    fit = sem.fit(SECOND_ORDER, sample(3), std_lv=True)
    moments = resampled(fit, 60)
    return fit, moments, fit_many(fit, moments)


def test_no_resample_of_a_small_sample_fails_without_a_name(
    small: tuple[sem.Fit, Moments, ManyFits],
) -> None:
    _, _, found = small
    assert found.count(INFINITE) > 5
    assert found.kept.mean() >= 0.98
    told = found.reason[found.kind != PROPER]
    assert all(told)
    assert not found.reason[found.kind == PROPER].any()


def test_a_limit_at_infinity_is_as_good_as_any_finite_point(
    small: tuple[sem.Fit, Moments, ManyFits],
) -> None:
    fit, moments, found = small
    slopes = [row.free - 1 for row in fit.table if row.op == "=~" and row.lhs == "GIA"]
    for place in np.flatnonzero(found.kind == INFINITE)[:2]:
        assert np.isinf(found.theta[place, slopes]).any()
        assert np.isfinite(found.standardized[place]).all()
        single = fit_alone(fit.table, one(fit, moments, int(place)), fit.options, fit.theta)
        assert single is not None
        assert not single.converged
        # The single search walks on until nothing is gained: it stops just above the limit.
        reached = 2 * fit.n * single.outcome.value
        assert found.chisq[place] <= reached + 1e-9
        assert found.chisq[place] == pytest.approx(reached, rel=1e-5)
        standard = single.estimates["std.all"].to_numpy()
        rows = [k for k, row in enumerate(fit.table) if row.op == "=~"]
        np.testing.assert_allclose(found.standardized[place, rows], standard[rows], atol=0.02)


def test_replicates_do_not_see_each_other(small: tuple[sem.Fit, Moments, ManyFits]) -> None:
    fit, moments, found = small
    some = np.array([41, 7, 23])
    again = fit_many(fit, moments.take(some))
    assert list(again.kind) == list(found.kind[some])
    np.testing.assert_allclose(again.chisq, found.chisq[some], rtol=1e-10)


def test_samples_without_spread_are_named() -> None:
    fit = recorded.replay("cfa_ml")
    flat = joined(
        [weighted_moments(np.asarray(fit.sample.groups[0].rows), _first_cases_only(fit.n))]
    )
    found = fit_many(fit, flat)
    assert found.reasons("failed") == {"the covariance matrix of the sample is singular": 2}


def _first_cases_only(n: int) -> np.ndarray:
    weights = np.zeros((2, n))
    weights[:, :4] = n / 4
    return weights


def test_what_is_no_complete_likelihood_is_refused_in_words() -> None:
    fit = recorded.replay("fiml")
    with pytest.raises(ParameterError, match="complete cases"):
        fit_many(fit, resampled(recorded.replay("cfa_ml"), 2))


def test_fits_one_at_a_time_are_each_samples_own() -> None:
    """Incomplete cases: every row is the fit of that sample alone."""
    fit, data = recorded.replay("fiml"), recorded.sample("with_gaps")
    alone = [sem.fit(fit.model, part, options=fit.options)
             for part in (data.iloc[:200], data.iloc[100:])]  # fmt: skip
    watched: list[int] = []
    found = fit_each(fit, [own.sample for own in alone], watch=watched.append)
    assert sum(watched) == 2
    assert found.kind.tolist() == [PROPER] * 2
    assert found.reason.tolist() == ["", ""]
    for place, own in enumerate(alone):
        assert found.theta[place] == pytest.approx(own.theta, abs=1e-6)
        assert found.values[place] == pytest.approx(own.row_values(), abs=1e-6)
        assert found.standardized[place] == pytest.approx(own.row_standardized(), abs=1e-6)
        assert found.chisq[place] == pytest.approx(own.measures["chisq"], rel=1e-6)
        assert 0 <= found.gradient[place] < 1e-4
        assert 0 < found.steps[place] < 50
    cov = np.eye(9) + np.eye(9, k=1) + np.eye(9, k=-1)
    failed = fit_each(fit, [Sample(fit.sample.variables, (GroupSample("", 50, np.zeros(9), cov),))])
    assert failed.kind.tolist() == [FAILED]
    assert failed.reason[0]
    assert failed.steps.tolist() == [0]
    for numbers in (failed.theta, failed.values, failed.standardized, failed.chisq):
        assert np.isnan(numbers).all()


def test_samples_of_a_bootstrap_have_the_moments_of_what_is_seen() -> None:
    group = GroupSample("g", 4, np.zeros(2), np.eye(2))
    rows = np.array([[1.0, 2.0], [3.0, np.nan], [5.0, 6.0], [np.nan, 4.0]])
    made = _sample(group, rows)
    assert (made.label, made.n) == ("g", 4)
    assert made.mean == pytest.approx([3.0, 4.0])
    assert made.cov == pytest.approx(np.diag([8 / 3, 8 / 3]))
    whole = _sample(group, rows[[0, 2, 2]])
    assert whole.mean == pytest.approx(rows[[0, 2, 2]].mean(axis=0))
    assert whole.cov == pytest.approx(np.cov(rows[[0, 2, 2]].T, bias=True))


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


TWO = "f =~ x1 + x2 + x3\ng =~ x4 + x5 + x6"


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
