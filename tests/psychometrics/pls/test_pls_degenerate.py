"""Data that PLS cannot use, or should not, get a sentence each."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pandas as pd
import pytest

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.pls import PLSFit, correlation, fit_pls
from gfactor.psychometrics.pls.data import em_moments, filled, table_of
from gfactor.psychometrics.pls.iteration import Scheme

MODEL = "A =~ a1 + a2 + a3\nB =~ b1 + b2 + b3\nB ~ A"
COLUMNS = ["a1", "a2", "a3", "b1", "b2", "b3"]


def data(n: int = 40, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    a = rng.normal(size=n)
    b = 0.7 * a + rng.normal(size=n)
    columns = [a, a, a, b, b, b]
    return pd.DataFrame(
        {name: x + 0.6 * rng.normal(size=n) for name, x in zip(COLUMNS, columns, strict=True)},
        index=pd.Index([f"model-{i}" for i in range(n)]),
    )


def codes(found: PLSFit) -> set[str]:
    return {diagnostic.code for diagnostic in found.diagnostics}


def test_a_constant_column_is_refused_by_name() -> None:
    with pytest.raises(ParameterError, match="column 'a2' does not vary over its 40 rows"):
        fit_pls(MODEL, data().assign(a2=3.0))


def test_a_duplicated_column_has_infinite_vif_and_is_named() -> None:
    found = fit_pls(MODEL, data().assign(a2=lambda d: 2 * d["a1"] + 1))
    vif = dict(zip(found.measurement["indicator"], found.measurement["vif"], strict=True))
    assert [vif["a1"], vif["a2"]] == [np.inf, np.inf]
    assert np.isfinite(vif["a3"])
    (told,) = (d for d in found.diagnostics if d.code == "duplicated_column")
    assert told.where == ("a1", "a2")
    assert found.to_dict()["vif"]["a1"] is None


def test_a_copy_in_mode_b_is_an_error_beside_the_result() -> None:
    found = fit_pls(MODEL.replace("A =~", "A <~"), data().assign(a2=lambda d: d["a1"]))
    assert "singular_block" in codes(found)
    assert found.diagnostics[0].severity == "error"
    weights = found.measurement["weight"].to_numpy(float)
    assert weights[0] == pytest.approx(weights[1])


def test_one_indicator_is_said_to_say_nothing() -> None:
    found = fit_pls("A =~ a1\nB =~ b1 + b2\nB ~ A", data())
    assert found.reliability.loc["A", ["alpha", "rho_a", "rho_c", "ave"]].tolist() == [1, 1, 1, 1]
    assert "single_indicator" in codes(found)


def test_more_indicators_than_rows_work_in_mode_a_with_a_warning() -> None:
    found = fit_pls(MODEL, data(5))
    assert found.converged
    assert {"more_indicators_than_rows", "few_rows"} <= codes(found)
    assert np.isnan(found.fit["d_g"].to_numpy(float)).all()
    assert not np.isfinite(found.measurement["vif_all"].to_numpy(float)).any()


def test_mode_b_needs_more_rows_than_indicators() -> None:
    wide = data(6).rename(columns={"b2": "a4", "b3": "a5"}).assign(a6=[1, 0, 2, 5, 3, 3])
    with pytest.raises(ParameterError, match="'A' has 6 indicators in mode B for 6 rows"):
        fit_pls("A <~ a1 + a2 + a3 + a4 + a5 + a6\nB =~ b1\nB ~ A", wide)


def test_too_few_rows_are_refused() -> None:
    with pytest.raises(ParameterError, match="needs at least 4 rows, got 3; add rows"):
        fit_pls(MODEL, data(3))


def test_a_missing_cell_is_refused_by_default_with_its_place() -> None:
    gaps = data()
    gaps.loc["model-7", "b2"] = np.nan
    with pytest.raises(ParameterError, match="the first in row 'model-7', column 'b2'; choose"):
        fit_pls(MODEL, gaps)


@pytest.mark.thorough
@pytest.mark.parametrize("treatment", ["listwise", "pairwise", "mean", "em"])
def test_each_treatment_of_missing_cells_fits_and_is_said(treatment: Any) -> None:
    whole = data(200, 3)
    gaps = whole.mask(np.random.default_rng(1).random(whole.shape) < 0.05)
    found, complete = fit_pls(MODEL, gaps, missing=treatment), fit_pls(MODEL, whole)
    assert abs(found.paths.loc["A", "B"] - complete.paths.loc["A", "B"]) < 0.1
    assert "missing_cells" in codes(found)
    assert found.n == (gaps.dropna().shape[0] if treatment == "listwise" else 200)
    assert found.scores.notna().to_numpy().all() == (treatment != "pairwise")


def test_listwise_is_the_fit_of_the_complete_rows_and_mean_that_of_the_filled_ones() -> None:
    gaps = data(80, 4)
    gaps.iloc[[3, 9], 2] = np.nan
    gaps.iloc[11, 5] = np.nan
    for treatment, made in (("listwise", gaps.dropna()), ("mean", gaps.fillna(gaps.mean()))):
        ours: Any = treatment
        a, b = fit_pls(MODEL, gaps, missing=ours), fit_pls(MODEL, made)
        assert np.allclose(a.measurement["weight"], b.measurement["weight"], atol=1e-12)


def test_a_table_counts_the_rows_it_left_out() -> None:
    gaps = data(80, 4)
    gaps.iloc[[3, 9], 2] = np.nan
    gaps.iloc[11, 5] = np.nan
    for treatment, dropped in (("listwise", 3), ("pairwise", 0), ("mean", 0)):
        table = table_of(gaps, COLUMNS, treatment)  # type: ignore[arg-type]
        assert (table.n_missing, table.n_dropped, table.n) == (3, dropped, 80 - dropped)
    assert table_of(data(80, 4), COLUMNS, "listwise").n_dropped == 0


def test_as_many_rounds_as_are_told_are_needed() -> None:
    rounds = fit_pls(MODEL, data()).iterations
    assert rounds > 1
    assert fit_pls(MODEL, data(), max_iterations=rounds).converged
    assert not fit_pls(MODEL, data(), max_iterations=rounds - 1).converged


def test_correlations_are_those_of_numpy() -> None:
    np.testing.assert_allclose(correlation(data().to_numpy()), data().corr(), atol=1e-14)


def test_listwise_without_complete_rows_is_refused() -> None:
    gaps = data(6)
    for i in range(6):
        gaps.iloc[i, i] = np.nan
    with pytest.raises(
        ParameterError, match=r"at least 4 rows, got 0 .*6 rows with a missing cell"
    ):
        fit_pls(MODEL, gaps, missing="listwise")


def test_a_column_of_text_is_refused_with_the_cell() -> None:
    wrong = data().astype(object)
    wrong.loc["model-3", "a1"] = "n/a"
    with pytest.raises(
        ParameterError, match="column 'a1' is not numeric: row 'model-3' holds 'n/a'"
    ):
        fit_pls(MODEL, wrong)


def test_whole_numbers_with_gaps_and_truth_values_are_numbers() -> None:
    whole = (10 * data()).round().astype("Int64")
    whole["b3"] = whole["b3"] > 0
    whole.iloc[2, 1] = pd.NA
    found = fit_pls(MODEL, whole, missing="listwise")
    plain = fit_pls(MODEL, whole.dropna().astype(float))
    assert np.allclose(found.measurement["loading"], plain.measurement["loading"])


def test_an_infinite_cell_is_refused() -> None:
    wrong = data()
    wrong.loc["model-3", "a1"] = np.inf
    with pytest.raises(ParameterError, match="infinite in row 'model-3'"):
        fit_pls(MODEL, wrong)


def test_an_unknown_column_suggests_a_close_one() -> None:
    with pytest.raises(UnknownNameError, match="unknown column 'a4'; did you mean"):
        fit_pls(MODEL.replace("a3", "a4"), data())


def test_two_columns_of_one_name_are_refused() -> None:
    twice = pd.concat([data(), data()[["a1"]]], axis=1)
    with pytest.raises(ParameterError, match="2 columns called 'a1'"):
        fit_pls(MODEL, twice)


def test_a_construct_without_a_path_is_refused() -> None:
    with pytest.raises(ParameterError, match="'C' has no path"):
        fit_pls("A =~ a1 + a2\nB =~ b1\nC =~ b2 + b3\nB ~ A", data())


def test_a_circle_of_paths_is_refused() -> None:
    text = "A =~ a1\nB =~ b1\nC =~ b2\nB ~ A\nC ~ B\nA ~ C"
    with pytest.raises(ParameterError, match="run in a circle"):
        fit_pls(text, data())


def test_indicators_that_correlate_with_nothing_are_refused() -> None:
    cross = pd.DataFrame({"x": [1.0, 1, -1, -1], "y": [1.0, -1, 1, -1]})
    with pytest.raises(ParameterError, match="the weights of construct 'X' are zero"):
        fit_pls("X =~ x\nY =~ y\nY ~ X", cross, scheme="factorial")


@pytest.mark.parametrize("scheme", ["path", "factorial", "centroid"])
def test_a_correlation_of_rounding_errors_is_none(scheme: Scheme) -> None:
    """The scores .1 and .7 leave a correlation of some 1e-17, whose sign hangs on the order of
    rows and on the processor."""
    cross = pd.DataFrame({"x": [0.7, 0.7, 0.1, 0.1, 0.7, 0.1], "y": [0.7, 0.1, 0.7, 0.1, 0.4, 0.4]})
    noisy = 0
    for order in itertools.islice(itertools.permutations(range(6)), 0, 720, 60):
        rows = cross.iloc[list(order)].reset_index(drop=True)
        noisy += bool(table_of(rows, ["x", "y"]).r[0, 1])
        with pytest.raises(ParameterError, match="the weights of construct 'X' are zero"):
            fit_pls("X =~ x\nY =~ y\nY ~ X", rows, scheme=scheme)
    assert noisy


def test_a_reversed_indicator_is_noticed() -> None:
    found = fit_pls(MODEL, data().assign(a2=lambda d: -d["a2"]))
    (told,) = (d for d in found.diagnostics if d.code == "negative_loading")
    assert told.where == ("a2",)


def test_an_iteration_cut_short_is_said() -> None:
    found = fit_pls(MODEL, data(), max_iterations=1, tolerance=1e-15)
    assert not found.converged
    assert found.diagnostics[0].code == "not_converged"


def test_unknown_choices_are_refused() -> None:
    for keyword in ("scheme", "sign", "missing", "second_order", "interaction"):
        chosen: Any = {keyword: "none of these"}
        with pytest.raises(ParameterError, match="none of these"):
            fit_pls(MODEL, data(), **chosen)


def test_an_interaction_without_its_main_effect_is_noticed() -> None:
    found = fit_pls("A =~ a1 + a2\nM =~ a3\nB =~ b1 + b2\nB ~ A + A:M\nM ~ A", data())
    assert "interaction_without_main_effect" in codes(found)
    gaps = data()
    gaps.iloc[0, 0] = np.nan
    with pytest.raises(ParameterError, match="interactions need complete rows"):
        fit_pls("A =~ a1 + a2\nM =~ a3\nB =~ b1\nB ~ A + M + A:M", gaps, missing="pairwise")


def test_missing_cells_are_filled_with_their_regressions_on_the_cells_seen() -> None:
    mean = np.array([1.0, 2.0, -1.0])
    covariance = np.array([[2.0, 0.8, 0.5], [0.8, 1.0, 0.3], [0.5, 0.3, 1.5]])
    raw = np.array([[3.0, np.nan, 0.0], [np.nan, 1.0, np.nan], [0.5, 2.5, 1.0]])
    found = filled(raw, mean, covariance)
    both = covariance[[0, 2]][:, [0, 2]]
    slopes = np.linalg.solve(both, covariance[[0, 2], 1])
    assert found[0, 1] == pytest.approx(2 + np.array([2.0, 1.0]) @ slopes)
    assert found[1] == pytest.approx([1 - 0.8, 1.0, -1 - 0.3])
    assert found[2].tolist() == raw[2].tolist()
    assert np.isnan(raw[0, 1]), "the table given is left as it is"


def test_moments_of_incomplete_rows_are_those_of_their_maximum_likelihood() -> None:
    """Anderson (1957): one variable seen for all, the other for the first rows."""
    rng = np.random.default_rng(2)
    x = rng.normal(100, 15, 60)
    y = np.where(np.arange(60) < 40, 0.01 * x + rng.normal(0, 0.1, 60), np.nan)
    mean, covariance, r = em_moments(np.column_stack([x, y]))
    seen = y[:40]
    slope, start = np.polyfit(x[:40], seen, 1)
    left = (seen - start - slope * x[:40]).var()
    assert mean == pytest.approx([x.mean(), start + slope * x.mean()], rel=1e-6)
    expected = [[x.var(), slope * x.var()], [slope * x.var(), left + slope**2 * x.var()]]
    assert covariance == pytest.approx(np.array(expected), rel=1e-5)
    assert r[0, 1] == pytest.approx(expected[0][1] / np.sqrt(expected[0][0] * expected[1][1]), 1e-5)
    assert r[0, 0] == r[1, 1] == 1.0
    twice = em_moments(np.column_stack([x, y])[:50], np.array([2] * 50))
    once = em_moments(np.repeat(np.column_stack([x, y])[:50], 2, axis=0))
    for one, other in zip(twice, once, strict=True):
        assert one == pytest.approx(other)
    # Of a resample in which one row stands ten times nothing varies.
    constant = em_moments(np.column_stack([x, y]), np.where(np.arange(60) == 3, 10, 0))
    assert np.isnan(constant[1]).all()
    assert np.isnan(constant[2]).all()
