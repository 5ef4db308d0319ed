"""What is said against a matrix of correlations or a solution, at the limits that it names."""

from __future__ import annotations

from types import SimpleNamespace as Made
from typing import Any

import numpy as np
import pandas as pd
import pytest

from gfactor.errors import ParameterError
from gfactor.psychometrics import sem
from gfactor.psychometrics.factor.correlations import correlate, given_correlations
from gfactor.psychometrics.factor.exploratory import diagnostics as said
from gfactor.psychometrics.factor.exploratory import efa, efa_fit
from gfactor.psychometrics.factor.exploratory.extraction import extract
from gfactor.psychometrics.factor.suitability import _verdict, adequacy


def codes(found: Any) -> dict[str, Any]:
    return {d.code: d for d in found}


def solution(**parts: Any) -> Any:
    loadings = np.zeros((6, 2))
    loadings[:3, 0], loadings[3:, 1] = 0.3, -0.3
    return Made(**({
        "loadings": loadings, "correlations": np.eye(2), "converged": True, "agreeing": 0.5,
        "starts": 30, "optima": 4, "others": 3, "unfinished": 0, "moving": False,
        "bounded": np.zeros(6, bool), "gradient": 1e-3, "iterations": 9,
        "chi_square": 50.0, "df": 4, "p": 0.01, "rmsea": 0.09,
    } | parts))  # fmt: skip


NAMES = list("uvwxyz")


def test_a_clear_solution_has_nothing_said_against_it() -> None:
    good = solution(p=0.2)
    assert said.against(NAMES, good, good, good, None) == []
    assert said.against(NAMES, good, good, good, Made(factors=1)) == []  # type: ignore[arg-type]


def test_heywood_cases_are_named() -> None:
    one = codes(said._heywood(NAMES, solution(bounded=np.arange(6) == 1)))["heywood_case"]
    assert (one.where, one.severity) == (("v",), "error")
    assert "the uniqueness of v wants to be zero" in one.sentence
    two = codes(said._heywood(NAMES, solution(bounded=np.arange(6) < 2)))["heywood_case"]
    assert "the uniqueness of u, v want to be zero" in two.sentence


def test_searches_that_did_not_end_are_said() -> None:
    found = codes(said._unfinished(solution(converged=False), solution()))
    assert found["extraction_not_converged"].values == {"gradient": 1e-3}
    assert "gradient of 1.0e-03 after 9 iterations" in found["extraction_not_converged"].sentence
    stalled = said._unfinished(solution(), solution(converged=False))
    moving = said._unfinished(solution(), solution(converged=False, moving=True))
    assert [one.code for one in (*stalled, *moving)] == ["rotation_not_converged"] * 2
    assert stalled[0].remedy == "Use another rotation."
    assert "more iterations (--max-iterations;" in moving[0].remedy


def test_more_iterations_bring_a_rotation_to_rest() -> None:
    random = np.random.default_rng(3)
    scores = random.normal(size=(300, 3)).repeat(3, axis=1) + random.normal(size=(300, 9))
    few, more = (efa(pd.DataFrame(scores), 3, rotation="oblimin", starts=2, max_iterations=most)
                 for most in (5, 1000))  # fmt: skip
    assert "rotation_not_converged" in codes(few.diagnostics)
    assert not few.converged
    assert more.converged
    assert not [code for code in codes(more.diagnostics) if code.startswith("rotation")]


def test_less_than_half_of_the_starts_at_one_rotation_is_said() -> None:
    assert said._local(solution(agreeing=0.5)) == []
    assert said._local(solution(agreeing=0.03, others=0, converged=False, unfinished=29)) == []
    alone = said._local(solution(agreeing=1 / 30, others=0, unfinished=29))[0]
    assert alone.sentence.endswith("1 of 30 random starts reached the best rotation; 29 did not "
                                   "come to rest.")  # fmt: skip
    assert "--max-iterations" in alone.remedy
    found = codes(said._local(solution(agreeing=0.4, unfinished=2)))["rotation_local_optima"]
    assert found.sentence == (
        "Only 12 of 30 random starts reached the best rotation; 16 ended in 3 other ones and 2 did "
        "not come to rest."
    )
    assert found.values == {"agreeing": 0.4, "optima": 4, "unfinished": 2}


