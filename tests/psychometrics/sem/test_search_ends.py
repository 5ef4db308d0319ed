"""How a search goes and ends, on functions whose minimum is known; moments of incomplete data."""

from __future__ import annotations

from types import SimpleNamespace as Made
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support import lavaan_recorded as recorded

from gfactor.errors import ParameterError
from gfactor.psychometrics import sem
from gfactor.psychometrics.sem.cholesky import flat, null_space, positive_inverse, pseudo_inverse
from gfactor.psychometrics.sem.constraints import reduction
from gfactor.psychometrics.sem.optimize import start_values
from gfactor.psychometrics.sem.optimize.convergence import prove, step_sizes
from gfactor.psychometrics.sem.optimize.newton import SearchOutcome, minimise
from gfactor.psychometrics.sem.optimize.runaway import follow


class Bowl:
    """A discrepancy: (x - peak)' H (x - peak) / 2, plus whatever a test adds."""

    def __init__(self, hessian: Any = ((2.0, 0.5), (0.5, 1.0)), peak: Any = (1.0, -2.0)) -> None:
        self.h, self.peak = np.array(hessian, float), np.array(peak, float)

    def at(self, theta: np.ndarray) -> Any:
        return Made(theta=np.array(theta, float))

    def value(self, point: Any) -> float:
        away = point.theta - self.peak
        return float(away @ self.h @ away) / 2

    def gradient(self, point: Any) -> np.ndarray:
        return self.h @ (point.theta - self.peak)

    def hessian(self, point: Any) -> np.ndarray:
        return self.h

    def expected(self, point: Any) -> np.ndarray:
        return np.abs(self.h) + np.diag(np.abs(self.h).sum(axis=1))


class Slide(Bowl):
    """Falls for ever along the first parameter, towards `floor`; the second ends at 1."""

    floor, steep = 0.5, 1.0

    def value(self, point: Any) -> float:
        x, y = point.theta
        return self.floor + self.steep / (1 + x**2) + (y - 1) ** 2

    def gradient(self, point: Any) -> np.ndarray:
        x, y = point.theta
        return np.array([-2 * self.steep * x / (1 + x**2) ** 2, 2 * (y - 1)])

    def hessian(self, point: Any) -> np.ndarray:
        x, _ = point.theta
        return np.diag([self.steep * (6 * x**2 - 2) / (1 + x**2) ** 3, 2.0])

    def expected(self, point: Any) -> np.ndarray:
        return np.diag(np.abs(np.diag(self.hessian(point))) + 1e-30)


FREE = reduction(np.zeros((0, 2)), np.zeros(0), 2)
ONES = np.ones(2)


def searched(discrepancy: Any, start: Any, **options: Any) -> Any:
    free = options.pop("reduction", FREE)
    return minimise(discrepancy, free, np.array(start, float), ONES, **options)


def test_a_bowl_ends_at_its_bottom() -> None:
    found = searched(Bowl(), (8.0, 8.0))
    assert found.status == "converged"
    assert found.point.theta == pytest.approx([1, -2], abs=1e-9)
    assert found.value == pytest.approx(0, abs=1e-15)
    assert searched(Bowl(), (1.0, -2.0)).iterations == 0


def test_bounds_hold_and_what_they_leave_is_minimised() -> None:
    found = searched(Bowl(), (3.0, 3.0), lower=np.array([-np.inf, 0.0]))
    # With y at 0: 2 (x - 1) + 0.5 (0 + 2) = 0.
    assert found.point.theta == pytest.approx([0.5, 0.0])
    found = searched(Bowl(), (3.0, 3.0), upper=np.array([0.0, np.inf]))
    assert found.point.theta == pytest.approx([0.0, -1.5])
    both = searched(Bowl(), (9, 9), lower=np.array([2.0, 2.0]), upper=np.array([3.0, 3.0]))
    assert both.point.theta.tolist() == [2.0, 2.0]
    assert both.status == "converged"


