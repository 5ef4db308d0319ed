"""Agreement of raters against published examples, a plain computation, and at its limits."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.classical.agreement import cohen_kappa, fleiss_kappa, krippendorff_alpha

NONE = None

# Krippendorff (2011), Computing Krippendorff's alpha-reliability, example C: four observers,
# twelve units; nominal .743, ordinal .815, interval .849, ratio .797.
OBSERVERS = pd.DataFrame(
    {
        "A": [1, 2, 3, 3, 2, 1, 4, 1, 2, NONE, NONE, NONE],
        "B": [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NONE, 3],
        "C": [NONE, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NONE],
        "D": [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NONE],
    }
)

# The worked example of the encyclopedia article on Fleiss' kappa: ten units, fourteen raters,
# five categories; kappa .210.
COUNTS = [
    [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
]  # fmt: skip


@pytest.mark.parametrize(
    ("level", "value"),
    [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)],
)
def test_alpha_is_krippendorffs_own_example(level: str, value: float) -> None:
    found = krippendorff_alpha(OBSERVERS, level, n_bootstrap=0)
    assert found.estimate == pytest.approx(value, abs=5e-4)
    assert (found.n, found.raters) == (11, 4)


def test_fleiss_kappa_is_the_worked_example() -> None:
    rows = [[c for c, count in enumerate(row) for _ in range(count)] for row in COUNTS]
    assert fleiss_kappa(pd.DataFrame(rows), n_bootstrap=0).estimate == pytest.approx(
        0.210, abs=5e-4
    )


def test_cohens_kappa_is_the_textbook_fourfold_table() -> None:
    pairs = [("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15
    found = cohen_kappa(pd.DataFrame(pairs))
    assert found.estimate == pytest.approx(0.4)  # (0.7 - 0.5) / (1 - 0.5)
    assert found.low is not None
    assert found.high is not None
    # The large-sample standard error of this table is 0.126 (Fleiss, Cohen & Everitt, 1969).
    assert (found.high - found.low) / 3.92 == pytest.approx(0.126, abs=0.012)


RATINGS = st.lists(
    st.lists(st.sampled_from([1, 2, 3, 5, None]), min_size=3, max_size=3), min_size=3, max_size=9
)


@pytest.mark.thorough
@settings(max_examples=50, deadline=None)
@given(RATINGS, st.sampled_from(["nominal", "interval"]))
def test_alpha_is_one_minus_observed_over_expected_pairs(
    rows: list[list[int | None]], level: str
) -> None:
    """The definition, pair by pair, without coincidence matrices."""
    units = [[v for v in row if v is not None] for row in rows]
    units = [unit for unit in units if len(unit) > 1]
    if not units:
        with pytest.raises(ParameterError, match="no unit was rated twice"):
            krippendorff_alpha(pd.DataFrame(rows), level, n_bootstrap=0)
        return

    def apart(a: int, b: int) -> float:
        return float(a != b) if level == "nominal" else float((a - b) ** 2)

    pooled = [v for unit in units for v in unit]
    observed = sum(
        apart(a, b) / (len(unit) - 1) for unit in units for a, b in permutations(unit, 2)
    ) / len(pooled)
    expected = sum(apart(a, b) for a, b in permutations(pooled, 2)) / (
        len(pooled) * (len(pooled) - 1)
    )
    found = krippendorff_alpha(pd.DataFrame(rows), level, n_bootstrap=0).estimate
    if expected == 0:
        assert found is None
    else:
        assert found == pytest.approx(1 - observed / expected)


def test_quadratic_weights_forgive_neighbors_and_not_extremes() -> None:
    near = pd.DataFrame({"a": [1, 2, 3, 4] * 5, "b": [2, 2, 3, 4] * 5})
    far = pd.DataFrame({"a": [1, 2, 3, 4] * 5, "b": [4, 2, 3, 4] * 5})
    plain = [cohen_kappa(table, n_bootstrap=0).estimate for table in (near, far)]
    weighted = [cohen_kappa(table, "quadratic", n_bootstrap=0).estimate for table in (near, far)]
    assert plain[0] == pytest.approx(plain[1])
    assert weighted[0] is not None
    assert weighted[1] is not None
    assert weighted[0] > 0.85
    assert weighted[1] < 0.3


@pytest.mark.slow
def test_intervals_cover_the_true_agreement() -> None:
    """Two raters who agree beyond chance with probability 0.6: kappa 0.6 (300 samples, n = 80)."""
    source = np.random.default_rng(7)
    covered = 0
    for trial in range(300):
        truth = source.integers(0, 3, 80)
        other = np.where(source.random(80) < 0.6, truth, source.integers(0, 3, 80))
        found = cohen_kappa(pd.DataFrame({"a": truth, "b": other}), n_bootstrap=400, seed=trial)
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= 0.6 <= found.high
    assert 0.90 <= covered / 300 <= 0.98


def test_a_seed_gives_the_same_interval_and_units_alike_give_none() -> None:
    table = OBSERVERS
    assert krippendorff_alpha(table, seed=3) == krippendorff_alpha(table, seed=3)
    same = krippendorff_alpha(pd.DataFrame({"a": [1, 1], "b": [1, 1]}))
    assert same.estimate is None
    assert "same value" in same.summary()


def test_what_cannot_be_computed_is_one_sentence() -> None:
    with pytest.raises(UnknownNameError, match="nominal"):
        krippendorff_alpha(OBSERVERS, "nominel")
    with pytest.raises(ParameterError, match="must be numbers"):
        krippendorff_alpha(pd.DataFrame({"a": ["x", "y"], "b": ["x", "x"]}), "interval")
    with pytest.raises(ParameterError, match="two raters"):
        cohen_kappa(OBSERVERS)
    with pytest.raises(ParameterError, match="the same number of ratings"):
        fleiss_kappa(OBSERVERS)


def test_fleiss_kappa_needs_equally_many_ratings() -> None:
    even = pd.DataFrame({"a": [1, 1, 2, 2], "b": [1, 1, 2, 1], "c": [1, 2, 2, 1]})
    agreed = np.array([3, 1, 3, 1]) / 3
    shares = np.array([7, 5]) / 12
    expected = (agreed.mean() - (shares**2).sum()) / (1 - (shares**2).sum())
    assert fleiss_kappa(even, n_bootstrap=20).estimate == pytest.approx(expected)
    for row in ([1, None, 2], [1, None, None]):
        with pytest.raises(ParameterError, match="needs the same number of ratings for every"):
            fleiss_kappa(
                pd.concat([even, pd.DataFrame([row], columns=list("abc"))]), n_bootstrap=20
            )
