"""Families left out of a calibration are predicted by questions as they would be asked."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from support.simulated_anchors import BENCHMARKS, draw_models

from gfactor.psychometrics.irt.anchors.calibrating import AnchorCalibration, calibrate_with_evidence
from gfactor.psychometrics.irt.anchors.placement import place_models
from gfactor.psychometrics.irt.anchors.validation import (
    accuracy_table,
    family_folds,
    validate_anchors,
)

SELECTIONS = ("fixed", "random")
LINES: list[str] = []


@cache
def calibration() -> AnchorCalibration:
    world = draw_models(60, 0)
    return calibrate_with_evidence(world.answers, world.families)


@cache
def trials() -> Any:
    return validate_anchors(
        calibration(), folds=5, levels=(10, 40), selections=SELECTIONS, in_all=(30,), every=6,
        progress=LINES.append,
    )  # fmt: skip


@pytest.mark.thorough
def test_every_design_has_a_row_per_model_benchmark_and_selection() -> None:
    table = trials()
    one, every = table[table["design"] == "one"], table[table["design"] == "all"]
    models = table["model"].nunique()
    assert len(one) == models * len(BENCHMARKS) * len(SELECTIONS) * 2
    assert len(every) == models * len(BENCHMARKS) * len(SELECTIONS)
    assert (one["asked"] == one["n"]).all()
    assert (every.groupby(["model", "select"])["asked"].sum() == 30).all()
    assert LINES[0].startswith("fold 1 of 5: ")
    assert len(LINES) == 5


@pytest.mark.thorough
def test_the_truth_is_the_full_score_of_the_model() -> None:
    answers = calibration().answers
    for row in trials().itertuples():
        whole = answers.loc[row.model].filter(like=f"{row.benchmark}:")
        assert row.true == pytest.approx(whole.mean())
        assert row.items == len(whole)


def test_a_model_is_predicted_by_a_scale_without_its_family() -> None:
    """A prediction is that of placing the model on the scale of the other folds."""
    known = calibration()
    folds = family_folds(known.families.tolist(), 5)
    row = trials().iloc[0]
    mine = known.families == known.families[row["model"]]
    assert (folds[mine.to_numpy()] == row["fold"]).all()
    rest = known.without(folds == row["fold"])
    assert not set(rest.models["family"]) & set(known.families[mine])
    part = trials().query("model == @row['model'] and select == 'fixed' and design == 'one'")
    fixed = part[(part["benchmark"] == "easy") & (part["n"] == 40)].iloc[0]
    again: Any = validate_anchors(
        known, folds=5, levels=(40,), selections=("fixed",), in_all=(30,), every=6
    )
    same = again[(again["model"] == row["model"]) & (again["benchmark"] == "easy")]
    one = same[same["design"] == "one"].iloc[0]
    assert one["predicted"] == pytest.approx(fixed["predicted"], abs=1e-9)


def test_a_fixed_form_is_the_same_for_all_models_of_a_fold() -> None:
    fixed = trials().query("select == 'fixed' and design == 'one' and n == 40")
    # Accuracies on the same 40 questions are multiples of 1/40.
    assert np.allclose(fixed["sample"] * 40, (fixed["sample"] * 40).round())


def test_more_questions_and_curves_predict_better() -> None:
    table = trials().assign(error=lambda t: (t["predicted"] - t["true"]).abs())
    one = table[table["design"] == "one"]
    error = one.groupby("n")["error"].mean()
    assert error[40] < error[10]
    sampled = (one["sample"] - one["true"]).abs().groupby(one["n"]).mean()
    assert error[10] < 0.75 * sampled[10]
    summary = accuracy_table(table)
    assert summary["ratio"].between(0.1, 1.2).all()
    assert np.all(summary["coverage"].isna())


def test_predictions_have_the_error_that_their_variances_say() -> None:
    table = trials()
    z = (table["predicted"] - table["true"]) / np.sqrt(
        table["ability_variance"] + table["answer_variance"]
    )
    assert 0.6 < float(np.sqrt((z**2).mean())) < 1.6


def test_the_seed_draws_the_random_questions() -> None:
    known = calibration()
    how: dict[str, Any] = {
        "folds": 5,
        "levels": (10,),
        "selections": ("random",),
        "in_all": (20,),
        "every": 12,
    }
    first, again = (validate_anchors(known, **how) for _ in range(2))
    other = validate_anchors(known, **how, seed=1)
    assert first.equals(again)
    assert not first["predicted"].equals(other["predicted"])


def test_placing_whole_rows_agrees_with_the_validation() -> None:
    known = calibration()
    row = trials().query("select == 'random' and design == 'one' and n == 40").iloc[0]
    folds = family_folds(known.families.tolist(), 5)
    scale = known.without(folds == row["fold"])
    placed = place_models(scale, known.answers.loc[[row["model"]]])
    full: Any = placed.predictions.set_index("benchmark")["accuracy"]
    assert full[row["benchmark"]] == pytest.approx(row["true"], abs=1e-12)
