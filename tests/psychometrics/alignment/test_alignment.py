"""Alignment with a criterion: correlations with intervals, overlap, what the number rests on."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics import alignment
from gfactor.psychometrics.alignment import (
    Criterion,
    align,
    coefficient,
    correlation_difference,
    criterion_from_table,
    overlap,
    rank_agreement,
    standardized_mean,
)
from gfactor.psychometrics.alignment.correlation import _typical_width
from gfactor.psychometrics.alignment.criterion import close_names

stats: Any = scipy_stats


def drawn(n: int, r: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    return x, r * x + np.sqrt(1 - r**2) * rng.normal(size=n)


def scores_of(n: int = 30) -> tuple[Any, Criterion]:
    x, y = drawn(n, 0.7, 1)
    names = [f"model-{i}b" for i in range(n)]
    ratings = pd.Series(1000 + 50 * y, index=names)
    return pd.Series(x, index=names), Criterion("arena", ratings, pd.Series(10.0, index=names))


@pytest.mark.parametrize("seed", range(3))
def test_coefficients_are_scipys(seed: int) -> None:
    x, y = drawn(25, 0.5, seed)
    y = y.round(1)  # Ties.
    assert coefficient(x, y).estimate == pytest.approx(stats.pearsonr(x, y).statistic)
    assert coefficient(x, y, "spearman").estimate == pytest.approx(stats.spearmanr(x, y).statistic)
    assert coefficient(x, y, "kendall").estimate == pytest.approx(stats.kendalltau(x, y).statistic)
    low, high = stats.pearsonr(x, y).confidence_interval(0.95)
    assert coefficient(x, y).low == pytest.approx(low)
    assert coefficient(x, y).high == pytest.approx(high)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("kind", "truth"), [("pearson", 0.5), ("spearman", 0.483), ("kendall", 1 / 3)]
)
def test_95_percent_intervals_cover_95_percent(kind: str, truth: float) -> None:
    inside = 0
    for seed in range(400):
        c = coefficient(*drawn(30, 0.5, seed), kind)  # type: ignore[arg-type]
        inside += c.low <= truth <= c.high
    # Binomial(400, 0.95): outside 365 to 394 with probability 0.002.
    assert 365 <= inside <= 394


@pytest.mark.thorough
def test_the_difference_of_dependent_correlations_covers() -> None:
    inside = 0
    for seed in range(300):
        rng = np.random.default_rng(seed)
        g, c = rng.normal(size=(2, 40))
        criterion = 0.8 * g + 0.6 * c
        first = 0.9 * g + np.sqrt(1 - 0.81) * rng.normal(size=40)
        second = 0.5 * g + np.sqrt(1 - 0.25) * rng.normal(size=40)
        d = correlation_difference(first, second, criterion)
        inside += d.low <= 0.72 - 0.4 <= d.high
    assert 270 <= inside <= 297


def test_the_interval_of_a_difference_has_steigers_covariance_of_overlapping_correlations() -> None:
    """Zou (2007), with the asymptotic covariance in the form of Steiger (1980)."""
    rng = np.random.default_rng(8)
    g = rng.normal(size=60)
    a, b, c = (w * g + rng.normal(size=60) for w in (1.5, 0.8, 1.2))
    d = correlation_difference(a, b, c)
    r: Any = np.corrcoef([a, b, c])
    r_ab, r_ac, r_bc = r[0, 1], r[0, 2], r[1, 2]
    psi = r_ab * (1 - r_ac**2 - r_bc**2) - 0.5 * r_ac * r_bc * (
        1 - r_ac**2 - r_bc**2 - r_ab**2
    )  # fmt: skip
    shared = 2 * psi / ((1 - r_ac**2) * (1 - r_bc**2))
    (l1, u1), (l2, u2) = ((x.low, x.high) for x in (coefficient(a, c), coefficient(b, c)))
    down, up = (r_ac - l1, u2 - r_bc), (u1 - r_ac, r_bc - l2)
    ends = [np.sqrt(p**2 + q**2 - shared * p * q) for p, q in (down, up)]
    assert d.estimate == pytest.approx(r_ac - r_bc)
    assert d.low == pytest.approx(d.estimate - ends[0])
    assert d.high == pytest.approx(d.estimate + ends[1])


def test_a_score_is_as_close_to_the_criterion_as_itself() -> None:
    x, y = drawn(30, 0.5, 0)
    d = correlation_difference(x, x + 1e-9 * y, y)
    assert d.estimate == pytest.approx(0, abs=1e-6)
    assert d.high - d.low < 0.15 * (d.first.high - d.first.low)


@given(st.lists(st.floats(-1e3, 1e3), min_size=5, max_size=20))
@settings(deadline=None)
def test_no_list_of_scores_breaks_it(values: list[float]) -> None:
    c = coefficient(values, list(range(len(values))))
    assert np.isnan(c.estimate) or -1 <= c.low <= c.estimate <= c.high <= 1


def test_ratings_bring_their_own_uncertainty() -> None:
    scores, sure = scores_of()
    unsure = Criterion("arena", sure.ratings, sure.se * 3)
    first, second = align(scores, sure), align(scores, unsure)
    assert first.reliability > second.reliability
    assert second.corrected > second.pearson.estimate
    assert second.corrected == pytest.approx(second.pearson.estimate / np.sqrt(second.reliability))
    assert np.isnan(align(scores, Criterion("x", sure.ratings, sure.se * np.nan)).corrected)


def test_reliability_is_unknown_where_an_error_is_and_where_nothing_varies() -> None:
    ratings: Any = pd.Series([1000.0, 1100.0, 1300.0], index=list("abc"))
    known: Any = pd.Series(50.0, index=ratings.index)
    assert Criterion("x", ratings, known).reliability() == pytest.approx(1 - 2500 / 23333.3333)
    assert np.isnan(Criterion("x", ratings, known.mask(known.index == "b")).reliability())
    assert Criterion("x", ratings[:2], known[:2]).reliability() == pytest.approx(1 - 2500 / 5000)
    assert np.isnan(Criterion("x", ratings[:1], known[:1]).reliability())
    assert np.isnan(Criterion("x", ratings * 0, known).reliability())
    assert Criterion("x", ratings, known * 10).reliability() == 0


def test_partial_overlap_is_handled_and_said() -> None:
    scores, arena = scores_of(60)
    some = arena.of(scores.index[:25])
    found = align(scores, some)
    assert found.n == 25
    assert len(found.overlap.only_scores) == 35
    said = next(d for d in found.diagnostics if d.code == "partial_overlap")
    assert "25 of 60 models" in said.sentence
    assert json.dumps(found.to_dict(), allow_nan=False)


def test_rated_models_that_are_all_alike_are_said_to_be_selected() -> None:
    scores, arena = scores_of(80)
    best = scores.sort_values().index[-25:]
    found = align(scores, arena.of(best))
    assert "rated_models_selected" in {d.code for d in found.diagnostics}
    assert abs(found.corrected_for_range) > abs(found.pearson.estimate)


def test_the_correlation_at_full_range_keeps_slope_and_scatter_of_the_rated_models() -> None:
    """Ratings are 2 x score + errors of variance 9 that no score explains. At full range the same
    slope and the same errors meet the larger variance of all scores (Thorndike's case 2)."""
    rng = np.random.default_rng(2)
    x, e = rng.normal(size=(2, 30))
    x = (x - x.mean()) / x.std(ddof=1)
    e = e - e.mean() - (e @ x) / (x @ x) * x
    e *= 3 / e.std(ddof=1)
    names = [f"m{k}" for k in range(30)]
    others = pd.Series(rng.normal(0, 4, 50), index=[f"other{k}" for k in range(50)])
    scores = pd.concat([pd.Series(x, index=names), others])
    ratings = pd.Series(2 * x + e, index=names)
    found = align(scores, Criterion("arena", ratings, pd.Series(1.0, index=names)))
    assert found.pearson.estimate == pytest.approx(2 / np.sqrt(4 + 9))
    spread = float(np.std(scores, ddof=1))
    assert found.corrected_for_range == pytest.approx(2 * spread / np.hypot(2 * spread, 3))


def test_names_are_joined_by_the_map_and_never_guessed() -> None:
    scores, arena = scores_of()
    renamed = scores.rename({"model-3b": "Model_3B (chat)", "model-4b": "MODEL-4B"})
    shared = overlap(renamed.index, arena, {"Model_3B (chat)": "model-3b"})
    assert shared.pairs["Model_3B (chat)"] == "model-3b"
    assert "MODEL-4B" in shared.only_scores
    assert shared.close == {"MODEL-4B": "model-4b"}
    with pytest.raises(ParameterError, match="both stand for"):
        overlap(scores.index, arena, {"model-1b": "model-2b"})


def test_three_shared_models_are_refused_by_name() -> None:
    scores, arena = scores_of()
    with pytest.raises(ParameterError, match=r"share 3 \(model-0b, model-1b, model-2b\)"):
        align(scores, arena.of(scores.index[:3]))


def test_ranks_agree_less_within_the_best_and_the_worst() -> None:
    x, y = drawn(200, 0.9, 5)
    table: Any = rank_agreement(pd.Series(x), pd.Series(y), 50)
    r = table[table["coefficient"] == "spearman"].set_index("range")["estimate"]
    assert r["all"] > r["top"]
    assert r["all"] > r["bottom"]
    with pytest.raises(ParameterError, match="too small"):
        rank_agreement(pd.Series(x), pd.Series(y), 4)


def test_a_mean_of_z_scores_weighs_tasks_alike() -> None:
    table = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [300.0, 200.0, 100.0]})
    assert standardized_mean(table).tolist() == pytest.approx([0, 0, 0])


