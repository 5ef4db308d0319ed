"""What a fit says of itself: misfit in sentences with the sample size's part, indices in full."""

from __future__ import annotations

import math
import re

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from support import lavaan_recorded as recorded

from gfactor.errors import ParameterError
from gfactor.numbers_in_text import fixed, p_value, share
from gfactor.psychometrics import Diagnostic, sem
from gfactor.psychometrics.sem.exactfit import exact_fit
from gfactor.psychometrics.sem.measures.approximation import _point, power_of_exact_fit
from gfactor.psychometrics.sem.results import text

POPULATION = """
f =~ 0.8*x1 + 0.8*x2 + 0.7*x3
g =~ 0.8*y1 + 0.7*y2 + 0.7*y3
h =~ 0.8*z1 + 0.7*z2 + 0.7*z3
f ~~ 0.4*g
f ~~ 0.4*h
g ~~ 0.3*h
"""
MODEL = "f =~ x1 + x2 + x3\ng =~ y1 + y2 + y3\nh =~ z1 + z2 + z3"
LOCAL = POPULATION + "x1 ~~ 0.30*z3\n"
"""The model leaves out one covariance of residuals."""
ORDINAL = {name: (-0.5, 0.6) for name in ("x1", "x2", "x3", "y1", "y2", "y3", "z1", "z2", "z3")}


def codes(fit: sem.Fit) -> dict[str, Diagnostic]:
    return {one.code: one for one in fit.diagnostics}


def test_misfit_is_a_warning_that_names_indices_and_the_parameter_left_out() -> None:
    fit = sem.fit(MODEL, sem.simulate_data(LOCAL, 400, seed=2))
    found = codes(fit)
    assert set(found) == {"exact_fit_rejected", "poor_approximate_fit", "local_misfit"}
    assert {one.severity for one in found.values()} == {"warning"}
    assert "chi-square(24)" in found["exact_fit_rejected"].sentence
    assert found["local_misfit"].where[0] == "x1 ~~ z3"
    residual = fit.residuals("cor").loc["z3", "x1"]
    assert f"x1 ~~ z3 {residual:+.2f}" in found["local_misfit"].sentence
    poor = found["poor_approximate_fit"]
    limits = {"cfi": 0.95, "tli": 0.95, "rmsea": 0.06, "srmr": 0.08}
    measures = {name: float(fit.measures[name] or 0) for name in limits}
    beyond = {n for n, v in measures.items() if (v > limits[n]) == (n in {"rmsea", "srmr"})}
    assert set(poor.where) == beyond
    assert all(poor.values[name] == measures[name] for name in beyond)


def test_the_sample_sizes_part_is_power_and_critical_n() -> None:
    fit = sem.fit(MODEL, sem.simulate_data(LOCAL, 400, seed=2))
    values = codes(fit)["exact_fit_rejected"].values
    limit = stats.chi2.isf(0.05, 24)
    for size, name in ((0.05, "power_rmsea_05"), (0.08, "power_rmsea_08")):
        assert values[name] == pytest.approx(stats.ncx2.sf(limit, 24, 400 * 24 * size**2))
    assert values["critical_n"] == pytest.approx(fit.measures["cn_05"])
    again = sem.fit(MODEL, sem.simulate_data(LOCAL, 4000, seed=2))
    assert codes(again)["exact_fit_rejected"].values["power_rmsea_05"] > 0.999


def test_power_with_groups_is_that_of_rmsea_as_lavaan_defines_it_over_groups() -> None:
    limit = stats.chi2.isf(0.05, 48)
    expected = stats.ncx2.sf(limit, 48, 600 * 48 * 0.08**2 / 2)
    assert power_of_exact_fit(0.08, 48, 600, 2, 0.05) == pytest.approx(expected)


