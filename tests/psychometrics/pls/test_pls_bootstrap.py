"""The bootstrap is the fit of resampled tables; its intervals are defined, seeded and cover."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from pls_cases import CASES, with_gaps
from scipy import stats

from gfactor.errors import ParameterError
from gfactor.psychometrics import parse_pls
from gfactor.psychometrics.inference.resampling import acceleration, interval
from gfactor.psychometrics.pls import PLSFit, bootstrap_pls, fit_pls
from gfactor.psychometrics.pls.reported import statistics


def fitted(name: str, **settings: Any) -> PLSFit:
    case = CASES[name]
    return fit_pls(case.model(), case.data(), **(case.settings() | settings))


REFITTED = [
    *("chain_path", "mode_b", "consistent", "second_order_two_stage", "second_order_repeated"),
    *("interaction_two_stage", "interaction_orthogonal"),
]


@pytest.mark.thorough
@pytest.mark.parametrize("name", REFITTED)
def test_a_replicate_is_the_fit_of_the_resampled_table(name: str) -> None:
    found, data = fitted(name), CASES[name].data()
    rows = np.random.default_rng(5).integers(0, len(data), (3, len(data)))
    drawn = bootstrap_pls(found, indices=rows, bca=False, signs="none")
    for number, resample in enumerate(rows):
        one = fit_pls(CASES[name].model(), data.iloc[resample], **CASES[name].settings())
        again = statistics(one.solution)[0]
        assert np.allclose(drawn.draws[number], again, atol=1e-9, equal_nan=True)


@pytest.mark.parametrize("treatment", ["mean", "pairwise", "em"])
def test_missing_cells_are_treated_anew_in_every_resample(treatment: Any) -> None:
    data, model = with_gaps(), CASES["chain_path"].model()
    found = fit_pls(model, data, missing=treatment)
    rows = np.random.default_rng(6).integers(0, len(data), (2, len(data)))
    drawn = bootstrap_pls(found, indices=rows, bca=False)
    for number, resample in enumerate(rows):
        one = fit_pls(model, data.iloc[resample], missing=treatment)
        again = statistics(one.solution)[0]
        assert np.allclose(drawn.draws[number], again, atol=1e-7, equal_nan=True)


@pytest.mark.thorough
def test_intervals_are_quantiles_of_the_replicates() -> None:
    drawn = bootstrap_pls(fitted("chain_path"), 500, seed=3, level=0.9)
    low = np.quantile(drawn.draws, 0.05, axis=0)
    assert np.allclose(drawn.table["low"], low)
    assert np.allclose(drawn.table["se"], drawn.draws.std(axis=0, ddof=1))
    path = drawn.of("path")
    assert np.isfinite(path[["bca_low", "bca_high"]].to_numpy(float)).all()
    inside = path[["bca_low", "estimate", "bca_high"]].to_numpy(float)
    assert (np.diff(inside, axis=1) > 0).all()


def test_bca_agrees_with_scipy_on_a_mean() -> None:
    x = np.random.default_rng(8).exponential(size=40)
    rng = np.random.default_rng(9)
    rows = rng.integers(0, 40, (4000, 40))
    replicates = x[rows].mean(axis=1)[:, None]
    less = np.array([np.delete(x, i).mean() for i in range(40)])[:, None]
    low, high = interval(
        replicates, np.array([x.mean()]), 0.95, "bca", acceleration([less]), "type7"
    )
    chosen: Any = {"method": "BCa", "n_resamples": 20000, "random_state": 1}
    theirs = stats.bootstrap((x,), np.mean, **chosen).confidence_interval
    spread = replicates.std()
    assert abs(low[0] - theirs.low) < 0.1 * spread
    assert abs(high[0] - theirs.high) < 0.1 * spread


def test_ties_with_the_estimate_count_half_in_bca() -> None:
    """A symmetric distribution with a third of its mass at the estimate needs no correction."""
    drawn = np.concatenate([np.linspace(-1, 1, 801), np.zeros(400)])[:, None]
    less = np.linspace(-1, 1, 41)[:, None]
    found = interval(drawn, np.zeros(1), 0.9, "bca", acceleration([less]), "type7")
    np.testing.assert_allclose(np.ravel(found), np.quantile(drawn, [0.05, 0.95]), atol=1e-9)


def test_bca_has_no_value_where_all_replicates_lie_on_one_side() -> None:
    found = interval(
        np.ones((50, 1)), np.zeros(1), 0.95, "bca", acceleration([np.zeros((10, 1))]), "type7"
    )
    assert np.isnan(found).all()


@pytest.mark.thorough
def test_equal_seeds_give_equal_intervals() -> None:
    found = fitted("chain_path")
    first, second = (bootstrap_pls(found, 50, seed=4) for _ in range(2))
    pd.testing.assert_frame_equal(first.table, second.table)
    assert not first.table.equals(bootstrap_pls(found, 50, seed=5).table)


def test_a_turned_construct_is_turned_back_but_single_signs_stay() -> None:
    rng = np.random.default_rng(2)
    a, noise = rng.normal(size=300), rng.normal(size=(300, 3))
    data = pd.DataFrame({"x1": a + noise[:, 0], "x2": -a + noise[:, 1], "y": a + noise[:, 2]})
    model = "A =~ x1 + x2\nB =~ y\nB ~ A"
    found = fit_pls(model, data)
    turned = bootstrap_pls(found, 400, seed=1)
    left = bootstrap_pls(found, 400, seed=1, signs="none")
    path = turned.of("path").iloc[0]
    # The loadings sum to about 0, so "sum" orients some resamples the other way round.
    assert float(left.of("path")["se"].iloc[0]) > 3 * float(path["se"])
    assert len({np.sign(path[name]) for name in ("low", "high", "estimate")}) == 1


def test_resamples_without_variance_are_left_out_and_counted() -> None:
    data = CASES["chain_path"].data().iloc[:30].copy()
    data["a1"] = 0.0
    data.iloc[:2, data.columns.get_loc("a1")] = 1.0
    drawn = bootstrap_pls(fit_pls(CASES["chain_path"].model(), data), 400, seed=0, bca=False)
    assert drawn.kept < drawn.n_bootstrap == 400
    # Neither of two rows is drawn in (28/30)^30 = 12.6 % of resamples.
    assert 20 < drawn.n_bootstrap - drawn.kept < 90
    assert drawn.diagnostics[0].code == "resamples_left_out"
    assert np.isfinite(drawn.draws).all()


def test_a_statistic_without_a_value_in_some_resamples_has_no_interval_and_is_named() -> None:
    rng = np.random.default_rng(0)
    data = pd.DataFrame(rng.normal(size=(30, 4)), columns=["x1", "x2", "y1", "y2"])
    data["y1"] += 0.5 * data["x1"]
    found = fit_pls("A =~ x1 + x2\nB =~ y1 + y2\nB ~ A", data, consistent=True)
    drawn = bootstrap_pls(found, 200, seed=1, bca=False)
    assert np.isnan(drawn.of("path").loc[0, "low"])
    assert drawn.diagnostics[-1].code == "undefined_in_resamples"
    assert "path A B" in drawn.diagnostics[-1].where


@pytest.mark.slow
def test_percentile_intervals_of_a_path_cover_what_they_claim() -> None:
    # True path between single indicators is their correlation, 0.5. If coverage is 93 to 95 %
    # (percentile intervals of correlations at n = 80), fewer than 103 of 120 has p < 0.01.
    hits = 0
    for seed in range(120):
        rng = np.random.default_rng(seed)
        x = rng.normal(size=80)
        data = pd.DataFrame({"x": x, "y": 0.5 * x + np.sqrt(0.75) * rng.normal(size=80)})
        found = fit_pls("X =~ x\nY =~ y\nY ~ X", data)
        path = bootstrap_pls(found, 300, seed=seed, bca=False).of("path").iloc[0]
        hits += path["low"] <= 0.5 <= path["high"]
    assert hits >= 103


def test_mistakes_are_one_sentence() -> None:
    found = fitted("chain_path")
    wrong: Any = [
        ({"n_bootstrap": 1}, "too few"),
        ({"level": 95}, "between 0 and 1"),
        ({"indices": np.zeros((2, 3))}, "row of integers"),
        ({"indices": np.full((2, 3), 60)}, "from 0 to 59"),
        ({"signs": "individual"}, "must be 'construct' or 'none'"),
    ]
    for keywords, what in wrong:
        with pytest.raises(ParameterError, match=what):
            bootstrap_pls(found, **keywords)


def frame(n: int = 80, k: int = 6, seed: int = 1) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n, 1)) + 0.8 * rng.normal(size=(n, k))
    return pd.DataFrame(values, columns=[f"x{j}" for j in range(1, k + 1)])


def test_a_bootstrap_of_a_path_model_needs_two_resamples() -> None:
    data = frame()
    fit = fit_pls(parse_pls("A =~ x1 + x2; B =~ x3 + x4; B ~ A"), data)
    rows = np.random.default_rng(1).integers(0, 80, (2, 80))
    assert bootstrap_pls(fit, indices=rows).n_bootstrap == 2
    for given in ({"n_bootstrap": 1}, {"indices": rows[:1]}, {"indices": rows[:0]}):
        with pytest.raises(ParameterError, match=r"[01] resamples are too few"):
            bootstrap_pls(fit, **given)  # type: ignore[arg-type]