def test_the_width_of_a_correlation_of_a_half_is_fishers() -> None:
    """At n = 28: z = 0.549306 +- 1.96 / 5."""
    ends = [math.tanh(0.5493061443 + sign * 1.96 / 5) for sign in (-1, 1)]
    assert _typical_width(28) == pytest.approx(ends[1] - ends[0])
    assert _typical_width(3) == _typical_width(4) > _typical_width(5)


def test_a_criterion_table_is_read_with_its_ratings_and_their_errors() -> None:
    table: Any = pd.DataFrame({"model": ["a", "b", "c"], "elo": [1.0, 2, np.nan],
                          "rating_q025": [0.0, 1, 2], "rating_q975": [2.0, 5, 6]})  # fmt: skip
    found: Any = criterion_from_table(table, level=0.9)
    assert found.ratings.to_dict() == {"a": 1.0, "b": 2.0}
    z = 1.6448536269514722
    assert found.se.to_dict() == pytest.approx({"a": 1 / z, "b": 2 / z})
    renamed: Any = table.rename(columns={"elo": "rating"})
    assert criterion_from_table(renamed).se.to_dict() == pytest.approx(
        {"a": 1 / 1.959964, "b": 2 / 1.959964}
    )
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


def test_names_are_close_where_they_hold_the_same_numbers() -> None:
    others = ["Qwen2-VL-7B", "qwen2-vl-2b", "LLaVA-13B"]
    found = close_names(["qwen2-vl-7b-chat", "Qwen2 VL 2B", "llava-7b", "xyz-13"], others)
    assert found == {"qwen2-vl-7b-chat": "Qwen2-VL-7B", "Qwen2 VL 2B": "qwen2-vl-2b"}


def test_a_correlation_of_unlike_lengths_is_refused_with_both_lengths() -> None:
    long, short = list(range(6)), list(range(5))
    for refused in (
        lambda: alignment.coefficient(long, short),
        lambda: alignment.correlation_difference(long, short, long),
    ):
        with pytest.raises(ParameterError, match="lists of one length; these have 6, 5"):
            refused()