def test_a_trifle_in_a_large_sample_is_a_note() -> None:
    trifle = POPULATION + "x1 ~~ 0.03*z3\n"
    fit = sem.fit(MODEL, sem.simulate_data(trifle, 20_000, seed=1))
    found = codes(fit)
    assert set(found) == {"exact_fit_rejected", "local_misfit"}
    assert {one.severity for one in found.values()} == {"note"}
    assert "within the usual limits" in found["exact_fit_rejected"].remedy


def test_a_right_model_of_many_cases_says_nothing() -> None:
    assert not sem.fit(MODEL, sem.simulate_data(POPULATION, 400, seed=3)).diagnostics


def test_a_test_without_power_is_not_read_as_fit() -> None:
    fit = sem.fit("f =~ x1 + x2 + x3 + y1", sem.simulate_data(
        "f =~ 0.8*x1 + 0.8*x2 + 0.7*x3 + 0.6*y1", 60, seed=4))  # fmt: skip
    note = codes(fit)["fit_hardly_tested"]
    assert note.severity == "note"
    assert note.values["power_rmsea_08"] < 0.2
    assert "collect more cases" in note.remedy


@pytest.mark.parametrize("estimator", ["ML", "MLR", "GLS", "ULSMV"])
def test_misfit_is_said_of_every_estimator(estimator: str) -> None:
    fit = sem.fit(MODEL, sem.simulate_data(LOCAL, 400, seed=2), estimator=estimator)
    assert {"exact_fit_rejected", "local_misfit"} <= set(codes(fit))


def test_misfit_of_ordinal_indicators_is_said_too() -> None:
    data = sem.simulate_data(LOCAL, 800, seed=2, ordinal=ORDINAL)
    found = codes(sem.fit(MODEL, data, ordered="*"))
    assert found["local_misfit"].where[0] == "x1 ~~ z3"
    assert "(scaled)" in found["exact_fit_rejected"].sentence


def test_a_just_identified_model_has_no_fit_to_speak_of() -> None:
    fit = sem.fit("f =~ x1 + x2 + x3", sem.simulate_data(LOCAL, 400, seed=2))
    assert set(codes(fit)) == {"saturated"}


@pytest.mark.thorough
def test_repr_has_at_most_ten_lines_and_the_fit() -> None:
    data = sem.simulate_data(LOCAL, 400, seed=2)
    for fit in (
        sem.fit(MODEL, data),
        sem.fit(MODEL, data, estimator="MLR", missing="fiml"),
        sem.fit(MODEL, data.assign(half=np.arange(400) % 2), group="half"),
        sem.fit(MODEL, sem.simulate_data(LOCAL, 400, seed=2, ordinal=ORDINAL), ordered="*"),
    ):
        text = repr(fit)
        assert len(text.splitlines()) <= 10
        assert len(text) < 1200
        assert "3 latent variables" in text
        assert re.search(r"CFI = \.\d{3}, TLI = \.\d{3}, RMSEA = \.\d{3}", text)
        assert "3 warnings" in text


def test_the_summary_has_likelihood_criteria_baseline_close_fit_and_r2() -> None:
    fit = sem.fit(MODEL, sem.simulate_data(LOCAL, 400, seed=2))
    text, m = fit.summary(), {k: float(v or 0) for k, v in fit.measures.items()}
    for name in ("logl", "unrestricted.logl", "aic", "bic", "bic2", "baseline.chisq"):
        assert f"{m[name]:.2f}" in text
    assert "chi-square(36)" in text
    assert f"{m['cfi']:.3f}".lstrip("0") in text
    assert "close-fit p < .001" in text
    assert text.rstrip().splitlines()[-9].split() == ["x1", f"{fit.r2()['x1']:.3f}"]
    wls = sem.fit(MODEL, sem.simulate_data(LOCAL, 400, seed=2), estimator="GLS")
    assert "Log-likelihood" not in wls.summary()


def test_a_table_without_columns_is_said_to_have_none() -> None:
    with pytest.raises(ParameterError, match=r"of the data, which have no columns\."):
        sem.fit("f =~ a + b + c", pd.DataFrame())


