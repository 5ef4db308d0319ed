"""Processing trees against closed forms: binomials, their intervals, and shares of a loss."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import special, stats

from gfactor.errors import ParameterError
from gfactor.numbers_in_text import p_value
from gfactor.psychometrics.inference.intervals import cluster_t, wilson
from gfactor.psychometrics.inference.paired import mcnemar_exact, mcnemar_mid_p, newcombe, tango
from gfactor.psychometrics.trees import fit_processing_tree, perception_gap
from gfactor.psychometrics.trees.gap import _losses, _verdict
from gfactor.psychometrics.trees.likelihood import _proven
from gfactor.psychometrics.trees.model import TreeModel

COIN = {"a": {"right": "p", "wrong": "1 - p"}}
TWO = {
    "text": {"right": "r + (1 - r) * g", "wrong": "(1 - r) * (1 - g)"},
    "blind": {"right": "g", "wrong": "1 - g"},
}


def deviance(k: int, n: int, p: float) -> float:
    """Twice the log-likelihood that a binomial loses at p."""
    share = k / n
    return float(2 * (special.xlogy(k, share / p) + special.xlogy(n - k, (1 - share) / (1 - p))))


@pytest.mark.parametrize("level", [0.95, 0.8])
def test_the_profile_interval_of_a_coin_ends_where_the_deviance_is_the_quantile(
    level: float,
) -> None:
    at = fit_processing_tree(COIN, {"a.right": 30, "a.wrong": 70}, level=level).estimates.loc["p"]
    assert at["estimate"] == pytest.approx(0.3, abs=1e-12)
    for error in ("se", "se_expected"):
        assert at[error] == pytest.approx(np.sqrt(0.21 / 100), rel=1e-9)
    assert at["ci_lower"] < 0.3 < at["ci_upper"]
    for end in ("ci_lower", "ci_upper"):
        assert deviance(30, 100, at[end]) == pytest.approx(stats.chi2.ppf(level, 1), abs=1e-4)


@pytest.mark.parametrize(
    ("right", "at_edge", "other"), [(0, "ci_lower", "ci_upper"), (40, "ci_upper", "ci_lower")]
)
def test_a_coin_that_always_falls_alike_has_an_interval_but_no_error(
    right: int, at_edge: str, other: str
) -> None:
    found = fit_processing_tree(COIN, {"a.right": right, "a.wrong": 40 - right})
    at = found.estimates.loc["p"]
    edge = right / 40
    assert (at["estimate"], at[at_edge]) == (edge, edge)
    inner = 1 - np.exp(-stats.chi2.ppf(0.95, 1) / 80)  # 40 log(1 - p) = -chi2 / 2
    assert at[other] == pytest.approx(abs(edge - inner), abs=1e-6)
    assert at["at_boundary"]
    assert np.isnan(at[["se", "se_expected", "se_robust"]].to_numpy(float)).all()
    assert [d.code for d in found.diagnostics] == ["boundary"]
    assert f"boundary {edge:.0f}:" in found.diagnostics[0].sentence


def test_two_trees_are_solved_by_hand_with_the_errors_of_the_delta_method() -> None:
    found = fit_processing_tree(
        TWO, {"text.right": 80, "text.wrong": 20, "blind.right": 10, "blind.wrong": 30}
    )
    at = found.estimates
    assert at.index.tolist() == ["r", "g"]
    assert at["estimate"].tolist() == pytest.approx([(0.8 - 0.25) / 0.75, 0.25], abs=1e-9)
    # r = 1 - (1 - t) / (1 - g): its slopes are 1 / (1 - g) in t and -(1 - t) / (1 - g)^2 in g.
    t, g = 0.16 / 100, 0.1875 / 40
    of_r = t / 0.75**2 + g * (0.2 / 0.75**2) ** 2
    assert at.loc["r", "se"] == pytest.approx(np.sqrt(of_r), rel=1e-8)
    assert at.loc["g", "se"] == pytest.approx(np.sqrt(g), rel=1e-8)
    assert found.vcov.loc["r", "g"] == pytest.approx(-0.2 / 0.75**2 * g, rel=1e-8)
    assert (found.df, found.g2, found.x2) == (0, pytest.approx(0, abs=1e-9), pytest.approx(0))
    assert np.isnan(found.p)
    assert found.n_respondents == 1
    assert np.isnan(found.vcov_robust.to_numpy()).all()
    assert found.diagnostics == ()
    loglik = 80 * np.log(0.8) + 20 * np.log(0.2) + 10 * np.log(0.25) + 30 * np.log(0.75)
    assert found.loglik == pytest.approx(loglik, abs=1e-9)
    facts = found.facts
    assert (facts["n"], facts["n_respondents"], facts["level"]) == (140, 1, 0.95)
    assert facts["aic"] == pytest.approx(-2 * loglik + 4)
    assert facts["bic"] == pytest.approx(-2 * loglik)
    assert found.title == (
        "processing tree: 2 parameters, 140 answers of 1 respondents, G2(0) = 0.000"
    )
    assert found.fitted["expected"].tolist() == pytest.approx([80, 20, 10, 30], abs=1e-6)
    assert found.fitted["observed"].tolist() == [80, 20, 10, 30]


def test_misfit_is_that_of_a_table_of_proportions() -> None:
    """One coin for two trees: G2 and X2 are those of the 2 x 2 table."""
    same = {"a": COIN["a"], "b": COIN["a"]}
    found = fit_processing_tree(
        same, {"a.right": 30, "a.wrong": 20, "b.right": 15, "b.wrong": 35}, profile=False
    )
    table = np.array([[30, 20], [15, 35]])
    assert found.x2 == pytest.approx(stats.chi2_contingency(table, correction=False)[0], rel=1e-9)
    g2, p, df, _ = stats.chi2_contingency(table, correction=False, lambda_="log-likelihood")
    assert (found.g2, found.p, found.df) == pytest.approx((g2, p, df), rel=1e-9)
    assert [d.code for d in found.diagnostics] == ["misfit"]
    assert f"G2(1) has p {p_value(p, '= ')}" in found.diagnostics[0].sentence
    assert np.isnan(found.estimates[["ci_lower", "ci_upper"]].to_numpy()).all()


def test_a_tree_without_answers_takes_no_part_in_fit() -> None:
    same = {"a": COIN["a"], "b": COIN["a"], "c": COIN["a"]}
    counts = {"a.right": 30, "a.wrong": 20, "b.right": 15, "b.wrong": 35}
    found = fit_processing_tree(same, {**counts, "c.right": 0, "c.wrong": 0}, profile=False)
    assert found.df == 1


def test_robust_errors_are_those_of_cluster_means() -> None:
    rng = np.random.default_rng(2)
    right = rng.binomial(5, rng.beta(2, 2, 30))
    data = pd.DataFrame({"a.right": right, "a.wrong": 5 - right})
    found = fit_processing_tree(COIN, data)
    share = right.sum() / 150
    robust = np.sqrt(((right - 5 * share) ** 2).sum()) / 150
    at = found.estimates.loc["p"]
    assert at["se_robust"] == pytest.approx(robust, rel=1e-9)
    # The interval is that of a likelihood whose logarithm is divided by the ratio of variances.
    scale = robust**2 / (share * (1 - share) / 150)
    most = stats.chi2.ppf(0.95, 1) * scale
    for end in ("ci_lower", "ci_upper"):
        assert deviance(int(right.sum()), 150, at[end]) == pytest.approx(most, abs=1e-4)
    pairs = fit_processing_tree(COIN, data, clusters=np.arange(30) // 2, profile=False)
    summed = right.reshape(15, 2).sum(axis=1)
    assert pairs.estimates.loc["p", "se_robust"] == pytest.approx(
        np.sqrt(((summed - 10 * share) ** 2).sum()) / 150, rel=1e-9
    )
    with pytest.raises(ParameterError, match="clusters have 29 entries for 30 rows"):
        fit_processing_tree(COIN, data, clusters=np.arange(29))


def test_derivatives_of_a_tree_are_its_differences() -> None:
    equations = {"t": {"x": "a^2 * (1 - b) + 0.5 * a * b", "y": "1 - (a**2*(1-b) + 0.5*a*b)"}}
    model = TreeModel(equations, {})
    assert model.parameters == ("a", "b")  # As the equation names them.
    theta, step = np.array([0.3, 0.6]), 1e-5
    assert model.probabilities(theta)[0] == pytest.approx(0.09 * 0.4 + 0.5 * 0.18)
    for j in range(2):
        move = step * np.eye(2)[j]
        slope = (model.probabilities(theta + move) - model.probabilities(theta - move)) / 2 / step
        assert model.jacobian(theta)[:, j] == pytest.approx(slope, abs=1e-8)
        bend = (model.jacobian(theta + move) - model.jacobian(theta - move)) / 2 / step
        assert model.hessians(theta)[:, :, j] == pytest.approx(bend, abs=1e-8)


def test_a_minus_sign_and_a_fixed_parameter_are_read() -> None:
    model = TreeModel({"t": {"x": "-(-p) * c", "y": "1 - c * p"}}, {"c": 0.5})
    assert model.parameters == ("p",)
    assert model.probabilities(np.array([0.4])).tolist() == pytest.approx([0.2, 0.8])
    model.check()
    with pytest.raises(ParameterError, match="fixed parameter 'q' is in no equation"):
        _ = TreeModel(COIN, {"q": 0.5}).parameters
    with pytest.raises(ParameterError, match="not a polynomial"):
        TreeModel({"t": {"x": "p ** 0.5", "y": "1 - p"}}, {}).check()


def answers(n: int = 60) -> pd.DataFrame:
    """By hand: of 60 items 30 are solved as picture, 45 as text, 12 blind, 24 as both first."""
    image, text, blind = np.zeros(n), np.zeros(n), np.zeros(n)
    image[:24] = text[:24] = 1
    image[24:30] = 1
    text[30:51] = 1
    blind[::5] = 1
    return pd.DataFrame({"image": image, "text": text, "blind": blind})


@pytest.mark.thorough
def test_a_loss_is_shared_out_by_the_accuracies() -> None:
    found = perception_gap(answers())
    image, text, g = 0.5, 0.75, 0.2
    r = (text - g) / (1 - g)
    s = (image - g) / (text - g)
    at = found.tree.estimates["estimate"]
    assert at[["s", "r", "g"]].tolist() == pytest.approx([s, r, g], abs=1e-8)
    losses = found.losses
    assert losses["estimate"].tolist() == pytest.approx([text - image, 1 - text], abs=1e-8)
    assert losses["share"].tolist() == pytest.approx([0.5, 0.5], abs=1e-8)
    # The loss in seeing is text - image, paired; that in reasoning what the texts lack to 1.
    gap: Any = found.gap.loc["newcombe"]
    right, n = round(text * 60), 60
    low, high = (float(end) for end in wilson(n - right, n))
    assert losses.loc["seeing", ["ci_lower", "ci_upper"]].tolist() == pytest.approx(
        [-gap["ci_upper"], -gap["ci_lower"]]
    )
    assert losses.loc["reasoning", ["ci_lower", "ci_upper"]].tolist() == pytest.approx([low, high])
    assert found.verdict == "both"
    assert found.n_items == 60


@pytest.mark.thorough
def test_gap_and_accuracies_are_those_of_the_paired_table() -> None:
    data = answers()
    data.loc[58:, "image"] = np.nan
    for level in (0.95, 0.9):
        found = perception_gap(data, level=level)
        a, b, c, d, n = 24, 6, 21, 7, 58
        assert found.gap.index.tolist() == ["newcombe", "tango"]
        assert found.gap["n"].tolist() == [n, n]
        assert found.gap["estimate"].tolist() == pytest.approx([(b - c) / n] * 2)
        ends = found.gap[["ci_lower", "ci_upper"]].to_numpy()
        assert ends[0] == pytest.approx(newcombe(a, b, c, d, level))
        assert ends[1] == pytest.approx(tango(b, c, n, level))
        assert found.tests == {
            "b": b, "c": c, "p_exact": mcnemar_exact(b, c), "p_mid": mcnemar_mid_p(b, c),
        }  # fmt: skip
        rows = found.accuracy
        assert rows["n"].tolist() == [58, 60, 60]
        assert rows["estimate"].tolist() == pytest.approx([30 / 58, 0.75, 0.2])
        for version, k in (("image", 30), ("text", 45), ("blind", 12)):
            expected = [float(v) for v in wilson(k, rows.loc[version, "n"], level)]
            assert rows.loc[version, ["ci_lower", "ci_upper"]].tolist() == pytest.approx(expected)
    assert found.title.startswith("image - text = -0.259 [")
    assert "on 58 pairs; loss of both" in found.title
    assert found.facts["b"] == 6
    assert found.facts["g2_shared"] == found.shared.g2  # type: ignore[union-attr]


def test_items_of_one_template_have_intervals_over_templates() -> None:
    data, groups = answers(), np.arange(60) // 6
    found: Any = perception_gap(data, clusters=[f"t{k}" for k in groups])
    assert found.gap.index[0] == "t"
    t = cluster_t((data["image"] - data["text"]).to_numpy(), groups, 0.95)
    assert found.gap.loc["t", ["ci_lower", "ci_upper"]].tolist() == pytest.approx([t.low, t.high])
    blind = cluster_t(data["blind"].to_numpy(), groups, 0.95)
    assert found.accuracy.loc["blind", "ci_upper"] == pytest.approx(min(blind.high, 1))
    assert found.accuracy["ci_lower"].min() >= 0
    assert found.accuracy["ci_upper"].max() <= 1
    with pytest.raises(ParameterError, match="clusters have 3 entries for 60 items"):
        perception_gap(data, clusters=[1, 2, 3])


@pytest.mark.slow
def test_what_contradicts_the_tree_is_said() -> None:
    data = answers().rename(columns={"image": "text", "text": "image"})
    codes = {d.code for d in perception_gap(data).diagnostics}
    assert "image_above_text" in codes
    assert "blind_above_text" not in codes
    blind = answers()
    blind["blind"], blind["text"] = blind["text"].to_numpy(), blind["blind"].to_numpy()
    assert "blind_above_text" in {d.code for d in perception_gap(blind).diagnostics}
    plain = {d.code for d in perception_gap(answers()).diagnostics}
    assert not plain & {"image_above_text", "blind_above_text"}


def test_twenty_answers_of_each_version_are_needed() -> None:
    data = answers()
    data.loc[20:, "image"] = np.nan
    found = perception_gap(data)
    assert found.gap["n"].tolist() == [20, 20]
    assert found.shared is not None
    data.loc[19, "image"] = np.nan
    with pytest.raises(ParameterError, match="version 'image' has 19 answers"):
        perception_gap(data)
    blind = answers()
    blind.loc[:10, "image"] = np.nan
    blind.loc[50:, "text"] = np.nan
    blind.loc[20:49, "blind"] = np.nan
    assert perception_gap(blind).shared is None


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"drop": "blind"}, "needs a column 'blind'.*without blind answers give guess"),
        ({"drop": "text"}, "needs a column 'text'"),
        ({"guess": 1.0}, "guess must be a probability below 1, not 1.0"),
        ({"guess": -0.1}, "guess must be a probability below 1, not -0.1"),
        ({"value": 0.5}, "1 \\(right\\), 0 \\(wrong\\) or missing"),
    ],
)
def test_mistakes_in_answers_are_named(change: dict[str, Any], words: str) -> None:
    data = answers()
    if "drop" in change:
        data = data.drop(columns=change["drop"])
    if "value" in change:
        data.iloc[0, 0] = change["value"]
    with pytest.raises(ParameterError, match=words):
        perception_gap(data, guess=change.get("guess"))


def test_without_guessing_losses_need_no_blind_answers() -> None:
    found = perception_gap(answers().drop(columns="blind"), guess=0.0)
    assert found.losses["estimate"].tolist() == pytest.approx([0.25, 0.25], abs=1e-8)
    assert found.accuracy.index.tolist() == ["image", "text"]
    assert found.tree.df == 0


def test_a_parameter_at_its_bound_is_proven_where_the_likelihood_falls_inwards() -> None:
    half = TreeModel({"t": {"x": "0.5 + 0.5 * p", "y": "0.5 - 0.5 * p"}}, {})
    at_zero = np.array([0.0])
    for x, proven in ((40.0, True), (50.4, False), (60.0, False)):
        # The slope at 0 is x - y.
        assert _proven(half, np.array([x, 100 - x]), at_zero, None) is proven
    assert _proven(half, np.array([60.0, 40.0]), np.array([0.2]), None)
    assert not _proven(half, np.array([60.0, 40.0]), np.array([0.21]), None)
    assert _proven(half, np.array([60.0, 40.0]), np.array([0.21]), (0, 0.21))
    # No answer of a category that cannot be.
    assert not _proven(half, np.array([60.0, 40.0]), np.array([1.0]), None)


def test_losses_of_versions_without_common_items_add_up_their_squared_distances() -> None:
    ends = ["estimate", "ci_lower", "ci_upper"]
    accuracy = pd.DataFrame([[0.9, 0.8, 0.95], [0.6, 0.5, 0.72]], ["text", "image"], ends)
    none = pd.DataFrame([{"n": 0, **dict.fromkeys(ends, np.nan)}])
    found = _losses(accuracy, none)
    low, high = 0.3 - math.hypot(0.1, 0.12), 0.3 + math.hypot(0.05, 0.1)
    assert found.loc["seeing", ends].tolist() == pytest.approx([0.3, low, high])
    assert found.loc["reasoning", ends].tolist() == pytest.approx([0.1, 0.05, 0.2])
    assert found["share"].tolist() == pytest.approx([0.75, 0.25])
    paired = pd.DataFrame([{"n": 9, "estimate": -0.2, "ci_lower": -0.5, "ci_upper": 0.1}])
    assert _losses(accuracy, paired).loc["seeing", ends].tolist() == pytest.approx([0.2, 0, 0.5])
    right = pd.DataFrame(1.0, ["text", "image"], ends)
    assert np.isnan(_losses(right, none)["share"].to_numpy()).all()


@pytest.mark.parametrize(
    ("seeing", "reasoning", "verdict"),
    [
        ((0.1, 0.3), (0.2, 0.4), "both"), ((0.1, 0.3), (0.0, 0.4), "seeing"),
        ((0.0, 0.3), (0.1, 0.4), "reasoning"), ((0.0, 0.04), (0.0, 0.049), "none"),
        ((0.0, 0.04), (0.0, 0.051), "undecided"), ((0.0, 0.06), (0.0, 0.01), "undecided"),
        ((1e-10, 0.04), (0.0, 0.01), "none"),
    ],
)  # fmt: skip
def test_a_loss_is_called_when_its_interval_excludes_zero(
    seeing: tuple[float, float], reasoning: tuple[float, float], verdict: str
) -> None:
    found = pd.DataFrame([seeing, reasoning], ["seeing", "reasoning"], ["ci_lower", "ci_upper"])
    assert _verdict(found) == verdict
