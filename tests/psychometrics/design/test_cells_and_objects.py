"""Repeated cells of a G-study are refused or told, and a plan takes the object of measurement from
the file of the study."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import gfactor as gf
from gfactor.errors import ParameterError

FACETS = ["Aufgabe", "Prompt"]


def scores() -> pd.DataFrame:
    rng = np.random.default_rng(7)
    shape = (12, 10, 3)
    values = (
        5 * rng.normal(size=(12, 1, 1))
        + 3 * rng.normal(size=(1, 10, 1))
        + 2 * rng.normal(size=(12, 10, 1))
        + rng.normal(size=shape)
    )
    at = np.indices(shape).reshape(3, -1)
    return pd.DataFrame(
        {
            "Modell": [f"M{k}" for k in at[0]],
            "Aufgabe": [f"A{k}" for k in at[1]],
            "Prompt": [f"P{k}" for k in at[2]],
            "score": values.ravel(),
        }
    )


def test_a_row_repeated_with_another_score_is_refused_with_its_cell() -> None:
    data = scores()
    twice = pd.concat([data, data.iloc[[40]].assign(score=99.0)])
    with pytest.raises(
        ParameterError, match=r"cell of Modell M1, Aufgabe A3, Prompt P1 holds 2 scores, while"
    ):
        gf.gtheory(twice, object="Modell", facets=FACETS)
    with pytest.raises(ParameterError, match=r"Prompt P1 holds 2 scores, and so 1 more cells"):
        gf.gtheory(pd.concat([twice, data.iloc[[7]]]), object="Modell", facets=FACETS)


@pytest.mark.thorough
def test_scores_that_every_cell_repeats_are_replications_and_are_said_to_be() -> None:
    data = scores()
    rng = np.random.default_rng(8)
    both = pd.concat([data, data.assign(score=data["score"] + rng.normal(size=len(data)))])
    study = gf.gtheory(both, object="Modell", facets=FACETS)
    (note,) = [one for one in study.diagnostics if one.code == "replicated_cells"]
    assert "hold 2 scores each" in note.sentence
    once = gf.gtheory(data, object="Modell", facets=FACETS)
    assert "replicated_cells" not in [one.code for one in once.diagnostics]


@pytest.mark.thorough
def test_the_fixed_residual_of_the_logistic_model_has_no_standard_error_and_no_interval() -> None:
    data = scores()
    data["score"] = (data["score"] > 0).astype(int)
    components = gf.gtheory(
        data, object="Modell", facets=["Aufgabe"], estimator="logistic"
    ).components
    residual = components.iloc[-1]
    assert residual["variance"] == pytest.approx(math.pi**2 / 3)
    assert residual[["se", "ci_lower", "ci_upper"]].isna().all()
    assert components["se"].iloc[:-1].notna().all()


def test_a_plan_takes_the_object_of_measurement_from_the_file_of_the_study(tmp_path: Path) -> None:
    study = gf.gtheory(scores(), object="Modell", facets=FACETS)
    path = tmp_path / "g.json"
    path.write_text(json.dumps(study.to_dict()))
    plan = gf.plan(aim="phi", target=0.9, components=path, solve="Aufgabe", simulations=0)
    named: Any = {
        str(label).replace("Modell", "examinee"): value
        for label, value in study.components["variance"].items()
    }
    same = gf.plan(aim="phi", target=0.9, components=named, solve="Aufgabe", simulations=0)
    assert plan.chosen is not None
    assert same.chosen is not None
    assert plan.chosen["Aufgabe"] == same.chosen["Aufgabe"]
    with pytest.raises(ParameterError, match="give it with --components"):
        gf.plan(path, aim="phi", target=0.9)
    with pytest.raises(ParameterError, match=r"needs the variance of 'examinee', and there are M"):
        gf.plan(aim="phi", target=0.9, solve="Aufgabe", simulations=0,
                components=study.components["variance"].to_dict())  # fmt: skip
