"""Small numbers of many analyses, worked out by hand or by another formula."""

from __future__ import annotations

import math
from types import SimpleNamespace as Made
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.alignment.correlation import _typical_width
from gfactor.psychometrics.alignment.criterion import criterion_from_table
from gfactor.psychometrics.classical.consistency import feldt_interval
from gfactor.psychometrics.factor.exploratory import bootstrap_efa, efa
from gfactor.psychometrics.factor.exploratory.errors import EfaErrors
from gfactor.psychometrics.generalizability.multivariate import multivariate_gtheory
from gfactor.psychometrics.generalizability.study import gtheory
from gfactor.psychometrics.gold.model import gold_scores, gold_weights
from gfactor.psychometrics.inference.deciding import rank_sequentially
from gfactor.psychometrics.inference.intervals import wilson
from gfactor.psychometrics.inference.pairwise import Pairwise
from gfactor.psychometrics.inference.precision import alpha_n, proportion_n
from gfactor.psychometrics.inference.sequential import betting_log_capital, compare_sequentially
from gfactor.psychometrics.planning import Difference
from gfactor.psychometrics.pls.moments import correlation, standardized
from gfactor.psychometrics.psychophysics.fits import fit_curves
from gfactor.psychometrics.trees.gap import _losses, _verdict
from gfactor.psychometrics.trees.gap_analysis import _counts, genuine_accuracy


def test_the_width_of_a_correlation_of_a_half_is_fishers() -> None:
    """At n = 28: z = 0.549306 +- 1.96 / 5."""
    ends = [math.tanh(0.5493061443 + sign * 1.96 / 5) for sign in (-1, 1)]
    assert _typical_width(28) == pytest.approx(ends[1] - ends[0])
    assert _typical_width(3) == _typical_width(4) > _typical_width(5)


def test_a_criterion_has_its_ratings_and_their_errors() -> None:
    table: Any = pd.DataFrame({"model": ["a", "b", "c"], "elo": [1.0, 2, np.nan],
                          "rating_q025": [0.0, 1, 2], "rating_q975": [2.0, 5, 6]})  # fmt: skip
    found: Any = criterion_from_table(table, level=0.9)
    assert found.ratings.to_dict() == {"a": 1.0, "b": 2.0}
    z = 1.6448536269514722
    assert found.se.to_dict() == pytest.approx({"a": 1 / z, "b": 2 / z})
    bare = criterion_from_table(table[["model", "elo", "rating_q025"]])
    assert bare.se.isna().all()
    assert float(criterion_from_table(table.assign(score=7.0)).ratings.iloc[0]) == 7.0
    assert float(criterion_from_table(table.assign(score=7.0), rating="elo").ratings.iloc[0]) == 1.0
    with pytest.raises(UnknownNameError, match="column of the criterion"):
        criterion_from_table(table, model="name")
    with pytest.raises(UnknownNameError, match="column of the criterion"):
        criterion_from_table(table, rating="name")
    with pytest.raises(ParameterError, match=r"no column called .*elo.*columns: model, x"):
        criterion_from_table(pd.DataFrame({"model": ["a"], "x": [1]}))
    twice = pd.concat([table, table.head(1)]).assign(arena="v")
    with pytest.raises(ParameterError, match=r"rates 'a' 2 times; .* other columns \(arena\)"):
        criterion_from_table(twice)


def test_wald_intervals_of_loadings() -> None:
    at: Any = {"index": ["x", "y"], "columns": ["F1", "F2"]}
    loadings = pd.DataFrame([[0.5, -0.2], [0.1, 0.8]], **at)
    errors = EfaErrors(pd.DataFrame([[0.1, 0.0], [0.2, 0.05]], **at), loadings, pd.Series([0, 0]))
    found = errors.intervals(loadings, 0.9)
    assert found["indicator"].tolist() == ["x", "x", "y", "y"]
    assert found["factor"].tolist() == ["F1", "F2"] * 2
    assert found["z"].tolist() == pytest.approx([5, np.nan, 0.5, 16], nan_ok=True)
    reach = 1.6448536269514722 * found["se"]
    assert found["low"].tolist() == pytest.approx((found["est"] - reach).tolist())
    assert found["high"].tolist() == pytest.approx((found["est"] + reach).tolist())


