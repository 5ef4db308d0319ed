"""Each check of a fit speaks beyond its limit and is silent at it; its words carry the numbers."""

from __future__ import annotations

from types import SimpleNamespace as Made
from typing import Any

import numpy as np
import pytest
from scipy import stats

from gfactor.psychometrics.sem.diagnostics import convergence, samples, variances
from gfactor.psychometrics.sem.diagnostics.inspection import _poor
from gfactor.psychometrics.sem.measures.approximation import noncentrality, power_of_exact_fit
from gfactor.psychometrics.sem.measures.selection import reported


def fake(*, groups: Any = (), sample: Any = (), names: Any = (), **problem: Any) -> Any:
    """What a check looks at, without a fit."""
    of_sample = Made(groups=list(sample), n=problem.pop("n", 100), variables=("x", "y", "z"))
    made = Made(problem=Made(sample=of_sample, **problem))
    return Made(
        estimated=made, groups=list(groups), names=names,
        where=lambda place: f" in group {place}" if len(groups) > 1 else "",
        latent_sizes=lambda place: np.array([1.0, 2.0]),
    )  # fmt: skip


def only(found: Any) -> Any:
    (one,) = list(found)
    return one


def none(found: Any) -> bool:
    return not list(found)


STRUCTURE = Made(observed=("x", "y", "z"), latent=("f", "g"), n_true_latent=2)


def group(**parts: Any) -> Any:
    return Made(**({
        "structure": STRUCTURE, "theta": np.eye(3), "psi": np.eye(2), "latent_cov": np.eye(2),
        "sigma": np.eye(3), "loading": np.zeros((3, 2)),
    } | parts))  # fmt: skip


def of_cov(*diagonal: float) -> Any:
    return Made(cov=np.diag(diagonal), clusters=None, weights=None, rows=None, n=100)


def test_negative_residual_variances_are_named_the_lowest_first() -> None:
    theta = np.diag([-0.02, 0.5, -0.3])
    found = only(variances.heywood(fake(groups=[group(theta=theta)], sample=[of_cov(1, 1, 1)])))
    assert (found.code, found.severity) == ("heywood_case", "error")
    assert found.where == ("z", "x")
    assert found.values == {"z": -0.3, "x": -0.02}
    assert "negative residual variance of z (-0.3), x (-0.02)." in found.sentence
    rounding = np.diag([-0.9e-9, 0.0, -3.9e-9])
    assert none(variances.heywood(
        fake(groups=[group(theta=rounding)], sample=[of_cov(1, 1, 4)])
    ))  # fmt: skip
    assert only(variances.heywood(
        fake(groups=[group(theta=rounding)], sample=[of_cov(1, 1, 3)])
    )).where == ("z",)  # fmt: skip


def test_negative_latent_variances_are_judged_on_their_own_scale() -> None:
    psi = np.diag([-0.9e-9, -5e-9])
    found = only(variances.negative_variance(fake(groups=[group(psi=psi)])))
    assert (found.code, found.where) == ("negative_variance", ("g",))
    assert none(variances.negative_variance(fake(groups=[group(psi=psi / 2)])))
    two = fake(groups=[group(), group(psi=-np.eye(2))])
    assert (
        "improper in group 1: negative variance" in only(variances.negative_variance(two)).sentence
    )


def test_bounds_are_said_in_one_sentence() -> None:
    one: Any = Made(names=("a", "b"), held=np.array([False, True]))
    assert only(variances.on_bound(one)).sentence.startswith("b lies on a bound")
    both: Any = Made(names=("a", "b"), held=np.array([True, True]))
    assert only(variances.on_bound(both)).sentence.startswith("a, b lie on a bound")
    neither: Any = Made(names=("a",), held=np.array([False]))
    assert none(variances.on_bound(neither))


@pytest.mark.parametrize(
    ("part", "code"),
    [
        ("theta", "theta_not_positive"),
        ("latent_cov", "psi_not_positive"),
        ("sigma", "sigma_not_positive"),
    ],
)
def test_covariances_that_no_variables_have_are_found_whatever_their_scale(
    part: str, code: str
) -> None:
    for size in (1.0, 1e-6, 1e6):
        bad = np.array([[1.0, 1.3 * size], [1.3 * size, size**2]])
        found = only(variances.definiteness(fake(groups=[group(**{part: bad})])))
        assert (found.code, found.severity) == (code, "error")
        assert found.values["smallest_eigenvalue"] == pytest.approx(-0.3)
        assert "smallest eigenvalue of its correlations -0.3)" in found.sentence
    for fine in (np.ones((2, 2)), np.zeros((2, 2)), np.array([[-1.0, 2], [2, 1]])):
        assert none(variances.definiteness(fake(groups=[group(**{part: fine})])))


