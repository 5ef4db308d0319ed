"""Limits and rarely met branches: costs, unequal ratings, indefinite curvature, odd cells."""

from __future__ import annotations

import math
from types import SimpleNamespace as Made
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import special, stats

from gfactor.errors import ParameterError
from gfactor.psychometrics import alignment, planning
from gfactor.psychometrics.alignment.criterion import close_names
from gfactor.psychometrics.classical.agreement import fleiss_kappa
from gfactor.psychometrics.factor.correlations import _singular
from gfactor.psychometrics.generalizability.components import _differences, _drawn
from gfactor.psychometrics.irt import fit_irt
from gfactor.psychometrics.irt.brokenitems import affordable_simulations, simulate
from gfactor.psychometrics.irt.data import read_responses
from gfactor.psychometrics.irt.differential import _ets_class, _logistic
from gfactor.psychometrics.irt.estimation import _ascent
from gfactor.psychometrics.irt.explanatory import fit_slope_design
from gfactor.psychometrics.planning import Costs
from gfactor.psychometrics.pls.data import masked_correlations, table_of
from gfactor.psychometrics.pruning.validation import _mean_of_folds, rank_yardstick
from gfactor.psychometrics.respondents.copies import _line_through
from gfactor.psychometrics.validity.collinearity import variance_inflation


def test_costs_count_answers_of_examinees_and_ratings_of_raters() -> None:
    counts = {"item": 100, "examinee": 2, "judge": 3}
    plain = Costs(tokens=10, money=0.01, seconds=36, parallel=5).of(counts, ("item",))
    assert plain == pytest.approx({"answers": 200, "tokens": 2000, "money": 2, "hours": 0.4})
    rated = Costs(money=0.01, raters={"judge": 0.5, "referee": 9}).of(counts, ("item", "judge"))
    assert rated["answers"] == 200
    assert rated["money"] == pytest.approx(2 + 200 * 3 * 0.5)
    assert math.isnan(rated["tokens"])
    free = Costs(raters={"judge": 0.5}).of({"item": 4}, ("item", "judge"))
    assert free["money"] == pytest.approx(4 * 1 * 1 * 0.5)


def test_fleiss_kappa_needs_equally_many_ratings() -> None:
    even = pd.DataFrame({"a": [1, 1, 2, 2], "b": [1, 1, 2, 1], "c": [1, 2, 2, 1]})
    agreed = np.array([3, 1, 3, 1]) / 3
    shares = np.array([7, 5]) / 12
    expected = (agreed.mean() - (shares**2).sum()) / (1 - (shares**2).sum())
    assert fleiss_kappa(even, n_bootstrap=20).estimate == pytest.approx(expected)
    for row in ([1, None, 2], [1, None, None]):
        with pytest.raises(ParameterError, match="needs equally many ratings of every unit"):
            fleiss_kappa(
                pd.concat([even, pd.DataFrame([row], columns=list("abc"))]), n_bootstrap=20
            )


def test_names_are_close_where_they_hold_the_same_numbers() -> None:
    others = ["Qwen2-VL-7B", "qwen2-vl-2b", "LLaVA-13B"]
    found = close_names(["qwen2-vl-7b-chat", "Qwen2 VL 2B", "llava-7b", "xyz-13"], others)
    assert found == {"qwen2-vl-7b-chat": "Qwen2-VL-7B", "Qwen2 VL 2B": "qwen2-vl-2b"}


def test_where_curvature_is_indefinite_the_step_still_goes_up() -> None:
    rng = np.random.default_rng(1)
    basis, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    gradient = rng.normal(size=3)
    values = np.array([4.0, 0.5, -2.0])
    found = _ascent((basis * values) @ basis.T, gradient)
    expected = basis @ ((basis.T @ gradient) / np.abs(values))
    assert found == pytest.approx(expected)
    flat = np.array([4.0, -1e-9, -2.0])
    found = _ascent((basis * flat) @ basis.T, gradient)
    expected = basis @ ((basis.T @ gradient) / np.array([4.0, 4e-6, 2.0]))
    assert found == pytest.approx(expected, rel=1e-5)
    definite = (basis * [4, 0.5, 2]) @ basis.T
    assert definite @ _ascent(definite, gradient) == pytest.approx(gradient)
    assert _ascent(np.diag([-1e-30, -1e-31]), np.ones(2)) == pytest.approx([1e10, 1e10])


