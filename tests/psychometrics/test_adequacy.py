"""KMO and Bartlett agree with psych, and a matrix that cannot be factored says so."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.cli import run_cli
from support.factor_samples import three_correlated_factors
from support.oracles import ORACLES

from gfactor.errors import ParameterError
from gfactor.psychometrics.factor.correlations import _singular
from gfactor.psychometrics.factor.suitability import adequacy

# psych 2.2.9 on R 4.2.2, 2026-11-21: KMO(cor(d)), cortest.bartlett(cor(d), 240), with d the sample
# of `three_correlated_factors`.
KMO = 0.81633596147111
KMO_ITEMS = [0.810354481125, 0.766686618228, 0.886372151063, 0.808691794334, 0.859639575177]
KMO_ITEMS += [0.763508648227, 0.778788154638, 0.822916107061, 0.859245430482]
BARTLETT = (598.34613106614, 36, 4.3223233552715e-103)


def test_kmo_and_bartlett_as_recorded_from_psych() -> None:
    found = adequacy(three_correlated_factors())
    assert found.kmo == pytest.approx(KMO, rel=1e-12)
    assert found.indicators["kmo"].tolist() == pytest.approx(KMO_ITEMS, rel=1e-10)
    assert (found.chi_square, found.df) == (pytest.approx(BARTLETT[0], rel=1e-12), BARTLETT[1])
    assert found.p == pytest.approx(BARTLETT[2], rel=1e-9)
    assert (found.verdict, found.diagnostics) == ("meritorious", ())


def test_a_p_that_no_float_holds_is_below_a_thousandth() -> None:
    x = three_correlated_factors()
    assert "p < .001;" in adequacy(x).summary()
    many = adequacy(pd.concat([x] * 40, ignore_index=True))
    assert float(np.log10(np.e)) * many.log_p < -320  # No float holds this p.
    assert "p < .001;" in many.summary()


@pytest.mark.parametrize(("holes", "severity"), [(12, "note"), (48, "warning")])
def test_rows_left_out_are_a_warning_from_a_tenth_on(holes: int, severity: str) -> None:
    """Of 240 rows, 5 and 20 %."""
    x = three_correlated_factors()
    x.iloc[:holes, 2] = np.nan
    (found,) = (d for d in adequacy(x).diagnostics if d.code == "incomplete_rows")
    assert found.severity == severity
    assert found.where == (x.columns[2],)
    assert found.values == {"rows": 240, "used": 240 - holes}


@pytest.mark.thorough
@pytest.mark.parametrize("language", ["En", "Zh", "Fr", "Sp", "Pt", "Ko"])
def test_human_samples_of_m3gia(language: str) -> None:
    folder = ORACLES / "m3gia"
    oracle = json.loads((folder / "kmo_bartlett_reliability.json").read_text())[language]
    scores = pd.read_csv(folder / f"human_z_{language}.csv")
    found = adequacy(scores.filter(list(oracle["kmo_items"])))
    assert found.kmo == pytest.approx(oracle["kmo"], rel=1e-12)
    assert found.indicators["kmo"].to_dict() == pytest.approx(oracle["kmo_items"], rel=1e-10)
    assert found.chi_square == pytest.approx(oracle["bartlett_chisq"], rel=1e-11)
    assert found.p == pytest.approx(oracle["bartlett_p"], rel=1e-9)


def test_anti_image_of_three_equal_correlations() -> None:
    # r = 1/2 everywhere: the inverse has 3/2 on and -1/2 off the diagonal, so that partial
    # correlations are 1/3 and KMO = (6/4) / (6/4 + 6/9) = 9/13.
    r = pd.DataFrame(np.full((3, 3), 0.5) + np.eye(3) / 2, list("abc"), list("abc"))
    found = adequacy(r, n=100)
    assert found.kmo == pytest.approx(9 / 13)
    assert found.anti_image.loc["a", "b"] == pytest.approx(-1 / 3)
    assert found.anti_image.loc["a", "a"] == pytest.approx(9 / 13)
    assert found.anti_image_covariance.loc["a", "b"] == pytest.approx(-0.5 / 1.5**2)
    assert found.indicators.loc["a", "smc"] == pytest.approx(1 / 3)
    assert found.determinant == pytest.approx(0.5)


@pytest.mark.thorough
@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10_000))
def test_kmo_does_not_depend_on_units_or_order(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = pd.DataFrame(rng.normal(size=(40, 1)) + rng.normal(size=(40, 5)), columns=list("abcde"))
    order = rng.permutation(5)
    other = (x * rng.uniform(0.1, 9, 5) + rng.normal(size=5)).iloc[:, order]
    assert adequacy(other).kmo == pytest.approx(adequacy(x).kmo, rel=1e-9)


def test_a_total_beside_its_parts_is_named() -> None:
    x = three_correlated_factors()
    found = adequacy(x.assign(total=x["v1"] + x["v2"]))
    assert np.isnan(found.kmo)
    first = found.diagnostics[0]
    assert (first.code, first.severity) == ("singular_correlations", "error")
    assert set(first.where) == {"v1", "v2", "total"}
    assert found.to_dict()["kmo"] is None
    sentence = "serious: The correlation matrix has no inverse: in these 240 rows each of v1, v2"
    assert found.summary().startswith(sentence)


def test_fewer_persons_than_indicators_are_told() -> None:
    found = adequacy(three_correlated_factors(8))
    assert "8 rows (examinees) are not more than the indicators" in found.diagnostics[0].sentence


def test_constant_and_missing_cells_are_told() -> None:
    x = three_correlated_factors().assign(same=1.0)
    x.loc[:2, "v1"] = np.nan
    found = adequacy(x)
    codes = {d.code for d in found.diagnostics}
    assert {"constant_indicator", "incomplete_rows"} <= codes
    assert (found.n, found.k) == (237, 9)


def test_noise_has_no_common_factor() -> None:
    x = pd.DataFrame(np.random.default_rng(3).normal(size=(60, 6)), columns=list("abcdef"))
    codes = [d.code for d in adequacy(x).diagnostics]
    assert "sphericity_kept" in codes


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        (pd.DataFrame({"a": ["x", "y", 1], "b": [1, 2, 3]}), "'a' does not hold numbers"),
        (pd.DataFrame({"a": [1, 1, 1], "b": [1, 2, 3]}), "1 of 2 columns"),
        (pd.DataFrame({"a": [1.0, np.inf, 1], "b": [1, 2, 3]}), "infinite"),
        (pd.DataFrame([[1, 2], [3, 4], [4, 4]], columns=["a", "a"]), "two columns are called 'a'"),
    ],
)
def test_what_is_no_table_of_scores_is_refused(frame: pd.DataFrame, said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        adequacy(frame)


def test_the_command_prints_and_gives_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "scores.csv"
    three_correlated_factors().to_csv(path, index=False)
    ran = run_cli(monkeypatch, capsys, "analyze", "adequacy", str(path), "--anti-image")
    assert ran.code == 0
    assert ran.out.startswith("KMO 0.816 (meritorious)")
    assert "anti-image" in ran.out
    ran = run_cli(monkeypatch, capsys, "analyze", "adequacy", str(path), "--json")
    assert json.loads(ran.out)["kmo"] == pytest.approx(KMO)
    ran = run_cli(monkeypatch, capsys, "analyze", "adequacy", str(tmp_path / "none.csv"))
    assert ran.code == 2
    assert "there is no such file" in ran.err


def test_a_singular_matrix_needs_more_persons_than_indicators() -> None:
    rng = np.random.default_rng(10)
    few = pd.DataFrame(rng.normal(size=(5, 6)), columns=list("abcdef"))
    said = _singular(np.ones(6), list(few), 5)
    sentence = "The correlation matrix of 6 indicators has no inverse: 5 rows (examinees)"
    assert said.sentence.startswith(sentence)
    assert said.remedy == "Add examinees, to 7 or more, or leave out indicators."
