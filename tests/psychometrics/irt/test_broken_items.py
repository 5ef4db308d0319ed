"""Items that were broken on purpose are named, and sound ones are not."""

from __future__ import annotations

from types import SimpleNamespace as Made
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import special

from gfactor.psychometrics.irt import fit_irt
from gfactor.psychometrics.irt.checks.brokenitems import (
    LEVEL,
    BrokenItems,
    affordable_simulations,
    broken_items,
    simulate,
)


def _exam(persons: int = 600, items: int = 12, seed: int = 3) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(seed)
    theta = rng.normal(size=(persons, 1))
    z = 1.3 * (theta - np.linspace(-1.5, 1.5, items))
    right = (rng.uniform(size=(persons, items)) < 1 / (1 + np.exp(-z))).astype(int)
    return pd.DataFrame(right, columns=[f"q{j}" for j in range(items)]), theta[:, 0]


@pytest.fixture(scope="module")
def broken() -> BrokenItems:
    frame, theta = _exam()
    rng = np.random.default_rng(5)
    solved = rng.uniform(size=len(frame)) < 1 / (1 + np.exp(-1.3 * theta))
    frame["turned"] = 1 - solved.astype(int)
    frame["noise"] = rng.integers(0, 2, len(frame))
    frame["hard"] = (rng.uniform(size=len(frame)) < 0.01).astype(int)
    copied = np.where(
        rng.uniform(size=len(frame)) < 0.7, frame["q3"], rng.integers(0, 2, len(frame))
    )
    frame["copy"] = copied
    # Solved in the middle of the scale only: no curve that rises fits it.
    frame["bump"] = ((np.abs(theta) < 0.7) ^ (rng.uniform(size=len(frame)) < 0.1)).astype(int)
    return broken_items(fit_irt("2pl", frame), simulations=40, seed=1)


def _named(found: BrokenItems, reason: str) -> set[str]:
    chosen = found.table[found.table["reason"] == reason]
    return set(chosen["item"]) | {name for name in chosen["with_item"] if name}


def test_each_break_is_found_under_its_name(broken: BrokenItems) -> None:
    assert "turned" in _named(broken, "negative_discrimination")
    flat = _named(broken, "near_zero_discrimination") | _named(broken, "negative_slope")
    assert "noise" in flat
    assert _named(broken, "too_hard") == {"hard"}
    assert {"q3", "copy"} <= _named(broken, "locally_dependent")
    assert "bump" in _named(broken, "misfit")
    codes = [entry.code for entry in broken.diagnostics]
    assert {"negative_discrimination", "locally_dependent", "misfit"} <= set(codes)


def test_an_item_with_a_slope_below_zero_that_may_be_chance_is_no_flat_one() -> None:
    frame, theta = _exam(persons=300)
    rng = np.random.default_rng(1)
    frame["turned"] = (rng.uniform(size=len(frame)) < 1 / (1 + np.exp(0.35 * theta))).astype(int)
    found = broken_items(fit_irt("2pl", frame), simulations=0)
    row = found.table[found.table["item"] == "turned"].iloc[0]
    assert (row["reason"], row["statistic"] < 0, row["p_adjusted"] > 0.05) == (
        "negative_slope",
        True,
        True,
    )
    (diagnostic,) = (one for one in found.diagnostics if one.code == "negative_slope")
    assert f"turned (slope {row['statistic']:.2f}, standard error " in diagnostic.sentence


@pytest.mark.thorough
def test_a_sound_exam_has_nothing_wrong() -> None:
    frame, _ = _exam(seed=8)
    found = broken_items(fit_irt("2pl", frame), simulations=40, seed=1)
    assert found.table.empty
    assert found.diagnostics == ()


@pytest.mark.thorough
def test_rasch_names_a_turned_item_by_the_slope_that_it_would_have() -> None:
    frame, _ = _exam(persons=60)
    frame["turned"] = 1 - frame["q5"]
    found = broken_items(fit_irt("rasch", frame), simulations=0)
    assert _named(found, "negative_discrimination") == {"turned"}