def test_scores_are_read_as_given_and_odd_cells_named() -> None:
    frame = pd.DataFrame({"a": [0, 1, 2, None], "b": ["3", "5", "3", "5"]}, index=list("wxyz"))
    table, _ = read_responses(frame)
    assert table.points() == pytest.approx(
        np.array([[0, 3], [1, 5], [2, 3], [np.nan, 5]]), nan_ok=True
    )
    assert table.codes.tolist() == [[0, 0], [1, 1], [2, 0], [-1, 1]]
    with pytest.raises(ParameterError, match="item 'b', row 'y': 'bad' is no number"):
        read_responses(frame.assign(b=["3", "5", "bad", "worse"]))
    with pytest.raises(ParameterError, match="item 'a', row 'x': the score is infinite"):
        read_responses(pd.DataFrame({"a": [0, np.inf, 1], "b": [0, 1, np.inf]}, index=list("wxy")))


def test_constant_and_duplicated_items_are_named_in_part() -> None:
    rng = np.random.default_rng(2)
    data = pd.DataFrame(rng.integers(0, 2, (40, 4)), columns=list("abcd")).astype(float)
    for k in range(6):
        data[f"k{k}"] = 1.0
    for k, name in enumerate("abcd"):
        data[f"s{k}"] = data[name]
    said = {d.code: d for d in read_responses(data)[1]}
    assert said["constant_items"].sentence.endswith("were left out: k0, k1, k2, k3, k4 ....")
    assert "(a = s0, b = s1, c = s2" in said["duplicated_items"].sentence.replace(": ", "(")
    assert "d = s3" not in said["duplicated_items"].sentence
    five = {d.code: d for d in read_responses(data.drop(columns="k5"))[1]}
    assert five["constant_items"].sentence.endswith("were left out: k0, k1, k2, k3, k4.")


