"""Items of several points weigh as many times as much: in chance, and in differences."""

from __future__ import annotations

import pandas as pd
import pytest

from gfactor.reports.answers.changes import change
from gfactor.reports.answers.group_rates import RateMeasure, expected, rate

POINTS = RateMeasure("earned", "possible", "guess")


def rows(earned: list[float], possible: list[int], guess: list[float]) -> pd.DataFrame:
    """One model's rows, an item each."""
    n = range(len(earned))
    return pd.DataFrame(
        {"earned": earned, "possible": possible, "guess": guess, "role": "model", "_item": n,
         "_unit": n, "_person": -1}
    ).assign(possible=lambda f: f["possible"].astype(float))  # fmt: skip


def test_what_chance_earns_is_of_all_points() -> None:
    """A quarter of one point, nothing of three."""
    own = rows([0, 0], [1, 3], [0.25, 0.0])
    assert expected(own, POINTS) == pytest.approx(0.25 * 1 / 4)


def test_every_item_counts_once_in_chance_however_many_answered_it() -> None:
    own = rows([0, 0], [1, 3], [0.25, 0.0])
    again = pd.concat([own, own.iloc[:1], own.iloc[:1]])
    assert expected(again, POINTS) == expected(own, POINTS)


def test_a_difference_is_that_of_the_two_ratios() -> None:
    """2 of 10 points before and 5 after: +0.3, not the mean of the items' differences (-0.107)."""
    possible, guess = [1, 1, 1, 7], [0.0] * 4
    before = rows([1, 1, 0, 0], possible, guess)
    after = rows([0, 1, 0, 4], possible, guess)
    found = change(before, after, POINTS, 0.95)
    assert found is not None
    ratios = [rate(own, POINTS, 0.95)["value"] for own in (before, after)]
    assert ratios == pytest.approx([0.2, 0.5])
    assert found["difference"] == pytest.approx(0.3)
    assert found["difference_low"] < 0.3 < found["difference_high"]
