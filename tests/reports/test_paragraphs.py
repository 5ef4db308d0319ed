"""A paragraph on a fit has what journals ask for, with the numbers of the fit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support.factor_samples import three_correlated_factors
from support.sem_samples import SAMPLES

import gfactor as gf
from gfactor import __version__
from gfactor.errors import ParameterError
from gfactor.numbers_in_text import fixed, share

MODEL = "f1 =~ x1 + x2 + x3\nf2 =~ x4 + x5 + x6\nf2 ~ f1"
PLS = "A =~ x1 + x2 + x3; B <~ x4 + x5 + x6; B ~ A"
SOFTWARE = f"with gfactor {__version__}"


def sample(gap: bool = False) -> pd.DataFrame:
    data = SAMPLES["three_factors"]()
    if gap:
        data.iloc[3, data.columns.get_loc("x2")] = np.nan
    return data


def answers(items: int, unasked: bool = False) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    pulls = rng.normal(size=(300, 1)) + rng.normal(size=(300, items))
    frame = pd.DataFrame((pulls > 0.3 * rng.normal(size=items)).astype(float)).add_prefix("i")
    return frame.mask(rng.random(frame.shape) < 0.02) if unasked else frame


def test_a_structural_model_has_sample_gaps_estimator_fit_and_intervals() -> None:
    fit = gf.sem(MODEL, sample(gap=True), missing="ml")
    text = fit.paragraph()
    path = fit.estimates[fit.estimates["op"] == "~"].iloc[0]
    for part in (
        "A structural equation model of 6 observed variables and 2 latent variables",
        "fitted to 320 persons by maximum likelihood (ML; standard errors: standard", SOFTWARE,
        "1 of 1920 values (0.1%) were missing; full information maximum likelihood",
        "19 free parameters and 8 degrees of freedom", fit.convergence.sentence,
        f"chi-square(8) = {fixed(fit.measures['chisq'])}, p = ", "RMSEA = .000, 90% CI [",
        f"f2 on f1: B = {fixed(path['est'])}, SE = {fixed(path['se'])}, 95% CI "
        f"[{fixed(path['ci.lower'])}, {fixed(path['ci.upper'])}], p < .001, "
        f"beta = {share(path['std.all'], 2)}",
        "Reliability (omega): f1 .79, 95% CI [",
    ):  # fmt: skip
        assert part in text, part
    assert "\n" not in text
    assert "Limits" not in text
    assert "Left out: 1 of 320 cases" in gf.sem(MODEL, sample(gap=True)).paragraph()
    assert "No values were missing." in gf.sem(MODEL, sample()).paragraph()


def test_groups_and_their_correlations_are_named() -> None:
    model = "f1 =~ x1 + x2 + x3\nf2 =~ x4 + x5 + x6"
    text = gf.sem(model, sample(), group="school", estimator="MLR").paragraph()
    assert "confirmatory factor model" in text
    assert "in 2 groups (south: 149, north: 171)" in text
    assert "f1 with f2 (south): covariance = " in text
    assert "f1 with f2 (north): covariance = " in text
    assert "(scaled)" in text


def test_a_model_that_is_not_determined_has_its_limits_and_no_estimates() -> None:
    fit = gf.sem("f =~ x1 + x2", sample(), std_lv=True)
    text = fit.paragraph()
    assert "do not determine the estimates" in text
    assert "Standardized loadings" not in text
    assert text.startswith(f"Not met: {fit.diagnostics[0].sentence}")


def test_a_pls_model_has_constructs_gaps_and_intervals_of_its_bootstrap() -> None:
    data = sample(gap=True).drop(columns="school")
    fit = gf.pls(PLS, data, missing="mean", n_bootstrap=30)
    row = fit.further["bootstrap"].of("path").iloc[0]
    text = fit.paragraph()
    for part in (
        "A path model of A (3 indicators, mode A), and B (3 indicators, mode B)",
        "partial least squares (path weighting scheme) from 320 rows", SOFTWARE,
        "1 of 1920 values (0.1%) were missing; they were replaced by the mean",
        "The weights converged in", "Reliability: A alpha .78, 95% CI [", "The HTMT ratio was .3",
        f"SRMR of the saturated model was {share(fit.srmr)}",
        f"A to B {share(row['estimate'], 2)}, 95% CI [{share(row['bca_low'], 2)}, "
        f"{share(row['bca_high'], 2)}]",
        "Weights of composites: x4 .", "Explained variance (R2): B .",
        "BCa intervals of 30 resamples, seed 0", "Limits: ",
    ):  # fmt: skip
        assert part in text, part
    assert "B alpha" not in text  # the indicators of a composite need not be alike
    plain = gf.pls(PLS, data, missing="listwise").paragraph()
    assert "1 row with a missing value was left out" in plain
    assert "Intervals were not computed" in plain


def test_an_item_response_model_has_fit_items_and_reliability() -> None:
    fit = gf.irt("2pl", answers(6))
    text = fit.paragraph()
    first = fit.items.iloc[0]
    reach = 1.959963984540054 * first["se_a"]
    for part in (
        "An item response model (2pl) was fitted to the answers of 300 persons to 6 items",
        SOFTWARE,
        "No values were missing", "12 free parameters converged at a log-likelihood of "
        f"{fixed(fit.loglik)}; AIC = {fixed(fit.aic)}", "observed information", "Fit: M2(9) = ",
        "RMSEA2 = ", "S-X2 showed no misfit at .05 divided by 6 items",
        f"i0 a = {fixed(first['a'])} 95% CI [{fixed(first['a'] - reach)}, "
        f"{fixed(first['a'] + reach)}]",
        f"marginal {share(fit.reliability['marginal'], 2)}",
    ):  # fmt: skip
        assert part in text, part


def test_many_items_are_summarized_and_unasked_ones_counted() -> None:
    text = gf.irt("rasch", answers(14, unasked=True)).paragraph()
    assert "of 4200 values (" in text
    assert "the likelihood is that of the observed ones" in text
    assert "Over items, difficulties" in text
    assert "i0 b" not in text


def test_an_exploratory_analysis_has_rotation_loadings_and_factor_correlations() -> None:
    text = gf.efa(three_correlated_factors(), 3).paragraph()
    for part in (
        "3 factors of 9 indicators were extracted by maximum likelihood", "240 persons", SOFTWARE,
        "rotated by oblimin (oblique, best of 30 starts, reached by 100%)", "chi-square(12) = 7.23",
        "on v7, v8, and v9", "F1 with F3 .54, 95% CI [.38, .71]",
    ):  # fmt: skip
        assert part in text, part
    text = gf.efa(three_correlated_factors(), rotation="cfT", kappa=0.2).paragraph()
    assert "3 factors (the number by parallel analysis)" in text
    assert "rotated by cfT kappa 0.2 (orthogonal" in text
    assert "Factor correlations" not in text
    few = three_correlated_factors()
    few.iloc[0, 0] = np.nan
    assert "1 of 240 rows has a missing cell and is left out" in gf.efa(few, 3).paragraph()


def test_pages_have_the_paragraph_beside_them(tmp_path: Path) -> None:
    found = gf.efa(three_correlated_factors(), 3)
    found.report(tmp_path)
    assert (tmp_path / "paragraph.txt").read_text() == found.paragraph() + "\n"
    report = gf.cfa(MODEL, sample())
    report.report(tmp_path)
    assert (tmp_path / "paragraph.txt").read_text() == report.fit.paragraph() + "\n"
    assert report.paragraph() == report.fit.paragraph()


def test_other_results_have_no_paragraph() -> None:
    with pytest.raises(ParameterError, match="examinees, not for Adequacy; summary"):
        gf.adequacy(three_correlated_factors()).paragraph()
