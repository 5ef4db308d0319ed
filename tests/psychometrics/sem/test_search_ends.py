"""How a search goes and ends, on functions whose minimum is known; moments of incomplete data."""

from __future__ import annotations

from types import SimpleNamespace as Made
from typing import Any

import numpy as np
import pytest

from gfactor.errors import ParameterError
from gfactor.psychometrics.sem.cholesky import flat, null_space, positive_inverse, pseudo_inverse
from gfactor.psychometrics.sem.common_variance import _replicability, _uncontaminated
from gfactor.psychometrics.sem.constraints import reduction
from gfactor.psychometrics.sem.optimize.convergence import prove, step_sizes
from gfactor.psychometrics.sem.optimize.newton import Outcome, minimise
from gfactor.psychometrics.sem.optimize.runaway import follow
from gfactor.psychometrics.sem.results import text
from gfactor.psychometrics.sem.sample import GroupSample, saturated
from gfactor.psychometrics.sem.sample.blocks import pattern_blocks
from gfactor.psychometrics.sem.sample.missing import left_out, pairs_apart, refuse_apart
from gfactor.psychometrics.sem.sample.saturated import saturated_moments


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
    return Outcome(made.point, made.value, made.iterations, made.status, 0.0)


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


@pytest.mark.parametrize("tolerance", [1e-12, 1e-8])
def test_moments_of_a_variable_seen_less_often_are_andersons(tolerance: float) -> None:
    """Anderson (1957): the regression of y on x from the complete cases, x from all cases."""
    rows = incomplete()
    whole = rows[~np.isnan(rows[:, 1])]
    mean, cov = whole.mean(axis=0), np.cov(whole.T, bias=True)
    slope = cov[0, 1] / cov[0, 0]
    x = rows[:, 0]
    expected_mean = [x.mean(), mean[1] + slope * (x.mean() - mean[0])]
    left = cov[1, 1] - slope * cov[0, 1]
    group = GroupSample("", len(rows), mean, cov, rows)
    found, blocks = saturated_moments(group, pattern_blocks(group, 1.0), tolerance=tolerance)
    assert found.mean == pytest.approx(expected_mean, abs=1e-6)
    assert found.cov[0, 0] == pytest.approx(x.var(), abs=1e-6)
    assert found.cov[0, 1] == pytest.approx(slope * x.var(), abs=1e-6)
    assert found.cov[1, 1] == pytest.approx(left + slope**2 * x.var(), abs=1e-5)
    # Minus the log-likelihood per case without constants: x for all, y given x where it is seen.
    value = 0.5 * (np.log(x.var()) + 1) + (2 / 3) * 0.5 * (np.log(left) + 1)
    assert blocks.saturated == pytest.approx(value, abs=1e-8)


def test_blocks_are_the_patterns_of_what_is_seen() -> None:
    rows = incomplete(12)
    group = GroupSample("", 12, np.zeros(2), np.eye(2), rows)
    blocks = pattern_blocks(group, 0.6)
    assert blocks.seen.tolist() == [[True, False], [True, True]]
    assert blocks.weight == pytest.approx([0.2, 0.4])
    assert blocks.member is not None
    assert blocks.member.tolist() == [1] * 8 + [0] * 4
    assert blocks.mean[0].tolist() == pytest.approx([rows[8:, 0].mean(), 0.0])
    assert blocks.cov[1] == pytest.approx(np.cov(rows[:8].T, bias=True))
    assert not blocks.complete
    weighted = GroupSample("", 12, np.zeros(2), np.eye(2), rows, weights=np.arange(1.0, 13))
    heavy = pattern_blocks(weighted, 1.0)
    assert heavy.weight == pytest.approx([42 / 78, 36 / 78])
    assert heavy.mean[0, 0] == pytest.approx(np.average(rows[8:, 0], weights=np.arange(9, 13)))


def test_em_that_does_not_end_names_pairs_hardly_seen_together() -> None:
    rows = np.full((40, 2), np.nan)
    rng = np.random.default_rng(0)
    rows[:21, 0], rows[19:, 1] = rng.normal(size=21), rng.normal(size=21)
    group = GroupSample("g", 40, np.zeros(2), np.eye(2), rows)
    with pytest.raises(
        ParameterError, match="of group 'g' did not converge in 3 EM steps: a with b"
    ):
        saturated_moments(group, pattern_blocks(group, 1.0), steps=3, names=["a", "b"])


def test_pairs_are_apart_below_a_tenth_and_refused_below_two_cases() -> None:
    rows = np.ones((40, 3))
    rows[3:, 0] = np.nan
    rows[:2, 1] = np.nan
    found = pairs_apart(rows, "abc")
    assert [(p.first, p.second, p.share) for p in found] == [("a", "b", 1 / 40), ("a", "c", 3 / 40)]
    assert pairs_apart(np.vstack([np.ones((4, 3)), rows[4:]]), "abc") == []
    with pytest.raises(ParameterError, match="a with b are never seen together in group 1"):
        refuse_apart(rows, "abc", " in group 1")
    rows[1, 1] = 1
    refuse_apart(rows, "abc")


