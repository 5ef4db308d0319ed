"""Parallel forms: equal information, content, anchors; the best ones; and why there are none."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pandas as pd
import pytest

from gfactor.errors import ParameterError
from gfactor.psychometrics.irt.scales.calibration import Calibration, Entry
from gfactor.psychometrics.irt.scales.forms import FormSet, assemble_forms


def calibration(count: int, *, by: Any = "item", seed: int = 1) -> Calibration:
    """A third of the items each of domain x, y and z; by design all slopes are 1."""
    rng, entries = np.random.default_rng(seed), []
    for k in range(count):
        a = float(rng.lognormal(0, 0.3)) if by == "item" else 1.0
        labels = {"domain": "xyz"[k % 3], "size": k // 3}
        entries.append(Entry(
            f"i{k}", "2pl", (0.0, 1.0), (a, -a * float(rng.normal())), 0.4 if by == "design" else 0,
            {"labels": labels},
        ))  # fmt: skip
    free = ("a1", "d") if by == "item" else ("d",)
    names = tuple(f"{entry.name}.{name}" for entry in entries for name in free)
    model = "2pl" if by == "item" else "rasch"
    return Calibration(by, model, tuple(entries), names, 0.01 * np.eye(len(names)))


@pytest.fixture(scope="module")
def known() -> Calibration:
    return calibration(75)


@pytest.fixture(scope="module")
def forms(known: Calibration) -> FormSet:
    return assemble_forms(
        known, length=15, parallel=3, anchors=5, content={"domain": {"x": (4, 6), "y": (3, 5)}},
        respondents=300, seed=2,
    )  # fmt: skip


@pytest.mark.slow
def test_forms_have_equal_information_their_content_and_share_anchors_alone(
    forms: FormSet, known: Calibration
) -> None:
    table: Any = forms.table
    line: Any = forms.information.index
    assert table.groupby("form").size().to_dict() == dict.fromkeys(forms.forms, 15)
    assert forms.information["gap"].to_numpy().max() <= 0.05 + 1e-9
    for name, rows in table.groupby("form"):
        each = known.information(line)[[known.position[e] for e in rows["entry"]]]
        assert each.sum(axis=0) == pytest.approx(forms.information[name].to_numpy())
        counts = rows["domain"].value_counts()
        assert 4 <= counts["x"] <= 6
        assert 3 <= counts["y"] <= 5
        assert rows["item"].is_unique
    used = table.groupby("item")["form"].nunique()
    anchors = table[table["anchor"]]
    assert (
        used[used > 1].index.sort_values().equals(pd.Index(anchors["item"].unique()).sort_values())
    )
    assert (used[used > 1] == 3).all()
    assert anchors.groupby("item")["position"].nunique().max() == 1
    assert anchors["item"].nunique() == 5


@pytest.mark.slow
def test_the_same_seed_gives_the_same_forms_and_another_one_others(known: Calibration) -> None:
    one, same, other = (
        assemble_forms(known, length=6, parallel=2, seed=s).table for s in (1, 1, 2)
    )
    assert one.equals(same)
    assert not one.equals(other)


@pytest.mark.thorough
def test_two_forms_are_the_best_of_all_that_there_are() -> None:
    """Every pair of forms of 3 of 9 items, two of them of domain x or more, by enumeration."""
    small = calibration(9, seed=4)
    found = assemble_forms(
        small, length=3, parallel=2, content={"domain": {"x": (1, 3)}}, tolerance=0.3, gap=0,
        theta=[-0.5, 0.5],
    )  # fmt: skip
    line: Any = found.information.index
    each, aimed = small.information(line), np.isin(line, [-0.5, 0.5])
    best = 0.0
    for first in itertools.combinations(range(9), 3):
        for second in itertools.combinations(sorted(set(range(9)) - set(first)), 3):
            both = np.stack([each[list(first)].sum(axis=0), each[list(second)].sum(axis=0)])
            content = all(any(k % 3 == 0 for k in one) for one in (first, second))
            if content and (both.max(axis=0) <= 1.3 * both.min(axis=0)).all():
                best = max(best, both[:, aimed].min())
    reached = found.information.loc[[-0.5, 0.5], found.forms].to_numpy().min()
    assert reached == pytest.approx(best, rel=1e-6)


@pytest.mark.slow
def test_a_target_is_met_by_the_shortest_forms() -> None:
    known = calibration(30)
    found = assemble_forms(known, parallel=2, target_se=0.7, gap=0)
    length = found.request["length"]
    assert found.facts["largest_se"] <= 0.7
    with pytest.raises(ParameterError, match=r"target standard error 0\.7: the best forms of"):
        assemble_forms(known, parallel=2, target_se=0.7, length=length - 1, gap=0)


@pytest.mark.thorough
def test_with_length_and_target_the_best_items_are_saved(known: Calibration) -> None:
    saving: Any = assemble_forms(known, length=12, target_se=0.7)
    best: Any = assemble_forms(known, length=12)
    assert saving.facts["largest_se"] <= 0.7
    assert saving.information["form-1"].sum() < 0.85 * best.information["form-1"].sum()


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"length": 40, "parallel": 3}, "3 forms of 40 items need 120 items, and there are 75"),
        ({"length": 10, "parallel": 2, "target_se": 0.2}, r"target standard error 0\.2: the best"),
        (
            {"length": 10, "content": {"domain": {"x": (6, 10), "y": (5, 6)}}},
            "content domain: the least counts add up to 11, more than 10",
        ),
        (
            {"length": 10, "content": {"domain": {"x": (1, 2), "y": (1, 2), "z": (1, 2)}}},
            "content domain: the largest counts add up to 6, less than 10",
        ),
        (
            {"length": 12, "parallel": 4, "content": {"domain": {"x": (9, 10)}}},
            "content domain=x: 4 forms of 12 items with at least 9 of it need 36 items",
        ),
        (
            {"length": 4, "parallel": 2, "content": {"size": {3: (2, 2), 4: (2, 2)}}},
            "content size=3: 2 forms of 4 items with at least 2 of it need 4 items, and there are",
        ),
        ({"length": 30, "parallel": 2, "tolerance": 1e-7}, "raise the tolerance"),
        ({"length": 10, "content": {"domain": {"w": (1, 2)}}}, "no item has domain=w"),
        (
            {"length": 10, "content": {"color": {"w": (1, 2)}}},
            "items have no label 'color'; there are: domain, size",
        ),
        ({"length": 1, "parallel": 1400, "anchors": 0}, "1400 forms of 1 items need 1400 items"),
        ({"length": 10, "anchors": 10, "parallel": 2}, "must be fewer than its items; got 10"),
        ({"length": 10, "anchors": 2}, "anchors link forms, so at least two forms are needed"),
        ({"parallel": 2}, "give the length of the forms, or the standard error"),
    ],
)
def test_what_cannot_be_is_said_with_its_constraint(
    asked: dict[str, Any], sentence: str, known: Calibration
) -> None:
    if "tolerance" in asked:
        known = calibration(60)
    with pytest.raises(ParameterError, match=sentence):
        assemble_forms(known, **asked)


@pytest.mark.thorough
def test_cells_give_forms_of_one_composition_whose_clones_differ() -> None:
    cells = calibration(12, by="design")
    found: Any = assemble_forms(
        cells, length=18, parallel=4, anchors=6, per_cell=3, respondents=200
    )
    counts = found.table.groupby(["form", "item"]).size().unstack(fill_value=0)
    assert (counts == counts.iloc[0]).all(axis=None)
    assert counts.to_numpy().max() <= 3
    assert found.information["gap"].max() == pytest.approx(0, abs=1e-12)
    said = {d.code: d for d in found.diagnostics}
    assert 0.3 < said["clones_differ"].values["score_sd"] < 0.9
    rng = np.random.default_rng(0)
    alone = [
        cells.entries[cells.position[e]]
        for e in found.table.query("form == 'form-1' and not anchor")["entry"]
    ]
    b = np.array([-e.values[1] for e in alone])
    drawn = (1 / (1 + np.exp(b + 0.4 * rng.normal(size=(4000, len(b)))))).sum(axis=1)
    assert said["clones_differ"].values["score_sd"] == pytest.approx(2**0.5 * drawn.std(), rel=0.1)


def test_the_error_of_the_link_is_that_of_drawn_calibrations() -> None:
    """Known abilities: new difficulties scatter by the information of the respondents."""
    cells = calibration(12, by="design")
    found: Any = assemble_forms(cells, length=10, parallel=2, anchors=6, respondents=150)
    anchors = found.table.query("form == 'form-1' and anchor")["entry"]
    rng, theta = np.random.default_rng(3), np.random.default_rng(4).normal(size=200_000)
    shifts = np.zeros(4000)
    for name in anchors:
        p = 1 / (1 + np.exp(-cells.entries[cells.position[name]].values[1] - theta))
        new = 1 / np.sqrt(150 * (p * (1 - p)).mean())
        shifts += rng.normal(0, new, 4000) / len(anchors)
    unique, times = np.unique(anchors, return_counts=True)
    old = 0.01 * (times**2).sum() / len(anchors) ** 2
    expected = np.sqrt(shifts.var() + old)
    assert len(unique) <= 6
    assert found.linking["intercept_se"][0] == pytest.approx(expected, rel=0.05)
    assert found.linking["slope_se"][0] == 0


@pytest.mark.slow
def test_more_respondents_and_more_anchors_link_better(known: Calibration, forms: Any) -> None:
    many: Any = assemble_forms(known, length=15, parallel=2, anchors=10, respondents=300, seed=2)
    more: Any = assemble_forms(known, length=15, parallel=2, anchors=10, respondents=3000, seed=2)
    assert many.linking["intercept_se"][0] < forms.linking["intercept_se"][0]
    assert more.linking["slope_se"][0] < many.linking["slope_se"][0]
