"""Processing trees are psychotools'; seeing and reasoning are told from answers alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.design_oracles import data, recorded

from gfactor.errors import ParameterError
from gfactor.psychometrics.trees import fit_processing_tree, perception_gap
from gfactor.psychometrics.trees.model import TreeModel

TREES = [
    "mpt_pairclustering_trial1",
    "mpt_pairclustering_two_trials",
    "mpt_sourcemon_all",
    "mpt_sourcemon_thinksay_D",
    "mpt_memorydeficits_alcctl",
    "mpt_memorydeficits_schizo",
]


def equations_of(case: dict[str, Any]) -> dict[str, dict[str, str]]:
    inputs = case["inputs"]
    found: dict[str, dict[str, str]] = {}
    for category, tree in zip(inputs["categories"], inputs["trees"], strict=True):
        found.setdefault(tree, {})[category.split(".")[1]] = inputs["equations"][category]
    return found


@pytest.mark.thorough
@pytest.mark.parametrize("name", TREES)
def test_estimates_errors_and_fit_are_psychotools(name: str) -> None:
    case = recorded(name)
    theirs = case["result"]
    ours = fit_processing_tree(
        equations_of(case), case["inputs"]["counts"], n_starts=2, profile=False
    )
    at = ours.estimates
    assert ours.g2 == pytest.approx(theirs["G2"], abs=1e-6)
    assert ours.x2 == pytest.approx(theirs["X2"], abs=1e-6)
    assert ours.df == theirs["df"]
    assert ours.loglik >= theirs["logLik_kernel"] - 1e-7
    for parameter, value in theirs["parameters"].items():
        tolerance = 1e-5 if name.endswith("schizo") else 1e-7
        assert at.loc[parameter, "estimate"] == pytest.approx(value, abs=tolerance)
        if not name.endswith("schizo"):
            error = theirs["se_observed_information"][parameter]
            assert at.loc[parameter, "se"] == pytest.approx(error, rel=1e-4)


def test_psychotools_expected_information_is_the_outer_product_at_the_observed_counts() -> None:
    """Its errors named "expected" weigh by observed, not by expected counts; ours by expected."""
    case = recorded("mpt_pairclustering_trial1")
    model = TreeModel(equations_of(case), {})
    theta = np.array([case["result"]["parameters"][name] for name in model.parameters])
    counts = np.array([case["inputs"]["counts"][name] for name in case["inputs"]["categories"]])
    p, slopes = model.probabilities(theta), model.jacobian(theta)
    outer = np.einsum("c,ci,cj->ij", counts / p**2, slopes, slopes)
    theirs = list(case["result"]["se_expected_information"].values())
    assert np.sqrt(np.diag(np.linalg.inv(outer))) == pytest.approx(theirs, rel=1e-6)
    totals = np.bincount(model.tree_of, counts)[model.tree_of]
    expected = np.einsum("c,ci,cj->ij", totals / p, slopes, slopes)
    ours = fit_processing_tree(equations_of(case), case["inputs"]["counts"], profile=False)
    assert ours.estimates["se_expected"].to_numpy() == pytest.approx(
        np.sqrt(np.diag(np.linalg.inv(expected))), rel=1e-6
    )


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["srg_paired_400", "srg_independent_300", "srg_boundary_s"])
def test_seeing_reasoning_and_guessing(name: str) -> None:
    theirs = recorded(name)["result"]
    ours = perception_gap(data(name))
    marginal, joint = theirs["A_marginal_product_binomial"], theirs["C_joint_shared_state"]
    for parameter, value in marginal["ml"].items():
        assert ours.tree.estimates.loc[parameter, "estimate"] == pytest.approx(value, abs=2e-6)
    assert ours.tree.loglik == pytest.approx(marginal["logLik_kernel"], abs=1e-7)
    assert ours.shared is not None
    assert ours.shared.g2 == pytest.approx(joint["G2"], abs=1e-6)
    assert ours.shared.df == joint["df"]
    for parameter, value in joint["ml"].items():
        assert ours.shared.estimates.loc[parameter, "estimate"] == pytest.approx(value, abs=2e-6)
    if "B_paired_sandwich" in theirs:
        for parameter, error in theirs["B_paired_sandwich"]["se"].items():
            assert ours.tree.estimates.loc[parameter, "se_robust"] == pytest.approx(error, rel=1e-6)
    codes = {diagnostic.code for diagnostic in ours.diagnostics}
    assert ("reasoning_not_shared" in codes) == (joint["p_value_G2"] < 0.05)
    assert ("image_above_text" in codes) == (name == "srg_boundary_s")


def simulated(s: float, r: float, g: float, n: int, seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    reasoned, seen = rng.random(n) < r, rng.random(n) < s
    guess = rng.random((3, n)) < g
    return pd.DataFrame(
        {"image": (reasoned & seen) | guess[0], "text": reasoned | guess[1], "blind": guess[2]}
    ).astype(float)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("s", "r", "verdict"),
    [(0.5, 1.0, "seeing"), (1.0, 0.5, "reasoning"), (0.5, 0.5, "both"), (1.0, 1.0, "none")],
)
def test_a_pure_loss_is_called_by_its_name(s: float, r: float, verdict: str) -> None:
    assert perception_gap(simulated(s, r, 0.25, 600, 5)).verdict == verdict


@pytest.mark.thorough
def test_a_known_guessing_probability_stands_for_blind_answers() -> None:
    answers = simulated(0.6, 0.8, 0.25, 400, 2)
    by_blind = perception_gap(answers)
    known = perception_gap(
        answers.drop(columns="blind"), guess=float(answers["blind"].to_numpy().mean())
    )
    for name in ("s", "r"):
        assert known.tree.estimates.loc[name, "estimate"] == pytest.approx(
            by_blind.tree.estimates.loc[name, "estimate"], abs=1e-6
        )


@pytest.mark.thorough
def test_items_of_one_scene_count_as_one() -> None:
    answers = simulated(0.6, 0.8, 0.25, 100, 2)
    copied = pd.concat([answers] * 4, ignore_index=True)
    scene = np.tile(np.arange(100), 4)
    clustered = perception_gap(copied, clusters=scene).tree.estimates
    once = perception_gap(answers, clusters=np.arange(100)).tree.estimates
    assert clustered["se_robust"].to_numpy() == pytest.approx(once["se_robust"].to_numpy())
    assert clustered["ci_lower"].to_numpy() == pytest.approx(once["ci_lower"].to_numpy(), abs=1e-3)


@pytest.mark.thorough
def test_clusters_stay_with_their_items_where_an_item_was_never_asked() -> None:
    answers = simulated(0.6, 0.8, 0.25, 100, 2)
    copied = pd.concat([answers] * 2, ignore_index=True)
    scene = np.tile(np.arange(100), 2)
    never = pd.DataFrame(np.nan, index=[0], columns=answers.columns)
    gaps = pd.concat([never, copied.iloc[:50], never, copied.iloc[50:]], ignore_index=True)
    with_gaps = np.concatenate([[100], scene[:50], [101], scene[50:]])
    whole, found = perception_gap(copied, clusters=scene), perception_gap(gaps, clusters=with_gaps)
    assert found.n_items == 200
    assert found.gap.loc["t"].to_dict() == whole.gap.loc["t"].to_dict()
    with pytest.raises(ParameterError, match="200 entries for 202 items"):
        perception_gap(gaps, clusters=scene)


def test_an_unidentified_tree_says_so() -> None:
    tree = {"a": {"right": "x * y", "wrong": "1 - x * y"}}
    found = fit_processing_tree(tree, {"a.right": 30, "a.wrong": 70}, profile=False)
    assert found.diagnostics[0].code == "not_identified"


@pytest.mark.parametrize(
    ("equations", "counts", "words"),
    [
        ({"a": {"x": "p", "y": "p"}}, {"a.x": 1, "a.y": 1}, "sum to"),
        ({"a": {"x": "p / 2", "y": "1 - p"}}, {"a.x": 1, "a.y": 1}, "not a polynomial"),
        ({"a": {"x": "p +", "y": "1 - p"}}, {"a.x": 1, "a.y": 1}, "cannot be read"),
        ({"a": {"x": "p", "y": "1 - p"}}, {"a.x": 1}, "no column"),
        ({"a": {"x": "p", "y": "1 - p"}}, {"a.x": 0, "a.y": 0}, "all counts are 0"),
    ],
)
def test_mistakes_in_trees_are_named(equations: Any, counts: Any, words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        fit_processing_tree(equations, counts)
