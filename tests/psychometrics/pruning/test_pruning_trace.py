"""Algorithm 1: the removals of the authors' tool, the rules, the floor."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.benchmarks import simulated
from support.oracles import ORACLES

from gfactor.errors import ParameterError
from gfactor.psychometrics.gold import benchmark_diagnostics, measured, model_from_columns
from gfactor.psychometrics.pls import PLSModel
from gfactor.psychometrics.pruning import PruningRules, prune


@pytest.fixture(scope="module")
def oracle() -> dict[str, Any]:
    return json.loads((ORACLES / "pls" / "goldbench_prune_pool85.json").read_text())


@pytest.fixture(scope="module")
def pool(oracle: dict[str, Any]) -> Any:
    return pd.read_csv(ORACLES / "pls" / "pool85_synthetic.csv")


def anchored(oracle: dict[str, Any]) -> PLSModel:
    constructs = oracle["constructs"]
    return PLSModel.of({**constructs, "Human": ["arena"]}, [(c, "Human") for c in constructs])


@pytest.mark.thorough
def test_the_authors_tool_removes_the_same_61_tasks_in_the_same_order(
    oracle: dict[str, Any], pool: pd.DataFrame
) -> None:
    found: Any = prune(anchored(oracle), pool)
    assert list(found.trace["task"]) == oracle["removal_order"]
    assert list(found.trace["reason"]) == oracle["reasons"]
    assert np.allclose(found.trace["value"], oracle["values"], rtol=0, atol=1e-12)
    assert set(found.tasks_left) == set(oracle["retained"])
    assert list(found.three["tasks"]) == [85, 24]
    for when, row in (("initial", 0), ("final", 1)):
        for name in ("D_div", "TC", "D_valid"):
            assert found.three.loc[row, name] == pytest.approx(oracle[when][name], abs=1e-12)
    left = found.tasks.set_index("task")
    for task, loading in oracle["final_loadings"].items():
        if task != "arena":
            assert left.loc[task, "loading"] == pytest.approx(loading, abs=1e-12)
            assert left.loc[task, "vif"] == pytest.approx(oracle["final_vifs"][task], abs=1e-10)
    assert found.htmt.loc["Perception", "Memory"] == pytest.approx(
        oracle["final_htmt"]["Perception"]["Memory"], abs=1e-12
    )


def test_a_second_order_construct_before_the_anchor_changes_nothing(
    oracle: dict[str, Any], pool: pd.DataFrame
) -> None:
    constructs = oracle["constructs"]
    model = PLSModel.of(
        {**constructs, "Gold": list(constructs), "Human": ["arena"]}, [("Gold", "Human")]
    )
    assert list(prune(model, pool).trace["task"]) == oracle["removal_order"]


@pytest.mark.thorough
def test_the_papers_order_removes_more_at_once(oracle: dict[str, Any], pool: pd.DataFrame) -> None:
    one: Any = prune(anchored(oracle), pool)
    every: Any = prune(anchored(oracle), pool, PruningRules(order="all"))
    assert len(every.tasks_left) < len(one.tasks_left)
    assert every.trace["round"].max() < one.trace["round"].max() / 5
    assert "at once" in one.rules.sentence()
    assert "one task" in every.rules.sentence()


@pytest.mark.thorough
@given(st.integers(0, 10_000), st.sampled_from(["one", "all"]), st.integers(1, 3))
@settings(max_examples=12, deadline=None)
def test_whatever_the_scores_the_floor_holds_and_the_rest_keeps_the_limits(
    seed: int, order: Any, floor: int
) -> None:
    data = simulated(60, seed=seed)
    rules = PruningRules(vif=3, loading=0.8, floor=floor, order=order)
    found: Any = prune(model_from_columns(list(data)), data, rules)
    assert all(len(own) >= floor for own in found.retained.values())
    assert len(found.trace) + len(found.tasks_left) == data.shape[1]
    for construct, own in found.tasks.groupby("construct"):
        if len(own) > floor:
            assert (own["vif"] <= rules.vif).all(), construct
            assert (own["loading"] >= rules.loading).all(), construct


@pytest.mark.thorough
def test_every_step_is_the_worst_task_of_a_new_fit() -> None:
    data = simulated(60, seed=4)
    model = model_from_columns(list(data))
    found = prune(model, data, PruningRules(vif=3, loading=0.8))
    left = list(data)
    for step in found.trace.to_dict("records"):
        now: Any = benchmark_diagnostics(data[left], model_from_columns(left), n_bootstrap=0).tasks
        sizes = now.groupby("construct")["task"].transform("size")
        free = now[sizes > 2]
        if step["reason"] == "vif":
            assert step["value"] >= 0.95 * free["vif"].max()
        else:
            assert not (free["vif"] > 3).any()
            assert step["value"] == pytest.approx(free["loading"].min(), abs=1e-7)
        left.remove(step["task"])


@pytest.mark.thorough
def test_ties_in_redundancy_go_to_the_smaller_loading() -> None:
    data = simulated(200, tasks=4, seed=2)
    data["B.C1.t1"] = data["B.C1.t2"] + np.random.default_rng(0).normal(0, 1.0, 200)
    model = model_from_columns(list(data))
    first = prune(model, data, PruningRules(vif=5)).trace.iloc[0]
    now: Any = benchmark_diagnostics(data, model, n_bootstrap=0).tasks.set_index("task")
    pair = now.loc[["B.C1.t1", "B.C1.t2"]]
    assert (pair["vif"] >= 0.95 * pair["vif"].max()).all()
    assert first["task"] == pair["loading"].idxmin()
    strict = prune(model, data, PruningRules(vif=5, near=0.0)).trace.iloc[0]
    assert strict["task"] == pair["vif"].idxmax()


def test_of_two_copies_one_goes_first() -> None:
    data = simulated(80)
    data["B.C2.t5"] = 2 * data["B.C2.t1"] + 1
    found = prune(model_from_columns(list(data)), data)
    assert found.trace.iloc[0]["task"] in ("B.C2.t1", "B.C2.t5")
    assert found.to_dict()["trace"][0]["value"] is None  # Infinite.
    assert "duplicated_column" in {d.code for d in found.diagnostics}


def test_a_construct_of_weak_tasks_survives_only_by_the_floor_and_is_named() -> None:
    data = simulated(100)
    rng = np.random.default_rng(0)
    for t in range(1, 6):
        data[f"B.C3.t{t}"] = rng.normal(size=100)
    found = prune(model_from_columns(list(data)), data, PruningRules(loading=0.75, floor=3))
    codes = {d.code: d for d in found.diagnostics}
    assert set(codes["kept_by_the_floor"].where) <= set(found.retained["C3"])
    assert len(found.retained["C3"]) == 3


def test_a_construct_without_survivors_is_named() -> None:
    data = simulated(100)
    found = prune(model_from_columns(list(data)), data, PruningRules(loading=0.99))
    codes = {d.code: d for d in found.diagnostics}
    assert codes["no_survivors"].where == ("C1", "C2", "C3")


def test_two_unrelated_tasks_load_high_on_their_own_sum() -> None:
    # A limit of 0.68 is met by noise.
    rng = np.random.default_rng(0)
    data = pd.DataFrame(rng.normal(size=(5000, 2)), columns=["B.t1", "B.t2"])
    found: Any = prune(model_from_columns(list(data)), data, PruningRules(loading=0.68))
    assert found.tasks["loading"].tolist() == pytest.approx([0.71, 0.71], abs=0.02)
    assert not found.tasks["over_limit"].any()


def test_the_vif_may_be_taken_over_all_tasks() -> None:
    data = simulated(100, spread=2.0)
    model = model_from_columns(list(data))
    whole = prune(model, data, PruningRules(vif=8, loading=0, scope="all"))
    own = prune(model, data, PruningRules(vif=8, loading=0))
    assert len(whole.tasks_left) < len(own.tasks_left)


def test_more_tasks_than_models_is_refused() -> None:
    data = simulated(5)
    with pytest.raises(ParameterError, match=r"5 tasks, but there are 5 models"):
        prune(model_from_columns(list(data)), data)


@pytest.mark.parametrize(
    ("setting", "value"),
    [("vif", 1.0), ("loading", 1.0), ("floor", 0), ("near", 1.0), ("order", "x"), ("scope", "x")],
)
def test_impossible_rules_are_refused(setting: str, value: Any) -> None:
    with pytest.raises(ParameterError):
        PruningRules(**{setting: value})


def test_an_anchor_known_for_few_models_needs_a_word_on_missing_cells() -> None:
    data = simulated(100)
    ratings = data.mean(axis=1).where(np.arange(100) < 30)
    data = data.assign(arena=ratings)
    blocks = measured(model_from_columns(list(simulated(100))))
    model = PLSModel.of({**blocks, "Human": ["arena"]}, [(c, "Human") for c in blocks])
    with pytest.raises(ParameterError, match="70 of"):
        prune(model, data)
    assert len(prune(model, data, missing="pairwise").tasks_left) >= 6
    assert prune(model, data, missing="listwise").n == 30


def test_the_result_is_json() -> None:
    data = simulated(60)
    found = prune(model_from_columns(list(data)), data, PruningRules(vif=3, loading=0.8))
    document = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert {"task", "construct", "reason", "value"} <= set(document["trace"][0])
    assert document["retained"] == list(found.tasks_left)
    assert "retained" in found.summary()
