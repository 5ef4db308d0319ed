"""Options are compared by the ability that the other items show."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import special, stats

from gfactor.errors import ParameterError
from gfactor.psychometrics.inference.multiplicity import benjamini_hochberg
from gfactor.psychometrics.irt import fit_irt
from gfactor.psychometrics.irt.checks.distractors import _tested, option_table


def test_a_distractor_that_shows_ability_perfectly_is_tested_too() -> None:
    table = pd.DataFrame({
        "item": ["x"] * 2, "option": ["A", "B"], "key": [True, False], "n": [6, 6],
        "r": [-1.0, 1.0],
    })  # fmt: skip
    row = _tested(table, 0.05).iloc[1]
    assert row["p_adjusted"] == pytest.approx(stats.norm.sf(np.arctanh(0.999999) * 3))
    assert row["suspected"]


def answers(persons: int = 200, items: int = 6, seed: int = 4) -> Any:
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(persons, 1)) - np.linspace(-1, 1, items)
    return pd.DataFrame((rng.random(z.shape) < special.expit(z)).astype(float)).add_prefix("i")


@pytest.fixture(scope="module")
def fit() -> Any:
    return fit_irt("rasch", answers())


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


@pytest.mark.thorough
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


@pytest.mark.thorough
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