@pytest.mark.thorough
def test_a_wrong_key_is_suspected_where_the_able_choose_a_distractor() -> None:
    frame, _ = _exam(persons=300)
    rng = np.random.default_rng(2)
    choices = pd.DataFrame({
        name: np.where(column == 1, "A", rng.choice(["B", "C", "D"], len(frame)))
        for name, column in frame.items()
    })  # fmt: skip
    key = dict.fromkeys(frame.columns, "A")
    # The item's true answer is A, but B is keyed.
    key["q4"], frame["q4"] = "B", (choices["q4"] == "B").astype(int)
    found = broken_items(fit_irt("2pl", frame), choices=choices, key=key, simulations=0)
    rows = found.table[found.table["reason"] == "wrong_key"]
    assert list(zip(rows["item"], rows["with_item"], strict=True)) == [("q4", "A")]


def test_simulated_tables_follow_the_model_and_the_seed() -> None:
    frame, _ = _exam()
    frame.iloc[::3, 2] = np.nan
    fit = fit_irt("2pl", frame)
    first, again = (simulate(fit, np.random.default_rng(9)) for _ in range(2))
    assert np.array_equal(first, again)
    assert np.array_equal(first < 0, fit.table.codes < 0)
    shares = (first == 1).sum(axis=0) / (first >= 0).sum(axis=0)
    expected = frame.mean().to_numpy()
    assert np.abs(shares - expected).max() < 0.09


def test_items_that_all_or_nobody_solved_are_counted_among_all() -> None:
    frame, _ = _exam(persons=60)
    frame["turned"], frame["all"], frame["none"] = 1 - frame["q5"], 1, 0
    found = broken_items(fit_irt("rasch", frame), simulations=0)
    assert found.n_items == 15
    (said,) = (d for d in found.diagnostics if d.code == "negative_discrimination")
    assert said.sentence.startswith("1 of 15 items ")
    assert said.sentence.endswith(": turned.")
    assert said.where == ("turned",)


def test_a_simulated_p_of_a_twentieth_flags_no_item_and_one_below_does() -> None:
    rng = np.random.default_rng(3)
    z = rng.normal(size=(150, 1)) - np.linspace(-1, 1, 5)
    data = pd.DataFrame((rng.random(z.shape) < 1 / (1 + np.exp(-z))) * 1.0).add_prefix("i")
    data["copy"] = data["i2"]
    fit = fit_irt("rasch", data.assign(copy=data["i2"].where(np.arange(150) % 12 > 0, 0.0)))
    assert LEVEL == 0.05
    reasons = [set(broken_items(fit, simulations=n).table["reason"]) for n in (19, 20)]
    assert "locally_dependent" not in reasons[0]
    assert "locally_dependent" in reasons[1]


def test_simulated_answers_follow_the_persons_covariates() -> None:
    rng = np.random.default_rng(3)
    group = np.repeat([0.0, 1.0], 150)
    theta = 1.5 * group + rng.normal(size=300)
    data = pd.DataFrame(
        (rng.random((300, 5)) < special.expit(theta[:, None] - np.linspace(-1, 2, 5))).astype(float)
    ).set_axis(list("abcde"), axis=1)
    fit = fit_irt("rasch", data, covariates=pd.DataFrame({"group": group}))
    drawn = np.mean([simulate(fit, np.random.default_rng(k)) for k in range(30)], axis=0)
    seen = data.to_numpy()
    for part in (group == 0, group == 1):
        assert drawn[part].mean(axis=0) == pytest.approx(seen[part].mean(axis=0), abs=0.08)
    gap = drawn[group == 1].mean() - drawn[group == 0].mean()
    assert gap == pytest.approx(seen[group == 1].mean() - seen[group == 0].mean(), abs=0.03)


def test_simulations_are_left_out_where_they_are_too_many() -> None:
    def of(persons: int, items: int) -> Any:
        codes = np.broadcast_to(np.zeros(1), (persons, items))
        return Made(table=Made(codes=codes, items=range(items)))

    assert affordable_simulations(of(100, 50), 20) == 20
    assert affordable_simulations(of(10**9, 50), 20) == 0
    assert affordable_simulations(of(2, 10**5), 20) == 0


@pytest.mark.thorough
def test_a_pair_that_too_few_answered_together_is_not_called_dependent() -> None:
    frame, _ = _exam(persons=12)
    frame = frame.astype(float)
    frame.iloc[:4, 0] = np.nan  # With eight persons no pair of q0 has a correlation of residuals.
    fit = fit_irt("rasch", frame)
    found = broken_items(fit, simulations=30).table
    assert found.loc[found["reason"] == "locally_dependent", "statistic"].notna().all()
