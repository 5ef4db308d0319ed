"""Options, residuals and mean squares of items against hand calculation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import special, stats

from gfactor.errors import ParameterError
from gfactor.psychometrics.inference.intervals import wilson
from gfactor.psychometrics.inference.multiplicity import benjamini_hochberg
from gfactor.psychometrics.irt import fit_irt, overallfit
from gfactor.psychometrics.irt.distractors import option_table
from gfactor.psychometrics.irt.itemfit import (
    _merged,
    item_fit,
    mean_squares,
    observed_points,
    person_fit,
    q3,
    residuals,
)


def answers(persons: int = 200, items: int = 6, seed: int = 4) -> Any:
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(persons, 1)) - np.linspace(-1, 1, items)
    return pd.DataFrame((rng.random(z.shape) < special.expit(z)).astype(float)).add_prefix("i")


@pytest.fixture(scope="module")
def fit() -> Any:
    return fit_irt(answers(), "rasch")


@pytest.fixture(scope="module")
def difficulties(fit: Any) -> np.ndarray:
    return fit.items["b"].to_numpy(float)


def test_residuals_are_answers_less_probabilities(fit: Any, difficulties: np.ndarray) -> None:
    theta = np.linspace(-2, 2, 200)
    codes = fit.table.codes.copy()
    codes[3, 2] = -1
    residual, variance = residuals(fit, codes, theta)
    p = special.expit(theta[:, None] - difficulties)
    assert variance == pytest.approx(p * (1 - p), abs=1e-9)
    assert np.isnan(residual[3, 2])
    shown = codes >= 0
    assert residual[shown] == pytest.approx((codes - p)[shown], abs=1e-9)
    infit, outfit = mean_squares(residual, variance)
    squares = residual**2
    assert infit == pytest.approx(
        np.nansum(squares, axis=0) / (variance * shown).sum(axis=0), rel=1e-9
    )
    assert outfit == pytest.approx(np.nanmean(squares / variance, axis=0), rel=1e-9)


def test_fit_of_items_and_persons_is_taken_at_eap_abilities(
    fit: Any, difficulties: np.ndarray
) -> None:
    theta = fit.scores("eap")["theta"].to_numpy()
    p = special.expit(theta[:, None] - difficulties)
    x = answers().to_numpy()
    z2 = (x - p) ** 2 / (p * (1 - p))
    items: Any = item_fit(fit)
    persons: Any = person_fit(fit)
    assert items["outfit"].to_numpy() == pytest.approx(z2.mean(axis=0), rel=1e-6)
    assert persons["outfit"].to_numpy() == pytest.approx(z2.mean(axis=1), rel=1e-6)
    weighed = (z2 * p * (1 - p)).sum(axis=1) / (p * (1 - p)).sum(axis=1)
    assert persons["infit"].to_numpy() == pytest.approx(weighed, rel=1e-6)
    log = np.where(x == 1, np.log(p), np.log(1 - p)).sum(axis=1)
    mean = (p * np.log(p) + (1 - p) * np.log(1 - p)).sum(axis=1)
    spread = (p * (1 - p) * np.log(p / (1 - p)) ** 2).sum(axis=1)
    assert persons["zh"].to_numpy() == pytest.approx((log - mean) / np.sqrt(spread), rel=1e-6)
    expected = pd.DataFrame(x - p).corr().to_numpy()
    assert q3(fit).to_numpy() == pytest.approx(expected, abs=1e-6)
    # S-X2 of six items has at most five scores, less the one parameter of the item.
    assert (items["s_x2_df"] <= 4).all()
    assert items["s_x2_p"].to_numpy() == pytest.approx(
        stats.chi2.sf(items["s_x2"], items["s_x2_df"])
    )
    gaps = answers()
    gaps.iloc[0, 0] = np.nan
    with_gaps: Any = item_fit(fit_irt(gaps, "rasch"))
    assert with_gaps["s_x2"].isna().all()


def rows(*given: tuple[float, float, float]) -> list[np.ndarray]:
    """Persons, expected right and expected wrong of each score; the observed is told by place."""
    return [np.array([n, k, right, wrong]) for k, (n, right, wrong) in enumerate(given)]


def test_scores_with_small_expectations_are_merged_inwards_or_into_the_smaller_neighbor() -> None:
    fine = rows((9, 4, 5), (8, 4, 4), (9, 5, 4))
    assert [list(r) for r in _merged([*fine], 1.0)] == [list(r) for r in fine]
    first = _merged(rows((4, 0.5, 3.5), (8, 4, 4), (9, 5, 4)), 1.0)
    assert [r[0] for r in first] == [12, 9]
    last = _merged(rows((9, 5, 4), (8, 4, 4), (4, 3.9, 0.1)), 1.0)
    assert [r[0] for r in last] == [9, 12]
    left = _merged(rows((7, 5, 2), (4, 0.5, 3.5), (8, 4, 4)), 1.0)
    assert [r[0] for r in left] == [11, 8]
    right = _merged(rows((9, 5, 4), (4, 0.5, 3.5), (8, 4, 4)), 1.0)
    assert [r[0] for r in right] == [9, 12]
    assert right[1].tolist() == [12, 1 + 2, 4.5, 7.5]
    alone = _merged(rows((1, 0.5, 0.5), (6, 3, 3), (7, 3, 4), (1, 0.5, 0.5)), 0.1)
    assert [r[0] for r in alone] == [7, 8]
    assert [r[0] for r in _merged(rows((3, 2.0, 1.0), (3, 1.0, 2.0)), 1.0)] == [3, 3]
    assert len(_merged(rows((3, 2, 0.5), (3, 0.5, 2)), 5.0)) == 1


def test_observed_shares_of_a_class_have_wilsons_interval(fit: Any) -> None:
    found: Any = observed_points(fit, ["i2"], points=4)
    assert found["n"].sum() == 200
    assert (found["category"] == 1).all()
    assert found["theta"].is_monotonic_increasing
    assert set(found["point"]) <= {1, 2, 3, 4}
    assert found["point"].is_monotonic_increasing
    for row in found.to_dict("records"):
        low, high = wilson(row["share"] * row["n"], row["n"])
        assert (row["share_low"], row["share_high"]) == pytest.approx((float(low), float(high)))
    assert (found["n"] @ found["share"]) == pytest.approx(answers()["i2"].sum())
    # Under the model at its estimates all expected right answers are as many as those observed.
    assert (found["n"] @ found["expected"]) == pytest.approx(answers()["i2"].sum(), rel=0.02)
    with pytest.raises(ParameterError, match="no item 'q' in the fit"):
        observed_points(fit, ["q"])
    assert len(observed_points(fit, ["i0", "i1"], points=1)) == 2


def chosen(data: Any, seed: int = 1) -> pd.DataFrame:
    """A where right; B, C or D where wrong."""
    wrong = np.random.default_rng(seed).choice(list("BCD"), data.shape)
    return pd.DataFrame(np.where(data == 1, "A", wrong), data.index, data.columns)


def abilities_without(data: Any, item: str, b: np.ndarray, variance: float) -> np.ndarray:
    """EAP from the other items."""
    line = np.linspace(-6, 6, 241)
    log = -0.5 * line**2 / variance + np.zeros((len(data), 1))
    for name, difficulty in zip(data, b, strict=True):
        if name != item:
            p = special.expit(line - difficulty)
            log = log + np.where(data[[name]].to_numpy() == 1, np.log(p), np.log(1 - p))
    weights = np.exp(log - log.max(axis=1, keepdims=True))
    return weights @ line / weights.sum(axis=1)


def test_options_are_compared_by_the_ability_that_other_items_show(fit: Any) -> None:
    data = answers()
    choices = chosen(data)
    key = dict.fromkeys(data, "A")
    found: Any = option_table(fit, choices, key)
    assert found["item"].tolist() == [name for name in data for _ in "ABCD"]
    own = found[found["item"] == "i3"].set_index("option")
    counts = choices["i3"].value_counts()
    assert own["n"].to_dict() == counts.to_dict()
    assert own["share"].to_dict() == pytest.approx((counts / 200).to_dict())
    assert own["key"].to_dict() == {"A": True, "B": False, "C": False, "D": False}
    known = fit.items["b"].to_numpy(float), float(fit.optimum.x[-1])
    elsewhere = abilities_without(data, "i3", *known)[choices["i3"] == "B"]
    half = stats.t.ppf(0.975, len(elsewhere) - 1) * elsewhere.std(ddof=1) / len(elsewhere) ** 0.5
    shown = own.loc["B", ["ability", "ability_low", "ability_high"]].tolist()
    middle = elsewhere.mean()
    assert shown == pytest.approx([middle, middle - half, middle + half], abs=1e-4)
    assert (own.loc["A", "ability"] > own.loc[list("BCD"), "ability"]).all()
    # r of the key and Fisher's interval.
    r = own.loc["A", "r"]
    half = 1.959964 / np.sqrt(197)
    low, high = own.loc["A", ["r_low", "r_high"]]
    assert (low, high) == pytest.approx(np.tanh(np.arctanh(r) + half * np.array([-1, 1])))
    # One-sided tests of all options that are not keyed, adjusted together.
    others = found[~found["key"]]
    p = stats.norm.sf(np.arctanh(others["r"]) * np.sqrt(197))
    assert others["p_adjusted"].to_numpy() == pytest.approx(benjamini_hochberg(p))
    assert found.loc[found["key"], "p_adjusted"].isna().all()
    assert not found["suspected"].any()


def test_an_option_that_the_able_choose_is_suspected(fit: Any) -> None:
    data = answers()
    key = {**dict.fromkeys(data, "A"), "i5": "B"}
    found: Any = option_table(fit, chosen(data), key)
    assert found.loc[found["suspected"], ["item", "option"]].to_numpy().tolist() == [["i5", "A"]]
    strict: Any = option_table(fit, chosen(data), key, alpha=0.0)
    assert not strict["suspected"].any()


def test_rare_options_have_no_correlation_and_items_without_choices_no_rows(fit: Any) -> None:
    data = answers()
    choices: Any = chosen(data)[["i0", "i1"]].copy()
    choices.loc[choices["i0"] == "D", "i0"] = "C"
    choices.loc[:3, "i0"] = "D"
    choices.loc[4, "i0"] = None
    found: Any = option_table(fit, choices, {"i0": "A"}).set_index("option")
    assert set(found["item"]) == {"i0"}
    assert found.loc["D", "n"] == 4
    assert np.isnan(found.loc["D", "r"])
    assert found["n"].sum() == 199
    choices.loc[4, "i0"] = "D"
    five: Any = option_table(fit, choices, {"i0": "A"}).set_index("option")
    assert np.isfinite(five.loc["D", "r"])
    with pytest.raises(ParameterError, match="choices: 3 rows for 200 examinees"):
        option_table(fit, choices.head(3), {"i0": "A"})
    never: Any = option_table(fit, choices, {"i0": "Z"}).set_index("option")
    assert (never.loc["Z", "n"], never.loc["Z", "share"]) == (0, 0)
    assert np.isnan(never.loc["Z", "ability"])


def test_moments_of_the_overall_fit_are_those_of_items_and_their_pairs(
    fit: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = len(fit.table.items)
    moments = count * (count - 1) // 2 + count
    monkeypatch.setattr(overallfit, "MAX_MOMENTS", moments)
    assert overallfit.overall_fit(fit).df == moments - fit.n_free
    monkeypatch.setattr(overallfit, "MAX_MOMENTS", moments - 1)
    with pytest.raises(ParameterError, match=f"needs {moments} moments; {moments - 1} are the mo"):
        overallfit.overall_fit(fit)