def test_a_factor_needs_three_salient_loadings_of_either_sign() -> None:
    weak = solution().loadings.copy()
    weak[5, 1] = -0.29
    found = said._poor_factors(NAMES, solution(loadings=weak))
    assert [d.where for d in found] == [("F2",)]
    assert "F2 has 2 loadings of at least 0.3 (x, y)." in found[0].sentence
    none = said._poor_factors(NAMES, solution(loadings=np.zeros((6, 2))))
    assert [d.sentence for d in none] == [
        "F1 has 0 loadings of at least 0.3.", "F2 has 0 loadings of at least 0.3.",
    ]  # fmt: skip


def test_factors_that_correlate_more_than_the_limit_are_alike() -> None:
    assert said._too_alike(solution(correlations=np.array([[1, 0.85], [0.85, 1]]))) == []
    found = said._too_alike(solution(correlations=np.array([[1, -0.86], [-0.86, 1]])))
    assert [d.where for d in found] == [("F1", "F2")]
    assert "F1 and F2 correlate -0.860." in found[0].sentence


def test_no_factor_and_too_few_factors() -> None:
    assert list(codes(said._number(Made(factors=0)))) == ["no_factor"]  # type: ignore[arg-type]
    assert list(codes(said._misfit(solution()))) == ["too_few_factors"]
    for fine in ({"p": 0.05}, {"rmsea": 0.08}, {"df": 0}):
        assert said._misfit(solution(**fine)) == []


def table(n: int = 100, k: int = 4) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    common = rng.normal(size=(n, 1))
    return pd.DataFrame(common + rng.normal(size=(n, k))).add_prefix("x")


def test_leaving_out_more_than_a_tenth_of_the_rows_is_a_warning() -> None:
    data = table()
    data.loc[:9, "x0"] = np.nan
    ten = codes(correlate(data).diagnostics)["incomplete_rows"]
    assert (ten.severity, ten.where) == ("note", ("x0",))
    assert ten.values == {"rows": 100, "used": 90}
    assert "10 of 100 rows have a missing cell" in ten.sentence
    assert 'analyze cfa --missing fiml` (gf.sem(..., missing="fiml"))' in ten.remedy
    all_rows = sem.fit('efa("all")*f1 =~ x0 + x1 + x2 + x3', data, missing="fiml")
    assert (all_rows.converged, all_rows.n) == (True, 100)
    data.loc[8:12, "x2"] = np.nan
    found = correlate(data)
    more = codes(found.diagnostics)["incomplete_rows"]
    assert (more.severity, more.where) == ("warning", ("x0", "x2"))
    assert (found.n, found.incomplete) == (87, 13)
    assert found.values == pytest.approx(data.dropna().corr().to_numpy())
    assert correlate(table()).diagnostics == ()


def test_constant_columns_are_left_out_and_named() -> None:
    one = codes(correlate(table().assign(same=1.0)).diagnostics)["constant_indicator"]
    assert one.sentence == "same does not vary over the 100 rows and is left out."
    two = correlate(table().assign(same=1.0, equal=2.0))
    assert two.dropped == ("same", "equal")
    assert "same, equal do not vary over the 100 rows and are left out." in {
        d.sentence for d in two.diagnostics
    }
    assert two.names == ("x0", "x1", "x2", "x3")


def test_five_persons_per_indicator_are_asked_for() -> None:
    assert "few_persons" not in codes(correlate(table(20)).diagnostics)
    found = codes(correlate(table(19)).diagnostics)["few_persons"]
    assert found.values == {"n": 19, "k": 4}
    assert "19 persons for 4 indicators are 4.8 per indicator" in found.sentence


def test_indicators_that_measure_one_thing_twice_are_named() -> None:
    r = pd.DataFrame(
        [[1, -0.981, 0.3], [-0.981, 1, -0.3], [0.3, -0.3, 1]], list("abc"), list("abc")
    )
    found = codes(given_correlations(r, 50).diagnostics)["doubled_indicator"]
    assert found.where == ("a", "b")
    assert found.values == {"correlation": -0.981}
    r.loc["a", "b"] = r.loc["b", "a"] = 0.98
    assert "doubled_indicator" not in codes(given_correlations(r, 50).diagnostics)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda r: r.iloc[:2], "must be square, not 2 x 3"),
        (lambda r: r.replace(0.2, np.nan), "values from -1 to 1"),
        (lambda r: r * 2, "values from -1 to 1"),
        (lambda r: r * 0.9, "diagonal of a correlation matrix must be 1"),
        (lambda r: r.assign(a=0.5), "symmetric"),
    ],
)
def test_what_is_no_correlation_matrix_is_refused(change: Any, words: str) -> None:
    r = pd.DataFrame([[1, 0.2, 0.3], [0.2, 1, 0.4], [0.3, 0.4, 1]], list("abc"), list("abc"))
    assert given_correlations(r, 3).n == 3
    with pytest.raises(ParameterError, match=words):
        given_correlations(change(r), 30)
    with pytest.raises(ParameterError, match="at least 3 persons"):
        given_correlations(r, 2)


