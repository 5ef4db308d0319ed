"""Who follows a plan for inflation finds it with the planned power."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import special

import gfactor as gf
from gfactor.errors import ParameterError
from gfactor.psychometrics.inference.inflation import inflation_of
from gfactor.psychometrics.planning import InflationAim

DRAWS = 120


def found(items: int, references: int, points: float, interaction: float, seed: int) -> bool:
    """Whether the t test finds an examinee of .6 whose public score is so many points too high."""
    rng = np.random.default_rng(seed)
    theta = np.r_[0.0, rng.normal(0, 0.8, references)][:, None]
    easiness = 0.45 + rng.normal(0, 1.05, 2 * items)
    liked = rng.normal(0, interaction / np.sqrt(2), (references + 1, 2)).repeat(items, axis=1)
    right = (
        rng.random((references + 1, 2 * items)) < special.expit(theta + easiness + liked)
    ) * 1.0
    wrong = np.flatnonzero(right[0, :items] == 0)
    learned = min(rng.binomial(items, points / 100), len(wrong))
    right[0, rng.choice(wrong, learned, replace=False)] = 1.0
    names = [f"{form}{k}" for form in ("p", "f") for k in range(items)]
    table = pd.DataFrame(right, [f"m{k}" for k in range(references + 1)], names)
    result = inflation_of(table, examinee="m0", public=names[:items], fresh=names[items:])
    return bool(result.tests.set_index("test")["p"].to_dict()["t"] <= 0.05)


def test_the_planned_items_are_the_fewest_that_detect_the_target() -> None:
    plan = gf.plan(aim="inflation", target=8, tries={"reference": [20]}, simulations=0)
    assert plan.chosen is not None
    aim, items = InflationAim(), plan.chosen["item"]
    assert aim.reached({"item": items, "reference": 20}) <= 8
    assert aim.reached({"item": items - 1, "reference": 20}) > 8


def test_a_score_cannot_be_inflated_by_more_than_it_lacks() -> None:
    with pytest.raises(ParameterError, match=r"60\.0 % cannot be inflated by 40 points, only by"):
        gf.plan(aim="inflation", target=40, tries={"reference": [20]}, simulations=0)
    assert InflationAim().needed({"reference": 20}, 39.0) == 20


@pytest.mark.thorough
def test_a_plan_says_where_its_simulation_has_less_power_than_was_asked_for() -> None:
    plan = gf.plan(aim="inflation", target=5, known={"accuracy": 0.95}, simulations=30, seed=1)
    (entry,) = [d for d in plan.diagnostics if d.code == "power_not_reached"]
    assert plan.simulated is not None
    assert f"power is {plan.simulated.reached:.2f}, and 0.8 was asked for" in entry.sentence
    usual = gf.plan(aim="inflation", target=8, simulations=30, seed=1)
    assert "power_not_reached" not in {d.code for d in usual.diagnostics}


def test_near_the_ceiling_data_sets_without_differences_find_nothing() -> None:
    """Of 20 items with .98 right, simulated references have all the same score now and then."""
    done = InflationAim(accuracy=0.995).simulate(
        {"item": 20, "reference": 5}, 20, np.random.default_rng(1)
    )
    assert done.runs == 20
    assert done.reached < 0.5
    plan = gf.plan(aim="inflation", target=1.9, known={"accuracy": 0.98}, simulations=20)
    assert "power_not_reached" in {d.code for d in plan.diagnostics}


def test_the_number_of_references_is_found_for_given_items() -> None:
    plan = gf.plan(
        aim="inflation", target=9, solve="reference", tries={"item": [300, 400]}, simulations=0
    )
    assert plan.chosen is not None
    for row in plan.designs.to_dict("records"):
        counts = {"item": row["item"], "reference": row["reference"]}
        assert InflationAim().reached(counts) <= 9
        assert not InflationAim().reached({**counts, "reference": row["reference"] - 1}) <= 9
    with pytest.raises(ParameterError, match="of items or of references; solve is item or refer"):
        gf.plan(aim="inflation", target=9, solve="examinee", simulations=0)
    with pytest.raises(ParameterError, match="finds the number of examinees, not of references"):
        gf.plan(aim="cfa", target=0.8, known={"df": 100}, solve="reference", simulations=0)


def test_fewer_references_than_a_test_takes_are_refused_with_their_number() -> None:
    with pytest.raises(ParameterError, match="at least 5 references, got 3"):
        gf.plan(aim="inflation", target=9, tries={"reference": [3]}, simulations=0)


@pytest.mark.slow
@pytest.mark.parametrize(("target", "references"), [(12, 10), (8, 20), (8, 60)])
def test_a_plan_that_is_followed_has_the_planned_power(target: float, references: int) -> None:
    """Of draws that the plan does not make itself, within three Monte Carlo errors of .80."""
    plan = gf.plan(aim="inflation", target=target, tries={"reference": [references]}, simulations=0)
    assert plan.chosen is not None
    items = plan.chosen["item"]
    hits = [
        found(items, references, target, 0.05, 7000 + k) for k in range(DRAWS)
    ]  # fmt: skip
    assert np.mean(hits) == pytest.approx(0.8, abs=3 * np.sqrt(0.8 * 0.2 / DRAWS))


@pytest.mark.slow
def test_the_plans_own_simulation_agrees_with_its_formula() -> None:
    """With forms of two benchmarks, too."""
    for interaction in (0.0, 0.2):
        aim = InflationAim(interaction=interaction)
        done = aim.simulate({"item": 200, "reference": 20}, DRAWS, np.random.default_rng(1))
        assert done.reached == pytest.approx(0.8, abs=0.11)
