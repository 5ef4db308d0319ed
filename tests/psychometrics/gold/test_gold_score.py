"""The score of GOLD's table IX: loading x path x score, and the misprint."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

from gfactor.benchmarks.published import published
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.gold import gold_scores, gold_weights

SHORT = {"Basic Medical Knowledge": "BMK", "Computer Science": "CS"}


def published_weights() -> Any:
    figure: Any = published("gold-figure-7").frame
    rows = figure[figure["quantity"] == "outer loading"]
    loadings = {
        SHORT.get(str(t), str(t)): float(v)
        for t, v in zip(rows["task"], rows["value"], strict=True)
    }
    constructs = {
        str(c): tuple(SHORT.get(str(t), str(t)) for t in own["task"])
        for c, own in rows.groupby("construct")
    }
    paths = figure[figure["quantity"] == "path to Gold"].set_index("construct")["value"]
    return gold_weights(loadings, constructs, {str(c): float(v) for c, v in paths.items()})


def test_nineteen_of_twenty_printed_totals_are_the_weighted_sum() -> None:
    table: Any = published("gold-9").frame
    names = table["model"] + " " + table["size"]
    ours: Any = gold_scores(table.set_index(names), published_weights())
    off = np.abs(ours.to_numpy() - table["Overall"].to_numpy(float))
    assert (off <= 0.07).sum() == 19
    wrong = names[off > 0.07].item()
    assert wrong.startswith("KimiVL")
    assert ours[wrong] == pytest.approx(189.4, abs=0.05)
    gemini = table.loc[table["model"].str.startswith("Gemini 1.5"), "Overall"].item()
    assert gemini == table.loc[off > 0.07, "Overall"].item()  # The line above was copied.


def test_full_marks_are_no_hundred() -> None:
    weights = published_weights()
    full = pd.DataFrame([[100.0] * len(weights)], columns=weights.index)
    assert gold_scores(full, weights).item() == pytest.approx(273.7, abs=0.1)


def test_reasoning_weighs_more_than_its_path_because_it_has_more_tasks() -> None:
    weights = published_weights()
    reasoning = weights[["Biology", "CS", "Economics", "Electronics", "Math"]].sum()
    assert reasoning / weights.sum() > 0.5  # Its path is 0.358 of 0.853.


def test_what_is_missing_is_named() -> None:
    weights = pd.Series({"a": 1.0, "b": 2.0})
    table: Any = pd.DataFrame({"a": [1.0, 2.0], "b": [np.nan, 1.0]})
    assert np.isnan(gold_scores(table, weights).iloc[0])
    with pytest.raises(UnknownNameError, match="'b'"):
        gold_scores(table[["a"]], weights)
    with pytest.raises(ParameterError, match="no path"):
        gold_weights({"a": 1.0}, {"A": ("a",)}, {})
    with pytest.raises(ParameterError, match="no loading"):
        gold_weights({}, {"A": ("a",)}, {"A": 1.0})


def test_gold_weights_are_loading_times_path() -> None:
    weights = gold_weights({"x": 0.5, "y": 0.8, "z": 0.9}, {"A": ("x", "y"), "B": ("z",)},
                           {"A": 2.0, "B": 0.5})  # fmt: skip
    assert weights.to_dict() == pytest.approx({"x": 1.0, "y": 1.6, "z": 0.45})
    models = pd.DataFrame({"x": [1, 2], "y": [1, np.nan], "z": [10, 1], "w": 9}, index=["m", "n"])
    found: Any = gold_scores(models, weights)
    assert found["m"] == pytest.approx(1 + 1.6 + 4.5)
    assert math.isnan(found["n"])
    with pytest.raises(UnknownNameError, match="'y'"):
        gold_scores(models.drop(columns="y"), weights)
    with pytest.raises(ParameterError, match="construct 'B' has no path to the top"):
        gold_weights({"x": 1}, {"B": ("x",)}, {})
    with pytest.raises(ParameterError, match="task 'y' of 'A' has no loading"):
        gold_weights({"x": 1}, {"A": ("x", "y")}, {"A": 1})
