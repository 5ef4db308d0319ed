"""D_div, TC and D_valid: what they are, what they depend on, what is said against them."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.benchmarks import simulated

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.gold import (
    benchmark_diagnostics,
    chance_inflation,
    diagnostics_of_correlations,
    exchangeable,
    model_from_columns,
    restricted,
    with_general,
)
from gfactor.psychometrics.gold.diagnostics import _ends
from gfactor.psychometrics.pls import PLSModel, fit_pls


def codes(result: object) -> set[str]:
    return {d.code for d in result.diagnostics}  # type: ignore[attr-defined]


@pytest.mark.thorough
def test_the_three_follow_from_htmt_loadings_and_vifs() -> None:
    data = simulated()
    found = benchmark_diagnostics(data, model_from_columns(list(data)), n_bootstrap=20)
    assert found["D_div"] == pytest.approx(1 / (2 * found.largest_htmt[2]))
    assert found["TC"] == pytest.approx(found.tasks["loading"].mean())
    vifs = found.tasks["vif"].to_numpy(float)
    assert found["D_valid"] == pytest.approx(float(np.prod(vifs)) ** (-1 / len(vifs)))
    for row in found.table.to_dict("records"):
        assert row["low"] < row["estimate"] < row["high"]


@pytest.mark.thorough
def test_loadings_htmt_and_vif_are_those_of_the_pls_fit() -> None:
    data = simulated()
    blocks = {f"C{c}": [f"B.C{c}.t{t}" for t in range(1, 6)] for c in (1, 2, 3)}
    model = PLSModel.of(blocks, [("C1", "C2"), ("C2", "C3")])
    fit = fit_pls(model, data)
    found = benchmark_diagnostics(data, model, n_bootstrap=2)
    theirs = fit.measurement.set_index("indicator").loc[found.tasks["task"]]
    assert np.allclose(found.tasks["loading"], theirs["loading"], rtol=0, atol=1e-9)
    assert np.allclose(found.tasks["vif"], theirs["vif"], rtol=1e-9)
    assert np.allclose(found.htmt, fit.htmt, rtol=1e-9, equal_nan=True)


def test_equal_correlations_give_the_closed_form() -> None:
    k, r = 6, 0.4
    matrix = pd.DataFrame(np.full((k, k), r) + (1 - r) * np.eye(k))
    names = [f"t{i}" for i in range(k)]
    matrix = matrix.set_axis(names, axis=0).set_axis(names, axis=1)
    found = diagnostics_of_correlations(matrix, with_general({"A": names}))
    tc, valid = exchangeable(k, r)
    assert found.three["TC"] == pytest.approx(tc)
    assert found.three["D_valid"] == pytest.approx(valid)
    assert np.isnan(found.three["D_div"])


@given(st.integers(2, 30), st.floats(0.01, 0.98))
@settings(deadline=None)
def test_more_tasks_lower_both_tc_and_validity(k: int, r: float) -> None:
    few, many = exchangeable(k, r), exchangeable(k + 1, r)
    assert many[0] <= few[0] + 1e-12
    assert many[1] <= few[1] + 1e-12


@given(st.floats(0.05, 0.95), st.floats(0.1, 0.99))
def test_a_narrower_range_lowers_correlations(r: float, ratio: float) -> None:
    assert restricted(r, ratio) <= r
    assert restricted(restricted(r, ratio), 1 / ratio) == pytest.approx(r)


@pytest.mark.thorough
def test_the_same_benchmark_looks_different_to_models_of_another_spread() -> None:
    model = model_from_columns(list(simulated()))
    wide = benchmark_diagnostics(simulated(spread=2.0), model, n_bootstrap=2)
    narrow = benchmark_diagnostics(simulated(spread=0.3), model, n_bootstrap=2)
    assert wide["TC"] > narrow["TC"] + 0.05
    assert wide["D_valid"] < narrow["D_valid"] / 1.5
    assert wide["D_div"] < narrow["D_div"]


def test_range_restriction_is_said_with_the_numbers_of_both_ends() -> None:
    data = simulated(spread=2.0)
    found = benchmark_diagnostics(data, model_from_columns(list(data)), n_bootstrap=2)
    said = next(d for d in found.diagnostics if d.code == "range_restriction")
    assert said.severity == "warning"
    assert set(found.by_range["range"]) == {"all", "top", "bottom"}
    assert said.values["top.TC"] < said.values["all.TC"]


@pytest.mark.thorough
def test_intervals_have_the_width_of_their_level() -> None:
    """On the scale of the interval half-widths are normal quantiles: those of 50 % and 95 %."""
    data = simulated()
    model = model_from_columns(list(data))
    narrow, wide = (
        benchmark_diagnostics(data, model, n_bootstrap=20, level=level).table.set_index(
            "diagnostic"
        )
        for level in (0.5, 0.95)
    )
    scale = {"D_div": np.log, "TC": np.arctanh, "D_valid": np.log}
    for name, onto in scale.items():
        half = [onto(t.loc[name, "estimate"]) - onto(t.loc[name, "low"]) for t in (narrow, wide)]
        assert half[0] / half[1] == pytest.approx(0.67449 / 1.95996, rel=1e-4)


@pytest.mark.slow
def test_intervals_cover_what_other_samples_of_models_show() -> None:
    many = simulated(20000, seed=99)
    truth = diagnostics_of_correlations(many.corr(), model_from_columns(list(many))).three
    inside = []
    for seed in range(30):
        data = simulated(100, seed=seed)
        table = benchmark_diagnostics(
            data, model_from_columns(list(data)), n_bootstrap=60
        ).table.set_index("diagnostic")
        inside.append(
            [table.loc[n, "low"] <= truth[n] <= table.loc[n, "high"] for n in ("TC", "D_valid")]
        )
    # 95 % intervals: fewer than 24 of 30 has a chance below 0.001 if they hold.
    assert (np.sum(inside, axis=0) >= 24).all()


@pytest.mark.thorough
def test_too_few_models_families_and_chance_are_said() -> None:
    data = simulated(24)
    model = model_from_columns(list(data))
    assert "few_models" in codes(benchmark_diagnostics(data, model, n_bootstrap=2))
    many = simulated(60)
    rng = np.random.default_rng(0)
    copies = many.iloc[:20] + rng.normal(0, 0.1, (20, many.shape[1]))
    copies.index = pd.Index([f"{m}-ft" for m in copies.index], name="model")
    both = pd.concat([many, copies])
    assert "near_copies" in codes(benchmark_diagnostics(both, model, n_bootstrap=2))
    low = benchmark_diagnostics(many, model, chance=dict.fromkeys(many, 50.0), n_bootstrap=2)
    assert "at_chance" in codes(low)
    assert chance_inflation(165, 30) == pytest.approx(164 / 135)


def test_an_anchor_counts_in_nothing_and_is_named() -> None:
    data = simulated().assign(arena=simulated().mean(axis=1))
    blocks = {f"C{c}": [f"B.C{c}.t{t}" for t in range(1, 6)] for c in (1, 2, 3)}
    model = PLSModel.of({**blocks, "Human": ["arena"]}, [(c, "Human") for c in blocks])
    found = benchmark_diagnostics(data, model, n_bootstrap=2)
    assert "arena" not in set(found.tasks["task"])
    assert "one_indicator" in codes(found)


def test_degenerate_tables_get_a_sentence() -> None:
    data = simulated(40)
    model = model_from_columns(list(data))
    with pytest.raises(ParameterError, match="does not vary"):
        benchmark_diagnostics(data.assign(**{"B.C1.t1": 3.0}), model)
    with pytest.raises(UnknownNameError, match=r"B\.C1\.t1"):
        benchmark_diagnostics(data.drop(columns="B.C1.t1"), model)
    with pytest.raises(ParameterError, match="missing"):
        benchmark_diagnostics(data.where(data > 35), model)
    with pytest.raises(ParameterError, match="2 rows"):
        benchmark_diagnostics(pd.concat([data, data.iloc[:1]]), model)
    blocks = {"C1": list(data)[:5], "C2": list(data)[5:10]}
    formative = PLSModel.of(blocks, [("C1", "C2")], {"C1": "B"})
    with pytest.raises(ParameterError, match="mode B"):
        benchmark_diagnostics(data, formative)
    copy = benchmark_diagnostics(data.assign(**{"B.C1.t1": data["B.C1.t2"]}), model, n_bootstrap=2)
    assert "duplicated_column" in codes(copy)
    assert copy["D_valid"] == 0.0
    few = benchmark_diagnostics(data.iloc[:4], model, n_bootstrap=2)
    assert "more_tasks_than_models" in codes(few)


@pytest.mark.thorough
@pytest.mark.parametrize("missing", ["listwise", "pairwise", "em", "mean"])
def test_missing_cells_are_treated_as_asked_and_said(missing: str) -> None:
    data = simulated(80)
    holes = data.mask(np.random.default_rng(3).random(data.shape) < 0.01)
    model = model_from_columns(list(data))
    found = benchmark_diagnostics(holes, model, missing=missing, n_bootstrap=2)  # type: ignore[arg-type]
    (said,) = [d for d in found.diagnostics if d.code == "missing_cells"]
    assert said.severity == ("warning" if missing == "mean" else "note")  # 1 % is little.
    assert found["TC"] == pytest.approx(
        benchmark_diagnostics(data, model, n_bootstrap=2)["TC"], abs=0.03
    )


@pytest.mark.thorough
def test_the_result_is_json_and_repeats() -> None:
    data = simulated(60)
    model = model_from_columns(list(data))
    first = benchmark_diagnostics(data, model, n_bootstrap=30, seed=5)
    second = benchmark_diagnostics(data, model, n_bootstrap=30, seed=5)
    assert json.dumps(first.to_dict(), allow_nan=False) == json.dumps(second.to_dict())
    assert "TC" in first._repr_html_()


def test_rounded_correlations_that_contradict_each_other_are_refused() -> None:
    names = ["a", "b", "c"]
    r = pd.DataFrame([[1, 0.9, -0.9], [0.9, 1, 0.9], [-0.9, 0.9, 1]], index=names, columns=names)
    with pytest.raises(ParameterError, match="singular"):
        diagnostics_of_correlations(r, with_general({"A": names}))


def test_names_of_columns_speak_of_constructs() -> None:
    model = model_from_columns(["M.A.x", "M.A.y", "M.B.z", "M.B.u", "M.C.alone", "M.Overall"])
    assert [c.name for c in model.constructs] == ["A", "B", "General"]
    assert set(model.columns) == {"M.A.x", "M.A.y", "M.B.z", "M.B.u"}
    with pytest.raises(ParameterError, match="name a file of a model"):
        model_from_columns(["x", "y"])


def test_a_model_without_a_score_in_any_task_of_known_chance_is_not_at_chance() -> None:
    """Nothing is said of it, and no warning of numpy reaches the user."""
    data = simulated()
    data.iloc[0, 0] = np.nan
    data.iloc[1:9, 0] = 20.0
    level = {str(data.columns[0]): 25.0}
    model = model_from_columns(list(data))
    found = benchmark_diagnostics(data, model, missing="mean", chance=level, n_bootstrap=2)
    (said,) = (d for d in found.diagnostics if d.code == "at_chance")
    below = data.index[data.iloc[:, 0] <= 25.0]
    assert said.values == {"tasks": 0, "models": len(below)}
    assert said.where == tuple(below)


@pytest.mark.parametrize("name", ["D_div", "TC", "D_valid"])
@pytest.mark.parametrize("point", [np.nan, np.inf, 0.0, -0.1])
def test_a_diagnostic_without_a_positive_estimate_has_no_interval(name: str, point: float) -> None:
    drawn = np.array([0.3, 0.4, 0.6])
    assert np.isnan(_ends(point, drawn, name, 1.96)).all()
    assert np.isfinite(_ends(0.4, drawn, name, 1.96)).all()
    assert np.isnan(_ends(0.4, drawn[:1], name, 1.96)).all()