@pytest.mark.thorough
def test_strict_invariance_does_not_hold_where_scalar_does_not() -> None:
    """Intercepts of two indicators differ, residual variances do not."""
    first = sem.simulate_data(POPULATION, 500, seed=5)
    other = sem.simulate_data(POPULATION, 500, seed=6)
    other["x1"] += 0.8
    other["y2"] -= 0.8
    data = pd.concat([first.assign(who="a"), other.assign(who="b")], ignore_index=True)
    found = sem.invariance(MODEL, data, "who")
    holds = dict(zip(found.table["level"], found.table["holds"], strict=True))
    assert holds == {"configural": True, "metric": True, "scalar": False, "strict": False}
    assert float(found.table["d_pvalue"].iloc[-1]) > 0.05  # it would, were scalar not rejected
    assert "strict: not tested on its own merits, because scalar does not hold" in found.summary()


# lavaan 0.6-14: lavTest(fit, test = ...) of cfa(MODEL, ...); 2026-11-22.
BROWNE = [
    ("ml", "nt", 20.3777437, 24),
    ("ml", "nt.model", 19.9800703, 24),
    ("ml", "adf", 23.6391391, 24),
    ("ml", "adf.model", 22.0129888, 24),
    ("means", "nt", 20.3777437, 24),
    ("means", "nt.model", 19.9800703, 24),
    ("means", "adf", 23.6391391, 24),
    ("means", "adf.model", 22.0129888, 24),
    ("gls", "nt", 20.2611552, 24),
    ("gls", "nt.model", 21.931489, 24),
    ("gls", "adf", 23.800622, 24),
    ("gls", "adf.model", 22.1577466, 24),
    ("groups", "nt", 59.5338382, 60),
    ("groups", "nt.model", 58.5073539, 60),
    ("groups", "adf", 74.4621399, 60),
    ("groups", "adf.model", 60.0556116, 60),
]


@pytest.fixture(scope="module")
def fits() -> dict[str, sem.Fit]:
    data = recorded.sample("three_factors")
    model = "f1 =~ x1 + x2 + x3\nf2 =~ x4 + x5 + x6\nf3 =~ x7 + x8 + x9"
    equal = ("loadings", "intercepts")
    return {
        "ml": sem.fit(model, data),
        "means": sem.fit(model, data, meanstructure=True),
        "gls": sem.fit(model, data, estimator="GLS"),
        "groups": sem.fit(model, data, group="school", group_equal=equal),
    }


@pytest.mark.parametrize(("name", "test", "chisq", "df"), BROWNE)
def test_brownes_residual_tests_are_lavaans(
    name: str, test: str, chisq: float, df: int, fits: dict[str, sem.Fit]
) -> None:
    found = exact_fit(fits[name].estimated, f"browne.residual.{test}")
    assert (found.chisq, found.df) == (pytest.approx(chisq, rel=2e-6), df)
    assert found.pvalue == pytest.approx(stats.chi2.sf(chisq, df), rel=1e-4)
    assert found.scaled is None


def test_rmsea_is_zero_without_degrees_of_freedom_and_by_hand_with_them() -> None:
    assert _point(5.0, 0, 100, 1) == 0
    assert _point(-5.0, 4, 100, 1) == 0
    assert _point(8.0, 4, 100, 1) == pytest.approx(math.sqrt(8 / 400))
    assert _point(8.0, 4, 100, 2) == pytest.approx(math.sqrt(2 * 8 / 400))
    assert math.isnan(_point(math.inf, 4, 100, 1))


ONE = "f =~ x1 + x2 + x3 + x4"


