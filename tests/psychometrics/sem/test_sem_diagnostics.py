"""Every way in which a fit can be no result is named, and a sound fit is left alone."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import pytest

from gfactor.psychometrics import Diagnostic
from gfactor.psychometrics.sem.choices import resolved
from gfactor.psychometrics.sem.diagnostics import Case, checks, diagnose
from gfactor.psychometrics.sem.inference.estimated import Estimated
from gfactor.psychometrics.sem.optimize import minimise, parameter_scales, start_values
from gfactor.psychometrics.sem.options import Options
from gfactor.psychometrics.sem.parameters import ParameterTable
from gfactor.psychometrics.sem.problem import problem_of
from gfactor.psychometrics.sem.sample import GroupSample, Sample
from gfactor.psychometrics.sem.syntax import build_table

TWO = "a =~ x1 + x2 + x3\nb =~ x4 + x5 + x6\n"


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


def case(text: str, cov: np.ndarray, n: int = 500, lower: float | None = None) -> Case:
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
    return Case(Estimated(problem, found.point, found.value), table, found.status, found.iterations)


def named(found: tuple[Diagnostic, ...]) -> dict[str, Diagnostic]:
    return {d.code: d for d in found}


SOUND = population([0.8, 0.7, 0.6, 0.8, 0.7, 0.6])


def test_a_sound_fit_has_nothing_said_against_it() -> None:
    assert diagnose(case(TWO, SOUND)) == ()


def test_a_factor_without_a_scale_is_not_identified_and_its_parameters_are_named() -> None:
    found = named(diagnose(case(TWO.replace("b =~ x4", "b =~ NA*x4"), SOUND)))
    assert set(found["not_identified"].where) == {
        "b=~x4", "b=~x5", "b=~x6", "b~~b", "a~~b",
    }  # fmt: skip
    assert found["not_identified"].values["rank"] == 13


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


def test_every_check_registers_itself_and_every_finding_has_a_remedy() -> None:
    assert len(checks()) >= 11
    for found in diagnose(case(TWO.replace("b =~ x4", "b =~ NA*x4"), SOUND, 10)):
        assert found.sentence.endswith(".")
        assert found.remedy.endswith(".")
