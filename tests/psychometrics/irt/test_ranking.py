"""Which candidate comes next does not hang on the last bit of its gain."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gfactor.psychometrics.irt.adaptive import AbilityPosterior, Candidates, choose
from gfactor.psychometrics.irt.adaptive.ranking import best_first


@given(st.lists(st.integers(0, 5), min_size=1, max_size=12), st.integers(0, 2**32 - 1))
def test_rounding_leaves_the_order_of_candidates_as_it_is(gains: list[int], seed: int) -> None:
    exact = np.array(gains, dtype=float)
    rounded = exact * (1 + 1e-15 * np.random.default_rng(seed).uniform(-1, 1, len(gains)))
    assert best_first(rounded).tolist() == sorted(range(len(gains)), key=lambda k: -gains[k])


def test_real_differences_decide_and_what_is_not_finite_is_never_chosen() -> None:
    gain = np.array([-np.inf, 1.0, 1.0 + 1e-6, np.nan, 0.5])
    assert best_first(gain).tolist() == [2, 1, 4]
    assert best_first(np.array([-np.inf])).tolist() == []


def test_among_items_of_equal_difficulty_the_first_comes_next() -> None:
    nodes = np.linspace(-6, 6, 121)
    curve = 1 / (1 + np.exp(-nodes))
    # The same curve, computed in another order: the last bits differ.
    again = np.exp(nodes) / (1 + np.exp(nodes))
    items = Candidates(["a", "b", "c"], ["g"] * 3, np.array([curve, again, curve]))
    assert choose(items, {"g": AbilityPosterior(nodes)}) == 0
    turned = Candidates(["b", "a", "c"], ["g"] * 3, np.array([again, curve, curve]))
    assert choose(turned, {"g": AbilityPosterior(nodes)}) == 0