def test_tables_without_two_varying_columns_are_refused() -> None:
    with pytest.raises(ParameterError, match="got 2 of 2 rows and 4 of 4 columns"):
        correlate(table(2))
    assert correlate(table(3)).n == 3
    with pytest.raises(ParameterError, match="100 of 100 rows and 1 of 2 columns"):
        correlate(table(k=1).assign(same=1.0))
    with pytest.raises(ParameterError, match="column 'x1' holds an infinite value"):
        correlate(table().replace({"x1": {table()["x1"].iloc[3]: np.inf}}))
    with pytest.raises(ParameterError, match="two columns are called 'a'"):
        correlate(table(k=2).set_axis(["a", "a"], axis=1))
    with pytest.raises(ParameterError, match="column 'w' does not hold numbers"):
        correlate(table().assign(w="a"))
    assert correlate(table().assign(w=table()["x0"] > 0)).names[-1] == "w"


@pytest.mark.parametrize(
    ("kmo", "word"),
    [
        (0.9, "marvelous"),
        (0.899, "meritorious"),
        (0.8, "meritorious"),
        (0.7, "middling"),
        (0.6, "mediocre"),
        (0.5, "miserable"),
        (0.499, "unacceptable"),
        (np.nan, ""),
    ],
)
def test_kaisers_words(kmo: float, word: str) -> None:
    assert _verdict(kmo) == word


def test_unrelated_indicators_are_not_to_be_factored() -> None:
    r = pd.DataFrame(np.eye(3), list("abc"), list("abc"))
    r.loc["a", "b"] = r.loc["b", "a"] = 0.2
    found = adequacy(r, 60)
    # det = 1 - .04; Bartlett: -(n - 1 - (2 k + 5) / 6) log det = 57.1667 * 0.0408.
    assert found.chi_square == pytest.approx(-np.log(0.96) * (59 - 11 / 6))
    assert found.df == 3
    kept = codes(found.diagnostics)["sphericity_kept"]
    assert kept.values["p"] == found.p > 0.05
    more = adequacy(r, 300)
    assert more.p < 0.05
    assert "sphericity_kept" not in codes(more.diagnostics)
    assert found.kmo == pytest.approx(0.5)
    assert np.isnan(found.indicators.loc["c", "kmo"])
    assert found.indicators.loc["c", "verdict"] == ""
    low = pd.DataFrame([[1, 0.5, 0.5], [0.5, 1, -0.3], [0.5, -0.3, 1]], list("abc"), list("abc"))
    at = codes(adequacy(low, 200).diagnostics)
    assert at["kmo_unacceptable"].values == {"kmo": adequacy(low, 200).kmo}
    assert at["indicator_kmo_low"].where == ("a", "b", "c")


@pytest.mark.parametrize(
    ("parts", "is_said"),
    [({}, True), ({"df": 1}, True), ({"df": 0}, False), ({"p": 0.05}, False), ({"p": 0.049}, True),
     ({"rmsea": 0.08}, False), ({"rmsea": 0.081}, True)],
)  # fmt: skip
def test_another_factor_is_asked_for_where_misfit_is_significant_and_large(
    parts: dict[str, float], is_said: bool
) -> None:
    assert [d.code for d in said._misfit(solution(**parts))] == ["too_few_factors"] * is_said


def test_the_search_of_principal_axes_ends_after_2000_steps() -> None:
    r = np.full((4, 4), 0.5) + 0.5 * np.eye(4)
    never = extract(r, 1, "pa", tolerance=-1.0)
    assert (never.iterations, never.converged) == (2000, False)
    assert extract(r, 1, "pa", tolerance=-1.0, iterations=3).iterations == 3
    assert extract(r, 1, "pa").converged


def test_a_model_without_degrees_of_freedom_has_residuals_but_no_test() -> None:
    r = np.array([[1, 0.4, 0.5], [0.4, 1, 0.5], [0.5, 0.5, 1]])
    loadings = extract(r, 1).loadings
    fit = efa_fit(r, loadings @ loadings.T, 200, 1)
    assert fit.df == 0
    assert np.isnan([fit.p, fit.rmsea, fit.rmsea_low, fit.rmsea_high, fit.tli, fit.bic]).all()
    assert np.isnan(fit.crmsr)
    assert fit.rmsr == pytest.approx(0, abs=1e-8)
    assert fit.null_df == 3
