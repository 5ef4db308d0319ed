"""Variance components, D-studies and composites are Brennan's and lme4's."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from support.design_oracles import data, recorded

from gfactor.errors import ParameterError
from gfactor.psychometrics.generalizability import (
    Generalizability,
    gtheory,
    multivariate_gtheory,
)

LABELS = {
    "p": "p",
    "t": "t",
    "r:t": "r:t",
    "pt": "p x t",
    "pr:t": "p x r:t",
    "i": "i",
    "o": "o",
    "pi": "p x i",
    "po": "p x o",
    "io": "i x o",
    "pio": "p x i x o",
}


def raters(name: str) -> pd.DataFrame:
    return data(name).rename(columns={"Person": "p", "Task": "t", "Rater": "r", "Score": "score"})


def check_d_study(found: Generalizability, row: dict, sizes: dict, fixed: tuple = ()) -> None:
    ours = found.coefficients(sizes, fixed=fixed)
    for mine, theirs in (
        ("universe_score_variance", "universe_score_variance"),
        ("relative_error", "relative_error"),
        ("absolute_error", "absolute_error"),
        ("e_rho2", "E_rho2"),
        ("phi", "Phi"),
    ):
        if theirs in row:
            assert ours[mine] == pytest.approx(row[theirs], abs=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gt_brennan_p_rt", "gt_negative_p_rt"])
def test_raters_nested_in_tasks(name: str) -> None:
    theirs, table = recorded(name)["result"], raters(name)
    design = {"object": "p", "facets": ["t", "r"], "nested": {"r": "t"}}
    ours = gtheory(table, **design)
    for key, label in LABELS.items():
        if key in theirs["anova"]["MS"]:
            row = ours.components.loc[label]
            assert row["variance"] == pytest.approx(
                theirs["anova"]["variance_components"][key], abs=1e-8
            )
            assert (row["ms"], row["df"]) == pytest.approx(
                (theirs["anova"]["MS"][key], theirs["anova"]["df"][key]), abs=1e-8
            )
    for row in theirs["dstudy"]:
        check_d_study(ours, row, {"t": row["n_t"], "r": row["n_r_per_t"]})
    negative = [d for d in ours.diagnostics if d.code == "negative_variance"]
    assert bool(negative) == (name == "gt_negative_p_rt")
    reml = gtheory(table, **design, estimator="reml")
    for key, value in theirs["reml"]["variance_components"].items():
        assert reml.components.loc[LABELS[key], "variance"] == pytest.approx(
            value, rel=1e-5, abs=1e-6
        )
    assert reml.criterion == pytest.approx(theirs["reml"]["reml_criterion"], abs=1e-6)


def test_items_crossed_with_occasions_that_are_random_or_fixed() -> None:
    theirs = recorded("gt_pio_sim")["result"]
    ours = gtheory(data("gt_pio_sim"), object="p", facets=["i", "o"], value="y")
    for key, value in theirs["anova"]["variance_components"].items():
        assert ours.components.loc[LABELS[key], "variance"] == pytest.approx(value, abs=1e-8)
    for row in theirs["dstudy_random"]:
        check_d_study(ours, row, {"i": row["n_i"], "o": row["n_o"]})
    for row in theirs["dstudy_o_fixed"]:
        check_d_study(ours, row, {"i": row["n_i"], "o": row["n_o"]}, ("o",))
    grid = ours.d_study({"i": [4, 8], "o": [1, 2]})
    assert (grid["phi"].idxmin(), grid["phi"].idxmax()) == (0, 3)
    assert (grid["e_rho2"] - grid["e_rho2_ci_lower"]).to_numpy().min() > 0


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "facets", "nested", "residual"),
    [
        ("gt_unbalanced_pi", ["i"], {}, "p x i"),
        ("gt_unbalanced_pio", ["i", "o"], {}, "p x i x o"),
        (
            "gt_unbalanced_nested_template",
            ["template", "item"],
            {"item": "template"},
            "p x item:template",
        ),
    ],
)
def test_missing_answers_are_lme4s_reml(
    name: str, facets: list[str], nested: dict[str, str], residual: str
) -> None:
    theirs = recorded(name)["result"]["reml"]
    ours = gtheory(data(name), object="p", facets=facets, nested=nested, value="y")
    names = {"Residual": residual, "p:template": "p x template", "item": "item:template"}
    names |= {"p:i": "p x i", "p:o": "p x o", "i:o": "i x o"}
    assert ours.estimator == "reml"
    assert ours.criterion == pytest.approx(theirs["reml_criterion"], abs=1e-6)
    assert ours.mean == pytest.approx(theirs["intercept"], abs=1e-6)
    for key, value in theirs["variance_components"].items():
        found = ours.components.loc[names.get(key, key), "variance"]
        assert found == pytest.approx(value, rel=2e-5, abs=1e-6)


@pytest.mark.thorough
def test_right_and_wrong_answers_are_lme4s_laplace() -> None:
    theirs = recorded("gt_glmer_nested")["result"]["laplace"]
    ours = gtheory(
        data("gt_glmer_nested"),
        object="p",
        facets=["template", "item"],
        nested={"item": "template"},
        omit=["p x template"],
        value="y",
        estimator="logistic",
    )
    variances = ours.components["variance"].to_dict()
    assert variances["p"] == pytest.approx(theirs["variance"]["p"], rel=1e-3)
    assert variances["template"] == pytest.approx(theirs["variance"]["template"], rel=1e-3)
    assert variances["item:template"] == pytest.approx(theirs["variance"]["item"], rel=1e-3)
    assert ours.mean == pytest.approx(theirs["intercept"], abs=1e-3)
    assert ours.criterion == pytest.approx(theirs["logLik"], abs=1e-4)


def test_persons_by_items_is_coefficient_alpha_and_a_cut_has_its_phi() -> None:
    theirs = recorded("gt_pi_icar16")["result"]
    table = data("gt_pi_icar16").reset_index(names="p").melt("p", var_name="i", value_name="y")
    ours = gtheory(table, object="p", facets=["i"], value="y")
    assert ours.coefficients()["e_rho2"] == pytest.approx(theirs["coefficient_alpha"], abs=1e-12)
    for row in theirs["phi_lambda"]:
        assert ours.phi_lambda(row["lambda"]) == pytest.approx(row["Phi_lambda"], abs=1e-10)


@pytest.mark.thorough
def test_subtests_and_their_composites() -> None:
    theirs, table = (
        recorded("gt_multivariate_rajaratnam")["result"],
        data("gt_multivariate_rajaratnam"),
    )
    ours = multivariate_gtheory(
        table, object="Person", facet="Item", stratum="Subtest", value="Score"
    )
    assert ours.covariance.to_numpy() == pytest.approx(np.array(theirs["Sigma_p"]), abs=1e-8)
    assert ours.correlation.to_numpy() == pytest.approx(np.array(theirs["Sigma_p_corr"]))
    for row in theirs["composite"]:
        weights = dict(zip(ours.strata, row["weights"], strict=True))
        sizes = dict(zip(ours.strata, row["n_i"], strict=True))
        found = ours.composite(weights, sizes)
        assert (found["e_rho2"], found["phi"]) == pytest.approx(
            (row["E_rho2"], row["Phi"]), abs=1e-8
        )


@pytest.mark.thorough
def test_two_strata_made_of_the_same_ability_correlate_without_error() -> None:
    rng = np.random.default_rng(4)
    ability = rng.normal(size=200)
    rows = [
        (p, f"{s}{i}", s, ability[p] + 2 * rng.normal())
        for p in range(200)
        for s in "ab"
        for i in range(6)
    ]
    table = pd.DataFrame(rows, columns=["p", "i", "s", "score"])
    found = multivariate_gtheory(table, object="p", facet="i", stratum="s")
    assert found.correlation.loc["a", "b"] == pytest.approx(1.0, abs=0.2)
    means = table.pivot_table(index="p", columns="s", values="score")
    assert found.correlation.loc["a", "b"] > means.corr().loc["a", "b"] + 0.2


@pytest.mark.slow
def test_intervals_hold_the_true_variances() -> None:
    rng = np.random.default_rng(8)
    hits = 0
    for _ in range(100):
        person, item = rng.normal(size=30), 0.7 * rng.normal(size=12)
        scores = person[:, None] + item + rng.normal(size=(30, 12))
        table = pd.DataFrame(scores).melt(ignore_index=False, var_name="i", value_name="score")
        found = gtheory(table.reset_index(names="p"), object="p", facets=["i"])
        row = found.components.loc["p"]
        hits += row["ci_lower"] <= 1 <= row["ci_upper"]
    assert 89 <= hits <= 99


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"facets": ["x"]}, "not in the data"),
        ({"facets": []}, "one facet or more"),
        ({"nested": {"i": "q"}}, "must be facets"),
        ({"estimator": "anova", "drop": True}, "one score in every cell"),
        ({"estimator": "logistic"}, "scores of 0 and 1"),
        ({"omit": ["i x q"]}, "cannot be left out"),
    ],
)
def test_mistakes_are_named(change: dict, words: str) -> None:
    table = data("gt_pio_sim").rename(columns={"y": "score"})
    if change.pop("drop", False):
        table = table.iloc[1:]
    with pytest.raises(ParameterError, match=words):
        gtheory(table, **{"object": "p", "facets": ["i", "o"], **change})


def _long(scores: np.ndarray, missing: int) -> pd.DataFrame:
    table = pd.DataFrame(scores).melt(ignore_index=False, var_name="i", value_name="score")
    return table.reset_index(names="p").iloc[missing:]


def test_scores_without_a_rest_are_refused_when_two_are_missing() -> None:
    alike = np.tile(np.arange(30) % 2, (3, 1)).astype(float)
    with pytest.raises(ParameterError, match="explain all 88 scores exactly, so that"):
        gtheory(_long(alike, 2), object="p", facets=["i"])
    complete = gtheory(_long(alike, 0), object="p", facets=["i"]).components["variance"]
    assert abs(complete.to_dict()["p x i"]) < 1e-12


def test_a_component_at_the_boundary_is_zero_with_an_interval_from_zero() -> None:
    rng = np.random.default_rng(2)
    scores = rng.normal(size=(8, 1)) * 2 + rng.normal(size=(8, 30))
    scores -= scores.mean(axis=0) - rng.normal(scale=1e-3, size=30)
    row = gtheory(_long(scores, 2), object="p", facets=["i"]).components.loc["i"].to_dict()
    assert row["variance"] == 0
    assert row["ci_lower"] == 0
    # A profile likelihood interval: a normal cut off at 0 has half of its draws there.
    assert 0.001 < row["ci_upper"] < 0.1
