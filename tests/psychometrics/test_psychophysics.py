"""Psychometric functions: parameters come back, intervals cover, trouble is flagged."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize

from gfactor.errors import ParameterError
from gfactor.psychometrics import accuracy_at, fit_curves
from gfactor.psychometrics.curves import CurveGrid, deviance

SIZES = np.arange(1, 21, dtype=float)
TRUE: dict[str, Any] = {"threshold": 10.0, "slope": 0.6, "lapse": 0.02, "guess": 0.1}


def simulated(data_sets: int, per_size: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    asked = np.full((data_sets, SIZES.size), per_size)
    return np.random.default_rng(seed).binomial(asked, accuracy_at(SIZES, **TRUE)), asked


def test_at_the_threshold_accuracy_is_halfway_between_its_ceiling_and_chance() -> None:
    assert np.isclose(accuracy_at(7, 7, 0.5, lapse=0.1, guess=0.3), (0.9 + 0.3) / 2)
    assert np.isclose(accuracy_at(-1e3, 7, 0.5, lapse=0.1, guess=0.3), 0.9)
    assert np.isclose(accuracy_at(1e3, 7, 0.5, lapse=0.1, guess=0.3), 0.3)


@given(st.floats(1, 20), st.floats(0.05, 5), st.floats(0, 0.1), st.floats(0, 0.8), st.floats(1, 19))
def test_accuracy_never_rises_with_size(
    threshold: float, slope: float, lapse: float, guess: float, size: float
) -> None:
    here, further = accuracy_at([size, size + 1], threshold, slope, lapse, guess)
    assert guess - 1e-12 <= further <= here <= 1 - lapse + 1e-12


def test_intervals_cover_the_truth() -> None:
    # 100 data sets of 10 answers per size. Fewer than 87 hits happen for 0.05 % of seeds at 95 %
    # coverage, and for 6 % at the 91 % that was measured for the slope; the seed is fixed.
    right, asked = simulated(100, 10)
    table: Any = fit_curves(right, asked, SIZES, TRUE["guess"]).table
    for name in ("threshold", "slope"):
        low, high = table[f"{name}_low"], table[f"{name}_high"]
        assert ((low <= TRUE[name]) & (TRUE[name] <= high)).sum() >= 87
    assert abs(table["threshold"].mean() - TRUE["threshold"]) < 0.2
    assert abs(table["slope"].median() - TRUE["slope"]) < 0.1
    assert (table["p_fit"] < 0.05).sum() <= 14  # P(Binomial(100, 0.05) > 14) = 0.01 %


def test_many_answers_bring_the_parameters_back() -> None:
    asked = np.full((1, SIZES.size), 100_000)
    right = np.rint(asked * accuracy_at(SIZES, **TRUE))
    row = fit_curves(right, asked, SIZES, TRUE["guess"]).table.iloc[0]
    for name in ("threshold", "slope", "lapse"):
        assert np.isclose(row[name], TRUE[name], rtol=0.02, atol=2e-3)


def test_the_estimate_is_a_direct_optimizers() -> None:
    right, asked = (counts.astype(float) for counts in simulated(5, 10, seed=3))
    grid = CurveGrid.over(SIZES, TRUE["guess"])
    table = fit_curves(right, asked, SIZES, TRUE["guess"], draws=5).table
    slopes = np.log(grid.bounds[1])
    bounds = [grid.bounds[0], (slopes[0], slopes[1]), grid.bounds[2]]
    starts = [(t, s, lapse) for t in (4, 10, 16) for s in (-1, 0.5) for lapse in (0.01, 0.08)]
    for k, n, (_, row) in zip(right, asked, table.iterrows(), strict=True):
        best = min(
            optimize.minimize(
                lambda x, k=k, n=n: grid.loss(x, k, n)[0], x0, bounds=bounds, method="Nelder-Mead"
            ).fun
            for x0 in starts
        )
        ours = grid.loss(np.array([row["threshold"], np.log(row["slope"]), row["lapse"]]), k, n)[0]
        assert ours == pytest.approx(best, abs=1e-4)


@given(st.integers(0, 10_000))
def test_refining_never_lowers_the_likelihood_and_the_gradient_is_its_slope(seed: int) -> None:
    rng = np.random.default_rng(seed)
    asked = rng.integers(1, 6, SIZES.size).astype(float)
    right = rng.binomial(asked.astype(int), rng.random()).astype(float)
    grid = CurveGrid.over(SIZES, 0.25)
    start = grid.best(right[None], asked)[0][0]
    inner = np.array([start[0], np.log(start[1]), start[2]])
    end = grid.refine(start, right, asked)
    after = grid.loss(np.array([end[0], np.log(end[1]), end[2]]), right, asked)[0]
    assert after <= grid.loss(inner, right, asked)[0] + 1e-9
    point = np.array([9.0, -0.4, 0.04])
    numeric: Any = optimize.approx_fprime(point, lambda x: grid.loss(x, right, asked)[0], 1e-6)
    assert np.allclose(grid.loss(point, right, asked)[1], numeric, rtol=1e-3, atol=1e-3)


def test_the_likelihood_falls_on_both_sides_of_the_estimate() -> None:
    right, asked = (counts[0].astype(float) for counts in simulated(1, 50))
    grid = CurveGrid.over(SIZES, TRUE["guess"])
    best = grid.refine(grid.best(right[None], asked)[0][0], right, asked)
    for direction in (-1, 1):
        steps = best[0] + direction * np.arange(6)
        values = [grid.log_likelihood(np.array([t, *best[1:]]), right, asked) for t in steps]
        assert np.all(np.diff(values) < 0)


def test_the_deviance_of_a_saturated_fit_is_zero_and_never_negative() -> None:
    right, asked = np.array([3.0, 0.0, 4.0]), np.array([5.0, 2.0, 4.0])
    at_best = 3 * np.log(0.6) + 2 * np.log(0.4)
    assert deviance(right, asked, at_best) == pytest.approx(0)
    assert deviance(right, asked, at_best - 1.5) == pytest.approx(3)
    assert deviance(right, asked, at_best + 1e-12) == 0


@pytest.mark.parametrize(
    ("right", "censored"), [(np.full(20, 10), "beyond"), (np.zeros(20), "below")]
)
def test_curves_that_never_fall_or_never_rise_are_flagged(right: Any, censored: str) -> None:
    row = fit_curves(right[None], np.full((1, 20), 10), SIZES).table.iloc[0]
    assert row["censored"] == censored
    assert row["flag"] == f"flat curve; threshold {censored} the sizes given"
    assert row["threshold"] == (20 if censored == "beyond" else 1)
    assert np.isnan(row["slope"])


def test_few_answers_few_people_and_misfits_are_flagged() -> None:
    few = fit_curves(np.ones((1, 20)) * (SIZES < 5), np.ones((1, 20)) * (SIZES < 9), SIZES)
    assert few.table.iloc[0]["flag"] == "too few items"
    assert np.isnan(few.table.iloc[0]["threshold"])
    one_each = fit_curves((SIZES < 9)[None], np.ones((1, 20)), SIZES).table.iloc[0]
    assert one_each["flag"] == "few answers: slope leans on its prior"
    zigzag = np.where(SIZES % 2, 20, 6) * (SIZES < 12) + 2
    misfit = fit_curves(zigzag[None], np.full((1, 20), 30), SIZES).table.iloc[0]
    assert "poor fit" in misfit["flag"]
    people = np.stack([(t > SIZES) * 4.0 for t in (8, 11, 14)])[None]
    pooled = fit_curves(people, np.full((1, 3, 20), 4), SIZES).table.iloc[0]
    assert "interval from few people" in pooled["flag"]


def test_people_who_differ_widen_the_interval_of_the_group() -> None:
    rng = np.random.default_rng(0)
    asked = np.full((1, 12, 20), 2)
    each = accuracy_at(SIZES, np.linspace(4, 16, 12)[:, None], 2.0)
    right = rng.binomial(asked, each[None])
    grouped = fit_curves(right, asked, SIZES).table.iloc[0]
    pooled = fit_curves(right.sum(axis=1), asked.sum(axis=1), SIZES).table.iloc[0]
    assert grouped["threshold"] == pooled["threshold"]
    width = grouped["threshold_high"] - grouped["threshold_low"]
    assert width > 1.3 * (pooled["threshold_high"] - pooled["threshold_low"])


def test_a_fit_repeats_with_its_seed_and_serializes() -> None:
    right, asked = simulated(2, 3)
    first = fit_curves(right, asked, SIZES, 0.1, draws=20, seed=1)
    assert first.table.equals(fit_curves(right, asked, SIZES, 0.1, draws=20, seed=1).table)
    assert not first.table.equals(fit_curves(right, asked, SIZES, 0.1, draws=20, seed=2).table)
    assert first.to_dict()["curves"][0]["n"] == 60
    assert first.summary().startswith("2 data sets, 2 fitted")


@pytest.mark.parametrize(
    ("right", "asked", "sizes", "guess", "message"),
    [
        (np.ones((1, 3)), np.ones((1, 2)), [1, 2, 3], 0, "data sets x sizes"),
        (np.ones((1, 2)), np.ones((1, 2)), [2, 1], 0, "ascending"),
        (np.full((1, 2), 2), np.ones((1, 2)), [1, 2], 0, "number asked"),
        (np.ones((1, 2)), np.ones((1, 2)), [1, 2], 1.0, "guess rate"),
    ],
)
def test_impossible_data_are_refused(
    right: Any, asked: Any, sizes: list[float], guess: float, message: str
) -> None:
    with pytest.raises(ParameterError, match=message):
        fit_curves(right, asked, sizes, guess)
