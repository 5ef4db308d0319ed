"""The interval of scoring is the one of psychometrics, which scoring may not import."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gfactor.psychometrics import wilson as of_psychometrics
from gfactor.scoring import wilson


@given(st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_both_intervals_are_the_same(counts: tuple[int, int]) -> None:
    right, n = counts
    low, high = of_psychometrics(right, n)
    assert wilson(right, n) == pytest.approx((float(low), float(high)), abs=1e-12)
