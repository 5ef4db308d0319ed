"""Paragraphs on latent classes, generalizability, invariance, DIF and reliability have the numbers
of the result, say what was not met first, and claim no more than their intervals."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support.sem_samples import SAMPLES

import gfactor as gf
from gfactor import __version__
from gfactor.numbers_in_text import fixed, p_value, share
from gfactor.psychometrics.sem.fitted import Fit

SOFTWARE = f"with gfactor {__version__}"
FACTOR = "g =~ x0 + x1 + x2 + x3 + x4"


def mastery(items: int = 4, n: int = 400) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    able = rng.random((n, 1)) < 0.6
    right = rng.random((n, items)) < np.where(able, 0.9, 0.2)
    return pd.DataFrame(right.astype(float)).add_prefix("i")


def scores(objects: int = 12, items: int = 6, effect: float = 0.0) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    cells = pd.MultiIndex.from_product([range(objects), range(items)], names=["person", "item"])
    frame = cells.to_frame(index=False)
    noise = rng.normal(size=len(frame))
    return frame.assign(score=frame["person"] * 0.5 + effect * frame["item"] + noise)


def one_factor(shift: float = 0.0) -> pd.DataFrame:
    rng = np.random.default_rng(4)
    data = pd.DataFrame(rng.normal(size=(400, 1)) + rng.normal(size=(400, 5))).add_prefix("x")
    data["lab"] = ["a", "b"] * 200
    data.loc[data["lab"] == "b", "x2"] += shift
    return data


def answers_of_two_groups(shift: float) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    ability, focal = rng.normal(size=(400, 1)), np.arange(400)[:, None] % 2
    difficulty = np.linspace(-1, 1, 6) + shift * focal * (np.arange(6) == 2)
    right = rng.uniform(size=(400, 6)) < 1 / (1 + np.exp(difficulty - ability))
    return pd.DataFrame(right.astype(float)).add_prefix("i").assign(sex=["f", "m"] * 200)


def has(text: str, *parts: str) -> None:
    for part in (SOFTWARE, *parts):
        assert part in text, f"{part!r} is not in: {text}"


def interval(low: float, high: float) -> str:
    return f"95% CI [{share(low, 2)}, {share(high, 2)}]"


def test_latent_classes_have_search_fit_shares_and_probabilities_with_intervals() -> None:
    found = gf.latent_classes(mastery(), 2)
    share_of, answer = found.shares.iloc[0], found.probabilities.iloc[1]
    text = found.paragraph()
    has(
        text, "A latent class model of 2 classes was fitted to the answers of 400 cases to 4 items",
        "maximum likelihood", "No values were missing",
        f"of 20 random starts the best 5 were followed to their end, and {found.replicated}",
        f"BIC {fixed(found.bic)}",
        f"G2({found.df}) = {fixed(found.g2)}, p {p_value(found.p, '= ')}: no misfit was found",
        f"class 1 {share(share_of['share'], 2)}, "
        f"{interval(share_of['ci_lower'], share_of['ci_upper'])}",
        f"i0 = 1 in class 1 {share(answer['probability'], 2)}, "
        f"{interval(answer['ci_lower'], answer['ci_upper'])}",
        f"Relative entropy of the classification was {share(found.entropy, 2)} (no interval)",
    )  # fmt: skip
    assert "i0 = 0" not in text  # the other answer has the rest of the probability
    many = gf.latent_classes(mastery(7), 2).paragraph()
    has(many, "the table of probabilities has each with its interval")


def test_one_class_divides_nobody_and_its_misfit_stands_before_its_estimates() -> None:
    text = gf.latent_classes(mastery(), 1).paragraph()
    has(text, "the model divides nobody and has no entropy", "p < .001: the model is rejected")
    assert "Shares of the classes" not in text
    assert "random start" not in text
    assert text.index("the model is rejected") < text.index("Probabilities of answers")


def test_classes_that_are_not_identified_have_no_estimates_and_gaps_no_test() -> None:
    data = mastery()
    data.iloc[:10, 0] = np.nan
    found = gf.latent_classes(data, 4)
    text = found.paragraph()
    assert text.startswith("Not met: The answers do not determine all parameters")
    has(
        text, "10 of 1600 values (0.6%) were missing", "no test of fit, as values are missing",
        "so that none are reported",
    )  # fmt: skip
    assert found.to_dict()["missing"] == 10
    assert "Shares of the classes" not in text


def test_a_search_that_found_its_best_end_once_says_so_first_and_sparse_tables_test_nothing() -> (
    None
):
    found = gf.latent_classes(mastery(7, 300), 3, starts=1)
    text = found.paragraph()
    assert text.startswith("Not met: One of 1 starts reached the best log-likelihood")
    has(text, "cases per pattern of answers its p-value is not to be relied on")
    assert "no misfit" not in text


def test_a_generalizability_study_has_design_components_and_coefficients_with_intervals() -> None:
    study = gf.gtheory(scores(effect=1.0), object="person", facets=["item"])
    row, at = study.components.loc["item"], study.coefficients()
    text = study.paragraph()
    has(
        text, "72 scores of 12 levels of person", "over item (6 conditions)", "from mean squares",
        "Every cell of the design holds one score",
        f"item {row['variance']:#.3g}, 95% CI [{row['ci_lower']:#.3g}, {row['ci_upper']:#.3g}] "
        f"({row['share']:.1%} of the total)",
        "For means over 6 conditions of item",
        "The component person x item is confounded with error",
        f"(relative decisions) was {share(at['e_rho2'], 2)}, "
        f"{interval(at['e_rho2_ci_lower'], at['e_rho2_ci_upper'])}",
        f"(absolute decisions) was {share(at['phi'], 2)}, "
        f"{interval(at['phi_ci_lower'], at['phi_ci_upper'])}",
    )  # fmt: skip
    assert "Not met" not in text
    without = replace(study, samples=study.samples.iloc[:0])
    has(without.paragraph(), f"was {share(at['phi'], 2)}, without an interval")


def test_components_of_zero_and_below_are_named_and_keep_their_upper_end() -> None:
    data = scores(30)
    data["score"] -= data.groupby("item")["score"].transform("mean")
    negative = gf.gtheory(data, object="person", facets=["item"])
    assert negative.components.loc["item", "variance"] < 0
    assert negative.paragraph().startswith("Not met: The variance of item is estimated at -")
    zero = gf.gtheory(data.iloc[1:], object="person", facets=["item"])
    upper = zero.components.loc["item", "ci_upper"]
    has(
        zero.paragraph(), f"item 0 (at the boundary), 95% CI [0, {upper:#.3g}] (0.0% of the total)",
        "restricted maximum likelihood",
        "has 180 cells for these 179 scores; cells without a score were left out",
    )  # fmt: skip


def test_scores_without_variance_have_no_estimates() -> None:
    study = gf.gtheory(scores().assign(score=1.0), object="person", facets=["item"])
    text = study.paragraph()
    assert text.startswith("Not met: All 72 scores are 1")
    assert "no estimates are reported" in text
    assert "95% CI" not in text


def test_invariance_has_the_levels_their_differences_and_latent_means_with_intervals() -> None:
    found = gf.invariance(FACTOR, one_factor(), group="lab")
    row, mean = found.table.iloc[1], found.latent_means.iloc[0]
    text = found.paragraph()
    has(
        text, "a model of 5 observed variables and 1 latent variable", "2 groups (a: 200, b: 200)",
        "(MLR; test: yuan.bentler.mplus)", "No values were missing",
        f"the highest level that was not rejected is {found.level}; that does not show the "
        "parameters to be equal",
        f"metric, chi-square({row['df']}) = {fixed(row['chisq'])}, p {p_value(row['pvalue'], '= ')}"
        f", CFI = {share(row['cfi'])}, RMSEA = {share(row['rmsea'])}, 90% CI "
        f"[{share(row['rmsea_low'])}, {share(row['rmsea_high'])}]",
        f"difference chi-square({row['d_df']}) = {fixed(row['d_chisq'])}, p "
        f"{p_value(row['d_pvalue'], '= ')}, changes of CFI {share(row['d_cfi'])}",
        f"g in b {fixed(mean['mean'])}, 95% CI [{fixed(mean['ci_lower'])}, "
        f"{fixed(mean['ci_upper'])}]",
    )  # fmt: skip


def test_a_rejected_level_stands_before_the_fit_and_releases_are_a_search() -> None:
    data = one_factor(0.8)
    text = gf.invariance(FACTOR, data, group="lab").paragraph()
    has(
        text, "the scalar level does not hold; the highest level that was not rejected is metric",
        "The higher levels (strict) were not tested on their own merits",
        "Latent means were not compared",
    )  # fmt: skip
    assert text.index("does not hold") < text.index("Fit of the levels")
    partial = gf.invariance(FACTOR, data, group="lab", partial=True).paragraph()
    has(
        partial, "equality of all parameters was rejected at the level scalar",
        "whose p-values are not corrected: x2~1 at the scalar level",
        "Latent means at the partial strict level",
    )  # fmt: skip


def test_levels_that_did_not_converge_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    found = gf.invariance(FACTOR, one_factor(), group="lab")
    monkeypatch.setattr(Fit, "converged", property(lambda fit: fit is not found.steps[2].full))
    has(found.paragraph(), "The search did not converge at the level scalar.")


@pytest.mark.thorough
def test_reliability_has_alpha_with_its_interval_and_the_spread_of_halves_as_what_it_is() -> None:
    data = one_factor().drop(columns="lab")
    found = gf.reliability(data)
    text = found.paragraph()
    alpha, halves = (found.coefficients.loc[name] for name in ("alpha", "split_half"))
    has(
        text, "The reliability of the sum of 5 indicators was estimated from 400 examinees",
        "No values were missing",
        f"alpha was {share(found.alpha, 2)}, {interval(*alpha[['ci_lower', 'ci_upper']])} (Feldt)",
        f"{share(halves['ci_lower'], 2)} to {share(halves['ci_upper'], 2)}, which is no confidence",
        f"standard error of measurement of {fixed(found.sem)}",
    )  # fmt: skip
    assert text == gf.consistency(data).paragraph()
    data.iloc[0, 0] = np.nan
    gap = gf.reliability(data).paragraph()
    has(gap, "from 399 examinees", "Limits: 1 examinee with a missing cell was left out")
    assert "No values were missing" not in gap


def test_consistency_has_omega_alpha_and_a_bound_without_interval(tmp_path: Path) -> None:
    found = gf.consistency(one_factor().drop(columns="lab"))
    omega, bound = found.coefficients.loc["omega"], found.coefficients.loc["glb", "estimate"]
    text = found.paragraph()
    has(
        text, "The reliability of the sum of 5 indicators",
        f"Omega of a model of one factor (MLR) was {share(omega['estimate'], 2)}, "
        f"{interval(omega['ci_lower'], omega['ci_upper'])}",
        f"The greatest lower bound was {share(bound, 2)}, without an interval",
        f"x0 {interval(*found.indicators.loc['x0', ['rest_lower', 'rest_upper']])}",
    )  # fmt: skip
    found.report(tmp_path)
    assert (tmp_path / "paragraph.txt").read_text() == text + "\n"


@pytest.mark.thorough
def test_a_sum_of_several_factors_says_so_before_its_reliability() -> None:
    text = gf.consistency(SAMPLES["three_factors"]().drop(columns="school")).paragraph()
    assert text.startswith("Not met: A model of one factor does not fit")


def test_sums_that_do_not_vary_and_two_indicators_have_no_coefficient() -> None:
    data = pd.DataFrame([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 1.0]], columns=["a", "b"])
    text = gf.consistency(data).paragraph()
    has(
        text, "alpha is not defined", "Split halves are not defined",
        "Omega was not computed: a factor of two indicators is not identified",
    )  # fmt: skip
    assert "standard error of measurement" not in text
    assert "alpha without" not in text


def test_reliability_of_a_model_has_indices_with_intervals_if_they_have_some() -> None:
    fit = gf.sem("g =~ x1 + x2 + x3 + x4 + x5 + x6", SAMPLES["three_factors"]())
    found = gf.reliability(fit)
    row = found.indices.iloc[0]
    has(
        found.paragraph(), "a structural equation model of 320 cases",
        f"omega of g {share(row['est'], 2)}, {interval(row['low'], row['high'])}",
    )  # fmt: skip
    found.indices.loc[0, "low"] = np.nan
    has(found.paragraph(), f"omega of g {share(row['est'], 2)}, without an interval")


def test_dif_has_groups_anchors_and_effects_of_the_items_that_differ() -> None:
    found = gf.dif("rasch", answers_of_two_groups(1.5), group="sex")
    row = found.table.loc["i2"]
    reach = 1.959963984540054 * row["delta_se"]
    has(
        found.paragraph(), "f (reference, 200 persons) and m (focal, 200 persons)",
        "likelihood ratio (model rasch)", "Anchors, taken as equal in both groups: i0, i1,",
        "No values were missing", "At adjusted p < .05, 1 of 6 items differed: i2.",
        f"i2 {fixed(row['delta'])}, 95% CI [{fixed(row['delta'] - reach)}, "
        f"{fixed(row['delta'] + reach)}], statistic(1) = {fixed(row['statistic'])}",
        f"class {row['ets_class']}",
    )  # fmt: skip


def test_no_item_that_differs_is_no_proof_and_gaps_are_counted() -> None:
    data = answers_of_two_groups(0.0)
    data.iloc[0, 0] = np.nan
    matched = gf.dif(None, data, group="sex", method="mantel-haenszel").paragraph()
    has(
        matched, "Mantel-Haenszel (matched on sum scores)", "which does not show that none does",
        "Limits: 1 of 400 persons lack a response",
    )  # fmt: skip
    fitted = gf.dif("rasch", data, group="sex").paragraph()
    has(fitted, "1 of 2400 values (0.0%) were missing; the likelihood is that of the observed")
    untested = gf.dif("rasch", data, group="sex")
    untested.table.loc["i1", ["statistic", "p", "p_adjusted"]] = np.nan
    has(untested.paragraph(), "There is no test of i1.")
