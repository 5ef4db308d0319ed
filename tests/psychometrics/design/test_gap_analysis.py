"""The analysis of a perception gap: groups, thresholds, triplets, and the truth behind them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

from gfactor.errors import ParameterError
from gfactor.psychometrics.inference.intervals import wilson
from gfactor.psychometrics.trees import (
    analyze_gap,
    genuine_accuracy,
    perception_gap,
    size_thresholds,
)
from gfactor.psychometrics.trees.gap import compare_versions
from gfactor.psychometrics.trees.gap_analysis import _counts


def simulated(n: int = 240, seed: int = 4) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    family = np.where(np.arange(n) % 2, "mazes", "graphs")
    seen = rng.random(n) < np.where(family == "mazes", 0.4, 1.0)
    reasoned = rng.random(n) < np.where(family == "mazes", 1.0, 0.5)
    return (
        pd.DataFrame({"image": seen & reasoned, "text": reasoned, "blind": rng.random(n) < 0.1})
        .astype(float)
        .assign(family=family, size=np.arange(n) % 8)
    )


@pytest.mark.thorough
def test_each_family_is_told_what_it_lost() -> None:
    found = analyze_gap(simulated(), by=["family", "size"])
    rows = found.by.set_index(["by", "level"])
    mazes, graphs = rows.loc[("family", "mazes")], rows.loc[("family", "graphs")]
    assert mazes["reasoning"] == 0
    assert mazes["seeing_lower"] > 0.4
    assert graphs["seeing"] == 0
    assert graphs["reasoning_lower"] > 0.35
    assert (rows["pairs"].loc["size"] == 30).all()
    one = simulated().loc[lambda t: t["family"] == "mazes"].drop(columns=["family", "size"])
    alone = perception_gap(one)
    assert mazes["gap"] == pytest.approx(alone.gap.loc["newcombe", "estimate"])
    assert mazes["tango_lower"] == pytest.approx(alone.gap.loc["tango", "ci_lower"])


def test_the_document_is_the_one_that_programs_were_promised() -> None:
    document = analyze_gap(simulated(), by=["family"]).to_dict()
    assert {"pairs", "gap", "by", "tree", "g2", "df", "diagnostics"} <= set(document)
    assert set(document["gap"]) == {"estimate", "ci_lower", "ci_upper", "method"}
    assert list(document["tree"]) == ["see", "reason", "guess"]
    assert all({"estimate", "se"} <= set(part) for part in document["tree"].values())
    assert document["df"] == 0
    known = analyze_gap(simulated().drop(columns="blind"), guess=0.1).to_dict()["tree"]["guess"]
    assert (known["estimate"], known["se"]) == (0.1, None)


@pytest.mark.thorough
def test_answers_of_one_scene_are_one_cluster_in_every_group() -> None:
    once = simulated()
    thrice = pd.concat([once] * 3, ignore_index=True)
    found = analyze_gap(thrice, by=["family"], clusters=np.tile(np.arange(240), 3))
    assert set(found.by["method"]) == {"t"}
    narrow = analyze_gap(thrice, by=["family"]).by
    width, once_each = (
        (table["ci_upper"] - table["ci_lower"]).to_numpy(float) for table in (found.by, narrow)
    )
    assert (width > 1.5 * once_each).all()


def test_an_item_of_two_abilities_counts_for_both() -> None:
    table = simulated().assign(skills=[("a", "b") if k % 4 == 0 else ("a",) for k in range(240)])
    rows = analyze_gap(table, by=["skills"]).by.set_index("level")
    assert rows["pairs"].to_dict() == {"a": 240, "b": 60}
    with pytest.raises(ParameterError, match="no column 'color'"):
        analyze_gap(table, by=["color"])


def test_thresholds_differ_where_pictures_fail_earlier() -> None:
    rng = np.random.default_rng(3)
    size = np.tile(np.arange(1, 13), 30)
    right = rng.random((2, size.size)) < 1 / (1 + np.exp(size - np.array([[4], [8]])))
    table = pd.DataFrame({"size": size, "image": right[0], "text": right[1]}).astype(float)
    row = size_thresholds(table, "size").iloc[0]
    assert row["image"] == pytest.approx(4, abs=0.5)
    assert row["text"] == pytest.approx(8, abs=0.5)
    assert row["difference_lower"] < -4 < row["difference_upper"] < 0
    assert size_thresholds(table.loc[table["size"] < 4], "size").empty


@pytest.mark.thorough
def test_genuine_accuracy_and_its_excess_over_independence() -> None:
    whole = genuine_accuracy(pd.DataFrame([[1, 1, 1]] * 30 + [[0, 0, 0]] * 30)).iloc[0]
    assert (whole["genuine"], whole["independent"], whole["excess"]) == (0.5, 0.125, 0.375)
    assert 0.2 < whole["excess_lower"] < 0.375 < whole["excess_upper"] < 0.5
    rng = np.random.default_rng(7)
    held = 0
    for _ in range(300):
        apart = genuine_accuracy(pd.DataFrame((rng.random((120, 3)) < [0.8, 0.7, 0.6]).astype(int)))
        held += apart["excess_lower"].item() <= 0 <= apart["excess_upper"].item()
    assert 0.91 < held / 300 < 0.98
    with pytest.raises(ParameterError, match="three columns"):
        genuine_accuracy(pd.DataFrame([[1, 0]]))


@pytest.mark.slow
def test_the_loss_in_seeing_holds_the_truth_as_often_as_it_says() -> None:
    # With the profile of s at the estimate of r it was 91 %.
    rng = np.random.default_rng(1)
    s, r, g, n = 0.5, 0.6, 0.2, 200
    truth, held, runs = (1 - g) * r * (1 - s), 0, 1000
    for _ in range(runs):
        image, text = rng.random((2, n)) < [[s * r + (1 - s * r) * g], [r + (1 - r) * g]]
        table = pd.DataFrame({"image": image, "text": text}).astype(float)
        _, _, losses = compare_versions(table, None, 0.95)
        held += losses.loc["seeing", "ci_lower"] <= truth <= losses.loc["seeing", "ci_upper"]
    assert 0.935 < held / runs < 0.97


def test_genuine_accuracy_is_by_hand_and_its_error_that_of_a_jackknife() -> None:
    x = (np.random.default_rng(8).random((60, 3)) < [0.8, 0.6, 0.7]).astype(float)
    row: Any = genuine_accuracy(pd.DataFrame(x), level=0.9).iloc[0]
    means, all_right = x.mean(axis=0), x.prod(axis=1).mean()
    assert row["genuine"] == all_right
    assert row["independent"] == pytest.approx(means.prod())
    assert row["excess"] == pytest.approx(all_right - means.prod())
    assert (row["genuine_lower"], row["genuine_upper"]) == pytest.approx(
        tuple(map(float, wilson(x.prod(axis=1).sum(), 60, 0.9)))
    )
    without = [np.delete(x, k, axis=0) for k in range(60)]
    values = np.array([o.prod(axis=1).mean() - o.mean(axis=0).prod() for o in without])
    se = math.sqrt(59 * values.var())
    half = (row["excess_upper"] - row["excess_lower"]) / 2
    assert half == pytest.approx(1.6448536 * se, rel=0.02)
    assert (row["excess_upper"] + row["excess_lower"]) / 2 == pytest.approx(row["excess"])
    one: Any = genuine_accuracy(pd.DataFrame([[1, 0, 1], [1, None, 1]])).iloc[0]
    assert (one["n"], one["genuine"]) == (1, 0)
    assert math.isnan(one["excess_lower"])
    for bad in (pd.DataFrame([[1, 0]]), pd.DataFrame([[1, 2, 0]]), pd.DataFrame([[None, 1, 1]])):
        with pytest.raises(ParameterError, match="genuine accuracy needs three columns of 0 and 1"):
            genuine_accuracy(bad)


def test_answers_and_their_chance_are_counted_by_size() -> None:
    group = pd.DataFrame({"image": [1, 0, 1, None, 1], "size": [1, 1, 2, 2, 4],
                          "chance": [0.2, 0.4, None, 0.9, 0.5]})  # fmt: skip
    right, asked, chance = _counts(group, "image", "size", np.array([1.0, 2, 3, 4]))
    assert right.tolist() == [1, 1, 0, 1]
    assert asked.tolist() == [2, 1, 0, 1]
    assert chance.tolist() == pytest.approx([0.3, 0, 0, 0.5])
    bare = _counts(group.drop(columns="chance"), "image", "size", np.array([1.0, 2, 3, 4]))
    assert bare[2].tolist() == [0] * 4
