"""Paragraphs on groups, norms, compared examinees, validity, conditional fits and several strata
have the numbers of the result, and claim no more than their intervals."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import gfactor as gf
from gfactor import __version__
from gfactor.errors import UnknownNameError
from gfactor.numbers_in_text import fixed, p_value, share
from gfactor.psychometrics import all_pairs, cvpat, fit_pls, predict_pls, rank_sets
from gfactor.psychometrics.generalizability import multivariate_gtheory
from gfactor.psychometrics.irt.estimation.conditional import fit_conditional
from gfactor.psychometrics.norms import norm_scores
from gfactor.psychometrics.pls import compare_groups_pls
from gfactor.reports.paragraphs.examinees import sentences_on_examinees

SOFTWARE = f"with gfactor {__version__}"
PLS = "A =~ x0 + x1; B =~ x2 + x3; B ~ A"


def has(text: str, *parts: str) -> None:
    for part in (SOFTWARE, *parts):
        assert part in text, f"{part!r} is not in: {text}"


def indicators(slope: float = 1.0, n: int = 200) -> pd.DataFrame:
    """Two blocks of two; in every second row B has another relation to A."""
    rng = np.random.default_rng(1)
    a = rng.normal(size=n)
    b = np.where(np.arange(n) % 2, slope, 1.0) * a + rng.normal(size=n)
    both = [a, a, b, b]
    return pd.DataFrame({f"x{k}": one + 0.5 * rng.normal(size=n) for k, one in enumerate(both)})


def test_groups_by_permutation_have_composites_paths_and_what_differs() -> None:
    data, schools = indicators(-1.0), ["north", "south"] * 100
    found = compare_groups_pls(fit_pls(PLS, data), schools, permutations=99, seed=3)
    composite, path = found.composites.iloc[0], found.paths.iloc[0]
    has(
        found.paragraph(), "The groups north (100 cases) and south (100 cases)",
        "99 permutations of the cases (seed 3)", "p-values are not adjusted",
        f"A correlation of the scores by both groups' weights {share(composite['correlation'])} "
        f"(limit {share(composite['limit'])}, p {p_value(composite['p_composition'], '= ')})",
        f"A to B {share(path['north'], 2)} in north and {share(path['south'], 2)} in south, "
        f"difference {share(path['difference'], 2)}, p {p_value(path['p'], '= ')}",
        "Weights of composites were not found to differ, which does not show them to be equal",
        "At level .05 the groups differ in A to B.",
    )  # fmt: skip
    other = found.composites.assign(invariance=["full", "none"], p_composition=[0.5, 0.01])
    broken = replace(found, composites=other).paragraph()
    has(broken, "Weights of composites differ for B", "Paths of B are not comparable")
    assert "the groups differ in" not in broken
    assert ", difference " not in broken.split("Standardized paths:")[1]
    equal = compare_groups_pls(fit_pls(PLS, indicators()), schools, permutations=99)
    has(equal.paragraph(), "No path was found to differ, which does not show")


def test_prediction_is_called_better_only_if_its_interval_excludes_zero() -> None:
    found = cvpat(predict_pls(fit_pls(PLS, indicators())))
    row = found.table.iloc[0]
    text = found.paragraph()
    has(
        text, "(10 folds; CVPAT) in 200 cases",
        f"Against the averages of the indicators: all constructs, loss {fixed(row['loss'], 3)} and "
        f"{fixed(row['loss_against'], 3)}, difference {fixed(row['difference'], 3)}, 95% CI "
        f"[{fixed(row['ci_lower'], 3)}, {fixed(row['ci_upper'], 3)}], p < .001: the model predicts "
        "better", "Against a linear model of the indicators: ",
    )  # fmt: skip
    open_one = replace(found, table=found.table.assign(verdict="not decided"))
    has(open_one.paragraph(), "which of both predicts better is open")


def test_validity_has_ratios_with_intervals_and_the_pairs_that_are_distinct() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(2, 300))
    latent = {"a": a, "b": b, "c": b}
    data = pd.DataFrame({f"{name}{k}": one + rng.normal(size=300)
                         for name, one in latent.items() for k in range(3)})  # fmt: skip
    blocks = {name.upper(): [f"{name}{k}" for k in range(3)] for name in latent}
    found = gf.discriminant_validity(blocks, data, n_bootstrap=100)
    row = found.table.iloc[0]
    text = found.paragraph()
    has(
        text, "Discriminant validity of 3 constructs", "from 300 rows", "of 100 bootstrap samples",
        f"A and B {share(row['ratio'], 2)}, 95% CI [{share(row['bca_low'], 2)}, "
        f"{share(row['bca_high'], 2)}]",
        "For A and B; for A and C the one-sided 95% upper bound of the ratio is below .90, so that "
        "these constructs are distinct", "Limits: The upper bound of the ratio is not below 0.90",
    )  # fmt: skip
    same = replace(found, table=found.table.assign(separate=False))
    has(same.paragraph(), "For no pair the one-sided")
    every = replace(found, table=found.table.assign(separate=True))
    has(every.paragraph(), "For every pair the one-sided")


def test_a_conditional_fit_has_who_counts_and_easiness_with_intervals() -> None:
    rng = np.random.default_rng(3)
    chance = 1 / (1 + np.exp(-(rng.normal(size=(300, 1)) + np.array([1, 0, 0, -1]))))
    right = pd.DataFrame((rng.uniform(size=(300, 4)) < chance).astype(int)).add_prefix("i")
    found = fit_conditional("rasch", right)
    row = found.easiness.iloc[0]
    reach = 1.959963984540054 * row["se"]
    has(
        found.paragraph(), f"A Rasch model was fitted to the answers of {found.n_used} persons",
        f"{300 - found.n_used} further persons were left out, who have the lowest",
        f"log-likelihood of the 3 free parameters was {fixed(found.loglik)}",
        f"Easiness of items (logits, sum 0): i0 {fixed(row['easiness'])}, 95% CI "
        f"[{fixed(row['easiness'] - reach)}, {fixed(row['easiness'] + reach)}]",
    )  # fmt: skip
    has(
        replace(found, n_persons=found.n_used + 1).paragraph(),
        "1 further person was left out, who has",
    )
    design = pd.DataFrame({"step": [0.0, 1.0, 1.0, 2.0]}, index=right.columns)
    effects = fit_conditional("lltm", right, design=design)
    value = fixed(effects.estimates[0])
    has(effects.paragraph(), "A linear logistic test model", f"Effects on easiness: step {value},",
        "i0 0.00 (fixed)")  # fmt: skip
    rating = fit_conditional("rsm", pd.DataFrame(rng.integers(0, 3, (100, 3))).add_prefix("r"))
    category = fixed(rating.easiness["easiness"].iloc[1])
    has(rating.paragraph(), "A rating scale model", f"r0, category 2, {category}, 95% CI [")


def strata(n: int = 40) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    ability = rng.normal(size=n)
    rows = [(p, f"{s}{i}", s, ability[p] + rng.normal())
            for p in range(n) for s in "ab" for i in range(6)]  # fmt: skip
    return pd.DataFrame(rows, columns=["person", "item", "test", "score"])


def test_several_strata_have_their_components_and_correlations_without_intervals() -> None:
    study = multivariate_gtheory(strata(), object="person", facet="item", stratum="test")
    row = study.strata["b"].components.loc["person"]
    has(
        study.paragraph(), "40 levels of person, the object of measurement, over a (6 conditions "
        "of item) and b (6 conditions of item), with other conditions of item in each",
        f"b: person {row['variance']:#.3g}, 95% CI "
        f"[{row['ci_lower']:#.3g}, {row['ci_upper']:#.3g}]",
        "Correlation of universe scores (no interval): a with b "
        f"{share(study.correlation.loc['a', 'b'], 2)}.",
    )  # fmt: skip
    flat = study.covariance.copy()
    flat.loc["a", "a"] = -0.1
    with np.errstate(invalid="ignore"):
        text = replace(study, covariance=flat).paragraph()
    has(text, "a with b not defined, as a component is not above 0")


def test_norms_have_their_people_first_as_a_convenience_sample_and_every_cell() -> None:
    rng = np.random.default_rng(1)
    scores = pd.DataFrame({"sum": rng.normal(50, 10, size=80).round()})
    groups = pd.DataFrame({"age": ["young"] * 70 + ["old"] * 10})
    norms = norm_scores(
        scores, groups, about={"sample": "students of one course", "unit": "points"}
    )
    row = norms.table.iloc[0]
    text = norms.paragraph()
    assert text.startswith("Not met: A convenience sample is no norm")
    has(
        text, "Norms of 1 scale (points) were estimated from 80 persons (students of one course)",
        f"sum, {row['group']}: 80 persons, mean {fixed(row['mean'])}, 95% CI "
        f"[{fixed(row['ci_lower'])}, {fixed(row['ci_upper'])}], SD {fixed(row['sd'])}",
        "1 cell of fewer than 30 persons has no norms",
    )  # fmt: skip


def examinees(gap: float) -> str:
    rng = np.random.default_rng(1)
    right = rng.random((200, 3)) < np.array([0.5 + gap, 0.5, 0.5])
    differences = all_pairs(pd.DataFrame(right.astype(float), columns=["a", "b", "c"]))
    return " ".join(
        sentences_on_examinees(
            differences, rank_sets(differences), {"a": 1, "b": 0, "c": 0}, who="3 examinees",
            benchmark="mine", reading="strict", claim="generalizes to other items of this kind",
        )
    )  # fmt: skip


def test_examinees_differ_only_where_the_adjusted_p_value_does() -> None:
    has(
        examinees(0.4), "3 examinees were compared pair by pair on 200 items of mine (strict",
        "the 95% interval of a difference generalizes to other items of this kind",
        "1 failed attempt is missing", "At .05 (adjusted by Holm), 2 of 3 pairs differ; the order "
        "of the other pair is open", "a minus ", " = ",
        "Ranks that remain possible, all together at 95%: a 1, ",
    )  # fmt: skip
    has(examinees(0.0), "No difference was found at .05 (adjusted by Holm) in 3 pairs, which does "
        "not show any two to be equal")  # fmt: skip


@pytest.mark.slow
def test_a_comparison_of_a_journal_has_a_paragraph(tmp_path: Path) -> None:
    bank = gf.build(
        "percept-v", domains=["change_colour"], sizes=[1, 5], path=tmp_path / "p.parquet"
    )
    journal = gf.run(bank, ["observer:ideal", "baseline:constant"], journal=tmp_path / "c.db")
    has(gf.compare(journal).paragraph(), "2 examinees were compared pair by pair on 20 items of ")


def test_the_paragraph_of_a_path_model_has_its_groups_and_what_is_not_comparable() -> None:
    rng = np.random.default_rng(1)
    second = np.arange(300) % 2 == 1
    a = rng.normal(size=300)
    b = np.where(second, 0.9, 0.1) * a + 0.5 * rng.normal(size=300)
    data = pd.DataFrame({f"x{k}": one + 0.5 * rng.normal(size=300)
                         for k, one in enumerate([a, a, b, b])})  # fmt: skip
    data["x0"] = np.where(second, -0.3, 1.0) * data["x0"]
    data["school"] = np.where(second, "south", "north")
    fit = gf.pls("A =~ x0 + x1; B =~ x2 + x3; B ~ A", data, group="school", permutations=99)
    has(
        fit.paragraph(), "The groups north (150 cases) and south (150 cases)", "MICOM",
        "Weights of composites differ for A", "are not comparable",
        "differences of A to B are no finding",
    )  # fmt: skip
    assert "the groups differ in" not in fit.paragraph()
    assert [one.code for one in fit.diagnostics].count("composites_not_invariant") == 1
    assert fit.summary().count("no finding") == 1


def test_a_misspelt_option_of_a_path_model_is_a_sentence_with_the_right_one() -> None:
    misspelt: Any = {"groups": "school"}
    with pytest.raises(UnknownNameError, match="option of pls 'groups'; did you mean 'group'"):
        gf.pls(PLS, indicators(), **misspelt)


@pytest.mark.thorough
def test_the_paragraph_of_a_two_level_model_says_how_many_values_were_missing() -> None:
    rng = np.random.default_rng(1)
    school = np.repeat(np.arange(40), 8)
    between, within = rng.normal(size=40)[school], rng.normal(size=320)
    data = pd.DataFrame({f"v{k}": between + within + rng.normal(size=320) for k in range(4)})
    data = data.mask(rng.random(data.shape) < 0.1).assign(school=school)
    items = "v0 + v1 + v2 + v3"
    model = f"level: 1\nw =~ {items}\nlevel: 2\nb =~ {items}"
    missing = int(data.isna().sum().sum())
    has(
        gf.sem(model, data, cluster="school", missing="ml").paragraph(),
        f"{missing} of 1280 values ({missing / 1280:.1%}) were missing; full information maximum",
        "A two-level confirmatory factor model", "in 40 clusters by maximum likelihood",
    )  # fmt: skip
    complete = data.fillna(0.0)
    has(gf.sem(model, complete, cluster="school").paragraph(), "No values were missing.")
