"""Paragraphs on compared models have both models' criteria and the test, and call a model better
only if the test does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from support.sem_samples import SAMPLES

import gfactor as gf
from gfactor import __version__
from gfactor.numbers_in_text import fixed, p_value

SOFTWARE = f"with gfactor {__version__}"
THREE = "f1 =~ x1 + x2 + x3\nf2 =~ x4 + x5 + x6\nf3 =~ x7 + x8 + x9"
ONE = "g =~ x1 + x2 + x3 + x4 + x5 + x6 + x7 + x8 + x9"
ALIKE = ("g =~ x1 + x2 + x3 + x4; x1 ~~ x2", "g =~ x1 + x2 + x3 + x4; x1 ~~ x3")


def three_factors() -> pd.DataFrame:
    return SAMPLES["three_factors"]()


def one_factor() -> pd.DataFrame:
    rng = np.random.default_rng(1)
    return pd.DataFrame(rng.normal(size=(300, 1)) + rng.normal(size=(300, 4)),
                        columns=["x1", "x2", "x3", "x4"])  # fmt: skip


def answers(slopes: float = 0.0) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    pull = np.exp(slopes * np.linspace(-1, 1, 5)) * rng.normal(size=(400, 1))
    return pd.DataFrame((rng.uniform(size=(400, 5)) < 1 / (1 + np.exp(-pull))).astype(int))


def has(text: str, *parts: str) -> None:
    for part in (SOFTWARE, *parts):
        assert part in text, f"{part!r} is not in: {text}"


def test_nested_models_are_rejected_or_not_found_to_misfit() -> None:
    data = three_factors()
    found = gf.compare_fits(gf.sem(ONE, data), gf.sem(THREE, data))
    has(
        found.paragraph(), "Two nested structural equation models",
        "the difference of their chi-squares",
        f"Chi-square({found.df}) = {fixed(found.chisq)}, p < .001: the restrictions of the smaller "
        "model were rejected at .05",
    )  # fmt: skip
    equal = "g =~ a*x1 + a*x2 + a*x3 + a*x4"
    held = gf.compare_fits(*(gf.sem(m, one_factor()) for m in (equal, equal.replace("a*", ""))))
    has(held.paragraph(), "no misfit of the smaller model was found, which does not show")


def test_scaled_differences_name_their_method_and_no_test_stands_first() -> None:
    data = three_factors()
    one, three = (gf.sem(model, data, estimator="MLR") for model in (ONE, THREE))
    found = gf.compare_fits(one, three)
    has(found.paragraph(), "Satorra and Bentler 2001", f"(unscaled {fixed(found.plain)})")
    finding = replace(found.diagnostics[0], code="negative_scaling") if found.diagnostics else None
    without = replace(found, chisq=float("nan"), diagnostics=() if finding is None else (finding,))
    has(without.paragraph(), f"The difference has {found.df} degrees of freedom", ", and no test.")


def test_equivalent_models_cannot_be_decided_between() -> None:
    fits = [gf.sem(model, one_factor(), fixed_x=False) for model in ("x1 ~ x2", "x2 ~ x1")]
    has(gf.compare_fits(*fits).paragraph(), "they are equivalent, and no data of these variables")


def test_models_that_are_not_nested_have_vuongs_tests_and_what_they_decide() -> None:
    first, second = (gf.sem(model, one_factor(), meanstructure=True) for model in ALIKE)
    found = gf.compare_fits(first, second, nested=False)
    has(
        found.paragraph(), "of which neither is a special case of the other",
        f"AIC was {fixed(first.measures['aic'])} of the first model and "
        f"{fixed(second.measures['aic'])} of the second",
        "(lower is better; they have no interval)", f"Vuong's z = {fixed(found.z)}",
        f"p {p_value(found.variance_pvalue, '= ')} of models that cannot be distinguished",
        "z decides nothing",
    )  # fmt: skip
    for z, p, words in (
        (3.0, 0.003, "the first model is nearer to the truth at .05"),
        (-3.0, 0.003, "the second model is nearer to the truth at .05"),
        (1.0, 0.3, "neither model was found to be nearer"),
    ):
        has(replace(found, z=z, z_pvalue=p, variance_pvalue=0.001).paragraph(), words)
    unknown = replace(found, variance_pvalue=float("nan")).paragraph()
    has(unknown, "whether the models can be distinguished at all could not be tested")


@pytest.mark.thorough
@pytest.mark.parametrize("slopes", [0.0, 1.0])
def test_item_response_models_have_criteria_and_the_likelihood_ratio(slopes: float) -> None:
    data = answers() if not slopes else uneven()
    found = gf.compare_fits(gf.irt("rasch", data), gf.irt("2pl", data))
    first = found.criteria.iloc[0]
    verdict = "were rejected at .05" if slopes else "no misfit of the smaller model was found"
    has(
        found.paragraph(),
        "Two nested item response models of the same answers, rasch (6 free parameters) and 2pl "
        "(10 free parameters), were compared",
        f"BIC was {fixed(first['bic'])}",
        f"Chi-square(4) = {fixed(found.chisq)}, p {p_value(found.pvalue, '= ')}", verdict,
    )  # fmt: skip


def uneven() -> pd.DataFrame:
    rng = np.random.default_rng(2)
    pull = np.array([0.3, 0.3, 1.0, 2.5, 2.5]) * rng.normal(size=(500, 1))
    return pd.DataFrame((rng.uniform(size=(500, 5)) < 1 / (1 + np.exp(-pull))).astype(int))


def test_item_response_models_that_are_not_nested_have_vuongs_test() -> None:
    data = uneven()
    found = gf.compare_fits(gf.irt("rasch", data), gf.irt("2pl", data), nested=False)
    has(found.paragraph(), "Two item response models of the same answers", "Vuong's z = ")


def test_three_models_are_each_tested_against_the_one_before() -> None:
    data = three_factors()
    two = "f1 =~ x1 + x2 + x3\nf2 =~ x4 + x5 + x6 + x7 + x8 + x9"
    table = gf.compare_fits(*(gf.sem(model, data) for model in (ONE, two, THREE)))
    last = table.fits.iloc[-1]
    has(
        table.paragraph(), "3 models of one sample were compared", "Model 3 has 21 free parameters",
        f"difference chi-square({int(last['d_df'])}) = {fixed(last['d_chisq'])}, p < .001",
        "Information criteria have no interval",
    )  # fmt: skip
    answered = [gf.irt(model, answers()) for model in ("rasch", "2pl", "1pl")]
    text = gf.compare_fits(*answered).paragraph()
    has(text, "Model 2 (2pl) has 10 free parameters, log-likelihood ")
    assert "There is no test of nested models for model " in text
    assert ", which is not nested, or has priors." in text


def test_wald_tests_name_their_constraints_and_decide_by_the_p_value() -> None:
    fit = gf.sem("g =~ NA*x1 + a*x1 + b*x2 + c*x3 + d*x4; g ~~ 1*g", one_factor())
    one, two = fit.wald_test("a == b"), fit.wald_test("a == 0; b == 0")
    has(one.paragraph(), "A constraint was tested", "without it (Wald)", ": a == b.",
        "no deviation was found, which does not show that it holds")  # fmt: skip
    has(two.paragraph(), "Constraints were tested", "together they were rejected at .05")
