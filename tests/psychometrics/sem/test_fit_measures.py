"""Noncentralities, the power of tests of fit, and which variant of an index is reported."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import special, stats

from gfactor.psychometrics.sem import fit
from gfactor.psychometrics.sem.exactfit import tail
from gfactor.psychometrics.sem.measures import approximation
from gfactor.psychometrics.sem.measures.approximation import _cdf, noncentrality, power_of_exact_fit
from gfactor.psychometrics.sem.measures.selection import reported


def test_noncentralities_are_exact_where_scipys_inverse_is_rough(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Releases of scipy differ in the digits of their inverse; a Newton step makes them alike."""
    exact = special.chndtrinc
    monkeypatch.setattr(approximation, "chndtrinc", lambda *given: exact(*given) * (1 + 1e-5))
    for chisq, df, p in ((30.0, 4, 0.05), (30.0, 4, 0.95), (400.0, 100, 0.05), (90.0, 24, 0.95)):
        value = approximation.noncentrality(chisq, df, p)
        assert value == pytest.approx(exact(chisq, df, p), rel=1e-8)


def test_the_noncentrality_is_that_of_scipys_distribution() -> None:
    for chisq, df, p in ((40.0, 20, 0.05), (40.0, 20, 0.95), (300.0, 8, 0.5)):
        found = noncentrality(chisq, df, p)
        assert stats.ncx2.cdf(chisq, df, found) == pytest.approx(p, abs=1e-10)
    assert noncentrality(10.0, 20, 0.5) == 0.0
    assert noncentrality(1.0, 4, 0.95) == 0.0
    assert noncentrality(2e9, 20, 0.5) == 2e9
    assert np.isnan(noncentrality(np.inf, 20, 0.5))
    assert np.isnan(noncentrality(10.0, 0, 0.5))


def test_chi_square_is_noncentral_only_with_a_positive_noncentrality() -> None:
    assert _cdf(0.0, 3, 1.0) == _cdf(-0.5, 3, 1.0) == _cdf(-1.0, 3, 0.0) == 0.0
    assert _cdf(2.0, 3, 0.0) == pytest.approx(stats.chi2.cdf(2, 3))
    for nc in (0.5, 1.5):
        assert _cdf(2.0, 3, nc) == pytest.approx(stats.ncx2.cdf(2, 3, nc))


def test_the_power_of_exact_fit_is_that_of_the_noncentral_distribution() -> None:
    for groups in (1, 2):
        found = power_of_exact_fit(0.06, 24, 300, groups, 0.05)
        critical = stats.chi2.isf(0.05, 24)
        nc = 300 * 24 * 0.06**2 / groups
        assert found == pytest.approx(stats.ncx2.sf(critical, 24, nc), abs=1e-10)
    assert power_of_exact_fit(0.0, 24, 300, 1, 0.05) == pytest.approx(0.05)
    assert power_of_exact_fit(0.0, 1, 300, 1, 0.05) == pytest.approx(0.05)
    assert np.isnan(power_of_exact_fit(0.05, 0, 300, 1, 0.05))


def test_a_report_gives_robust_indices_before_scaled_and_scaled_before_plain() -> None:
    known: dict[str, float | None] = {
        "chisq": 30.0, "df": 20.0, "pvalue": 0.07, "cfi": 0.9, "rmsea": 0.05,
        "rmsea.ci.lower": 0.01, "rmsea.ci.upper": 0.09, "rmsea.pvalue": 0.4, "srmr": 0.03,
    }  # fmt: skip
    plain = reported(known)
    assert (plain.test, plain.indices, plain.chisq, plain.cfi) == ("", "", 30.0, 0.9)
    assert (plain.rmsea_low, plain.rmsea_high, plain.close_pvalue) == (0.01, 0.09, 0.4)
    assert plain.level == 0.9
    assert plain.testable
    scaled = reported(
        known | {"chisq.scaled": 25.0, "df.scaled": 19.0, "pvalue.scaled": 0.2,
                 "rmsea.scaled": 0.04, "cfi.scaled": 0.93}
    )  # fmt: skip
    assert (scaled.test, scaled.indices) == ("scaled", "scaled")
    assert (scaled.chisq, scaled.df, scaled.pvalue, scaled.cfi) == (25.0, 19.0, 0.2, 0.93)
    robust = reported(known | {"rmsea.scaled": 0.04, "rmsea.robust": 0.03, "cfi.robust": 0.95})
    assert (robust.test, robust.indices, robust.rmsea, robust.cfi) == ("", "robust", 0.03, 0.95)
    drawn = reported(known | {"pvalue.bollen.stine": 0.5, "rmsea.ci.level": 0.8})
    assert (drawn.test, drawn.pvalue, drawn.level) == ("bootstrap", 0.5, 0.8)
    # Hoelter: the n at which chi-square (n - 1) / n reaches its critical value.
    assert plain.critical_n(200) == pytest.approx(stats.chi2.isf(0.05, 20) / (30 / 200) + 1)
    assert plain.critical_n(200, 0.01) == pytest.approx(stats.chi2.isf(0.01, 20) / 0.15 + 1)
    assert reported(known | {"chisq": 0.0}).critical_n(200) == np.inf
    for lack in ({"df": 0.0}, {"chisq": None}, {"pvalue": None}):
        assert not reported(known | lack).testable


def test_a_chi_square_below_zero_by_rounding_has_a_p_of_one() -> None:
    assert tail(-1e-14, 3) == tail(0.0, 3) == 1.0
    assert tail(7.814727903251179, 3) == pytest.approx(0.05)
    assert np.isnan(tail(1.0, 0))


def test_residual_fit_of_uncorrelated_indicators_divides_by_no_covariance() -> None:
    """Two of the covariances are exactly 0; pytest makes warnings errors."""
    signs = np.array([[1, 1, 1], [1, -1, 1], [-1, 1, -1], [-1, -1, -1]], float)
    data = pd.DataFrame(
        np.vstack([signs, signs + [[0, 0, 1], [0, 0, -1]] * 2]), columns=list("abc")
    )
    assert np.cov(data["a"], data["b"])[0, 1] == 0
    measures: Any = fit("g =~ a; g ~~ 1*g; a ~~ 0.1*a; b ~~ b; c ~~ c", data).measures
    assert np.isfinite(measures["srmr_mplus"])
