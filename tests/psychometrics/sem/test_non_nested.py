"""Vuong's tests of structural equation models, against densities and slopes of single cases."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats
from support import lavaan_recorded as recorded

import gfactor as gf
from gfactor.errors import ParameterError
from gfactor.psychometrics import sem
from gfactor.psychometrics.nonnested import weighted_chi_square_tail

DATA = recorded.sample("three_factors").iloc[:150]
FACTORS = "f1 =~ x1 + x2 + x3\nf2 =~ x4 + x5 + x6"
FIRST = FACTORS + "\nx1 ~~ x4"
SECOND = "g =~ x1 + x2 + x3 + x4 + x5 + x6\nx1 ~~ x2"


def fitted(text: str, **changes: Any) -> sem.Fit:
    return sem.fit(text, DATA, **{"meanstructure": True, **changes})


def densities(fit: sem.Fit, theta: np.ndarray) -> np.ndarray:
    here = fit.problem.discrepancy.at(theta).groups[0]
    rows = DATA[list(fit.sample.variables)].to_numpy()
    normal: Any = stats.multivariate_normal
    return normal(here.mu, here.sigma).logpdf(rows)


def slopes(fit: sem.Fit) -> np.ndarray:
    steps = 1e-5 * np.eye(len(fit.theta))
    return np.column_stack([
        (densities(fit, fit.theta + s) - densities(fit, fit.theta - s)) / 2e-5 for s in steps
    ])  # fmt: skip


@pytest.mark.thorough
def test_the_tests_are_those_of_densities_and_their_differences() -> None:
    fits = [fitted(FIRST), fitted(SECOND)]
    found = gf.compare_fits(fits[0], fits[1], nested=False)
    gain = densities(fits[0], fits[0].theta) - densities(fits[1], fits[1].theta)
    assert found.variance == pytest.approx(gain.var())
    assert found.z == pytest.approx(np.sqrt(len(gain)) * gain.mean() / gain.std())
    assert found.z_pvalue == pytest.approx(2 * stats.norm.sf(abs(found.z)))
    assert list(found.criteria["logl"]) == pytest.approx(
        [densities(fit, fit.theta).sum() for fit in fits]
    )
    scores = [slopes(fit) for fit in fits]
    inverses = [np.linalg.inv(fit.estimated.hessian) / len(gain) for fit in fits]
    cross = [[a.T @ b for b in scores] for a in scores]
    matrix = np.block([
        [cross[0][0] @ inverses[0], -cross[0][1] @ inverses[1]],
        [cross[1][0] @ inverses[0], -cross[1][1] @ inverses[1]],
    ])  # fmt: skip
    weights = np.asarray(np.linalg.eigvals(matrix).real ** 2, float)
    expected = weighted_chi_square_tail(weights, len(gain) * gain.var())
    assert found.variance_pvalue == pytest.approx(expected, rel=1e-4, abs=1e-9)
    assert gf.compare_fits(fits[1], fits[0], nested=False).z == pytest.approx(-found.z)
    assert "Vuong's z" in found.summary()


def test_gaps_count_by_what_a_case_shows_and_equal_models_are_not_told_apart() -> None:
    data = recorded.sample("with_gaps")
    fits = [sem.fit(text, data, missing="ml") for text in (FIRST, FACTORS + "\nx4 ~~ x1")]
    found = sem.compare_non_nested(*fits)
    assert (found.z, found.variance_pvalue) == (0.0, 1.0)
    assert found.criteria["logl"].iloc[0] == pytest.approx(fits[0].measures["logl"])
    other = sem.fit(SECOND, data, missing="ml")
    gain = sem.compare_non_nested(fits[0], other)
    assert gain.z > 0
    assert gain.variance_pvalue < 0.001


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"meanstructure": False}, "a model without a mean structure"),
        ({"estimator": "ULS"}, "estimator ULS"),
    ],
)
def test_what_has_no_log_likelihood_of_cases_is_refused(
    changes: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ParameterError, match=sentence):
        sem.compare_non_nested(fitted(FIRST), fitted(SECOND, **changes))


def test_other_cases_or_variables_are_refused() -> None:
    with pytest.raises(ParameterError, match="the same cases and variables"):
        sem.compare_non_nested(fitted(FIRST), fitted(SECOND.replace(" + x6", "")))
    fewer = sem.fit(SECOND, DATA.head(100), meanstructure=True)
    with pytest.raises(ParameterError, match="the same cases and variables"):
        sem.compare_non_nested(fitted(FIRST), fewer)


def test_any_number_of_fits_stand_in_one_table_each_tested_against_the_next_larger_one() -> None:
    equal = FACTORS.replace("x2 + x3", "a*x2 + a*x3")
    fits = [fitted(text, estimator="MLR") for text in (equal, FIRST, FACTORS)]
    found = gf.compare_fits(*fits)
    table = found.fits
    assert list(table["model"]) == [2, 3, 1]
    assert list(table["df"]) == sorted(table["df"])
    assert np.isnan(table["d_chisq"].iloc[0])
    for row, pair in ((1, (fits[2], fits[1])), (2, (fits[0], fits[2]))):
        alone = sem.compare_fits(*pair)
        assert table["d_chisq"].iloc[row] == pytest.approx(alone.chisq)
        assert table["d_df"].iloc[row] == alone.df
        assert table["d_pvalue"].iloc[row] == pytest.approx(alone.pvalue)
    assert table["cfi"].iloc[2] == pytest.approx(fits[0].measures["cfi.robust"])
    assert "3 models of one sample" in found.summary()


def test_item_response_models_stand_in_one_table_too() -> None:
    scores = DATA[[f"x{k}" for k in range(1, 7)]]
    answers = (scores > scores.median()).astype(int)
    # Without priors of slopes, with which there is no test.
    free: Any = {"2pl": {"slope": None}}
    fits = [gf.irt(name, answers, priors=free.get(name)) for name in ("rasch", "2pl", "1pl")]
    table = gf.compare_fits(*fits).fits
    assert list(table["name"]) == ["2pl", "rasch", "1pl"]
    alone = gf.compare_fits(fits[0], fits[1])
    assert table["d_pvalue"].iloc[1] == pytest.approx(alone.pvalue)
    assert np.isnan(table["d_chisq"].iloc[2])
    with pytest.raises(ParameterError, match="all of one kind"):
        gf.compare_fits(fits[0], fits[1], fitted(FIRST))
