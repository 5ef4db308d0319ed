"""Consensus by Dawid and Skene: the published example, the maximum, and what data cannot say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from gfactor.errors import ParameterError
from gfactor.psychometrics.classical.agreement import dawid_skene
from gfactor.psychometrics.classical.agreement.consensus import _loglik

PATIENTS = """
111 1 1 1 1|333 4 3 3 4|112 2 1 2 2|222 3 1 2 1|222 3 2 2 2|222 3 3 2 2|122 2 1 1 1|333 3 4 3 3|
222 2 2 2 3|232 2 2 2 3|444 4 4 4 4|222 3 3 4 3|111 1 1 1 1|222 3 2 1 2|121 1 1 1 1|111 2 1 1 1|
111 1 1 1 1|111 1 1 1 1|222 2 2 2 1|222 1 3 2 2|222 2 2 2 2|222 2 2 2 1|222 3 2 2 2|221 2 2 2 2|
111 1 1 1 1|111 1 1 1 1|232 2 2 2 2|111 1 1 1 1|111 1 1 1 1|112 1 1 2 1|111 1 1 1 1|333 3 2 3 3|
111 1 1 1 1|222 2 2 2 2|222 3 2 3 2|433 4 3 4 3|221 2 2 3 2|232 3 2 3 3|333 3 4 3 2|111 1 1 1 1|
111 1 1 1 1|121 2 1 1 1|232 2 2 2 2|121 1 1 1 1|222 2 2 2 2
"""
"""Fitness of 45 patients for anesthesia, by five anesthetists, the first of whom rated three times
(Dawid and Skene 1979, table 1)."""


def patients() -> pd.DataFrame:
    rows = [[int(one) for one in row if one.isdigit()] for row in PATIENTS.split("|")]
    return pd.DataFrame(rows, columns=["o1", "o1", "o1", "o2", "o3", "o4", "o5"])


def test_the_published_example() -> None:
    found = dawid_skene(patients(), n_bootstrap=0)
    assert found.prevalence["probability"].round(2).tolist() == [0.40, 0.42, 0.11, 0.07]
    first = found.errors.loc[(found.errors["rater"] == "o1").to_numpy()]
    table = first.pivot_table(index="true", columns="said", values="probability").to_numpy()
    assert table[:3].round(2).tolist() == [[0.89, 0.11, 0, 0], [0.07, 0.88, 0.05, 0],
                                           [0, 0.34, 0.66, 0]]  # fmt: skip
    assert found.diagnostics == ()


def test_it_agrees_with_crowd_kit_as_far_as_that_goes() -> None:
    """crowd-kit 1.4.2 ends after six steps here, by its bound; ours goes on to the maximum."""
    alone = dawid_skene(patients().drop(columns="o1"), n_bootstrap=0)
    ours = alone.errors.loc[(alone.errors["rater"] == "o2").to_numpy()]
    theirs = {(1, 1): 0.818, (2, 2): 0.701, (3, 3): 0.999, (4, 4): 0.744}
    for row in ours.to_dict("records"):
        if (key := (row["true"], row["said"])) in theirs:
            assert row["probability"] == pytest.approx(theirs[key], abs=0.02)


def test_no_neighbor_has_a_higher_likelihood() -> None:
    table = patients()
    found = dawid_skene(table, n_bootstrap=0)
    raters, k = list(found.raters["rater"]), len(found.prevalence)
    prevalence = found.prevalence["probability"].to_numpy()
    errors = found.errors["probability"].to_numpy().reshape(len(raters), k, k)
    counts = np.zeros((len(table), len(raters), k))
    for row, ratings in enumerate(table.to_numpy()):
        for name, value in zip(table.columns, ratings, strict=True):
            counts[row, raters.index(name), value - 1] += 1
    best = _loglik(counts, prevalence, errors)
    assert best == pytest.approx(found.loglik)
    # Written out unit by unit, without logarithms of sums.
    slow = sum(
        np.log(sum(p * np.prod(errors[:, j] ** unit) for j, p in enumerate(prevalence)))
        for unit in counts
    )
    assert slow == pytest.approx(best)
    rng = np.random.default_rng(1)
    for _ in range(200):
        other = errors * np.exp(rng.normal(0, 0.05, errors.shape))
        other /= other.sum(axis=2, keepdims=True)
        moved = prevalence * np.exp(rng.normal(0, 0.05, k))
        assert _loglik(counts, moved / moved.sum(), other) <= best + 1e-9


def simulated(units: int = 150, seed: int = 3) -> tuple[pd.DataFrame, np.ndarray, list[float]]:
    """Two raters who are right, and three who mostly guess alike."""
    rng = np.random.default_rng(seed)
    true, share = rng.integers(0, 3, units), [0.95, 0.9, 0.45, 0.4, 0.4]
    table = {
        f"r{k}": np.where(rng.random(units) < p, true, rng.integers(0, 3, units))
        for k, p in enumerate(share)
    }
    return pd.DataFrame(table).astype(object), true, [p + (1 - p) / 3 for p in share]


@pytest.mark.thorough
def test_the_reliable_few_count_more_than_a_majority_that_guesses() -> None:
    table, true, accuracy = simulated()
    found = dawid_skene(table, n_bootstrap=100, seed=1)
    units: Any = found.units
    consensus = (units["consensus"] == true).mean()
    majority = (units["majority"] == true).mean()
    assert consensus > 0.93
    assert consensus > majority + 0.05
    raters: Any = found.raters
    assert np.abs(raters["accuracy"] - accuracy).max() < 0.1
    inside = (raters["low"] <= accuracy) & (accuracy <= raters["high"])
    assert inside.sum() >= 4
    assert (raters["se"] > 0).all()


@pytest.mark.thorough
def test_probabilities_say_how_often_the_consensus_is_right() -> None:
    """Over 20 data sets, with a weak prior, within three standard errors."""
    said, right = [], []
    for seed in range(20):
        table, true, _ = simulated(80, seed)
        found = dawid_skene(table, prior=0.5, n_bootstrap=0)
        said += found.units["probability"].tolist()
        units: Any = found.units
        right += (units["consensus"] == true).tolist()
    assert np.mean(right) == pytest.approx(np.mean(said), abs=0.03)


def test_missing_ratings_and_ties() -> None:
    table = pd.DataFrame({"a": ["x", "y", None, "x"], "b": ["x", None, "y", "y"],
                          "c": ["x", "y", "y", None], "d": [None, None, None, None]})  # fmt: skip
    found = dawid_skene(table, prior=0.5, n_bootstrap=0)
    assert found.raters["rater"].tolist() == ["a", "b", "c"]
    assert found.units["ratings"].tolist() == [3, 2, 2, 2]
    assert found.units["majority"].tolist() == ["x", "y", "y", None]
    empty = pd.concat([table, table.tail(1).assign(a=None, b=None)], ignore_index=True)
    assert len(dawid_skene(empty, prior=0.5, n_bootstrap=0).units) == 4


def test_where_categories_are_equally_probable_there_is_no_consensus() -> None:
    table = pd.DataFrame({"a": ["x", None, "y"], "b": ["x", "y", None], "c": [None, "y", "y"]})
    found = dawid_skene(table, prior=0.5, n_bootstrap=0)
    assert found.units["consensus"].tolist() == [None] * 3
    assert found.units["majority"].tolist() == ["x", "y", "y"]
    assert "undecided_units" in [one.code for one in found.diagnostics]
    sure = dawid_skene(patients(), n_bootstrap=0)
    assert "undecided_units" not in [one.code for one in sure.diagnostics]


def test_a_prior_keeps_error_rates_from_zero_and_few_raters_are_said() -> None:
    table: Any = patients().drop(columns="o1")
    exact: Any = dawid_skene(table, n_bootstrap=0).errors["probability"]
    assert (exact == 0).any()
    weighed: Any = dawid_skene(table, prior=0.1, n_bootstrap=0).errors["probability"]
    assert (weighed > 0).all()
    two = dawid_skene(table[["o2", "o3"]], n_bootstrap=0)
    assert [d.code for d in two.diagnostics if d.severity == "error"] == ["few_raters"]
    with pytest.raises(ParameterError, match="two or more raters and categories"):
        dawid_skene(table[["o2"]])
    with pytest.raises(ParameterError, match="number of ratings, 0 or more"):
        dawid_skene(table, prior=-1)


def test_the_same_seed_gives_the_same() -> None:
    table = simulated(40)[0]
    first, again = (dawid_skene(table, prior=0.5, n_bootstrap=20, seed=2) for _ in range(2))
    assert first.to_dict() == again.to_dict()
    other = dawid_skene(table, prior=0.5, n_bootstrap=20, seed=3)
    assert not other.raters["se"].equals(first.raters["se"])
