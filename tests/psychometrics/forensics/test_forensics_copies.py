"""Copies are found up to shift and scale, and different persons are not called copies."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.persons import counts, independent, standardised

from gfactor.psychometrics.respondents import forensics
from gfactor.psychometrics.respondents.alignment import ColumnAlignment, align
from gfactor.psychometrics.respondents.copies import _as_given, _line_through


def codes(found: object) -> list[str]:
    return [d.code for d in found.diagnostics]  # type: ignore[attr-defined]


@pytest.mark.thorough
def test_persons_shared_by_standardised_samples_are_found_one_by_one() -> None:
    rng = np.random.default_rng(1)
    everyone = counts(120, rng)
    a, b = everyone.iloc[:70], everyone.iloc[40:].sample(frac=1, random_state=3)
    found = forensics({"a": standardised(a), "b": standardised(b)})
    (row,) = found.overlaps.to_dict("records")
    assert (row["first_shared"], row["second_shared"], row["exact"]) == (30, 30, 30)
    assert row["aligned"] == "shift and scale"
    assert found.matches["person"].tolist() == found.matches["partner"].tolist()
    assert found.distinct == 120
    assert codes(found).count("shared_persons") == 1


@pytest.mark.thorough
def test_near_copies_that_differ_in_a_few_columns_are_found() -> None:
    rng = np.random.default_rng(2)
    a = counts(60, rng)
    b = a.copy()
    for person in range(60):
        changed = rng.permutation(18)[: int(rng.integers(0, 4))]
        b.iloc[person, changed] += rng.integers(1, 3, len(changed))
    found = forensics({"a": standardised(a), "b": standardised(b)})
    (row,) = found.overlaps.to_dict("records")
    assert row["first_shared"] == 60
    assert min(found.matches.query("first != second")["agree"]) >= 15


@pytest.mark.thorough
def test_raw_scores_are_compared_as_given_so_that_one_shared_person_is_enough() -> None:
    rng = np.random.default_rng(3)
    a, b = counts(50, rng), counts(50, rng)
    b.iloc[7] = a.iloc[11]
    found = forensics({"a": a, "b": b})
    assert found.overlaps["first_shared"].tolist() == [1]
    assert found.matches[["person", "partner"]].to_numpy().tolist() == [[11, 7]]
    assert found.overlaps["aligned"].tolist() == ["as given"]


@pytest.mark.thorough
def test_samples_that_agree_in_most_columns_as_given_are_still_aligned_in_the_others() -> None:
    a = counts(50, np.random.default_rng(12))
    b = a + np.where(np.arange(18) < 14, 0.0, 3.0)
    found = forensics({"a": a, "b": b})
    assert found.overlaps["exact"].tolist() == [50]
    assert found.overlaps["aligned"].tolist() == ["shift and scale"]


def test_columns_without_a_grid_are_matched_through_recurring_differences() -> None:
    rng = np.random.default_rng(4)
    everyone = pd.DataFrame(rng.normal(size=(70, 8)))
    a, b = everyone.iloc[:40], everyone.iloc[20:]
    found = forensics({"a": standardised(a), "b": 3.7 * standardised(b) + 11})
    assert found.overlaps["first_shared"].tolist() == [20]
    assert found.overlaps["exact"].tolist() == [20]
    other = pd.DataFrame(rng.normal(size=(50, 8)))
    assert forensics({"a": a, "other": other}).overlaps["first_shared"].tolist() == [0]


def test_a_row_entered_twice_is_found_within_a_sample() -> None:
    x = standardised(counts(60, np.random.default_rng(5)))
    x.iloc[30] = x.iloc[4]
    found = forensics(x)
    assert codes(found)[0] == "duplicated_persons"
    assert found.diagnostics[0].where == ("4 = 30",)
    assert found.diagnostics[0].severity == "error"


@pytest.mark.slow
def test_independent_samples_give_no_false_alarm() -> None:
    """4 studies of six samples: 60 comparisons across and 24 within; nominal rate 1 % each study
    and kind. `benchmarks/forensics_false_alarms.py` does the same with more studies."""
    rng = np.random.default_rng(20)
    for _ in range(4):
        found = forensics(independent(rng))
        assert not {"shared_persons", "duplicated_persons", "near_copies"} & set(codes(found))


def test_few_columns_of_few_values_cannot_tell_copies_from_chance() -> None:
    x = pd.DataFrame(np.random.default_rng(6).integers(0, 3, (80, 4)))
    assert x.duplicated().any()
    assert "duplicated_persons" not in codes(forensics(x))


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(
    st.integers(0, 10_000),
    st.lists(st.floats(0.05, 50), min_size=18, max_size=18),
    st.lists(st.floats(-100, 100), min_size=18, max_size=18),
)
def test_any_positive_scale_and_any_shift_leave_the_matches_as_they_are(
    seed: int, scale: list[float], shift: list[float]
) -> None:
    rng = np.random.default_rng(seed)
    everyone = counts(60, rng)
    a, b = everyone.iloc[:40], everyone.iloc[20:]
    found = forensics({"a": a, "b": b * np.array(scale) + np.array(shift)})
    assert found.overlaps["exact"].tolist() == [20]


@pytest.mark.thorough
def test_equal_input_gives_equal_output_to_the_byte() -> None:
    rng = np.random.default_rng(8)
    samples = {"a": counts(30, rng), "b": counts(40, rng)}
    assert repr(forensics(samples).to_dict()) == repr(forensics(samples).to_dict())


def test_missing_cells_agree_with_nothing() -> None:
    x = counts(50, np.random.default_rng(9))
    x.iloc[3] = np.nan
    x.iloc[9] = np.nan
    assert "duplicated_persons" not in codes(forensics(x))


@pytest.mark.thorough
@pytest.mark.parametrize("n", [1, 2, 3])
def test_tiny_samples_are_examined_without_an_error(n: int) -> None:
    forensics({"a": counts(n, np.random.default_rng(n)), "b": counts(n, np.random.default_rng(9))})


def test_a_column_without_spread_agrees_where_both_have_its_value() -> None:
    """Cells agree up to a millionth of the range; without a range, where they are equal."""
    first = np.array([[1.0, 5.0], [2.0, 5.0], [np.nan, 5.0]])
    second = np.array([[1.0 + 5e-7, 5.0], [1.1, np.nan]])
    assert _as_given(first, second).tolist() == [[2, 0], [1, 0], [1, 0]]


def test_pairs_agree_where_their_steps_and_shifts_do_and_both_are_known() -> None:
    rule = ColumnAlignment(np.array([1, 2]), np.array([1, 1]), np.array([3, 5]))
    first = np.array([[5, 4], [4, -1], [-1, 3]])
    second = np.array([[2, 3], [1, 1], [-1, -1], [-4, 1]])
    # 5 - 2 = 3 and 2 * 4 - 3 = 5; 4 - 1 = 3; 2 * 3 - 1 = 5.
    assert rule.agreements(first, second).tolist() == [[2, 0, 0, 0], [0, 1, 0, 0], [0, 1, 0, 1]]


def test_samples_are_aligned_though_cells_are_missing_and_steps_differ() -> None:
    rng = np.random.default_rng(9)
    first = rng.integers(0, 40, (30, 8))
    second = np.vstack([first[:12] + np.arange(8), rng.integers(0, 40, (20, 8))])
    second[:12, 2] = 3 * first[:12, 2] + 2
    second[rng.random(second.shape) < 0.08] = -1
    found = align(first, second, np.random.default_rng(1))
    assert found is not None
    # first * p - second * q == shift.
    assert found.scale_first.tolist() == [1, 1, 3, 1, 1, 1, 1, 1]
    assert found.scale_second.tolist() == [1] * 8
    assert found.shift.tolist() == [0, -1, -2, -3, -4, -5, -6, -7]
    assert align(first[:, :1], second[:, :1], np.random.default_rng(1)) is None
    # What is missing in both samples of most persons is no agreement that shifts are read from.
    gaps = np.full((30, 8), -1)
    gaps[:10] = first[:10]
    other = np.full((30, 8), -1)
    other[:10] = first[:10] + 5
    found = align(gaps, other, np.random.default_rng(1))
    assert found is not None
    assert found.shift.tolist() == [-5] * 8
    left, right = np.where(np.arange(8) < 4, first, -1), np.where(np.arange(8) < 4, -1, first)
    assert align(left, right, np.random.default_rng(1)) is None
    for wide in (16, 40):  # Noise that agrees in a few columns alone ends without an error.
        one, other = (rng.integers(0, 60, (5, wide)) for _ in range(2))
        assert align(one, other, np.random.default_rng(1)) is not None


def test_a_line_through_matched_persons_needs_spread() -> None:
    x = np.array([1.0, 3, 5, np.nan, 7, 9, 11, 13])
    y = np.array([0.0, 1, 2, 3, 3, 4, np.nan, 6])
    assert _line_through(x, y) == pytest.approx((2.0, 1.0))
    assert _line_through(x, np.ones(8)) is None
    assert _line_through(np.ones(8), y) is None
    assert _line_through(x[:1], y[:1]) is None
