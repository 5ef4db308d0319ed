"""Adjusted p-values against hand-computed values, scipy, and simulated error rates."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import special, stats

from gfactor.errors import ParameterError
from gfactor.psychometrics import (
    benjamini_hochberg,
    benjamini_yekutieli,
    holm,
    holm_directional,
)

ALL = (holm, benjamini_hochberg, benjamini_yekutieli, holm_directional)
P = [0.01, 0.04, 0.03, 0.005, 0.2]
p_values = st.lists(st.floats(0, 1, allow_subnormal=False), min_size=1, max_size=30)


def test_holm_is_the_hand_computed_one() -> None:
    # Sorted .005 .01 .03 .04 .2 times 5 4 3 2 1 is .025 .04 .09 .08 .2, then made increasing.
    assert_allclose(holm(P), [0.04, 0.09, 0.09, 0.025, 0.2])


def test_benjamini_hochberg_is_the_hand_computed_one() -> None:
    # Sorted times 5/1 5/2 5/3 5/4 5/5 is .025 .025 .05 .05 .2.
    assert_allclose(benjamini_hochberg(P), [0.025, 0.05, 0.05, 0.025, 0.2])


def test_benjamini_yekutieli_pays_the_harmonic_sum() -> None:
    harmonic = 1 + 1 / 2 + 1 / 3 + 1 / 4 + 1 / 5
    assert_allclose(benjamini_yekutieli(P), np.array([0.025, 0.05, 0.05, 0.025, 0.2]) * harmonic)


def test_holm_directional_is_holms_adjustment_of_both_one_sided_tests() -> None:
    """statsmodels 0.15.0: multipletests([*p/2, *1 - p/2], method="holm"), the first six."""
    p = np.array([0.0004, 0.003, 0.011, 0.02, 0.04, 0.3])
    oracle = [0.0024, 0.0165, 0.055, 0.09, 0.16, 1.0]
    assert holm_directional(p) == pytest.approx(oracle)
    by_hand = p[:5] * (6 - np.arange(5) / 2)
    assert holm_directional(p)[:5] == pytest.approx(by_hand)


def test_holm_directional_counts_both_directions() -> None:
    # Halves .005 and .02 among four one-sided tests: 4 x .005, 3 x .02.
    assert_allclose(holm_directional([0.01, 0.04]), [0.02, 0.06])


@given(p_values)
def test_false_discovery_control_agrees_with_scipy(p: list[float]) -> None:
    assert_allclose(benjamini_hochberg(p), stats.false_discovery_control(p, method="bh"))
    assert_allclose(benjamini_yekutieli(p), stats.false_discovery_control(p, method="by"))


@pytest.mark.thorough
@pytest.mark.parametrize("adjust", ALL)
@given(p=p_values)
def test_adjusting_keeps_the_order_and_never_lowers_a_p(
    adjust: Callable[..., np.ndarray], p: list[float]
) -> None:
    adjusted = adjust(p)
    assert np.all(adjusted >= np.asarray(p) * (1 - 1e-12))
    assert np.all(adjusted <= 1)
    assert np.all(np.diff(adjusted[np.argsort(p, kind="stable")]) >= -1e-15)


@given(p_values)
def test_holm_directional_is_no_bolder_than_holm(p: list[float]) -> None:
    assert np.all(holm_directional(p) >= holm(p) * (1 - 1e-12))


@pytest.mark.parametrize("adjust", ALL)
def test_what_is_not_known_is_not_counted(adjust: Callable[..., np.ndarray]) -> None:
    with_gap = adjust([0.01, np.nan, 0.04])
    assert np.isnan(with_gap[1])
    assert_allclose(with_gap[[0, 2]], adjust([0.01, 0.04]))
    assert adjust([]).size == 0


@pytest.mark.parametrize("p", [[-0.1], [1.5], [[0.1, 0.2]]])
def test_what_is_no_list_of_probabilities_is_refused(p: list[float]) -> None:
    with pytest.raises(ParameterError):
        holm(p)


def test_false_discoveries_stay_below_their_share() -> None:
    """60 of 100 nulls at q = .10: the expected share is 0.6 q; the bound allows 4 s.e."""
    rng = np.random.default_rng(11)
    z = rng.normal(size=(1500, 100)) + np.repeat([0.0, 3.0], [60, 40])
    called = np.array([benjamini_hochberg(2 * special.ndtr(-abs(row))) < 0.1 for row in z])
    share = called[:, :60].sum(axis=1) / np.maximum(1, called.sum(axis=1))
    assert abs(share.mean() - 0.06) < 4 * share.std() / np.sqrt(1500)


def test_wrong_directions_are_rarer_than_the_level_even_between_dependent_tests() -> None:
    """All six pairs of four runs, two of which are truly equal; 2000 draws, bound 3 s.e."""
    rng = np.random.default_rng(12)
    truth = np.array([0.0, 0.0, 1.0, 4.0])
    first, second = np.triu_indices(4, 1)
    scores = truth + rng.normal(size=(2000, 4))
    z = (scores[:, first] - scores[:, second]) / np.sqrt(2)
    right = np.sign(truth[first] - truth[second])
    claimed = np.array([holm_directional(2 * special.ndtr(-abs(row))) < 0.05 for row in z])
    wrong = (claimed & (np.sign(z) != right)).any(axis=1).mean()
    assert wrong < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 2000)
    assert claimed[:, right != 0].mean() > 0.3, "a procedure that claims nothing is no use"