def test_standardized_loadings_above_one_are_a_warning_and_above_five_an_error() -> None:
    loading = np.array([[0.9, 0.0], [0.0, 3.0], [0.0, -4.2]])
    spread = group(loading=loading, latent_cov=np.diag([1.0, 4.0]))
    found = only(variances.loadings(fake(groups=[spread], sample=[of_cov(1, 4, 4)])))
    assert (found.code, found.severity) == ("loading_above_one", "warning")
    assert found.where == ("g=~z", "g=~y")
    assert found.values == {"largest": -4.2}
    assert "g=~z -4.2, g=~y 3." in found.sentence
    ran = only(variances.loadings(fake(groups=[spread], sample=[of_cov(1, 4, 2)])))
    assert (ran.code, ran.severity) == ("runaway_loading", "error")
    assert ran.sentence.endswith("The largest grows without end.")
    one = group(loading=np.array([[1.0, 0.0]] * 3))
    assert none(variances.loadings(fake(groups=[one], sample=[of_cov(1, 1, 1)])))
    at_five = group(loading=np.array([[5.0, 0.0], [0, 0], [0, 0]]))
    assert only(
        variances.loadings(fake(groups=[at_five], sample=[of_cov(1, 1, 1)]))
    ).code == "loading_above_one"  # fmt: skip


def test_latent_correlations_beyond_one_are_named() -> None:
    cov = np.array([[4.0, -3.3], [-3.3, 2.25]])
    found = only(variances.latent_correlations(fake(groups=[group(latent_cov=cov)])))
    assert found.where == ("f~~g",)
    assert found.values == {"f~~g": pytest.approx(-1.1)}
    assert "f with g -1.100" in found.sentence
    for fine in (np.ones((2, 2)), np.array([[0.0, 1.0], [1.0, 1.0]])):
        assert none(variances.latent_correlations(fake(groups=[group(latent_cov=fine)])))


@pytest.mark.parametrize(
    ("n", "severity"), [(49, "error"), (50, "warning"), (249, "warning"), (250, None)]
)
def test_five_cases_per_parameter_are_asked_for(n: int, severity: str | None) -> None:
    found = list(samples.sample_size(fake(n=n, n_parameters=50)))
    assert [d.severity for d in found] == ([] if severity is None else [severity])
    for one in found:
        assert one.values == {"n": n, "free_parameters": 50}
        if severity == "error":
            assert "fewer cases than parameters" in one.sentence
        else:
            assert f"({n / 50:.1f} per parameter)" in one.sentence


@pytest.mark.parametrize(
    ("clusters", "parameters", "said"),
    [(29, 5, True), (30, 5, False), (40, 40, True), (41, 40, False)],
)
def test_thirty_clusters_and_more_than_parameters_are_asked_for(
    clusters: int, parameters: int, said: bool
) -> None:
    of_group = Made(clusters=np.repeat(np.arange(clusters), 3))
    found = list(samples.clusters(fake(sample=[of_group], n_parameters=parameters)))
    assert bool(found) == said
    for one in found:
        assert one.values == {"clusters": clusters, "parameters": parameters}
    assert none(samples.clusters(fake(sample=[Made(clusters=None)], n_parameters=9)))


def test_unequal_weights_are_said_below_seventy_percent() -> None:
    equal = Made(weights=np.full(10, 3.0), n=10)
    assert none(samples.weights(fake(sample=[equal])))
    # One weight of w beside nine of 1: (9 + w)^2 / (9 + w^2) effective cases of ten.
    unequal = Made(weights=np.array([1.0] * 9 + [4.0]), n=10)
    found = only(samples.weights(fake(sample=[unequal])))
    assert found.values == {"n": 10, "effective": pytest.approx(169 / 25)}
    assert "10 cases are worth about 7" in found.sentence
    near = Made(weights=np.array([1.0] * 9 + [3.7]), n=10)
    assert none(samples.weights(fake(sample=[near])))