def test_equalities_are_kept() -> None:
    equal = reduction(np.array([[1.0, -1.0]]), np.array([0.0]), 2)
    found = searched(Bowl(), (5.0, 1.0), reduction=equal)
    assert found.point.theta[0] == found.point.theta[1]
    # (1, 1)' H (x - 1, x + 2) = 2.5 (x - 1) + 1.5 (x + 2) = 0.
    assert found.point.theta[0] == pytest.approx(-0.125)
    fixed = reduction(np.array([[1.0, 2.0], [2.0, 4.0]]), np.array([3.0, 6.0]), 2)
    assert fixed.theta(np.array([1.0])).tolist() == [1.0, 1.0]
    with pytest.raises(ParameterError, match="contradict"):
        reduction(np.array([[1.0, 2.0], [2.0, 4.0]]), np.array([3.0, 7.0]), 2)


def test_a_start_without_a_value_is_undefined_and_few_steps_are_a_limit() -> None:
    nowhere = Bowl()
    nowhere.value = lambda point: np.inf  # type: ignore[method-assign]
    assert searched(nowhere, (0, 0)).status == "undefined"
    assert searched(Slide(), (3.0, 8.0), limit=1).status == "limit"


def test_a_slide_runs_away_and_is_followed_to_where_it_gains_nothing_more() -> None:
    outcome = searched(Slide(), (2.0, 3.0), limit=60)
    assert outcome.status in {"runaway", "limit", "converged"}
    found = follow(Slide(), FREE, outcome, ONES, np.array([True, False]))  # type: ignore[arg-type]
    assert found.status == "runaway"
    assert found.running == (0,)
    assert abs(found.point.theta[0]) > 400
    assert found.point.theta[1] == pytest.approx(1)
    assert found.value == pytest.approx(0.5, abs=1e-4)


def test_following_stops_where_doubling_gains_less_than_a_billionth() -> None:
    shallow = Slide()
    shallow.steep = 1e-9
    at = Made(theta=np.array([2.0, 1.0]))
    outcome = Made(point=at, value=shallow.value(at), iterations=3, status="runaway")
    found: Any = follow(shallow, FREE, outcome_of(outcome), ONES, np.array([True, False]))  # type: ignore[arg-type]
    assert abs(found.point.theta[0]) < 50


def outcome_of(made: Any) -> Any:
    return SearchOutcome(made.point, made.value, made.iterations, made.status, 0.0)


def test_a_bowl_is_found_again_by_following_and_is_no_runaway() -> None:
    far = outcome_of(Made(point=Made(theta=np.array([9.0, 0.0])), value=90.0, iterations=5,
                          status="limit"))  # fmt: skip
    found = follow(Bowl(), FREE, far, ONES, np.array([True, False]))  # type: ignore[arg-type]
    assert found.status == "converged"
    assert found.point.theta == pytest.approx([1, -2])
    assert found.iterations > 5


def proven(discrepancy: Any, theta: Any, status: str = "converged", **options: Any) -> Any:
    constraints: Any = Made(
        only_linear=True, linear=FREE, directions=lambda theta: np.eye(len(theta))
    )
    at = Made(theta=np.array(theta, float))
    outcome = outcome_of(Made(point=at, value=options.pop("value", 0.0), iterations=4,
                              status=status))  # fmt: skip
    return prove(discrepancy, constraints, outcome, scale=np.ones(2), **options)


def test_a_minimum_is_proven_by_gradient_and_curvature() -> None:
    found = proven(Bowl(), (1.0, -2.0))
    assert (found.converged, found.status, found.identified) == (True, "converged", True)
    assert (found.max_gradient, found.iterations, found.at_bound) == (0.0, 4, ())
    # Scaled to ones on the diagonal, the correlation of the curvatures is 0.5 / sqrt(2).
    assert found.smallest_curvature == pytest.approx(1 - 0.5 / np.sqrt(2))
    assert found.sentence == "the search ended in a minimum"
    near = proven(Bowl(), (1.0, -2.0 + 2e-7))
    assert (near.converged, near.status) == (False, "stuck")
    assert near.max_gradient == pytest.approx(2e-7, rel=1e-6)
    assert proven(Bowl(), (1.0, -2.0 + 0.5e-7)).converged


