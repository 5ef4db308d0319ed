"""Forms against all forms that there are, the exact sentences where there are none, the tables."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from gfactor.errors import ParameterError
from gfactor.psychometrics.irt.scales.calibration import Calibration, Entry
from gfactor.psychometrics.irt.scales.forms import _expected_covariance, assemble_forms
from gfactor.psychometrics.irt.scales.formsolving import (
    ContentBound,
    FormRequirements,
    anchor_range,
    counted,
    explained,
    solve,
)


def plan(items: int = 6, seed: int = 0, **more: Any) -> FormRequirements:
    """Informations between 0.2 and 1 at three abilities, of which the outer ones are aimed at."""
    information = np.random.default_rng(seed).uniform(0.2, 1, (items, 3))
    aimed = np.array([True, False, True])
    return FormRequirements(
        information, np.array([-1.0, 0, 1]), aimed, **{"length": 3, "gap": 0.0, **more}
    )


def content(items: int, members: set[int], low: int, high: int) -> ContentBound:
    return ContentBound("kind=x", np.isin(np.arange(items), list(members)), low, high)


def bags(plan: FormRequirements, size: int) -> list[np.ndarray]:
    """All ways to take so many items, each as often as there are copies."""
    choices = itertools.combinations(
        [j for j in range(len(plan.information)) for _ in range(plan.copies)], size
    )
    count = len(plan.information)
    return [np.bincount(c, minlength=count) for c in sorted(set(choices))]


def every_form_set(
    plan: FormRequirements, length: int
) -> list[tuple[list[np.ndarray], np.ndarray]]:
    """All forms (without anchors) and anchor sets that satisfy a plan, information apart."""
    found = []
    for shared in bags(plan, plan.anchors):
        for forms in itertools.product(bags(plan, length - plan.anchors), repeat=plan.parallel):
            if (np.sum(forms, axis=0) + shared > plan.copies).any():
                continue
            counts = [[b.members @ (f + shared) for f in forms] for b in plan.content]
            inside = all(
                b.low <= n <= b.high for b, c in zip(plan.content, counts, strict=True) for n in c
            )
            for b in plan.content if plan.anchors and plan.length else ():
                low, high = anchor_range(plan, b)
                inside = inside and low <= b.members @ shared <= high
            if inside:
                found.append((list(forms), shared))
    return found


def worth(plan: FormRequirements, forms: Any, shared: np.ndarray, length: int) -> float:
    """What the search makes as large as possible; -inf where information is not as asked."""
    each = np.array([(f + shared) @ plan.information for f in forms])
    low, high = each.min(axis=0), each.max(axis=0) / (1 + plan.tolerance)
    if (low < high - 1e-9).any():
        return -np.inf
    if plan.target is None:
        return float(low[plan.aimed].min())
    if (low[plan.aimed] < plan.target - 1e-9).any():
        return -np.inf
    if plan.length is None:
        return -length
    return -float(np.maximum(high, plan.target)[plan.aimed].sum())


PLANS = {
    "one form": plan(),
    "two forms": plan(parallel=2, tolerance=0.2, seed=1),
    "two forms, nearly equal": plan(8, parallel=2, tolerance=0.02, seed=2),
    "an anchor": plan(parallel=2, anchors=1, tolerance=0.3, seed=3),
    "two anchors, three forms": plan(7, parallel=3, anchors=2, length=3, tolerance=0.5, seed=4),
    "content": plan(content=(content(6, {0, 1, 2}, 1, 1),), seed=5),
    "content, two forms": plan(7, parallel=2, content=(content(7, {0, 1, 2}, 1, 2),
                                                       content(7, {2, 3, 4}, 0, 1)),
                               tolerance=0.4, seed=6),
    "content of anchors": plan(7, parallel=2, anchors=2, length=4, tolerance=0.5, seed=7,
                               content=(content(7, {0, 1, 2, 3}, 2, 2),)),
    "cells": plan(4, copies=2, length=4, seed=8),
    "cells, anchors": plan(4, copies=2, length=3, parallel=2, anchors=1, tolerance=0.3, seed=9),
    "target": plan(target=1.5, seed=10),
    "target, two forms": plan(target=1.2, parallel=2, tolerance=0.3, seed=11),
    "as short as can be": plan(target=1.4, length=None, seed=12),
    "two, as short as can be": plan(8, target=1.1, length=None, parallel=2, tolerance=0.5, seed=13),
    "content, as short as can be": plan(target=1.1, length=None, seed=14,
                                        content=(content(6, {1}, 1, 1),)),
    "never alike": plan(4, length=2, parallel=2, tolerance=1e-4, seed=15),
    "too much information": plan(target=9.0, seed=16),
}  # fmt: skip


@pytest.mark.parametrize("name", PLANS)
def test_the_forms_found_are_the_best_of_all(name: str) -> None:
    asked = PLANS[name]
    lengths = [asked.length] if asked.length else range(1, 5)
    every = [
        worth(asked, forms, shared, n)
        for n in lengths
        for forms, shared in every_form_set(asked, n)
    ]
    best = max(every, default=-np.inf)
    found = solve(asked)
    if not np.isfinite(best):
        assert found is None
        return
    assert found is not None
    length = int((found.counts[0] + found.anchors).sum())
    known = [(tuple(map(tuple, f)), tuple(s)) for f, s in every_form_set(asked, length)]
    assert (tuple(map(tuple, found.counts)), tuple(found.anchors)) in known
    assert worth(asked, found.counts, found.anchors, length) == pytest.approx(best, abs=1e-6)
    assert found.counts.shape == (asked.parallel, len(asked.information))
    assert 0 <= found.gap < 1e-6


def test_a_search_of_more_than_a_hundred_thousand_choices_is_refused() -> None:
    large = replace(plan(), information=np.ones((50_001, 3)))
    with pytest.raises(ParameterError, match="1 forms of 50,001 items are more than 100,000 cho"):
        solve(large)


def test_anchors_have_their_share_of_a_content_rounded_to_both_sides() -> None:
    asked = plan(8, parallel=2, anchors=2, length=5)
    assert anchor_range(asked, content(8, {0}, 3, 3)) == (1, 2)  # 3 * 2 / 5 = 1.2
    assert anchor_range(asked, content(8, {0}, 0, 5)) == (0, 2)
    assert anchor_range(replace(asked, length=None), content(8, {0}, 1, 2)) == (1, 2)


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (plan(length=6), None),
        (plan(length=7), "a form of 7 items needs 7 items, and there are 6: ask for shorter or "
                         "fewer forms, or for more anchors"),
        (plan(length=12, copies=2), None),
        (plan(length=13, copies=2), "a form of 13 items needs 13 items, and there are 12: ask for "
                                    "shorter or fewer forms, or for more anchors"),
        (plan(parallel=2, anchors=1, length=3), None),
        (plan(parallel=2, anchors=1, length=4),
         "2 forms of 4 items with 1 anchors need 7 items, and there are 6: ask for shorter or "
         "fewer forms, or for more anchors"),
        (plan(content=(content(6, {0, 1}, 2, 3),)), None),
        (plan(content=(content(6, {0}, 2, 3),)),
         "content kind=x: a form of 3 items with at least 2 of it needs 2 items, and there are 1; "
         "lower the bound"),
        (plan(content=(content(6, {0}, 2, 3),), copies=2), None),
        (plan(8, parallel=2, anchors=1, content=(content(8, {0, 1, 2}, 2, 3),)), None),
        (plan(8, parallel=2, anchors=1, content=(content(8, {0, 1}, 2, 3),)),
         "content kind=x: 2 forms of 3 items with at least 2 of it need 3 items, and there are 2; "
         "lower the bound"),
        (plan(content=(content(6, {0, 1}, 2, 3), content(6, {2, 3}, 1, 3))), None),
        (plan(content=(content(6, {0, 1}, 2, 3), content(6, {2, 3}, 2, 3))),
         "content kind: the least counts add up to 4, more than 3"),
        (plan(content=(content(6, {0, 1, 2}, 0, 2), content(6, {3, 4, 5}, 0, 1))), None),
        (plan(content=(content(6, {0, 1, 2}, 0, 1), content(6, {3, 4, 5}, 0, 1))),
         "content kind: the largest counts add up to 2, less than 3"),
        (plan(content=(content(6, {0, 1, 2}, 0, 1), content(6, {3, 4}, 0, 1))), None),
        (plan(length=None, target=1.0, content=(content(6, {0}, 5, 6),)), None),
    ],
)  # fmt: skip
def test_counting_says_what_cannot_be_and_no_more(
    asked: FormRequirements, sentence: str | None
) -> None:
    assert counted(asked) == sentence
    if sentence:
        assert explained(asked) == sentence


def test_why_there_are_no_forms_names_the_constraint_that_another_value_would_satisfy() -> None:
    # The best pair of the items has 1 + 0.5 at -1 and 0.5 + 1 at 1.
    information = np.array([[1.0, 0.7, 0.5], [0.5, 0.7, 1.0], [0.2, 0.2, 0.2]])
    asked = replace(plan(3, length=2, target=1.6), information=information)
    assert explained(asked) == (
        f"target standard error {1.6**-0.5:.3g}: the best forms of 2 items have {1.5**-0.5:.3g} at "
        "theta = -1; ask for longer or fewer forms, a larger error, or other abilities"
    )
    # Without a length the longest that there are items for are meant: all three.
    assert "the best forms of 3 items have 0.767 at theta = -1" in explained(
        replace(asked, length=None, target=2.0)
    )
    pairs = np.array([[1.0] * 3, [0.98] * 3, [0.1] * 3, [0.1] * 3])
    apart = replace(plan(4, length=1, parallel=2, tolerance=0.01), information=pairs[:2] * [[1]])
    assert explained(apart) == (
        "no forms have information within 1 % of each other; raise the tolerance, or ask for fewer "
        "forms"
    )
    both = replace(
        plan(4, length=2, parallel=2, tolerance=0.05), information=pairs,
        content=(content(4, {0, 1}, 2, 2),), anchors=0,
    )  # fmt: skip
    assert "with at least 2 of it need 4 items" in explained(both)
    one = replace(both, content=(content(4, {0, 1}, 0, 0),), parallel=1, length=3)
    assert explained(one) == (
        "content kind=x cannot be met together with the rest; widen its bounds"
    )
    two = replace(one, content=(content(4, {0, 1}, 0, 0), content(4, {0, 1, 2}, 0, 0)))
    assert explained(two) == (
        "the constraints cannot be met together; widen the bounds of the content"
    )


def bank(**more: Any) -> Calibration:
    """Nine items of equal slopes whose difficulties are -2, -1.5, ..., 2."""
    entries = tuple(
        Entry(f"i{k}", "2pl", (0.0, 1.0), (1.0 + 0.1 * k, -(1.0 + 0.1 * k) * (k - 4) / 2), 0.0,
              {"labels": {"domain": "xyz"[k % 3]}})
        for k in range(9)
    )  # fmt: skip
    names = tuple(f"i{k}.{name}" for k in range(9) for name in ("a1", "d"))
    return replace(Calibration("item", "2pl", entries, names, 0.01 * np.eye(18), 0.3, 1.44), **more)


def test_tables_of_forms_are_those_of_their_items() -> None:
    known = bank()
    found: Any = assemble_forms(known, length=4, parallel=2, anchors=2, tolerance=0.5, gap=0)
    table = found.table
    assert list(table) == ["form", "position", "item", "entry", "anchor", "a", "b", "c", "d",
                           "clone_sd"]  # fmt: skip
    assert table["form"].tolist() == ["form-1"] * 4 + ["form-2"] * 4
    assert table["position"].tolist() == [1, 2, 3, 4] * 2
    # Two anchors of four places stand at the second and fourth: (k + 1/2) * 4 / 2, from 0.
    assert table["anchor"].tolist() == [False, True, False, True] * 2
    assert table["entry"].tolist()[1::2][:2] == table["entry"].tolist()[5::2]
    for row in table.to_dict("records"):
        k = int(row["item"][1:])
        assert (row["a"], row["b"], row["clone_sd"]) == pytest.approx((1 + 0.1 * k, (k - 4) / 2, 0))
    # Population N(0.3, 1.44): from two deviations below to two above, and one to each side.
    line = np.asarray(found.information.index, float)
    assert line == pytest.approx(0.3 + 1.2 * np.linspace(-2, 2, 9))
    assert found.request["theta"] == pytest.approx((-0.9, 0.3, 1.5))
    each = known.information(line)
    for name, rows in table.groupby("form"):
        total = each[[known.position[e] for e in rows["entry"]]].sum(axis=0)
        assert found.information[name].to_numpy() == pytest.approx(total)
    both = found.information[["form-1", "form-2"]].to_numpy()
    assert found.information["gap"].to_numpy() == pytest.approx(
        both.max(axis=1) / both.min(axis=1) - 1
    )
    assert found.information["se"].to_numpy() == pytest.approx(1 / np.sqrt(both.min(axis=1)))
    facts = found.facts
    assert facts["items_used"] == table["item"].nunique() == 6
    assert facts["largest_gap"] == pytest.approx(found.information["gap"].max())
    at = found.information.loc[list(found.request["theta"]), "se"]
    assert facts["largest_se"] == pytest.approx(at.max())
    assert "theta" not in facts
    assert found.title == "2 linear forms of 4 items"
    assert list(found.tables) == ["information", "forms"]
    assert found.linking.empty
    assert [d.code for d in found.diagnostics] == ["few_anchors"]
    assert found.diagnostics[0].severity == "warning"


def test_a_bank_gives_its_items_its_labels_and_its_keys() -> None:
    rows = pd.DataFrame(
        {"entry": [f"i{k % 9}" for k in range(18)], "domain": ["x", "y"] * 9, "key": ["A"] * 18},
        index=range(18),
    )
    found: Any = assemble_forms(
        bank(), items=rows, length=4, parallel=2, tolerance=1.0,
        content={"domain": {"x": (1, 1), "y": (0, 9)}}, theta=[0.5, 0.5],
    )  # fmt: skip
    assert set(found.table["item"]) <= {str(k) for k in range(18)}
    assert found.table.groupby("form")["domain"].apply(lambda d: (d == "x").sum()).tolist() == [
        1,
        1,
    ]
    assert found.table["key"].tolist() == ["A"] * 8
    assert found.request["theta"] == (0.5,)
    assert [d.code for d in found.diagnostics] == ["few_anchors"]
    assert found.diagnostics[0].severity == "note"
    with pytest.raises(ParameterError, match="per_cell is only for forms of cells without a b"):
        assemble_forms(bank(), items=rows, length=4, per_cell=2)
    with pytest.raises(ParameterError, match="the calibration has no entry 'j'"):
        assemble_forms(bank(), items=rows.assign(entry="j"), length=4)
    with pytest.raises(ParameterError, match="the calibration has no item of the bank"):
        assemble_forms(bank(), items=rows.head(0), length=4)


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (
            {"parallel": 0, "length": 2},
            "the numbers of forms and of their items must be 1 or more, got 0 and 2",
        ),
        ({"length": 0}, "the numbers of forms and of their items must be 1 or more, got 1 and 0"),
        ({"target_se": 0.0}, "the target standard error must be positive, got 0.0"),
        ({"length": 3, "anchors": -1}, "3 items includes the anchors, .* got -1"),
        ({"length": 3, "anchors": 3, "parallel": 2}, "must be fewer than its items; got 3"),
        ({"length": 3, "tolerance": 0.0}, "the tolerance must be positive, got 0.0"),
        ({"length": 3, "theta": [np.nan]}, "must be one or more finite numbers"),
        ({"length": 3, "theta": []}, "must be one or more finite numbers"),
        ({"length": 3, "content": {"domain": {"x": (2, 1)}}}, "must ascend, got 2 and 1"),
        ({"length": 3, "content": {"domain": {"x": (-1, 1)}}}, "must ascend, got -1 and 1"),
        ({"length": 4, "parallel": 2, "anchors": 2, "respondents": 1, "tolerance": 1.0},
         "the number of respondents to a form must be 2 or more, got 1"),
    ],
)  # fmt: skip
def test_mistakes_in_requests_are_named(asked: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        assemble_forms(bank(), **asked)


@pytest.mark.thorough
def test_cells_stand_in_a_form_at_most_twice_an_even_share_unless_told() -> None:
    cells = bank(by="design")
    found: Any = assemble_forms(cells, length=9, parallel=2)
    assert found.table.query("form == 'form-1'")["entry"].value_counts().max() == 2
    more: Any = assemble_forms(cells, length=9, per_cell=5, theta=[0.0])
    assert more.table["entry"].value_counts().max() == 5
    # Without a length a form has 60 places: 14 of each of the nine cells.
    target = 9.0**-0.5
    short: Any = assemble_forms(cells, target_se=target, theta=[0.0], gap=0)
    each = cells.information([0.0])[:, 0].max()
    assert short.request["length"] == math.ceil(9.0 / each)


@pytest.mark.thorough
def test_clones_move_the_difference_of_two_forms_by_the_root_of_twice_their_variances() -> None:
    entries = tuple(replace(e, clone_sd=0.5) for e in bank().entries)
    found: Any = assemble_forms(bank(by="design", entries=entries), length=3, parallel=2)
    values = next(d for d in found.diagnostics if d.code == "clones_differ").values
    a, b = (found.table.query("form == 'form-1'")[name].to_numpy(float) for name in "ab")
    x, w = np.polynomial.hermite_e.hermegauss(40)
    each = 1 / (1 + np.exp(-a[:, None] * (0.3 - b[:, None] - 0.5 * x)))
    # A shift s of a difficulty moves its P by P' s; P' of the curve integrated over clones.
    slope = a * ((each * (1 - each)) @ w) / w.sum()
    assert values["score_sd"] == pytest.approx(np.sqrt(2 * ((slope * 0.5) ** 2).sum()), rel=1e-3)


def test_errors_of_new_difficulties_are_those_of_known_abilities() -> None:
    known, respondents = bank(), 250
    x, w = np.polynomial.hermite_e.hermegauss(60)
    theta, w = 0.3 + 1.2 * x, w / w.sum()
    for entry in (known.entries[0], known.entries[6]):
        a, step = entry.values
        b = -step / a
        p = 1 / (1 + np.exp(-a * (theta - b)))
        gradient = np.stack([theta - b, np.full_like(theta, -a)])
        information = respondents * (gradient * (w * p * (1 - p))) @ gradient.T
        found = _expected_covariance(known, entry, respondents, False)
        assert found == pytest.approx(np.linalg.inv(information), rel=1e-6)
        shifted = _expected_covariance(known, entry, respondents, True)
        assert shifted == pytest.approx(np.diag([0, 1 / information[1, 1]]), rel=1e-6)


@pytest.mark.thorough
def test_the_error_of_a_link_has_a_part_of_the_old_and_a_part_of_the_new_calibration() -> None:
    def errors(respondents: int, scale: float) -> np.ndarray:
        known = bank(covariance=scale * np.eye(18))
        linking: Any = assemble_forms(
            known, length=5, parallel=2, anchors=4, respondents=respondents, gap=0, tolerance=1.0
        ).linking
        assert linking["respondents"].tolist() == [respondents]
        assert linking["method"].tolist() == ["stocking-lord"]
        return linking[["slope_se", "intercept_se"]].to_numpy()[0] ** 2

    new = errors(100, 0.0)
    assert errors(400, 0.0) == pytest.approx(new / 4)
    old = errors(100, 0.02) - new
    assert (old > 0).all()
    assert errors(400, 0.06) == pytest.approx(3 * old + new / 4)
    # The same items in the same place: what is not known of the new values weighs as of the old.
    assert errors(10**9, 0.02) == pytest.approx(old, rel=1e-4)


def test_content_bounds_hold_where_the_target_says_how_long_forms_are() -> None:
    known = bank()
    bounds = {"domain": {"x": (2, 9), "y": (0, 1)}}
    found: Any = assemble_forms(known, target_se=0.9, content=bounds, tolerance=1.0, gap=0)
    domains = found.table["domain"].value_counts()
    assert domains.get("x", 0) >= 2
    assert domains.get("y", 0) <= 1
    assert found.information["se"].loc[list(found.request["theta"])].max() <= 0.9
    assert len(found.table) == found.request["length"]
