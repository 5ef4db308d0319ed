"""Means of people beside examinees: the estimates, and intervals over persons and items."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

from gfactor.errors import ParameterError
from gfactor.psychometrics.inference.crossed import people_beside


def drawn(rng: np.random.Generator, persons: int, items: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Persons and a model who is better, on items that are hard for both or for none."""
    hard = rng.normal(0, 1.2, items)
    chances = expit(rng.normal(0.5, 1, persons)[:, None] - hard)
    people = pd.DataFrame((rng.random(chances.shape) < chances).astype(float))
    model = pd.DataFrame({"m": (rng.random(items) < expit(1.5 - hard)).astype(float)})
    return people, model


def test_every_item_counts_once_however_many_people_were_asked_it() -> None:
    people = pd.DataFrame({"a": [1, 1, 0, np.nan], "b": [0, np.nan, np.nan, np.nan],
                           "c": [0, 0, 0, 0.0]})  # fmt: skip
    others = pd.DataFrame({"m": [1, 1, np.nan]}, index=list("abc"))
    table = people_beside(people, others).intervals
    rows = {(r["examinee"], r["statistic"]): r for r in table.to_dict("records")}
    assert rows["", "people"]["est"] == pytest.approx((2 / 3 + 0 + 0) / 3)
    assert rows["", "solved"]["est"] == pytest.approx(1 / 3)
    assert rows["m", "people"]["est"] == pytest.approx((2 / 3 + 0) / 2)
    assert rows["m", "difference"]["est"] == pytest.approx(1 - 1 / 3)
    assert rows["m", "difference"]["items"] == 2
    assert rows["", "people"]["items"] == 3


@pytest.mark.slow
def test_intervals_are_wider_than_over_persons_alone_and_cover() -> None:
    rng = np.random.default_rng(4)
    # The truth over both populations, by a large draw.
    many = drawn(rng, 3000, 3000)
    true = float(many[1]["m"].mean() - many[0].to_numpy().mean())
    held, trials, widths = 0, 150, []
    for seed in range(trials):
        people, model = drawn(rng, 30, 40)
        row = people_beside(people, model, n_bootstrap=199, seed=seed).intervals.iloc[-1]
        held += row["low"] <= true <= row["high"]
        by_person = people.mean(axis=1)
        widths.append(row["se"] / (by_person.std(ddof=1) / np.sqrt(30)))
    assert 0.92 <= held / trials <= 1.0
    assert np.mean(widths) > 1.2


def test_the_same_seed_gives_the_same_and_others_are_refused() -> None:
    people, model = drawn(np.random.default_rng(1), 10, 12)
    first = people_beside(people, model, seed=3).intervals
    assert first.equals(people_beside(people, model, seed=3).intervals)
    assert not first.equals(people_beside(people, model, seed=4).intervals)
    with pytest.raises(ParameterError, match="scores on different items"):
        people_beside(people, model.iloc[::-1])
    with pytest.raises(ParameterError, match="two or more persons"):
        people_beside(people.head(1), model)