def test_a_search_that_said_stuck_but_stands_in_a_minimum_has_converged() -> None:
    for status in ("stuck", "limit"):
        assert proven(Bowl(), (1.0, -2.0), status).status == "converged"
        assert proven(Bowl(), (1.5, -2.0), status).status == status
    assert proven(Bowl(), (1.0, -2.0), "runaway").status == "runaway"
    assert proven(Bowl(), (1.0, -2.0), value=np.inf).status == "undefined"


def test_saddles_and_flat_directions_are_told_from_minima() -> None:
    saddle = proven(Bowl(((2.0, 0.0), (0.0, -1.0))), (1.0, -2.0))
    assert (saddle.status, saddle.converged, saddle.identified) == ("saddle", False, False)
    assert saddle.smallest_curvature == pytest.approx(-1)
    level = proven(Bowl(((1.0, 1.0), (1.0, 1.0))), (1.0, -2.0))
    assert (level.status, level.converged, level.identified) == ("converged", True, False)
    assert level.smallest_curvature == pytest.approx(0, abs=1e-9)


def test_a_parameter_on_its_bound_needs_no_zero_gradient() -> None:
    limits = (np.array([-np.inf, 0.0]), np.array([np.inf, np.inf]))
    found = proven(Bowl(), (0.5, 0.0), bounds=limits)
    assert (found.converged, found.at_bound) == (True, (1,))
    above = (np.array([-np.inf, -np.inf]), np.array([0.0, np.inf]))
    assert proven(Bowl(), (0.0, -1.5), bounds=above).at_bound == (0,)
    corner = (np.array([2.0, 2.0]), np.array([np.inf, np.inf]))
    held = proven(Bowl(), (2.0, 2.0), bounds=corner)
    assert (held.converged, held.at_bound, held.smallest_curvature) == (True, (0, 1), 1.0)


def test_a_step_goes_as_far_as_the_first_parameter_allows() -> None:
    directions = np.array([[1.0, 0.0], [1.0, 0.5]])
    assert step_sizes(directions, np.array([2.0, 3.0])).tolist() == [2.0, 3.0]
    assert step_sizes(directions, np.array([9.0, 3.0])).tolist() == [3.0, 6.0]


def test_inverses_along_what_has_information() -> None:
    level = np.array([[4.0, 2.0], [2.0, 1.0]])
    assert flat(level)
    assert not flat(np.diag([4.0, 1e-6]))
    values, _, size = null_space(level)
    assert values.tolist() == [0.0, pytest.approx(2.0)]
    assert size.tolist() == [2.0, 1.0]
    inverse, idle = pseudo_inverse(level)
    assert level @ inverse @ level == pytest.approx(level)
    assert level @ idle == pytest.approx(np.zeros((2, 1)), abs=1e-12)
    found = positive_inverse(np.array([[2.0, 0.5], [0.5, 1.0]]))
    assert found is not None
    assert found[0] == pytest.approx(np.linalg.inv([[2.0, 0.5], [0.5, 1.0]]))
    assert found[1] == pytest.approx(np.log(1.75))
    assert positive_inverse(np.diag([1.0, -1.0])) is None


def incomplete(n: int = 60, seed: int = 2) -> np.ndarray:
    """x for all, y for the first two thirds."""
    rng = np.random.default_rng(seed)
    x = rng.normal(3, 2, n)
    rows = np.column_stack([x, 0.7 * x + rng.normal(size=n)])
    rows[2 * n // 3 :, 1] = np.nan
    return rows


def test_a_matrix_without_finite_determinant_has_no_inverse() -> None:
    for matrix in (np.diag([np.inf, 1.0]), np.diag([np.nan, 1.0]), np.diag([0.0, 1.0])):
        assert positive_inverse(matrix) is None


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
