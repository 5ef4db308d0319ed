"""The error of task scores: estimated, taken out, and part of the intervals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from gfactor.cli import cli
from gfactor.errors import ParameterError
from gfactor.psychometrics import cronbach_alpha
from gfactor.psychometrics.gold import (
    BenchmarkScores,
    TaskItems,
    benchmark_diagnostics,
    compare_benchmarks,
    disattenuated,
    model_from_columns,
    reliabilities,
)
from gfactor.psychometrics.gold.precision import crossed, model_counts

NAMES = ("D_div", "TC", "D_valid")
TASKS = [f"B.C{c}.t{t}" for c in (1, 2) for t in (1, 2, 3)]


def drawn(models: int, items: int, seed: int = 1) -> tuple[pd.DataFrame, pd.DataFrame, Any]:
    """Answers, scores and true scores; abilities of tasks correlate 0.8 within, 0.5 across."""
    rng = np.random.default_rng(seed)
    general = rng.normal(size=(models, 1))
    answers, true = {}, {}
    for c in (1, 2):
        special = rng.normal(size=(models, 1))
        for t in (1, 2, 3):
            own = 0.5**0.5 * general + 0.3**0.5 * special + 0.2**0.5 * rng.normal(size=(models, 1))
            p = np.clip(0.5 + 0.12 * own[:, 0], 0.02, 0.98)
            true[f"B.C{c}.t{t}"] = p
            for k in range(items):
                answers[f"B.C{c}.t{t}#{k}"] = (rng.random(models) < p).astype(float)
    index = pd.Index([f"m{i}" for i in range(models)], name="model")
    table = pd.DataFrame(answers, index=index)
    scores = pd.DataFrame({t: table.filter(like=f"{t}#").mean(axis=1) for t in true}, index=index)
    return table, scores, pd.DataFrame(true, index=index)


def owners(answers: pd.DataFrame) -> dict[str, str]:
    return {str(i): str(i).split("#")[0] for i in answers.columns}


def test_reliabilities_are_kr20_of_answers_and_kr21_of_counts() -> None:
    answers, scores, true = drawn(400, 30)
    found: Any = reliabilities(scores, TaskItems(answers, owners(answers))).set_index("task")
    for task in TASKS:
        alpha = cronbach_alpha(answers.filter(like=f"{task}#"))
        assert found.loc[task, "reliability"] == pytest.approx(alpha)
        # What a reliability is: the squared correlation of scores and true scores.
        r = float(np.corrcoef(scores[task], true[task])[0, 1]) ** 2
        assert found.loc[task, "reliability"] == pytest.approx(r, abs=0.06)
    counted: Any = reliabilities(scores, TaskItems(counts=dict.fromkeys(TASKS, 30)))
    assert set(counted["method"]) == {"KR-21"}
    p = scores[TASKS[0]]
    by_hand = 1 - (p * (1 - p)).mean() / 29 / p.var()
    assert counted["reliability"][0] == pytest.approx(by_hand)
    assert np.allclose(counted["reliability"], found["reliability"], atol=0.02)


@pytest.mark.thorough
def test_figures_without_error_are_those_of_the_true_scores() -> None:
    answers, scores, true = drawn(1200, 20)
    model = model_from_columns(TASKS)
    raw = benchmark_diagnostics(scores, model, n_bootstrap=2)
    free = benchmark_diagnostics(true, model, n_bootstrap=2)
    found = benchmark_diagnostics(
        scores, model, n_bootstrap=2, items=TaskItems(answers, owners(answers))
    )
    assert [found[name] for name in NAMES] == [raw[name] for name in NAMES]
    corrected: Any = found.disattenuated.set_index("diagnostic")["estimate"]
    assert free["TC"] - raw["TC"] > 0.1
    assert corrected["TC"] == pytest.approx(free["TC"], abs=0.03)
    assert corrected["D_valid"] == pytest.approx(free["D_valid"], abs=0.08)
    assert abs(corrected["D_valid"] - free["D_valid"]) < abs(raw["D_valid"] - free["D_valid"]) / 3
    assert "unreliable_tasks" in {d.code for d in found.diagnostics}


def test_disattenuated_correlations_stay_correlations() -> None:
    r = np.array([[[1, 0.5, 0.5], [0.5, 1, 0.4], [0.5, 0.4, 1]]], float)
    found = disattenuated(r, np.array([0.8, 0.5, np.nan]))
    assert found[0, 0, 1] == pytest.approx(0.5 / np.sqrt(0.4))
    assert found[0, 0, 2] == pytest.approx(0.5 / np.sqrt(0.8))
    beyond = disattenuated(r, np.array([0.3, 0.3, 0.3]))[0]
    assert np.linalg.eigvalsh(beyond).min() > 0
    assert np.allclose(np.diag(beyond), 1)


@pytest.mark.thorough
def test_drawing_items_too_widens_intervals_where_items_differ() -> None:
    answers, _, _ = drawn(80, 6)
    rng = np.random.default_rng(8)
    ability = rng.normal(size=80)
    # Of six items two tell models apart and four are coins: other items would be another task.
    for item in answers.columns:
        sharp = int(item.split("#")[1]) < 2
        p = 1 / (1 + np.exp(-4 * ability)) if sharp else np.full(80, 0.5)
        answers[item] = (rng.random(80) < p).astype(float)
    scores = pd.DataFrame({t: answers.filter(like=f"{t}#").mean(axis=1) for t in TASKS})
    model, items = model_from_columns(TASKS), TaskItems(answers, owners(answers))
    models_only: Any = benchmark_diagnostics(scores, model, n_bootstrap=100).table
    both: Any = benchmark_diagnostics(scores, model, n_bootstrap=100, items=items).table
    assert both["se"][1] > 1.5 * models_only["se"][1]
    again = benchmark_diagnostics(scores, model, n_bootstrap=100, items=items).table
    pd.testing.assert_frame_equal(both, again)


@pytest.mark.thorough
def test_answers_to_other_tasks_change_nothing() -> None:
    answers, scores, _ = drawn(60, 5)
    part = TASKS[:5]
    chosen: Any = scores[part]
    model = model_from_columns(part)
    known: Any = answers[[i for i in answers if str(i).split("#")[0] in part]]
    other = answers.assign(stray=1.0 - answers.iloc[:, 0])
    tables = [
        benchmark_diagnostics(
            chosen, model, n_bootstrap=20, items=TaskItems(given, owners(given))
        ).table
        for given in (known, answers, other)
    ]
    for table in tables[1:]:
        pd.testing.assert_frame_equal(tables[0], table)


@pytest.mark.thorough
def test_items_are_drawn_only_where_every_task_has_answers() -> None:
    """A rating has no answers: models alone are resampled then, as without items."""
    answers, scores, _ = drawn(60, 5)
    model, last = model_from_columns(TASKS), f"{TASKS[-1]}#"
    some: Any = answers[[i for i in answers if not str(i).startswith(last)]]

    def table(items: TaskItems | None) -> pd.DataFrame:
        return benchmark_diagnostics(scores, model, n_bootstrap=20, items=items).table

    pd.testing.assert_frame_equal(table(TaskItems(some, owners(some))), table(None))
    pd.testing.assert_frame_equal(table(TaskItems(counts=dict.fromkeys(TASKS, 5))), table(None))
    assert not table(TaskItems(answers, owners(answers))).equals(table(None))


def test_copies_of_models_are_one_or_a_cluster() -> None:
    _, scores, _ = drawn(40, 60)
    rng = np.random.default_rng(0)
    copies = [scores + rng.normal(0, 1e-4, scores.shape) for _ in range(4)]
    several: Any = pd.concat([c.set_axis([f"{m}-{k}" for m in c.index]) for k, c in
                              enumerate(copies)])  # fmt: skip
    model = model_from_columns(TASKS)
    alone = benchmark_diagnostics(scores, model, n_bootstrap=300)
    naive = benchmark_diagnostics(several, model, n_bootstrap=300)
    clusters = benchmark_diagnostics(several, model, n_bootstrap=300, families="clusters")
    one = benchmark_diagnostics(several, model, n_bootstrap=300, families="one")
    se = [float(f.table.set_index("diagnostic").loc["TC", "se"])
          for f in (alone, naive, clusters, one)]  # fmt: skip
    assert se[1] < 0.65 * se[0]
    assert se[2] == pytest.approx(se[0], rel=0.2)
    assert one.n < 60
    assert se[3] == pytest.approx(se[0], rel=0.35)
    with pytest.raises(ParameterError, match="none of all, one, clusters"):
        benchmark_diagnostics(several, model, families="two")  # pyright: ignore[reportArgumentType]


def test_scores_in_percent_have_no_binomial_error() -> None:
    _, scores, _ = drawn(30, 10)
    with pytest.raises(ParameterError, match="shares of right answers, 0 to 1"):
        reliabilities(100 * scores, TaskItems(counts=dict.fromkeys(TASKS, 10)))


def test_a_comparison_says_both_figures_and_who_is_at_chance(tmp_path: Path) -> None:
    answers, scores, _ = drawn(40, 15)
    rng = np.random.default_rng(4)
    guessed: Any = answers.copy()
    guessed.iloc[:20] = (rng.random((20, answers.shape[1])) < 0.25).astype(float)
    guessed.to_csv(tmp_path / "a.csv")
    lines = [(i, t, 4) for i, t in owners(answers).items()]
    pd.DataFrame(lines, columns=["item", "task", "options"]).to_csv(
        tmp_path / "map.csv", index=False
    )
    words = ["compare-benchmarks", tmp_path / "a.csv", "--tasks", tmp_path / "map.csv"]
    done = CliRunner().invoke(cli, [str(w) for w in (*words, "--draws", 20, "--json")])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert "at_chance" in {d["code"] for d in found["diagnostics"]}
    part = found["parts"]["B"]
    assert len(part["reliability"]) == 6
    assert [row["diagnostic"] for row in part["disattenuated"]] == ["D_div", "TC", "D_valid"]
    made = compare_benchmarks(
        {"B": BenchmarkScores(scores, items=TaskItems(counts=dict.fromkeys(TASKS, 15)))},
        n_bootstrap=20,
    )
    assert "B, without the error of task scores: D_div" in made.summary()
    scores.to_csv(tmp_path / "s.csv")
    counted = CliRunner().invoke(
        cli, ["compare-benchmarks", str(tmp_path / "s.csv"), "--items", "15", "--draws", "20"]
    )
    assert "without the error of task scores" in counted.output
    words += ["--items", "15", "--draws", "20"]
    twice = CliRunner().invoke(cli, [str(w) for w in words])
    assert "are needed only if answers to items are unknown" in str(twice.exception)


def test_reliabilities_that_cannot_be_computed_are_missing_not_zero() -> None:
    answers: Any = pd.DataFrame({"a": [1.0, 0, 1, 0], "b": [1.0, 0, 0, 1], "c": [0.0, 1, 0, 1]})
    tasks = TaskItems(answers, {"a": "t", "b": "t", "c": "t"})

    def value(rows: list[int], known: TaskItems = tasks) -> float:
        scores = pd.DataFrame({"t": answers.loc[rows].mean(axis=1)}, index=rows)
        return float(reliabilities(scores, known)["reliability"].iloc[0])

    # One respondent; respondents with the same sum; one item; items that say opposite things.
    assert np.isnan(value([0]))
    assert np.isnan(value([0, 2], TaskItems(answers.iloc[:, [0, 2]], {"a": "t", "c": "t"})))
    assert np.isnan(value([0, 1, 2], TaskItems(answers[["a"]], {"a": "t"})))
    assert value([0, 1, 2, 3]) == 0.0
    # KR-20 by hand: k / (k - 1) (1 - sum of variances / variance of the sums).
    pair = TaskItems(answers[["a", "b"]], {"a": "t", "b": "t"})
    assert value([0, 1, 2], pair) == pytest.approx(2 * (1 - (1 / 3 + 1 / 3) / 1.0))
    for scores, items in (([0.5], 20), ([0.5, 0.5], 20), ([0.2, 0.9], 1)):
        table = pd.DataFrame({"t": scores})
        assert np.isnan(reliabilities(table, TaskItems(counts={"t": items}))["reliability"][0])
    other: Any = reliabilities(pd.DataFrame({"t": [0.2, 0.9]}), TaskItems(counts={"u": 9}))
    assert (other["items"][0], other["method"][0]) == (0, "")
    none: Any = reliabilities(pd.DataFrame({"t": [0.2, 0.9]}), TaskItems())
    assert none.iloc[0].tolist()[:2] == ["t", 0]
    assert none["method"][0] == ""
    assert np.isnan(none["reliability"][0])


def test_a_task_none_of_whose_items_is_drawn_has_the_models_mean() -> None:
    """Every model answered some items of a task, all alike: whatever is drawn, its score is that,
    and the correlations are those of models drawn with replacement."""
    rng = np.random.default_rng(3)
    level = rng.random((12, 2))
    tasks = {f"{t}{k}": t for t in "uv" for k in range(5)}
    answers = pd.DataFrame(
        {i: np.where(rng.random(12) < 0.4, level[:, "uv".index(t)], np.nan)
         for i, t in tasks.items()}
    )  # fmt: skip
    answers["u0"], answers["v4"] = level[:, 0], level[:, 1]
    models: Any = list(range(12))
    (found,) = crossed(TaskItems(answers, tasks), ["u", "v"], models, None, 30, 7)
    (counts,) = model_counts(12, None, 30, 7)
    for r, weights in zip(found, counts, strict=True):
        matrix: Any = np.corrcoef(np.repeat(level, weights.astype(int), axis=0).T)
        expected = matrix[0, 1]
        assert r == pytest.approx(np.array([[1, expected], [expected, 1]]))
    whole = np.arange(12) // 4
    (drawn_whole,) = model_counts(12, whole, 30, 7)
    assert (drawn_whole.reshape(30, 3, 4) == drawn_whole.reshape(30, 3, 4)[:, :, :1]).all()
    assert (drawn_whole.sum(axis=1) == 12).all()