def test_factors_of_resamples_are_put_in_the_order_and_sign_of_the_solution() -> None:
    rng = np.random.default_rng(3)
    f = rng.normal(size=(150, 2)) @ np.array([[1, 0.4], [0, 0.9]])
    pattern = np.array([[0.9, 0], [0.8, 0], [0.85, 0], [0, 0.9], [0, 0.8], [0, 0.85]])
    data = pd.DataFrame(f @ pattern.T + 0.4 * rng.normal(size=(150, 6)), columns=list("abcdef"))
    found = efa(data, 2, rotation="oblimin")
    boot = bootstrap_efa(found, data, n_bootstrap=12, seed=1, starts=3)
    table: Any = boot.intervals.set_index("statistic")
    assert list(table.index) == [
        *(f"{x} on {f}" for f in ("F1", "F2") for x in "abcdef"), "F1 with F2",
    ]  # fmt: skip
    # Were a factor taken for another one, or turned around, the intervals would cross 0.
    for name, row in table.iterrows():
        x, _, factor = str(name).partition(" on ")
        if factor and abs(found.loadings.loc[x, factor]) > 0.5:
            assert row["low"] * row["high"] > 0.3
            assert row["low"] <= found.loadings.loc[x, factor] + 0.15
    phi = table.loc["F1 with F2"]
    assert phi["low"] < found.phi.iloc[1, 0] < phi["high"]
    assert phi["low"] * phi["high"] > 0
    # With the signs of a solution turned, those of its resamples are.
    turned = bootstrap_efa(
        Made(**{**{n: getattr(found, n) for n in ("factors", "method", "rotation", "seed")},
                "loadings": found.loadings * [-1, 1], "phi": found.phi}),  # type: ignore[arg-type]
        data, n_bootstrap=12, seed=1, starts=3,
    ).intervals.set_index("statistic")  # fmt: skip
    assert turned.loc["a on F1", "high"] == pytest.approx(-table.loc["a on F1", "low"])
    assert turned.loc["F1 with F2", "high"] == pytest.approx(-phi["low"])
    assert turned.loc["e on F2", "high"] == pytest.approx(table.loc["e on F2", "high"])


def scores(persons: int = 9, items: int = 4) -> pd.DataFrame:
    rng = np.random.default_rng(5)
    p, i = rng.normal(size=persons), 0.5 * rng.normal(size=items)
    return pd.DataFrame(
        [(f"p{a}", f"i{b}", p[a] + i[b] + rng.normal()) for a in range(persons)
         for b in range(items)], columns=["p", "i", "score"],
    )  # fmt: skip


def test_dependability_at_a_cut_corrects_the_distance_for_the_error_of_the_mean() -> None:
    table = scores()
    found = gtheory(table, object="p", facets=["i"])
    part = dict(zip(map(sorted_name, found.design.effects), found.components["variance"],
                    strict=True))  # fmt: skip
    vp, vi, vpi = part["p"], part["i"], part["ip"]
    for sizes, n in ((None, 4), ({"i": 10}, 10)):
        of_mean = vp / 9 + vi / n + vpi / (n * 9)
        signal = vp + (found.mean - 1.0) ** 2 - of_mean
        assert found.phi_lambda(1.0, sizes) == pytest.approx(signal / (signal + (vi + vpi) / n))


def sorted_name(effect: Any) -> str:
    return "".join(sorted(effect))


def test_a_composite_adds_universe_scores_and_errors() -> None:
    table = pd.concat([scores().assign(s=s, i=lambda d, s=s: s + d["i"],
                                       score=lambda d, k=k: d["score"] * k + 0.1 * k * k)
                       for k, s in enumerate("ab", 1)])  # fmt: skip
    table["score"] += np.random.default_rng(1).normal(size=len(table))
    found = multivariate_gtheory(table, object="p", facet="i", stratum="s")
    a, b = (found.strata[name].coefficients({"i": n}) for name, n in (("a", 4), ("b", 6)))
    at = found.composite({"a": 0.5, "b": 2.0}, {"b": 6})
    c = found.covariance.to_numpy()
    universe = 0.25 * c[0, 0] + 4 * c[1, 1] + 2 * c[0, 1]
    relative = 0.25 * a["relative_error"] + 4 * b["relative_error"]
    absolute = 0.25 * a["absolute_error"] + 4 * b["absolute_error"]
    assert at == pytest.approx({
        "universe_score_variance": universe, "relative_error": relative,
        "absolute_error": absolute, "e_rho2": universe / (universe + relative),
        "phi": universe / (universe + absolute),
    })  # fmt: skip
    with pytest.raises(ParameterError, match="'z' is no stratum; the strata are a, b"):
        found.composite({"a": 1.0}, {"z": 3})