@pytest.mark.parametrize(
    ("n", "listwise", "severity"), [(90, True, "note"), (89, True, "warning"), (50, False, "note")]
)
def test_cases_left_out_are_counted(n: int, listwise: bool, severity: str) -> None:
    (found,) = left_out((Made(n=n - 10), Made(n=10)), 100, listwise)  # type: ignore[arg-type]
    assert (found.code, found.severity) == ("cases_left_out", severity)
    assert found.values == {"left_out": 100 - n, "cases": 100}
    assert f"Left out: {100 - n} of 100 cases ({100 - n}%)" in found.sentence
    assert ("lack a value of some variable" in found.sentence) == listwise


def test_rows_without_a_group_are_counted() -> None:
    assert left_out((Made(n=5),), 5, True) == ()  # type: ignore[arg-type]
    (found,) = left_out((Made(n=5),), 5, True, homeless=2, column="school")  # type: ignore[arg-type]
    assert (found.code, found.values, found.where) == (
        "rows_without_group", {"rows": 2}, ("school",),
    )  # fmt: skip


def test_numbers_are_written_as_apa_does() -> None:
    assert [text.fixed(v) for v in (1.005, -0.001, None, np.nan, 3)] == ["1.00", "0.00", "-", "-",
                                                                        "3.00"]  # fmt: skip
    assert [text.share(v) for v in (0.0456, -0.5, 1.2, 10.04)] == [".046", "-.500", "1.200",
                                                                   "10.040"]  # fmt: skip
    assert [text.p_value(v) for v in (0.0009, 0.001, 0.0456, None)] == ["< .001", ".001", ".046",
                                                                        "-"]  # fmt: skip
    assert text.p_value(0.2, "= ") == "= .200"


def test_lines_of_fit_name_the_variant_that_they_give() -> None:
    known: dict[str, float | None] = {
        "chisq": 30.0, "df": 20.0, "pvalue": 0.0699, "cfi": 0.952, "tli": 0.9, "rmsea": 0.051,
        "rmsea.ci.lower": 0.0, "rmsea.ci.upper": 0.09, "rmsea.pvalue": 0.4, "srmr": 0.03,
    }  # fmt: skip
    (line,) = text.fit_lines(known)
    assert line == (
        "chi-square(20) = 30.00, p = .070; CFI = .952, TLI = .900, RMSEA = .051, 90% CI "
        "[.000, .090], close-fit p = .400, SRMR = .030"
    )
    scaled = known | {"chisq.scaled": 25.0, "df.scaled": 20.0, "pvalue.scaled": 0.2,
                      "baseline.chisq.scaled": 200.0, "baseline.df.scaled": 28.0,
                      "baseline.pvalue.scaled": 0.0, "logl": -100.0, "unrestricted.logl": -85.0,
                      "aic": 232.0, "bic": 250.0, "bic2": 240.0}  # fmt: skip
    lines = text.fit_lines(scaled)
    assert lines[0].startswith("chi-square(20) = 25.00 (scaled), p = .200;")
    assert lines[1] == "Baseline model: chi-square(28) = 200.00 (scaled), p < .001"
    assert lines[2] == (
        "Log-likelihood -100.00 (unrestricted model -85.00), AIC 232.00, BIC 250.00, sample-size "
        "adjusted BIC 240.00"
    )
    drawn = text.exact_fit_text(known | {"pvalue.bollen.stine": 0.5})
    assert drawn == "chi-square(20) = 30.00, p = .500 (Bollen-Stine)"


def test_hancocks_h_and_the_share_of_uncontaminated_correlations() -> None:
    # Loadings .6 and .8: .36/.64 + .64/.36 = 2.340, H = 2.340 / 3.340.
    assert _replicability(np.array([0.6, -0.8])) == pytest.approx(0.7006, abs=1e-4)
    assert np.isnan(_replicability(np.array([0.6, 1.0])))
    assert np.isnan(_replicability(np.array([0.6, np.nan])))
    halves = [np.arange(6) < 3, np.arange(6) >= 3]
    assert _uncontaminated(halves, 6) == pytest.approx(1 - 12 / 30)
    assert _uncontaminated([np.ones(3, bool)], 3) == 0
    assert np.isnan(_uncontaminated(halves, 1))


def test_mixing_finds_moments_of_incomplete_cases_in_a_third_of_the_steps_of_em(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(8)
    rows = rng.normal(size=(150, 4)) @ (np.eye(4) + 0.5)
    rows[rng.random(rows.shape) < 0.35] = np.nan
    rows = rows[~np.isnan(rows).all(axis=1)]
    group = GroupSample("", len(rows), np.nanmean(rows, axis=0), np.eye(4), rows)
    blocks = pattern_blocks(group, 1.0)
    steps: list[int] = []

    class Counted(saturated._Step):
        def __init__(self, *given: Any) -> None:
            steps.append(1)
            super().__init__(*given)

    monkeypatch.setattr(saturated, "_Step", Counted)
    ends = []
    for search in (saturated._plain, saturated._accelerated):
        steps.clear()
        end = search(group, blocks, 1e-10, 5000)
        assert end is not None
        ends.append((end, len(steps)))
    assert ends[1][0].mean == pytest.approx(ends[0][0].mean, abs=1e-8)
    assert ends[1][0].cov == pytest.approx(ends[0][0].cov, abs=1e-8)
    assert ends[1][1] < ends[0][1] / 3
