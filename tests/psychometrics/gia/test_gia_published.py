"""The published route gives what the authors' scripts give, and says what speaks against it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.oracles import ORACLES
from support.tiers import few

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.replications.m3gia import (
    INDICATORS,
    LANGUAGES,
    TYPES,
    Counts,
    factor_scores,
    parameter_findings,
    published_gia,
    published_parameters,
    read_counts,
    read_parameters,
)

GIVEN = ORACLES / "m3gia"
AGREE = {"En": 5, "Zh": 4, "Fr": 10, "Sp": 13, "Pt": 1, "Ko": 9}
PERCENTILES = {"En": 38, "Zh": 7, "Fr": 2, "Sp": 96, "Pt": 82, "Ko": 15}


def stored(name: str) -> Any:
    return json.loads((GIVEN / name).read_text())


def counts(language: str, named: bool = False) -> Counts:
    stored("table2_comparison.json")
    frame = pd.read_csv(GIVEN / f"mllm_counts_{language}.csv", index_col=0)
    if named:
        table = stored("table2_comparison.json")[language]
        places = [f"model{i}" for i in table["mapping_model_index_1based"]]
        frame = frame.rename(index=dict(zip(places, table["models"], strict=True)))
    return read_counts(frame)


@pytest.mark.parametrize("language", few(LANGUAGES, 3))
@pytest.mark.parametrize("source", ["package", "file"])
def test_all_stored_scores_come_back_to_nine_digits(language: str, source: str) -> None:
    oracle = stored(f"gia_scores_{language}.json")
    p = (
        published_parameters(language)
        if source == "package"
        else read_parameters(GIVEN / f"stored_fit_{language}.json")
    )
    x = counts(language).table[list(p.indicators)].to_numpy()
    z = (x - x.mean(axis=0)) / x.std(axis=0, ddof=1)
    for name, rows, method in (
        ("regression_raw", x, "regression"), ("regression_z", z, "regression"),
        ("bartlett_raw", x, "bartlett"), ("bartlett_z", z, "bartlett"),
    ):  # fmt: skip
        expected = np.array(oracle[name]["values"])
        scores = factor_scores(p, rows, method)  # type: ignore[arg-type]
        np.testing.assert_allclose(scores[:, 5], expected[:, 5], atol=1e-9, rtol=0)
        np.testing.assert_allclose(scores, expected, atol=1e-9, rtol=1e-9)
    gia = published_gia(counts(language), language, p).scores["gia"]
    np.testing.assert_allclose(gia, oracle["GIA"], atol=1e-9)


def test_the_general_factor_is_the_one_on_which_all_indicators_load() -> None:
    p = published_parameters("En")
    assert p.general == len(p.factors) - 1
    turned = replace(p, loadings=p.loadings[:, ::-1], factors=p.factors[::-1])
    assert turned.general == 0
    none = replace(p, loadings=np.where(np.eye(len(p.indicators), len(p.factors)), 1.0, 0.0))
    assert none.general == len(p.factors) - 1


def test_a_fit_without_its_n_or_its_number_of_parameters_is_not_judged_by_them() -> None:
    p = published_parameters("En")
    x = counts("En").table[list(p.indicators)].to_numpy(float)
    small = replace(p, n=30, free_parameters=40)
    assert "n_against_parameters" in [d.code for d in parameter_findings(small, x)]
    for unknown in (replace(small, n=None), replace(small, free_parameters=None)):
        assert "n_against_parameters" not in [d.code for d in parameter_findings(unknown, x)]


@pytest.mark.thorough
@pytest.mark.parametrize("language", LANGUAGES)
def test_table_2_agrees_where_it_does_and_the_other_cells_are_listed_with_both_numbers(
    language: str,
) -> None:
    table = stored("table2_comparison.json")[language]
    found = published_gia(counts(language, named=True), language)
    rows = found.table2.set_index("model").loc[table["models"]]
    np.testing.assert_allclose(rows["paper"], table["paper"])
    np.testing.assert_allclose(rows["computed"], table["reproduced"], atol=1e-9)
    assert sum(rows["agrees"]) == AGREE[language]
    said = [d for d in found.diagnostics if d.code == "differs_from_table2"]
    assert len(said) == (language != "Sp")
    if said:
        assert len(said[0].where) == 13 - AGREE[language]


@pytest.mark.thorough
def test_42_of_the_78_cells_agree() -> None:
    found = [published_gia(counts(code, named=True), code).table2 for code in LANGUAGES]
    assert sum(len(table) for table in found) == 78
    assert sum(sum(table["agrees"]) for table in found) == 42


@pytest.mark.thorough
@pytest.mark.parametrize("language", few(LANGUAGES, 2))
def test_gia_follows_the_total_no_closer_than_random_weights_do(language: str) -> None:
    """20,000 weight vectors: a percentile is known to about 0.4 points (one standard error)."""
    oracle = stored(f"gia_scores_{language}.json")["cor_regression_raw_all15"]
    total = published_gia(counts(language), language).total
    assert total is not None
    assert total.r == pytest.approx(oracle["r_rowsum"], abs=1e-9)
    assert total.percentile == pytest.approx(PERCENTILES[language], abs=1.6)
    assert 0.969 <= total.random_median <= 0.979
    assert 0.915 <= total.random_p05 <= 0.940


@pytest.mark.parametrize(
    ("language", "negative", "worst"),
    [("En", 5, "General_Info"), ("Zh", 3, "Logo"), ("Fr", 0, ""), ("Sp", 4, "General_Info"),
     ("Pt", 3, "General_Info"), ("Ko", 3, "Logo")],
)  # fmt: skip
def test_improper_solutions_name_their_indicators(language: str, negative: int, worst: str) -> None:
    found = {d.code: d for d in parameter_findings(published_parameters(language))}
    if not negative:
        assert "heywood_case" not in found
        assert "gradient_not_zero" not in found
        return
    assert len(found["heywood_case"].where) == negative
    assert found["heywood_case"].where[0] == worst
    assert found["heywood_case"].severity == "error"
    assert found["gradient_not_zero"].values["max_abs_gradient"] > 5e-4
    assert found["n_against_parameters"].severity == "error"


def test_everything_else_about_the_english_fit_is_said() -> None:
    p = published_parameters("en")
    found = {d.code: d for d in parameter_findings(p, np.full((3, 18), 10.0))}
    assert found["z_scores_against_counts"].severity == "error"
    assert "uncorrelated" in found["bifactor_not_second_order"].sentence
    ticked = "Gv on Comic, Gv on Geom, Gv on Raven"
    assert ticked in found["model_differs_from_paper"].sentence
    assert "Gf on Algebra" in found["model_differs_from_paper"].sentence
    assert "Pic_Recog" in found["negative_weight"].where
    assert found["fit_beyond_own_limit"].values["srmr"] > 0.08
    assert found["n_differs_from_paper"].values == {"n": 52, "paper": 60}
    z = np.random.default_rng(0).normal(size=(20, 18))
    assert "z_scores_against_counts" not in {d.code for d in parameter_findings(p, z)}


def test_the_chinese_totals_that_are_no_sums_are_named() -> None:
    (found,) = [d for d in counts("Zh").diagnostics if d.code == "total_is_not_the_sum"]
    assert found.where == ("model11", "model12", "model13")


def made_up(rows: int = 5, seed: int = 1) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.random((rows, 18)) * 0.8, columns=list(INDICATORS))
    return frame.set_axis([f"m{i}" for i in range(rows)], axis=0)


@pytest.mark.thorough
def test_shares_percent_and_counts_give_the_same_scores() -> None:
    shares = made_up()
    points = np.array(
        [20, 15, 15, 30, 15, 15, 15, 10, 15, 25, 15, 10, 10, 20, 20, 10, 20, 20], float
    )
    given = [
        read_counts(shares), read_counts(100 * shares, "percent"),
        read_counts(shares * points, "counts"),
    ]  # fmt: skip
    scores = [published_gia(c, "fr").scores["gia"].to_numpy() for c in given]
    np.testing.assert_allclose(scores[1], scores[0])
    np.testing.assert_allclose(scores[2], scores[0])
    assert given[0].diagnostics[0].code == "unit_guessed"


def test_columns_may_be_named_as_in_the_paper_and_in_any_order() -> None:
    shares = made_up()
    titled = shares.rename(columns={code: t.name for code, t in TYPES.items()}).iloc[:, ::-1]
    pd.testing.assert_frame_equal(read_counts(titled).table, read_counts(shares).table)


@pytest.mark.parametrize(
    ("change", "error", "said"),
    [
        (lambda x: x.drop(columns="Raven"), ParameterError, "lack the question type 'Raven'"),
        (lambda x: x.rename(columns={"Raven": "Ravens"}), UnknownNameError, "did you mean 'Raven'"),
        (lambda x: x.assign(Logo=np.nan), ParameterError, "lack a value for Logo"),
        (lambda x: x.assign(Logo=99.0), ParameterError, "99 is not a possible value of Logo"),
        (lambda x: x.iloc[:0], ParameterError, "no rows"),
    ],
)
def test_bad_counts_are_refused_in_one_sentence(change: Any, error: Any, said: str) -> None:
    with pytest.raises(error, match=said):
        read_counts(change(made_up()))


def test_an_unknown_language_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match="language"):
        published_parameters("klingon")


def test_a_file_that_is_no_parameter_set_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text('{"lv_names": []}')
    with pytest.raises(ParameterError, match="parameter_estimates"):
        read_parameters(tmp_path / "x.json")
