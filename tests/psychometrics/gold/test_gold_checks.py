"""What limits the diagnostics is said at the limits that the sentences name."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from gfactor.errors import ParameterError
from gfactor.psychometrics.gold.checks import (
    chance_inflation,
    data_checks,
    exchangeable,
    range_check,
    restricted,
)
from gfactor.psychometrics.gold.model import with_general


def table(n: int = 60, seed: int = 1) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    return pd.DataFrame(rng.uniform(30, 90, (n, 4)), columns=list("abcd")).add_prefix("t")


MODEL = with_general({"A": ["ta", "tb"], "B": ["tc", "td"]})


def said(data: pd.DataFrame, **options: Any) -> dict[str, Any]:
    return {d.code: d for d in data_checks(data, MODEL, **options)}


def test_chance_is_said_only_of_tasks_or_models_that_are_at_chance() -> None:
    data = table()
    chance = dict.fromkeys(data, 25.0)
    assert "at_chance" not in said(data, chance=chance)
    assert "at_chance" not in said(data)
    assert "at_chance" not in said(data, chance={"other": 99.0})
    quarter = data.copy()
    quarter.loc[:14, "ta"] = 25.0
    found = said(quarter, chance=chance)["at_chance"]
    assert (found.where, found.values) == (("ta",), {"tasks": 1, "models": 0})
    assert "In 1 of 4 tasks" in found.sentence
    less = data.copy()
    less.loc[:13, "ta"] = 25.0
    assert "at_chance" not in said(less, chance=chance)
    weak = data.copy()
    weak.loc[7] = 25.0
    found = said(weak, chance=chance)["at_chance"]
    assert (found.where, found.values) == (("7",), {"tasks": 0, "models": 1})
    assert "1 of 60 models" in found.sentence
    above = data.copy()
    above.loc[7] = [25.0, 25.0, 25.0, 25.5]
    assert "at_chance" not in said(above, chance=chance)


def test_missing_cells_are_neither_at_chance_nor_above() -> None:
    data = table(8)
    data.loc[:5, "ta"] = np.nan
    data.loc[6, "ta"] = 20.0
    found = said(data, chance={"ta": 25.0})["at_chance"]
    # One of the two models with a score; the six without one are not counted as below.
    assert found.values == {"tasks": 1, "models": 1}
    assert found.where == ("ta", "6")


def test_few_models_are_said_below_thirty_or_with_many_tasks() -> None:
    assert "few_models" not in said(table(30))
    assert said(table(29))["few_models"].values == {
        "models": 29, "tasks": 2, "chance_vif": pytest.approx(28 / 27),
    }  # fmt: skip
    names = [f"t{k}" for k in range(9)]
    wide = pd.DataFrame(np.random.default_rng(0).normal(size=(40, 9)), columns=names)
    many = data_checks(wide, with_general({"A": names}))
    assert "few_models" in {d.code for d in many}  # (40 - 1) / (40 - 9) = 1.26
    one_more = pd.concat([wide, wide.tail(1) + 1], ignore_index=True)
    enough = data_checks(one_more, with_general({"A": names}))
    assert "few_models" not in {d.code for d in enough}  # 40 / 32 = 1.25
    same = data_checks(wide.head(9), with_general({"A": names}))
    assert next(d for d in same if d.severity == "error").code == "more_tasks_than_models"


def test_closed_forms() -> None:
    assert exchangeable(2, 0.0) == pytest.approx((np.sqrt(0.5), 1.0))
    assert exchangeable(3, 0.5) == pytest.approx((np.sqrt(2 / 3), 0.5 * 2 / 1.5))
    assert restricted(0.5, 1.0) == 0.5
    assert restricted(0.5, 0.0) == 0.0
    assert restricted(0.5, 2.0) == pytest.approx(0.8)
    assert restricted(1.0, 0.0) == 1.0
    assert (chance_inflation(11, 6), chance_inflation(6, 6)) == (2.0, np.inf)
    for call in (
        lambda: exchangeable(1, 0.5),
        lambda: exchangeable(3, 1.0),
        lambda: exchangeable(3, -0.1),
        lambda: restricted(1.1, 1),
        lambda: restricted(0.5, -1),
    ):
        with pytest.raises(ParameterError):
            call()


def by_range(tc_top: float, div_top: float) -> pd.DataFrame:
    rows = [
        ("TC", "all", 0.8, 60), ("TC", "top", tc_top, 30), ("D_div", "all", 0.4, 60),
        ("D_div", "top", div_top, 30), ("D_valid", "all", np.nan, 60), ("D_valid", "top", 0.1, 30),
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=["diagnostic", "range", "estimate", "n"])


@pytest.mark.parametrize(
    ("tc", "div", "severity"),
    [
        (0.75, 0.45, "note"),
        (0.69, 0.4, "warning"),
        (0.8, 0.51, "warning"),
        (0.8, 0.29, "warning"),
        (0.89, 0.49, "note"),
    ],
)
def test_another_range_is_a_warning_beyond_a_tenth_of_tc_or_a_quarter_of_the_others(
    tc: float, div: float, severity: str
) -> None:
    found = range_check(by_range(tc, div))
    assert [d.severity for d in found] == [severity]
    assert f"D_div 0.40, {div:.2f} (top 30); TC 0.80, {tc:.2f} (top 30)." in found[0].sentence
    assert found[0].values["all.TC"] == 0.8
    assert "all.D_valid" not in found[0].values
    whole: Any = by_range(tc, div)
    assert range_check(whole[whole["range"] == "all"]) == []