def test_gold_weights_are_loading_times_path() -> None:
    weights = gold_weights({"x": 0.5, "y": 0.8, "z": 0.9}, {"A": ("x", "y"), "B": ("z",)},
                           {"A": 2.0, "B": 0.5})  # fmt: skip
    assert weights.to_dict() == pytest.approx({"x": 1.0, "y": 1.6, "z": 0.45})
    models = pd.DataFrame({"x": [1, 2], "y": [1, np.nan], "z": [10, 1], "w": 9}, index=["m", "n"])
    found: Any = gold_scores(models, weights)
    assert found["m"] == pytest.approx(1 + 1.6 + 4.5)
    assert math.isnan(found["n"])
    with pytest.raises(UnknownNameError, match="'y'"):
        gold_scores(models.drop(columns="y"), weights)
    with pytest.raises(ParameterError, match="construct 'B' has no path to the top"):
        gold_weights({"x": 1}, {"B": ("x",)}, {})
    with pytest.raises(ParameterError, match="task 'y' of 'A' has no loading"):
        gold_weights({"x": 1}, {"A": ("x", "y")}, {"A": 1})


def test_ranks_count_the_runs_that_surely_beat_and_are_beaten() -> None:
    estimate = np.array([[0, 0.3, 0.2], [-0.3, 0, -0.1], [-0.2, 0.1, 0]])
    p = np.array([[np.nan, 0.01, 0.25], [0.01, np.nan, 0.9], [0.25, 0.9, np.nan]])
    ones = np.ones((3, 3))
    made = Pairwise(pd.Index(["a", "b", "c"]), estimate, ones, p, ones, ones, p, False)
    assert made.rank_sets(0.5).to_numpy().tolist() == [[1, 1], [2, 3], [2, 3]]
    # An adjusted p of 1 - level is not below it.
    assert made.rank_sets(0.75).to_numpy().tolist() == [[1, 2], [2, 3], [1, 3]]
    assert made.rank_sets().to_numpy().tolist() == [[1, 2], [2, 3], [1, 3]]
    turned = made.ordered(["c", "a", "b"])
    assert list(turned.names) == ["c", "a", "b"]
    assert turned.estimate[0].tolist() == [0, -0.2, 0.1]


def test_sample_sizes_are_the_first_that_are_enough() -> None:
    n = alpha_n(0.7, 8, width=0.2, level=0.9)
    widths = [np.diff(feldt_interval(0.7, m, 8, 0.9))[0] for m in (n - 1, n)]
    assert widths[1] <= 0.2 < widths[0]
    n = proportion_n(0.6, half_width=0.08, level=0.9)
    reach = [(np.subtract(*wilson(0.6 * m, m, 0.9)[::-1])) / 2 for m in (n - 1, n)]
    assert reach[1] <= 0.08 < reach[0]


def test_graded_scores_are_compared_by_bets_against_no_difference() -> None:
    rng = np.random.default_rng(2)
    x, y = rng.uniform(0.4, 1, 80), rng.uniform(0, 0.7, 80)
    found: Any = compare_sequentially(x, y, graded=True, level=0.9)
    bets = betting_log_capital((x - y + 1) / 2, [0.5], alpha=1 - 0.9)[:, 0]
    assert found.path["log_e"].to_numpy() == pytest.approx(bets)
    assert found.decision == "first"
    assert found.path["p"].iloc[found.decided_at - 1] <= 0.1 + 1e-12
    assert found.path["p"].iloc[found.decided_at - 2] > 0.1
    assert compare_sequentially(y, x, graded=True, level=0.9).decision == "second"
    for bad in (np.full(3, 1.2), np.full(3, -0.1)):
        with pytest.raises(ParameterError):
            compare_sequentially(bad, np.zeros(3), graded=True)
        with pytest.raises(ParameterError):
            compare_sequentially(np.zeros(3), bad, graded=True)
    with pytest.raises(ParameterError, match="needs scores of 0 and 1; say graded"):
        compare_sequentially([0.5], [1])
    with pytest.raises(ParameterError, match="scores of the same items, got 1 and 2"):
        compare_sequentially([1], [1, 0])


