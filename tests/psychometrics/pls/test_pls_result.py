"""Scores, effects, signs, moderation and plain values are what their definitions say."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pls_cases import CASES
from support.tiers import few

from gfactor.errors import ParameterError
from gfactor.psychometrics.pls import (
    Design,
    PLSFit,
    bootstrap_pls,
    correlation,
    estimate,
    fit_pls,
    predict_pls,
)


def fitted(name: str, **chosen: Any) -> PLSFit:
    case = CASES[name]
    return fit_pls(case.model(), case.data(), **(case.settings() | chosen))


@pytest.mark.thorough
@pytest.mark.parametrize("name", CASES)
def test_scores_are_standardized_and_give_the_correlations_and_cross_loadings(name: str) -> None:
    found = fitted(name, consistent=False)
    assert np.allclose(found.scores.mean(), 0, atol=1e-9)
    assert np.allclose(found.scores.std(), 1)
    assert np.allclose(found.scores.corr(), found.correlations, atol=1e-9)


@pytest.mark.thorough
@pytest.mark.parametrize("name", few(CASES, 6))
def test_plain_values_survive_json_and_the_summary_shows_diagnostics_first(name: str) -> None:
    found = fitted(name)
    document = found.to_dict()
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert set(document["reliability"]) == set(found.constructs)
    lines = found.summary().splitlines()
    assert lines[: len(found.diagnostics)] == [str(d) for d in found.diagnostics]


def test_raw_scores_are_weighted_means_in_the_unit_of_the_indicators() -> None:
    found, data = fitted("chain_path"), CASES["chain_path"].data()
    block = data[["a1", "a2", "a3", "a4"]]
    weights = found.weights.loc[block.columns, "A"] / block.std()
    assert np.allclose(found.raw_scores["A"], block @ (weights / weights.sum()))
    assert np.corrcoef(found.raw_scores["A"], found.scores["A"])[0, 1] == pytest.approx(1)
    # Adding a constant to the data adds it to raw scores, and to nothing else.
    moved = fit_pls(CASES["chain_path"].model(), data + 7, **CASES["chain_path"].settings())
    assert np.allclose(moved.raw_scores, found.raw_scores + 7)


def test_total_effects_are_sums_over_all_routes() -> None:
    found = fitted("five_constructs")
    b = found.paths
    total = b.loc["A", "D"] + b.loc["A", "C"] * b.loc["C", "D"]
    effects = found.effects.set_index(["source", "target"])
    assert effects.loc[("A", "D"), "total"] == pytest.approx(total)
    route = b.loc["A", "C"] * (b.loc["C", "E"] + b.loc["C", "D"] * b.loc["D", "E"])
    indirect = route + b.loc["A", "D"] * b.loc["D", "E"]
    assert effects.loc[("A", "E"), "indirect"] == pytest.approx(indirect)
    assert ("E", "A") not in effects.index


def test_turning_all_indicators_of_a_construct_turns_its_paths_only() -> None:
    case = CASES["chain_path"]
    plain, turned = fitted("chain_path"), case.data()
    turned[["a1", "a2", "a3", "a4"]] *= -1
    # The sum of the loadings is positive again, so the construct now means its opposite.
    found = fit_pls(case.model(), turned, **case.settings())
    assert found.paths.loc["A", "B"] == pytest.approx(-plain.paths.loc["A", "B"])
    assert np.allclose(found.loadings, plain.loadings)


def test_the_sign_can_follow_the_first_indicator() -> None:
    case, data = CASES["chain_path"], CASES["chain_path"].data()
    data["a1"] *= -1
    by_sum = fit_pls(case.model(), data, sign="sum")
    by_first = fit_pls(case.model(), data, sign="first")
    assert by_sum.loadings["A"].to_numpy(float)[0] < 0 < by_sum.loadings["A"].to_numpy().sum()
    assert np.allclose(by_first.loadings["A"], -by_sum.loadings["A"])


def test_simple_slopes_are_those_of_the_regression_on_the_product() -> None:
    found = fitted("interaction_two_stage")
    scores, row = found.scores, found.moderation.iloc[0]
    x = np.column_stack([scores["A"], scores["M"], scores["A"] * scores["M"], np.ones(len(scores))])
    # The product is of the scores of the model without it, whose weights differ a little.
    slope = np.linalg.lstsq(x, scores["Y"], rcond=None)[0]
    assert row["per_unit"] == pytest.approx(slope[2], abs=0.01)
    rise = float(row["slope_high"]) - float(row["slope_low"])
    assert rise == pytest.approx(2 * float(row["per_unit"]))
    assert float(row["path"]) == pytest.approx(float(row["per_unit"]) * float(row["unit"]))


def test_each_of_two_interactions_is_the_product_of_its_own_constructs() -> None:
    rng = np.random.default_rng(3)
    a, b, d = rng.normal(size=(3, 200))
    c = 0.4 * a + 0.3 * b + 0.2 * a * b - 0.3 * a * d + rng.normal(size=200)
    data = pd.DataFrame(
        {f"{name}{k}": x + 0.5 * rng.normal(size=200)
         for name, x in (("a", a), ("b", b), ("c", c), ("d", d)) for k in (1, 2)}
    )  # fmt: skip
    measured = "".join(f"{name.upper()} =~ {name}1 + {name}2\n" for name in "abcd")
    scores: Any = fit_pls(measured + "C ~ A + B + D + A:B + A:D", data).scores
    for own, other in ("BD", "DB"):
        # The factors' scores come from the stage before, and differ a little.
        assert scores[f"A:{own}"].corr(scores["A"] * scores[own]) > 0.9999
        assert abs(scores[f"A:{own}"].corr(scores["A"] * scores[other])) < 0.5


def test_saturated_and_estimated_fit_differ_only_where_paths_are_missing() -> None:
    full = fitted("chain_path").fit.set_index(["implied", "structure"])["srmr"]
    same = dict(zip(full.index, full.to_numpy(float), strict=True))
    assert same["composite", "saturated"] == pytest.approx(same["composite", "estimated"])
    chain = fit_pls(_without_direct_path(), CASES["chain_path"].data())
    table = chain.fit.set_index(["implied", "structure"])["srmr"]
    values = dict(zip(table.index, table.to_numpy(float), strict=True))
    assert values["composite", "estimated"] > values["composite", "saturated"]


def _without_direct_path() -> str:
    blocks = CASES["chain_path"].blocks
    lines = [f"{name} =~ {' + '.join(block)}" for name, block in blocks.items()]
    return "\n".join([*lines, "B ~ A", "C ~ B"])


@pytest.mark.thorough
@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 6))
def test_a_batch_gives_what_each_matrix_gives_alone(seed: int, size: int) -> None:
    rng = np.random.default_rng(seed)
    common = rng.normal(size=(size, 40, 1))
    r = np.stack([correlation(x) for x in common + rng.normal(size=(size, 40, 7))])
    design = Design.of_blocks({"A": 3, "B": 2, "C": 2}, [("A", "B"), ("A", "C"), ("B", "C")])
    together = estimate(r, design)
    for number in range(size):
        alone = estimate(r[number], design)
        assert np.allclose(together.weights[number], alone.weights[0], atol=1e-12)
        assert together.iterations[number] == alone.iterations[0]


@pytest.mark.thorough
@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000))
def test_an_inactive_indicator_is_as_good_as_absent(seed: int) -> None:
    rng = np.random.default_rng(seed)
    r = correlation(rng.normal(size=(40, 1)) + rng.normal(size=(40, 7)))
    active = np.array([True, False, True, True, True, True, False])
    paths = [("A", "B"), ("A", "C"), ("B", "C")]
    masked = estimate(
        r, Design.of_blocks({"A": 3, "B": 2, "C": 2}, paths, {"A": "B"}), active=active
    )
    smaller = estimate(
        r[np.ix_(active, active)], Design.of_blocks({"A": 2, "B": 2, "C": 1}, paths, {"A": "B"})
    )
    assert np.allclose(masked.weights[0, active], smaller.weights[0], atol=1e-9)
    assert np.allclose(masked.paths, smaller.paths, atol=1e-9)
    assert (masked.weights[0, ~active] == 0).all()


@pytest.mark.thorough
def test_prediction_beats_means_and_says_so() -> None:
    found = predict_pls(fitted("five_constructs"), folds=5, repeats=2, seed=3)
    assert found.table["q2_predict"].to_numpy(float).min() > 0
    assert found.power in {"high", "medium", "low", "none"}
    assert json.dumps(found.to_dict(), allow_nan=False)
    again = predict_pls(fitted("five_constructs"), folds=5, repeats=2, seed=3)
    pd.testing.assert_frame_equal(found.table, again.table)
    chained = predict_pls(fitted("five_constructs"), folds=5, technique="earliest")
    assert set(chained.table["construct"]) == {"C", "D", "E"}


def test_pure_noise_is_not_predicted() -> None:
    rng = np.random.default_rng(0)
    data = pd.DataFrame(rng.normal(size=(60, 4)), columns=["x", "y", "u", "v"])
    found = predict_pls(fit_pls("A =~ x + y\nB =~ u + v\nB ~ A", data), folds="loo")
    assert found.table["q2_predict"].to_numpy(float).max() < 0.05
    wide = pd.DataFrame(rng.normal(size=(8, 9)), columns=[*"abcdefgh", "y"])
    few = fit_pls("A =~ a + b + c + d + e + f + g + h\nB =~ y\nB ~ A", wide)
    assert predict_pls(few, folds="loo").power == "unknown"


def test_prediction_refuses_what_has_no_method() -> None:
    for name in ("second_order_two_stage", "interaction_product"):
        with pytest.raises(ParameterError, match="first-order models without interactions"):
            predict_pls(fitted(name))
    with pytest.raises(ParameterError, match="give 2 to 60"):
        predict_pls(fitted("chain_path"), folds=1)


def test_the_summary_of_a_bootstrap_names_its_size() -> None:
    drawn = bootstrap_pls(fitted("chain_path"), 20)
    assert "20 of 20 bootstrap resamples of 60 rows" in drawn.summary()
    assert json.dumps(drawn.to_dict(), allow_nan=False)
