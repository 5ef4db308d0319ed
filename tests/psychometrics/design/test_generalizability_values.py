"""Variance components against analysis of variance by hand, and what a D-study makes of them."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from support.tiers import few

from gfactor.errors import ParameterError
from gfactor.psychometrics.generalizability import gtheory, multivariate_gtheory
from gfactor.psychometrics.generalizability.designs import FacetDesign, conditions, is_balanced
from gfactor.psychometrics.generalizability.diagnosing import carried
from gfactor.psychometrics.generalizability.logistic import Logistic, _differences, _drawn


def long(scores: np.ndarray) -> Any:
    """Persons x items as rows of person, item, score."""
    table = pd.DataFrame(scores).melt(ignore_index=False, var_name="i", value_name="score")
    return table.reset_index(names="p")


def crossed(persons: int = 12, items: int = 6, seed: int = 1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    noise = rng.normal(size=(persons, items))
    return 3 + rng.normal(size=(persons, 1)) + 0.5 * rng.normal(size=items) + noise


def by_hand(scores: np.ndarray) -> tuple[float, float, float]:
    """Mean squares of persons, items and the rest."""
    n, k = scores.shape
    rows, columns, mean = scores.mean(axis=1), scores.mean(axis=0), scores.mean()
    rest = scores - rows[:, None] - columns + mean
    return (
        float(k * ((rows - mean) ** 2).sum() / (n - 1)),
        float(n * ((columns - mean) ** 2).sum() / (k - 1)),
        float((rest**2).sum() / ((n - 1) * (k - 1))),
    )


def test_persons_by_items_is_the_two_way_analysis_of_variance() -> None:
    scores = crossed()
    person, item, rest = by_hand(scores)
    found = gtheory(long(scores), object="p", facets=["i"])
    parts: Any = found.components
    assert parts.index.tolist() == ["p", "i", "p x i"]
    assert parts["ms"].tolist() == pytest.approx([person, item, rest])
    assert parts["df"].tolist() == [11, 5, 55]
    variances = [(person - rest) / 6, (item - rest) / 12, rest]
    assert parts["variance"].tolist() == pytest.approx(variances)
    assert parts["share"].tolist() == pytest.approx(np.array(variances) / sum(variances))
    # Brennan's standard errors: 2 MS^2 / (df + 2), by the weights of the mean squares.
    of_ms = [2 * ms**2 / (df + 2) for ms, df in ((person, 11), (item, 5), (rest, 55))]
    expected = [of_ms[0] + of_ms[2], of_ms[1] + of_ms[2], of_ms[2]]
    assert parts["se"].tolist() == pytest.approx(np.sqrt(expected) / [6, 12, 1])
    assert (found.estimator, found.n_objects, found.n) == ("anova", 12, 72)
    assert found.mean == pytest.approx(scores.mean())
    assert found.sizes == {"i": 6}
    assert np.isnan(found.criterion)
    assert (parts["ci_lower"] < parts["variance"]).all()
    assert (parts["variance"] < parts["ci_upper"]).all()
    # The interval of the residual is that of a chi-square.
    assert parts.loc["p x i", "ci_lower"] == pytest.approx(rest * 55 / 77.38, rel=0.03)
    assert parts.loc["p x i", "ci_upper"] == pytest.approx(rest * 55 / 36.40, rel=0.03)
    narrow: Any = gtheory(long(scores), object="p", facets=["i"], level=0.5).components
    assert (narrow["ci_upper"] - narrow["ci_lower"] < parts["ci_upper"] - parts["ci_lower"]).all()
    again: Any = gtheory(long(scores), object="p", facets=["i"], seed=1).components
    assert (again["ci_upper"] != parts["ci_upper"]).all()


def test_a_d_study_divides_by_the_conditions_and_spares_fixed_facets() -> None:
    found = gtheory(long(crossed()), object="p", facets=["i"])
    person, item, rest = found.components["variance"]
    for size in (None, 3, 20):
        at = found.coefficients(None if size is None else {"i": size})
        n = size or 6
        assert at["universe_score_variance"] == pytest.approx(person)
        assert at["relative_error"] == pytest.approx(rest / n)
        assert at["absolute_error"] == pytest.approx((item + rest) / n)
        assert at["e_rho2"] == pytest.approx(person / (person + rest / n))
        assert at["phi"] == pytest.approx(person / (person + (item + rest) / n))
        assert at["e_rho2_ci_lower"] < at["e_rho2"] < at["e_rho2_ci_upper"]
        assert at["phi_ci_lower"] < at["phi"] < at["phi_ci_upper"]
    fixed = found.coefficients(fixed=["i"])
    assert fixed["universe_score_variance"] == pytest.approx(person + rest / 6)
    assert (fixed["relative_error"], fixed["absolute_error"]) == (0, 0)
    assert (fixed["e_rho2"], fixed["phi"]) == (1, 1)
    grid = found.d_study({"i": [2, 5]})
    assert grid["n_i"].tolist() == [2, 5]
    assert grid["phi"].tolist() == pytest.approx(
        [found.coefficients({"i": n})["phi"] for n in (2, 5)]
    )
    assert found.title == (
        f"12 p, 72 scores, anova: E rho2 = {found.coefficients()['e_rho2']:.3f}, "
        f"Phi = {found.coefficients()['phi']:.3f}"
    )
    for wrong, words in (({"q": 3}, "'q' is not a facet"), ({"i": 0}, "at least 1 condition")):
        with pytest.raises(ParameterError, match=words):
            found.coefficients(wrong)
    with pytest.raises(ParameterError, match="'q' is not a facet"):
        found.coefficients(fixed=["q"])


def test_phi_lambda_is_phi_at_the_mean_and_one_far_from_it() -> None:
    found = gtheory(long(crossed()), object="p", facets=["i"])
    person, item, rest = found.components["variance"]
    of_mean = person / 12 + item / 6 + rest / 72
    signal, error = person - of_mean, (item + rest) / 6
    assert found.phi_lambda(found.mean) == pytest.approx(signal / (signal + error))
    away = signal + 2.0**2
    assert found.phi_lambda(found.mean - 2) == pytest.approx(away / (away + error))
    assert found.phi_lambda(found.mean + 2) == found.phi_lambda(found.mean - 2)
    more = person / 12 + item / 20 + rest / 240
    assert found.phi_lambda(found.mean, {"i": 20}) == pytest.approx(
        (person - more) / (person - more + (item + rest) / 20)
    )


def test_restricted_likelihood_of_balanced_scores_is_their_analysis_of_variance() -> None:
    table = long(crossed())
    ours: Any = gtheory(table, object="p", facets=["i"], estimator="reml")
    hand = gtheory(table, object="p", facets=["i"])
    assert ours.components["variance"].tolist() == pytest.approx(
        hand.components["variance"].tolist(), rel=1e-6
    )
    assert ours.mean == pytest.approx(hand.mean)
    assert ours.components["ms"].isna().all()
    assert (ours.components["ci_lower"] < ours.components["variance"]).all()
    assert (ours.components["variance"] < ours.components["ci_upper"]).all()
    assert ours.components.loc["p x i", "se"] == pytest.approx(
        hand.components.loc["p x i", "se"], rel=0.2
    )
    # Every mean square stands above those below it, so that both methods have the same intervals.
    for column in ("se", "ci_lower", "ci_upper"):
        assert ours.components[column].tolist() == pytest.approx(
            hand.components[column].tolist(), rel=1e-5
        )
    assert ours.coefficients()["phi_ci_lower"] == pytest.approx(
        hand.coefficients()["phi_ci_lower"], rel=1e-6
    )


def test_laplaces_likelihood_without_effects_is_that_of_a_coin() -> None:
    y = np.array([1.0, 1, 0, 1, 0, 1])
    model = Logistic(sparse.csc_matrix(np.eye(6)), np.zeros(6, int), y)
    share = 1 / (1 + np.exp(-0.3))
    coin = -2 * (4 * np.log(share) + 2 * np.log(1 - share))
    assert model(np.array([0.0, 0.3])) == pytest.approx(coin)
    assert model.reported(np.array([0.0, 0.3])) == pytest.approx((0.3, -coin / 2))
    assert model.variances(np.array([0.5, 0.3])).tolist() == pytest.approx([0.25, np.pi**2 / 3])


def test_differences_are_exact_for_a_polynomial_of_third_degree() -> None:
    def f(x: np.ndarray) -> float:
        return float(x[0] ** 3 + 2 * x[0] * x[1] - x[1] ** 2 + 5 * x[2])

    gradient, hessian = _differences(f, np.array([0.5, 2.0, 1.0]), np.array([0, 1]))
    assert gradient == pytest.approx([0.75 + 4, 1 - 4], abs=1e-8)
    assert hessian.ravel() == pytest.approx([3, 2, 2, -2], abs=1e-6)


def test_labels_and_conditions_of_nested_facets() -> None:
    design = FacetDesign("p", ("t", "r"), {"r": "t"})
    assert [design.label(e) for e in design.effects] == ["p", "t", "p x t", "r:t", "p x r:t"]
    assert design.parents("r") == {"t"}
    assert FacetDesign("p", ("a", "b", "c"), {"c": "b", "b": "a"}).parents("c") == {"a", "b"}
    # Two raters of one task and four of the other: their harmonic mean.
    codes: Any = {"p": np.zeros(6, int), "t": np.array([0, 0, 1, 1, 1, 1]), "r": np.arange(6)}
    assert conditions(design, codes, "r") == pytest.approx(2 / (1 / 2 + 1 / 4))
    assert conditions(design, codes, "t") == 2
    assert not is_balanced(design, codes)
    with pytest.raises(ParameterError, match="nested in itself"):
        _ = FacetDesign("p", ("a", "b"), {"a": "b", "b": "a"}).effects


@pytest.mark.thorough
def test_few_conditions_and_negative_variances_are_said() -> None:
    four = gtheory(long(crossed(items=4)), object="p", facets=["i"])
    said = [d for d in four.diagnostics if d.code == "few_conditions"]
    assert said[0].sentence.startswith("i has 4 conditions")
    five = gtheory(long(crossed(items=5)), object="p", facets=["i"])
    assert "few_conditions" not in {d.code for d in five.diagnostics}
    alike = np.random.default_rng(2).normal(size=(10, 6))
    alike -= alike.mean(axis=1, keepdims=True)
    none = gtheory(long(alike), object="p", facets=["i"])
    assert none.components.loc["p", "variance"] < 0
    assert none.components.loc["p", "share"] == 0
    below = next(d for d in none.diagnostics if d.code == "negative_variance")
    assert below.where == ("p",)
    reml = gtheory(long(alike), object="p", facets=["i"], estimator="reml")
    assert reml.components.loc["p", "variance"] == pytest.approx(0, abs=1e-8)
    # All draws of mean squares lie below 0; the likelihood says what is not ruled out.
    assert (none.samples["p"].to_numpy() < 0).all()
    low, high = none.components.loc["p", ["ci_lower", "ci_upper"]].tolist()
    assert low == 0
    assert high == pytest.approx(reml.components.loc["p", "ci_upper"], rel=1e-12)
    assert high > 0.01
    assert f"runs from 0 to {high:.3g}" in below.sentence
    both = ["ci_lower", "ci_upper"]
    assert none.components.loc["i", both].to_numpy() == pytest.approx(
        none.samples["i"].quantile([0.025, 0.975]).clip(lower=0).to_numpy()
    )


@pytest.mark.slow
def test_intervals_of_estimates_below_zero_hold_the_variance() -> None:
    """Of a true 0 and of a small variance, whatever the sign of the estimate."""
    rng = np.random.default_rng(8)
    held: dict[str, list[bool]] = {"o": [], "p x o": [], "i x o": []}
    negative = 0
    for _ in range(80):
        p, i, pi, io, rest = (
            rng.normal(size=size)
            for size in ((20, 1, 1), (1, 10, 1), (20, 10, 1), (1, 10, 3), (20, 10, 3))
        )
        scores = 0.5 * p + 0.4 * i + 0.3 * pi + 0.14 * io + 0.7 * rest
        cells = pd.MultiIndex.from_product([range(k) for k in scores.shape], names=list("pio"))
        table = pd.Series(scores.ravel(), cells, name="score").reset_index()
        found = gtheory(table, object="p", facets=["i", "o"]).components
        assert found["ci_lower"].to_numpy().min() >= 0
        assert (found["ci_upper"] - found["ci_lower"]).to_numpy().min() > 0
        negative += int((found["variance"].to_numpy() < 0).sum())
        for name, true in (("o", 0.0), ("p x o", 0.0), ("i x o", 0.14**2)):
            low, high = found.loc[name, ["ci_lower", "ci_upper"]].tolist()
            held[name].append(bool(low <= true <= high))
    assert negative > 60
    # Three standard errors of 80 data sets are 7 %.
    assert min(map(np.mean, held.values())) > 0.88


def answers(wrong: Any) -> pd.DataFrame:
    right = np.ones((5, 6))
    right[tuple(np.transpose(wrong))] = 0
    return long(right)


@pytest.mark.parametrize(
    ("wrong", "code", "words"),
    few(
        [
            ([(3, 4), (3, 5)], "not_carried", "2 of 30 scores are 0"),
            ([(p, i) for p in range(4) for i in range(6)], "not_carried", "6 of 30 scores are 1"),
            ([(1, 2), (2, 2), (4, 4), (1, 5), (0, 4), (3, 0)], "few_of_one_score", "6 of 30"),
        ],
        1,
    ),
)
def test_a_logistic_model_that_the_data_cannot_carry_is_said(
    wrong: Any, code: str, words: str
) -> None:
    (said,) = gtheory(answers(wrong), object="p", facets=["i"], estimator="logistic").diagnostics
    assert said.code == code
    assert said.severity == ("error" if code == "not_carried" else "warning")
    assert re.search(words, said.sentence)
    assert "Collect 30" in said.remedy


@pytest.mark.thorough
def test_enough_of_both_scores_carry_a_logistic_model() -> None:
    rng = np.random.default_rng(4)
    theta, difficulty = rng.normal(size=10), rng.normal(size=12)
    right = rng.random((10, 12)) < 1 / (1 + np.exp(difficulty - theta[:, None]))
    found = gtheory(long(right.astype(float)), object="p", facets=["i"], estimator="logistic")
    assert found.diagnostics == ()


@pytest.mark.parametrize("estimator", ["reml", "logistic"])
def test_scores_that_are_all_the_same_have_no_components(estimator: Any) -> None:
    with pytest.raises(ParameterError, match="all 80 scores are 1: there is no variance"):
        gtheory(long(np.ones((8, 10))), object="p", facets=["i"], estimator=estimator)
    (said,) = gtheory(long(np.ones((8, 10))), object="p", facets=["i"]).diagnostics
    assert (said.code, said.severity) == ("constant_scores", "error")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"object": "q"}, "column 'q' is not in the data, which have p, i, score"),
        ({"facets": ["i", "i"]}, "all different"),
        ({"estimator": "ml"}, "estimator must be auto, anova, reml or logistic, not 'ml'"),
        ({"one": True}, "'p' has one level"),
        ({"omit": ["p x i"]}, "'p x i' cannot be left out; these can: p, i"),
    ],
)
def test_what_cannot_be_studied_is_named(change: dict[str, Any], words: str) -> None:
    table = long(crossed())
    if change.pop("one", False):
        table = table[table["p"] == 0]
    with pytest.raises(ParameterError, match=words):
        gtheory(table, **{"object": "p", "facets": ["i"], **change})


def strata() -> Any:
    a, b = long(crossed(seed=1)), long(crossed(items=4, seed=1))
    return pd.concat([a.assign(s="a"), b.assign(s="b")], ignore_index=True)


def test_covariances_of_strata_are_those_of_their_means() -> None:
    table = strata()
    found = multivariate_gtheory(table, object="p", facet="i", stratum="s")
    means = table.pivot_table(index="p", columns="s", values="score")
    own = [found.strata[s].components.loc["p", "variance"] for s in "ab"]
    assert np.diag(found.covariance) == pytest.approx(own)
    assert found.covariance.loc["a", "b"] == pytest.approx(means.cov().loc["a", "b"])
    at = found.composite({"a": 2.0, "b": -1.0}, {"b": 10})
    a, b = found.strata["a"].coefficients(), found.strata["b"].coefficients({"i": 10})
    universe = 4 * own[0] + own[1] - 4 * found.covariance.loc["a", "b"]
    relative = 4 * a["relative_error"] + b["relative_error"]
    absolute = 4 * a["absolute_error"] + b["absolute_error"]
    assert at == pytest.approx({
        "universe_score_variance": universe, "relative_error": relative,
        "absolute_error": absolute, "e_rho2": universe / (universe + relative),
        "phi": universe / (universe + absolute),
    })  # fmt: skip
    alone = found.composite({"a": 1.0})
    assert alone["phi"] == pytest.approx(a["phi"])
    assert found.title == "2 strata, 12 objects"
    assert found.tables["strata"].loc["b", "phi"] == found.strata["b"].coefficients()["phi"]


def test_mistakes_in_strata_are_named() -> None:
    table = strata()
    common: dict[str, Any] = {"object": "p", "facet": "i", "stratum": "s"}
    with pytest.raises(ParameterError, match="'s' has 1 level"):
        multivariate_gtheory(table[table["s"] == "a"], **common)
    with pytest.raises(ParameterError, match="p 3 has no scores in one"):
        multivariate_gtheory(table[(table["s"] == "a") | (table["p"] != 3)], **common)
    with pytest.raises(ParameterError, match="column 't' is not in the data"):
        multivariate_gtheory(table, object="p", facet="i", stratum="t")
    with pytest.raises(ParameterError, match="'c' is not a stratum; the strata are a, b"):
        multivariate_gtheory(table, **common).composite({"c": 1})


@pytest.mark.slow
def test_wrong_answers_without_a_pattern_leave_the_logit_of_the_share_of_right_ones() -> None:
    rng = np.random.default_rng(1)
    scores = np.ones((40, 10))
    scores[rng.integers(0, 40, 5), rng.integers(0, 10, 5)] = 0
    fit = gtheory(long(scores), object="p", facets=["i"], value="score", estimator="logistic")
    assert scores.mean() > 0.98
    assert fit.components["variance"].to_numpy()[:2] == pytest.approx([0, 0], abs=1e-9)
    assert fit.mean == pytest.approx(np.log(scores.mean() / (1 - scores.mean())), abs=1e-5)


def test_scores_that_are_no_numbers_are_refused_in_a_sentence() -> None:
    data = pd.DataFrame({"p": list("aabb"), "t": list("xyxy"), "score": ["1", "2", "x", "4"]})
    with pytest.raises(ParameterError, match="the scores in column 'score' are not all numbers"):
        gtheory(data, object="p", facets=["t"])
    numbers = data.assign(score=["1", "2", "5", "4"])
    assert gtheory(numbers, object="p", facets=["t"]).mean == pytest.approx(3.0)


def test_a_logistic_study_needs_ten_of_the_rarer_score_per_parameter() -> None:
    def told(ones: int, n: int = 90, largest: float = 2.0, mean: float = 0.3) -> Any:
        y = np.r_[np.ones(ones), np.zeros(n - ones)]
        components = pd.DataFrame({"variance": [largest, 0.4, 3.29]}, index=["p", "t", "residual"])
        every = carried("logistic", components, pd.DataFrame({"p": [1.0]}), y, mean)
        return [(one.code, one.values["rarer_scores"]) for one in every]

    assert told(30) == told(60) == told(45) == []
    assert told(29) == [("few_of_one_score", 29)]
    assert told(61) == [("few_of_one_score", 29)]
    assert told(3) == [("few_of_one_score", 3)]
    assert told(2) == [("not_carried", 2)]
    assert told(45, largest=100.0) == told(45, mean=10.0) == told(45, mean=-10.0) == []
    assert told(45, largest=100.1) == told(45, mean=-10.1) == [("not_carried", 45)]


def persons_by_items(persons: int = 9, items: int = 4) -> pd.DataFrame:
    rng = np.random.default_rng(5)
    p, i = rng.normal(size=persons), 0.5 * rng.normal(size=items)
    return pd.DataFrame(
        [(f"p{a}", f"i{b}", p[a] + i[b] + rng.normal()) for a in range(persons)
         for b in range(items)], columns=["p", "i", "score"],
    )  # fmt: skip


def test_dependability_at_a_cut_corrects_the_distance_for_the_error_of_the_mean() -> None:
    table = persons_by_items()
    found = gtheory(table, object="p", facets=["i"])
    part = dict(zip(map(effect_name, found.design.effects), found.components["variance"],
                    strict=True))  # fmt: skip
    vp, vi, vpi = part["p"], part["i"], part["ip"]
    for sizes, n in ((None, 4), ({"i": 10}, 10)):
        of_mean = vp / 9 + vi / n + vpi / (n * 9)
        signal = vp + (found.mean - 1.0) ** 2 - of_mean
        assert found.phi_lambda(1.0, sizes) == pytest.approx(signal / (signal + (vi + vpi) / n))


def effect_name(effect: Any) -> str:
    return "".join(sorted(effect))


def test_a_composite_adds_universe_scores_and_errors() -> None:
    table = pd.concat([persons_by_items().assign(s=s, i=lambda d, s=s: s + d["i"],
                                       score=lambda d, k=k: d["score"] * k + 0.1 * k * k)
                       for k, s in enumerate("ab", 1)])  # fmt: skip
    table["score"] += np.random.default_rng(1).normal(size=len(table))
    found = multivariate_gtheory(table, object="p", facet="i", stratum="s")
    a, b = (found.strata[name].coefficients({"i": n}) for name, n in (("a", 4), ("b", 6)))
    at = found.composite({"a": 0.5, "b": 2.0}, {"b": 6})
    c = found.covariance.to_numpy()
    universe = 0.25 * c[0, 0] + 4 * c[1, 1] + 2 * c[0, 1]
    relative = 0.25 * a["relative_error"] + 4 * b["relative_error"]
    absolute = 0.25 * a["absolute_error"] + 4 * b["absolute_error"]
    assert at == pytest.approx({
        "universe_score_variance": universe, "relative_error": relative,
        "absolute_error": absolute, "e_rho2": universe / (universe + relative),
        "phi": universe / (universe + absolute),
    })  # fmt: skip
    with pytest.raises(ParameterError, match="'z' is not a stratum; the strata are a, b"):
        found.composite({"a": 1.0}, {"z": 3})


def test_draws_around_variance_components_have_the_inverse_information() -> None:
    """A criterion that is quadratic in the log of the first and in the second parameter."""
    information = np.array([[30.0, 6.0], [6.0, 20.0]])
    center = np.array([np.log(0.5), 2.0])

    def criterion(x: np.ndarray) -> float:
        away = np.array([np.log(x[0]), x[1]]) - center
        return float(away @ information @ away)

    x = np.array([0.5, 2.0])
    gradient, hessian = _differences(criterion, x, np.arange(2))
    assert gradient == pytest.approx([0, 0], abs=1e-4)
    assert hessian[0, 0] == pytest.approx(2 * 30 / 0.25, rel=0.01)
    draws = _drawn(criterion, x, 1, np.random.default_rng(6))
    spread = np.cov(np.column_stack([np.log(draws[:, 0]), draws[:, 1]]).T)
    assert spread == pytest.approx(np.linalg.inv(information), rel=0.2, abs=0.003)
    assert len(_drawn(lambda x: -criterion(x), x, 1, np.random.default_rng(6))) == 0
    at_boundary = _drawn(criterion, np.array([1e-4]), 1, np.random.default_rng(6))
    assert (at_boundary == 1e-4).all(), "a component at its bound is not free to move"


def test_a_small_logistic_component_is_drawn_in_its_own_order_and_not_over_logarithms() -> None:
    """A criterion that is quadratic in the variance .0013, with the standard error .01."""

    def criterion(x: np.ndarray) -> float:
        return float(((x[0] ** 2 - 0.0013) / 0.01) ** 2)

    draws = _drawn(criterion, np.array([np.sqrt(0.0013)]), 1, np.random.default_rng(6))[:, 0] ** 2
    assert np.mean(draws == 0) == pytest.approx(0.45, abs=0.08)
    assert np.quantile(draws, 0.975) == pytest.approx(0.0013 + 1.96 * 0.01, rel=0.25)


def test_what_rounding_leaves_of_a_component_is_zero_without_a_warning() -> None:
    # Every object has the same scores, so that its component is 0 but for the last digits.
    pattern = np.array([0.1, 0.7, 0.3, 0.9, 0.2])
    rows = [
        {"p": str(p), "i": str(i), "score": pattern[i] + 0.1 * ((p + i) % 3)}
        for p in range(6)
        for i in range(5)
    ]
    study = gtheory(pd.DataFrame(rows), object="p", facets=["i"])
    for variance in study.components["variance"]:
        assert variance == 0 or abs(variance) > 1e-9


def test_occasions_that_repeat_each_other_vary_by_zero_in_every_column() -> None:
    scores = pd.concat([long(crossed(5, 4) / 7).assign(o=o) for o in ("first", "second")])
    components = gtheory(scores, object="p", facets=["i", "o"]).components
    repeated = [effect for effect in components.index if "o" in effect.split(" x ")]
    assert repeated
    assert (components.loc[repeated, ["ms", "ci_lower", "ci_upper", "se"]] == 0).all(axis=None)