def test_the_power_of_a_plan_is_that_of_the_t_test() -> None:
    aim = Difference(sd_difference=0.4, alpha=0.1)
    # Non-central t of 20 pairs, two-sided at 0.1.
    shift, limit = 0.2 / (0.4 / math.sqrt(20)), stats.t.ppf(0.95, 19)
    power = stats.nct.sf(limit, 19, shift) + stats.nct.cdf(-limit, 19, shift)
    assert aim.power_at({"item": 20}, 0.2) == pytest.approx(power, rel=1e-4)
    assert aim.power_at({"item": 1}, 0.2) == 0.0
    assert aim.power_at({"item": 2}, 0.2) > 0
    least = aim.reached({"item": 20})
    assert aim.power_at({"item": 20}, least) == pytest.approx(0.8, abs=1e-4)
    assert math.isnan(aim.reached({"item": 1}))
    assert math.isnan(Difference(discordant=0.1).power_at({"item": 20}, 0.2))


def test_correlations_are_those_of_numpy() -> None:
    x = np.random.default_rng(6).normal(size=(12, 3)) @ np.array([[1, 2, 0], [0, 1, 1], [0, 0, 3]])
    found = correlation(x)
    assert found == pytest.approx(np.corrcoef(x.T))
    assert (found == found.T).all()
    assert (np.diag(found) == 1.0).all()
    assert standardized(x)[0].std(axis=0, ddof=1) == pytest.approx(np.ones(3))


def test_genuine_accuracy_is_by_hand_and_its_error_that_of_a_jackknife() -> None:
    x = (np.random.default_rng(8).random((60, 3)) < [0.8, 0.6, 0.7]).astype(float)
    row: Any = genuine_accuracy(pd.DataFrame(x), level=0.9).iloc[0]
    means, all_right = x.mean(axis=0), x.prod(axis=1).mean()
    assert row["genuine"] == all_right
    assert row["independent"] == pytest.approx(means.prod())
    assert row["excess"] == pytest.approx(all_right - means.prod())
    assert (row["genuine_lower"], row["genuine_upper"]) == pytest.approx(
        tuple(map(float, wilson(x.prod(axis=1).sum(), 60, 0.9)))
    )
    without = [np.delete(x, k, axis=0) for k in range(60)]
    values = np.array([o.prod(axis=1).mean() - o.mean(axis=0).prod() for o in without])
    se = math.sqrt(59 * values.var())
    half = (row["excess_upper"] - row["excess_lower"]) / 2
    assert half == pytest.approx(1.6448536 * se, rel=0.02)
    assert (row["excess_upper"] + row["excess_lower"]) / 2 == pytest.approx(row["excess"])
    one: Any = genuine_accuracy(pd.DataFrame([[1, 0, 1], [1, None, 1]])).iloc[0]
    assert (one["n"], one["genuine"]) == (1, 0)
    assert math.isnan(one["excess_lower"])
    for bad in (pd.DataFrame([[1, 0]]), pd.DataFrame([[1, 2, 0]]), pd.DataFrame([[None, 1, 1]])):
        with pytest.raises(ParameterError, match="genuine accuracy needs three columns of 0 and 1"):
            genuine_accuracy(bad)


def test_losses_of_versions_without_common_items_add_up_their_squared_distances() -> None:
    ends = ["estimate", "ci_lower", "ci_upper"]
    accuracy = pd.DataFrame([[0.9, 0.8, 0.95], [0.6, 0.5, 0.72]], ["text", "image"], ends)
    none = pd.DataFrame([{"n": 0, **dict.fromkeys(ends, np.nan)}])
    found = _losses(accuracy, none)
    low, high = 0.3 - math.hypot(0.1, 0.12), 0.3 + math.hypot(0.05, 0.1)
    assert found.loc["seeing", ends].tolist() == pytest.approx([0.3, low, high])
    assert found.loc["reasoning", ends].tolist() == pytest.approx([0.1, 0.05, 0.2])
    assert found["share"].tolist() == pytest.approx([0.75, 0.25])
    paired = pd.DataFrame([{"n": 9, "estimate": -0.2, "ci_lower": -0.5, "ci_upper": 0.1}])
    assert _losses(accuracy, paired).loc["seeing", ends].tolist() == pytest.approx([0.2, 0, 0.5])
    right = pd.DataFrame(1.0, ["text", "image"], ends)
    assert np.isnan(_losses(right, none)["share"].to_numpy()).all()