def test_few_equal_answers_are_no_sign_of_a_duplicate() -> None:
    """Four even items: (1/2)^(n/2) * 6 pairs is below 0.01 from 19 persons on."""
    for n, found in ((18, False), (20, True)):
        data = pd.DataFrame({"a": [0, 1] * (n // 2), "c": [0, 0, 1] * (n // 3) + [0] * (n % 3),
                             "d": [1] + [0] * (n - 1)}).astype(float)  # fmt: skip
        data["b"] = data["a"]
        said = [d.code for d in read_responses(data)[1]]
        assert ("duplicated_items" in said) is found


def test_simulated_answers_follow_the_persons_covariates() -> None:
    rng = np.random.default_rng(3)
    group = np.repeat([0.0, 1.0], 150)
    theta = 1.5 * group + rng.normal(size=300)
    data = pd.DataFrame(
        (rng.random((300, 5)) < special.expit(theta[:, None] - np.linspace(-1, 2, 5))).astype(float)
    ).set_axis(list("abcde"), axis=1)
    fit = fit_irt(data, "rasch", covariates=pd.DataFrame({"group": group}))
    drawn = np.mean([simulate(fit, np.random.default_rng(k)) for k in range(30)], axis=0)
    seen = data.to_numpy()
    for part in (group == 0, group == 1):
        assert drawn[part].mean(axis=0) == pytest.approx(seen[part].mean(axis=0), abs=0.08)
    gap = drawn[group == 1].mean() - drawn[group == 0].mean()
    assert gap == pytest.approx(seen[group == 1].mean() - seen[group == 0].mean(), abs=0.03)


def test_simulations_are_left_out_where_they_are_too_many() -> None:
    def of(persons: int, items: int) -> Any:
        codes = np.broadcast_to(np.zeros(1), (persons, items))
        return Made(table=Made(codes=codes, items=range(items)))

    assert affordable_simulations(of(100, 50), 20) == 20
    assert affordable_simulations(of(10**9, 50), 20) == 0
    assert affordable_simulations(of(2, 10**5), 20) == 0


@pytest.mark.parametrize(
    ("delta", "error", "significant", "kind"),
    [
        (0.99, 0.1, True, "A"), (1.0, 0.1, True, "B"), (-1.2, 0.1, True, "B"),
        (2.0, 0.1, False, "A"),
        (1.5, 0.30, True, "C"), (1.5, 0.31, True, "B"), (-1.8, 0.1, True, "C"),
        (1.49, 0.1, True, "B"),
    ],
)  # fmt: skip
def test_classes_of_differences_are_those_of_ets(
    delta: float, error: float, significant: bool, kind: str
) -> None:
    assert _ets_class(delta, error, significant) == kind


def test_a_logistic_regression_reaches_its_maximum_from_far_away() -> None:
    rng = np.random.default_rng(4)
    x = np.column_stack([np.ones(60), 8 * rng.normal(size=60)])
    y = (rng.random(60) < special.expit(x @ [1, 0.4])).astype(float)
    best = max(
        float(y @ z - np.logaddexp(0, z).sum())
        for a in np.linspace(-1, 4, 101) for b in np.linspace(0, 1.5, 151)
        for z in [x @ [a, b]]
    )  # fmt: skip
    assert best <= _logistic(x, y) <= best + 0.01


def test_priors_on_slopes_are_taken_out_before_slopes_are_explained() -> None:
    """With a lognormal prior the estimates are drawn to its mode; what the answers alone say is
    what is regressed, so that both ways give about the same effects."""
    rng = np.random.default_rng(5)
    design = pd.DataFrame({"base": 1.0, "x": np.tile([0.0, 1.0], 6)},
                          index=[f"i{k}" for k in range(12)])  # fmt: skip
    a = np.exp(0.1 + 0.7 * design["x"].to_numpy())
    theta = rng.normal(size=(700, 1))
    p = special.expit(a * (theta - np.linspace(-1, 1, 12)))
    data = pd.DataFrame((rng.random(p.shape) < p).astype(float), columns=design.index)
    plain: Any = fit_slope_design(data, design).effects
    priors = {"slope": ("lognormal", -0.5, 0.3)}
    held: Any = fit_slope_design(data, design, priors=priors).effects
    assert held["estimate"].to_numpy() == pytest.approx(plain["estimate"].to_numpy(), abs=0.015)
    assert held["se"].to_numpy() == pytest.approx(plain["se"].to_numpy(), rel=0.3)
    drawn = fit_irt(data, "2pl", priors=priors).items["a"].to_numpy()
    free = fit_irt(data, "2pl").items["a"].to_numpy()
    assert np.log(free).mean() - np.log(drawn).mean() > 0.1


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
    assert _drawn(criterion, np.array([1e-4]), 1, np.random.default_rng(6)).shape == (0, 1)


def test_folds_without_a_value_do_not_count_in_their_mean() -> None:
    held = [np.array([1.0, np.nan, np.nan]), None, np.array([2.0, 4.0, np.inf])]
    found = _mean_of_folds(held)
    assert found[:2] == [1.5, 4.0]
    assert math.isnan(found[2])
    assert [math.isnan(x) for x in _mean_of_folds([None])] == [True] * 3


def test_rank_correlations_of_random_scores_are_spearmans_and_kendalls() -> None:
    rng = np.random.default_rng(7)
    whole = pd.Series(rng.normal(size=12), index=[f"m{k}" for k in range(12)])
    random = rng.normal(size=(12, 4)).round(1)
    found = rank_yardstick(whole, random, None)
    for k in range(4):
        assert found[0, k] == pytest.approx(stats.spearmanr(whole, random[:, k])[0])
        assert found[1, k] == pytest.approx(stats.kendalltau(whole, random[:, k])[0])


def test_a_line_through_matched_persons_needs_spread() -> None:
    x = np.array([1.0, 3, 5, np.nan, 7, 9, 11, 13])
    y = np.array([0.0, 1, 2, 3, 3, 4, np.nan, 6])
    assert _line_through(x, y) == pytest.approx((2.0, 1.0))
    assert _line_through(x, np.ones(8)) is None
    assert _line_through(np.ones(8), y) is None
    assert _line_through(x[:1], y[:1]) is None


def test_columns_that_share_no_row_have_no_correlation() -> None:
    rng = np.random.default_rng(8)
    data = pd.DataFrame(rng.normal(size=(24, 3)), columns=list("abc"))
    data.loc[:11, "b"] = np.nan
    data.loc[12:, "c"] = np.nan
    with pytest.raises(ParameterError, match="columns 'b' and 'c' share too few rows"):
        table_of(data, ["a", "b", "c"], "pairwise")


def test_variance_inflation_is_that_of_the_inverse_up_to_its_limit() -> None:
    r = np.array([[1, 0.5, 0.2], [0.5, 1, 0.3], [0.2, 0.3, 1]])
    assert variance_inflation(r) == pytest.approx(np.diag(np.linalg.inv(r)))
    near = np.array([[1, 1 - 1e-5], [1 - 1e-5, 1]])
    assert variance_inflation(near) == pytest.approx([1 / (1 - (1 - 1e-5) ** 2)] * 2, rel=1e-6)
    assert np.isinf(variance_inflation(np.ones((2, 2)))).all()


def test_remedies_count_persons_and_indicators() -> None:
    rng = np.random.default_rng(10)
    few = pd.DataFrame(rng.normal(size=(5, 6)), columns=list("abcdef"))
    said = _singular(np.ones(6), list(few), 5)
    assert said.sentence.startswith("The correlation matrix of 6 indicators has no inverse: 5 per")
    assert said.remedy == "At least 7 persons are needed, or fewer indicators."
    (small,) = [
        d
        for d in fit_irt((few > 0).astype(float), "rasch").diagnostics
        if d.code == "few_respondents"
    ]
    assert f"of about {2 / math.sqrt(5):.1f} logits" in small.sentence


def test_pairwise_correlations_of_resamples_are_those_of_their_rows() -> None:
    """A resample in which a column does not vary has no correlation with it."""
    rng = np.random.default_rng(12)
    raw = rng.normal(size=(8, 2))
    raw[0, 0] = np.nan
    raw[2:4, 1] = 0.7
    counts = np.array([[1, 2, 1, 1, 0, 1, 1, 1], [0, 0, 4, 4, 0, 0, 0, 0]], float)
    found: Any = masked_correlations(raw, counts, pairwise=True)
    rows = np.repeat(raw, counts[0].astype(int), axis=0)
    rows = rows[~np.isnan(rows).any(axis=1)]
    assert found[0, 0, 1] == pytest.approx(np.corrcoef(rows[:, 0], rows[:, 1])[0, 1])
    assert np.isnan(found[1, 0, 1])


def test_a_correlation_of_unlike_lengths_is_refused_with_both_lengths() -> None:
    long, short = list(range(6)), list(range(5))
    for refused in (
        lambda: alignment.coefficient(long, short),
        lambda: alignment.correlation_difference(long, short, long),
    ):
        with pytest.raises(ParameterError, match="lists of one length; these have 6, 5"):
            refused()


def test_a_design_with_too_few_items_is_not_enough_and_nothing_is_simulated() -> None:
    aim = planning.Difference(discordant=0.4)
    plan = planning.make_plan(aim, tries={"item": [4]}, simulations=20)
    assert plan.designs[["enough", "chosen"]].to_numpy().tolist() == [[False, False]]
    assert plan.simulated is None
    assert "no design tried is enough" in plan.summary()
    both = planning.make_plan(aim, tries={"item": [4, 200]}, simulations=20)
    assert both.designs["chosen"].tolist() == [False, True]
