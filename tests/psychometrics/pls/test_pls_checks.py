"""What is said against PLS data and solutions, and the orientation of constructs, at the limits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from gfactor.psychometrics.pls import Design, PLSModel, estimate, fit_pls
from gfactor.psychometrics.pls.diagnose import of_validity
from gfactor.psychometrics.validity import block_inflation, variance_inflation


def codes(found: Any) -> dict[str, Any]:
    return {d.code: d for d in found}


def measured(**columns: Any) -> pd.DataFrame:
    made = {
        "construct": ["A", "A", "B", "B"], "indicator": ["a", "b", "c", "d"],
        "vif": [1.0, 5.0, 1.0, 1.0], "loading": [0.8, 0.8, 0.8, 0.0],
    }  # fmt: skip
    return pd.DataFrame(made | columns)


def ratios(value: float) -> pd.DataFrame:
    htmt = pd.DataFrame(np.full((3, 3), 0.5), list("ABC"), list("ABC"))
    htmt.loc["A", "C"] = htmt.loc["C", "A"] = value
    return htmt


def test_a_ratio_of_ninety_hundredths_is_high_but_not_that_of_a_part_and_its_whole() -> None:
    assert list(of_validity(measured(), ratios(0.899), {})) == []
    found = codes(of_validity(measured(), ratios(0.9), {}))["htmt_high"]
    assert found.where == ("A", "C")
    assert found.values == {"A and C": 0.9}
    assert "not below 0.90 for 1 of 3 pairs: A and C (0.900)" in found.sentence
    for parts in ({"A": "C"}, {"C": "A"}):
        assert list(of_validity(measured(), ratios(0.95), parts)) == []
    several = ratios(0.92)
    several.loc["B", "C"] = several.loc["C", "B"] = 0.97
    found = codes(of_validity(measured(), several, {}))["htmt_high"]
    assert "B and C (0.970), A and C (0.920)" in found.sentence
    assert found.where == ("B", "C", "A")


def test_inflation_above_five_and_loadings_below_zero_are_named() -> None:
    high = measured(vif=[5.1, 7.0, 5.0, 1.0])
    found = codes(of_validity(high, ratios(0.5), {}))["vif_high"]
    assert found.where == ("a", "b")
    assert "2 of 4 indicators have a VIF above 5 in their construct, b the highest (7)." in (
        found.sentence
    )
    against = codes(of_validity(measured(loading=[0.8, -0.1, 0.8, 0]), ratios(0.5), {}))
    assert against["negative_loading"].where == ("b",)


def test_constructs_of_one_indicator_are_named_but_not_products() -> None:
    one = measured(construct=["A", "A", "B", "A:B"])
    found = codes(of_validity(one, ratios(0.5), {}))["single_indicator"]
    assert found.sentence.startswith("B has one indicator")
    two = measured(construct=["A", "A", "B", "C"])
    found = codes(of_validity(two, ratios(0.5), {}))["single_indicator"]
    assert found.sentence.startswith("B, C have one indicator")


def data(n: int = 60, seed: int = 1) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    general = rng.normal(size=(n, 1))
    return pd.DataFrame(
        general + rng.normal(size=(n, 6)), columns=["a1", "a2", "a3", "b1", "b2", "b3"]
    )


BLOCKS = {"A": ["a1", "a2", "a3"], "B": ["b1", "b2", "b3"]}


def said(frame: pd.DataFrame, modes: Any = None, **options: Any) -> dict[str, Any]:
    model = PLSModel.of(BLOCKS, [("A", "B")], modes=modes) if modes else PLSModel.of(
        BLOCKS, [("A", "B")]
    )  # fmt: skip
    return codes(fit_pls(model, frame, **options).diagnostics)


def test_ten_rows_per_predictor_are_asked_for() -> None:
    assert "few_rows" not in said(data(10))
    found = said(data(9))["few_rows"]
    assert found.values == {"n": 9, "needed": 10}
    assert "9 rows are fewer than ten times the 1 predictors" in found.sentence


def test_no_more_rows_than_indicators_is_said() -> None:
    assert said(data(6))["more_indicators_than_rows"].values == {"indicators": 6, "n": 6}
    assert "more_indicators_than_rows" not in said(data(7))


def test_a_copy_of_a_column_is_named_whatever_its_sign() -> None:
    frame = data().assign(a2=lambda x: -2 * x["a1"] + 1)
    found = said(frame)["duplicated_column"]
    assert found.where == ("a1", "a2")
    assert "a1 and a2 correlate -1.000" in found.sentence


@pytest.mark.parametrize(
    ("way", "severity", "words"),
    [
        ("listwise", "note", "2 rows were left out"),
        ("pairwise", "warning", "58 to 60 rows"),
        ("mean", "warning", "column's mean"),
        ("em", "note", "maximum-likelihood"),
    ],
)
def test_how_missing_cells_were_treated_is_said(way: Any, severity: str, words: str) -> None:
    frame = data()
    frame.loc[[3, 5], "a1"] = np.nan
    found = said(frame, missing=way)["missing_cells"]
    assert found.severity == severity
    assert found.sentence.startswith("2 cells are missing; ")
    assert words in found.sentence
    assert found.values == {"missing": 2, "n": 58 if way == "listwise" else 60}


DESIGN = Design.of_blocks({"A": 2, "B": 2}, [("A", "B")])


def test_a_construct_points_where_its_first_active_indicator_points() -> None:
    r = np.full((4, 4), 0.6) + 0.4 * np.eye(4)
    r[0, 1:], r[1:, 0] = -0.5, -0.5
    by_first = estimate(r, DESIGN, sign="first")
    assert by_first.loadings[0, 0] > 0
    without = estimate(r, DESIGN, active=np.array([False, True, True, True]), sign="first")
    assert without.loadings[0, 0] < 0 < without.loadings[0, 1]
    assert without.loadings[0, 1] == pytest.approx(1.0)
    assert without.weights[0, 0] == 0
    assert without.paths[0, 0, 1] > 0
    flipped = estimate(r, DESIGN, active=np.array([True, False, True, True]), sign="first")
    assert flipped.loadings[0, 0] == pytest.approx(1.0)
    assert flipped.paths[0, 0, 1] == pytest.approx(-5 / 6 * without.paths[0, 0, 1])


def test_the_inflation_of_equal_correlations_is_the_closed_form() -> None:
    for k, r in ((3, 0.5), (5, 0.9)):
        matrix = np.full((k, k), r) + (1 - r) * np.eye(k)
        expected = (1 + (k - 2) * r) / ((1 - r) * (1 + (k - 1) * r))
        assert variance_inflation(matrix) == pytest.approx([expected] * k)
        on = np.arange(k) < k - 1
        fewer = (1 + (k - 3) * r) / ((1 - r) * (1 + (k - 2) * r))
        assert variance_inflation(matrix, on)[:-1] == pytest.approx([fewer] * (k - 1))
        assert np.isnan(variance_inflation(matrix, on)[-1])


def test_a_sum_of_others_has_infinite_inflation_and_leaves_the_rest() -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(size=(50, 4))
    x[:, 2] = x[:, 0] + x[:, 1]
    whole: Any = np.corrcoef(x, rowvar=False)
    found = variance_inflation(whole)
    assert np.isinf(found[:3]).all()
    alone: Any = np.corrcoef(x[:, [0, 1, 3]], rowvar=False)
    assert found[3] == pytest.approx(variance_inflation(alone)[2])
    both = np.stack([np.eye(4), whole, np.full((4, 4), np.nan)])
    stacked = variance_inflation(both)
    assert stacked[0] == pytest.approx(np.ones(4))
    assert np.isinf(stacked[1, :3]).all()
    assert np.isnan(stacked[2]).all()
    blocks = block_inflation(whole, [np.array([0, 1]), np.array([3])])
    r = np.corrcoef(x[:, 0], x[:, 1])[0, 1]
    assert blocks[:2] == pytest.approx([1 / (1 - r**2)] * 2)
    assert np.isnan(blocks[2])
    assert blocks[3] == 1
