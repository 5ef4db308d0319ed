"""One bootstrap for all analyses: its draws, its intervals, and what it says of failures."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from gfactor.errors import ParameterError
from gfactor.psychometrics import bootstrap_pls, cronbach_alpha, fit_pls, sem
from gfactor.psychometrics.factor.exploratory import bootstrap_efa, efa
from gfactor.psychometrics.inference.resampling import (
    METHODS,
    Bootstrap,
    bootstrap,
    interval,
    left_out,
    quantiles,
)


def skewed(n: int = 60, seed: int = 3) -> Any:
    return pd.DataFrame({"x": np.random.default_rng(seed).exponential(size=n)})


def mean_of_x(data: Any) -> float:
    return float(data["x"].mean())


def labels_of_c(data: Any) -> float:
    return float(data["c"].nunique())


@pytest.mark.thorough
def test_intervals_agree_with_scipy() -> None:
    data = skewed()
    found: Any = bootstrap(mean_of_x, data, n_bootstrap=2000, seed=1)
    se = found.intervals["se"][0]
    for ours, theirs in {"percentile": "percentile", "basic": "basic", "bca": "BCa"}.items():
        chosen: Any = {"method": theirs, "n_resamples": 20_000, "random_state": 1}
        wanted = stats.bootstrap((data["x"].to_numpy(),), np.mean, **chosen).confidence_interval
        table = found.interval_table(ours)  # type: ignore[arg-type]
        assert abs(table["low"][0] - wanted.low) < 0.12 * se
        assert abs(table["high"][0] - wanted.high) < 0.12 * se
    assert se == pytest.approx(data["x"].std(ddof=0) / np.sqrt(60), rel=0.05)
    bca, basic = found.interval_table("bca"), found.interval_table("basic")
    assert bca["high"][0] > found.intervals["high"][0] > basic["high"][0]
    with pytest.raises(ParameterError, match="there is no interval 'exact'"):
        found.interval_table("exact")  # type: ignore[arg-type]


def test_equal_seeds_give_equal_draws_and_clusters_are_resampled_whole() -> None:
    data = skewed()
    data["c"] = np.repeat(np.arange(6), 10)
    whole = [bootstrap(labels_of_c, data, n_bootstrap=50, seed=s,
                       clusters=data["c"].tolist()) for s in (1, 1, 2)]  # fmt: skip
    np.testing.assert_array_equal(whole[0].draws, whole[1].draws)
    assert not np.array_equal(whole[0].draws, whole[2].draws)
    assert whole[0].draws.max() <= 6
    assert whole[0].draws.mean() == pytest.approx(6 * (1 - (5 / 6) ** 6), abs=0.4)
    with pytest.raises(ParameterError, match="3 labels of clusters do not fit 60 rows"):
        bootstrap(lambda d: 0.0, data, clusters=[1, 2, 3])
    with pytest.raises(ParameterError, match="two or more rows"):
        bootstrap(lambda d: 0.0, data.head(1))


def test_failures_are_counted_by_reason_and_said() -> None:
    data = pd.DataFrame({"x": [1.0] + [0.0] * 9})

    def share(rows: Any) -> float:
        if not rows["x"].any():
            raise ParameterError("nothing varies")
        return float(rows["x"].mean())

    found = bootstrap(share, data, n_bootstrap=200, seed=2)
    assert found.failures == {"nothing varies": 200 - found.kept}
    assert 40 < 200 - found.kept < 100  # (9/10)^10 = 35 %
    assert found.diagnostics[0].code == "resamples_left_out"
    assert found.diagnostics[0].severity == "error"
    assert f"{200 - found.kept} of 200 resamples were left out: nothing varies." in found.summary()
    with pytest.raises(ParameterError, match="0 of 5 resamples have a value"):
        bootstrap(lambda d: float("nan"), data, n_bootstrap=5)


@pytest.mark.slow
def test_every_analysis_returns_this_bootstrap() -> None:
    rng = np.random.default_rng(4)
    g = rng.normal(size=(150, 1))
    data = pd.DataFrame(g + rng.normal(size=(150, 4)), columns=["a", "b", "c", "d"])
    fit = sem.fit("f =~ a + b + c + d", data)
    made = [
        sem.bootstrap(fit, 20, seed=1),
        bootstrap_pls(fit_pls("A =~ a + b\nB =~ c + d\nB ~ A", data), 20, seed=1),
        bootstrap_efa(efa(data, 1), data, n_bootstrap=20, seed=1),
        bootstrap(cronbach_alpha, data, n_bootstrap=20, seed=1),
    ]
    for one in made:
        assert isinstance(one, Bootstrap)
        assert (one.n_bootstrap, one.kept, one.seed, one.n) == (20, 20, 1, 150)
        assert one.draws.shape == (20, len(one.labels))
        for method in METHODS:
            table = one.interval_table(method)
            assert list(table)[-5:] == ["est", "bias", "se", "low", "high"]


def test_loadings_of_resamples_are_matched_to_the_solution() -> None:
    """Two factors of the same size: without matching, their order would be a matter of luck."""
    rng = np.random.default_rng(5)
    f = np.repeat(rng.normal(size=(250, 2)), 3, axis=1)
    data = pd.DataFrame(0.8 * f + 0.6 * rng.normal(size=(250, 6)), columns=list("abcdef"))
    solution: Any = efa(data, 2)
    found = bootstrap_efa(solution, data, n_bootstrap=15, seed=1)
    table: Any = found.intervals.set_index("statistic")
    assert found.kept == 15
    assert table["se"].max() < 0.12
    assert table.loc["a on F1", "est"] == pytest.approx(solution.loadings.loc["a", "F1"])
    assert table.loc["F1 with F2", "est"] == pytest.approx(solution.phi.loc["F1", "F2"])
    large = solution.loadings.abs().max(axis=1).index
    strong = [f"{x} on {solution.loadings.loc[x].abs().idxmax()}" for x in large]
    assert (table.loc[strong, "low"] > 0.5).all()
    assert solution.errors is not None
    theirs = float(solution.errors.loadings.loc["a"].max())
    assert table.loc[strong[0], "se"] == pytest.approx(theirs, rel=0.6)


@pytest.mark.parametrize(
    ("kept", "severity"), [(100, None), (99, "warning"), (95, "warning"), (94, "error")]
)
def test_more_than_a_twentieth_of_resamples_left_out_is_an_error(
    kept: int, severity: str | None
) -> None:
    found = left_out(100, kept, "singular")
    assert [d.severity for d in found] == ([severity] if severity else [])
    if found:
        assert found[0].sentence == f"{100 - kept} of 100 resamples were left out: singular."
        assert found[0].values == {"resamples": 100, "kept": kept}


RNG = np.random.default_rng


def test_a_column_without_draws_hides_no_other_columns_quantile() -> None:
    draws = np.column_stack([np.full(9, np.nan), np.arange(1.0, 10.0)])
    draws[0, 0] = 4.0
    found = quantiles(draws, np.array([0.5, 0.25]))
    assert np.isnan(found[0])
    assert found[1] == 2.5  # (9 + 1) / 4 = 2.5, between 2 and 3
    assert quantiles(draws[:, 1:], np.array([0.001]))[0] == 1.0
    assert quantiles(draws[:, 1:], np.array([0.999]))[0] == 9.0


def test_basic_and_normal_intervals_are_turned_round_the_estimate() -> None:
    draws = RNG(1).normal(2.0, 1.0, (99, 1))
    est = np.array([1.5])
    low, high = interval(draws, est, 0.9, "percentile")
    ordered = np.sort(draws[:, 0])
    assert (low[0], high[0]) == pytest.approx((ordered[4], ordered[94]))
    basic = interval(draws, est, 0.9, "basic")
    assert (basic[0][0], basic[1][0]) == pytest.approx((3 - ordered[94], 3 - ordered[4]))
    normal = interval(draws, est, 0.9, "normal")
    middle, reach = 3 - draws.mean(), 1.6448536269514722 * draws.std(ddof=1)
    assert (normal[0][0], normal[1][0]) == pytest.approx((middle - reach, middle + reach))