def test_pairs_that_the_model_holds_apart_are_named_from_point_nine_on() -> None:
    def at(r: float, model: float) -> Any:
        cov, sigma = np.eye(3), np.eye(3)
        cov[0, 2] = cov[2, 0] = r
        sigma[0, 2] = sigma[2, 0] = model
        scale = np.outer([1, 2, 3], [1, 2, 3])
        sampled = Made(cov=cov * scale, rows=None)
        return samples.collinearity(fake(groups=[group(sigma=sigma * scale)], sample=[sampled]))

    found = only(at(-0.9, 0.79))
    assert found.where == ("x~~z",)
    assert found.values == {"x~~z": pytest.approx(-0.9)}
    assert "x with z -0.90 (model 0.79)" in found.sentence
    assert none(at(0.89, 0.5))
    assert none(at(0.95, 0.86))


def test_pairs_of_variables_that_few_cases_show_together() -> None:
    rows = np.ones((20, 3))
    rows[:10, 0] = np.nan
    rows[10:, 1] = np.nan
    rows[:9, 2] = np.nan
    rows[11:, 2] = np.nan
    found = {d.code: d for d in samples.coverage(fake(sample=[Made(rows=rows)]))}
    assert found["never_seen_together"].where == ("x~~y",)
    assert found["never_seen_together"].severity == "error"
    assert found["rarely_seen_together"].where == ("x~~z", "y~~z")
    assert found["rarely_seen_together"].values == {"x~~z": 0.05, "y~~z": 0.05}
    rows[11, 2] = rows[8, 2] = 1
    left = {d.code for d in samples.coverage(fake(sample=[Made(rows=rows)]))}
    assert left == {"never_seen_together"}
    assert none(samples.coverage(fake(sample=[Made(rows=np.ones((5, 3)))])))
    assert none(samples.coverage(fake(sample=[Made(rows=None)])))


def test_a_model_with_more_parameters_than_moments() -> None:
    assert none(convergence.degrees_of_freedom(fake(df=0)))
    found = only(convergence.degrees_of_freedom(fake(df=-3)))
    assert found.values == {"df": -3}
    assert "3 more free parameters" in found.sentence


def searched(status: str = "converged", steep: float = 0.0, **other: Any) -> Any:
    return Made(**({
        "status": status, "iterations": 7, "proven": False, "evaluable": True,
        "slope": np.array([0.0, -2 * steep]), "step": np.array([1.0, 0.5]),
    } | other))  # fmt: skip


def test_a_point_is_stationary_up_to_a_ten_thousandth_per_step() -> None:
    assert none(convergence.converged(searched(steep=1e-4)))
    found = only(convergence.converged(searched(steep=1.1e-4)))
    assert found.code == "gradient_not_zero"
    assert found.values == {"max_abs_gradient": pytest.approx(1.1e-4)}
    assert none(convergence.converged(searched(steep=1.0, proven=True)))
    assert none(convergence.converged(searched(steep=1.0, evaluable=False)))
    found = only(convergence.converged(searched("limit", proven=True)))
    assert found.sentence == "The search did not converge after 7 steps: too many steps were taken."
    assert only(convergence.converged(searched("odd"))).sentence.endswith("steps: odd.")


def curved(hessian: Any, held: Any = (False, False), status: str = "converged") -> Any:
    made = Made(directions=np.eye(2), hessian=np.array(hessian, float))
    return searched(status, estimated=made, held=np.array(held))


def test_a_saddle_is_no_minimum_unless_a_bound_holds_its_direction() -> None:
    assert none(convergence.minimum(curved([[2, 0], [0, 1]])))
    assert none(convergence.minimum(curved([[2, 0], [0, 0]])))
    found = only(convergence.minimum(curved([[2, 0], [0, -1e-6]])))
    assert found.code == "saddle_point"
    assert found.values["smallest_eigenvalue"] == pytest.approx(-1)
    bent = only(convergence.minimum(curved([[4e6, 2.4e3], [2.4e3, 1]])))
    assert bent.values["smallest_eigenvalue"] == pytest.approx(1 - 1.2)
    assert none(convergence.minimum(curved([[2, 0], [0, -1]], held=(False, True))))
    assert none(convergence.minimum(curved([[-2, 0], [0, -1]], held=(True, True))))
    assert none(convergence.minimum(curved([[2, 0], [0, -1]], status="limit")))
    assert none(convergence.minimum(curved([[np.nan, 0], [0, -1]])))


def measured(**values: float | None) -> Any:
    good = {"cfi": 0.95, "tli": 0.95, "rmsea": 0.06, "srmr": 0.08, "df": 10.0}
    return Made(**(good | values))