def two_groups(n: int = 120, seed: int = 1) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    f = rng.normal(size=(n, 1))
    x = f @ np.array([[0.9, 0.8, 0.7, 0.6]]) + 0.6 * rng.normal(size=(n, 4)) + [1, 2, 3, 4]
    return pd.DataFrame(x, columns=["x1", "x2", "x3", "x4"]).assign(g=["a", "b"] * (n // 2))


def test_a_model_without_degrees_of_freedom_has_no_exact_fit_to_tell() -> None:
    facts = sem.fit("f =~ x1 + x2 + x3", two_groups()).facts
    assert str(facts["exact_fit"]).startswith("df = 0: fit cannot be tested")
    assert facts["fit_indices"] == "-"
    tested = sem.fit(ONE, two_groups()).facts
    assert "-" not in (tested["exact_fit"], tested["fit_indices"])


def test_groups_of_matrices_are_numbered_and_counted_in_the_text() -> None:
    data = recorded.sample("three_factors").drop(columns="school").iloc[:, :3]
    halves = [data.iloc[:160], data.iloc[160:]]
    fit = sem.fit(
        "f =~ x1 + x2 + x3", sample_cov=[one.cov() for one in halves], n=[160, 160],
        group_equal=("loadings",),
    )  # fmt: skip
    assert fit.sample.labels == ("Group 1", "Group 2")
    assert "n = 160 + 160 in 2 groups," in fit.summary()
    alone = sem.fit("f =~ x1 + x2 + x3", data)
    assert "n = 320, 6 parameters" in alone.summary()


@pytest.mark.parametrize(("value", "shown"), [(0.0009, "< .001"), (0.001, ".001"), (0.5, ".500")])
def test_p_values_below_a_thousandth_are_not_spelt_out(value: float, shown: str) -> None:
    assert p_value(value) == shown
    assert p_value(float("nan")) == "-"
    assert (fixed(-0.001), fixed(None), share(-0.25, 2), share(1.5)) == (
        "0.00",
        "-",
        "-.25",
        "1.500",
    )


def test_numbers_are_written_as_apa_does() -> None:
    assert [fixed(v) for v in (1.005, -0.001, None, np.nan, 3)] == ["1.00", "0.00", "-", "-",
                                                                        "3.00"]  # fmt: skip
    assert [share(v) for v in (0.0456, -0.5, 1.2, 10.04)] == [".046", "-.500", "1.200",
                                                                   "10.040"]  # fmt: skip
    assert [p_value(v) for v in (0.0009, 0.001, 0.0456, None)] == ["< .001", ".001", ".046",
                                                                        "-"]  # fmt: skip
    assert p_value(0.2, "= ") == "= .200"


def test_lines_of_fit_name_the_variant_that_they_give() -> None:
    known: dict[str, float | None] = {
        "chisq": 30.0, "df": 20.0, "pvalue": 0.0699, "cfi": 0.952, "tli": 0.9, "rmsea": 0.051,
        "rmsea.ci.lower": 0.0, "rmsea.ci.upper": 0.09, "rmsea.pvalue": 0.4, "srmr": 0.03,
    }  # fmt: skip
    (line,) = text.fit_lines(known)
    assert line == (
        "chi-square(20) = 30.00, p = .070; CFI = .952, TLI = .900, RMSEA = .051, 90% CI "
        "[.000, .090], close-fit p = .400, SRMR = .030"
    )
    scaled = known | {"chisq.scaled": 25.0, "df.scaled": 20.0, "pvalue.scaled": 0.2,
                      "baseline.chisq.scaled": 200.0, "baseline.df.scaled": 28.0,
                      "baseline.pvalue.scaled": 0.0, "logl": -100.0, "unrestricted.logl": -85.0,
                      "aic": 232.0, "bic": 250.0, "bic2": 240.0}  # fmt: skip
    lines = text.fit_lines(scaled)
    assert lines[0].startswith("chi-square(20) = 25.00 (scaled), p = .200;")
    assert lines[1] == "Baseline model: chi-square(28) = 200.00 (scaled), p < .001"
    assert lines[2] == (
        "Log-likelihood -100.00 (unrestricted model -85.00), AIC 232.00, BIC 250.00, sample-size "
        "adjusted BIC 240.00"
    )
    drawn = text.exact_fit_text(known | {"pvalue.bollen.stine": 0.5})
    assert drawn == "chi-square(20) = 30.00, p = .500 (Bollen-Stine)"
