"""Every way in which a fit can be no result is named, and a sound fit is left alone."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace as Made
from typing import Any

import numpy as np
import pandas as pd
import pytest

import gfactor as gf
from gfactor.psychometrics import Diagnostic
from gfactor.psychometrics.sem.choices import resolved
from gfactor.psychometrics.sem.diagnostics import (
    FitCase,
    checks,
    convergence,
    diagnose,
    samples,
    variances,
)
from gfactor.psychometrics.sem.diagnostics.inspection import _poor
from gfactor.psychometrics.sem.inference.estimated import Estimated
from gfactor.psychometrics.sem.optimize import minimise, parameter_scales, start_values
from gfactor.psychometrics.sem.options import Options
from gfactor.psychometrics.sem.parameters import ParameterTable
from gfactor.psychometrics.sem.problem import problem_of
from gfactor.psychometrics.sem.sample import GroupSample, Sample
from gfactor.psychometrics.sem.syntax import build_table

TWO = "a =~ x1 + x2 + x3\nb =~ x4 + x5 + x6\n"


def test_the_chi_square_of_uls_has_no_reference_for_raw_scales() -> None:
    rng = np.random.default_rng(4)
    g = rng.normal(size=300)
    data = pd.DataFrame({f"x{k}": 10 * k * (g + rng.normal(size=300)) for k in range(1, 5)})

    def codes(frame: pd.DataFrame, **options: Any) -> set[str]:
        return {one.code for one in gf.sem("g =~ x1 + x2 + x3 + x4", frame, **options).diagnostics}

    assert "uls_without_reference" in codes(data, estimator="ULS")
    assert "uls_without_reference" not in codes(data, estimator="GLS")
    ordered = (data > 0).astype(int)
    assert "uls_without_reference" not in codes(ordered, estimator="ULS", ordered=list(ordered))


def population(
    loadings: list[float], r: float = 0.4, own: dict[tuple[int, int], float] | None = None
) -> np.ndarray:
    """Correlations of two factors with three indicators each."""
    lam = np.zeros((6, 2))
    lam[:3, 0], lam[3:, 1] = loadings[:3], loadings[3:]
    cov = lam @ np.array([[1, r], [r, 1]]) @ lam.T
    np.fill_diagonal(cov, 1.0)
    for (i, j), value in (own or {}).items():
        cov[i, j] = cov[j, i] = value
    return cov


def case(text: str, cov: np.ndarray, n: int = 500, lower: float | None = None) -> FitCase:
    """The model fitted to a covariance matrix."""
    table = build_table(text)
    if lower is not None:
        rows = tuple(
            dataclasses.replace(r, lower=lower) if r.op == "~~" and r.lhs == r.rhs else r
            for r in table.rows
        )
        table = ParameterTable(rows, table.groups)
    names = [f"x{i + 1}" for i in range(len(cov))]
    frame = pd.DataFrame(cov, index=names, columns=names)
    used = list(table.observed)
    part = frame.loc[used, used].to_numpy()
    moments = GroupSample("", n, np.zeros(len(used)), part)
    sample = Sample(tuple(used), (moments,), has_means=False)
    problem = problem_of(table, sample, resolved(Options(se="none", test="none")))
    bounds = np.full(table.n_free, -np.inf)
    for row in table.rows:
        if row.free:
            bounds[row.free - 1] = row.lower
    found = minimise(
        problem.discrepancy, problem.constraints.linear,
        np.maximum(start_values(table, problem.structure, sample), bounds),
        parameter_scales(problem.structure, sample),
        lower=None if lower is None else bounds,
    )  # fmt: skip
    return FitCase(
        Estimated(problem, found.point, found.value), table, found.status, found.iterations
    )


def named(found: tuple[Diagnostic, ...]) -> dict[str, Diagnostic]:
    return {d.code: d for d in found}


SOUND = population([0.8, 0.7, 0.6, 0.8, 0.7, 0.6])


def test_a_sound_fit_has_nothing_said_against_it() -> None:
    assert diagnose(case(TWO, SOUND)) == ()


@pytest.mark.thorough
def test_a_factor_without_a_scale_is_not_identified_and_its_parameters_are_named() -> None:
    found = named(diagnose(case(TWO.replace("b =~ x4", "b =~ NA*x4"), SOUND)))
    assert set(found["not_identified"].where) == {
        "b=~x4", "b=~x5", "b=~x6", "b~~b", "a~~b",
    }  # fmt: skip
    assert found["not_identified"].values["rank"] == 13


@pytest.mark.thorough
def test_more_parameters_than_moments_are_counted() -> None:
    found = named(diagnose(case("a =~ NA*x1 + x2\n", SOUND)))
    assert found["more_parameters_than_moments"].values["df"] == -2


def test_a_heywood_case_names_its_indicator() -> None:
    cov = population([0.95, 0.9, 0.6, 0.8, 0.7, 0.6], own={(0, 2): 0.75, (0, 1): 0.9, (1, 2): 0.5})
    found = diagnose(case(TWO, cov))
    assert named(found)["heywood_case"].where == ("x1",)
    assert named(found)["loading_above_one"].where == ("a=~x1",)
    assert found[0].severity == "error"


def test_a_variance_on_its_bound_is_named_and_the_solution_is_proper() -> None:
    cov = population([0.95, 0.9, 0.6, 0.8, 0.7, 0.6], own={(0, 2): 0.75, (0, 1): 0.9, (1, 2): 0.5})
    found = named(diagnose(case(TWO, cov, lower=0.0)))
    assert found["on_bound"].where == ("x1~~x1",)
    assert "heywood_case" not in found
    assert "gradient_not_zero" not in found


def test_factors_that_cannot_be_told_apart_have_a_correlation_above_one() -> None:
    cov = population([0.6] * 6, r=1.15)
    found = named(diagnose(case(TWO, cov)))
    assert found["latent_correlation_above_one"].where == ("a~~b",)
    assert "psi_not_positive" in found


def test_a_negative_disturbance_is_named() -> None:
    cov = population([0.6] * 6, r=1.15)
    found = named(diagnose(case(TWO + "b ~ a\n", cov)))
    assert found["negative_variance"].where == ("b",)


@pytest.mark.parametrize(("n", "severity"), [(12, "error"), (40, "warning")])
def test_few_cases_for_many_parameters(n: int, severity: str) -> None:
    found = named(diagnose(case(TWO, SOUND, n)))
    assert found["n_against_parameters"].severity == severity


def test_two_variables_that_are_nearly_one_are_named_where_the_model_parts_them() -> None:
    cov = population([0.8, 0.7, 0.3, 0.8, 0.7, 0.3], own={(2, 5): 0.91})
    found = named(diagnose(case(TWO, cov)))
    assert found["unmodelled_collinearity"].where == ("x3~~x6",)
    assert "unmodelled_collinearity" not in named(diagnose(case(TWO + "x3 ~~ x6\n", cov)))


def test_a_point_off_the_minimum_is_not_stationary() -> None:
    at = case(TWO, SOUND)
    moved = at.estimated.problem.discrepancy.at(at.estimated.theta * 1.1)
    shifted = dataclasses.replace(at, estimated=Estimated(at.estimated.problem, moved, 0.0))
    assert named(diagnose(shifted))["gradient_not_zero"].values["max_abs_gradient"] > 1e-3


def test_a_search_that_failed_says_how() -> None:
    failed = dataclasses.replace(case(TWO, SOUND), status="runaway", iterations=70)
    assert "grows without end" in named(diagnose(failed))["not_converged"].sentence


def test_a_loading_that_runs_away_is_told_from_one_just_above_one() -> None:
    at = case(TWO, SOUND)
    theta = at.estimated.theta.copy()
    theta[at.names.index("a=~x2")] = 40.0
    theta[at.names.index("x2~~x2")] = -900.0
    moved = Estimated(at.estimated.problem, at.estimated.problem.discrepancy.at(theta), 0.0)
    found = named(diagnose(dataclasses.replace(at, estimated=moved)))
    assert found["runaway_loading"].where == ("a=~x2",)
    assert found["heywood_case"].values["x2"] == -900.0


@pytest.mark.thorough
def test_every_check_registers_itself_and_every_finding_has_a_remedy() -> None:
    assert len(checks()) >= 11
    for found in diagnose(case(TWO.replace("b =~ x4", "b =~ NA*x4"), SOUND, 10)):
        assert found.sentence.endswith(".")
        assert found.remedy.endswith(".")


def looked_at(*, groups: Any = (), sample: Any = (), names: Any = (), **problem: Any) -> Any:
    """What a check looks at, without a fit."""
    of_sample = Made(groups=list(sample), n=problem.pop("n", 100), variables=("x", "y", "z"))
    made = Made(problem=Made(sample=of_sample, **problem))
    return Made(
        estimated=made, groups=list(groups), names=names,
        where=lambda place: f" in group {place}" if len(groups) > 1 else "",
        latent_sizes=lambda place: np.array([1.0, 2.0]),
    )  # fmt: skip


def the_only(found: Any) -> Any:
    (one,) = list(found)
    return one


def silent(found: Any) -> bool:
    return not list(found)


STRUCTURE = Made(observed=("x", "y", "z"), latent=("f", "g"), n_true_latent=2)


def group_at(**parts: Any) -> Any:
    return Made(**({
        "structure": STRUCTURE, "theta": np.eye(3), "psi": np.eye(2), "latent_cov": np.eye(2),
        "sigma": np.eye(3), "loading": np.zeros((3, 2)),
    } | parts))  # fmt: skip


def sample_with_variances(*diagonal: float) -> Any:
    return Made(cov=np.diag(diagonal), clusters=None, weights=None, rows=None, n=100)


def test_negative_residual_variances_are_named_the_lowest_first() -> None:
    theta = np.diag([-0.02, 0.5, -0.3])
    found = the_only(
        variances.heywood(
            looked_at(groups=[group_at(theta=theta)], sample=[sample_with_variances(1, 1, 1)])
        )
    )
    assert (found.code, found.severity) == ("heywood_case", "error")
    assert found.where == ("z", "x")
    assert found.values == {"z": -0.3, "x": -0.02}
    assert "negative residual variance of z (-0.3), x (-0.02)." in found.sentence
    rounding = np.diag([-0.9e-9, 0.0, -3.9e-9])
    assert silent(variances.heywood(
        looked_at(groups=[group_at(theta=rounding)], sample=[sample_with_variances(1, 1, 4)])
    ))  # fmt: skip
    assert the_only(variances.heywood(
        looked_at(groups=[group_at(theta=rounding)], sample=[sample_with_variances(1, 1, 3)])
    )).where == ("z",)  # fmt: skip


def test_negative_latent_variances_are_judged_on_their_own_scale() -> None:
    psi = np.diag([-0.9e-9, -5e-9])
    found = the_only(variances.negative_variance(looked_at(groups=[group_at(psi=psi)])))
    assert (found.code, found.where) == ("negative_variance", ("g",))
    assert silent(variances.negative_variance(looked_at(groups=[group_at(psi=psi / 2)])))
    two = looked_at(groups=[group_at(), group_at(psi=-np.eye(2))])
    assert (
        "improper in group 1: negative variance"
        in the_only(variances.negative_variance(two)).sentence
    )


def test_bounds_are_said_in_one_sentence() -> None:
    one: Any = Made(names=("a", "b"), held=np.array([False, True]))
    assert the_only(variances.on_bound(one)).sentence.startswith("b lies on a bound")
    both: Any = Made(names=("a", "b"), held=np.array([True, True]))
    assert the_only(variances.on_bound(both)).sentence.startswith("a, b lie on a bound")
    neither: Any = Made(names=("a",), held=np.array([False]))
    assert silent(variances.on_bound(neither))


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
        found = the_only(variances.definiteness(looked_at(groups=[group_at(**{part: bad})])))
        assert (found.code, found.severity) == (code, "error")
        assert found.values["smallest_eigenvalue"] == pytest.approx(-0.3)
        assert "smallest eigenvalue of its correlations -0.3)" in found.sentence
    for fine in (np.ones((2, 2)), np.zeros((2, 2)), np.array([[-1.0, 2], [2, 1]])):
        assert silent(variances.definiteness(looked_at(groups=[group_at(**{part: fine})])))


def test_standardized_loadings_above_one_are_a_warning_and_above_five_an_error() -> None:
    loading = np.array([[0.9, 0.0], [0.0, 3.0], [0.0, -4.2]])
    spread = group_at(loading=loading, latent_cov=np.diag([1.0, 4.0]))
    found = the_only(
        variances.loadings(looked_at(groups=[spread], sample=[sample_with_variances(1, 4, 4)]))
    )
    assert (found.code, found.severity) == ("loading_above_one", "warning")
    assert found.where == ("g=~z", "g=~y")
    assert found.values == {"largest": -4.2}
    assert "g=~z -4.2, g=~y 3." in found.sentence
    ran = the_only(
        variances.loadings(looked_at(groups=[spread], sample=[sample_with_variances(1, 4, 2)]))
    )
    assert (ran.code, ran.severity) == ("runaway_loading", "error")
    assert ran.sentence.endswith("The largest grows without end.")
    one = group_at(loading=np.array([[1.0, 0.0]] * 3))
    assert silent(
        variances.loadings(looked_at(groups=[one], sample=[sample_with_variances(1, 1, 1)]))
    )
    at_five = group_at(loading=np.array([[5.0, 0.0], [0, 0], [0, 0]]))
    assert the_only(
        variances.loadings(looked_at(groups=[at_five], sample=[sample_with_variances(1, 1, 1)]))
    ).code == "loading_above_one"  # fmt: skip


def test_latent_correlations_beyond_one_are_named() -> None:
    cov = np.array([[4.0, -3.3], [-3.3, 2.25]])
    found = the_only(variances.latent_correlations(looked_at(groups=[group_at(latent_cov=cov)])))
    assert found.where == ("f~~g",)
    assert found.values == {"f~~g": pytest.approx(-1.1)}
    assert "f with g -1.100" in found.sentence
    for fine in (np.ones((2, 2)), np.array([[0.0, 1.0], [1.0, 1.0]])):
        assert silent(variances.latent_correlations(looked_at(groups=[group_at(latent_cov=fine)])))


@pytest.mark.parametrize(
    ("n", "severity"), [(49, "error"), (50, "warning"), (249, "warning"), (250, None)]
)
def test_five_cases_per_parameter_are_asked_for(n: int, severity: str | None) -> None:
    found = list(samples.sample_size(looked_at(n=n, n_parameters=50)))
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
    found = list(samples.clusters(looked_at(sample=[of_group], n_parameters=parameters)))
    assert bool(found) == said
    for one in found:
        assert one.values == {"clusters": clusters, "parameters": parameters}
    assert silent(samples.clusters(looked_at(sample=[Made(clusters=None)], n_parameters=9)))


def test_unequal_weights_are_said_below_seventy_percent() -> None:
    equal = Made(weights=np.full(10, 3.0), n=10)
    assert silent(samples.weights(looked_at(sample=[equal])))
    # One weight of w beside nine of 1: (9 + w)^2 / (9 + w^2) effective cases of ten.
    unequal = Made(weights=np.array([1.0] * 9 + [4.0]), n=10)
    found = the_only(samples.weights(looked_at(sample=[unequal])))
    assert found.values == {"n": 10, "effective": pytest.approx(169 / 25)}
    assert "10 cases are worth about 7" in found.sentence
    near = Made(weights=np.array([1.0] * 9 + [3.7]), n=10)
    assert silent(samples.weights(looked_at(sample=[near])))


def test_pairs_that_the_model_holds_apart_are_named_from_point_nine_on() -> None:
    def at(r: float, model: float) -> Any:
        cov, sigma = np.eye(3), np.eye(3)
        cov[0, 2] = cov[2, 0] = r
        sigma[0, 2] = sigma[2, 0] = model
        scale = np.outer([1, 2, 3], [1, 2, 3])
        sampled = Made(cov=cov * scale, rows=None)
        return samples.collinearity(
            looked_at(groups=[group_at(sigma=sigma * scale)], sample=[sampled])
        )

    found = the_only(at(-0.9, 0.79))
    assert found.where == ("x~~z",)
    assert found.values == {"x~~z": pytest.approx(-0.9)}
    assert "x with z -0.90 (model 0.79)" in found.sentence
    assert silent(at(0.89, 0.5))
    assert silent(at(0.95, 0.86))


def test_pairs_of_variables_that_few_cases_show_together() -> None:
    rows = np.ones((20, 3))
    rows[:10, 0] = np.nan
    rows[10:, 1] = np.nan
    rows[:9, 2] = np.nan
    rows[11:, 2] = np.nan
    found = {d.code: d for d in samples.coverage(looked_at(sample=[Made(rows=rows)]))}
    assert found["never_seen_together"].where == ("x~~y",)
    assert found["never_seen_together"].severity == "error"
    assert found["rarely_seen_together"].where == ("x~~z", "y~~z")
    assert found["rarely_seen_together"].values == {"x~~z": 0.05, "y~~z": 0.05}
    rows[11, 2] = rows[8, 2] = 1
    left = {d.code for d in samples.coverage(looked_at(sample=[Made(rows=rows)]))}
    assert left == {"never_seen_together"}
    assert silent(samples.coverage(looked_at(sample=[Made(rows=np.ones((5, 3)))])))
    assert silent(samples.coverage(looked_at(sample=[Made(rows=None)])))


def test_a_model_with_more_parameters_than_moments() -> None:
    assert silent(convergence.degrees_of_freedom(looked_at(df=0)))
    found = the_only(convergence.degrees_of_freedom(looked_at(df=-3)))
    assert found.values == {"df": -3}
    assert "3 more free parameters" in found.sentence


def searched(status: str = "converged", steep: float = 0.0, **other: Any) -> Any:
    return Made(**({
        "status": status, "iterations": 7, "proven": False, "evaluable": True,
        "slope": np.array([0.0, -2 * steep]), "step": np.array([1.0, 0.5]),
    } | other))  # fmt: skip


def test_a_point_is_stationary_up_to_a_ten_thousandth_per_step() -> None:
    assert silent(convergence.converged(searched(steep=1e-4)))
    found = the_only(convergence.converged(searched(steep=1.1e-4)))
    assert found.code == "gradient_not_zero"
    assert found.values == {"max_abs_gradient": pytest.approx(1.1e-4)}
    assert silent(convergence.converged(searched(steep=1.0, proven=True)))
    assert silent(convergence.converged(searched(steep=1.0, evaluable=False)))
    found = the_only(convergence.converged(searched("limit", proven=True)))
    assert found.sentence == "The search did not converge after 7 steps: too many steps were taken."
    assert the_only(convergence.converged(searched("odd"))).sentence.endswith("steps: odd.")


def curved(hessian: Any, held: Any = (False, False), status: str = "converged") -> Any:
    made = Made(directions=np.eye(2), hessian=np.array(hessian, float))
    return searched(status, estimated=made, held=np.array(held))


def test_a_saddle_is_no_minimum_unless_a_bound_holds_its_direction() -> None:
    assert silent(convergence.minimum(curved([[2, 0], [0, 1]])))
    assert silent(convergence.minimum(curved([[2, 0], [0, 0]])))
    found = the_only(convergence.minimum(curved([[2, 0], [0, -1e-6]])))
    assert found.code == "saddle_point"
    assert found.values["smallest_eigenvalue"] == pytest.approx(-1)
    bent = the_only(convergence.minimum(curved([[4e6, 2.4e3], [2.4e3, 1]])))
    assert bent.values["smallest_eigenvalue"] == pytest.approx(1 - 1.2)
    assert silent(convergence.minimum(curved([[2, 0], [0, -1]], held=(False, True))))
    assert silent(convergence.minimum(curved([[-2, 0], [0, -1]], held=(True, True))))
    assert silent(convergence.minimum(curved([[2, 0], [0, -1]], status="limit")))
    assert silent(convergence.minimum(curved([[np.nan, 0], [0, -1]])))


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