def test_indices_are_poor_beyond_hu_and_bentlers_limits() -> None:
    assert _poor(measured()) == {}
    assert _poor(measured(cfi=0.949, tli=0.951)) == {"cfi": 0.949}
    assert _poor(measured(tli=0.949)) == {"tli": 0.949}
    assert _poor(measured(srmr=0.081, cfi=None)) == {"srmr": 0.081}
    # RMSEA alone does not count with fewer than ten degrees of freedom.
    assert _poor(measured(rmsea=0.061)) == {"rmsea": 0.061}
    assert _poor(measured(rmsea=0.061, df=9.0)) == {}
    assert _poor(measured(rmsea=0.061, df=9.0, srmr=0.09)) == {"rmsea": 0.061, "srmr": 0.09}


def test_the_noncentrality_is_that_of_scipys_distribution() -> None:
    for chisq, df, p in ((40.0, 20, 0.05), (40.0, 20, 0.95), (300.0, 8, 0.5)):
        found = noncentrality(chisq, df, p)
        assert stats.ncx2.cdf(chisq, df, found) == pytest.approx(p, abs=1e-10)
    assert noncentrality(10.0, 20, 0.5) == 0.0
    assert noncentrality(2e9, 20, 0.5) == 2e9
    assert np.isnan(noncentrality(np.inf, 20, 0.5))
    assert np.isnan(noncentrality(10.0, 0, 0.5))


def test_the_power_of_exact_fit_is_that_of_the_noncentral_distribution() -> None:
    for groups in (1, 2):
        found = power_of_exact_fit(0.06, 24, 300, groups, 0.05)
        critical = stats.chi2.isf(0.05, 24)
        nc = 300 * 24 * 0.06**2 / groups
        assert found == pytest.approx(stats.ncx2.sf(critical, 24, nc), abs=1e-10)
    assert power_of_exact_fit(0.0, 24, 300, 1, 0.05) == pytest.approx(0.05)
    assert np.isnan(power_of_exact_fit(0.05, 0, 300, 1, 0.05))


def test_a_report_gives_robust_indices_before_scaled_and_scaled_before_plain() -> None:
    known: dict[str, float | None] = {
        "chisq": 30.0, "df": 20.0, "pvalue": 0.07, "cfi": 0.9, "rmsea": 0.05,
        "rmsea.ci.lower": 0.01, "rmsea.ci.upper": 0.09, "rmsea.pvalue": 0.4, "srmr": 0.03,
    }  # fmt: skip
    plain = reported(known)
    assert (plain.test, plain.indices, plain.chisq, plain.cfi) == ("", "", 30.0, 0.9)
    assert (plain.rmsea_low, plain.rmsea_high, plain.close_pvalue) == (0.01, 0.09, 0.4)
    assert plain.level == 0.9
    assert plain.testable
    scaled = reported(
        known | {"chisq.scaled": 25.0, "df.scaled": 19.0, "pvalue.scaled": 0.2,
                 "rmsea.scaled": 0.04, "cfi.scaled": 0.93}
    )  # fmt: skip
    assert (scaled.test, scaled.indices) == ("scaled", "scaled")
    assert (scaled.chisq, scaled.df, scaled.pvalue, scaled.cfi) == (25.0, 19.0, 0.2, 0.93)
    robust = reported(known | {"rmsea.scaled": 0.04, "rmsea.robust": 0.03, "cfi.robust": 0.95})
    assert (robust.test, robust.indices, robust.rmsea, robust.cfi) == ("", "robust", 0.03, 0.95)
    drawn = reported(known | {"pvalue.bollen.stine": 0.5, "rmsea.ci.level": 0.8})
    assert (drawn.test, drawn.pvalue, drawn.level) == ("bootstrap", 0.5, 0.8)
    # Hoelter: the n at which chi-square (n - 1) / n reaches its critical value.
    assert plain.critical_n(200) == pytest.approx(stats.chi2.isf(0.05, 20) / (30 / 200) + 1)
    assert plain.critical_n(200, 0.01) == pytest.approx(stats.chi2.isf(0.01, 20) / 0.15 + 1)
    assert reported(known | {"chisq": 0.0}).critical_n(200) == np.inf
    for lack in ({"df": 0.0}, {"chisq": None}, {"pvalue": None}):
        assert not reported(known | lack).testable