@pytest.mark.parametrize(
    ("seeing", "reasoning", "verdict"),
    [
        ((0.1, 0.3), (0.2, 0.4), "both"), ((0.1, 0.3), (0.0, 0.4), "seeing"),
        ((0.0, 0.3), (0.1, 0.4), "reasoning"), ((0.0, 0.04), (0.0, 0.049), "none"),
        ((0.0, 0.04), (0.0, 0.051), "undecided"), ((0.0, 0.06), (0.0, 0.01), "undecided"),
        ((1e-10, 0.04), (0.0, 0.01), "none"),
    ],
)  # fmt: skip
def test_a_loss_is_called_when_its_interval_excludes_zero(
    seeing: tuple[float, float], reasoning: tuple[float, float], verdict: str
) -> None:
    found = pd.DataFrame([seeing, reasoning], ["seeing", "reasoning"], ["ci_lower", "ci_upper"])
    assert _verdict(found) == verdict


def test_answers_and_their_chance_are_counted_by_size() -> None:
    group = pd.DataFrame({"image": [1, 0, 1, None, 1], "size": [1, 1, 2, 2, 4],
                          "chance": [0.2, 0.4, None, 0.9, 0.5]})  # fmt: skip
    right, asked, chance = _counts(group, "image", "size", np.array([1.0, 2, 3, 4]))
    assert right.tolist() == [1, 1, 0, 1]
    assert asked.tolist() == [2, 1, 0, 1]
    assert chance.tolist() == pytest.approx([0.3, 0, 0, 0.5])
    bare = _counts(group.drop(columns="chance"), "image", "size", np.array([1.0, 2, 3, 4]))
    assert bare[2].tolist() == [0] * 4


def test_intervals_of_groups_come_from_their_people() -> None:
    """Six people who answer alike: only binomial noise is left out, so that nothing spreads."""
    alike = np.tile([[10, 9, 5, 1]], (6, 1))
    asked = np.full((1, 6, 4), 10)
    row: Any = fit_curves(alike[None], asked, [1, 2, 3, 4], n_bootstrap=20).table.iloc[0]
    assert row["threshold_low"] == pytest.approx(row["threshold"], abs=1e-3)
    assert row["threshold_high"] == pytest.approx(row["threshold"], abs=1e-3)
    # People who differ spread as thresholds of drawn people do.
    people = np.array([[10, 10, 9, 6], [10, 9, 5, 1], [10, 5, 1, 0], [9, 9, 8, 3], [10, 6, 2, 0]])
    wide: Any = fit_curves(people[None], asked[:, :5], [1, 2, 3, 4], n_bootstrap=60, level=0.8)
    rng = np.random.default_rng(0)
    drawn = np.stack([people[rng.integers(0, 5, 5)].sum(axis=0) for _ in range(40)])
    drawn = fit_curves(drawn, np.full((40, 4), 50), [1, 2, 3, 4], n_bootstrap=1).table["threshold"]
    row = wide.table.iloc[0]
    assert row["threshold_low"] == pytest.approx(np.quantile(drawn, 0.1), abs=0.35)
    assert row["threshold_high"] == pytest.approx(np.quantile(drawn, 0.9), abs=0.35)
    assert row["threshold_high"] - row["threshold_low"] > 0.5


def test_a_ranking_in_progress_says_which_pairs_are_decided() -> None:
    rng = np.random.default_rng(4)
    frame: Any = pd.DataFrame({"a": rng.random(120) < 0.95, "b": rng.random(120) < 0.1,
                          "c": rng.random(120) < 0.15}).astype(float)  # fmt: skip
    found = rank_sequentially(frame)
    assert not found.decided
    assert found.between("a", "b") == "better"
    assert found.between("b", "a") == "worse"
    assert found.between("b", "c") == "undecided"
    assert rank_sequentially(frame[["a", "b"]]).decided
