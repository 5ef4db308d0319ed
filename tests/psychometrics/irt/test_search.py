"""The search for the maximum, on functions whose maximum is known."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from gfactor.psychometrics.irt.estimation.maximizing import (
    _largest,
    _search,
    _two_loops,
    ascent,
    maximize,
)

PEAK = np.array([1.0, -2.0, 30.0])
CURVATURE = np.array([[2.0, 0.5, 0.0], [0.5, 1.0, 0.1], [0.0, 0.1, 0.5]])


@dataclass
class At:
    objective: float
    gradient: np.ndarray


class Hill:
    """A concave function in the place of a likelihood: its peak is PEAK, its height `height`."""

    by_pairs = False

    def __init__(self, smooth: bool = False, height: float = 0.0, shape: str = "square") -> None:
        self.smooth, self.height, self.shape = smooth, height, shape
        self.tried: list[np.ndarray] = []

    def evaluate(self, x: np.ndarray) -> Any:
        self.tried.append(x.copy())
        away = x - PEAK[: len(x)]
        curvature = CURVATURE[: len(x), : len(x)]
        drop = float(away @ curvature @ away) / 2
        if self.shape == "log":  # Flat far away, so that full steps are too short.
            return At(self.height - np.log1p(drop), -curvature @ away / (1 + drop))
        return At(self.height - drop, -curvature @ away)

    def expected_complete(self, at: Any) -> Any:
        return sparse.diags(np.diag(CURVATURE)[: len(at.gradient)])

    def observed(self, at: Any) -> Any:
        k = len(at.gradient)
        return CURVATURE[:k, :k]


def test_the_peak_is_found_and_proven() -> None:
    found = maximize(Hill(height=-7.0), np.zeros(3))  # type: ignore[arg-type]
    assert found.x == pytest.approx(PEAK, abs=1e-6)
    assert found.at.objective == pytest.approx(-7.0, abs=1e-9)
    assert found.converged
    assert found.gradient < 1e-7
    assert found.information is not None
    assert found.newton_steps >= 1


def test_without_iterations_the_start_is_told_not_to_be_the_peak() -> None:
    hill = Hill()
    found = maximize(hill, np.zeros(3), max_iterations=0, tolerance=1e-7)  # type: ignore[arg-type]
    assert found.iterations == 0
    assert found.converged  # Newton's steps end it.
    at_peak = maximize(Hill(), PEAK.copy())  # type: ignore[arg-type]
    assert (at_peak.iterations, at_peak.newton_steps) == (0, 0)
    loose = maximize(Hill(), np.zeros(3), tolerance=100.0)  # type: ignore[arg-type]
    assert (loose.iterations, loose.converged) == (0, True)
    assert loose.x.tolist() == [0, 0, 0]


def test_progress_is_told_step_by_step() -> None:
    told: list[tuple[int, float]] = []
    maximize(Hill(), np.zeros(3), progress=lambda *a: told.append(a))  # type: ignore[arg-type]
    assert [step for step, _ in told] == list(range(1, len(told) + 1))
    assert [value for _, value in told] == sorted(value for _, value in told)


def test_no_step_moves_a_parameter_by_more_than_five() -> None:
    hill = Hill()
    at = hill.evaluate(np.zeros(3))
    direction = np.array([0.5, -1.0, 20.0])
    found = _search(hill, np.zeros(3), at, direction, float(at.gradient @ direction))  # type: ignore[arg-type]
    assert found is not None
    assert found[0] == pytest.approx(direction / 4)
    short = np.array([0.5, -1.0, 2.0])
    found = _search(hill, np.zeros(3), at, short, float(at.gradient @ short))  # type: ignore[arg-type]
    assert found is not None
    assert found[0] == pytest.approx(short)
    assert _search(hill, np.zeros(3), at, np.zeros(3), 0.0) is not None  # type: ignore[arg-type]


def test_a_step_too_long_is_halved_until_it_gains_and_one_downhill_is_refused() -> None:
    hill = Hill()
    start = PEAK - np.array([1.0, 0, 0])
    at = hill.evaluate(start)
    direction = np.array([4.5, 0, 0])
    found = _search(hill, start, at, direction, float(at.gradient @ direction))  # type: ignore[arg-type]
    assert found is not None
    # Beyond 2 (1 - 1e-4) the gain is too small: 4.5 and 2.25 are, 1.125 is not.
    assert found[0] == pytest.approx([1.125, 0, 0])
    assert found[1].objective > at.objective
    hill.tried.clear()
    assert _search(hill, start, at, -direction, float(at.gradient @ direction)) is None  # type: ignore[arg-type]
    assert len(hill.tried) == 30


def test_two_loops_with_as_many_pairs_as_parameters_give_newtons_direction() -> None:
    rng = np.random.default_rng(1)
    moves = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    # Conjugate moves: after three of them the quasi-Newton matrix is the inverse curvature.
    values, vectors = np.linalg.eigh(CURVATURE)
    pairs = deque((v, CURVATURE @ v) for v in (vectors / np.sqrt(values)).T)
    gradient = moves[0]
    found = _two_loops(gradient, pairs, lambda q: q)
    assert found == pytest.approx(np.linalg.solve(CURVATURE, gradient))
    assert _two_loops(gradient, deque(), lambda q: 2 * q) == pytest.approx(2 * gradient)


def test_newtons_direction_ascends_where_the_information_is_indefinite() -> None:
    """Eigenvalues count by their size, those near zero as a millionth of the largest."""
    rng = np.random.default_rng(1)
    basis, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    gradient = rng.normal(size=3)
    for values, counted in (
        ([4.0, 0.5, 2.0], [4.0, 0.5, 2.0]), ([4.0, 0.5, -2.0], [4.0, 0.5, 2.0]),
        ([4.0, -1e-9, -2.0], [4.0, 4e-6, 2.0]), ([4.0, 0.0, -2.0], [4.0, 4e-6, 2.0]),
    ):  # fmt: skip
        found = ascent((basis * values) @ basis.T, gradient)
        expected = basis @ ((basis.T @ gradient) / np.array(counted))
        assert found == pytest.approx(expected, rel=1e-5)
    assert ascent(np.diag([-1e-30, -1e-31]), np.ones(2)) == pytest.approx([1e10, 1e10])


def test_the_largest_step_is_taken_by_size() -> None:
    assert _largest(np.array([1.0, -3.0])) == 3
    assert _largest(np.array([])) == 0
