"""Whole numbers come back from standardised columns; continuous columns are left alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from scipy import stats

from gfactor.psychometrics.respondents import recover_grid
from gfactor.psychometrics.respondents.columns import _ratio


@pytest.mark.thorough
@given(
    st.lists(st.integers(0, 30), min_size=2, max_size=60).filter(lambda x: len(set(x)) > 3),
    st.floats(0.01, 100),
    st.floats(-50, 50),
)
@example([0, 5, 10, 21], 1.0, 0.0)
@example([0, 2, 21, 23], 1.0, 0.0)
def test_counts_come_back_up_to_a_constant_and_their_common_step(
    values: list[int], scale: float, shift: float
) -> None:
    above = np.array(values) - min(values)
    common = np.gcd.reduce(above)
    # Where even the nearest two values are more than five steps apart, nothing tells the step.
    assume(np.diff(np.unique(above)).min() <= 5 * common)
    grid = recover_grid(np.array(values) * scale + shift)
    assert grid is not None
    assert (grid.codes == above // common).all()
    assert grid.step == pytest.approx(common * scale, rel=1e-6)


def test_a_column_of_few_values_far_apart_is_taken_as_continuous() -> None:
    assert recover_grid(np.array([0.0, 6.0, 12.0, 29.0])) is None


def test_the_spacing_of_z_scores_is_one_over_their_standard_deviation() -> None:
    x = np.random.default_rng(1).binomial(20, 0.6, 200).astype(float)
    grid = recover_grid((x - x.mean()) / x.std(ddof=1))
    assert grid is not None
    assert 1 / grid.step == pytest.approx(x.std(ddof=1))


def test_two_decimals_are_enough() -> None:
    x = np.random.default_rng(2).binomial(20, 0.6, 80).astype(float)
    grid = recover_grid(np.round((x - x.mean()) / x.std(ddof=1), 2))
    assert grid is not None
    assert (grid.codes == x - x.min()).all()


def test_normal_scores_have_no_grid() -> None:
    rng = np.random.default_rng(3)
    assert all(recover_grid(rng.normal(size=60)) is None for _ in range(100))


def test_missing_cells_are_minus_one_and_a_constant_is_one_point() -> None:
    grid = recover_grid(np.array([2.0, np.nan, 2.0]))
    assert grid is not None
    assert grid.codes.tolist() == [0, -1, 0]
    assert recover_grid(np.array([np.nan])) is None


def test_the_ratio_of_two_spreads_has_an_f_interval_from_three_values_on() -> None:
    x, y = np.array([1.0, 2.0, 4.0]), np.array([1.0, 5.0, np.nan, 9.0])
    found = _ratio(x, y)
    ratio = x.var(ddof=1) / np.array([1.0, 5.0, 9.0]).var(ddof=1)
    low, high = stats.f.ppf([0.025, 0.975], 2, 2)
    assert found["sd_ratio"] == pytest.approx(np.sqrt(ratio))
    assert found["ratio_low"] == pytest.approx(np.sqrt(ratio / high))
    assert found["ratio_high"] == pytest.approx(np.sqrt(ratio / low))
    for few, other in ((x[:2], y), (x, y[:3]), (x, np.full(5, 2.0))):
        assert all(np.isnan(value) for value in _ratio(few, other).values())
